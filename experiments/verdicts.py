"""Wrong verdicts, looked for: every mate run × table policy × table size, against each other and against oracles.

    python experiments/verdicts.py [FILE …] [--minutes 10 | --full] [--positions 2000] [--runs NAME,NAME] [--seed N]

Positions are those of the bundled sets (and of FILE), of rules.tsv, and so many of games and random walks. Each setting
gets an equal share of the time and spends it on positions in random order; --full takes every position under every
setting. With each search a node limit is drawn, and whether to look ahead so many plies only. For half of a setting's
time the table keeps what earlier searches left, and after a problem some positions are asked for that its search may
have met on a path with repetitions. Each setting comes a second time with the search's own options drawn. `unknown` may
come of all that, a contradiction never:

* proven by one setting and disproven by another;
* proven in fewer plies than a length that is said, or known, to be the shortest;
* a proof that the checker refuses (all small ones are checked, of larger ones a sample);
* another answer than brute force gives, on the slow rules, for 1 and 3 plies.

cshogi, rsshogi and the sources of the sets are no judges: what contradicts them is listed to be looked at, unless a
checked proof has settled it. Exit status 1 if there is a contradiction.
"""

import argparse
import random
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from facts import Answer, Facts, Place
from oracles import Cshogi, brute_force, rsshogi_claim
from positions import game_places, problem_places

from hisshi.core import Position, Registry
from hisshi.core.checker import check_mate_proof
from hisshi.core.discovery import load_plugins
from hisshi.core.errors import HisshiError
from hisshi.core.kernel.control import EXHAUSTED, NODE_LIMIT, NODES
from hisshi.core.kernel.table import DISPROVEN, PROVEN
from hisshi.core.large_stack import on_a_large_stack
from hisshi.core.shortest import proven_length
from hisshi.core.solution import build_solution

SETS = ("mate-sample", "tsume-derived", "tsume-classic", "rules")
SIZES = "0.0625,1,16,256"  # megabytes
ANY_LENGTH = 9_999  # plies
LIMITS = (300, 3_000, 3_000, 30_000)  # nodes, drawn
LENGTH_OPTIONS = {"useless_interpositions", "shortest"}  # they change what a length means, so they are not drawn
BRUTE_FORCE_PLIES, BRUTE_FORCE_BOARDS = 3, 400
PROOF_NODES = 100_000  # for finding a proof again behind a verdict
FREE_PROOF = 60  # moves of a proof that is always checked; a larger one is, with the chance FREE_PROOF / moves
LARGEST_PROOF = 20_000  # moves; the checker is slow and follows each line of a shared subtree anew


@dataclass(frozen=True)
class Setting:
    """One composition: a run, the table's policy and size, and options of the search."""

    run: str
    policy: str
    megabytes: float
    options: tuple[tuple[str, str], ...] = ()

    @property
    def overrides(self) -> dict[str, str]:
        return {"table": self.policy, "table.megabytes": f"{self.megabytes:g}"} | dict(self.options)

    def __str__(self) -> str:
        return " ".join([f"--run {self.run}", *(f"--set {name}={value}" for name, value in self.overrides.items())])


def mate_runs(registry: Registry, wanted: list[str]) -> list[str]:
    """Return the mate runs that differ in more than their table; of equal ones the first."""
    described: dict[str, str] = {}
    for name in wanted or registry.runs:
        if registry.find(name).goal == "mate":
            same_table = registry.compose(name, {"table": "always-replace", "table.megabytes": "0.001"})
            described.setdefault(repr(same_table.root.describe()), name)
    return list(described.values())


def drawn_options(registry: Registry, run: str, chance: random.Random) -> tuple[tuple[str, str], ...]:
    """Draw values for the search's switches and choices; numbers stay as they are."""
    drawn = []
    for option in registry.compose(run, {"table.megabytes": "0.001"}).root.plugin.declared.options:
        if option.name not in LENGTH_OPTIONS and option.kind in ("bool", "choice"):
            value = chance.choice(option.choices or ("true", "false"))
            drawn.append((f"search.{option.name}", value))
    return tuple(drawn)


def settings(registry: Registry, runs: list[str], sizes: list[float], chance: random.Random) -> list[Setting]:
    """Return all settings in random order, each once as registered and once with drawn options."""
    policies = load_plugins().names("table")
    plain = [Setting(run, policy, size) for run in runs for policy in policies for size in sizes]
    varied = [
        Setting(each.run, each.policy, each.megabytes, drawn_options(registry, each.run, chance)) for each in plain
    ]
    both = plain + [each for each in varied if each.options]
    chance.shuffle(both)
    return both


class Experiment:
    """Searches, and what comes of them."""

    def __init__(self, places: list[Place], chance: random.Random) -> None:
        self.places, self.chance = places, chance
        self.facts = Facts()
        self.counts: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self.accepted: set[tuple[str, str]] = set()  # position and text of proofs that need no second check

    def use(self, run: Any, setting: Setting, seconds: float | None) -> None:
        """Search positions in random order under one setting until its time is over; None: all of them."""
        order = self.chance.sample(self.places, len(self.places))
        begun = time.process_time()
        for number, place in enumerate(order):
            keeps = number % 2 == 1 if seconds is None else time.process_time() - begun > seconds / 2
            self._search(run, setting, place, keeps)
            for later in place.later if keeps else ():
                self._search(run, setting, later, True)
            if seconds is not None and time.process_time() - begun >= seconds:
                break

    def _search(self, run: Any, setting: Setting, place: Place, keeps: bool) -> None:
        limit = self.chance.choice(LIMITS)
        plies = self.chance.choice((0, 0, 0, 1, 3, 5, 9))
        position = Position.from_sfen(place.sfen, strict=False)
        record = position.copy_record()
        if keeps:
            run.control[[NODES, EXHAUSTED]] = 0
        else:
            run.clear()
        run.control[NODE_LIMIT] = limit
        verdict = run.search(record, plies)
        length, exact = int(run.root.context.answer_plies), bool(run.root.context.answer_exact)
        name = {PROVEN: "proven", DISPROVEN: "disproven"}.get(verdict, "unknown")
        how = f"{setting}, {limit} nodes, plies {plies}{', table kept' if keeps else ''}"
        answer = Answer(how, verdict)
        if verdict == PROVEN:
            # A length that leaves out useless interpositions is no bound of the strict one: a mate of any length.
            strict = "useless-left-out" not in run.root.traits
            answer = Answer(how, verdict, length if strict else ANY_LENGTH, exact and strict)
        found = self.facts.add(place, answer)
        if record.tobytes() != position.record.tobytes():
            self.facts.refuse(place, answer, ("the search did not restore the position",))
            found += 1
        if verdict == PROVEN and plies and length > plies:
            self.facts.refuse(place, answer, (f"asked for {plies} plies",))
            found += 1
        self._count(setting, {"searches": 1, name: 1, "contradictions": found})
        if verdict == PROVEN:
            self._check_proof(run, setting, place, position, answer)

    def _check_proof(self, run: Any, setting: Setting, place: Place, position: Position, answer: Answer) -> None:
        run.control[NODE_LIMIT] = run.nodes + PROOF_NODES
        proven_plies = proven_length(run).plies
        proof = build_solution(position, run, proven_length(run), True).proof
        if proof is None:
            self._count(setting, {"proofs not found again": 1})
            return
        size = tree_size(proof)
        if size > LARGEST_PROOF or self.chance.random() >= FREE_PROOF / max(size, 1):
            self._count(setting, {"proofs not checked": 1})
            return
        text = repr(proof)
        if (place.sfen, text) not in self.accepted:
            left_out = "useless-left-out" in run.root.traits
            length = proven_plies if left_out else answer.plies
            report = check_mate_proof(place.sfen, proof, plies=length, strict=False, useless_left_out=left_out)
            if not report.ok:
                self.facts.refuse(place, answer, report.problems)
                self._count(setting, {"contradictions": 1})
                return
            self.accepted.add((place.sfen, text))
        self._count(setting, {"proofs accepted": 1})
        if place.checked is None or answer.plies < place.checked.plies:
            place.checked = answer

    def _count(self, setting: Setting, what: dict[str, int]) -> None:
        for key in (("run", setting.run), ("policy", setting.policy), ("megabytes", f"{setting.megabytes:g}")):
            for name, number in what.items():
                self.counts[key][name] += number


def tree_size(proof: dict[str, Any]) -> int:
    """Return the number of moves in a proof, a shared subtree counted as often as it occurs."""
    sizes: dict[int, int] = {}

    def size(node: dict[str, Any]) -> int:
        if id(node) not in sizes:
            below = (*node["replies"].values(), *node.get("useless", {}).values())
            sizes[id(node)] = 1 + sum(1 + size(reply) for reply in below)
        return sizes[id(node)]

    return size(proof)


def ask_oracles(places: list[Place], sample: int, chance: random.Random) -> dict[str, int]:
    """Ask the oracles about positions; brute force, which is slow, about `sample` of them."""
    counts: dict[str, int] = defaultdict(int)
    cshogi = Cshogi() if Cshogi.is_installed() else None
    if cshogi is None:
        print("cshogi is not installed (pip install 'hisshi[test]'): one oracle less", file=sys.stderr)
    slow = {id(place) for place in chance.sample(places, min(sample, len(places)))}
    for place in places:
        rsshogi = rsshogi_claim(place.sfen)
        forced = brute_force(place.sfen, BRUTE_FORCE_PLIES, BRUTE_FORCE_BOARDS) if id(place) in slow else None
        place.claims += [claim for claim in (rsshogi, forced) if claim is not None]
        place.claims += cshogi.ask(place.sfen) if cshogi else []
        if forced is not None and forced.is_mate:
            place.shortest = place.shortest or forced.plies
        for who in {claim.who for claim in place.claims}:
            counts[who] += 1
            counts[f"{who}: mates"] += any(claim.is_mate for claim in place.claims if claim.who == who)
    if cshogi is not None:
        counts["cshogi: process ended"] = len(cshogi.deaths)
        cshogi.close()
    return dict(counts)


COLUMNS = ("searches", "proven", "disproven", "unknown", "proofs accepted", "proofs not checked")
COLUMNS += ("proofs not found again", "contradictions")


def report(experiment: Experiment) -> None:
    for kind in ("run", "policy", "megabytes"):
        print(f"\n| {kind} | {' | '.join(COLUMNS)} |\n|{' --- |' * (len(COLUMNS) + 1)}")
        for (of, name), counts in sorted(experiment.counts.items()):
            if of == kind:
                print(f"| {name} | {' | '.join(f'{counts[column]:,}' for column in COLUMNS)} |")
    facts = experiment.facts
    proven = sum(place.proven is not None for place in experiment.places)
    disproven = sum(place.disproven is not None for place in experiment.places)
    print(f"\n{len(experiment.places):,} positions: {proven:,} proven, {disproven:,} disproven by any setting")
    for place, text in facts.open:
        print(f"to be looked at: {place.id} ({place.sfen}): {text}")
    for place, text in facts.contradictions:
        print(f"CONTRADICTION: {place.id} ({place.sfen}): {text}")
    print(f"contradictions: {len(facts.contradictions)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problems", nargs="*", metavar="FILE", help="more problem tables")
    parser.add_argument("--minutes", type=float, default=10, metavar="N", help="of the processor, for the searches")
    parser.add_argument("--full", action="store_true", help="every position under every setting, however long")
    parser.add_argument("--positions", type=int, default=2000, metavar="N", help="of games and random walks")
    parser.add_argument("--brute-force", type=int, metavar="N", help="how many of them (300; with --full all)")
    parser.add_argument("--runs", default="", metavar="NAME,NAME", help="these runs alone")
    parser.add_argument("--megabytes", default=SIZES, metavar="N,N", help=f"sizes of the table ({SIZES})")
    parser.add_argument("--most", type=int, default=0, metavar="N", help="at most N problems of each set")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    try:
        sizes = [float(size) for size in given.megabytes.split(",")]
    except ValueError:
        parser.error(f"--megabytes {given.megabytes}: expected numbers with commas between them")
    chance = random.Random(given.seed)
    registry = Registry.load()
    try:
        runs = mate_runs(registry, [name for name in given.runs.split(",") if name])
    except HisshiError as error:
        raise SystemExit(str(error)) from None
    problems = [
        place for name in (*SETS, *given.problems) for place in problem_places(name, chance)[: given.most or None]
    ]
    games = game_places(given.positions, chance)
    sample = given.brute_force if given.brute_force is not None else len(games) if given.full else 300
    oracles = ask_oracles(games, sample, chance)
    print(f"positions: {len(problems)} problems, {len(games)} of games and walks; oracles: {oracles}", flush=True)
    todo = settings(registry, runs, sizes, chance)
    print(f"{len(todo)} settings of {', '.join(runs)}; seed {given.seed}", flush=True)
    experiment = Experiment(problems + games, chance)
    left = 60 * given.minutes
    for number, setting in enumerate(todo):
        begun = time.process_time()
        run = registry.compose(setting.run, setting.overrides)
        run.warm()
        experiment.use(run, setting, None if given.full else max(0.0, left / (len(todo) - number)))
        left -= time.process_time() - begun
    experiment.places += [later for place in experiment.places for later in place.later]
    for place in experiment.places:
        experiment.facts.compare(place)
    report(experiment)
    return int(bool(experiment.facts.contradictions))


if __name__ == "__main__":
    sys.exit(on_a_large_stack(main))
