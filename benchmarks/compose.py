"""How long `hisshi compose` takes, and whether a kill or another number of processes changes what it finds.

Three minings of the same problems from the bundled sets, each a process of its own: with --jobs 2, timed by the clock;
with one process; and with --jobs 2 again, killed after --kill seconds and started anew, again and again until it ends.
Tables and proofs must be the same bytes.

    python benchmarks/compose.py
    python benchmarks/compose.py --plies 5 --number 10
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from support import machine


def command(given: argparse.Namespace, name: str, jobs: int) -> list[str]:
    program = str(Path(sys.executable).with_name("hisshi"))
    options = ["--plies", str(given.plies), "--number", str(given.number), "--seed", str(given.seed)]
    return [program, "compose", *options, "--jobs", str(jobs), "--out", f"{name}.tsv", "--proofs", f"{name}.jsonl"]


def mined(
    folder: Path, given: argparse.Namespace, name: str, jobs: int, kill: float | None = None
) -> tuple[float, int]:
    """Mine into `folder`; return the seconds it took and how often it was killed."""
    begun, kills = time.perf_counter(), 0
    while True:
        process = subprocess.Popen(
            command(given, name, jobs),
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that its workers can be killed with it
        )
        try:
            status = process.wait(kill)
            if status != 0:
                raise SystemExit(f"'{' '.join(command(given, name, jobs))}' ended with status {status}")
            return time.perf_counter() - begun, kills
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plies", type=int, default=3, metavar="N", help="length of the problems (3)")
    parser.add_argument("--number", type=int, default=20, metavar="N", help="how many (20)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="for the random changes (1)")
    parser.add_argument("--kill", type=float, default=15, metavar="S", help="seconds until each kill (15)")
    given = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        warm = argparse.Namespace(plies=given.plies, number=1, seed=given.seed)
        mined(folder, warm, "warm", 1)  # whatever is to be compiled is now
        seconds, _ = mined(folder, given, "two", 2)
        print(f"{given.number} hisshi of {given.plies} plies, --jobs 2: {seconds:.0f} s", flush=True)
        alone, _ = mined(folder, given, "one", 1)
        print(f"--jobs 1: {alone:.0f} s", flush=True)
        again, kills = mined(folder, given, "killed", 2, given.kill)
        print(f"killed {kills} times, every {given.kill:.0f} s: {again:.0f} s in all", flush=True)
        texts = {(folder / f"{name}.tsv").read_text(encoding="utf-8") for name in ("two", "one", "killed")}
        proofs = {(folder / f"{name}.jsonl").read_text(encoding="utf-8") for name in ("two", "one", "killed")}
    print("the same problems and proofs each time" if len(texts) == len(proofs) == 1 else "NOT the same each time")
    return 0 if len(texts) == len(proofs) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
