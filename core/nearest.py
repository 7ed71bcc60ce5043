"""Near names for error texts."""

import difflib
from collections.abc import Iterable


def suggest(name: str, known: Iterable[str]) -> str:
    """Return " (did you mean 'x'?)" with the nearest of `known`, "" if none is near."""
    near = difflib.get_close_matches(name.lower(), list(known), n=1, cutoff=0.5)
    return f" (did you mean '{near[0]}'?)" if near else ""


def listed(names: Iterable[str]) -> str:
    """Return names as a text, "none" if there are none."""
    return ", ".join(sorted(names)) or "none"
