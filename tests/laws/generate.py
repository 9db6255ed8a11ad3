"""Random leaves, layouts, assumptions and claims, as text in the project's grammar."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

NAMES = ("M", "N", "K")


def factor(text: str) -> str:
    """Return text that may stand in a product (a lone `(M)` would be a rank-1 tuple)."""
    return text if text.isalnum() or text.startswith(("min(", "max(")) else f"({text})"


def times(*texts: str) -> str:
    """Return the product; a lone factor stays without parentheses."""
    return texts[0] if len(texts) == 1 else "*".join(factor(x) for x in texts)


@dataclass
class Generator:
    """Draws texts from one seeded source; `names` is empty for static claims."""

    rng: random.Random
    names: tuple[str, ...] = NAMES
    quotients: set[str] = field(default_factory=set)

    def pick(self, *xs: str) -> str:
        return self.rng.choice(xs)

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def dim(self) -> str:
        return self.rng.choice(self.names)

    def extent(self) -> str:
        """Return an extent, at least 1 wherever the dims are."""
        if not self.names or self.chance(0.3):
            return str(self.rng.choice((1, 2, 2, 3, 4, 4, 5, 6, 8)))
        a, b = self.dim(), self.dim()
        c = self.rng.choice((2, 3, 4))
        draw = self.rng.random()
        if draw < 0.62:
            return a
        if draw < 0.72 and self.quotients:
            return self.rng.choice(sorted(self.quotients))
        return self.pick(
            f"{a}+1",
            f"{c}*{a}",
            f"{a}*{b}",
            f"ceil_div({a},{c})",
            f"ceil_div({a},{b})",
            f"min({a},{c})",
            f"min({a},{b})",
            f"max({a},{b})",
            f"{a}//{c}+1",
            f"{a}%{c}+1",
            f"{a}+{b}-1",
            f"{a}-1",
            f"{a}//{c}",
        )

    def stride(self, before: list[str]) -> str:
        """Return a stride; `before` are the extents drawn so far."""
        draw = self.rng.random()
        if draw < 0.45 and before:
            return times(*self.rng.sample(before, self.rng.randint(1, len(before))))
        if draw < 0.60:
            return "1"
        if draw < 0.66:
            return "0"
        if draw < 0.72 or not self.names:
            return str(self.rng.choice((-3, -2, -1, 1, 2, 3, 4, 5, 6, 8, 12, 16)))
        a, b = self.dim(), self.dim()
        c = self.rng.choice((2, 3, 4))
        return self.pick(
            a,
            a,
            f"{c}*{a}",
            f"{a}*{b}",
            f"{a}+{b}",
            f"{a}+1",
            f"{a}-1",
            f"{a}-{b}",
            f"-{a}",
            f"1-{a}",
            f"{a}//{c}",
            f"ceil_div({a},{c})",
            f"ceil_div({a},{c})*{c}",
            f"{a}%{c}",
            f"min({a},{b})",
            f"max({a},{b})",
            f"{c}*{a}+1",
        )

    def modes(self, rank: int) -> list[tuple[str, str]]:
        """Return flat modes; often compact up to padding, a permutation, or a sign."""
        extents = [self.extent() for _ in range(rank)]
        draw = self.rng.random()
        if draw < 0.55:
            order = list(range(rank))
            self.rng.shuffle(order)
            strides = [""] * rank
            current = "1" if self.chance(0.8) else self.stride([])
            for k in order:
                strides[k] = current
                grown = extents[k]
                if self.chance(0.25):
                    grown = self.pick(
                        f"{grown}+1", times("2", grown), *(self.names or ("7",)), f"{grown}-1"
                    )
                current = times(current, grown) if current != "1" else grown
            if self.chance(0.12):
                k = self.rng.randrange(rank)
                strides[k] = f"-{factor(strides[k])}"
        else:
            strides = [self.stride(extents[:k]) for k in range(rank)]
        return list(zip(extents, strides, strict=True))

    def nest(self, flat: list[tuple[str, str]]) -> str:
        """Return the text of a layout with these modes in a random hierarchy."""

        def build(items: list[tuple[str, str]]) -> tuple[str, str]:
            if len(items) == 1:
                return items[0]
            groups: list[list[tuple[str, str]]] = []
            for item in items:
                if groups and self.chance(0.3):
                    groups[-1].append(item)
                else:
                    groups.append([item])
            if len(groups) == 1:
                groups = [[x] for x in items]
            parts = [build(g) for g in groups]
            return (
                f"({','.join(s for s, _ in parts)})",
                f"({','.join(d for _, d in parts)})",
            )

        if len(flat) == 1 and self.chance(0.2):
            return f"({flat[0][0]}):({flat[0][1]})"
        shape, stride = build(flat)
        if len(flat) == 1:
            return f"({shape}):({stride})" if self.chance(0.3) else f"{shape}:{stride}"
        return f"{shape}:{stride}"

    def layout(self, most: int = 4) -> str:
        return self.nest(self.modes(self.rng.choice((1, 2, 2, 3, 3, 4)[: most + 2])))

    def respelt(self, flat: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return modes that often are the same map: split, unit modes added, or a small change."""
        result: list[tuple[str, str]] = []
        for s, d in flat:
            draw = self.rng.random()
            c = self.rng.choice((2, 3, 4))
            if draw < 0.2:
                result += [(s, d), ("1", self.pick("0", "5", *self.names))]
            elif draw < 0.35 and s in self.names:
                result += [(str(c), d), (f"{s}/{c}", times(str(c), d))]
            elif draw < 0.5 and result:
                s0, d0 = result.pop()
                result.append((times(s0, s), d0))
            elif draw < 0.57:
                result.append((s, f"{d}+1"))
            else:
                result.append((s, d))
        return result

    def leaf(self) -> str:
        draw = self.rng.random()
        if draw < 0.3:
            return self.extent()
        if draw < 0.6:
            return self.stride([])
        return f"{self.stride([])}{self.pick('+', '-', '*')}{self.extent()}"

    def relation(self, depth: int = 0) -> str:
        draw = self.rng.random()
        if depth < 2 and draw < 0.2:
            a, b = self.relation(depth + 1), self.relation(depth + 1)
            return self.pick(
                f"({a}) and ({b})", f"({a}) or ({b})", f"not ({a})", f"({a}) implies ({b})"
            )
        if draw < 0.35:
            return f"({self.leaf()}) % {self.pick('2', '3', '4', *self.names)} == 0"
        return f"{self.leaf()} {self.pick('<=', '<', '>=', '>', '==', '!=')} {self.leaf()}"

    def assumptions(self) -> list[str]:
        found = []
        for _ in range(self.rng.choice((0, 1, 1, 2, 2))):
            a, b, c = self.dim(), self.dim(), self.rng.choice((1, 2, 3, 4, 6, 8))
            draw = self.rng.random()
            if draw < 0.25:
                found.append(f"{a} % {c} == 0")
                self.quotients.add(f"{a}/{c}" if c > 1 else a)
            elif draw < 0.33:
                found.append(f"{a} % {b} == 0")
                self.quotients.add(f"{a}/{b}" if a != b else a)
            elif draw < 0.53:
                found.append(
                    f"{a} {self.pick('>=', '<=', '>', '<')} {b}{self.pick('', '', '+1', '-1')}"
                )
            elif draw < 0.60:
                found.append(f"{a} == {self.pick(b, f'{c}*{b}', f'{b}+{c}', f'{b}*{self.dim()}')}")
            elif draw < 0.67:
                found.append(f"{a} >= {self.pick('0', '0', '2', '5', '-2')}")
            elif draw < 0.75:
                found.append(f"{a} <= {self.pick('1', '2', '4', '8', '100')}")
            elif draw < 0.80:
                found.append(f"{a} >= {b}*{self.dim()}")
            elif draw < 0.85:
                found.append(f"{a} == {c}")
            else:
                found.append(self.relation(1))
        return found

    def claim(self) -> str:
        kind = self.pick(
            "injective",
            "injective",
            "bijective",
            "in_bounds",
            "equal",
            "equal",
            "compatible",
            "disjoint",
            "is_complement",
            "is_complement",
            "is_composition",
            "is_composition",
            "is_right_inverse",
            "is_left_inverse",
            "formula",
            "formula",
            "compact",
            "monotone",
            "increasing",
            "aligned",
            "apart",
            "covers",
            "partition",
            "refines",
            "no_overflow",
        )
        flat = self.modes(self.rng.choice((1, 2, 2, 3, 3, 4)))
        a = self.nest(flat)
        if kind == "injective" and self.chance(0.25):
            return f"injective({a}, {', '.join(self.guards(flat, a))})"
        if kind in ("injective", "bijective", "compact", "monotone", "increasing"):
            return f"{kind}({a})"
        if kind == "aligned":
            return f"aligned({a}, {self.pick('1', '2', '3', '4', '0', *self.names)})"
        if kind in ("covers", "partition"):
            return self.tiling(kind, flat, a)
        if kind == "no_overflow":
            return self.overflow(a)
        if kind == "formula":
            return self.relation()
        if kind == "in_bounds":
            bound = self.pick(f"cosize({a})", f"size({a})", self.leaf(), f"cosize({a})-1")
            if self.chance(0.3):
                bound = self.pick(bound, *self.names, "12")
                return f"in_bounds({a}, {bound}, {', '.join(self.guards(flat, a))})"
            return f"in_bounds({a}, {bound})"
        if kind == "equal":
            other = self.pick(self.nest(self.respelt(flat)), f"coalesce({a})", self.layout())
            return f"equal({a}, {other})"
        if kind in ("compatible", "refines"):
            shapes = f"({','.join(s for s, _ in flat)})"
            other = self.pick(a, self.nest(self.respelt(flat)), self.layout(), shapes)
            pair = [self.pick(times(*(s for s, _ in flat)), a, shapes), other]
            if self.chance(0.3) or kind == "refines":
                pair.reverse()
            return f"{kind}({pair[0]}, {pair[1]})"
        b = self.layout(3)
        if kind == "apart":
            shift = self.pick("", f", {self.leaf()}", f", cosize({a})", f", -cosize({b})", ", 1")
            return f"apart({a}, {b}{shift})"
        if kind == "disjoint":
            other = self.pick(b, f"complement({a}, {self.extent()})", f"complement({a}, size({a}))")
            return f"disjoint({a}, {other})"
        if kind == "is_complement":
            bound = self.pick(f"cosize({a})", self.extent(), f"2*size({a})")
            return f"is_complement({self.pick(b, f'complement({a}, {bound})')}, {a}, {bound})"
        if kind == "is_composition":
            result = self.pick(f"composition({a}, {b})", self.layout(3), b)
            return f"is_composition({result}, {a}, {b})"
        side = "right" if kind == "is_right_inverse" else "left"
        inverse = self.pick(f"{side}_inverse({a})", f"right_inverse({a})", b)
        return f"{kind}({inverse}, {a})"

    def guards(self, flat: list[tuple[str, str]], a: str) -> list[str]:
        """Return guards on the coordinates of a layout: its tiles counted, or its own offsets."""
        found = []
        for _ in range(self.rng.choice((1, 1, 2))):
            counted: list[str] = []
            inner: list[str] = []
            for s, _ in flat:
                if self.chance(0.6):
                    counted.append(times(*inner) if inner else "1")
                    inner.append(s)
                else:
                    counted.append("0")
            extents = [s for s, _ in flat]
            guard = f"({','.join(extents)}):({','.join(counted)})"
            if len(flat) == 1:
                guard = f"({extents[0]}):({counted[0]})"
            bound = self.pick(self.leaf(), *self.names, "5", "9")
            found.append(f"where({a if self.chance(0.2) else guard}, {bound})")
        return found

    def tiling(self, kind: str, flat: list[tuple[str, str]], a: str) -> str:
        """Return a claim that a layout reaches all below a bound; often tiles rounded up."""
        m = self.dim() if self.names else str(self.rng.choice((5, 7, 8, 12)))
        t = self.pick("2", "3", "4", *self.names)
        tiles = self.pick(
            f"({t},ceil_div({m},{t})):(1,{t})",
            f"(ceil_div({m},{t}),{t}):({t},1)",
            f"({t},ceil_div({m},{t})):(1,{t}+1)",
            f"({t},{m}):(1,{t})",
        )
        tail = f"{tiles}, {m}"
        one = self.pick(f"{a}, size({a})", f"{a}, {self.extent()}", tail, tail)
        if kind == "partition" and self.chance(0.2):
            return f"partition(({tiles}, {a}), ({m}, {self.pick(f'size({a})', self.extent())}))"
        return f"{kind}({one})"

    def overflow(self, a: str) -> str:
        """Return a claim about the intermediates of a layout or of an expression."""
        bits = self.pick("3", "4", "6", "8", "32")
        if self.chance(0.5):
            return f"no_overflow({a}, {bits})"
        x, y = self.leaf(), self.leaf()
        text = self.pick(f"({x})*({y})", f"({x}) + ({y})", f"({x})*({y}) - ({x})", f"-({x})")
        return f'no_overflow("{text}", {bits})'

    def operation(self) -> str:
        """Return a call of an operation of the algebra."""
        a, b = self.layout(), self.layout(3)
        e = self.extent()
        return self.pick(
            f"coalesce({a})",
            f"composition({a}, {b})",
            f"composition({a}, {b})",
            f"composition({a}, {e})",
            f"complement({a}, {e})",
            f"complement({a}, cosize({a}))",
            f"complement({a}, 2*size({a}))",
            f"right_inverse({a})",
            f"left_inverse({a})",
            f"left_inverse({a})",
            f"logical_divide({a}, {b})",
            f"logical_divide({a}, {e})",
            f"logical_product({a}, {b})",
            f"logical_product({a}, {e})",
        )
