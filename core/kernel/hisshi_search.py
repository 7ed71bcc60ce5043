"""What searches for hisshi have in common: questions to their mate search, scores, proof numbers, delaying moves.

Scores are seen from the attacker: ``HISSHI - n`` for a hisshi of n plies, ``FAILED - pn`` where there is none, pn being
the (static) proof number, and `NO_ATTACK` for an attacker without a move to try.

Source: KFEnd, "Hisshi search", 2000.
"""

from hisshi.core.kernel.attacks import is_in_check
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import COMPLETE, part, part_has
from hisshi.core.kernel.control import (
    GAVE_UP_NODES,
    GAVE_UP_SCHEDULE,
    GAVE_UP_STOP,
    NODE_LIMIT,
    NODES,
    give_up,
)
from hisshi.core.kernel.declare import FIRST_FREE_SLOT
from hisshi.core.kernel.generation import all_moves
from hisshi.core.kernel.interpositions import interposes
from hisshi.core.kernel.moves import NO_MOVE, do_pass, is_drop, target_of
from hisshi.core.kernel.role import Option
from hisshi.core.kernel.roles import attack_candidates, defence_candidates
from hisshi.core.kernel.roles.search import ask_search
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN

HISSHI, FAILED, NO_ATTACK = 1000, -20, -1000  # scores
ONE_LEFT = FAILED - 1  # of a defender at the last ply who has a move that saves him
MOST_DELAYS = 4  # useless ones on one line; more are not looked at, nothing is then proven
ABORTED = 2  # beside PROVEN, DISPROVEN and UNKNOWN: the search was told to give up; nothing is stored on the way out

MATED = -1  # length at a defender's node in check from which every move loses to a mate

PARTS = {
    "attack_candidates": "attack_candidates",
    "defence_candidates": "defence_candidates",
    "hisshi_rule": "hisshi_rule",
    "mate": "search",
    "move_order": "move_order",
    "table": "table",
}
MATE = FIRST_FREE_SLOT  # slot of the part `mate`

# Places in context.options of the options that every such search has first, see `hisshi_options`.
MAX_PLIES, ATTACK_MATE_PLIES, DEFENCE_MATE_PLIES, MATE_NODES, FIRST_OPTION = range(5)


def hisshi_options(max_plies: int) -> list[Option]:
    """Return the options that every search for hisshi has first; `max_plies` is the default of that option."""
    return [
        Option("max_plies", max_plies, "longest hisshi to look for; an even number counts as one less", low=1, high=99),
        Option("attack_mate_plies", 0, "plies of a mate that makes a move a threat; 0: any", low=0),
        Option("defence_mate_plies", 0, "plies of a mate that refutes a defender's move; 0: any", low=0),
        Option("mate_nodes", 100_000, "nodes for each mate search; 0: no limit", low=0),
    ]


@compiled
def begin_hisshi_search(context, position, control):
    """Begin the answer of a search for hisshi with what its mate search says of the root; return that, as `ask_mate`.

    A mate is the whole answer.
    """
    context.calls += 1
    context.answer_move = NO_MOVE
    context.answer_plies = 0
    context.answer_exact = 0
    context.answer_score = 0
    value = ask_mate(context, position, control, context.options[DEFENCE_MATE_PLIES])
    if value == PROVEN:
        context.answer_move = part(context, MATE).answer_move
        context.answer_exact = 1
        context.answer_score = HISSHI
    return value


@compiled
def looks_at_all(context):
    """Say whether no move, and no mate for its length, is left out of the search."""
    return (
        context.options[ATTACK_MATE_PLIES] == 0
        and context.options[DEFENCE_MATE_PLIES] == 0
        and part_has(context, attack_candidates.SLOT, COMPLETE)
        and part_has(context, defence_candidates.SLOT, COMPLETE)
    )


@compiled
def ask_mate(context, position, control, plies):
    """Say whether the side to move mates: PROVEN, DISPROVEN, ABORTED, or UNKNOWN if `mate_nodes` were not enough.

    Asks the caller's part `mate`. `plies`: DISPROVEN means not within so many, 0: not at all. Counted in the caller's
    context.
    """
    before = control[NODES]
    value, gave_up = ask_search(context, MATE, position, plies, context.options[MATE_NODES])
    context.tests += 1
    if control[NODES] > before + 1:
        context.searched_tests += 1
    if value != UNKNOWN:
        return value
    if gave_up & GAVE_UP_STOP != 0:
        give_up(control, GAVE_UP_STOP)
        return ABORTED
    if gave_up & GAVE_UP_NODES != 0 and control[NODE_LIMIT] != 0 and control[NODES] >= control[NODE_LIMIT]:
        give_up(control, GAVE_UP_NODES)
        return ABORTED
    if plies > 0 and gave_up & ~GAVE_UP_SCHEDULE == 0:
        return DISPROVEN
    context.undecided_tests += 1
    return UNKNOWN


@compiled
def ask_threat(context, position, control, plies):
    """Say whether the side not to move would mate if the other passed; as `ask_mate`. Nobody may be in check."""
    do_pass(position)
    value = ask_mate(context, position, control, plies)
    do_pass(position)
    return value


@compiled
def failed_score(score, position, moves, start, end):
    """Return the score of a defender who is saved by a move of `score`, moves[start:end] not being expanded yet.

    Each of these counts 1 more; but in check not one that interposes, and under a threatmate no drop: most of them lose
    at once.
    """
    if score == NO_ATTACK:
        return NO_ATTACK
    in_check = is_in_check(position, position.side)
    for i in range(start, end):
        if not (interposes(position, moves[i]) if in_check else is_drop(moves[i])):
            score -= 1
    return score


@compiled
def moves_to(position, moves, start, square):
    """Write the legal moves that go to `square` into `moves` from `start` on; return the end."""
    kept = start
    for i in range(start, all_moves(position, moves, start, False)):
        if target_of(moves[i]) == square:
            moves[kept] = moves[i]
            kept += 1
    return kept
