"""Hisshi searches that break one rule each, called after the check that must catch them.

Each is a plain full-width search of up to 3 plies without a table, with one mistake.
"""

import numpy as np

from hisshi.core import compiled, hookimpl, implements
from hisshi.core.kernel.attacks import is_in_check
from hisshi.core.kernel.context import context_at
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
from hisshi.core.kernel.declare import FIRST_FREE_SLOT
from hisshi.core.kernel.moves import NO_MOVE, do_move, do_pass, undo_move
from hisshi.core.kernel.roles.attack_candidates import call_attack_candidates
from hisshi.core.kernel.roles.defence_candidates import call_defence_candidates
from hisshi.core.kernel.roles.search import call_search_at
from hisshi.core.kernel.stack import moves_of, stack_of
from hisshi.core.kernel.state import king_square
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN

PARTS = {"attack_candidates": "attack_candidates", "defence_candidates": "defence_candidates", "mate": "search"}
MATE = FIRST_FREE_SLOT
DEEPEST = 3


@compiled
def mates(context, position):
    """Ask the mate search; UNKNOWN: told to give up, or too few nodes."""
    code, env = context.code[np.uint64(MATE)], context.env[np.uint64(MATE)]
    return call_search_at(code, env, position, np.int64(0))


@compiled
def search_node(context, position, control, moves, start, left, attacking):
    """Tell whether the attacker has a hisshi of `left` plies here: PROVEN, DISPROVEN, or UNKNOWN to give up."""
    if not enter_node(control):
        return UNKNOWN
    if attacking:
        end = call_attack_candidates(context, position, moves, start)
    else:
        end = call_defence_candidates(context, position, moves, start)
        if end == start:  # a mate inside the line
            return DISPROVEN
    result = DISPROVEN if attacking else PROVEN
    for i in range(start, end):
        move = np.int64(moves[i])
        captured = do_move(position, move)
        if attacking:
            value = PROVEN
            if not is_in_check(position, position.side):
                do_pass(position)
                value = mates(context, position)
                do_pass(position)
            elif left == 1:
                value = DISPROVEN
            if value == PROVEN:
                value = search_node(context, position, control, moves, end, left - 1, False)
        else:
            value = mates(context, position)
            if value == DISPROVEN and left > 0:
                value = search_node(context, position, control, moves, end, left - 1, True)
        undo_move(position, move, captured)
        if value == UNKNOWN:
            return UNKNOWN
        if attacking and value == PROVEN:
            context.answer_move = move  # the root's is written last
            return PROVEN
        if not attacking and value == DISPROVEN:
            return DISPROVEN
    return result


@compiled
def plain(context, position, plies, deepest):
    """Look for a mate, then for a hisshi of 1, 3, … plies, up to `deepest` and to `plies` if it is not 0."""
    context.answer_move = NO_MOVE
    context.answer_plies = context.answer_exact = 0
    control, moves = control_of(context), moves_of(context)
    value = mates(context, position)
    if value == UNKNOWN:
        return UNKNOWN
    if value == PROVEN:
        context.answer_move = context_at(context.env[np.uint64(MATE)]).answer_move
        context.answer_exact = 1
        return PROVEN
    for left in range(1, deepest + 1, 2):
        if plies > 0 and left > plies:
            give_up(control, GAVE_UP_SCHEDULE)
            return UNKNOWN
        value = search_node(context, position, control, moves, 0, left, True)
        if value == UNKNOWN:
            return UNKNOWN
        if value == PROVEN:
            context.answer_plies = left
            context.answer_exact = 1
            return PROVEN
    give_up(control, GAVE_UP_BUDGET)
    return UNKNOWN


@compiled
def unknown_if(condition, context, verdict):
    """Return UNKNOWN for a hisshi of 3 plies and more if `condition` holds."""
    if condition and verdict == PROVEN and context.answer_plies > 1:
        give_up(control_of(context), GAVE_UP_BUDGET)
        context.answer_plies = context.answer_exact = 0
        return UNKNOWN
    return verdict


@implements("search", name="leaves-the-position-alone", goal="hisshi", parts=PARTS)
def dirty(context, position, plies):
    verdict = plain(context, position, plies, DEEPEST)
    position.hand_key ^= np.uint64(1)
    return verdict


@implements("search", name="gives-up-when-told", goal="hisshi", parts=PARTS)
def stubborn(context, position, plies):
    verdict = plain(context, position, plies, DEEPEST)
    return DISPROVEN if control_of(context)[EXHAUSTED] & GAVE_UP_STOP != 0 else verdict


@implements("search", name="proves-hisshi-of-one-ply", goal="hisshi", parts=PARTS)
def idle(context, position, plies):
    context.answer_move = NO_MOVE
    context.answer_plies = context.answer_exact = 0
    verdict = mates(context, position)
    if verdict != PROVEN:
        give_up(control_of(context), GAVE_UP_BUDGET)
    return PROVEN if verdict == PROVEN else UNKNOWN


@implements("search", name="has-no-wrong-verdict", goal="hisshi", parts=PARTS)
def impatient(context, position, plies):
    verdict = plain(context, position, plies, 1)
    return DISPROVEN if control_of(context)[EXHAUSTED] == GAVE_UP_BUDGET else verdict


@implements("search", name="has-no-wrong-length", goal="hisshi", parts=PARTS)
def counting_the_mate(context, position, plies):
    verdict = plain(context, position, plies, DEEPEST)
    if verdict == PROVEN and context.answer_plies == 0:
        context.answer_plies = 1
    return verdict


@implements("search", name="keeps-to-the-plies-asked-for", goal="hisshi", parts=PARTS)
def far_sighted(context, position, plies):
    return plain(context, position, 0, DEEPEST)


@implements("search", name="enters-the-same-nodes-again", goal="hisshi", parts=PARTS)
def remembering(context, position, plies):
    asked_before = stack_of(context)[0]  # which nothing clears
    asked_before.length += 1
    control = control_of(context)
    if control[NODE_LIMIT] > 1000:  # more than the other process, whose memory differs, is ever given
        control[NODES] += asked_before.length % 2
    return plain(context, position, plies, DEEPEST)


@implements("search", name="says-the-same-mirrored", goal="hisshi", parts=PARTS)
def left_handed(context, position, plies):
    verdict = plain(context, position, plies, DEEPEST)
    file = king_square(position, 1 - position.side) // 9
    left = file > 4 if position.side == 0 else file < 4
    return unknown_if(left and plies == 0, context, verdict)


@implements("search", name="says-the-same-with-colours-exchanged", goal="hisshi", parts=PARTS)
def for_black(context, position, plies):
    return unknown_if(position.side == 1 and plies == 0, context, plain(context, position, plies, DEEPEST))


@implements("search", name="says-the-same-uncompiled", goal="hisshi", parts=PARTS)
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
        counting_the_mate,
        far_sighted,
        remembering,
        left_handed,
        for_black,
        overflowing,
    ]
