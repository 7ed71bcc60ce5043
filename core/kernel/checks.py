"""Moves that give check: direct ones, uncovered ones, drops; and whether a given move is one of them.

A piece can only check from the squares that a piece of the other colour and its kind, put on the king's square, would
attack. Each piece's moves are met with those squares, so that a move that does not check is never looked at.
"""

from hisshi.core.kernel.attacks import (
    attackers_of,
    attacks_from,
    between,
    bishop_attacks,
    lance_attacks,
    line_blockers,
    line_through,
    rook_attacks,
)
from hisshi.core.kernel.bitboard import contains, lowest, rest
from hisshi.core.kernel.check_sources import check_sources
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.generation import (
    drop_targets,
    king_moves,
    pinned_pieces,
    plain_targets,
    write_moves,
    write_promotions,
)
from hisshi.core.kernel.geometry import board_mask, steps, zone
from hisshi.core.kernel.moves import (
    board_move,
    drop_move,
    is_drop,
    kind_after,
    source_of,
    target_of,
)
from hisshi.core.kernel.pieces import BISHOP, DRAGON, GOLD, HORSE, KING, LANCE, NO_SQUARE, PAWN, ROOK
from hisshi.core.kernel.state import (
    GOLD_MOVERS,
    in_hand,
    king_square,
    occupied_squares,
    piece_on,
    pieces_of,
    pieces_of_kind,
)


@compiled
def checking_squares(colour, kind, king, occupied):
    """Return the squares from which a `kind` of `colour` attacks the enemy king on square `king`."""
    return attacks_from(1 - colour, kind, king, occupied)


@compiled
def check_moves(position, moves, start, skip_dominated):
    """Write every legal move of the side to move that gives check and return the end; none if the enemy has no king.

    In check, only evasions that check are written. The enemy must not be in check already.
    """
    us = position.side
    them = 1 - us
    enemy_king = king_square(position, them)
    if enemy_king == NO_SQUARE:
        return start
    end = start
    own = pieces_of(position, us)
    occupied = occupied_squares(position)
    king = king_square(position, us)
    targets = ~own & board_mask()
    drop_squares = ~occupied & board_mask()
    uncovering = line_blockers(position, enemy_king, us) & own
    # 1. The own king uncovers a check by leaving the line.
    if king != NO_SQUARE:
        if contains(uncovering, king):
            end = king_moves(position, moves, end, targets & ~line_through(enemy_king, king))
        checkers = attackers_of(position, king, them, occupied)
        if checkers:
            if rest(checkers):
                return end
            drop_squares = between(king, lowest(checkers))
            targets = drop_squares | checkers
    diagonal = bishop_attacks(enemy_king, occupied)
    straight = rook_attacks(enemy_king, occupied)
    forward = lance_attacks(them, enemy_king, occupied)
    end = _board_checks(position, moves, end, targets, uncovering, diagonal, straight, forward, skip_dominated)
    # 2. Drops.
    for kind in range(PAWN, GOLD + 1):
        if in_hand(position, us, kind) > 0:
            squares = steps(them, kind, enemy_king)
            if kind == LANCE:
                squares = forward
            elif kind == BISHOP:
                squares = diagonal
            elif kind == ROOK:
                squares = straight
            squares &= drop_squares
            if squares:
                end = write_moves(moves, end, drop_move(kind, 0), drop_targets(position, kind, squares))
    return end


@compiled
def _board_checks(position, moves, end, targets, uncovering, diagonal, straight, forward, skip_dominated):
    """Write the checks by pieces other than the king that move on the board to `targets`.

    `diagonal`, `straight` and `forward`: the squares from which a bishop, a rook or a lance checks.
    """
    us = position.side
    enemy_king = king_square(position, 1 - us)
    occupied = occupied_squares(position)
    pinned = pinned_pieces(position)
    around = steps(us, KING, enemy_king)
    own_zone = zone(us)
    pieces = uncovering & ~pieces_of_kind(position, KING)
    for kind in range(GOLD_MOVERS, ROOK + 1):
        pieces |= pieces_of_kind(position, kind) & check_sources(us, kind, enemy_king)
    pieces |= pieces_of_kind(position, HORSE) & check_sources(us, HORSE, enemy_king)
    pieces |= pieces_of_kind(position, DRAGON) & check_sources(us, DRAGON, enemy_king)
    pieces &= pieces_of(position, us)
    while pieces:
        source = lowest(pieces)
        pieces = rest(pieces)
        kind = piece_on(position, source) & 15
        # 1. Squares from which it would check, unpromoted and promoted.
        plain = steps(1 - us, kind, enemy_king)
        if kind == LANCE:
            plain = forward
        elif kind == BISHOP:
            plain = diagonal
        elif kind == ROOK:
            plain = straight
        elif kind == HORSE:
            plain = diagonal | around
        elif kind == DRAGON:
            plain = straight | around
        can_promote = kind < GOLD
        promoted = plain
        if can_promote:
            promoted = steps(1 - us, GOLD, enemy_king)
            if kind == BISHOP:
                promoted = diagonal | around
            elif kind == ROOK:
                promoted = straight | around
        uncovers = contains(uncovering, source)
        if uncovers:
            free = ~line_through(enemy_king, source)
            plain |= free
            promoted |= free
        wanted = (plain | promoted) & targets
        if not wanted:
            continue
        # 2. Which of them it reaches.
        reached = attacks_from(us, kind, source, occupied) & wanted
        if not reached:
            continue
        if contains(pinned, source):
            reached &= line_through(king_square(position, us), source)
        first = board_move(kind, source, 0)
        if can_promote:
            in_zone = contains(own_zone, source)
            end = write_promotions(moves, end, first, reached & promoted, us, in_zone)
            unpromoted = plain_targets(reached & plain, us, kind, in_zone, skip_dominated)
            end = write_moves(moves, end, first, unpromoted)
        else:
            end = write_moves(moves, end, first, reached & plain)
    return end


@compiled
def gives_check(position, move):
    """Say whether a pseudo-legal `move` of the side to move checks the enemy king; `position` is as before the move."""
    us = position.side
    enemy_king = king_square(position, 1 - us)
    if enemy_king == NO_SQUARE:
        return False
    target = target_of(move)
    occupied = occupied_squares(position)
    if is_drop(move):
        return contains(checking_squares(us, kind_after(move), enemy_king, occupied), target)
    source = source_of(move)
    if contains(line_blockers(position, enemy_king, us), source):
        if not contains(line_through(enemy_king, source), target):
            return True
    if kind_after(move) == KING:
        return False
    return contains(checking_squares(us, kind_after(move), enemy_king, occupied), target)
