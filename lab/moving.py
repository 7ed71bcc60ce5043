"""A run of goal play composed once, and asked for a move in one position after the other."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from hisshi.core.errors import HisshiError
from hisshi.lab.move_outcome import MoveOutcome, describe_progress, move_error, outcome_of_move
from hisshi.lab.problem import BadProblem, Item, Problem
from hisshi.lab.session import OnCompile, SearchSettings, Throttle

if TYPE_CHECKING:
    from hisshi.core.results import MoveProgress, MoveResult
    from hisshi.lab.move_report import MoveReport
    from hisshi.lab.progress import LiveProgress, PlainProgress

_SHOW_INTERVAL = 0.1  # seconds between two looks at a line


class MoveStopped(Exception):  # noqa: N818  not an error: the user asked for it
    """The user stopped the search; `outcome` has the best move so far, None if the search had not begun."""

    def __init__(self, outcome: MoveOutcome | None) -> None:
        super().__init__("stopped")
        self.outcome = outcome


class MoveSession:
    """Composes the run, which must be one of goal play, and searches with it."""

    def __init__(self, settings: SearchSettings) -> None:
        from hisshi.core import Registry
        from hisshi.core.goals import check_plays

        self.settings = settings
        self.composed: Any = Registry.load(settings.registry).compose(settings.run, settings.overrides)
        check_plays(self.composed)

    def warm(self, on_compile: OnCompile) -> float:
        """Compile what is not in the cache yet; return the seconds that it took."""
        return float(self.composed.warm(on_compile))

    def choose(self, problem: Problem, show: Callable[[str], None]) -> MoveOutcome:
        """Search one position; `show` is told how far the search is, in words. An error in it is part of the outcome.

        Raises
        ------
        MoveStopped
            The user interrupted the search.
        """
        from hisshi.core import Position, choose_move
        from hisshi.core.errors import Interrupted

        throttle = Throttle(_SHOW_INTERVAL)

        def pass_on(progress: "MoveProgress") -> None:
            if throttle.is_due():
                show(describe_progress(progress))

        settings = self.settings
        try:
            result = choose_move(
                Position.from_sfen(problem.sfen),
                self.composed,
                node_limit=settings.node_limit,
                time_limit=settings.time_limit,
                on_progress=pass_on,
            )
        except Interrupted as stop:
            raise MoveStopped(outcome_of_move(problem, cast("MoveResult", stop.result))) from None
        except KeyboardInterrupt:
            raise MoveStopped(None) from None
        except HisshiError as error:
            return move_error(problem, settings.run, f"{problem.id}: {error}")
        return outcome_of_move(problem, result)


def choose_one_by_one(
    session: MoveSession, items: Iterable[Item], report: "MoveReport", display: "PlainProgress | LiveProgress"
) -> bool:
    """Compile, then look for a move in each position; return whether the user stopped it."""
    try:
        compile_seconds = session.warm(display.compiling)
        for number, item in enumerate(items, start=1):
            if isinstance(item, BadProblem):
                outcome = move_error(item, session.settings.run, item.error)
            else:
                display.started(number, item)
                outcome = session.choose(item, partial(display.show, number))
                display.ended(number)
            # All was compiled before the first position, which is where someone who reads the lines will look for it.
            report.finished(replace(outcome, compile_seconds=outcome.compile_seconds + compile_seconds))
            compile_seconds = 0.0
    except MoveStopped as stop:
        if stop.outcome is not None:
            report.finished(stop.outcome)
        return True
    except KeyboardInterrupt:
        return True
    return False
