"""The hisshi search by depth: its scores and its options, none of which changes a verdict."""

from functools import cache

import pytest

from hisshi.core import Position, Registry, solve

compiled = pytest.mark.compiled  # ten thousands of nodes

ONE = "5+B1nl/7k1/6pp1/8p/9/9/9/9/9 b S2rb4g3s3n3l15p 1"
THREE = "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1"
ONLY_CHECKS_AT_FIRST = "4k4/9/4P4/5G3/9/9/9/9/9 b - 1"  # 4d4c threatens mate; 5a4a, 5a6a and 5a6b save
NOTHING = "4k4/9/9/9/9/9/9/9/4P4 b - 1"


@cache
def composed(run, *settings):
    return Registry.load().compose(run, dict(settings))


def solved(sfen, run="kfend", **settings):
    composed_run = composed(run, *sorted(settings.items()))
    return solve(Position.from_sfen(sfen), composed_run, confirm=False)


def counts_of(result):
    return result.statistics["search.hisshi-depth-id"]


def test_a_hisshi_scores_1000_less_its_plies():
    assert solved(ONE).score == 999


@compiled
def test_a_longer_one_scores_less():
    assert solved(THREE).score == 997


def test_a_mate_scores_1000():
    assert solved("4k4/9/4P4/9/9/9/9/9/9 b G 1").score == 1000


def test_a_threatmate_that_a_move_avoids_scores_less_for_each_move_not_looked_at_that_is_no_drop():
    settings = {"max_plies": "1", "max_freedom": "8", "defence_candidates": "full"}
    assert solved(ONLY_CHECKS_AT_FIRST, **settings).score == -20 - 1 - 2
    with_a_hand = ONLY_CHECKS_AT_FIRST.replace("b -", "b n")
    assert solved(with_a_hand, **settings).score == -20 - 1 - 2


def test_an_attacker_without_a_move_to_try_scores_the_least():
    assert solved(NOTHING, max_plies="1").score == -1000


def test_a_search_that_was_stopped_has_no_score():
    assert solve(Position.from_sfen(THREE), composed("kfend"), node_limit=20).score is None


CHECK_FIRST = "7nl/5+P1k1/6pp1/8p/9/9/9/9/9 b BG2rb3g4s3n3l14p 1"  # B*3a; no first move is a threatmate


@compiled
def test_that_the_last_ply_has_no_threatmate_says_nothing_of_more_plies():
    assert solved(CHECK_FIRST, max_plies="1").score == -1000
    assert (solved(CHECK_FIRST).plies, solved(CHECK_FIRST).score) == (3, 997)


THREAT_OF_FIVE = "6Snl/9/6+Ppk/9/8p/9/7P1/9/8L b 2G2r2b2g3s3n2l14p 1"  # G*2e threatens a mate that is not in one


@compiled
def test_the_first_move_may_threaten_a_longer_mate_than_the_others():
    settings = {"max_plies": "1", "attack_mate_plies": "1"}
    assert solved(THREAT_OF_FIVE, **settings).verdict == "unknown"
    result = solved(THREAT_OF_FIVE, first_mate_plies="5", **settings)
    assert (result.verdict, result.plies, result.moves[0]) == ("found", 1, "G*2e")


MATE_IN_THREE = "2+P6/3pg2R1/pl3+PB2/1B1+rk4/3l5/1p7/9/2L6/9 b 3g4s4nl13p 1"


@compiled
def test_a_check_whose_evasions_all_lose_to_mates_is_a_mate_though_the_tests_are_too_short_to_see_it():
    result = solved(MATE_IN_THREE, defence_mate_plies="1", max_plies="3")
    assert (result.verdict, result.plies, result.score) == ("found", 0, 1000)
    assert counts_of(result)["tests"] > 1


VARIANTS = [
    {"search.look_ahead": "0"},
    {"search.look_ahead": "3"},
    {"exact_lengths": "true"},
    {"sort_root": "false"},
    {"test": "batch"},
    {"useless_delays": "off"},
    {"table": "always-replace"},
]


@compiled
@pytest.mark.parametrize("settings", VARIANTS, ids=lambda settings: " ".join(settings))
def test_options_of_effort_change_neither_verdict_nor_length(settings):
    for sfen, plies in ((ONE, 1), (THREE, 3), (CHECK_FIRST, 3)):
        result = solved(sfen, **settings)
        assert (result.verdict, result.plies) == ("found", plies), sfen
    assert solved(CHECK_FIRST, max_plies="1", **settings).verdict == "unknown"


@compiled
def test_testing_each_move_just_before_it_is_expanded_asks_for_fewer_mates_than_a_batch():
    each, batch = (counts_of(solved(THREE, test=test)) for test in ("each", "batch"))
    assert each["tests"] < batch["tests"]


@compiled
def test_mate_tests_without_an_answer_are_counted():
    result = solved(ONE, "hisshi-full", mate_nodes="2", max_plies="1")
    assert result.verdict == "unknown"
    counts = counts_of(result)
    assert 0 < counts["undecided_tests"] <= counts["searched_tests"] <= counts["tests"]


@compiled
def test_perpetual_check_is_no_hisshi():
    sfen = "k8/9/9/1R7/9/9/9/9/9 b - 1"  # the rook gives check for ever, the king goes to and fro
    assert solved(sfen, "hisshi-full", max_plies="9", useless_delays="leaf").verdict == "unknown"
