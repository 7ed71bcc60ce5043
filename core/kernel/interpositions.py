"""Interpositions, and what is left of a check when the attacker has taken one with check: the ground of uselessness."""

from hisshi.core.kernel.attacks import between, checkers_of
from hisshi.core.kernel.bitboard import contains, lowest, rest
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.moves import do_move, hand_over, kind_of, target_of, undo_move
from hisshi.core.kernel.pieces import EMPTY, KING
from hisshi.core.kernel.state import king_square


@compiled
def interposition_squares(position):
    """Return the squares between the king of the side to move and the one piece that gives it check; else none."""
    checkers = checkers_of(position, position.side)
    if not checkers or rest(checkers):
        return checkers & ~checkers
    return between(king_square(position, position.side), lowest(checkers))


@compiled
def interposes(position, move):
    """Say whether the evasion `move`, a drop or a move on the board, blocks the check."""
    return kind_of(move) != KING and contains(interposition_squares(position), target_of(move))


@compiled
def do_recapture(position, capture):
    """Make the attacker's `capture` of an interposed piece, which goes back to the defender; return what it took.

    Return EMPTY, with the position as it was, if the capturing piece does not give check itself. It must: then it
    stands nearer to the king than the checker did, and no chain of recaptures goes on for ever.
    """
    taken = do_move(position, capture)
    if not contains(checkers_of(position, position.side), target_of(capture)):
        undo_move(position, capture, taken)
        return EMPTY
    hand_over(position, 1 - position.side, taken & 7)
    return taken


@compiled
def undo_recapture(position, capture, taken):
    """Take back what `do_recapture` made."""
    hand_over(position, position.side, taken & 7)
    undo_move(position, capture, taken)
