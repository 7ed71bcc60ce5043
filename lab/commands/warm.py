"""``hisshi warm``: compile ahead of the first use, or remove what no version uses any more."""

import click

from hisshi.lab.commands.options import registry_option


@click.command(name="warm", short_help="Compile everything now, or prune old caches.")
@click.option("--run", metavar="NAME", help="Only what this run needs. [default: every run of the registry]")
@registry_option
@click.option("--prune", is_flag=True, help="Remove stale caches instead of compiling.")
def command(run: str | None, registry: str | None, prune: bool) -> None:
    """Compile all runs into the cache, so that later starts are quick; with --prune, remove stale caches instead."""
    if prune:
        from hisshi.core.caching import prune as prune_caches

        pruned = prune_caches(keep_days=0)  # who asks for it means now
        for folder in pruned.removed:
            click.echo(f"removed {folder}")
        count = len(pruned.removed)
        click.echo(
            f"{count} stale {'cache' if count == 1 else 'caches'} removed, {pruned.bytes_freed / 1e6:.1f} MB freed"
        )
        return
    from hisshi.core import Registry
    from hisshi.core.position import warm as warm_positions
    from hisshi.lab.progress import make_progress

    loaded = Registry.load(registry)
    for name in [run] if run is not None else sorted(loaded.runs):
        composed = loaded.compose(name, {})
        with make_progress(None) as display:
            seconds = composed.warm(display.compiling)
        click.echo(f"{name}: compiled in {seconds:.1f} s" if seconds > 0 else f"{name}: was compiled already")
    seconds = warm_positions()
    if seconds > 0:
        click.echo(f"positions: compiled in {seconds:.1f} s")
