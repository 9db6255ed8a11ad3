"""From launches to families of launches: notes as a user would write them, each with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from symcute.expr import terms
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Ranges
from symcute.frontends.cuda.host.execution import Execution
from symcute.frontends.cuda.host.numbers import Fact, Numbers, number_of
from symcute.frontends.cuda.host.state import Found, Spot
from symcute.frontends.cuda.host.tensors import settled
from symcute.kernel.ir.families import Family, Inferred
from symcute.kernel.ir.inside import compares_pointers
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int, Kernel, Param
from symcute.kernel.ir.setting import OWN

__all__ = ["families_of"]

#: Names that mean something in a setting already.
_TAKEN = {
    "min", "max", "ceil_div", "and", "or", "not", "if", "N_", "true", "false",
}  # fmt: skip
_GRAMMAR = {"+", "*", "//", "%", "min", "max", "<", "<=", "==", "!=", "and", "or"}
#: Bytes that no array has: more than a device can address.
_MOST_BYTES = 1 << 40
_AXES = "xyz"
#: Of how many numbers both signs are looked at.
SIGNS = 2
#: What stands for all tensors being on one device, which they may be at all sizes.
_ONE_DEVICE = "the result of symcute_on_one_device"
#: What functions of our headers stand for.
_ALLOCATED = {"symcute_allocate": "what is allocated"}


@dataclass
class _Writer:
    """The names that a family gives to symbols, and the texts of terms."""

    execution: Execution
    kernel: Kernel
    names: dict[str, str] = field(default_factory=dict)

    def text(self, term: Term) -> str | None:
        """Return a term in the grammar of settings, or None for one that it has no words for."""
        if not _says(term):
            return None
        return terms.show(terms.substitute(term, {n: self.name(n) for n in terms.names(term)}))

    def name(self, symbol: str) -> str:
        """Return what a symbol is called."""
        if symbol not in self.names:
            known = self.execution.numbers.symbols.get(symbol)
            title = known.title if known is not None else symbol
            plain = "".join(c if c.isalnum() else "_" for c in title).strip("_") or "n"
            plain = plain if plain[0].isalpha() else f"n{plain}"
            taken = {*self.names.values(), *_TAKEN, *(p.name for p in self.kernel.params)}
            number, name = 1, plain
            while name in taken or OWN.fullmatch(name):
                number += 1
                name = f"{plain}_{number}"
            self.names[symbol] = name
        return self.names[symbol]


def _says(term: Term) -> bool:
    if isinstance(term, Node):
        return term.op in _GRAMMAR and all(map(_says, term.args))
    return not isinstance(term, bool)


def families_of(found: Found, kernel: Kernel, execution: Execution, host: str) -> Iterator[Family]:
    """Yield what a launch says of a kernel, for each number of dims that its tensors may have."""
    for here in settled(found, kernel, execution.tensors, execution.numbers):
        made = list(_families(here, kernel, execution, host))
        if not made and here.taken and any(_families(found, kernel, execution, host)):
            # Its tensors are not what they were taken for, and it runs all the same.
            trouble = f"what {execution.tensors[0].title} is there is not understood"
            made = [Family(found.launch.place, host, (), trouble=trouble)]
        yield from made


def _families(
    found: Found, kernel: Kernel, execution: Execution, host: str, signs: int = SIGNS,
    below: Term | None = None,
) -> Iterator[Family]:  # fmt: skip
    """Yield what a launch says of a kernel, for each sign that counts, `below` 0 what is said so.

    None where no execution comes to it.

    Post-conditions: every execution of the function that comes to this launch on this path meets
    the notes, for some values of their dims. Where it does not run, since a grid of it is empty,
    nothing is said.
    """
    numbers, place = execution.numbers, found.launch.place
    if found.trouble:
        yield Family(place, host, (), trouble=found.trouble)
        return
    lost = [
        f"{what}.{axis}"
        for what, extents in (("the grid", found.grid), ("the block", found.block))
        for axis, e in zip(_AXES, extents, strict=True)
        if e is None
    ]
    if found.shared is None:
        lost.append("the bytes of shared memory")
    if lost:
        yield Family(place, host, (), trouble=f"{lost[0]} is not understood")
        return
    facts = list(_supposed(found.facts, numbers))
    for what, extents in (("the grid", found.grid), ("the block", found.block)):
        for e in extents:
            assert e is not None
            if type(e) is not int:
                why = f"a launch of which {what} is empty or too large does not run"
                facts += [
                    Fact(terms.at_most(1, e), place, why),
                    Fact(terms.at_most(e, (1 << 31) - 1), place, why),
                ]
            elif not 1 <= e < 1 << 31:
                yield Family(
                    place, host, (), trouble=f"{what} has an extent of {e}: it does not run"
                )
                return
    for value in found.arguments or ():
        if isinstance(value, Spot) and isinstance(value.memory.bytes, (str, Node)):
            size = value.memory.bytes
            where, why = value.memory.place, "no array has more than 2**40 bytes"
            facts.append(Fact(terms.at_most(size, _MOST_BYTES), where, why))
    settled, resolve = numbers.settled(facts)
    settled = tuple(Fact(resolve(f.holds), f.place, f.why) for f in settled)
    known = numbers.known(settled)
    if any(known.decides(f.holds) is False or _is_never(f.holds, known) for f in settled):
        return
    spots = [v for v in found.arguments or () if isinstance(v, Spot)]
    said = [*found.grid, *found.block, found.shared, *(s.memory.bytes for s in spots)]
    signed = numbers.signed((x for x in said if x is not None), known) if signs else None
    if signed is not None:
        for holds, negative in (
            (terms.at_most(0, signed), below),
            (terms.less(signed, 0), signed if below is None else below),
        ):
            here = replace(found, facts=(*found.facts, Fact(holds, place, "a sign that counts")))
            yield from _families(here, kernel, execution, host, signs - 1, negative)
        return
    writer = _Writer(execution, kernel)
    yield _Noted(found, kernel, execution, writer, settled, resolve, known, host, below).family()


def _supposed(facts: tuple[Fact, ...], numbers: Numbers) -> Iterator[Fact]:
    """Yield what is known of a launch, of choices what the side supposes that was chosen there.

    What a launch does not hang on may be chosen either way, and nothing is said of it.
    """
    known = numbers.known(tuple(f for f in facts if not f.chosen))
    for f in facts:
        if not f.chosen:
            yield f
        elif isinstance(f.holds, Node) and f.holds.op == "or":
            left = [x for x in f.holds.args if known.decides(x) is not False]
            if len(left) < len(f.holds.args):
                yield replace(f, holds=terms.any_of(*left), chosen=False)


def _is_never(holds: Term, known: Ranges) -> bool:
    """Return whether what is known leaves a name in a condition no value, or is against it."""
    ranges = {n: known.of(n) for n in terms.names(holds)}
    if any(low > high for low, high in ranges.values()):
        return True
    fixed: dict[str, Term] = {n: int(low) for n, (low, high) in ranges.items() if low == high}
    return bool(fixed) and known.decides(_whole(terms.substitute(holds, fixed), known)) is False


def _whole(term: Term, known: Ranges) -> Term:
    """Return a term in which 0 stands for quotients of what is less than its divisor."""
    if not isinstance(term, Node):
        return term
    args = [_whole(x, known) for x in term.args]
    if term.op == "//":
        gap = terms.polynomial(terms.sub(args[1], args[0]))
        above = gap is not None and known.of(terms.from_polynomial(gap))[0] >= 1
        if above and known.of(args[0])[0] >= 0:
            return 0
    return terms.build(term.op, *args)


@dataclass
class _Noted:
    found: Found
    kernel: Kernel
    execution: Execution
    writer: _Writer
    facts: tuple[Fact, ...]
    resolve: Callable[[Term], Term]
    known: Ranges
    host: str
    below: Term | None
    notes: list[Inferred] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    unknown: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)

    def family(self) -> Family:
        """Return the family with all its notes."""
        arguments = self._arguments()
        self._name_alike(arguments)
        if not self._launch():
            why = "the launch has no words in a setting"
            return Family(self._place, self.host, (), trouble=why)
        if aliases := self._aliases(arguments):
            return Family(self._place, self.host, (), trouble=aliases)
        self.unknown += self._told_apart(arguments)
        self.inner = [a.name for a in self.kernel.arrays if a.bytes is None]
        for p, value in arguments:
            if isinstance(p.type, Int):
                self._integer(p, value)
            elif p.array is not None:
                self._array(p, value)
        below = None if self.below is None else self._write(self.below)
        self._assumptions()
        unknown = tuple(dict.fromkeys(self.unknown))
        return Family(
            self._place, self.host, tuple(self.notes), unknown, tuple(self.inner),
            avoided="" if below is None else f"{below} >= 0",
        )  # fmt: skip

    @property
    def _place(self) -> Place:
        return self.found.launch.place

    def _arguments(self) -> list[tuple[Param, Any]]:
        given = self.found.arguments
        params = self.kernel.params
        if given is None or len(given) != len(params):
            return [(p, None) for p in params]
        settled = [x if isinstance(x, Spot) or x is None else self.resolve(x) for x in given]
        return list(zip(params, settled, strict=True))

    def _name_alike(self, arguments: Sequence[tuple[Param, Any]]) -> None:
        """Call a symbol what the kernel calls it where it is handed over as it is."""
        taken = set(_TAKEN)
        for p, value in arguments:
            plain = isinstance(value, str) and not self.execution.numbers.is_defined(value)
            known = not plain or value in self.writer.names
            free = p.name not in taken and not OWN.fullmatch(p.name)
            if isinstance(p.type, Int) and not known and free:
                self.writer.names[value] = p.name
                taken.add(p.name)

    def _note(self, text: str, why: str, place: Place | None = None) -> None:
        self.notes.append(Inferred(text, place or self._place, why))

    def _write(self, term: Term) -> str | None:
        text = self.writer.text(term)
        if text is not None:
            self.used |= terms.names(term)
        return text

    def _launch(self) -> bool:
        parts = []
        for what, extents in (("grid", self.found.grid), ("block", self.found.block)):
            texts = [self._write(self.resolve(e)) for e in extents if e is not None]
            if None in texts or len(texts) != 3:
                return False
            while len(texts) > 1 and texts[-1] == "1":
                texts.pop()
            parts.append(f"{what}=({', '.join(map(str, texts))})")
        shared = self._write(self.resolve(self.found.shared or 0))
        if shared is None:
            return False
        if shared != "0":
            parts.append(f"shared={shared}")
        self._note(f"launch {' '.join(parts)}", f"the launch in {self.host}")
        return True

    def _aliases(self, arguments: Sequence[tuple[Param, Any]]) -> str:
        """Return which two arrays are one, where that is so and one may be written."""
        seen: dict[int, Param] = {}
        for p, value in arguments:
            if p.array is None or not isinstance(value, Spot) or _is_null(value):
                continue
            other = seen.setdefault(value.memory.number, p)
            constant = all(q.text.lstrip().startswith("const ") for q in (p, other))
            if other is not p and not constant:
                return f"{other.name} and {p.name} are the same memory"
        return ""

    def _told_apart(self, arguments: Sequence[tuple[Param, Any]]) -> list[str]:
        """Return what executions of a kernel that compares pointers take them for."""
        if not compares_pointers(self.kernel):
            return []
        numbers = [v.memory.number for _, v in arguments if isinstance(v, Spot)]
        return [
            f"{p.name} is neither null nor into what another pointer is into"
            for p, v in arguments
            if isinstance(v, Spot) and (_is_null(v) or numbers.count(v.memory.number) > 1)
        ]

    def _integer(self, p: Param, value: Any) -> None:
        assert isinstance(p.type, Int)
        number = None if isinstance(value, Spot) else value
        if number is not None and terms.is_truth(number):
            number = number_of(number, self.known)
        if number is None or (text := self._write(number)) is None:
            why = "its argument is not understood"
            self._note(f"assume {p.name} >= {(p.within or p.type).low}", why)
            self.unknown.append(p.name)
        elif text != p.name:
            self._note(f"arg {p.name} = {text}", "the argument of the launch")

    def _array(self, p: Param, value: Any) -> None:
        array = next(a for a in self.kernel.arrays if a.name == p.array)
        if not isinstance(value, Spot) or value.memory.number in self.found.freed:
            return
        memory, offset = value.memory, self.resolve(value.offset)
        if offset == 0 and memory.bytes is not None:
            self.inner.remove(array.name)
        if offset != 0:
            self._note(
                f"align {array.name} = {_alignment(offset)}", "it points behind the start of memory"
            )
        if memory.bytes is None or self.known.of(offset)[0] < 0:
            return  # what stands before the memory is no part of it
        left = terms.sub(self.resolve(memory.bytes), offset)
        low, _ = self.known.of(left)
        if type(left) is not int and low < 0:
            return
        text = self._write(_elements(left, array.element))
        if text is not None:
            self._note(
                f"extent {array.name} = {text}",
                f"{_ALLOCATED.get(memory.text, memory.text)} in {self.host}",
                memory.place,
            )

    def _assumptions(self) -> None:
        """Write down what is known of the dims that the notes name."""
        self.known = self.execution.numbers.known(self.facts)
        for f in self.found.taken:
            self.used |= terms.names(f.holds)
        kept: list[Fact] = []
        waiting = [f for f in self.facts if _says(f.holds)]
        moving = True
        while moving:
            moving = False
            for f in list(waiting):
                names = terms.names(f.holds)
                if names & self.used:
                    self.used |= names
                    kept.append(f)
                    waiting.remove(f)
                    moving = True
        symbols = self.execution.numbers.symbols
        for name in sorted(self.used):
            low, high = self.known.of(name)
            symbol = symbols.get(name)
            title = self.writer.name(name)
            if symbol is None or not symbol.free:
                self.unknown.append(title)
            whose = f"{symbol.reason}, {_type(symbol.type)}" if symbol is not None else "host code"
            place = symbol.place if symbol is not None and symbol.place.file != "?" else None
            taken = next((f.why for f in self.found.taken if name in terms.names(f.holds)), "")
            if low == high:
                self._note(f"assume {title} == {int(low)}", taken or whose, place)
                continue
            if low != 1 or taken:
                self._note(f"assume {title} >= {int(low)}", taken or whose, place)
            self._note(f"assume {title} <= {int(high)}", whose, place)
        plain = Ranges({name: self.known.of(name) for name in self.used})
        for f in kept:
            text = self.writer.text(f.holds)
            if text is not None and plain.decides(f.holds) is not True:
                self._note(f"assume {text}", f.why, f.place)
            self._hazy(f)
        for f in waiting:
            self._hazy(self._on_one_device(f))
        if self.found.hazy:
            self.unknown.append("a condition on the way")
        for f in self.facts:
            if not _says(f.holds) and terms.names(f.holds) & self.used:
                self.unknown.append("a condition on the way")

    def _on_one_device(self, f: Fact) -> Fact:
        """Return a fact, which no size hangs on, of an execution with all tensors on one device."""
        symbols = self.execution.numbers.symbols
        chosen = {
            n: 1 for n in terms.names(f.holds) if n in symbols and symbols[n].reason == _ONE_DEVICE
        }
        holds = terms.substitute(f.holds, chosen)
        return f if holds is False else replace(f, holds=holds)

    def _hazy(self, f: Fact) -> None:
        """Note that a condition on the way hangs on what is not known, if it does."""
        numbers = self.execution.numbers
        for name in filter(numbers.is_hazy, terms.names(f.holds)):
            known = name in numbers.symbols
            why = f" ({numbers.symbols[name].reason})" if known else ""
            self.unknown.append(f"a condition on the way{why}")


def _is_null(value: Spot) -> bool:
    return value.memory.text == "nullptr: nullptr"


def _type(type: Int) -> str:
    if type.bits == 1:
        return "a bool"
    return f"{'a' if type.signed else 'an unsigned'} number of {type.bits} bits"


def _elements(bytes: Term, size: int) -> Term:
    """Return how many elements of a size lie in so many bytes."""
    if isinstance(bytes, Node) and bytes.op == "+":
        a, b = bytes.args
        if _step(a) % size == 0:
            return terms.add(terms.divide(_plain(a), size), _elements(b, size))
    return terms.divide(_plain(bytes), size)


def _plain(term: Term) -> Term:
    """Return a product with its number at the end."""
    if isinstance(term, Node) and term.op == "*" and type(term.args[1]) is not int:
        a, b = term.args
        for x, y in ((a, b), (b, a)):
            x = _plain(x)
            if isinstance(x, Node) and x.op == "*" and type(x.args[1]) is int:
                return terms.mul(terms.mul(x.args[0], y), x.args[1])
    return term


def _step(term: Term) -> int:
    """Return a number that divides a term."""
    if type(term) is int:
        return abs(term) or 1 << 20
    plain = _plain(term)
    if isinstance(plain, Node) and plain.op == "*" and type(plain.args[1]) is int:
        return abs(plain.args[1])
    if isinstance(plain, Node) and plain.op == "+":
        a, b = map(_step, plain.args)
        return min(a & -a, b & -b)
    return 1


def _alignment(offset: Term) -> int:
    step = _step(offset)
    return min(step & -step, 256)
