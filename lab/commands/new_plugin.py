"""``hisshi new-plugin``: begin a plugin from a skeleton that works."""

import click


@click.command(name="new-plugin", short_help="Begin a plugin of your own.")
@click.argument("role")
@click.argument("name")
@click.option("--directory", default=".", show_default=True, metavar="DIR", help="Where to write; made if not there.")
def command(role: str, name: str, directory: str) -> None:
    """Write a plugin called NAME that works and can be plugged in as ROLE, a registry with a run of it, and its tests.

    Roles are what 'hisshi plugins' lists in its first column. Nothing is overwritten.
    """
    from pathlib import Path

    from hisshi.lab.new_plugin import PLAY_ROLES, write_plugin

    plugin, registry, tests = write_plugin(role, name, Path(directory))
    click.echo(f"wrote {plugin}, {registry}, {tests}; now edit {plugin.name} and try:")
    click.echo(f"  hisshi check {plugin}")
    click.echo(f"  pytest {tests}")
    try_it = "move startpos --nodes 20000" if role in PLAY_ROLES else "solve mate-sample"
    click.echo(f"  hisshi {try_it} --registry {registry} --run {plugin.stem.replace('_', '-')}")
