"""Rings of mbarriers: what is over behind a wait, and who has arrived.

A ring has S cells. In round k of a loop a thread uses cell `k % S`, in its turn `k // S`: each
round is one cell and one turn, and the round of its next turn at the cell is S later
(`ring_rounds_are_turns`). P is the number of phases of a cell that are over.

Waits. A thread waits, in its turn j, for the parity `(j + c) % 2`, c = 0 or 1: the wait ends only
where P has the other parity (`ring_wait_has_a_parity`). Behind it P >= j + 1 - c. Induction over j:
before turn 0 it knows P >= -c, and before turn j what turn j - 1 left, P >= j - c. P has the parity
of j + 1 - c, and so is at least that (`ring_wait_adds_a_phase`). A turn in which it does not wait
breaks the induction (`ring_wait_left_out_neighbour`).

Arrivals. A phase takes `count` arrivals, and at most that many threads arrive in a turn, each once.
Arrivals are held back where a thread that arrives in its turn i knows P >= i. The phases up to j
have taken count*(j + 1) arrivals (`ring_phases_take`), by induction over j. All of them were of
turns up to j, since at each P was at most j (`ring_held_back`). In m turns there are at most
count*m arrivals (`ring_turns_have`, by induction over m). So none of the turns up to j can have had
less than count of them: all who arrive in it have (`ring_everyone_has_arrived`). One thread more,
or one that arrives twice in a turn, and somebody may be missing.

Commits come in some order, each of a turn of its own: of j + 1 that have come one is of turn j or
later (`ring_some_commit_is_as_late`), and comes behind all that MMAs had to read in turns up to it.

Bytes. A phase ends where none are left of those expected. As many are expected as the copies of the
turn have, so that then all of them have come (`ring_no_bytes_are_left`); were it fewer, some might
not (`ring_too_few_bytes_neighbour`).

Ends. Who waits in its turn j, while at least j - c phases are over and at most j + 1 - c, waits for
ever only where j - c are (`ring_wait_is_held_up`); were it two more, it might have been overtaken
(`ring_wait_overtaken_neighbour`). An arrival that is missing is of a turn up to j - c, in a round
that is no later (`ring_held_up_by_no_later_round`), and earlier for c = 1
(`ring_held_up_by_an_earlier_round`). A loop that begins with round f is in round r of its own where
it is in round r + f; one that begins with g is then in round r + g (`ring_rounds_of_one_loop`). So
a circle of who is held up by whom, in which what rounds are later sums to less than 0, does not
come back to its round.

Held back by another ring. A wait for ring W, v phases behind, says in turn j that turn j - v of W
has been arrived in. Whoever arrived there, in turn t, knew P >= t + 1 - w of this ring. So P >= j
where v + w is at most 1 (`ring_behind_another`).
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
RINGS = "what mbarriers order: rings"


@theorem(
    given=["j >= 0", "c >= 0", "c <= S - 1", "i >= 0", "d >= 0", "d <= S - 1"],
    source=RINGS, solvers=BOTH,
)  # fmt: skip
def ring_rounds_are_turns() -> tuple[str, str]:
    """Of two rounds with one cell the next has a turn more; one cell and one turn is one round."""
    return (
        "(S*j + c) + S == S*(j + 1) + c and 0 <= c and c <= S - 1",
        "S*j + c == S*i + d implies j == i and c == d",
    )


@theorem(given=["k >= 0", "S >= 2"], expect="refuted")
def ring_next_round_is_a_turn_neighbour() -> str:
    """The next round is the next turn."""
    return "(k + 1) // S == k // S + 1"


@theorem(given=["P >= 0", "j >= 0", "c >= 0", "c <= 1"], source=RINGS, solvers=BOTH)
def ring_wait_has_a_parity() -> str:
    """Where P has not the parity of j + c, P + c has that of j + 1."""
    return "P % 2 != (j + c) % 2 implies (P + c) % 2 == (j + 1) % 2"


@theorem(given=["P >= 0", "j >= 0", "c >= 0", "c <= 1"], expect="refuted")
def ring_wait_for_the_other_parity_neighbour() -> str:
    """Where P has the parity of j + c, so does P + c that of j + 1."""
    return "P % 2 == (j + c) % 2 implies (P + c) % 2 == (j + 1) % 2"


#: P phases are over, whose number has the parity of j + 1 - c.
WAITED = ["P >= 0", "j >= 0", "c >= 0", "c <= 1", "(P + c) % 2 == (j + 1) % 2"]


@theorem(given=[*WAITED, "P + c >= j"], source=RINGS, solvers=BOTH)
def ring_wait_adds_a_phase() -> str:
    """At least j - c, of the parity of j + 1 - c, is at least j + 1 - c."""
    return "P + c >= j + 1"


@theorem(given=[*WAITED, "P + c >= j - 1"], expect="refuted")
def ring_wait_left_out_neighbour() -> str:
    """The same where the turn before was not waited in."""
    return "P + c >= j + 1"


@theorem(given=["T >= 0", "n >= 1", "j >= 0", "T == n*j"], source=RINGS, solvers=BOTH)
def ring_phases_take() -> str:
    """With one phase more n arrivals more are taken."""
    return "T + n == n*(j + 1)"


@theorem(given=["P >= 0", "i >= 0", "j >= 0", "i <= P", "P <= j"], source=RINGS, solvers=BOTH)
def ring_held_back() -> str:
    """What is held back to turn i while P is at most j is of a turn up to j."""
    return "i <= j"


@theorem(given=["P >= 0", "i >= 0", "j >= 0", "i <= P + 1", "P <= j"], expect="refuted")
def ring_held_back_less_neighbour() -> str:
    """The same for what knows one phase less."""
    return "i <= j"


@theorem(given=["A >= 0", "m >= 0", "a >= 0", "A <= n*m", "a <= n"], source=RINGS, solvers=BOTH)
def ring_turns_have() -> str:
    """In one turn more there are at most n arrivals more."""
    return "A + a <= n*(m + 1)"


#: a arrivals of one turn, A of the j others; n are taken in each of j + 1 phases.
ARRIVED = ["a >= 0", "A >= 0", "j >= 0", "A + a == n*(j + 1)"]


@theorem(given=[*ARRIVED, "A <= n*j"], source=RINGS, solvers=BOTH)
def ring_everyone_has_arrived() -> str:
    """Of turns that have at most n arrivals each has n of them."""
    return "a >= n"


@theorem(given=[*ARRIVED, "A <= (n + 1)*j"], expect="refuted")
def ring_everyone_of_more_has_arrived_neighbour() -> str:
    """The same where one thread more may arrive."""
    return "a >= n"


@theorem(given=[*ARRIVED, "A <= 2*n*j"], expect="refuted")
def ring_everyone_arrives_twice_neighbour() -> str:
    """The same for threads that may arrive twice in a turn."""
    return "a >= n"


#: Turn t of another ring is v before turn j, and whoever arrived in it knew P >= t + 1 - w.
BEHIND = ["P >= 0", "t >= 0", "j >= 0", "v >= 0", "w >= 0", "t + v == j", "P + w >= t + 1"]


@theorem(given=[*BEHIND, "v + w <= 1"], source=RINGS, solvers=BOTH)
def ring_behind_another() -> str:
    """Where both are not behind together, the phases before turn j are over."""
    return "P >= j"


@theorem(given=[*BEHIND, "v + w <= 2"], expect="refuted")
def ring_behind_another_twice_neighbour() -> str:
    """The same where both are behind."""
    return "P >= j"


@theorem(
    given=["E >= 0", "C >= 0", "D >= 0", "D <= C", "E == C"], source=RINGS, solvers=BOTH,
)  # fmt: skip
def ring_no_bytes_are_left() -> str:
    """Where E bytes are expected, as many as copies have, and none are left of D that came."""
    return "E - D == 0 implies D == C"


@theorem(given=["E >= 0", "C >= 0", "D >= 0", "D <= C", "E <= C"], expect="refuted")
def ring_too_few_bytes_neighbour() -> str:
    """The same where fewer may be expected."""
    return "E - D == 0 implies D == C"


@theorem(given=["j >= 0", "a >= j + 1", "t >= a - 1"], source=RINGS, solvers=BOTH)
def ring_some_commit_is_as_late() -> str:
    """Of a commits, each of a turn of its own from 0 on, the last is of turn a - 1 or later."""
    return "t >= j"


#: At least j - c phases are over, of another parity than j + 1 - c.
STUCK = ["P >= 0", "j >= 0", "c >= 0", "c <= 1", "P + c >= j", "(P + c) % 2 != (j + 1) % 2"]


@theorem(given=[*STUCK, "P + c <= j + 1"], source=RINGS, solvers=BOTH)
def ring_wait_is_held_up() -> str:
    """Where at most j + 1 - c phases are over too, j - c are."""
    return "P + c == j"


@theorem(given=[*STUCK, "P + c <= j + 2"], expect="refuted")
def ring_wait_overtaken_neighbour() -> str:
    """The same where one phase more may be over."""
    return "P + c == j"


#: Turn i at cell d of S is missing, and turn j waits for the turn c before it.
MISSING = ["i >= 0", "j >= 0", "c >= 0", "d >= 0", "d <= S - 1", "i + c <= j"]


@theorem(given=MISSING, source=RINGS, solvers=BOTH)
def ring_held_up_by_no_later_round() -> str:
    """A round that is missing is so many turns before the one that waits, or more."""
    return "S*i + d <= (S*j + d) - S*c"


@theorem(given=[*MISSING, "c >= 1"], source=RINGS, solvers=BOTH)
def ring_held_up_by_an_earlier_round() -> str:
    """Where a turn before is waited for, it is earlier."""
    return "S*i + d + 1 <= S*j + d"


@theorem(given=MISSING, expect="refuted")
def ring_held_up_by_an_earlier_round_neighbour() -> str:
    """The same where the turn itself may be waited for."""
    return "S*i + d + 1 <= S*j + d"


#: Round q in a loop, of what begins there with round f; and k, of what begins with round g.
BESIDE = ["q >= 0", "k >= 0", "f >= 0", "g >= 0", "q >= f", "k >= g"]


@theorem(given=[*BESIDE, "k - g <= q - f"], source=RINGS, solvers=BOTH)
def ring_rounds_of_one_loop() -> str:
    """As often as that loop has gone round is no more rounds than between their first ones."""
    return "k <= q + g - f"


@theorem(given=[*BESIDE, "k - g <= q - f + 1"], expect="refuted")
def ring_rounds_of_one_loop_later_neighbour() -> str:
    """The same where it may have gone round once more."""
    return "k <= q + g - f"
