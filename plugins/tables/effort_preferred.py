"""Replacement policy effort-preferred: one entry a bucket, the one with the largest searched subtree. Breuker's BIG.

What comes in is kept if its effort is at least that of what is there. Effort is the number of nodes entered, a
position that was entered twice counted twice: of Breuker's two ways to count his BIGALL, not BIG1.
"""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.table import copy_entry


@implements("table", bucket=1, source="Breuker, Uiterwijk and van den Herik, 1994: BIGALL")
def effort_preferred(context, bucket, entry):
    """One slot, for the largest searched subtree."""
    slot = bucket[0]
    if slot.used == 0:
        copy_entry(slot, entry)
        return 0
    if entry.effort < slot.effort:
        return 0
    copy_entry(slot, entry)
    return 1


@hookimpl
def hisshi_table():
    """Offer the policy."""
    return effort_preferred
