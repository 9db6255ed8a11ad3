"""The lemmas "one" and "denial": claims joined by `and`, `or`, `not` and `implies`.

The lemma. A joined claim is the conjunction of clauses, each of which says that one of some claims,
or of their denials, is true. A clause is true where one of its claims is ("one"), and where it has
a claim beside the denial of that very claim ("denial").

The proof is propositional. Each claim here is true or false: its extents are at least 1 and its
terms have values, which is proved before. So a claim is a truth, and nothing else of it counts; the
theorems write it as `A >= 2`, where A is any dim, so that each truth is met.
Induction on the tree of the joined claim, for it and for its denial together. Base: a claim, or its
denial, is one clause; a claim that comes to several is their conjunction, and its denial one clause
of their denials (`joined_not_and`). Step:
- `not P` is the denial of P, and its denial is P (`joined_not_not`).
- `P and Q` has the clauses of both. Its denial is `not P or not Q` (`joined_not_and`).
- `P implies Q` is `not P or Q` (`joined_implies`), and its denial `P and not Q`
  (`joined_not_implies`).
- `P or Q` has, for each clause of P and each of Q, the claims of both (`joined_or_of_and`; by
  induction for more than two clauses). Its denial has the clauses of both denials
  (`joined_not_or`).
"one": what is true makes an `or` true, whatever stands beside it (`joined_one`). "denial": a claim
is true, or it is false and its denial is true (`joined_denial`). QED.

Of a disjunction that is assumed and all of whose parts but one are refuted, that one is left
(`joined_one_is_left`): each other part contradicts the assumptions.

The claim and what is denied have to be the same. Of a claim that implies another nothing follows so
(`joined_denial_of_less_neighbour`), and nothing of one that is implied by it, unless a proof of
that stands beside it.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
SOURCE = "the engine's lemmas one and denial"


@theorem(source=SOURCE, solvers=BOTH)
def joined_not_not() -> str:
    """What is denied twice is claimed."""
    return "(not not A >= 2 implies A >= 2) and (A >= 2 implies not not A >= 2)"


@theorem(source=SOURCE, solvers=BOTH)
def joined_not_and() -> str:
    """The denial of a conjunction is a clause of denials."""
    return (
        "(not (A >= 2 and B >= 2) implies (not A >= 2 or not B >= 2))"
        " and ((not A >= 2 or not B >= 2) implies not (A >= 2 and B >= 2))"
    )


@theorem(source=SOURCE, solvers=BOTH)
def joined_not_or() -> str:
    """The denial of a disjunction is the conjunction of denials."""
    return (
        "(not (A >= 2 or B >= 2) implies (not A >= 2 and not B >= 2))"
        " and ((not A >= 2 and not B >= 2) implies not (A >= 2 or B >= 2))"
    )


@theorem(source=SOURCE, solvers=BOTH)
def joined_implies() -> str:
    """An implication is a clause: its premise is denied, or its conclusion is true."""
    return (
        "((A >= 2 implies B >= 2) implies (not A >= 2 or B >= 2))"
        " and ((not A >= 2 or B >= 2) implies (A >= 2 implies B >= 2))"
    )


@theorem(source=SOURCE, solvers=BOTH)
def joined_not_implies() -> str:
    """The denial of an implication has two clauses: its premise, and its conclusion denied."""
    return (
        "(not (A >= 2 implies B >= 2) implies (A >= 2 and not B >= 2))"
        " and ((A >= 2 and not B >= 2) implies not (A >= 2 implies B >= 2))"
    )


@theorem(source=SOURCE, solvers=BOTH)
def joined_or_of_and() -> str:
    """A disjunction with a conjunction is the conjunction of the disjunctions."""
    return (
        "((A >= 2 and B >= 2 or C >= 2) implies ((A >= 2 or C >= 2) and (B >= 2 or C >= 2)))"
        " and (((A >= 2 or C >= 2) and (B >= 2 or C >= 2)) implies (A >= 2 and B >= 2 or C >= 2))"
    )


@theorem(given=["A >= 2"], source=SOURCE, solvers=BOTH)
def joined_one() -> str:
    """A clause is true where one of its claims is."""
    return "A >= 2 or B >= 2"


@theorem(source=SOURCE, solvers=BOTH)
def joined_denial() -> str:
    """A clause is true that has a claim and its denial, whatever stands beside them."""
    return "A >= 2 or not A >= 2 or B >= 2"


@theorem(given=["A >= 2 or B >= 2", "not A >= 2"], source=SOURCE, solvers=BOTH)
def joined_one_is_left() -> str:
    """Of two claims of which one is true, and the one is not, the other is."""
    return "B >= 2"


@theorem(given=["A >= 2 or B >= 2", "not A >= 3"], expect="refuted")
def joined_one_is_left_of_less_neighbour() -> str:
    """The same where only what implies the one is not true."""
    return "B >= 2"


@theorem(expect="refuted")
def joined_denial_of_another_neighbour() -> str:
    """A clause is true that has a claim and the denial of another."""
    return "A >= 2 or not B >= 2"


@theorem(expect="refuted")
def joined_denial_of_less_neighbour() -> str:
    """A clause is true that has a claim and the denial of what it implies."""
    return "A >= 3 or not A >= 2"


@theorem(expect="refuted")
def joined_denial_and_neighbour() -> str:
    """A claim and its denial are both true."""
    return "A >= 2 and not A >= 2"


@theorem(expect="refuted")
def joined_not_and_neighbour() -> str:
    """The denial of a conjunction denies both."""
    return "not (A >= 2 and B >= 2) implies (not A >= 2 and not B >= 2)"


@theorem(expect="refuted")
def joined_implies_neighbour() -> str:
    """An implication may be turned round."""
    return "(A >= 2 implies B >= 2) implies (B >= 2 implies A >= 2)"


@theorem(expect="refuted")
def joined_or_of_and_neighbour() -> str:
    """A disjunction with a conjunction is a conjunction with one of the disjunctions."""
    return "(A >= 2 or C >= 2) implies (A >= 2 and B >= 2 or C >= 2)"
