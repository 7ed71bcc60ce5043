"""Verdicts under every policy and size: `unknown` may differ, nothing else."""

from pathlib import Path

import numpy as np
import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.discovery import load_plugins
from hisshi.core.kernel.proof_search import set_key
from hisshi.core.kernel.table import ENTRIES_ARRAY, PROVEN

PROBLEMS = Path(__file__).parent.parent / "problems" / "tsume-derived.tsv"
NO_MATES = [
    "4k4/9/9/9/9/9/9/9/9 b P 1",
    "4k4/9/9/9/9/9/9/9/9 b G 1",
    "4k4/9/9/9/9/9/9/9/9 b L 1",
    "9/9/9/9/4k4/9/9/9/9 b N 1",
    "9/9/9/9/4k4/9/9/9/9 b 2S 1",
    "kn7/9/1G7/9/9/9/9/9/9 b P 1",  # the pawn drop would be mate, and is forbidden for that
    "8k/9/9/9/9/9/9/9/+R8 b - 1",  # the checks go round in circles
    "4k4/9/9/9/9/9/9/9/+R3+B4 b - 1",
    "9/4k4/9/9/9/9/9/9/9 b SN 1",
    "3sks3/9/9/9/9/9/9/9/9 b 2N2L 1",
]
SIZES = ("0.001", "0.064", "16")  # megabytes
LIMIT = 5_000  # nodes

pytestmark = pytest.mark.compiled


def mates(plies, count):
    rows = [line.split("\t") for line in PROBLEMS.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    return {row[1]: int(row[2]) for row in rows if int(row[2]) == plies and int(row[0][-3:]) < count}


MATES = mates(3, 10) | mates(5, 8) | mates(7, 5) | mates(9, 2)
POLICIES = {name: {"table": name} for name in load_plugins().names("table")}
POLICIES["hit-count, ageing"] = {"table": "hit-count", "table.ageing": "true"}
RUNS = {name: (name, {}) for name in ("mate", "mate-count-budget", "mate-df-pn")}
RUNS["mate-df-pn, collecting"] = ("mate-df-pn", {"collect": "true"})


@pytest.mark.parametrize(("name", "before"), [("mate", 1), ("mate-df-pn", 0)])
def test_effort_is_the_nodes_entered_for_an_entry_itself_included(name, before):
    run = Registry.load().compose(name, {"table.megabytes": "1"})
    run.warm()
    table = run.root.parts["table"]
    for sfen in mates(3, 10):
        position = Position.from_sfen(sfen)
        run.clear()
        assert run.search(position.copy_record()) == PROVEN
        entries = table.arrays[ENTRIES_ARRAY]
        entries = entries[entries["used"] == table.context.generation]
        key = position.record.board_key
        if name == "mate-df-pn":
            key ^= np.uint64(set_key(position.record))
        (root,) = entries[entries["board_key"] == key]
        assert root["effort"] == run.nodes - before  # before: nodes of iterations that proved nothing
        assert entries["effort"].min() >= 1 and entries["effort"].max() == root["effort"]


def test_there_are_mates_enough():
    assert len(MATES) == 25


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", RUNS)
def test_no_verdict_contradicts_another(name, policy):
    name, options = RUNS[name]
    verdicts = []
    for megabytes in SIZES:
        run = Registry.load().compose(name, options | POLICIES[policy] | {"table.megabytes": megabytes})
        for sfen in [*MATES, *NO_MATES]:
            result = solve(Position.from_sfen(sfen), run, node_limit=LIMIT)
            wrong = "disproven" if sfen in MATES else "proven"
            assert result.verdict != wrong, (sfen, megabytes)
            if result.verdict == "proven":
                assert result.plies >= MATES[sfen], (sfen, megabytes)
                assert result.plies == MATES[sfen] or result.length_is != "shortest", (sfen, megabytes)
            verdicts.append(result.verdict)
            (statistics,) = result.statistics.values()
            assert statistics["hits"] <= statistics["probes"] and statistics["used"] <= statistics["entries"]
            assert statistics["used"] + statistics["replacements"] <= statistics["stores"]
    assert verdicts.count("proven") > len(verdicts) // 4 and "disproven" in verdicts
