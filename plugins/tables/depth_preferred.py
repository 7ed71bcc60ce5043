"""Replacement policy depth-preferred: one entry a bucket, the one that was searched deepest. Breuker's DEEP.

What comes in is kept if it is worth at least as much as what is there: of equal depths the newer stays. Worth is the
depth searched, or what the search declares.
"""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.table import copy_entry


@implements("table", bucket=1, source="Breuker, Uiterwijk and van den Herik, 1994: DEEP")
def depth_preferred(context, bucket, entry):
    """One slot, for what was searched deepest."""
    slot = bucket[0]
    if slot.used == 0:
        copy_entry(slot, entry)
        return 0
    if entry.worth < slot.worth:
        return 0
    copy_entry(slot, entry)
    return 1


@hookimpl
def hisshi_table():
    """Offer the policy."""
    return depth_preferred
