"""``hisshi check``: whether plugins keep their roles' contracts."""

import os

import click

PYTEST_NOTHING_CHOSEN = 5
HANGS = 300  # seconds after which a check that still runs is told of, with where it is


@click.command(name="check", short_help="Check plugins against their contracts.")
@click.argument("names", nargs=-1, metavar="NAME…")
@click.option("-n", "--processes", metavar="N", help="Check in N processes; 'auto': one a processor.")
@click.pass_context
def command(ctx: click.Context, names: tuple[str, ...], processes: str | None) -> None:
    """Run the conformance checks on the plugins called NAME, on those of a file (NAME.py), or on all there are.

    It is 'pytest --pyargs hisshi.conformance', whose own options give more choice. Exit status: 0 all hold, 1 some do
    not, 2 there is no such plugin, or one cannot be loaded.
    """
    from importlib.util import find_spec
    from pathlib import Path

    from hisshi.core.discovery import load_plugins
    from hisshi.core.errors import HisshiError, PluginError
    from hisshi.core.nearest import listed, suggest

    for module in ("pytest", *(["xdist"] if processes is not None else [])):
        if find_spec(module) is None:
            raise HisshiError(f"check needs {module}: pip install 'hisshi[conformance]'")
    known = {plugin.name for plugin in load_plugins().plugins}
    for name in names:
        if name.endswith(".py"):
            if not Path(name).is_file():
                raise PluginError(f"there is no plugin file {name}")
        elif name not in known:
            raise PluginError(f"no plugin named '{name}'; installed: {listed(known)}{suggest(name, known)}")
    import pytest

    # Nobody's settings: neither those of a project that the command happens to be called in nor a cache left there.
    arguments = ["--rootdir=.", "-c", os.devnull, "-p", "no:cacheprovider", "--import-mode=importlib", "--tb=line"]
    arguments += ["-o", f"faulthandler_timeout={HANGS}"]  # a kernel that does not return hears no Ctrl-C either
    arguments += ["--noconftest", "-p", "hisshi.conformance.conftest"]  # nor the fixtures and hooks of that project
    if processes is not None:
        arguments += ["-n", processes, "--dist", "loadgroup"]
    chosen = [f"--hisshi-plugin={name}" for name in names]
    status = int(pytest.main([*arguments, "-q", "--pyargs", "hisshi.conformance", *chosen]))
    if status == PYTEST_NOTHING_CHOSEN:
        raise PluginError("there is no check yet for the roles of these plugins")
    ctx.exit(min(status, 2))
