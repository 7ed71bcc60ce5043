"""The command line with the real searches, as separate processes: what people will see."""

import json
import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec

import pytest
from kernel_calls import problem_rows

from hisshi.core.checker import check_line_of_proof

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(find_spec("hisshi.core.solving") is None, reason="needs hisshi.core's search"),
]

MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
MATED = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"
NO_MATE = "4k4/9/9/9/9/9/9/9/9 b P 1"
# Microcosmos has 1,525 plies: nothing here solves it while a test waits.
LONG = "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1"
HISSHI = [sys.executable, "-c", "from hisshi.lab.cli import main; main()"]


def hisshi(*arguments, cwd, **more):
    return subprocess.run([*HISSHI, *arguments], cwd=cwd, capture_output=True, text=True, check=False, **more)


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    ran = hisshi("solve", "mate-sample", "--json", "out.jsonl", "--proof", cwd=folder)
    return folder, ran


def test_the_bundled_sample_is_solved_with_its_listed_lengths(sample):
    folder, ran = sample
    assert ran.returncode == 0, ran.stderr
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert rows
    for row in rows:
        assert row["verdict"] == "proven"
        assert row["plies"] == len(row["moves"]) <= row["expected_plies"]


def test_the_independent_checker_confirms_every_proof(sample):
    folder, _ = sample
    ran = hisshi("verify", "out.jsonl", cwd=folder)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count(": ok, mate in") == len((folder / "out.jsonl").read_text().splitlines())


def test_a_long_proof_is_written_and_verified_node_by_node(tmp_path):
    sfen = next(row["sfen"] for row in problem_rows("tsume-classic.tsv") if row["id"] == "zukou-097")
    options = ("--run", "mate-df-pn", "--nodes", "300000", "--json", "out.jsonl", "--proof")
    assert hisshi("solve", sfen, *options, cwd=tmp_path).returncode == 0
    text = (tmp_path / "out.jsonl").read_text()
    ran = hisshi("verify", "out.jsonl", cwd=tmp_path)
    assert ran.returncode == 0 and "ok, mate in" in ran.stdout, ran.stdout + ran.stderr
    assert text.count('"same_as": ') >= text.count('"id": ') - 1 > 0  # one is the problem's
    row = json.loads(text)
    assert text.count('"move": ') < len(nodes_in_full(row["proof"]))
    assert check_line_of_proof(row["moves"], row["proof"]) == ""


def nodes_in_full(proof):
    """Return the nodes of a proof, each as often as it occurs in the whole tree."""
    nodes, numbered, waiting = [], {}, [proof]
    while waiting:
        node = waiting.pop()
        node = numbered[node["same_as"]] if "same_as" in node else node
        if "id" in node:
            numbered[node["id"]] = node
        nodes.append(node)
        waiting += reversed(node["replies"].values())
    return nodes


def test_several_workers_find_the_same_in_the_same_order(sample):
    folder, _ = sample
    ran = hisshi("solve", "mate-sample", "--jobs", "2", "--json", "two.jsonl", cwd=folder)
    assert ran.returncode == 0, ran.stderr

    def answers(name):
        rows = map(json.loads, (folder / name).read_text().splitlines())
        return [(row["id"], row["verdict"], row["plies"], row["moves"], row["nodes"]) for row in rows]

    assert answers("two.jsonl") == answers("out.jsonl")


def test_a_node_limit_ends_in_unknown_with_its_reason(tmp_path):
    ran = hisshi("solve", LONG, "--nodes", "1000", "--json", "-", cwd=tmp_path)
    assert ran.returncode == 1, ran.stderr
    row = json.loads(ran.stdout)
    assert (row["verdict"], row["reason"]) == ("unknown", "node limit")


def test_a_time_limit_is_kept(tmp_path):
    ran = hisshi("solve", LONG, "--time", "0.3", "--json", "-", cwd=tmp_path)
    row = json.loads(ran.stdout)
    assert (row["verdict"], row["reason"]) == ("unknown", "time limit")
    assert row["seconds"] < 1.0


@pytest.mark.timing
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_during_a_search_stops_within_half_a_second_and_keeps_the_rest(tmp_path, jobs):
    process = subprocess.Popen(
        [*HISSHI, "solve", MATE_IN_ONE, LONG, "--jobs", jobs, "--json", "out.jsonl"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    lines = ""
    while "[1/2]" not in lines:  # the first is done, the second under way
        line = process.stderr.readline()
        assert line, lines
        lines += line
    time.sleep(0.5)
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    assert time.monotonic() - start < 0.5 + 0.3  # the interpreter's own end takes a moment, too
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    verdicts = [json.loads(line)["verdict"] for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert verdicts == ["proven", "unknown"]
    assert "stopped; 2 problems" in output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--run", "no-such-run"], "no-such-run"),
        (["--set", "no_such_option=1"], "no_such_option"),
        (["--registry", "missing.toml"], "missing.toml"),
    ],
)
def test_a_mistake_in_the_run_is_one_line(tmp_path, arguments, says):
    ran = hisshi("solve", MATE_IN_ONE, *arguments, cwd=tmp_path)
    assert ran.returncode == 2
    assert ran.stderr.startswith("error: ")
    assert says in ran.stderr
    assert "Traceback" not in ran.stderr


def test_perft_of_the_start_position_is_known(tmp_path):
    ran = hisshi("perft", "startpos", "--depth", "3", cwd=tmp_path)
    assert ran.stdout.splitlines()[-1] == "total: 25470"
    assert len(ran.stdout.splitlines()) == 31


def test_runs_and_plugins_are_listed(tmp_path):
    assert "mate" in hisshi("runs", cwd=tmp_path).stdout
    assert "search" in hisshi("plugins", cwd=tmp_path).stdout
    assert hisshi("plugins", "search", cwd=tmp_path).returncode == 0


def test_no_mate_is_disproven_and_counts_as_solved(tmp_path):
    ran = hisshi("solve", NO_MATE, "--json", "-", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["verdict"] == "disproven"


def test_move_tells_a_move_its_score_and_its_line(tmp_path):
    hanging_rook = "4k4/9/9/9/4r4/9/4L4/9/4K4 b - 1"
    ran = hisshi("move", hanging_rook, MATE_IN_ONE, "--nodes", "3000", "--json", "out.jsonl", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    rook, mate = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert (rook["move"], rook["moves"][0], rook["reason"]) == ("5g5e", "5g5e", "node limit") and rook["score"] > 500
    assert (mate["move"], mate["mate_in"]) == ("G*5b", 1)
    assert "5g5e" in ran.stdout and "mate in 1" in ran.stdout


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_ctrl_c_prints_the_best_move_so_far(tmp_path):
    process = subprocess.Popen(
        [*HISSHI, "move", MATED, "startpos", "--time", "1000", "--json", "out.jsonl"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    lines = ""
    while "[1/2]" not in lines:
        line = process.stderr.readline()
        assert line, lines
        lines += line
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors and "stopped; 2 positions" in output
    row = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[1])
    assert row["move"] is not None and row["reason"] == "stopped"
