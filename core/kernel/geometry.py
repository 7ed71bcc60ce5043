"""The empty board: steps, rays, files, ranks and zones, computed once at import as small constant arrays.

Bitboard tables are uint64 arrays whose last axis has length 2 (see `hisshi.core.kernel.bitboard.load`). They are kept
small, since every compiled function that reads one carries a copy of it.
"""

import numpy as np

from hisshi.core.kernel.bitboard import WORD, load
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.pieces import (
    DRAGON,
    GOLD,
    HORSE,
    KIND_COUNT,
    KING,
    KNIGHT,
    PAWN,
    PROMOTED_KNIGHT,
    PROMOTED_LANCE,
    PROMOTED_SILVER,
    SILVER,
    SQUARE_COUNT,
    TOKIN,
)

# Directions as (file step, rank step); rank 0 is black's far side. Direction d and 7 - d are opposite; in the first
# four the square number falls, in the last four it rises, which tells a ray's nearest blocker apart (highest or
# lowest bit).
DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
DIAGONALS, STRAIGHTS = (0, 2, 5, 7), (1, 3, 4, 6)
UP, DOWN = 3, 4  # black's forward, white's forward
NO_DIRECTION = 8

_FORWARD = (-1, 1)  # rank step of black's and of white's forward


def _on_board(file, rank):
    return 0 <= file < 9 and 0 <= rank < 9


def rows_of(sets):
    """Return Python-integer sets of squares as a uint64 array of shape (n, 2)."""
    return np.array([(s & WORD, s >> 64) for s in sets], dtype=np.uint64)


def _steps(kind, colour):
    """Return the (file, rank) steps of `kind` for `colour`; sliders' long moves are left to the rays."""
    ahead = _FORWARD[colour]
    gold = [(-1, ahead), (0, ahead), (1, ahead), (-1, 0), (1, 0), (0, -ahead)]
    all_eight = list(DIRECTIONS)
    return {
        PAWN: [(0, ahead)],
        KNIGHT: [(-1, 2 * ahead), (1, 2 * ahead)],
        SILVER: [(-1, ahead), (0, ahead), (1, ahead), (-1, -ahead), (1, -ahead)],
        KING: all_eight,
        HORSE: [DIRECTIONS[d] for d in STRAIGHTS],
        DRAGON: [DIRECTIONS[d] for d in DIAGONALS],
        **dict.fromkeys((GOLD, TOKIN, PROMOTED_LANCE, PROMOTED_KNIGHT, PROMOTED_SILVER), gold),
    }.get(kind, [])


def _step_sets():
    sets = []
    for colour in (0, 1):
        for kind in range(KIND_COUNT):
            steps_of_kind = _steps(kind, colour)
            for square in range(SQUARE_COUNT):
                file, rank = divmod(square, 9)
                targets = [(file + df, rank + dr) for df, dr in steps_of_kind]
                sets.append(sum(1 << (f * 9 + r) for f, r in targets if _on_board(f, r)))
    return sets


def _ray_sets():
    sets = []
    for file_step, rank_step in DIRECTIONS:
        for square in range(SQUARE_COUNT):
            file, rank = divmod(square, 9)
            ray = 0
            while _on_board(file := file + file_step, rank := rank + rank_step):
                ray |= 1 << (file * 9 + rank)
            sets.append(ray)
    return sets


def _direction_table():
    table = np.full((SQUARE_COUNT, SQUARE_COUNT), NO_DIRECTION, dtype=np.int8)
    for direction, (file_step, rank_step) in enumerate(DIRECTIONS):
        for square in range(SQUARE_COUNT):
            file, rank = divmod(square, 9)
            while _on_board(file := file + file_step, rank := rank + rank_step):
                table[square, file * 9 + rank] = direction
    return table


def _ranks(wanted):
    return sum(1 << square for square in range(SQUARE_COUNT) if square % 9 in wanted)


STEP_SETS = _step_sets()  # Python integers, for tables made of them
RAY_SETS = _ray_sets()
STEPS = rows_of(STEP_SETS)  # row (colour * KIND_COUNT + kind) * 81 + square
RAYS = rows_of(RAY_SETS)  # row direction * 81 + square
DIRECTION = _direction_table()  # [from, to] -> direction, NO_DIRECTION where no line joins them
FILES = rows_of([0b111111111 << (9 * file) for file in range(9)])
ZONES = rows_of([_ranks((0, 1, 2)), _ranks((6, 7, 8))])  # promotion zone of each colour
# Ranks on which a piece of a colour could never move again: row colour * 2, last rank; row colour * 2 + 1, last two.
LAST_RANKS = rows_of([_ranks((0,)), _ranks((0, 1)), _ranks((8,)), _ranks((7, 8))])
BOARD = rows_of([(1 << 81) - 1])
EDGE = rows_of([_ranks((0, 8)) | 0b111111111 | 0b111111111 << 72])


@compiled
def board_mask():
    """Return the bitboard of all 81 squares."""
    return load(BOARD, 0)


@compiled
def edge_mask():
    """Return the bitboard of the 32 squares on the board's edge."""
    return load(EDGE, 0)


@compiled
def steps(colour, kind, square):
    """Return the squares one step of `kind` away; a slider's long moves are not among them."""
    return load(STEPS, (colour * KIND_COUNT + kind) * SQUARE_COUNT + square)


@compiled
def ray(direction, square):
    """Return the squares from `square` (not included) to the board's edge."""
    return load(RAYS, direction * SQUARE_COUNT + square)


@compiled
def direction_between(source, target):
    """Return the direction from `source` to `target`, NO_DIRECTION where no line joins them."""
    return np.int64(DIRECTION[np.uint64(source), np.uint64(target)])


@compiled
def zone(colour):
    """Return the promotion zone of `colour`."""
    return load(ZONES, colour)


@compiled
def last_ranks(colour, count):
    """Return the far rank of `colour` (count 1: no pawn or lance could move there) or its far two (2: no knight)."""
    return load(LAST_RANKS, colour * 2 + count - 1)


@compiled
def file_of(square):
    """Return all nine squares on the file of `square`."""
    return load(FILES, square // 9)


@compiled
def distance(a, b):
    """Return the number of king's steps between two squares of an empty board."""
    return max(abs(a // 9 - b // 9), abs(a % 9 - b % 9))
