"""Mate searches that break one rule each, called after the check that must catch them.

Each is a plain search, deepened iteratively up to 7 plies and without a table, with one mistake.
"""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.context import part
from hisshi.core.kernel.control import (
    EXHAUSTED,
    GAVE_UP_BUDGET,
    GAVE_UP_SCHEDULE,
    GAVE_UP_STOP,
    NODE_LIMIT,
    NODES,
    control_of,
    enter_node,
    give_up,
)
from hisshi.core.kernel.moves import NO_MOVE, do_move, undo_move
from hisshi.core.kernel.pieces import NO_SQUARE
from hisshi.core.kernel.roles import table
from hisshi.core.kernel.roles.checks import call_checks
from hisshi.core.kernel.roles.evasions import call_evasions
from hisshi.core.kernel.stack import moves_of, stack_of
from hisshi.core.kernel.state import king_square
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN

PARTS = ["checks", "evasions"]
DEEPEST = 7
NONE, CUT, ABORTED = -1, -2, -3  # what else `length_of` returns: no mate, none within the plies, told to give up


@compiled
def length_of(context, position, control, moves, start, plies, attacking):
    """Return the plies of a mate within `plies`, or NONE, CUT, ABORTED."""
    if not enter_node(control):
        return ABORTED
    end = call_checks(context, position, moves, start) if attacking else call_evasions(context, position, moves, start)
    if end == start:
        return NONE if attacking else 0
    if plies <= 0:
        return CUT
    result = NONE if attacking else 0
    for i in range(start, end):
        move = np.int64(moves[i])
        captured = do_move(position, move)
        length = length_of(context, position, control, moves, end, plies - 1, not attacking)
        undo_move(position, move, captured)
        if length == ABORTED:
            return ABORTED
        if attacking and length >= 0:
            context.answer_move = move  # the root's is written last
            return length + 1
        if attacking and length == CUT:
            result = CUT
        if not attacking and length < 0:
            return length
        if not attacking:
            result = max(result, length + 1)
    return result


@compiled
def plain(context, position, plies, deepest):
    """Search with 1, 3, … plies, up to `deepest` and to `plies` if it is not 0."""
    context.answer_move = NO_MOVE
    context.answer_plies = context.answer_exact = 0
    control, moves = control_of(context), moves_of(context)
    for budget in range(1, deepest + 1, 2):
        if plies > 0 and budget > plies:
            give_up(control, GAVE_UP_SCHEDULE)
            return UNKNOWN
        length = length_of(context, position, control, moves, 0, budget, True)
        if length >= 0:
            context.answer_plies = length
            context.answer_exact = 1
            return PROVEN
        if length == NONE:
            return DISPROVEN
        if length == ABORTED:
            return UNKNOWN
    give_up(control, GAVE_UP_BUDGET)
    return UNKNOWN


@compiled
def unknown_if(condition, context, verdict):
    """Return UNKNOWN for a mate of 3 plies and more if `condition` holds."""
    if condition and verdict == PROVEN and context.answer_plies > 1:
        give_up(control_of(context), GAVE_UP_BUDGET)
        return UNKNOWN
    return verdict


@implements("search", name="leaves-the-position-alone", parts=PARTS)
def dirty(context, position, plies):
    verdict = plain(context, position, plies, DEEPEST)
    position.hand_key ^= np.uint64(1)
    return verdict


@implements("search", name="gives-up-when-told", parts=PARTS)
def stubborn(context, position, plies):
    verdict = plain(context, position, plies, DEEPEST)
    return DISPROVEN if control_of(context)[EXHAUSTED] & GAVE_UP_STOP != 0 else verdict


@implements("search", name="proves-mates-in-one", parts=PARTS)
def idle(context, position, plies):
    context.answer_move = NO_MOVE
    give_up(control_of(context), GAVE_UP_BUDGET)
    enter_node(control_of(context))
    return UNKNOWN


@implements("search", name="has-no-wrong-verdict", parts=PARTS)
def impatient(context, position, plies):
    verdict = plain(context, position, plies, 5)
    alone = king_square(position, position.side) == NO_SQUARE
    return DISPROVEN if alone and control_of(context)[EXHAUSTED] == GAVE_UP_BUDGET else verdict


@implements("search", name="returns-a-verdict", parts=PARTS)
def talkative(context, position, plies):
    verdict = plain(context, position, plies, DEEPEST)
    return 2 if control_of(context)[EXHAUSTED] == GAVE_UP_BUDGET else verdict


@implements(
    "search",
    name="has-no-wrong-verdict-with-little",
    parts=PARTS,
    options=[Option("max_plies", DEEPEST, "longest line to look at", low=1, high=DEEPEST)],
)
def narrow_minded(context, position, plies):
    verdict = plain(context, position, plies, context.options[0])
    short = context.options[0] < DEEPEST and control_of(context)[EXHAUSTED] == GAVE_UP_BUDGET
    return DISPROVEN if short else verdict


@implements("search", name="has-no-wrong-length", parts=PARTS)
def counting_two_more(context, position, plies):
    verdict = plain(context, position, plies, DEEPEST)
    if verdict == PROVEN and plies == 0 and king_square(position, position.side) == NO_SQUARE:
        context.answer_plies += 2
    return verdict


@implements("search", name="finds-the-shortest-mate", parts=PARTS, traits=["finds-shortest"])
def modest(context, position, plies):
    verdict = plain(context, position, plies, DEEPEST)
    context.answer_exact = 0
    return verdict


@implements("search", name="keeps-to-the-plies-asked-for", parts=PARTS)
def far_sighted(context, position, plies):
    return plain(context, position, 0, DEEPEST)


@implements("search", name="proofs-replay", parts=PARTS)
def muddled(context, position, plies):
    verdict = plain(context, position, plies, DEEPEST)
    if verdict == PROVEN:
        moves = moves_of(context)
        context.answer_move = moves[call_checks(context, position, moves, 0) - 1]
    return verdict


@implements("search", name="enters-the-same-nodes-again", parts=PARTS)
def remembering(context, position, plies):
    asked_before = stack_of(context)[0]  # which nothing clears
    asked_before.length += 1
    control = control_of(context)
    if control[NODE_LIMIT] > 1000:  # more than the other process, whose memory differs, is ever given
        control[NODES] += asked_before.length % 2
    return plain(context, position, plies, DEEPEST)


@implements("search", name="says-the-same-mirrored", parts=PARTS)
def left_handed(context, position, plies):
    verdict = plain(context, position, plies, DEEPEST)
    file = king_square(position, 1 - position.side) // 9
    left = file > 4 if position.side == 0 else file < 4
    return unknown_if(left and plies == 0, context, verdict)


@implements("search", name="says-the-same-with-colours-exchanged", parts=PARTS)
def for_black(context, position, plies):
    return unknown_if(position.side == 1 and plies == 0, context, plain(context, position, plies, DEEPEST))


@implements("search", name="says-the-same-with-every-table", parts=[*PARTS, "table"])
def crowded(context, position, plies):
    verdict = plain(context, position, plies, DEEPEST)
    small = part(context, table.SLOT).buckets * part(context, table.SLOT).bucket < 20
    return DISPROVEN if small and verdict == PROVEN else verdict


@implements("search", name="agrees-with-every-other-search", parts=PARTS)
def careful(context, position, plies):
    verdict = plain(context, position, plies, DEEPEST)
    has_king = king_square(position, position.side) != NO_SQUARE
    return DISPROVEN if has_king and verdict == PROVEN else verdict


@implements("search", name="says-the-same-uncompiled", parts=PARTS)
def overflowing(context, position, plies):
    a = np.int8(100)
    if a + a < 0:  # compiled it is 200
        control_of(context)[NODES] += 1
    return plain(context, position, plies, DEEPEST)


@hookimpl
def hisshi_search():
    return [
        dirty,
        stubborn,
        idle,
        impatient,
        talkative,
        narrow_minded,
        counting_two_more,
        modest,
        far_sighted,
        muddled,
        remembering,
        left_handed,
        for_black,
        crowded,
        careful,
        overflowing,
    ]
