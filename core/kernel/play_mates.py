"""Mates in play search: asked for at the root, and looked up below it.

At the root a mate search is asked whether the side to move mates, whether it would be mated after each of its moves,
and who threatens mate: a threatmate is a move after which the mover would mate if the other passed. That is all it
says. A threat that is parried may have cost a piece, so threatmates are reported and get no value of their own.

Below the root a search that may enter a single node answers from its table or not at all.

Source: Komiya, on moves that allow a mate and on threatmates.
"""

import numpy as np

from hisshi.core.kernel.attacks import is_in_check
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import part
from hisshi.core.kernel.moves import do_move, do_pass, undo_move
from hisshi.core.kernel.pieces import NO_SQUARE
from hisshi.core.kernel.play_search import ALLOWING, THREATENED, THREATMATES, allowing_of, counts_of, threats_of
from hisshi.core.kernel.roles.search import ask_search
from hisshi.core.kernel.state import king_square
from hisshi.core.kernel.table import PROVEN
from hisshi.core.kernel.values import HISSHI_VALUE, MATE, NO_VALUE


@compiled
def finds(context, slot, position, nodes):
    """Say whether the search in `slot` proves something against the side not to move within `nodes`; 0: not asked."""
    if nodes <= 0 or king_square(position, 1 - position.side) == NO_SQUARE:
        return False
    value, _ = ask_search(context, slot, position, 0, nodes)
    return value == PROVEN


@compiled
def mate_value(context, slot, position, nodes, ply):
    """Return the value for the side to move of a mate that the part in `slot` finds within `nodes`, else NO_VALUE.

    Counted from a root `ply` plies before.
    """
    if not finds(context, slot, position, nodes):
        return np.int64(NO_VALUE)
    return MATE - ply - part(context, slot).answer_plies


@compiled
def hisshi_value(context, slot, position, nodes, ply):
    """Return the same of a hisshi: better than any evaluation, and worse than every mate."""
    if is_in_check(position, position.side) or not finds(context, slot, position, nodes):
        return np.int64(NO_VALUE)
    plies = part(context, slot).answer_plies
    if plies == 0:  # a mate, which is the mate search's to count
        return np.int64(NO_VALUE)
    return HISSHI_VALUE - ply - plies


@compiled
def mark_moves(context, slot, position, nodes, moves, start, end, wants_threats):
    """Note which of the root's moves[start:end] allow a mate, and who threatens one; put the former behind the others.

    Return the new end, without them; if all allow a mate, the one whose mate takes longest stays. Writes the search's
    arrays `allowing` and `threats` and their counts.
    """
    counts, allowing, threats = counts_of(context), allowing_of(context), threats_of(context)
    us = position.side
    if wants_threats and not is_in_check(position, us):
        do_pass(position)
        counts[THREATENED] = 0 if mate_value(context, slot, position, nodes, 0) == NO_VALUE else 1
        do_pass(position)
    kept, longest, plies = start, np.int64(moves[start]), np.int64(0)
    for i in range(start, end):
        move = np.int64(moves[i])
        captured = do_move(position, move)
        value = mate_value(context, slot, position, nodes, 0)
        if value == NO_VALUE and wants_threats and not is_in_check(position, position.side):
            do_pass(position)
            threatens = mate_value(context, slot, position, nodes, 0) != NO_VALUE
            do_pass(position)
            if threatens:
                threats[counts[THREATMATES]] = move
                counts[THREATMATES] += 1
        undo_move(position, move, captured)
        if value == NO_VALUE:
            moves[kept] = move
            kept += 1
            continue
        allowing[counts[ALLOWING]] = move
        counts[ALLOWING] += 1
        if MATE - value > plies:
            longest, plies = move, MATE - value
    if kept == start and end > start:
        moves[start] = longest
        kept += 1
    return kept
