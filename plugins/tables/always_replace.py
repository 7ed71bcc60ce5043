"""Replacement policy always-replace: one entry a bucket, the newest. Breuker's NEW."""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.table import copy_entry


@implements("table", bucket=1, traits=["keeps-newest"], source="Komiya, count-budget mate search; Breuker's NEW")
def always_replace(context, bucket, entry):
    """The newest entry replaces whatever is there."""
    slot = bucket[0]
    lost = 1 if slot.used != 0 else 0
    copy_entry(slot, entry)
    return lost


@hookimpl
def hisshi_table():
    """Offer the policy."""
    return always_replace
