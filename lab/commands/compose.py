"""``hisshi compose``: make new problems of known ones, with proofs."""

from pathlib import Path

import click

from hisshi.lab.commands.options import seconds_limit

_NODES = 1_000_000
_LONGEST = 31


@click.command(name="compose", short_help="Make new problems, with proofs.")
@click.argument("seeds", nargs=-1, metavar="[POSITION|FILE…]")
@click.option("--goal", type=click.Choice(["hisshi", "mate"]), default="hisshi", show_default=True, help="What of.")
@click.option(
    "--plies",
    type=click.IntRange(1, _LONGEST),
    default=3,
    show_default=True,
    metavar="N",
    help="Length, odd.",
)
@click.option(
    "--number", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="How many, in all."
)
@click.option("--both-kings", is_flag=True, help="The attacker has a king too, and it plays a part.")
@click.option("--unique", is_flag=True, help="Only problems with a single first move.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Another number, other problems.")
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    default=_NODES,
    show_default=True,
    metavar="N",
    help="Of each search.",
)
@click.option("--time", "seconds", type=float, callback=seconds_limit, metavar="SECONDS", help="Stop after this time.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N", help="Try N candidates at once."
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="[default: composed-GOAL-PLIES.tsv]"
)
@click.option(
    "--proofs", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Proofs, for 'hisshi verify'."
)
@click.pass_context
def command(
    ctx: click.Context,
    seeds: tuple[str, ...],
    goal: str,
    plies: int,
    number: int,
    both_kings: bool,
    unique: bool,
    seed: int,
    nodes: int,
    seconds: float | None,
    jobs: int,
    out: Path | None,
    proofs: Path | None,
) -> None:
    """Make new problems: positions are changed at random, or a move and a reply are put in front of a problem.

    Kept is what has the wanted length by a proof that the independent checker accepts, whose first moves are known, and
    that is no near relative of another. Needless pieces are taken away.

    Problems grow from POSITION|FILE… (as for 'hisshi solve'), from bundled sets if there are none, and from each other.
    The same command goes on where it was stopped, and ends with the same problems, whatever --jobs.

    Exit status: 0 there are as many as asked for, 1 the time was over before, 2 a mistake, 130 stopped by Ctrl-C.
    """
    if plies % 2 == 0:
        raise click.UsageError(f"--plies {plies}: the attacker moves first and last; give an odd number")
    from hisshi.lab.mining.composer import Composer, ComposeSettings
    from hisshi.lab.mining.mine import Limits, Miner
    from hisshi.lab.mining.record import Record
    from hisshi.lab.mining.sources import digest, read_sources
    from hisshi.lab.progress import make_progress

    settings = ComposeSettings(
        run="compose",
        goal=goal,
        plies=plies,
        nodes=nodes,
        seed=seed,
        both_kings=both_kings,
        unique=unique,
    )
    table = out or Path(f"composed-{goal}-{plies}.tsv")
    sources = read_sources(seeds, goal)
    options = {
        "goal": goal,
        "plies": plies,
        "both-kings": both_kings,
        "unique": unique,
        "seed": seed,
        "nodes": nodes,
        "seeds": digest(sources),
        "proofs": proofs is not None,
    }
    composer = Composer(settings)
    record = Record(table, proofs, options)
    ctx.call_on_close(record.close)
    miner = Miner(settings, sources, record, Limits(number, seconds))
    before = len(record.problems)
    with make_progress(None) as display:
        composer.warm(display.compiling)
        told = before

        def tell() -> None:
            nonlocal told
            if len(record.problems) > told:
                told = len(record.problems)
                new = record.problems[-1]
                display.note(f"[{told}/{number}] {new.id}: {new.sfen}")

        miner.tell = tell  # type: ignore[method-assign]
        stopped = miner.mine(composer, jobs)
    for failure in miner.failures:
        click.echo(f"note: {failure}", err=True)
    count = len(record.problems)
    click.echo(
        f"{table}: {count} {'problem' if count == 1 else 'problems'} of {plies} {'ply' if plies == 1 else 'plies'}, "
        f"{count - before} of them new, from {record.done:,} candidates; "
        f"{miner.alike} left out as near relatives of others"
    )
    if stopped:
        click.echo("stopped; the same command goes on from here", err=True)
        ctx.exit(130)
    ctx.exit(0 if count >= number else 1)
