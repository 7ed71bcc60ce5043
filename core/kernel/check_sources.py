"""From where a piece might give check with one move: what lets the generator of checks pass over most pieces.

For each colour, kind and square of the enemy king: the squares from which such a piece could move and check directly,
on an empty board, promotion included; a superset for every board. Row GOLD_MOVERS serves all that move like gold, whose
own rows are empty.
"""

from hisshi.core.kernel.bitboard import load
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.geometry import DIAGONALS, DOWN, RAY_SETS, STEP_SETS, STRAIGHTS, UP, rows_of
from hisshi.core.kernel.pieces import (
    BISHOP,
    DRAGON,
    GOLD,
    HORSE,
    KIND_COUNT,
    KING,
    LANCE,
    PROMOTED,
    ROOK,
    SQUARE_COUNT,
    TOKIN,
)
from hisshi.core.kernel.state import GOLD_MOVERS

_ZONES = [sum(1 << square for square in range(SQUARE_COUNT) if square % 9 in ranks) for ranks in ((0, 1, 2), (6, 7, 8))]


def _attacks(colour, kind, square):
    """Return what a piece attacks on the empty board, as a Python integer."""
    directions = {
        LANCE: (DOWN if colour else UP,),
        BISHOP: DIAGONALS,
        HORSE: DIAGONALS,
        ROOK: STRAIGHTS,
        DRAGON: STRAIGHTS,
    }
    result = STEP_SETS[(colour * KIND_COUNT + kind) * SQUARE_COUNT + square]
    for direction in directions.get(kind, ()):
        result |= RAY_SETS[direction * SQUARE_COUNT + square]
    return result


def _members(squares):
    while squares:
        yield (squares & -squares).bit_length() - 1
        squares &= squares - 1


def _union(sets, squares):
    result = 0
    for square in _members(squares):
        result |= sets[square]
    return result


def _sources(colour, kind):
    """Return, for each square of the enemy king, where a `kind` of `colour` might come from."""
    back = [
        _attacks(1 - colour, kind, square) for square in range(SQUARE_COUNT)
    ]  # reaches and is reached are mirror images
    unpromoted = [_union(back, back[king]) for king in range(SQUARE_COUNT)]
    if kind >= GOLD:
        return unpromoted
    zone = _ZONES[colour]
    promoted = kind + PROMOTED if kind in (BISHOP, ROOK) else GOLD
    checking = [_attacks(1 - colour, promoted, king) for king in range(SQUARE_COUNT)]
    return [
        unpromoted[king] | _union(back, checking[king] & zone) | (_union(back, checking[king]) & zone)
        for king in range(SQUARE_COUNT)
    ]


def _all_sources():
    sets = []
    for colour in (0, 1):
        for kind in range(KIND_COUNT):
            if kind == GOLD_MOVERS:
                sets += _sources(colour, GOLD)
            elif kind in (GOLD, KING) or TOKIN <= kind < HORSE:
                sets += [0] * SQUARE_COUNT
            else:
                sets += _sources(colour, kind)
    return rows_of(sets)


CHECK_SOURCES = _all_sources()


@compiled
def check_sources(colour, kind, king):
    """Return where a `kind` of `colour` that might check the enemy king on square `king` stands."""
    return load(CHECK_SOURCES, (colour * KIND_COUNT + kind) * SQUARE_COUNT + king)
