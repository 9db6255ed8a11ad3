"""Unsound variants of all lemmas and ways of settling: each is rejected, for its reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from symcute import checker as core
from symcute.recheck import check

from . import brute_data
from .brute import counterexample
from .certificates import (
    ACCEPTED,
    BOX,
    EVALUATE,
    FIRST,
    MERGED,
    MN,
    ONE,
    RESIDUES,
    Document,
    V,
    W,
    agree,
    chain,
    formula,
    make,
    mod,
    part,
    sign,
    together,
    witness,
)

TRUE = ["solver", "z3", "4.13.0"]

#: What is wrong, a certificate, words of the reason for which it is rejected, whether the statement
#: is false (and so must be rejected whatever stands in the certificate).
UNSOUND: dict[str, tuple[Document, str, bool]] = {
    # --- ranges, cuts, alternatives -----------------------------------------------------------
    "range: one too few": (
        formula("B*4 + T < 3*4 - 1", ["range", ["B", "T"]],
                given=("0 <= B", "B < 3", "0 <= T", "T < 4")), "ranges do not show it", True),
    "range: a guard dropped": (
        formula("B*256 + T < 12*256", ["range", []], given=("0 <= B", "0 <= T", "T < 256")),
        "ranges do not show it", True),
    "range: a lower bound dropped, so that it is that of a dim": (
        formula("0 <= A + T", ["range", []], given=("-5 <= T", "T < 256")),
        "ranges do not show it", True),
    "range: a quotient of what may be negative, rounded towards 0": (
        formula("0 <= (T - 5) // 8", ["range", ["T"]], given=("0 <= T", "T < 8")),
        "ranges do not show it", True),
    "range: a divisor that may be 0": (
        make("M // N <= M", part("formula", [["range", []]]), given=("N >= 0",),
             sense=[["range", []]]), "defined", True),
    "range: a padding of none": (
        formula("T // 8*8 + T % 8 != 8", ["range", ["T"]], given=("0 <= T", "T < 64")),
        "ranges do not show it", True),
    "range: a box that is not bounded": (
        formula("M*M != 4*M", ["range", ["M"]]), "ranges do not show it", True),
    "range: a dim of no statement": (
        formula("M <= 7", ["range", ["Z"]], given=("M <= 6",)), "none of the statement", False),
    "range: no list": (
        formula("M <= 7", ["range", "M"], given=("M <= 6",)), "is no list", False),
    "range: two parts left": (
        formula("M <= 7", ["range", ["N"]], given=("N < 6", "(N > 1 and M < 99) or M < 8")),
        "ranges do not show it", True),
    "cut: what is cut in is not proved": (
        formula("M <= K", ["cut", "M <= N", W, ["given", 0]], "M from 1; N from 1; K from 1",
                given=("N <= K",)), "the sum does not show it", True),
    "cut: used in its own proof": (
        formula("M <= N", ["cut", "M <= N", ["given", 0], ["given", 0]]), "no number from 0", True),
    "cut: a quotient": (
        formula("M <= N", ["cut", "M/N <= 1", W, W], "M from 1; N from 1"), "has a quotient", True),
    "cut: a divisor that may be 0": (
        formula("N*K <= M", ["cut", "0 <= M // (K*N)", W, W], "M from 1; N from 0; K from 1",
                given=("N >= 0",)), "may be 0", True),
    "cut: a half that may be 0": (
        formula("N*K <= M", ["cut", "0 <= M // (K // 2)", W, W], "M from 1; N from 1; K from 1"),
        "may be 0", True),
    "cut: half of what is negative": (
        formula("N*K <= M", ["cut", "0 <= M // (K // 2)", W, W], "M from 1; N from 1; K from -4",
                given=("K >= -4",)), "may be 0", True),
    "cut: a part by a number that is not positive": (
        formula("N*K <= M", ["cut", "0 <= M // (K // (-2))", W, W], "M from 1; N from 1; K from 2",
                given=("K >= 2",)), "may be 0", True),
    "cut: a divisor that is no product": (
        formula("N*K <= M", ["cut", "0 <= M // (K + N)", W, W], "M from 1; N from 1; K from 1"),
        "may be 0", True),
    # --- claims joined ------------------------------------------------------------------------
    "one: none of them": (
        make("in_bounds(M:2, M) or injective(M:2)", ONE | {"which": 2, "rest": chain([W], [0])},
             ways=("M from 1",), sense=[W, W]), "no number from 0 to 1", False),
    "one: of claims that are false": (
        make("in_bounds(M:2, M) or injective(M:0)", ONE | {"rest": chain([W], [0])},
             ways=("M from 1",), sense=[W, W]), "the sum does not show it", True),
    "one: the proof of another": (
        make("in_bounds(M:2, M) or injective(M:2)", ONE | {"which": 0, "rest": chain([W], [0])},
             ways=("M from 1",), sense=[W, W]), "no lemma for it", False),
    "one: of relations that do not hold": (
        make("M <= 3 or injective(M:0)", ONE | {"which": 0, "rest": part("formula", [W])},
             ways=("M from 1",), sense=[W]), "the sum does not show it", True),
    "one: a case left out": (
        make("injective((M,N):(P,1)) or P < N - 1", ways=(MN + "; P from N", MN + "; P from 1"),
             proof={"case": "P < N", "then": {"defined": [V, V], "parts": [ONE | {
                 "rest": part("formula", [["given", 0]])}]}, "else": {
                 "defined": [W, W], "parts": [ONE | {"which": 0, "rest": chain([W, W], [1, 0])}]}}),
        "case 0 of", True),
    "denial: of a claim that is not there": (
        make("injective(M:2) or not injective(M:0)", part("denial", [], which=1),
             ways=("M from 1",), sense=[W, W]), "denies none of the others", False),
    "denial: of one that denies nothing": (
        make("injective(M:0) or not in_bounds(M:0, 1)", part("denial", [], which=0),
             ways=("M from 1",), sense=[W, W]), "denies none of the others", True),
    "denial: of nearly the same": (
        make("in_bounds(M:1, M - 1) or not in_bounds(M:1, M)", part("denial", [], which=1),
             ways=("M from 1",), sense=[W, W]), "denies none of the others", True),
    "missing: a number that is there": (
        make("not covers(M:1, M)", part("missing", [W, W], at=["M - 1"], rest=part(
            "beyond", [W, W, W], below=0, signs=[1, 1])), ways=("M from 1",), sense=[W]),
        "the sum does not show it", True),
    "missing: a number that is the bound": (
        make("not covers(M:1, M)", part("missing", [W, W], at=["M"], rest=part(
            "beyond", [W, W, W], below=0, signs=[1, 1])), ways=("M from 1",), sense=[W]),
        "the sum does not show it", True),
    "missing: a number below 0": (
        make("not covers(M:1, M)", part("missing", [W, W], at=["0 - 1"], rest=part(
            "beyond", [W, W, W], below=1, signs=[1, 1])), ways=("M from 1",), sense=[W]),
        "the sum does not show it", True),
    "missing: of a claim that is not about covering": (
        make("not injective(M:1)", part("missing", [W, W], at=["M"], rest=part(
            "beyond", [W, W, W], below=0, signs=[1, 1])), ways=("M from 1",), sense=[W]),
        "no number is missing", True),
    "witness: beyond the extent": (
        make("not injective((M,N):(N,1))",
             witness([W] * 9 + [["or", 0, ["or", 1, W]]], [1, 0], [0, "N"]),
             given=("M >= 2",), ways=("M from 2; N from 1",), sense=[W, W]),
        "the sum does not show it", True),
    "witness: below 0": (
        make("not injective((M,N):(N,1))",
             witness([W] * 9 + [["or", 0, ["or", 1, W]]], [1, "0 - N"], [0, 0]),
             given=("M >= 2",), ways=("M from 2; N from 1",), sense=[W, W]),
        "the sum does not show it", True),
    "witness: a coordinate and itself": (
        make("not injective((M,N):(N,1))",
             witness([W] * 9 + [["or", 0, ["or", 1, W]]], [1, 0], [1, 0]),
             given=("M >= 2",), ways=("M from 2; N from 1",), sense=[W, W]),
        "the sum does not show it", True),
    "witness: an extent that may be 1": (
        make("not injective((M,N):(N - 1,1))",
             witness([W] * 9 + [["or", 0, ["or", 1, W]]], [1, 0], [0, "N - 1"]),
             given=("N >= 2",), ways=("M from 1; N from 2",), sense=[W, W]),
        "the sum does not show it", True),
    "witness: one that a guard keeps out": (
        make("not injective((M,4):(1,1), where((M,4):(1,M), M))",
             witness([W] * 11 + [["or", 0, ["or", 1, W]]], [1, 0], [0, 1]),
             given=("M >= 2",), ways=("M from 2",), sense=[W, W]),
        "the sum does not show it", True),
    "witness: in bounds after all": (
        make("not in_bounds((M,N):(N,1), M*N)",
             witness([W] * 4 + [["or", 1, W]], ["M - 1", "N - 1"]),
             ways=(MN,), sense=[W, W]), "the sum does not show it", True),
    "witness: other indices": (
        make("not equal((M,N):(N,1), (M,N):(N,1))",
             ONE | {"rest": witness([W] * 9 + [["or", 1, W]], [1, 0], [0, 1])},
             given=("M >= 2", "N >= 2"), ways=("M from 2; N from 2",), sense=[W] * 4),
        "the sum does not show it", True),
    "witness: against a chain": (
        make("not is_right_inverse(M:1, M:1)", witness([W] * 5, [0], [0]), ways=("M from 1",),
             sense=[W, W]), "no witness against", True),
    "witness: against what has none": (
        make("not covers(M:1, M)", witness([W] * 2, [0]), ways=("M from 1",), sense=[W]),
        "no witness against covers", True),
    "denied: requests": (
        make("not coalesced(access((32,M):(1,32), 32))", EVALUATE, sense=["-"]),
        "denied of what it cannot be said of", True),
    "witness: against what is swizzled": (
        make("not in_bounds(Sw<1,0,1> o 3 o 1:0, 3)", witness(["-", "-", ["or", 1, "-"]], [0])),
        "no witness against in_bounds", True),
    "witness: against disjoint, the offset 0": (
        make("not disjoint(M:2, N:3)", witness([W] * 5 + [W], [0], [0]), ways=(MN,), sense=[W, W],
             given=("M >= 2", "N >= 2")), "the sum does not show it", False),
    "witness: against apart, without the shift": (
        make("not apart(2:2, 2:2, 5)", witness(["-"] * 5, [1], [1])), "obligation 4", True),
    "witness: at an offset, in bounds after all": (
        make("not in_bounds(Sw<0,0,0> o 1 o 4:1, 5)", witness(["-", "-", ["or", 1, W]], [3])),
        "the sum does not show it", True),
    "witness: an offset that is left out": (
        make("not in_bounds(Sw<0,0,0> o -2 o 4:1, 3)", witness(["-", "-", ["or", 1, W]], [3])),
        "the sum does not show it", False),
    "denied: an exact search": (
        make("not injective((1000,1000):(1000,1))", EVALUATE,
             rests_on=("arithmetic", "exact search")), "too many to evaluate", False),
    "denied: a solver": (
        make("not injective((M,N):(N,1))", {"lemma": "solver", "solver": "z3", "version": "4"},
             ways=(MN,), sense=[W, W], rests_on=("arithmetic", "solver z3 4")),
        "no lemma for it", True),
    "denied: evaluated, and true": (
        make("not injective((4,8):(8,1))", EVALUATE), "the claim is false", True),
    "cut: other dims": (
        formula("M <= N", ["cut", "Z <= 1", W, W], "M from 1; N from 1"), "other dims", True),
    "either: one part left out": (
        formula("2 <= M*N", ["either", 0, [W]], "M from 2; N from 1", given=("M >= 2 or N >= 1",)),
        "no list of 2", True),
    "either: the wrong part": (
        formula("2 <= M*N", ["either", 0, [W, W]], "M from 2; N from 1",
                given=("M >= 2 or N >= 1",)), "definition", True),
    "either: an assumption without parts": (
        formula("2 <= M", ["either", 0, [W]], "M from 1", given=("M >= 1",)), "no parts", True),
    # --- lemmas -------------------------------------------------------------------------------
    "chain: a mode left out": (
        make("injective((M,N):(1,0))", chain(["-"], [0], [1, 1]), ways=(MN,), sense=[W, W]),
        "leaves a mode out", True),
    "chain: a mode twice": (
        make("injective((M,N):(1,0))", chain(["-", "-"], [0, 0]), ways=(MN,), sense=[W, W]),
        "twice", True),
    "chain: > for >=, a stride one too small": (
        make("injective((M,N):(1,M-1))", chain(["-", W], [0, 1]), ways=(MN,), sense=[W, W]),
        "obligation 1", True),
    "chain: stride 0 with an extent that may exceed 1": (
        make("injective((M,N):(1,0))", chain(["-", W], [0, 1]), ways=(MN,), sense=[W, W]),
        "obligation 1", True),
    "chain: a sign that is none": (
        make("injective(M:0)", chain(["-"], [0], [0]), ways=("M from 1",), sense=[W]),
        "a sign is 1 or -1", True),
    "equal: behind the same swizzle other offsets": (
        make("equal(Sw<1,0,1> o M o (M,N):(1,M), Sw<1,0,1> o N o M*N:1)", part("formula", ["-"]),
             part("formula", [W]), agree(MERGED, FIRST, ["-"] * 5),
             ways=(MN,), sense=[W] * 3), "part 1", True),
    "equal: different swizzles taken off": (
        make("equal(Sw<1,0,1> o 0 o (M,N):(1,M), Sw<1,0,2> o 0 o M*N:1)", part("formula", ["-"]),
             agree(MERGED, FIRST, ["-"] * 5),
             ways=(MN,), sense=[W] * 3), "not swizzled", True),
    "equal: a swizzle taken off on one side": (
        make("equal(Sw<1,0,1> o 0 o (M,N):(1,M), M*N:1)", part("formula", ["-"]),
             part("formula", ["-"]), agree(MERGED, FIRST, ["-"] * 5),
             ways=(MN,), sense=[W] * 3), "is no list of 2 items", True),
    "equal: evaluated, and different": (
        make("equal(Sw<1,0,2> o 0 o 8:1, 8:1)", EVALUATE, EVALUATE), "false", True),
    "compact: a swizzle out of the modes that count": (
        make("compact(Sw<2,0,-2> o 0 o (4,2,N):(1,4,0))", EVALUATE, EVALUATE,
             ways=("N from 1",), sense=[W]), "false", True),
    "residues: a residue that is not assumed": (
        make("bank_conflict(access(32:LD, 32), 1)", RESIDUES, ways=("LD residue 32 1",)),
        "is no step", True),
    "residues: classes that conflict": (
        make("bank_conflict(access(32:LD, 32), 1)", RESIDUES, given=("mod(LD, 6) == 3",),
             ways=("LD from 1",)), "residues do not show it", False),
    "residues: a class left out": (
        make("bank_conflict(access(32:LD, 32), 1)", RESIDUES, ways=("LD from 1",)),
        "residues do not show it", True),
    "residues: one way too few": (
        make("bank_conflict(access(32:LD, 32), 31)", RESIDUES, given=("LD % 32 == 0",),
             ways=("LD times 32",)), "residues do not show it", True),
    "residues: one way too many at least": (
        make("bank_conflict(access(32:LD, 32), 32, 2)", RESIDUES, given=("mod(LD, 2) == 1",),
             ways=("LD residue 2 1",)), "residues do not show it", True),
    "residues: a padding of half a vector": (
        make("bank_conflict(access(8:LD, 16, 128), 1)", RESIDUES, given=("mod(LD, 64) == 4",),
             ways=("LD residue 64 4",)), "residues do not show it", True),
    "residues: a base that is not aligned": (
        make("bank_conflict(access(32:2, 32, 64, B), 1)", RESIDUES, ways=("B from 1",)),
        "residues do not show it", True),
    "residues: lanes that may go in pairs": (
        make("bank_conflict(access(((2,8,2),1):((0,1,LD),0), 64), 1)", RESIDUES,
             given=("LD % 16 == 0",), ways=("LD times 16",)), "residues do not show it", True),
    "evaluate: lanes that go in pairs": (
        make("bank_conflict(access(((2,8,2),1):((0,1,16),0), 64), 1)", EVALUATE), "false", True),
    "residues: bits that the swizzle reads above those it changes": (
        make("bank_conflict(access(Sw<3,3,3> o 64*s o 2:72, 16, 128), 2, 2)", RESIDUES,
             ways=("s from 1",)), "residues do not show it", True),
    "residues: lanes nearer than a sector counted as far": (
        make("sectors(access(32:LD, 32), 32, 32)", RESIDUES, given=("7 <= LD",),
             ways=("LD from 7",)), "residues do not show it", True),
    "residues: lanes that a swizzle brings nearer": (
        make("sectors(access(Sw<1,0,-3> o 0 o 2:LD, 32), 2, 2)", RESIDUES, given=("8 <= LD",),
             ways=("LD from 8",)), "residues do not show it", True),
    "residues: rows that begin at half a sector": (
        make("coalesced(access((32,R):(1,LD), 32))", RESIDUES, given=("LD % 4 == 0",),
             ways=("R from 1; LD times 4",), sense=[W]), "residues do not show it", True),
    "residues: too many classes": (
        make("bank_conflict(access(Sw<3,0,29> o M o 32:1, 8), 32)", RESIDUES, ways=("M from 1",)),
        "too much work", False),
    "residues: more lanes than a warp has": (
        make("bank_conflict(access(64:1, 32), 2)", EVALUATE), "more than a warp", False),
    "residues: lanes of any number": (
        make("bank_conflict(access(M:1, 32), 1)", RESIDUES, ways=("M from 1",), sense=[W]),
        "none from 0 on", False),
    "residues: an element that is none": (
        make("bank_conflict(access(32:1, 12), 8)", EVALUATE), "elements of 12 bits", False),
    "residues: an access wider than shared memory takes": (
        make("bank_conflict(access(4:8, 32, 256), 1)", EVALUATE), "in shared memory", False),
    "residues: another lemma": (
        make("bank_conflict(access(32:1, 32), 1)", chain(["-"], [0])), "is no lemma for it", False),
    "evaluate: a conflict": (
        make("bank_conflict(access((32,32):(32,1), 32), 31)", EVALUATE), "false", True),
    "vectorizable: a swizzle inside vectors": (
        make("vectorizable(Sw<3,2,3> o 0 o (8,8):(1,8), 16, 128)", part("formula", [["and",
             ["-", "-", ["or", 1, "-"], "-"]]])), "is no lemma for it", True),
    "vectorizable: a swizzle of vectors that only the base aligns": (
        make("vectorizable(Sw<1,3,3> o 7 o (64,M):(1,64), 16, 128, 1)", part("formula", [["and",
             ["-", "-", ["or", 1, "-"], "-"]]]), sense=[W], ways=("M from 1",)),
        "is no lemma for it", True),
    "vectorizable: a base that is not aligned": (
        make("vectorizable((8,M):(1,8), 16, 128, B)", part("formula", [["and",
             ["-", "-", ["or", 1, "-"], W]]]), ways=("M from 1; B from 1",), sense=[W]),
        "obligation 0", True),
    "vectorizable: vectors of mixed modes": (
        make("vectorizable((4,M):(1,8), 16, 128)", part("formula", [["and",
             ["-", "-", ["or", 1, "-"], "-"]]]), ways=("M from 1",), sense=[W]),
        "obligation 0", True),
    "vectorizable: a vector of three elements": (
        make("vectorizable(6:1, 16, 48)", EVALUATE), "vectors of 48 bits", False),
    "mod: an extent that may exceed 1 left out": (
        make("injective((M,K):(1,0))", mod(["-"] * 5, "1", [0], ["1", "0"], chain([W], [0]),
             chain(["-"], [0]), [1]), ways=("M from 1; K from 1",), sense=[W, W]),
        "outer: obligation 0", True),
    "mod: a factor of 0": (
        make("injective((M,N):(0,0))", mod([W, "-", "-", W], "0", [0, 1], ["1", "M"],
             chain([], []), chain(["-", W], [0, 1]), []), ways=(MN,), sense=[W, W]),
        "obligation 0", True),
    "mod: a factor that may be 0": (
        make("injective((M,N):(P,P*M))", mod([W, "-", "-", W], "P", [0, 1], ["1", "M"],
             chain([], []), chain(["-", W], [0, 1]), []), given=("0 <= P",),
             ways=(MN + "; P from 0",), sense=[W, W]), "obligation 0", True),
    "mod: reach g instead of g - 1": (
        make("injective((3,2):(1,2))", mod(["-"] * 5, "2", [1], ["1", "1"], chain(["-"], [0]),
             chain(["-"], [0]), [1]), sense=[]), "obligation 4", True),
    "mod: residues of another stride": (
        make("injective((2,2):(2,2))", mod(["-"] * 5, "2", [1], ["1", "1"], chain(["-"], [0]),
             chain(["-"], [0]), [1]), sense=[]), "obligation 1", True),
    "mod: signs that hide the reach": (
        make("injective((3,3,2):(1,-1,4))", mod(["-"] * 7, "4", [2], ["1", "-1", "1"],
             chain(["-", "-"], [0, 1], [1, 1]), chain(["-"], [0]), [1, 1]), sense=[]),
        "obligation 5", True),
    "mod: residues on both sides that reach g": (
        make("injective((3,3,2):(1,-1,4))", mod(["-"] * 7, "4", [2], ["1", "-1", "1"],
             chain(["-", "-"], [0, 1], [1, 1]), chain(["-"], [0]), [1, -1]), sense=[]),
        "obligation 6", True),
    "mod: an outer part that is false": (
        make("injective((3,2):(2,2))", mod(["-"] * 5, "2", [1], ["0", "1"], EVALUATE,
             chain(["-"], [0]), [1]), sense=[]), "outer: the claim is false", True),
    "mod: modulus 0": (
        make("injective((2,2):(1,1))", mod(["-"] * 6, "0", [], ["1", "1"],
             chain(["-", "-"], [0, 1]), chain([], []), [1, 1]), sense=[]), "obligation 0", True),
    "mod: a mode both inside and out": (
        make("injective((2,2):(1,1))", mod(["-"] * 5, "1", [0, 0], ["1", "1"],
             chain(["-"], [0]), chain(["-"], [0]), [1]), sense=[]), "twice", True),
    "mod: strides that are not coprime": (
        make("injective((3,5):(4,2))", mod(["-"] * 5, "2", [1], ["1", "1"], chain(["-"], [0]),
             chain(["-"], [0]), [1]), sense=[]), "obligation 1", True),
    "mod: what is times u taken for what is not": (
        make("injective((2,2):(2,2))", mod(["-"] * 5, "2", [1], ["4", "1"], chain(["-"], [0]),
             chain(["-"], [0]), [1], "2"), sense=[]), "obligation 4", True),
    "mod: the inner strides u times": (
        make("injective((2,2):(1,1))", mod(["-"] * 5, "2", [1], ["0", "1"], EVALUATE,
             chain(["-"], [0]), [1], "2"), sense=[]), "obligation 2", True),
    "mod: the bound of the other mode": (
        make("injective((4,3):(2,3))", mod(["-"] * 5, "3", [1], ["1", "1"], chain(["-"], [0]),
             chain(["-"], [0]), [1], "-1"), sense=[]), "obligation 4", True),
    "mod: a fraction as u": (
        make("injective((2,3):(4,2))", mod(["-"] * 5, "2", [1], ["1", "1"], chain(["-"], [0]),
             chain(["-"], [0]), [1], "1/4"), sense=[]), "proofs", True),
    "bounds: an offset one short": (
        make("in_bounds(Sw<0,0,0> o N - 2 o N:-1, N)", part("bounds", [W, W, W], signs=[-1]),
             ways=("N from 1",), sense=[W]), "obligation 1", True),
    "bounds: an end one too far": (
        make("in_bounds(Sw<0,0,0> o N o N:-1, N)", part("bounds", [W, W, W], signs=[-1]),
             ways=("N from 1",), sense=[W]), "obligation 2", True),
    "bounds: of what is swizzled": (
        make("in_bounds(Sw<1,0,1> o 0 o 3:1, 3)", part("bounds", ["-"] * 3, signs=[1])),
        "not swizzled", True),
    "swizzle: a bound beyond the size": (
        make("in_bounds(Sw<0,0,0> o N - 1 o N:-1, N - 1)",
             part("swizzle", [W, W], bound="N", rest=part("bounds", [W, W, W], signs=[-1])),
             ways=("N from 1",), sense=[W]),
        "obligation 1", True),
    "swizzle: at an offset, a bound that is no multiple of the period": (
        make("in_bounds(Sw<1,0,1> o M - 1 o M:-1, M)",
             part("swizzle", [W, "-"], bound="M", rest=part("bounds", [W, "-", "-"], signs=[-1])),
             ways=("M from 1",), sense=[W]),
        "obligation 0", True),
    "classes: a residue left out": (
        formula("(M**3 - M) % 24 == 0", ["classes", []]), "each class", True),
    "classes: by what is not assumed so": (
        formula("M*M % 8 == 1", ["classes", [0]], given=("M % 3 == 1",)), "each class", True),
    "classes: an assumption that knows more than remainders": (
        formula("M*M % 8 == 1", ["classes", [0]], given=("M <= 8",)), "outside", True),
    "classes: a dim beside its remainder": (
        formula("M % 4 <= M", ["classes", []], given=("M <= 4",)), "outside", False),
    "classes: a quotient": (
        formula("M // 2 % 2 == 0", ["classes", []]), "outside", True),
    "classes: a divisor that is a dim": (
        formula("(M*N + M) % N == M % N", ["classes", []], MN, sense=[W, W]), "no number", False),
    "powers: twice as large": (
        formula("B % A == 0", ["powers", W], "B from 1; A from B", given=(
            "pow2(A)", "pow2(B)", "A >= B")), "obligation 0", True),
    "powers: of what is none": (
        formula("B % A == 0", ["powers", W], "A from 1; B from A", given=("pow2(B)", "A <= B")),
        "obligation 0", True),
    "swizzle: a bound that is no multiple of the period": (
        make("in_bounds(Sw<1,0,1> o 0 o M:1, M)", part("swizzle", [W, "-"], bound="M",
             rest=part("bounds", [W, "-", "-"], signs=[1])), ways=("M from 1",), sense=[W]),
        "obligation 0", True),
    "swizzle: the period of the field that is read": (
        make("in_bounds(Sw<1,0,-1> o 0 o 2*M:1, 2*M)", part("swizzle", [W, "-"],
             bound="2*M", rest=part("bounds", [W, "-", "-"], signs=[1])), ways=("M from 1",),
             sense=[W]),
        "obligation 0", True),
    "swizzle: a multiple above the bound": (
        make("in_bounds(Sw<1,0,1> o 0 o 3:1, 3)", part("swizzle", ["-"] * 2, bound="4",
             rest=part("bounds", ["-"] * 3, signs=[1]))), "obligation 1", True),
    "swizzle: an offset below 0": (
        make("in_bounds(Sw<1,0,1> o -1 o 3:1, 4)", part("swizzle", ["-"] * 2, bound="4",
             rest=part("bounds", ["-"] * 3, signs=[1]))), "rest: obligation 1", True),
    "swizzle: an offset that goes beyond": (
        make("in_bounds(Sw<1,0,1> o 2 o 4:1, 4)", part("swizzle", ["-"] * 2, bound="4",
             rest=part("bounds", ["-"] * 3, signs=[1]))), "rest: obligation 2", True),
    "swizzle: evaluated without the swizzle": (
        make("in_bounds(Sw<2,0,2> o 0 o 13:1, 13)", {"lemma": "evaluate"}), "false", True),
    "swizzle: fields that overlap": (
        make("injective(Sw<2,0,1> o 0 o 4:1)", {"lemma": "evaluate"}), "is no swizzle", False),
    "swizzle: a claim that takes none": (
        make("covers(Sw<2,0,2> o 0 o 16:1, 16)", {"lemma": "evaluate"}), "is no layout", False),
    "merge: a rest of another extent": (
        make("injective((2,P):(1,1), where((2,P):(1,2), M))",
             part("merge", ["-"] * 3, guard=0, modes=[0, 1], rest=chain(["-"], [0])),
             ways=("P from 1",), sense=[W, W]), "obligation 1", True),
    "merge: another mode in the guard": (
        make("in_bounds((4,P,Q):(1,4,0), M, where((4,P,Q):(1,4,-9), M))",
             part("merge", ["-"] * 4, guard=0, modes=[0, 1],
                  rest=part("bounds", [W, "-", "-", W], signs=[1, 1])),
             ways=("M from 1; P from 1; Q from 1",), sense=[W] * 4), "obligation 3", True),
    "merge: the other guard counts otherwise": (
        make("injective((4,P):(1,4), where((4,P):(1,4), M), where((4,P):(1,0), 2))",
             part("merge", ["-"] * 4, guard=0, modes=[0, 1], rest=chain(["-"], [0])),
             ways=("P from 1",), sense=[W] * 3), "obligation 3", False),
    "merge: one mode": (
        make("in_bounds((4,P):(1,4), M, where((4,P):(1,0), M))",
             part("merge", ["-", "-"], guard=0, modes=[0],
                  rest=part("bounds", ["-"] * 4, signs=[1, 1])), ways=("P from 1",),
             sense=[W, W]), "two modes or more", True),
    "given bound: other strides": (
        make("in_bounds((128,P):(2,128), M, where((128,P):(1,128), M))",
             part("given bound", ["-"] * 6, guard=0), ways=("P from 1",), sense=[W, W]),
        "obligation 0", True),
    "given bound: of what is swizzled": (
        make("in_bounds(Sw<1,0,1> o 0 o 4:1, M, where(4:1, M))",
             part("given bound", ["-"] * 4, guard=0), ways=("M from 1",), sense=[]),
        "not swizzled", True),
    "given bound: at an offset": (
        make("in_bounds(Sw<0,0,0> o 1 o 4:1, M, where(4:1, M))",
             part("given bound", ["-", "-", "-", W], guard=0), ways=("M from 1",), sense=[]),
        "obligation 3", True),
    "given bound: no guard": (
        make("in_bounds((128,P):(1,128), M)", part("given bound", ["-"] * 5, guard=0),
             ways=("P from 1",), sense=[W]), "0 to -1", True),
    "bounds: a sign turned": (
        make("in_bounds((M,N):(1,-1), M)", part("bounds", [W, W, "-", "-"], signs=[1, 1]),
             ways=(MN,), sense=[W, W]), "obligation 1", True),
    "bounds: the lowest offset is below 0": (
        make("in_bounds((M,N):(1,-1), M)", part("bounds", [W, W, W, "-"], signs=[1, -1]),
             ways=(MN,), sense=[W, W]), "obligation 2", True),
    "bounds: one too small": (
        make("in_bounds((M,N):(1,M), M*N - 1)", part("bounds", [W, W, "-", "-"], signs=[1, 1]),
             ways=(MN,), sense=[W, W]), "obligation 3", True),
    "cover: a gap": (
        make("covers((M,N):(1,M+1), M)", part("cover", ["-", "-", W, W, W], order=[0, 1]),
             ways=(MN,), sense=[W, W]), "obligation 3", False),
    "cover: a mode twice": (
        make("covers(2:1, 3)", part("cover", ["-"] * 5, order=[0, 0]), sense=[]), "twice", True),
    "cover: a negative stride": (
        make("covers((2,3):(1,-1), 4)", part("cover", ["-"] * 5, order=[0, 1]), sense=[]),
        "obligation 2", True),
    "beyond: touching": (
        make("apart(M:1, N:1, M-1)", part("beyond", [W, W, "-"], below=0, signs=[1, 1]),
             ways=(MN,), sense=[W, W]), "obligation 2", True),
    "beyond: the shift on the wrong side": (
        make("apart(M:1, N:1, -M)", part("beyond", [W, W, "-"], below=0, signs=[1, 1]),
             ways=(MN,), sense=[W, W]), "obligation 2", True),
    "offset mod: the modulus divides (s-1)*(d-r) only": (
        make("apart(3:1, 1:0, 1)", part("offset mod", ["-"] * 8, modulus="2", rho="1",
             residues=["0", "0"]), sense=[]), "obligation 2", True),
    "offset mod: the shift's residue": (
        make("apart(M:2, N:2, 2)", part("offset mod", ["-"] * 8, modulus="2", rho="1",
             residues=["0", "0"]), ways=(MN,), sense=[W, W]), "obligation 1", True),
    "offset mod: beyond the modulus": (
        make("apart(2:1, 2:1, 2)", part("offset mod", ["-"] * 8, modulus="3", rho="2",
             residues=["1", "1"]), sense=[]), "obligation 7", False),
    "agree: sizes differ": (
        make("is_right_inverse(M:1, N:1)", agree(
             [["first"], ["rewrite", []], ["after", [], [["1"]], False]], [["first"]],
             ["-", "-", W, W, "-"]), ways=(MN,), sense=[W, W]), "is not possible here", False),
    "agree: the size of another layout": (
        make("equal(M:1, N:1)", part("formula", [["solver", "z3", "4.13.0"]]),
             agree(FIRST, FIRST, ["-", W, W, "-"]), ways=(MN,), sense=[W, W],
             rests_on=("arithmetic", "solver z3 4.13.0")), "false", True),
    "agree: an offset on one side": (
        make("equal(Sw<0,0,0> o 1 o 4:1, Sw<0,0,1> o 0 o 4:1)", part("formula", ["-"]),
             part("formula", [W]), agree(FIRST, FIRST, ["-"] * 4)), "part 1", True),
    "agree: a digit carries": (
        make("is_composition((N,M):(1,1), (M,N):(1,1), (N,M):(M,1))", part("formula", ["-"]),
             agree(FIRST, [["first"], ["after", [], [["M", "0"], ["1", "0"]], False]],
                   ["-", "-", "-", "-", W, "-", "-", "-", "-", "-"]), ways=(MN,),
             sense=[W] * 6), "obligation", False),
    "agree: the digit bound dropped": (
        make("is_composition(4:1, (2,2):(1,7), 4:1)", part("formula", ["-"]),
             agree(FIRST, [["first"], ["after", [], [["1", "0"]], False]], ["-"] * 5),
             sense=[]), "6 obligations, 5 proofs", True),
    "agree: a negative digit": (
        make("is_composition(2:4, (3,2):(1,5), 2:2)", part("formula", ["-"]),
             agree(FIRST, [["first"], ["after", [], [["-1", "1"]], True]], ["-"] * 8),
             sense=[]), "obligation 3", True),
    "agree: the stride of an unbounded last mode": (
        make("is_composition(3:0, 1:5, 3:1)", part("formula", ["-"]),
             agree(FIRST, [["first"], ["after", [["stride", 0, "0"]], [["1"]], False]],
                   ["-"] * 6), sense=[]), "no rewrite", True),
    "agree: the unbounded last mode dropped": (
        make("is_composition(8:1, (4,1):(1,5), 8:1)", part("formula", ["-"]),
             agree(FIRST, [["first"], ["after", [["drop", 1]], [["1"]], False]], ["-"] * 6),
             sense=[]), "no rewrite here", True),
    "agree: the unbounded last mode merged": (
        make("is_composition(8:1, (4,1):(1,5), 8:1)", part("formula", ["-"]),
             agree(FIRST, [["first"], ["after", [["merge", 0]], [["1"]], False]], ["-"] * 6),
             sense=[]), "obligation 2", True),
    "agree: a layout not applied": (
        make("is_composition(4:1, 4:7, 4:1)", part("formula", ["-"]),
             agree(FIRST, FIRST, ["-"] * 4), sense=[]), "does not apply every layout", True),
    "agree: split by what does not divide": (
        make("equal(3:1, (2,1):(1,2))", part("formula", ["-"]),
             agree([["first"], ["rewrite", [["split", 0, "2"]]]], FIRST, ["-"] * 8), sense=[]),
        "obligation 0", True),
    "evaluate: what is false": (
        make("injective((2,2):(1,1))", {"lemma": "evaluate"}), "false", True),
    "evaluate: with dims": (
        make("injective(M:0)", {"lemma": "evaluate"}, ways=("M from 1",), sense=[W]),
        "has dims", True),
    "evaluate: too much": (
        make("injective((65536,65536):(1,0))", {"lemma": "evaluate"}), "the claim is false", False),
    "evaluate: a search counted as arithmetic": (
        make("injective((1024,1024):(1024,1))", {"lemma": "evaluate"}), "rests on", False),
    "solver: counted as arithmetic": (
        make("1 <= M", {"lemma": "solver", "solver": "z3", "version": "1"}), "rests on", False),
    # --- claims -------------------------------------------------------------------------------
    "size 0: extents are not known to be at least 1": (
        make("in_bounds(M:1, M)", part("bounds", ["-", "-", "-"], signs=[1]), given=("0 <= M",),
             ways=("M from 0",), sense=[W]), "defined: obligation 0", True),
    "size 0: an extent of 0": (
        make("bijective(0:1)", {"lemma": "evaluate"}, {"lemma": "evaluate"}), "below 1", False),
    "complement: a reflected chain": (
        make("is_complement(2:-1, 1:0, 2)", together(["-"], [0], [-1], [0], ["-"]),
             part("formula", ["-"]), part("formula", ["-"]), sense=[]), "part 1", True),
    "complement: B in another order": (
        make("is_complement((2,2):(2,1), 1:0, 4)", together(["-"] * 2, [1, 0], None, [0], ["-"]),
             part("formula", ["-"]), part("formula", ["-"]), sense=[]),
        "part 1", True),
    "complement: a stride that may be 0 counts": (
        make("is_complement(2:1, M:K, 2*M)", {"lemma": "evaluate"}, part("formula", ["-"]),
             part("formula", [["and", [["or", 1, W], "-"]]]), given=("0 <= K",),
             ways=("M from 1; K from 0",), sense=[W]), "part 0", True),
    "quotients that are none": (
        make("covers((4,M/4):(1,4), M)", part("cover", ["-"] * 4 + [W], order=[0, 1]),
             ways=("M from 1",), sense=[TRUE, W]), "defined: obligation 1", True),
    "a divisor that may be 0": (
        formula("M//N <= M", W, "M from 1; N from 0", given=("0 <= N",), sense=[W]),
        "defined: obligation 0", True),
    "guards of other extents": (
        make("injective(4:0, where(1:1, 1))", chain(["-"], [0])), "not those of", False),
    "a claim that is none": (make("injektiv(4:1)", {"lemma": "evaluate"}), "no claim", False),
    # --- ways of settling ---------------------------------------------------------------------
    "-: not evident": (formula("2 <= M", "-"), "is no proof", True),
    "coefficients over variables that are no parameters": (
        formula("0 <= r", W, "", given=("-5 <= r",)), "no number from 0", True),
    "a negative coefficient": (formula("N <= M", W, MN), "the sum does not show it", True),
    "< settled as <=": (formula("M < N", W, "M from 1; N from M", given=("M <= N",)),
                        "the sum does not show it", True),
    "!= by one of them": (formula("M != N", W, "M from 1; N from M", given=("M <= N",)),
                          "the sum does not show it", True),
    "divides with a fraction": (formula("M % 2 == 0", W, "M from 1"), "does not show it", True),
    "divides by what may be 0": (
        formula("(K*M) % K == 0", W, "M from 1; K from 0", given=("0 <= K",)),
        "does not show it", True),
    "upper ends: a box that is too small": (
        formula("0 <= M*(8 - M)", ["sum", 0, BOX], "M from 1", given=("M <= 9",)),
        "the sum does not show it", True),
    "upper ends: no box": (
        formula("0 <= M*(8 - M)", ["sum", 0, BOX], "M from 1"), "is no factor", True),
    "handelman: a negative weight": (
        formula("M < N", ["sum", 0, [["-1", [["g", 0]]]]], MN, given=("N <= M",)),
        "is not positive", True),
    "handelman: weight 0": (
        formula("M < N", ["sum", 0, [["0", [["g", 0]]]]], MN, given=("N <= M",)),
        "is not positive", True),
    "handelman: a constant of 0": (
        formula("M + 1 <= N", ["sum", 0, [["1", [["g", 0]]]]], MN, given=("M <= N",)),
        "does not show it", True),
    "handelman: an upper end that is none": (
        formula("M <= 8", ["sum", 0, [["1", [["u", "M'"]]]]], "M from 1"),
        "no factor", True),
    "handelman: an equation that is an inequality": (
        formula("M <= N", ["sum", 0, [["-1", [["e", 0]]]]], MN, given=("N <= M",)),
        "is not positive", True),
    "handelman: a disjunction": (
        formula("M <= N", ["sum", 0, [["1", [["g", 0]]]]], MN,
                given=("M <= N or N == 1",)), "no factor", True),
    "an atom of unknown sign": (
        formula("0 <= K//2", W, "K from -3", given=("-3 <= K",)), "does not show it", True),
    "an atom's variable of unknown sign": (
        formula("0 <= K//2", ["sum", 0, [["1", [["v", "K//2"]]]]], "K from -3",
                given=("-3 <= K",)), "does not show it", True),
    "an atom whose divisor may be 0": (
        formula("0 <= M//N", W, "M from 1; N from 0", given=("0 <= N", "1 <= N*N"), sense=[TRUE],
                rests_on=("arithmetic", "solver z3 4.13.0")), "nothing says what", False),
    "handelman: a factor that may be 0": (
        formula("M <= N", ["sum", 0, [], "K"], MN + "; K from 0", given=("0 <= K",)),
        "does not show it", True),
    "handelman: divided by what does not divide": (
        formula("M <= N", ["sum", 0, [], "1", "M"], MN), "does not show it", True),
    "either: no disjunction": (
        make("M <= N", given=("N <= M",), proof={"either": 0, "proofs": []}), "no parts", True),
    "either: a part left out": (
        make("M <= N", given=("M <= N or N == 1",), proof={"either": 0, "proofs": [
             {"defined": [], "parts": [part("formula", [["given", 1]])]}]}), "no list", True),
    "together: a mode left out that moves": (
        make("disjoint((M,K):(1,M), N:M)", part("together", ["-"], modes=[1],
             rest=chain(["-", W], [0, 1])), ways=(MN + "; K from 1",), sense=[W] * 3),
        "obligation 0", True),
    "residue: another remainder": (
        formula("M % 2 == 1", W, "M residue 2 1", given=("M % 2 == 0",)), "is no step", True),
    "residue: another modulus": (
        formula("1 == 1 and M == 3", ["and", ["-", W]], "M residue 4 1", given=("M % 2 == 1",)),
        "is no step", True),
    "residue: not below the modulus": (
        formula("3 <= M", W, "M residue 2 3", given=("(M + 1) % 2 == 0",)), "is no step", True),
    "given: another assumption": (
        formula("M < N", ["given", 0], given=("M <= N",)), "not the assumption", True),
    "or: a part that is false": (
        formula("M == 0 or M == 1", ["or", 0, W], "M is 0"), "definition", True),
    "and: a part without proof": (
        formula("1 <= M and M == 1", ["and", [W]], "M from 1"), "no list", True),
    "not: of a conjunction": (
        formula("not (1 <= M and N == 1)", ["not", ["or", 0, W]], MN), "does not show it", True),
    "implies: the conclusion as premise": (
        formula("1 <= M implies M == 1", ["implies", ["given", 1]]), "no number from 0", True),
    "absurd: nothing absurd": (
        formula("M == 1", ["absurd", W], "M from 1"), "the sum does not show it", True),
    "case: one that leaves something out": (
        formula("M <= N", ["case", "M <= N", ["given", 0], ["given", 0]]), "not the assum", True),
    "case: a quotient": (
        formula("1 <= M", ["case", "1 <= M/2", W, W], "M from 1"), "quotient", False),
    "case: a divisor that may be 0": (
        formula("1 <= M", ["case", "1 <= M//N", W, W], "M from 1", given=("0 <= N",)),
        "divisor", False),
    # --- definitions --------------------------------------------------------------------------
    "from: a bound that is no assumption": (
        formula("2 <= M", W, "M from 2"), "definition", True),
    "from: an assumption under or": (
        formula("2 <= M", W, "M from 2", given=("2 <= M or N == 1",)), "definition", True),
    "from: a bound of another dim": (
        formula("N <= M", W, "N from 1; M from N", given=("N <= K",)), "definition", True),
    "from: a multiple rounded up": (
        formula("M <= N", W, "M from 1; N from M", given=("2*M <= 2*N + 2",)),
        "definition", True),
    "from: the assumption's sign": (
        formula("N <= M", W, "N from 1; M from N", given=("M <= N",)), "definition", True),
    "from: a fraction": (
        formula("M % 2 == 0 or 1 <= 2*N", ["or", 0, W], "N from 1; M from N/2"), "", False),
    "circular": (
        formula("M <= N", W, "M from N; N from M", given=("N <= M + 1", "M <= N + 1")),
        "definition", True),
    "is: an inequality": (
        formula("M == N", W, "M from 1; N is M", given=("M <= N",)), "definition", True),
    "is: up to a remainder": (
        formula("N == M", W, "M from 1; N is M", given=("2*N == 2*M + 1 or M == 1",)),
        "definition", True),
    "times: p may be 0": (
        formula("1 <= N", W, "P from 0; N times P",
                given=("0 <= P", "0 <= N", "N % P == 0")), "definition", True),
    "times: 0 is a multiple": (
        formula("4 <= N", W, "N times 4", given=("0 <= N", "N % 4 == 0")), "does not show", True),
    "times: a multiple that is not assumed": (
        formula("N % 8 == 0", W, "N times 8", given=("N % 4 == 0", "N % 2 == 0")),
        "definition", True),
    "times: a negative dim": (
        formula("0 <= N", W, "P from 1; N times P", given=("-9 <= N", "N % P == 0")),
        "the sum does not show it", True),
    "times 0": (formula("N == 0", W, "N times 0", given=("N % 4 == 0",)), "is no step", True),
    "rest: a negative dim": (
        formula("0 <= N", W, "N rest 4", given=("-9 <= N",)), "definition", True),
    "rest: by 1": (formula("N >= 1", W, "N rest 1"), "definition", False),
    "upto: no assumption": (formula("N <= M", W, "M from 1; N upto M"), "definition", True),
    "defined twice": (
        formula("2 <= M", W, "M from 1; M from M"), "defined twice", True),
    "a bound under or is no lower bound": (
        formula("0 <= x", W, "x from 1", given=("-1 <= x", "1 <= x or 5 <= y")),
        "definition", True),
    "the largest bound counts, others do not lower it": (
        formula("2 <= x", W, "x from 2", given=("0 <= x", "1 <= x")), "definition", True),
}  # fmt: skip


@pytest.mark.parametrize("name", UNSOUND)
def test_unsound_variants_are_rejected(name: str) -> None:
    document, reason, _ = UNSOUND[name]
    result = check(json.dumps(document))
    assert not result.accepted
    assert reason in result.reason, result.reason
    assert "cannot be checked" not in result.reason


@pytest.mark.parametrize("name", [n for n, (_, _, false) in UNSOUND.items() if false])
def test_their_statements_are_false(name: str) -> None:
    document, _, _ = UNSOUND[name]
    assert counterexample(document["claim"], tuple(document["given"])) is not None


def test_given_counts_conjuncts() -> None:
    document: Any = formula("i < M", ["given", 1], given=("0 <= i < M", "M <= 8"))
    assert check(json.dumps(document)).accepted
    assert "for all integers M >= 1, i >= 0" in check(json.dumps(document)).statement
    assert V == ["sum", 1]


@pytest.mark.parametrize(("stride", "holds"), [(-100, False), (0, True)])
def test_a_guard_counts_over_the_extents_of_the_layout(stride: int, holds: bool) -> None:
    """Data may say that a mode of a guard has the extent 1; its coordinates are the layout's."""
    claim = {"kind": "in_bounds", "layouts": [[[2, 1], [2, 2], [2, 1]]], "leaf": 2,
             "guards": [[[[2, 1], [2, 2], [1, stride]], 1]]}  # fmt: skip
    document = sign(ACCEPTED["merge"] | {
        "statement": {"dims": {}, "given": [], "defined": [], "parts": [claim]},
        "proof": {"defined": [], "parts": [
            part("merge", [["sum", 0]] * 4, guard=0, modes=[0, 1], rest={"lemma": "evaluate"})]},
        "definitions": [[]], "instance": {},
    })  # fmt: skip
    assert brute_data.holds(claim, {}) == holds
    result = core.check(document)
    assert result.accepted == holds
    assert ("obligation 3" in result.reason) != holds
