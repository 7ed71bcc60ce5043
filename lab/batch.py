"""Problems in, outcomes out, one after the other in this process; `workers` does the same in several."""

from collections.abc import Iterable
from functools import partial
from typing import Protocol

from hisshi.lab.outcome import Outcome, outcome_of_error
from hisshi.lab.problem import BadProblem, Item, Problem
from hisshi.lab.session import Solver, Stopped


class Listener(Protocol):
    """What is told about a batch as it goes on. `number` counts the problems from 1, in input order."""

    def started(self, number: int, problem: Problem) -> None:
        """Tell that the search of a problem begins."""

    def searching(self, number: int, nodes: int, seconds: float) -> None:
        """Tell how far a search is; several times a second."""

    def ended(self, number: int) -> None:
        """Tell that a search has ended, perhaps before that of an earlier problem."""

    def finished(self, number: int, outcome: Outcome) -> None:
        """Tell an outcome: strictly in input order, once for each problem."""


def solve_one_by_one(solver: Solver, items: Iterable[Item], run: str, listener: Listener) -> None:
    """Solve all `items`, telling `listener`.

    Raises
    ------
    Stopped
        The user interrupted; the outcome of the search that was under way has been told.
    """
    for number, item in enumerate(items, start=1):
        if isinstance(item, BadProblem):
            listener.finished(number, outcome_of_error(item, run, item.error))
            continue
        listener.started(number, item)
        try:
            outcome = solver.solve(item, partial(listener.searching, number))
        except Stopped as stop:
            for outcome in stop.outcomes:
                listener.finished(number, outcome)
            raise
        listener.ended(number)
        listener.finished(number, outcome)
