"""Candidates of KFEnd's hisshi search: the moves that are likely to attack, or to save, a king.

In check both sides look at all legal moves. Else the attacker looks at checks, at moves that attack the enemy king's
square or one round it, at captures, and at moves of pieces that could be captured; but at nothing after which the enemy
king has more freedom than `max_freedom`. The defender looks at moves of the king, at moves that attack a square round
it, at captures, at moves of pieces that could be captured, at drops into a line of attack, and at drops next to the
king.

An attack is that of the piece which moves, from where it goes. What is left out may have been the solution or the
defence: a search over these finds, it does not prove.

Source: KFEnd, "Hisshi search", 2000.
"""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.attacks import attacks_from, is_attacked, is_in_check
from hisshi.core.kernel.bitboard import bit, contains, lowest, rest
from hisshi.core.kernel.checks import gives_check
from hisshi.core.kernel.context import array_reader
from hisshi.core.kernel.generation import MAX_MOVES, all_moves
from hisshi.core.kernel.geometry import steps
from hisshi.core.kernel.mate import seen_by_sliders
from hisshi.core.kernel.moves import do_move, is_drop, kind_after, kind_of, source_of, target_of, undo_move
from hisshi.core.kernel.pieces import EMPTY, KING, NO_SQUARE
from hisshi.core.kernel.role import Array
from hisshi.core.kernel.roles.king_freedom import call_king_freedom
from hisshi.core.kernel.state import king_square, occupied_squares, piece_on, pieces_of

MAX_FREEDOM = 0  # place of the option in context.options
SOURCE = "KFEnd, Hisshi search, 2000"
ALL = Array("all", np.dtype(np.int32), MAX_MOVES)  # every legal move, of which some are written out

_all_at = array_reader(ALL.dtype)


@compiled
def all_of(context):
    """Return the plugin's own buffer, int32."""
    return _all_at(context.memory[0], context.sizes[0])


@compiled
def could_be_captured(position):
    """Return the pieces of the side to move that the other side attacks, the king excepted."""
    us = position.side
    occupied = occupied_squares(position)
    king = king_square(position, us)
    pieces = pieces_of(position, us)
    if king != NO_SQUARE:
        pieces &= ~bit(king)
    attacked = pieces & ~pieces
    while pieces:
        square = lowest(pieces)
        pieces = rest(pieces)
        if is_attacked(position, square, 1 - us, occupied):
            attacked |= bit(square)
    return attacked


@compiled
def attacked_after(position, move):
    """Return the squares that the piece which moves will attack."""
    target = target_of(move)
    occupied = occupied_squares(position) | bit(target)
    if not is_drop(move):
        occupied &= ~bit(source_of(move))
    return attacks_from(position.side, kind_after(move), target, occupied)


@compiled
def captures_or_flees(position, move, in_danger):
    """Say whether a move captures, or moves one of the pieces `in_danger`."""
    if is_drop(move):
        return False
    return piece_on(position, target_of(move)) != EMPTY or contains(in_danger, source_of(move))


@implements(
    "attack_candidates",
    name="kfend",
    options=[Option("max_freedom", 4, "most freedom that a move may leave the enemy king; 8: any", low=0, high=8)],
    parts=["king_freedom"],
    arrays=[ALL],
    source=SOURCE,
)
def kfend_attack(context, position, moves, start):
    """KFEnd's moves of the attacker: near the enemy king, captures, pieces in danger; pruned by king freedom."""
    us = position.side
    king = king_square(position, 1 - us)
    if king == NO_SQUARE:
        return all_moves(position, moves, start, False)
    legal = all_of(context)
    in_check = is_in_check(position, us)
    near = steps(us, KING, king) | bit(king)
    in_danger = could_be_captured(position)
    kept = start
    for i in range(all_moves(position, legal, 0, False)):
        move = np.int64(legal[i])
        if not in_check and not captures_or_flees(position, move, in_danger):
            if not attacked_after(position, move) & near and not gives_check(position, move):
                continue
        captured = do_move(position, move)
        free = call_king_freedom(context, position, 1 - us)
        undo_move(position, move, captured)
        if free <= context.options[MAX_FREEDOM]:
            moves[kept] = move
            kept += 1
    return kept


@implements("defence_candidates", name="kfend", arrays=[ALL], source=SOURCE)
def kfend_defence(context, position, moves, start):
    """KFEnd's moves of the defender: king moves, round the king, captures, pieces in danger, drops into lines."""
    us = position.side
    king = king_square(position, us)
    if king == NO_SQUARE or is_in_check(position, us):
        return all_moves(position, moves, start, False)
    legal = all_of(context)
    near = steps(us, KING, king)
    lines = seen_by_sliders(position, 1 - us)
    in_danger = could_be_captured(position)
    kept = start
    for i in range(all_moves(position, legal, 0, False)):
        move = np.int64(legal[i])
        wanted = kind_of(move) == KING or captures_or_flees(position, move, in_danger)
        if is_drop(move):
            wanted = contains(near | lines, target_of(move))
        if not wanted and not attacked_after(position, move) & near:
            continue
        moves[kept] = move
        kept += 1
    return kept


@hookimpl
def hisshi_attack_candidates():
    """Offer the attacker's."""
    return kfend_attack


@hookimpl
def hisshi_defence_candidates():
    """Offer the defender's."""
    return kfend_defence
