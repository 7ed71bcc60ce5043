"""Benchmarks and experiments start, and do their work on two problems: they are run seldom, and must not rot."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hisshi.core.kernel.table import DISPROVEN, PROVEN

TOP = Path(__file__).resolve().parent.parent
SCRIPTS = sorted(TOP.glob("benchmarks/*.py")) + sorted(TOP.glob("experiments/*.py"))
PROGRAMS = [script for script in SCRIPTS if "argparse" in script.read_text(encoding="utf-8")]
TWO = ["# id\tsfen\tplies", "one\t5gsnk/5ppp1/9/9/9/9/9/9/9 b 2G 1\t-", "two\t4k4/9/4P4/9/9/9/9/9/9 b 2G 1\t1"]
MATE = "2B2l3/5lg2/5p1n1/6k1g/5P2+B/5Sg1N/6N+l1/9/9 b G2r3snl16p 1"
ENDLESS = "zukou-008"  # tens of millions of nodes

compiled = pytest.mark.compiled


def run(script, *arguments, status=0):
    ran = subprocess.run(
        [sys.executable, TOP / script, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert ran.returncode in ({status} if isinstance(status, int) else status), ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


@pytest.fixture
def two(tmp_path):
    file = tmp_path / "two.tsv"
    file.write_text("\n".join(TWO) + "\n", encoding="utf-8")
    return file


@pytest.fixture
def facts(monkeypatch):
    monkeypatch.syspath_prepend(str(TOP / "experiments"))
    yield importlib.import_module("facts")
    for name in ("facts", "oracles"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("script", PROGRAMS, ids=lambda script: script.stem)
def test_a_script_says_what_it_does_and_which_options_it_has(script):
    assert "--help" in run(script, "--help")


def test_docs_name_every_script():
    text = (TOP / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert [script for script in PROGRAMS if f"python {script.relative_to(TOP).as_posix()}" not in text] == []


@compiled
def test_mates_are_timed_beside_cshogi(two):
    pytest.importorskip("cshogi")
    printed = run("benchmarks/mate.py", two, "mate-sample", "--first", 1, "--rounds", 1, status=(0, 1))
    assert "| two | 1 | 1 | 1 |" in printed and "total time, hisshi / cshogi" in printed


@compiled
@pytest.mark.slow
def test_the_conformance_kit_is_timed_with_one_process_and_with_two():
    printed = run("benchmarks/conformance.py", "--rounds", 1, "--plugin", "modified")
    assert "| wall time |" in printed and "| processor time of all processes |" in printed


@compiled
def test_a_kit_that_fails_is_not_timed():
    printed = run("benchmarks/conformance.py", "--plugin", "no-such-plugin", status=1)
    assert "no plugin named 'no-such-plugin'" in printed and "nothing was measured" in printed


@compiled
def test_classics_go_on_where_a_results_file_ends(two, tmp_path):
    common = [two, "--megabytes", 1, "--seconds", 5, "--results", tmp_path / "results.tsv"]
    run("benchmarks/classics.py", *common, "--only", "two")
    before = (tmp_path / "results.tsv").read_text()
    assert "two\tproven\t1\t1" in before
    run("benchmarks/classics.py", *common, status=(0, 1))
    after = (tmp_path / "results.tsv").read_text()
    assert after.startswith(before) and len(after.splitlines()) == 3
    other = run("benchmarks/classics.py", *common, "--set", "epsilon=0.5", status=1)
    assert "other settings" in other and "Traceback" not in other


@compiled
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.tsv"], "neither a file nor a bundled set"),
        (["--only", "zukou-999"], "no problem is called zukou-999"),
        (["--set", "epsilom=1"], "did you mean"),
        (["--set", "epsilon"], "expected OPTION=VALUE"),
    ],
)
def test_a_mistake_is_told_in_a_line(arguments, told):
    printed = run("benchmarks/classics.py", *arguments, status=1)
    assert told in printed and "Traceback" not in printed


@compiled
def test_every_option_of_a_search_is_switched(two):
    printed = run("benchmarks/ablation.py", two, "--nodes", 500, "--megabytes", 1, "--run", "mate-pn-multi-id")
    for setting in ("as registered", "static = true", "iterate = defender", "iterate = both", "mate_in_one = false"):
        assert setting in printed, setting


@compiled
def test_a_part_is_swapped(two):
    printed = run(
        "benchmarks/ablation.py", two, "--megabytes", 1, "--run", "mate", "--swap", "move_order=hisshi,generated"
    )
    assert "| `move_order = hisshi` | 2 |" in printed and "| `move_order = generated` | 2 |" in printed
    assert "look_ahead" not in printed and "mate_in_one" not in printed


@compiled
def test_a_search_without_end_is_watched_and_stopped():
    printed = run("benchmarks/endurance.py", ENDLESS, "--minutes", 0.1, "--megabytes", 1, status=(0, 1))
    assert "verdict unknown (stopped)" in printed and "exit status 130" in printed


@compiled
def test_an_end_is_not_taken_for_endurance():
    assert "ended by itself" in run("benchmarks/endurance.py", MATE, "--minutes", 1, "--megabytes", 1, status=2)


@compiled
def test_bundled_runs_do_not_contradict_each_other_on_a_few_positions(two):
    arguments = ["--minutes", 0.02, "--positions", 4, "--brute-force", 2, "--most", 1, "--runs", "mate,mate-df-pn"]
    arguments += ["--megabytes", "0.0625,1"]
    printed = run("experiments/verdicts.py", two, *arguments)
    assert "contradictions: 0" in printed and "| mate-df-pn |" in printed


@compiled
def test_what_a_hisshi_search_claims_is_confirmed_and_counted(two):
    few = ["--most", 1, "--positions", 2, "--changed", 2, "--nodes", 20_000]
    printed = run("experiments/confirmation.py", two, *few)
    assert "| hisshi-sample | 1 | 0 | 1 | 1 | 0 |" in printed and "| two |" in printed
    assert "no hisshi search" in run("experiments/confirmation.py", "--run", "mate", *few, status=1)


def test_what_cannot_all_be_true_is_a_contradiction(facts):
    def place(*answers, **known):
        where, all_facts = facts.Place("id", "sfen", "group", **known), facts.Facts()
        for answer in answers:
            all_facts.add(where, answer)
        all_facts.compare(where)
        return [text for _, text in all_facts.contradictions], [text for _, text in all_facts.open]

    proven_5, exact_7 = facts.Answer("a", PROVEN, 5), facts.Answer("b", PROVEN, 7, True)
    no_mate = facts.Answer("c", DISPROVEN)
    unknown = facts.Answer("d", 0)
    assert place(proven_5, facts.Answer("e", PROVEN, 9), unknown) == ([], [])
    assert "proven and disproven" in place(proven_5, no_mate)[0][0]
    assert "less than the shortest" in place(proven_5, exact_7)[0][0]
    assert "less than the shortest" in place(exact_7, proven_5)[0][0]
    assert "two shortest lengths" in place(exact_7, facts.Answer("e", PROVEN, 9, True))[0][0]
    assert "no length of a mate" in place(facts.Answer("e", PROVEN, 4))[0][0]
    assert "known to be a mate" in place(no_mate, shortest=3)[0][0]
    assert "shortest is known to be 7" in place(proven_5, shortest=7)[0][0]
    assert "its source claims 7" in place(proven_5, claimed=7)[1][0]
    force = [facts.Claim("brute force", 3, True)]
    assert "against brute force" in place(no_mate, claims=force)[0][0]
    assert "against brute force" in place(facts.Answer("e", PROVEN, 1), claims=force)[0][0]
    assert place(proven_5, claims=force) == ([], [])
    assert (
        "against brute force"
        in place(facts.Answer("e", PROVEN, 3), claims=[facts.Claim("brute force", 3, False)])[0][0]
    )
    theirs = [facts.Claim("cshogi", 5, True)]
    assert place(no_mate, claims=theirs)[0] == [] and "cshogi" in place(no_mate, claims=theirs)[1][0]
    assert place(proven_5, claims=[facts.Claim("cshogi", 5, False)])[1] != []


def test_brute_force_finds_the_shortest_mate_or_says_that_there_is_none(facts):
    oracles = importlib.import_module("oracles")
    assert oracles.brute_force("4k4/9/4P4/9/9/9/9/9/9 b G 1", 3, 400) == facts.Claim("brute force", 1, True)
    assert oracles.brute_force("4k4/9/9/9/9/9/9/9/9 b G 1", 3, 400) == facts.Claim("brute force", 3, False)
    assert oracles.brute_force("4k4/9/9/9/9/9/9/9/9 b G 1", 3, 1) is None


@compiled
def test_hisshi_runs_are_timed_side_by_side():
    printed = run("benchmarks/hisshi_speed.py", "hisshi-sample", "--run", "kfend", "--run", "kfend-pn", "--rounds", 1)
    assert printed.count("| 20 of 20 |") == 2


@compiled
def test_hisshi_runs_are_compared_by_length_and_problem():
    one = "`kfend max_plies=1`"
    runs = ["--run", "kfend", "--run", one.strip("`"), "--rounds", 1]
    printed = run("benchmarks/hisshi_speed.py", "hisshi-sample", *runs, "--by-length", "--each")
    lines = [line.strip("| ").split(" | ") for line in printed.splitlines() if line.startswith("|")]
    each = [cells for cells in lines if cells[2] == one]
    threes = [cells[3] for cells in each if cells[1] == "3"]
    found = len(each) - threes.count("-")
    assert len(each) == 20 and threes.count("-") > 0
    counted = {cells[0]: cells[2] for cells in lines if cells[1] == one}
    assert counted["3"] == f"{len(threes) - threes.count('-')} of {len(threes)}"
    assert counted["all"] == f"{found} of 20"
    assert all((cells[5] == "-") == (cells[3] == "-") for cells in each)  # what both solve is compared


@compiled
def test_a_mistake_in_a_hisshi_run_is_told_in_a_line():
    for mistake, told in (("kfend max_plies", "OPTION=VALUE"), ("kfent", "did you mean"), ("", "no run named")):
        printed = run("benchmarks/hisshi_speed.py", "hisshi-sample", "--run", mistake, status=1)
        assert told in printed and "Traceback" not in printed


@compiled
def test_the_check_that_defends_is_named(tmp_path):
    rows = ["# id\tsfen\tplies (weak rule)\tstrong plies", "one\t5+B1nl/7k1/6pp1/8p/9/9/9/9/8K b Sr 1\t1\t-"]
    table = tmp_path / "kings.tsv"
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    printed = run("experiments/two_kings.py", table)
    assert "0 rows are not as listed" in printed and "0 without a check that is named" in printed


@compiled
def test_a_pruning_hisshi_search_is_held_against_the_full_width_one():
    printed = run("experiments/agreement.py", "--proofs", 8, "--nodes", 100_000)
    assert "8 proofs" in printed and "no contradiction" in printed


@compiled
def test_a_table_is_held_against_the_full_width_search_and_an_oracle(tmp_path):
    oracle = tmp_path / "oracle.py"
    oracle.write_text(
        "import sys\n"
        "for row in open(sys.argv[2]):\n"
        "    name, sfen, plies = row.split('\\t')\n"
        "    print(name, '1 G*2b', 'calls 1 open 0 0.1 s', sep='\\t')\n",
        encoding="utf-8",
    )
    strictly = ["--run", "hisshi-full", "--rule", "strong", "--useless-delays", "off", "--oracle", oracle]
    printed = run("experiments/agreement.py", "--problems", "hisshi-sample", *strictly, status=1)
    for counted in ("20 proofs", "20 of a listed hisshi: as long", "20 full-width: as long", "oracle: shorter"):
        assert counted in printed
    assert "shortest in 3 plies, oracle has 1" in printed


@compiled
def test_a_full_width_search_that_does_not_look_so_far_contradicts_nothing():
    printed = run("experiments/agreement.py", "--problems", "hisshi-sample", "--run", "kfend-pn", "--plies", 1)
    assert "full-width: open" in printed and "no contradiction" in printed


def test_an_oracle_counts_strictly():
    assert "--useless-delays off" in run("experiments/agreement.py", "--oracle", "none.py", status=2)
