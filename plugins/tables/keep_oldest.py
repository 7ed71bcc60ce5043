"""Replacement policy keep-oldest: one entry a bucket, the first that came. Breuker's OLD.

Only a newer entry of the same position takes its place. The baseline for the others: what a table is worth that learns
nothing once it is full.
"""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.table import copy_entry


@implements("table", bucket=1, traits=["keeps-oldest"], source="Breuker, Uiterwijk and van den Herik, 1994: OLD")
def keep_oldest(context, bucket, entry):
    """Nothing replaces what is there."""
    if bucket[0].used == 0:
        copy_entry(bucket[0], entry)
    return 0


@hookimpl
def hisshi_table():
    """Offer the policy."""
    return keep_oldest
