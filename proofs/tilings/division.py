"""Divisions in index arithmetic: rounding, nesting, and division by multiplication."""

from __future__ import annotations

from symcute import theorem

ROUNDING = "CUTLASS: ceil_div and round_up in cute/numeric/math.hpp"
NESTED = "index decoding of kernels: i / a / b and i / a % b"
FAST = "CUTLASS: FastDivmod and find_divisor in cutlass/fast_math.h"
GRANLUND = "Granlund and Montgomery, Division by invariant integers using multiplication"

#: n = q*d + r with 0 <= r < d.
DIVIDED = ["0 <= n", "0 <= q", "0 <= r", "r < d", "n == q*d + r"]


@theorem(given=["0 <= n"], source=ROUNDING)
def division_rounded_up() -> tuple[str, ...]:
    """ceil(n/d) is (n + d - 1)/d; for n >= 1 it is (n - 1)/d + 1 as well."""
    return (
        "ceil_div(n, d) == floor_div(n + d - 1, d)",
        "n >= 1 => ceil_div(n, d) == floor_div(n - 1, d) + 1",
    )


@theorem(given=["0 <= n"], expect="refuted", source=ROUNDING)
def division_rounded_up_by_one_more() -> str:
    """ceil(n/d) is n/d + 1."""
    return "ceil_div(n, d) == floor_div(n, d) + 1"


@theorem(given=["0 <= n", "0 <= k", "k*d >= n"], source=ROUNDING)
def division_rounds_up_to_the_next_multiple() -> tuple[str, ...]:
    """ceil(n/d)*d is the smallest multiple of d that is at least n."""
    return (
        "ceil_div(n, d)*d >= n",
        "ceil_div(n, d) <= k",
        "mod(ceil_div(n, d)*d, d) == 0",
    )


@theorem(given=["0 <= n", "0 <= k", "k*d >= n - 1"], expect="refuted", source=ROUNDING)
def division_rounds_up_to_a_multiple_one_below() -> str:
    """ceil(n/d)*d is below every multiple of d that reaches n - 1."""
    return "ceil_div(n, d) <= k"


@theorem(given=["0 <= n"], source=NESTED)
def division_nested() -> tuple[str, ...]:
    """Dividing by a and then by b is dividing by a*b; the middle digit can be had both ways."""
    return (
        "floor_div(floor_div(n, a), b) == floor_div(n, a*b)",
        "mod(floor_div(n, a), b) == floor_div(mod(n, a*b), a)",
        "mod(mod(n, a*b), a) == mod(n, a)",
    )


@theorem(given=["0 <= n"], expect="refuted", source=NESTED)
def division_nested_with_rests_in_the_wrong_order() -> str:
    """The middle digit (n / a) % b is (n % b) / a."""
    return "mod(floor_div(n, a), b) == floor_div(mod(n, b), a)"


@theorem(given=["0 <= n"], expect="refuted", source=NESTED)
def division_rest_of_a_rest() -> str:
    """The rest by a of the rest by b is the rest by a, whatever b."""
    return "mod(mod(n, b), a) == mod(n, a)"


@theorem(given=["0 <= a", "a < N", "0 <= b", "b < N"], source="circular buffers without division")
def division_wraps_by_subtracting_once() -> tuple[str, ...]:
    """The sum of two indices below N wraps by subtracting N once, where it reaches N."""
    return (
        "a + b >= N => mod(a + b, N) == a + b - N",
        "a + b < N => mod(a + b, N) == a + b",
    )


@theorem(
    given=["0 <= a", "a < N", "0 <= b", "b <= 2*N"],
    expect="refuted",
    source="circular buffers without division",
)
def division_wraps_larger_steps_by_subtracting_once() -> str:
    """An index below N and a step of up to 2*N wrap by subtracting N once."""
    return "a + b >= N => mod(a + b, N) == a + b - N"


@theorem(given=[*DIVIDED, "m*d == W + e", "0 <= e", "n*e < W"], source=GRANLUND)
def division_by_multiplication() -> tuple[str, ...]:
    """n*m/W is n/d when m*d is W or a little more: by e, with n*e < W."""
    return "floor_div(n*m, W) == q", "n - floor_div(n*m, W)*d == r"


@theorem(given=[*DIVIDED, "m*d == W + e", "0 <= e", "n*e <= W"], expect="refuted", source=GRANLUND)
def division_by_multiplication_with_a_multiplier_too_large() -> str:
    """n*m/W is n/d when m*d = W + e, also with n*e = W."""
    return "floor_div(n*m, W) == q"


@theorem(given=[*DIVIDED, "m == floor_div(W, d)", "n < W"], expect="refuted", source=GRANLUND)
def division_by_multiplication_with_a_multiplier_rounded_down() -> str:
    """n*m/W is n/d when m is W/d rounded down."""
    return "floor_div(n*m, W) == q"


@theorem(
    given=[*DIVIDED, "n <= 2147483647", "d <= P", "W == 2147483648*P", "m == ceil_div(W, d)"],
    source=FAST,
)
def division_by_multiplication_for_all_of_31_bits() -> str:
    """With W = 2^31*P, P >= d, and m = ceil(W/d), n*m/W is n/d for every n below 2^31.

    P is the power of two next to d, so that the division by W is a shift.
    """
    return "floor_div(n*m, W) == q"


@theorem(
    given=[*DIVIDED, "n <= 2147483647", "d <= 2*P", "W == 2147483648*P", "m == ceil_div(W, d)"],
    expect="refuted",
    source=FAST,
)
def division_by_multiplication_with_a_shift_less() -> str:
    """With W = 2^31*P, n*m/W is n/d for every n below 2^31 when P is only d/2 or more."""
    return "floor_div(n*m, W) == q"


@theorem(given=["0 <= n", "n <= 2147483647"], source=FAST)
def division_by_7_is_a_multiplication() -> str:
    """n/7 is n*2454267027 / 2^34 for every n below 2^31."""
    return "floor_div(n*2454267027, 17179869184) == floor_div(n, 7)"


@theorem(given=["0 <= n", "n <= 2147483647"], expect="refuted", source=FAST)
def division_by_7_is_a_multiplication_with_a_shift_less() -> str:
    """n/7 is n*1227133514 / 2^33 for every n below 2^31 (it is for all but the largest)."""
    return "floor_div(n*1227133514, 8589934592) == floor_div(n, 7)"
