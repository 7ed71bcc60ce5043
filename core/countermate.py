"""Counter-mate verification: whether the attacker, who plays the solution, is mated himself on the way.

A hisshi under the weak rule, or KFEnd's, does not look at the attacker's king. What breaks one is mostly a threatmate
by the defender that also defends (詰めろ逃れの詰めろ): the attacker goes on with a threatmate of his own and is mated.
So at each of the defender's nodes in the solution tree, in the order of the tree, the run's search for mates is asked
whether the defender, whose move it is, mates the attacker's king.

It passes only if there is no mate at any of them. A search that runs out has not said so, nor has one that was not
made, since the tree is cut there: then it is neither passed nor failed. Lines that are not in the tree, since they lose
sooner, are not looked at: a pass does not make a weak hisshi a strong one.

Source: KFEnd, "Hisshi search", 2000, the section on play.
"""

import time
from collections.abc import Iterator
from typing import Any

import attrs

from hisshi.core.composition import Run
from hisshi.core.hisshi_walk import PartSearch
from hisshi.core.kernel.control import STOP
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN
from hisshi.core.position import Position
from hisshi.core.shortest import proven_length
from hisshi.core.solution import Builder
from hisshi.core.solution_tree import SolutionTree

MATE_NODES = 100_000  # of search at one node of the tree


@attrs.frozen
class Verification:
    """What came of it: `verified` is True, False, or None if that is not known; `report` is plain, see docs/json.md."""

    verified: bool | None
    report: dict[str, Any]


def verify_against_countermate(position: Position, run: Run, tree: SolutionTree) -> Verification:
    """Look for mates of the attacker's king at the defender's nodes of the solution `tree` of `position`.

    The first one found ends it. Without an attacker's king there is nothing to be mated, and it passes. The stop flag
    in ``run.control`` ends it soon.
    """
    begun = time.perf_counter()
    searches = undecided = 0
    line: list[str] = []
    verified: bool | None = None if tree.report["cut"] or tree.report["unanswered"] else True
    if position.has_king(position.side):
        mates = PartSearch(run, run.root.parts["mate"] if run.goal == "hisshi" else run.root)
        for moves, node in _defender_nodes(position, tree.root):
            searches += 1
            value = UNKNOWN if mates.control[STOP] != 0 else mates.search_within(node.copy_record(), MATE_NODES)
            if value == PROVEN:
                verified = False
                line = [*moves, *Builder(mates).line(node, proven_length(mates).plies, is_shortest=False)]
                break
            if value != DISPROVEN:
                undecided += 1
                verified = None
    seconds = round(time.perf_counter() - begun, 6)
    report = {"line": line, "searches": searches, "undecided": undecided, "seconds": seconds}
    return Verification(verified, report)


def _defender_nodes(position: Position, root: dict[str, Any]) -> Iterator[tuple[list[str], Position]]:
    """Yield the defender's positions of a tree, each once, depth first, with the moves that lead to them."""
    seen: set[int] = set()
    waiting: list[tuple[list[str], Position, dict[str, Any]]] = [([], position, root)]
    while waiting:
        moves, before, node = waiting.pop()
        if id(node) in seen:  # equal subtrees are one object
            continue
        seen.add(id(node))
        moves = [*moves, node["move"]]
        after = before.follow(node["move"])
        yield moves, after
        waiting += [([*moves, reply], after.follow(reply), child) for reply, child in reversed(node["replies"].items())]
