"""Replacement policies with one entry a bucket: the one searched deepest, or the one with the largest searched subtree.

What comes in is kept if it is at least as deep, or as large, as what is there: of equals the newer stays.

* `depth-preferred` compares worth: the depth searched, or what the search declares. Breuker's DEEP.
* `effort-preferred` compares effort, the number of nodes entered, a position that was entered twice counted twice: of
  Breuker's two ways to count his BIGALL, not BIG1.
"""

from hisshi.core import compiled, hookimpl, implements
from hisshi.core.kernel.table import copy_entry


@implements("table", bucket=1, traits=["keeps-deepest"], source="Breuker, Uiterwijk and van den Herik, 1994: DEEP")
def depth_preferred(context, bucket, entry):
    """One slot, for what was searched deepest."""
    return keep_larger(bucket[0], entry, bucket[0].worth, entry.worth)


@implements("table", bucket=1, traits=["keeps-largest"], source="Breuker, Uiterwijk and van den Herik, 1994: BIGALL")
def effort_preferred(context, bucket, entry):
    """One slot, for the largest searched subtree."""
    return keep_larger(bucket[0], entry, bucket[0].effort, entry.effort)


@compiled
def keep_larger(slot, entry, there, comes):
    """Put `entry` into the slot unless what is there is larger: `comes` and `there` are their sizes."""
    if slot.used == 0:
        copy_entry(slot, entry)
        return 0
    if comes < there:
        return 0
    copy_entry(slot, entry)
    return 1


@hookimpl
def hisshi_table():
    """Offer the policies."""
    return [depth_preferred, effort_preferred]
