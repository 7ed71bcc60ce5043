"""A run composed once and applied to one problem after the other; each worker process has its own."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast

from hisshi.core.errors import HisshiError
from hisshi.lab.outcome import Outcome, outcome_of_error, outcome_of_result, outcome_of_stop
from hisshi.lab.problem import Problem

if TYPE_CHECKING:
    from hisshi.core.results import SearchResult

# Called now and then during a search with its nodes and seconds so far.
OnProgress = Callable[[int, float], None]
# Called during compilation with how many parts are done, of how many, and the next part's name.
OnCompile = Callable[[int, int, str], None]


@dataclass(frozen=True)
class SearchSettings:
    """Which run, with which options, and its limits for each position; None means no limit."""

    run: str
    registry: str | None = None
    overrides: dict[str, str] = field(default_factory=dict)
    node_limit: int | None = None
    time_limit: float | None = None


@dataclass(frozen=True)
class Settings(SearchSettings):
    """What ``hisshi solve`` was asked to do with each problem."""

    want_proof: bool = False
    confirm: bool = True
    all_first_moves: bool = False
    want_tree: bool = False
    tree_depth: int = 10  # hisshi.core.solution_tree's, which the command line does not import for its help
    verify_against_countermate: bool = False


class Stopped(Exception):  # noqa: N818  not an error: the user asked for it
    """The user stopped the search; `outcomes` are those of the problems that were being searched."""

    def __init__(self, outcomes: list[Outcome]) -> None:
        super().__init__("stopped")
        self.outcomes = outcomes


class Solver(Protocol):
    """What a batch needs: `Session`, or a stand-in for it in tests."""

    def warm(self, on_compile: OnCompile | None = None) -> float:
        """Compile what is not in the cache yet; return the seconds that it took."""

    def solve(self, problem: Problem, on_progress: OnProgress | None = None) -> Outcome:
        """Search one problem; an error in it is part of the outcome."""


class Session:
    """The real `Solver`: hisshi.core's registry and search."""

    def __init__(self, settings: Settings) -> None:
        from hisshi.core import Registry
        from hisshi.core.goals import check_solves

        self.settings = settings
        self.composed: Any = Registry.load(settings.registry).compose(settings.run, settings.overrides)
        check_solves(self.composed)
        if settings.all_first_moves and self.composed.goal != "hisshi":
            raise HisshiError(
                f"--all-first-moves is for hisshi, and run '{settings.run}' looks for a {self.composed.goal}; "
                "name a hisshi run, for example --run hisshi-full"
            )

    def warm(self, on_compile: OnCompile | None = None) -> float:
        """See `Solver`."""
        return float(self.composed.warm(on_compile))

    def solve(self, problem: Problem, on_progress: OnProgress | None = None) -> Outcome:
        """See `Solver`.

        Raises
        ------
        Stopped
            The user interrupted the search.
        """
        from hisshi.core import Position, solve
        from hisshi.core.errors import Interrupted

        def pass_on(progress: Any) -> None:
            if on_progress is not None:
                on_progress(progress.nodes, progress.seconds)

        settings = self.settings
        try:
            result = solve(
                Position.from_sfen(problem.sfen),
                self.composed,
                node_limit=settings.node_limit,
                time_limit=settings.time_limit,
                on_progress=pass_on,
                want_proof=settings.want_proof,
                confirm=settings.confirm,
                all_first_moves=settings.all_first_moves,
                want_tree=settings.want_tree,
                tree_depth=settings.tree_depth,
                verify_against_countermate=settings.verify_against_countermate,
            )
            try:
                return outcome_of_result(problem, result, settings.want_proof)
            except KeyboardInterrupt:  # while the proof was made text
                raise Stopped([outcome_of_result(problem, result, False)]) from None
        except Interrupted as stop:
            result = cast("SearchResult", stop.result)
            raise Stopped([outcome_of_result(problem, result, settings.want_proof)]) from None
        except KeyboardInterrupt:
            raise Stopped([outcome_of_stop(problem, settings.run)]) from None
        except HisshiError as error:
            return outcome_of_error(problem, settings.run, f"{problem.id}: {error}")
        except RecursionError:
            return outcome_of_error(problem, settings.run, f"{problem.id}: the proof tree is too deep to be written")


class Throttle:
    """Says now and then that it is time again."""

    def __init__(self, interval: float) -> None:
        self.interval = interval
        self.next_time = time.monotonic() + interval

    def is_due(self) -> bool:
        """Return True at most once per interval."""
        now = time.monotonic()
        if now < self.next_time:
            return False
        self.next_time = now + self.interval
        return True
