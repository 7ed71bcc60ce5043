"""Replacement policy hit-count: sixteen entries a bucket; the one that has answered least goes. From the program YSS.

The memo on YSS says: entries (16 places) record their hits, and the least is exchanged. The rest is decided here:

* an entry begins with 0 hits, and keeps them when a newer entry of its position takes its place;
* of equally few hits the first entry goes at or after a slot that moves on by one with each entry that comes to the
  table: about the oldest, as a clock's hand finds it. Were it always the first slot, the newcomers of a bucket would
  replace each other there, and the rest would stay for good;
* hits do not age, since the memo says nothing of it. Then entries that were asked for long ago stay, and once all
  others have answered the newest, with its 0, is the next to go. Option `ageing` halves every hit count of a bucket
  when the least of them is not 0; the entry with the least goes as before, but what answered once or long ago is soon
  at 0 beside the newcomers.
"""

import numpy as np

from hisshi.core import Option, hookimpl, implements
from hisshi.core.kernel.table import copy_entry

SLOTS = 16
AGEING = 0  # place of the option in context.options


@implements(
    "table",
    bucket=SLOTS,
    traits=["keeps-newest"],
    options=[Option("ageing", False, "halve the hits of a bucket's entries when all of them have answered")],
    source="Yamashita, YSS: memo on horizon effects",
)
def hit_count(context, bucket, entry):
    """Sixteen slots; the entry that has answered least goes."""
    least = 0
    first = np.int64(context.stores) % SLOTS
    for place in range(SLOTS):
        i = (first + place) % SLOTS
        if bucket[i].used == 0:
            copy_entry(bucket[i], entry)
            return 0
        if place == 0 or bucket[i].hits < bucket[least].hits:
            least = i
    if context.options[AGEING] != 0 and bucket[least].hits > 0:
        for i in range(SLOTS):
            bucket[i].hits //= 2
    copy_entry(bucket[least], entry)
    return 1


@hookimpl
def hisshi_table():
    """Offer the policy."""
    return hit_count
