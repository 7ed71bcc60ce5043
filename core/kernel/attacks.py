"""Who attacks what: slider attacks by blocked rays, attackers of a square, checkers, pins."""

from hisshi.core.kernel.bitboard import from_highest, load, lowest, rest, up_to_lowest
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.geometry import (
    DOWN,
    NO_DIRECTION,
    RAYS,
    UP,
    direction_between,
    ray,
    steps,
)
from hisshi.core.kernel.pieces import (
    BISHOP,
    DRAGON,
    GOLD,
    HORSE,
    KING,
    KNIGHT,
    LANCE,
    NO_SQUARE,
    PAWN,
    ROOK,
    SILVER,
    SQUARE_COUNT,
)
from hisshi.core.kernel.state import GOLD_MOVERS, king_square, occupied_squares, pieces_of, pieces_of_kind


@compiled
def falling_ray_attacks(direction, square, occupied):
    """Return the squares seen from `square` in a direction (0 to 3) in which square numbers fall."""
    squares = load(RAYS, direction * SQUARE_COUNT + square)
    return squares & from_highest(squares & occupied)


@compiled
def rising_ray_attacks(direction, square, occupied):
    """Return the squares seen from `square` in a direction (4 to 7) in which square numbers rise."""
    squares = load(RAYS, direction * SQUARE_COUNT + square)
    return squares & up_to_lowest(squares & occupied)


@compiled
def lance_attacks(colour, square, occupied):
    """Return what a lance of `colour` on `square` attacks."""
    if colour == 0:
        return falling_ray_attacks(UP, square, occupied)
    return rising_ray_attacks(DOWN, square, occupied)


@compiled
def bishop_attacks(square, occupied):
    """Return what a bishop on `square` attacks."""
    return (
        falling_ray_attacks(0, square, occupied)
        | falling_ray_attacks(2, square, occupied)
        | rising_ray_attacks(5, square, occupied)
        | rising_ray_attacks(7, square, occupied)
    )


@compiled
def rook_attacks(square, occupied):
    """Return what a rook on `square` attacks."""
    return (
        falling_ray_attacks(1, square, occupied)
        | falling_ray_attacks(3, square, occupied)
        | rising_ray_attacks(4, square, occupied)
        | rising_ray_attacks(6, square, occupied)
    )


@compiled
def attacks_from(colour, kind, square, occupied):
    """Return the squares that a piece of `colour` and `kind` on `square` attacks, own pieces' squares included."""
    result = steps(colour, kind, square)
    if kind == LANCE:
        result = lance_attacks(colour, square, occupied)
    elif kind == BISHOP or kind == HORSE:
        result |= bishop_attacks(square, occupied)
    elif kind == ROOK or kind == DRAGON:
        result |= rook_attacks(square, occupied)
    return result


@compiled
def diagonal_sliders(position):
    """Return bishops and horses of both colours."""
    return pieces_of_kind(position, BISHOP) | pieces_of_kind(position, HORSE)


@compiled
def straight_sliders(position):
    """Return rooks and dragons of both colours."""
    return pieces_of_kind(position, ROOK) | pieces_of_kind(position, DRAGON)


@compiled
def _step_attackers(position, square, colour):
    """Return pieces of either colour that would attack `square` by a step if they were `colour`'s."""
    other = 1 - colour
    return (
        (steps(other, PAWN, square) & pieces_of_kind(position, PAWN))
        | (steps(other, KNIGHT, square) & pieces_of_kind(position, KNIGHT))
        | (steps(other, SILVER, square) & pieces_of_kind(position, SILVER))
        | (steps(other, GOLD, square) & pieces_of_kind(position, GOLD_MOVERS))
        | (
            steps(other, KING, square)
            & (pieces_of_kind(position, KING) | pieces_of_kind(position, HORSE) | pieces_of_kind(position, DRAGON))
        )
    )


@compiled
def lines_through(square):
    """Return the diagonal rays and the straight rays from `square` on the empty board."""
    diagonal = ray(0, square) | ray(2, square) | ray(5, square) | ray(7, square)
    straight = ray(1, square) | ray(3, square) | ray(4, square) | ray(6, square)
    return diagonal, straight


@compiled
def attackers_of(position, square, colour, occupied):
    """Return the pieces of `colour` that attack `square` when `occupied` blocks the lines.

    `occupied` may differ from the position's own occupation (a king lifted, a blocker added); pieces are taken from
    `position`.
    """
    found = _step_attackers(position, square, colour)
    diagonal, straight = lines_through(square)
    own = pieces_of(position, colour)
    sliders = diagonal_sliders(position) & diagonal & own
    if sliders:
        found |= bishop_attacks(square, occupied) & sliders
    sliders = straight_sliders(position) & straight & own
    if sliders:
        found |= rook_attacks(square, occupied) & sliders
    sliders = pieces_of_kind(position, LANCE) & straight & own
    if sliders:
        found |= lance_attacks(1 - colour, square, occupied) & sliders
    return found & own


@compiled
def is_attacked(position, square, colour, occupied):
    """Say whether a piece of `colour` attacks `square` when `occupied` blocks the lines; see `attackers_of`."""
    own = pieces_of(position, colour)
    if _step_attackers(position, square, colour) & own:
        return True
    diagonal, straight = lines_through(square)
    sliders = diagonal_sliders(position) & diagonal & own
    if sliders:
        if bishop_attacks(square, occupied) & sliders:
            return True
    sliders = straight_sliders(position) & straight & own
    if sliders:
        if rook_attacks(square, occupied) & sliders:
            return True
    sliders = pieces_of_kind(position, LANCE) & straight & own
    if sliders:
        if lance_attacks(1 - colour, square, occupied) & sliders:
            return True
    return False


@compiled
def checkers_of(position, colour):
    """Return the enemy pieces that give check to `colour`'s king; none where it has no king."""
    square = king_square(position, colour)
    if square == NO_SQUARE:
        return pieces_of(position, 0) & pieces_of(position, 1)
    return attackers_of(position, square, 1 - colour, occupied_squares(position))


@compiled
def is_in_check(position, colour):
    """Say whether `colour`'s king is attacked; False where it has no king."""
    square = king_square(position, colour)
    if square == NO_SQUARE:
        return False
    return is_attacked(position, square, 1 - colour, occupied_squares(position))


@compiled
def between(source, target):
    """Return the squares strictly between two squares of one line; empty where no line joins them."""
    direction = direction_between(source, target)
    if direction == NO_DIRECTION:
        return ray(0, 0)  # no square lies beyond the corner 1a in direction 0
    return ray(direction, source) & ray(7 - direction, target)


@compiled
def line_through(source, target):
    """Return the whole line through two squares of one line, `source` itself left out."""
    direction = direction_between(source, target)
    if direction == NO_DIRECTION:
        return ray(0, 0)
    return ray(direction, source) | ray(7 - direction, source)


@compiled
def line_blockers(position, square, colour):
    """Return the pieces, of either colour, that alone stand between `square` and a slider of `colour`.

    With the enemy king's square and the own colour these are the pieces whose move uncovers a check; with the own
    king's square and the enemy's colour, and met with the own pieces, they are the pinned ones.
    """
    own = pieces_of(position, colour)
    occupied = occupied_squares(position)
    diagonal, straight = lines_through(square)
    snipers = (diagonal_sliders(position) & diagonal) | (straight_sliders(position) & straight)
    backward = DOWN if colour == 0 else UP  # a lance that looks at `square` stands behind it
    snipers = (snipers | (pieces_of_kind(position, LANCE) & ray(backward, square))) & own
    blockers = own & ~own
    while snipers:
        sniper = lowest(snipers)
        snipers = rest(snipers)
        inside = between(square, sniper) & occupied
        if inside:
            if not rest(inside):
                blockers |= inside
    return blockers
