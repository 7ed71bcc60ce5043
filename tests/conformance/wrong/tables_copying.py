"""A replacement policy that copies an entry without the fields which only some searches read."""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.table import copy_entry


@implements("table", name="answers-for-no-other-position", bucket=2)
def forgetting(context, bucket, entry):
    lost = 1 if bucket[1].used != 0 else 0
    copy_entry(bucket[1], bucket[0])
    bucket[1].first = 0
    copy_entry(bucket[0], entry)
    return lost


@hookimpl
def hisshi_table():
    return forgetting
