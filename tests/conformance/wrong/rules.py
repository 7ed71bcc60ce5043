"""Rules of hisshi that break one rule each, called after the check that must catch them."""

import numpy as np

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.checks import gives_check
from hisshi.core.kernel.moves import is_drop, target_of
from hisshi.core.kernel.pieces import EMPTY
from hisshi.core.kernel.state import piece_on


@implements("hisshi_rule", name="leaves-the-position-alone")
def dirty(context, position, move):
    position.hand_key ^= np.uint64(1)
    return 1


@implements("hisshi_rule", name="answers-zero-or-one")
def wordy(context, position, move):
    return 2


@implements("hisshi_rule", name="counts-every-move-that-gives-no-check")
def only_captures_and_drops(context, position, move):
    return 1 if is_drop(move) or piece_on(position, target_of(move)) != EMPTY else 0


@implements("hisshi_rule", name="says-the-same-again")
def moody(context, position, move):
    place = np.int64(position.board_key & np.uint64(0xFFFF))
    again = context.answer_move == move and context.answer_plies == place
    context.answer_move, context.answer_plies = move, place
    return 0 if again and gives_check(position, move) else 1


@implements("hisshi_rule", name="is-the-same-mirrored")
def left_handed(context, position, move):
    left = target_of(move) // 9 > 4 if position.side == 0 else target_of(move) // 9 < 4
    return 0 if gives_check(position, move) and left else 1


@implements("hisshi_rule", name="is-the-same-with-colours-exchanged")
def for_white(context, position, move):
    return 0 if gives_check(position, move) and position.side == 0 else 1


@hookimpl
def hisshi_hisshi_rule():
    return [dirty, wordy, only_captures_and_drops, moody, left_handed, for_white]
