"""The one build step that pyproject.toml cannot express: registry.toml goes into the wheel from the top of the tree."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

REGISTRY = "registry.toml"


class BuildWithRegistry(build_py):
    """Copy registry.toml beside hisshi.core.

    An editable install builds nothing: there core/resources.py reads the file at the top of the tree, so an edit is
    seen at once.
    """

    def _target(self) -> Path:
        return Path(self.build_lib, "hisshi", "core", REGISTRY)

    def run(self) -> None:
        """Build the packages from nothing, then add the registry."""
        if not self.editable_mode:  # or a file removed since the last build would stay in the wheel
            shutil.rmtree(Path(self.build_lib, "hisshi"), ignore_errors=True)
        super().run()
        if not self.editable_mode:
            self.mkpath(str(self._target().parent))
            self.copy_file(REGISTRY, str(self._target()))

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Return the files built, for `pip` to record."""
        outputs = super().get_outputs(include_bytecode)
        return outputs if self.editable_mode else [*outputs, str(self._target())]

    def get_source_files(self) -> list[str]:
        """Return what a source distribution needs."""
        return [*super().get_source_files(), REGISTRY]


setup(cmdclass={"build_py": BuildWithRegistry})
