"""Checks of role `search`, goal hisshi: what a hisshi search says. What any search must do is in test_any_search.py."""

from hisshi.conformance.asking import ask
from hisshi.conformance.brinkmates import MATES, WITHIN, brinkmates, no_brinkmates
from hisshi.conformance.subjects import Subject
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.control import GAVE_UP_SCHEDULE

ROLES = ("search",)
GOAL = "hisshi"


def test_proves_hisshi_of_one_ply(subject: Subject) -> None:
    """Unknown is never wrong, but a search finds at least a hisshi of one ply, if asked for no more."""
    for sfen, plies in brinkmates().items():
        if plies != 1:
            continue
        answer = ask(subject.run, sfen, plies=1)
        if answer.verdict == "unknown" and (JIT or not answer.met_the_node_limit):  # a few nodes only, uncompiled
            subject.fail("a hisshi of one ply is unknown to it", sfen)


def test_has_no_wrong_verdict(subject: Subject) -> None:
    """No hisshi is disproven, and none proven where there is none."""
    for sfen, plies in brinkmates().items():
        if ask(subject.run, sfen).verdict == "disproven":
            subject.fail(f"disproves a hisshi of {plies} plies", sfen)
    for sfen in no_brinkmates():
        answer = ask(subject.run, sfen)
        if answer.verdict == "proven" and answer.plies <= WITHIN:
            subject.fail(f"there is none of up to {WITHIN} plies, and it says: {answer}", sfen)


def test_has_no_wrong_length(subject: Subject) -> None:
    """A mate at the root has 0 plies; a proven hisshi has no less than the shortest, and that where it is called so."""
    for sfen, plies in brinkmates().items():
        answer = ask(subject.run, sfen)
        if answer.verdict == "proven" and answer.plies % 2 == 0:
            subject.fail(f"proven, {answer.plies} plies: the last is the attacker's, so the number is odd", sfen)
        if answer.verdict == "proven" and (answer.plies < plies or (answer.is_shortest and answer.plies > plies)):
            subject.fail(f"{answer}; the shortest hisshi has {plies}", sfen)
    for sfen in MATES:
        if (answer := ask(subject.run, sfen)).plies != 0:
            subject.fail(f"{answer}; there is a mate, which is a hisshi of 0 plies", sfen)


def test_keeps_to_the_plies_asked_for(subject: Subject) -> None:
    """A proof is no longer than was asked for, and nothing but too few plies is said to be in the way only if it is."""
    for sfen, plies in brinkmates().items():
        for asked in range(1, plies + 3, 2):
            answer = ask(subject.run, sfen, plies=asked)
            if answer.plies > asked:
                subject.fail(f"asked for a hisshi within {asked} plies it says: {answer}", sfen)
            if answer.verdict == "unknown" and answer.exhausted == GAVE_UP_SCHEDULE and asked >= plies:
                subject.fail(f"says that there is no hisshi within {asked} plies; there is one of {plies}", sfen)
