"""Options and arguments that several commands share."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from symcute.cli.completion import theorem_names
from symcute.errors import InputError
from symcute.schemas import stamped

__all__ = [
    "JsonWithoutFile",
    "as_form",
    "batch",
    "cache",
    "cannot_write",
    "given",
    "html",
    "jobs",
    "json_flag",
    "limit",
    "make_folder",
    "make_room",
    "memory",
    "no_cache",
    "notice",
    "one_text",
    "only",
    "out_file",
    "out_folder",
    "paths",
    "print_json",
    "prints_json",
    "quiet",
    "remark",
    "seconds",
    "svg",
    "timeout",
    "work",
    "write_text",
    "wrote",
]

if TYPE_CHECKING:
    _Type = click.ParamType[Any]
else:  # it takes no parameter in every version of click
    _Type = click.ParamType

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class _Seconds(_Type):
    """A time: a number of seconds."""

    name = "seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            found = float(value)
        except ValueError:
            self.fail(f"{value!r} is no number of seconds", param, ctx)
        if not 0 < found <= 1e6:  # a "nan" ends here as well
            self.fail(f"{value} is not between 0 and 1000000 seconds", param, ctx)
        return found


class _OutFile(_Type):
    """A file to write, perhaps one whose name has to end in a suffix."""

    name = "file"

    def __init__(self, suffix: str, dash: bool) -> None:
        self.suffix, self.dash = suffix, dash

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(value)
        if not str(value).strip():
            raise InputError("the name of a file is empty", f"name it, as in out{self.suffix}")
        if path.is_dir():
            example = path / f"out{self.suffix}"
            raise InputError(f"{path} is a folder", f"name a file in it, such as {example}")
        if str(path) == "-":
            if not self.dash:
                raise InputError("- is no name of a file here", f"name it, as in out{self.suffix}")
        elif self.suffix and path.suffix != self.suffix:
            raise InputError(
                f"{path} does not end in {self.suffix}", f"name it {path.stem}{self.suffix}"
            )
        return path

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


class _OutFolder(_Type):
    """A folder to write files into."""

    name = "folder"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(value)
        if not str(value).strip():
            raise InputError("the name of a folder is empty", "name it, as in reports/mine")
        if path.is_file():
            raise InputError(f"{path} is a file", "name a folder")
        return path

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="dir")]


#: The type of an option that names a folder to write into.
out_folder: _Type = _OutFolder()


def out_file(suffix: str = "", *, dash: bool = True) -> _Type:
    """Return the type of an option that names a file to write.

    Errors: InputError for a folder, where there is a `suffix` for a name without it, and for `-`,
    standard output, unless `dash` allows it.
    """
    return _OutFile(suffix, dash)


class JsonWithoutFile(click.Command):
    """A command whose --json FILE may stand without the FILE: then it prints.

    What follows is no FILE where it is an option, or a path that is there already, as in
    `symcute verify --json proofs/`; a name that ends in .json always is one.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give a --json that has no FILE the name of standard output."""
        for k, follows in _after_json(args):
            option = follows.startswith("-") and follows != "-"
            if option or (Path(follows).exists() and not follows.endswith(".json")):
                args[k] = "--json=-"
        return super().parse_args(ctx, args)


def _after_json(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield where --json stands, and the word behind it."""
    end = words.index("--") if "--" in words else len(words)
    for k in range(end):
        if words[k] == "--json":
            yield k, words[k + 1] if k + 1 < end else "--"


def prints_json(words: Sequence[str]) -> bool:
    """Return whether a call asks for JSON on standard output, and not in a FILE of that name.

    >>> prints_json(["prove", "M <= N", "--json"]), prints_json(["verify", "--json", "x.json"])
    (True, False)
    """
    chosen = " ".join(words).replace("--output-format=", "--output-format ")
    by_format = "--output-format json" in chosen
    return by_format or any(not follows.endswith(".json") for _, follows in _after_json(words))


#: The type of an option that is a time.
seconds: _Type = _Seconds()


def html(what: str) -> _Decorator:
    """Return the option of a page that a command may write besides; `what` says which."""
    page = out_file(".html", dash=False)
    return click.option("--html", "html_file", type=page, metavar="FILE", help=what)


def paths(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the names of files and folders."""
    return [CompletionItem(incomplete, type="file")]


given: _Decorator = click.option(
    "--given",
    "-g",
    multiple=True,
    metavar="ASSUMPTION",
    help='An assumption on the dims, such as "LD >= N" or "M % 128 == 0"; may be repeated.',
)

json_flag: _Decorator = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object instead of text."
)

quiet: _Decorator = click.option(
    "--quiet", "-q", is_flag=True, help="Print only what went wrong, and the summary."
)

svg: _Decorator = click.option(
    "--svg", type=out_file(".svg", dash=False), metavar="FILE", help="Draw the picture as SVG."
)

timeout: _Decorator = click.option(
    "--timeout",
    type=seconds,
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="Time limit of one claim; beyond it the claim is unknown.",
)

work: _Decorator = click.option(
    "--work",
    type=click.IntRange(min=1),
    metavar="UNITS",
    help="Work limit of each solver; a unit takes about a millisecond (default: 6000).",
)

limit: _Decorator = click.option(
    "--limit",
    type=seconds,
    metavar="SECONDS",
    help="Time limit of one theorem (default: ten times --timeout).",
)

only: _Decorator = click.option(
    "--only",
    default="",
    metavar="PATTERN",
    shell_complete=theorem_names,
    help='Run only theorems whose name contains PATTERN, or matches it, as "coal*".',
)

jobs: _Decorator = click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many run at the same time (default: the number of CPUs).",
)

memory: _Decorator = click.option(
    "--memory",
    "memory_mb",
    type=click.IntRange(min=1, max=2**30),
    default=2048,
    show_default=True,
    metavar="MB",
    help="Memory limit of one theorem or kernel, without its solvers.",
)

cache: _Decorator = click.option(
    "--cache",
    type=out_file(dash=False),
    default=Path(".symcute/cache.sqlite"),
    show_default=True,
    envvar="SYMCUTE_CACHE",
    show_envvar=True,
    metavar="FILE",
    help="The file in which verdicts are kept from run to run.",
)

no_cache: _Decorator = click.option(
    "--no-cache", is_flag=True, help="Neither read nor write the cache: decide everything again."
)

#: The names of `symcute.codegen.forms.FORMS`, which loads more than help needs.
FORMS = ("cute", "cpp", "dsl", "torch", "triton", "c", "python")
as_form: _Decorator = click.option(
    "--as",
    "form",
    type=click.Choice(FORMS),
    metavar="FORM",
    help=f"Print only the layout, written as {', '.join(FORMS[:-1])} or {FORMS[-1]}.",
)

batch: _Decorator = click.option(
    "--batch",
    "batch_file",
    metavar="FILE",
    help="Read one JSON object per line from FILE (- is standard input); write one per line.",
)


def one_text(text: str | None, batch_file: str | None, name: str) -> str | None:
    """Return the text to work on, or None when a batch is asked for; `-` reads standard input.

    Errors: InputError when both or neither are given, or standard input is no UTF-8 text.
    """
    if (text is None) == (batch_file is None):
        raise InputError(
            f"{name} or --batch FILE is needed, and not both",
            f"give one {name}, or a file of them with --batch",
        )
    if text != "-":
        return text
    try:
        return sys.stdin.buffer.read().decode("utf-8").rstrip("\n")
    except UnicodeDecodeError:
        raise InputError("standard input is no UTF-8 text", "give text in UTF-8") from None


def make_room(path: Path) -> None:
    """Make the folder of a file that is to be written.

    Errors: InputError when the file could not be written there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise cannot_write(path, error) from None


def make_folder(path: Path) -> None:
    """Make a folder for files that are to be written.

    Errors: InputError when it cannot be made, or takes no files.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from None
    if not os.access(path, os.W_OK):
        raise InputError(f"cannot write to {path}", "name another place")


def cannot_write(path: Path, error: OSError) -> InputError:
    """Return the message for a file that could not be written."""
    reason = error.strerror or str(error)
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        reason = "a part of this path is a file, not a folder"
    return InputError(f"cannot write {path}: {reason}", "name another place")


def print_json(name: str, fields: Mapping[str, Any]) -> None:
    """Print the one JSON object of a command; `name` is that of its form."""
    click.echo(json.dumps(stamped(name, fields)))


def remark(text: str) -> None:
    """Say on standard error what was turned on the way from a pasted text."""
    from symcute.expr.pasted import remarks

    for said in remarks(text):
        notice(said)


def notice(text: str) -> None:
    """Print a line on standard error that the run goes on after."""
    click.echo(f"symcute: {text}", err=True)


def wrote(path: Path, where: str = "") -> None:
    """Say on standard error that a file was written."""
    notice(f"wrote {path}{where}")


def write_text(path: Path, text: str) -> None:
    """Write a file and the folders above it, and say so; `-` is standard output.

    Errors: InputError when the file cannot be written.
    """
    # Half a character, as in the name of a file that is no UTF-8, has no way to be written.
    text = text.encode("utf-8", "replace").decode("utf-8")
    if str(path) == "-":
        click.echo(text, nl=False)
        return
    new = "" if path.parent.is_dir() else f", in the new folder {path.parent}"
    make_room(path)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise cannot_write(path, error) from None
    wrote(path, new)
