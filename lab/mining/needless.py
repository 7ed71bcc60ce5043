"""Taking away what a problem does not need: it is a better problem then, and variations of one become the same."""

from collections.abc import Callable, Iterator

from hisshi.core.errors import HisshiError
from hisshi.core.kernel.pieces import EMPTY
from hisshi.core.movement import king_steps
from hisshi.core.sfen import Placement, format_sfen, parse_sfen


def without_needless(sfen: str, is_same: Callable[[str], bool]) -> str:
    """Return `sfen` without the pieces that can go while `is_same` says that the problem stays what it is.

    The defender's hand goes first, all of it if possible; then the pieces on the board, those far from his king first,
    the attacker's king among them; then the attacker's hand. What is left was tried alone: none of it can go.
    """
    while True:
        for smaller in _smaller(parse_sfen(sfen)):
            try:
                parse_sfen(smaller)
            except HisshiError:
                continue
            if is_same(smaller):
                sfen = smaller
                break
        else:
            return sfen


def _smaller(placement: Placement) -> Iterator[str]:
    """Yield positions with less: without a hand, without all of a kind in it or one of it, without a piece."""
    attacker, defender = placement.side, 1 - placement.side
    if any(placement.hands[defender]):
        yield _with_hand(placement, defender, (0,) * len(placement.hands[defender]))
        yield from _smaller_hands(placement, defender)
    king = placement.king_square(defender)
    squares = [square for square, piece in enumerate(placement.board) if piece != EMPTY and square != king]
    for square in sorted(squares, key=lambda square: (-king_steps(square, king), square)):
        board = (*placement.board[:square], EMPTY, *placement.board[square + 1 :])
        yield format_sfen(Placement(board, placement.hands, placement.side, 1))
    yield from _smaller_hands(placement, attacker)


def _smaller_hands(placement: Placement, colour: int) -> Iterator[str]:
    hand = placement.hands[colour]
    for kind, count in enumerate(hand):
        for left in sorted({0, count - 1}) if count else ():
            yield _with_hand(placement, colour, (*hand[:kind], left, *hand[kind + 1 :]))


def _with_hand(placement: Placement, colour: int, hand: tuple[int, ...]) -> str:
    hands = (hand, placement.hands[1]) if colour == 0 else (placement.hands[0], hand)
    return format_sfen(Placement(placement.board, hands, placement.side, 1))
