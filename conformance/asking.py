"""What a search says of a position, asked directly: without the line and the proof that `solve` makes of it."""

from typing import Any

import attrs

from hisshi.conformance.mates import NODES
from hisshi.conformance.positions import position_of
from hisshi.core.composition import Run
from hisshi.core.kernel.control import EXHAUSTED, GAVE_UP_NODES, NODE_LIMIT, STOP
from hisshi.core.kernel.moves import NO_MOVE
from hisshi.core.kernel.table import DISPROVEN, PROVEN
from hisshi.core.large_stack import on_a_large_stack
from hisshi.core.position import move_to_usi
from hisshi.core.shortest import proven_length


@attrs.frozen
class Answer:
    """What a search says of one position."""

    verdict: str  # as in `hisshi.core.results.SearchResult`
    plies: int  # of the mate or hisshi, 0 if there is none; 0 as well for a mate that a hisshi search reports
    is_shortest: bool  # as the search says
    nodes: int
    exhausted: int  # GAVE_UP bits
    number: int  # what the kernel returned; a verdict is one of three
    move: int = 0  # of a search for a move to play: its answer, NO_MOVE if it has none
    score: int = 0  # of the same

    def __str__(self) -> str:
        if self.move:
            return f"{move_to_usi(self.move)}, score {self.score}"
        if not self.plies:
            return self.verdict
        return f"{self.verdict}, {self.plies} plies{' (shortest)' if self.is_shortest else ''}"

    @property
    def met_the_node_limit(self) -> bool:
        """Whether it gave up for that."""
        return bool(self.exhausted & GAVE_UP_NODES)

    def contradicts(self, other: "Answer") -> bool:
        """Tell whether not both can be right."""
        if self.verdict != other.verdict:
            return {self.verdict, other.verdict} == {"proven", "disproven"}
        return self.is_shortest and other.is_shortest and self.plies != other.plies


def ask(run: Run, sfen: str, node_limit: int = NODES, *, plies: int = 0, stop: int = 0) -> Answer:
    """Return what `run` says of a position, its tables empty at first; `plies` as in `Run.search`."""
    return ask_about(run, position_of(sfen).copy_record(), node_limit, plies=plies, stop=stop)


def ask_about(run: Run, record: Any, node_limit: int, *, plies: int = 0, stop: int = 0) -> Answer:
    """Return what `run` says of a position's record, which is left as the search leaves it."""
    run.clear()
    run.control[NODE_LIMIT], run.control[STOP] = node_limit, stop
    number = on_a_large_stack(lambda: run.search(record, plies))
    words = {PROVEN: "found" if run.unseen_answers() else "proven", DISPROVEN: "disproven"}
    length = proven_length(run)
    has_length = number == PROVEN
    return Answer(
        verdict=words.get(number, "unknown"),
        plies=length.plies if has_length else 0,
        is_shortest=has_length and length.is_shortest,
        nodes=run.nodes,
        exhausted=int(run.control[EXHAUSTED]),
        number=number,
        move=int(run.root.context.answer_move) if run.goal == "play" else NO_MOVE,
        score=int(run.root.context.answer_score) if run.goal == "play" else 0,
    )
