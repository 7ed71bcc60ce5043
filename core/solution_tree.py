"""The solution tree, what a book prints: the attacker's winning move, and of the defender's the longest resistance.

Stage 1 asks the search, node by node, as the line does: what wins, and how long each reply lasts; it keeps the longest
replies, down to `tree_depth` plies. A search says the shortest length at the root (if it says so); further down, what
it proves may be longer than need be, so that a reply which loses sooner looks like one of the longest. Stage 2 walks
the tree depth first. Where a defender's node at depth d has two or more replies, each is searched with n - d - 3 plies:
what is proven then loses sooner than the longest, a shorter variation (変別), and goes. Where stage 1 ended, at an
attacker's node of depth d, that node's n - d plies are worked out now, in the same way, and hung on.

n is the root's length. d counts the plies that lead to a node: the defender's are odd, and n - d - 3 is two plies less
than what is left after his reply. The source's ``d > n`` for the hanging on can't hold; ``d < n`` is meant.

In a hisshi a reply that is mated has a length of 0 and is left out: where all are, the move before was the last ply. A
position that is a mate has the tree of that mate.

Source: KFEnd, "Hisshi search", 2000, the section on solutions.
"""

import time
from collections.abc import Callable
from typing import Any, Protocol

import attrs

from hisshi.core.composition import Run
from hisshi.core.hisshi_walk import HisshiWalk, PartSearch, Refuted
from hisshi.core.kernel.control import EXHAUSTED, GAVE_UP_DEPTH, GAVE_UP_NODES, GAVE_UP_STOP, NODE_LIMIT, NODES, STOP
from hisshi.core.position import Position, move_to_usi
from hisshi.core.shortest import Asked, Length
from hisshi.core.solution import Builder, Unanswered

TREE_DEPTH = 10  # plies of stage 1; the source's experience
MOST_NODES = 10_000  # attacker's nodes that are worked out, those of variations that go included
LEAST_EFFORT = 1_000_000  # nodes of search that a tree may cost at least; as many as the search itself took if more
QUESTIONS = 20  # one question may take this part of it
_RAN_OUT = GAVE_UP_STOP | GAVE_UP_NODES | GAVE_UP_DEPTH


@attrs.frozen
class SolutionTree:
    """A solution tree and how it was made.

    `root` is ``{"move": usi, "replies": {usi: node, …}}``, with ``"cut": True`` where replies are missing; equal
    subtrees are one object. `report` is plain data, see docs/json.md.
    """

    root: dict[str, Any]
    report: dict[str, Any]


class Questions(Protocol):
    """What is asked for a tree, for mates or for hisshi. Both raise `Unanswered`."""

    unanswered: int  # replies that count and that the search has no answer to: they are not in the tree

    def answer(self, position: Position, plies: int) -> tuple[str, int]:
        """Return the attacker's move that wins within `plies`, and the length proven."""
        ...

    def lengths(self, position: Position, plies: int) -> dict[str, int]:
        """Return the defender's replies to a move that wins within `plies`, each with what is left after it.

        Replies that do not prolong are left out; without any, the move was the last.
        """
        ...


class _Mates:
    def __init__(self, asked: Asked) -> None:
        self.builder = Builder(asked)
        self.unanswered = 0

    def answer(self, position: Position, plies: int) -> tuple[str, int]:
        move, length = self.builder.answer(position, plies)
        return move_to_usi(move), length.plies

    def lengths(self, position: Position, plies: int) -> dict[str, int]:
        return {reply: length.plies for reply, length in self.builder.defence(position, plies - 1).lengths.items()}


class _Hisshi:
    def __init__(self, walk: HisshiWalk) -> None:
        self.walk = walk
        self.unanswered = 0

    def answer(self, position: Position, plies: int) -> tuple[str, int]:
        return self.walk.answer(position, plies)

    def lengths(self, position: Position, plies: int) -> dict[str, int]:
        found = {}
        for reply, after in self.walk.replies(position).items():
            try:
                found[reply] = self.answer(after, max(plies - 2, 0))[1]
            except Refuted:
                if not self.walk.may_delay(position, reply, after):  # such a reply is not in the tree
                    self.unanswered += 1
        return {reply: plies for reply, plies in found.items() if plies > 0}


def build_solution_tree(
    position: Position, run: Run, length: Length, tree_depth: int = TREE_DEPTH, walk: HisshiWalk | None = None
) -> SolutionTree:
    """Return the solution tree of a position that `run` has just proven, a mate or a hisshi, of that length.

    `walk`: what has been asked about the hisshi already, if it has.

    The stop flag in ``run.control`` ends the work soon; what was done is returned, and the report says that it is not
    complete. So it is when limits of the tree's own are met: `MOST_NODES`, and nodes of search (`LEAST_EFFORT`).

    Raises
    ------
    Unanswered
        It was stopped before the first move was known.
    """
    plies = length.plies
    questions: Questions
    if run.goal == "hisshi" and plies > 0:
        questions = _Hisshi(walk or HisshiWalk(run))
    else:
        questions = _Mates(run if run.goal == "mate" else PartSearch(run, run.root.parts["mate"]))
        plies = plies or questions.builder.length(position).plies
    return _Maker(run.control, questions, tree_depth).make(position, plies)


@attrs.define(eq=False)
class _Node:
    """An attacker's node: `plies` are left, `move` wins; `lengths` are what is left after each reply, once known."""

    position: Position
    depth: int
    plies: int
    move: str
    after: Position
    lengths: dict[str, int] = attrs.field(factory=dict)
    children: "dict[str, _Node]" = attrs.field(factory=dict)
    is_open: bool = True  # not worked out yet
    is_cut: bool = False  # will not be, or not wholly
    is_walked: bool = False


class _Maker:
    def __init__(self, control: Any, questions: Questions, tree_depth: int) -> None:
        self.control, self.questions, self.tree_depth = control, questions, tree_depth
        self.nodes: dict[tuple[bytes, int, int], _Node] = {}
        self.none_shorter: set[tuple[bytes, int]] = set()
        self.grown, self.undecided, self.removed = 0, 0, 0
        self.effort = max(LEAST_EFFORT, int(control[NODES]))
        self.most = int(control[NODES]) + self.effort

    def make(self, position: Position, plies: int) -> SolutionTree:
        begun = time.perf_counter()
        root = self.node(position, plies, 0)
        self.grow(root)
        grown = time.perf_counter()
        self.walk(root)
        seconds = [round(grown - begun, 6), round(time.perf_counter() - grown, 6)]
        written: dict[int, dict[str, Any]] = {}
        tree = _plain(root, written)
        cut = sum("cut" in node for node in written.values())
        return SolutionTree(
            tree,
            {
                "complete": not (cut or self.undecided or self.questions.unanswered),
                "tree_depth": self.tree_depth,
                "nodes": len(written),
                "removed": self.removed,
                "cut": cut,
                "undecided": self.undecided,
                "unanswered": self.questions.unanswered,
                "seconds": seconds,
            },
        )

    # Questions, each with a limit.

    def ask(self, question: Callable[..., Any], position: Position, plies: int) -> Any:
        """Ask, or raise Unanswered; `control` then says why, as after any search."""
        control = self.control
        control[EXHAUSTED] = 0
        if control[STOP] != 0:  # asked here too: the answer may be known
            raise Unanswered
        if control[NODES] >= self.most:
            control[EXHAUSTED] = GAVE_UP_NODES
            raise Unanswered
        control[NODE_LIMIT] = min(self.most, int(control[NODES]) + self.effort // QUESTIONS)
        try:
            return question(position, plies)
        finally:
            control[NODE_LIMIT] = 0

    def node(self, position: Position, plies: int, depth: int) -> _Node:
        """Return the attacker's node of a position with `plies` left; the same one for the same."""
        key = (position.record.tobytes(), plies, depth)
        if key not in self.nodes:
            move, found = self.ask(self.questions.answer, position, plies)
            self.nodes[key] = _Node(position, depth, found, move, position.follow(move))
        return self.nodes[key]

    def shorter(self, position: Position, plies: int) -> int | None:
        """Return the length of a win within `plies`; None if the search finds none."""
        key = (position.record.tobytes(), plies)
        if key in self.none_shorter:
            return None
        try:
            return int(self.ask(self.questions.answer, position, plies)[1])
        except Unanswered:
            if self.control[STOP] != 0:
                raise
            self.undecided += int(self.control[EXHAUSTED]) & _RAN_OUT != 0
            self.none_shorter.add(key)
            return None

    # Stage 1.

    def grow(self, start: _Node) -> None:
        """Work out `start` and what is below it, down to `tree_depth` plies further."""
        room = self.grown + (MOST_NODES - self.grown + 1) // 2  # the rest is for what stage 2 hangs on
        waiting = [start]
        while waiting:
            node = waiting.pop()
            if not node.is_open or node.depth - start.depth >= self.tree_depth or self.grown >= room:
                continue
            self.grown += 1
            node.is_open = False
            try:
                node.lengths = self.ask(self.questions.lengths, node.after, node.plies)
            except Unanswered:
                node.is_cut = True
                continue
            self.keep_longest(node)
            waiting += reversed(node.children.values())

    def keep_longest(self, node: _Node) -> None:
        """Let the children be those of the longest replies."""
        while True:
            longest = max(node.lengths.values(), default=0)
            rest = [reply for reply, plies in node.lengths.items() if plies == longest > 0]
            try:
                children = {r: self.node(node.after.follow(r), longest, node.depth + 2) for r in rest}
            except Unanswered:
                node.is_cut = True
                return
            # Asked for so many plies, the search may prove fewer than it did: then another reply may be the longest.
            node.lengths.update({reply: child.plies for reply, child in children.items()})
            if all(child.plies == longest for child in children.values()):
                node.children = children
                return

    # Stage 2.

    def walk(self, root: _Node) -> None:
        """Take shorter variations out, and hang on what stage 1 has cut."""
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if node.is_walked:
                continue
            node.is_walked = True
            if node.is_open:
                self.grow(node)
            try:
                self.remove_shorter(node)
            except Unanswered:
                self.undecided += 1
            waiting += reversed(node.children.values())

    def remove_shorter(self, node: _Node) -> None:
        """Leave of the replies those that no shorter win is found against; never none.

        Where all of them lose sooner, the root's length is not the shortest: then what is longest now stays.
        """
        kept = set(node.children)
        while (longest := max(node.lengths.values(), default=0)) - 2 >= 1:
            rest = [reply for reply, plies in node.lengths.items() if plies == longest]
            if len(rest) < 2:
                break
            shorter = {reply: self.shorter(node.after.follow(reply), longest - 2) for reply in rest}
            node.lengths.update({reply: plies for reply, plies in shorter.items() if plies is not None})
            if None in shorter.values():
                break
        self.keep_longest(node)
        self.removed += len(kept - set(node.children))


def _plain(node: _Node, written: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """Return the node as plain data; a node that occurs again is the same object."""
    if id(node) not in written:
        plain: dict[str, Any] = {"move": node.move, "replies": {}}
        written[id(node)] = plain
        plain["replies"] = {reply: _plain(child, written) for reply, child in node.children.items()}
        if node.is_cut or node.is_open:
            plain["cut"] = True
    return written[id(node)]
