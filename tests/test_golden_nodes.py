"""Node counts of every bundled run over the sample of its goal: they change only when a search is meant to change.

A plugin that no bundled run has is swapped into the first of the runs `mate`, `hisshi-full` and `classical` that has
its role, and that composition has its counts as well. Runs of goal play answer with a move and a score.

To write new ones after such a change: ``python tests/test_golden_nodes.py``, and look at the difference.
"""

import json
from pathlib import Path

import pytest

from hisshi.core import Position, Registry, choose_move, solve
from hisshi.core.discovery import load_plugins
from hisshi.core.kernel.context import JIT
from hisshi.core.resources import bundled_registry

GOLDEN = Path(__file__).with_name("golden")
PROBLEMS = Path(__file__).parent.parent / "problems"
SAMPLES = {"mate": "mate-sample.tsv", "hisshi": "hisshi-sample.tsv"}  # by goal
TWO_KINGS = ("two-kings-006", "two-kings-022", "two-kings-034", "two-kings-039")  # where rules differ, but the first
GAMES = ("game-001-005", "game-013-054", "game-037-233")  # from game-positions.tsv
LIMIT = 20_000  # nodes; a run that needs more is unknown there, which is as golden as a mate
FEW = 60  # nodes; what the uncompiled leg can afford


def rows_of(file):
    head, *lines = (PROBLEMS / file).read_text(encoding="utf-8").splitlines()
    columns = head.lstrip("# ").split("\t")
    return [dict(zip(columns, line.split("\t"), strict=False)) for line in lines if line and line[0] != "#"]


def goal_of(name):
    return REGISTRY.runs[COMPOSITIONS[name][0]].goal


def problems(name):
    """Return id, position and length of each problem for the composition; no length where it depends on the rule.

    For a move to play there is a limit of nodes in the place of the length.
    """
    goal = goal_of(name)
    if goal == "play":
        known = {row["id"]: row["sfen"] for row in rows_of("game-positions.tsv")}
        return [(f"{game}, {nodes} nodes", known[game], nodes) for game in GAMES for nodes in (FEW, LIMIT)]
    found = [(row["id"], row["sfen"], int(row["plies"])) for row in rows_of(SAMPLES[goal])]
    if goal == "hisshi":
        found += [(row["id"], row["sfen"], None) for row in rows_of("hisshi-two-kings.tsv") if row["id"] in TWO_KINGS]
    return found


def bundled_runs():
    registry = Registry()
    bundled = bundled_registry()
    registry.add_text(bundled.read_text(encoding="utf-8"), "registry.toml", Path(str(bundled)).parent)
    return registry


REGISTRY = bundled_runs()


def parts_of(run):
    return {(instance.plugin.role, instance.plugin.name) for instance in run.instances}


def compositions():
    """Return every bundled run, and a run with each plugin that none of them has swapped in: overrides by name."""
    in_runs = set().union(*(parts_of(REGISTRY.compose(name)) for name in REGISTRY.runs))
    bundled = {(plugin.role, plugin.name) for plugin in load_plugins().plugins if plugin.distribution == "hisshi"}
    swapped = {}
    for role, name in sorted(bundled - in_runs):
        run = next(run for run in ("mate", "hisshi-full", "classical") if role in REGISTRY.find(run).parts)
        swapped[f"{run}.{role}.{name}"] = (run, {role: name})
    return {name: (name, {}) for name in REGISTRY.runs} | swapped


COMPOSITIONS = compositions()


def signature(name, at_most=None):
    """Return verdict, plies and nodes by problem; with the known ones in `at_most`, of those that take few nodes."""
    run = REGISTRY.compose(*COMPOSITIONS[name])
    answers = {}
    for problem, sfen, nodes in problems(name):
        if at_most is not None and at_most[problem][2] > FEW:
            continue
        if goal_of(name) == "play":
            chosen = choose_move(Position.from_sfen(sfen), run, node_limit=nodes)
            answers[problem] = [chosen.move, chosen.score, chosen.nodes]
        else:
            result = solve(Position.from_sfen(sfen), run, node_limit=LIMIT, confirm=False)
            answers[problem] = [result.verdict, result.plies, result.nodes]
    return answers


def golden(name):
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def test_no_bundled_run_or_plugin_lacks_its_node_counts_and_none_are_left_over():
    assert {file.stem for file in GOLDEN.glob("*.json")} == set(COMPOSITIONS)


@pytest.mark.parametrize("name", [name for name in COMPOSITIONS if name not in REGISTRY.runs])
def test_a_plugin_that_is_swapped_in_is_in_the_composition(name):
    run, overrides = COMPOSITIONS[name]
    assert set(overrides.items()) <= parts_of(REGISTRY.compose(run, overrides))


FEW_SMALL = ("hisshi-full-pn", "kfend-pn", "kfend-pn-dynamic")  # they enter many nodes, too many uncompiled


@pytest.mark.parametrize("name", COMPOSITIONS)
def test_verdicts_lengths_and_node_counts_are_the_known_ones(name):
    known = golden(name)
    assert known.keys() == {problem for problem, *_ in problems(name)}
    found = signature(name, None if JIT else known)
    assert found == {problem: known[problem] for problem in found}
    assert len(found) >= (1 if name in FEW_SMALL else 3)


@pytest.mark.parametrize("name", [name for name in COMPOSITIONS if goal_of(name) != "play"])
def test_known_lengths_are_those_that_the_sample_states(name):
    known = golden(name)
    exact = not any(inexact in name for inexact in ("count-budget", "pn"))
    for problem, _, plies in problems(name):
        verdict, length, _ = known[problem]
        if name.startswith("kfend"):  # prunes, and says so
            assert verdict in ("found", "unknown")
            continue
        if name == "hisshi-full-pn" and verdict == "unknown":  # goes down forced lines first, and runs out
            continue
        if plies is None:
            assert verdict in ("proven", "unknown")
            continue
        assert verdict == "proven" or ("count-budget" in name and verdict == "unknown")
        if "published" in name:  # useless interpositions left out
            assert length <= plies
        else:
            assert length is None or (length == plies if exact else length >= plies)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for each in COMPOSITIONS:
        rows = ",\n".join(f'  "{problem}": {json.dumps(answer)}' for problem, answer in signature(each).items())
        (GOLDEN / f"{each}.json").write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
