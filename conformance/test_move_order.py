"""Checks of role `move_order`."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from hisshi.conformance.positions import moves_by_the_rules, position_of, positions, positions_in_check
from hisshi.conformance.subjects import Subject
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.roles.move_order import call_move_order
from hisshi.core.kernel.stack import sort_moves

ROLES = ("move_order",)

START = 32
UNWRITTEN = 0x5A5A5A5A


def _nodes() -> Iterator[tuple[str, list[int]]]:
    """Yield positions, each with the moves that a search would have ordered there: checks, or evasions."""
    for role, sfens in (("checks", positions()), ("evasions", positions_in_check())):
        for sfen in sfens:
            if usi := moves_by_the_rules(role, sfen):
                numbers = position_of(sfen).usi_moves()
                yield sfen, [numbers[move] for move in usi]


def _call(subject: Subject, record: Any, moves: list[int], fill: int = UNWRITTEN) -> tuple[int, Any, Any]:
    """Call the order; return its result and both buffers, what was not written in the keys being `fill`."""
    end = START + len(moves)
    buffer = np.full(end + MAX_MOVES, UNWRITTEN, np.int32)
    buffer[START:end] = moves
    keys = np.full(end + MAX_MOVES, fill, np.int64)
    return int(call_move_order(subject.caller, record, buffer, keys, START, end)), buffer, keys


def test_leaves_the_position_alone(subject: Subject) -> None:
    """The position is as before when the order returns."""
    for sfen, moves in _nodes():
        record = position_of(sfen).copy_record()
        before = record.tobytes()
        _call(subject, record, moves)
        if record.tobytes() != before:
            subject.fail("the position is not as it was before", sfen)


def test_makes_a_permutation(subject: Subject) -> None:
    """Sorted by the keys, the moves are those that were there; the moves of nodes above stay."""
    for sfen, moves in _nodes():
        _, buffer, keys = _call(subject, position_of(sfen).copy_record(), moves)
        end = START + len(moves)
        sort_moves(buffer, keys, START, end)
        if Counter(buffer[START:end].tolist()) != Counter(moves):
            subject.fail("the moves are not the same as before: an order writes keys, not moves", sfen)
        if (buffer[:START] != UNWRITTEN).any():
            subject.fail("moves before 'start' are written, which are those of nodes above", sfen)


def test_writes_no_other_keys(subject: Subject) -> None:
    """Keys outside [start, end) are those of other nodes."""
    for sfen, moves in _nodes():
        _, _, keys = _call(subject, position_of(sfen).copy_record(), moves)
        keys[START : START + len(moves)] = UNWRITTEN
        if (stray := np.flatnonzero(keys != UNWRITTEN)).size:
            end = START + len(moves)
            subject.fail(f"start is {START}, end is {end}, but keys[{stray[0]}] is written", sfen)


def test_depends_on_nothing_left_over(subject: Subject) -> None:
    """Every move gets a key, and the same one whatever stood there before."""
    for sfen, moves in _nodes():
        first, second = (_call(subject, position_of(sfen).copy_record(), moves, fill)[2] for fill in (1, -1))
        own = slice(START, START + len(moves))
        if (differ := np.flatnonzero(first[own] != second[own])).size:
            subject.fail(f"the key of move {differ[0]} of {len(moves)} depends on what stood there before", sfen)


def test_returns_zero(subject: Subject) -> None:
    """Other results are kept for later."""
    for sfen, moves in _nodes():
        if result := _call(subject, position_of(sfen).copy_record(), moves)[0]:
            subject.fail(f"returns {result}, expected 0", sfen)
