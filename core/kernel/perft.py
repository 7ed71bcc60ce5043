"""Perft: the number of leaves of the legal-move tree, the classic test of make, unmake and generation."""

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.generation import all_moves
from hisshi.core.kernel.moves import do_move, undo_move


@compiled
def perft(position, moves, start, depth):
    """Return the number of leaves, each made and taken back.

    `moves` needs room for `MAX_MOVES` per ply behind `start`; `position` is restored.
    """
    if depth == 0:
        return 1
    end = all_moves(position, moves, start, False)
    total = 0
    for i in range(start, end):
        move = moves[i]
        captured = do_move(position, move)
        total += perft(position, moves, end, depth - 1)
        undo_move(position, move, captured)
    return total


@compiled
def perft_counting(position, moves, start, depth):
    """Return the same number as `perft`, but count the last ply's moves without making them."""
    end = all_moves(position, moves, start, False)
    if depth == 1:
        return end - start
    total = 0
    for i in range(start, end):
        move = moves[i]
        captured = do_move(position, move)
        total += perft_counting(position, moves, end, depth - 1)
        undo_move(position, move, captured)
    return total
