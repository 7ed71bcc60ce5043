"""Where things are printed: results to standard output, everything about their making to standard error."""

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH_IN_A_PIPE = 160  # a pipe has no width; tables must not be squeezed into 80 columns there


def make_console(to_stderr: bool) -> "Console":
    """Return a console for standard error or standard output as they are now."""
    from rich.console import Console

    stream = sys.stderr if to_stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else _WIDTH_IN_A_PIPE
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


def make_streams_forgiving() -> None:
    """Let a terminal that cannot show a character show a question mark instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
