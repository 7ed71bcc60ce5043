"""Proof trees whose equal subtrees are one object: written once, read as one again, and no reference can mislead."""

import json
from typing import Any

import pytest

from hisshi.core.checker import check_line_of_proof, check_mate_proof
from hisshi.core.proof_form import with_references
from hisshi.lab import deep_json

SFEN = "7nl/7k1/5+P1pp/9/6N2/9/9/9/9 b GS 1"
LEAF = {"move": "G*2b", "replies": {}}
OTHER = {"move": "G*3b", "replies": {}}
PROOF = {"move": "S*3a", "replies": {"2b1b": LEAF, "2b3a": OTHER}}


def one_reply(node: Any, **more: Any) -> dict[str, Any]:
    return {**more, "move": "S*3a", "replies": {"2b1b": node}}


def two_replies(first: Any, second: Any, **more: Any) -> dict[str, Any]:
    return {**more, "move": "S*3a", "replies": {"2b1b": first, "2b3a": second}}


def test_a_tree_that_shares_nothing_is_written_as_it_is():
    assert with_references(PROOF) is PROOF


def test_a_node_that_comes_again_has_a_number_at_its_first_place_in_the_text_and_refers_to_it_later():
    shared = one_reply(LEAF)
    written = with_references(two_replies(one_reply(shared), shared))
    assert json.dumps(written["replies"]) == json.dumps(
        {"2b1b": one_reply({"id": 1, **one_reply(LEAF)}), "2b3a": {"same_as": 1}}
    )
    assert "id" not in shared


def test_mates_are_written_in_full():
    assert with_references(two_replies(LEAF, LEAF)) == two_replies(LEAF, LEAF)


def test_nodes_below_useless_interpositions_are_shared_too():
    shared = one_reply(LEAF)
    answer = {"capture": "2e2c", "replies": {"2b1b": shared}}
    written = with_references({"move": "S*3a", "replies": {"2b1b": shared}, "useless": {"P*2c": answer}})
    assert written["replies"]["2b1b"]["id"] == 1
    assert written["useless"]["P*2c"] == {"capture": "2e2c", "replies": {"2b1b": {"same_as": 1}}}


def test_a_proof_takes_as_much_text_as_it_has_different_nodes():
    node = LEAF
    for _ in range(3000):
        node = two_replies(node, node)  # a tree of 2 ** 3000 mates
    text = deep_json.dumps(with_references(node))
    assert len(text) < 3000 * 100
    assert check_mate_proof(SFEN, deep_json.loads(text)).problems[0].startswith("ply 2, after S*3a 2b1b: ")


def test_a_tree_that_contains_itself_is_written_and_refused():
    tree: dict[str, Any] = one_reply(None)
    tree["replies"]["2b1b"] = one_reply(tree)
    assert (
        faults(with_references(tree)) == "ply 4, after S*3a 2b1b S*3a 2b1b: the same as node 1, which it is a part of"
    )


def faults(proof: object) -> str:
    """Return the only problem of `proof`, found as a proof and as a line of it."""
    report = check_mate_proof(SFEN, proof)
    assert len(report.problems) == 1
    assert check_line_of_proof(["S*3a", "2b1b", "G*2b"], proof) == report.problems[0]
    return report.problems[0]


@pytest.mark.parametrize(
    ("proof", "fault"),
    [
        ({"same_as": 1}, "at the root: the same as node 1, but no node before has that number"),
        (two_replies({"same_as": 7}, OTHER), "after S*3a 2b1b: the same as node 7, but no node before has that number"),
        (
            two_replies({"same_as": 1}, {"id": 1, **OTHER}),
            "2b1b: the same as node 1, but no node before has that number",
        ),
        (two_replies({"id": 1, **LEAF}, {"id": 1, **OTHER}), "after S*3a 2b3a: two nodes have the number 1"),
        (
            two_replies({"id": 1, **LEAF}, {"id": 2, "same_as": 1}),
            "2b3a: a node that is the same as node 1 has other keys",
        ),
        (two_replies({"same_as": 1}, OTHER, id=1), "after S*3a 2b1b: the same as node 1, which it is a part of"),
        (one_reply(one_reply({"same_as": 1}), id=1), "S*3a 2b1b S*3a 2b1b: the same as node 1, which it is a part of"),
        ({"id": "1", **PROOF}, "at the root: 'id' is '1', expected a whole number"),
        ({"id": True, **PROOF}, "at the root: 'id' is True, expected a whole number"),
        ({"id": None, **PROOF}, "at the root: 'id' is None, expected a whole number"),
        ({"id": 1.0, **PROOF}, "at the root: 'id' is 1.0, expected a whole number"),
        ({"id": [1], **PROOF}, "at the root: 'id' is of type list, expected a whole number"),
        ({"id": 0, **PROOF}, "at the root: 'id' is out of range, expected 1 to 9007199254740991"),
        pytest.param({"id": 10**5000, **PROOF}, "at the root: 'id' is out of range", id="huge"),
        (two_replies({"same_as": {}}, OTHER), "after S*3a 2b1b: 'same_as' is of type dict, expected a whole number"),
        (two_replies({"same_as": -1}, OTHER), "after S*3a 2b1b: 'same_as' is out of range"),
    ],
)
def test_a_number_or_reference_that_is_wrong_is_one_problem_and_no_exception(proof, fault):
    assert fault in faults(proof)


def test_a_reference_stands_for_the_same_position_only():
    mates = two_replies({"id": 1, **LEAF}, {"same_as": 1})
    assert "node 1 stands for two positions" in "; ".join(check_mate_proof(SFEN, mates).problems)


def test_a_number_that_nothing_refers_to_is_no_fault():
    assert check_mate_proof(SFEN, {"id": 3, **two_replies({"id": 9, **LEAF}, OTHER)}).ok


@pytest.mark.parametrize("answer", [{"same_as": 1}, {"id": 2, "capture": "2e2c", "replies": {}}])
def test_answers_to_useless_interpositions_have_no_number_and_are_no_references(answer):
    useless = {f"{kind}*2c": {"capture": "2e2c", "replies": {}} for kind in "PLNSRG"}
    proof = {
        "move": "S*1c",
        "replies": {
            "1b2a": {"id": 1, "move": "1c2b+", "replies": {}},
            "2b1c": {"move": "2c2e+", "replies": {}, "useless": {**useless, "P*2c": answer}},
        },
    }
    report = check_mate_proof("8l/7sk/7R1/6B2/9/8b/9/9/9 b Sr4g2s4n3l18p 1", proof, useless_left_out=True)
    assert len(report.problems) == 1 and "'capture'" in report.problems[0]
    proof["replies"]["2b1c"]["useless"] = useless  # type: ignore[index]
    assert check_mate_proof("8l/7sk/7R1/6B2/9/8b/9/9/9 b Sr4g2s4n3l18p 1", proof, useless_left_out=True).ok
