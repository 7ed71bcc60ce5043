"""Plain minimax: every legal move to a fixed depth, then quiescence search with a full window.

The truth for play search. Nothing is left out, sorted, cut off or remembered, so it is slow.
"""

import numpy as np

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.moves import do_move, undo_move
from hisshi.core.kernel.play_search import from_root
from hisshi.core.kernel.roles.legal_moves import call_legal_moves
from hisshi.core.kernel.roles.quiescence import call_quiescence
from hisshi.core.kernel.values import INFINITE, MATE


@compiled
def minimax(context, position, moves, start, ply, plies):
    """Return the value for the side to move of a node at `ply` from which `plies` are looked ahead.

    Asks the caller's parts `legal_moves` and `quiescence`; `context` is a play search's. `moves`, int32, is written
    from `start` on. Values as in `hisshi.core.kernel.values`, a mate's plies counted from ply 0.
    """
    if plies == 0:
        return from_root(call_quiescence(context, position, np.int64(-INFINITE), np.int64(INFINITE)), ply)
    end = call_legal_moves(context, position, moves, start)
    best = np.int64(ply - MATE if end == start else -INFINITE)
    for i in range(start, end):
        move = np.int64(moves[i])
        captured = do_move(position, move)
        best = max(best, -minimax(context, position, moves, end, ply + 1, plies - 1))
        undo_move(position, move, captured)
    return best
