"""A solution tree as text: one line while there is one reply, a new one for each of several."""

import json

from hisshi.core.proof_form import with_references
from hisshi.lab.tree_text import tree_lines

LEAF = {"move": "G*5b", "replies": {}}


def text_of(tree, most=200):
    return tree_lines(json.dumps(with_references(tree)), most)


def test_a_line_runs_on_while_there_is_one_reply():
    assert text_of(LEAF) == ["1. G*5b"]
    assert text_of({"move": "R*5d", "replies": {"5a4a": LEAF}}) == ["1. R*5d 5a4a G*5b"]


def test_each_of_several_replies_begins_a_line_with_its_ply():
    other = {"move": "5d5b+", "replies": {"4a3a": LEAF}}
    tree = {
        "move": "R*5d",
        "replies": {"5a4a": {"move": "S*4b", "replies": {"4a3a": LEAF, "4a5a": LEAF}}, "5a6a": other},
    }
    assert text_of(tree) == [
        "1. R*5d",
        "  2. 5a4a S*4b",
        "    4. 4a3a G*5b",
        "    4. 4a5a G*5b",
        "  2. 5a6a 5d5b+ 4a3a G*5b",
    ]


def test_missing_replies_are_shown():
    assert text_of({"move": "R*5d", "replies": {}, "cut": True}) == ["1. R*5d …"]
    assert text_of({"move": "R*5d", "replies": {"5a4a": LEAF}, "cut": True}) == ["1. R*5d … 5a4a G*5b"]


def test_a_node_that_is_written_once_is_shown_wherever_it_occurs():
    shared = {"move": "S*4b", "replies": {"4a3a": LEAF}}
    tree = {"move": "R*5d", "replies": {"5a4a": shared, "5a6a": shared}}
    assert "same_as" in json.dumps(with_references(tree))
    assert text_of(tree) == ["1. R*5d", "  2. 5a4a S*4b 4a3a G*5b", "  2. 5a6a S*4b 4a3a G*5b"]


def test_a_large_tree_is_shown_in_part():
    tree = LEAF
    for _ in range(30):  # written once each, a thousand million lines
        tree = {"move": "R*5d", "replies": {"5a4a": tree, "5a6a": tree}}
    shown = text_of(tree, 5)
    assert len(shown) == 6 and shown[-1] == "… more lines; --json FILE has all of it"


def test_a_long_line_is_shown_whole():
    tree = LEAF
    for _ in range(3_000):
        tree = {"move": "R*5d", "replies": {"5a4a": tree}}
    from hisshi.lab import deep_json

    (line,) = tree_lines(deep_json.dumps(tree))
    assert len(line.split()) == 6_002
