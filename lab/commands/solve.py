"""``hisshi solve``: search problems with a run and print a table of results."""

import itertools
from typing import TYPE_CHECKING

import click

from hisshi.core.errors import HisshiError
from hisshi.lab.commands.options import DEFAULT_RUN, overrides, registry_option, seconds_limit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hisshi.lab.batch_report import BatchReport
    from hisshi.lab.problem import Item
    from hisshi.lab.progress import LiveProgress, PlainProgress
    from hisshi.lab.session import Session, Settings

_LOOK_AHEAD = 2000  # problems read before the first is solved, so that progress can say "of how many"


@click.command(name="solve", short_help="Search positions or problem files.")
@click.argument("problems", nargs=-1, required=True, metavar="POSITION|FILE…")
@click.option(
    "--run", default=DEFAULT_RUN, show_default=True, metavar="NAME", help="The run to use; see 'hisshi runs'."
)
@registry_option
@click.option(
    "--set", "options", multiple=True, callback=overrides, metavar="OPTION=VALUE", help="Change an option of the run."
)
@click.option("--shortest", is_flag=True, help="Go on after a mate until none is shorter; as --set shortest=true.")
@click.option(
    "--time",
    "time_limit",
    type=float,
    callback=seconds_limit,
    metavar="SECONDS",
    help="Stop each search after this time.",
)
@click.option("--nodes", "node_limit", type=click.IntRange(min=1), metavar="N", help="Stop each search after N nodes.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N", help="Solve N problems at once."
)
@click.option(
    "--json", "json_target", metavar="FILE", help="Also write one JSON object a line; '-' is standard output."
)
@click.option("--proof", is_flag=True, help="Keep proof trees, for 'hisshi verify'. Needs --json.")
@click.option(
    "--no-confirm",
    is_flag=True,
    help="Leave a hisshi 'found' if the run looks at some replies alone.",
)
@click.option("--all-first-moves", is_flag=True, help="Also look for every first move that makes a hisshi as short.")
@click.option(
    "--tree", is_flag=True, help="Keep solution trees: the longest defences only. Needs --json, or a single problem."
)
@click.option(
    "--tree-depth",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="PLIES",
    help="How deep a tree is made before shorter variations are taken out.",
)
@click.option(
    "--verify-against-countermate",
    "verify",
    is_flag=True,
    help="Look whether the attacker is mated himself at one of the defender's nodes of the solution tree.",
)
@click.option("--profile", is_flag=True, help="Tell which part takes how much time. Compiles a slower second set.")
@click.pass_context
def command(
    ctx: click.Context,
    problems: tuple[str, ...],
    run: str,
    registry: str | None,
    options: dict[str, str],
    shortest: bool,
    time_limit: float | None,
    node_limit: int | None,
    jobs: int,
    json_target: str | None,
    proof: bool,
    no_confirm: bool,
    all_first_moves: bool,
    tree: bool,
    tree_depth: int,
    verify: bool,
    profile: bool,
) -> None:
    """Search problems and print a table of results.

    A problem is a position in quotes (SFEN, or a USI position with moves), a file (.sfen .tsv .kif .ki2 .csa .jkf
    .bod), the name of a bundled problem set, or '-' for standard input (lines as in .sfen or .tsv).

    Exit status: 0 all problems are solved (proven or disproven), 1 some are not, 2 some could not be read or their
    search failed, 130 stopped by Ctrl-C; what was done until then is kept.
    """
    if proof and json_target is None:
        raise click.UsageError("--proof needs --json FILE: a proof tree is too long for the table")
    if shortest and "shortest" in options:
        raise click.UsageError("--shortest and --set shortest=… say the same thing; leave out one")
    if shortest:
        options = {**options, "shortest": "true"}
    if profile:
        from hisshi.core.profiling import switch_on

        switch_on()  # before anything imports the kernels
    # Imported here, since `hisshi --help` imports this module.
    from hisshi.lab.batch_report import BatchReport
    from hisshi.lab.json_output import STDOUT, JsonOutput
    from hisshi.lab.problems import read_problems
    from hisshi.lab.progress import make_progress
    from hisshi.lab.session import Session, Settings

    settings = Settings(
        run,
        registry,
        options,
        node_limit,
        time_limit,
        want_proof=proof,
        confirm=not no_confirm,
        all_first_moves=all_first_moves,
        want_tree=tree,
        tree_depth=tree_depth,
        verify_against_countermate=verify,
    )
    output = None if json_target is None else JsonOutput(json_target, problems)
    if output is not None:
        ctx.call_on_close(output.close)
    session = Session(settings)
    items, total = _look_ahead(read_problems(problems), wait="-" not in problems)
    if tree and json_target is None and total != 1:
        raise click.UsageError("--tree needs --json FILE, unless there is a single problem: only one tree is printed")
    display = make_progress(total)
    report = BatchReport(display, output, proof, tree, verify)
    try:
        with display:
            stopped = _solve(session, settings, items, jobs, report, display)
    except HisshiError:
        if report.outcomes:  # what was done before the mistake showed is worth its table
            report.print_results(to_stderr=json_target == STDOUT, stopped=True)
        raise
    report.print_results(to_stderr=json_target == STDOUT, stopped=stopped)
    ctx.exit(report.exit_code(stopped))


def _solve(
    session: "Session",
    settings: "Settings",
    items: "Iterable[Item]",
    jobs: int,
    report: "BatchReport",
    display: "LiveProgress | PlainProgress",
) -> bool:
    """Compile, then solve all items; return whether the user stopped it."""
    from hisshi.lab.batch import solve_one_by_one
    from hisshi.lab.session import Session, Stopped
    from hisshi.lab.workers import solve_in_parallel

    try:
        report.compile_seconds = session.warm(display.compiling)
        report.start()
        if jobs == 1:
            solve_one_by_one(session, items, settings.run, report)
        else:
            solve_in_parallel(Session, settings, items, jobs, report)
    except (Stopped, KeyboardInterrupt):
        return True
    return False


def _look_ahead(items: "Iterator[Item]", wait: bool) -> "tuple[Iterable[Item], int | None]":
    """Return the same items, and how many there are if that can be known without reading too far."""
    if not wait:  # whoever writes to our standard input may wait for the first answer
        return items, None
    first = list(itertools.islice(items, _LOOK_AHEAD))
    if len(first) < _LOOK_AHEAD:
        return first, len(first)
    return itertools.chain(first, items), None
