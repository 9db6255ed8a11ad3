"""How a Python file launches its Triton kernels: what each parameter is given, and how large.

The launches are followed in C++ (`jit.py`); what is found there is said here of the kernel itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from symcute.frontends.cuda.source import TIMEOUT_S, read_text
from symcute.frontends.front_end import SourceError
from symcute.frontends.python.host import translated
from symcute.frontends.python.inlining import inlined
from symcute.frontends.python.jit import (
    AT,
    CHOSEN,
    CHOSEN_OR_GIVEN,
    FLOAT,
    KIND,
    NONE,
    NUMBER,
    OWN,
    TRUTH,
    UNKNOWN,
    WORDS,
    JitSources,
)
from symcute.frontends.python.jit_launches import Word
from symcute.frontends.python.reading import document, placed
from symcute.frontends.triton.launched import Given, Launched
from symcute.kernel.ir.families import Family, Inferred
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel

__all__ = ["launches_of"]

#: The types of elements that PyTorch's numbers mean (frontends/cuda/torch.h), in Triton's words.
_TYPES = {
    0: "*u8", 1: "*i8", 2: "*i16", 3: "*i32", 4: "*i64", 5: "*fp16", 6: "*fp32", 7: "*fp64",
    11: "*i1", 15: "*bf16", 23: "*fp8e5", 24: "*fp8e4nv",
}  # fmt: skip
_ARG = re.compile(r"arg (\w+) = (.+)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*")


def launches_of(path: str, text: str, *, timeout: float = TIMEOUT_S) -> dict[str, list[Launched]]:
    """Return how the Triton kernels of a file are launched in it, by the names of the kernels.

    Nothing is executed. A kernel that no function launches is not in it.
    """
    try:
        sources = JitSources(inlined(ast.parse(text), Path(path).resolve()))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}  # who reads the kernels says so
    found: dict[str, list[Launched]] = {}
    words: list[Word] = []
    for code in sources.codes:
        default = "" if "set_default_dtype" in text else "torch::kFloat"
        lines, lost, made = translated(code, sources, default, words)
        if not lines and not lost:
            continue
        everything = document(code, lines)
        try:
            source = read_text(
                path, "\n".join(line.text for line in everything), defines={}, template_args={},
                include_dirs=[Path(path).parent], timeout=timeout,
            )  # fmt: skip
        except SourceError as error:
            for each in (*lost, *made):
                place = Place(path, each.node.lineno, each.node.col_offset + 1)
                family = Family(place, each.host, (), trouble=error.what)
                found.setdefault(each.kernel, []).append(Launched(family, {}))
            continue
        seen = set()
        for kernel in source.kernels.values():
            for family in placed(kernel, path, everything).families:
                seen.add((family.place.line, family.place.column))
                launched = _launched(family, kernel, words)
                if launched is not None:
                    found.setdefault(kernel.name, []).append(launched)
        unseen = [e for e in made if (e.node.lineno, e.node.col_offset + 1) not in seen]
        for each in (*lost, *unseen):
            place = Place(path, each.node.lineno, each.node.col_offset + 1)
            family = Family(place, each.host, (), trouble=each.why)
            for name in [each.kernel] if each.kernel else sources.kernels:
                found.setdefault(name, []).append(Launched(family, {}))
    return found


def _launched(family: Family, stub: Kernel, words: Sequence[Word]) -> Launched | None:
    """Return a launch in the words of the kernel, of one in the words of its three parameters."""
    if family.trouble:
        return Launched(replace(family, trouble=_renamed(family.trouble)), {})
    said = {p.name: p.name for p in stub.params}  # an argument without a note is a dim by its name
    for note in family.notes:
        bound = _ARG.fullmatch(note.text)
        if bound is not None:
            said[bound[1]] = bound[2]
    #: Names of what nobody knows but that it is the type of a tensor.
    types = {
        n.text.split()[1] for n in family.notes
        if n.text.startswith("assume ") and n.why.startswith("type of the tensor ")
    }  # fmt: skip
    given: dict[str, Given] = {}
    kinds: set[str] = set()
    for p in stub.params:
        if not p.name.endswith(KIND):
            continue
        name = p.name[: -len(KIND)]
        kind, value = said[p.name], _renamed(said[name])
        name = _renamed(name)
        if not re.fullmatch(r"-?\d+", kind):
            kinds |= set(_NAME.findall(kind))
            is_known = kind in types
            given[name] = Given("some tensor" if is_known else "", same=kind)
            continue
        number = int(kind)
        if number == NONE:
            given[name] = Given("none")
        elif number in (NUMBER, TRUTH):
            given[name] = Given("number" if number == NUMBER else "truth", value)
        elif number == UNKNOWN:
            given[name] = Given("", value)
        elif number in (CHOSEN, CHOSEN_OR_GIVEN):
            given[name] = Given("chosen", value, same="" if number == CHOSEN else "given")
        elif number == FLOAT:
            given[name] = Given("float")
        elif number >= WORDS:
            given[name] = Given("word", word=words[number - WORDS])
        else:
            given[name] = Given("tensor", _TYPES.get(number // 32, ""))
    notes = tuple(
        Inferred(_renamed(n.text), n.place, n.why) for n in family.notes if _is_kept(n.text, kinds)
    )
    hidden = {f"{p}{KIND}" for p in given} | kinds
    unknown = tuple(dict.fromkeys(_renamed(u) for u in family.unknown if u not in hidden))
    inner = tuple(_renamed(a) for a in family.inner)
    inner = tuple(
        a for a in inner
        if given[a].kind in ("tensor", "some tensor") or (given[a].kind == "" and given[a].same)
    )  # fmt: skip
    # Of a type that no parameter has, not every number of bytes is one that elements have.
    told = [*(n.text for n in notes), *(g.value or "" for g in given.values())]
    spoken = {name for text in told for name in _NAME.findall(text)}
    unknown += tuple(f"the bytes of elements ({t})" for t in sorted(types & spoken))
    if _is_ambiguous(family):
        trouble = "names of the host's code and of the kernel are mixed up"
        return Launched(replace(family, notes=(), trouble=trouble), {})
    return Launched(replace(family, notes=notes, unknown=unknown, inner=inner), given)


def _is_kept(text: str, kinds: set[str]) -> bool:
    """Does a note speak of more than of what kinds parameters are, and of bytes?"""
    if text.startswith(("arg ", "align ")):
        return False
    names = set(_NAME.findall(text)) - {"assume", "and", "or", "not", "if"}
    return not (text.startswith("assume ") and names and names <= kinds) and not any(
        n.endswith(KIND) for n in names
    )


def _renamed(text: str) -> str:
    text = re.sub(rf"\b(\w+){AT}\b", r"\1", text).replace(" block=(1)", "")
    return re.sub(rf"\b(\w+){OWN}\b", r"\1", text)


def _is_ambiguous(family: Family) -> bool:
    """Would a name of the host's code be one of the kernel's?"""
    names = {name for n in family.notes for name in _NAME.findall(n.text)}
    return any(name.endswith(OWN) and name[: -len(OWN)] in names for name in names)
