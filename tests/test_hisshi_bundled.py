"""Hisshi search on the bundled hisshi: the listed lengths under each rule, and no claim that is known to be wrong."""

import pytest
from kernel_calls import problem_rows

from hisshi.conformance.asking import ask
from hisshi.core import Registry
from hisshi.core.kernel.control import GAVE_UP_NODES, GAVE_UP_SCHEDULE

pytestmark = pytest.mark.compiled

NODES = 20_000  # enough for half of them
MORE = 60_000
SURE = {"mate_nodes": "100000"}  # so that less is left open, and lengths are known to be the shortest
RUNS = (("strong", "hisshi-full"), ("weak", "hisshi-full-weak"))


@pytest.fixture(scope="module")
def runs():
    registry = Registry.load()
    composed = {rule: registry.compose(run, SURE) for rule, run in RUNS}
    for run in composed.values():
        run.warm()
    return composed


def test_lengths_are_as_listed_wherever_the_nodes_are_enough(runs):
    enough = 0
    for row in problem_rows("hisshi.tsv"):
        answer = ask(runs["strong"], row["sfen"], NODES)
        if answer.verdict == "proven":
            assert (answer.plies, answer.is_shortest) == (int(row["plies"]), True), row["id"]
            enough += 1
        else:
            assert answer.verdict == "unknown" and answer.exhausted & GAVE_UP_NODES, row["id"]
    assert enough >= 30


def test_where_a_check_defends_the_two_rules_differ_as_listed(runs):
    told_apart = 0
    for row in problem_rows("hisshi-two-kings.tsv"):
        weak, strong = row["plies (weak rule)"], row["strong plies"]
        for rule, listed in (("weak", weak), ("strong", strong)):
            answer = ask(runs[rule], row["sfen"], NODES, plies=int(weak if listed == "-" else listed))
            if listed == "-":
                assert answer.verdict == "unknown", (row["id"], rule)
                told_apart += answer.exhausted == GAVE_UP_SCHEDULE  # all looked at: there is none
            elif answer.verdict == "proven":
                assert answer.plies == int(listed), (row["id"], rule)
            else:
                assert answer.exhausted & GAVE_UP_NODES, (row["id"], rule)
    assert told_apart >= 12


def test_what_is_refuted_is_never_proven_at_the_claimed_length(runs):
    for row in problem_rows("hisshi-refuted.tsv"):
        for run in runs.values():
            answer = ask(run, row["sfen"], MORE, plies=int(row["claimed plies"]))
            assert answer.verdict == "unknown", row["id"]
