"""Which evasions are tried first, for move orders: in check king freedom tells little."""

import numpy as np

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.geometry import distance
from hisshi.core.kernel.moves import is_drop, kind_of, target_of
from hisshi.core.kernel.pieces import EMPTY, KING, NO_SQUARE
from hisshi.core.kernel.state import piece_on


@compiled
def evasion_key(position, move, king):
    """Return the key, the largest to be tried first, of an evasion of the king on `king`, or of any move without one.

    Captures by other pieces, then by the king; moves of the king; moves between, drops between, nearest to him first.
    """
    target = target_of(move)
    if not is_drop(move) and piece_on(position, target) != EMPTY:
        return np.int64(65 if kind_of(move) != KING else 64)
    if kind_of(move) == KING:
        return np.int64(32)
    if king == NO_SQUARE:
        return np.int64(0)
    return -distance(target, king) - (16 if is_drop(move) else 0)
