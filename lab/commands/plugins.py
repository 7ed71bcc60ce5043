"""``hisshi plugins``: what can be plugged in, as which role, with which options."""

from typing import TYPE_CHECKING, Any

import click

from hisshi.lab.commands.options import registry_option

if TYPE_CHECKING:
    from rich.console import Console


@click.command(name="plugins", short_help="List the plugins, or describe one.")
@click.argument("name", required=False)
@registry_option
def command(name: str | None, registry: str | None) -> None:
    """List all plugins by role, or describe the plugin (or role) NAME: options, defaults, ranges, source, status.

    They are those of the installed distributions and those of the files that a registry names by their path. What
    cannot be loaded is listed below them, with the reason.
    """
    from hisshi.core import Registry
    from hisshi.core.discovery import load_plugins
    from hisshi.core.errors import PluginError
    from hisshi.lab.console import make_console

    catalogue = load_plugins()
    plugins, broken = list(catalogue.plugins), {str(each): each.name for each in catalogue.broken}
    for path, where in Registry.load(registry).plugin_files().items():
        try:
            plugins += catalogue.all_from_file(path, where)[1]
        except PluginError as error:
            broken[str(error)] = path.stem
    plugins.sort(key=lambda plugin: (plugin.role, plugin.name))
    console = make_console(to_stderr=False)
    if name is None:
        _print_list(plugins, console)
        for problem in broken:
            console.print(f"not loaded: {problem}", soft_wrap=True)
        return
    chosen = [plugin for plugin in plugins if name in (plugin.name, plugin.role)]
    if not chosen:
        from hisshi.core.nearest import clipped, listed, suggest

        if problems := [problem for problem, called in broken.items() if called == name]:
            raise PluginError(problems[0])
        names = sorted({plugin.name for plugin in plugins} | {plugin.role for plugin in plugins})
        raise PluginError(
            f"no plugin or role named '{clipped(name)}'; there are: {listed(names)}{suggest(name, names)}"
            f"{catalogue.not_loaded()}"
        )
    for plugin in chosen:
        _print_one(plugin, console)


def _print_list(plugins: list[Any], console: "Console") -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table("role", "plugin", "status", "what")
    previous = None
    for plugin in plugins:
        role = "" if plugin.role == previous else plugin.role
        previous = plugin.role
        table.add_row(Text(role), Text(plugin.name), Text(plugin.status or ""), Text(plugin.summary or ""))
    console.print(table)


def _print_one(plugin: Any, console: "Console") -> None:
    from rich.table import Table
    from rich.text import Text

    console.print(f"{plugin.name}: {plugin.summary}", soft_wrap=True)
    facts = {
        "role": plugin.role,
        "status": plugin.status,
        "source": plugin.source,
        "from": f"{plugin.distribution or ''} {plugin.version or ''}".strip(),
    }
    for label, value in facts.items():
        if value:
            console.print(f"  {label}: {value}", soft_wrap=True)
    if not plugin.options:
        console.print("  no options\n")
        return
    table = Table("option", "type", "default", "range", "what")
    for option in plugin.options:
        cells = (option.name, option.kind, option.default, describe_range(option), option.help or "")
        table.add_row(*(Text(str(cell)) for cell in cells))
    console.print(table)


def describe_range(option: Any) -> str:
    """Return what values an option accepts, for example ``1 to 99`` or ``at least 0``."""
    if option.choices:
        return ", ".join(map(str, option.choices))
    if option.low is not None and option.high is not None:
        return f"{option.low} to {option.high}"
    if option.low is not None:
        return f"at least {option.low}"
    if option.high is not None:
        return f"at most {option.high}"
    return ""
