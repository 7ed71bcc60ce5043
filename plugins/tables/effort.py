"""Replacement policy effort: eight entries a bucket; the one with the smallest searched subtree goes.

What cost little is cheap to search again. Effort is the number of nodes entered below an entry; a search declares it.
"""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.table import copy_entry

SLOTS = 4


@implements("table", bucket=SLOTS, source="Nagai, df-pn, 2002 (SmallTreeGC); Breuker's BIG")
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
