"""Problem sets that come with hisshi, found by name wherever it is installed."""

from difflib import get_close_matches
from pathlib import Path

from hisshi.core.errors import ProblemFileError
from hisshi.core.resources import bundled_problems

PREFIX = "bundled:"

_SUFFIXES = (".tsv", ".sfen")


def bundled_sets() -> dict[str, Path]:
    """Return the bundled problem files by name, the name being the file's without its suffix."""
    try:
        folder = Path(str(bundled_problems()))
        return {path.stem: path for path in sorted(folder.iterdir()) if path.suffix in _SUFFIXES}
    except (ModuleNotFoundError, OSError):
        return {}


def find_bundled(name: str) -> Path | None:
    """Return the file of the bundled set `name`, with or without the prefix ``bundled:``; None if there is no such set.

    Raises
    ------
    ProblemFileError
        `name` has the prefix, and there is no such set.
    """
    wanted = name.removeprefix(PREFIX)
    sets = bundled_sets()
    for suffix in _SUFFIXES:
        if wanted.removesuffix(suffix) in sets:
            return sets[wanted.removesuffix(suffix)]
    if name.startswith(PREFIX):
        raise ProblemFileError(f"{name}: no such bundled set; {describe_sets(wanted)}")
    return None


def describe_sets(wanted: str = "") -> str:
    """Return a sentence that lists the bundled sets, with the one nearest to `wanted`."""
    names = list(bundled_sets())
    if not names:
        return "there are no bundled sets in this installation"
    near = get_close_matches(wanted, names, 1)
    guess = f" (did you mean '{near[0]}'?)" if near else ""
    return f"bundled sets: {', '.join(names)}{guess}"
