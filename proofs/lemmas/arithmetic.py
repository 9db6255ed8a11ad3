"""The rules by which an obligation about polynomials is settled: coefficients, boxes, multipliers.

A polynomial is a sum of monomials, a monomial a product of parameters; parameters are integers of
at least 0. The rules are sound by induction on how a polynomial is put together.

- Coefficients: a polynomial without a negative coefficient is at least 0. A monomial is: 1 is, and
  so is the product of two numbers of at least 0 (`coefficients_product`). A sum of terms `c*m` with
  c >= 0 is, term by term (`coefficients_sum`), from the empty sum 0.
- Quotient: b == a*k gives a | b for a >= 1 (`quotient_divides`).
- Rounding: for integers `c*x <= b` is `x <= b // c` (`content_rounds_down`).
- Handelman: if p minus products of numbers that are at least 0, with factors of at least 0, has no
  negative coefficient, p is at least 0 (`handelman_step`, one product at a time).
- Bernstein: over the box `0 <= x <= U` a polynomial is a combination of the products `x**k *
  (U-x)**(n-k)`, each of at least 0; if no coefficient is negative neither is the polynomial.
  `bernstein_degree_1` and `bernstein_degree_2` are the combinations of degree 1 and 2, and
  `bernstein_basis_step` raises the degree of a product by one factor: the induction for every
  degree.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
SOURCE = "how obligations are settled: "


@theorem(given=["a >= 0", "b >= 0"], source=f"{SOURCE}coefficients", solvers=BOTH)
def coefficients_product() -> str:
    """The product of two numbers of at least 0 is at least 0."""
    return "a*b >= 0"


@theorem(given=["a >= 0", "c >= 0", "m >= 0"], source=f"{SOURCE}coefficients", solvers=BOTH)
def coefficients_sum() -> str:
    """A sum of at least 0 stays so with one more term whose coefficient is not negative."""
    return "a + c*m >= 0"


@theorem(given=["a >= 0", "b >= 0"], expect="refuted")
def coefficients_negative_neighbour() -> str:
    """A polynomial with one negative coefficient is at least 0: (a-b)*(a+b)."""
    return "a*a - b*b >= 0"


@theorem(given=["p >= 0", "q >= 0", "b >= 0"], expect="refuted")
def coefficients_of_other_variables_neighbour() -> str:
    """A polynomial without a negative coefficient in something that may be negative, is not."""
    return "(p - q)*b >= 0"


@theorem(given=["a >= 1", "k0 >= 0", "k1 >= 0"], source=f"{SOURCE}quotient", solvers=BOTH)
def quotient_divides() -> str:
    """a divides a*k, for k of any sign."""
    return "(a*(k1 - k0)) % a == 0"


@theorem(given=["a >= 1", "k >= 0"], expect="refuted")
def quotient_divides_neighbour() -> str:
    """a divides a*k + 1."""
    return "(a*k + 1) % a == 0"


@theorem(given=["c >= 1", "x >= 0", "b >= 0"], source=f"{SOURCE}content", solvers=BOTH)
def content_rounds_down() -> tuple[str, str]:
    """c*x <= b says x <= b // c."""
    return "c*x <= b implies x <= b // c", "x <= b // c implies c*x <= b"


@theorem(given=["c >= 1", "x >= 0", "b >= 1", "c*x <= b"], expect="refuted")
def content_rounds_down_neighbour() -> str:
    """c*x <= b says x <= (b - 1) // c."""
    return "x <= (b - 1) // c"


@theorem(given=["g >= 0", "m >= 0", "l >= 0", "r >= 0"], source=f"{SOURCE}Handelman", solvers=BOTH)
def handelman_step() -> str:
    """A rest of at least 0 plus a product l*g*m of numbers of at least 0 is at least 0."""
    return "r + l*(g*m) >= 0"


@theorem(
    given=["U >= 0", "x >= 0", "x <= U", "b0 >= 0", "b1 >= 0"],
    source=f"{SOURCE}Bernstein",
    solvers=BOTH,
)
def bernstein_degree_1() -> str:
    """What is at least 0 at both ends of a box is so between them: linear."""
    return "b0*(U - x) + b1*x >= 0"


@theorem(
    given=["x >= 0", "y >= 0", "b0 >= 0", "b1 >= 0", "b2 >= 0"],
    source=f"{SOURCE}Bernstein",
    solvers=BOTH,
)
def bernstein_degree_2() -> str:
    """With coefficients of at least 0 a quadratic is at least 0 in the box; y is U - x."""
    return "b0*(y*y) + 2*b1*(x*y) + b2*(x*x) >= 0"


@theorem(given=["U >= 0", "x >= 0", "x <= U", "b >= 0"], source=f"{SOURCE}Bernstein", solvers=BOTH)
def bernstein_basis_step() -> str:
    """A product of at least 0 stays so with a factor x or U - x."""
    return "b*x >= 0 and b*(U - x) >= 0"


@theorem(given=["U >= 2", "x >= 0", "x <= U", "c >= 0"], expect="refuted")
def bernstein_ends_are_not_enough_neighbour() -> str:
    """A quadratic that is at least 0 at both ends of a box is so between them."""
    return "x*x - U*x + c >= 0"
