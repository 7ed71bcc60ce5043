"""Rules of hisshi: what the defender may do against it.

`strong`: any legal move, checks included. `weak`: his checks are left out. `kfend`: his checks count only when they
attack a square round his own king or capture; like the strong rule otherwise.

Source: KFEnd, "Hisshi search", 2000 (weak and strong: Iida's); docs/algorithms.md.
"""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.attacks import attacks_from
from hisshi.core.kernel.bitboard import bit
from hisshi.core.kernel.checks import gives_check
from hisshi.core.kernel.geometry import steps
from hisshi.core.kernel.moves import is_drop, kind_after, source_of, target_of
from hisshi.core.kernel.pieces import EMPTY, KING, NO_SQUARE
from hisshi.core.kernel.state import king_square, occupied_squares, piece_on

SOURCE = "KFEnd, Hisshi search, 2000"


@implements("hisshi_rule", source=SOURCE)
def strong(context, position, move):
    """Every legal move of the defender counts."""
    return 1


@implements("hisshi_rule", source=SOURCE)
def weak(context, position, move):
    """The defender's checks are left out."""
    return 0 if gives_check(position, move) else 1


@implements("hisshi_rule", source=SOURCE)
def kfend(context, position, move):
    """The defender's checks count only when they attack a square round his own king, or capture."""
    if not gives_check(position, move):
        return 1
    target = target_of(move)
    if not is_drop(move) and piece_on(position, target) != EMPTY:
        return 1
    us = position.side
    king = king_square(position, us)
    if king == NO_SQUARE:
        return 0
    occupied = occupied_squares(position) | bit(target)
    if not is_drop(move):
        occupied &= ~bit(source_of(move))
    reached = attacks_from(us, kind_after(move), target, occupied)
    return 1 if reached & steps(us, KING, king) else 0


@hookimpl
def hisshi_hisshi_rule():
    """Offer the rules."""
    return [strong, weak, kfend]
