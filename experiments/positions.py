"""The positions of the experiment: every bundled set of mates, corners of the rules, and positions of games."""

import random
from pathlib import Path

from facts import Place

from hisshi.core import Position
from hisshi.core.errors import HisshiError
from hisshi.core.resources import bundled_problems

ESTABLISHED = {"mate-sample": 7, "tsume-derived": 7}  # up to so many plies, the lengths of a set are proven shortest
GAMES = "game-positions"
LONGEST_WALK = 40  # random moves from a position of a game


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table: a path, or the name of a bundled set."""
    path = Path(name) if Path(name).exists() else Path(str(bundled_problems())) / f"{name}.tsv"
    if not path.exists():
        raise SystemExit(f"{name}: neither a file nor a bundled set")
    lines = path.read_text(encoding="utf-8").splitlines()
    columns = lines[0].lstrip("# ").split("\t")
    return [dict(zip(columns, line.split("\t"), strict=False)) for line in lines[1:] if line and line[0] != "#"]


def problem_places(name: str) -> list[Place]:
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
        places.append(Place(row["id"], row["sfen"], Path(name).stem, shortest, 0 if shortest else plies))
    return places


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
