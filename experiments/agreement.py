"""Whether a hisshi search that prunes and the full-width one agree: what is proven by one is never denied by the other.

For positions of games and random walks, of the bundled sets, and of hisshi changed at random, until so many claims of
the run are confirmed; or for the problems of a table, each once:

* the checker replays each proof, under the run's rule and its rule for useless delays;
* the full-width search, under the same rules, must prove it too, and no longer one; where it runs out, or does not look
  as far as the proof goes, that is counted;
* an oracle, if one is given, must find a hisshi that is no longer: a program that is called as ``python FILE --file
  TABLE --rule RULE`` and prints a line for each of the table's rows, the id, a tab, and the plies first;
* neither may prove one that is shorter than what the run calls the shortest.

    python experiments/agreement.py
    python experiments/agreement.py --rule strong --useless-delays off --oracle FILE
    python experiments/agreement.py --problems hisshi-mined --run kfend-pn
"""

import argparse
import itertools
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from facts import Place
from positions import changed_places, game_places, problem_places

from hisshi.core import Position, Registry, solve
from hisshi.core.composition import Run
from hisshi.core.hisshi_checker import DELAYS, RULES, check_hisshi_proof
from hisshi.core.large_stack import on_a_large_stack
from hisshi.core.results import SHORTEST, SearchResult

SETS = ("hisshi", "hisshi-two-kings")
FULL = "hisshi-full"


@dataclass(frozen=True)
class Proof:
    """What the run has proven; `is_shortest`: it says that there is nothing shorter."""

    place: Place
    plies: int
    is_shortest: bool


def says_shortest(result: SearchResult) -> bool:
    return (result.length_is or "").startswith(SHORTEST)


def places(chance: random.Random) -> Iterator[Place]:
    """Yield positions without end: of each kind in turn, as long as there are any."""
    kinds = [
        itertools.chain.from_iterable(problem_places(name, chance) for name in SETS),
        itertools.chain.from_iterable(game_places(50, chance) for _ in itertools.count()),
        itertools.chain.from_iterable(changed_places(list(SETS), 50, chance) for _ in itertools.count()),
    ]
    while True:
        for kind in kinds:
            yield from itertools.islice(kind, 1)


class Experiment:
    """What one run claims, and what the others say of it."""

    def __init__(self, run: Run, full: Run, rule: str, delays: str, nodes: int) -> None:
        self.run, self.full, self.rule, self.delays, self.nodes = run, full, rule, delays, nodes
        self.counts: Counter[str] = Counter()
        self.proven: list[Proof] = []
        self.contradictions: list[str] = []

    def look_at(self, place: Place) -> None:
        """Solve it; what is proven is given to the checker and to the full-width search."""
        position = Position.from_sfen(place.sfen, strict=False)
        self.counts["positions"] += 1
        result = solve(position, self.run, node_limit=self.nodes, want_proof=True)
        if result.verdict != "proven" or not result.plies:
            if result.confirmation is not None:
                what = "mates" if result.verdict == "proven" else f"claims not confirmed: {result.confirmation.outcome}"
                self.counts[what] += 1
            return
        self.counts["proofs"] += 1
        self.counts[f"of {place.group}"] += 1
        if listed := place.shortest or place.claimed:
            self.counts[f"of a listed hisshi: {compared(result.plies, listed)}"] += 1
        proof = Proof(place, result.plies, says_shortest(result))
        self.proven.append(proof)
        report = check_hisshi_proof(
            place.sfen, result.proof, rule=self.rule, useless_delays=self.delays, plies=result.plies, strict=False
        )
        if not report.ok:
            self.contradict(place, f"the checker refuses the proof: {report.problems[0]}")
        self.ask_full(proof, position)

    def ask_full(self, proof: Proof, position: Position) -> None:
        result = solve(position, self.full, node_limit=20 * self.nodes)
        most = self.full.root.options["max_plies"]
        if result.verdict == "proven" and result.plies is not None and result.plies <= proof.plies:
            self.take("full-width", proof, result.plies)
        elif result.verdict == "proven" and says_shortest(result):
            self.contradict(proof.place, f"proven in {proof.plies} plies, by full width in {result.plies} and no less")
        elif result.reason.startswith("no hisshi within") and proof.plies <= most:
            self.contradict(proof.place, f"proven in {proof.plies} plies, by full width: {result.reason}")
        else:
            self.counts["full-width: open"] += 1

    def take(self, who: str, proof: Proof, plies: int) -> None:
        """Take in that `who` proves a hisshi of `plies` plies, 0 for a mate, which is no longer than `proof`."""
        self.counts[f"{who}: {compared(plies, proof.plies) if plies else 'a mate'}"] += 1
        if proof.is_shortest and plies < proof.plies:
            self.contradict(proof.place, f"shortest in {proof.plies} plies, {who} has {plies}")

    def ask_oracle(self, oracle: Path, most: int, chance: random.Random) -> None:
        asked = chance.sample(self.proven, min(most, len(self.proven)))
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "asked.tsv"
            rows = [f"{proof.place.id}\t{proof.place.sfen}\t{proof.plies}\n" for proof in asked]
            table.write_text("".join(rows), encoding="utf-8")
            command = [sys.executable, str(oracle), "--file", str(table), "--rule", self.rule]
            said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
        if len(said) != len(asked):
            raise SystemExit(f"{oracle}: {len(asked)} positions asked about, {len(said)} lines printed")
        for proof, line in zip(asked, said, strict=True):
            plies = line.split("\t")[1].split()[0]
            if plies.isdigit() and int(plies) <= proof.plies:
                self.take("oracle", proof, int(plies))
            elif plies == "?" or "open 0 " not in f"{line} ":  # a search of the oracle's that ran out
                self.counts["oracle: open"] += 1
            else:
                self.contradict(proof.place, f"proven in {proof.plies} plies, the oracle says {line}")

    def contradict(self, place: Place, text: str) -> None:
        self.counts["contradictions"] += 1
        self.contradictions.append(f"{place.id} ({place.sfen}): {text}")


def compared(plies: int, other: int) -> str:
    return "as long" if plies == other else "shorter" if plies < other else "longer"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", default="kfend", metavar="NAME", help="the hisshi run that is held to it (kfend)")
    parser.add_argument("--rule", choices=RULES, default="kfend", help="which replies count (kfend)")
    parser.add_argument("--useless-delays", choices=DELAYS, default="leaf", help="which do not for the length (leaf)")
    parser.add_argument("--problems", metavar="TABLE", help="these alone, each once: a file or a bundled set")
    parser.add_argument("--proofs", type=int, metavar="N", help="so many (300, of --problems all)")
    parser.add_argument("--nodes", type=int, default=300_000, metavar="N", help="for a claim and its proof (300000)")
    parser.add_argument("--plies", type=int, default=5, metavar="N", help="how far the full-width search looks (5)")
    parser.add_argument("--oracle", type=Path, metavar="FILE", help="a program that finds hisshi by itself")
    parser.add_argument("--asked", type=int, default=50, metavar="N", help="positions that it is asked about (50)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.oracle and (given.rule not in ("weak", "strong") or given.useless_delays != "off"):
        parser.error("--oracle needs --rule weak or strong, and --useless-delays off: it counts strictly")
    registry = Registry.load()
    settings = {"hisshi_rule": given.rule, "useless_delays": given.useless_delays}
    run = registry.compose(given.run, settings)
    full = registry.compose(FULL, {**settings, "max_plies": str(given.plies)})
    run.warm()
    full.warm()
    chance = random.Random(given.seed)
    experiment = Experiment(run, full, given.rule, given.useless_delays, given.nodes)
    most = given.proofs or (0 if given.problems else 300)
    for place in problem_places(given.problems, chance) if given.problems else places(chance):
        experiment.look_at(place)
        if len(experiment.proven) == most:
            break
    if given.oracle:
        experiment.ask_oracle(given.oracle, given.asked, chance)
    for name, count in experiment.counts.items():
        print(f"{count:7,} {name}")
    print("\n".join(["", *experiment.contradictions]) if experiment.contradictions else "no contradiction")
    return int(bool(experiment.contradictions))


if __name__ == "__main__":
    sys.exit(on_a_large_stack(main))
