"""Confirming a hisshi by a search that leaves out moves of the defender: a proof, or the reply that refutes it."""

import time

from hisshi.core.composition import Run
from hisshi.core.hisshi_walk import HisshiWalk, Node, Refuted
from hisshi.core.position import Position
from hisshi.core.results import CONFIRMED, REFUTED, STOPPED, UNDECIDED, Confirmation
from hisshi.core.solution import Unanswered


def can_be_confirmed(run: Run) -> bool:
    """Tell whether nothing but the defender's candidates keeps a run from proving: mates and rule leave out nothing."""
    return run.goal == "hisshi" and run.unseen_answers() == "defence_candidates"


def confirm(position: Position, walk: HisshiWalk, claimed: int) -> tuple[Confirmation, Node | None]:
    """Answer each reply that the run's rule allows, in a position where the run has found a hisshi of `claimed` plies.

    What a reply that was left out needs may be longer than the claim: up to `max_plies` of the run. The limits in
    `run.control` hold.

    Returns
    -------
    What came of it, and the proof if it is confirmed.
    """
    run = walk.run
    nodes, begun, used = run.nodes, time.perf_counter(), time.thread_time()
    proven: Node | None = None
    moves: tuple[str, ...] = ()
    try:
        proven = walk.prove(position, max(claimed, _longest(run)))
        outcome = CONFIRMED
    except Refuted as refuted:
        outcome, moves = (REFUTED if refuted.is_shown else UNDECIDED), refuted.line
    except Unanswered:
        outcome = STOPPED
    confirmation = Confirmation(
        outcome=outcome,
        claimed_plies=claimed,
        moves=moves,
        nodes=run.nodes - nodes,
        seconds=time.perf_counter() - begun,
        processor_seconds=time.thread_time() - used,
    )
    return confirmation, proven


def _longest(run: Run) -> int:
    plies = int(run.root.options.get("max_plies", 0))
    return plies - 1 if plies % 2 == 0 else plies
