"""Checks of role `search`, goal play: the move that is chosen. What any search must do is in test_any_search.py."""

from hisshi.conformance.asking import ask
from hisshi.conformance.mates import NODES, mated, short_mates
from hisshi.conformance.positions import position_of, positions
from hisshi.conformance.subjects import Subject
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.play_search import COUNTS_ARRAY, LINE_LENGTH, LINE_PLIES, LINES_ARRAY
from hisshi.core.kernel.values import INFINITE, MATE
from hisshi.core.position import move_to_usi

ROLES = ("search",)
GOAL = "play"

LIMITS = (1, 2, 5, 20, NODES)  # in nodes
EVERY = 5 if JIT else 15  # of the positions


def _sfens() -> tuple[str, ...]:
    return tuple(sfen for sfen in positions()[::EVERY] if position_of(sfen).legal_moves())


def test_chooses_a_legal_move(subject: Subject) -> None:
    """Its answer is a legal move, or none where there was no time for one."""
    for sfen in _sfens():
        legal = position_of(sfen).usi_moves().keys()
        for limit in LIMITS:
            answer = ask(subject.run, sfen, limit)
            if answer.move and move_to_usi(answer.move) not in legal:
                subject.fail(f"chooses {move_to_usi(answer.move)}, which is no legal move, with {limit} nodes", sfen)


def test_chooses_a_move_if_there_is_time(subject: Subject) -> None:
    """With thousands of nodes it has an answer, where there is a legal move."""
    for sfen in _sfens() if JIT else ():
        if not ask(subject.run, sfen).move:
            subject.fail(f"chooses no move with {NODES} nodes", sfen)


def test_plays_a_mate_in_one(subject: Subject) -> None:
    """A move that mates is chosen, and its score says so."""
    for sfen, plies in short_mates().items():
        if plies != 1:
            continue
        answer = ask(subject.run, sfen)
        if not JIT and answer.met_the_node_limit:
            continue
        if not answer.move or not position_of(sfen).play(move_to_usi(answer.move)).is_mate():
            subject.fail(f"{answer}; there is a mate in one", sfen)
        if answer.score != MATE - 1:
            subject.fail(f"plays a mate in one and says {answer.score}, expected {MATE - 1}", sfen)


def test_has_no_move_when_mated(subject: Subject) -> None:
    """Without a legal move the side to move has lost."""
    for sfen in mated():
        answer = ask(subject.run, sfen)
        if answer.move or answer.score != -MATE:
            subject.fail(f"{answer}; expected no move and the score {-MATE}: there is no legal move", sfen)


def test_scores_are_within_bounds(subject: Subject) -> None:
    """A score is at most a mate's; `-INFINITE` says that there was no time for one."""
    for sfen in _sfens():
        for limit in LIMITS:
            answer = ask(subject.run, sfen, limit)
            if answer.move and not -MATE <= answer.score <= MATE and answer.score != -INFINITE:
                subject.fail(f"{answer}; expected {-MATE} to {MATE}", sfen)


def test_gives_no_verdict(subject: Subject) -> None:
    """A move to play is no proof: what it returns is UNKNOWN."""
    for sfen in (*_sfens(), *short_mates()):
        if (answer := ask(subject.run, sfen)).verdict != "unknown":
            subject.fail(f"returns {answer.number}, the verdict '{answer.verdict}'", sfen)


def test_has_a_line_that_can_be_played(subject: Subject) -> None:
    """The line begins with the answer, and each of its moves is legal."""
    for sfen in _sfens():
        answer = ask(subject.run, sfen)
        arrays = subject.run.root.arrays
        length = int(arrays[COUNTS_ARRAY][LINE_LENGTH])
        if not 0 <= length <= LINE_PLIES:
            subject.fail(f"says that its line has {length} moves, expected 0 to {LINE_PLIES}", sfen)
        line = [move_to_usi(int(move)) for move in arrays[LINES_ARRAY][:length]]
        if line and (not answer.move or line[0] != move_to_usi(answer.move)):
            subject.fail(f"{answer}, but its line is {' '.join(line)}", sfen)
        position = position_of(sfen)
        for move in line:
            if move not in position.usi_moves():
                subject.fail(f"{move} in its line {' '.join(line)} is not legal", sfen)
            position = position.play(move)
