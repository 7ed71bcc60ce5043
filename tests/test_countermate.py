"""Counter-mate verification: a solution on whose way the attacker himself is mated does not pass."""

import pytest
from kernel_calls import problem_rows

from hisshi.core import Position, Registry, countermate, solve
from hisshi.core.kernel.control import STOP
from hisshi.core.reference import ReferenceBoard

compiled = pytest.mark.compiled  # ten thousands of nodes

# 4b3b threatens S*2b. B*1c guards 2b, and guards 6h far away: it threatens 5g6h, mate. That saves the defender: by the
# weak rule the attacker goes on with S*2b, a threatmate that no quiet move avoids, and is mated by the gold, which the
# bishop guards. (詰めろ逃れの詰めろ)
SAVED = "5+PBnl/5+P2k/6pp1/8p/9/9/4g4/9/3K5 b Sb 1"
LINE = ["4b3b", "B*1c", "S*2b", "5g6h"]
NO_KING = "5+PBnl/5+P2k/6pp1/8p/9/9/4g4/9/9 b Sb 1"
SAFE = "5+PBnl/5+P2k/6pp1/8p/9/9/9/9/3K5 b Sb 1"  # without the gold there is nothing to mate with
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"


def verified(sfen, name="hisshi-full-weak", **more):
    run = Registry.load().compose(name, {"max_plies": "3"} if name.startswith("hisshi") else {})
    return solve(Position.from_sfen(sfen), run, verify_against_countermate=True, **more)


def test_the_line_that_refutes_is_one_by_the_slow_rules():
    board = ReferenceBoard.from_sfen(SAVED)
    for move in LINE:
        assert board.is_legal(move)
        assert not board.gives_check(move) or move == LINE[-1]
        board = board.after(move)
    assert board.in_check() and not list(board.legal_moves())


@compiled
@pytest.mark.parametrize("name", ["hisshi-full-weak", "kfend"])
def test_a_hisshi_that_fails_to_a_threatmate_which_also_defends_does_not_pass(name):
    result = verified(SAVED, name, want_tree=True, confirm=False)
    assert result.verdict == ("found" if name == "kfend" else "proven")  # a statement under its rule: that stays
    assert (result.plies, result.verified, result.verification["line"]) == (3, False, LINE)
    assert result.tree["replies"]["B*1c"] == {"move": "S*2b", "replies": {}}


@compiled
def test_the_threat_comes_with_the_defence():
    run = Registry.load().compose("mate-df-pn")
    before, after = Position.from_sfen(SAVED).play("4b3b"), Position.from_sfen(SAVED).play_all(LINE[:3])
    assert solve(before, run).verdict == "disproven"  # the defender to move: no mate yet
    assert (solve(after, run).verdict, solve(after, run).plies) == ("proven", 1)


@compiled
def test_the_strong_rule_does_not_prove_it_at_all():
    assert verified(SAVED, "hisshi-full").verdict == "unknown"


@compiled
def test_what_cannot_be_mated_passes():
    result = verified(SAFE)
    assert (result.plies, result.verified) == (3, True)
    assert result.verification["searches"] >= 2 and result.verification["undecided"] == 0
    assert result.verification["line"] == [] and result.tree is None  # made, but nobody wanted it


@compiled
def test_without_an_attackers_king_it_passes_and_nothing_is_searched():
    result = verified(NO_KING)
    assert (result.verified, result.verification["searches"]) == (True, 0)


@compiled
def test_a_strong_hisshi_is_never_refuted():
    passed = 0
    run = Registry.load().compose("hisshi-full", {"max_plies": "3"})
    for row in problem_rows("hisshi-two-kings.tsv"):
        result = solve(Position.from_sfen(row["sfen"]), run, node_limit=20_000, verify_against_countermate=True)
        assert result.verified is not False, row["id"]
        passed += result.verified is True
    assert passed >= 15


@compiled
def test_a_counter_mate_after_the_first_move_is_found_too():
    sfen = next(row["sfen"] for row in problem_rows("hisshi-two-kings.tsv") if row["id"] == "two-kings-023")
    result = verified(sfen)
    assert (result.verdict, result.plies, result.verified) == ("proven", 1, False)
    end = Position.from_sfen(sfen).play_all(result.verification["line"])
    assert end.is_mate() and end.side == "black"


def test_a_mate_passes():
    result = verified(MATE_IN_ONE, "mate")
    assert (result.verified, result.verification["searches"]) == (True, 1)


def test_without_a_solution_or_without_asking_nothing_is_said():
    result = verified("4k4/9/9/9/9/9/9/9/4K4 b P 1", "mate")
    assert (result.verdict, result.verified, result.verification) == ("disproven", None, None)
    run = Registry.load().compose("mate")
    assert solve(Position.from_sfen(MATE_IN_ONE), run).verification is None


@compiled
def test_a_search_that_runs_out_is_no_pass(monkeypatch):
    monkeypatch.setattr(countermate, "MATE_NODES", 1)
    result = verified("5+B1nl/7k1/6pp1/8p/9/9/9/7K1/9 b Sg 1")  # the gold gives checks that take more than one node
    assert (result.verdict, result.plies, result.verified) == ("proven", 1, None)
    assert result.verification["undecided"] == 1


@compiled
def test_a_tree_that_is_cut_is_no_pass_but_may_fail(monkeypatch):
    from hisshi.core import solution_tree

    monkeypatch.setattr(solution_tree, "MOST_NODES", 1)
    assert (verified(SAFE).verified, verified(SAFE).verification["undecided"]) == (None, 0)
    sfen = next(row["sfen"] for row in problem_rows("hisshi-two-kings.tsv") if row["id"] == "two-kings-023")
    assert verified(sfen).verified is False


@compiled
def test_a_stop_keeps_all_else_and_is_no_pass(monkeypatch):
    run = Registry.load().compose("hisshi-full-weak", {"max_plies": "3"})
    nodes = countermate._defender_nodes

    def stopped(position, root):
        run.control[STOP] = 1
        return nodes(position, root)

    monkeypatch.setattr(countermate, "_defender_nodes", stopped)
    result = solve(Position.from_sfen(SAFE), run, verify_against_countermate=True, want_tree=True)
    assert (result.verdict, result.plies, result.verified) == ("proven", 3, None)
    assert result.tree is not None and len(result.moves) == 3
