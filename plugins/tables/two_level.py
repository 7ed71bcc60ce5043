"""Replacement policy two-level: a slot A for what is worth most, a slot B for what is new.

An entry that is worth less than A's goes to B; any other goes to A, and what was there moves to B. While a slot is
free nothing moves: A is filled first, then B. Worth is the depth searched, or what the search declares. Breuker's
TWODEEP. Source: KFEnd, "Hisshi search", 2000, on the hash table.
"""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.table import copy_entry


@implements("table", bucket=2, source="KFEnd, Hisshi search, 2000; Breuker's TWODEEP")
def two_level(context, bucket, entry):
    """Two slots: what is worth most, and what is newest."""
    a, b = bucket[0], bucket[1]
    if a.used == 0:
        copy_entry(a, entry)
        return 0
    if b.used == 0:
        copy_entry(b, entry)
        return 0
    if a.worth <= entry.worth:
        copy_entry(b, a)
        copy_entry(a, entry)
    else:
        copy_entry(b, entry)
    return 1


@hookimpl
def hisshi_table():
    """Offer the policy."""
    return two_level
