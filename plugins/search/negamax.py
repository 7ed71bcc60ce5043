"""Play search: alpha-beta over moves sorted by quiescence search, deepened at the root; the stop rule ends its lines.

With the stop rule `depth` this is classical search, with `conspiracy` it is alpha-beta-conspiracy search (ABC), and
nothing else differs. At each node but the root the rule is asked with the whole stack before the moves are generated;
a line that it stops is worth what the move into the node promised, its key.

1. Each legal move gets a key: the value by quiescence search after it. `early_cut`: once a key reaches beta and the
   rule says that the line would end behind that move whatever comes, the rest is saved.
2. Moves are sorted by their keys. `width` of them stay (`width_0` to `width_3` at the first plies), and `extra`
   captures or checks of those that fall out. What is cut away does not count for the rule either.
3. They are searched in this order with the window that is left.

At the root this is done for one budget of the rule after the other. Between these iterations the values become the
moves' keys and the moves are sorted again; for that a move behind the first is searched with a window down to
`root_margin` below the best, so that values so far below it are exact. Another move is the best only with a better
value. `multi_id` deepens so at every node.

With `mate_nodes` a mate search is asked first: a mate is played, and a move that allows one is not, if there is
another; `threatmates` are told. With `hisshi_nodes` a hisshi is played. `probe` looks up at every node what these
searches have found.

Source: KFEnd, "ABC search", 2000; Komiya, on mates in play.
"""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.attacks import is_in_check
from hisshi.core.kernel.checks import gives_check
from hisshi.core.kernel.context import part
from hisshi.core.kernel.control import (
    GAVE_UP_BUDGET,
    GAVE_UP_DEPTH,
    ITERATION,
    NODES,
    control_of,
    enter_node,
    give_up,
)
from hisshi.core.kernel.declare import FIRST_FREE_SLOT
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.moves import NO_MOVE, do_move, target_of, undo_move
from hisshi.core.kernel.pieces import EMPTY
from hisshi.core.kernel.play_mates import hisshi_value, mark_moves, mate_value
from hisshi.core.kernel.play_search import (
    DEEPEST,
    EARLY,
    FIRST_NODES,
    ITERATIONS,
    KEYED,
    LINE_LENGTH,
    LINE_PLIES,
    PLAY_ARRAYS,
    ROOT_NODES,
    SAVED,
    clear_counts,
    counts_of,
    from_node,
    from_root,
    keep_keys,
    known_keys,
    lines_of,
    put_in_line,
)
from hisshi.core.kernel.repetition import value_of_repetition
from hisshi.core.kernel.roles.legal_moves import call_legal_moves
from hisshi.core.kernel.roles.quiescence import call_quiescence
from hisshi.core.kernel.roles.stop import AFTER_MOVES, BEFORE_MOVES, NEXT_BUDGET, WHILE_KEYS, call_stop
from hisshi.core.kernel.stack import begin_node, keys_of, moves_of, sort_moves, stack_of
from hisshi.core.kernel.state import piece_on
from hisshi.core.kernel.table import UNKNOWN
from hisshi.core.kernel.values import INFINITE, MATE, NO_VALUE

# Places of the options in context.options.
WIDTH, WIDTH_AT, EXTRA, ROOT_MARGIN, EARLY_CUT, WINDOW, MULTI_ID, KEY_TABLE = 0, 1, 5, 6, 7, 8, 9, 10
MATE_NODES, HISSHI_NODES, THREATS, PROBE = 11, 12, 13, 14
WIDTHS = 4  # plies from the root that have a width of their own
FULL = 1  # value of the option `window`
BOTH = 2  # value of the option `probe`
MATE_PART, HISSHI_PART = FIRST_FREE_SLOT, FIRST_FREE_SLOT + 1
LOOK_UP = 1  # nodes of a search that is to answer from its table


@implements(
    "search",
    options=[
        Option("width", 10, "moves kept at a node; 0: all", low=0, high=1000),
        Option("width_0", 40, "at the root; 0: as `width`", low=0, high=1000),
        Option("width_1", 0, "one ply further; 0: as `width`", low=0, high=1000),
        Option("width_2", 0, "two plies further; 0: as `width`", low=0, high=1000),
        Option("width_3", 0, "three plies further; 0: as `width`", low=0, high=1000),
        Option("extra", 3, "captures and checks kept of the moves that fell out", low=0, high=1000),
        Option("root_margin", 100, "values of root moves down to so much below the best are exact", low=0),
        Option("early_cut", True, "stop computing keys when one of them is sure to end the node"),
        Option(
            "window",
            "node",
            "of the quiescence searches that give keys: the node's, or full and so exact",
            choices=("node", "full"),
        ),
        Option("multi_id", False, "deepen at every node, not at the root alone"),
        Option("key_table", True, "remember the moves that a node kept, and their keys"),
        Option("mate_nodes", 0, "of each mate search at the root: mine, and after each move his; 0: none", low=0),
        Option("hisshi_nodes", 0, "of a search for hisshi at the root; 0: none", low=0),
        Option("threatmates", False, "tell which moves at the root threaten a mate, and whether he does"),
        Option(
            "probe",
            "off",
            "look up at each node what the mate search, or the hisshi search too, has found",
            choices=("off", "mate", "both"),
        ),
    ],
    parts={
        "legal_moves": "legal_moves",
        "quiescence": "quiescence",
        "stop": "stop",
        "mate": "search",
        "hisshi": "search",
    },
    arrays=PLAY_ARRAYS,
    goal="play",
    source="KFEnd, ABC search, 2000; Komiya, on mates in play",
    status="experimental",
)
def negamax(context, position, plies):
    """Alpha-beta sorted by quiescence search, deepened at the root: classical or ABC, as the stop rule says."""
    context.calls += 1
    context.answer_move = NO_MOVE
    context.answer_plies = 0
    context.answer_exact = 0
    context.answer_score = 0
    clear_counts(context)
    control = control_of(context)
    moves, keys, stack = moves_of(context), keys_of(context), stack_of(context)
    lines, counts = lines_of(context), counts_of(context)
    if call_legal_moves(context, position, moves, 0) > 0:  # better than none, if mate searches take all the time
        context.answer_move, context.answer_score = np.int64(moves[0]), -INFINITE
    if answers_with_mate(context, position, counts, lines):
        give_up(control, GAVE_UP_BUDGET)
        return UNKNOWN
    low, high = np.int64(-INFINITE), np.int64(INFINITE)
    value = search_node(context, position, control, moves, keys, stack, lines, counts, np.int64(0), low, high)
    if value != NO_VALUE:
        give_up(control, GAVE_UP_BUDGET)
    return UNKNOWN


@compiled
def answers_with_mate(context, position, counts, lines):
    """Write the answer and return True if the side to move has a mate or a hisshi, as far as the options look."""
    slot = MATE_PART
    value = mate_value(context, slot, position, context.options[MATE_NODES], 0)
    if value == NO_VALUE:
        slot = HISSHI_PART
        value = hisshi_value(context, slot, position, context.options[HISSHI_NODES], 0)
    if value == NO_VALUE:
        return False
    context.answer_move, context.answer_score = part(context, slot).answer_move, value
    lines[0] = context.answer_move
    counts[LINE_LENGTH] = 1
    return True


@compiled
def search_node(context, position, control, moves, keys, stack, lines, counts, ply, alpha, beta):
    """Search the node at `ply`, whose budget is in the stack; return its value for the side to move, or NO_VALUE.

    The value is exact between `alpha` and `beta`; below, it is `alpha`; above, some value from `beta` to it. Writes
    its node's best move, and its line into `lines`; at the root also the answer.
    """
    if not enter_node(control):
        return NO_VALUE
    here = begin_node(stack, ply, position)
    deepens = ply == 0 or context.options[MULTI_ID] != 0
    if ply > 0:
        parent = stack[ply - 1]
        if context.options[MULTI_ID] != 0 or ply == 1:  # whose values are behind its keys
            here.first = here.end = parent.end + (parent.end - parent.first)
        counts[DEEPEST] = max(counts[DEEPEST], ply)
    here.lower, here.upper = alpha, beta
    start, budget = here.first, here.budget
    # 1. Ends of lines: repetition, the stop rule, a full stack.
    if ply > 0:
        promised = -keys[parent.current]
        here.depends = 1 if is_in_check(position, position.side) else 0
        repeated = value_of_repetition(stack, ply)
        if repeated != NO_VALUE:
            return repeated
        if context.options[PROBE] != 0:
            known = known_value(context, position, ply)
            if known != NO_VALUE:
                return known
        if call_stop(context, stack, ply, moves, keys, control, BEFORE_MOVES) != 0:
            return promised
        if ply + 2 >= LINE_PLIES or start + 3 * MAX_MOVES >= len(moves):
            give_up(control, GAVE_UP_DEPTH)
            return promised
    # 2. The moves and their keys.
    width = width_at(context, ply)
    end = start
    if context.options[KEY_TABLE] != 0:
        end = known_keys(context, position, ply, alpha, beta, width, moves, keys, start)
    if end > start:
        counts[SAVED] += 1
    else:
        last = call_legal_moves(context, position, moves, start)
        if last == start:
            if ply == 0:
                context.answer_score = -MATE
            return ply - MATE
        if ply == 0 and context.options[MATE_NODES] > 0:
            wants_threats = context.options[THREATS] != 0
            last = mark_moves(
                context, MATE_PART, position, context.options[MATE_NODES], moves, start, last, wants_threats
            )
        if ply == 0:  # better than none, if there is no time for a value
            context.answer_move, context.answer_score = np.int64(moves[start]), -INFINITE
        counts[KEYED] += 1
        full = ply == 0 or context.options[WINDOW] == FULL
        low, high = (np.int64(-INFINITE), np.int64(INFINITE)) if full else (alpha, beta)
        low_after, high_after = from_node(-high, ply + 1), from_node(-low, ply + 1)
        for end in range(start, last):
            move = np.int64(moves[end])
            captured = do_move(position, move)
            value = call_quiescence(context, position, low_after, high_after)
            undo_move(position, move, captured)
            if value == NO_VALUE:
                return NO_VALUE
            key = -from_root(value, ply + 1)
            keys[end] = key
            if ply > 0 and key >= beta and context.options[EARLY_CUT] != 0:
                if ends_early(context, position, control, moves, keys, stack, ply, end + 1, width):
                    counts[EARLY] += 1
                    return key
            elif ply == 0 and key > context.answer_score:
                context.answer_move, context.answer_score = move, key
        sort_moves(moves, keys, start, last)
        end = keep(context, position, moves, keys, start, last, width)
        if context.options[KEY_TABLE] != 0:
            keep_keys(context, position, ply, low, high, width, moves, keys, start, end)
    here.end = end
    # 3. The search, once or with rising budgets.
    child = stack[ply + 1]
    best = context.answer_score if ply == 0 else promised  # if the rule has no budget with which moves are searched
    if deepens:
        here.budget = 0
    while True:
        if deepens:
            if call_stop(context, stack, ply, moves, keys, control, NEXT_BUDGET) != 0:
                break
            if ply > 0:
                here.budget = min(here.budget, budget)
        present = here.budget
        if ply == 0:
            control[ITERATION] = present
        if call_stop(context, stack, ply, moves, keys, control, AFTER_MOVES) != 0:
            if not deepens:
                return promised
            here.budget = present
            if ply > 0 and present >= budget:
                break
            continue
        best = alpha
        here.length = 0 if ply > 0 else here.length
        margin = context.options[ROOT_MARGIN] if deepens else np.int64(0)
        for i in range(start, end):
            move = np.int64(moves[i])
            here.current = i
            floor = max(best - margin, alpha)
            child.budget = here.budget
            before = control[NODES]
            captured = do_move(position, move)
            value = search_node(context, position, control, moves, keys, stack, lines, counts, ply + 1, -beta, -floor)
            undo_move(position, move, captured)
            if value == NO_VALUE:
                return NO_VALUE
            value = max(-value, floor)
            if deepens:
                keys[end + i - start] = value
            if value > best:
                best = value
                here.best = move
                put_in_line(lines, stack, ply, move)
            if ply == 0:
                counts[ROOT_NODES] += control[NODES] - before
                if i == start:
                    counts[FIRST_NODES] += control[NODES] - before
                if value == best:
                    context.answer_move, context.answer_score = here.best, best
                    counts[LINE_LENGTH] = here.length
            if best >= beta:
                break
        if not deepens:
            break
        here.budget = present
        if ply == 0:
            counts[ITERATIONS] += 1
        if best >= min(beta, MATE - ply - 1) or (ply > 0 and present >= budget):  # nothing is better than mate in one
            break
        for i in range(start, end):
            keys[i] = keys[end + i - start]
        sort_moves(moves, keys, start, end)
    here.budget = budget
    return best


@compiled
def ends_early(context, position, control, moves, keys, stack, ply, end, width):
    """Say whether the keys of moves[first:end] are enough: a line ends behind one of them that is worth beta or more.

    Of more than `width` only the best stay, so the others must not count.
    """
    here = stack[ply]
    here.end, here.current = end, end - 1
    if 0 < width < end - here.first:
        sort_moves(moves, keys, here.first, end)
        here.end, here.current = here.first + width, here.first
    if call_stop(context, stack, ply, moves, keys, control, WHILE_KEYS) == 0:
        return False
    # What is asked before the rule at a node, and has another value than the key.
    move = np.int64(moves[here.current])
    captured = do_move(position, move)
    child = begin_node(stack, ply + 1, position)
    child.depends = 1 if is_in_check(position, position.side) else 0
    ends = value_of_repetition(stack, ply + 1) == NO_VALUE
    if ends and context.options[PROBE] != 0:
        ends = known_value(context, position, ply + 1) == NO_VALUE
    undo_move(position, move, captured)
    return ends


@compiled
def known_value(context, position, ply):
    """Return the value of a mate or hisshi of the side to move that is known to their searches, else NO_VALUE."""
    value = mate_value(context, MATE_PART, position, LOOK_UP, ply)
    if value == NO_VALUE and context.options[PROBE] == BOTH:
        value = hisshi_value(context, HISSHI_PART, position, LOOK_UP, ply)
    return value


@compiled
def width_at(context, ply):
    """Return how many moves are kept at `ply`; 0 for all."""
    width = context.options[np.uint64(WIDTH_AT + ply)] if ply < WIDTHS else np.int64(0)
    return width if width > 0 else context.options[WIDTH]


@compiled
def keep(context, position, moves, keys, start, end, width):
    """Cut sorted moves[start:end] down to `width` and the captures and checks that may stay; return the new end."""
    if width == 0 or end - start <= width:
        return end
    kept = start + width
    most = kept + context.options[EXTRA]
    for i in range(kept, end):
        if kept == most:
            break
        move = np.int64(moves[i])
        if piece_on(position, target_of(move)) != EMPTY or gives_check(position, move):
            moves[kept], keys[kept] = move, keys[i]
            kept += 1
    return kept


@hookimpl
def hisshi_search():
    """Offer the search."""
    return negamax
