"""How the bundled set `hisshi-mined` is made: `hisshi compose` step by step, then one table of all.

Each step grows from those before it and writes its files into FOLDER; what is there is gone on with, so that the script
may be stopped. Near relatives that two steps, or a step and a bundled set, have in common are left out once more, and
the ids made one row. The counts are printed by length: all, those with both kings, with a proven length, with a single
first move.

    python experiments/mined_set.py FOLDER --jobs 2
    python experiments/mined_set.py FOLDER --into problems
"""

import argparse
import json
import lzma
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from positions import rows

from hisshi.lab.mining.likeness import Likeness, likeness
from hisshi.lab.mining.record import COLUMNS

BUNDLED = ("hisshi", "hisshi-sample", "hisshi-two-kings")
NAME = "hisshi-mined"


@dataclass(frozen=True)
class Step:
    """One call of `hisshi compose`; it grows from bundled sets or earlier steps."""

    name: str
    plies: int
    number: int
    sources: tuple[str, ...]
    both_kings: bool = False


STEPS = (
    Step("3", 3, 110, ("bundled:hisshi", "bundled:hisshi-sample")),
    Step("3-kings", 3, 60, tuple(f"bundled:{name}" for name in BUNDLED), both_kings=True),
    Step("1-kings", 1, 60, ("3", "3-kings", "bundled:hisshi-two-kings"), both_kings=True),
    Step("1", 1, 150, ("3", "3-kings", "1-kings", *(f"bundled:{name}" for name in BUNDLED))),
    Step("5", 5, 60, ("3", "bundled:hisshi")),
    Step("5-kings", 5, 34, ("3-kings", "5"), both_kings=True),
    Step("7", 7, 35, ("5",)),
    Step("7-kings", 7, 17, ("5-kings", "7"), both_kings=True),
    Step("9", 9, 14, ("7",)),
    Step("9-kings", 9, 7, ("7-kings", "9"), both_kings=True),
)


def compose(step: Step, folder: Path, jobs: int) -> None:
    sources = [source if source.startswith("bundled:") else f"{source}.tsv" for source in step.sources]
    command = [str(Path(sys.executable).with_name("hisshi")), "compose", *sources, "--plies", str(step.plies)]
    command += ["--number", str(step.number), "--seed", "1", "--nodes", "1000000", "--jobs", str(jobs)]
    command += ["--out", f"{step.name}.tsv", "--proofs", f"{step.name}.jsonl"]
    command += ["--both-kings"] if step.both_kings else []
    subprocess.run(command, cwd=folder, check=True)


def known_problems() -> dict[int, list[Likeness]]:
    """Return the problems of the other bundled sets by their length under the strong rule."""
    known: dict[int, list[Likeness]] = {}
    for name in BUNDLED:
        for row in rows(name):
            plies = row.get("strong plies", row.get("plies", ""))
            if plies.isdigit():
                known.setdefault(int(plies), []).append(likeness(row["sfen"]))
    return known


def assembled(folder: Path) -> tuple[list[dict[str, str]], list[str]]:
    """Return the rows of all steps and their proofs, a line of JSON for each."""
    known, counts = known_problems(), dict[int, int]()
    table, proofs = [], []
    for step in sorted(STEPS, key=lambda step: step.plies):
        if not (folder / f"{step.name}.tsv").exists():
            continue
        proof_of = {json.loads(line)["id"]: line for line in (folder / f"{step.name}.jsonl").open(encoding="utf-8")}
        for row in rows(str(folder / f"{step.name}.tsv")):
            like, alike = likeness(row["sfen"], tuple(row["line"].split())), known.setdefault(step.plies, [])
            if any(like.is_like(old) for old in alike):
                continue
            alike.append(like)
            counts[step.plies] = counts.get(step.plies, 0) + 1
            proof = json.loads(proof_of[row["id"]])
            proof["id"] = row["id"] = f"mined-{step.plies}-{counts[step.plies]:03}"
            row["origin"] = re.sub(r"composed-\d+", "another mined problem", row["origin"])
            proof["provenance"]["origin"] = row["origin"]
            table.append(row)
            proofs.append(json.dumps(proof, ensure_ascii=False))
    return table, proofs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the files of the steps are")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="try N candidates at once (1)")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="write table and packed proofs there")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for step in STEPS:
        compose(step, given.folder, given.jobs)
    table, proofs = assembled(given.folder)
    for plies in sorted({row["plies"] for row in table}, key=int):
        those = [row for row in table if row["plies"] == plies]
        kings, proven, unique = (
            sum(row[column] == value for row in those)
            for column, value in (("kings", "2"), ("length is", "proven"), ("unique", "yes"))
        )
        print(f"{plies} plies: {len(those)}, both kings {kings}, length proven {proven}, unique {unique}")
    if given.into:
        lines = ["# " + "\t".join(COLUMNS), *("\t".join(row[column] for column in COLUMNS) for row in table)]
        (given.into / f"{NAME}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        packed = lzma.compress(("\n".join(proofs) + "\n").encode(), preset=9 | lzma.PRESET_EXTREME)
        (given.into / f"{NAME}-proofs.jsonl.xz").write_bytes(packed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
