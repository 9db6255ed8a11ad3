"""bank_conflicts and sectors: what one request of a warp costs at most, for every access.

A request is what the lanes of a warp do at one access in the same rounds of the loops around it.
`bank_conflicts` counts, for shared memory, the wavefronts of a request beyond the least for its
width, which are 1 for up to 4 bytes a lane, 2 for 8 and 4 for 16: no conflict is 0. `sectors`
counts, for global memory, the sectors of 32 bytes that a request touches.

The cost is bounded for all 32 lanes. Lanes that a guard switches off only lower it: each group of
lanes that memory serves together then needs no more words of any bank, and where a load's groups
are served in pairs, the pair needs no more than both did. So a guard may be left out; where it
speaks of nothing but what is enumerated, it is heeded.

Two roads lead to a bound. Where what the addresses hang on is bounded, modulo the bytes of all
banks or of a sector, every point is evaluated by the model of `hardware/memory.py`. Otherwise the
offsets are polynomials in what the lanes share, and a claim about requests is proved by residues.

Source: as `hardware/memory.py`; the claims are those of `claims/requests.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from symcute.errors import InputError
from symcute.expr.node import Term
from symcute.expr.ranges import Names
from symcute.expr.terms import evaluate, names
from symcute.hardware import memory
from symcute.hardware.architecture import Architecture, architecture
from symcute.kernel.access_map import Access
from symcute.kernel.properties.affine import Unbounded
from symcute.kernel.properties.bounds import subject
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.offsets import Lanes
from symcute.kernel.properties.question import Question
from symcute.kernel.properties.transactions import COUNTED, Serving
from symcute.kernel.properties.warps import Warp, at_lanes, warps
from symcute.solve.obligation import Answer

__all__ = ["COUNTED", "bank_conflicts", "limited", "sectors"]

#: What every bound rests on besides arithmetic.
ROUNDS = "lanes access together in the same rounds of loops"


def bank_conflicts(context: Context, every: bool = True) -> Iterator[Question]:
    """Yield, for each access of shared memory, how many wavefronts it needs beyond the least.

    With a limit of its array, whether they are at most that; without `every`, only those.
    """
    return _questions(context, "bank_conflicts", every)


def sectors(context: Context, every: bool = True) -> Iterator[Question]:
    """Yield, for each access of global memory, how many sectors a request touches.

    With a limit of its array, whether they are at most that; without `every`, only those.
    """
    return _questions(context, "sectors", every)


def limited(context: Context) -> set[str]:
    """Return the properties of which some array has a limit."""
    spaces = {context.arrays[a].space for a in context.setting.limits if a in context.arrays}
    return {name for name, space in COUNTED.items() if space in spaces}


def _questions(
    context: Context, name: Literal["bank_conflicts", "sectors"], every: bool
) -> Iterator[Question]:
    for access in context.map.accesses:
        limit = context.setting.limits.get(access.array)
        if context.arrays[access.array].space != COUNTED[name] or (limit is None and not every):
            continue
        asked = _Asked(context, access, name, limit)
        rests = [f"the memory of {context.setting.architecture} as modelled"]
        rests += [ROUNDS] * any(v.kind in ("round", "havoc") for v in access.variables)
        why = context.alignment_of(context.arrays[access.array])[1]
        yield Question(
            name,
            access.place,
            subject(access),
            f"costs at most {_amount(name, limit)} a request" if limit is not None else "",
            asked.quick,
            asked.patient,
            needs=access.needs,
            unsupported=context.unsupported(access.array, width=True),
            rests_on=(*rests, why) if why else tuple(rests),
            accesses=(access,),
        )


def _amount(name: str, count: int) -> str:
    """Return a number in words."""
    one, many = {
        "bank_conflicts": ("bank conflict", "bank conflicts"),
        "sectors": ("sector", "sectors"),
    }[name]
    return f"{count} {one if count == 1 else many}"


class _Asked:
    """What one access costs."""

    def __init__(self, context: Context, access: Access, name: str, limit: int | None) -> None:
        self.context, self.access, self.name, self.limit = context, access, name, limit
        self._open: list[Lanes] = []

    @property
    def _arch(self) -> Architecture:
        return architecture(self.context.setting.architecture)

    def quick(self) -> Answer:
        """Return the smallest bound that is found, or why there is none."""
        try:
            refusal = self._refusal()
            if refusal:
                return Answer("open", reason=refusal)
            answer = self._bounded([self._lanes(w) for w in warps(self.context)])
        except Unbounded as error:
            return Answer("open", reason=str(error))
        except InputError as error:
            return Answer("open", reason=f"{error.what}; {error.fix}")
        return answer

    def patient(self) -> Answer:
        """Return sizes at which a limit is perhaps exceeded, for an execution to say."""
        answer = self.quick()
        for lanes in self._open:
            for values in lanes.suspects(self.limit or 0):
                model = {n: values.get(n, 1) for n in self.context.dims}
                try:
                    met = all(evaluate(f, model) for f in self.context.map.facts)
                except InputError:
                    met = False
                if met:
                    return Answer("refuted", model=model, reason=answer.reason)
        return answer

    def _refusal(self) -> str:
        """Return why nothing is said of the access, or nothing."""
        access, arch = self.access, self._arch
        shared = self.name == "bank_conflicts"
        widest = arch.largest_shared_access if shared else arch.largest_global_access
        if access.kind == "atomic":
            return "what atomics cost is not modelled"
        if access.width & (access.width - 1) or access.width > widest:
            return f"an access of {access.width} bytes is no single access of {arch}"
        own = names(access.offset) - self._shared
        if own:
            what = next((v.reason or v.kind for v in access.variables if v.name in own), min(own))
            return f"the lanes' addresses hang on what each has of its own: {what}"
        start, _ = self.context.alignment_of(self.context.arrays[access.array])
        if start % access.width:
            return (
                f"the start of {access.array} is only known to be a multiple of {start} bytes; "
                f"write {self.context.map.target.note} align {access.array} = {access.width}"
            )
        return ""

    @property
    def _shared(self) -> frozenset[str]:
        """The names that are the same for all lanes, but for the coordinates of threads."""
        alike = (v for v in self.access.variables if v.uniform or v.kind in ("block", "thread"))
        return self.context.dims | {v.name for v in alike}

    def _lanes(self, warp: Warp) -> Lanes:
        access, here = self.access, self.context.at(self.access.guard)
        start, _ = self.context.alignment_of(self.context.arrays[access.array])
        guards: list[list[Term]] = [[] for _ in warp.lanes]
        for g in here.hypotheses:
            if not names(g) <= self._shared:
                continue  # what is each lane's own does not switch off others
            for kept, at in zip(guards, at_lanes(g, warp), strict=True):
                kept.append(at)
        return Lanes(
            at_lanes(access.offset, warp),
            guards,
            Names({**here.ranges, **warp.ranges}),
            Serving(self.name, access.width, start, self._arch, access.kind == "write"),
            self.context.setting.given,
            self.context.dims,
        )

    def _bounded(self, every: list[Lanes]) -> Answer:
        """Return a bound for all warps."""
        most = 0
        hows: dict[str, None] = {}
        rests: dict[str, None] = {"arithmetic": None}
        for lanes in every:
            found = lanes.bound(most)
            if found.most > (self.limit if self.limit is not None else found.most):
                self._open.append(lanes)
            most = max(most, found.most)
            hows[found.how] = None
            rests.update(dict.fromkeys(found.rests_on))
        document = found.document if len(every) == 1 else None
        text = self._words(most)
        if self.limit is not None and most > self.limit:
            reason = f"{text} is shown, where {self.limit} is the limit"
            return Answer("open", reason=reason)
        return Answer("proved", " and ".join(hows), tuple(rests), document=document, said=text)

    def _words(self, most: int) -> str:
        """Return a bound in words."""
        text = f"at most {_amount(self.name, most)} a request"
        if self.name == "sectors":
            return text
        least = len(memory.phases(self.access.width))
        count = f"{most + least} wavefront{'s' * (most + least > 1)}"
        if most == 0:
            return f"no bank conflicts, at most {count} a request"
        return f"{text}, {count} where {least} would do"
