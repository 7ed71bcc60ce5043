"""The check of the parts of a search, each swapped alone into the default run: pairs, not all combinations."""

from hisshi.conformance.asking import ask
from hisshi.conformance.mates import mates, no_mates
from hisshi.conformance.subjects import MEGABYTES, SMALLEST, Subject

ROLES = ("checks", "evasions", "move_order", "king_freedom", "stop", "table")


def test_changes_no_verdict(subject: Subject) -> None:
    """In the default run no mate is disproven, nothing else proven, and no length wrong."""
    for megabytes in (MEGABYTES, SMALLEST) if subject.plugin.role == "table" else (MEGABYTES,):
        run = subject.search_run(megabytes=megabytes)
        for sfen, plies in mates().items():
            answer = ask(run, sfen)
            wrong_length = answer.plies < plies or (answer.is_shortest and answer.plies > plies)
            if answer.verdict == "disproven" or (answer.verdict == "proven" and wrong_length):
                subject.fail(f"with it the default run says of a mate in {plies}: {answer}", sfen)
        for sfen in no_mates():
            if (answer := ask(run, sfen)).verdict == "proven":
                subject.fail(f"there is no mate, and with it the default run says: {answer}", sfen)


def test_enters_the_same_nodes_again(subject: Subject) -> None:
    """With it the default run enters the same nodes for the same question, whatever was asked before.

    What a part remembers in arrays of its own is never cleared, so it must not matter.
    """
    run = subject.search_run(megabytes=SMALLEST if subject.plugin.role == "table" else MEGABYTES)
    sfens = (*mates(), *no_mates())
    before = {sfen: ask(run, sfen) for sfen in sfens}
    for sfen in reversed(sfens):
        if (again := ask(run, sfen)) != before[sfen]:
            first = before[sfen]
            subject.fail(f"{first} with {first.nodes} nodes, asked again {again} with {again.nodes} nodes", sfen)
