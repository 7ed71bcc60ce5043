"""Garbage collection: when a table is collected, and which entries are left."""

import numpy as np
import pytest

from hisshi.core import Position, Registry, compiled, solve
from hisshi.core.kernel.context import JIT, part
from hisshi.core.kernel.control import CONTROL_SIZE, STOP
from hisshi.core.kernel.garbage import FEWEST_STORES, FINDING, FULL_PERCENT, KEPT_PERCENT, LOOKS, collect_if_full
from hisshi.core.kernel.roles.table import SLOT
from hisshi.core.kernel.table import DISPROVEN, ENTRIES_ARRAY, PROVEN, TAGS_ARRAY, UNKNOWN, written

MEGABYTES = "0.1" if JIT else "0.02"
MUCH = "9/9/k8/2G6/9/9/9/9/9 b GS 1"


@compiled
def look(context, control):
    collect_if_full(part(context, SLOT), control)


@compiled
def write_tags(context):
    table = part(context, SLOT)
    for bucket in range(table.buckets):
        written(table, bucket * table.bucket)


class Entries:
    """A table of which each entry is known by its board key: its place, from 1."""

    def __init__(self, megabytes=MEGABYTES):
        self.run = Registry.load().compose("mate-df-pn", {"table.megabytes": megabytes})
        self.run.warm()
        self.run.clear()
        self.table = self.run.root.parts["table"]
        self.entries = self.table.arrays[ENTRIES_ARRAY]
        self.control = np.zeros(CONTROL_SIZE, np.int64)

    def __len__(self):
        return len(self.entries)

    def fill(self, efforts, values=None):
        """Write entries with these efforts from the first place on; 0 is a free place."""
        self.entries["used"] = 0
        count = len(efforts)
        self.entries["board_key"][:count] = np.arange(1, count + 1)
        self.entries["used"][:count] = np.where(np.asarray(efforts) > 0, self.table.context.generation, 0)
        self.entries["effort"][:count] = efforts
        self.entries["value"][:count] = UNKNOWN if values is None else values
        write_tags(self.run.root.context)

    def look(self):
        self.run.control[:] = self.control
        look(self.run.root.context, self.run.control)
        return self.collections

    @property
    def collections(self):
        return int(self.table.context.collections)

    @property
    def left(self):
        """The efforts of the entries that are left; all of them have their tags, and no other has."""
        used = self.entries["used"] == self.table.context.generation
        tag = self.entries["board_key"] ^ np.uint64(int(self.table.context.generation) << 40)
        assert ((self.table.arrays[TAGS_ARRAY] == tag) == used).all()
        return sorted(self.entries["effort"][used].tolist())


@pytest.fixture
def table():
    return Entries()


def test_what_cost_least_to_search_goes(table):
    count = len(table)
    cheap = count * (100 - KEPT_PERCENT) // 100
    efforts = np.array([1, 3, 3, 1, 1000] * count)[: cheap // 5 * 5]
    efforts = np.concatenate([efforts[efforts < 1000], np.full(count - (efforts < 1000).sum(), 1000)])
    table.fill(np.random.default_rng(1).permutation(efforts))
    assert table.look() == 1
    assert set(table.left) == {1000}
    assert len(table.left) == count * KEPT_PERCENT // 100


def test_of_equals_as_many_go_as_must_from_all_over_the_table(table):
    count = len(table)
    table.fill(np.full(count, 7))
    assert table.look() == 1
    assert len(table.left) == count * KEPT_PERCENT // 100
    used = table.entries["used"] == table.table.context.generation
    halves = used[: count // 2].sum(), used[count // 2 :].sum()
    assert abs(int(halves[0]) - int(halves[1])) <= 1


@pytest.mark.parametrize("value", [PROVEN, DISPROVEN])
def test_a_finding_counts_as_if_it_had_cost_more(table, value):
    count = len(table)
    values = np.where(np.arange(count) % 2 == 0, value, UNKNOWN)
    same = np.full(count, 4)
    table.fill(same, values)
    table.look()
    left = table.entries[table.entries["used"] != 0]
    assert (left["value"] == value).sum() == (values == value).sum()  # undecided ones are enough
    table.fill(np.where(values == value, 4, 8 << FINDING), values)
    table.table.context.next_look = 0
    table.look()
    left = table.entries[table.entries["used"] != 0]
    assert (left["value"] == UNKNOWN).sum() == (values == UNKNOWN).sum()  # but a dear search is worth more


def test_a_table_that_is_not_nearly_full_is_left_alone(table):
    count = len(table)
    used = count * FULL_PERCENT // 100
    efforts = np.random.default_rng(2).permutation(np.array([5] * used + [0] * (count - used)))
    table.fill(efforts)
    assert table.look() == 0 and len(table.left) == used


def test_entries_of_earlier_searches_are_free_already(table):
    table.fill(np.full(len(table), 5))
    table.run.clear()
    assert table.look() == 0 and table.left == []


def test_the_next_look_is_some_stores_away(table):
    efforts = np.full(len(table), 5)
    for stores, expected in ((0, 1), (1, 1), (max(len(table) // LOOKS, FEWEST_STORES), 2)):
        table.fill(efforts)
        table.table.context.stores = stores
        assert table.look() == expected


def test_a_sweep_heeds_the_stop_flag(table):
    table.fill(np.full(len(table), 5))
    table.control[STOP] = 1
    table.look()
    assert len(table.left) == len(table)


def test_effort_up_to_the_largest_has_a_class(table):
    table.fill(np.full(len(table), 0x7FFFFFFF), np.full(len(table), PROVEN))
    assert table.look() == 1
    assert len(table.left) == len(table) * KEPT_PERCENT // 100


def test_statistics_say_how_often(table):
    run = Registry.load().compose("mate-df-pn", {"table.megabytes": "0.001", "collect": "true"})
    result = solve(Position.from_sfen(MUCH), run, node_limit=3000 if JIT else 300)
    assert result.statistics["table.effort"]["collections"] > 0
    run = Registry.load().compose("mate-df-pn", {"table.megabytes": "0.001", "collect": "false"})
    result = solve(Position.from_sfen(MUCH), run, node_limit=3000 if JIT else 300)
    assert result.statistics["table.effort"]["collections"] == 0
