"""The smallest padding for which claims are proved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from symcute.claims import BankConflict, Claim
from symcute.claims.language import evaluate, read_claim
from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions, Given, dims
from symcute.expr.formula import eq
from symcute.hardware.access import Access
from symcute.prover import Verdict
from symcute.synthesis.proving import Least, NoInstance, NotFound, as_list, proved

__all__ = ["Padding", "find_padding", "search_padding"]

#: The largest padding looked at, unless another is given: all banks hold 128 bytes in a row.
MOST = 128


@dataclass(frozen=True)
class Padding(Least):
    """A padding, the proofs of all claims with it, and what became of each smaller one.

    `smaller` has the verdict of a claim that is not proved there.
    """

    name: str
    value: int
    proofs: tuple[Verdict, ...]
    smaller: tuple[tuple[int, Verdict], ...]

    @property
    def tried(self) -> list[tuple[str, Verdict]]:
        """The smaller paddings as equations, with their verdicts."""
        return [(f"{self.name} = {value}", verdict) for value, verdict in self.smaller]

    def __str__(self) -> str:
        """Return the padding as an equation."""
        return f"{self.name} = {self.value}"

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "padding": {self.name: self.value},
            "minimal": self.minimal,
            "proofs": [v.to_json() for v in self.proofs],
            "smaller": _shown(self.smaller),
        }


def _shown(smaller: Iterable[tuple[int, Verdict]]) -> list[dict[str, Any]]:
    return [{"padding": k, "verdict": v.to_json()} for k, v in smaller]


def find_padding(
    claims: Claim | Access | str | Iterable[Claim | Access | str],
    name: str,
    given: Given = (),
    *,
    step: int = 1,
    most: int = MOST,
    timeout: float = 60.0,
) -> Padding | None:
    """Return the least value of the dim `name` for which all claims are proved; None up to `most`.

    An access stands for the claim that it is free of bank conflicts.
    The values are 0, `step`, 2*step and so on, and are assumed in turn: the claims are proved for
    all values of the other dims. Values that `given` leaves out are passed over. For each smaller
    value a claim that is not proved there is kept, refuted where the search found a counterexample.
    Errors: InputError when no claim speaks of the dim, a claim makes no sense, `given` leaves out
    every value, or step or most are below 1 or 0.

    >>> found = find_padding(["access((32,C):(1,32+P), 32)", "access((32,R):(32+P,1), 32)"], "P")
    >>> found.value, found.minimal, len(found.smaller)
    (1, True, 1)
    >>> print(found.smaller[0][1])
    REFUTED bank_conflict(access((32,R):(P+32,1), 32), 1): P=0, R=1: in request (0) of ...
    """
    found = search_padding(claims, name, given, step=step, most=most, timeout=timeout)
    return found if isinstance(found, Padding) else None


def search_padding(
    claims: Claim | Access | str | Iterable[Claim | Access | str],
    name: str,
    given: Given = (),
    *,
    step: int = 1,
    most: int = MOST,
    timeout: float = 60.0,
) -> Padding | NotFound:
    """Do what `find_padding` does, and say of what is not found what was tried."""
    several = as_list(claims, (Claim, Access, str))
    base = Assumptions.of(given)
    if type(step) is not int or step < 1 or type(most) is not int or most < 0:
        raise InputError(
            f"paddings 0, {step}, ... up to {most}", "step is at least 1, most at least 0"
        )
    anything = Assumptions.of([*base.formulas, f"{name} >= 0"])
    read = [_read(x, anything) for x in several]
    if not any(name in claim.dims() for claim in read):
        shown = f"{', '.join(map(str, read))} does not speak of {name}" if read else "no claim"
        raise InputError(shown, f"write a stride such as 32+{name}")
    smaller: list[tuple[int, Verdict]] = []
    met = False
    for value in range(0, most + 1, step):
        here = Assumptions.of([*base.formulas, eq(dims(name), value)])
        try:
            proofs = proved(read, here, timeout)
        except NoInstance:  # this value is left out
            continue
        met = True
        if isinstance(proofs, Verdict):
            smaller.append((value, proofs))
        else:
            return Padding(name, value, proofs, tuple(smaller))
    if not met:
        raise InputError(
            f"no {name} up to {most} meets the assumptions", "leave one out, or look further (most)"
        )
    tried = [(f"{name} = {value}", verdict) for value, verdict in smaller]
    return NotFound(tried, {"smaller": _shown(smaller)})


def _read(item: Claim | Access | str, given: Assumptions) -> Claim:
    value = evaluate(item, given) if isinstance(item, str) else item
    if isinstance(value, Access):
        return BankConflict(value, 1)
    if isinstance(item, str):
        return read_claim(item, given)
    if not isinstance(item, Claim):
        raise InputError(f"{item!r} is no claim", "give claims or accesses")
    return item
