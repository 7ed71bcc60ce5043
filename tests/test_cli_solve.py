"""``hisshi solve`` from argument to exit status, with a search that answers at once instead of the real one."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

import hisshi.core
import hisshi.core.errors
from hisshi.core.errors import InvalidPositionError, RegistryError, SearchFailedError
from hisshi.core.solution_tree import TREE_DEPTH
from hisshi.lab.cli import hisshi as cli
from hisshi.lab.commands.solve import command
from hisshi.lab.session import Settings

MATE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
NO_MATE = "4k4/9/9/9/9/9/9/9/9 b G 1"
UNKNOWN = "4k4/9/9/9/9/9/9/9/9 b P 1"
BROKEN = "4k4/9/9/9/9/9/9/9/9 b L 1"
NO_KING = "9/9/9/9/9/9/9/9/9 b L 1"
SLOW = "4k4/9/9/9/9/9/9/9/9 b S 1"

KEYS = ["id", "sfen", "run", "verdict", "plies", "length_is", "moves", "nodes", "seconds", "compile_seconds", "reason"]
KEYS += ["error", "expected_plies", "file", "line", "statistics", "provenance"]


class Interrupted(KeyboardInterrupt):
    def __init__(self, result):
        super().__init__("stopped")
        self.result = result


def result(run, sfen, verdict, **more):
    fields = {
        "run": run.name,
        "sfen": sfen,
        "verdict": verdict,
        "plies": None,
        "length_is": None,
        "moves": (),
        "nodes": 7,
        "seconds": 0.25,
        "compile_seconds": 0.0,
        "reason": "",
        "proof": None,
        "tree": None,
        "tree_report": None,
        "verified": None,
        "verification": None,
        "statistics": {},
        "score": None,
        "confirmation": None,
        "first_moves": None,
        "profile": None,
        "provenance": {"numba": "0"},
    }
    return SimpleNamespace(**fields | more)


def search(position, run, *, node_limit, time_limit, on_progress, want_proof, **more):
    want_tree, tree_depth = more["want_tree"], more["tree_depth"]
    on_progress(SimpleNamespace(nodes=5, seconds=0.1, iteration=1))
    run.limits.append((node_limit, time_limit))
    run.confirms.append(more["confirm"])
    if position == MATE:
        node = {"move": "G*5b", "replies": {}}
        found = {"proof": node if want_proof else None, "tree": node if want_tree else None}
        report = {"complete": tree_depth < 7, "removed": 3, "seconds": [0.5, 0.25]} if want_tree else None
        if more["verify_against_countermate"]:
            found |= {"verified": False, "verification": {"line": ["G*5b", "5a5b"], "undecided": 0}}
        found |= {"tree_report": report, "plies": 1, "length_is": "shortest", "moves": ("G*5b",)}
        return result(run, position, "proven", **found)
    if position == NO_MATE:
        return result(run, position, "disproven")
    if position == BROKEN:
        raise SearchFailedError("kernel 'checks' failed: IndexError")
    if position == NO_KING:
        raise InvalidPositionError("the defender has no king")
    if position == SLOW:
        raise Interrupted(result(run, position, "unknown", reason="stopped"))
    return result(run, position, "unknown", reason="node limit")


class Registry:
    composed: list[SimpleNamespace]

    @classmethod
    def load(cls, path=None):
        if path == "missing.toml":
            raise RegistryError("missing.toml: no such file")
        return cls()

    def compose(self, name, overrides):
        if name == "nothing":
            raise RegistryError("registry.toml: no run named 'nothing'; there are: mate")
        seconds = 3.5 if name == "cold" else 0.0
        run = SimpleNamespace(
            name=name,
            goal="mate",
            overrides=overrides,
            limits=[],
            confirms=[],
            warm=lambda on_compile: on_compile(1, 1, "x") or seconds,
        )
        type(self).composed.append(run)
        return run


@pytest.fixture(autouse=True)
def fake_core(monkeypatch):
    Registry.composed = []
    monkeypatch.setitem(vars(hisshi.core), "Registry", Registry)
    monkeypatch.setitem(vars(hisshi.core), "solve", search)
    monkeypatch.setitem(vars(hisshi.core), "Position", SimpleNamespace(from_sfen=lambda sfen: sfen))
    monkeypatch.setattr(hisshi.core.errors, "Interrupted", Interrupted, raising=False)


@pytest.fixture
def solve(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*arguments, **more):
        return CliRunner().invoke(cli, ["solve", *arguments], catch_exceptions=False, **more)

    return call


def rows(path="out.jsonl"):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("positions", "status"),
    [
        ([MATE], 0),
        ([NO_MATE], 0),
        ([MATE, NO_MATE], 0),
        ([MATE, UNKNOWN], 1),
        ([MATE, "nonsense"], 2),
        ([UNKNOWN, "nonsense"], 2),
        ([BROKEN, MATE], 2),
        ([NO_KING], 2),
        ([MATE, SLOW, UNKNOWN], 130),
    ],
)
def test_exit_status_tells_solved_unsolved_in_error_and_stopped_apart(solve, positions, status):
    assert solve(*positions).exit_code == status


def test_table_is_on_standard_output_and_progress_on_standard_error(solve):
    ran = solve(MATE, UNKNOWN)
    assert "[1/2] position 1: proven in 1 ply, 7 nodes, 0.25 s" in ran.stderr
    assert "position 1 │ proven" in ran.stdout
    assert "2 problems: 1 proven, 1 unknown; 14 nodes in 0.50 s" in ran.stdout
    assert "node limit" in ran.stdout


def test_every_problem_has_one_json_line_with_the_documented_keys(solve):
    solve(MATE, UNKNOWN, "nonsense", "--json", "out.jsonl", "--run", "fast")
    found = rows()
    assert [list(row) for row in found] == [KEYS] * 3
    assert found[0]["moves"] == ["G*5b"]
    assert [row["verdict"] for row in found] == ["proven", "unknown", None]
    assert [row["run"] for row in found] == ["fast"] * 3
    assert found[1]["reason"] == "node limit"
    assert "nonsense" in found[2]["error"]
    assert found[2]["sfen"] is None


def test_documentation_names_every_json_key():
    text = (Path(__file__).parent.parent / "docs" / "json.md").read_text(encoding="utf-8")
    for key in [*KEYS, "verified", "verification", "tree_report", "tree", "proof"]:
        assert f"| `{key}` |" in text


def test_a_solution_tree_is_printed_for_a_single_problem(solve):
    said = "1. G*5b\nshorter variations taken out: 3; 0.50 s and 0.25 s; the tree is not complete"
    assert said in solve(MATE, "--tree").stdout
    assert "not complete" not in solve(MATE, "--tree", "--tree-depth", "4").stdout
    assert "shorter variations" not in solve(MATE).stdout + solve(UNKNOWN, "--tree").stdout


def test_solution_trees_of_several_problems_need_a_file(solve):
    ran = solve(MATE, MATE, "--tree")
    assert ran.exit_code == 2 and "--tree needs --json FILE, unless there is a single problem" in ran.stderr
    ran = solve(MATE, UNKNOWN, "--tree", "--json", "out.jsonl")
    assert ran.exit_code == 1 and "shorter variations" not in ran.stdout
    assert [row["tree"] for row in rows()] == [{"move": "G*5b", "replies": {}}, None]
    assert [row["tree_report"] and row["tree_report"]["removed"] for row in rows()] == [3, None]
    assert list(rows()[0]) == [*KEYS, "tree_report", "tree"]


def test_what_came_of_a_verification_is_told_and_written(solve):
    ran = solve(MATE, UNKNOWN, "--verify-against-countermate", "--json", "out.jsonl")
    assert "position 1: the attacker is mated himself: G*5b 5a5b\n" in ran.stdout and "position 2:" not in ran.stdout
    assert list(rows()[0]) == [*KEYS, "verified", "verification"]
    assert [row["verified"] for row in rows()] == [False, None] and rows()[1]["verification"] is None
    assert ran.exit_code == 1  # of the unknown one: the verdict stays what it is
    assert solve(MATE, "--verify-against-countermate").exit_code == 0
    assert "mated himself" not in solve(MATE).stdout


def test_the_command_line_and_python_have_the_same_depth_of_trees():
    assert Settings("mate").tree_depth == TREE_DEPTH
    assert next(option.default for option in command.params if option.name == "tree_depth") == TREE_DEPTH


def test_compilation_is_counted_apart_and_with_the_first_problem(solve):
    ran = solve(MATE, MATE, "--json", "out.jsonl", "--run", "cold")
    assert [row["compile_seconds"] for row in rows()] == [3.5, 0.0]
    assert "14 nodes in 0.50 s (and 3.5 s of compilation)" in ran.stdout


def test_proofs_are_written_only_when_asked_for(solve):
    solve(MATE, "--json", "out.jsonl", "--proof")
    assert rows()[0]["proof"] == {"move": "G*5b", "replies": {}}
    assert solve(MATE, "--proof").exit_code == 2


def test_json_on_standard_output_sends_everything_else_to_standard_error(solve):
    ran = solve(MATE, "--json", "-")
    assert json.loads(ran.stdout)["verdict"] == "proven"
    assert "1 problem: 1 proven" in ran.stderr


def test_a_mistake_is_one_line_without_a_traceback(solve):
    ran = solve(MATE, "--run", "nothing")
    assert ran.exit_code == 2
    assert ran.stderr == "error: registry.toml: no run named 'nothing'; there are: mate\n"
    assert ran.stdout == ""
    assert solve(MATE, "--registry", "missing.toml").stderr == "error: missing.toml: no such file\n"


def test_earlier_results_survive_a_mistyped_run(solve, tmp_path):
    (tmp_path / "out.jsonl").write_text("precious\n")
    solve(MATE, "--json", "out.jsonl", "--run", "nothing")
    assert (tmp_path / "out.jsonl").read_text() == "precious\n"
    solve(MATE, "--json", "out.jsonl")
    assert len(rows()) == 1


@pytest.mark.parametrize("target", ["no/such/folder/out.jsonl", ".", "bad\0name"])
def test_results_that_cannot_be_written_are_refused_before_any_search(solve, target):
    ran = solve(MATE, "--json", target)
    assert ran.exit_code == 2
    assert "cannot be written" in ran.stderr
    assert not Registry.composed


def test_results_never_overwrite_their_problems(solve, tmp_path):
    (tmp_path / "mine.sfen").write_text(MATE)
    ran = solve("mine.sfen", "--json", "mine.sfen")
    assert ran.exit_code == 2
    assert (tmp_path / "mine.sfen").read_text() == MATE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_disk_that_fills_up_is_an_error_and_the_work_so_far_is_shown(solve):
    ran = solve(MATE, "--json", "/dev/full")
    assert ran.exit_code == 2
    assert "No space left on device" in ran.stderr
    assert "Traceback" not in ran.output


def test_a_hisshi_is_confirmed_unless_told_otherwise(solve):
    solve(UNKNOWN)
    solve(UNKNOWN, "--no-confirm")
    assert [run.confirms for run in Registry.composed] == [[True], [False]]


def test_limits_and_options_reach_the_search(solve):
    solve(MATE, "--nodes", "1000", "--time", "2.5", "--set", "stop.max_plies=9", "--set", "table.megabytes = 64")
    (run,) = Registry.composed
    assert run.limits == [(1000, 2.5)]
    assert run.overrides == {"stop.max_plies": "9", "table.megabytes": "64"}


def test_shortest_is_a_key_of_the_run(solve):
    solve(MATE, "--shortest", "--set", "max_plies=9")
    (run,) = Registry.composed
    assert run.overrides == {"max_plies": "9", "shortest": "true"}
    ran = solve(MATE, "--shortest", "--set", "shortest=false")
    assert ran.exit_code == 2 and "say the same thing" in ran.stderr


def test_no_limit_is_the_default_and_can_be_said(solve):
    solve(MATE)
    solve(MATE, "--time", "inf")
    assert [run.limits for run in Registry.composed] == [[(None, None)]] * 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["--nodes", "0"],
        ["--nodes", "1.5"],
        ["--time", "0"],
        ["--time", "nan"],
        ["--time", "-1"],
        ["--jobs", "0"],
        ["--set", "nine"],
        ["--set", "=9"],
        ["--set", "a=1", "--set", "a=2"],
    ],
)
def test_a_limit_or_option_that_makes_no_sense_is_refused(solve, arguments):
    ran = solve(MATE, *arguments)
    assert ran.exit_code == 2
    assert not Registry.composed


def test_ctrl_c_keeps_what_was_done(solve):
    ran = solve(MATE, SLOW, UNKNOWN, "--json", "out.jsonl")
    assert ran.exit_code == 130
    assert [row["verdict"] for row in rows()] == ["proven", "unknown"]
    assert rows()[1]["reason"] == "stopped"
    assert "stopped; 2 problems: 1 proven, 1 unknown" in ran.stdout


def test_a_length_that_differs_from_the_listed_one_is_counted(solve, tmp_path):
    (tmp_path / "x.tsv").write_text(f"# id\tsfen\tplies\na\t{MATE}\t3\nb\t{MATE}\t1\nc\t{NO_MATE}\t1\n")
    ran = solve("x.tsv")
    assert "listed" in ran.stdout
    assert "2 not as listed" in ran.stdout
    assert ran.exit_code == 0


def test_a_repeated_id_is_solved_again_and_pointed_out(solve, tmp_path):
    (tmp_path / "x.tsv").write_text(f"# id\tsfen\na\t{MATE}\na\t{MATE}\n")
    ran = solve("x.tsv")
    assert "note: x.tsv, line 3: id 'a' was already used in x.tsv, line 2" in ran.stderr
    assert "2 problems: 2 proven" in ran.stdout


def test_ids_cannot_act_on_the_terminal(solve, tmp_path):
    (tmp_path / "x.tsv").write_text(f"# id\tsfen\n\x1b[31m[bold]red\t{MATE}\n")
    ran = solve("x.tsv")
    assert "\x1b" not in ran.output
    assert "?[31m[bold]red" in ran.stdout


def test_a_long_list_shows_only_the_rows_that_need_a_look(solve, tmp_path):
    (tmp_path / "x.sfen").write_text(f"{MATE}\n" * 600 + UNKNOWN)
    ran = solve("x.sfen")
    assert "x:601" in ran.stdout
    assert "x:600 " not in ran.stdout
    assert "601 problems: 600 proven, 1 unknown" in ran.stdout


def test_problems_come_through_standard_input(solve):
    ran = solve("-", input=f"{MATE}\n{NO_MATE}\n")
    assert ran.exit_code == 0
    assert "2 problems: 1 proven, 1 disproven" in ran.stdout


def test_no_argument_is_a_usage_error(solve):
    assert solve().exit_code == 2


def test_a_misspelled_command_is_guessed():
    ran = CliRunner().invoke(cli, ["slove"])
    assert ran.exit_code == 2
    assert "Did you mean 'solve'?" in ran.stderr
