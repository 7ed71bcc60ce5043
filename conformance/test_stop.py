"""Checks of role `stop`.

A rule is asked about made-up nodes: their number of moves, their ply and the budget are all that a rule is sure to
find.
"""

from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np
import pytest

from hisshi.conformance.subjects import Subject
from hisshi.core.kernel.control import CONTROL_SIZE
from hisshi.core.kernel.roles.stop import AFTER_MOVES, BEFORE_MOVES, NEXT_BUDGET, call_stop
from hisshi.core.kernel.stack import STACK

ROLES = ("stop",)

ITERATIONS = 200  # looked at; a rule may offer more
MOVES = 600  # in the buffers: more than a node has
GOES_ON = 2  # rank of a node at which the rule does not stop; 0 before, 1 after the moves are generated


@attrs.frozen
class Node:
    """A made-up node: at `ply`, with `count` moves, all nodes above it with one move each."""

    ply: int
    count: int

    def __str__(self) -> str:
        return f"ply {self.ply} with {self.count} moves"


def _nodes() -> Iterator[Node]:
    for ply in (0, 1, 2, 7):
        for count in (1, 3, 40):
            yield Node(ply, count)


class _Desk:
    """The arrays that a rule is shown."""

    def __init__(self, node: Node, budget: int) -> None:
        self.stack: Any = np.zeros(16, STACK).view(np.recarray)
        self.moves = np.arange(1, MOVES + 1, dtype=np.int32)
        self.keys = np.zeros(MOVES, np.int64)
        self.limits = np.zeros(CONTROL_SIZE, np.int64)
        for ply in range(node.ply + 1):
            here = self.stack[ply]
            here.attacker, here.side = 1 - ply % 2, ply % 2
            here.board_key = here.hand_key = ply + 1
            here.first = here.current = ply
            here.end = ply + (node.count if ply == node.ply else 1)
            here.budget = budget
        self.node = node

    def ask(self, subject: Subject, point: int) -> int:
        return int(
            call_stop(subject.caller, self.stack, self.node.ply, self.moves, self.keys, self.limits, np.int64(point))
        )

    def rank(self, subject: Subject) -> int:
        """Return where the rule stops: 0 before the moves, 1 after them, GOES_ON."""
        for rank, point in enumerate((BEFORE_MOVES, AFTER_MOVES)):
            if self.ask(subject, point):
                return rank
        return GOES_ON

    @property
    def budget(self) -> int:
        return int(self.stack[self.node.ply].budget)


def _budgets(subject: Subject) -> list[int]:
    """Return the budgets that the rule hands out, at most ITERATIONS of them."""
    desk = _Desk(Node(0, 1), 0)
    budgets: list[int] = []
    while len(budgets) < ITERATIONS and not desk.ask(subject, NEXT_BUDGET):
        budgets.append(desk.budget)
    return budgets


def test_answers_zero_or_one(subject: Subject) -> None:
    """0 to go on, 1 to stop."""
    for node in _nodes():
        for budget in (0, 1, 30):
            for point, name in ((BEFORE_MOVES, "BEFORE_MOVES"), (AFTER_MOVES, "AFTER_MOVES")):
                if (answer := _Desk(node, budget).ask(subject, point)) not in (0, 1):
                    subject.fail(f"answers {answer} at {name}, {node}, budget {budget}; expected 0 or 1")


def test_offers_rising_budgets(subject: Subject) -> None:
    """There is a first budget, and each next one is larger."""
    budgets = _budgets(subject)
    if not budgets:
        subject.fail("offers no budget at all: at NEXT_BUDGET it stops at once")
    for earlier, later in zip([0, *budgets], budgets, strict=False):
        if later <= earlier:
            subject.fail(f"offers the budget {later} after {earlier}; expected a larger one, or to stop")


def test_stops_at_once_with_nothing_left(subject: Subject) -> None:
    """With budget 0 no node that has a move goes on."""
    for node in _nodes():
        if _Desk(node, 0).rank(subject) == GOES_ON:
            subject.fail(f"goes on at {node} with budget 0")


def test_stops_no_earlier_with_more(subject: Subject) -> None:
    """A larger budget goes at least as far, and leaves at least as much."""
    for node in _nodes():
        before = (-1, 0, 0)
        for budget in range(100):
            desk = _Desk(node, budget)
            rank = desk.rank(subject)
            left = desk.budget if rank == GOES_ON else -1
            if rank < before[0] or (rank == before[0] == GOES_ON and left < before[1]):
                subject.fail(f"at {node} budget {budget} does not go as far as budget {before[2]}")
            before = (rank, left, budget)


def test_writes_the_budget_of_its_node_only(subject: Subject) -> None:
    """Of all that a rule sees it writes one field."""
    for node in _nodes():
        for point in (BEFORE_MOVES, AFTER_MOVES, *([NEXT_BUDGET] if node.ply == 0 else [])):
            desk, old = _Desk(node, 30), _Desk(node, 30)
            desk.ask(subject, point)
            desk.stack[node.ply].budget = old.budget
            for name in ("stack", "moves", "keys", "limits"):
                if getattr(desk, name).tobytes() != getattr(old, name).tobytes():
                    what = "more of the stack than its node's budget" if name == "stack" else f"'{name}'"
                    subject.fail(f"writes {what}, at {node}")


@pytest.mark.hisshi_trait("budget-is-plies")
def test_counts_plies(subject: Subject) -> None:
    """Trait budget-is-plies: 1, 3, 5, …; each node takes one off and goes on while one is left."""
    budgets = _budgets(subject)
    if budgets != list(range(1, 2 * len(budgets), 2)):
        subject.fail(f"has the trait 'budget-is-plies', but offers the budgets {budgets[:4]}…; expected 1, 3, 5, …")
    for node in _nodes():
        for budget in (1, 2, 9):
            desk = _Desk(node, budget)
            if desk.rank(subject) != GOES_ON or desk.budget != budget - 1:
                subject.fail(f"has the trait 'budget-is-plies', but does not take one ply off {budget} at {node}")
