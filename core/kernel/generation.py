"""Legal moves by dedicated generators: all moves, evasions, captures.

A generator writes int32 moves into a buffer from an index on and returns the index after the last. The buffer must
have room for `MAX_MOVES` more. Nothing is generated and then tested by making it: pins and attacked squares are known
beforehand; the one exception is the pawn drop that checks, since whether it mates is a question about the position
after it.

`skip_dominated` leaves out the moves of pawn, bishop and rook that could promote and do not. They matter only round
uchifuzume, so nothing leaves them out unless it is told to.
"""

from hisshi.core.kernel.attacks import (
    attackers_of,
    attacks_from,
    between,
    is_attacked,
    line_blockers,
    line_through,
)
from hisshi.core.kernel.bitboard import bit, contains, lowest, rest, shift
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.geometry import board_mask, file_of, last_ranks, steps, zone
from hisshi.core.kernel.moves import PROMOTE, board_move, drop_move
from hisshi.core.kernel.pieces import (
    BISHOP,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
    NO_SQUARE,
    PAWN,
    ROOK,
)
from hisshi.core.kernel.state import in_hand, king_square, occupied_squares, piece_on, pieces_of, pieces_of_kind

# Room that a generator needs behind `start`. A legal set has at most 593 moves; positions read with strict=False may
# hold many more sliders, but 81 pieces with 16 targets, each with and without promotion, and 7 kinds of drops on 81
# squares bound them all.
MAX_MOVES = 81 * 32 + 7 * 81


@compiled
def write_moves(moves, end, first, targets):
    """Write one move per target; `first` is the move to square 0. Return the new end."""
    while targets:
        moves[end] = first | lowest(targets)
        end += 1
        targets = rest(targets)
    return end


@compiled
def write_promotions(moves, end, first, targets, colour, source_in_zone):
    """Write the promoting moves of a piece that moves to `targets`."""
    if not source_in_zone:
        targets &= zone(colour)
    return write_moves(moves, end, first | PROMOTE, targets)


@compiled
def immovable_squares(colour, kind):
    """Return where an unpromoted `kind` of `colour` could never move again."""
    if kind == PAWN or kind == LANCE:
        return last_ranks(colour, 1)
    if kind == KNIGHT:
        return last_ranks(colour, 2)
    return board_mask() & ~board_mask()


@compiled
def plain_targets(targets, colour, kind, source_in_zone, skip_dominated):
    """Return the targets that a piece which can promote may also move to without promotion."""
    targets &= ~immovable_squares(colour, kind)
    if skip_dominated:
        if kind == PAWN or kind == BISHOP or kind == ROOK:
            if source_in_zone:
                return targets & ~targets
            targets &= ~zone(colour)
    return targets


@compiled
def _pawn_moves(position, moves, end, targets, pinned, skip_dominated):
    """Write all pawns' moves at once: the whole set moves one rank."""
    us = position.side
    pawns = pieces_of_kind(position, PAWN) & pieces_of(position, us)
    stuck = pawns & pinned
    free = pawns & ~pinned & ~last_ranks(us, 1)  # from there a shift would wrap to the next file
    if us == 0:
        ahead, back = shift(free, -1), 1
    else:
        ahead, back = shift(free, 1), -1
    while stuck:  # a pinned pawn may still move along a file
        square = lowest(stuck)
        stuck = rest(stuck)
        ahead |= steps(us, PAWN, square) & line_through(king_square(position, us), square)
    ahead &= targets
    promoting = ahead & zone(us)
    while promoting:
        target = lowest(promoting)
        promoting = rest(promoting)
        moves[end] = board_move(PAWN, target + back, target) | PROMOTE
        end += 1
    plain = plain_targets(ahead, us, PAWN, False, skip_dominated)
    while plain:
        target = lowest(plain)
        plain = rest(plain)
        moves[end] = board_move(PAWN, target + back, target)
        end += 1
    return end


@compiled
def _piece_moves(position, moves, end, targets, pinned, skip_dominated):
    """Write the moves of all pieces but pawns and king."""
    us = position.side
    own = pieces_of(position, us)
    occupied = occupied_squares(position)
    pieces = own & ~pieces_of_kind(position, PAWN) & ~pieces_of_kind(position, KING)
    while pieces:
        source = lowest(pieces)
        pieces = rest(pieces)
        kind = piece_on(position, source) & 15
        reached = attacks_from(us, kind, source, occupied) & targets
        if contains(pinned, source):
            reached &= line_through(king_square(position, us), source)
        first = board_move(kind, source, 0)
        if kind < GOLD:
            in_zone = contains(zone(us), source)
            end = write_promotions(moves, end, first, reached, us, in_zone)
            reached = plain_targets(reached, us, kind, in_zone, skip_dominated)
        end = write_moves(moves, end, first, reached)
    return end


@compiled
def king_moves(position, moves, end, targets):
    """Write the king's moves to those of `targets` that are not attacked; the king does not screen a line."""
    us = position.side
    square = king_square(position, us)
    if square == NO_SQUARE:
        return end
    without_king = occupied_squares(position) & ~bit(square)
    reached = steps(us, KING, square) & targets
    while reached:
        target = lowest(reached)
        reached = rest(reached)
        if not is_attacked(position, target, 1 - us, without_king):
            moves[end] = board_move(KING, square, target)
            end += 1
    return end


@compiled
def pawn_free_files(position, colour):
    """Return all squares of the files without an unpromoted pawn of `colour`."""
    pawns = pieces_of_kind(position, PAWN) & pieces_of(position, colour)
    free = board_mask()
    while pawns:
        free &= ~file_of(lowest(pawns))
        pawns = rest(pawns)
    return free


@compiled
def pawn_drop_targets(position, targets):
    """Return those of `targets` where the side to move may drop a pawn: nifu, last rank and uchifuzume respected."""
    us = position.side
    targets &= pawn_free_files(position, us) & ~last_ranks(us, 1)
    enemy_king = king_square(position, 1 - us)
    if enemy_king != NO_SQUARE:
        front = steps(1 - us, PAWN, enemy_king)
        if front & targets:
            if is_pawn_drop_mate(position, lowest(front)):
                targets &= ~front
    return targets


@compiled
def is_pawn_drop_mate(position, square):
    """Say whether a pawn dropped by the side to move on `square`, in front of the enemy king, would mate."""
    us = position.side
    them = 1 - us
    king = king_square(position, them)
    occupied = occupied_squares(position) | bit(square)
    # 1. A piece other than the king takes the pawn, unless it is pinned.
    takers = attackers_of(position, square, them, occupied) & ~bit(king)
    takers &= ~line_blockers(position, king, us) | line_through(king, square)
    if takers:
        return False
    # 2. The king takes it, or goes elsewhere.
    without_king = occupied & ~bit(king)
    flights = steps(them, KING, king) & ~pieces_of(position, them)
    while flights:
        target = lowest(flights)
        flights = rest(flights)
        if not is_attacked(position, target, us, without_king):
            return False
    return True


@compiled
def drop_targets(position, kind, targets):
    """Return those of `targets`, empty squares, where the side to move may drop a piece of `kind`."""
    if kind == PAWN:
        return pawn_drop_targets(position, targets)
    return targets & ~immovable_squares(position.side, kind)


@compiled
def drops(position, moves, end, targets):
    """Write the drops on `targets`, which must be empty squares."""
    us = position.side
    for kind in range(PAWN, GOLD + 1):
        if in_hand(position, us, kind) > 0:
            end = write_moves(moves, end, drop_move(kind, 0), drop_targets(position, kind, targets))
    return end


@compiled
def pinned_pieces(position):
    """Return the pieces of the side to move that a pin holds on a line."""
    us = position.side
    king = king_square(position, us)
    if king == NO_SQUARE:
        return board_mask() & ~board_mask()
    return line_blockers(position, king, 1 - us) & pieces_of(position, us)


@compiled
def evasions(position, moves, start, checkers, skip_dominated):
    """Write all legal moves of the side to move, which is in check by `checkers`.

    King moves first, then captures of the checker and moves between, then drops between.
    """
    us = position.side
    king = king_square(position, us)
    own = pieces_of(position, us)
    end = king_moves(position, moves, start, ~own & board_mask())
    if rest(checkers):
        return end
    inside = between(king, lowest(checkers))
    pinned = pinned_pieces(position)
    targets = inside | checkers
    end = _piece_moves(position, moves, end, targets, pinned, skip_dominated)
    end = _pawn_moves(position, moves, end, targets, pinned, skip_dominated)
    if inside:
        end = drops(position, moves, end, inside)
    return end


@compiled
def all_moves(position, moves, start, skip_dominated):
    """Write every legal move of the side to move, in check or not."""
    us = position.side
    king = king_square(position, us)
    own = pieces_of(position, us)
    if king != NO_SQUARE:
        checkers = attackers_of(position, king, 1 - us, occupied_squares(position))
        if checkers:
            return evasions(position, moves, start, checkers, skip_dominated)
    pinned = pinned_pieces(position)
    targets = ~own & board_mask()
    end = _pawn_moves(position, moves, start, targets, pinned, skip_dominated)
    end = _piece_moves(position, moves, end, targets, pinned, skip_dominated)
    end = king_moves(position, moves, end, targets)
    return drops(position, moves, end, ~occupied_squares(position) & board_mask())


@compiled
def captures(position, moves, start, skip_dominated):
    """Write every legal capture of the side to move; in check, only those that also end the check."""
    us = position.side
    king = king_square(position, us)
    enemies = pieces_of(position, 1 - us)
    targets = enemies
    end = king_moves(position, moves, start, enemies)
    if king != NO_SQUARE:
        checkers = attackers_of(position, king, 1 - us, occupied_squares(position))
        if checkers:
            if rest(checkers):
                return end
            targets = checkers
    pinned = pinned_pieces(position)
    end = _pawn_moves(position, moves, end, targets, pinned, skip_dominated)
    return _piece_moves(position, moves, end, targets, pinned, skip_dominated)
