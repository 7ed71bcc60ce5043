"""Every first move that makes a hisshi: what the problem sets list, no more and no less."""

import pytest
from click.testing import CliRunner
from kernel_calls import problem_rows

from hisshi.core import Position, Registry, solve
from hisshi.lab.cli import hisshi as cli

compiled = pytest.mark.compiled

FIVE = "8k/9/9/7S1/9/9/9/9/9 b G 1"  # five first moves of one ply
KNIGHT_SAVES = "8k/5+P2n/9/9/9/9/9/9/9 b S 1"  # three plies; only 4b3b
MATE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"


def first_moves(sfen, run, **settings):
    return solve(Position.from_sfen(sfen), run, all_first_moves=True, **settings).first_moves


@pytest.fixture(scope="module")
def full():
    return Registry.load().compose("hisshi-full")


@pytest.fixture(scope="module")
def kfend():
    return Registry.load().compose("kfend")


def test_each_first_move_of_the_length_found_is_told(full):
    found = first_moves(FIVE, full)
    assert (found.plies, found.is_complete) == (1, True)
    assert set(found.moves) == {"2d1c+", "2d1c", "2d2c+", "2d2c", "2d3c+"}
    assert found.nodes > 0 and found.seconds > 0


def test_they_are_not_looked_for_unless_asked(full):
    assert solve(Position.from_sfen(FIVE), full).first_moves is None


def test_a_mate_has_none(full):
    assert first_moves(MATE, full) is None


def test_where_nothing_is_found_there_are_none(full):
    assert first_moves("4k4/9/9/9/9/9/9/9/9 b P 1", full) is None


def test_the_search_costs_the_same_with_and_without(full):
    position = Position.from_sfen(FIVE)
    assert solve(position, full).nodes == solve(position, full, all_first_moves=True).nodes


def test_a_limit_of_nodes_leaves_what_was_found_so_far(full):
    nodes = solve(Position.from_sfen(FIVE), full).nodes
    found = first_moves(FIVE, full, node_limit=nodes + 40)
    assert not found.is_complete and found.nodes <= 40
    assert set(found.moves) <= {"2d1c+", "2d1c", "2d2c+", "2d2c", "2d3c+"}


@compiled
def test_a_run_that_leaves_out_attacks_does_not_say_that_there_are_no_more(kfend):
    found = first_moves(KNIGHT_SAVES, kfend)
    assert (found.plies, found.moves, found.is_complete) == (3, ("4b3b",), False)


def test_a_run_for_mates_is_refused():
    with pytest.raises(ValueError, match="run 'mate' has goal 'mate'"):
        first_moves(MATE, Registry.load().compose("mate"))
    ran = CliRunner().invoke(cli, ["solve", MATE, "--all-first-moves"])
    assert ran.exit_code != 0
    assert "--all-first-moves is for hisshi, and run 'mate' looks for a mate" in ran.stderr


@compiled
def test_they_are_as_listed_in_the_sample(full, kfend):
    for row in problem_rows("hisshi-sample.tsv"):
        found = first_moves(row["sfen"], full)
        assert (found.is_complete, set(found.moves)) == (True, set(row["first moves"].split(","))), row["id"]
        assert set(first_moves(row["sfen"], kfend).moves) == set(row["first moves"].split(",")), row["id"]


@compiled
def test_with_two_kings_they_are_as_listed_under_both_rules():
    compared = 0
    for run, plies, listed in (
        ("hisshi-full-weak", "plies (weak rule)", "first moves (weak rule)"),
        ("hisshi-full", "strong plies", "strong first moves"),
    ):
        composed = Registry.load().compose(run)
        for row in problem_rows("hisshi-two-kings.tsv"):
            if row[plies] == "-":
                continue
            found = first_moves(row["sfen"], composed, node_limit=50_000)
            if found is not None and found.is_complete:
                assert (found.plies, set(found.moves)) == (int(row[plies]), set(row[listed].split(","))), row["id"]
                compared += 1
    assert compared >= 40


@compiled
def test_they_are_as_listed_in_the_larger_set(full):
    complete = 0
    for row in problem_rows("hisshi.tsv")[:25]:
        found = first_moves(row["sfen"], full, node_limit=60_000)
        listed = set(row["first moves"].split(","))
        if found is not None and not found.is_complete:
            assert set(found.moves) <= listed, row["id"]
        elif found is not None:
            assert set(found.moves) == listed, row["id"]
            complete += 1
    assert complete >= 10


@compiled
def test_the_command_prints_and_writes_them(tmp_path):
    file = tmp_path / "out.jsonl"
    ran = CliRunner().invoke(cli, ["solve", FIVE, "--run", "hisshi-full", "--all-first-moves", "--json", str(file)])
    assert "position 1: first moves of a hisshi within 1: 2d1c+ 2d2c+" in ran.stdout
    assert '"first_moves": {"plies": 1, "moves": ["2d1c+", ' in file.read_text(encoding="utf-8")
