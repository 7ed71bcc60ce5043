"""The proof checker: complete proofs pass, and every way to damage one is found and named."""

import copy
import inspect
import random
import sys
from collections import Counter
from typing import Any

import pytest

from hisshi.core import checker
from hisshi.core.checker import check_line, check_mate_proof
from hisshi.core.reference import ReferenceBoard

SFEN = "7nl/7k1/5+P1pp/9/6N2/9/9/9/9 b GS 1"
PROOF: dict[str, Any] = {
    "move": "S*3a",
    "replies": {
        "2b1b": {"move": "G*2b", "replies": {}},
        "2b3a": {"move": "G*3b", "replies": {}},
    },
}
CHASE = "4k4/9/9/9/9/9/9/9/8+R b - 1"  # a dragon alone: checks almost without end, never mate


def damaged(**changes: object) -> dict[str, Any]:
    """PROOF with the answer to 2b1b changed; a value of `...` takes the key out."""
    proof = copy.deepcopy(PROOF)
    node = proof["replies"]["2b1b"]
    for key, value in changes.items():
        if value is ...:
            del node[key]
        else:
            node[key] = value
    return proof


def problems(proof: object, sfen: str = SFEN, plies: int | None = None) -> str:
    report = check_mate_proof(sfen, proof, plies=plies)
    assert not report.ok
    assert all(len(problem) < 300 and problem.isprintable() for problem in report.problems)
    return "; ".join(report.problems)


def proof_by_trying_everything(position: ReferenceBoard, plies: int) -> dict[str, object] | None:
    for move in position.checks():
        after = position.after(move)
        evasions = after.evasions()
        replies: dict[str, object] = {}
        for evasion in evasions if plies > 1 else []:
            below = proof_by_trying_everything(after.after(evasion), plies - 2)
            if below is None:
                break
            replies[evasion] = below
        if len(replies) == len(evasions):
            return {"move": move, "replies": replies}
    return None


def can_be_taken(position: ReferenceBoard, square: str) -> bool:
    return any(move[2:4] == square for move in position.evasions())


def chase(plies: int) -> list[str]:
    """A line of checks and evasions that goes to the positions seen least, so that none occurs four times."""
    chance = random.Random(1)
    position = ReferenceBoard.from_sfen(CHASE)
    seen = Counter([position.key()])
    moves: list[str] = []
    while len(moves) < plies:
        safe = [move for move in position.checks() if not can_be_taken(position.after(move), move[2:4])]
        candidates = position.evasions() or safe
        move = min(candidates, key=lambda move: (seen[position.after(move).key()], chance.random()))
        position = position.after(move)
        seen[position.key()] += 1
        moves.append(move)
    assert max(seen.values()) < 4
    return moves


def nested(moves: list[str]) -> dict[str, object]:
    """A tree that holds one line of moves and nothing else."""
    node: dict[str, object] = {"move": moves[-1], "replies": {}}
    for at in range(len(moves) - 2, 0, -2):
        node = {"move": moves[at - 1], "replies": {moves[at]: node}}
    return node


# Complete proofs.


def test_a_complete_proof_passes_with_its_length_and_size():
    report = check_mate_proof(SFEN, PROOF)
    assert report.ok
    assert report.problems == ()
    assert report.plies == 3
    assert report.nodes == 5


def test_the_claimed_length_may_be_longer_than_the_proof():
    assert check_mate_proof(SFEN, PROOF, plies=3).ok
    assert check_mate_proof(SFEN, PROOF, plies=5).ok


def test_a_proof_in_which_no_pawn_drop_mates_passes():
    sfen = "7ll/6+P1k/6+S2/7pp/7N1/9/9/9/9 b P2r2b4g3s3n2l14p 1"
    proof = proof_by_trying_everything(ReferenceBoard.from_sfen(sfen), 5)
    assert check_mate_proof(sfen, proof, plies=5).ok


def test_a_proof_with_both_kings_and_counterchecks_passes():
    sfen = "4R1lk1/5s3/6+B2/7rP/9/9/9/9/6K2 b Sb4g2s4n3l17p 1"
    proof = proof_by_trying_everything(ReferenceBoard.from_sfen(sfen), 7)
    assert check_mate_proof(sfen, proof, plies=7).ok


def test_an_odd_position_is_checked_only_if_strict_is_off():
    sfen = "7k1/9/7P1/7P1/9/9/9/9/9 b G 1"
    proof = {"move": "G*2b", "replies": {}}
    assert "two unpromoted pawns" in problems(proof, sfen)
    assert check_mate_proof(sfen, proof, strict=False).ok


# Damaged proofs: what is wrong with the moves.


def test_one_object_as_the_answer_in_two_positions_is_replayed_in_both():
    same = {"move": "G*2b", "replies": {}}  # mates after 2b1b alone
    assert "after S*3a 2b3a" in problems({"move": "S*3a", "replies": {"2b1b": same, "2b3a": same}})


def test_a_missing_evasion_is_found():
    proof = copy.deepcopy(PROOF)
    del proof["replies"]["2b1b"]
    assert problems(proof) == "ply 1, after S*3a: evasions without an answer: 2b1b"


def test_a_leaf_that_does_not_mate_is_found():
    assert problems({"move": "S*3a", "replies": {}}) == (
        "ply 1, after S*3a: evasions without an answer: 2b1b, 2b3a; the move does not mate"
    )


@pytest.mark.parametrize("reply", ["2b2a", "2b1c", "G*5e", "hello", "", pytest.param("\0" * 5000, id="binary")])
def test_a_reply_that_is_no_legal_evasion_is_found(reply):
    proof = copy.deepcopy(PROOF)
    proof["replies"][reply] = {"move": "G*2b", "replies": {}}
    assert "ply 1, after S*3a: replies that are not legal evasions:" in problems(proof)


def test_a_reply_to_mate_is_found():
    proof = damaged(replies={"1b2b": {"move": "5e5d", "replies": {}}})
    assert problems(proof) == "ply 3, after S*3a 2b1b G*2b: replies that are not legal evasions: 1b2b; the move mates"


@pytest.mark.parametrize("move", ["G*1b", "G*2z", "S*2c", "4c4b=", "", pytest.param("7" * 5000, id="endless")])
def test_an_illegal_move_of_the_attacker_is_found(move):
    assert problems(damaged(move=move)).startswith("ply 2, after S*3a 2b1b: attacker's move '")
    assert "' is not legal" in problems(damaged(move=move))


def test_a_move_that_is_no_check_is_found():
    assert problems(damaged(move="G*5e")) == "ply 2, after S*3a 2b1b: attacker's move 'G*5e' is not a check"


def test_a_mate_by_a_pawn_drop_is_found():
    proof = {"move": "P*9b", "replies": {}}
    assert problems(proof, "kn7/9/1G7/9/9/9/9/9/9 b P 1") == "at the root: attacker's move 'P*9b' is not legal"


def test_a_move_that_leaves_the_attackers_own_king_in_check_is_found():
    proof = {"move": "G*2b", "replies": {}}
    assert check_mate_proof("7k1/9/7P1/9/9/9/9/4r4/K8 b G 1", proof).ok
    assert "attacker's move 'G*2b' is not legal" in problems(proof, "7k1/9/7P1/9/9/9/9/9/K3r4 b G 1")


def test_a_line_longer_than_claimed_is_found():
    assert problems(PROOF, plies=1) == "the longest line has 3 plies, 1 are claimed"


def test_a_threat_is_no_mate():
    assert "is not a check" in problems({"move": "G*4b", "replies": {}})


def test_perpetual_check_proves_nothing():
    first = {"move": "2i1i", "replies": {}}
    second = {"move": "1i2i", "replies": {"2a1a": first}}
    first["replies"] = {"1a2a": second}  # a tree that contains itself
    found = problems(first, "8k/9/9/9/9/9/9/9/7R1 b - 1")
    assert "'2i1i' repeats a position for the fourth time: perpetual check loses" in found


# Damaged proofs: what is wrong with the tree.


@pytest.mark.parametrize(
    ("proof", "words"),
    [
        (None, "at the root: expected an object with 'move' and 'replies', got None"),
        ([], "expected an object with 'move' and 'replies', got of type list"),
        ("S*3a", "expected an object with 'move' and 'replies', got 'S*3a'"),
        pytest.param(10**5000, "expected an object with 'move' and 'replies', got of type int", id="huge"),
        ({}, "the node has no 'move', expected 'move' and 'replies'"),
        ({"move": "S*3a"}, "the node has no 'replies', expected 'move' and 'replies'"),
        ({"replies": {}}, "the node has no 'move'"),
        ({**PROOF, "threat": True}, "the node has a key 'threat', expected only 'move' and 'replies'"),
        ({**PROOF, "move": 7}, "'move' is of type int, expected a USI move as text"),
        ({**PROOF, "move": None}, "'move' is None, expected a USI move as text"),
        ({**PROOF, "replies": ["2b1b"]}, "'replies' is of type list, expected an object"),
        ({**PROOF, "replies": None}, "'replies' is None, expected an object"),
        ({**PROOF, "replies": {7: PROOF}}, "a reply is of type int, expected a USI move as text"),
        (damaged(move=...), "ply 2, after S*3a 2b1b: the node has no 'move'"),
        (damaged(replies=...), "ply 2, after S*3a 2b1b: the node has no 'replies'"),
        ({**PROOF, "replies": {**PROOF["replies"], "2b1b": None}}, "ply 2, after S*3a 2b1b: expected an object"),
    ],
)
def test_a_malformed_tree_is_a_problem_and_no_exception(proof, words):
    assert words in problems(proof)


def test_every_problem_is_listed_not_only_the_first():
    proof = copy.deepcopy(PROOF)
    proof["replies"]["2b1b"]["move"] = "G*5e"
    proof["replies"]["2b3a"]["move"] = "G*9i"
    proof["replies"]["2b9i"] = None
    assert len(check_mate_proof(SFEN, proof).problems) == 3


@pytest.mark.parametrize("sfen", ["", "4k41/9/9/9/9/9/9/9/9 b - 1", "4k4/4G4/9/9/9/9/9/9/9 b - 1"])
def test_a_bad_position_is_a_problem_and_no_exception(sfen):
    assert problems(PROOF, sfen).startswith("sfen ")
    assert check_line(sfen, ["S*3a"]).problems[0].startswith("sfen ")


def test_a_position_without_a_king_to_mate_is_a_problem():
    assert "the defender has no king" in problems(PROOF, "9/9/9/9/9/9/9/9/4K4 b GS 1")


def test_a_proof_deeper_than_the_recursion_limit_is_walked_to_its_end(monkeypatch):
    monkeypatch.setattr(checker, "MOST_PROBLEMS", 1_000_000)
    proof = nested(chase(701))
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 60)
    try:
        report = check_mate_proof(CHASE, proof)
    finally:
        sys.setrecursionlimit(usual)
    assert report.plies == 701
    assert report.nodes == 701
    assert all("evasions without an answer" in problem for problem in report.problems)


def test_a_proof_deeper_than_any_mate_is_given_up(monkeypatch):
    monkeypatch.setattr(checker, "LONGEST_PROOF", 9)
    assert "the proof is deeper than 9 plies" in problems(nested(chase(21)), CHASE)


def test_a_hopeless_proof_is_left_after_a_number_of_problems():
    assert len(check_mate_proof(CHASE, nested(chase(301))).problems) == checker.MOST_PROBLEMS


# Lines.


def test_a_line_of_checks_that_ends_in_mate_passes():
    report = check_line(SFEN, ["S*3a", "2b1b", "G*2b"])
    assert report.ok
    assert report.plies == 3


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ([], "at the root: the line does not end in mate"),
        (["S*3a"], "ply 1, after S*3a: the line does not end in mate"),
        (["S*3a", "2b1b"], "ply 2, after S*3a 2b1b: the line does not end in mate"),
        (["S*3a", "2b1b", "G*5e"], "ply 2, after S*3a 2b1b: attacker's move 'G*5e' is not a check"),
        (["S*3a", "2b2a", "G*2b"], "ply 1, after S*3a: move '2b2a' is not legal"),
        (["S*3a", "2b1b", "G*2b", "1b1a"], "move '1b1a' is not legal"),
        (["S*3a", 7], "move of type int is not legal"),
        ("S*3a 2b1b G*2b", "expected a list of USI moves, got 'S*3a 2b1b G*2b'"),
        (None, "expected a list of USI moves, got None"),
    ],
)
def test_a_line_that_proves_no_mate_is_named(moves, words):
    report = check_line(SFEN, moves)
    assert not report.ok
    assert words in report.problems[0]


def test_a_long_line_is_named_by_its_last_moves():
    report = check_line(CHASE, chase(51))
    assert report.problems[0].startswith("ply 51, after … ")
    assert len(report.problems[0]) < 100
