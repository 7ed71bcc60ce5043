"""Stop rule conspiracy: alpha-beta-conspiracy search (ABC). A line ends where enough other moves back what it is worth.

Let P be the side that has just moved into a node and Q the side to move, the score the key of that move, alpha and beta
the node's window, all seen from P. The conspiracy depth of a side for a score s is the sum, over its nodes on the line,
of S(k), k being the number of moves there that are not the one being searched and have a key above s. The node is
stopped where

* score >= beta: P's depth for beta - delta has reached P's threshold;
* score <= alpha: Q's depth for -alpha - delta has reached Q's;
* else: both have, P's for score - delta and Q's for -score - delta.

So a forced line, whose nodes have no second move as good, goes on, and one of many good moves ends early. The budget is
the threshold of the side to move at the root, `threshold_other` the other's in proportion. S(k) adds up the weights of
k moves, 1 each, and is `cap` at most: any function that never falls can be written so.

Source: KFEnd, "ABC search", 2000; McAllester and Yuret, 1993.
"""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.roles.stop import BEFORE_MOVES, NEXT_BUDGET, WHILE_KEYS

# Places of the options in context.options; behind them the weights.
THRESHOLD, THRESHOLD_OTHER, FIRST, STEP, DELTA, CAP, WEIGHTS = range(7)
OWN_WEIGHTS = 5  # of the first moves; each further one has the last weight


@implements(
    "stop",
    options=[
        Option("threshold", 20, "the last budget: the threshold of the side to move at the root", low=1, high=10_000),
        Option("threshold_other", 0, "the other side's, at the last budget; 0: the same", low=0, high=10_000),
        Option("first", 1, "the first budget", low=1, high=10_000),
        Option("step", 1, "how much each next budget is larger", low=1, high=10_000),
        Option("delta", 50, "by how much a move may be worse and still back a score", low=-1_000_000, high=1_000_000),
        Option("cap", 5, "largest contribution of one node; 0: none", low=0, high=10_000),
        Option("weight_1", 1, "what the first backing move of a node counts", low=0, high=10_000),
        Option("weight_2", 1, "the second", low=0, high=10_000),
        Option("weight_3", 1, "the third", low=0, high=10_000),
        Option("weight_4", 1, "the fourth", low=0, high=10_000),
        Option("weight_5", 1, "the fifth", low=0, high=10_000),
        Option("weight_more", 1, "each one after it", low=0, high=10_000),
    ],
    source="KFEnd, ABC search, 2000; McAllester and Yuret, 1993",
)
def conspiracy(context, stack, ply, moves, keys, limits, point):
    """Stop where enough other moves back the score, so that the line may be wrong and nothing changes (ABC)."""
    here = stack[ply]
    if point == NEXT_BUDGET:
        following = here.budget + context.options[STEP] if here.budget > 0 else context.options[FIRST]
        last = context.options[THRESHOLD]
        if following > last:
            if here.budget >= last:
                return 1
            following = last
        here.budget = following
        return 0
    delta = context.options[DELTA]
    if point == WHILE_KEYS:
        reached = conspiracy_depth(context, stack, ply, keys, here.upper - delta) >= threshold_at(context, here, ply)
        return 1 if reached else 0
    if point != BEFORE_MOVES:
        return 0
    if here.budget <= 0:
        return 1
    if ply == 0:
        return 0
    score = keys[stack[ply - 1].current]
    alpha, beta = -here.upper, -here.lower
    enough, enough_other = threshold_at(context, here, ply - 1), threshold_at(context, here, ply)
    if score >= beta:
        stops = conspiracy_depth(context, stack, ply - 1, keys, beta - delta) >= enough
    elif score <= alpha:
        stops = conspiracy_depth(context, stack, ply - 2, keys, -alpha - delta) >= enough_other
    else:
        stops = (
            conspiracy_depth(context, stack, ply - 1, keys, score - delta) >= enough
            and conspiracy_depth(context, stack, ply - 2, keys, -score - delta) >= enough_other
        )
    return 1 if stops else 0


@compiled
def threshold_at(context, here, ply):
    """Return the threshold of the side to move at `ply`."""
    other = context.options[THRESHOLD_OTHER]
    if ply % 2 == 0 or other == 0:
        return here.budget
    return max(here.budget * other // context.options[THRESHOLD], 1)


@compiled
def conspiracy_depth(context, stack, last, keys, score):
    """Return the conspiracy depth for `score` of the side to move at ply `last`, over its nodes from there up."""
    depth = np.int64(0)
    cap = context.options[CAP]
    for ply in range(last, -1, -2):
        node = stack[ply]
        share, count = np.int64(0), 0
        for i in range(node.first, node.end):
            if i != node.current and keys[i] > score:
                share += context.options[np.uint64(WEIGHTS + min(count, OWN_WEIGHTS))]
                count += 1
                if cap > 0 and share >= cap:
                    share = cap
                    break
        depth += share
    return depth


@hookimpl
def hisshi_stop():
    """Offer the rule."""
    return conspiracy
