"""Near names for error texts."""

import difflib
import reprlib
from collections.abc import Iterable
from typing import Any

_short = reprlib.Repr()
_short.maxstring = _short.maxlong = _short.maxother = 60


def shown(value: Any) -> str:
    """Return a value as an error shows it: short, however large it is."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 200:
        return f"a number of {value.bit_length()} bits"  # Python refuses to write very long ones out
    return _short.repr(value)


def suggest(name: str, known: Iterable[str]) -> str:
    """Return " (did you mean 'x'?)" with the nearest of `known`, "" if none is near."""
    near = difflib.get_close_matches(name[:100].lower(), list(known), n=1, cutoff=0.5)
    return f" (did you mean '{near[0]}'?)" if near else ""


def listed(names: Iterable[str]) -> str:
    """Return names as a text, "none" if there are none."""
    return ", ".join(sorted(names)) or "none"
