"""Mate as a question about one position: is there an evasion, is there a mate in one."""

import numpy as np

from hisshi.core.kernel.attacks import (
    attackers_of,
    attacks_from,
    between,
    is_attacked,
    line_blockers,
)
from hisshi.core.kernel.bitboard import bit, contains, lowest, rest
from hisshi.core.kernel.checks import check_moves
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.generation import drop_targets, pinned_pieces
from hisshi.core.kernel.geometry import steps
from hisshi.core.kernel.moves import NO_MOVE, do_move, is_drop, kind_after, source_of, target_of, undo_move
from hisshi.core.kernel.pieces import GOLD, KING, NO_SQUARE, PAWN
from hisshi.core.kernel.state import in_hand, king_square, occupied_squares, pieces_of


@compiled
def king_flights(position, colour):
    """Return the squares that `colour`'s king could step to: not its own pieces', not attacked once it is lifted."""
    king = king_square(position, colour)
    without_king = occupied_squares(position) & ~bit(king)
    squares = steps(0, KING, king) & ~pieces_of(position, colour)
    free = squares & ~squares
    while squares:
        square = lowest(squares)
        squares = rest(squares)
        if not is_attacked(position, square, 1 - colour, without_king):
            free |= bit(square)
    return free


@compiled
def has_evasion(position):
    """Say whether the side to move, which is in check, has a legal move: the first one found ends the search."""
    us = position.side
    them = 1 - us
    king = king_square(position, us)
    occupied = occupied_squares(position)
    own = pieces_of(position, us)
    # 1. The king steps away or takes.
    without_king = occupied & ~bit(king)
    squares = steps(us, KING, king) & ~own
    while squares:
        square = lowest(squares)
        squares = rest(squares)
        if not is_attacked(position, square, them, without_king):
            return True
    checkers = attackers_of(position, king, them, occupied)
    if rest(checkers):
        return False
    # 2. Another piece takes the checker.
    movers = ~pinned_pieces(position) & ~bit(king)
    checker = lowest(checkers)
    if attackers_of(position, checker, us, occupied) & movers:
        return True
    # 3. A drop or a move between. A pinned piece cannot help: its line and the check's meet only in the king.
    inside = between(king, checker)
    if not inside:
        return False
    for kind in range(PAWN, GOLD + 1):
        if in_hand(position, us, kind) > 0:
            if drop_targets(position, kind, inside):
                return True
    while inside:
        square = lowest(inside)
        inside = rest(inside)
        if attackers_of(position, square, us, occupied) & movers:
            return True
    return False


@compiled
def is_mated(position):
    """Say whether the side to move is in check and has no legal move."""
    us = position.side
    king = king_square(position, us)
    if king == NO_SQUARE:
        return False
    if not is_attacked(position, king, 1 - us, occupied_squares(position)):
        return False
    return not has_evasion(position)


@compiled
def mate_in_one(position, moves, start):
    """Return a move that mates at once, NO_MOVE if there is none; complete.

    `moves` is scratch from `start` on, with room for `MAX_MOVES`.
    """
    return mate_among(position, moves, start, check_moves(position, moves, start, False))


@compiled
def mate_among(position, moves, start, end):
    """Return the first of the checks moves[start:end] that mates, NO_MOVE if none does; `position` is restored.

    A check is set aside without being made when a square that the king can flee to now is not among those it attacks
    from its target; only uncovered checks and those that leave an own slider's line can attack more than that. What
    remains is made and looked at.
    """
    if end == start:
        return NO_MOVE
    us = position.side
    king = king_square(position, 1 - us)
    flights = king_flights(position, 1 - us)
    own = pieces_of(position, us)
    without_king = occupied_squares(position) & ~bit(king)
    # Pieces whose leaving may open a line to a flight square.
    opening = line_blockers(position, king, us)
    around = flights
    while around:
        opening |= line_blockers(position, lowest(around), us)
        around = rest(around)
    opening &= own
    for i in range(start, end):
        move = np.int64(moves[i])
        target = target_of(move)
        left = flights & ~bit(target)
        if left:
            if is_drop(move) or not contains(opening, source_of(move)):
                if left & ~attacks_from(us, kind_after(move), target, without_king):
                    continue
        captured = do_move(position, move)
        mated = not has_evasion(position)
        undo_move(position, move, captured)
        if mated:
            return move
    return NO_MOVE
