"""Checks of role `quiescence`: in the default run for it, with the evaluation and the captures named there."""

from functools import cache
from typing import Any

from hisshi.conformance.mates import mated
from hisshi.conformance.positions import position_of, positions, positions_in_check
from hisshi.conformance.subjects import Subject
from hisshi.core.kernel.control import EXHAUSTED, GAVE_UP_NODES, GAVE_UP_STOP, NODE_LIMIT, STOP
from hisshi.core.kernel.roles.quiescence import call_quiescence
from hisshi.core.kernel.values import INFINITE, LARGEST_VALUE, MATE, NO_VALUE
from hisshi.core.reference import ReferenceBoard

ROLES = ("quiescence",)

FAR, NEAR = 400, 1  # from the value to a window's bounds, and between the bounds of a narrow one
LONGEST = 1000  # plies that a mate which a quiescence search has seen may be away


@cache
def _sfens() -> tuple[str, ...]:
    """Return positions whose side to move is not mated, in check or not."""
    sfens = (*positions(), *positions_in_check()[::3])
    return tuple(sfen for sfen in sfens if not ReferenceBoard.from_sfen(sfen, strict=False).is_mated())


def _ask_about(subject: Subject, record: Any, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    return int(call_quiescence(subject.caller, record, alpha, beta))


def _value(subject: Subject, sfen: str, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    return _ask_about(subject, position_of(sfen).copy_record(), alpha, beta)


def _nodes(subject: Subject, sfen: str) -> int:
    """Return how many nodes it enters for a position, its tables empty."""
    subject.run.clear()
    _value(subject, sfen)
    return subject.run.nodes


def test_leaves_the_position_alone(subject: Subject) -> None:
    """The position is as before on return, also after giving up."""
    for sfen in (*_sfens(), *mated()):
        for limit in (0, 1, 2, _nodes(subject, sfen) // 2):
            subject.run.clear()
            subject.run.control[NODE_LIMIT] = limit
            record = position_of(sfen).copy_record()
            before = record.tobytes()
            _ask_about(subject, record)
            if record.tobytes() != before:
                subject.fail(f"the position is not as it was before; node limit {limit or 'none'}", sfen)
    subject.run.clear()


def test_keeps_to_the_window(subject: Subject) -> None:
    """The exact value inside the window; outside, a bound between the value and the window."""
    for sfen in _sfens():
        subject.run.clear()
        value = _value(subject, sfen)
        around, above, below = (value - NEAR, value + NEAR), (value, value + FAR), (value - FAR, value)
        higher, lower = (value + FAR, value + FAR + NEAR), (value - FAR - NEAR, value - FAR)
        for alpha, beta in (higher, above, around, below, lower):
            got = _value(subject, sfen, alpha, beta)
            low, high = (value, max(value, alpha)) if value <= alpha else (min(value, beta), value)
            if not low <= got <= high:
                subject.fail(f"value {value}; asked between {alpha} and {beta}: {got}, expected {low} to {high}", sfen)


def test_knows_the_mated(subject: Subject) -> None:
    """A side to move that is mated has -MATE."""
    for sfen in mated():
        for alpha, beta in ((-INFINITE, INFINITE), (-INFINITE, -FAR), (-NEAR, NEAR), (FAR, INFINITE)):
            subject.run.clear()
            got = _value(subject, sfen, alpha, beta)
            is_bound = alpha > -MATE and -MATE <= got <= alpha
            if got != -MATE and not is_bound:
                subject.fail(f"mated; asked between {alpha} and {beta}: {got}, expected {-MATE}", sfen)


def test_calls_nobody_else_mated(subject: Subject) -> None:
    """Who is not mated has a value, or has seen a mate some plies away."""
    for sfen in _sfens():
        value = _value(subject, sfen)
        if abs(value) > LARGEST_VALUE and not MATE - LONGEST <= abs(value) < MATE:
            subject.fail(
                f"{value}; expected no more than {LARGEST_VALUE}, or a mate that is {LONGEST} plies away", sfen
            )


def test_says_the_same_again(subject: Subject) -> None:
    """Whatever it was asked before, with its tables as they are or empty."""
    subject.run.clear()
    first = {sfen: _value(subject, sfen) for sfen in _sfens()}
    for sfen in reversed(first):
        for _ in range(2):
            if (again := _value(subject, sfen)) != first[sfen]:
                subject.fail(f"{first[sfen]}, asked again {again}", sfen)
    for sfen, value in first.items():
        subject.run.clear()
        if (alone := _value(subject, sfen)) != value:
            subject.fail(f"{value}, asked again with empty tables {alone}", sfen)


def test_gives_up_when_told(subject: Subject) -> None:
    """Stop flag and node limit end it without a value, with the reason noted; the value afterwards is as before."""
    control = subject.run.control
    for sfen in _sfens():
        subject.run.clear()
        value = _value(subject, sfen)
        nodes = subject.run.nodes
        for place, number, reason in ((STOP, 1, GAVE_UP_STOP), (NODE_LIMIT, nodes - 1, GAVE_UP_NODES)):
            if place == NODE_LIMIT and nodes < 2:
                continue  # a limit of 0 is none
            subject.run.clear()
            control[place] = number
            got = _value(subject, sfen)
            if got != NO_VALUE or not control[EXHAUSTED] & reason:
                how = "the stop flag set" if place == STOP else f"a limit of {number} of its {nodes} nodes"
                noted = "noted" if control[EXHAUSTED] & reason else "not noted"
                subject.fail(f"with {how}: {got}, the reason {noted}; expected NO_VALUE and the reason noted", sfen)
            control[:] = 0  # tables stay as it has left them
            if (again := _value(subject, sfen)) != value:
                subject.fail(f"{value}; after it was made to give up: {again}", sfen)
