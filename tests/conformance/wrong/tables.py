"""Replacement policies that break one rule each, called after the check that must catch them."""

import numpy as np

from hisshi.core import compiled, hookimpl, implements
from hisshi.core.kernel.context import array_reader
from hisshi.core.kernel.role import Array
from hisshi.core.kernel.table import TAGS_ARRAY, copy_entry

OWN_ARRAY = TAGS_ARRAY + 1  # behind those that every table has
numbers_at = array_reader(np.dtype(np.int64))


@implements("table", name="finds-what-came-into-an-empty-table")
def forgetful(context, bucket, entry):
    return 0


@implements("table", name="answers-for-no-other-position")
def mixing(context, bucket, entry):
    here = bucket[0]
    if here.used == 0:
        copy_entry(here, entry)
        return 0
    here.board_key = entry.board_key
    here.hands[0] = entry.hands[0]
    here.hands[1] = entry.hands[1]
    return 1


@implements("table", name="holds-no-position-twice", bucket=2)
def doubling(context, bucket, entry):
    lost = 1 if bucket[0].used != 0 else 0
    copy_entry(bucket[0], entry)
    copy_entry(bucket[1], entry)
    return lost


@implements("table", name="counts-what-is-lost")
def careless(context, bucket, entry):
    copy_entry(bucket[0], entry)
    return 0


@implements("table", name="leaves-the-incoming-entry-alone")
def scribbling(context, bucket, entry):
    lost = 1 if bucket[0].used != 0 else 0
    entry.worth += 1
    copy_entry(bucket[0], entry)
    return lost


@compiled
def first_only(bucket, entry):
    """As the bundled policy `keep-oldest`."""
    if bucket[0].used == 0:
        copy_entry(bucket[0], entry)
    return 0


@implements("table", name="takes-no-more-memory-than-allowed", arrays=[Array("more", np.dtype(np.int64), 10_000)])
def greedy(context, bucket, entry):
    return first_only(bucket, entry)


@implements("table", name="keeps-the-newest", traits=["keeps-newest"])
def never_new(context, bucket, entry):
    return first_only(bucket, entry)


@implements("table", name="keeps-the-deepest", traits=["keeps-deepest"])
def never_deep(context, bucket, entry):
    return first_only(bucket, entry)


@implements("table", name="keeps-the-largest", traits=["keeps-largest"])
def never_large(context, bucket, entry):
    return first_only(bucket, entry)


@implements("table", name="keeps-the-oldest", traits=["keeps-oldest"])
def never_old(context, bucket, entry):
    lost = 1 if bucket[0].used != 0 else 0
    copy_entry(bucket[0], entry)
    return lost


@implements("table", name="enters-the-same-nodes-again", arrays=[Array("calls", np.dtype(np.int64), 1)])
def remembering(context, bucket, entry):
    calls = numbers_at(context.memory[OWN_ARRAY], context.sizes[OWN_ARRAY])
    calls[0] += 1  # which nothing clears
    lost = 1 if bucket[0].used != 0 else 0
    if lost != 0 and calls[0] // 1000 % 2 == 0:
        return 0
    copy_entry(bucket[0], entry)
    return lost


@hookimpl
def hisshi_table():
    return [
        forgetful,
        mixing,
        doubling,
        careless,
        scribbling,
        greedy,
        never_new,
        never_deep,
        never_large,
        never_old,
        remembering,
    ]
