"""The form of a proof tree, as JSON can hold it: what a node is, and how a node that occurs often is written once.

An attacker node is ``{"move": usi, "replies": {usi: attacker node, …}}``, and empty replies say that the move mates.

In long proofs whole subtrees are the same, by the million. In memory they are one object. Written down, such a node
has a number where it comes first, ``{"id": 7, "move": …, "replies": …}``, and is ``{"same_as": 7}`` wherever it comes
again. First is meant in the order of the text, so a reference comes after the whole of its node, and never inside it.
All places of a node must be one position. Nodes without replies are not worth a number and are written in full.

Where a length leaves out useless interpositions, a node may have another key, ``"useless": {usi: answer, …}``, and an
answer is ``{"capture": usi, "replies": …}``, again perhaps with ``"useless"``. Answers have no number; nodes below may.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hisshi.core.sfen import shorten

LARGEST_NUMBER = 2**53 - 1  # that every JSON reader keeps exactly

_BRANCHES = ("replies", "useless")
_MOVES_SHOWN = 6

Line = tuple["Line", str] | None  # a line of moves as a chain, last move first, so that long lines share their start


def with_references(proof: dict[str, Any]) -> dict[str, Any]:
    """Return `proof`, whose equal subtrees are one object, as a tree that holds each of them once.

    Without such subtrees that is `proof` itself; else a copy. Takes time and memory for the different nodes only.
    """
    # 1. How often each node occurs.
    times: Counter[int] = Counter()
    waiting = [proof]
    while waiting:
        node = waiting.pop()
        times[id(node)] += 1
        if times[id(node)] == 1:
            waiting += [child for key in _BRANCHES for child in node.get(key, {}).values()]
    if not any(count > 1 for count in times.values()):
        return proof
    # 2. A copy, in the order of the text.
    numbers: dict[int, int] = {}
    root: dict[str, Any] = {}
    places: list[tuple[dict[str, Any], str, dict[str, Any]]] = [(root, "proof", proof)]
    while places:
        place, name, node = places.pop()
        if id(node) in numbers:
            place[name] = {"same_as": numbers[id(node)]}
            continue
        copy: dict[str, Any] = {}
        if times[id(node)] > 1 and "move" in node and any(node.get(key) for key in _BRANCHES):
            copy["id"] = numbers[id(node)] = len(numbers) + 1
        below: list[tuple[dict[str, Any], str, dict[str, Any]]] = []
        for key, value in node.items():
            copy[key] = dict(value) if key in _BRANCHES else value
            if key in _BRANCHES:
                below += [(copy[key], reply, child) for reply, child in value.items()]
        place[name] = copy
        places += reversed(below)
    return dict(root["proof"])


def numbered_nodes(proof: object) -> dict[int, object]:
    """Return the nodes of `proof`, any object, that have a number; ValueError if a number or a reference is wrong.

    A subtree that is one object is looked at once.
    """
    nodes: dict[int, object] = {}
    begun: set[int] = set()  # numbers of the nodes that the walk is inside of
    seen: set[int] = set()
    walk: list[tuple[object, Line, int]] = [(proof, None, 0)]  # a number: the node of that number ends here
    while walk:
        node, line, ends = walk.pop()
        begun.discard(ends)
        if ends or not isinstance(node, dict) or id(node) in seen:
            continue
        seen.add(id(node))
        if "same_as" in node:
            number = _read_number(node, "same_as", line)
            if len(node) > 1:
                raise ValueError(say(line, f"a node that is the same as node {number} has other keys too"))
            if number not in nodes:
                raise ValueError(say(line, f"the same as node {number}, but no node before has that number"))
            if number in begun:
                raise ValueError(say(line, f"the same as node {number}, which it is a part of"))
            continue
        if "id" in node:
            number = _read_number(node, "id", line)
            if number in nodes:
                raise ValueError(say(line, f"two nodes have the number {number}"))
            nodes[number] = node
            begun.add(number)
            walk.append((None, None, number))
        move = node.get("move", node.get("capture"))
        line = (line, move) if isinstance(move, str) else line
        branches = [node[key] for key in node if key in _BRANCHES and isinstance(node[key], dict)]
        below = [(branch[reply], (line, _text(reply)), 0) for branch in branches for reply in branch]
        walk += reversed(below)
    return nodes


def follow_reference(node: object, nodes: dict[int, object]) -> object:
    """Return the node that `node` is the same as, among the `numbered_nodes`, or `node` itself if it is in full."""
    return nodes[node["same_as"]] if isinstance(node, dict) and "same_as" in node else node


def read_node(
    node: object, with_useless: bool, first: str = "move"
) -> tuple[str, dict[str, object], dict[str, object]]:
    """Return the move under the key `first`, replies, and useless replies of a node; ValueError if `node` is none."""
    needed = (first, "replies")
    allowed = (*needed, "useless") if with_useless else needed
    if not isinstance(node, dict):
        raise ValueError(f"expected an object with '{first}' and 'replies', got {quote(node)}")
    if absent := [key for key in needed if key not in node]:
        raise ValueError(f"the node has no {absent[0]!r}, expected '{first}' and 'replies'")
    if unknown := [key for key in node if key not in allowed and (key, first) != ("id", "move")]:
        raise ValueError(f"the node has a key {quote(unknown[0])}, expected only {' and '.join(map(repr, allowed))}")
    move = node[first]
    if not isinstance(move, str):
        raise ValueError(f"'{first}' is {quote(move)}, expected a USI move as text")
    return move, _read_replies(node, "replies"), _read_replies(node, "useless") if "useless" in node else {}


def _read_replies(node: dict[str, object], key: str) -> dict[str, object]:
    replies = node[key]
    if not isinstance(replies, dict):
        raise ValueError(f"'{key}' is {quote(replies)}, expected an object of USI moves and nodes")
    if odd := [reply for reply in replies if not isinstance(reply, str)]:
        raise ValueError(f"a reply is {quote(odd[0])}, expected a USI move as text")
    return replies


def _read_number(node: dict[str, object], key: str, line: Line) -> int:
    number = node[key]
    if type(number) is not int:
        raise ValueError(say(line, f"'{key}' is {quote(number)}, expected a whole number"))
    if not 0 < number <= LARGEST_NUMBER:
        raise ValueError(say(line, f"'{key}' is out of range, expected 1 to {LARGEST_NUMBER}"))
    return number


def _text(found: object) -> str:
    return found if isinstance(found, str) else quote(found)


def quote(found: object) -> str:
    """Return `found` for a message: a text or number as it is, of anything else the type, which is short for sure."""
    if isinstance(found, str):
        return f"'{shorten(found)}'"
    return repr(found) if found is None or isinstance(found, bool | float) else f"of type {type(found).__name__}"


def list_moves(moves: Sequence[str]) -> str:
    """Return the first few of `moves`, and how many more there are."""
    shown = ", ".join(shorten(move) for move in moves[:_MOVES_SHOWN])
    return shown + (f" and {len(moves) - _MOVES_SHOWN} more" if len(moves) > _MOVES_SHOWN else "")


def say(line: Line, problem: str) -> str:
    """Return `problem` with the place where it was found: the last moves of `line`."""
    moves: list[str] = []
    while line is not None:
        line, move = line
        moves.append(move)
    if not moves:
        return f"at the root: {problem}"
    start = f"ply {len(moves)}, after {'… ' if len(moves) > _MOVES_SHOWN else ''}"
    return f"{start}{' '.join(shorten(move, 9) for move in reversed(moves[:_MOVES_SHOWN]))}: {problem}"
