"""Checks of role `king_freedom`."""

from collections.abc import Iterator

from hisshi.conformance.positions import colour_flipped, mirrored, position_of, positions
from hisshi.conformance.subjects import Subject
from hisshi.core.kernel.roles.king_freedom import call_king_freedom

ROLES = ("king_freedom",)

SIDES = ("black", "white")


def _freedom(subject: Subject, sfen: str, colour: int) -> int:
    return int(call_king_freedom(subject.caller, position_of(sfen).copy_record(), colour))


def _kings() -> Iterator[tuple[str, int]]:
    """Yield every position with each colour that has a king in it."""
    for sfen in positions():
        for colour, side in enumerate(SIDES):
            if position_of(sfen).has_king(side):
                yield sfen, colour


def test_leaves_the_position_alone(subject: Subject) -> None:
    """The position is not written."""
    for sfen, colour in _kings():
        record = position_of(sfen).copy_record()
        before = record.tobytes()
        call_king_freedom(subject.caller, record, colour)
        if record.tobytes() != before:
            subject.fail("the position is not as it was before", sfen)


def test_is_zero_to_eight(subject: Subject) -> None:
    """A king has eight squares round it."""
    for sfen, colour in _kings():
        if not 0 <= (free := _freedom(subject, sfen, colour)) <= 8:
            subject.fail(f"{SIDES[colour]}'s king has freedom {free}, expected 0 to 8", sfen)


def test_is_eight_without_a_king(subject: Subject) -> None:
    """Who has no king is not driven anywhere."""
    for sfen in positions():
        for colour, side in enumerate(SIDES):
            if not position_of(sfen).has_king(side) and (free := _freedom(subject, sfen, colour)) != 8:
                subject.fail(f"{side} has no king and freedom {free}, expected 8", sfen)


def test_is_the_same_mirrored(subject: Subject) -> None:
    """Left and right are alike."""
    for sfen, colour in _kings():
        here, there = _freedom(subject, sfen, colour), _freedom(subject, mirrored(sfen), colour)
        if here != there:
            subject.fail(f"{SIDES[colour]}'s king has freedom {here}, with left and right exchanged {there}", sfen)


def test_is_the_same_with_colours_exchanged(subject: Subject) -> None:
    """Black and white are alike."""
    for sfen, colour in _kings():
        here, there = _freedom(subject, sfen, colour), _freedom(subject, colour_flipped(sfen), 1 - colour)
        if here != there:
            subject.fail(f"{SIDES[colour]}'s king has freedom {here}, with colours exchanged {there}", sfen)
