"""The position as one numpy record: what compiled code reads and writes.

The friendly class round it is `hisshi.core.position.Position`. A record holds no pointers and is copied with one
assignment (``target[:] = source`` on arrays of one record).
"""

import numpy as np
from numba import from_dtype

from hisshi.core.kernel.bitboard import load
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.pieces import (
    BLACK,
    EMPTY,
    GOLD,
    HAND_KINDS,
    KIND_COUNT,
    KING,
    NO_SQUARE,
    PIECE_COUNT,
    PROMOTED_KNIGHT,
    PROMOTED_LANCE,
    PROMOTED_SILVER,
    SQUARE_COUNT,
    TOKIN,
    WHITE,
)

LARGEST_HAND = 47  # more than the most pieces of one kind that a position read with strict=False may have
GOLD_MOVERS = 0  # row of `kinds` that holds gold, tokin and the promoted lance, knight and silver together

POSITION = np.dtype(
    [
        ("kinds", np.uint64, (KIND_COUNT, 2)),  # bitboard of each kind, both colours; row 0: see GOLD_MOVERS
        ("colours", np.uint64, (2, 2)),  # bitboard of each colour's pieces
        ("board_key", np.uint64),  # Zobrist key of board and side to move
        ("hand_key", np.uint64),  # Zobrist key of both hands
        ("hand", np.int8, (2, HAND_KINDS)),  # [colour, kind 1..7] -> count
        ("king", np.int64, (2,)),  # square, NO_SQUARE where a side has no king
        ("side", np.int64),  # colour to move
        ("board", np.int8, (SQUARE_COUNT,)),  # piece on each square
        ("spare", np.int8, (7,)),  # always 0, so that equal positions are equal bytes: padding would hold anything
    ],
    align=True,
)
PositionType = from_dtype(POSITION)

_random = np.random.Generator(np.random.PCG64(20001130))  # any fixed seed: keys must not differ between two runs


def _keys(*shape):
    return _random.integers(1, 2**64, size=shape, dtype=np.uint64)


PIECE_KEYS = _keys(PIECE_COUNT, SQUARE_COUNT)
HAND_KEYS = _keys(2, HAND_KINDS, LARGEST_HAND + 1)
HAND_KEYS[:, :, 0] = 0  # an empty hand adds nothing, so a hand key of 0 means "both hands empty"
SIDE_KEY = _keys(1)[0]  # met with the board key when white is to move

# Which kinds move like gold, as a mask of bits: one table look-up less in the hot path.
_GOLD_MOVER_MASK = sum(1 << kind for kind in (GOLD, TOKIN, PROMOTED_LANCE, PROMOTED_KNIGHT, PROMOTED_SILVER))


def new_record(board, hands, side):
    """Return a fresh position record.

    Parameters
    ----------
    board
        81 pieces, see `hisshi.core.kernel.pieces`.
    hands
        Two sequences of 8 counts, indexed by kind.
    side
        Colour to move.
    """
    record = np.zeros(1, POSITION).view(np.recarray)[0]
    record.king[:] = NO_SQUARE
    record.side = side
    record.board_key = SIDE_KEY if side == WHITE else np.uint64(0)
    for square, piece in enumerate(board):
        if piece != EMPTY:
            colour, kind = piece >> 4, piece & 15
            record.board[square] = piece
            record.board_key ^= PIECE_KEYS[piece, square]
            word, place = divmod(square, 64)
            here = np.uint64(1 << place)
            record.colours[colour, word] |= here
            record.kinds[kind, word] |= here
            if moves_like_gold(kind):
                record.kinds[GOLD_MOVERS, word] |= here
            if kind == KING:
                record.king[colour] = square
    for colour in (BLACK, WHITE):
        for kind in range(1, HAND_KINDS):
            record.hand[colour, kind] = hands[colour][kind]
            record.hand_key ^= HAND_KEYS[colour, kind, hands[colour][kind]]
    return record


@compiled
def moves_like_gold(kind):
    """Say whether `kind` is gold or one of the four that promote to its moves."""
    return (_GOLD_MOVER_MASK >> kind) & 1 != 0


@compiled
def piece_on(position, square):
    """Return the piece on `square` as int64, EMPTY where there is none."""
    return np.int64(position.board[np.uint64(square)])


@compiled
def in_hand(position, colour, kind):
    """Return how many pieces of `kind` (1 to 7) `colour` holds, as int64."""
    return np.int64(position.hand[np.uint64(colour), np.uint64(kind)])


@compiled
def king_square(position, colour):
    """Return the square of a king, NO_SQUARE where that side has none."""
    return position.king[np.uint64(colour)]


@compiled
def pieces_of(position, colour):
    """Return the bitboard of a colour's pieces."""
    return load(position.colours, colour)


@compiled
def pieces_of_kind(position, kind):
    """Return the bitboard of a kind's pieces of both colours; kind GOLD_MOVERS is all that move like gold."""
    return load(position.kinds, kind)


@compiled
def occupied_squares(position):
    """Return the bitboard of all pieces."""
    return load(position.colours, BLACK) | load(position.colours, WHITE)


@compiled
def position_key(position):
    """Return the Zobrist key of board, side to move and hands, as uint64."""
    return position.board_key ^ position.hand_key


def consistency_problem(position):
    """Return what is wrong between the parts of a record, "" where nothing is: for tests of make and unmake."""
    fresh = new_record(
        [int(piece) for piece in position.board],
        [[int(count) for count in hand] for hand in position.hand],
        int(position.side),
    )
    for name in POSITION.names:
        if not np.array_equal(getattr(fresh, name), getattr(position, name)):
            return f"{name}: {getattr(position, name)!r}, expected {getattr(fresh, name)!r}"
    return ""
