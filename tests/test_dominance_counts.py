"""Look-ups with hand dominance: what counts as a probe and a hit, and what becomes of an entry's hits."""

import numpy as np
import pytest

from hisshi.core import Position, Registry, compiled
from hisshi.core.kernel.context import part
from hisshi.core.kernel.dominance import EVERY_PLY, NOTHING, find, found_entry, keep
from hisshi.core.kernel.hands import packed_hand
from hisshi.core.kernel.roles.table import SLOT
from hisshi.core.kernel.table import DISPROVEN, ENTRIES_ARRAY, PROVEN, UNKNOWN, incoming_of

BLACK = 0
BOARD = np.uint64(0x123456789ABCDEF0)


def hand(pieces):
    return np.uint64(packed_hand(Position.from_sfen(f"4k4/9/9/9/9/9/9/9/9 b {pieces} 1").record, BLACK))


NONE, PAWN, GOLD, GOLD_PAWN, TWO_GOLDS = (hand(pieces) for pieces in ("-", "P", "G", "GP", "2G"))


@compiled
def keep_value(context, board_key, hand, value, pn):
    entry = incoming_of(part(context, SLOT))
    entry.board_key = board_key
    entry.hands[0] = hand
    entry.hands[1] = np.uint64(0)
    entry.value = value
    entry.length = 3
    entry.budget = EVERY_PLY
    entry.first = pn
    entry.second = pn
    entry.effort = 1
    keep(context, 0, entry, hand, 1)


@compiled
def found(context, board_key, hand, plies, dominance):
    return find(context, 0, board_key, hand, plies, dominance)


class Entries:
    """A table as df-pn uses it, for black to mate on one board."""

    def __init__(self, policy="hit-count"):
        self.run = Registry.load().compose("mate-df-pn", {"table": policy, "table.megabytes": "0.01"})
        self.run.warm()
        self.context = self.run.root.context

    def keep(self, hand, value=UNKNOWN, number=1):
        keep_value(self.context, BOARD, hand, value, number)

    def find(self, hand, plies=9, dominance=1):
        """Return the hits of the entry that answers, None if none does."""
        index, _, _ = found(self.context, BOARD, hand, plies, dominance)
        return None if index == NOTHING else int(found_entry(self.context, BOARD, index).hits)

    def counts(self):
        (statistics,) = self.run.statistics().values()
        return tuple(statistics[name] for name in ("probes", "hits", "stores", "replacements", "used"))


@pytest.fixture(scope="module")
def compiled_entries():
    return Entries()


@pytest.fixture
def entries(compiled_entries):
    compiled_entries.run.clear()
    return compiled_entries


def test_a_proof_a_disproof_and_own_numbers_are_hits(entries):
    entries.keep(GOLD, PROVEN)
    entries.keep(NONE, DISPROVEN)
    entries.keep(PAWN, UNKNOWN, 5)
    assert [entries.find(each) for each in (GOLD, NONE, PAWN)] == [1, 1, 1]
    assert entries.counts() == (3, 3, 3, 0, 3)


def test_an_answer_to_another_hand_counts_too(entries):
    entries.keep(GOLD, PROVEN)
    assert [entries.find(each) for each in (GOLD_PAWN, TWO_GOLDS, GOLD)] == [1, 2, 3]
    assert entries.find(GOLD_PAWN, dominance=0) is None
    assert entries.counts() == (4, 3, 1, 0, 1)


def test_what_does_not_answer_is_no_hit(entries):
    entries.keep(GOLD, PROVEN)
    entries.keep(PAWN, UNKNOWN, 5)
    assert entries.find(GOLD, plies=1) is None  # the proof is longer
    assert entries.find(NONE) is None  # bounds only
    assert entries.counts() == (2, 0, 2, 0, 2)


def test_an_entry_keeps_its_hits_when_its_position_is_stored_again(entries):
    entries.keep(GOLD, UNKNOWN, 3)
    assert [entries.find(GOLD) for _ in range(4)] == [1, 2, 3, 4]
    entries.keep(GOLD, UNKNOWN, 7)
    assert entries.find(GOLD) == 5
    entries.keep(GOLD, PROVEN)
    assert entries.find(GOLD) == 6 and entries.counts() == (6, 6, 3, 0, 1)


def test_an_entry_takes_over_the_hits_of_those_that_it_makes_superfluous(entries):
    entries.keep(GOLD_PAWN, UNKNOWN, 3)
    entries.keep(TWO_GOLDS, UNKNOWN, 3)
    entries.keep(PAWN, UNKNOWN, 3)
    for each, times in ((GOLD_PAWN, 2), (TWO_GOLDS, 3), (PAWN, 4)):
        for _ in range(times):
            entries.find(each)
    entries.keep(GOLD, PROVEN)
    assert entries.find(GOLD) == 2 + 3 + 1
    assert entries.find(PAWN) == 4 + 1
    assert entries.counts()[-1] == 2


def test_a_new_entry_has_no_hits(entries):
    entries.keep(GOLD, PROVEN)
    entries.find(GOLD)
    entries.keep(PAWN, UNKNOWN, 2)
    assert entries.find(PAWN) == 1


def test_df_pn_counts_its_probes_and_hits(entries):
    position = Position.from_sfen("6kp1/8n/7L1/4+bR2B/6Ns1/9/6L2/9/9 b r4g3s2n2l17p 1")
    entries.run.search(position.copy_record())
    probes, hits, stores, _, used = entries.counts()
    assert probes > hits > 0 and stores >= used > 0
    table = entries.run.root.parts["table"]
    stored = table.arrays[ENTRIES_ARRAY]
    assert 0 < stored["hits"][stored["used"] == table.context.generation].sum() <= hits
