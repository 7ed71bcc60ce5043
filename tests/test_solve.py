"""`solve`: what it refuses, its limits, what it returns, and that runs do not disturb each other."""

import json
import threading

import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.errors import InvalidPositionError, RunInUseError
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.control import STOP

MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
MATE_IN_THREE = "6k2/9/9/7+R1/9/9/9/9/9 b G 1"
NO_CHECKS = "4k4/9/9/9/9/9/9/9/9 b P 1"
# A king on an open board, a rook and a bishop in hand: nobody finds a mate there while a test waits.
OPEN = "9/9/9/9/4k4/9/9/9/4K4 b RB3GNLrbgp 1"


def compose(name="mate", **more):
    return Registry.load().compose(name, {"table.megabytes": "1", **more})


@pytest.fixture(scope="module")
def run():
    return compose()


def test_a_mate_is_proven_with_its_length_and_line(run):
    result = solve(Position.from_sfen(MATE_IN_ONE), run)
    assert (result.verdict, result.plies, result.length_is, result.moves) == ("proven", 1, "shortest", ("G*5b",))
    assert (result.run, result.sfen, result.reason, result.proof) == ("mate", MATE_IN_ONE, "", None)
    assert result.nodes >= 1 and result.seconds > 0


def test_no_check_at_all_is_disproven(run):
    result = solve(Position.from_sfen(NO_CHECKS), run)
    assert (result.verdict, result.plies, result.length_is, result.moves) == ("disproven", None, None, ())


def test_checks_that_never_mate_are_disproven(run):
    assert solve(Position.from_sfen("4k4/9/9/9/9/9/9/9/9 b G 1"), run).verdict == "disproven"


def test_an_attacker_without_legal_moves_is_disproven(run):
    mated = "4k4/9/9/9/9/9/9/4g4/4K4 b G 1"  # G*5h is answered by nothing: black is not mated yet
    assert solve(Position.from_sfen(mated), run).verdict == "disproven"
    mated = "4k4/9/9/9/9/9/4p4/4g4/4K4 b G 1"
    assert Position.from_sfen(mated).is_mate()
    assert solve(Position.from_sfen(mated), run).verdict == "disproven"


def test_an_attacker_in_check_must_end_it_with_his_check(run):
    quiet, checked = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "4k4/9/4P4/9/9/9/4r4/9/4K4 b G 1"
    assert solve(Position.from_sfen(quiet), run).verdict == "proven"
    assert solve(Position.from_sfen(checked), run).verdict == "disproven"  # the gold must go between


def test_an_attacker_needs_no_king(run):
    assert solve(Position.from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1"), run).verdict == "proven"
    assert solve(Position.from_sfen("9/9/9/9/9/9/4p4/9/4K4 w g 1"), run).verdict == "proven"


@pytest.mark.parametrize("side", ["b", "w"])
def test_a_defender_without_a_king_is_refused(run, side):
    king = "4K4" if side == "b" else "4k4"
    position = Position.from_sfen(f"9/9/9/9/{king}/9/9/9/9 {side} Gg 1")
    defender = "white" if side == "b" else "black"
    with pytest.raises(InvalidPositionError, match=f"{defender} has no king to mate"):
        solve(position, run)


def test_a_defender_already_in_check_is_refused_as_a_position():
    for strict in (True, False):
        with pytest.raises(InvalidPositionError, match="is in check, but it is black's turn"):
            Position.from_sfen("4k4/4G4/9/9/9/9/9/9/9 b - 1", strict=strict)


@pytest.mark.parametrize(
    "limits", [{"node_limit": 0}, {"node_limit": -1}, {"time_limit": 0}, {"time_limit": float("nan")}]
)
def test_limits_that_allow_nothing_are_refused(run, limits):
    with pytest.raises(ValueError, match=r"_limit is .*, expected"):
        solve(Position.from_sfen(MATE_IN_ONE), run, **limits)


@pytest.mark.parametrize("limit", [1, 2, 17, 500])
def test_a_node_limit_is_exact_and_repeats_exactly(run, limit):
    results = [solve(Position.from_sfen(OPEN), run, node_limit=limit) for _ in range(2)]
    for result in results:
        assert (result.verdict, result.reason, result.nodes) == ("unknown", "node limit", limit)
        assert (result.plies, result.length_is, result.moves) == (None, None, ())
    assert results[0].statistics == results[1].statistics


def test_as_many_nodes_as_a_search_needs_are_enough_and_one_less_is_not(run):
    needed = solve(Position.from_sfen(MATE_IN_THREE), run).nodes
    enough = solve(Position.from_sfen(MATE_IN_THREE), run, node_limit=needed)
    assert (enough.verdict, enough.nodes) == ("proven", needed) and len(enough.moves) == enough.plies
    assert solve(Position.from_sfen(MATE_IN_THREE), run, node_limit=needed - 1).verdict == "unknown"
    assert solve(Position.from_sfen(MATE_IN_THREE), run, node_limit=10**30).verdict == "proven"


def test_a_ply_limit_ends_in_unknown_with_its_reason():
    result = solve(Position.from_sfen(MATE_IN_THREE), compose(max_plies="1"))
    assert (result.verdict, result.reason) == ("unknown", "the stop rule's largest budget was not enough")


def test_solving_again_visits_the_same_nodes_whatever_was_solved_between(run):
    first = solve(Position.from_sfen(MATE_IN_THREE), run)
    solve(Position.from_sfen(OPEN), run, node_limit=300)
    second = solve(Position.from_sfen(MATE_IN_THREE), run)
    assert (first.nodes, first.moves, first.statistics) == (second.nodes, second.moves, second.statistics)


def test_the_position_is_not_changed(run):
    position = Position.from_sfen(MATE_IN_THREE)
    before = position.record.tobytes()
    solve(position, run, want_proof=True)
    assert position.record.tobytes() == before


def test_provenance_is_plain_data_and_holds_what_repeating_needs(run):
    result = solve(Position.from_sfen(MATE_IN_ONE), run, want_proof=True)
    provenance = json.loads(json.dumps(result.provenance))
    assert {"run", "goal", "search", "kernel", "python", "numpy", "numba", "hisshi"} <= provenance.keys()
    search = provenance["search"]
    assert (search["plugin"], search["distribution"], search["options"]) == (
        "mate-depth-first",
        "hisshi",
        {"mate_in_one": True, "counter_checks": "search"},
    )
    assert search["parts"]["table"]["options"] == {"megabytes": 1.0}
    assert search["parts"]["move_order"]["parts"]["king_freedom"]["plugin"] == "modified"
    for part in (search, *search["parts"].values()):
        assert part.keys() == {"plugin", "distribution", "version", "options", "parts"}
    json.dumps([result.statistics, result.proof, result.moves])


def test_a_run_searches_one_position_at_a_time(run):
    refused = []

    def meanwhile(progress):
        with pytest.raises(RunInUseError, match="run 'mate' is searching another position; compose the run once more"):
            solve(Position.from_sfen(MATE_IN_ONE), run)
        refused.append(progress)
        run.control[STOP] = 1

    result = solve(Position.from_sfen(OPEN), run, on_progress=meanwhile, time_limit=20)
    assert refused and result.verdict == "unknown" and result.reason == "stopped"
    assert solve(Position.from_sfen(MATE_IN_ONE), run).verdict == "proven"


def test_two_runs_in_two_threads_do_not_disturb_each_other(run):
    other = compose("mate-count-budget")
    nodes = 2000 if JIT else 200
    alone = {each.name: solve(Position.from_sfen(OPEN), each, node_limit=nodes) for each in (run, other)}
    together = {}

    def search(each):
        together[each.name] = [solve(Position.from_sfen(OPEN), each, node_limit=nodes) for _ in range(3)]

    threads = [threading.Thread(target=search, args=(each,)) for each in (run, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, results in together.items():
        for result in results:
            assert (result.nodes, result.statistics) == (alone[name].nodes, alone[name].statistics)


def test_new_threads_get_their_own_stack_size_back(run):
    before = threading.stack_size()
    solve(Position.from_sfen(MATE_IN_ONE), run)
    assert threading.stack_size() == before
