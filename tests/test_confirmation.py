"""Confirming a hisshi: replies that a run leaves out are answered, or one of them refutes the claim."""

import threading

import pytest
from kernel_calls import problem_rows

from hisshi.core import Position, Registry, solve
from hisshi.core.errors import Interrupted, SearchFailedError
from hisshi.core.hisshi_checker import check_hisshi_proof
from hisshi.core.hisshi_walk import HisshiWalk, Refuted
from hisshi.core.kernel.table import PROVEN
from hisshi.core.results import CONFIRMED, REFUTED, STOPPED, UNDECIDED

compiled = pytest.mark.compiled

# After 4b3b only the knight's move to 2d saves, which attacks nothing near its king: KFEnd does not look at it.
LEFT_OUT = "8k/5+P2n/9/9/9/9/9/9/9 b S 1"
MATE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
MATE_AFTER_TWO_CHECKS = "2B2l3/5lg2/5p1n1/6k1g/5P2+B/5Sg1N/6N+l1/9/9 b G2r3snl16p 1"


@pytest.fixture(scope="module")
def kfend():
    return Registry.load().compose("kfend")


@pytest.fixture(scope="module")
def one_ply():
    return Registry.load().compose("kfend", {"max_plies": "1"})


def solved(sfen, run, **settings):
    return solve(Position.from_sfen(sfen), run, **settings)


def test_a_reply_that_was_left_out_may_make_the_hisshi_longer(kfend):
    result = solved(LEFT_OUT, kfend, want_proof=True)
    assert (result.verdict, result.plies, result.length_is) == ("proven", 3, "upper bound, useless delays left out")
    assert result.moves == ("4b3b", "1b2d", "S*1c") and result.reason == ""
    confirmation = result.confirmation
    assert (confirmation.outcome, confirmation.claimed_plies, confirmation.moves) == (CONFIRMED, 1, ())
    assert confirmation.nodes > 0 and confirmation.seconds > 0
    assert check_hisshi_proof(LEFT_OUT, result.proof, rule="kfend", useless_delays="leaf", plies=3).problems == ()


def test_where_no_plies_are_left_for_the_reply_it_refutes_the_claim(one_ply):
    result = solved(LEFT_OUT, one_ply, want_proof=True)
    assert (result.verdict, result.plies, result.moves, result.proof) == ("unknown", None, (), None)
    assert result.reason == "refuted by 1b2d after 4b3b"
    assert (result.confirmation.outcome, result.confirmation.moves) == (REFUTED, ("4b3b", "1b2d"))


def test_without_confirmation_it_is_found_at_the_claimed_length(one_ply):
    result = solved(LEFT_OUT, one_ply, confirm=False, want_proof=True)
    assert (result.verdict, result.plies, result.confirmation, result.proof) == ("found", 1, None, None)
    assert result.moves == ("4b3b",)


def test_confirmation_does_not_change_what_the_search_costs(kfend):
    assert solved(LEFT_OUT, kfend).nodes == solved(LEFT_OUT, kfend, confirm=False).nodes


def test_a_mate_is_proven_whatever_the_defences_left_out(kfend):
    result = solved(MATE, kfend, want_proof=True)
    assert (result.verdict, result.plies, result.reason, result.moves) == ("proven", 0, "a mate", ("G*5b",))
    assert check_hisshi_proof(MATE, result.proof, rule="kfend", useless_delays="leaf", plies=0).problems == ()


def test_a_run_that_looks_at_every_reply_needs_none():
    run = Registry.load().compose("hisshi-full", {"max_plies": "1"})
    result = solved("8k/9/9/7S1/9/9/9/9/9 b G 1", run)
    assert (result.verdict, result.confirmation) == ("proven", None)


def test_a_limit_of_nodes_holds_for_both_and_loses_nothing(kfend):
    needed = solved(LEFT_OUT, kfend)
    for limit in range(needed.nodes, needed.nodes + needed.confirmation.nodes, 9):
        result = solved(LEFT_OUT, kfend, node_limit=limit)
        assert (result.verdict, result.plies, result.moves) == ("found", 1, ("4b3b",))
        assert result.reason.endswith("; confirmation: node limit")
        assert result.confirmation.outcome == STOPPED
        assert result.nodes + result.confirmation.nodes <= limit
    assert solved(LEFT_OUT, kfend, node_limit=needed.nodes + needed.confirmation.nodes + 1).verdict == "proven"


@pytest.fixture
def walk_that_waits(monkeypatch):
    """A confirmation that goes on until it is stopped; set once it has begun."""
    begun = threading.Event()
    replies = HisshiWalk.replies

    def wait(walk, position):
        begun.set()
        for _ in range(500):
            walk._go_on()
            threading.Event().wait(0.01)
        return replies(walk, position)

    monkeypatch.setattr(HisshiWalk, "replies", wait)
    return begun


def test_a_limit_of_time_holds_for_the_confirmation(kfend, walk_that_waits):
    result = solved(LEFT_OUT, kfend, time_limit=0.2)
    assert (result.verdict, result.plies, result.confirmation.outcome) == ("found", 1, STOPPED)
    assert result.reason.endswith("; confirmation: time limit")


def test_an_interrupted_confirmation_keeps_what_was_found(kfend, walk_that_waits):
    def interrupt(_):
        if walk_that_waits.is_set():
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        solved(LEFT_OUT, kfend, on_progress=interrupt)
    result = stopped.value.result
    assert (result.verdict, result.plies, result.confirmation.outcome) == ("found", 1, STOPPED)
    assert result.reason.endswith("; confirmation: stopped")


def test_a_reply_is_undecided_where_its_mate_takes_too_many_nodes(one_ply, monkeypatch):
    monkeypatch.setattr("hisshi.core.hisshi_walk.MATE_NODES", 0)
    result = solved(LEFT_OUT, one_ply)
    assert (result.verdict, result.confirmation.outcome) == ("unknown", UNDECIDED)
    assert result.reason == "not confirmed, no answer found to 1b2d after 4b3b"


def test_the_walk_names_the_line_to_the_reply_it_has_no_answer_to(one_ply):
    one_ply.warm()
    one_ply.clear()
    walk = HisshiWalk(one_ply)
    with pytest.raises(Refuted) as refuted:
        walk.prove(Position.from_sfen(LEFT_OUT), 1)
    assert (refuted.value.line, refuted.value.is_shown) == (("4b3b", "1b2d"), True)
    with pytest.raises(Refuted):  # known by now
        walk.prove(Position.from_sfen(LEFT_OUT), 1)


def test_a_longer_mate_than_the_run_looks_for_is_an_answer():
    run = Registry.load().compose("kfend", {"defence_mate_plies": "1"})
    run.warm()
    run.clear()
    walk = HisshiWalk(run)
    position = Position.from_sfen(MATE_AFTER_TWO_CHECKS)
    with pytest.raises(Refuted):
        walk.claim(position, 0)
    assert walk.answer(position, 0)[1] == 0


def confirmed(kfend, rows):
    """Return how many rows are proven, by a proof that the checker accepts; of the others nothing may be found."""
    proven = 0
    for row in rows:
        result = solved(row["sfen"], kfend, want_proof=True, node_limit=3_000_000)
        if result.verdict != "proven":
            assert (result.verdict, result.confirmation) == ("unknown", None), row["id"]  # attacks are left out too
            continue
        assert result.plies >= int(row.get("plies") or row["plies (weak rule)"]), row["id"]
        report = check_hisshi_proof(row["sfen"], result.proof, rule="kfend", useless_delays="leaf", plies=result.plies)
        assert report.problems == (), row["id"]
        proven += 1
    return proven


@compiled
@pytest.mark.parametrize(
    ("name", "step", "least"),
    [
        ("hisshi-sample", 1, 20),
        ("hisshi", 13, 5),
        ("hisshi-two-kings", 1, 39),
        pytest.param("hisshi", 1, 60, marks=pytest.mark.slow),
    ],
)
def test_what_kfend_finds_is_confirmed_and_the_checker_accepts_it(kfend, name, step, least):
    assert confirmed(kfend, problem_rows(f"{name}.tsv")[::step]) >= least


def test_a_search_that_answers_with_an_illegal_move_is_named_with_the_position(monkeypatch):
    run = Registry.load().compose("kfend")
    run.warm()
    run.clear()
    position = Position.from_sfen(LEFT_OUT)
    run.root.context.answer_move = Position.from_sfen(MATE).usi_moves()["G*5b"]
    monkeypatch.setattr(run, "search", lambda record, plies: PROVEN)
    with pytest.raises(SearchFailedError, match=r"'hisshi-depth-id' says that it wins with G\*5b, which is not legal"):
        HisshiWalk(run).claim(position, 1)


@compiled
def test_what_is_refuted_in_print_is_never_confirmed_at_its_length(kfend):
    for row in problem_rows("hisshi-refuted.tsv"):
        result = solved(row["sfen"], kfend)
        assert result.verdict != "proven" or result.plies > int(row["claimed plies"]), row["id"]


@compiled
def test_a_confirmed_proof_is_verified_from_its_file(kfend, tmp_path):
    from hisshi.lab.outcome import json_line, outcome_of_result
    from hisshi.lab.problem import Problem
    from hisshi.lab.proof_files import verify_file

    outcome = outcome_of_result(Problem("one", LEFT_OUT, 3), solved(LEFT_OUT, kfend, want_proof=True), True)
    file = tmp_path / "one.jsonl"
    file.write_text(json_line(outcome, True), encoding="utf-8")
    assert outcome.confirmation["outcome"] == CONFIRMED and outcome.confirmation["claimed_plies"] == 1
    [verdict] = verify_file(str(file))
    assert verdict.holds and "hisshi of 3 plies by the rule 'kfend'" in verdict.text
