"""Searches for a move to play that break one rule each, called after the check that must catch them.

Each tries every legal move and values the position after it, with one mistake.
"""

import numpy as np

from hisshi.core import compiled, hookimpl, implements
from hisshi.core.kernel.control import GAVE_UP_BUDGET, control_of, enter_node, give_up
from hisshi.core.kernel.mate import is_mated
from hisshi.core.kernel.moves import NO_MOVE, do_move, drop_move, undo_move
from hisshi.core.kernel.pieces import KING
from hisshi.core.kernel.play_search import LINE_LENGTH, PLAY_ARRAYS, clear_counts, counts_of, lines_of
from hisshi.core.kernel.roles.evaluation import call_evaluation
from hisshi.core.kernel.roles.legal_moves import call_legal_moves
from hisshi.core.kernel.stack import moves_of
from hisshi.core.kernel.table import PROVEN, UNKNOWN
from hisshi.core.kernel.values import INFINITE, MATE

PARTS = ["legal_moves", "evaluation"]
PLAY = {"parts": PARTS, "arrays": PLAY_ARRAYS, "goal": "play"}


@compiled
def choose(context, position, mate_value, mated_value, factor):
    """Look one ply ahead; a mate is worth `mate_value`, a root without a move `mated_value`; return UNKNOWN."""
    context.answer_move = NO_MOVE
    context.answer_score = mated_value
    clear_counts(context)
    control, moves, lines, counts = control_of(context), moves_of(context), lines_of(context), counts_of(context)
    if not enter_node(control):
        return UNKNOWN
    best = np.int64(-INFINITE)
    end = call_legal_moves(context, position, moves, np.int64(0))
    for i in range(end):
        if not enter_node(control):
            return UNKNOWN
        move = np.int64(moves[i])
        captured = do_move(position, move)
        value = -call_evaluation(context, position, position.side) * factor
        if is_mated(position):
            value = mate_value
        undo_move(position, move, captured)
        if value > best:
            best = value
            context.answer_move, context.answer_score = move, best
            lines[0], counts[LINE_LENGTH] = move, 1
    give_up(control, GAVE_UP_BUDGET)
    return UNKNOWN


@implements("search", **PLAY)
def chooses_a_legal_move(context, position, plies):
    """Drops a king if it was given up before it had a move."""
    choose(context, position, MATE - 1, -MATE, 1)
    if context.answer_move == NO_MOVE and context.answer_score != -MATE:
        return UNKNOWN
    if counts_of(context)[LINE_LENGTH] == 0 and control_of(context)[0] == 0 and control_of(context)[1] == 1:
        context.answer_move, context.answer_score = drop_move(KING, 0), 0
    return UNKNOWN


@implements("search", **PLAY)
def chooses_a_move_if_there_is_time(context, position, plies):
    """Has an answer for a mate only."""
    choose(context, position, MATE - 1, -MATE, 1)
    if context.answer_score < MATE - 1 and context.answer_move != NO_MOVE:
        context.answer_move, counts_of(context)[LINE_LENGTH] = NO_MOVE, 0
    return UNKNOWN


@implements("search", **PLAY)
def plays_a_mate_in_one(context, position, plies):
    """Sees no mate."""
    choose(context, position, -1000, -MATE, 1)
    return UNKNOWN


@implements("search", **PLAY)
def has_no_move_when_mated(context, position, plies):
    """Takes a root without a move for a draw."""
    choose(context, position, MATE - 1, 0, 1)
    return UNKNOWN


@implements("search", **PLAY)
def scores_are_within_bounds(context, position, plies):
    """Has scores in a unit of its own."""
    choose(context, position, MATE - 1, -MATE, 1)
    if context.answer_move != NO_MOVE and context.answer_score != MATE - 1:
        context.answer_score = context.answer_score * 1_000_000 + 3 * MATE
    return UNKNOWN


@implements("search", **PLAY)
def gives_no_verdict(context, position, plies):
    """Calls a mate that it sees proven."""
    choose(context, position, MATE - 1, -MATE, 1)
    if context.answer_score == MATE - 1:
        context.answer_plies = 1
        return PROVEN
    return UNKNOWN


@implements("search", **PLAY)
def has_a_line_that_can_be_played(context, position, plies):
    """Its line has the move twice."""
    choose(context, position, MATE - 1, -MATE, 1)
    if counts_of(context)[LINE_LENGTH] == 1:
        lines_of(context)[1] = context.answer_move
        counts_of(context)[LINE_LENGTH] = 2
    return UNKNOWN


@hookimpl
def hisshi_search():
    """Offer them all."""
    return [
        chooses_a_legal_move,
        chooses_a_move_if_there_is_time,
        plays_a_mate_in_one,
        has_no_move_when_mated,
        scores_are_within_bounds,
        gives_no_verdict,
        has_a_line_that_can_be_played,
    ]
