"""Candidates for the corpus: read from the templates, and generated from families."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path

#: The values of the placeholders; a template is filled in once for each position.
VALUES = {
    "c": (3, 8),
    "t": (4, 128),
    "u": (8, 64),
    "b": (4096, 2**31),
}
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Candidate:
    """A claim with what its author says of it; `witness` are dims at which it fails."""

    family: str
    claim: str
    given: tuple[str, ...]
    holds: bool
    witness: dict[str, int] = field(default_factory=dict, hash=False)


def candidates(seed: int) -> list[Candidate]:
    """Return every candidate once, those of the templates first."""
    rng = random.Random(seed)  # noqa: S311
    found = [c for name in ("written.txt", "hard.txt") for c in read(HERE / name)]
    found += [c for family in (dense, padded, respelt, scattered) for c in family(rng)]
    return list({(c.claim, c.given): c for c in found}.values())


def read(path: Path) -> Iterator[Candidate]:
    """Yield the candidates of a file of templates. Errors: ValueError for a line it cannot read."""
    family = ""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("["):
            family = line.strip("[]")
        elif line[:2] in ("+ ", "- ") and family:
            for text in filled(line[2:]):
                yield candidate(family, text, line[0] == "+")
        elif line and not line.startswith("#"):
            raise ValueError(f"{path}:{number}: neither a section nor a claim: {line}")


def filled(text: str) -> list[str]:
    """Return the text with its placeholders filled in, once or a few times."""
    if not re.search(r"\{[a-z]\}", text):
        return [text]
    count = min(len(VALUES[x]) for x in re.findall(r"\{([a-z])\}", text))
    choices = [{name: str(v[k]) for name, v in VALUES.items()} for k in range(count)]
    return [re.sub(r"\{([a-z])\}", lambda m, c=c: c[m[1]], text) for c in choices]


def candidate(family: str, text: str, holds: bool) -> Candidate:
    """Return the candidate that `claim ; assumption ; ... @ M=3, N=4` says."""
    statement, _, at = text.partition(" @ ")
    claim, *given = (x.strip() for x in statement.split(" ; "))
    pairs = (x.split("=") for x in at.split(",") if x)
    return Candidate(
        family, claim, tuple(given), holds, {name.strip(): int(value) for name, value in pairs}
    )


def times(*factors: str) -> str:
    """Return a product in our grammar.

    >>> times("1", "M", "N + 1")
    'M*(N + 1)'
    """
    kept = [x if re.fullmatch(r"\w+", x) else f"({x})" for x in factors if x != "1"]
    return kept[0].strip("()") if len(kept) == 1 else "*".join(kept) or "1"


def layout(extents: list[str], strides: list[str]) -> str:
    """Return flat modes as a layout in our grammar."""
    if len(extents) == 1:
        return f"({extents[0]}):({strides[0]})"
    return f"({','.join(extents)}):({','.join(strides)})"


def strides_in(order: tuple[int, ...], extents: list[str]) -> list[str]:
    """Return the strides that make the extents dense, the mode order[0] innermost."""
    found, inner = [""] * len(extents), []
    for k in order:
        found[k] = times(*inner)
        inner.append(extents[k])
    return found


def dense(rng: random.Random) -> Iterator[Candidate]:
    """Row-major, column-major and every order between, for ranks 1 to 5."""
    family = "dense orders"
    for rank in range(1, 6):
        extents = ["M", "N", "K", "P", "Q"][:rank]
        every = list(permutations(range(rank)))
        for order in rng.sample(every, min(len(every), 5)):
            text = layout(extents, strides_in(order, extents))
            size = times(*extents)
            more = times(size, "R")
            true = [
                f"injective({text})",
                f"bijective({text})",
                f"in_bounds({text}, {size})",
                f"cosize({text}) == {size}",
                f"is_right_inverse(right_inverse({text}), {text})",
                f"is_left_inverse(left_inverse({text}), {text})",
                f"is_complement(complement({text}, {more}), {text}, {more})",
            ]
            for claim in rng.sample(true, 3):
                yield Candidate(family, claim, (), True)
            if rank == 1:
                continue
            # One factor of an outer stride is exchanged, left out, or one too small.
            inner = strides_in(order, extents)
            last, first = order[-1], order[0]
            wrong = rng.choice(
                [
                    [*order[:-2], order[-1]],
                    [*order[1:-1], order[-1]],
                    [*order[1:]],
                ]
            )
            inner[last] = times(*(extents[k] for k in wrong))
            broken = layout(extents, inner)
            yield Candidate(family, f"bijective({broken})", (), False)
            fewer = strides_in(order, extents)
            fewer[last] = f"{fewer[last]} - {extents[first]}" if rank > 2 else f"{fewer[last]} - 1"
            yield Candidate(family, f"injective({layout(extents, fewer)})", ("N >= 2",), False)


def padded(rng: random.Random) -> Iterator[Candidate]:
    """Chains of pitches, each at least what lies below it, for ranks 2 to 5 in any order."""
    family = "pitches"
    for rank in (2, 3, 3, 4, 4, 5):
        extents, pitches = ["B", "H", "M", "N", "K"][:rank], ["P", "Q", "R", "S"][: rank - 1]
        order = list(range(rank))
        rng.shuffle(order)
        strides, given, inner = [""] * rank, [], "1"
        for k, pitch in zip(order, [*pitches, ""], strict=True):
            strides[k] = inner
            if pitch:
                given.append(f"{pitch} >= {times(extents[k], inner)}")
            inner = pitch
        text, outer = layout(extents, strides), times(extents[order[-1]], strides[order[-1]])
        for claim in (
            f"injective({text})",
            f"in_bounds({text}, {outer})",
            f"cosize({text}) <= {outer}",
        ):
            yield Candidate(family, claim, tuple(given), True)
        n = rng.randrange(len(given))
        yield Candidate(family, f"injective({text})", (*given[:n], *given[n + 1 :]), False)
        weaker = [*given]
        weaker[n] = f"{weaker[n]} - {extents[order[n]]}"
        yield Candidate(family, f"injective({text})", tuple(weaker), False)


def respelt(rng: random.Random) -> Iterator[Candidate]:
    """One map written twice: modes merged, split, with modes of extent 1 put between."""
    family = "other spellings"
    for rank in (2, 2, 3, 3, 3, 4, 4):
        extents = ["M", "N", "K", "P"][:rank]
        strides = [rng.choice(("S", "T", "S*T", "2*S", "1"))]
        for k in range(1, rank):
            grows = rng.random() < 0.6
            strides.append(times(extents[k - 1], strides[-1]) if grows else rng.choice("RTU"))
        one, other = _respelling(rng, extents, strides)
        given = tuple(f"{x} % 4 == 0" for x in extents if f"{x}/4" in one)
        yield Candidate(family, f"equal({layout(extents, strides)}, {other})", given, True)
        claim = f"equal(coalesce({layout(extents, strides)}), {other})"
        yield Candidate(family, claim, given, True)
        wrong = [*strides[:-1], f"{strides[-1]} + 1"]
        yield Candidate(family, f"equal({layout(extents, wrong)}, {other})", given, False)


def _respelling(
    rng: random.Random, extents: list[str], strides: list[str]
) -> tuple[list[str], str]:
    shape: list[str] = []
    stride: list[str] = []
    for s, d in zip(extents, strides, strict=True):
        draw = rng.random()
        if draw < 0.35:
            shape += ["4", f"{s}/4"]
            stride += [d, times("4", d)]
        elif draw < 0.6:
            shape += [s, "1"]
            stride += [d, rng.choice(("0", "U", "7"))]
        elif shape and stride[-1] != "0" and times(shape[-1], stride[-1]) == d:
            shape[-1] = times(shape[-1], s)
        else:
            shape.append(s)
            stride.append(d)
    return shape, layout(shape, stride)


def scattered(rng: random.Random) -> Iterator[Candidate]:
    """Tiles of tiles: extents split at random, dense in a random order, then claimed."""
    family = "tiles of tiles"
    for splits in (1, 1, 2, 2, 2, 3, 3):
        extents, given = [], []
        for name in ("M", "N", "K")[: rng.choice((1, 2, 2, 3))]:
            inner = rng.sample((2, 3, 4, 8), min(splits, 2))
            step = 1
            for t in inner:
                extents.append(str(t))
                step *= t
            extents.append(f"{name}/{step}")
            given.append(f"{name} % {step} == 0")
        order = list(range(len(extents)))
        rng.shuffle(order)
        strides = strides_in(tuple(order), extents)
        text, size = layout(extents, strides), times(*extents)
        yield Candidate(family, f"bijective({text})", tuple(given), True)
        yield Candidate(family, f"injective({text})", tuple(given), True)
        yield Candidate(family, f"in_bounds({text}, {size})", tuple(given), True)
        yield Candidate(family, f"in_bounds({text}, {size} - 1)", tuple(given), False)
        if len(extents) > 2:
            a, b = rng.sample(range(1, len(extents)), 2)
            strides[order[a]], strides[order[b]] = strides[order[b]], strides[order[a]]
            yield Candidate(family, f"bijective({layout(extents, strides)})", tuple(given), False)
