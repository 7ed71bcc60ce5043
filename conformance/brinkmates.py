"""The positions that hisshi searches are tried on: hisshi and positions without one that are known.

The attacker has no king, so that the defender has no checks and the rules of hisshi are all alike. Uncompiled there are
fewer positions: a node then takes milliseconds.
"""

from functools import cache

from hisshi.core.kernel.context import JIT
from hisshi.core.resources import bundled_problems

WITHIN = 5  # plies up to which the positions below have no hisshi

NO_HISSHI = (
    "4k4/9/9/9/9/9/9/9/9 b P 1",
    "4k4/9/9/9/9/9/9/9/9 b G 1",
    "k8/9/9/9/9/9/9/9/9 b - 1",  # the attacker has no move at all
    "9/9/9/9/4k4/9/9/9/9 b S 1",
    "4k4/9/9/9/9/9/9/9/9 b 2N 1",
    "8k/9/9/7S1/9/9/9/9/9 b Gg 1",  # without the defender's gold it is a hisshi of 1 ply
    "kn7/9/1G7/9/9/9/9/9/9 b P 1",  # what would be mate is a pawn drop
    "8k/9/7g1/9/9/9/9/9/+R8 b - 1",
)

MATES = ("6k2/9/9/7+R1/9/9/9/9/9 b G 1", "8k/9/8P/9/9/9/9/9/9 b G 1")


@cache
def brinkmates() -> dict[str, int]:
    """Return the hisshi: the plies of the shortest by SFEN; the shortest ones first."""
    lines = (bundled_problems() / "hisshi-sample.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    known = {row[1]: int(row[2]) for row in rows}
    if not JIT:
        known = {sfen: known[sfen] for sfen in [*list(known)[:4], *list(known)[10:11]]}
    return known


def no_brinkmates() -> tuple[str, ...]:
    """Return positions without a mate, and without a hisshi of up to `WITHIN` plies."""
    return NO_HISSHI if JIT else NO_HISSHI[:3]
