"""Certificates written by hand: every lemma, every way of settling, every definition of a dim."""

from __future__ import annotations

import copy
import hashlib
import json
from typing import Any

from symcute.recheck import written

Document = dict[str, Any]


def sign(document: Document) -> Document:
    """Write the digest of a document into it, as docs/reference/certificates.md says it is made."""
    rest = {k: v for k, v in document.items() if k != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return rest | {"digest": hashlib.sha256(text.encode()).hexdigest()}


def words(definition: str) -> list[str]:
    """Return the words of a definition; only `residue` has a fourth."""
    return definition.split(" ", 3 if " residue " in definition else 2)


def anew(document: Document) -> Document:
    """Return a document that states what its texts say, signed; where they say nothing, nothing."""
    try:
        found: Document = json.loads(json.dumps(written(document)))
        return found
    except Exception:
        return sign({"version": 6, "instance": None, "statement": None} | document)


def make(
    claim: str,
    *parts: Any,
    given: tuple[str, ...] = (),
    ways: tuple[str, ...] = (),
    sense: Any = (),
    rests_on: tuple[str, ...] = ("arithmetic",),
    proof: Any = None,
    operations: Any = (),
) -> Document:
    """Return a certificate; one of the ways to write dims is text such as "M from 1; N times 4"."""
    definitions = [[words(d.strip()) for d in way.split(";") if d.strip()] for way in ways]
    document = {
        "claim": claim,
        "given": list(given),
        "operations": [list(x) for x in operations],
        "parametrisations": definitions,
        "proof": proof or {"defined": list(sense), "parts": list(parts)},
        "rests_on": list(rests_on),
    }
    return anew(json.loads(json.dumps(document)))


def part(lemma: str, by: Any = (), **hints: Any) -> Document:
    return {"lemma": lemma, **hints, "by": list(by)}


EVALUATE = {"lemma": "evaluate"}
RESIDUES = {"lemma": "residues", "parametrisation": 0}


def formula(claim: str, by: Any, *ways: str, **more: Any) -> Document:
    return make(claim, part("formula", [by]), ways=ways, **more)


W, V = ["sum", 0], ["sum", 1]
MN = "M from 1; N from 1"
CHAIN = part("chain", ["-", W], order=[0, 1], signs=[1, 1])


def chain(by: Any, order: Any, signs: Any = None) -> Document:
    return part("chain", by, order=order, signs=signs or [1] * len(order))


def witness(by: Any, at: Any, other: Any = None) -> Document:
    return part("witness", by, at=at, **({} if other is None else {"other": other}))


ONE = part("one", [], which=1)


def mod(by: Any, modulus: str, inner: Any, strides: Any, outer: Any, rest: Any,
        signs: Any, times: str = "1") -> Document:  # fmt: skip
    return part("mod", by, modulus=modulus, times=times, inner=inner, strides=strides, signs=signs,
                outer=outer, rest=rest)  # fmt: skip


def together(by: Any, order: Any, signs: Any = None, modes: Any = (), still: Any = ()) -> Document:
    return part("together", still, modes=list(modes), rest=chain(by, order, signs))


def agree(left: Any, right: Any, by: Any) -> Document:
    return part("agree", by, left=left, right=right)


#: By one assumption, whose number that is.
G = [["sum", 0, [["1", [["g", k]]]]] for k in range(3)]
FIRST: Any = [["first"]]
MERGED: Any = [["first"], ["rewrite", [["merge", 0]]]]

#: M*(8 - M) over 1 <= M <= 8, by the ends of the interval.
BOX: Any = [["1/7", [["u", "M'"], ["u", "M'"]]], ["8/7", ["M'", ["u", "M'"]]]]

ACCEPTED: dict[str, Document] = {
    # --- lemmas -------------------------------------------------------------------------------
    "chain": make(
        "injective((M,N):(LD,1))", chain(["-", W], [1, 0]),
        given=("N <= LD",), ways=("M from 1; N from 1; LD from N",), sense=[W, W],
    ),
    "chain, reflected": make(
        "injective((M,2):(-2,1))", chain(["-", "-"], [1, 0], [-1, 1]), ways=("M from 1",),
        sense=[W],
    ),
    "chain, extent of 1 or stride": make(
        "injective((M,K):(1,D))", chain(["-", W], [0, 1]), given=("D == M*K",),
        ways=("M from 1; K from 1; D is M*K",), sense=[W, W],
    ),
    "mod, extents of 1 left out": make(
        "injective((M,K):(1,0))",
        mod(["-"] * 5, "1", [0], ["1", "0"], chain([W], [0]), chain(["-"], [0]), [1]),
        given=("K == 1",), ways=("M from 1; K is 1",), sense=[W, W],
    ),
    "mod, a factor of all": make(
        "injective((M,N):(2*P,2*P*M))",
        mod([W, "-", "-", W], "2*P", [0, 1], ["1", "M"], chain([], []), CHAIN, []),
        ways=(MN + "; P from 1",), sense=[W, W],
    ),
    "mod": make(
        "injective((2,2*N+1):(N,2))",
        mod(["-", W, "-", "-", "-"], "2", [1], ["1", "1"], chain(["-"], [0]), chain(["-"], [0]),
            [1]),
        given=("N == 2*K + 1",), ways=("K from 1; N is 2*K + 1",), sense=[W],
    ),
    "mod, coprime strides": make(
        "injective((K,3):(K+1,K))",
        mod([W, W, "-", W, W], "K", [1], ["1", "1"], chain(["-"], [0]), chain(["-"], [0]), [1]),
        ways=("K from 1",), sense=[W],
    ),
    "merge": make(
        "injective((128,P):(1,128), where((128,P):(1,128), M))",
        part("merge", ["-", "-", "-"], guard=0, modes=[0, 1], rest=chain(["-"], [0])),
        ways=("P from 1",), sense=[W, W],
    ),
    "merge, twice": make(
        "in_bounds((64,P,32,Q):(1,64,M,32*M), M*N, where((64,P,32,Q):(1,64,0,0), M), "
        "where((64,P,32,Q):(0,0,1,32), N))",
        part("merge", ["-"] * 6, guard=0, modes=[0, 1], rest=part(
            "merge", ["-"] * 4, guard=0, modes=[1, 2], rest=part(
                "bounds", [W, W, "-", "-"], signs=[1, 1]))),
        ways=(MN, "P from 1; Q from 1"), sense=[V] * 6,
    ),
    "merge, three modes": make(
        "in_bounds((4,8,P):(K,4*K,32*K), K*M, where((4,8,P):(1,4,32), M))",
        part("merge", ["-"] * 5, guard=0, modes=[0, 1, 2],
             rest=part("bounds", [W, "-", W], signs=[1])),
        ways=("M from 1; K from 1; P from 1",), sense=[W, W],
    ),
    "given bound": make(
        "in_bounds((128,P):(1,128), B, where((128,P):(1,128), M))",
        part("given bound", ["-", "-", "-", W, "-", ["given", 0]], guard=0), given=("M <= B",),
        ways=("P from 1",), sense=[W, W],
    ),
    "bounds": make(
        "in_bounds((M,N):(LD,1), M*LD)", part("bounds", [W, W, "-", W], signs=[1, 1]),
        given=("N <= LD",), ways=("M from 1; N from 1; LD from N",), sense=[W, W],
    ),
    "bounds, reflected": make(
        "in_bounds((M,1):(1,-5), M)", part("bounds", [W, "-", "-", "-"], signs=[1, -1]),
        ways=("M from 1",), sense=[W],
    ),
    "swizzle": make(
        "bijective(Sw<3,4,3> o 0 o (8,128,N):(128,1,1024))", chain(["-"] * 3, [1, 0, 2]),
        part("swizzle", [W, "-"], bound="1024*N",
             rest=part("bounds", ["-", "-", W, "-", "-"], signs=[1, 1, 1])),
        ways=("N from 1",), sense=[W],
    ),
    "swizzle, upwards and at an offset": make(
        "in_bounds(Sw<1,0,-1> o Q o M:1, 4*N)",
        part("swizzle", [W, "-"], bound="4*N",
             rest=part("bounds", [W, W, ["given", 0]], signs=[1])),
        given=("Q + M <= 4*N",), ways=("M from 1; Q from 1; N from 1",), sense=[W],
    ),
    "swizzle, a bound rounded down": make(
        "in_bounds(Sw<1,0,1> o 0 o (128,P):(1,128), 2*M + 1, where((128,P):(1,128), 2*M))",
        part("swizzle", [W, "-"], bound="2*M",
             rest=part("given bound", ["-", "-", "-", W, "-", "-"], guard=0)),
        ways=("P from 1; M from 1",), sense=[W, W],
    ),
    "bounds, at an offset": make(
        "in_bounds(Sw<0,0,0> o (M-1)*N o (M,N):(-N,1), M*N)",
        part("bounds", [W, W, "-", "-"], signs=[-1, 1]),
        ways=(MN,), sense=[W, W],
    ),
    "swizzle, at an offset that makes up for strides below 0": make(
        "in_bounds(Sw<1,0,1> o 4*N - 1 o (4*N):-1, 4*N)",
        part("swizzle", [W, "-"], bound="4*N", rest=part("bounds", [W, "-", "-"], signs=[-1])),
        ways=("N from 1",), sense=[W],
    ),
    "swizzle, evaluated": make(
        "bijective(Sw<2,0,2> o 0 o (4,4):(4,1))", EVALUATE, EVALUATE,
    ),
    "swizzle, evaluated at an offset": make(
        "in_bounds(Sw<2,0,3> o 8 o (4,4):(1,8), 36)", EVALUATE,
    ),
    "cover": make(
        "covers((M,4):(1,K), M + 3*K)", part("cover", ["-", "-", W, W, "-"], order=[0, 1]),
        given=("K <= M",), ways=("K from 1; M from K",), sense=[W],
    ),
    "together, a chain": make(
        "disjoint(M:1, N:M)", together(["-", W], [0, 1]), ways=(MN,),
        sense=[W, W],
    ),
    "together": make(
        "disjoint(M:35, N:24)",
        part("together", [], modes=[], rest=mod(
            ["-", W, "-", W, ["sum", 0, [["1", [["g", 0]]]]]], "24", [1], ["1", "1"],
            chain(["-"], [0]), chain(["-"], [0]), [1], "11")),
        given=("M <= 24",), ways=(MN,), sense=[W, W],
    ),
    "together, modes left out": make(
        "disjoint((M,K):(1,0), N:M)",
        part("together", ["-"], modes=[1], rest=chain(["-", W], [0, 1])),
        ways=(MN + "; K from 1",), sense=[W, W, W],
    ),
    "beyond, below": make(
        "apart(M:1, N:1, M)", part("beyond", [W, W, "-"], below=0, signs=[1, 1]), ways=(MN,),
        sense=[W, W],
    ),
    "beyond, above": make(
        "apart(M:1, N:-1, -1)", part("beyond", [W, W, "-"], below=1, signs=[1, -1]), ways=(MN,),
        sense=[W, W],
    ),
    "offset mod": make(
        "apart(M:2, N:4, K)",
        part("offset mod", ["-", W, "-", "-", "-", "-", "-", "-"], modulus="2", rho="1",
             residues=["0", "0"]),
        given=("K == 2*J + 1",), ways=("M from 1; N from 1; J from 1; K is 2*J + 1",),
        sense=[W, W],
    ),
    "agree, merge": make(
        "equal((M,N):(1,M), M*N:1)", part("formula", ["-"]),
        agree(MERGED, FIRST, ["-", "-", "-", "-", "-"]), ways=(MN,),
        sense=[W, W, W],
    ),
    "agree, behind the same swizzle": make(
        "equal(Sw<1,0,1> o M o (M,N):(1,M), Sw<1,0,1> o M o M*N:1)", part("formula", ["-"]),
        part("formula", ["-"]),
        agree(MERGED, FIRST, ["-", "-", "-", "-", "-"]), ways=(MN,),
        sense=[W, W, W],
    ),
    "turned, evaluated": make(
        "equal(Sw<1,0,2> o 8 o (4,2):(1,8), Sw<1,4,2> o 8 o (4,2):(1,8))", EVALUATE, EVALUATE,
    ),
    "turned, evaluated, one side plain": make(
        "equal(4:1, Sw<1,0,2> o 0 o 4:1)", EVALUATE, EVALUATE,
    ),
    "compact, swizzled": make(
        "compact(Sw<2,0,2> o 0 o (M,4,4,N):(16,1,4,0))", chain(["-"] * 3, [1, 2, 0]),
        part("swizzle", [W, W], bound="16*M",
             rest=part("bounds", [W, "-", "-", "-", W], signs=[1, 1, 1])),
        ways=(MN,), sense=[W, W],
    ),
    "agree, quotients": make(
        "equal((4,M/4):(1,4), M:1)", part("formula", [W]),
        agree(MERGED, FIRST, ["-", "-", "-", W, "-"]),
        given=("M % 4 == 0",), ways=("M times 4",), sense=[W, W, W],
    ),
    "agree, all rewrites": make(
        "equal((2,M,1):(1,D,7), 2*M:1)", part("formula", ["-"]),
        agree(
            [["first"], ["rewrite", [["drop", 2], ["split", 1, "M"]]], ["rewrite", [["drop", 2]]]],
            [["first"], ["rewrite", [["split", 0, "2"]]]],
            ["-", "-", W, "-", W, "-", "-", W, "-", "-", W, "-"],
        ),
        given=("D == 2",), ways=("M from 1; D is 2",), sense=[W, W],
    ),
    "agree, after": make(
        "is_composition((N,M):(1,N), (M,N):(N,1), (N,M):(M,1))", part("formula", ["-"]),
        agree(FIRST, [["first"], ["after", [], [["0", "1"], ["1", "0"]], True]],
              ["-", "-", "-", "-", "-", "-", "-", "-", "-", "-"]),
        ways=(MN,), sense=[W] * 6,
    ),
    "agree, unbounded": make(
        "is_composition(K:M, (M,N):(1,M), K:M)", part("formula", ["-"]),
        agree(FIRST, [["first"], ["after", [], [["0", "1"]], False]],
              ["-", "-", "-", W, "-", "-"]),
        ways=("M from 1; N from 1; K from 1",), sense=[W] * 4,
    ),
    "agree, the unbounded last mode merged": make(
        "is_composition(N:2, (M,2):(1,M), N:2)", part("formula", ["-"]),
        agree(FIRST, [["first"], ["after", [["merge", 0]], [["2"]], False]],
              ["-", "-", "-", "-", "-", "-"]),
        ways=("M from 1", "N from 1"), sense=[V, W, V],
    ),
    "agree, the identity": make(
        "is_right_inverse((N,M):(M,1), (M,N):(N,1))",
        agree([["first"], ["after", [], [["0", "1"], ["1", "0"]], True]],
              [["rewrite", [["split", 0, "N"]]]], ["-"] * 5 + [W, W] + ["-"] * 4),
        ways=(MN,), sense=[W] * 4,
    ),
    "agree, left inverse": make(
        "is_left_inverse((LD,M):(M,1), (M,N):(LD,1))",
        agree([["first"], ["after", [], [["0", "1"], ["1", "0"]], False]],
              [["rewrite", [["split", 0, "M"]]]], ["-", "-", "-", W, W, W] + ["-"] * 4),
        given=("N <= LD",), ways=("M from 1; N from 1; LD from N",), sense=[W] * 4,
    ),
    "evaluate": make(
        "is_complement(4:2, 2:1, 8)", EVALUATE, EVALUATE, EVALUATE,
    ),
    "evaluate, searched": make(
        "injective((1024,1024):(1024,1))", EVALUATE,
        rests_on=("arithmetic", "exact search"),
    ),
    "solver": make(
        "injective((M,N):(N,1))",
        {"lemma": "solver", "solver": "z3", "version": "4.13.0"},
        ways=(MN,), sense=[W, W], rests_on=("arithmetic", "solver z3 4.13.0"),
    ),
    # --- claims -------------------------------------------------------------------------------
    "bijective": make(
        "bijective((M,N):(1,M))", CHAIN, part("bounds", [W, W, "-", "-"], signs=[1, 1]),
        ways=(MN,), sense=[W, W],
    ),
    "compact": make(
        "compact((M,K,N):(1,0,M))", CHAIN, part("bounds", [W, W, "-", "-"], signs=[1, 1]),
        ways=(MN + "; K from 1",), sense=[W, W, W],
    ),
    "is_complement": make(
        "is_complement(N:M, M:1, M*N)", together(["-", W], [0, 1]),
        part("formula", [["or", 1, W]]), part("formula", ["-"]), ways=(MN,), sense=[W, W],
    ),
    "is_complement, symbolic stride": make(
        "is_complement(2:1, M:K, 2*M)", together(["-", W], [1, 0]),
        part("formula", [["or", 1, "-"]]), part("formula", [["and", [["or", 1, W], "-"]]]),
        given=("2 <= K",), ways=("M from 1; K from 2",), sense=[W],
    ),
    "partition": make(
        "partition((128,P):(1,128), M)", chain(["-", "-"], [0, 1]),
        part("cover", ["-", "-", "-", "-", W], order=[0, 1]),
        part("formula", [["and", [["or", 1, "-"], ["or", 1, "-"]]]]), given=("M <= 128*P",),
        ways=("P from 1; M upto 128*P",), sense=[W],
    ),
    "partition by mode": make(
        "partition((M:1,2:1), (M,2))", chain(["-"], [0]),
        part("cover", ["-", "-", "-"], order=[0]), part("formula", [["or", 1, "-"]]),
        EVALUATE, EVALUATE, part("formula", ["-"]), ways=("M from 1",), sense=[W],
    ),
    "monotone": make(
        "monotone((M,N):(1,K))", part("formula", [["and", [["or", 1, "-"], ["or", 1, W]]]]),
        given=("M <= K",), ways=("M from 1; N from 1; K from M",), sense=[W, W],
    ),
    "increasing": make(
        "increasing((M,N):(1,M))", part("formula", [["and", [["or", 1, "-"], ["or", 1, W]]]]),
        ways=(MN,), sense=[W, W],
    ),
    "aligned": make(
        "aligned((M,N):(8,K), 8)", part("formula", ["-"]),
        part("formula", [["and", [["or", 1, "-"], ["or", 1, ["given", 0]]]]]),
        given=("K % 8 == 0",), ways=(MN,), sense=[W, W],
    ),
    "compatible": make("compatible((M*N,K), ((M,N),K))", part("formula", ["-"]),
                       sense=[W] * 5, ways=("M from 1; N from 1; K from 1",)),
    "refines": make("refines(((M,2),N), (2*M,N))", part("formula", ["-"]), sense=[W] * 4,
                    ways=(MN,)),
    "no_overflow": make(
        'no_overflow("i*LD + 1", 32)',
        part("formula", [["and", [W, G[1], W, G[2], W, G[1], "-", "-", W, G[1]]]]),
        given=("0 <= i", "i*LD + LD < 1000000", "LD <= 1000"),
        ways=("i from 0; LD from 1",),
    ),
    "no_overflow of a layout": make(
        "no_overflow((M,8):(2,-1), 16)", part("formula", [
            ["and", ["-", ["sum", 0, [["1", [["u", "M'"]]]]]]]]),
        given=("M <= 99",), ways=("M from 1",), sense=[W],
    ),
    "bank_conflict": make(
        "bank_conflict(access((32,R):(LD,1), 32), 1)", RESIDUES, given=("mod(LD, 32) == 1",),
        ways=("R from 1; LD residue 32 1",), sense=[W],
    ),
    "bank_conflict, by classes": make(
        "bank_conflict(access((32,R):(LD,1), 32), 1)", RESIDUES, given=("mod(LD, 2) == 1",),
        ways=("R from 1; LD residue 2 1",), sense=[W],
    ),
    "bank_conflict, at least": make(
        "bank_conflict(access((32,R):(LD,1), 32, 32, B), 32, 32)", RESIDUES,
        given=("LD % 32 == 0",), ways=("R from 1; LD times 32; B from 1",), sense=[W],
    ),
    "bank_conflict, a dim in an interval": make(
        "bank_conflict(access(8:LD, 32), 4, 1)", RESIDUES, given=("LD <= 4",),
        ways=("LD from 1",),
    ),
    "bank_conflict, lanes in pairs": make(
        "bank_conflict(access(((2,8,2),K):((0,1,LD),8), 64), 1)", RESIDUES,
        given=("mod(LD, 16) == 8",), ways=("K from 1; LD residue 16 8",), sense=[W],
    ),
    "bank_conflict, swizzled": make(
        "bank_conflict(access(Sw<3,3,3> o 64*s o (8,2):(64,8), 16, 128, 8*B), 1)", RESIDUES,
        ways=("s from 1; B from 1",),
    ),
    "bank_conflict, swizzled, at least": make(
        "bank_conflict(access(Sw<1,2,3> o 0 o (8,M):(LD,4), 32), 8, 8)", RESIDUES,
        given=("LD % 128 == 0",), ways=("M from 1; LD times 128",), sense=[W],
    ),
    "bank_conflict, evaluated": make(
        "bank_conflict(access(Sw<3,3,3> o 0 o (8,2):(64,8), 16, 128), 1, 1)", EVALUATE,
    ),
    "sectors": make(
        "sectors(access((32,R):(1,LD), 32, 32, B), 4, 4)", RESIDUES,
        given=("LD % 8 == 0", "B % 8 == 0"), ways=("R from 1; LD times 8; B times 8",), sense=[W],
    ),
    "sectors, of lanes far apart": make(
        "sectors(access((32,R):(LD,1), 32), 32, 32)", RESIDUES, given=("8 <= LD",),
        ways=("R from 1; LD from 8",), sense=[W],
    ),
    "coalesced": make(
        "coalesced(access((8,4):(1,LD), 32))", RESIDUES, given=("LD % 8 == 0",),
        ways=("LD times 8",),
    ),
    "vectorizable": make(
        "vectorizable((2,4,N,M):(1,2,8,LD), 16, 128, B)",
        part("formula", [["and", [W, "-", ["or", 1, W], W]]]),
        given=("LD % 8 == 0", "B % 8 == 0"), ways=("N from 1; M from 1; LD times 8; B times 8",),
        sense=[W, W],
    ),
    "vectorizable, swizzled": make(
        "vectorizable(Sw<3,3,3> o 8*s o (8,M):(1,64), 16, 128)",
        part("formula", [["and", ["-", "-", ["or", 1, "-"], "-", W]]]),
        ways=("M from 1; s from 1",), sense=[W],
    ),
    "vectorizable, evaluated": make("vectorizable(Sw<3,2,3> o 0 o (8,2):(1,8), 16, 128)", EVALUATE),
    "table": make("table((2,(2,2)):(4,(2,1)), ((0,2,1,3),(4,6,5,7)))", EVALUATE),
    "prints_as": make('prints_as((4,M):(1,4), "(4,M):(1,4)")', EVALUATE),
    "claims joined": make(
        "1 <= M and injective((M,N):(1,M)) and 2 <= 2*N", part("formula", [W]), CHAIN,
        part("formula", [W]), ways=(MN,), sense=[W, W]),
    # --- ways of settling ---------------------------------------------------------------------
    "given": formula("2*M <= N + M", ["given", 0], given=("M <= N",)),
    "and, or": formula("1 <= M and (M == 0 or 0 < M)", ["and", [W, ["or", 1, W]]], "M from 1"),
    "implies": formula("3 <= M implies 9 <= 3*M", ["implies", W], "M from 3"),
    "absurd": formula(
        "M*N != 5 or 1 <= M", ["absurd", ["sum", 0, [["1", [["g", 1]]]]]], "M from 1"),
    "not": formula("not N < M", ["not", ["given", 0]], given=("M <= N",)),
    "both": formula("M == N", ["both", W, V], "N from 1; M upto N", "N from 1; M from N",
                    given=("M <= N", "N <= M")),
    "case": formula(
        "min(M,N) <= M", ["case", "M <= N", W, V], "M from 1; N from M", "N from 1; M from N + 1"),
    "either, in an obligation": formula(
        "1 <= M*N", ["either", 0, [W, V]], "M from 2; N from 1", "N from 3; M from 1",
        given=("M >= 2 or N >= 3",)),
    "cut": formula(
        "M + N <= 2*K", ["cut", "M <= N", ["sum", 0, [["1", [["g", 0]]]]],
                         ["sum", 0, [["1", [["g", 2]]], ["2", [["g", 1]]]]]],
        "M from 1; N from 1; K from 1", given=("M < N", "N <= K")),
    "cut, a quotient by a product of dims": formula(
        "0 <= 2*(M // (3*N*K))", ["cut", "0 <= M // (3*N*K)", W, W],
        "M from 1; N from 1; K from 1", sense=[W]),
    "classes": formula("M*(M + 1)*(M + 2) % 6 == 0", ["classes", []]),
    "classes, of an odd number": formula(
        "M*M % 8 == 1 and M*M*N % 4 == N % 4", ["and", [["classes", [0]], ["classes", [0]]]],
        given=("M % 2 == 1",)),
    "classes, joined": formula(
        "M**2 % 4 == 0 or (M**2 % 8 != 0 and M*M % 4 <= min(M % 2, 1))", ["classes", []]),
    "powers of two": formula(
        "B % A == 0", ["powers", W], "A from 1; B from A", given=("pow2(A)", "pow2(B)", "A <= B")),
    "powers of two, at most": formula(
        "4*B <= 2048", ["powers", W], "B upto 1023", given=("pow2(B)", "B < 1024")),
    "bits": make(
        "bit_and(x, B - 1) <= x + bit_not(-1)", part("formula", [W]), given=("pow2(B)",),
        ways=("B from 1; x from 1",), sense=[W],
        operations=[["bit_and(x, B - 1)", "mod(x,B)"], ["bit_not(-1)", "0"]]),
    "range": formula(
        "0 <= B*256 + T and (B*256 + T) // 32 < 8*G", ["range", []],
        given=("0 <= B", "B < 12", "0 <= T", "T < 256", "G >= 12")),
    "range, a box cut": formula(
        "T // 8*9 + T % 8 != 8", ["range", ["T"]], given=("0 <= T", "T < 64")),
    "range, two threads": formula(
        "(4*T < 4*U + 4 and 4*U < 4*T + 4) implies (T == U)", ["implies", ["range", ["T", "U"]]],
        given=("0 <= T", "T < 16", "0 <= U", "U < 16")),
    "range, one part left": formula(
        "M <= 7", ["range", []], given=("N < 3", "(N > 4 and M < 99) or M < 8")),
    "proof by cases": make(
        "injective((M,N):(1,K))", given=("M <= K or N == 1",), ways=("M from 1; N from 1; K from M",
        "M from 1; N is 1; K from 1"),
        proof={"case": "M <= K",
               "then": {"defined": [W, W], "parts": [CHAIN]},
               "else": {"case": "N == 1",
                        "then": {"defined": [V, V], "parts": [chain(["-", V], [0, 1])]},
                        "else": {"defined": [["solver", "cvc5", "1.2.0"]] * 2, "parts": [
                            chain(["-", ["solver", "cvc5", "1.2.0"]], [0, 1])]}}},
        rests_on=("arithmetic", "solver cvc5 1.2.0"),
    ),
    "either": make(
        "min(M,N) <= K", given=("M <= K or N <= K",),
        ways=("M from 1; N from 1; K from M", "N from 1; M from 1; K from N"),
        proof={"either": 0, "proofs": [
            {"defined": [], "parts": [part("formula", [
                ["sum", k, [["1", [["a", "min(M,N)", k]]]]]])]} for k in (0, 1)]},
    ),
    "either, not equal": make(
        "M == 1 implies 2 <= N", given=("M != N",),
        ways=("M is 1; N from 2", "N from 1; M from N + 1"),
        proof={"either": 0, "proofs": [
            {"defined": [], "parts": [part("formula", [["implies", ["sum", 0]]])]},
            {"defined": [], "parts": [part("formula", [["implies", ["absurd", [
                "sum", 1, [["1", [["e", 2]]]]]]]])]}]},
    ),
    "upper ends": formula("0 <= M*(8 - M)", ["sum", 0, BOX], "M from 1", given=("M <= 8",)),
    "upper ends, open": formula(
        "0 <= N*(K*M*(8 - M) + 1)",
        ["sum", 0, [[c, x + y] for c, x in BOX for y in ([], ["N'"], ["K'"], ["K'", "N'"])]],
        "M from 1; N from 1; K from 1",
        given=("M <= 8",)),
    "handelman": formula(
        "M*LD < 100", ["sum", 0, [["1", [["g", 0]]], ["1", ["M'", ["g", 1]]],
         ["1", [["g", 1]]]]], "M from 1; N from 1; LD from 1",
        given=("M*N < 100", "LD <= N")),
    "handelman, equation": formula(
        "K <= 2*M", ["sum", 0, [["-1", [["e", 0]]]]], "M from 1; N from 1; K from 1",
        given=("2*M == K + N",)),
    "handelman, upper end": formula(
        "M*M <= 8*M", ["sum", 0, [["1", ["M'", ["u", "M'"]]], ["1", [["u", "M'"]]]]],
        "M from 1", given=("M <= 8",)),
    "handelman, rounding": formula(
        "2*M <= N", ["sum", 0, [["1/2", [["g", 0]]]]], "M from 1; N from 1",
        given=("4*M <= 2*N + 1",)),
    "handelman, lower end": formula(
        "1 <= K*M", ["sum", 0, [["1", [["l", "M"]]], ["1", ["K'", ["l", "M"]]]]],
        "N from 1; M upto N; K from 1", given=("M <= N",)),
    "ceil in lowest terms": formula(
        "4*N <= 8*M*ceil_div(4*N,8*M)",
        ["sum", 0, [["1", [["a", "ceil_div(4*N,8*M)", 1]]]]], MN, sense=[W]),
    "atoms, ceil": formula(
        "M <= 128*ceil_div(M,128)", ["sum", 0, [["1", [["a", "ceil_div(M,128)", 1]]]]],
        "M from 1"),
    "atoms, min": formula(
        "min(M,N) <= M*N", ["sum", 0, [["1", [["a", "min(M,N)", 0]]]]], MN),
    "atoms, max": formula(
        "M <= K*max(M,N)", ["sum", 0, [["1", [["a", "max(M,N)", 0]]],
         ["1", ["K'", ["v", "max(M,N)"]]]]], MN + "; K from 1") ,
    "atoms, mod": formula(
        "M % N <= N - 1", ["sum", 0, [["1", [["a", "mod(M,N)", 1]]]]], MN, sense=[W]),
    "atoms, floor evaluated": formula("(N*M)//M == N", W, MN, sense=[W]),
    # --- claims joined ------------------------------------------------------------------------
    "one of two": make("in_bounds(M:2, M) or injective(M:2)", ONE | {"rest": chain([W], [0])},
                       ways=("M from 1",), sense=[W, W]),
    "one of two, by cases": make(
        "injective((M,N):(P,1)) or P < N", ways=(MN + "; P from N", MN + "; P from 1"),
        proof={"case": "P < N", "then": {"defined": [V, V], "parts": [ONE | {
            "rest": part("formula", [["given", 0]])}]}, "else": {
            "defined": [W, W], "parts": [ONE | {"which": 0, "rest": chain([W, W], [1, 0])}]}}),
    "one of a relation and a denial": make(
        "M <= N implies not injective((M,N):(1,1))",
        ONE | {"rest": witness([W] * 9 + [["or", 0, ["or", 1, W]]], [1, 0], [0, 1])},
        given=("M >= 2", "N >= 2"), ways=("M from 2; N from 2",), sense=[W, W]),
    "witness against injective": make(
        "not injective((M,N):(N - 1,1))",
        witness([W] * 9 + [["or", 0, ["or", 1, W]]], [1, 0], [0, "N - 1"]),
        given=("M >= 2", "N >= 2"), ways=("M from 2; N from 2",), sense=[W, W]),
    "witness that a guard admits": make(
        "not injective((M,4):(1,1), where((M,4):(1,M), M + 1))",
        witness([W] * 11 + [["or", 0, ["or", 1, W]]], [1, 0], [0, 1]),
        given=("M >= 2",), ways=("M from 2",), sense=[W, W]),
    "witness against in_bounds": make(
        "not in_bounds((M,N):(N,1), M*N - 1)",
        witness([W] * 4 + [["or", 1, W]], ["M - 1", "N - 1"]), ways=(MN,), sense=[W, W]),
    "witness against in_bounds, at an offset": make(
        "not in_bounds(Sw<0,0,0> o M o M:1, 2*M - 1)", witness([W, W, ["or", 1, W]], ["M - 1"]),
        ways=("M from 1",), sense=[W]),
    "witness against disjoint": make(
        "not disjoint(M:2, N:3)", witness([W] * 5 + [["or", 1, W]], [3], [2]),
        given=("M >= 4", "N >= 3"), ways=("M from 4; N from 3",), sense=[W, W]),
    "witness against apart": make(
        "not apart(M:2, N:3, 1)", witness([W] * 5, [2], [1]),
        given=("M >= 3", "N >= 2"), ways=("M from 3; N from 2",), sense=[W, W]),
    "witness against equal": make(
        "not equal((M,N):(N,1), (M,N):(1,M))",
        ONE | {"rest": witness([W] * 9 + [["or", 1, W]], [1, 0], [1, 0])},
        given=("M >= 2", "N >= 2"), ways=("M from 2; N from 2",), sense=[W] * 4),
    "a claim or its denial": make(
        "injective((M,N):(M,1)) or not injective((M,N):(M,1))", part("denial", [], which=1),
        ways=(MN,), sense=[W] * 4),
    "what implies its part": make(
        "bijective(M:N) implies injective(M:N)", part("denial", [], which=0), ways=(MN,),
        sense=[W] * 2),
    "a number that is missing": make(
        "not covers((M,N):(2*N,1), M*N)",
        part("missing", [W, W], at=["N"], rest=part(
            "offset mod", [W] * 10, modulus="2*N", rho="N",
            residues=["0", "1", "0"])), given=("M >= 2",), ways=("M from 2; N from 1",),
        sense=[W, W]),
    "not that both": make("not (injective(4:0) and injective(M:1))",
                          ONE | {"which": 0, "rest": EVALUATE}, ways=("M from 1",), sense=[W]),
    # --- definitions --------------------------------------------------------------------------
    "residue": formula("M % 2 == 0 or (M - 1) % 2 == 0", ["or", 1, W], "M residue 2 1",
                       given=("M % 2 == 1",)),
    "residue, by a sum": formula("3 <= M", W, "M residue 4 3", given=("(M + 1) % 4 == 0",)),
    "handelman, a factor": formula(
        "k//N < M", ["sum", 0, [["1", [["g", 0]]], ["1", [["a", "k//N", 0]]]], "N"],
        "N from 1; M from 1; k from 0", given=("k < M*N", "0 <= k"), sense=[["sum", 0]]),
    "handelman, a divisor": formula(
        "K*M <= K*N", ["sum", 0, [["1/2", [["g", 0]]]], "1", "K"], MN + "; K from 1",
        given=("2*M <= 2*N + 1",)) ,
    "times a polynomial": formula("M % P == 0 implies (M*M) % (P*P) == 0", ["implies", W],
                                  "P from 1; M times P"),
    "times a number": formula("N % 6 == 0", W, "N times 6", given=("N % 2 == 0", "N % 3 == 0")),
    "times, from 0": formula("0 <= N", W, "N times 4", given=("0 <= N", "N % 4 == 0")),
    "rest": formula("N - 4*(N//4) <= 3", ["sum", 0, [["1", [["u", "N''"]]]]], "N rest 4"),
    "from a multiple": formula("2*M <= N", W, "M from 1; N from 2*M", given=("6*M < 3*N + 1",)),
    "upto": formula("M*K <= N*K", W, "N from 1; M upto N; K from 1", given=("M <= N",)),
    "a quotient over a boxed divisor": formula(
        "1 <= ceil_div(M,N)", W, "M from 1; N is M+1", given=("N == M+1", "M <= 6"), sense=[W]),
    "the room of a maximum, its arguments the other way round": formula(
        "N <= max(M,N) and max(N,M) >= M", ["and", [
            ["sum", 0, [["1", [["a", "max(N,M)", 0]]]]],
            ["sum", 0, [["1", [["a", "max(N,M)", 1]]]]]]], MN),
    "the room of a quotient that is evaluated here": formula(
        "ceil_div(N,M) == 1", ["both", ["sum", 0, [["1", [["a", "ceil_div(N,M)", 0]]],
                                                         ["1", [["g", 0]]]]], W],
        MN, given=("N <= N % N + 1",), sense=[W, W]),
    "is an atom": formula("N <= LD", ["sum", 0, [["1", [["a", "ceil_div(N,8)", 1]]]]],
                          "N from 1; LD is 8*ceil_div(N,8)", given=("LD == 8*ceil_div(N,8)",)),
    "quotient in an assumption": formula(
        "1 <= N", W, "M times 4; N from M/4", given=("M/4 <= N", "M % 4 == 0", "0 <= N")),
    "a dim of the assumptions alone": formula(
        "2 <= N", W, "K from 1; N from 2*K", given=("2*K <= N",)),
}  # fmt: skip


def changed(name: str, **keys: Any) -> Document:
    """Return a certificate with some keys changed, and what it states with them."""
    return anew(copy.deepcopy(ACCEPTED[name]) | keys)
