"""Checks of role `search`, goal hisshi: what a hisshi search says, and that it says it again."""

import pytest

from hisshi.conformance.asking import Answer, ask, ask_about
from hisshi.conformance.brinkmates import MATES, WITHIN, brinkmates, no_brinkmates
from hisshi.conformance.mates import NODES
from hisshi.conformance.positions import colour_flipped, mirrored, position_of
from hisshi.conformance.subjects import Subject
from hisshi.conformance.uncompiled import answers, answers_uncompiled
from hisshi.core.kernel.control import GAVE_UP_NODES, GAVE_UP_SCHEDULE, GAVE_UP_STOP

ROLES = ("search",)
GOAL = "hisshi"

LIMITS = (1, 2, 3, 10, 30)  # in nodes, at which a search is made to give up in the midst of its work


def _sfens() -> tuple[str, ...]:
    return (*brinkmates(), *no_brinkmates())


def test_leaves_the_position_alone(subject: Subject) -> None:
    """The position is as before when the search returns, also when it was made to give up."""
    for sfen in (*_sfens(), *MATES):
        for limit in (*LIMITS, NODES):
            record = position_of(sfen).copy_record()
            before = record.tobytes()
            ask_about(subject.run, record, limit)
            if record.tobytes() != before:
                subject.fail(f"the position is not as it was before, with a limit of {limit} nodes", sfen)


def test_gives_up_when_told(subject: Subject) -> None:
    """The stop flag and the node limit make it unknown, and the reason is noted."""
    for sfen in _sfens():
        stopped = ask(subject.run, sfen, stop=1)
        if stopped.verdict != "unknown":
            subject.fail(f"{stopped}, although the stop flag was set from the beginning", sfen)
        if not stopped.exhausted & GAVE_UP_STOP:
            subject.fail("gives up for the stop flag, but does not note GAVE_UP_STOP", sfen)
        for limit in LIMITS:
            limited = ask(subject.run, sfen, limit)
            if limited.nodes > limit:
                subject.fail(f"enters {limited.nodes} nodes, the limit is {limit}", sfen)
            if limited.verdict == "disproven" and limited.exhausted & GAVE_UP_NODES:
                subject.fail(f"disproves, and notes that the limit of {limit} nodes stopped it", sfen)


def test_proves_hisshi_of_one_ply(subject: Subject) -> None:
    """Unknown is never wrong, but a search finds at least a hisshi of one ply."""
    for sfen, plies in brinkmates().items():
        if plies == 1 and ask(subject.run, sfen).verdict == "unknown":
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


def test_enters_the_same_nodes_again(subject: Subject) -> None:
    """The same question has the same answer and the same node count, whatever was asked before."""
    before = {sfen: ask(subject.run, sfen) for sfen in _sfens()}
    for run in (subject.run, subject.search_run()):
        for sfen in reversed(_sfens()):
            if (again := ask(run, sfen)) != before[sfen]:
                first = before[sfen]
                subject.fail(f"{first} with {first.nodes} nodes, asked again {again} with {again.nodes} nodes", sfen)


def _compare(subject: Subject, sfen: str, other: str, how: str) -> None:
    """Compare what is said of a position and of its image; a limit of nodes may be met in one of the two alone."""
    here, there = ask(subject.run, sfen), ask(subject.run, other)
    limited = here.met_the_node_limit or there.met_the_node_limit
    if here.contradicts(there) or (_is_one(here) is not _is_one(there) and not limited):
        subject.fail(f"{here}; {how}: {there}", sfen)


def _is_one(answer: Answer) -> bool:
    return answer.verdict in ("proven", "found")


def test_says_the_same_mirrored(subject: Subject) -> None:
    """Left and right are alike."""
    for sfen in _sfens():
        _compare(subject, sfen, mirrored(sfen), "with left and right exchanged")


def test_says_the_same_with_colours_exchanged(subject: Subject) -> None:
    """Black and white are alike."""
    for sfen in _sfens():
        _compare(subject, sfen, colour_flipped(sfen), "with colours exchanged")


@pytest.mark.hisshi_compiled
def test_says_the_same_uncompiled(subject: Subject) -> None:
    """As plain Python it enters the same nodes and comes to the same answer."""
    sfens = _sfens()
    both = zip(sfens, answers(subject, sfens), answers_uncompiled(subject, sfens), strict=True)
    for sfen, compiled, uncompiled in both:
        if compiled != uncompiled:
            subject.fail(f"compiled: {compiled}; as plain Python: {uncompiled}", sfen)
