"""What hosts of another file call for the blocks of their launches."""

import triton

LIMIT = 16
WARPS = [4]


def is_other():
    """Is this another device?"""
    return triton.cdiv is None


def settings(n):
    """Return a block that holds a row, and warps for it."""
    limit = 32
    block = triton.next_power_of_2(n)
    if block > limit:
        raise RuntimeError(f"n = {n} is more than {limit}")
    warps = 4
    if block >= 16:
        warps = 32 if not is_other() else 16
    elif block >= 8:
        warps = 8
    return block, warps


def least(n, low=2, *, factor=1):
    if n < low:
        return low
    if n > LIMIT:
        return LIMIT * factor
    n = triton.next_power_of_2(n)
    return n * 1


def demanded(n):
    if n < 3:
        raise ValueError
    assert n <= 33


def nested(n):
    block, warps = settings(n)
    if warps == 8:
        return block * 2
    return block


def changed(n):
    WARPS[0] = n
    return 8 if WARPS[0] == n else 4
