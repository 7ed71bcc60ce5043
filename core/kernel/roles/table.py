"""Role `table`: the replacement policy of a transposition table.

The table itself is the core's, see `hisshi.core.kernel.table`.

The kernel is called as ``(context, bucket, entry) -> int64`` when an entry comes in and no entry of the same position
is in the bucket:

* `bucket`: array of ENTRY records, as many as the plugin declares with ``bucket=``; the policy writes what it likes
  into it: overwrite an entry, move one to another slot (`copy_entry`), or leave all as they are. ``used`` tells a
  free slot, ``hits`` how often an entry has answered, ``worth`` and ``effort`` what the search declares. Positions
  are looked for from the first slot to the last;
* `entry`: the ENTRY that comes in; not written;
* returns the number of used entries that were lost, for statistics: 0 or 1. That the entry that comes in is left out
  is no loss.

What a policy may compare: ``worth`` is the depth searched, or what the search declares instead; ``effort`` the nodes
entered to search the entry, itself included; ``hits`` how many look-ups it has answered since its position came into
the table: 0 for the entry that comes in, and never less because a newer entry of the position took its place.
``context.stores`` numbers the calls: how many entries have come in, this one included.

Traits say what survives in a bucket, however many entries come: ``keeps-newest`` and ``keeps-oldest``, the one that
came in last, or first; ``keeps-deepest`` and ``keeps-largest``, one whose worth, or effort, none that came exceeds.

Option `megabytes`, of every policy: memory for entries (72 bytes each), at least one bucket.
"""

import numpy as np
import pluggy

from hisshi.core.kernel.compiling import PROFILED, compiled
from hisshi.core.kernel.context import caller_of, context_at, part
from hisshi.core.kernel.control import control_of
from hisshi.core.kernel.hands import packed_hand
from hisshi.core.kernel.profiling import begin_part, end_part
from hisshi.core.kernel.role import BUCKET, CONTEXT, ENTRY, INT, Option, Role
from hisshi.core.kernel.table import (
    UNKNOWN,
    bucket_of,
    bucket_start,
    bucket_to_write,
    copy_entry,
    count_answer,
    entries_of,
    question_key,
    same_position,
    set_position,
    tag_for,
    tags_of,
    written,
)

SLOT = 6
ROLE = Role(
    "table",
    SLOT,
    INT(CONTEXT, BUCKET, ENTRY),
    ("context", "bucket", "entry"),
    options=(Option("megabytes", 64.0, "memory for the table's entries", low=0.001, high=1_048_576.0),),
)

NOT_FOUND = -1

_call_at = caller_of(ROLE.signature)


@compiled
def call_table(context, bucket, entry):
    """Call the caller's `table` part; see this module for the contract. Searches use `probe` and `store` instead."""
    return _call_at(context.code[SLOT], context_at(context.env[SLOT]), bucket, entry)


@compiled
def probe(context, position, attacker):
    """Return the index of the entry for "does `attacker` mate?" in the caller's table part, NOT_FOUND for none."""
    key = question_key(position, attacker)
    table = part(context, SLOT)
    table.probes += 1
    start = bucket_start(table, key ^ position.hand_key)
    tags, tag = tags_of(table), tag_for(table, key)
    bucket = bucket_of(table, start)
    for i in range(table.bucket):
        if tags[np.uint64(start + i)] != tag:
            continue
        entry = bucket[i]
        if entry.used == table.generation and entry.board_key == key:
            if entry.hands[0] == packed_hand(position, 0) and entry.hands[1] == packed_hand(position, 1):
                count_answer(table, entry)
                return start + i
    return NOT_FOUND


@compiled
def entry_at(context, index):
    """Return the entry that `probe` found; it is gone, or another position's, after the next `store`."""
    return entries_of(part(context, SLOT))[np.uint64(index)]


@compiled
def store(context, position, attacker, entry):
    """Store `entry`, from `incoming_of`, for the question whether `attacker` mates in `position`.

    An undecided one does not replace a decided one of the same position.
    """
    table = part(context, SLOT)
    table.stores += 1
    set_position(entry, position, attacker)
    entry.used = table.generation
    entry.hits = 0
    start = bucket_start(table, entry.board_key ^ position.hand_key)
    bucket = bucket_to_write(table, start)
    for i in range(table.bucket):
        if bucket[i].used != 0 and same_position(bucket[i], entry):
            if entry.value != UNKNOWN or bucket[i].value == UNKNOWN:
                entry.hits = bucket[i].hits
                copy_entry(bucket[i], entry)
            return
    table.replacements += call_table(context, bucket, entry)
    written(table, start)


if PROFILED:  # the same two, their time counted as the table's
    _probe, _store = probe, store

    @compiled
    def probe(context, position, attacker):
        control = control_of(context)
        begun = begin_part(control)
        found = _probe(context, position, attacker)
        end_part(control, part(context, SLOT), begun)
        return found

    @compiled
    def store(context, position, attacker, entry):
        control = control_of(context)
        begun = begin_part(control)
        _store(context, position, attacker, entry)
        end_part(control, part(context, SLOT), begun)


@pluggy.HookspecMarker("hisshi")
def hisshi_table():
    """Return the kernel, or a list of kernels, of role `table`.

    Called once when plugins are loaded, never per node.

    :returns: a function that `hisshi.core.implements` decorates, role "table".
    """
