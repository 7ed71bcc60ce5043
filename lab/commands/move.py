"""``hisshi move``: the best move in a position, by a run of goal play."""

import click

from hisshi.core.errors import HisshiError
from hisshi.lab.commands.options import overrides, registry_option, seconds_limit

DEFAULT_PLAY_RUN = "abc"
DEFAULT_SECONDS = 5.0


@click.command(name="move", short_help="Find the best move in a position.")
@click.argument("positions", nargs=-1, required=True, metavar="POSITION|FILE…")
@click.option(
    "--run",
    default=DEFAULT_PLAY_RUN,
    show_default=True,
    metavar="NAME",
    help="The run to use, one of goal play; see 'hisshi runs'.",
)
@registry_option
@click.option(
    "--set", "options", multiple=True, callback=overrides, metavar="OPTION=VALUE", help="Change an option of the run."
)
@click.option(
    "--time",
    "time_limit",
    type=float,
    callback=seconds_limit,
    metavar="SECONDS",
    help=f"Stop each search after this time.  [default: {DEFAULT_SECONDS:g}, without --nodes]",
)
@click.option("--nodes", "node_limit", type=click.IntRange(min=1), metavar="N", help="Stop each search after N nodes.")
@click.option(
    "--json", "json_target", metavar="FILE", help="Also write one JSON object a line; '-' is standard output."
)
@click.option("--profile", is_flag=True, help="Tell which part takes how much time. Compiles a slower second set.")
@click.pass_context
def command(
    ctx: click.Context,
    positions: tuple[str, ...],
    run: str,
    registry: str | None,
    options: dict[str, str],
    time_limit: float | None,
    node_limit: int | None,
    json_target: str | None,
    profile: bool,
) -> None:
    """Search positions for the best move and print a table: move, score in pawns, depth, nodes, line.

    Positions are given as to 'hisshi solve': in quotes (SFEN, or a USI position with moves), as a file, as the name of
    a bundled set, or '-' for standard input.

    Exit status: 0 there is a move in each position, 1 in some no move was found within the limit, or the side to move
    has lost, 2 a mistake, or a search failed, 130 stopped by Ctrl-C; the best move until then is printed.
    """
    if profile:
        from hisshi.core.profiling import switch_on

        switch_on()  # before anything imports the kernels
    # Imported here, since `hisshi --help` imports this module.
    from hisshi.lab.json_output import STDOUT, JsonOutput
    from hisshi.lab.move_report import MoveReport
    from hisshi.lab.moving import MoveSession, choose_one_by_one
    from hisshi.lab.problems import read_problems
    from hisshi.lab.progress import make_progress
    from hisshi.lab.session import SearchSettings

    # `--time inf` is no limit either, but one that was asked for.
    if node_limit is None and ctx.get_parameter_source("time_limit") is not click.core.ParameterSource.COMMANDLINE:
        time_limit = DEFAULT_SECONDS
    output = None if json_target is None else JsonOutput(json_target, positions)
    if output is not None:
        ctx.call_on_close(output.close)
    session = MoveSession(SearchSettings(run, registry, options, node_limit, time_limit))
    items = read_problems(positions)
    if "-" not in positions:  # else whoever writes to our standard input may wait for the first answer
        items = iter(known := list(items))
    display = make_progress(None if "-" in positions else len(known))
    report = MoveReport(display, output)
    if output is not None:
        output.start()
    try:
        with display:
            stopped = choose_one_by_one(session, items, report, display)
    except HisshiError:
        if report.outcomes:  # what was done before the mistake showed is worth its table
            report.print_results(to_stderr=json_target == STDOUT, stopped=True)
        raise
    report.print_results(to_stderr=json_target == STDOUT, stopped=stopped)
    ctx.exit(report.exit_code(stopped))
