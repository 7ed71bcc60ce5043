"""The hisshi search by proof numbers: what it proves is a hisshi, what failed is asked again where that may help."""

from functools import cache

import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.hisshi_checker import check_hisshi_proof
from hisshi.core.kernel.table import PROVEN, UNKNOWN

compiled = pytest.mark.compiled  # ten thousands of nodes

ONE = "5+B1nl/7k1/6pp1/8p/9/9/9/9/9 b S2rb4g3s3n3l15p 1"
THREE = "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1"
FIVE = "6gnl/4+P1sk1/4B1pp1/8p/9/9/9/9/9 b GS 1"
THREAT = "4k4/9/4P4/5G3/9/9/9/9/9 b - 1"  # 4d4c threatens mate; 5a4a, 5a6a and 5a6b save
NOTHING = "4k4/9/9/9/9/9/9/9/4P4 b - 1"
PAWN = "5k3/4P4/9/9/9/9/9/9/9 b - 1"  # 5b5a+ is all there is, and the king takes it, or goes to one of four squares
TAKEN = "4+P1Bnl/8k/5+Ppp1/8p/9/8g/9/7K1/9 b G 1"  # after 4c3c, 1f1g is a check that 2h1g takes
FULL = {"search": "hisshi-pn-multi-id"}


@cache
def composed(run, *settings):
    return Registry.load().compose(run, dict(settings))


def solved(sfen, run="kfend-pn", want_proof=False, **settings):
    return solve(Position.from_sfen(sfen), composed(run, *sorted(settings.items())), want_proof=want_proof)


@compiled
@pytest.mark.parametrize("run", ["kfend-pn", "kfend-pn-dynamic"])
@pytest.mark.parametrize(("sfen", "plies"), [(ONE, 1), (THREE, 3), (FIVE, 5)])
def test_hisshi_are_found_and_confirmed(sfen, plies, run):
    result = solved(sfen, run, want_proof=True)
    assert result.verdict == "proven" and result.plies >= plies
    assert check_hisshi_proof(sfen, result.proof, rule="kfend", useless_delays="leaf", plies=result.plies).ok


@compiled
def test_lengths_are_upper_bounds_unless_there_can_be_none_shorter():
    assert solved(ONE, "hisshi-full", **FULL).length_is.startswith("shortest")
    assert solved(THREE, "hisshi-full", **FULL).length_is.startswith("upper bound")


@compiled
def test_the_shortest_is_found_when_asked_for():
    result = solved(THREE, "hisshi-full", shortest="true", **FULL)
    assert (result.verdict, result.plies, result.length_is[:8]) == ("proven", 3, "shortest")


def test_a_leaf_that_survives_is_one_and_each_move_not_expanded_one_more():
    settings = {"max_plies": "1", "max_freedom": "8", "defence_candidates": "full"}
    assert solved(THREAT, **settings).score == -20 - 1 - 2


def test_a_threshold_without_room_for_the_moves_of_a_node_ends_there():
    settings = {"proof_number": "2", "max_freedom": "8", "defence_candidates": "full"}
    result = solved(THREAT, **settings)
    assert (result.verdict, result.score) == ("unknown", -20 - 3)


def test_an_attacker_without_a_move_to_try_has_failed_for_good():
    assert solved(NOTHING).score == -1000
    assert solved(NOTHING, "hisshi-full", **FULL).verdict == "disproven"


def test_a_failure_for_good_is_not_hidden_by_what_a_smaller_threshold_left():
    few, many = (solved(PAWN, "hisshi-full", proof_number=number, **FULL) for number in ("4", "50"))
    assert (few.verdict, few.score) == ("unknown", -20 - 4)
    assert (many.verdict, many.score) == ("disproven", -1000)


@compiled
def test_what_failed_for_want_of_plies_is_asked_again_with_more():
    run = composed("kfend-pn")
    run.warm()
    run.clear()
    record = Position.from_sfen(THREE).copy_record()
    assert run.search(record, 1) == UNKNOWN
    assert run.search(record, 3) == PROVEN
    assert run.search(record, 1) == UNKNOWN


@compiled
@pytest.mark.parametrize(("delays", "plies"), [("off", 3), ("leaf", 1)])
def test_a_move_that_is_only_taken_does_not_count_where_the_line_ends(delays, plies):
    result = solved(TAKEN, "hisshi-full", want_proof=True, useless_delays=delays, max_plies="3", **FULL)
    assert (result.verdict, result.plies) == ("proven", plies)
    assert check_hisshi_proof(TAKEN, result.proof, rule="strong", useless_delays=delays, plies=plies).ok
