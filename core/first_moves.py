"""Every first move that makes a hisshi: the solution and, if there are more, its cooks (余必至)."""

import time

from hisshi.core.hisshi_delays import passed
from hisshi.core.hisshi_walk import HisshiWalk, Refuted
from hisshi.core.kernel.table import DISPROVEN, PROVEN
from hisshi.core.position import Position
from hisshi.core.results import FirstMoves
from hisshi.core.solution import Unanswered


def find_first_moves(position: Position, walk: HisshiWalk, plies: int) -> FirstMoves:
    """Return which legal moves of the attacker, who has no mate, make a hisshi of at most `plies`.

    Every move is tried, whatever the run's candidates leave out, and every reply that the run's rule allows must have
    an answer, each confirmed. That a move is none is sure where it threatens no mate, or where a reply is shown to
    save. The limits in `run.control` hold.
    """
    run = walk.run
    nodes, begun, used = run.nodes, time.perf_counter(), time.thread_time()
    found: list[str] = []
    is_complete = True
    try:
        best, _ = walk.claim(position, plies)
        for move in sorted(position.legal_moves(), key=lambda move: move != best):  # the limits may end it early
            after = position.follow(move)
            if after.is_check():
                if plies == 1:
                    continue  # the last ply is no check
            else:
                threat, _ = walk.mate(passed(after))
                is_complete &= threat in (PROVEN, DISPROVEN)
                if threat != PROVEN:
                    continue
            try:
                walk.prove_move(position, move, plies, claimed=plies)
                found.append(move)
            except Refuted as why:
                is_complete &= why.is_shown and len(why.line) == 1
    except Unanswered:
        is_complete = False
    return FirstMoves(
        plies=plies,
        moves=tuple(found),
        is_complete=is_complete,
        nodes=run.nodes - nodes,
        seconds=time.perf_counter() - begun,
        processor_seconds=time.thread_time() - used,
    )
