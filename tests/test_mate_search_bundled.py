"""Mate search on bundled mates: a table's size and policy change how long it takes, never the answer."""

from pathlib import Path

import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.checker import check_mate_proof

PROBLEMS = Path(__file__).parent.parent / "problems" / "tsume-derived.tsv"

pytestmark = pytest.mark.compiled


def mates(plies, count):
    rows = [line.split("\t") for line in PROBLEMS.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    return {row[0]: (row[1], int(row[2])) for row in [row for row in rows if int(row[2]) == plies][:count]}


MATES = mates(3, 25) | mates(5, 25) | mates(7, 15)
CHECKED = mates(5, 3)  # the checker is slow: every interposition, many times


@pytest.mark.parametrize("policy", ["two-level", "always-replace"])
def test_tiny_tables_give_the_answers_of_large_ones(policy):
    large = Registry.load().compose("mate", {"table": policy})
    tiny = Registry.load().compose("mate", {"table": policy, "table.megabytes": "0.001"})
    replaced = 0
    for problem, (sfen, plies) in MATES.items():
        for run in (tiny, large):
            result = solve(Position.from_sfen(sfen), run)
            assert (result.verdict, result.plies, result.length_is) == ("proven", plies, "shortest"), problem
            assert len(result.moves) == plies, problem
            statistics = result.statistics[f"table.{policy}"]
            assert statistics["used"] <= statistics["entries"] and statistics["hits"] <= statistics["probes"]
            assert statistics["used"] + statistics["replacements"] <= statistics["stores"]
            if run is tiny:
                replaced += statistics["replacements"]
    assert replaced > 1000


def test_count_budget_proves_with_proofs_that_hold():
    run = Registry.load().compose("mate-count-budget")
    proven = 0
    for problem, (sfen, plies) in MATES.items():
        result = solve(Position.from_sfen(sfen), run, want_proof=True)
        assert result.verdict in ("proven", "unknown"), problem
        if result.verdict == "proven":
            proven += 1
            assert result.plies >= plies and len(result.moves) == result.plies, problem
            if plies == 3 or problem in CHECKED:
                assert check_mate_proof(sfen, result.proof, plies=result.plies).problems == (), problem
    assert proven > len(MATES) // 2


def test_count_budget_in_a_tiny_table_never_claims_what_it_cannot_show():
    run = Registry.load().compose("mate-count-budget", {"table.megabytes": "0.001"})
    shown = 0
    for problem, (sfen, plies) in MATES.items():
        result = solve(Position.from_sfen(sfen), run, node_limit=200_000)
        assert result.verdict in ("proven", "unknown"), problem
        if result.verdict == "proven":
            assert result.plies >= plies, problem
            shown += len(result.moves) == result.plies
    assert shown > len(MATES) // 2
