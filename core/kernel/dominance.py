"""The transposition table asked with dominance: same board, and a hand that is at least, or at most, as good.

A position that is proven stays proven when the attacker holds more, for the pieces of a set are shared: what he holds
more the defender holds less. A proof is therefore stored with the hand that it needs (proof pieces), a disproof with
the largest hand that it still stands against (disproof pieces), and each answers for every hand on its side. Entries
with the same board share a bucket.

Fields of an ENTRY as used here: `first` proof number, `second` disproof number, `length` of a proof in plies, `budget`
the number of plies within which a disproof holds (`EVERY_PLY` for a real one) or the lowest ply at which an undecided
node was met, `mark` 1 where disproofs that rely on a path are stored under the path's key, `move`, `effort`.
The defender's hand is implied by the attacker's, if the key tells sets apart, too; `DEFENDS` in its place says
who attacks, for a table may hold the findings of both.

A look-up is a probe, and a hit if an entry answers: a proof, a disproof, or the position's own numbers. Bounds from
undecided entries of other hands are no hits.
"""

import numpy as np

from hisshi.core.kernel.compiling import PROFILED, compiled
from hisshi.core.kernel.context import part
from hisshi.core.kernel.control import control_of
from hisshi.core.kernel.hands import covers
from hisshi.core.kernel.profiling import begin_part, end_part
from hisshi.core.kernel.roles.table import SLOT, call_table
from hisshi.core.kernel.table import (
    DISPROVEN,
    LARGEST_COUNT,
    PROVEN,
    UNKNOWN,
    bucket_of,
    bucket_start,
    bucket_to_write,
    count_answer,
    tag_for,
    tags_of,
    written,
)

EVERY_PLY = 1 << 20  # more plies than any search looks ahead

NOTHING = -1
DEFENDS = np.uint64(0xFFFFFFFFFFFFFFFF)  # no hand


@compiled
def find(context, attacker, board_key, hand, plies, dominance):
    """Return (index, least pn, least dn) for a position; the index is NOTHING if no entry answers for it.

    The index is that of the entry that says most, in its bucket. The other two are 1, or what undecided entries of the
    same board say: who holds more is no easier to escape from, who holds less no easier to mate with.

    Parameters
    ----------
    attacker, hand
        The attacker's colour and packed hand.
    plies
        How many plies the attacker has: a longer proof, or a disproof within fewer, does not answer.
    dominance
        0: only entries of this very hand answer.
    """
    table = part(context, SLOT)
    table.probes += 1
    start = bucket_start(table, board_key)
    tags, tag = tags_of(table), tag_for(table, board_key)
    bucket = bucket_of(table, start)
    exact = NOTHING
    least_pn, least_dn = 1, 1
    for i in range(table.bucket):
        if tags[np.uint64(start + i)] != tag:
            continue
        entry = bucket[i]
        if entry.board_key != board_key or entry.used != table.generation or entry.hands[1 - attacker] != DEFENDS:
            continue
        stored = entry.hands[attacker]
        if entry.value == PROVEN:
            if entry.length <= plies and (stored == hand or (dominance != 0 and covers(hand, stored))):
                count_answer(table, entry)
                return i, 0, 0
        elif entry.value == DISPROVEN:
            if entry.budget >= plies and (stored == hand or (dominance != 0 and covers(stored, hand))):
                count_answer(table, entry)
                return i, 0, 0
        elif stored == hand:
            exact = i
        elif dominance != 0:
            if covers(hand, stored):
                least_dn = max(least_dn, np.int64(entry.second))
            elif covers(stored, hand):
                least_pn = max(least_pn, np.int64(entry.first))
    if exact != NOTHING:
        count_answer(table, bucket[np.uint64(exact)])
    return exact, least_pn, least_dn


@compiled
def found_entry(context, board_key, index):
    """Return the entry that `find` has found."""
    table = part(context, SLOT)
    return bucket_of(table, bucket_start(table, board_key))[np.uint64(index)]


@compiled
def keep(context, attacker, entry, hand, dominance):
    """Store `entry`, whose board key, attacker's hand and findings are set, for the attacker's `hand`.

    Entries that it makes superfluous go: the position's own, and those of the same board that it dominates. It takes
    over their hits, since it answers from now on where they did.
    """
    table = part(context, SLOT)
    table.stores += 1
    entry.hands[1 - attacker] = DEFENDS
    entry.used = table.generation
    entry.worth = entry.effort
    hits = np.int64(0)
    start = bucket_start(table, entry.board_key)
    bucket = bucket_to_write(table, start)
    for i in range(table.bucket):
        old = bucket[i]
        if old.used == 0 or old.board_key != entry.board_key or old.hands[1 - attacker] != DEFENDS:
            continue
        stored = old.hands[attacker]
        superfluous = stored == hand and old.value == UNKNOWN
        if stored == entry.hands[attacker] and old.value == entry.value:
            if entry.value == PROVEN:
                superfluous = entry.length <= old.length
            elif entry.value == DISPROVEN:
                superfluous = entry.budget >= old.budget
        elif dominance != 0:
            if entry.value == PROVEN:
                superfluous |= covers(stored, entry.hands[attacker]) and (
                    old.value == UNKNOWN or (old.value == PROVEN and entry.length <= old.length)
                )
            elif entry.value == DISPROVEN:
                superfluous |= covers(entry.hands[attacker], stored) and (
                    old.value == DISPROVEN and entry.budget >= old.budget
                )
        if superfluous:
            hits += old.hits
            old.used = 0
    entry.hits = min(hits, LARGEST_COUNT)
    table.replacements += call_table(context, bucket, entry)
    written(table, start)


if PROFILED:  # the same two, their time counted as the table's
    _find, _keep = find, keep

    @compiled
    def find(context, attacker, board_key, hand, plies, dominance):
        control = control_of(context)
        begun = begin_part(control)
        found = _find(context, attacker, board_key, hand, plies, dominance)
        end_part(control, part(context, SLOT), begun)
        return found

    @compiled
    def keep(context, attacker, entry, hand, dominance):
        control = control_of(context)
        begun = begin_part(control)
        _keep(context, attacker, entry, hand, dominance)
        end_part(control, part(context, SLOT), begun)
