"""Facts of whole tables: what executions draw is as they say, and so is what is concluded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations, product

import pytest

from symcute.errors import InputError
from symcute.expr.terms import evaluate
from symcute.kernel.checking import check
from symcute.kernel.execution import Executor
from symcute.kernel.filling import Filling, possible
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.interpreter import Choice, run
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.setting import Table
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.properties.context import Context
from symcute.kernel.symexec import symexecute
from symcute.kernel.symexec.tables import alike
from tests.access.cases import Case, cases, value
from tests.access.replay import kernel_of, setting_of
from tests.full import some

WHOLE = [c for c in cases() if c.file.stem == "tables_whole"]
TABLES = (Table(distinct=True), Table(increasing=True))


def held(table: Table, extent: int, low: int, high: int) -> list[tuple[int, ...]]:
    """All contents that there are, by the words of the note."""
    numbers = range(low, high + 1)
    if table.distinct:
        return list(permutations(numbers, extent))
    every = product(numbers, repeat=extent)
    return [x for x in every if x and [*x] == sorted(x) and (x[0], x[-1]) == (low, high)]


def sizes() -> Iterator[tuple[Table, int, int, int]]:
    for table, extent, low, size in product(TABLES, range(1, 5), (0, 3), range(1, 6)):
        if held(table, extent, low, low + size - 1):
            yield table, extent, low, low + size - 1


@pytest.mark.parametrize("how", ["", "low", "high", "one"])
def test_contents_of_executions_are_some_that_there_are(how: str) -> None:
    drawn = 0
    for table, extent, low, high in sizes():
        filling = Filling("t", table, extent, low, high, 4)
        drawn += 1
        contents = tuple(filling.at(4 * k, how) for k in range(extent))
        assert contents in held(table, extent, low, high), filling
    assert drawn > 20


@pytest.mark.parametrize("how", ["", "low", "high", "one"])
@pytest.mark.parametrize("size", [1, 2, 3, 8, 30, 97])
def test_of_two_inverses_each_is_the_other_undone(how: str, size: int) -> None:
    perm = Filling("perm", Table(True, inverse="back"), size, 0, size - 1, 4)
    back = Filling("back", Table(True, inverse="perm"), size, 0, size - 1, 8)
    for k in range(size):
        assert perm.at(4 * back.at(8 * k, how), how) == k


def asked(name: str, cells: dict[int, int]) -> list[tuple[Choice, int]]:
    at = ((0, 0, 0), (0, 0, 0), (), Place("k.cu", 1, 1))
    return [(Choice("content", name, -9, 9, *at, 4 * k), x) for k, x in cells.items()]


def test_some_elements_are_possible_where_contents_have_them() -> None:
    said = [0, 0]
    for table, extent, low, high in sizes():
        tables = {"t": Filling("t", table, extent, low, high, 4)}
        every = held(table, extent, low, high)
        for values in product((None, *range(low - 1, high + 2)), repeat=extent):
            cells = {k: x for k, x in enumerate(values) if x is not None}
            there = any(all(c[k] == x for k, x in cells.items()) for c in every)
            assert possible(tables, asked("t", cells)) is there, (table, cells)
            said[there] += 1
    assert min(said) > 300


def test_elements_of_inverses_are_possible_together() -> None:
    size, said = 3, [0, 0]
    tables = {
        "perm": Filling("perm", Table(True, inverse="back"), size, 0, size - 1, 4),
        "back": Filling("back", Table(True, inverse="perm"), size, 0, size - 1, 4),
    }
    every = [*permutations(range(size))]
    for p, b in product(product((None, *range(size)), repeat=size), repeat=2):
        there = any(
            all(x in (None, c[k]) for k, x in enumerate(p))
            and all(x in (None, c.index(k)) for k, x in enumerate(b))
            for c in every
        )
        cells = [asked(n, {k: x for k, x in enumerate(v) if x is not None})
                 for n, v in (("perm", p), ("back", b))]  # fmt: skip
        assert possible(tables, [*cells[0], *cells[1]]) is there, (p, b)
        said[there] += 1
    assert min(said) > 300


def test_what_is_said_of_two_elements_is_so_of_all_contents() -> None:
    told = 0
    for table, extent, low, high in sizes():
        for contents, i, j in product(held(table, extent, low, high), range(extent), range(extent)):
            for x, y in (("i", "j"), (i, j)):
                one, other = (contents[i], x), (contents[j], y)
                for truth in alike(table, one, other):
                    assert evaluate(truth, {"i": i, "j": j}), (table, contents, i, j, truth)
                    told += 1
    assert told > 1000


def test_what_is_said_of_two_elements_is_said_of_no_others() -> None:
    for table, broken in zip(TABLES, ((2, 2), (3, 1)), strict=True):
        x, y = broken
        truths = [evaluate(t, {"i": 0, "j": 1}) for t in alike(table, (x, "i"), (y, "j"))]
        assert not all(truths)
        assert not all(evaluate(t, {}) for t in alike(table, (x, 0), (y, 1)))


# --- verdicts -------------------------------------------------------------------------------------


def instances(case: Case, dims: dict[str, int]) -> Iterator[dict[str, tuple[int, ...]]]:
    """Yield all contents of the tables of a kernel, and of what is in a range."""
    every = []
    for name, kind in case.tables.items():
        extent = value(case.extents[name], dims)
        low, high = (value(t, dims) for t in case.contents[name])
        every.append(held(Table(kind != "increasing", kind == "increasing"), extent, low, high))
    ranged = [n for n in case.contents if n not in case.tables]
    for name in ranged:
        low, high = (value(t, dims) for t in case.contents[name])
        extent = value(case.extents[name], dims)
        every.append(list(islice(product(range(low, high + 1), repeat=extent), 64)))
    for chosen in product(*every):
        found = dict(zip([*case.tables, *ranged], chosen, strict=True))
        inverses = [n for n, kind in case.tables.items() if kind == "inverse"]
        if all(found["perm"][x] == k for n in inverses for k, x in enumerate(found[n])):
            yield found


@pytest.mark.parametrize("case", some(WHOLE, 4), ids=lambda c: c.label)
def test_no_contents_break_what_is_proved_of_a_kernel(case: Case) -> None:
    kernel, setting = kernel_of(case), setting_of(case)
    verdicts = dict(verdict_of(check(kernel, setting, tuple(case.truth))))
    executor = Executor(kernel, Context(symexecute(kernel, setting), setting, kernel))
    runs = 0
    for dims in islice((d for d in executor.sizes.instances() if max(d.values()) <= 3), 12):
        for memory in islice(instances(case, dims), 40):
            trace = run(kernel, setting, dims, memory=memory, limit=60_000)
            runs += 1
            shown = {"in_bounds": bool(trace.out_of_bounds)} | {
                name: any(r.both_write is both for r in trace.races)
                for name, both in (("write_race_free", True), ("read_write_race_free", False))
            }
            wrong = {name for name, wrong in shown.items() if wrong}
            assert not {name for name in wrong if verdicts[name] == "proved"}, (dims, memory)
            assert not {name for name in wrong if case.truth[name]}, (dims, memory)
    assert runs > 5


# --- notes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contents", "extents", "told"),
    [
        ({"perm": "distinct in [0, n)"}, {"perm": None}, "its extent is not given"),
        ({"back": "inverse of perm"}, {}, "perm has no inverse of n elements"),
        ({"perm": "distinct in [0, n]", "back": "inverse of perm"}, {}, "perm has no inverse"),
        (
            {"perm": "distinct in [0, n)", "back": "inverse of perm"}, {"perm": "n - 1"},
            "not of one extent",
        ),
        ({"perm": "distinct [0, n)"}, {}, "is no range"),
        ({"perm": "increasing from 0"}, {}, "is no range"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(
    contents: dict[str, str], extents: dict[str, str | None], told: str
) -> None:
    case = next(c for c in WHOLE if c.name == "gather_and_not_back")
    given = {"perm": "n", "back": "n"} | extents
    kernel = kernel_of(case)
    bare = type(kernel)(**{
        f: getattr(kernel, f) for f in kernel.__dataclass_fields__ if f != "notes"
    })  # fmt: skip
    with pytest.raises(InputError, match=told.replace("[", r"\[")):
        read_setting(
            bare, launch="grid=(n) block=(1)", contents=contents,
            extents={k: v for k, v in given.items() if v is not None},
        )  # fmt: skip


def test_what_is_said_outside_takes_the_place_of_the_note() -> None:
    case = next(c for c in WHOLE if c.name == "scatter_by_permutation")
    kernel = kernel_of(case)
    assert setting_of(case).tables == {"perm": Table(distinct=True)}
    ranged = read_setting(kernel, contents={"perm": "[0, n)"})
    assert ranged.tables == {} and ranged.contents == setting_of(case).contents
    assert dict(verdict_of(check(kernel, ranged, ("write_race_free",)))) == {
        "write_race_free": "refuted"
    }
    ordered = read_setting(kernel, contents={"perm": "increasing from 0 to n - 1"})
    assert ordered.tables == {"perm": Table(increasing=True)}
