"""Proof pieces and disproof pieces: how much in hand a proof needs, and against how much a disproof stands.

A mate found with a hand usually needs only part of it; a failure would usually have been one with more in hand, too. So
what is stored answers for more positions than the one that was searched (see `hisshi.core.kernel.dominance`). Hands are
packed, see `hisshi.core.kernel.hands`, and always the attacker's.

Source: Nagai, df-pn and its application to tsume-shogi, 2002.
"""

from hisshi.core.kernel.attacks import between, checkers_of
from hisshi.core.kernel.bitboard import lowest, rest
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.hands import NO_HAND, held_kinds, packed_hand, smaller_of, with_one_less, with_one_more
from hisshi.core.kernel.moves import is_drop, kind_of, target_of
from hisshi.core.kernel.pieces import EMPTY
from hisshi.core.kernel.state import king_square, piece_on


@compiled
def hand_after(position, hand, move):
    """Return the attacker's hand after his `move`."""
    if is_drop(move):
        return with_one_less(hand, kind_of(move))
    captured = piece_on(position, target_of(move))
    if captured != EMPTY:
        return with_one_more(hand, captured & 7)
    return hand


@compiled
def hand_before(position, hand, move):
    """Return the hand before the attacker's `move` that becomes `hand` after it."""
    if is_drop(move):
        return with_one_more(hand, kind_of(move))
    captured = piece_on(position, target_of(move))
    if captured != EMPTY:
        return with_one_less(hand, captured & 7)
    return hand


@compiled
def needed_against_drops(position, attacker, hand):
    """Return what of the attacker's `hand` the checked defender must not have: kinds he lacks and could interpose."""
    defender = 1 - attacker
    checkers = checkers_of(position, defender)
    if rest(checkers):
        return NO_HAND
    if not between(king_square(position, defender), lowest(checkers)):
        return NO_HAND
    return hand & ~held_kinds(packed_hand(position, defender))


@compiled
def no_check_hand(position, attacker, hand):
    """Return the largest hand with which the attacker has no check either: more of kinds that he holds already."""
    return (hand + packed_hand(position, 1 - attacker)) & held_kinds(hand)


@compiled
def disproof_through(position, attacker, hand, move, child_hand):
    """Return the largest attacker's hand against which the defender's `move` still disproves."""
    total = hand + packed_hand(position, 1 - attacker)
    if is_drop(move):  # he must still have the piece
        total = with_one_less(total, kind_of(move))
    return smaller_of(total, child_hand)
