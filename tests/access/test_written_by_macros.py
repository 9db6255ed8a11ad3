"""What macros and names of types hide: casts to references, parts of loops, types of enums."""

from __future__ import annotations

import pytest

from symcute.kernel.ir.text import listing
from tests.access.lowered import kernel, lines, program, unsupported

BEFORE = """
#define FLOAT4(v) ((float4&)(v))
#define REF &
#define AS(T, v) (static_cast<T>(v))
#define SAME(v) v
#define WHILE(test) for (; test; )
#define UP(i, n) for (int i = 0; i < n; i++)
#define HEAD ; f[i] < 4.0f;
#define HOLDS(j, i) [j, &i]() mutable { j = 5; i = 6; }
#define COPIES =
#define BYTE : unsigned char
#define FIXED(name) enum name : unsigned char { Z }
using R = float4 &;
enum Hidden BYTE { A };
FIXED(Made);
enum Shown : unsigned char { B };
enum Free { C };
enum [[maybe_unused]] Attributed { E };
struct Base { float x; };
struct Derived : Base { float y; };
struct Is { float x; __device__ operator float &() { return x; } };
__device__ float4 &pick(float *f) { return *(float4 *)f; }
__device__ float4 made(float *f) { return *(float4 *)f; }
template <class T> __device__ void put(float *f, float4 v) { ((T)(f[n_])) = v; }
""".replace("n_", "0")
V = "float4 v = {1, 2, 3, 4}; "
PLAIN = "*(float4 *)&f[0] = v;"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
            ("((float4 &)(f[0])) = v;", PLAIN),
            ("FLOAT4(f[0]) = v;", PLAIN),
            ("SAME(FLOAT4(f[0])) = v;", PLAIN),
            ("((float4 REF)(f[0])) = v;", PLAIN),
            ("((R)(f[0])) = v;", PLAIN),
            ("(R(f[0])) = v;", PLAIN),
            ("(static_cast<R>((float4 &)f[0])) = v;", PLAIN),
            ("AS(R, (R)f[0]) = v;", PLAIN),
            ("(reinterpret_cast<R>(f[0])) = v;", PLAIN),
            ("(reinterpret_cast<float4(&)[1]>(f[0]))[0] = v;", PLAIN),
            ("put<float4 &>(f, v);", PLAIN),
            ("((decltype((v)))(f[0])) = v;", PLAIN),
            ("((R)*f) = v;", PLAIN),
            ("((R)pick(f)) = v;", PLAIN),
            ("((float4 &)pick(f)).x = 5;", "pick(f).x = 5;"),
            ("f[0] = ((float4)pick(f)).x;", "float4 o = pick(f); f[0] = o.x;"),
        ("((R)(f[1] = 1, f[0])) = v;", "f[1] = 1; " + PLAIN),
            ("FLOAT4(f[4]).y = 5;", "((float4 *)&f[4])->y = 5;"),
        ("FLOAT4(f[4]).y += 5;", "((float4 *)&f[4])->y += 5;"),
        ("f[0] = (float)FLOAT4(f[4]).y;", "f[0] = ((float4 *)&f[4])->y;"),
        ("float4 o = FLOAT4(f[4]); o.x = 5;", "float4 o = *(float4 *)&f[4]; o.x = 5;"),
        ("((Base &)*(Derived *)f).x = 5;", "((Derived *)f)->x = 5;"),
        ("Derived d; ((Base &)d).x = 5; f[0] = d.x;", "Derived d; d.x = 5; f[0] = d.x;"),
        ("int i = 3; ((unsigned &)i) = 5; f[i] = 1;",
         "int i = 3; *(unsigned *)&i = 5; f[i] = 1;"),
        ("int i = 3; ((unsigned &)++i) += 5; f[i] = 1;",
         "int i = 3; *(unsigned *)&++i += 5; f[i] = 1;"),
        ("int i = 3; (AS(int &, (int &)i)) = 5; f[i] = 1;", "int i = 3; i = 5; f[i] = 1;"),
        ("float *p = f; ((char *&)p) += 4; *p = 1;",
         "float *p = f; p = (float *)((char *)p + 4); *p = 1;"),
        ("float *p = f; AS(float *, p)[1] = 1; ((char *)p)[4] = 1;",
         "float *p = f; p[1] = 1; *((char *)p + 4) = 1;"),
    ],
)  # fmt: skip
def test_a_cast_to_a_reference_is_to_what_it_refers_to(written: str, meant: str) -> None:
    assert not unsupported(program(V + written, BEFORE))
    assert lines(V + written, BEFORE) == lines(V + meant, BEFORE)


def test_a_cast_that_may_be_to_a_reference_is_not_understood() -> None:
    for_sure = program("Is s; float y = (float)s; f[0] = y;", BEFORE)
    either = program("Is s; ((float &)s) = 5; f[0] = s.x;", BEFORE)
    assert not unsupported(for_sure)
    assert [u.reason for u in unsupported(either)] == ["a cast that may be to a reference"]


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("HOLDS(i, j)", False),
        ("HOLDS(j, i)", True),
        ("[COPIES]() mutable { i = 5; j = 6; }", False),
        ("[REF i, j]() mutable { i = 5; j = 6; }", False),
        ("[&, j]() mutable { i = 5; j = 6; }", True),
        ("[i, &j]() mutable { i = 5; j = 6; }", True),
    ],
)
def test_what_a_lambda_that_a_macro_writes_holds(written: str, known: bool) -> None:
    inside = f"int i = 1, j = 2; auto put = {written}; put(); f[i] = 1; f[j] = 1;"
    found = unsupported(program(inside, BEFORE))
    assert (not found) == known
    assert known or found[0].reason == "what a lambda captures"


@pytest.mark.parametrize(
    "inside",
    [
        "int i = 0; WHILE(i < 4) i++; f[i] = 1;",
        "SAME(int i = 0; for (; i < 4; ) i++; f[i] = 1;)",
        "int i = 0; for (HEAD) i++; f[i] = 1;",
        "int j = 0; for (int i = 0; int k = 3 - i; i++) j += k; f[j] = 1;",
        "int j = 0, i = 0; for (; int k = 3 - i; i++) j += k; f[j] = 1;",
    ],
)
def test_parts_of_a_loop_that_cannot_be_told_apart(inside: str) -> None:
    (found,) = unsupported(program(inside, BEFORE))
    assert found.reason == "a for loop whose parts cannot be told apart"


def test_a_macro_may_write_all_of_a_loop() -> None:
    meant = "for (int i = 0; i < 7; i++) f[i] = 1;"
    assert lines("UP(i, 7) f[i] = 1;", BEFORE) == lines(meant, BEFORE)


@pytest.mark.parametrize(
    ("enum", "one_bit"),
    [("Hidden", False), ("Made", False), ("Shown", False), ("Attributed", False), ("Free", True)],
)
def test_an_enum_has_the_values_of_the_type_that_a_macro_fixes(enum: str, one_bit: bool) -> None:
    found = kernel(f"{BEFORE} __global__ void k(float *f, {enum} e) {{ f[(int)e] = 1; }}")
    assert not unsupported(found)
    assert ("e of 0 to 1" in listing(found)) == one_bit
