"""Replacement policies with two levels: a slot A for what was searched deepest or largest, a slot B for what is new.

An entry that is less than A's goes to B; any other goes to A, and what was there moves to B. While a slot is free
nothing moves: A is filled first, then B.

* `two-level` compares worth: the depth searched, or what the search declares. Breuker's TWODEEP. Source: KFEnd, "Hisshi
  search", 2000, on the hash table.
* `two-level-effort` compares effort, the number of nodes entered: Breuker's TWOBIG, which he recommends. Under a search
  that declares its effort as worth (df-pn) the two are the same.
"""

from hisshi.core import compiled, hookimpl, implements
from hisshi.core.kernel.table import copy_entry


@implements("table", bucket=2, traits=["keeps-newest"], source="KFEnd, Hisshi search, 2000; Breuker's TWODEEP")
def two_level(context, bucket, entry):
    """Two slots: what is worth most, and what is newest."""
    return to_its_level(bucket, entry, bucket[0].worth, entry.worth)


@implements("table", bucket=2, traits=["keeps-newest"], source="Breuker, Uiterwijk and van den Herik, 1994: TWOBIG")
def two_level_effort(context, bucket, entry):
    """Two slots: the largest searched subtree, and what is newest."""
    return to_its_level(bucket, entry, bucket[0].effort, entry.effort)


@compiled
def to_its_level(bucket, entry, there, comes):
    """Put `entry` into A or B: `comes` is its size, `there` the size of what is in A."""
    a, b = bucket[0], bucket[1]
    if a.used == 0:
        copy_entry(a, entry)
        return 0
    if b.used == 0:
        copy_entry(b, entry)
        return 0
    if there <= comes:
        copy_entry(b, a)
        copy_entry(a, entry)
    else:
        copy_entry(b, entry)
    return 1


@hookimpl
def hisshi_table():
    """Offer the policies."""
    return [two_level, two_level_effort]
