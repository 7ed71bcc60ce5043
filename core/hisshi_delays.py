"""Useless delays, for people: which replies may be one, and what answers them. Rules: docs/algorithms.md.

Searches have it from `hisshi.core.kernel.hisshi_search`.
"""

from collections.abc import Iterator

from hisshi.core.kernel.interpositions import interposes
from hisshi.core.kernel.moves import do_pass, hand_over, is_drop, target_of
from hisshi.core.kernel.pieces import EMPTY
from hisshi.core.position import Position

OFF, LEAF, GENERAL = "off", "leaf", "general"  # as in the searches' option `useless_delays`


def may_delay(position: Position, reply: str, after: Position, rule: str) -> bool:
    """Tell whether `reply`, which leads from the defender's `position` to `after`, may be a useless delay."""
    if rule == OFF:
        return False
    if position.is_check() and (rule == LEAF or not interposes(position.record, position.usi_moves()[reply])):
        return False
    return any(takes(usi, reply) for usi in after.usi_moves()) or (rule == GENERAL and after.is_check())


def takes(answer: str, reply: str) -> bool:
    """Tell whether the attacker's legal `answer` takes the piece that has moved last."""
    return "*" not in answer and answer[2:4] == reply[2:4]


def answers_to(after: Position, reply: str, rule: str) -> Iterator[tuple[str, Position]]:
    """Yield the attacker's moves that may show `reply` to be a useless delay, and the position that is then looked at.

    By the general rule a piece that he takes is back in the defender's hand there. Whether the move is a check or a
    threatmate is not looked at.
    """
    for usi, move in after.usi_moves().items():
        if not takes(usi, reply) and (rule == LEAF or not after.is_check()):
            continue
        then = after.after(move)
        if rule == LEAF:
            if not then.is_check():
                yield usi, then
            continue
        taken = EMPTY if is_drop(move) else int(after.record.board[target_of(move)])
        if taken != EMPTY:
            record = then.copy_record()
            hand_over(record, int(after.record.side), taken & 7)
            then = Position(record, then.move_number)
        yield usi, then


def passed(position: Position) -> Position:
    """Return the position after a pass of the side to move, which is not in check."""
    record = position.copy_record()
    do_pass(record)
    return Position(record, position.move_number + 1)
