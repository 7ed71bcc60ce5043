"""What others say of a position's mate: plain brute force on the slow rules, cshogi, rsshogi.

Brute force shares no code with any search or generator of the kernel, and is right or silent. cshogi and rsshogi are
programs with faults of their own; what they say is a hint that brute force or a checked proof decides.
"""

import json
import subprocess
import sys
from dataclasses import dataclass

from hisshi.core.reference import ReferenceBoard

# Each line of input is an SFEN; the answer is [plies, whether a mate within them is claimed] for 1, 3 and 5 plies.
CSHOGI = """
import json, sys
import cshogi

for line in sys.stdin:
    board = cshogi.Board(line.strip())
    answers = []
    if not board.is_check():
        answers.append([1, bool(board.mate_move_in_1ply())])
    for plies in (3, 5):
        answers.append([plies, bool(board.mate_move(plies))])
    print(json.dumps(answers), flush=True)
"""


@dataclass(frozen=True)
class Claim:
    """`who` says that there is a mate within `plies`, or that there is none."""

    who: str
    plies: int
    is_mate: bool


class _TooLargeError(Exception):
    pass


def brute_force(sfen: str, plies: int, most: int) -> Claim | None:
    """Return the shortest mate within `plies`, or that there is none; None if more than `most` boards are needed."""
    left = most

    def attacker(board: ReferenceBoard, within: int) -> bool:
        return any(defender(board.after(move), within - 1) for move in board.checks())

    def defender(board: ReferenceBoard, within: int) -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            raise _TooLargeError
        evasions = board.evasions()
        return not evasions or (within >= 2 and all(attacker(board.after(move), within - 1) for move in evasions))

    root = ReferenceBoard.from_sfen(sfen, strict=False)
    reached = 0
    try:
        for within in range(1, plies + 1, 2):
            if attacker(root, within):
                return Claim("brute force", within, True)
            reached = within
    except _TooLargeError:
        pass
    return Claim("brute force", reached, False) if reached else None


def rsshogi_claim(sfen: str) -> Claim | None:
    """Return whether rsshogi finds a mate in one; it is not asked in check."""
    from rsshogi.core import Board

    board = Board(sfen)
    return None if board.is_in_check() else Claim("rsshogi", 1, board.solve_mate_in_one() is not None)


class Cshogi:
    """cshogi in a process of its own: it is GPL, and some positions end its process."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None
        self.deaths: list[str] = []  # positions that ended the process

    @staticmethod
    def is_installed() -> bool:
        ran = subprocess.run([sys.executable, "-c", "import cshogi"], capture_output=True, check=False)
        return ran.returncode == 0

    def ask(self, sfen: str) -> list[Claim]:
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-c", CSHOGI], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(f"{sfen}\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.deaths.append(sfen)
            self.process.wait()
            self.process = None
            return []
        return [Claim("cshogi", plies, is_mate) for plies, is_mate in json.loads(line)]

    def close(self) -> None:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
            self.process.wait()
