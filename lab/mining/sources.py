"""Sources: the positions that candidates are made of, and which one a candidate gets."""

import hashlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hisshi.core.errors import HisshiError
from hisshi.core.sfen import parse_sfen
from hisshi.lab.bundled import bundled_sets
from hisshi.lab.problem import BadProblem
from hisshi.lab.problems import read_problems

_BUNDLED = {
    "hisshi": (
        "hisshi",
        "hisshi-sample",
        "hisshi-two-kings",
        "hisshi-mined",
        "tsume-derived",
        "tsume-classic",
        "game-positions",
    ),
    "mate": ("mate-sample", "tsume-derived", "tsume-classic", "game-positions"),
}
_ENDGAME = 60  # plies of a game; what stands earlier is neither a mate nor a hisshi

# How often a candidate's source is two plies shorter than what is wanted, two longer, as long, or anything else.
_SHORTER, _LONGER, _AS_LONG, _OTHER = 60, 15, 15, 10


@dataclass(frozen=True, slots=True)
class Source:
    """A position to start from, its length as a problem of the goal, and moves that make so short a one, if known."""

    id: str
    sfen: str
    plies: int | None = None
    first_moves: tuple[str, ...] = ()


def read_sources(arguments: Sequence[str], goal: str) -> list[Source]:
    """Return the positions of `arguments`, problems as ``hisshi solve`` reads them; the bundled ones if there are none.

    Of a hisshi the length is known if the row has a cell ``first moves``, of a mate if it has not.

    Raises
    ------
    HisshiError
        Something cannot be read, or there is no position with a king to attack.
    """
    bundled = [f"bundled:{name}" for name in _BUNDLED[goal] if name in bundled_sets()]
    sources = []
    for item in read_problems(arguments or bundled):
        if isinstance(item, BadProblem):
            raise HisshiError(item.error)
        placement = parse_sfen(item.sfen, strict=False)
        if not 0 <= placement.king_square(1 - placement.side) < len(placement.board):
            continue
        if item.extra.get("ply", "").isdigit() and int(item.extra["ply"]) < _ENDGAME:
            continue
        first = item.extra.get("strong first moves", item.extra.get("first moves"))
        cell = item.extra.get("strong plies", "")
        plies = (int(cell) if cell.isdigit() else None) if cell else item.plies
        if (first is not None) != (goal == "hisshi"):
            plies = first = None
        sources.append(Source(item.id, item.sfen, plies, tuple(first.split(",")) if first else ()))
    if not sources:
        raise HisshiError(f"no position with a king to attack in {' '.join(arguments)}; name other problems")
    return sources


def digest(sources: Iterable[Source]) -> str:
    """Return a short name for these sources, by which they are known again."""
    text = "\n".join(f"{source.sfen} {source.plies} {' '.join(source.first_moves)}" for source in sources)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def choose(sources: Sequence[Source], plies: int, chance: random.Random) -> Source:
    """Return a source for a problem of `plies`, most often one that is two plies shorter.

    For the shortest, of which there are none, those two plies longer take their place: each has some inside it. Where
    there are none of them either, the ones of another length or of none do.
    """
    shorter = [source for source in sources if source.plies is not None and source.plies == plies - 2]
    longer = [source for source in sources if source.plies == plies + 2 and source.first_moves]
    as_long = [source for source in sources if source.plies == plies]
    others = [source for source in sources if source.plies not in (plies, plies - 2, plies + 2)]
    weights = {"shorter": _SHORTER, "longer": _LONGER, "as long": _AS_LONG, "other": _OTHER}
    if not shorter:
        weights["longer" if longer else "other"] += _SHORTER
    groups = {"shorter": shorter, "longer": longer, "as long": as_long, "other": others}
    filled = [name for name, group in groups.items() if group]
    (name,) = chance.choices(filled, [weights[name] for name in filled])
    return chance.choice(groups[name])
