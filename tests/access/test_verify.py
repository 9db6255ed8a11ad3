"""Programs are what `program.py` says: the rules hold of real ones, and bite on broken ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, get_args

import pytest

from symcute.cli import main
from symcute.frontends import FrontEnd, Source, front_end, register
from symcute.frontends.cuda.target import CUDA
from symcute.kernel.ir import expression, families, place, program, target, verify
from symcute.kernel.ir.document import from_json, to_json
from symcute.kernel.ir.expression import (
    Base,
    Binary,
    Builtin,
    Cast,
    Const,
    PtrAdd,
    Select,
    Unary,
    Var,
)
from symcute.kernel.ir.families import Family, Inferred
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.interpreter import run
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Array,
    Atomic,
    Barrier,
    Fence,
    Havoc,
    If,
    Int,
    Kernel,
    Leave,
    Let,
    Load,
    Loop,
    NotUnderstood,
    Param,
    Pointer,
    Promise,
    Scope,
    Signal,
    Store,
    Wait,
)
from symcute.kernel.ir.rules import RULES
from symcute.kernel.ir.setting import Setting
from symcute.kernel.ir.target import Target
from symcute.kernel.ir.verify import IllFormed, verified
from symcute.kernel.symexec import symexecute
from tests.access.cases import KERNELS
from tests.access.lowered import kernel as lower
from tests.access.replay import source
from tests.full import some

I8, I32, I64, BOOL = Int(8, True), Int(32, True), Int(64, True), Int(1, False)
ONE = Const(1, I32)

#: Statements that are rare in real kernels.
RARE = """
enum Few : unsigned char { A, B };
struct Ends { int first, last; };
__device__ const int table[4] = {3, 1, 4, 1};
__device__ void elsewhere(int &old, int *x);
__global__ void rare(int *x, unsigned *u, int n, Ends e) {
  int i = threadIdx.x, unset;
  for (int k = 0; k < n; ++k) {
    if (x[k] < 0) continue;
    if (x[k] == 7) break;
    unset = ~k + (k > 2 ? -k : __popc(u[k]));
  }
  if (!(i < n)) return;
  int old = atomicAdd(&x[i], table[i & 3]);
  elsewhere(old, x);
  __builtin_assume(n > 0);
  __syncwarp();
  asm volatile("cp.async.wait_group 0;" ::);
  __shared__ unsigned long long bar;
  unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(at));
  x[old] = unset + (char)i + e.last;
}
void launch(int *x, unsigned *u, int n) { rare<<<1, n>>>(x, u, n, Ends{0, 1}); }
"""


@cache
def programs() -> tuple[Kernel, ...]:
    files = sorted(KERNELS.glob("*.cu"))
    rare = lower(RARE, "rare")
    fenced = (*rare.body, Fence("proxy", rare.place))  # in programs of other front ends
    rare = dataclasses.replace(rare, body=fenced)
    return (rare, *(k for f in files for k in source(f).kernels.values()))


def without_place(node: Any) -> Any:
    return dataclasses.replace(node, place=Place(node.place.file, 0, 1))


def with_(**changes: Any) -> Callable[[Any], Any]:
    """A change of fields; where one is a function, of what the field holds."""

    def change(node: Any) -> Any:
        found = {k: v(getattr(node, k)) if callable(v) else v for k, v in changes.items()}
        return dataclasses.replace(node, **found)

    return change


def where(test: Callable[[Any], Any], change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A change of some objects of a class only."""
    return lambda node: change(node) if test(node) else None


def wide(value: Any) -> Const:
    return Const(1, I64 if value.type == I8 else I8)


ADDRESS = with_(pointer=ONE)
NONE_WIDE = with_(width=0)
GALAXY = with_(scope="galaxy")
LATE = "nobody knows what is read or written late, and it is not atomic"
AGENT = "an agent is known, which accesses memory plainly, as nobody knows"

#: The class whose rule is broken, the rule, and how.
MUTATIONS: list[tuple[type, str, Callable[[Any], Any]]] = [
    (Place, "a place is known", with_(line=0)),
    (Place, "a place is known", with_(file="")),
    (Int, "an integer type has bits", with_(bits=0)),
    (Const, "a number is one of its type", lambda e: Const(e.type.high + 1, e.type)),
    (Var, "a variable is set before it is read", with_(name="nobody")),
    (Var, "a variable has one type", where(lambda e: e.type == I32, with_(type=I64))),
    (Builtin, "a builtin is known", with_(name="threadIdx.w")),
    (Unary, "an operator is known", with_(op="+")),
    (Unary, "an operand has the type of the operator", with_(arg=Const(1, I8))),
    (
        Unary,
        "an operand has the type of the operator",
        where(lambda e: e.op == "popc", with_(arg=ONE)),
    ),
    (Binary, "an operator is known", with_(op="**")),
    (Binary, "an operand has the type of the operator", with_(left=wide)),
    (
        Binary,
        "a result has the type of the operator",
        where(lambda e: e.op == "<", with_(type=I32)),
    ),
    (Select, "a condition is a truth", with_(test=ONE)),
    (Select, "both choices have its type", with_(other=Const(1, I8))),
    (Cast, "integers are converted", with_(arg=Base("x"))),
    (Base, "an array is declared", with_(array="nowhere")),
    (PtrAdd, "an address is a pointer", ADDRESS),
    (PtrAdd, "an index is an integer", lambda e: dataclasses.replace(e, index=e.pointer)),
    (Let, "a variable has one type", with_(name="x", value=ONE)),
    (Load, "an address is a pointer", ADDRESS),
    (Load, "an access has at least one byte", NONE_WIDE),
    (Load, "the scope of an atomic access is known", GALAXY),
    (
        Load,
        "the parts of what is read lie in it",
        where(lambda s: s.parts, lambda s: dataclasses.replace(s, width=1)),
    ),
    (Load, "a variable has one type", with_(parts=(("x", 0, I8),))),
    (Store, "an address is a pointer", ADDRESS),
    (Store, "an access has at least one byte", NONE_WIDE),
    (Store, "the scope of an atomic access is known", GALAXY),
    (
        Store,
        "what is stored is as wide as the access",
        lambda s: dataclasses.replace(s, value=Const(1, I64 if s.width == 1 else I8)),
    ),
    (Atomic, "an address is a pointer", ADDRESS),
    (Atomic, "an access has at least one byte", NONE_WIDE),
    (Atomic, "the scope of an atomic access is known", GALAXY),
    (Atomic, "an operator is known", with_(op="")),
    (Atomic, "an access has whole units", with_(unit=3)),
    (Atomic, "what is found is as wide as the access", with_(result=("v", I64))),
    (Atomic, "a variable has one type", with_(result=("x", I32))),
    (Havoc, "some value is in the range", with_(low=2, high=1)),
    (
        Havoc,
        "a variable has one type",
        where(lambda s: s.type != Pointer(), with_(name="x")),
    ),
    (If, "a condition is a truth", with_(test=ONE)),
    (Loop, "a condition is a truth", with_(test=ONE)),
    (
        Loop,
        "a label is used once",
        where(lambda s: not any(isinstance(x, Leave) for x in every([s])), with_(label="kernel")),
    ),
    (Scope, "a label is used once", with_(label="kernel")),
    (Leave, "what is left is around", with_(label="nowhere")),
    (Barrier, "the scope of a barrier is known", with_(scope="planet")),
    (Load, LATE, with_(late=True, scope="block")),
    (Store, LATE, where(lambda s: s.value, with_(late=True))),
    (Load, AGENT, with_(agent="nobody")),
    (Store, AGENT, where(lambda s: s.value, with_(agent="load"))),
    (Wait, "groups are counted from 0", with_(groups=-1)),
    (Signal, "an address is a pointer", ADDRESS),
    (Signal, "what is done to an mbarrier is known", with_(op="leave")),
    (Signal, "an mbarrier is given a number, unless a thread arrives", with_(value=None)),
    (Fence, "what a fence is of is known", with_(of="sheep")),
    (Promise, "a condition is a truth", with_(test=ONE)),
    (Promise, "a promise has a name", with_(name="")),
    (NotUnderstood, "what is not understood has a reason", with_(reason="")),
    (NotUnderstood, "what it may do is known", with_(effect="nothing")),
    (NotUnderstood, "an array is declared", with_(arrays=("nowhere",))),
    (NotUnderstood, "a variable is known", with_(variables=("nobody",))),
    (Param, "a parameter points to an array, or is no pointer", with_(array="nowhere")),
    (Param, "a parameter points to an array, or is no pointer", with_(type=I32, array="x")),
    (
        Param,
        "an integer, and no other parameter, is within fewer of its type",
        with_(type=I32, array=None, within=Int(64, True)),
    ),
    (
        Param,
        "an integer, and no other parameter, is within fewer of its type",
        with_(type=None, array=None, within=I32),
    ),
    (Array, "the memory of an array is known", with_(space="moon")),
    (Array, "an element has bytes", with_(element=0)),
    (Array, "an alignment is a power of two", with_(alignment=12)),
    (
        Array,
        "a view is of another array in shared memory, which is none, with as many bytes",
        with_(view_of="nowhere", line=8),
    ),
    (
        Array,
        "the values of an array are integers of its type",
        where(lambda a: a.integer, with_(values=(1 << 70,))),
    ),
    (Inferred, "a note says something", with_(text="")),
    (Family, "a launch is understood, or not", with_(trouble="neither")),
    (Target, "limits are at least 1", with_(warp=0)),
    (Target, "an alignment is a power of two", with_(allocated=100)),
    (Kernel, "an array is declared once", with_(arrays=lambda a: a + a)),
    (Kernel, "a parameter is declared once", with_(params=lambda p: p + p)),
    (Kernel, "a bound is at least 1", with_(launch_bounds=0)),
    (Kernel, "a cluster has blocks", with_(cluster=(2, 0, 1))),
    (Kernel, "a block has threads", with_(block=(32, 0, 1))),
    (Const, "a field holds what its class declares", with_(value="1")),
    (Const, "a field holds what its class declares", with_(value=True)),
    (Let, "a field holds what its class declares", with_(value=None)),
    (If, "a field holds what its class declares", with_(then=[])),
    (Loop, "a field holds what its class declares", with_(body=(ONE,))),
    (Kernel, "a field holds what its class declares", with_(notes=(("launch", "here"),))),
]


#: Those that give the name of a pointer to an integer.
NEEDS_X = {(kind, "a variable has one type") for kind in (Let, Load, Atomic, Havoc)} | {
    (Cast, "integers are converted"),
    (Param, "a parameter points to an array, or is no pointer"),
}


def changed(x: Any, kind: type, change: Callable[[Any], Any]) -> Iterator[Any]:
    """Yield a program with one object of a class changed, for each that may be."""
    if isinstance(x, tuple):
        for k, inner in enumerate(x):
            yield from ((*x[:k], new, *x[k + 1 :]) for new in changed(inner, kind, change))
        return
    if not dataclasses.is_dataclass(x) or isinstance(x, type):
        return
    new = change(x) if type(x) is kind else None
    if new is not None:
        yield new
    for f in dataclasses.fields(x):
        inner = changed(getattr(x, f.name), kind, change)
        yield from (dataclasses.replace(x, **{f.name: new}) for new in inner)


def refusal(kernel: Kernel) -> IllFormed | None:
    try:
        verified(kernel)
    except IllFormed as error:
        return error
    return None


def test_every_class_of_programs_has_its_row() -> None:
    modules = (families, place, expression, program, target)
    named = [getattr(module, name) for module in modules for name in module.__all__]
    classes = {c for c in named if isinstance(c, type) and dataclasses.is_dataclass(c)}
    nodes = {*get_args(program.Expr), *get_args(program.Stmt), *get_args(program.Type)}
    assert nodes < classes
    assert set(RULES) == classes


def test_a_class_without_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = dataclasses.replace(lower("__global__ void k(int *x) { __syncthreads(); }"))
    without = {kind: row for kind, row in RULES.items() if kind is not Barrier}
    monkeypatch.setattr(verify, "RULES", without)
    with pytest.raises(IllFormed, match="Barrier: a class has its rules"):
        verified(kernel)


def test_a_class_that_programs_do_not_have_is_refused() -> None:
    @dataclasses.dataclass(frozen=True)
    class Prefetch(Barrier):
        pass

    at = Place("k.cu", 3, 1)
    for node in (Prefetch("block", at), "a barrier", None):
        kernel: Any = Kernel("k", (), (), (node,), at, CUDA)
        with pytest.raises(IllFormed, match=r"Kernel k\.body: a field holds what its class"):
            verified(kernel)


def test_real_programs_meet_all_rules() -> None:
    assert len(programs()) > 100
    assert [e for k in programs() if (e := refusal(dataclasses.replace(k)))] == []


def test_random_programs_meet_all_rules() -> None:
    from random import Random

    from tests.access import random_kernels

    for seed in range(100):
        verified(random_kernels.kernel(Random(seed), unsupported=seed % 3 == 0))


@pytest.mark.parametrize(
    ("kind", "rule", "change"),
    some(MUTATIONS, 3),
    ids=lambda x: getattr(x, "__name__", x),
)
def test_what_breaks_a_rule_is_refused_by_it(
    kind: type, rule: str, change: Callable[[Any], Any]
) -> None:
    tried = 0
    for kernel in programs():
        if tried == 20:
            break
        if (kind, rule) in NEEDS_X and "x" not in {p.name for p in kernel.params if p.array}:
            continue
        broken = next(changed(kernel, kind, change), None)
        if broken is None:
            continue
        tried += 1
        error = refusal(broken)
        assert error is not None, kernel.name
        assert (error.rule, f": {kind.__name__}" in error.what) == (rule, True), error
        assert error.place is not None
    assert tried >= 1


def test_every_rule_is_broken_above() -> None:
    broken = {(kind, rule) for kind, rule, _ in MUTATIONS}
    assert {(kind, r.says) for kind, row in RULES.items() for r in row} <= broken


def broken() -> Kernel:
    """A program that no front end may hand over."""
    kernel = lower("__global__ void k(int *x, int n) { if (n) x[n + 1] = 0; }")
    return next(changed(kernel, Binary, with_(op="**")))


def test_a_program_is_verified_wherever_it_comes_in() -> None:
    setting = Setting((1, 1, 1), (32, 1, 1))
    for enter in (
        verified,
        lambda k: from_json(to_json(k)),
        lambda k: symexecute(k, setting),
        lambda k: run(k, setting, {"n": 0}),
    ):
        with pytest.raises(IllFormed, match="an operator is known"):
            enter(broken())


@pytest.mark.parametrize("value", [["Int", 32], ["Sine", 1], ["Int", 32, True, 4]])
def test_json_of_no_program_is_refused(value: list[Any]) -> None:
    with pytest.raises(IllFormed, match="a class of programs has its fields"):
        from_json(value)


def test_a_program_that_was_verified_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = lower("__global__ void k(int *x) { x[threadIdx.x] = 0; }")
    monkeypatch.setattr(verify, "RULES", {})
    assert verified(kernel) is kernel
    with pytest.raises(IllFormed):
        verified(dataclasses.replace(kernel))


def test_the_command_says_rule_and_place_and_exits_3(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    path = tmp_path / "k.wrong"
    path.write_text("")

    def read(*_: object, **__: object) -> Source:
        return Source(str(path), "", {"k": broken()})

    monkeypatch.setattr(front_end, "_KNOWN", {})
    register(FrontEnd("a language", (".wrong",), read, CUDA, ""))
    with pytest.raises(SystemExit) as end:
        main(["check", str(path), "--launch", "grid=(1) block=(1)"])
    assert end.value.code == 3
    said = capsys.readouterr().err
    assert "kernel.cu:1:" in said and "an operator is known" in said and "report it" in said
