"""The documentation's commands and programs do what it says: every block runs.

In README.md and docs/, blocks marked bash, python or toml are run in order, in one empty folder per document. A python
or toml block whose first line is a comment with a file name, such as ``# hisshi.toml``, is only written to that file. A
block below ``<!-- not run: reason -->`` is left alone. Programs are written to files too, since numba cannot cache code
that has none. A bash block that makes an environment is run by .ci/run instead.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent
DOCUMENTS = [TOP / "README.md", *sorted((TOP / "docs").rglob("*.md"))]

BLOCK = re.compile(
    r"^(?P<note><!-- not run: .*-->\n+)?```(?P<language>bash|python|toml)\n(?P<text>.*?)^```$", re.M | re.S
)
NAMED = re.compile(r"# (\S+\.(?:py|toml))\n")
SETUP = "python3 -m venv"
SUFFIXES = {"bash": "sh", "python": "py", "toml": "toml"}


@dataclass(frozen=True)
class Block:
    """One fenced block of a document."""

    place: str
    language: str
    text: str
    left_alone: bool

    @property
    def is_setup(self) -> bool:
        return self.language == "bash" and self.text.startswith(SETUP)

    @property
    def file_name(self) -> str | None:
        named = NAMED.match(self.text)
        return named[1] if named and self.language != "bash" else None


def blocks_of(text: str, name: str = "README.md") -> Iterator[Block]:
    for found in BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("language")) + 1
        yield Block(f"{name}, line {line}", found["language"], found["text"], bool(found["note"]))


def run_blocks(blocks: list[Block], folder: Path) -> None:
    """Write and run `blocks` in `folder`; fail with the place, the text and the output of the first that fails."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for number, block in enumerate(blocks):
        if block.left_alone or block.is_setup:
            continue
        file = folder / (block.file_name or f"block_{number}.{SUFFIXES[block.language]}")
        file.write_text(block.text, encoding="utf-8")
        if block.file_name:
            continue
        assert block.language != "toml", (
            f"{block.place}: a toml block begins with its file name, for example # hisshi.toml"
        )
        program = (
            [sys.executable] if block.language == "python" else [shutil.which("bash") or "bash", "-euo", "pipefail"]
        )
        ran = subprocess.run(
            [*program, file],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if ran.returncode != 0:
            pytest.fail(f"{block.place}: exit status {ran.returncode}\n\n{block.text}\n{ran.stdout}", pytrace=False)


@pytest.mark.compiled
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(TOP).as_posix())
def test_every_block_runs(document, tmp_path):
    blocks = list(blocks_of(document.read_text(encoding="utf-8"), document.relative_to(TOP).as_posix()))
    run_blocks(blocks, tmp_path)


def test_the_readme_begins_with_two_one_line_commands_that_ci_runs_to_the_letter():
    ci = TOP / ".ci" / "run"
    if not ci.exists():
        pytest.skip("a source distribution has no .ci")
    bash = [block for block in blocks_of((TOP / "README.md").read_text(encoding="utf-8")) if block.language == "bash"]
    assert [block.is_setup for block in bash[:2]] == [True, True]
    commands = [line.strip() for line in ci.read_text(encoding="utf-8").splitlines()]
    for block in bash:
        if block.is_setup:
            assert block.text.count("\n") == 1, f"{block.place}: more than one line"
            assert block.text.strip() in commands, f"{block.place}: .ci/run does not run this"


def test_a_block_that_fails_is_reported_with_its_line(tmp_path):
    text = "# Title\n\n```python\nprint('fine')\n```\n\n```bash\nexit 3\n```\n"
    with pytest.raises(pytest.fail.Exception, match=r"README\.md, line 7: exit status 3"):
        run_blocks(list(blocks_of(text)), tmp_path)


def test_a_named_block_is_a_file_for_the_blocks_below_it(tmp_path):
    text = "```python\n# mine.py\nANSWER = 42\n```\n\n```python\nfrom mine import ANSWER\nassert ANSWER == 42\n```\n"
    run_blocks(list(blocks_of(text)), tmp_path)
    assert (tmp_path / "mine.py").exists()


def test_a_block_marked_as_not_run_is_left_alone(tmp_path):
    run_blocks(list(blocks_of("<!-- not run: it would take an hour -->\n```bash\nexit 3\n```\n")), tmp_path)
    assert list(tmp_path.iterdir()) == []
