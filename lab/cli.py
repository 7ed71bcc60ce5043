"""The command ``hisshi``: finds the commands, which are one file each, and turns mistakes into one line of text.

Nothing here imports what a single command needs: ``hisshi --help`` must answer at once.
"""

import contextlib
import errno
import gc
import sys
from importlib import import_module
from typing import Any

import click

from hisshi.core.errors import HisshiError
from hisshi.lab.console import drop_unwritten_output, make_streams_forgiving, open_missing_streams

# In the order in which a newcomer needs them.
COMMANDS = ("solve", "move", "runs", "plugins", "show", "perft", "verify", "compose", "new-plugin", "check", "warm")

# Objects between two collections. A start makes hundreds of thousands that stay; to look for garbage among them every
# 700 objects, which is Python's default, takes a tenth of it.
GARBAGE_THRESHOLD = 100_000

INPUT_ERROR = 2
INTERRUPTED = 130  # what a shell reports for a program that Ctrl-C ended


class LazyGroup(click.Group):
    """A group whose commands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return one command."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"hisshi.lab.commands.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that `args` name, or fail with the one that may have been meant."""
        from difflib import get_close_matches

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = get_close_matches(args[0], COMMANDS, 1)
            guess = f" Did you mean '{near[0]}'?" if near else f" There are: {', '.join(COMMANDS)}."
            ctx.fail(f"No such command '{args[0]}'.{guess}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a mistake of the user's is one line on standard error, never a traceback."""
        try:
            return super().invoke(ctx)
        except HisshiError as error:
            print_error(str(error))
            ctx.exit(INPUT_ERROR)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
            ctx.exit(INTERRUPTED)


def print_error(text: str) -> None:
    """Print ``error: …`` on standard error, without anything that a terminal would act on."""
    shown = "".join(character if character.isprintable() or character == "\n" else "?" for character in text)
    click.echo(f"error: {shown}", err=True)


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("hisshi")
    except PackageNotFoundError:
        number = "(not installed)"
    click.echo(f"hisshi {number}")
    ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version."
)
def hisshi() -> None:
    """Search shogi endgames with algorithms that you can swap.

    \b
    hisshi solve mate-sample                           a bundled problem set
    hisshi solve "4k4/9/4P4/9/9/9/9/9/9 b G 1"         one position, in quotes
    hisshi solve my-problems.tsv --nodes 1000000       a file
    hisshi COMMAND --help                              more about a command
    """  # noqa: D301  click's mark for "leave these lines as they are"


def main() -> None:
    """Run ``hisshi`` with the arguments of this process."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    open_missing_streams()
    make_streams_forgiving()
    try:
        hisshi(prog_name="hisshi")
    except OSError as error:  # files are looked after where they are used
        is_output = error.errno in (errno.ENOSPC, errno.EIO, errno.EBADF)
        place = "standard output or standard error cannot be written: " if is_output else ""
        with contextlib.suppress(OSError):
            print_error(f"{place}{error.strerror or error}")
        drop_unwritten_output()
        sys.exit(INPUT_ERROR)


if __name__ == "__main__":
    main()
