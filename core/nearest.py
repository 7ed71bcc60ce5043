"""Near names for error texts."""

import difflib
import reprlib
from collections.abc import Iterable
from typing import Any

LONGEST_SHOWN = 80

_short = reprlib.Repr()
_short.maxstring = _short.maxlong = _short.maxother = LONGEST_SHOWN


def shown(value: Any) -> str:
    """Return a value as an error shows it: short, however large it is."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 200:
        return f"a number of {value.bit_length()} bits"  # Python refuses to write very long ones out
    return _short.repr(value)


def clipped(text: str) -> str:
    """Return a text that somebody typed, cut off where it is too long for an error."""
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def suggest(name: str, known: Iterable[str]) -> str:
    """Return " (did you mean 'x'?)" with the nearest of `known`, "" if none is near."""
    plain = {each.lower().replace("_", "-"): each for each in known}
    near = difflib.get_close_matches(clipped(name).lower().replace("_", "-"), plain, n=1, cutoff=0.5)
    return f" (did you mean '{plain[near[0]]}'?)" if near else ""


def listed(names: Iterable[str]) -> str:
    """Return names as a text, "none" if there are none."""
    return ", ".join(sorted(names)) or "none"
