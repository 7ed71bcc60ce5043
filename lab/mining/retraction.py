"""Retraction: a defender's move and the attacker's move before it, taken back at random.

Put in front of a known problem, a check or a threatmate and a reply make one that is two plies longer, sometimes. What
is taken back here is possible by the way the pieces move, and nothing else is looked at: whether the position is legal,
and what it is a problem of, is for others to find out.
"""

import random
from collections.abc import Iterator

from hisshi.core.kernel.pieces import EMPTY, GOLD, KING, NO_SQUARE, PAWN, PROMOTED, SET_SIZES, piece_of
from hisshi.core.movement import attacked_squares, colour_of, kind_of, never_moves
from hisshi.core.sfen import Placement, format_sfen

# How often something is preferred that makes a move forced: kings flee, pieces are taken, checks are given.
_KING_FIRST, _CAPTURE, _CHECK_FIRST, _PROMOTED = 0.5, 0.35, 0.7, 0.3


def retracted(placement: Placement, chance: random.Random) -> str | None:
    """Return the SFEN of a position, two plies before `placement`, from which it might have come; None if none is seen.

    The side to move is the same; the move number is 1.
    """
    sketch = _Sketch(placement)
    attacker, defender = placement.side, 1 - placement.side
    king = placement.king_square(defender)
    first = [king] if king != NO_SQUARE and chance.random() < _KING_FIRST else []
    reply = sketch.take_back(defender, first, chance)
    if reply is None:
        return None
    first = []
    if sketch.board[reply] != EMPTY:  # taken there: it had just come
        first = [reply]
    elif chance.random() < _CHECK_FIRST:
        first = sketch.attackers(attacker, sketch.board.index(piece_of(defender, KING)), chance)
    if sketch.take_back(attacker, first, chance) is None:
        return None
    hands = (tuple(sketch.hands[0]), tuple(sketch.hands[1]))
    return format_sfen(Placement(tuple(sketch.board), hands, placement.side, 1))


class _Sketch:
    """Board and hands that moves are taken back on."""

    def __init__(self, placement: Placement) -> None:
        self.board, self.hands = list(placement.board), [list(hand) for hand in placement.hands]

    def take_back(self, colour: int, first: list[int], chance: random.Random) -> int | None:
        """Take back a move of `colour`, of a piece on one of the squares `first` if possible; return its target."""
        squares = [square for square, piece in enumerate(self.board) if piece != EMPTY and colour_of(piece) == colour]
        chance.shuffle(squares)
        for square in (*first, *squares):
            if ways := list(self._ways(square)):
                self._take_back(square, *chance.choice(ways), chance)
                return square
        return None

    def attackers(self, colour: int, square: int, chance: random.Random) -> list[int]:
        """Return the squares of the pieces of `colour` that attack `square`, in random order."""
        found = [
            origin
            for origin, piece in enumerate(self.board)
            if piece != EMPTY and colour_of(piece) == colour and square in attacked_squares(self.board, origin)
        ]
        chance.shuffle(found)
        return found

    def _ways(self, square: int) -> Iterator[tuple[int, int]]:
        """Yield where the piece on `square` may have come from, NO_SQUARE being the hand, and as which kind."""
        piece = self.board[square]
        colour, kind = colour_of(piece), kind_of(piece)
        if PAWN <= kind <= GOLD:
            yield NO_SQUARE, kind
        for before in (kind, kind - PROMOTED) if kind > KING else (kind,):
            # Whatever goes from here to there goes from there to here when it is the other side's.
            board = [*self.board[:square], piece_of(1 - colour, before), *self.board[square + 1 :]]
            for source in attacked_squares(board, square):
                if board[source] != EMPTY or never_moves(colour, before, source):
                    continue
                if before == kind or _in_zone(colour, source) or _in_zone(colour, square):
                    yield source, before

    def _take_back(self, square: int, source: int, kind: int, chance: random.Random) -> None:
        piece = self.board[square]
        colour = colour_of(piece)
        self.board[square] = EMPTY
        if source == NO_SQUARE:
            self.hands[colour][kind] += 1
            return
        self.board[source] = piece_of(colour, kind)
        if chance.random() >= _CAPTURE:
            return
        # It took something: what is in the hand now, or a piece that is not in the position at all.
        taken = [kind for kind in range(PAWN, KING) if self.hands[colour][kind] or self._is_left(kind)]
        if taken:
            kind = chance.choice(taken)
            if self.hands[colour][kind]:
                self.hands[colour][kind] -= 1
            promoted = kind != GOLD and chance.random() < _PROMOTED
            self.board[square] = piece_of(1 - colour, kind + PROMOTED * promoted)

    def _is_left(self, kind: int) -> bool:
        """Tell whether a set of pieces has one more of `kind` than are on the board and in the hands."""
        used = sum(hand[kind] for hand in self.hands)
        kinds = (kind, kind + PROMOTED) if kind != GOLD else (kind,)
        return used + sum(kind_of(piece) in kinds for piece in self.board) < SET_SIZES[kind]


def _in_zone(colour: int, square: int) -> bool:
    """Tell whether pieces of `colour` may promote there."""
    return square % 9 < 3 if colour == 0 else square % 9 > 5
