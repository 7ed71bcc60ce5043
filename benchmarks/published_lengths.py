"""Published lengths: the classics under 20 plies by the run `mate-published`, and where a length differs, why.

    python benchmarks/published_lengths.py [--seconds 120] [ID …]

A table row a problem, in Markdown: the published length, what the search finds, and the remark

* `agrees`;
* `longer`: there is no mate within the published length. Then the published line is searched from its end for a reply
  beside it that is no interposition, so counts by every convention, and lasts longer than the published one;
* `not reached`: what is found, `> N`, is below the published length, and the processor time was over. Then `mate-df-pn`
  is asked too: a strict proof is never shorter, so one of the published length may settle it.
"""

import argparse
import time

from hisshi.core import Position, Registry, SearchResult, solve
from hisshi.core.composition import Run
from hisshi.core.interpositions import interpositions
from hisshi.core.kernel.control import ITERATION, STOP
from hisshi.core.kernel.table import PROVEN
from hisshi.lab.bundled import bundled_sets
from hisshi.lab.problem import Problem
from hisshi.lab.problems import read_problems

RUN, STRICT, LONGEST = "mate-published", "mate-df-pn", 19


def search(position: Position, run: Run, seconds: float) -> SearchResult:
    """Search for so many seconds of processor time."""
    begun = time.process_time()

    def watch(_: object) -> None:
        if time.process_time() - begun > seconds:
            run.control[STOP] = 1

    return solve(position, run, on_progress=watch)


def longer_reply(sfen: str, line: list[str], run: Run) -> str:
    """Return the last reply beside the published line, no interposition, that lasts longer than it, as text."""
    for ply in range(len(line) - 1, 0, -2):  # line[ply] is the attacker's, line[ply - 1] the reply before it
        left = len(line) - ply
        before = Position.from_sfen(sfen).play_all(line[: ply - 1])
        for reply in before.legal_moves():
            if reply == line[ply - 1] or reply in interpositions(before):
                continue
            run.clear()
            if run.search(before.play(reply).copy_record(), left) != PROVEN:
                return f"{reply} instead of {ply}. {line[ply - 1]} is not mated within {left} more"
    return ""


def compare(problem: Problem, run: Run, strict: Run, seconds: float) -> str:
    """Return the problem's row of the table."""
    begun = time.process_time()
    position, published = Position.from_sfen(problem.sfen), problem.plies or 0
    result = search(position, run, seconds)
    nodes = result.nodes
    above = int(run.control[ITERATION]) - 2  # iterations that ended without a mate
    found = str(result.plies) if result.plies else f"> {above}"
    if result.plies == published:
        remark = "agrees"
    elif (result.plies or above + 2) > published:
        remark = "longer"
        if result.plies and len(result.moves) == result.plies:
            between = [
                f"{ply + 1}. {reply}"
                for ply, reply in enumerate(result.moves)
                if ply % 2 and reply in interpositions(position.play_all(result.moves[:ply]))
            ]
            remark += f"; interpositions in the line found: {', '.join(between) or 'none'}"
        if reply := longer_reply(problem.sfen, problem.extra["line"].split(), run):
            remark += f"; {reply}"
    elif result.plies:
        remark = "shorter"
    else:
        bound = search(position, strict, seconds).plies
        known = f"`{STRICT}` proves at most {bound} strictly" if bound else f"`{STRICT}` proves nothing"
        remark = f"agrees: {known}" if bound == published == above + 2 else f"not reached; {known}"
    spent = time.process_time() - begun
    return f"| {problem.id} | {published} | {found} | {nodes:,} | {spent:.1f} | {remark} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", nargs="*", help="problems; all under 20 plies if none is named")
    parser.add_argument("--seconds", type=float, default=120.0, help="processor time for each")
    arguments = parser.parse_args()
    run = Registry.load().compose(RUN)
    strict = Registry.load().compose(STRICT)
    run.warm()
    print("| problem | published | found | nodes | seconds | |")
    print("| --- | --- | --- | --- | --- | --- |")
    for problem in read_problems([str(bundled_sets()["tsume-classic"])]):
        if not isinstance(problem, Problem) or problem.plies is None or problem.plies > LONGEST:
            continue
        if not arguments.ids or problem.id in arguments.ids:
            print(compare(problem, run, strict, arguments.seconds), flush=True)


if __name__ == "__main__":
    main()
