"""Checks of role `hisshi_rule`, asked about every legal move of each position."""

from collections.abc import Iterator

from hisshi.conformance.positions import (
    colour_flipped,
    colour_flipped_move,
    mirrored,
    mirrored_move,
    moves_by_the_rules,
    position_of,
    positions,
    positions_in_check,
)
from hisshi.conformance.subjects import Subject
from hisshi.core.kernel.roles.hisshi_rule import call_hisshi_rule

ROLES = ("hisshi_rule",)


def _sfens() -> tuple[str, ...]:
    return (*positions(), *positions_in_check()[::3])


def _answers(subject: Subject, sfen: str) -> dict[str, int]:
    """Return the rule's answer to each legal move, by USI."""
    position = position_of(sfen)
    record = position.copy_record()
    return {usi: int(call_hisshi_rule(subject.caller, record, move)) for usi, move in position.usi_moves().items()}


def _all_answers(subject: Subject) -> Iterator[tuple[str, dict[str, int]]]:
    for sfen in _sfens():
        yield sfen, _answers(subject, sfen)


def test_leaves_the_position_alone(subject: Subject) -> None:
    """The position is not written."""
    for sfen in _sfens():
        record = position_of(sfen).copy_record()
        before = record.tobytes()
        for usi, move in position_of(sfen).usi_moves().items():
            call_hisshi_rule(subject.caller, record, move)
            if record.tobytes() != before:
                subject.fail(f"the position is not as it was before, asked about {usi}", sfen)


def test_answers_zero_or_one(subject: Subject) -> None:
    """A move counts, 1, or does not, 0."""
    for sfen, answers in _all_answers(subject):
        for usi, answer in answers.items():
            if answer not in (0, 1):
                subject.fail(f"answers {answer} to {usi}; expected 0 or 1", sfen)


def test_counts_every_move_that_gives_no_check(subject: Subject) -> None:
    """Rules differ in which checks count, and in nothing else."""
    for sfen, answers in _all_answers(subject):
        for usi in answers.keys() - set(moves_by_the_rules("checks", sfen)):
            if answers[usi] == 0:
                subject.fail(f"leaves out {usi}, which gives no check", sfen)


def test_says_the_same_again(subject: Subject) -> None:
    """The answer depends on position and move alone: asked twice in a row, or in another order, it is the same."""
    before = dict(_all_answers(subject))
    for sfen in reversed(_sfens()):
        record = position_of(sfen).copy_record()
        for usi, move in position_of(sfen).usi_moves().items():
            for _ in range(2):
                if (again := int(call_hisshi_rule(subject.caller, record, move))) != before[sfen][usi]:
                    subject.fail(f"answers {before[sfen][usi]} to {usi}, and asked again {again}", sfen)


def test_is_the_same_mirrored(subject: Subject) -> None:
    """Left and right are alike."""
    for sfen, answers in _all_answers(subject):
        there = _answers(subject, mirrored(sfen))
        for usi, answer in answers.items():
            if (other := there[mirrored_move(usi)]) != answer:
                subject.fail(f"answers {answer} to {usi}, with left and right exchanged {other}", sfen)


def test_is_the_same_with_colours_exchanged(subject: Subject) -> None:
    """Black and white are alike."""
    for sfen, answers in _all_answers(subject):
        there = _answers(subject, colour_flipped(sfen))
        for usi, answer in answers.items():
            if (other := there[colour_flipped_move(usi)]) != answer:
                subject.fail(f"answers {answer} to {usi}, with colours exchanged {other}", sfen)
