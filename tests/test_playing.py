"""A move to play: positions in, moves and scores out; limits, Ctrl-C, and runs of another goal."""

import _thread
import threading
import time

import attrs
import pytest

from hisshi.core import MoveResult, Position, Registry, choose_move, solve
from hisshi.core.errors import Interrupted, RunInUseError, SearchFailedError, WrongGoalError
from hisshi.core.kernel.values import HISSHI_VALUE, LARGEST_VALUE, MATE
from hisshi.core.results import hisshi_in, mate_in

MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
MATE_IN_THREE = "6k2/9/9/7+R1/9/9/9/9/9 b G 1"
HANGING_ROOK = "4k4/9/9/9/4r4/9/4L4/9/4K4 b - 1"
MATED = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"
OPEN = "9/9/9/9/4k4/9/9/9/4K4 b RB3GNLrbgp 1"
SLACK = 3.0  # a busy machine looks at the clock later; test_solve_interruption measures it alone


@pytest.fixture(scope="module", params=["classical", "abc"])
def run(request):
    return Registry.load().compose(request.param)


@pytest.fixture(scope="module")
def abc():
    return Registry.load().compose("abc")


def choose(run, sfen, node_limit=150, **more):
    return choose_move(Position.from_sfen(sfen), run, node_limit=node_limit, **more)


def without_times(result):
    return attrs.evolve(result, seconds=0.0, processor_seconds=0.0, compile_seconds=0.0)


def test_a_hanging_rook_is_taken(run):
    result = choose(run, HANGING_ROOK)
    assert (result.move, result.moves[0], result.reason) == ("5g5e", "5g5e", "node limit")
    assert result.score > 500 and result.mate_in is None


def test_a_mate_in_one_is_played_and_announced(run):
    result = choose(run, MATE_IN_ONE)
    assert (result.move, result.moves, result.mate_in) == ("G*5b", ("G*5b",), 1)


@pytest.mark.compiled
def test_a_mate_in_three_is_announced_with_its_line_and_by_the_other_side_as_a_loss(run):
    result = choose(run, MATE_IN_THREE, 20_000)
    assert result.mate_in == len(result.moves) == 3
    position = Position.from_sfen(MATE_IN_THREE).play_all(result.moves)
    assert position.is_mate()
    answer = choose(run, Position.from_sfen(MATE_IN_THREE).play(result.move).sfen, 20_000)
    assert answer.mate_in == -2 and answer.score == 2 - MATE


def test_who_is_mated_has_no_move_and_has_lost(run):
    result = choose(run, MATED)
    assert (result.move, result.moves, result.mate_in, result.reason) == (None, (), 0, "no legal move")


def test_neither_side_needs_a_king_and_who_has_no_move_left_has_lost(run):
    result = choose(run, "9/9/9/9/4r4/9/4L4/9/9 b - 1")
    assert (result.move, result.mate_in) == ("5g5e", 1)


@pytest.mark.parametrize("limit", [1, 2, 10, 60])
def test_a_node_limit_is_respected_and_leaves_the_best_move_so_far(run, limit):
    result = choose(run, HANGING_ROOK, limit)
    assert result.nodes <= limit and result.reason == "node limit"
    assert result.move in Position.from_sfen(HANGING_ROOK).legal_moves() and result.moves[0] == result.move
    assert (result.score is None) == (limit == 1)  # the first node is the root's: no move has a value yet


def test_the_same_nodes_give_the_same_answer_twice(run):
    first = choose(run, HANGING_ROOK, 100)
    choose(run, MATE_IN_ONE, 100)  # what it leaves in tables is of no account
    assert without_times(choose(run, HANGING_ROOK, 100)) == without_times(first)
    assert isinstance(first, MoveResult) and first.provenance["goal"] == "play"


def test_statistics_count_what_the_search_did(run):
    counts = choose(run, HANGING_ROOK).statistics["search.negamax"]
    assert counts["keyed_nodes"] > 0 and counts["deepest"] > 0 and 0 <= counts["first_move_share"] <= 1


@pytest.mark.compiled
def test_a_line_is_legal_and_a_search_that_goes_on_is_as_deep(run):
    few, many = choose(run, OPEN, 20_000), choose(run, OPEN, 200_000)
    for result in (few, many):
        assert result.moves[0] == result.move
        Position.from_sfen(OPEN).play_all(result.moves)
    assert many.depth >= few.depth > 0 and many.deepest >= few.deepest > 0


def test_a_time_limit_ends_the_search_and_progress_is_told_meanwhile(abc):
    told = []
    abc.warm()
    begun = time.perf_counter()
    result = choose_move(Position.from_sfen(OPEN), abc, time_limit=0.5, on_progress=told.append)
    assert result.reason == "time limit" and result.seconds >= 0.5 and time.perf_counter() - begun < 0.5 + SLACK
    assert result.move in Position.from_sfen(OPEN).legal_moves()
    assert len(told) >= 3
    assert [each.nodes for each in told] == sorted(each.nodes for each in told) and told[-1].nodes > 0
    for each in told:  # whatever was being written
        Position.from_sfen(OPEN).play_all(each.moves)


def test_ctrl_c_ends_in_interrupted_with_the_best_move_so_far(abc):
    def interrupt(progress):
        if progress.moves and not interrupted:
            interrupted.append(progress)
            _thread.interrupt_main()

    interrupted = []
    with pytest.raises(Interrupted) as caught:
        choose_move(Position.from_sfen(OPEN), abc, on_progress=interrupt)
    result = caught.value.result
    assert result.reason == "stopped" and result.nodes >= interrupted[0].nodes
    assert result.move in Position.from_sfen(OPEN).legal_moves()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("hisshi ")]
    assert choose(abc, MATE_IN_ONE).move == "G*5b"


def test_a_run_searches_one_position_at_a_time(abc):
    def ask_again(progress):
        choose(abc, MATE_IN_ONE)

    with pytest.raises(RunInUseError, match="run 'abc' is searching another position"):
        choose_move(Position.from_sfen(OPEN), abc, on_progress=ask_again)


def test_a_run_that_is_asked_while_it_searches_keeps_its_answer(abc):
    choose(abc, MATE_IN_ONE)
    answer = int(abc.root.context.answer_move)
    with abc.in_use, pytest.raises(RunInUseError):
        choose(abc, OPEN)
    assert answer and int(abc.root.context.answer_move) == answer


def test_what_a_kernel_raises_is_no_move(abc, monkeypatch):
    def fail(record):
        raise IndexError("out of bounds")

    monkeypatch.setattr(abc, "search", fail)
    with pytest.raises(SearchFailedError, match=r"run 'abc': an exception .* no move: IndexError: out of bounds"):
        choose(abc, MATE_IN_ONE)


@pytest.mark.parametrize("limits", [{"node_limit": 0}, {"time_limit": 0.0}, {"time_limit": float("nan")}])
def test_impossible_limits_are_refused(abc, limits):
    with pytest.raises(ValueError, match="expected"):
        choose_move(Position.from_sfen(MATE_IN_ONE), abc, **limits)


@pytest.mark.parametrize("name", ["mate", "hisshi-full"])
def test_a_run_that_looks_for_mates_or_hisshi_is_refused(name):
    with pytest.raises(WrongGoalError, match=rf"run '{name}' looks for a .*, not for a move .* 'hisshi solve'"):
        choose(Registry.load().compose(name), MATE_IN_ONE)


def test_solve_refuses_a_run_that_looks_for_a_move(abc):
    with pytest.raises(WrongGoalError, match=r"run 'abc' looks for a move .* 'hisshi move' \(in Python: choose_move\)"):
        solve(Position.from_sfen(MATE_IN_ONE), abc)


def test_a_score_announces_mates_and_hisshi_and_nothing_else():
    assert [mate_in(score) for score in (None, 0, 350, LARGEST_VALUE, MATE - 5, 4 - MATE, -MATE, MATE)] == [
        *[None] * 4,
        5,
        -4,
        0,
        1,
    ]
    hisshi = HISSHI_VALUE - 3
    assert (mate_in(hisshi), hisshi_in(hisshi), hisshi_in(-hisshi)) == (None, 3, -3)
    assert [hisshi_in(score) for score in (None, 0, LARGEST_VALUE, MATE - 5, -MATE)] == [None] * 5


@pytest.mark.compiled
def test_a_run_that_asks_a_mate_search_says_so_and_names_the_moves_that_allow_one():
    run = Registry.load().compose("abc-mates")
    assert (mate := choose(run, MATE_IN_THREE, 5000)).reason == "a mate" and mate.mate_in == 3
    result = choose(run, "4k4/9/4P4/9/9/9/9/9/4K4 w Gg 1", 5000)
    moves = Position.from_sfen(result.sfen).legal_moves()
    assert result.allowing and set(result.allowing) < set(moves) and result.move not in result.allowing
