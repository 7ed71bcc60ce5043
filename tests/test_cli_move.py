"""``hisshi move`` from argument to exit status, with a search that answers at once instead of the real one."""

import io
import json
import re
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from rich.console import Console

import hisshi.core
import hisshi.core.errors
from hisshi.core.errors import Interrupted, RegistryError, SearchFailedError
from hisshi.core.results import MoveProgress, MoveResult
from hisshi.lab.cli import hisshi as cli
from hisshi.lab.move_outcome import MoveOutcome, describe_progress, move_json_line, score_text
from hisshi.lab.problem import Problem
from hisshi.lab.progress import LiveProgress

TAKES = "4k4/9/9/9/4r4/9/4L4/9/4K4 b - 1"
MATES = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
MATED = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"
BROKEN = "4k4/9/9/9/9/9/9/9/9 b L 1"
SLOW = "4k4/9/9/9/9/9/9/9/9 b S 1"


def result(run, sfen, **more):
    fields = {"move": None, "score": None, "moves": (), "depth": 4, "deepest": 9, "nodes": 1000, "seconds": 0.5}
    fields |= {"processor_seconds": 0.5, "compile_seconds": 0.0, "reason": "node limit", "provenance": {"numba": "0"}}
    return MoveResult(run=run.name, sfen=sfen, **fields | more)


def choose_move(position, run, *, node_limit, time_limit, on_progress):
    on_progress(MoveProgress(nodes=5, seconds=0.1))
    run.limits.append((node_limit, time_limit))
    line = {"move": "5g5e", "moves": ("5g5e", "5a4a")}
    if position == TAKES:
        return result(run, position, score=1035, allowing=("5i5h",), **line)
    if position == MATES:
        return result(run, position, move="G*5b", score=999_999, moves=("G*5b",))
    if position == MATED:
        return result(run, position, score=-1_000_000, reason="no legal move")
    if position == BROKEN:
        raise SearchFailedError("kernel 'captures' failed: IndexError")
    raise Interrupted(result(run, position, score=-250, reason="stopped", **line))


class Registry:
    composed: list[SimpleNamespace]

    @classmethod
    def load(cls, path=None):
        return cls()

    def compose(self, name, overrides):
        if name == "nothing":
            raise RegistryError("registry.toml: no run named 'nothing'; there are: abc")
        goal = name if name in ("mate", "hisshi") else "play"
        seconds = 3.5 if name == "cold" else 0.0
        run = SimpleNamespace(
            name=name,
            goal=goal,
            overrides=overrides,
            limits=[],
            warm=lambda on_compile: on_compile(1, 1, "x") or seconds,
        )
        type(self).composed.append(run)
        return run


@pytest.fixture(autouse=True)
def fake_core(monkeypatch):
    Registry.composed = []
    monkeypatch.setitem(vars(hisshi.core), "Registry", Registry)
    monkeypatch.setitem(vars(hisshi.core), "choose_move", choose_move)
    monkeypatch.setitem(vars(hisshi.core), "Position", SimpleNamespace(from_sfen=lambda sfen: sfen))


@pytest.fixture
def move(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*arguments, **more):
        return CliRunner().invoke(cli, ["move", *arguments], catch_exceptions=False, **more)

    return call


def rows(path="out.jsonl"):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("positions", "status"),
    [
        ([TAKES], 0),
        ([TAKES, MATES], 0),
        ([TAKES, MATED], 1),
        ([MATED, "nonsense"], 2),
        ([BROKEN, TAKES], 2),
        ([TAKES, SLOW, BROKEN], 130),
    ],
)
def test_exit_status_tells_moves_none_mistakes_and_stopped_apart(move, positions, status):
    assert move(*positions).exit_code == status


def test_the_table_has_move_score_depth_nodes_and_line(move, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")  # wide enough for all of them
    ran = move(TAKES, MATES, MATED)
    table = [re.split(r"\s*[│┃]\s*", line.strip("│┃ ")) for line in ran.stdout.splitlines() if line[0] in "│┃"]
    assert table[0] == ["position", "move", "score", "depth", "deepest", "nodes", "nodes/s", "seconds", "line"]
    assert table[1] == ["position 1", "5g5e", "+10.35", "4", "9", "1,000", "2,000", "0.50", "5g5e 5a4a"]
    assert table[2][1:3] == ["G*5b", "mate in 1"]
    assert table[3][2] == "mated" and table[3][-1] == "no legal move"
    assert "position 1: moves that allow a mate: 5i5h\n" in ran.stdout
    assert "3 positions: 3,000 nodes in 1.50 s; ended by: node limit, no legal move\n" in ran.stdout
    assert "[1/3] position 1: 5g5e, +10.35 (node limit), 1,000 nodes, 0.50 s\n" in ran.stderr


def test_the_line_of_a_single_position_is_printed_whole(move):
    assert "\nline: 5g5e 5a4a\n" in move(TAKES).stdout
    assert "\nline: " not in move(TAKES, MATES).stdout


def test_ctrl_c_prints_the_best_move_so_far_and_ends(move):
    ran = move(SLOW, TAKES, "--json", "out.jsonl")
    assert ran.exit_code == 130
    assert "5g5e │ -2.50" in re.sub(r" +", " ", ran.stdout)
    assert "stopped; 1 position: " in ran.stdout
    assert [(row["move"], row["reason"]) for row in rows()] == [("5g5e", "stopped")]


@pytest.mark.parametrize(
    ("arguments", "limits"),
    [
        ([], (None, 5.0)),
        (["--time", "0.5"], (None, 0.5)),
        (["--nodes", "100"], (100, None)),
        (["--nodes", "100", "--time", "2"], (100, 2.0)),
        (["--time", "inf"], (None, None)),
    ],
)
def test_without_a_limit_a_search_takes_five_seconds(move, arguments, limits):
    assert move(TAKES, MATES, *arguments).exit_code == 0
    (run,) = Registry.composed
    assert run.name == "abc" and run.limits == [limits] * 2  # each position has the limits for itself


def test_run_and_options_are_passed_on(move):
    assert move(TAKES, "--run", "classical", "--set", "width=5").exit_code == 0
    assert (Registry.composed[0].name, Registry.composed[0].overrides) == ("classical", {"width": "5"})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--run", "mate"], "run 'mate' looks for a mate, not for a move to play; use 'hisshi solve'"),
        (["--run", "hisshi"], "run 'hisshi' looks for a hisshi, not for a move to play; use 'hisshi solve'"),
        (["--run", "nothing"], "no run named 'nothing'"),
        (["--json", "no/such/folder.jsonl"], "cannot be written"),
    ],
)
def test_a_mistake_is_one_line_of_error(move, arguments, says):
    ran = move(TAKES, *arguments)
    assert ran.exit_code == 2 and ran.stderr.startswith("error: ") and ran.stderr.count("\n") == 1
    assert says in ran.stderr and ran.stdout == ""


@pytest.mark.parametrize(("option", "value"), [("--time", "0"), ("--time", "nan"), ("--nodes", "0"), ("--set", "x")])
def test_a_value_out_of_range_is_refused(move, option, value):
    assert move(TAKES, option, value).exit_code == 2


def test_solve_says_that_a_run_of_goal_play_is_for_move(move):
    ran = CliRunner().invoke(cli, ["solve", MATES, "--run", "abc"], catch_exceptions=False)
    assert ran.exit_code == 2 and ran.stderr.count("\n") == 1
    assert ran.stderr.startswith("error: run 'abc' looks for a move to play and gives no verdict; use 'hisshi move'")


def test_positions_are_read_from_files_and_standard_input(move):
    Path("mine.tsv").write_text(f"id\tsfen\nfirst\t{TAKES}\nbad\tnonsense\n", encoding="utf-8")
    assert move("mine.tsv", "-", "--json", "out.jsonl", input=f"{MATES}\n").exit_code == 2
    first, bad, last = rows()
    assert (first["id"], first["file"], first["line"], first["move"]) == ("first", "mine.tsv", 2, "5g5e")
    assert bad["move"] is None and bad["error"].startswith("mine.tsv, line 3: ")
    assert (last["sfen"], last["mate_in"]) == (MATES, 1)


def test_json_on_standard_output_leaves_the_table_to_standard_error(move):
    ran = move(TAKES, "--json", "-", "--run", "cold")
    row = json.loads(ran.stdout)
    assert (row["score"], row["allowing"], row["compile_seconds"]) == (1035, ["5i5h"], 3.5)
    assert "+10.35" in ran.stderr and "3.5 s of compilation" in ran.stderr


def test_every_key_of_a_json_line_is_documented_in_order():
    written = list(json.loads(move_json_line(MoveOutcome("id", None, "abc", profile={}))))
    text = (Path(__file__).parent.parent / "docs" / "json.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text.partition("## Moves")[2], re.M) == written


@pytest.mark.parametrize(
    ("score", "mate", "hisshi", "says"),
    [
        (135, None, None, "+1.35"),
        (-5, None, None, "-0.05"),
        (0, None, None, "0.00"),
        (999_995, 5, None, "mate in 5"),
        (-999_996, -4, None, "mated in 4"),
        (-1_000_000, 0, None, "mated"),
        (900_997, None, 3, "hisshi in 3"),
        (None, None, None, ""),
    ],
)
def test_scores_are_pawns_or_what_they_announce(score, mate, hisshi, says):
    assert score_text(score, mate, hisshi) == says


def test_the_live_display_tells_iteration_score_line_nodes_and_rate():
    line = ("7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "6i7h")
    state = describe_progress(MoveProgress(2_000_000, 2.0, depth=7, deepest=20, score=-120, moves=line))
    assert state == "8:  -1.20  7g7f 3c3d 2g2f 8c8d 2f2e 8d8e …  2,000,000 nodes, 1,000 k/s"
    console = Console(file=io.StringIO(), width=160, force_terminal=True, color_system=None)
    with LiveProgress(console, 1) as display:
        display.started(1, Problem("x", "sfen"))
        display.show(1, state)
        deadline = time.monotonic() + 10
        while "-1.20  7g7f" not in console.file.getvalue() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert "-1.20  7g7f" in console.file.getvalue()
