"""Hands packed into one uint64, byte n the count of kind n: compared, met and joined without loops.

Counts stay below 128. Used for dominance: with the same board, an attacker who holds at least as much mates at least as
well.
"""

import numpy as np
from numba import config

from hisshi.core.kernel.compiling import compiled

if config.DISABLE_JIT:

    def wrapping_product(a, b):
        """Return the product of two uint64 modulo 2 to the 64, which numpy's scalars warn of."""
        return np.uint64(int(a) * int(b) & 0xFFFFFFFFFFFFFFFF)

else:

    @compiled
    def wrapping_product(a, b):
        """Return the product of two uint64 modulo 2 to the 64."""
        return a * b


NO_HAND = np.uint64(0)
_TOP = np.uint64(0x8080808080808080)
_BYTE = np.uint64(0xFF)
_ONE = np.uint64(1)


@compiled
def packed_hand(position, colour):
    """Return the hand of `colour` in a position record."""
    hand = position.hand[np.uint64(colour)]
    word = np.uint64(hand[0])
    word |= np.uint64(hand[1]) << np.uint64(8)
    word |= np.uint64(hand[2]) << np.uint64(16)
    word |= np.uint64(hand[3]) << np.uint64(24)
    word |= np.uint64(hand[4]) << np.uint64(32)
    word |= np.uint64(hand[5]) << np.uint64(40)
    word |= np.uint64(hand[6]) << np.uint64(48)
    return word | np.uint64(hand[7]) << np.uint64(56)


@compiled
def _at_least(a, b):
    """Return a mask of the bytes in which `a` is not less than `b`."""
    mask = (((a | _TOP) - b) & _TOP) >> np.uint64(7)  # the lowest bit of each such byte, spread by doubling
    mask |= mask << np.uint64(1)
    mask |= mask << np.uint64(2)
    return mask | mask << np.uint64(4)


@compiled
def covers(a, b):
    """Say whether hand `a` holds at least what `b` holds, kind by kind."""
    return ((a | _TOP) - b) & _TOP == _TOP


@compiled
def larger_of(a, b):
    """Return the larger count of each kind."""
    mask = _at_least(a, b)
    return (a & mask) | (b & ~mask)


@compiled
def smaller_of(a, b):
    """Return the smaller count of each kind."""
    mask = _at_least(a, b)
    return (b & mask) | (a & ~mask)


@compiled
def held_kinds(hand):
    """Return a mask with all bits of each byte whose count is not 0."""
    return ~_at_least(NO_HAND, hand)


@compiled
def count_in(hand, kind):
    """Return the count of `kind` as int64."""
    return np.int64(hand >> np.uint64(8 * kind) & _BYTE)


@compiled
def with_one_more(hand, kind):
    """Return the hand with one more piece of `kind`."""
    return hand + (_ONE << np.uint64(8 * kind))


@compiled
def with_one_less(hand, kind):
    """Return the hand with one piece of `kind` less, if it has any."""
    if count_in(hand, kind) == 0:
        return hand
    return hand - (_ONE << np.uint64(8 * kind))
