"""The table asked with dominance: which entry answers for which hand, within how many plies, for which attacker."""

import numpy as np
import pytest

from hisshi.core import Registry, compiled
from hisshi.core.kernel.context import part
from hisshi.core.kernel.dominance import EVERY_PLY, NOTHING, find, found_entry, keep
from hisshi.core.kernel.roles.table import SLOT
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN, incoming_of

PAWN, LANCE = 1 << 8, 1 << 16  # hands of one piece
NONE, PAWNS, BOTH = 0, 2 * PAWN, PAWN + LANCE
KEY = 0x123456789ABCDEF0
BLACK, WHITE = 0, 1


@compiled
def keep_finding(context, attacker, key, hand, final, value, length, budget, first, second, dominance):
    entry = incoming_of(part(context, SLOT))
    entry.board_key = key
    entry.hands[attacker] = final
    entry.value = value
    entry.length = length
    entry.budget = budget
    entry.first = first
    entry.second = second
    entry.mark = 0
    entry.move = 0
    entry.effort = 1
    keep(context, attacker, entry, hand, dominance)


@compiled
def ask(context, attacker, key, hand, plies, dominance):
    found, pn, dn = find(context, attacker, key, hand, plies, dominance)
    if found == NOTHING:
        return 99, 0, pn, dn
    entry = found_entry(context, key, found)
    return np.int64(entry.value), np.int64(entry.length), pn, dn


class Table:
    """A table as df-pn sees it."""

    def __init__(self):
        self.run = Registry.load().compose("mate-df-pn", {"table.megabytes": "0.01"})
        self.run.warm()
        self.run.clear()

    def keep(self, value, hand, *, final=None, length=0, budget=0, numbers=(0, 0), attacker=BLACK, dominance=1):
        final = np.uint64(hand if final is None else final)
        context, key = self.run.root.context, np.uint64(KEY)
        keep_finding(context, attacker, key, np.uint64(hand), final, value, length, budget, *numbers, dominance)

    def value(self, hand, plies=EVERY_PLY - 1, *, attacker=BLACK, dominance=1):
        answer = ask(self.run.root.context, attacker, np.uint64(KEY), np.uint64(hand), plies, dominance)[0]
        return None if answer == 99 else int(answer)

    def numbers(self, hand):
        return tuple(map(int, ask(self.run.root.context, BLACK, np.uint64(KEY), np.uint64(hand), 99, 1)[2:]))

    def used(self):
        arrays = self.run.root.parts["table"].arrays
        return int((arrays[0]["used"] == self.run.root.parts["table"].context.generation).sum())


@pytest.fixture
def table():
    return Table()


def test_a_proof_answers_for_every_hand_that_holds_what_it_needs(table):
    table.keep(PROVEN, PAWN + LANCE, final=PAWN, length=5)
    assert [table.value(hand) for hand in (PAWN, PAWNS, BOTH)] == [PROVEN] * 3
    assert [table.value(hand) for hand in (NONE, LANCE)] == [None, None]


def test_a_disproof_answers_for_every_hand_within_the_one_that_it_stands_against(table):
    table.keep(DISPROVEN, PAWN, final=PAWNS, budget=EVERY_PLY)
    assert [table.value(hand) for hand in (NONE, PAWN, PAWNS)] == [DISPROVEN] * 3
    assert [table.value(hand) for hand in (LANCE, BOTH, 3 * PAWN)] == [None] * 3


def test_without_dominance_a_hand_answers_for_itself_alone(table):
    table.keep(PROVEN, PAWN, length=5, dominance=0)
    assert [table.value(hand, dominance=0) for hand in (NONE, PAWN, PAWNS)] == [None, PROVEN, None]


def test_a_proof_that_is_too_long_and_a_disproof_within_fewer_plies_do_not_answer(table):
    table.keep(PROVEN, BOTH, length=5)
    table.keep(DISPROVEN, PAWN, budget=7)
    assert [table.value(BOTH, plies) for plies in (3, 5, 7)] == [None, PROVEN, PROVEN]
    assert [table.value(PAWN, plies) for plies in (5, 7, 9)] == [DISPROVEN, DISPROVEN, None]


def test_what_one_attacker_has_found_says_nothing_of_the_other(table):
    """With the same side to move, a mate by white is none by black, whatever the hands."""
    table.keep(PROVEN, NONE, length=4, attacker=WHITE)
    assert table.value(NONE, attacker=WHITE) == PROVEN
    assert [table.value(hand, attacker=BLACK) for hand in (NONE, BOTH)] == [None, None]
    table.keep(DISPROVEN, NONE, budget=EVERY_PLY, attacker=BLACK)
    assert [table.value(NONE, attacker=attacker) for attacker in (BLACK, WHITE)] == [DISPROVEN, PROVEN]


def test_an_undecided_hand_bounds_the_numbers_of_better_and_worse_ones(table):
    table.keep(UNKNOWN, PAWN, numbers=(6, 9))
    assert table.value(PAWN) == UNKNOWN
    assert (table.value(PAWNS), table.numbers(PAWNS)) == (None, (1, 9))  # no easier to disprove
    assert (table.value(NONE), table.numbers(NONE)) == (None, (6, 1))  # no easier to prove
    assert table.numbers(LANCE) == (1, 1)


def test_what_an_entry_makes_superfluous_goes_and_what_says_more_stays(table):
    table.keep(UNKNOWN, PAWN, numbers=(6, 9))
    table.keep(UNKNOWN, PAWN, numbers=(7, 3))
    assert table.used() == 1
    table.keep(PROVEN, PAWN, length=7)
    assert (table.used(), table.value(PAWN)) == (1, PROVEN)
    table.keep(PROVEN, BOTH, length=3)  # more in hand, but sooner
    assert (table.used(), table.value(BOTH, 3), table.value(PAWN, 3)) == (2, PROVEN, None)
    table.keep(PROVEN, PAWN, length=3)
    assert (table.used(), table.value(BOTH, 3), table.value(PAWN, 3)) == (1, PROVEN, PROVEN)
    table.keep(DISPROVEN, NONE, budget=5)
    table.keep(DISPROVEN, NONE, budget=3)
    assert [table.value(NONE, plies) for plies in (3, 5)] == [DISPROVEN, DISPROVEN]
    table.keep(DISPROVEN, NONE, final=LANCE, budget=EVERY_PLY)
    assert [table.value(hand) for hand in (NONE, LANCE)] == [DISPROVEN] * 2


def test_an_undecided_visit_does_not_drive_out_a_verdict(table):
    table.keep(DISPROVEN, PAWN, budget=5)
    table.keep(UNKNOWN, PAWN, numbers=(2, 2))
    assert table.value(PAWN, 5) == DISPROVEN
    assert table.value(PAWN, 7) == UNKNOWN
