"""Decide the corpus with symcute, and beside it with Z3 and cvc5 alone, in one run.

    python -m benchmarks.prover                    # symcute alone, a minute
    python -m benchmarks.prover --peers 4000       # the solvers get so much work for each claim
    python -m benchmarks.prover --corpus arithmetic --peers 4000
    python -m benchmarks.prover --corpus arithmetic --beside THEN.json   # what others said then

A claim, read before, goes to a verdict with certificate; what the program remembers of earlier
claims is forgotten first. Beside it stands the time from the claim's text. The solvers get the
whole query of the claim (`claim.smt(given)`), with a limit of work that they count themselves:
1,000 are about a second. The time they are counted is that of the query alone. A verdict is wrong
when it contradicts the corpus, or when loops over the counterexample find nothing amiss.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from symcute import recheck
from symcute.claims.language import read_claim
from symcute.errors import SymcuteError
from symcute.expr.assumptions import Assumptions
from symcute.prover import prove
from symcute.solve.solvers import SolverPool, available
from tests.laws import oracle
from tests.laws.instances import meets
from tests.laws.texts import false_at

from .corpus import ARITHMETIC, CORPUS

#: The corpora, by name.
CORPORA = {"layouts": CORPUS, "arithmetic": ARITHMETIC}

#: A claim decided faster than this, in seconds, may be timed a few times; the median counts.
FAST = 0.2
SOLVERS = ("z3", "cvc5")


@dataclass
class Row:
    """What became of one claim."""

    family: str
    claim: str
    given: list[str]
    holds: bool
    status: str
    seconds: float
    cpu: float  # of this process alone; what others on the machine do does not count
    text: float = 0.0  # from the text of the claim and the assumptions
    how: str = ""
    reason: str = ""
    wrong: str = ""
    rests_on: list[str] = field(default_factory=list)
    rejected: str = ""  # what the checker has against the proof
    peers: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def decided(self) -> bool:
        """Return whether there is a verdict, and it is right."""
        return self.status in ("proved", "refuted") and not self.wrong

    @property
    def by_solver(self) -> bool:
        """Return whether the proof rests on the bare answer of a solver."""
        return any(set(SOLVERS) & set(x.split()) for x in self.rests_on)


def load(
    every: int = 1, family: str = "", start: int = 0, corpus: str = "layouts"
) -> list[dict[str, Any]]:
    """Return every n-th record of a corpus in the families with this in their name."""
    records = [json.loads(line) for line in CORPORA[corpus].read_text().splitlines()]
    return [r for r in records if family in r["family"]][start::every]


def forget() -> None:
    """Empty the caches of symcute that grow with what it has been asked."""
    for f in _memories():
        f()


@cache
def _memories() -> tuple[Callable[[], None], ...]:
    found = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("symcute"):
            for f in vars(module).values():
                parameters = getattr(f, "cache_parameters", None)
                # One without a limit holds what is made once, such as the tables of the parser.
                if callable(parameters) and parameters()["maxsize"] is not None:
                    found[id(f)] = f.cache_clear
    return tuple(found.values())


def decide(record: dict[str, Any], timeout: float, repeats: int = 1) -> Row:
    """Return what symcute says of a claim, and how long that took."""
    text, given = record["claim"], record["given"]
    times: list[float] = []
    busy: list[float] = []
    verdict: Any = None
    failure = ""
    gc.collect()
    read: list[float] = []
    while not times or (len(times) < repeats and times[0] < FAST):
        forget()
        gc.disable()
        begin = time.perf_counter()
        try:
            assumptions: Any = given
            claim: Any = text
            if record["family"] not in _arithmetic():  # some of those are claims as text alone
                assumptions = Assumptions.of(given)
                claim = read_claim(text, given=assumptions)
            reading = time.perf_counter() - begin
            forget()
            begin, started = time.perf_counter(), time.process_time()
            verdict = prove(claim, given=assumptions, timeout=timeout)
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
            break
        finally:
            times.append(time.perf_counter() - begin)
            gc.enable()
        busy.append(time.process_time() - started)
        read.append(reading)
    seconds = median(times)
    shown = {key: record[key] for key in ("family", "claim", "given", "holds")}
    if verdict is None:
        return Row(**shown, status="crash", seconds=seconds, cpu=0.0, reason=failure)
    row = Row(
        **shown,
        status=verdict.status,
        seconds=seconds,
        cpu=median(busy),
        text=seconds + median(read),
        how=verdict.how,
        reason=verdict.reason,
        rests_on=list(verdict.rests_on),
        wrong=contradiction(record, verdict),
    )
    if verdict.status == "proved":
        row.rejected = checked(verdict.certificate)
    return row


def contradiction(record: dict[str, Any], verdict: Any) -> str:
    """Return how a verdict contradicts the corpus or its own counterexample, or nothing."""
    if verdict.vacuous:
        return "vacuous, but the assumptions have instances"
    if verdict.status == "proved":
        return "" if record["holds"] else f"proved, but false at {record['witness']}"
    if verdict.status == "unknown":
        return ""
    if record["holds"]:
        return f"refuted, but true: {verdict.counterexample}"
    env = dict(verdict.counterexample.dims)
    if record["family"] in _arithmetic():
        return (
            "" if false_at(record, env) else f"refuted at {env}, where it is true, or not assumed"
        )
    given = list(Assumptions.of(record["given"]).formulas)
    try:
        claim = read_claim(record["claim"], given=record["given"])
        if meets(given, env) and not oracle.holds(claim, env):
            return ""
    except oracle.TooLarge:
        return ""
    except KeyError as error:
        return f"refuted without a value for {error}"
    return f"refuted at {env}, where it is true or not assumed"


@cache
def _arithmetic() -> set[str]:
    return {r["family"] for r in load(corpus="arithmetic")}


def checked(certificate: dict[str, Any]) -> str:
    """Return what the checker has against a certificate, handed to it as a file would hold it."""
    result = recheck.check(json.dumps(certificate))
    return "" if result.accepted else result.reason


def ask_peers(record: dict[str, Any], pool: SolverPool, work: int) -> dict[str, Any]:
    """Return, for each solver, its verdict on the whole query of a claim, and its seconds."""
    try:
        claim = read_claim(record["claim"], given=record["given"])
        scripts = [x.strip() for x in claim.smt(record["given"]).split("(check-sat)") if x.strip()]
    except SymcuteError:
        scripts = ["without a query"]
    found = {}
    for solver in SOLVERS:
        if not available(solver):
            continue
        status, seconds = "proved", 0.0
        for script in scripts:
            if "without a query" in script:
                status = "unknown"  # a part that no query says; the next one follows in the text
            if "(assert" not in script:
                continue
            answer = pool.solve(script, work=work, solver=solver)
            seconds += answer.seconds
            if answer.status == "sat":
                status = "refuted"
                break
            if answer.status == "unknown":
                status = "unknown"
        right = status == ("proved" if record["holds"] else "refuted")
        found[solver] = {"status": status, "seconds": seconds, "right": right}
    return found


def beside(then: Iterable[dict[str, Any]], rows: Iterable[Row]) -> None:
    """Put the answers of others in an earlier run beside rows; of a run without any, its own.

    That is one of another engine, called `before`: what it could not read is not decided.
    """
    known = {(r["claim"], *r["given"]): r for r in then}
    for row in rows:
        r = known.get((row.claim, *row.given))
        if r is not None:
            right = r["status"] == ("proved" if row.holds else "refuted")
            status = r["status"] if r["status"] in ("proved", "refuted") else "unknown"
            own = {"before": {"status": status, "seconds": r["seconds"], "right": right}}
            row.peers |= r["peers"] or own


def late(seconds: Iterable[float]) -> float:
    """Return the 95th percentile."""
    values = list(seconds)
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def summary(rows: list[Row]) -> dict[str, Any]:
    """Return the numbers of a set of claims."""
    proofs = [r for r in rows if r.status == "proved"]
    found: dict[str, Any] = {
        "claims": len(rows),
        "true": sum(r.holds for r in rows),
        "decided": sum(r.decided for r in rows),
        "wrong": sum(bool(r.wrong) for r in rows),
        "median": median(r.seconds for r in rows),
        "p95": late(r.seconds for r in rows),
        "text": median(r.text for r in rows),
        "cpu": median(r.cpu for r in rows),
        "cpu p95": late(r.cpu for r in rows),
        "proofs": len(proofs),
        "accepted": sum(not r.rejected for r in proofs),
        "by solver": sum(r.by_solver for r in proofs),
    }
    for solver in sorted(set().union(*(r.peers for r in rows)), reverse=True):
        answers = [r.peers[solver] for r in rows if solver in r.peers]
        if answers:
            found[solver] = {
                "decided": sum(a["right"] for a in answers),
                "wrong": sum(a["status"] != "unknown" and not a["right"] for a in answers),
                "median": median(a["seconds"] for a in answers),
                "p95": late(a["seconds"] for a in answers),
            }
    return found


def machine() -> dict[str, str]:
    """Return what the numbers were measured on."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [x for x in info.read_text().splitlines() if x.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return {
        "machine": f"{os.cpu_count()} cores, {model}, {platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "load": " ".join(f"{x:.1f}" for x in os.getloadavg()),
        **{name: metadata.version(name) for name in ("sympy", "z3-solver", "cvc5")},
    }


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds.

    >>> milliseconds(0.00123)
    '1.23'
    """
    return f"{seconds * 1e3:.2f}" if seconds < 1 else f"{seconds * 1e3:.0f}"


def percent(part: int, whole: int) -> str:
    """Return a share in percent."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def markdown(rows: list[Row], about: dict[str, str]) -> str:
    """Return the report."""
    families = sorted({r.family for r in rows})
    whole = summary(rows)
    peers = [s for s in (*SOLVERS, "before") if s in whole]
    head = ["family", "claims", "decided", "wrong", "median ms", "95 % ms", "from text ms"]
    head += ["CPU median ms", "CPU 95 % ms", "accepted", "by solver"]
    head += [f"{s} {x}" for s in peers for x in ("decided", "wrong", "median ms")]
    lines = [f"| {' | '.join(head)} |", "|---" + "|---:" * (len(head) - 1) + "|"]
    for name in [*families, "**all**"]:
        n = summary(rows if name == "**all**" else [r for r in rows if r.family == name])
        cells = [
            name,
            str(n["claims"]),
            percent(n["decided"], n["claims"]),
            str(n["wrong"]),
            milliseconds(n["median"]),
            milliseconds(n["p95"]),
            milliseconds(n["text"]),
            milliseconds(n["cpu"]),
            milliseconds(n["cpu p95"]),
            percent(n["accepted"], n["proofs"]),
            percent(n["by solver"], n["proofs"]),
        ]
        for s in peers:
            cells += [
                percent(n[s]["decided"], n["claims"]),
                str(n[s]["wrong"]),
                milliseconds(n[s]["median"]),
            ]
        lines.append(f"| {' | '.join(cells)} |")
    told = "\n".join(f"- {key}: {value}" for key, value in about.items())
    open_rows = [r for r in rows if not r.decided]
    listed = "\n".join(
        f"- `{r.claim}` given `{'; '.join(r.given)}` ({'true' if r.holds else 'false'}): "
        f"{r.status}, {r.wrong or r.reason}"
        for r in open_rows
    )
    tail = f"\n## Not decided, or wrong\n\n{listed}\n" if open_rows else ""
    table = "\n".join(lines)
    return f"# Symbolic claims\n\n{told}\n\n{table}\n{tail}"


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", type=int, default=1, help="take every n-th claim")
    parser.add_argument("--only", default="", help="only families with this in their name")
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds for symcute's solvers")
    parser.add_argument("--repeats", type=int, default=3, help="timings of a claim that is fast")
    parser.add_argument("--peers", type=int, default=0, help="work of Z3 and of cvc5 alone")
    parser.add_argument("--beside", type=Path, nargs="*", default=[], help="earlier runs, as JSON")
    parser.add_argument("--corpus", choices=list(CORPORA), default="layouts")
    parser.add_argument("--out", type=Path, default=Path("reports/bench"), help="folder to write")
    options = parser.parse_args()
    records = load(options.every, options.only, corpus=options.corpus)
    if not records:
        parser.error(f"no claim in a family with {options.only!r} in its name")
    decide({**records[0], "claim": "injective((M,N):(N,1))", "given": []}, 1.0)  # imports SymPy
    with SolverPool() as pool:
        rows = []
        for record in records:
            row = decide(record, options.timeout, options.repeats)
            if options.peers:
                row.peers = ask_peers(record, pool, options.peers)
            rows.append(row)
            if not row.decided or row.rejected:
                why = row.wrong or row.reason or row.rejected
                shown = "; ".join(row.given)
                print(f"{row.status} {row.claim} given {shown}: {why}", flush=True)
    for path in options.beside:
        beside(json.loads(path.read_text())["claims"], rows)
    about = machine()
    if options.peers:
        about["work limit of the solvers alone"] = str(options.peers)
    options.out.mkdir(parents=True, exist_ok=True)
    data = {"about": about, "all": summary(rows), "claims": [asdict(r) for r in rows]}
    name = "prover" if options.corpus == "layouts" else options.corpus
    (options.out / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n")
    text = markdown(rows, about)
    (options.out / f"{name}.md").write_text(text)
    print(text)
    sys.exit(1 if any(r.wrong for r in rows) else 0)


if __name__ == "__main__":
    main()
