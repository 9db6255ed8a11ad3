"""Do the solvers answer rightly, in time, and without harm when a worker misbehaves?"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from symcute.errors import InputError, SymcuteError
from symcute.expr import limits
from symcute.processes import children, programs, serving
from symcute.prover import prove
from symcute.solve.solvers import (
    Answer,
    SolverPool,
    available,
    pool,
    portfolio,
    solve,
    version,
)
from symcute.solve.workers import z3_worker

SOLVERS = ["z3", "cvc5"]

ROW_MAJOR = """
(set-logic QF_NIA)
(declare-const M Int) (declare-const N Int) (declare-const LD Int)
(declare-const i Int) (declare-const j Int) (declare-const i2 Int) (declare-const j2 Int)
(assert (>= M 1)) (assert (>= N 1)) (assert (>= LD {bound}))
(assert (and (<= 0 i) (< i M) (<= 0 i2) (< i2 M) (<= 0 j) (< j N) (<= 0 j2) (< j2 N)))
(assert (= (+ (* i LD) j) (+ (* i2 LD) j2)))
(assert (or (not (= i i2)) (not (= j j2))))
"""
DIFFERENCES = """
(declare-const M Int) (declare-const N Int) (declare-const K Int)
(declare-const a Int) (declare-const b Int) (declare-const c Int)
(assert (and (>= M 1) (>= N 1) (>= K 1)))
(assert (and (< (- M) a M) (< (- N) b N) (< (- K) c K)))
(assert (= (+ (* a (* N K)) (* b K) c) 0))
(assert (or (not (= a 0)) (not (= b 0)) (not (= c 0))))
"""
FERMAT = """
(declare-const x Int) (declare-const y Int) (declare-const z Int)
(assert (and (> x 0) (> y 0) (> z 0)))
(assert (= (+ (* x x x) (* y y y)) (* z z z)))
"""
EASY = "(declare-const x Int) (assert (= (+ x x) 10))"
# Multipliers of this width take several hundred MB when they are turned into gates.
HOG = """
(declare-const x (_ BitVec 800)) (declare-const y (_ BitVec 800)) (declare-const z (_ BitVec 800))
(assert (= (bvmul x y z) (bvadd (bvmul z z x) (bvmul y y y) (_ bv12345 800))))
(assert (bvugt x y)) (assert (bvugt y z)) (assert (bvugt z (_ bv5 800)))
"""


@pytest.fixture
def own() -> Iterator[SolverPool]:
    with SolverPool() as opened:
        yield opened


def gone(pid: int) -> bool:
    """Say whether the process and all its threads have ended (it may be a zombie)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state == "Z" and len(list(Path(f"/proc/{pid}/task").iterdir())) == 1
    except FileNotFoundError:
        return True


def wait_until(condition: object, seconds: float = 5.0) -> bool:
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


# --- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
def test_unsat(solver: str) -> None:
    for script in (ROW_MAJOR.format(bound="N"), DIFFERENCES):
        answer = solve(script, solver=solver)
        assert (answer.status, answer.model, answer.reason) == ("unsat", {}, "")


@pytest.mark.parametrize("solver", SOLVERS)
def test_sat_model_satisfies_the_script(solver: str) -> None:
    answer = solve(ROW_MAJOR.format(bound="1"), solver=solver)
    assert answer.status == "sat"
    assert answer.reason == ""
    m = answer.model
    assert set(m) == {"M", "N", "LD", "i", "j", "i2", "j2"}
    assert m["LD"] >= 1
    assert all(0 <= m[k] < m["M"] for k in ("i", "i2"))
    assert all(0 <= m[k] < m["N"] for k in ("j", "j2"))
    assert m["i"] * m["LD"] + m["j"] == m["i2"] * m["LD"] + m["j2"]
    assert (m["i"], m["j"]) != (m["i2"], m["j2"])


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_model_has_every_constant_of_every_sort(solver: str) -> None:
    script = """
    ; (declare-const commented Int)
    (declare-fun used () Int) (declare-const |odd name (| Int) (declare-const unused Int)
    (declare-const flag Bool) (declare-const byte (_ BitVec 8)) (declare-fun f (Int) Int)
    (define-fun twice ((x Int)) Int (* 2 x))
    (assert (= (twice used) (- 14))) (assert (= |odd name (| 100000000000000000000000000))
    (assert flag) (assert (= byte #xfe)) (assert (= (f 3) 4))
    """
    answer = solve(script, solver=solver)
    assert answer.status == "sat"
    assert set(answer.model) == {"used", "odd name (", "unused", "flag", "byte"}
    assert answer.model["used"] == -7
    assert answer.model["odd name ("] == 10**26
    assert answer.model["flag"] == 1
    assert answer.model["byte"] == 254


@pytest.mark.parametrize("solver", SOLVERS)
def test_reals_are_fractions_and_integers_stay_integers(solver: str) -> None:
    script = """(set-logic QF_LIRA) (declare-const x Real) (declare-const unused Real)
    (declare-const whole Real) (declare-const n Int)
    (assert (= (* 3 x) (- 2))) (assert (= whole 5.0)) (assert (= (to_real n) (* 3 (- x))))"""
    model = solve(script, solver=solver).model
    assert {k: v for k, v in model.items() if k != "unused"} == {
        "x": Fraction(-2, 3),
        "whole": Fraction(5),
        "n": 2,
    }
    assert [type(model[k]) for k in ("x", "unused", "whole", "n")] == [Fraction] * 3 + [int]


def test_a_root_is_no_value() -> None:
    answer = solve("(declare-const x Real) (assert (= (* x x) 2.0))")
    reason = "the solver's model has a value that is no fraction"
    assert (answer.status, answer.model, answer.reason) == ("unknown", {}, reason)


def test_the_answer_names_its_solver() -> None:
    for solver in SOLVERS:
        answer = solve(EASY, solver=solver)
        assert answer.model == {"x": 5}
        assert answer.solver == solver
        assert answer.version == version(solver)
        assert answer.version[0].isdigit()
        assert answer.seconds > 0


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    "script",
    [
        "(declare-const x Int) (assert (> x 1)",
        "(declare-const x Int) (assert (> x",
        "(declare-const x Int) (assert (> y 1))",
        "junk",
        "(declare-const x Int) (assert (> x 1))) (assert false)",
        "(declare-const x Int) (push 1) (assert (> x 1)) (pop 1)",
        "(declare-const x Int) (check-sat)",
        "(declare-const x Int) (assert (= x \udc80))",
    ],
)
def test_malformed_text_is_unknown(solver: str, script: str) -> None:
    answer = solve(script, solver=solver)
    assert answer.status == "unknown"
    assert answer.reason.startswith("error: ")
    assert answer.model == {}
    assert solve(EASY, solver=solver).status == "sat"


def test_a_value_of_thousands_of_digits_is_unknown() -> None:
    steps = "".join(
        f"(declare-const x{k + 1} Int) (assert (= x{k + 1} (* x{k} x{k})))" for k in range(13)
    )
    answer = solve(f"(declare-const x0 Int) (assert (= x0 10)) {steps}")
    assert answer.status == "unknown"
    assert "digits" in answer.reason


@pytest.mark.full
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_script_of_a_megabyte(solver: str, own: SolverPool) -> None:
    lines = [f"(assert (>= x {-k}))" for k in range(48_000)]
    script = "(set-logic QF_NIA)(declare-const x Int)\n" + "\n".join(lines) + "(assert (= x 3))"
    assert len(script) > 1_000_000
    answer = own.solve(script, solver=solver)
    assert (answer.status, answer.model) == ("sat", {"x": 3})


def test_repeated_queries_give_the_same_model(own: SolverPool) -> None:
    script = ROW_MAJOR.format(bound="1")
    first = own.solve(script)
    assert first.status == "sat"
    assert all(own.solve(script).model == first.model for _ in range(5))
    with SolverPool() as other:
        assert other.solve(script).model == first.model


# --- what callers get wrong ----------------------------------------------------------------------


def test_wrong_arguments() -> None:
    with pytest.raises(InputError, match=r"unknown solver 'yices'; use one of z3, cvc5"):
        solve(EASY, solver="yices")
    with pytest.raises(InputError, match="work limit"):
        solve(EASY, work=0)
    for limit in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match="time limit"):
            solve(EASY, timeout=limit)
    with pytest.raises(InputError, match="memory limit"):
        solve(EASY, memory_mb=0)
    with pytest.raises(InputError, match="NUL"):
        solve("(declare-const x Int)\0(assert false)")


def test_a_solver_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert available("cvc5")
    monkeypatch.setattr(pool, "installed", lambda name: False)
    assert not available("cvc5")
    with pytest.raises(InputError, match=r'cvc5 is not installed; .*"symcute\[cvc5\]"'):
        solve(EASY, solver="cvc5")


def test_a_closed_pool(own: SolverPool) -> None:
    own.solve(EASY)
    (pid,) = own.workers()
    own.close()
    own.close()
    assert wait_until(lambda: gone(pid))
    with pytest.raises(SymcuteError, match="closed"):
        own.solve(EASY)


# --- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_time_limit_is_a_backstop(solver: str, own: SolverPool) -> None:
    own.solve(EASY, solver=solver)
    answer = own.solve(FERMAT, work=10**6, timeout=0.6, solver=solver)
    assert (answer.status, answer.limit) == ("unknown", "time")
    assert answer.reason == "the time limit of 0.6 s was reached"
    assert own.solve(EASY, solver=solver).model == {"x": 5}


@pytest.mark.parametrize("solver", SOLVERS)
def test_work_is_counted(solver: str, own: SolverPool) -> None:
    first = own.solve(FERMAT, work=100, solver=solver)
    assert (first.status, first.limit) == ("unknown", "work")
    assert first.reason == "the work limit of 100 was reached"
    # Z3 keeps a share for bits, into which these products are not turned.
    assert 50 <= first.work < 200
    # As much is done after other queries, in another process, on a machine that is busy.
    own.solve(DIFFERENCES, solver=solver)
    assert own.solve(FERMAT, work=100, solver=solver).work == first.work
    with SolverPool() as other:
        assert other.solve(FERMAT, work=100, solver=solver).work == first.work
    easy = own.solve(ROW_MAJOR.format(bound="N"), work=1000, solver=solver)
    assert (easy.status, easy.limit) == ("unsat", "")
    assert 1 <= easy.work < 1000


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_that_is_stopped_again_and_again_says_the_same(solver: str) -> None:
    def asked(own: SolverPool, script: str) -> Answer:
        return own.solve(script, work=60, solver=solver)

    scripts = [FERMAT, DIFFERENCES, ROW_MAJOR.format(bound="1"), EASY]
    with SolverPool() as own:
        wanted = [asked(own, script) for script in scripts]
    with SolverPool() as own:
        own.version(solver)
        (pid,) = own.workers()
        done = threading.Event()

        def brake() -> None:
            while not done.wait(0.002):
                os.kill(pid, signal.SIGSTOP)
                time.sleep(0.02)
                os.kill(pid, signal.SIGCONT)

        thread = threading.Thread(target=brake)
        thread.start()
        try:
            found = [asked(own, script) for script in scripts]
        finally:
            done.set()
            thread.join()
    for a, b in zip(wanted, found, strict=True):
        assert (a.status, a.model, a.limit, a.work) == (b.status, b.model, b.limit, b.work)


@pytest.mark.parametrize(("power", "turned"), [(2, True), (3, False), (5, False)])
def test_large_products_are_not_turned_into_bits(
    power: int, turned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, tried = z3_worker._solver, list[str]()

    def remembering(context: object, strategy: str) -> object:
        tried.append(strategy)
        return real(context, strategy)

    monkeypatch.setattr(z3_worker, "_solver", remembering)
    x, y, z = (f"(* {' '.join([v] * power)})" for v in "xyz")
    script = "".join(f"(declare-const {v} Int)(assert (> {v} 1))" for v in "xyz")
    # Without a solution, and hard to tell: squares are twice a square in no integers.
    sum_ = f"(+ {x} {x})" if power == 2 else f"(+ {x} {y})"
    answer = z3_worker.answer(f"{script}(assert (= {sum_} {z}))", 40, 60.0, 1024)
    assert answer.status == "unknown"
    assert tried == [z3_worker._PREPARED, z3_worker._BARE, *([z3_worker._BITS] * turned)]


def test_the_time_of_the_block_around_is_the_limit(own: SolverPool) -> None:
    reached = pytest.raises(limits.TimeLimit, match=r"^the time limit of 0.3 s was reached")
    with reached, limits.within(0.3):
        own.solve(FERMAT, work=10**6)
    with limits.within(60), pytest.raises(limits.TimeLimit), limits.within(0):
        own.solve(EASY)
    assert own.solve(EASY).model == {"x": 5}


def test_z3_beyond_its_memory_limit(own: SolverPool) -> None:
    own.solve(EASY)
    before = own.workers()
    answer = own.solve(HOG, memory_mb=48, timeout=60)
    assert (answer.status, answer.reason) == ("unknown", "memory limit")
    assert own.solve(EASY).model == {"x": 5}
    assert own.workers() != before


def test_the_start_of_a_worker_has_its_own_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = fake(tmp_path, "import time\ntime.sleep(0.5)\n" + GREET + ANSWER)
    with SolverPool({"fake": slow}) as own:
        assert own.solve(EASY, solver="fake", timeout=0.2).status == "unsat"
    silent = fake(tmp_path, "import time\ntime.sleep(60)\n")
    monkeypatch.setattr("symcute.processes.programs.START_LIMIT_S", 0.3)
    with SolverPool({"fake": silent}) as own:
        answer = own.solve(EASY, solver="fake")
        assert answer.reason == "solver did not start within 0.3 s"
        assert own.workers() == ()


# --- workers that misbehave ----------------------------------------------------------------------

GREET = "import json, os, signal, sys\nprint(json.dumps({'version': '0.0'}), flush=True)\n"
ANSWER = """
for line in sys.stdin:
    number = json.loads(line)["id"]
    reply = {"id": number, "status": "unsat", "model": {}, "reason": "", "work": 1}
    print(json.dumps(reply), flush=True)
"""


def fake(folder: Path, program: str) -> list[str]:
    path = folder / "fake_worker.py"
    path.write_text(program)
    return [sys.executable, str(path)]


# Each runs once; a flag file makes the worker that follows it behave.
def said(**changed: object) -> str:
    """Return the statement that prints an answer, with something changed."""
    usual: dict[str, object] = {"id": 1, "status": "sat", "model": {}, "reason": "", "work": 1}
    return f"print(json.dumps({usual | changed}))"


MISDEEDS = {
    "print('hello', flush=True)": "junk",
    "print('[1, 2]', flush=True)": "junk",
    "print(line, end='', flush=True)": "junk",
    said(id=99): "junk",
    said(status="proved"): "junk",
    said(work="1"): "junk",
    said(model={"x": 1.5}): "junk",
    said(model={"x": [1, 0]}): "junk",
    "os.write(1, b'\\xff\\x00' * 100000 + b'\\n')": "junk",
    "os.write(1, b'[' * 60000 + b'\\n')": "junk",
    "sys.exit(3)": "solver died (exit code 3)",
    "sys.exit(101)": "memory limit",
    "os.kill(os.getpid(), signal.SIGSEGV)": "solver died (signal 11)",
    "os.kill(os.getpid(), signal.SIGSTOP)": "the time limit of 0.2 s was reached",
    "print('{}'); print('{}')": "junk",
    "os.close(1); signal.pause()": "solver closed its output",
}


@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_a_misbehaving_worker_is_replaced(misdeed: str, tmp_path: Path) -> None:
    flag = tmp_path / "done"
    once = f"""
if not os.path.exists({str(flag)!r}):
    line = sys.stdin.readline()
    open({str(flag)!r}, "w").close()
    {misdeed}
    sys.stdout.flush()
"""
    with SolverPool({"fake": fake(tmp_path, GREET + once + ANSWER)}) as own:
        answer = own.solve(EASY, solver="fake", timeout=0.2)
        assert answer.status == "unknown"
        assert MISDEEDS[misdeed] in answer.reason
        assert answer.model == {}
        assert own.solve(EASY, solver="fake").status == "unsat"


def test_a_worker_that_never_reads_does_not_block_a_large_script(tmp_path: Path) -> None:
    with SolverPool({"fake": fake(tmp_path, GREET + "signal.pause()\n")}) as own:
        answer = own.solve(" " * 2_000_000, solver="fake", timeout=0.2)
        assert answer.reason == "the time limit of 0.2 s was reached"


def test_a_worker_that_prints_junk_for_a_greeting(tmp_path: Path) -> None:
    for program, reason in [
        ("print('Welcome!')", "junk"),
        ("print('{}')", "junk"),
        ("raise SystemExit(7)", "solver died (exit code 7)"),
    ]:
        with SolverPool({"fake": fake(tmp_path, program)}) as own:
            answer = own.solve(EASY, solver="fake")
            assert answer.status == "unknown"
            assert reason in answer.reason
    with SolverPool({"fake": [str(tmp_path / "missing")]}) as own:
        assert "did not start" in own.solve(EASY, solver="fake").reason
        with pytest.raises(SymcuteError, match="did not start"):
            own.version("fake")


def test_the_worker_limits_its_memory_and_hides_what_libraries_print(tmp_path: Path) -> None:
    program = """
import os
from symcute.solve.workers.serve import Reply, serve
def answer(smt2, work, timeout, memory_mb):
    os.write(1, b"noise from a library\\n")
    return Reply("sat", {"length": len(bytearray(int(smt2) * 2**20))})
serve("0.0", answer)
"""
    with SolverPool({"fake": fake(tmp_path, program)}) as own:
        assert own.solve("100", solver="fake", memory_mb=64).model == {"length": 100 * 2**20}
        answer = own.solve("1000", solver="fake", memory_mb=64)
        assert (answer.status, answer.reason) == ("unknown", "memory limit")
        assert own.solve("100", solver="fake", memory_mb=64).status == "sat"


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_worker_killed_in_the_middle_of_a_query(solver: str, own: SolverPool) -> None:
    own.solve(EASY, solver=solver)
    (pid,) = own.workers()
    timer = threading.Timer(0.3, os.kill, (pid, signal.SIGKILL))
    timer.start()
    answer = own.solve(FERMAT, solver=solver)
    timer.join()
    assert (answer.status, answer.reason) == ("unknown", "solver died (signal 9)")
    assert own.solve(EASY, solver=solver).model == {"x": 5}


def test_a_worker_killed_between_queries_costs_no_answer(own: SolverPool) -> None:
    own.solve(EASY)
    (pid,) = own.workers()
    os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: gone(pid))
    assert own.solve(EASY).model == {"x": 5}


def test_what_a_worker_says_unasked_costs_no_answer(tmp_path: Path) -> None:
    program = GREET + "line = sys.stdin.readline()\n" + "number = json.loads(line)['id']\n"
    program += (
        "print(json.dumps({'id': number, 'status': 'sat', 'model': {}, 'reason': '', 'work': 1}))\n"
    )
    program += "sys.stdout.flush()\n"
    late = "import time; time.sleep(0.1)\nprint('afterthought', flush=True)\nsignal.pause()\n"
    with SolverPool({"fake": fake(tmp_path, program + late)}) as own:
        assert own.solve(EASY, solver="fake").status == "sat"
        time.sleep(0.3)
        assert own.solve(EASY, solver="fake").status == "sat"


# --- several solvers -----------------------------------------------------------------------------

# A solver that needs so much work, and decides then; it is slow or fast as it likes.
SAYS = """
import time
for line in sys.stdin:
    time.sleep({delay})
    asked = json.loads(line)
    reply = {{"id": asked["id"], "model": {{}}, "work": min(asked["work"], {needs})}}
    enough = asked["work"] >= {needs}
    reply["status"] = {status!r} if enough else "unknown"
    reply["reason"] = {reason!r} if enough else "work limit"
    print(json.dumps(reply), flush=True)
"""


def runner(
    folder: Path, name: str, status: str, needs: int = 1, delay: float = 0.0, reason: str = ""
) -> list[str]:
    program = GREET + SAYS.format(delay=delay, status=status, needs=needs, reason=reason)
    return fake(_folder(folder, name), program)


def asked(tmp_path: Path, work: int = 1200, **runners: tuple[Any, ...]) -> Answer:
    commands = {name: runner(tmp_path, name, *how) for name, how in runners.items()}
    with SolverPool(commands) as own:
        return portfolio(EASY, work=work, solvers=tuple(runners), pool=own)


def test_both_solvers_agree() -> None:
    assert portfolio(EASY).model == {"x": 5}
    for script in (ROW_MAJOR.format(bound="N"), DIFFERENCES):
        answer = portfolio(script)
        assert (answer.status, answer.reason) == ("unsat", "")
        assert answer.solver == "z3"
        assert answer.version == version(answer.solver)


@pytest.mark.parametrize("slow", ["a", "b"])
@pytest.mark.parametrize(
    ("a", "b", "winner"),
    [
        (1, 1, "a"),
        (80, 1, "a"),
        (500, 1, "b"),
        (500, 500, "a"),
        (1000, 500, "b"),
        (5000, 1000, "b"),
    ],
)
def test_who_decides_is_a_matter_of_work_and_not_of_time(
    tmp_path: Path, slow: str, a: int, b: int, winner: str
) -> None:
    delays = {"a": 0.0, "b": 0.0, slow: 0.1}
    answer = asked(tmp_path, a=("unsat", a, delays["a"]), b=("unsat", b, delays["b"]))
    assert (answer.status, answer.solver) == ("unsat", winner)


def test_an_unknown_leaves_it_to_the_others(tmp_path: Path) -> None:
    answer = asked(tmp_path, a=("unknown", 1, 0.0, "lazy"), b=("unsat", 700))
    assert (answer.status, answer.solver, answer.reason) == ("unsat", "b", "")
    # The one that does not know is asked once: three rounds of the other, and it.
    assert answer.work == 1 + 100 + 600 + 700 + 1


def test_contradictory_answers_are_not_believed(tmp_path: Path) -> None:
    answer = asked(tmp_path, a=("unsat",), b=("sat", 50))
    assert (answer.status, answer.model) == ("unknown", {})
    assert answer.reason == "contradictory answers: a 0.0 says unsat, b 0.0 says sat"


def test_a_model_is_for_who_asks_to_evaluate(tmp_path: Path) -> None:
    answer = asked(tmp_path, a=("sat", 3), b=("unsat", 50))
    assert (answer.status, answer.solver, answer.work) == ("sat", "a", 3)


def test_what_is_open_names_the_limit(tmp_path: Path) -> None:
    answer = asked(tmp_path, a=("sat", 2000), b=("unsat", 5000))
    assert (answer.status, answer.limit) == ("unknown", "work")
    assert answer.reason == "a and b: the work limit of 1,200 was reached"
    assert answer.work == 2 * (100 + 600 + 1200)


def test_solvers_that_hang_or_die_leave_it_to_the_other(tmp_path: Path) -> None:
    hangs = fake(_folder(tmp_path, "hangs"), GREET + "signal.pause()\n")
    dies = fake(_folder(tmp_path, "dies"), GREET + "sys.stdin.readline(); sys.exit(3)\n")
    mute = fake(_folder(tmp_path, "mute"), "raise SystemExit(4)\n")
    good = runner(tmp_path, "good", "unsat", 300)
    with SolverPool({"hangs": hangs, "dies": dies, "mute": mute, "good": good}) as own:
        every = ("hangs", "dies", "mute", "good")
        assert portfolio(EASY, solvers=every, timeout=0.4, pool=own).solver == "good"
        answer = portfolio(EASY, solvers=every[:3], timeout=0.4, pool=own)
        assert (answer.status, answer.limit) == ("unknown", "time")
        assert answer.reason.split(", ") == [
            "hangs: the time limit of 0.4 s was reached",
            "dies: solver died (exit code 3)",
            "mute: solver died (exit code 4)",
        ]


def _folder(path: Path, name: str) -> Path:
    (path / name).mkdir()
    return path / name


def test_limits_of_several_solvers() -> None:
    answer = portfolio(FERMAT, work=150)
    assert (answer.status, answer.limit) == ("unknown", "work")
    assert answer.reason == "z3 and cvc5: the work limit of 150 was reached"
    with SolverPool() as own:
        answer = portfolio(HOG, solvers=("z3",), memory_mb=48, pool=own)
        assert (answer.status, answer.reason) == ("unknown", "memory limit")
    assert portfolio(EASY).model == {"x": 5}


def test_without_cvc5_it_is_z3_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "available", lambda solver: solver == "z3")
    answer = portfolio(EASY)
    assert (answer.solver, answer.model) == ("z3", {"x": 5})
    with pytest.raises(InputError, match=r"^none of these solvers is installed: cvc5; "):
        portfolio(EASY, solvers=("cvc5",))
    with pytest.raises(InputError, match="unknown solver 'yices'"):
        portfolio(EASY, solvers=("z3", "yices"))
    with pytest.raises(InputError, match="time limit"):
        portfolio(EASY, timeout=0)


def test_several_solvers_in_four_threads(own: SolverPool) -> None:
    def ask(number: int) -> Answer:
        script = f"(declare-const x Int) (assert (= (* 3 x) {3 * number}))"
        return portfolio(script, pool=own)

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(ask, range(20)))
    assert [answer.model["x"] for answer in answers] == list(range(20))


# --- threads, forks, the end ---------------------------------------------------------------------


def test_four_threads_at_once(own: SolverPool) -> None:
    def ask(number: int) -> Answer:
        return own.solve(f"(declare-const x Int) (assert (= (* 3 x) {3 * number}))")

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(ask, range(40)))
    assert [answer.model["x"] for answer in answers] == list(range(40))
    assert 1 <= len(own.workers()) <= 4


def test_closing_ends_the_queries_of_other_threads(own: SolverPool) -> None:
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(own.solve, FERMAT)
        assert wait_until(lambda: own.workers())
        time.sleep(0.1)
        own.close()
        assert waiting.result(5).reason == "solver died (signal 9)"
    assert own.workers() == ()


def test_what_is_decided_is_kept_and_nothing_else() -> None:
    asked = []

    class Counted(SolverPool):
        def _ask(self, worker: Any, smt2: str, work: int, *rest: Any) -> Answer:
            asked.append(work)
            return super()._ask(worker, smt2, work, *rest)

    with Counted(keep=True) as pool:
        first = pool.solve(EASY, work=50)
        again = pool.solve(EASY.replace("x", "other"), work=50)
        assert (again.status, again.work) == (first.status, first.work) == ("sat", first.work)
        assert (first.model, again.model) == ({"x": 5}, {"other": 5}) and asked == [50]
        # Another script, other limits, another solver: another question.
        assert pool.solve(EASY.replace("10", "11"), work=50).status == "unsat"
        for other in ({"work": 60}, {"work": 50, "memory_mb": 1000}):
            assert pool.solve(EASY, **other).status == "sat"
        assert pool.solve(EASY, work=50, solver="cvc5").solver == "cvc5"
        assert asked == [50, 50, 60, 50, 50]
        # What is not decided is asked again.
        assert {pool.solve(FERMAT, work=1).status for _ in range(2)} == {"unknown"}
        assert asked[5:] == [1, 1]
        with limits.budget(0), pytest.raises(limits.WorkLimit):
            pool.solve(EASY, work=50)
    with pytest.raises(SymcuteError, match="closed"):
        pool.solve(EASY, work=50)


def test_a_forked_process_does_not_share_workers(own: SolverPool) -> None:
    own.solve(EASY)
    (pid,) = own.workers()
    child = os.fork()
    if child == 0:
        own.solve(EASY)
        mine = own.workers()
        own.close()
        os._exit(0 if len(mine) == 1 and mine != (pid,) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert own.workers() == (pid,)
    assert own.solve(EASY).status == "sat"


PARENT = """
import sys, threading
from symcute.solve.solvers import SolverPool
pool = SolverPool()
pool.solve("(declare-const x Int)")
print(*pool.workers(), flush=True)
"""


def start_parent(rest: str) -> tuple[subprocess.Popen[str], int]:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT + rest],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        # A background job of a shell ignores Ctrl-C, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert parent.stdout is not None
    return parent, int(parent.stdout.readline())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_its_parent(number: signal.Signals) -> None:
    # One that is busy ends at the latest 3 s after its limit, also when nobody is left to kill it.
    busy = number == signal.SIGINT
    parent, pid = start_parent(
        f"pool.solve({FERMAT!r}, timeout=30)" if busy else "threading.Event().wait(30)"
    )
    assert not gone(pid)
    time.sleep(0.2)
    parent.send_signal(number)
    parent.wait(5)
    if parent.stdout is not None:
        parent.stdout.close()
    assert wait_until(lambda: gone(pid))


@pytest.mark.skipif(sys.platform != "linux", reason="a copy is a fork on Linux alone")
def test_no_child_at_work_outlives_its_parent() -> None:
    program = """
import os
from symcute.processes.children import Child
def busy(pipe):
    pipe.send(os.getpid())
    while True:
        pass
child = Child(busy, copy=True)
print(child.hear(20), flush=True)
child.hear(60)
"""
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert not gone(pid)
    parent.kill()
    parent.wait(5)
    parent.stdout.close()
    assert wait_until(lambda: gone(pid))


def test_an_orphan_that_hangs_ends_by_its_alarm(tmp_path: Path) -> None:
    program = """
import time
from symcute.solve.workers import serve
serve._ORPHAN_GRACE_S = 0.1
serve.serve("0.0", lambda smt2, work, timeout, memory_mb: time.sleep(60))
"""
    command = fake(tmp_path, program)
    orphan = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    request = {"id": 1, "smt2": "", "work": 1, "timeout": 0.1, "memory_mb": 64}
    assert orphan.stdin is not None
    orphan.stdin.write((json.dumps(request) + "\n").encode())
    orphan.stdin.flush()
    assert orphan.wait(5) == -signal.SIGALRM
    orphan.stdin.close()


def test_workers_import_their_solver_and_little_else() -> None:
    packages = {"sympy", "numpy", "rich", "click", "jinja2", "z3", "cvc5", "symcute.solve.solvers"}
    for solver in SOLVERS:
        code = f"import sys, symcute.solve.workers.{solver}_worker as w;"
        code += f"print(*({packages} & set(sys.modules)))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.stdout.split() == [solver]


def test_importing_the_package_imports_no_solver() -> None:
    code = "import sys, symcute.solve.solvers; print('z3' in sys.modules or 'cvc5' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "False"


def test_where_no_process_can_be_started_every_question_is_open(monkeypatch) -> None:
    """As in a browser: no process is tried, the reason says so, and polynomials still decide."""
    monkeypatch.setattr(serving, "PROCESSES", False)
    refused = lambda *_, **__: pytest.fail("a process was started")  # noqa: E731
    monkeypatch.setattr(subprocess, "Popen", refused)
    monkeypatch.setattr(multiprocessing, "get_context", refused)
    reason = "no solver here: a page in a browser starts no processes"
    for answer in (solve(ROW_MAJOR.format(bound="N")), portfolio(ROW_MAJOR.format(bound="N"))):
        assert (answer.status, answer.reason) == ("unknown", reason)
    verdict = prove("M*M != 2*N*N")
    assert verdict.status == "unknown" and verdict.reason.startswith(reason)
    assert prove("injective((M,N):(LD,1))", ["LD >= N"]).status == "proved"
    assert prove("injective((M,N):(LD,1))").status == "refuted"
    for start in (lambda: programs.Program(["true"]), lambda: children.Child(print)):
        with pytest.raises(programs.Failed, match="a page in a browser starts no processes"):
            start()
