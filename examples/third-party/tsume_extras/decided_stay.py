"""Replacement policy decided-stay: four entries a bucket; one without a verdict goes before one that has it.

A proof or a disproof holds for good, whatever the search asks next; what is unknown holds for one budget only. Among
entries of the same kind the one that cost the fewest nodes goes, of equal ones the first.
"""

from hisshi.core import compiled, hookimpl, implements
from hisshi.core.kernel.table import UNKNOWN, copy_entry

SLOTS = 4


@compiled
def is_dearer(entry, other):
    """Say whether `entry` should outlive `other`: it is decided and the other is not, or it cost more nodes."""
    if (entry.value == UNKNOWN) != (other.value == UNKNOWN):
        return other.value == UNKNOWN
    return entry.effort > other.effort


@implements("table", bucket=SLOTS, source="an example")
def decided_stay(context, bucket, entry):
    """Replace an entry without a verdict; among equals the cheapest."""
    victim = 0
    for i in range(SLOTS):
        if bucket[i].used == 0:
            copy_entry(bucket[i], entry)
            return 0
        if is_dearer(bucket[victim], bucket[i]):
            victim = i
    copy_entry(bucket[victim], entry)
    return 1


@hookimpl
def hisshi_table():
    """Offer the policy."""
    return decided_stay
