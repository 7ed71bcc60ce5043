"""A new plugin from a skeleton: its file, a run with it, its tests."""

import ast
import builtins
import keyword
import re
from importlib.resources import files
from pathlib import Path

from hisshi.core.errors import HisshiError
from hisshi.core.nearest import clipped, listed, suggest

PLUGIN, FUNCTION = "SKELETON", "skeleton"  # what plugin, and file and function, are called in hisshi.lab.skeletons
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST = 60  # letters of a name, which is also a file's
TESTS = "_tests"
HISSHI_RUN = "hisshi-full"  # what a plugin of the roles below is tried in; those of all others in the run `mate`
HISSHI_ROLES = ("hisshi_rule", "attack_candidates", "defence_candidates")
PLAY_RUN = "classical"  # and of these
PLAY_ROLES = ("evaluation", "captures", "quiescence")


def roles() -> list[str]:
    """Return the roles that there is a skeleton for."""
    names = [entry.name.removesuffix(".py") for entry in files("hisshi.lab.skeletons").iterdir()]
    return sorted(name for name in names if not name.startswith("_") and not name.endswith(TESTS))


def write_plugin(role: str, name: str, folder: Path) -> list[Path]:
    """Write plugin `name` of `role` with a registry and tests into `folder`, which is made if it is not there.

    Returns
    -------
    The files written: ``my_name.py``, ``my_name.toml``, ``test_my_name.py``.

    Raises
    ------
    HisshiError
        There is no such role; the name cannot be a plugin's; a file is there already; one cannot be written.
    """
    role, name = role.replace("-", "_"), name.replace("_", "-")
    if role not in roles():
        raise HisshiError(f"no role named '{clipped(role)}'; there are: {listed(roles())}{suggest(role, roles())}")
    plugin = _skeleton(role)
    function = name.replace("-", "_")
    _check_name(name, function, plugin)
    run, tests = (HISSHI_RUN, "hisshi") if role in HISSHI_ROLES else ("mate", FUNCTION)
    run = PLAY_RUN if role in PLAY_ROLES else run
    registry = (
        f'[run.{PLUGIN}]\nsummary = "the run {run} with {PLUGIN}"\nextends = "{run}"\n'
        f'{role} = {{ path = "{FUNCTION}.py" }}\n'
    )
    texts = {
        folder / f"{function}.py": plugin,
        folder / f"{function}.toml": registry,
        folder / f"test_{function}.py": _skeleton(f"{role}{TESTS}") or _skeleton(f"{tests}{TESTS}"),
    }
    for path in texts:
        if path.exists() or path.is_symlink():
            raise HisshiError(f"{path} is there already; nothing was written: choose another name or --directory")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            with path.open("x", encoding="utf-8") as file:
                file.write(text.replace(PLUGIN, name).replace(FUNCTION, function))
    except OSError as error:
        raise HisshiError(f"{error.filename or folder} cannot be written: {error.strerror}") from None
    return list(texts)


def _skeleton(name: str) -> str:
    """Return the text of a file of hisshi.lab.skeletons, "" if it is not there."""
    file = files("hisshi.lab.skeletons") / f"{name}.py"
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _check_name(name: str, function: str, plugin: str) -> None:
    """Refuse what no plugin can be called, and names that mean something else in the skeleton."""
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise HisshiError(
            f"'{clipped(name)}' cannot be a plugin's name; expected small letters, digits, dashes: my-freedom"
        )
    used = {"hisshi", *dir(builtins)}
    for node in ast.walk(ast.parse(plugin)):
        used.update(value for field, value in ast.iter_fields(node) if field in ("id", "arg", "name", "asname"))
    if function in used - {FUNCTION} or keyword.iskeyword(function):
        raise HisshiError(f"'{name}' cannot be a plugin's name here: Python or the skeleton uses it; try 'my-{name}'")
