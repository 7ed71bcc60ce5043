"""Replacement policy two-level-effort: a slot A for the largest searched subtree, a slot B for what is new.

An entry with less effort than A's goes to B; any other goes to A, and what was there moves to B. While a slot is free
nothing moves: A is filled first, then B. As `two-level`, with effort (nodes entered) in place of depth: Breuker's
TWOBIG, which he recommends. Under a search that declares its effort as worth (df-pn) the two are the same.
"""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.table import copy_entry


@implements("table", bucket=2, source="Breuker, Uiterwijk and van den Herik, 1994: TWOBIG")
def two_level_effort(context, bucket, entry):
    """Two slots: the largest searched subtree, and what is newest."""
    a, b = bucket[0], bucket[1]
    if a.used == 0:
        copy_entry(a, entry)
        return 0
    if b.used == 0:
        copy_entry(b, entry)
        return 0
    if a.effort <= entry.effort:
        copy_entry(b, a)
        copy_entry(a, entry)
    else:
        copy_entry(b, entry)
    return 1


@hookimpl
def hisshi_table():
    """Offer the policy."""
    return two_level_effort
