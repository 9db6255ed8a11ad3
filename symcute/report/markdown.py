"""A run as Markdown for a pull request: what is not as it should be, then the rest in a fold.

GitHub's dialect. What comes from sources and theorem files is text there, never markup: it makes no
link, mentions nobody and refers to no issue.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from symcute.report.cases import Case, Run, Trouble
from symcute.report.terminal import seconds_text

__all__ = ["LIMIT", "markdown_text"]

#: The most characters of a comment on GitHub.
LIMIT = 65536
#: What is kept for lines that say what is left out, and for the ends of folds.
_SPARE = 400
#: Remarks that are no words.
_FORMAL = ("given", "claim", "counterexample", "holds if")
#: The longest text of a cell.
_CELL = 600

_MARKUP = re.compile(r"([\\`*_\[\]#|~$]|:(?=[\w+-]+:))")
#: Where a mention, a reference to an issue or a link is broken: no escape keeps GitHub from them.
_BROKEN = re.compile(r"(?<=[@#])(?=\w)|(?<=:)(?=//)|(?<=www)(?=\.)")
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def markdown_text(run: Run, limit: int = LIMIT) -> str:
    """Return the text, of `limit` characters at most.

    >>> from symcute.report.json import document
    >>> from symcute.report.cases import theorem_run
    >>> print(markdown_text(theorem_run(document([]))))
    ## symcute verify: all as expected
    <BLANKLINE>
    0 theorems: 0 proved, 0 refuted, 0 unknown; all as expected
    <BLANKLINE>
    """
    rest = [case for case in run.cases if case.good]
    head = [f"## symcute {run.command}: {_headline(run)}", "", _prose(run.summary), ""]
    if run.rests_on:
        shown = ", ".join(f"{_prose(name)} ({n})" for name, n in run.rests_on.items())
        head += [f"Rests on: {shown}.", ""]
    bad = [_trouble(case, t) for case in run.bad for t in case.troubles if not t.conditional]
    if_ = list(map(_contract, run.contracts))
    errors = [_error(t) for t in run.errors]
    room = limit - _SPARE - sum(len(line) + 1 for line in head)
    what = "as expected" if run.command == "verify" else "proved"
    idle = sum(case.status == "not applicable" for case in rest)
    count = f"{len(rest) - idle} {what}{f', {idle} not applicable' if idle else ''}"
    fold = ["<details>", f"<summary>{count}</summary>", ""]
    body, room = _block([], errors, [], "that could not be checked", room)
    right, room = _block(
        _header(("no launch is known of", "where", "right if")), if_, [], "more", room
    )
    table, room = _block(_header(("verdict", "what", "where", "why")), bad, [], "more", room)
    names = ("verdict", run.unit, "says", "how", *(["time"] if run.command == "verify" else []))
    more, _ = _block([*fold, *_header(names)], map(_row, rest), ["", "</details>"], what, room)
    return "\n".join([*head, *body, *right, *table, *more])


def _headline(run: Run) -> str:
    if run.errors and not run.bad:
        return "not all could be checked"
    if not run.bad:
        idle = any(case.status == "not applicable" for case in run.cases)
        proved = "all that applies is proved" if idle else "all proved"
        return "all as expected" if run.command == "verify" else proved
    unit = {"theorem": "theorems", "property": "properties"}[run.unit]
    what = "not as expected" if run.command == "verify" else "not proved"
    return f"{len(run.bad)} of {len(run.cases)} {unit} {what}"


def _error(t: Trouble) -> str:
    place = f"{t.file}:{t.line}" if t.file else ""
    where = " ".join(_code(text) for text in (t.subject, place) if text)
    return f"- {where}: {_prose(t.text)}" if where else f"- {_prose(t.text)}"


def _block(
    head: list[str], rows: Iterable[str], end: list[str], what: str, room: int
) -> tuple[list[str], int]:
    """Return a head, the rows for which there is room, how many are left out, and the room left."""
    every = list(rows)
    if not every:
        return [], room
    room -= sum(len(line) + 1 for line in (*head, *end, ""))
    kept: list[str] = []
    while len(kept) < len(every) and room > len(every[len(kept)]):
        room -= len(every[len(kept)]) + 1
        kept.append(every[len(kept)])
    left = len(every) - len(kept)
    cut = ["", f"... and {left} {what}: this text is cut to fit.", ""] if left else []
    return ([*head, *kept, *cut, *end, ""] if kept else cut), room


def _header(names: Sequence[str]) -> list[str]:
    return [f"| {' | '.join(names)} |", f"|{' --- |' * len(names)}"]


def _contract(t: Trouble) -> str:
    lines = [f"{_code(line)} ({_prose(properties)})" for properties, line in t.remarks]
    return f"| {_code(t.subject)} | {_code(f'{t.file}:{t.line}')} | {'<br>'.join(lines)} |"


def _trouble(case: Case, t: Trouble) -> str:
    why = [f"{_prose(name)}: {_said(name, text)}" for name, text in t.remarks if text != t.text]
    expected = f" (expected {case.expected})" if case.expected != "proved" else ""
    verdict = f"**{t.status}**{expected}"
    place = f"{t.file}:{t.line}"
    if _kernel(case):
        place += f":{t.column}"
        # A counterexample says it too, and what a theorem says is said above.
        why = why if t.status == "refuted" else [_prose(t.text), *why]
    return f"| {verdict} | {_name(case)} | {_code(place)} | {'<br>'.join(why)} |"


def _row(case: Case) -> str:
    cells = [case.status, _name(case), _statement(case.says), _prose(case.how)]
    if case.seconds is not None:
        cells.append(seconds_text(case.seconds))
    return f"| {' | '.join(cells)} |"


def _name(case: Case) -> str:
    kernel = _kernel(case)
    return f"{_code(kernel)} {_prose(case.name)}" if kernel else _code(case.name)


def _kernel(case: Case) -> str:
    return case.group.partition("::")[2]


def _said(name: str, text: str) -> str:
    """Return a remark, as code where it is in the grammar or has numbers of an instance."""
    return _code(text) if name in _FORMAL else _statement(text)


def _statement(text: str) -> str:
    """Return words in which code stands in backticks, as docstrings have it."""
    parts = _short(text).split("`")
    if len(parts) % 2 == 0:
        return _prose(text)
    return "".join(_code(x) if k % 2 and x else _escaped(x) for k, x in enumerate(parts))


def _prose(text: str) -> str:
    r"""Return text that Markdown shows as it is.

    >>> _prose("a|b <i> *c*")
    'a\\|b &lt;i&gt; \\*c\\*'
    """
    return _escaped(_short(text))


def _escaped(text: str) -> str:
    apart = _BROKEN.sub("\N{WORD JOINER}", text)
    return _MARKUP.sub(r"\\\1", apart.translate(_HTML))


def _code(text: str) -> str:
    """Return text as code.

    >>> _code("a|b `c`")
    '`` a\\\\|b `c` ``'
    """
    if not text:
        return ""
    # A backslash would take the one that keeps a pipe from ending the cell.
    shown = _short(text).replace("\\|", "\\\N{WORD JOINER}|").replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    edge = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{edge}{shown}{edge}{fence}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _CELL else f"{line[: _CELL - 4]} ..."
