"""The types of results, as each operation writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from symcute.frontends.triton.operations import Op
from symcute.frontends.triton.types import Shaped, Unread, read_type

__all__ = ["result_types", "types_of"]


def result_types(op: Op, wanted: int) -> list[Shaped]:
    """Return the types of the results, as an operation writes them. Errors: Unread."""
    words = op.types
    if not wanted:
        return []
    if op.name in ("scf.for", "scf.if"):
        # The types behind the colon of a loop are those of its number.
        return types_of([w for w in words if w not in ("(", ")")])[:wanted]
    if op.name == "tt.make_tensor_descriptor":
        *_, block = types_of(words, bare=True)
        return [Shaped("descriptor", described=block)]
    if op.name == "arith.constant" and not words and op.head in (["true"], ["false"]):
        return [read_type("i1")]
    if "->" in words:
        after = words[words.index("->") + 1 :]
        types = types_of([w for w in after if w not in ("(", ")")])
        return types * wanted if op.name == "tt.split" else types
    if "to" in words:
        return [read_type(words[words.index("to") + 1])]
    types = types_of([w for w in words if w not in ("(", ")")])
    if op.name in ("arith.cmpi", "arith.cmpf"):
        return [types[0].of("i1")]
    if op.name == "tt.load":
        if types[0].pointee is None:
            raise Unread("a load from no pointer")
        return [types[0].of(types[0].pointee)]
    if op.name == "arith.select":
        return [types[-1]]
    if wanted == 1:
        return [types[0]]
    if len(types) == 1:
        return types * wanted
    return types


def types_of(words: Iterable[str], bare: bool = False) -> list[Shaped]:
    """Return the types among words, commas left out; `bare` ones may lack their name."""
    found = []
    for word in words:
        if word == "," or (bare and word in "<>"):  # Triton 3.6 puts a tensor between these
            continue
        if bare and word.startswith("<"):
            word = f"tensor{word}" if re.match(r"<\d+x", word) else word[1:-1]
        found.append(read_type(word))
    return found
