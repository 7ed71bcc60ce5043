"""The transposition table and its replacement policies, entry by entry."""

import numpy as np
import pytest

from hisshi.core import Position, Registry, compiled
from hisshi.core.kernel.context import part
from hisshi.core.kernel.roles.table import NOT_FOUND, SLOT, entry_at, probe, store
from hisshi.core.kernel.table import (
    DISPROVEN,
    ENTRY,
    PROVEN,
    UNKNOWN,
    bucket_start,
    incoming_of,
    packed_hand,
    same_position,
)

BARE = "4k4/9/9/9/9/9/9/9/9 b {} 1"


@compiled
def store_value(context, position, value, worth):
    entry = incoming_of(part(context, SLOT))
    entry.value = value
    entry.worth = worth
    entry.length = 7
    entry.move = 1234
    entry.budget = 99
    store(context, position, entry)


@compiled
def start_of(context, position):
    return bucket_start(part(context, SLOT), position)


class Table:
    """A table as a search sees it."""

    def __init__(self, policy, megabytes="0.001"):
        self.run = Registry.load().compose("mate", {"table": policy, "table.megabytes": megabytes})
        self.run.warm()
        self.context = self.run.root.context
        self.instance = self.run.root.parts["table"]

    def store(self, position, value=UNKNOWN, worth=1):
        store_value(self.context, position.record, value, worth)

    def find(self, position):
        index = probe(self.context, position.record)
        return None if index == NOT_FOUND else entry_at(self.context, index)

    def worth_of(self, position):
        entry = self.find(position)
        return None if entry is None else int(entry.worth)

    def start(self, position):
        return int(start_of(self.context, position.record))


@pytest.fixture(scope="module", params=["always-replace", "two-level"])
def table(request):
    return Table(request.param)


@pytest.fixture(scope="module")
def two_level():
    return Table("two-level")


@pytest.fixture(scope="module")
def crowd(two_level):
    """Many positions that fall into one bucket of the two-level table."""
    board = Position.from_sfen("4k4/9/9/9/9/9/9/9/4K4 b RBGSNLPrbgsnlp 1")
    positions = [board.play(first) for first in board.legal_moves()]
    start = two_level.start(positions[0])
    same = [position for position in positions if two_level.start(position) == start]
    assert len(same) >= 6
    return same


@pytest.fixture(autouse=True)
def cleared(request):
    for name in ("table", "two_level"):
        if name in request.fixturenames:
            request.getfixturevalue(name).run.clear()


def bucket(policy, worths, incoming):
    """Call a policy directly: a bucket with entries of these worths (None: free), and one that comes in."""
    table = Table(policy)
    kernel = table.instance.plugin.kernel
    entries = np.zeros(len(worths) + 1, ENTRY).view(np.recarray)
    for number, worth in enumerate([*worths, incoming]):
        entries[number].board_key = np.uint64(number + 1)
        entries[number].used = worth is not None
        entries[number].worth = worth or 0
    lost = kernel(table.instance.context, entries[: len(worths)], entries[len(worths)])
    return [int(key) for key in entries["board_key"][:-1]], int(lost)


@pytest.mark.parametrize(
    ("worths", "incoming", "after", "lost"),
    [
        ([None, None], 5, [3, 2], 0),  # A is free
        ([4, None], 5, [1, 3], 0),  # A is taken, B is free
        ([9, None], 5, [1, 3], 0),
        ([9, 4], 5, [1, 3], 1),  # A is worth more: B is overwritten
        ([5, 4], 5, [3, 1], 1),  # A is worth no more: it moves to B
        ([4, 9], 5, [3, 1], 1),  # whatever B is worth
        ([-3, -3], 0, [3, 1], 1),
    ],
)
def test_two_level_keeps_what_is_worth_more_in_a_and_the_newest_in_b(worths, incoming, after, lost):
    assert bucket("two-level", worths, incoming) == (after, lost)


@pytest.mark.parametrize(("worths", "incoming", "lost"), [([None], 1, 0), ([9], 1, 1), ([1], 9, 1)])
def test_always_replace_keeps_the_newest(worths, incoming, lost):
    assert bucket("always-replace", worths, incoming) == ([2], lost)


def test_a_bucket_through_the_search_s_own_calls(two_level, crowd):
    first, second, third, fourth = crowd[:4]
    for position, worth in ((first, 3), (second, 1)):
        two_level.store(position, worth=worth)
    assert [two_level.worth_of(each) for each in (first, second)] == [3, 1]
    two_level.store(third, worth=2)  # A is worth more: B goes
    assert [two_level.worth_of(each) for each in (first, second, third)] == [3, None, 2]
    two_level.store(fourth, worth=3)  # A moves to B
    assert [two_level.worth_of(each) for each in (first, third, fourth)] == [3, None, 3]
    start = two_level.start(first)
    entries = two_level.instance.arrays[0]
    assert same_position(entries[start + 1], two_level.find(first)) and not same_position(
        entries[start], entries[start + 1]
    )
    statistics = two_level.run.statistics()["table.two-level"]
    assert (statistics["stores"], statistics["replacements"], statistics["used"]) == (4, 2, 2)


def test_what_comes_back_is_what_was_stored(table):
    position = Position.from_sfen(BARE.format("2P"))
    assert table.find(position) is None
    table.store(position, PROVEN, worth=5)
    entry = table.find(position)
    stored = tuple(int(entry[name]) for name in ("value", "worth", "length", "move", "budget", "used"))
    assert stored == (PROVEN, 5, 7, 1234, 99, 1)


def test_a_decided_entry_is_kept_against_an_undecided_one_of_its_position(table):
    position = Position.from_sfen(BARE.format("P"))
    for value, kept in [
        (UNKNOWN, UNKNOWN),
        (PROVEN, PROVEN),
        (UNKNOWN, PROVEN),
        (DISPROVEN, DISPROVEN),
        (UNKNOWN, DISPROVEN),
    ]:
        table.store(position, value)
        assert table.find(position).value == kept
    statistics = next(iter(table.run.statistics().values()))
    assert (statistics["used"], statistics["replacements"], statistics["stores"]) == (1, 0, 5)


def test_a_newer_entry_of_a_position_takes_the_place_of_the_older_and_keeps_its_hits(two_level, crowd):
    two_level.store(crowd[0], worth=9)
    two_level.store(crowd[1], worth=1)
    assert [two_level.find(crowd[1]).hits for _ in range(2)] == [1, 2]
    two_level.store(crowd[1], worth=5)
    assert two_level.find(crowd[1]).hits == 3
    assert [two_level.worth_of(each) for each in crowd[:2]] == [9, 5]


@pytest.mark.parametrize("others", ["G", "2G", "R", "-", "Gp", "g", "18P"])
def test_an_entry_never_answers_for_other_hands(table, others):
    position, other = Position.from_sfen(BARE.format("GP")), Position.from_sfen(BARE.format(others))
    other.record.hand_key = position.record.hand_key  # as if the keys of the hands collided
    assert other.record.board_key == position.record.board_key and table.start(position) == table.start(other)
    table.store(position, PROVEN)
    assert table.find(other) is None and table.find(position) is not None


def test_an_entry_never_answers_for_the_other_side_to_move(table):
    black, white = (Position.from_sfen(f"4k4/9/9/9/9/9/9/9/4K4 {side} P 1") for side in "bw")
    table.store(black, PROVEN)
    assert table.find(white) is None


def test_an_entry_never_answers_for_another_board_in_its_bucket(two_level, crowd):
    two_level.store(crowd[0], PROVEN)
    assert all(two_level.find(position) is None for position in crowd[1:])


def test_a_packed_hand_holds_every_count():
    position = Position.from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1")
    word = int(packed_hand(position.record, 0))
    assert [word >> 8 * kind & 255 for kind in range(8)] == [
        0,
        *(int(position.record.hand[0, kind]) for kind in range(1, 8)),
    ]
    assert int(packed_hand(position.record, 1)) == 0


@pytest.mark.parametrize(("policy", "size"), [("always-replace", 1), ("two-level", 2)])
@pytest.mark.parametrize("megabytes", ["0.001", "0.02", "1", "5"])
def test_a_table_has_the_largest_power_of_two_of_buckets_that_fits(policy, size, megabytes):
    table = Table(policy, megabytes).instance
    fitting = float(megabytes) * 2**20 / (ENTRY.itemsize * size)
    buckets = len(table.arrays[0]) // size
    assert buckets == table.context.bucket_mask + 1 and buckets & (buckets - 1) == 0
    assert buckets <= fitting < 2 * buckets


def test_a_bucket_larger_than_the_memory_still_makes_one(tmp_path):
    (tmp_path / "large.py").write_text(
        "from hisshi.core import hookimpl, implements\n@implements('table', bucket=50)\n"
        "def large(context, bucket, entry):\n    return 0\n@hookimpl\ndef hisshi_table():\n    return large\n"
    )
    (tmp_path / "mine.toml").write_text("[run.x]\nextends = 'mate'\ntable = { path = 'large.py', megabytes = 0.001 }\n")
    run = Registry.load(tmp_path / "mine.toml").compose("x")
    assert len(run.root.parts["table"].arrays[0]) == 50


def test_clearing_forgets_entries_and_counters(table):
    position = Position.from_sfen(BARE.format("P"))
    table.store(position, PROVEN)
    table.find(position)
    table.run.clear()
    statistics = next(iter(table.run.statistics().values()))
    assert [statistics[name] for name in ("probes", "hits", "stores", "replacements", "used")] == [0] * 5
    assert table.find(position) is None


def test_probes_and_hits_are_counted(table):
    known, unknown = Position.from_sfen(BARE.format("P")), Position.from_sfen(BARE.format("L"))
    table.store(known)
    for position in (known, unknown, known):
        table.find(position)
    statistics = next(iter(table.run.statistics().values()))
    assert (statistics["probes"], statistics["hits"]) == (3, 2)
