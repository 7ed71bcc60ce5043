"""The positions that plugins are tried on miss no kind of move, so that no generator can leave one out unseen."""

import itertools

import pytest

from hisshi.conformance.positions import moves_by_the_rules, positions, positions_in_check

ROLES = ("legal_moves", "checks", "evasions")
PIECES = "PLNSGBRK"
PROMOTED = ("+P", "+L", "+N", "+S", "+B", "+R")
ZONES = ("into the zone", "inside it", "out of it")


def letter(sfen, square):
    """Return the piece on a USI square, as SFEN writes it in capitals."""
    row = sfen.split("/")[ord(square[1]) - ord("a")].split()[0]
    pieces, plus = [], ""
    for char in row:
        if char == "+":
            plus = "+"
        else:
            pieces += [""] * int(char) if char.isdigit() else [plus + char.upper()]
            plus = ""
    return pieces[9 - int(square[0])]


def kind_of_move(sfen, move):
    """Return what is moved by whom, and for what may promote where and how, for a drop on which of the far ranks."""
    side = sfen.split()[1]
    ranks = [ord(move[i]) - ord("a") + 1 for i in (1, 3) if move[i] != "*"]
    ranks = [rank if side == "b" else 10 - rank for rank in ranks]
    if move[1] == "*":
        return side, move[0], "drop", ranks[0] if ranks[0] in (1, 2, 9) else 0
    piece = letter(sfen, move[:2])
    if piece not in tuple("PLNSBR"):
        return side, piece, "move"
    zone = (ranks[0] <= 3, ranks[1] <= 3)
    zones = {(False, True): ZONES[0], (True, True): ZONES[1], (True, False): ZONES[2], (False, False): "outside"}
    return side, piece, zones[zone], move.endswith("+")


def wanted(role):
    """Yield every kind of move that there can be in a role."""
    for side in "bw":
        for piece in (*PIECES, *PROMOTED):
            if piece in ("G", "K") or len(piece) == 2:
                yield side, piece, "move"
            else:
                zones = ZONES[:2] if piece in "PLN" else ZONES
                yield from ((side, piece, zone, way) for zone, way in itertools.product(zones, (True, False)))
                yield side, piece, "outside", False
        for piece in "PLNSGBR":
            for rank in (0, 1, 2, 9):
                yield side, piece, "drop", rank


# Squares from which a piece could never move on.
IMPOSSIBLE = {("P", "drop", 1), ("L", "drop", 1), ("N", "drop", 1), ("N", "drop", 2), ("N", "inside it", False)}


@pytest.mark.compiled  # uncompiled there are fewer positions
@pytest.mark.parametrize("role", ROLES)
def test_every_kind_of_move_can_be_made_in_some_position(role):
    sfens = positions_in_check() if role == "evasions" else positions()
    there = {kind_of_move(sfen, move) for sfen in sfens for move in moves_by_the_rules(role, sfen)}
    assert [kind for kind in wanted(role) if kind not in there and kind[1:] not in IMPOSSIBLE] == []
