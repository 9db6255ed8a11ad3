"""Is what people paste read as CuTe means it, and does CuTe take what we write of it?

Every paste is compared with offsets worked out here in plain integers, from what it is said to be;
CuTe's headers and its DSL evaluate the pastes of theirs, and both evaluate all that we write.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from ast import literal_eval
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from symcute import to_text
from symcute.claims.language import evaluate, show_value
from symcute.errors import InputError, TextError
from symcute.expr.parser import parse
from symcute.expr.unparse import unparse
from symcute.layout.layout import Layout
from tests.full import some

from . import cpp
from .pastes import ATOMS, CPP, DSL, EVERY, PRINTED, PYTHON, Paste
from .recorded import DSL as DSL_ORACLE
from .recorded import HEADERS, recorded

FORMS = ("cute", "cpp", "dsl", "torch", "triton", "c", "python")
#: Coordinates of one layout that are compared.
MOST = 4096


def value(paste: Paste) -> Any:
    """What the library reads, at the values of the names."""
    text, names, _ = paste
    found = evaluate(text)
    return found.at(names) if names else found


def parts(text: str) -> tuple[tuple[int, int, int], int, Any, Any]:
    """The swizzle, the offset, the shape and the stride that a text states, read without the
    library; a coordinate `3@1` is a pair ("@", 3, 1)."""
    swizzle, offset = (0, 0, 0), 0
    if match := re.match(r"Sw<(\d+),(\d+),(\d+)> o (-?\d+) o ", text):
        b, m, s, offset = map(int, match.groups())
        swizzle, text = (b, m, s), text[match.end() :]
    shape, stride = re.sub(r"(\d+)@(\d+)", r'("@",\1,\2)', text).split(":")
    # `(8)` is a tuple of one where it is printed.
    tuples = [re.sub(r"(?<![\w\"])\((-?\d+)\)", r"(\1,)", t) for t in (shape, stride)]
    return swizzle, offset, literal_eval(tuples[0]), literal_eval(tuples[1])


def modes(shape: Any, stride: Any) -> Iterator[tuple[int, Any]]:
    if isinstance(shape, tuple):
        for s, d in zip(shape, stride, strict=True):
            yield from modes(s, d)
    else:
        yield shape, stride


def offset_at(i: int, text: str) -> Any:
    """What the layout of a text gives at a 1-D coordinate, its first mode fastest."""
    (b, m, s), x, shape, stride = parts(text)
    coordinates: dict[int, int] = {}
    for extent, step in modes(shape, stride):
        i, digit = divmod(i, extent)
        if isinstance(step, tuple):
            coordinates[step[2]] = coordinates.get(step[2], 0) + digit * step[1]
        else:
            x += digit * step
    if coordinates:
        return tuple(coordinates.get(k, 0) for k in range(1 + max(coordinates)))
    return x ^ (x >> s & ((1 << b) - 1) << m)


def test_there_are_fifty_pastes() -> None:
    assert len(EVERY) >= 50
    assert len({text for text, *_ in EVERY}) == len(EVERY)


@pytest.mark.parametrize("paste", some(EVERY, 2), ids=lambda paste: paste[0][:60])
def test_a_paste_is_read_as_what_it_is(paste: Paste) -> None:
    found, expected = value(paste), paste[2]
    assert show_value(found) == expected
    size = int(found.size())
    for i in range(0, size, max(1, size // MOST)):
        given = found(i)
        assert (tuple(given) if isinstance(given, tuple) else given) == offset_at(i, expected), i


@pytest.mark.parametrize("paste", EVERY, ids=[text[:60] for text, *_ in EVERY])
def test_its_canonical_text_says_the_same(paste: Paste) -> None:
    written = unparse(parse(paste[0]))
    assert parse(written) == parse(unparse(parse(written)))
    again = evaluate(written)
    assert show_value(again.at(paste[1]) if paste[1] else again) == paste[2]


@pytest.mark.parametrize(
    "paste", [p for p in EVERY if "@" not in p[2] and "Sw" not in p[2] and "ttg" not in p[0]],
    ids=lambda paste: paste[0][:60],
)  # fmt: skip
def test_the_doors_agree(paste: Paste) -> None:
    """`Layout.parse` and a claim read what `evaluate` reads."""
    text, names, expected = paste
    if "make_ordered_layout" not in text:  # an operation
        found = Layout.parse(text)
        assert str(found.at(names) if names else found) == expected
    inner = re.sub(r"\A\s*((auto|using)\s+)?\w+\s*(=|:)(?=\s)|;\s*\Z", "", text)
    claim = evaluate(f"equal({inner}, {inner})")
    assert claim.layouts()[0] == evaluate(text)


#: What one form or another has no way to say; every other paste comes back in it.
UNSAID = {"cute": 3, "cpp": 3, "dsl": 3, "torch": 44, "triton": 48, "c": 4, "python": 3}


@pytest.mark.parametrize("form", FORMS)
def test_what_is_written_is_read_again(form: str) -> None:
    unsaid = 0
    for paste in EVERY:
        layout = value(paste)
        try:
            text = to_text(layout, form)
        except InputError as error:
            unsaid += 1
            assert error.fix
            continue
        if form in ("cute", "cpp", "dsl"):
            assert evaluate(text) == layout, text
        if form == "torch":
            assert evaluate(text).modes() == layout.modes(), text
        if form == "python":
            size = int(layout.size())
            names: dict[str, Any] = {}
            for i in range(0, size, max(1, size // 50)):
                *before, last = text.splitlines()
                exec("\n".join(before), {"i": i}, names)
                assert eval(last, {"i": i, **names}) == offset_at(i, paste[2]), text
    assert unsaid <= UNSAID[form]


@pytest.mark.parametrize("bits", [1, 2, 4, 8, 16, 32, 64, 128])
@pytest.mark.parametrize("swizzle", [(1, 4, 3), (2, 4, 3), (3, 4, 3), (2, 5, 2)])
def test_a_swizzle_before_a_pointer_counts_bytes(bits: int, swizzle: tuple[int, int, int]) -> None:
    b, m, s = swizzle
    row = 1024 // bits
    found = evaluate(f"Sw<{b},{m},{s}> o smem_ptr[{bits}b](unset) o (_8,_{row}):(_{row},_1)")
    for i in range(0, 8 * row, max(1, row // 64)):
        c, r = divmod(i, 8)
        byte, inside = divmod((r * row + c) * bits, 8)
        moved = byte ^ (byte >> s & ((1 << b) - 1) << m)
        assert found(i) * bits == 8 * moved + inside


@pytest.mark.parametrize("order", ["[1, 0]", "[0, 1]"])
@pytest.mark.parametrize("vec", [1, 4, 8])
@pytest.mark.parametrize("per_phase", [1, 2, 4])
@pytest.mark.parametrize("phases", [1, 2, 8])
def test_a_tile_of_triton_in_shared_memory(
    order: str, vec: int, per_phase: int, phases: int
) -> None:
    """Its map, from the definition of the attribute; and what we write of it is the attribute."""
    fields = f"vec = {vec}, perPhase = {per_phase}, maxPhase = {phases}, order = {order}"
    attribute = f"#ttg.swizzled_shared<{{{fields}}}>"
    rows, columns = (16, 64) if order == "[1, 0]" else (64, 16)
    found = evaluate(f"!ttg.memdesc<{rows}x{columns}xf16, {attribute}, #smem>")
    for i in range(rows):
        for j in range(columns):
            r, c = (i, j) if order == "[1, 0]" else (j, i)
            piece, rest = divmod(c, vec)
            assert found(i, j) == r * 64 + (piece ^ r // per_phase % phases) * vec + rest
    slot = f"!ttg.memdesc<{rows}x{columns}xf16, {attribute}, #smem, mutable, 3x{rows}x{columns}>"
    assert evaluate(slot) == found
    written = to_text(found, "triton")
    assert evaluate(f'triton_layout("{written}", ({rows},{columns}))') == found
    assert phases == 1 or written == attribute


WRONG = [
    "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
    "!ttg.memdesc<8x32xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "
    "order = [1, 0]}>, #smem>",
    "!ttg.memdesc<8x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128}>, #smem>",
    "!ttg.memdesc<8x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "
    "order = [1, 0]}>, #smem, mutable, 8x128>",
    "Sw<3,4,3>_smem_ptr[16b](0x7f8f00000c10) o (_8,_64):(_64,_1)",
    "Sw<3,4,3>_smem_ptr[16b](SMEM_ADDR_A) o ((_128,_16),_1,_4):((_64,_1),_0,_16)",
    "Sw<3,4,3> o smem_ptr[16b](0x100) o (_8,_64):(_64,_1)",
    "Sw<3,0,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
    "Sw<3,4,3> o smem_ptr[6b](unset) o (_8,_64):(_64,_1)",
    "ArithTuple(0,128) o (_8,8):(_1@0,1@1)",
    "(4,?):(?{i64 div=8},1)",
    "Layout<Shape<_4,int>,Stride<_1,_4>>{}",
    "SmemLayoutAtom{}",
    "Foo<half_t>{} + 1",
    "E<-1>{}",
    "GMMA::Layout_K_SW128_Atom<T>{}",
    "GMMA::Layout_K_SW256_Atom<half_t>{}",
    "Swizzle<kSwizzle, 3, 3>{}",
    "Step<_1,X,_1>{}",
    "make_layout(make_shape(8 // rows\n, _4{}))",
    "make_layout(make_shape(M % 8, _4{}))",
    "cute.make_layout((M % 8, 4))",
    "make_layout(make_shape(2,3), make_stride(3))",
    "composition(Layout<_8>{}, Int<4>{}, Layout<_8>{})",
    "(_8):(_1) o _4 o (_4):(_1)",
    "reinterpret_tensor(buf0, (4, 8), (8, 1), 16)",
    "empty_strided_cuda((32, 64), (0.5, 0.015625), torch.float32)",
    "torch.Size([4, 8)]",
    "cute.make_layout((4,8), strides=(8,1))",
    "tensor<ptr<f16, smem, align<1024>, S<3,4,3>> o (8,64):(64,1)>",
    "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>",
    "(4,8):(8,1) (4,8):(8,1)",
]


@pytest.mark.parametrize("text", WRONG, ids=[text[:60] for text in WRONG])
def test_what_is_not_understood_is_an_error_with_its_place(text: str) -> None:
    with pytest.raises(TextError) as error:
        evaluate(text)
    assert 0 <= error.value.position <= len(text)


# --- the headers ------------------------------------------------------------------------------


def said_by_headers(name: str, calls: list[str]) -> list[str]:
    """What CuTe prints for expressions, without the underscores of its static integers."""
    said = recorded(name, HEADERS, calls, lambda: printed_by_cute(calls))
    return [re.sub(r"_(?=-?[0-9])", "", text) for text in said]


def printed_by_cute(calls: list[str]) -> list[str]:
    lines = "\n".join(f'print({call}); printf("\\n");' for call in calls)
    source = f"{cpp.INCLUDES}using namespace cute;\nint main() {{\n{lines}\n}}\n"
    with tempfile.TemporaryDirectory() as folder:
        errors = cpp.compile_program(source, Path(folder))
        assert not errors, errors[:2000]
        run = subprocess.run(
            [Path(folder) / "program"], capture_output=True, text=True, check=True, timeout=60
        )
    return run.stdout.splitlines()


def as_call(paste: Paste) -> str:
    """A paste as an expression of C++, numbers for its names."""
    text = re.sub(r"\A\s*(auto|using)\s+\w+\s*=|;\s*\Z", "", paste[0])
    for name, number in paste[1].items():
        text = re.sub(rf"\b{name}\b", str(number), text)
    text = " ".join(text.split())
    is_type = text.startswith(("Layout<", "cute::Layout<", "decltype")) and text[-1] in ">)"
    return f"{text}{{}}" if is_type else text


def test_cute_evaluates_the_pastes_of_cpp_as_we_read_them() -> None:
    said = said_by_headers("pasted_cpp", [as_call(p) for p in CPP])
    assert said == [p[2] for p in CPP]


def test_the_headers_take_what_we_write() -> None:
    layouts = [(p, value(p)) for p in EVERY if "@" not in p[2]]
    calls = list(dict.fromkeys(to_text(layout, "cpp") for _, layout in layouts))
    said = dict(zip(calls, said_by_headers("pasted_back", calls), strict=True))
    for paste, layout in layouts:
        assert said[to_text(layout, "cpp")] == paste[2]


# --- the DSL ----------------------------------------------------------------------------------

PROGRAM = """
import os, sys
import cutlass, cutlass.cute as cute

@cute.jit
def run():
{lines}
    sys.stdout.flush()
    os._exit(0)

run()
"""


def said_by_dsl(name: str, texts: list[str]) -> list[str]:
    return recorded(name, DSL_ORACLE, texts, lambda: run_by_dsl(texts))


def run_by_dsl(texts: list[str]) -> list[str]:
    lines = "\n".join(f"    print({text})" for text in texts)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(PROGRAM.format(lines=lines))
        run = subprocess.run(
            [sys.executable, path], capture_output=True, text=True, timeout=300, env=os.environ
        )
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout.splitlines()


def test_the_dsl_evaluates_its_pastes_as_we_read_them() -> None:
    texts = []
    for text, names, _ in DSL:
        text = re.sub(r"\A\w+ = ", "", " ".join(text.split()))
        for name, number in names.items():
            text = re.sub(rf"\b{name}\b", str(number), text)
        texts.append(text)
    for said, paste in zip(said_by_dsl("pasted_dsl", texts), DSL, strict=True):
        assert said.replace("S<", "Sw<") == paste[2]
        assert show_value(evaluate(said)) == paste[2]


def test_the_dsl_takes_what_we_write() -> None:
    layouts = [(p, value(p)) for p in (*PRINTED, *CPP, *ATOMS, *PYTHON) if "@" not in p[2]]
    texts = list(dict.fromkeys(to_text(layout, "dsl") for _, layout in layouts))
    said = dict(zip(texts, said_by_dsl("pasted_to_dsl", texts), strict=True))
    for paste, layout in layouts:
        assert said[to_text(layout, "dsl")].replace("S<", "Sw<") == paste[2]
