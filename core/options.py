"""Values of options: from TOML or from the command line, checked against the option's declaration."""

from typing import Any

from hisshi.core.errors import RegistryError
from hisshi.core.kernel.role import LARGEST_WHOLE, Option
from hisshi.core.nearest import shown, suggest

_TRUTH = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False, "1": True, "0": False}


def check_value(option: Option, value: Any, where: str) -> int | float | bool | str:
    """Return `value` if `option` may have it.

    Raises
    ------
    RegistryError
        Begins with `where`; says what was got and what is wanted.
    """
    kind = option.kind
    if kind == "choice":
        if value not in option.choices:
            raise RegistryError(
                f"{where} is {shown(value)}, expected one of: {', '.join(option.choices)}"
                f"{suggest(str(value), option.choices)}"
            )
        return str(value)
    if kind == "bool":
        if not isinstance(value, bool):
            raise RegistryError(f"{where} is {shown(value)}, expected true or false")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or (kind == "int" and not isinstance(value, int)):
        raise RegistryError(
            f"{where} is {shown(value)}, expected {'a whole number' if kind == 'int' else 'a number'}{_range(option)}"
        )
    if not -LARGEST_WHOLE <= value <= LARGEST_WHOLE:  # nor NaN
        limit = f", {LARGEST_WHOLE} at most" if option.high is None else ""
        raise RegistryError(f"{where} is {shown(value)}, expected a number{_range(option)}{limit}")
    if (option.low is not None and value < option.low) or (option.high is not None and value > option.high):
        raise RegistryError(f"{where} is {value}, out of range: expected{_range(option)}")
    return int(value) if kind == "int" else float(value)


def read_text(option: Option, text: str, where: str) -> int | float | bool | str:
    """Return the value that `text`, from a command line, gives `option`; RegistryError as `check_value`."""
    value: Any = text
    if option.kind == "bool":
        value = _TRUTH.get(text.lower(), text)
    elif option.kind in ("int", "float"):
        try:
            value = int(text) if option.kind == "int" else float(text)
        except ValueError:
            value = text
    return check_value(option, value, where)


def _range(option: Option) -> str:
    if option.low is None and option.high is None:
        return ""
    if option.high is None:
        return f" {option.low} or more"
    if option.low is None:
        return f" {option.high} or less"
    return f" {option.low} to {option.high}"
