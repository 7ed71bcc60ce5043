"""The compiled kernel behind the methods of `ReferenceBoard`, so that one test can ask both."""

from kernel_calls import checks, evading_moves

from hisshi.core.kernel.mate import has_evasion, is_mated
from hisshi.core.position import Position, perft


class KernelBoard:
    """A position that is never changed."""

    def __init__(self, position: Position) -> None:
        self.position = position

    @classmethod
    def from_sfen(cls, sfen: str, strict: bool = True) -> "KernelBoard":
        return cls(Position.from_sfen(sfen, strict=strict))

    def sfen(self) -> str:
        return self.position.sfen

    def key(self) -> tuple[int, int]:
        return int(self.position.record.board_key), int(self.position.record.hand_key)

    def in_check(self) -> bool:
        return self.position.is_check()

    def legal_moves(self) -> list[str]:
        return self.position.legal_moves()

    def is_legal(self, move: str) -> bool:
        return move in self.position.legal_moves()

    def checks(self) -> list[str]:
        return sorted(checks(self.position))

    def evasions(self) -> list[str]:
        return sorted(evading_moves(self.position)) if self.in_check() else []

    def gives_check(self, move: str) -> bool:
        return move in self.checks()

    def has_legal_move(self) -> bool:
        return bool(has_evasion(self.position.record) if self.in_check() else self.position.legal_moves())

    def is_mated(self) -> bool:
        return bool(is_mated(self.position.record))

    def play(self, move: str) -> "KernelBoard":
        return KernelBoard(self.position.play(move))

    after = play

    def perft(self, depth: int) -> int:
        return perft(self.position, depth)[0]
