"""Checks of the generators: roles `legal_moves`, `checks`, `evasions`, `captures` and those of candidates.

The measure is `hisshi.core.reference`, which makes each move on a copy of the board and looks at what became of it.
"""

from typing import Any

import numpy as np
import pytest

from hisshi.conformance.positions import WIDEST, moves_by_the_rules, position_of, positions, positions_in_check
from hisshi.conformance.subjects import Subject
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.roles import role_modules
from hisshi.core.nearest import listed
from hisshi.core.position import move_to_usi

ROLES = ("legal_moves", "checks", "evasions", "captures", "attack_candidates", "defence_candidates")

START = 32  # where the generator is told to begin
UNWRITTEN = 0x5A5A5A5A
SHOWN = 6  # moves in the text of a failure


def _sfens(subject: Subject) -> tuple[str, ...]:
    role = subject.plugin.role
    if role == "captures" or role.endswith("_candidates"):  # which are others in check, or may be
        return (*positions(), *positions_in_check()[::3])
    return positions_in_check() if role == "evasions" else positions()


def _call(subject: Subject, record: Any) -> tuple[Any, int]:
    """Call the generator; return the whole buffer and the end that it reports."""
    accessor = next(
        getattr(module, f"call_{subject.plugin.role}")
        for module in role_modules()
        if module.ROLE.name == subject.plugin.role
    )
    buffer = np.full(START + MAX_MOVES + 64, UNWRITTEN, dtype=np.int32)
    return buffer, int(accessor(subject.caller, record, buffer, START))


def _moves(subject: Subject, sfen: str) -> list[str]:
    """Return the moves in USI; nothing where the reported end cannot be, which has a check of its own."""
    buffer, end = _call(subject, position_of(sfen).copy_record())
    return [_usi(move) for move in buffer[START : min(end, len(buffer))]]


def _by_the_rules(subject: Subject, sfen: str) -> set[str]:
    role = subject.plugin.role
    return set(moves_by_the_rules("legal_moves" if role.endswith("_candidates") else role, sfen))


def _usi(move: int) -> str:
    """Return a move's USI, or a text that is no move's."""
    try:
        return move_to_usi(move)
    except IndexError:
        return f"(not a move: {int(move)})"


def _some(moves: set[str]) -> str:
    shown = sorted(moves)[:SHOWN]
    return listed(shown) + (f" and {len(moves) - len(shown)} more" if len(moves) > len(shown) else "")


def test_leaves_the_position_alone(subject: Subject) -> None:
    """The position is as before when the generator returns."""
    for sfen in _sfens(subject):
        record = position_of(sfen).copy_record()
        before = record.tobytes()
        _call(subject, record)
        if record.tobytes() != before:
            subject.fail("the position is not as it was before", sfen)


def test_writes_only_the_moves_it_reports(subject: Subject) -> None:
    """Nothing before `start`, nothing from the reported end on."""
    for sfen in _sfens(subject):
        buffer, end = _call(subject, position_of(sfen).copy_record())
        if not START <= end <= START + MAX_MOVES:
            subject.fail(f"start is {START}, returns {end}; expected {START} to {START + MAX_MOVES}", sfen)
        written = {int(index) for index in np.flatnonzero(buffer != UNWRITTEN)}
        if stray := sorted(written - set(range(START, end))):
            subject.fail(f"start is {START}, end is {end}, but moves[{stray[0]}] is written", sfen)


def test_repeats_no_move(subject: Subject) -> None:
    """No move twice."""
    for sfen in _sfens(subject):
        moves = _moves(subject, sfen)
        if twice := {move for move in moves if moves.count(move) > 1}:
            subject.fail(f"moves that are there more than once: {_some(twice)}", sfen)


def test_has_no_move_beside_the_rules(subject: Subject) -> None:
    """Every move is one that the rules allow, and of the role's kind."""
    for sfen in _sfens(subject):
        if extra := set(_moves(subject, sfen)) - _by_the_rules(subject, sfen):
            subject.fail(f"moves that do not belong there: {_some(extra)}", sfen)


@pytest.mark.hisshi_trait("complete")
def test_leaves_no_move_out(subject: Subject) -> None:
    """Trait complete: every move of the role's kind."""
    for sfen in _sfens(subject):
        if missing := _by_the_rules(subject, sfen) - set(_moves(subject, sfen)):
            subject.fail(f"has the trait 'complete', but leaves out: {_some(missing)}", sfen)


@pytest.mark.hisshi_trait("complete")
def test_holds_the_widest_position(subject: Subject) -> None:
    """Trait complete: the position with 593 legal moves, more than which none has, is not cut off."""
    wanted = len(_by_the_rules(subject, WIDEST))
    if subject.plugin.role != "evasions" and (got := len(_moves(subject, WIDEST))) != wanted:
        subject.fail(f"{got} moves, expected {wanted}", WIDEST)
