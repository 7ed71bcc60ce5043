"""What ``--verify-against-countermate`` has to say below the table: a line for each solution that has not passed."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hisshi.lab.outcome import Outcome
from hisshi.lab.problem import printable

if TYPE_CHECKING:
    from rich.console import Console


def print_verifications(outcomes: Iterable[Outcome], console: "Console") -> None:
    """Print the lines, and how many solutions have passed, if any were verified."""
    asked = [outcome for outcome in outcomes if outcome.verification is not None]
    for outcome in asked:
        if outcome.verified:
            continue
        line = outcome.verification["line"] if outcome.verification else []
        found = f"the attacker is mated himself: {' '.join(line)}"
        said = found if outcome.verified is False else "not known whether the attacker is mated himself"
        console.print(f"{printable(outcome.id or '-')}: {said}", soft_wrap=True)
    if asked:
        passed = sum(outcome.verified is True for outcome in asked)
        console.print(f"verified against counter-mates: {passed} of {len(asked)}", soft_wrap=True)
