"""registry.toml: named runs, each a plugin per role with options; a user's file extends the bundled one.

    [run.mine]
    extends = "mate"
    stop = "count-budget"                                # another plugin for a role
    table = { use = "always-replace", megabytes = 16 }   # with options
    king_freedom = { path = "my_plugin.py" }             # from a file, relative to this one

A table without `use` and `path` changes options of the plugin that the extended run names. A part inside a plugin's
table is that plugin's alone; otherwise plugins share the run's parts. Everything is checked before anything is
compiled.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import cattrs

from hisshi.core.errors import RegistryError
from hisshi.core.nearest import clipped, listed, shown, suggest
from hisshi.core.resources import bundled_registry

if TYPE_CHECKING:
    from hisshi.core.composition import Run

GOALS = ("mate", "hisshi", "play")
RUN_KEYS = ("goal", "summary", "extends", "shortest")  # of a run's table; all others are parts
USER_FILE = "hisshi.toml"
DEEPEST_NESTING = 8
LARGEST_FILE = 1 << 20  # bytes
LONGEST_CHAIN = 50  # runs that extend each other


@attrs.frozen(repr=False)
class PartSpec:
    """What a registry says of one part: which plugin, with which options and parts of its own."""

    where: str  # file and table, for errors
    use: str | None = None
    path: Path | None = None
    settings: dict[str, Any] = attrs.field(factory=dict)  # options, and parts of its own as PartSpec

    def __repr__(self) -> str:
        return "a table"  # where an error shows what stands in the place of a value

    def over(self, base: "PartSpec | None") -> "PartSpec":
        """Return this part where it extends `base`: without a plugin of its own it changes base's options."""
        if base is None or self.use is not None or self.path is not None:
            return self
        settings = dict(base.settings)
        for name, value in self.settings.items():
            older = settings.get(name)
            settings[name] = value.over(older) if isinstance(value, PartSpec) and isinstance(older, PartSpec) else value
        return attrs.evolve(base, where=self.where, settings=settings)


@attrs.frozen
class RunSpec:
    """One run as the registry names it, with what it extends merged in."""

    name: str
    where: str
    goal: str = "mate"
    summary: str = ""
    extends: str | None = None
    shortest: bool = False  # search on until the length is proven minimal
    parts: dict[str, PartSpec] = attrs.field(factory=dict)


@attrs.define
class _RawRun:
    """The keys of a run's table that are not parts."""

    goal: str | None = None
    summary: str = ""
    extends: str | None = None
    shortest: bool | None = None


_converter = cattrs.Converter(forbid_extra_keys=True)


def _strict_text(value: Any, _: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text, got {shown(value)}")
    return value


def _explained(error: BaseException, _: type | None) -> str:
    return str(error)


def _strict_truth(value: Any, _: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"expected true or false, got {shown(value)}")
    return value


_converter.register_structure_hook(str, _strict_text)
_converter.register_structure_hook(bool, _strict_truth)


class Registry:
    """The runs of one or more registry files; later files extend earlier ones."""

    def __init__(self) -> None:
        self.runs: dict[str, RunSpec] = {}
        self.files: list[str] = []

    @classmethod
    def load(cls, path: str | Path | None = None) -> "Registry":
        """Read the bundled registry and, over it, `path`, or else hisshi.toml in the working directory if there is one.

        Raises
        ------
        RegistryError
            A file cannot be read, or a run in it is not well formed.
        """
        registry = cls()
        bundled = bundled_registry()
        registry.add_text(bundled.read_text(encoding="utf-8"), "registry.toml", Path(str(bundled)).parent)
        if path is not None:
            registry.add_file(Path(path))
        elif Path(USER_FILE).is_file():
            registry.add_file(Path(USER_FILE))
        return registry

    def add_file(self, path: Path) -> None:
        """Read one more file over those already read."""
        try:
            with path.open("rb") as file:  # limited: a path may name something that never ends
                content = file.read(LARGEST_FILE + 1)
            text = content.decode("utf-8-sig")  # some editors begin a file with a mark
        except FileNotFoundError:
            raise RegistryError(f"registry {path}: no such file") from None
        except (OSError, ValueError) as error:  # not UTF-8 is a ValueError, so is a path that cannot be
            raise RegistryError(f"registry {path}: cannot be read: {error}") from None
        if len(content) > LARGEST_FILE:
            raise RegistryError(f"registry {path}: larger than {LARGEST_FILE:,} bytes; no registry is")
        self.add_text(text, str(path), path.resolve().parent)

    def add_text(self, text: str, name: str, folder: Path) -> None:
        """Read the text of a registry; `folder` is what plugin paths in it are relative to."""
        try:
            data = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # a ValueError also where a number has thousands of digits
            raise RegistryError(f"{name}: is not valid TOML: {error}") from None
        for key in data:
            if key != "run":
                raise RegistryError(
                    f"{name}: unknown table [{key}]; a registry has tables [run.NAME]{suggest(key, ['run'])}"
                )
        tables = data.get("run", {})
        if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
            raise RegistryError(f"{name}: 'run' must hold tables: [run.NAME]")
        self.files.append(name)
        before = dict(self.runs)
        raw = {run: _RawTable(table, f"{name}, [run.{run}]", folder) for run, table in tables.items()}
        for run in raw:
            self.runs[run] = self._resolve(run, raw, before, ())

    def _resolve(
        self, name: str, raw: "dict[str, _RawTable]", before: dict[str, RunSpec], below: tuple[str, ...]
    ) -> RunSpec:
        """Return a run of the file being read, with what it extends: a run of this file, or else of an earlier one."""
        table = raw[name]
        if len(below) > LONGEST_CHAIN:
            raise RegistryError(f"{table.where}: 'extends' goes through more than {LONGEST_CHAIN} runs")
        if name in below:
            raise RegistryError(f"{table.where}: 'extends' goes in a circle: {' -> '.join((*below, name))}")
        base: RunSpec | None = None
        parent = table.head.extends
        if parent is not None:
            if parent in raw and parent != name:
                base = self._resolve(parent, raw, before, (*below, name))
            elif parent in before:
                base = before[parent]
            else:
                known = sorted({*raw, *before} - {name})
                raise RegistryError(
                    f"{table.where}: extends '{parent}', but there is no such run; "
                    f"there are: {listed(known)}{suggest(parent, known)}"
                )
        goal = table.head.goal or (base.goal if base else "mate")
        if goal not in GOALS:
            raise RegistryError(f"{table.where}: goal is '{goal}', expected one of: {', '.join(GOALS)}")
        shortest = table.head.shortest
        if shortest is None:
            shortest = base.shortest if base else False
        parts = dict(base.parts) if base else {}
        for part, spec in table.parts.items():
            parts[part] = spec.over(parts.get(part))
        return RunSpec(name, table.where, goal, table.head.summary, parent, shortest, parts)

    def find(self, name: str) -> RunSpec:
        """Return a run by name; RegistryError if there is none."""
        if name not in self.runs:
            raise RegistryError(
                f"no run named '{clipped(name)}' in {', '.join(self.files)}; "
                f"there are: {listed(self.runs)}{suggest(name, self.runs)}"
            )
        return self.runs[name]

    def plugin_files(self) -> dict[Path, str]:
        """Return the plugin files that runs name by their path, each with where it is named first."""
        found: dict[Path, str] = {}
        specs = [spec for run in self.runs.values() for spec in run.parts.values()]
        while specs:
            spec = specs.pop(0)
            if spec.path is not None:
                found.setdefault(spec.path, spec.where)
            specs += [value for value in spec.settings.values() if isinstance(value, PartSpec)]
        return found

    def compose(self, name: str, overrides: Mapping[str, str] | None = None) -> "Run":
        """Build the run `name` out of its plugins; nothing is compiled yet.

        Parameters
        ----------
        overrides
            Option texts by name, as after ``--set``: ``{"stop.max_plies": "9"}``, ``{"megabytes": "16"}`` where only
            one part has such an option, ``{"table": "always-replace"}`` for another plugin; ``{"shortest": "true"}``.

        Raises
        ------
        RegistryError, PluginError
            Names file, table and key, what it got and what there is.
        """
        from hisshi.core.composition import compose

        return compose(self.find(name), dict(overrides or {}))


class _RawTable:
    """A ``[run.NAME]`` table, split into its own keys and its parts."""

    def __init__(self, table: Mapping[str, Any], where: str, folder: Path) -> None:
        self.where = where
        own = {key: value for key, value in table.items() if key in RUN_KEYS}
        try:
            self.head = _converter.structure(own, _RawRun)
        except cattrs.BaseValidationError as error:
            problems = "; ".join(cattrs.transform_error(error, path="run", format_exception=_explained))
            raise RegistryError(f"{where}: {problems}") from None
        self.parts = {key: _part(value, where, key, folder, 0) for key, value in table.items() if key not in own}


def _part(value: Any, where: str, key: str, folder: Path, depth: int) -> PartSpec:
    """Read what stands behind a part's name: a plugin's name, or a table."""
    if isinstance(value, str):
        return PartSpec(where=where, use=value)
    if not isinstance(value, dict):
        raise RegistryError(
            f"{where}: '{key}' is {shown(value)}; expected a plugin's name or a table such as {{ use = \"NAME\" }}"
        )
    if depth > DEEPEST_NESTING:
        raise RegistryError(f"{where}: '{key}' is nested more than {DEEPEST_NESTING} deep")
    use, path = value.get("use"), value.get("path")
    for name, text in (("use", use), ("path", path)):
        if text is not None and not isinstance(text, str):
            raise RegistryError(f"{where}: '{key}.{name}' is {shown(text)}, expected a text")
    settings = {
        name: _part(inner, where, f"{key}.{name}", folder, depth + 1) if isinstance(inner, dict) else inner
        for name, inner in value.items()
        if name not in ("use", "path")
    }
    return PartSpec(where=where, use=use, path=folder / path if path is not None else None, settings=settings)
