"""Garbage collection in a bounded table: when it is nearly full, what cost least to search goes, all at once.

A replacement policy compares the entries of one bucket; a collection compares those of the whole table. After Nagai's
SmallTreeGC: entries with the smallest searched subtrees are freed, since they are cheap to search again. Here a
finding (a proof, a disproof) counts as if it had cost eight times as much, for it answers for good, and for other hands
too. No verdict hangs on an entry that is lost: what it knew is searched again.

Source: Nagai, df-pn and its application to tsume-shogi (2002).
"""

import numpy as np

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import fresh
from hisshi.core.kernel.control import STOP
from hisshi.core.kernel.table import UNKNOWN, entries_of, free_entry

FULL_PERCENT = 90  # a table with more entries in use is collected,
KEPT_PERCENT = 65  # down to this many
SAMPLE = 1024  # how many buckets are looked at to tell how full it is
LOOKS = 64  # how often, while as many entries come in as the table has
FEWEST_STORES = 64  # between two looks: a collection of a tiny table must not be all that is done
CLASSES = 40  # 31 bits of effort, and room for FINDING
FINDING = 3  # classes by which a finding stands above its cost
STOP_EVERY = 1 << 16  # entries between two looks at the stop flag


@compiled
def collect_if_full(table, control):
    """Free entries of `table`, a table's context, if it is time to look and it is nearly full.

    No entry may be held across the call. Of a sweep that the stop flag ends some is done, which does no harm.
    """
    if table.stores < table.next_look:
        return
    entries = entries_of(table)
    table.next_look = table.stores + max(len(entries) // LOOKS, FEWEST_STORES)
    looked, used = 0, 0
    step = max(table.buckets // SAMPLE, 1) * table.bucket
    for start in range(0, len(entries), step):
        for i in range(start, start + table.bucket):  # the slots of a bucket fill one after the other
            looked += 1
            if entries[np.uint64(i)].used == table.generation:
                used += 1
    if 100 * used > FULL_PERCENT * looked:
        collect(table, control)


@compiled
def cost_class(entry):
    """Return the binary logarithm of what an entry counts as having cost."""
    effort, result = np.int64(entry.effort), np.int64(0)
    while effort > 1:
        effort >>= 1
        result += 1
    return result + FINDING if entry.value != UNKNOWN else result


@compiled
def collect(table, control):
    """Free the entries that cost least, until KEPT_PERCENT of the table are in use."""
    table.collections += 1
    entries = entries_of(table)
    # 1. How many entries of each class there are.
    counts = np.zeros(CLASSES, np.int64)
    used = np.int64(0)
    for i in range(len(entries)):
        if i % STOP_EVERY == 0 and fresh(control, STOP) != 0:
            return
        entry = entries[np.uint64(i)]
        if entry.used == table.generation:
            counts[cost_class(entry)] += 1
            used += 1
    # 2. The classes that go as a whole, and how many of the next one.
    surplus = used - len(entries) * KEPT_PERCENT // 100
    last = 0
    while last < CLASSES - 1 and counts[last] <= surplus:
        surplus -= counts[last]
        last += 1
    # 3. Those of the last class go in even steps: a run of them would empty one end of the table.
    owed = np.int64(0)
    for i in range(len(entries)):
        if i % STOP_EVERY == 0 and fresh(control, STOP) != 0:
            return
        entry = entries[np.uint64(i)]
        if entry.used != table.generation:
            continue
        cost = cost_class(entry)
        if cost == last:
            owed += surplus
            if owed >= counts[last]:
                owed -= counts[last]
                free_entry(table, i)
        elif cost < last:
            free_entry(table, i)
