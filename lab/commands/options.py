"""Options that several commands share, read in one way."""

import math
from collections.abc import Callable
from typing import Any, TypeVar

import click

DEFAULT_RUN = "mate"

_F = TypeVar("_F", bound=Callable[..., Any])


def registry_option(function: _F) -> _F:
    """Add ``--registry``."""
    return click.option(
        "--registry",
        metavar="FILE",
        help="Read more runs from this file. [default: hisshi.toml in this folder, if there is one]",
    )(function)


def seconds_limit(_: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Check a number of seconds: more than 0; infinity means no limit."""
    if value is None or value == math.inf:
        return None
    if not value > 0:  # also refuses "nan", which compares with nothing
        raise click.BadParameter(f"{value} is no time; expected more than 0 seconds", param=parameter)
    return value


def overrides(_: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Split each ``option=value``; the registry knows which options there are."""
    found: dict[str, str] = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"'{text}'; expected option=value, for example max_plies=9", param=parameter)
        if name.strip() in found:
            raise click.BadParameter(f"'{name.strip()}' is set twice", param=parameter)
        found[name.strip()] = value.strip()
    return found
