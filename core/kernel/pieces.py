"""Pieces, colours and squares as small integers: the vocabulary of every other file.

No numba here: plain constants, used by the compiled kernel, the SFEN reader and the slow reference alike.

* square: ``file * 9 + rank``, both from 0; 1a is 0, 1i is 8, 9i is 80; `NO_SQUARE` (81) means "none".
* kind: 1 to 14; adding `PROMOTED` (8) promotes. GOLD and KING do not promote.
* piece on the board: 0 empty; black's piece is its kind, white's is its kind + 16.
"""

BLACK, WHITE = 0, 1

EMPTY = 0
PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD, KING = range(1, 9)
PROMOTED = 8
TOKIN, PROMOTED_LANCE, PROMOTED_KNIGHT, PROMOTED_SILVER, HORSE, DRAGON = range(9, 15)

KIND_COUNT = 15  # kinds are 0 (none) to 14
PIECE_COUNT = 32  # pieces are 0 (empty) to 30
HAND_KINDS = 8  # indices 1 (pawn) to 7 (gold) of a hand are used

SQUARE_COUNT = 81
NO_SQUARE = 81

SET_SIZES = {PAWN: 18, LANCE: 4, KNIGHT: 4, SILVER: 4, BISHOP: 2, ROOK: 2, GOLD: 4, KING: 2}

LETTERS = ".PLNSBRGK"


def piece_of(colour: int, kind: int) -> int:
    """Return the board piece of `kind` and `colour`."""
    return kind + 16 * colour


def square_name(square: int) -> str:
    """Return the USI name of `square`, for example ``7g``."""
    return f"{square // 9 + 1}{'abcdefghi'[square % 9]}"


def square_from_name(name: str) -> int:
    """Return the square that USI calls `name`; raises ValueError if there is none."""
    if len(name) != 2 or name[0] not in "123456789" or name[1] not in "abcdefghi":
        raise ValueError(f"'{name}' is not a square; expected a file 1-9 and a rank a-i, for example 7g")
    return (int(name[0]) - 1) * 9 + "abcdefghi".index(name[1])
