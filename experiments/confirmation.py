"""How much of what a hisshi search finds without looking at every reply is true: what its confirmation says.

For every position of the bundled hisshi sets, of tables given as arguments, of games and random walks, and of hisshi
changed at random:

* what the run claims to be a hisshi, and what confirmation makes of it: proven at the claimed length or a longer one,
  refuted by a reply that is shown to save, or undecided;
* of what is not proven at its length, what a full-width search under the same rule says: of the position after that
  reply, whether it has an answer within the claim; of the position, whether there is a hisshi of the claimed length, by
  another move perhaps;
* every proof replayed by the checker.

    python experiments/confirmation.py
"""

import argparse
import random
import sys
from collections import Counter
from typing import Any

from facts import Place
from positions import changed_places, game_places, problem_places

from hisshi.core import Position, Registry, solve
from hisshi.core.composition import Run
from hisshi.core.errors import HisshiError
from hisshi.core.hisshi_checker import RULES, check_hisshi_proof
from hisshi.core.hisshi_walk import PartSearch
from hisshi.core.kernel.control import EXHAUSTED, GAVE_UP_SCHEDULE, NODE_LIMIT
from hisshi.core.kernel.table import DISPROVEN, PROVEN
from hisshi.core.large_stack import on_a_large_stack
from hisshi.core.results import CONFIRMED, REFUTED, STOPPED, UNDECIDED, Confirmation

SETS = ("hisshi-sample", "hisshi", "hisshi-two-kings", "hisshi-refuted")
FULL = "hisshi-full"
YES, NO, OPEN = "yes", "no", "open"
COLUMNS = ("positions", "mates", "claims", CONFIRMED, "longer", REFUTED, UNDECIDED, STOPPED, "proofs refused")


def full_width(run: Run, position: Position, plies: int, nodes: int) -> str:
    """Return whether the side to move has a mate, or a hisshi of at most `plies`, by a full-width search."""
    run.clear()
    if plies <= 0:
        mate = PartSearch(run, run.root.parts["mate"]).search_within(position.copy_record(), nodes)
        return {PROVEN: YES, DISPROVEN: NO}.get(mate, OPEN)
    run.control[NODE_LIMIT] = nodes
    if run.search(position.copy_record(), plies) == PROVEN:
        return YES
    return NO if run.control[EXHAUSTED] == GAVE_UP_SCHEDULE else OPEN


class Experiment:
    """One run over many positions, and what comes of it by set."""

    def __init__(self, run: Run, full: Run, rule: str, nodes: int) -> None:
        self.run, self.full, self.rule, self.nodes = run, full, rule, nodes
        self.counts: dict[str, Counter[str]] = {}
        self.seconds: Counter[str] = Counter()
        self.lines: list[str] = []

    def look_at(self, place: Place) -> None:
        counts = self.counts.setdefault(place.group, Counter())
        position = Position.from_sfen(place.sfen, strict=False)
        result = solve(position, self.run, node_limit=self.nodes, want_proof=True)
        counts["positions"] += 1
        confirmation = result.confirmation
        self.seconds["search"] += result.processor_seconds
        if confirmation is None:
            return
        self.seconds["confirmation"] += confirmation.processor_seconds
        if confirmation.claimed_plies == 0:
            counts["mates"] += 1
            return
        counts["claims"] += 1
        counts[confirmation.outcome] += 1
        if confirmation.outcome == CONFIRMED:
            counts["longer"] += (result.plies or 0) > confirmation.claimed_plies
            report = check_hisshi_proof(
                place.sfen,
                result.proof,
                rule=self.rule,
                useless_delays=str(self.run.root.options["useless_delays"]),
                plies=result.plies,
                strict=False,
            )
            if not report.ok:
                counts["proofs refused"] += 1
                self.lines.append(f"REFUSED: {place.id} ({place.sfen}): {report.problems[0]}")
            if result.plies == confirmation.claimed_plies:
                return
        self.lines.append(self.look_closer(place, position, confirmation, result))

    def look_closer(self, place: Place, position: Position, confirmation: Confirmation, result: Any) -> str:
        """Say what full-width search thinks of a claim that does not hold as it is."""
        claimed = confirmation.claimed_plies
        words = [f"{place.id} ({place.sfen}): claimed {claimed}, {confirmation.outcome}"]
        if confirmation.outcome == CONFIRMED:
            words.append(f"as {result.plies}")
        if confirmation.moves:
            after, left = position.play_all(confirmation.moves), claimed - len(confirmation.moves)
            said = full_width(self.full, after, left, self.nodes)
            what = f"a mate or {left} plies" if left > 0 else "a mate"
            words.append(f"{what} after {' '.join(confirmation.moves)}: {said}")
            self.counts[place.group][f"answer to the reply: {said}"] += 1
        said = full_width(self.full, position, claimed, self.nodes)
        words.append(f"{claimed} plies by any move: {said}")
        self.counts[place.group][f"claim true: {said}"] += 1
        return ", ".join(words)

    def report(self) -> None:
        names = [*COLUMNS, *sorted({name for counts in self.counts.values() for name in counts} - set(COLUMNS))]
        print(f"| set | {' | '.join(names)} |\n|{' --- |' * (len(names) + 1)}")
        for group, counts in self.counts.items():
            print(f"| {group} | {' | '.join(str(counts[name]) for name in names)} |")
        print("\n" + "\n".join(self.lines))
        print("\nprocessor seconds: " + ", ".join(f"{name} {value:.1f}" for name, value in self.seconds.items()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problems", nargs="*", metavar="FILE", help="more problem tables")
    parser.add_argument("--run", default="kfend", metavar="NAME", help="a hisshi run that leaves out replies (kfend)")
    parser.add_argument("--rule", choices=RULES, help="instead of the run's own")
    parser.add_argument("--positions", type=int, default=1000, metavar="N", help="of games and random walks (1000)")
    parser.add_argument("--changed", type=int, default=1000, metavar="N", help="of hisshi changed at random (1000)")
    parser.add_argument("--nodes", type=int, default=300_000, metavar="N", help="for each search (300000)")
    parser.add_argument("--most", type=int, default=0, metavar="N", help="at most N problems of each set")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    registry = Registry.load()
    try:
        run = registry.compose(given.run, {"hisshi_rule": given.rule} if given.rule else {})
        rules = [instance.plugin.name for instance in run.instances if instance.plugin.role == "hisshi_rule"]
        if not rules:
            raise SystemExit(f"--run {given.run}: no hisshi search; name one, for example kfend")
        most = str(run.root.options.get("max_plies", 5))
        full = registry.compose(FULL, {"hisshi_rule": rules[0], "max_plies": most})
    except HisshiError as error:
        raise SystemExit(f"--run {given.run}: {error}") from None
    if rules[0] not in RULES:
        raise SystemExit(f"--run {given.run}: the checker knows no rule '{rules[0]}'; it knows: {', '.join(RULES)}")
    run.warm()
    full.warm()
    chance = random.Random(given.seed)
    places = []
    for name in (*SETS, *given.problems):
        places += problem_places(name, chance)[: given.most or None]
    places += game_places(given.positions, chance) + changed_places(list(SETS), given.changed, chance)
    experiment = Experiment(run, full, rules[0], given.nodes)
    for place in places:
        experiment.look_at(place)
    experiment.report()
    return int(any(counts["proofs refused"] for counts in experiment.counts.values()))


if __name__ == "__main__":
    sys.exit(on_a_large_stack(main))
