"""Ties: an order of equally good moves that is drawn from a seed.

The order of generation is an accident, and a lucky one may look like an effect. Another seed is another accident: what
remains over several seeds is an effect.
"""

import numpy as np

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.hands import wrapping_product

_SEED_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MOVE_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_LAST_FACTOR = np.uint64(0x94D049BB133111EB)


@compiled
def tie_hash(move, seed, board_key):
    """Return a number, int64 and not negative, by which moves of equal key are ordered; it has no meaning.

    `move`, `seed`: int64, not negative; `board_key`: uint64, so that the order differs from position to position.
    """
    word = wrapping_product(np.uint64(move) ^ wrapping_product(np.uint64(seed), _SEED_FACTOR), _MOVE_FACTOR)
    word = wrapping_product(word ^ word >> np.uint64(29) ^ board_key, _LAST_FACTOR)
    return np.int64((word ^ word >> np.uint64(32)) >> np.uint64(1))
