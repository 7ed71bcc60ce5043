"""A search that finds no end: does its memory stay where it was, does it stop at Ctrl-C, does it say "unknown"?

    python benchmarks/endurance.py [SFEN | ID] [--file FILE] [--minutes 10] [--megabytes 64] [--run mate-df-pn]

`hisshi solve` runs in a process of its own on a position that it will not solve, by default a bare king in mid-board
against six pieces in hand; an ID names a problem of --file, by default the bundled tsume-classic. Resident memory is
sampled (with psutil if it is installed, else from /proc); after the time it is sent SIGINT, as Ctrl-C does. Wanted,
else exit status 1: memory grows by at most MOST_GROWTH after the warm-up, the process ends within MOST_SECONDS, the
verdict is `unknown`. Exit status 2: the search ended by itself, so nothing was shown.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from support import compose, machine, overrides, read

HARD = "9/9/9/9/4k4/9/9/9/9 b RBSNLPrb4g3s3n3l17p 1"  # a bare king, six pieces in hand
MOST_SECONDS = 2.0  # from SIGINT to the end of the process
MOST_GROWTH = 8.0  # megabytes after the warm-up
WARM_UP = 0.25  # share of the time: a table's memory is the process's when it has been written to once
MEGABYTE = 1 << 20


def resident_megabytes(process: int) -> float | None:
    """Return the memory of a process that is in RAM; None if it has ended."""
    try:
        import psutil
    except ModuleNotFoundError:
        try:
            text = Path(f"/proc/{process}/statm").read_text(encoding="ascii")
        except OSError:
            if not Path("/proc/self/statm").exists():
                raise SystemExit("this system has no /proc; pip install psutil") from None
            return None
        return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE") / MEGABYTE
    try:
        return float(psutil.Process(process).memory_info().rss) / MEGABYTE
    except psutil.NoSuchProcess:
        return None


def find_position(name: str, file: str) -> str:
    return name if "/" in name else read([file], [name])[0].position.sfen


def wait_for_start(process: subprocess.Popen[bytes], output: Path) -> None:
    """Return when the process has opened its output, which it does when it is about to compose the run."""
    while not output.exists() and process.poll() is None:
        time.sleep(0.05)


def sample(process: subprocess.Popen[bytes], seconds: float) -> list[float]:
    """Return resident megabytes, equally spaced in time; ends early if the process does."""
    samples = []
    begun, interval = time.monotonic(), min(1.0, seconds / 20)
    while (elapsed := time.monotonic() - begun) < seconds and process.poll() is None:
        time.sleep(max(0.0, min(interval * (len(samples) + 1), seconds) - elapsed))
        memory = resident_megabytes(process.pid)
        if memory is None:
            break
        samples.append(memory)
    return samples


def interrupt(process: subprocess.Popen[bytes]) -> float | None:
    """Send SIGINT; return the seconds until the process has ended, None if it had to be killed."""
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    try:
        process.wait(timeout=15 * MOST_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None
    return time.monotonic() - begun


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("position", nargs="?", default=HARD, metavar="SFEN|ID")
    parser.add_argument("--file", default="tsume-classic", help="problem table or bundled set of the ID")
    parser.add_argument("--minutes", type=float, default=10, metavar="N")
    parser.add_argument("--megabytes", type=float, default=64, metavar="N", help="of the table")
    parser.add_argument("--run", default="mate-df-pn", metavar="NAME")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="an option of the run")
    given = parser.parse_args()
    if not given.minutes > 0:
        parser.error("--minutes: more than 0")
    sfen = find_position(given.position, given.file)
    changed = {"table.megabytes": f"{given.megabytes:g}"} | overrides(given.set)
    compose(given.run, changed)  # a mistake shows here, and nothing is compiled while time is taken
    # A shell's background jobs ignore SIGINT, and so would what they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "result.jsonl"
        command = [sys.executable, "-m", "hisshi.lab.cli", "solve", sfen, "--run", given.run, "--json", str(output)]
        command += [part for name, value in changed.items() for part in ("--set", f"{name}={value}")]
        with (Path(folder) / "printed").open("wb") as printed:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT)
            try:
                wait_for_start(process, output)
                samples = sample(process, 60 * given.minutes)
                ended_early = process.poll() is not None
                seconds = interrupt(process) if not ended_early else None
            finally:
                if process.poll() is None:
                    process.kill()
        lines = output.read_text(encoding="utf-8").splitlines() if output.exists() else []
        if not lines:
            said = (Path(folder) / "printed").read_text(errors="replace")[-2000:]
            raise SystemExit(f"no result: the search had not begun, or its process failed; it printed: {said}")
        result = json.loads(lines[-1])
    print(f"{machine()}\nrun {given.run}, {given.megabytes:g} megabytes, {given.minutes:g} minutes; {sfen}")
    print(f"verdict {result['verdict']} ({result['reason'] or 'solved'}), {result['nodes']:,} nodes", end="")
    fills = [table["fill"] for table in result["statistics"].values()]
    print(f" in {result['seconds']:.1f} s; table {100 * max(fills, default=0):.1f} % full")
    if ended_early:
        print("the search ended by itself: take a harder position or less time")
        return 2
    later = samples[int(WARM_UP * len(samples)) :]
    print(f"resident memory after the warm-up: {min(later):.1f} to {max(later):.1f} megabytes, {len(later)} samples")
    ending = "not at all, it was killed" if seconds is None else f"{seconds:.2f} s after SIGINT"
    print(f"ended {ending}, exit status {process.returncode}; wanted: within {MOST_SECONDS:g} s, 130")
    good = seconds is not None and seconds <= MOST_SECONDS and process.returncode == 130
    return int(not (good and result["verdict"] == "unknown" and later[-1] - later[0] <= MOST_GROWTH))


if __name__ == "__main__":
    sys.exit(main())
