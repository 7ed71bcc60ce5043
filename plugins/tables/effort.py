"""Replacement policy effort: four entries a bucket; the one with the smallest searched subtree goes.

What cost little is cheap to search again. Effort is the number of nodes entered to search an entry, as its search
declares it. A free slot is filled first; of equal efforts the entry in the first slot goes, even if the entry that
comes in has cost less than all. Breuker's BIG over a bucket instead of one slot, except that the newest always gets in.
"""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.table import copy_entry

SLOTS = 4


@implements(
    "table",
    bucket=SLOTS,
    traits=["keeps-newest", "keeps-largest"],
    source="Nagai, df-pn, 2002 (SmallTreeGC); after Breuker's BIG",
)
def effort(context, bucket, entry):
    """Replace the entry with the smallest searched subtree."""
    smallest = 0
    for i in range(SLOTS):
        if bucket[i].used == 0:
            copy_entry(bucket[i], entry)
            return 0
        if bucket[i].effort < bucket[smallest].effort:
            smallest = i
    copy_entry(bucket[smallest], entry)
    return 1


@hookimpl
def hisshi_table():
    """Offer the policy."""
    return effort
