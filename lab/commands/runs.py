"""``hisshi runs``: the named compositions that there are."""

import click

from hisshi.lab.commands.options import registry_option


@click.command(name="runs", short_help="List the runs of the registry.")
@registry_option
def command(registry: str | None) -> None:
    """List the runs that --run accepts: their goal, what they extend, and what they are made of."""
    from rich.table import Table
    from rich.text import Text

    from hisshi.core import Registry
    from hisshi.lab.console import make_console

    table = Table("run", "goal", "extends", "what")
    for name, run in sorted(Registry.load(registry).runs.items()):
        table.add_row(Text(name), Text(str(run.goal)), Text(run.extends or ""), Text(run.summary or ""))
    make_console(to_stderr=False).print(table)
