"""What a run looks for, and which function is for it; imports nothing heavy, for the command line asks early."""

from typing import TYPE_CHECKING

from hisshi.core.errors import WrongGoalError

if TYPE_CHECKING:
    from hisshi.core.composition import Run


def check_solves(run: "Run") -> None:
    """Raise WrongGoalError unless `run` looks for a mate or a hisshi."""
    if run.goal == "play":
        raise WrongGoalError(
            f"run '{run.name}' looks for a move to play and gives no verdict; use 'hisshi move' (in Python: "
            "choose_move), or a run of goal mate or hisshi"
        )


def check_plays(run: "Run") -> None:
    """Raise WrongGoalError unless `run` looks for a move to play."""
    if run.goal != "play":
        raise WrongGoalError(
            f"run '{run.name}' looks for a {run.goal}, not for a move to play; use 'hisshi solve' (in Python: solve), "
            "or a run of goal play"
        )
