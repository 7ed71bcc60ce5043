"""Checks of role `search`, goal mate, in relation to other tables and other searches."""

from functools import cache

from hisshi.conformance.asking import Answer, ask
from hisshi.conformance.mates import NODES, no_mates, short_mates, two_kings
from hisshi.conformance.subjects import MEGABYTES, SMALLEST, Subject, select
from hisshi.core.kernel.context import JIT

ROLES = ("search",)
GOAL = "mate"

SIZES = (SMALLEST, 0.02, MEGABYTES) if JIT else (SMALLEST,)  # megabytes of each table
FEWER = NODES // 5  # nodes, where a position is searched dozens of times


def _sfens() -> tuple[str, ...]:
    return (*list(short_mates())[::2], *no_mates())


def test_says_the_same_with_every_table(subject: Subject) -> None:
    """Whatever a table keeps and however small it is, a position is not a mate with one and none with another."""
    known: dict[str, tuple[str, Answer]] = {}
    for policy in sorted(subject.catalogue.names("table")):
        for megabytes in SIZES:
            run = subject.search_run(policy, megabytes)
            for sfen in _sfens()[::2]:
                here = f"{policy} of {megabytes} megabytes", ask(run, sfen, FEWER)
                first = known.setdefault(sfen, here)
                if here[1].contradicts(first[1]):
                    subject.fail(f"{first[1]} with table {first[0]}; {here[1]} with {here[0]}", sfen)
                if first[1].verdict == "unknown":
                    known[sfen] = here


@cache
def _others() -> tuple[Subject, ...]:
    """Return every installed search, with its defaults."""
    return tuple(subject for subject in select(()) if subject.plugin.role == "search" and not subject.options)


@cache
def _said_by(other: Subject, sfen: str) -> Answer:
    return ask(other.run, sfen)


def test_agrees_with_every_other_search(subject: Subject) -> None:
    """Of two searches of one goal, none proves what the other disproves, or calls another length the shortest."""
    for sfen in two_kings():
        answer = ask(subject.run, sfen)
        for other in _others():
            counts_alike = ("useless-left-out" in other.traits) is ("useless-left-out" in subject.traits)
            if other.plugin.declared.goal == subject.plugin.declared.goal:
                said = _said_by(other, sfen)
                if answer.contradicts(said) and (counts_alike or answer.verdict != said.verdict):
                    subject.fail(f"{answer}; '{other.plugin.name}' says: {said}", sfen)
