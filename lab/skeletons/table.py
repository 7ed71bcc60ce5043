"""Replacement policy SKELETON: which entry goes and where the idea comes from."""

import numpy as np

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.table import copy_entry


@implements("table", bucket=4, source="mine", status="experimental")
def skeleton(context, bucket, entry):
    """Fill the free slots; then one slot after the other goes in turn."""
    for i in range(len(bucket)):
        if bucket[i].used == 0:
            copy_entry(bucket[i], entry)
            return 0  # entries lost
    copy_entry(bucket[np.int64(context.stores) % len(bucket)], entry)
    return 1


@hookimpl
def hisshi_table():
    """Offer the policy."""
    return skeleton
