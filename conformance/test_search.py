"""Checks of role `search`, goal mate: what a search says. What any search must do is in test_any_search.py.

Its relations to other plugins are in test_search_relations.py.
"""

import pytest

from hisshi.conformance.asking import ask
from hisshi.conformance.mates import NODES, mates, no_mates, short_mates
from hisshi.conformance.positions import position_of
from hisshi.conformance.subjects import Subject
from hisshi.core.checker import check_line, check_mate_proof
from hisshi.core.kernel.control import GAVE_UP_SCHEDULE
from hisshi.core.solving import solve

ROLES = ("search",)
GOAL = "mate"

USELESS_LEFT_OUT = "useless-left-out"


def test_proves_mates_in_one(subject: Subject) -> None:
    """Unknown is never wrong, but a search finds at least a mate in one."""
    for sfen, plies in mates().items():
        if plies == 1 and ask(subject.run, sfen).verdict == "unknown":
            subject.fail("a mate in one is unknown to it", sfen)


def test_has_no_wrong_verdict(subject: Subject) -> None:
    """No mate is disproven, and nothing else proven."""
    _check_verdicts(subject)


def test_has_no_wrong_verdict_with_little(subject: Subject) -> None:
    """Nor with each number among its options as low as it may be: running out of something is unknown."""
    if not subject.options:  # it is the numbers' turn, with the other options as they are
        for other in subject.with_little():
            other.check = subject.check
            _check_verdicts(other)


def _check_verdicts(subject: Subject) -> None:
    for sfen, plies in mates().items():
        if ask(subject.run, sfen).verdict == "disproven":
            subject.fail(f"disproves a mate in {plies}", sfen)
    for sfen in no_mates():
        answer = ask(subject.run, sfen)
        if answer.verdict not in ("disproven", "unknown"):
            subject.fail(f"there is no mate, and it says: {answer}", sfen)


def test_has_no_wrong_length(subject: Subject) -> None:
    """A length is never below that of the shortest mate, and is it where it is called so."""
    for sfen, plies in mates().items():
        answer = ask(subject.run, sfen)
        if not answer.plies:
            continue
        if answer.plies % 2 == 0:
            subject.fail(f"{answer}: the attacker's move is the last, so the number is odd", sfen)
        too_long = answer.is_shortest and answer.plies > plies
        if USELESS_LEFT_OUT in subject.traits:
            if too_long:
                subject.fail(f"{answer}; with useless interpositions counted there are {plies}", sfen)
        elif too_long or answer.plies < plies:
            subject.fail(f"{answer}; the shortest mate has {plies}", sfen)


@pytest.mark.hisshi_trait("finds-shortest")
def test_finds_the_shortest_mate(subject: Subject) -> None:
    """Trait finds-shortest: every length is called the shortest."""
    for sfen in mates():
        answer = ask(subject.run, sfen)
        if answer.plies and not answer.is_shortest:
            subject.fail(f"has the trait 'finds-shortest', but does not call its {answer.plies} plies so", sfen)


def test_keeps_to_the_plies_asked_for(subject: Subject) -> None:
    """A proof is no longer than was asked for, and nothing but too few plies is said to be in the way only if it is."""
    for sfen, plies in mates().items():
        for asked in range(1, plies + 3, 2):
            answer = ask(subject.run, sfen, plies=asked)
            if answer.verdict == "proven" and not 0 < answer.plies <= asked:
                subject.fail(f"asked for a mate within {asked} plies it says: {answer}", sfen)
            if answer.verdict == "unknown" and answer.exhausted == GAVE_UP_SCHEDULE and asked >= plies:
                subject.fail(f"says that there is no mate within {asked} plies; there is one of {plies}", sfen)


def test_proofs_replay(subject: Subject) -> None:
    """The proof checker accepts the tree and the line of every proof."""
    left_out = USELESS_LEFT_OUT in subject.traits
    for sfen in short_mates():
        result = solve(position_of(sfen), subject.run, node_limit=NODES, want_proof=True)
        if result.verdict != "proven":
            continue
        if result.proof is None:
            subject.fail(f"proves a mate in {result.plies}, but its answers after each move make no proof tree", sfen)
        report = check_mate_proof(sfen, result.proof, plies=result.plies, strict=False, useless_left_out=left_out)
        if not left_out and report.ok:
            report = check_line(sfen, result.moves, strict=False)
        if not report.ok:
            subject.fail(f"the proof of a mate in {result.plies} does not hold: {report.problems[0]}", sfen)
