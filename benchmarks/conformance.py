"""How long the conformance kit takes with two processes, against one: all bundled plugins, everything compiled before.

Runs ``pytest -n N --dist loadgroup --pyargs hisshi.conformance`` with N = 0 and 2 in turns, after one round that is not
counted, and prints a table for docs/conformance.md: wall time, and processor time, which depends less on what else the
machine does; then what two sessions cost each other. Run it on an idle machine with two cores or more:
``python benchmarks/conformance.py [--rounds N]``.

Only pytest plugins of the extra `conformance` are loaded: others take their time once per process (Hypothesis imports
itself at the end of every session). Python keeps its bytecode, whatever PYTHONDONTWRITEBYTECODE says.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from support import machine

WANTED = 0.6
ALONE, SHARED = 0, 2  # processes that run checks
HERE = Path(__file__).resolve().parent
LEFT_OUT = ("PYTHONDONTWRITEBYTECODE", "PYTEST_ADDOPTS")  # of the environment
PLUGINS = ("xdist.plugin", "hisshi.conformance.plugin", "process_times")


@dataclass(frozen=True)
class Session:
    """What one session of pytest has taken, in seconds."""

    wall: float
    total: float  # processor time of all its processes
    longest: float  # processor time of what no other process can take off: the busiest worker, and pytest's own


def session(workers: int, options: list[str]) -> Session:
    plugins = [argument for name in PLUGINS for argument in ("-p", name)]
    command = [sys.executable, "-m", "pytest", *plugins, "-q", "-n", str(workers), "--dist", "loadgroup"]
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
        changed = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(HERE), "PROCESS_TIMES": folder}
        begun = time.perf_counter()
        ended = subprocess.run(
            [*command, "--pyargs", "hisshi.conformance", *options],
            cwd=HERE.parent,
            env={**kept, **changed},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        wall = time.perf_counter() - begun
        if ended.returncode:
            raise SystemExit(f"{ended.stdout}{ended.stderr}\nthe kit fails; nothing was measured")
        print(f"-n {workers}: {wall:.1f} s, {ended.stdout.strip().splitlines()[-1]}", file=sys.stderr, flush=True)
        times = {file.name: float(file.read_text(encoding="utf-8")) for file in Path(folder).iterdir()}
    started = times.pop("main", 0.0)
    return Session(wall, started + sum(times.values()), started + max(times.values()))


def seconds_of_two_at_once(options: list[str]) -> float:
    """Return the wall time of two whole sessions side by side: what the machine's second core is worth."""
    begun = time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: session(ALONE, options), range(2)))
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="sessions with each number of processes")
    parser.add_argument("--plugin", action="append", default=[], help="check this one only; repeatable")
    chosen = parser.parse_args()
    options = [f"--hisshi-plugin={name}" for name in chosen.plugin]
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(f"{machine('numpy', 'pytest', 'pytest-xdist')}; load before: {load:.1f}\n", flush=True)
    session(SHARED, options)
    rounds = [(session(ALONE, options), session(SHARED, options)) for _ in range(chosen.rounds)]
    print(f"| median of {chosen.rounds} | `-n {ALONE}` | `-n {SHARED}` | ratio | range of the ratio | wanted |")
    print("| --- | --- | --- | --- | --- | --- |")
    rows = {
        "wall": ("wall time", f"≤ {WANTED}"),
        "longest": ("processor time of the busiest process and of pytest's own", ""),
        "total": ("processor time of all processes", ""),
    }
    for field, (what, wanted) in rows.items():
        pairs = [(getattr(alone, field), getattr(shared, field)) for alone, shared in rounds]
        alone, shared = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratios = sorted(second / first for first, second in pairs)
        span = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
        print(f"| {what} | {alone:.1f} s | {shared:.1f} s | {shared / alone:.2f} | {span} | {wanted} |")
    both, alone = seconds_of_two_at_once(options), statistics.median(first.wall for first, _ in rounds)
    print(f"\nTwo sessions with -n {ALONE} at once: {both:.1f} s. So a second process that costs nothing would make it")
    print(f"{both / 2 / alone:.2f} here: 0.50 if two processes do not slow each other down.")


if __name__ == "__main__":
    main()
