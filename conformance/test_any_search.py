"""Checks of role `search`, whatever it looks for: that it leaves things alone, gives up, and says the same again."""

import pytest

from hisshi.conformance.asking import Answer, ask, ask_about
from hisshi.conformance.brinkmates import MATES, brinkmates, no_brinkmates
from hisshi.conformance.mates import NODES, mates, no_mates, short_mates
from hisshi.conformance.positions import colour_flipped, mirrored, position_of
from hisshi.conformance.subjects import Subject
from hisshi.conformance.uncompiled import FEW, answers, answers_uncompiled
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.control import GAVE_UP_NODES, GAVE_UP_STOP
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN

ROLES = ("search",)

LIMITS = (1, 2, 3, 10, 30)  # in nodes, at which a search is made to give up in the midst of its work


def _easy(subject: Subject) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return positions that have what the search looks for, easy ones, and some that have not."""
    if subject.plugin.declared.goal == "hisshi":
        return tuple(brinkmates()), no_brinkmates()
    if subject.plugin.declared.goal == "play":  # which ends with the limit: a few are enough
        return tuple(short_mates())[:: 4 if JIT else 2], no_mates()
    return tuple(short_mates()), no_mates()


def _sfens(subject: Subject) -> tuple[str, ...]:
    solved, unsolved = _easy(subject)
    return (*solved, *unsolved)


def test_leaves_the_position_alone(subject: Subject) -> None:
    """The position is as before when the search returns, also when it was made to give up."""
    more = {"hisshi": MATES, "mate": tuple(mates())}  # whatever play search is asked, it goes on until the limit
    for sfen in dict.fromkeys((*_sfens(subject), *more.get(subject.plugin.declared.goal, ()))):
        for limit in (*LIMITS, NODES):
            record = position_of(sfen).copy_record()
            before = record.tobytes()
            ask_about(subject.run, record, limit)
            if record.tobytes() != before:
                subject.fail(f"the position is not as it was before, with a limit of {limit} nodes", sfen)


def test_gives_up_when_told(subject: Subject) -> None:
    """The stop flag and the node limit make it unknown, and the reason is noted."""
    for sfen in _sfens(subject):
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


def test_returns_a_verdict(subject: Subject) -> None:
    """The result is PROVEN, DISPROVEN or UNKNOWN: a search that asks another one compares with these."""
    for sfen in _sfens(subject):
        if (number := ask(subject.run, sfen).number) not in (PROVEN, DISPROVEN, UNKNOWN):
            subject.fail(f"returns {number}, expected {PROVEN}, {DISPROVEN} or {UNKNOWN}", sfen)


def test_enters_the_same_nodes_again(subject: Subject) -> None:
    """The same question has the same answer and the same node count, whatever was asked before."""
    sfens = _sfens(subject)
    before = {sfen: ask(subject.run, sfen) for sfen in sfens}
    for run in (subject.run, subject.search_run()):
        for sfen in reversed(sfens):
            if (again := ask(run, sfen)) != before[sfen]:
                first = before[sfen]
                subject.fail(f"{first} with {first.nodes} nodes, asked again {again} with {again.nodes} nodes", sfen)


def _compare(subject: Subject, sfen: str, other: str, how: str) -> None:
    """Compare verdicts, and lengths where both are called the shortest.

    The order of moves is another one there. So a limit may be met in one of the two alone, of nodes or of the search's
    own: then it is unknown here and disproven there, and both are right.
    """
    here, there = ask(subject.run, sfen), ask(subject.run, other)
    limited = here.met_the_node_limit or there.met_the_node_limit
    if here.contradicts(there) or (_solves(here) is not _solves(there) and not limited):
        subject.fail(f"{here}; {how}: {there}", sfen)


def _solves(answer: Answer) -> bool:
    return answer.verdict in ("proven", "found")


def test_says_the_same_mirrored(subject: Subject) -> None:
    """Left and right are alike."""
    for sfen in _sfens(subject):
        _compare(subject, sfen, mirrored(sfen), "with left and right exchanged")


def test_says_the_same_with_colours_exchanged(subject: Subject) -> None:
    """Black and white are alike."""
    for sfen in _sfens(subject):
        _compare(subject, sfen, colour_flipped(sfen), "with colours exchanged")


@pytest.mark.hisshi_compiled
def test_says_the_same_uncompiled(subject: Subject) -> None:
    """As plain Python it enters the same nodes and comes to the same answer."""
    solved, unsolved = _easy(subject)
    sfens = (*solved[:FEW], *unsolved[:FEW])
    both = zip(sfens, answers(subject, sfens), answers_uncompiled(subject, sfens), strict=True)
    for sfen, compiled, uncompiled in both:
        if compiled != uncompiled:
            subject.fail(f"compiled: {compiled}; as plain Python: {uncompiled}", sfen)
