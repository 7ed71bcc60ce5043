"""Moves as integers, made and taken back on a position record.

A move fits in 19 bits of an int32; 0 is no move:

* bits 0-6: target square;
* bits 7-13: source square, or 81 + kind for a drop;
* bit 14: promotion;
* bits 15-18: kind of the moving (or dropped) piece, before promotion.
"""

import numpy as np

from hisshi.core.kernel.bitboard import bit, load, store
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.pieces import EMPTY, KING, PROMOTED, SQUARE_COUNT
from hisshi.core.kernel.state import (
    GOLD_MOVERS,
    HAND_KEYS,
    PIECE_KEYS,
    SIDE_KEY,
    in_hand,
    moves_like_gold,
    piece_on,
)

NO_MOVE = 0
PROMOTE = 1 << 14


@compiled
def board_move(kind, source, target):
    """Return the move of a piece of `kind` without promotion; add PROMOTE to promote."""
    return target | source << 7 | kind << 15


@compiled
def drop_move(kind, target):
    """Return the drop of a `kind` (1 to 7) on `target`."""
    return target | (SQUARE_COUNT + kind) << 7 | kind << 15


@compiled
def target_of(move):
    """Return the square that `move` goes to."""
    return np.int64(move) & 127


@compiled
def source_of(move):
    """Return the square that `move` comes from; 81 + kind for a drop."""
    return np.int64(move) >> 7 & 127


@compiled
def kind_of(move):
    """Return the kind that moves or is dropped, before promotion."""
    return np.int64(move) >> 15 & 15


@compiled
def kind_after(move):
    """Return the kind that stands on the target after `move`."""
    return kind_of(move) | np.int64(move) >> 11 & PROMOTED  # bit 14 moved down to bit 3


@compiled
def is_promotion(move):
    """Say whether `move` promotes."""
    return np.int64(move) & PROMOTE != 0


@compiled
def is_drop(move):
    """Say whether `move` is a drop."""
    return source_of(move) >= SQUARE_COUNT


@compiled
def _toggle(position, colour, kind, square):
    """Put a piece on, or take it off, the bitboards and the board key; the board array is the caller's."""
    here = bit(square)
    store(position.colours, colour, load(position.colours, colour) ^ here)
    store(position.kinds, kind, load(position.kinds, kind) ^ here)
    if moves_like_gold(kind):
        store(position.kinds, GOLD_MOVERS, load(position.kinds, GOLD_MOVERS) ^ here)
    position.board_key ^= PIECE_KEYS[np.uint64(kind + 16 * colour), np.uint64(square)]


@compiled
def _change_hand(position, colour, kind, change):
    """Add `change` (1 or -1) pieces of `kind` to a hand, and to the hand key."""
    before = in_hand(position, colour, kind)
    after = before + change
    keys = HAND_KEYS[np.uint64(colour), np.uint64(kind)]
    position.hand_key ^= keys[np.uint64(before)] ^ keys[np.uint64(after)]
    position.hand[np.uint64(colour), np.uint64(kind)] = after


@compiled
def hand_over(position, giver, kind):
    """Move a piece of `kind` from the hand of `giver` to the other side's; with the other side it is taken back."""
    _change_hand(position, giver, kind, -1)
    _change_hand(position, 1 - giver, kind, 1)


@compiled
def do_move(position, move):
    """Make a pseudo-legal `move` and return the captured piece (EMPTY for none), which `undo_move` wants back."""
    us = position.side
    target = target_of(move)
    kind = kind_of(move)
    captured = EMPTY
    if is_drop(move):
        _change_hand(position, us, kind, -1)
        _toggle(position, us, kind, target)
        position.board[np.uint64(target)] = kind + 16 * us
    else:
        source = source_of(move)
        captured = piece_on(position, target)
        if captured != EMPTY:
            _toggle(position, 1 - us, captured & 15, target)
            _change_hand(position, us, captured & 7, 1)
        after = kind_after(move)
        _toggle(position, us, kind, source)
        _toggle(position, us, after, target)
        position.board[np.uint64(source)] = EMPTY
        position.board[np.uint64(target)] = after + 16 * us
        if kind == KING:
            position.king[np.uint64(us)] = target
    position.side = 1 - us
    position.board_key ^= SIDE_KEY
    return captured


@compiled
def undo_move(position, move, captured):
    """Take back `move`, the last one made; `captured` is what `do_move` returned."""
    us = 1 - position.side
    target = target_of(move)
    kind = kind_of(move)
    position.side = us
    position.board_key ^= SIDE_KEY
    if is_drop(move):
        _change_hand(position, us, kind, 1)
        _toggle(position, us, kind, target)
        position.board[np.uint64(target)] = EMPTY
    else:
        source = source_of(move)
        _toggle(position, us, kind_after(move), target)
        _toggle(position, us, kind, source)
        position.board[np.uint64(source)] = kind + 16 * us
        position.board[np.uint64(target)] = captured
        if captured != EMPTY:
            _toggle(position, 1 - us, captured & 15, target)
            _change_hand(position, us, captured & 7, -1)
        if kind == KING:
            position.king[np.uint64(us)] = source


@compiled
def board_key_after(position, move):
    """Return the board key that the position will have after a pseudo-legal `move`, without making it."""
    us = position.side
    target = target_of(move)
    key = position.board_key ^ SIDE_KEY ^ PIECE_KEYS[np.uint64(kind_after(move) + 16 * us), np.uint64(target)]
    if not is_drop(move):
        key ^= PIECE_KEYS[np.uint64(kind_of(move) + 16 * us), np.uint64(source_of(move))]
        captured = piece_on(position, target)
        if captured != EMPTY:
            key ^= PIECE_KEYS[np.uint64(captured), np.uint64(target)]
    return key


@compiled
def do_pass(position):
    """Let the side to move pass; a second call takes it back. For threatmates: not a legal move."""
    position.side = 1 - position.side
    position.board_key ^= SIDE_KEY
