"""The transposition table and its replacement policies, entry by entry."""

import numpy as np
import pytest
from table_calls import Table

from hisshi.core import Position, Registry
from hisshi.core.discovery import load_plugins
from hisshi.core.kernel.hands import packed_hand
from hisshi.core.kernel.table import DISPROVEN, ENTRY, PROVEN, TAG_BYTES, UNKNOWN, bucket_start, same_position

SLOTS = {
    "always-replace": 1,
    "depth-preferred": 1,
    "effort": 4,
    "effort-preferred": 1,
    "hit-count": 16,
    "keep-oldest": 1,
    "two-level": 2,
    "two-level-effort": 2,
}
BARE = "4k4/9/9/9/9/9/9/9/9 b {} 1"


@pytest.fixture(scope="module", params=SLOTS)
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


def test_no_policy_lacks_a_test():
    assert set(SLOTS) == set(load_plugins().names("table"))


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
    assert statistics["fill"] == round(2 / statistics["entries"], 6)


def test_what_comes_back_is_what_was_stored(table):
    position = Position.from_sfen(BARE.format("2P"))
    assert table.find(position) is None
    table.store(position, PROVEN, worth=5)
    entry = table.find(position)
    stored = tuple(int(entry[name]) for name in ("value", "worth", "length", "move", "budget"))
    assert stored == (PROVEN, 5, 7, 1234, 99) and entry.used == table.instance.context.generation


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


@pytest.mark.parametrize(("policy", "size"), SLOTS.items())
@pytest.mark.parametrize("megabytes", ["0.001", "0.02", "1", "5"])
def test_a_table_has_as_many_buckets_as_fit(policy, size, megabytes):
    table = Table(policy, megabytes).instance
    fitting = float(megabytes) * 2**20 / ((ENTRY.itemsize + TAG_BYTES) * size)
    buckets = len(table.arrays[0]) // size
    assert buckets == table.context.buckets == max(1, int(fitting))  # one bucket, even if it is larger than the memory


@pytest.mark.parametrize("buckets", [20, 35, 1000])
def test_every_bucket_is_reached_and_none_beyond(buckets):
    table = Table("always-replace", str((buckets + 0.5) * (ENTRY.itemsize + TAG_BYTES) / 2**20)).instance
    assert table.context.buckets == buckets
    starts = {int(bucket_start(table.context, np.uint64(key))) for key in range(0, 2**32, 2**20 - 1)}
    assert starts == set(range(buckets))


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
