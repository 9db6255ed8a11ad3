"""What `mkdocs build` writes into the pages of docs/ from the sources, so that it cannot go stale.

A line `<!-- from the sources: NAME -->` stands for what the function NAME of `WRITERS` returns. In
reference/python/ an item of a public name, "- `coalesce`: Return ...", stands for its docstring,
whose first line `make reference` writes there for readers without the site. The notebook becomes a
page as it was run.
"""

from __future__ import annotations

import ast
import inspect
import json
import posixpath
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import click
from docstrings import markdown
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from playground import Missing, playground

from symcute.prover.theorems import Theorem

ROOT = Path(__file__).resolve().parents[1]
SCHEMAS = ROOT / "symcute" / "schemas"

_MARK = re.compile(r"^<!-- from the sources: ([\w-]+) -->$", re.MULTILINE)
_NAME = re.compile(r"^- `(\w+(?:\.\w+)*)`(?:: .*)?$", re.MULTILINE)
_LINK = re.compile(r"(!?)\[([^\]]*)\]\((\.\./[^)#\s]*)(#[^)\s]*)?\)")
_FENCE = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: Any) -> Files:
    """Add the schemas, so that pages can link to them, the notebook as a page, the playground."""
    for path in sorted(SCHEMAS.glob("*.json")):
        uri = f"reference/schemas/{path.name}"
        files.append(File.generated(config, uri, abs_src_path=str(path)))
    notebook = ROOT / "docs" / "tutorial.ipynb"
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    text = "\n\n".join(part for cell in cells for part in _cell_of_notebook(cell))
    files.append(File.generated(config, "tutorial-notebook.md", content=text))
    try:
        for name, content in playground().items():
            files.append(File.generated(config, f"playground/{name}", content=content))
    except Missing as error:
        raise PluginError(str(error)) from None
    return files


def _cell_of_notebook(cell: dict[str, Any]) -> Iterator[str]:
    """Yield a cell, and what it showed when the notebook was run."""
    source = "".join(cell["source"])
    yield source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```"
    for output in cell.get("outputs", ()):
        shown = output.get("data", {})
        if "text/html" in shown:
            yield f'<div class="shown">{"".join(shown["text/html"])}</div>'
        else:
            told = "".join(shown.get("text/plain", output.get("text", ())))
            yield f"```text\n{told.rstrip()}\n```"


def on_page_markdown(text: str, page: Page, **_: Any) -> str:
    """Write what comes from the sources into a page; lead to the notebook's page; see to links."""
    text = text.replace("tutorial.ipynb)", "tutorial-notebook.md)")
    text = _MARK.sub(lambda found: _written(found[1], page), text)
    if page.file.src_uri.startswith("reference/python/"):
        text = _NAME.sub(lambda found: _described(found[1], page), text)
    return _outside_code(text, lambda part: _LINK.sub(lambda x: _linked(x, page), part))


def _written(name: str, page: Page) -> str:
    if name not in WRITERS:
        raise PluginError(f"{page.file.src_uri}: nothing writes {name!r}")
    return "\n".join(WRITERS[name]())


def _described(name: str, page: Page) -> str:
    path = name if name.startswith("symcute.") else f"symcute.{name}"
    members = "" if page.meta.get("members", True) else "\n    options: {members: false}"
    return f"::: {path}{members}\n"


def with_lines(text: str) -> str:
    """Return a page of reference/python/ with the first line of each docstring beside its name."""
    return _NAME.sub(lambda found: f"- `{found[1]}`: {_first_line(found[1])}", text)


def _first_line(name: str) -> str:
    """Return the first line of what a public name, or a member of one, says of itself."""
    path = name if name.startswith("symcute.") else f"symcute.{name}"
    value = resolve_name(path)
    told = inspect.getdoc(value) or _said_below(value.__module__, path.rpartition(".")[2])
    return markdown(told.partition("\n")[0])


def _said_below(module: str, name: str) -> str:
    """Return the text below an assignment to a name, where its docstring stands."""
    body = ast.parse(inspect.getsource(import_module(module))).body
    for line, below in pairwise(body):
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == name:
            match below:
                case ast.Expr(ast.Constant(str(told))):
                    return told
    raise LookupError(f"{module}.{name} has no docstring")


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """Change the text between blocks of code."""
    done, place = [], 0
    for block in _FENCE.finditer(text):
        done += [change(text[place : block.start()]), block[0]]
        place = block.end()
    return "".join((*done, change(text[place:])))


def _linked(found: re.Match[str], page: Page) -> str:
    """Return the link; one to a file of the repository outside docs/ as the text alone."""
    folder = posixpath.dirname(page.file.src_uri)
    path = posixpath.normpath(posixpath.join("docs", folder, found[3]))
    if path.startswith("docs/"):
        return found[0]
    if path.startswith("..") or not (ROOT / path).exists():
        raise PluginError(f"{page.file.src_uri}: {found[3]} is no file of the repository")
    shown = found[2].strip("`/")
    return f"`{path}`" if shown == path else f"{found[2]} (`{path}`)"


def command_line() -> Iterator[str]:
    """The help of every command, as it is printed."""
    from symcute.cli import symcute

    yield from _help(symcute, "symcute")
    for name, command in symcute.commands.items():
        yield from _help(command, f"symcute {name}")


def _help(command: click.Command, name: str) -> Iterator[str]:
    context = click.Context(command, info_name=name, terminal_width=100, max_content_width=100)
    told = command.get_help(context)
    yield from (f"## {name}", "", "```text", told, "```", "")
    if isinstance(command, click.Group) and name != "symcute":
        for inner, below in command.commands.items():
            yield from _help(below, f"{name} {inner}")


def functions() -> Iterator[str]:
    """The functions that text can call."""
    from symcute.claims.vocabulary import FUNCTIONS

    yield from ("| function | arguments | |", "|---|---|---|")
    for name, entry in FUNCTIONS.items():
        yield f"| `{name}` | {_cell(entry.help)} | {_summary(entry.function)} |"


def claims() -> Iterator[str]:
    """The claims that text can name."""
    from symcute.claims.vocabulary import CLAIMS

    yield from ("| claim | arguments | says |", "|---|---|---|")
    for name, entry in CLAIMS.items():
        yield f"| `{name}` | {_cell(entry.help)} | {_summary(entry.function)} |"


def _cell(text: str) -> str:
    arguments, colon, rest = text.partition("): ")
    if colon:
        return f"`{arguments})`: {markdown(rest)}".replace("|", "\\|")
    return f"`{text}`".replace("|", "\\|")


def _summary(value: Any) -> str:
    """Return the first paragraph of a docstring, on a line."""
    first = (inspect.getdoc(value) or "").split("\n\n")[0]
    told = re.split(r"\n(?=[A-Z][\w-]+:)", first)[0]
    return markdown(" ".join(told.split())).replace("|", "\\|")


def lemmas() -> Iterator[str]:
    """The lemmas of the engine: what they say, their inductions, and the theorems these cite."""
    for path in sorted((ROOT / "proofs" / "lemmas").glob("*.py")):
        yield from _lemma(path)


def _lemma(path: Path) -> Iterator[str]:
    from symcute.prover.theorems import load

    title, _, told = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n")
    theorems = load(path, path.read_bytes())
    proved = sum(t.expected == "proved" for t in theorems)
    yield from (f"## {path.stem}", "", f"**{markdown(title)}**", "")
    yield from (_cited(markdown(told), {t.name for t in theorems}), "")
    yield f'??? abstract "The theorems: {proved} proved, {len(theorems) - proved} refuted"'
    yield from ("", "    | theorem | says | given | claim | verdict |", "    |---|---|---|---|---|")
    for theorem in theorems:
        yield "    | " + " | ".join(_row(theorem)) + " |"
    yield ""


def _row(theorem: Theorem) -> Iterator[str]:
    yield f'<span id="{theorem.name}"></span>`{theorem.name}`'
    yield markdown(theorem.statement).replace("|", "\\|")
    yield ", ".join(f"`{given}`" for given in theorem.given)
    yield " and ".join(f"`{claim.text()}`" for claim in theorem.build())
    yield theorem.expected


def _cited(text: str, names: set[str]) -> str:
    """Link every theorem that a text names to its row."""
    return re.sub(r"`(\w+)`", lambda x: f"[{x[0]}](#{x[1]})" if x[1] in names else x[0], text)


def schemas() -> Iterator[str]:
    """The published schemas, and the keys of each."""
    from symcute.schemas import schema, schema_names

    for name in schema_names():
        found = schema(name)
        yield from (f"## {found['title']}", "", found["description"], "")
        yield from ("| key | |", "|---|---|")
        for key, value in _properties(found).items():
            told = _named(value).get("description", "").replace("|", "\\|")
            yield f"| `{key}` | {told} |"
        yield from ("", f"The schema: [{name}.json](schemas/{name}.json)", "")


def _named(value: dict[str, Any]) -> dict[str, Any]:
    """Return what a schema says, or the part of the shared one that it names instead."""
    _, shared, path = value.get("$ref", "").partition("urn:symcute:schema:common#/$defs/")
    if not shared:
        return value
    common = json.loads((SCHEMAS / "common.json").read_text("utf-8"))
    return common["$defs"][path] | {k: v for k, v in value.items() if k != "$ref"}


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    whole = {k: v for k, v in schema.items() if k != "properties"}
    return _named(whole).get("properties", {}) | schema.get("properties", {})


WRITERS = {
    "claims": claims,
    "command-line": command_line,
    "functions": functions,
    "lemmas": lemmas,
    "schemas": schemas,
}


if __name__ == "__main__":
    for page in (ROOT / "docs/reference/python").glob("*.md"):
        page.write_text(with_lines(page.read_text("utf-8")), "utf-8")
