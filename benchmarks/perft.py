"""Perft speed of hisshi and of cshogi driven from Python, measured side by side on one core.

    python benchmarks/perft.py [--rounds N] [--depth N] [--cshogi-depth N] [--json]

Two ways to count the leaves of the legal-move tree of the initial position:

* made: every leaf is made and taken back (hisshi `perft`; cshogi `push` and `pop` on each legal move);
* counted: legal moves are counted one ply above the leaves (hisshi `perft_counting`; cshogi `len(board.legal_moves)`).

The four take turns within each round, so that a machine that slows down slows all of them. The table has medians over
the rounds; a ratio is taken within each round. cshogi is GPL and runs in a process of its own. Compilation is not
counted. Exit status 1 if a ratio is too low.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.perft import perft, perft_counting
from hisshi.core.position import Position
from hisshi.core.sfen import START_SFEN

if TYPE_CHECKING:
    from collections.abc import Callable

START_COUNTS = {1: 30, 2: 900, 3: 25_470, 4: 719_731, 5: 19_861_490}
WANTED = {"made": 3.0, "counted": 1.0}  # hisshi's rate over cshogi's, at least

# Each line of input is a way to count and a depth; the answer is a count and seconds.
CSHOGI = """
import sys, time
import cshogi

def made(board, depth):
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += made(board, depth - 1)
        board.pop()
    return total

def counted(board, depth):
    if depth == 1:
        return len(board.legal_moves)
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += counted(board, depth - 1)
        board.pop()
    return total

for line in sys.stdin:
    way, depth = line.split()
    board = cshogi.Board()
    begun = time.perf_counter()
    count = {"made": made, "counted": counted}[way](board, int(depth))
    print(count, time.perf_counter() - begun, flush=True)
"""


def measure_hisshi(way: str, depth: int) -> tuple[int, float]:
    """Return the count and the seconds it took."""
    record = Position.from_sfen(START_SFEN).copy_record()
    moves = np.zeros(MAX_MOVES * (depth + 1), dtype=np.int32)
    function = {"made": perft, "counted": perft_counting}[way]
    begun = time.perf_counter()
    count = int(function(record, moves, 0, depth))
    return count, time.perf_counter() - begun


def cshogi_process() -> subprocess.Popen[str]:
    """Start cshogi in a process of its own."""
    return subprocess.Popen([sys.executable, "-c", CSHOGI], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def measure_cshogi(process: subprocess.Popen[str], way: str, depth: int) -> tuple[int, float]:
    """Return the count and the seconds it took."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{way} {depth}\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer:
        raise SystemExit(f"cshogi's process ended with status {process.wait()}")
    count, seconds = answer.split()
    return int(count), float(seconds)


def rate(measured: tuple[int, float], depth: int) -> float:
    """Return leaves per second, having checked the count."""
    count, seconds = measured
    if count != START_COUNTS[depth]:
        raise SystemExit(f"depth {depth}: counted {count:,}, expected {START_COUNTS[depth]:,}")
    return count / seconds


def measure(rounds: int, depth: int, cshogi_depth: int) -> dict[str, list[float]]:
    """Return the rates of all rounds, by library and way."""
    process = cshogi_process()
    runs: dict[str, Callable[[], float]] = {}
    for way in WANTED:
        runs[f"hisshi {way}"] = lambda way=way: rate(measure_hisshi(way, depth), depth)  # type: ignore[misc]
        runs[f"cshogi {way}"] = lambda way=way: rate(measure_cshogi(process, way, cshogi_depth), cshogi_depth)  # type: ignore[misc]
    for way in WANTED:  # compile, and warm both up
        measure_hisshi(way, 2)
        measure_cshogi(process, way, 2)
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            rates[name].append(run())
    assert process.stdin is not None
    process.stdin.close()
    process.wait()
    return rates


def machine() -> dict[str, str | int]:
    """Return what the figures depend on."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return {
        "cpu": model,
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
        "numba": version("numba"),
        "cshogi": version("cshogi"),
    }


def summary(rates: dict[str, list[float]], depths: dict[str, int]) -> dict[str, Any]:
    """Return medians, spread and ratios."""
    medians = {name: statistics.median(values) for name, values in rates.items()}
    # Within a round, so that a machine that changes its speed between rounds does not mix the two.
    by_round = {
        way: [ours / theirs for ours, theirs in zip(rates[f"hisshi {way}"], rates[f"cshogi {way}"], strict=True)]
        for way in WANTED
    }
    return {
        "position": START_SFEN,
        "depth": depths,
        "rounds": len(next(iter(rates.values()))),
        "leaves_per_second": {
            name: {"median": round(medians[name]), "least": round(min(values)), "most": round(max(values))}
            for name, values in rates.items()
        },
        "ratio": {way: round(statistics.median(ratios), 2) for way, ratios in by_round.items()},
        "ratio_range": {way: [round(min(ratios), 2), round(max(ratios), 2)] for way, ratios in by_round.items()},
        "wanted_ratio": WANTED,
        "machine": machine(),
    }


def print_table(result: dict[str, Any]) -> None:
    """Print `result` for people."""
    told = result["machine"]
    print(
        f"{told['cpu']}, {told['cores']} cores; Python {told['python']}, numba {told['numba']}, cshogi {told['cshogi']}"
    )
    depths = ", ".join(f"{name} depth {depth}" for name, depth in result["depth"].items())
    print(f"initial position, {depths}; median of {result['rounds']} rounds (least to most), million leaves a second")
    for way, wanted in WANTED.items():
        for library in ("hisshi", "cshogi"):
            rates = result["leaves_per_second"][f"{library} {way}"]
            median, least, most = (rates[key] / 1e6 for key in ("median", "least", "most"))
            print(f"  {way:8} {library}  {median:6.2f}  ({least:.2f} to {most:.2f})")
        least, most = result["ratio_range"][way]
        print(f"  {way:8} ratio   {result['ratio'][way]:6.2f}  ({least:.2f} to {most:.2f}; wanted: {wanted:g} or more)")


def main() -> int:
    """Measure and print; 1 if a ratio is too low."""
    parser = argparse.ArgumentParser(description="Perft speed of hisshi and of cshogi driven from Python.")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--depth", type=int, default=5, choices=sorted(START_COUNTS), help="hisshi's")
    parser.add_argument("--cshogi-depth", type=int, default=5, choices=sorted(START_COUNTS))
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    if given.rounds < 1:
        parser.error("--rounds: at least 1")
    rates = measure(given.rounds, given.depth, given.cshogi_depth)
    result = summary(rates, {"hisshi": given.depth, "cshogi": given.cshogi_depth})
    if given.json:
        print(json.dumps(result))
    else:
        print_table(result)
    return int(any(result["ratio"][way] < wanted for way, wanted in WANTED.items()))


if __name__ == "__main__":
    sys.exit(main())
