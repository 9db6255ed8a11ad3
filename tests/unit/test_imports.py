"""Who may import whom: one direction through the package, and each big library in its one place."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).parents[2] / "symcute"

#: The rooms of the package and the rooms each may import from, from the ground up. A file may
#: import any other file of its own room.
ALLOWED = {
    "errors": (),
    "checker": (),
    "recheck": ("checker",),
    "rocq": ("checker", "recheck"),
    "schemas": ("errors",),
    "processes": (),
    "expr": ("errors",),
    "solve": ("errors", "processes", "expr"),
    "layout": ("errors", "expr", "solve"),
    "hardware": ("errors", "expr", "layout"),
    "interop": ("errors", "expr", "solve", "layout"),
    "claims": ("errors", "expr", "solve", "layout", "hardware", "interop"),
    "prover": ("errors", "recheck", "expr", "solve", "layout", "claims"),
    "synthesis": ("errors", "expr", "layout", "hardware", "claims", "prover"),
    "kernel/ir": ("errors", "expr", "layout"),
    "frontends": ("errors", "processes", "expr", "kernel/ir"),
    "kernel": (
        "errors", "checker", "recheck", "expr", "solve", "layout", "hardware", "claims", "prover",
        "kernel/ir", "frontends",
    ),
    "frontends/cutedsl": (
        "errors", "processes", "expr", "solve", "layout", "hardware", "prover", "kernel/ir",
        "frontends", "kernel",
    ),
    "codegen": ("errors", "expr", "solve", "layout", "interop", "claims"),
    "evidence": ("errors", "processes", "expr", "interop", "claims", "codegen"),
    "report": (
        "errors", "checker", "recheck", "expr", "solve", "layout", "hardware", "interop", "claims",
        "prover", "synthesis", "kernel", "codegen", "evidence",
    ),
    "testing": ("errors", "expr", "claims", "prover", "kernel", "report"),
    "run": (
        "errors", "processes", "expr", "solve", "layout", "claims", "prover", "kernel/ir",
        "frontends", "frontends/cutedsl", "kernel", "report",
    ),
    "editor": (
        "errors", "processes", "expr", "claims", "prover", "kernel/ir", "frontends", "kernel",
        "report", "run",
    ),
    "cli": (
        "errors", "schemas", "processes", "expr", "solve", "layout", "hardware", "claims", "prover",
        "synthesis", "frontends", "kernel", "codegen", "evidence", "report", "run", "editor",
        "rocq",
    ),
    "__main__": ("cli",),
}  # fmt: skip

#: The public names are gathered in `symcute/__init__.py`, by name and only when used.
FRONT_DOOR = "__init__"

#: The only files that import a library; a folder stands for the files in it.
PLACES = {
    "z3": ("solve/workers/z3_worker.py",),
    "cvc5": ("solve/workers/cvc5_worker.py",),
    "clang": ("frontends/cuda/",),
    "cupy": ("evidence/backends/cupy.py",),
    "cutlass": ("frontends/cutedsl/tracing.py", "frontends/cutedsl/worker.py"),
    "jinja2": ("report/templates.py",),
    "markupsafe": ("report/templates.py",),
    "rich": ("report/terminal.py", "cli/"),
    "sympy": ("expr/leaf.py", "expr/sympy_values.py", "expr/formula.py"),
    "click": ("cli/",),
    "lsprotocol": ("editor/server.py",),
    "pygls": ("editor/server.py",),
    "triton": tuple(f"frontends/triton/{name}.py" for name in ("worker", "compiling")),
    "distributed": ("run/cluster.py",),
    "numpy": (
        "interop/",
        "evidence/backends/",
        "codegen/",
        "kernel/properties/",
        "solve/enumeration.py",
        "solve/sampling.py",
        "solve/points.py",
        "solve/sampling.py",
    ),
}


@cache
def files() -> tuple[str, ...]:
    return tuple(sorted(p.relative_to(PACKAGE).as_posix() for p in PACKAGE.rglob("*.py")))


def room(path: str) -> str:
    """`algebra/divide` -> `algebra`, `layout` -> `layout`: the longest row that it lies under."""
    path = path.removesuffix(".py").removesuffix("/__init__")
    parts = path.split("/")
    rows = ("/".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next((row for row in rows if row in ALLOWED), parts[0])


class Source(NamedTuple):
    """What is looked at of a file; its whole tree would be a burden on every test that follows."""

    docstring: str
    imports: list[ast.Import | ast.ImportFrom]
    #: The names that are called, each with the line of one call.
    calls: dict[str, int]


@cache
def source(file: str) -> Source:
    tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
    found = Source(ast.get_docstring(tree) or "", [], {})
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.imports.append(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found.calls[node.func.id] = node.lineno
    return found


@cache
def imported(file: str) -> list[str]:
    """Return the dotted names that a file imports, wherever in it."""
    return list(_imported(source(file).imports))


def _imported(imports: list[ast.Import | ast.ImportFrom]) -> Iterator[str]:
    for node in imports:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            assert node.level == 0, "imports are absolute"
            # `from symcute import claims` imports a room, `from symcute.claims import x` too.
            inside = PACKAGE.parent / str(node.module).replace(".", "/")
            modules = [alias.name for alias in node.names if _is_module(inside / alias.name)]
            yield from (f"{node.module}.{name}" for name in modules)
            if len(modules) < len(node.names):
                yield str(node.module)


def _is_module(path: Path) -> bool:
    return path.is_dir() or path.with_suffix(".py").is_file()


def rooms_imported(file: str) -> set[str]:
    names = (name.partition(".") for name in imported(file))
    found = {
        room(rest.replace(".", "/")) for first, _, rest in names if first == "symcute" and rest
    }
    # `from symcute import __version__` takes a name of the front door, which imports nothing.
    return found - {"__version__"}


def file_of(module: str) -> str | None:
    """`symcute.expr.door` -> `expr/door.py`; None for what is not ours."""
    first, *rest = module.split(".")
    path = "/".join(rest)
    here = (f"{path}.py", f"{path}/__init__.py") if rest else ("__init__.py",)
    return next((f for f in here if f in files()), None) if first == "symcute" else None


def test_no_file_imports_itself_the_long_way_round() -> None:
    """Imports inside functions count: what must be put off is a circle all the same."""
    graph = {f: {file_of(name) for name in imported(f)} - {None} for f in files()}
    TopologicalSorter(graph).prepare()


def test_the_table_has_every_room_and_no_other() -> None:
    assert len(files()) >= 30
    assert {room(f) for f in files()} - {FRONT_DOOR} == set(ALLOWED)


def test_the_table_has_one_direction() -> None:
    order = list(ALLOWED)
    for here, others in ALLOWED.items():
        for other in others:
            assert order.index(other) < order.index(here), f"{here} <- {other} turns back"


def test_imports_follow_the_table() -> None:
    strangers = {}
    for file in files():
        here = room(file)
        allowed = set() if here == FRONT_DOOR else {here, *ALLOWED[here]}
        if beyond := rooms_imported(file) - allowed:
            strangers[file] = beyond
    assert strangers == {}


def test_no_star_imports() -> None:
    stars = [
        f"{file}:{node.lineno}"
        for file in files()
        for node in source(file).imports
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
    ]
    assert stars == []


def test_a_file_says_first_what_it_is() -> None:
    assert [f for f in files() if not source(f).docstring.strip()] == []


def test_the_guide_names_every_room_and_no_other() -> None:
    guide = (PACKAGE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    floors = guide.partition("## The house")[2].partition("\n## ")[0]
    named = set(re.findall(r"^\| `([a-z_/]+)/?` \|", floors, re.MULTILINE))
    assert named == set(ALLOWED) - {"__main__", "testing"}


@pytest.mark.parametrize("library", PLACES)
def test_each_library_has_its_place(library: str) -> None:
    places = PLACES[library]
    users = {f for f in files() for name in imported(f) if name.split(".")[0] == library}
    assert users, f"nothing imports {library}: take it out of the table"
    strangers = {f for f in users if not any(f == p or f.startswith(p) for p in places if p)}
    assert strangers == set()


@pytest.mark.parametrize("name", ["eval", "exec", "sympify", "parse_expr", "compile"])
def test_nothing_evaluates_text(name: str) -> None:
    callers = [f"{f}:{source(f).calls[name]}" for f in files() if name in source(f).calls]
    assert callers == []


def modules_after(code: str) -> set[str]:
    code += "\nimport sys\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_a_static_layout_loads_no_heavy_library() -> None:
    loaded = modules_after(
        "import symcute\n"
        "layout = symcute.Layout((4, 8), (8, 1))\n"
        "assert symcute.size(symcute.logical_divide(layout, (2, 4))) == 32\n"
        "symcute.composition(layout, symcute.Layout(8)), symcute.complement(symcute.Layout(4), 24)"
    )
    heavy = {"sympy", "z3", "cvc5", "numpy", "rich", "jinja2", "click", "cupy"}
    assert loaded & heavy == set()
    assert "symcute.layout.algebra.divide" in loaded


def test_the_command_line_loads_only_click() -> None:
    loaded = modules_after("import symcute.cli")
    assert loaded & {"sympy", "z3", "numpy", "rich", "jinja2", "symcute.layout.layout"} == set()
    assert "click" in loaded
