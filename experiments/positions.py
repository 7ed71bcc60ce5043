"""The positions of experiments: bundled sets, corners of the rules, games, and problems changed at random."""

import random
from pathlib import Path

from facts import Place

from hisshi.core import Position
from hisshi.core.errors import HisshiError
from hisshi.core.resources import bundled_problems
from hisshi.core.sfen import parse_sfen
from hisshi.lab.mining.changes import changed

ESTABLISHED = {"mate-sample": 7, "tsume-derived": 7}  # up to so many plies, the lengths of a set are proven shortest
GAMES = "game-positions"
LATER_WALKS, MOST_LATER, STAY_ON_LINE = 6, 8, 0.8
LONGEST_WALK = 40  # random moves from a position of a game


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table: a path, or the name of a bundled set."""
    path = Path(name) if Path(name).exists() else Path(str(bundled_problems())) / f"{name}.tsv"
    if not path.exists():
        raise SystemExit(f"{name}: neither a file nor a bundled set")
    lines = path.read_text(encoding="utf-8").splitlines()
    columns = lines[0].lstrip("# ").split("\t")
    return [dict(zip(columns, line.split("\t"), strict=False)) for line in lines[1:] if line and line[0] != "#"]


def problem_places(name: str, chance: random.Random) -> list[Place]:
    """Return the positions of a set that can be asked for a mate: the defender has a king."""
    places = []
    for row in rows(name):
        try:
            position = Position.from_sfen(row["sfen"], strict=False)
        except HisshiError:
            continue
        if not position.has_king("white" if position.side == "black" else "black"):
            continue
        plies = int(row["plies"]) if row.get("plies", "").isdigit() else 0
        shortest = plies if plies <= ESTABLISHED.get(name, 0) else 0
        place = Place(row["id"], row["sfen"], Path(name).stem, shortest, 0 if shortest else plies)
        place.later = later_places(place, position, row.get("line", "").split(), chance)
        places.append(place)
    return places


def later_places(place: Place, position: Position, line: list[str], chance: random.Random) -> list[Place]:
    """Return positions with the attacker to move that a search of `place` meets, most of them near the source's line.

    What a search has stored of them, perhaps on a path with repetitions, must hold for them as roots too.
    """
    found: dict[str, Place] = {}
    for _ in range(LATER_WALKS):
        walked, on_line = position, True
        for ply in range(chance.choice((2, 4, 6, 8))):
            moves = walked.legal_moves()
            chance.shuffle(moves)
            if on_line and ply < len(line) and line[ply] in moves and chance.random() < STAY_ON_LINE:
                move: str | None = line[ply]
            else:
                on_line = False
                move = next((move for move in moves if ply % 2 or walked.play(move).is_check()), None)
            if move is None:
                break
            walked = walked.play(move)
            if ply % 2 and walked.legal_moves():
                sfen = Position(walked.record).sfen
                found.setdefault(sfen, Place(f"{place.id} after {ply + 1} plies", sfen, "later"))
    return list(found.values())[:MOST_LATER]


def game_places(count: int, chance: random.Random) -> list[Place]:
    """Return `count` positions: three quarters of played games, the rest where random walks from such ones end."""
    games = rows(GAMES)
    chosen = chance.sample(games, min(3 * count // 4, len(games)))
    places = [Place(row["id"], row["sfen"], GAMES) for row in chosen]
    seen = {place.sfen for place in places}
    while len(places) < count:
        position = walk(Position.from_sfen(chance.choice(games)["sfen"]), chance)
        if position.sfen not in seen:
            seen.add(position.sfen)
            places.append(Place(f"walk-{len(places):04}", position.sfen, "random-walks"))
    return places


def walk(position: Position, chance: random.Random) -> Position:
    """Play random moves, drops and checks more often than by chance, so that there is something to mate with."""
    for _ in range(chance.randint(1, LONGEST_WALK)):
        moves = position.legal_moves()
        if not moves:
            break
        some = chance.sample(moves, min(8, len(moves)))
        following = [position.play(move) for move in some]
        lively = [after for move, after in zip(some, following, strict=True) if "*" in move or after.is_check()]
        after = chance.choice(lively if lively and chance.random() < 0.5 else following)
        if not after.legal_moves():
            break
        position = after
    return Position.from_sfen(position.sfen)  # without the history


def changed_places(names: list[str], count: int, chance: random.Random) -> list[Place]:
    """Return `count` positions that are problems of the sets `names` with one to three changes.

    A change puts a piece on another square, gives either side a piece in hand, or puts the attacker's king somewhere:
    what keeps to the rules and leaves the attacker out of check.
    """
    sfens = [row["sfen"] for name in names for row in rows(name)]
    found: dict[str, Place] = {}
    while len(found) < count:
        sfen = chance.choice(sfens)
        try:
            for _ in range(chance.randint(1, 3)):
                sfen = changed(parse_sfen(sfen), chance)
            position = Position.from_sfen(sfen)
        except HisshiError:
            continue
        if not position.is_check():
            found.setdefault(position.sfen, Place(f"changed-{len(found):04}", position.sfen, "changed at random"))
    return list(found.values())
