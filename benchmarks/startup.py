"""How long a start takes: ``hisshi --help``, a warm ``hisshi solve``, the first ``hisshi solve`` of an empty cache.

Whole processes, as a shell starts them, one after the other; prints a table for docs/benchmarks.md. Run it on an idle
machine in an environment with hisshi: ``python benchmarks/startup.py [--runs N] [--cold-runs N]``.
"""

import argparse
import os
import statistics
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from support import machine

EASY = "2B2l3/5lg2/5p1n1/6k1g/5P2+B/5Sg1N/6N+l1/9/9 b G2r3snl16p 1"
HISSHI = Path(sysconfig.get_path("scripts")) / "hisshi"


def seconds_of(arguments: list[str], cache: Path) -> tuple[float, float]:
    """Return elapsed and processor seconds of one process; the latter hardly depend on what else the machine does."""
    begun, used = time.perf_counter(), os.times()
    subprocess.run(
        [HISSHI, *arguments],
        env={**os.environ, "HISSHI_CACHE_DIR": str(cache)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    after = os.times()
    processor_seconds = after.children_user + after.children_system - used.children_user - used.children_system
    return time.perf_counter() - begun, processor_seconds


def row(what: str, wanted: str, runs: int, measure: Callable[[], tuple[float, float]]) -> None:
    elapsed, processor_seconds = zip(*(measure() for _ in range(runs)), strict=True)
    span = f"{min(elapsed):.2f} to {max(elapsed):.2f} s"
    medians = f"{statistics.median(elapsed):.2f} s | {span} | {statistics.median(processor_seconds):.2f} s"
    print(f"| {what} | {medians} | {runs} | {wanted} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=11, help="repetitions of each warm start")
    parser.add_argument("--cold-runs", type=int, default=3, help="repetitions of the first start, which compiles")
    chosen = parser.parse_args()
    print(f"{machine('numpy')}\n")
    print("| start | elapsed, median | range | processor time, median | runs | wanted |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        warm, new_caches = Path(folder) / "warm", (Path(folder) / f"cold{number}" for number in count())
        seconds_of(["solve", EASY], warm)
        row("`hisshi --help`", "< 0.4 s", chosen.runs, lambda: seconds_of(["--help"], warm))
        row("`hisshi solve`, an easy position, warm", "< 1.5 s", chosen.runs, lambda: seconds_of(["solve", EASY], warm))
        row("the same, cache empty", "< 60 s", chosen.cold_runs, lambda: seconds_of(["solve", EASY], next(new_caches)))


if __name__ == "__main__":
    main()
