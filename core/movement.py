"""How the pieces move, written plainly: for readers, the SFEN reader and the slow reference.

The compiled kernel has tables of its own and does not use this file, so that each can be tested against the other.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from hisshi.core.kernel.pieces import (
    BISHOP,
    BLACK,
    DRAGON,
    EMPTY,
    GOLD,
    HORSE,
    KING,
    KNIGHT,
    LANCE,
    NO_SQUARE,
    PAWN,
    PROMOTED_KNIGHT,
    PROMOTED_LANCE,
    PROMOTED_SILVER,
    ROOK,
    SILVER,
    TOKIN,
    piece_of,
)

_Direction = tuple[int, int]  # (files to the left, ranks down) as black sees the board; black moves up

_FORWARD = ((0, -1),)
_ORTHOGONAL = ((0, -1), (0, 1), (-1, 0), (1, 0))
_DIAGONAL = ((-1, -1), (1, -1), (-1, 1), (1, 1))
_GOLD_STEPS = (*_ORTHOGONAL, (-1, -1), (1, -1))

# Directions in which a kind goes one step, and directions in which it goes any number of squares.
_STEPS: dict[int, tuple[_Direction, ...]] = {
    PAWN: _FORWARD,
    KNIGHT: ((-1, -2), (1, -2)),
    SILVER: (*_FORWARD, *_DIAGONAL),
    GOLD: _GOLD_STEPS,
    KING: (*_ORTHOGONAL, *_DIAGONAL),
    TOKIN: _GOLD_STEPS,
    PROMOTED_LANCE: _GOLD_STEPS,
    PROMOTED_KNIGHT: _GOLD_STEPS,
    PROMOTED_SILVER: _GOLD_STEPS,
    HORSE: _ORTHOGONAL,
    DRAGON: _DIAGONAL,
}
_SLIDES: dict[int, tuple[_Direction, ...]] = {
    LANCE: _FORWARD,
    BISHOP: _DIAGONAL,
    ROOK: _ORTHOGONAL,
    HORSE: _DIAGONAL,
    DRAGON: _ORTHOGONAL,
}


def _ray(square: int, direction: _Direction, colour: int, length: int) -> tuple[int, ...]:
    """Return the squares from `square` in `direction`, nearest first, at most `length` of them."""
    file, rank = divmod(square, 9)
    files, ranks = direction if colour == BLACK else (direction[0], -direction[1])
    squares: list[int] = []
    while len(squares) < length:
        file, rank = file + files, rank + ranks
        if not (0 <= file < 9 and 0 <= rank < 9):
            break
        squares.append(file * 9 + rank)
    return tuple(squares)


@cache
def rays(piece: int, square: int) -> tuple[tuple[int, ...], ...]:
    """Return the lines along which a board piece moves on an empty board; a step is a line of one square."""
    colour, kind = colour_of(piece), kind_of(piece)
    steps = [_ray(square, direction, colour, 1) for direction in _STEPS.get(kind, ())]
    slides = [_ray(square, direction, colour, 8) for direction in _SLIDES.get(kind, ())]
    return tuple(ray for ray in steps + slides if ray)


@cache
def reach(piece: int, square: int) -> frozenset[int]:
    """Return the same squares as one set, to rule most pieces out before a line is walked."""
    return frozenset(target for ray in rays(piece, square) for target in ray)


def colour_of(piece: int) -> int:
    """Return the colour of a board piece that is not EMPTY."""
    return piece // 16


def kind_of(piece: int) -> int:
    """Return the kind (1 to 14) of a board piece, 0 for EMPTY."""
    return piece % 16


def attacked_squares(board: Sequence[int], square: int) -> Iterator[int]:
    """Yield the squares that the piece on `square` attacks, the first occupied one of each line included."""
    for ray in rays(board[square], square):
        for target in ray:
            yield target
            if board[target] != EMPTY:
                break


def is_attacked(board: Sequence[int], square: int, by: int) -> bool:
    """Return whether a piece of colour `by` attacks `square`; pins do not matter."""
    for origin, piece in enumerate(board):
        if piece == EMPTY or colour_of(piece) != by or square not in reach(piece, origin):
            continue
        if square in attacked_squares(board, origin):
            return True
    return False


def find_king(board: Sequence[int], colour: int) -> int:
    """Return the square of the king of `colour`, NO_SQUARE if it has none."""
    king = piece_of(colour, KING)
    return next((square for square, piece in enumerate(board) if piece == king), NO_SQUARE)


def never_moves(colour: int, kind: int, square: int) -> bool:
    """Return whether a piece on `square` could not move even on an empty board (rule of the dead piece)."""
    return not rays(piece_of(colour, kind), square)


def king_steps(one: int, other: int) -> int:
    """Return how many steps a king needs from one square to the other on an empty board."""
    return max(abs(one // 9 - other // 9), abs(one % 9 - other % 9))
