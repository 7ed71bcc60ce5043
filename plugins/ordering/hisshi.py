"""Move order hisshi: king freedom first, then nearness to the king, attacks, kind of piece, captures.

What a move is worth is how free it leaves the own king less how free it leaves the enemy's. With one king on the board,
as hisshi are posed, that is the text's rule: the attacker first tries what leaves the hunted king the fewest squares,
the defender what leaves his own the most. With two kings an order is not told who hunts whom, and need not know.

Equal moves are told apart, each by the next where all before are equal, by

* the distance of the target square to the hunted king, nearer first; with two kings, to the enemy's;
* attacks: how many own pieces besides the one that moves attack the target, less the enemy's; and, for a move on the
  board, less the same difference on its source: from where it could be lost to where it is safe;
* the kind of the piece after the move, the cheaper first;
* captures, the dearer piece first.

Attacks are counted in the position before the move. The four are options, the weight of each step, chosen so that none
outweighs the one before; a negative weight turns its rule round, 0 leaves it out. Freedom outweighs all.

In check the text's rule does not serve: it does not know the moves that end the check for good. There captures come
first, that of the checker by another piece than the king before all; then moves of the king; then moves and drops
between, nearest to the king first.

Source: KFEnd, "Hisshi search", 2000, on move ordering. Signs, weights, two kings and evasions are ours: it is silent.
"""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.attacks import attackers_of, is_in_check
from hisshi.core.kernel.bitboard import popcount
from hisshi.core.kernel.context import array_reader
from hisshi.core.kernel.evasion_order import evasion_key
from hisshi.core.kernel.geometry import distance
from hisshi.core.kernel.moves import do_move, is_drop, kind_after, source_of, target_of, undo_move
from hisshi.core.kernel.pieces import NO_SQUARE, SQUARE_COUNT
from hisshi.core.kernel.role import Array
from hisshi.core.kernel.roles.king_freedom import call_king_freedom
from hisshi.core.kernel.state import king_square, occupied_squares, piece_on

DISTANCE, ATTACKS, KIND, CAPTURE = 0, 1, 2, 3  # places of the options in context.options
MOST = 100_000  # for a weight; FREEDOM stays more than all four together
FREEDOM = 1 << 24
# Worth of a kind, in steps: none, pawn, lance, knight, silver, bishop, rook, gold, king, and what they promote to.
WORTH = np.array([0, 1, 2, 3, 4, 6, 7, 5, 8, 5, 5, 5, 5, 8, 9], np.int64)

BALANCE = Array("balance", np.dtype(np.int64), SQUARE_COUNT)  # of the node's squares, as far as asked for
UNKNOWN_BALANCE = 127  # more than any

_balance_at = array_reader(BALANCE.dtype)


@compiled
def balance_of(position, balances, square):
    """Return how many pieces of the side to move attack `square`, less the enemy's; counted once a node."""
    if balances[square] == UNKNOWN_BALANCE:
        occupied = occupied_squares(position)
        own = popcount(attackers_of(position, square, position.side, occupied))
        balances[square] = own - popcount(attackers_of(position, square, 1 - position.side, occupied))
    return balances[square]


@implements(
    "move_order",
    name="hisshi",
    options=[
        Option("distance", 16_384, "weight of a step away from the hunted king", low=-MOST, high=MOST),
        Option("attacks", 256, "weight of an attack on target or source", low=-MOST, high=MOST),
        Option("kind", 16, "weight of a step to a dearer piece that moves", low=-MOST, high=MOST),
        Option("capture", 1, "weight of a step to a dearer piece that is taken", low=-MOST, high=MOST),
    ],
    parts=["king_freedom"],
    arrays=[BALANCE],
    source="KFEnd, Hisshi search, 2000",
)
def hisshi_order(context, position, moves, keys, start, end):
    """Small freedom of the enemy king, large freedom of the own; then nearness, attacks, cheap pieces, captures."""
    us = position.side
    them = 1 - us
    own_king = king_square(position, us)
    enemy_king = king_square(position, them)
    if is_in_check(position, us):
        for i in range(start, end):
            keys[i] = evasion_key(position, np.int64(moves[i]), own_king)
        return 0
    king = enemy_king if enemy_king != NO_SQUARE else own_king
    balances = _balance_at(context.memory[0], context.sizes[0])
    for square in range(SQUARE_COUNT):
        balances[square] = UNKNOWN_BALANCE
    for i in range(start, end):
        move = np.int64(moves[i])
        target = target_of(move)
        # 1. What tells equal moves apart.
        away = distance(target, king) if king != NO_SQUARE else 0
        attacks = balance_of(position, balances, target)
        taken = np.int64(0)
        if not is_drop(move):
            attacks -= 1 + balance_of(position, balances, source_of(move))  # 1: it attacked the target itself
            taken = piece_on(position, target) & 15
        key = context.options[ATTACKS] * attacks - context.options[DISTANCE] * away
        key += context.options[CAPTURE] * WORTH[taken] - context.options[KIND] * WORTH[kind_after(move)]
        # 2. Freedom; that of a king who is not there is always the same.
        captured = do_move(position, move)
        free = np.int64(0)
        if own_king != NO_SQUARE:
            free += call_king_freedom(context, position, us)
        if enemy_king != NO_SQUARE:
            free -= call_king_freedom(context, position, them)
        undo_move(position, move, captured)
        keys[i] = key + FREEDOM * free
    return 0


@hookimpl
def hisshi_move_order():
    """Offer the order."""
    return hisshi_order
