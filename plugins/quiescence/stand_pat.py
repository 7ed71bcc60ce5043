"""Quiescence stand-pat: at every node the side to move takes the evaluation, or the value of a capture.

Stand pat or capture, in check too, as the source has it: a side in check may take the evaluation without answering the
check, but one that is mated is mated. Alpha-beta, fail-soft; the most valuable piece is taken first, by the least
valuable one that can. No depth is needed: each move takes a piece off the board, and nothing is dropped.

So a mate that a capture gives has the value ``MATE - 1``, one that is on the board ``-MATE``, and there are no others:
who may stand pat is not driven into a mate.

The table, which may be that of a mate search too, but not of a quiescence with another evaluation, holds what was asked
for: `first` the value, `mark` whether it is that or a bound, `move` the best capture. Nodes further down are not in it,
nor those that stand pat at once or have no captures: most of them are valued in less time than a look-up takes
(docs/algorithms.md has figures).

Source: KFEnd, "ABC search", 2000, on the value from a quiescence search.
"""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.attacks import is_in_check
from hisshi.core.kernel.context import part
from hisshi.core.kernel.control import NODES, control_of, enter_node
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.mate import has_evasion
from hisshi.core.kernel.material import ON_BOARD
from hisshi.core.kernel.moves import NO_MOVE, do_move, is_promotion, kind_of, target_of, undo_move
from hisshi.core.kernel.roles import table
from hisshi.core.kernel.roles.captures import call_captures
from hisshi.core.kernel.roles.evaluation import call_evaluation
from hisshi.core.kernel.roles.table import NOT_FOUND, entry_at, probe, store
from hisshi.core.kernel.stack import keys_of, moves_of
from hisshi.core.kernel.state import piece_on
from hisshi.core.kernel.table import LARGEST_COUNT, QUIESCENCE, UNKNOWN, incoming_of
from hisshi.core.kernel.values import MATE, NO_VALUE

USE_TABLE = 0  # place of the option in context.options
EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # an entry's `mark`: what its value says
FIRST = 1 << 40  # a key above all others: the best capture that the table knows


@implements(
    "quiescence",
    options=[Option("use_table", True, "keep values in the table: saves nodes, changes no value")],
    parts=["evaluation", "captures", "table"],
    source="KFEnd, ABC search, 2000: stand pat or capture at every node",
)
def stand_pat(context, position, alpha, beta):
    """Stand pat or capture, at every node."""
    return search_node(
        context, position, control_of(context), moves_of(context), keys_of(context), np.int64(0), alpha, beta
    )


@compiled
def search_node(context, position, control, moves, keys, start, alpha, beta):
    """Return the value for the side to move, as the role has it; moves and keys are written from `start` on."""
    before = control[NODES]
    if not enter_node(control):
        return NO_VALUE
    # 1. Mated, or else free to stand pat. The buffer is never full with the pieces of one set: 20 of a side, each
    #    taken in 20 ways at most, are 8,400 moves on the longest line.
    us = position.side
    if is_in_check(position, us) and not has_evasion(position):
        return -MATE
    best = call_evaluation(context, position, us)
    if best >= beta or start + MAX_MOVES > len(moves):
        return best
    # 2. What the table knows, which has roots only.
    uses_table = context.options[USE_TABLE] != 0 and start == 0
    hint = np.int64(NO_MOVE)
    if uses_table:
        found = probe(context, position, QUIESCENCE)
        if found != NOT_FOUND:
            entry = entry_at(context, found)
            value, mark = np.int64(entry.first), entry.mark
            if mark == EXACT or (mark == AT_LEAST and value >= beta) or (mark == AT_MOST and value <= alpha):
                return value
            hint = np.int64(entry.move)
    # 3. The captures, the best of those that are left first.
    end = call_captures(context, position, moves, start)
    if end == start:
        return best
    write_keys(position, moves, keys, start, end, hint)
    best_move = np.int64(NO_MOVE)
    for i in range(start, end):
        bring_best_to_front(moves, keys, i, end)
        move = np.int64(moves[i])
        captured = do_move(position, move)
        value = search_node(context, position, control, moves, keys, end, -beta, -max(alpha, best))
        undo_move(position, move, captured)
        if value == NO_VALUE:
            return NO_VALUE
        value = MATE - 1 if value == -MATE else -value
        if value > best:
            best, best_move = value, move
            if best >= beta or best == MATE - 1:
                break
    # 4. What the table is to know; `effort` and `worth` are nodes, since there is no depth to compare.
    if uses_table:
        entry = incoming_of(part(context, table.SLOT))
        entry.value = UNKNOWN  # of a mate nothing is said
        entry.first = best
        entry.mark = AT_MOST if best <= alpha else AT_LEAST if best >= beta else EXACT
        entry.move = best_move
        entry.length = 0
        entry.budget = 0
        entry.second = 0
        entry.effort = min(control[NODES] - before, LARGEST_COUNT)
        entry.worth = entry.effort
        store(context, position, QUIESCENCE, entry)
    return best


@compiled
def write_keys(position, moves, keys, start, end, hint):
    """Write a key for each of moves[start:end]: valuable victims, cheap attackers and promotions have larger ones."""
    for i in range(start, end):
        move = np.int64(moves[i])
        victim = ON_BOARD[np.uint64(piece_on(position, target_of(move)) & 15)]
        keys[i] = victim << 16 | (8191 - ON_BOARD[np.uint64(kind_of(move))]) << 1 | (1 if is_promotion(move) else 0)
        if move == hint:
            keys[i] = FIRST


@compiled
def bring_best_to_front(moves, keys, start, end):
    """Exchange moves[start] for that of moves[start:end] with the largest key: few are ever asked for."""
    best = start
    for i in range(start + 1, end):
        if keys[i] > keys[best]:
            best = i
    moves[start], moves[best] = moves[best], moves[start]
    keys[start], keys[best] = keys[best], keys[start]


@hookimpl
def hisshi_quiescence():
    """Offer the search."""
    return stand_pat
