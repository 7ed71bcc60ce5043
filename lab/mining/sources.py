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

# How often a candidate's source is two plies shorter than what is wanted, as long, or of another or no known length.
_SHORTER, _AS_LONG, _OTHER = 70, 20, 10


@dataclass(frozen=True, slots=True)
class Source:
    """A position to start from; `plies` is its length as a problem of the goal, None if that is not known."""

    id: str
    sfen: str
    plies: int | None = None


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
        is_hisshi = "first moves" in item.extra or "strong first moves" in item.extra
        cell = item.extra.get("strong plies", "")
        plies = (int(cell) if cell.isdigit() else None) if cell else item.plies
        sources.append(Source(item.id, item.sfen, plies if is_hisshi == (goal == "hisshi") else None))
    if not sources:
        raise HisshiError(f"no position with a king to attack in {' '.join(arguments)}; name other problems")
    return sources


def digest(sources: Iterable[Source]) -> str:
    """Return a short name for these sources, by which they are known again."""
    text = "\n".join(f"{source.sfen} {source.plies}" for source in sources)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def choose(sources: Sequence[Source], plies: int, chance: random.Random) -> Source:
    """Return a source for a problem of `plies`, most often one that is two plies shorter.

    Where there are none of those, the ones of another length or of none take their place.
    """
    shorter = [source for source in sources if source.plies is not None and source.plies == plies - 2]
    as_long = [source for source in sources if source.plies == plies]
    others = [source for source in sources if source.plies not in (plies, plies - 2)]
    groups = [(_SHORTER, shorter), (_AS_LONG, as_long), (_OTHER if shorter else _SHORTER + _OTHER, others)]
    filled = [(weight, group) for weight, group in groups if group]
    (group,) = chance.choices([group for _, group in filled], [weight for weight, _ in filled])
    return chance.choice(group)
