"""Useless delays in hisshi: replies that are only taken do not count, at the end of a line or anywhere."""

import copy
from functools import cache

import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.hisshi_checker import check_hisshi_proof

compiled = pytest.mark.compiled  # ten thousands of nodes

TAKEN = "4+P1Bnl/8k/5+Ppp1/8p/9/8g/9/7K1/9 b G 1"  # after 4c3c, 1f1g is a check that 2h1g takes
TWICE = "5+B1nl/7k1/6pp1/3l4p/9/9/9/9/4K4 b 2S 1"  # after S*2d, 6d6h+ and 6d6i+ are taken by the king
IN_LINE = "4+P1Bnl/5+P2k/6pp1/8p/5r3/9/9/9/8K b G 1"


@cache
def composed(delays, plies):
    return Registry.load().compose("hisshi-full", {"useless_delays": delays, "max_plies": str(plies)})


def solved(sfen, delays, plies=3):
    return solve(Position.from_sfen(sfen), composed(delays, plies), want_proof=True)


def checked(sfen, result, delays):
    return check_hisshi_proof(sfen, result.proof, rule="strong", useless_delays=delays, plies=result.plies)


@compiled
def test_a_check_that_is_only_taken_makes_a_hisshi_longer_when_counted_strictly():
    result = solved(TAKEN, "off")
    assert (result.plies, result.length_is, result.moves) == (3, "shortest", ("4c3c", "1f1g", "2h1g"))
    assert checked(TAKEN, result, "off").ok


def test_at_the_end_of_a_line_it_does_not_count():
    result = solved(TAKEN, "leaf")
    assert (result.plies, result.length_is, result.moves) == (1, "shortest, useless delays left out", ("4c3c",))
    assert result.proof["replies"]["1f1g"]["delay"] and result.proof["replies"]["1f1g"]["move"] == "2h1g"
    assert checked(TAKEN, result, "leaf").ok


@compiled
@pytest.mark.parametrize("delays", ["leaf", "general"])
def test_a_line_of_checks_that_are_taken_does_not_count_by_either_rule(delays):
    result = solved(TWICE, delays)
    assert (solved(TWICE, "off").plies, result.plies) == (3, 1)
    assert {"6d6h+", "6d6i+"} <= {reply for reply, node in result.proof["replies"].items() if "delay" in node}
    assert checked(TWICE, result, delays).ok


@compiled
def test_the_general_rule_wants_a_hisshi_without_the_piece_that_was_taken():
    assert solved(TAKEN, "general", 1).verdict == "unknown"


@compiled
def test_at_the_end_of_a_longer_line_delays_do_not_count():
    result = solved(IN_LINE, "leaf")
    assert (result.verdict, result.plies) == ("proven", 3)
    assert solved(IN_LINE, "off").verdict == "unknown"
    assert checked(IN_LINE, result, "leaf").ok


def test_a_proof_with_delays_holds_by_its_rule_alone():
    result = solved(TAKEN, "leaf")
    assert "useless delay" in checked(TAKEN, result, "off").problems[0]
    assert not checked(TAKEN, result, "general").ok
    assert "no rule for delays" in checked(TAKEN, result, "leaves").problems[0]


def _another_answer(proof):
    proof["replies"]["1f1g"]["move"] = "2h1h"


def _no_threat(proof):
    del proof["replies"]["1f1g"]["threat"]


def _missing_reply(proof):
    node = proof["replies"]["1f1g"]
    del node["replies"][next(iter(node["replies"]))]


def _no_replies(proof):
    del proof["replies"]["1f1g"]["replies"]


def _a_reply_that_cannot_be_taken(proof):
    reply = next(reply for reply in proof["replies"] if reply != "1f1g")
    proof["replies"][reply] = copy.deepcopy(proof["replies"]["1f1g"])


def _delay_at_the_root(proof):
    proof["replies"]["1f1g"] = {"move": "2h1g", "replies": proof["replies"]["1f1g"]["replies"]}


@pytest.mark.parametrize(
    "damage",
    [
        _another_answer,
        _no_threat,
        _missing_reply,
        _no_replies,
        _a_reply_that_cannot_be_taken,
        _delay_at_the_root,
    ],
)
def test_a_damaged_delay_is_refused(damage):
    proof = copy.deepcopy(solved(TAKEN, "leaf").proof)
    damage(proof)
    assert not check_hisshi_proof(TAKEN, proof, rule="strong", useless_delays="leaf", plies=1).ok
