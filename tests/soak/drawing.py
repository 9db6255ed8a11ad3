"""Random claims and assumptions as text: one method for each kind of claim."""

from __future__ import annotations

import random
import re

from tests.laws.generate import Generator, times

#: Dims, some of them called like what the grammar or Python knows.
NAMES = (
    "M",
    "N",
    "K",
    "P",
    "LD",
    "size",
    "rank",
    "o",
    "E",
    "S",
    "pi",
    "Mod",
    "x0",
    "_a",
    "lambda_",
)
_LEAF = re.compile(r"\b[A-Z]\w?\b(?![(<])|\b\d+\b")
#: Ways to write a leaf X that mean X where they mean anything, and not everywhere they do.
SAME = (
    "{c}*({x}/{c})", "({x}*{y})/{y}", "({x} + {y} - {y})", "({x} + 0*({y}//({z}-1)))",
    "({x} % {c} + {c}*({x}//{c}))", "min({x},{x})", "max({x},{x})",
    "(max({x},{y}) + min({x},{y}) - {y})", "(-(-{x}))", "({x}**1)", "({x}**2/{x})",
    "ceil_div({x},1)", "(({x} << 2) >> 2)", "({x} + 2**70 - 2**70)", "({x}*{y}**0)",
    "({x} - 0*({y}/{z}))", "({x} + mod({y},1))", "({x}*({y}-{z})/({y}-{z}))",
    "({x}//{y} + {x} - {x}//{y})", "(({x}*{c})/{c})", "(({x}*{c})//{c})",
    "floor_div({c}*{x} + 1, {c})", "ceil_div({c}*{x} - 1, {c})", "({x} + ({y} % {z})*0)",
)  # fmt: skip
#: Ways to write a leaf near X, with quotients, remainders and signs of all kinds.
NEAR = (
    "({x} + {y}//-{c})", "({x} - {y} % -{c})", "({x} % -{c})", "(-{x} // {c})", "(-{x} % {c})",
    "({x} + mod(-{y}, {c}))", "ceil_div(-{x}, {c})", "ceil_div({x}, -{c})", "({x}/{c})",
    "({x}/{y})", "({x}//({y}-1) + 1)", "({x} % {y} + 1)", "min({x}, {y})", "max({x}, {y} - {c})",
    "min(-{x}, {c})", "max({x} - {y}, 1)", "(({x} + {c} - 1)//{c})", "({x}**2)", "({x} >> 1)",
    "({x} << 1)", "min({x}//{c}, ({x} + 1)//{c})", "({x}//{c}//2)", "({x}//{y}//{c} + 1)",
    "({x} % {c} % 2 + 1)",
)  # fmt: skip
GIVEN = (
    "{x}/{c}*{c} == {x}", "{c} | {x}", "{x} % -{c} == 0", "{x} >= 0", "{x} > -3", "{x} >= -{c}",
    "0 <= {x} < {y}", "{x} >= {y} or {y} >= {z}", "not ({x} < {y})", "{x} % {c} == 1",
    "{x}//{y} == {c}", "{y} == 1 implies {x} == {c}", "min({x},{y}) >= {c}",
    "({y}-1)*{x}/({y}-1) >= 1", "{x} == {c}*{y}", "{x} % {y} == 0", "{x}*{y} <= {c}*{c}",
    "{c} <= {x} <= 2*{c}", "{x} == {y}", "{x} != {y}", "{x} % {c} != 0",
    "{x} == {y} + 1 and {y} % 2 == 0", "{x} <= {c}", "{x} == ceil_div({y},{c})", "{x} >= {y}*{c}",
    "{x}/{y} >= 1", "{y} | {x}", "max({x},{y}) <= {c} + 4", "{x} + {y} == 2*{c}",
    "{x} < {y} implies {x} % {c} == 0", "{c} | min({x},{y})", "{x} >= {c}", "{c} == {x}",
    "{x} == 0", "{x} + 1 >= {c}", "{x} % 2 == {y} % 2", "{x}//{c} == {x}/{c}", "({x}%{c}) == 0",
    "{x} >= 2**40", "not ({x} % {c} == 0)", "{x} <= -1", "-{c} <= {x} <= {c}",
    "{x} == {c} or {x} == 2*{c}",
)  # fmt: skip

#: How claims and relations are joined.
JOINED = (
    "{x} and {y}", "{x} or {y}", "not {x}", "{x} implies {y}", "{x} or not {x}", "{x} implies {x}",
    "not ({x} and {y})", "not ({x} or {y})", "({x} and {y}) or {z}", "({x} or {y}) and {z}",
    "{r} implies {x}", "{x} implies {r}", "{x} or {r}", "{r} or {x}", "{x} and {r}",
    "not ({r} and {x})", "not ({r} or {x})", "{r} implies {x} or {y}", "{x} and {y} implies {z}",
    "{x} and {r} implies {y}", "not ({x} implies {y})", "{x} and not {x}", "not not {x}",
    "({x} or {y}) and ({z} or not {y})", "{r} implies ({x} implies {y})", "not {x} or {y}",
    "not {r} or not {x}", "({r} implies {x}) and (not {r} implies {x})", "not {x} and not {y}",
)  # fmt: skip


class Drawer(Generator):
    """Draws claims; `names` is empty for claims about numbers alone."""

    rng: random.Random

    def respell(self, text: str, most: int = 2) -> str:
        """Write a few leaves of a text in another way."""
        for _ in range(self.rng.randint(1, most)):
            found = [m for m in _LEAF.finditer(text) if not _in_swizzle(text, m.start())]
            if not found:
                break
            m = self.rng.choice(found)
            form = self.rng.choice(SAME if self.chance(0.6) else NEAR)
            others = self.names or ("2", "3", "7", "1")
            new = form.format(
                x=m[0], y=self.rng.choice(others), z=self.rng.choice(others),
                c=self.pick("2", "3", "4", "5", "8"),
            )  # fmt: skip
            text = f"{text[: m.start()]}{new}{text[m.end() :]}"
        return text

    def facts(self) -> list[str]:
        """Return assumptions."""
        if not self.names:
            return []
        found = self.assumptions()
        if self.chance(0.35):
            x, y, z = (self.dim() for _ in range(3))
            c = self.pick("2", "3", "4", "6")
            found.append(self.rng.choice(GIVEN).format(x=x, y=y, z=z, c=c))
        if found and self.chance(0.08):
            k = self.rng.randrange(len(found))
            found[k] = self.respell(found[k], 1)
        return found

    def drawn(self, kind: str) -> str:
        """Return a claim of a kind, now and then with leaves written in another way."""
        text = str(getattr(self, f"draw_{kind}")())
        if kind in ("table", "prints_as"):
            return text
        return self.respell(text) if self.chance(0.25) else text

    # --- layouts --------------------------------------------------------------------------------

    def flat(self) -> list[tuple[str, str]]:
        return self.modes(self.rng.choice((1, 2, 2, 3, 3, 4)))

    def swizzled(self, inner: str) -> str:
        bits = self.rng.choice((0, 1, 1, 2, 3))
        base = self.rng.choice((0, 0, 1, 2, 3, 4))
        shift = self.rng.choice((1, -1)) * (bits + self.rng.choice((0, 0, 1, 2)))
        offset = self.pick("0", "0", "0", "1", "4", "8", *self.names)
        middle = "" if offset == "0" and self.chance(0.3) else f"{offset} o "
        return f"Sw<{bits},{base},{shift}> o {middle}{inner}"

    def any_layout(self) -> str:
        """Return a layout, now and then a swizzled one."""
        inner = self.nest(self.flat())
        return self.swizzled(inner) if self.chance(0.2) else inner

    def small(self) -> str:
        return self.layout(3)

    def bound_of(self, a: str, *more: str) -> str:
        bare = a.split(" o ")[-1]
        return self.pick(
            f"cosize({bare})", f"size({bare})", f"cosize({bare})-1", self.leaf(), *more
        )

    # --- one method a kind ----------------------------------------------------------------------

    def draw_formula(self) -> str:
        text = self.relation()
        if self.chance(0.3):
            x, y = (self.leaf() for _ in range(2))
            a, b = self.relation(1), self.relation(1)
            text = self.pick(
                f"{x} <= {y} < {self.leaf()}", f"({a}) implies ({b})", f"({a}) or ({b})",
                f"({x}) == ({x})", f"not ({a}) or ({b})", f"({a}) implies ({a})",
                f"({a}) or not ({a})", f"({x})*({y}) == ({y})*({x})",
                f"min({x},{y}) <= max({x},{y})", f"({x}) % 4 <= 3",
                f"size(({self.extent()},{self.extent()})) >= 1", f"rank({self.small()}) >= 1",
                f"cosize({self.small()}) <= {x}", f"-3 <= ({x}) % -4",
                f"({a}) implies (({a}) implies ({b}))", f"({x}, {y}) == ({y}, {x})",
            )  # fmt: skip
        return text

    def draw_joined(self) -> str:
        flat = self.flat()
        a, b = self.nest(flat), self.pick(self.nest(self.respelt(flat)), self.small())
        about = (
            "injective({a})", "in_bounds({a}, {n})", "in_bounds({a}, {n})", "compact({a})",
            "bijective({a})", "covers({a}, {n})", "partition({a}, {n})", "monotone({a})",
            "increasing({a})", "aligned({a}, {c})", "equal({a}, {b})", "same_image({a}, {b})",
            "disjoint({a}, {b})", "apart({a}, {b}, {n})", "compatible({a}, {b})",
            "is_complement({b}, {a}, {n})", "is_composition({a}, {b}, {a})",
        )  # fmt: skip
        x, y, z = (
            self.rng.choice(about).format(
                a=self.pick(a, a, a, b), b=b, n=self.bound_of(a, *self.names), c=self.pick("2", "3")
            )
            for _ in range(3)
        )
        r = f"({self.relation(1)})"
        return self.rng.choice(JOINED).format(x=x, y=y, z=z, r=r)

    def draw_exists(self) -> str:
        x, y, c = self.leaf(), self.leaf(), self.pick("1", "2", "3", "4", *self.names)
        body = self.pick(
            f"0 <= {x} - i*{c} < {c}", f"i*{c} == {x}", f"i + {c} == {x}", f"i == {x}//{c}",
            f"{x} <= i*{c}", f"i % {c} == 0 and {x} <= i", f"{x} % {c} == i", f"i < {c}",
            f"{x} // (i+1) == {c}", f"i*i >= {x}", f"i >= {x} or i*{c} == {y}", f"{x} // i == {c}",
            f"i + {x} < {y}", f"{c}*i + {x} == {y}", "i == 0", f"not (i == {x})",
        )  # fmt: skip
        return f"{self.pick('', '', f'{self.relation(1)} implies ')}exists i < {y}: {body}"

    def draw_injective(self) -> str:
        flat = self.flat()
        a = self.nest(flat)
        if self.chance(0.25):
            guarded = self.swizzled(a) if self.chance(0.2) else a
            return f"injective({guarded}, {', '.join(self.guards(flat, a))})"
        return f"injective({self.swizzled(a) if self.chance(0.15) else a})"

    def draw_bijective(self) -> str:
        return f"bijective({self.any_layout()})"

    def draw_compact(self) -> str:
        return f"compact({self.any_layout()})"

    def draw_monotone(self) -> str:
        return f"monotone({self.nest(self.flat())})"

    def draw_increasing(self) -> str:
        return f"increasing({self.nest(self.flat())})"

    def draw_in_bounds(self) -> str:
        flat = self.flat()
        a = self.nest(flat)
        whole = self.swizzled(a) if self.chance(0.2) else a
        bound = self.bound_of(a, *self.names)
        if self.chance(0.3):
            return f"in_bounds({whole}, {bound}, {', '.join(self.guards(flat, a))})"
        return f"in_bounds({whole}, {bound})"

    def draw_equal(self) -> str:
        flat = self.flat()
        a, b = self.nest(flat), self.pick(self.nest(self.respelt(flat)), self.small())
        if self.chance(0.15):
            head = self.swizzled("").rstrip()
            other = head if self.chance(0.7) else self.swizzled("").rstrip()
            return f"equal({head} {a}, {other} {b})"
        return f"equal({a}, {b if self.chance(0.8) else f'coalesce({a})'})"

    def _shapes(self, kind: str) -> str:
        flat = self.flat()
        a, shapes = self.nest(flat), f"({','.join(s for s, _ in flat)})"
        other = self.pick(a, self.nest(self.respelt(flat)), self.small(), shapes)
        pair = [self.pick(times(*(s for s, _ in flat)), a, shapes), other]
        if (kind == "refines") != self.chance(0.2):
            pair.reverse()
        return f"{kind}({pair[0]}, {pair[1]})"

    def draw_compatible(self) -> str:
        return self._shapes("compatible")

    def draw_refines(self) -> str:
        return self._shapes("refines")

    def draw_disjoint(self) -> str:
        a = self.nest(self.flat())
        b = self.small() if self.chance(0.7) else f"complement({a}, size({a}))"
        return f"disjoint({a}, {b})"

    def draw_apart(self) -> str:
        a, b = self.small(), self.small()
        shift = self.pick("", f", {self.leaf()}", f", cosize({a})", f", -cosize({b})", ", 1")
        return f"apart({a}, {b}{shift})"

    def draw_covers(self) -> str:
        return self.tiling("covers", flat := self.flat(), self.nest(flat))

    def draw_partition(self) -> str:
        return self.tiling("partition", flat := self.flat(), self.nest(flat))

    def draw_aligned(self) -> str:
        a, c = self.flat(), self.pick("2", "4", "8", "3", *self.names)
        flat = [(s, times(c, d) if self.chance(0.6) else d) for s, d in a]
        return f"aligned({self.nest(flat)}, {self.pick(c, c, '1', '2', '0', *self.names)})"

    def draw_no_overflow(self) -> str:
        bits = self.pick("3", "4", "6", "8", "16", "32", "64", "128", "1")
        if self.chance(0.4):
            return f"no_overflow({self.nest(self.flat())}, {bits})"
        x, y, c = self.leaf(), self.leaf(), self.pick("2", "3", "-2", "-3", "7", *self.names)
        text = self.pick(
            f"({x})*({y})", f"({x}) + ({y})", f"({x})*({y}) - ({x})", f"-({x})", f"mod({x}, {c})",
            f"({x}) // {c}", f"({x}) % {c} + {y}", f"ceil_div({x}, {c})", f"min({x}, {y}) - {c}",
            f"({x})/{c}", f"({x}) << 3", f"({x}) >> 1", f"mod(({c}) // 2, 5 % 7)", f"({x})**2",
        )  # fmt: skip
        return f'no_overflow("{text}", {bits})'

    def draw_is_complement(self) -> str:
        a, b = self.nest(self.flat()), self.small()
        bound = self.pick(f"cosize({a})", self.extent(), f"2*size({a})")
        return (
            f"is_complement({b if self.chance(0.6) else f'complement({a}, {bound})'}, {a}, {bound})"
        )

    def draw_is_composition(self) -> str:
        a, b = self.small(), self.small()
        if self.chance(0.4):  # what is selected of a layout is that layout after a compact one
            flat = self.modes(2)
            (s, d), (t, e) = flat
            a = f"({s},{t}):({d},{e})"
            return self.pick(
                f"is_composition({t}:{e}, {a}, {t}:{s})", f"is_composition({s}:{d}, {a}, {s}:1)",
                f"is_composition(({t},{s}):({e},{d}), {a}, ({t},{s}):({s},1))",
            )  # fmt: skip
        return f"is_composition({self.pick(f'composition({a}, {b})', self.small(), b)}, {a}, {b})"

    def _inverse(self, side: str) -> str:
        if self.chance(0.5):
            s, t = self.extent(), self.extent()
            a, r = f"({s},{t}):({t},1)", f"({t},{s}):({s},1)"
            return f"is_{side}_inverse({r}, {a})"
        a = self.nest(self.flat())
        inverse = self.pick(f"{side}_inverse({a})", f"right_inverse({a})", self.small())
        return f"is_{side}_inverse({inverse}, {a})"

    def draw_is_right_inverse(self) -> str:
        return self._inverse("right")

    def draw_is_left_inverse(self) -> str:
        return self._inverse("left")

    def draw_same_image(self) -> str:
        flat = self.flat()
        other = self.respelt(flat) if self.chance(0.5) else list(flat)
        self.rng.shuffle(other)
        return f"same_image({self.nest(flat)}, {self.nest(other)})"

    def _tv(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Return modes of threads and modes of values, often those of a compact layout."""
        flat = self.modes(self.rng.choice((2, 3, 4)))
        k = self.rng.randint(1, len(flat) - 1)
        return flat[:k], flat[k:]

    @staticmethod
    def _paired(threads: list[tuple[str, str]], values: list[tuple[str, str]]) -> str:
        def item(modes: list[tuple[str, str]], k: int) -> str:
            return modes[0][k] if len(modes) == 1 else f"({','.join(m[k] for m in modes)})"

        return "{}:{}".format(*(f"({item(threads, k)},{item(values, k)})" for k in (0, 1)))

    def draw_partition_exact(self) -> str:
        threads, values = self._tv()
        every = [s for s, _ in (*threads, *values)]
        copies = ""
        if self.chance(0.3):
            threads.append((c := self.pick("2", "4", *self.names), "0"))
            copies = f", {c if self.chance(0.7) else '2'}"
        tile = self.pick(f"({','.join(every)})", times(*every), f"({times(*every)},1)")
        tile = tile if "," in tile or len(every) > 1 else every[0]
        return f"partition_exact({self._paired(threads, values)}, {tile}{copies})"

    def draw_same_elements(self) -> str:
        threads, values = self._tv()
        other = self.respelt(values) if self.chance(0.4) else list(values)
        self.rng.shuffle(other)
        return f"same_elements({self._paired(threads, values)}, {self._paired(threads, other)})"

    def _access(self) -> str:
        lanes = self.pick("32", "32", "32", "(8,4)", "(4,8)", "16", "(2,16)", "8")
        strides = {
            "(8,4)": ("(1,8)", "(4,1)", "(64,2)"), "(4,8)": ("(2,64)", "(1,4)", "(0,1)"),
            "(2,16)": ("(0,4)", "(1,2)"),
        }.get(lanes, ("1", "2", "4", "8", "32", "33", "64", "0", "-1", *self.names))  # fmt: skip
        stride = self.pick(*strides)
        s, d = (
            self.extent(),
            self.pick("1", "4", "32", "64", "128", *(f"{n}*8" for n in self.names)),
        )
        layout = self.pick(f"({lanes},{s}):({stride},{d})", f"{lanes}:{stride}")
        layout = self.swizzled(layout) if self.chance(0.25) else layout
        element = self.rng.choice((8, 16, 32, 32, 64))
        width = self.rng.choice([w for w in (8, 16, 32, 64, 128) if w >= element])
        base = self.pick("", "", "", f", {width // element}", *(f", 8*{n}" for n in self.names))
        if width == element and not base and self.chance(0.7):
            return f"access({layout}, {element})"
        return f"access({layout}, {element}, {width}{base})"

    def draw_bank_conflict(self) -> str:
        least = self.pick("", "", ", 1", ", 2", ", 4")
        return f"bank_conflict({self._access()}, {self.pick('1', '2', '4', '8', '32')}{least})"

    def draw_sectors(self) -> str:
        least = self.pick("", "", ", 1", ", 4")
        return f"sectors({self._access()}, {self.pick('1', '4', '5', '8', '16', '32')}{least})"

    def draw_coalesced(self) -> str:
        return f"coalesced({self._access()})"

    def draw_vectorizable(self) -> str:
        element = self.rng.choice((8, 16, 32))
        v = self.rng.choice((1, 2, 2, 4, 8))
        first = self.pick(str(v), str(2 * v), f"{v}*{self.rng.choice(self.names or ('3',))}", "4")
        rest = [(s, d if self.chance(0.3) else times(str(v), d)) for s, d in self.modes(1)]
        layout = self.nest([(first, "1"), *rest])
        layout = self.swizzled(layout) if self.chance(0.2) else layout
        base = self.pick("", "", ", 0", f", {v}", *(f", {v}*{n}" for n in self.names))
        return f"vectorizable({layout}, {element}, {element * v}{base})"

    def draw_prints_as(self) -> str:
        a = self.nest(self.flat())
        text = a if self.chance(0.6) else self.pick(f"{a} ", a.replace("1", "2", 1), self.small())
        return f'prints_as({a}, "{text}")'

    def draw_table(self) -> str:
        rows, columns = self.rng.randint(1, 4), self.rng.randint(1, 5)
        d, e = (self.rng.choice((0, 1, 2, 3, rows, columns, -1)) for _ in range(2))
        cells = [[i * d + j * e for j in range(columns)] for i in range(rows)]
        if self.chance(0.3):
            cells[self.rng.randrange(rows)][self.rng.randrange(columns)] += 1
        text = ",".join(f"({','.join(map(str, row))},)" for row in cells)
        return f"table(({rows},{columns}):({d},{e}), ({text},))"


def _in_swizzle(text: str, at: int) -> bool:
    """Return whether a place stands where only numbers may: in a swizzle, or in the widths."""
    before = text[:at]
    return before.rfind("<") > before.rfind(">") and "Sw<" in before


#: Every kind of claim that can be drawn.
KINDS = tuple(sorted(n.removeprefix("draw_") for n in vars(Drawer) if n.startswith("draw_")))
