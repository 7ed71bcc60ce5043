"""Checks of role `evaluation`."""

from hisshi.conformance.positions import colour_flipped, mirrored, position_of, positions, positions_in_check
from hisshi.conformance.subjects import Subject
from hisshi.core.kernel.roles.evaluation import call_evaluation
from hisshi.core.kernel.values import LARGEST_VALUE

ROLES = ("evaluation",)

SIDES = ("black", "white")


def _sfens() -> tuple[str, ...]:
    return (*positions(), *positions_in_check()[::3])


def _value(subject: Subject, sfen: str, colour: int) -> int:
    return int(call_evaluation(subject.caller, position_of(sfen).copy_record(), colour))


def test_leaves_the_position_alone(subject: Subject) -> None:
    """The position is as before on return."""
    for sfen in _sfens():
        for colour in (0, 1):
            record = position_of(sfen).copy_record()
            before = record.tobytes()
            call_evaluation(subject.caller, record, colour)
            if record.tobytes() != before:
                subject.fail("the position is not as it was before", sfen)


def test_is_antisymmetric(subject: Subject) -> None:
    """What one side gains the other loses, exactly."""
    for sfen in _sfens():
        black, white = _value(subject, sfen, 0), _value(subject, sfen, 1)
        if black != -white:
            subject.fail(f"{black} for black, {white} for white; expected {-black}", sfen)


def test_is_no_larger_than_a_value_may_be(subject: Subject) -> None:
    """What is beyond the largest value would be taken for a mate."""
    for sfen in _sfens():
        for colour, side in enumerate(SIDES):
            if abs(value := _value(subject, sfen, colour)) > LARGEST_VALUE:
                subject.fail(f"{value} for {side}, expected {-LARGEST_VALUE} to {LARGEST_VALUE}", sfen)


def test_is_the_same_mirrored(subject: Subject) -> None:
    """Left and right are alike."""
    for sfen in _sfens():
        here, there = _value(subject, sfen, 0), _value(subject, mirrored(sfen), 0)
        if here != there:
            subject.fail(f"{here} for black, with left and right exchanged {there}", sfen)


def test_is_the_same_with_colours_exchanged(subject: Subject) -> None:
    """Black and white are alike, and so are their turns."""
    for sfen in _sfens():
        here, there = _value(subject, sfen, 0), _value(subject, colour_flipped(sfen), 1)
        if here != there:
            subject.fail(f"{here} for black, with colours exchanged {there} for white", sfen)


def test_says_the_same_again(subject: Subject) -> None:
    """Whatever it was asked before, and however often."""
    first = {sfen: _value(subject, sfen, 0) for sfen in _sfens()}
    for sfen in reversed(first):
        for _ in range(2):
            if (again := _value(subject, sfen, 0)) != first[sfen]:
                subject.fail(f"{first[sfen]} for black, asked again {again}", sfen)
