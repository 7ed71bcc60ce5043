"""cshogi's answers, in a process of its own: it is GPL, and a crash in it must not take the tests along.

Reads JSON lines ``[sfen, …]`` and answers each with ``[[in check, legal moves, checks, mate in one or null], …]``.
"""

import json
import sys

import cshogi


def answer(board: cshogi.Board, sfen: str) -> list[object]:
    board.set_sfen(sfen)
    in_check = board.is_check()
    legal, checks = [], []
    for move in list(board.legal_moves):
        text = cshogi.move_to_usi(move)
        legal.append(text)
        board.push(move)
        if board.is_check():
            checks.append(text)
        board.pop()
    mate = None if in_check else board.mate_move_in_1ply()
    return [in_check, legal, checks, cshogi.move_to_usi(mate) if mate else None]


board = cshogi.Board()
for line in sys.stdin:
    print(json.dumps([answer(board, sfen) for sfen in json.loads(line)]), flush=True)
