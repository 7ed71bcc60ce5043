"""When two problems are nearly one.

A problem is seen from the attacker's side and from the defender's king, so that rotations and shifts are the same, and
its mirror image too. What is compared is which pieces stand where, and what is in hand; not the attacker's king, which
makes no new problem by standing somewhere else. Two problems are alike if they differ in one piece, or if they differ
in at most three and have the same solution.
"""

import attrs

from hisshi.core.kernel.pieces import BLACK, EMPTY, KING, SQUARE_COUNT, square_from_name
from hisshi.core.movement import colour_of, kind_of
from hisshi.core.sfen import Placement, parse_sfen

ALWAYS_ALIKE = 1  # pieces that differ
ALIKE_BY_SOLUTION = 3

_Shape = frozenset[tuple[int, int, int, int]]
_Line = tuple[tuple[str, int, int, int, int], ...]


@attrs.frozen
class Likeness:
    """What a problem is compared by: as it stands, and as its mirror image."""

    shapes: tuple[_Shape, _Shape]
    lines: tuple[_Line, _Line]

    def is_like(self, other: "Likeness") -> bool:
        """Tell whether this problem and the `other` are nearly one."""
        return any(
            (differing := _distance(self.shapes[0], shape)) <= ALWAYS_ALIKE
            or (differing <= ALIKE_BY_SOLUTION and self.lines[0] != () and self.lines[0] == line)
            for shape, line in zip(other.shapes, other.lines, strict=True)
        )


def likeness(sfen: str, moves: tuple[str, ...] = ()) -> Likeness:
    """Return what the problem `sfen` is compared by; `moves` is its solution in USI, empty if it is not known.

    Raises
    ------
    InvalidPositionError
        `sfen` is no position.
    """
    placement = parse_sfen(sfen, strict=False)
    return Likeness(
        (_shape(placement, 1), _shape(placement, -1)), (_line(placement, moves, 1), _line(placement, moves, -1))
    )


def _distance(one: _Shape, other: _Shape) -> int:
    """Return how many pieces must be moved, added or taken away to make one out of the other."""
    return max(len(one - other), len(other - one))


def _shape(placement: Placement, mirror: int) -> _Shape:
    pieces = set()
    for square, piece in enumerate(placement.board):
        if piece != EMPTY and kind_of(piece) != KING:
            files, ranks = _from_king(placement, square, mirror)
            pieces.add((kind_of(piece), int(colour_of(piece) == placement.side), files, ranks))
    for colour, hand in enumerate(placement.hands):
        for kind, count in enumerate(hand):
            pieces |= {(kind, int(colour == placement.side), 99, number) for number in range(count)}
    return frozenset(pieces)


def _line(placement: Placement, moves: tuple[str, ...], mirror: int) -> _Line:
    line = []
    for move in moves:
        files, ranks = _from_king(placement, square_from_name(move[2:4]), mirror)
        if "*" in move:
            line.append((move[0], 0, 0, files, ranks))
        else:
            line.append((move[4:], *_from_king(placement, square_from_name(move[:2]), mirror), files, ranks))
    return tuple(line)


def _from_king(placement: Placement, square: int, mirror: int) -> tuple[int, int]:
    """Return how many files and ranks a square is away from the defender's king, seen from the attacker's side."""
    king = placement.king_square(1 - placement.side)
    if placement.side != BLACK:
        square, king = SQUARE_COUNT - 1 - square, SQUARE_COUNT - 1 - king
    return mirror * (square // 9 - king // 9), square % 9 - king % 9
