"""Random claims put to symcute; every verdict is compared with what the text means.

One claim again: `python -m tests.soak.claims SEED/NUMBER`.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from symcute import recheck
from symcute.errors import SymcuteError
from symcute.prover import Verdict, prove

from .assumed import lower_bounds
from .box import box, meets
from .drawing import KINDS, NAMES, Drawer
from .evaluate import Senseless, Unclear
from .meanings import CLAIMS, truth
from .reading import Tree, Unreadable, names, read
from .tally import Tally

#: Instances looked at for a proof, for one that is left open, and for what its certificate says.
PROVED, OPEN, STATED = 40, 6, 6
#: What each solver may do for a question, in its own units.
WORK = 60
#: Proofs of a piece that are put to the command too.
RECHECKED = 40


def draw(seed: str) -> tuple[str, str, list[str]]:
    """Return a kind of claim, a claim, and assumptions; the same for the same seed."""
    rng = random.Random(seed)
    static = rng.random() < 0.6
    drawer = Drawer(rng, () if static else tuple(rng.sample(NAMES, rng.choice((1, 2, 2, 3)))))
    if drawer.names and rng.random() < 0.8:
        drawer.names = NAMES[: len(drawer.names)]
    given = drawer.facts()
    kind = rng.choice(KINDS)
    text = drawer.drawn(kind)
    return kind, text, given


def one(seed: str, tally: Tally) -> Any:
    """Draw a claim, have it decided, and compare; returns the certificate, where it is proved."""
    kind, text, given = draw(seed)
    tally.counts["claims"] += 1
    return compare(kind, text, given, tally, random.Random(f"box of {seed}"))


def compare(kind: str, text: str, given: list[str], tally: Tally, rng: random.Random) -> Any:
    """Have a claim decided, and compare the verdict with what the text means.

    Returns the certificate, where it is proved.
    """
    again = f"prove({text!r}, {given!r})"
    try:
        tree, facts = read(text), [read(t) for t in given]
    except Unreadable as error:
        tally.fault(f"UNREADABLE {error}", again)
        return None
    try:
        verdict = prove(text, given=given, work=WORK)
    except SymcuteError as error:
        tally.counts[f"{kind}: refused"] += 1
        tally.counts[f"refused: {type(error).__name__}"] += 1
        return None
    except Exception as error:
        tally.fault(f"CRASH {type(error).__name__}: {error}", again)
        return None
    status = "vacuous" if verdict.vacuous else verdict.status
    tally.counts[f"{kind}: {status}"] += 1
    look = _Look(tree, facts, verdict, tally, rng, again)
    if status == "refuted":
        look.refuted()
    elif status == "vacuous" and tree[0] in ("implies", "or"):
        look.at_instances(True, PROVED)  # perhaps the premises of the claim are never met
    elif status == "vacuous":
        if env := next(box(facts, [tree], rng, 1), None):
            tally.fault(f"WRONG vacuous at {env}", again)
    else:
        look.at_instances(status == "proved", PROVED if status == "proved" else OPEN)
        if status == "proved":
            look.certificate(verdict.certificate)
    if rng.random() < 0.01:
        other = prove(text, given=given, work=WORK)
        tally.counts["proved again"] += 1
        if (other.status, other.certificate) != (verdict.status, verdict.certificate):
            tally.fault(f"ANOTHER VERDICT {other.status} after {verdict.status}", again)
    return verdict.certificate


class _Look:
    """A verdict beside the meaning of the texts."""

    def __init__(
        self, tree: Tree, facts: list[Tree], verdict: Verdict, tally: Tally, rng: random.Random,
        again: str,
    ) -> None:  # fmt: skip
        self.tree, self.facts, self.verdict = tree, facts, verdict
        self.tally, self.rng, self.again = tally, rng, again

    def refuted(self) -> None:
        """The counterexample is one: it makes sense, meets the assumptions, and is false."""
        example = self.verdict.counterexample
        assert example is not None
        # The premises of the claim are among what is given.
        facts = self.facts
        if self.tree[0] in ("implies", "or"):
            facts = [read(t) for t in self.verdict.given]
        dims = set().union(*(names(t) for t in (self.tree, *facts)))
        fixed = {n: x for n, x in example.dims.items() if n in dims}
        env = next(box(facts, [self.tree], self.rng, 1, fixed), None)
        if env is None:
            low = lower_bounds(facts, dims)
            if fixed.keys() == dims or any(x < low[n] for n, x in fixed.items()):
                self.tally.fault(f"REFUTED at {fixed}, which is not assumed", self.again)
            else:
                self.tally.counts["counterexamples whose other dims were not found"] += 1
            return
        try:
            if truth(self.tree, env):
                self.tally.fault(f"WRONG refuted at {env}", self.again)
            else:
                self.tally.counts["counterexamples compared"] += 1
        except Senseless as error:
            self.tally.fault(f"REFUTED at {env}, which makes no sense: {error}", self.again)
        except Unclear:
            self.written(example.dims)

    def written(self, env: dict[str, int]) -> None:
        """Compare at the claim with its operations done, where the text has some."""
        try:
            if truth(read(self.verdict.claim.text()), env):
                self.tally.fault(f"WRONG refuted, as written, at {env}", self.again)
            else:
                self.tally.counts["counterexamples compared, as written"] += 1
        except Senseless as error:
            self.tally.fault(f"REFUTED at {env}, makes no sense, as written: {error}", self.again)
        except (Unclear, KeyError):
            self.tally.counts["counterexamples not compared"] += 1

    def at_instances(self, proved: bool, most: int) -> None:
        """What is proved makes sense and is true at every instance."""
        compared = failing = 0
        for env in box(self.facts, [self.tree], self.rng, most):
            try:
                true = truth(self.tree, env)
            except Unclear:
                continue
            except Senseless as error:
                if proved and not self._unmet(env):
                    self.tally.fault(f"PROVED, makes no sense at {env}: {error}", self.again)
                    return
                continue
            compared += 1
            if not true:
                failing += 1
                if proved:
                    how = self.verdict.how
                    self.tally.fault(f"WRONG proved [{how}] at {env}", self.again)
                    return
        self.tally.counts["instances compared"] += compared
        if proved and not compared:
            self.tally.counts["proved, no instance compared"] += 1
        if not proved and failing and not names(self.tree):
            self.tally.counts["open, yet false and without dims"] += 1

    def _unmet(self, env: dict[str, int]) -> bool:
        """Return whether a premise of the claim, which is as if it were given, is not met."""
        if self.tree[0] not in ("implies", "or"):
            return False
        facts = [read(t) for t in self.verdict.given]
        known = {n: x for n, x in env.items() if any(n in names(t) for t in facts)}
        return not meets(facts, known, lower_bounds(facts, known.keys()))

    def certificate(self, document: Any) -> None:
        """The checker accepts it, and what it states is what was asked."""
        result = recheck.check(json.dumps(document))
        if not result.accepted:
            how = self.verdict.how
            what = f"{result.status.upper()} [{how}] {result.reason}"
            self.tally.fault(what, self.again)
            return
        self.tally.counts["certificates of proofs accepted"] += 1
        self.tally.counts[f"certificates of proofs: {result.status}"] += 1
        for x in set(result.rests_on) - {"arithmetic"}:
            self.tally.counts[f"certificates of proofs rest on {x}"] += 1
        if self.tree[:2] == ("call", "prints_as"):
            return
        stated = read(document["claim"])
        facts = [read(t) for t in document["given"]]
        # What a witness takes for the text to have a value is said of all values of the variable.
        for env in box(self.facts, [self.tree, stated], self.rng, STATED):
            low = lower_bounds(facts, set(env))
            try:
                met = meets(facts, env, low)
                if not met and self.tree[0] in ("implies", "or"):
                    continue  # premises of the claim are among what is given
                if not met or not truth(stated, env):
                    self.tally.fault(f"STATES {result.statement}: other at {env}", self.again)
                    return
            except Senseless as error:
                self.tally.fault(f"STATES {result.statement}: {error} at {env}", self.again)
                return
            except Unclear:
                continue
            self.tally.counts["instances of what certificates state compared"] += 1


def rechecked(documents: list[Any], tally: Tally, again: str) -> None:
    """Put certificates to `symcute recheck`, which says of each what the checker says here."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "proofs.certificates.json"
        path.write_text(json.dumps(documents), encoding="utf-8")
        command = [sys.executable, "-m", "symcute", "recheck", "--json", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    expected = [recheck.check(json.dumps(d)).status for d in documents]
    found = [x["status"] for x in json.loads(done.stdout or '{"certificates": []}')["certificates"]]
    tally.counts["certificates put to symcute recheck"] += len(found)
    # The command puts those last that are not checked.
    if sorted(found) != sorted(expected) or done.returncode != int(set(expected) != {"checked"}):
        tally.fault(f"RECHECK {done.returncode} {Counter(found)} {done.stderr[-200:]}", again)


def run(seed: str, numbers: range, tally: Tally) -> None:
    """Draw claims by number, and put the first certificates to the command as well."""
    proofs: list[Any] = []
    for n in numbers:
        found = one(f"{seed}/{n}", tally)
        proofs += [found] if found is not None else []
    if proofs:
        rechecked(proofs[:RECHECKED], tally, f"the first proofs of {seed}, {numbers}")


def main() -> None:
    for seed in sys.argv[1:]:
        kind, text, given = draw(seed)
        print(kind, text, given, sep="\n")
        tally = Tally()
        one(seed, tally)
        print(*tally.faults, dict(tally.counts), sep="\n")


if __name__ == "__main__":
    assert set(KINDS) == {*CLAIMS, "exists", "formula", "joined"}
    main()
