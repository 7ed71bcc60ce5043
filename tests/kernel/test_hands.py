"""Packed hands: both legs, compiled and not, find what lists of counts give."""

import random

import numpy as np

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.hands import (
    count_in,
    covers,
    held_kinds,
    larger_of,
    packed_hand,
    smaller_of,
    with_one_less,
    with_one_more,
)
from hisshi.core.position import Position

KINDS = range(8)  # kind 0 is no piece: its byte stays 0
MOST = (0, 18, 4, 4, 4, 2, 2, 4)


def packed(counts):
    return np.uint64(sum(int(count) << 8 * kind for kind, count in enumerate(counts)))


def listed(hand):
    return [int(hand) >> 8 * kind & 255 for kind in KINDS]


def pairs_of_hands():
    chance = random.Random(38)
    pairs = [([0] * 8, [0] * 8), (list(MOST), [0] * 8), (list(MOST), list(MOST)), ([0] + [127] * 7, [0, 126] * 4)]
    for _ in range(300 if JIT else 60):
        a = [chance.randint(0, most) for most in MOST]
        b = [chance.choice((count, chance.randint(0, most))) for count, most in zip(a, MOST, strict=True)]
        pairs.append((a, b))
    return [pair for a, b in pairs for pair in ((a, b), (b, a))]


PAIRS = pairs_of_hands()
HANDS = [a for a, _ in PAIRS]


@compiled
def inside(a, b):  # as kernels call them: numbers stay uint64
    return covers(a, b), larger_of(a, b), smaller_of(a, b), held_kinds(a)


def test_two_hands_are_compared_met_and_joined_kind_by_kind():
    for a, b in PAIRS:
        at_least, larger, smaller, held = inside(packed(a), packed(b))
        assert bool(at_least) == all(x >= y for x, y in zip(a, b, strict=True)), (a, b)
        assert listed(larger) == [max(x, y) for x, y in zip(a, b, strict=True)], (a, b)
        assert listed(smaller) == [min(x, y) for x, y in zip(a, b, strict=True)], (a, b)
        assert listed(held) == [255 if x else 0 for x in a], a


def test_one_more_and_one_less_change_one_kind_and_none_becomes_less_than_none():
    for hand in HANDS[:: 1 if JIT else 4]:
        for kind in KINDS[1:]:
            more, less = list(hand), list(hand)
            more[kind] += 1
            less[kind] = max(0, less[kind] - 1)
            assert listed(with_one_less(packed(hand), kind)) == less
            assert count_in(packed(hand), kind) == hand[kind]
            if hand[kind] < 127:
                assert listed(with_one_more(packed(hand), kind)) == more
                assert with_one_less(with_one_more(packed(hand), kind), kind) == packed(hand)


def test_a_records_hand_is_packed_kind_by_kind():
    record = Position.from_sfen("4k4/9/9/9/9/9/9/9/9 b RB2G3S4N2L18prg 1", strict=False).record
    assert listed(packed_hand(record, 0)) == [0, 0, 2, 4, 3, 1, 1, 2]
    assert listed(packed_hand(record, 1)) == [0, 18, 0, 0, 0, 0, 1, 1]
