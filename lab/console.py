"""Where things are printed: results to standard output, everything about their making to standard error."""

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH_IN_A_PIPE = 160  # a pipe has no width; tables must not be squeezed into 80 columns there


def make_console(to_stderr: bool) -> "Console":
    """Return a console for standard error or standard output as they are now."""
    from rich.console import Console

    stream = sys.stderr if to_stderr else sys.stdout
    environment = dict(os.environ)
    if not environment.get("COLUMNS", "").strip("0"):  # no width, but it would be taken for one
        environment.pop("COLUMNS", None)
    width = None if stream.isatty() or "COLUMNS" in environment else _WIDTH_IN_A_PIPE
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False, _environ=environment)


def open_missing_streams() -> None:
    """Put the null device where the caller has closed standard input, output or error, as in ``hisshi … >&-``."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  stays open


def drop_unwritten_output() -> None:
    """Forget what standard output and error could not write, so that the interpreter does not try again at its end."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            try:
                stream.flush()
            except OSError:
                os.dup2(null, stream.fileno())
    os.close(null)


def make_streams_forgiving() -> None:
    """Let a terminal that cannot show a character show a question mark instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
