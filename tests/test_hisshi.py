"""Hisshi search: what it calls proven is a hisshi of that length, by its rule, and the checker accepts the proof."""

import copy
from functools import cache

import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.hisshi_checker import check_hisshi_proof, counts
from hisshi.core.kernel.control import STOP
from hisshi.core.kernel.roles.hisshi_rule import call_hisshi_rule
from hisshi.core.kernel.table import UNKNOWN
from hisshi.core.reference import ReferenceBoard

compiled = pytest.mark.compiled  # ten thousands of nodes

BELLY_SILVER = "5+B1nl/7k1/6pp1/8p/9/9/9/9/9 b S2rb4g3s3n3l15p 1"
BELLY_SILVER_3 = "5+B1nl/8k/6pp1/8p/9/9/9/9/9 b GS2rb3g3s3n3l15p 1"
TWO_GOLDS = "4k4/2G1g4/9/9/9/9/9/9/9 b 2G2r2b4s4n4l18p 1"
LENGTHS = [  # position, plies, first moves that solve
    (BELLY_SILVER, 1, ["S*3b"]),
    ("4+P1Bnl/8k/5+Ppp1/8p/9/9/9/9/9 b G2rb3g4s3n3l13p 1", 1, ["4c3b", "4c3c"]),
    ("lnS6/9/kpp6/p8/9/9/9/9/9 b 2G2r2b2g3s3n3l15p 1", None, []),
    pytest.param("7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1", 3, ["S*2c"], marks=compiled),
    pytest.param(BELLY_SILVER_3, 3, ["G*2b"], marks=compiled),
    pytest.param("6gnl/4+P1sk1/4B1pp1/8p/9/9/9/9/9 b GS 1", 5, ["5c3a+"], marks=compiled),
]
REFUTED = [  # claimed in print: position, plies
    ("lnS6/9/kpp6/p8/9/P1P6/1P7/9/L8 b 2Gs 1", 3),
    ("7nl/6gk1/4+P1spp/5pp2/9/9/9/9/9 b RB 1", 1),
    ("5k1nl/6g2/4+Ppsp1/6p1p/9/9/9/9/9 b 2GS2r2b1g2s3n3l13p 1", 1),
]
CHECK_SAVES = "5+B1nl/7k1/6pp1/8p/9/9/9/9/8K b Sr 1"  # against S*3b: a check by the rook gains a square
MATE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"


@cache
def composed(rule="strong", **settings):
    return Registry.load().compose("hisshi-full", {"hisshi_rule": rule, "mate_nodes": "100000", **settings})


def solved(sfen, rule="strong", **settings):
    limits = {key: settings.pop(key) for key in ("node_limit",) if key in settings}
    return solve(Position.from_sfen(sfen), composed(rule, **settings), want_proof=True, **limits)


@pytest.mark.parametrize(("sfen", "plies", "first"), LENGTHS)
def test_hisshi_have_their_lengths_and_the_checker_accepts_them(sfen, plies, first):
    result = solved(sfen, max_plies=str(plies or 1))
    assert (result.verdict, result.plies) == (("proven", plies) if plies else ("unknown", None))
    if plies:
        assert result.moves[0] in first and len(result.moves) == plies
        assert result.length_is == "shortest"
        report = check_hisshi_proof(sfen, result.proof, rule="strong", plies=plies)
        assert (report.problems, report.plies) == ((), plies)


@compiled
@pytest.mark.parametrize(("sfen", "plies"), REFUTED)
def test_what_is_refuted_is_never_proven(sfen, plies):
    assert solved(sfen, max_plies=str(plies)).verdict == "unknown"


def test_a_mate_is_reported_as_a_mate():
    result = solved(MATE)
    assert (result.verdict, result.plies, result.reason, len(result.moves)) == ("proven", 0, "a mate", 1)
    assert check_hisshi_proof(MATE, result.proof, rule="strong", plies=0).problems == ()


def test_what_was_not_found_says_within_how_many_plies():
    result = solved("4k4/9/9/9/9/9/9/9/9 b P 1", max_plies="1")
    assert (result.verdict, result.reason) == ("unknown", "no hisshi within 1 plies")


def test_running_out_of_nodes_is_unknown():
    result = solved(BELLY_SILVER_3, node_limit=50)
    assert (result.verdict, result.reason) == ("unknown", "node limit")


def test_the_stop_flag_ends_the_search_without_a_verdict():
    run = composed()
    run.warm()
    run.clear()
    run.control[STOP] = 1
    position = Position.from_sfen(BELLY_SILVER)
    record = position.copy_record()
    assert run.search(record) == UNKNOWN
    assert record.tobytes() == position.record.tobytes()


@compiled
def test_mates_that_take_too_many_nodes_leave_the_verdict_open():
    result = solved(BELLY_SILVER, mate_nodes="2", max_plies="1")
    assert result.verdict == "unknown"
    assert result.reason == "none found within 1 plies"


RULE_MOVES = [  # position, the defender's move, does it count: strong, weak, kfend
    ("8k/9/9/9/9/9/9/9/4K4 w r 1", "R*5e", (True, False, False)),  # a check from afar
    (
        "4k4/9/9/9/9/9/9/9/4K4 w r 1",
        "R*5e",
        (True, False, True),
    ),  # a check that also looks at the square before the king
    ("8k/9/9/9/9/9/3r5/9/4K4 w - 1", "6g5g", (True, False, False)),
    ("8k/9/9/9/9/r8/9/9/P3K4 w - 1", "9f9i", (True, False, True)),  # a check that captures
    ("4k4/9/9/9/9/9/9/9/4K4 w r 1", "5a4b", (True, True, True)),  # no check
]


@pytest.mark.parametrize(("sfen", "move", "wanted"), RULE_MOVES)
def test_which_moves_count_by_each_rule(sfen, move, wanted):
    position = Position.from_sfen(sfen)
    for rule, expected in zip(("strong", "weak", "kfend"), wanted, strict=True):
        run = composed(rule)
        run.warm()
        context, record = run.root.context, position.copy_record()
        assert bool(call_hisshi_rule(context, record, position.usi_moves()[move])) == expected, rule
        assert counts(ReferenceBoard.from_sfen(sfen), move, rule) == expected, rule


@compiled
def test_a_check_that_saves_is_left_out_by_the_weak_rule_alone():
    weak, strong = solved(CHECK_SAVES, "weak", max_plies="1"), solved(CHECK_SAVES, "strong", max_plies="1")
    assert (weak.verdict, weak.plies) == ("proven", 1)
    assert strong.verdict == "unknown"
    assert check_hisshi_proof(CHECK_SAVES, weak.proof, rule="weak").ok
    assert not check_hisshi_proof(CHECK_SAVES, weak.proof, rule="strong").ok


# The checker: a proof damaged in any way is refused.


@cache
def a_proof():
    return solved(BELLY_SILVER, max_plies="1").proof


def _first(proof, kind):
    return next(reply for reply in proof["replies"] if kind(proof["replies"][reply]["mate"]))


def _drop_reply(proof):
    del proof["replies"][_first(proof, lambda _: True)]


def _add_reply(proof):
    proof["replies"]["9i9h"] = {"mate": {"move": "S*3b", "replies": {}}}


def _no_threat(proof):
    del proof["threat"]


def _threat_is_no_mate(proof):
    proof["threat"] = {"move": "4a3b", "replies": {}}


def _other_move(proof):
    proof["move"] = "S*9i"


def _illegal_move(proof):
    proof["move"] = "S*4a"


def _move_of_no_kind(proof):
    proof["move"] = 7


def _replies_of_no_kind(proof):
    proof["replies"] = ["1a1b"]


def _mate_cut_short(proof):
    reply = _first(proof, lambda mate: mate["replies"])
    proof["replies"][reply]["mate"]["replies"] = {}


def _mate_without_a_reply(proof):
    mate = proof["replies"][_first(proof, lambda mate: mate["replies"])]["mate"]
    del mate["replies"][next(iter(mate["replies"]))]


def _mate_with_another_move(proof):
    proof["replies"][_first(proof, lambda _: True)]["mate"]["move"] = "9i9h"


def _mate_of_no_kind(proof):
    proof["replies"][_first(proof, lambda _: True)] = {"mate": None}


def _answer_of_no_kind(proof):
    proof["replies"][_first(proof, lambda _: True)] = "mate"


def _answer_without_anything(proof):
    proof["replies"][_first(proof, lambda _: True)] = {}


def _answer_is_another_hisshi(proof):
    proof["replies"][_first(proof, lambda _: True)] = copy.deepcopy(proof)


def _swapped_mates(proof):
    replies = [r for r in proof["replies"] if proof["replies"][r]["mate"]["replies"]]
    others = [
        r
        for r in proof["replies"]
        if proof["replies"][r]["mate"]["move"] != proof["replies"][replies[0]]["mate"]["move"]
    ]
    proof["replies"][replies[0]], proof["replies"][others[0]] = (
        proof["replies"][others[0]],
        proof["replies"][replies[0]],
    )


def _root_is_a_mate(proof):
    mate = proof["threat"]
    proof.clear()
    proof["mate"] = mate


DAMAGES = [
    value
    for name, value in sorted(globals().items())
    if name.startswith("_") and callable(value) and name not in ("_first",)
]


@compiled
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__.strip("_"))
def test_a_damaged_proof_is_refused(damage):
    proof = copy.deepcopy(a_proof())
    assert check_hisshi_proof(BELLY_SILVER, proof, rule="strong", plies=1).ok
    damage(proof)
    report = check_hisshi_proof(BELLY_SILVER, proof, rule="strong", plies=1)
    assert not report.ok
    assert all(len(problem) < 400 and problem.isprintable() for problem in report.problems)


@compiled
def test_a_proof_longer_than_claimed_is_refused():
    assert not check_hisshi_proof(BELLY_SILVER, a_proof(), rule="strong", plies=0).ok


@pytest.mark.parametrize("proof", [None, 7, "S*3b", [], {}, {"move": "S*3b"}, {"move": "S*3b", "replies": 3}])
def test_what_is_no_proof_is_a_problem_and_no_exception(proof):
    assert not check_hisshi_proof(BELLY_SILVER, proof, rule="strong").ok


def test_a_bad_position_or_rule_is_a_problem_and_no_exception():
    assert not check_hisshi_proof("nonsense", {}, rule="strong").ok
    assert not check_hisshi_proof("9/9/9/9/9/9/9/9/9 b G 1", {}, rule="strong").ok
    assert "no rule named" in check_hisshi_proof(BELLY_SILVER, {}, rule="wek").problems[0]


@compiled
def test_the_same_question_takes_the_same_nodes():
    assert solved(BELLY_SILVER_3).nodes == solved(BELLY_SILVER_3).nodes


@compiled
def test_a_saved_proof_is_verified_from_its_file(tmp_path):
    from hisshi.lab.outcome import json_line, outcome_of_result
    from hisshi.lab.problem import Problem
    from hisshi.lab.proof_files import verify_file

    rows = []
    for sfen in (BELLY_SILVER, MATE):
        outcome = outcome_of_result(Problem("one", sfen, 1, "", 1), solved(sfen), True)
        rows.append(json_line(outcome, True))
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text("\n".join(rows), encoding="utf-8")
    bad.write_text(rows[0].replace('"plies": 1', '"plies": 0'), encoding="utf-8")
    verdicts = list(verify_file(str(good)))
    assert all(verdict.is_claim and verdict.holds for verdict in verdicts)
    assert "hisshi of 1 plies by the rule 'strong'" in verdicts[0].text
    assert "ok, a mate" in verdicts[1].text
    assert not any(verdict.holds for verdict in verify_file(str(bad)))
