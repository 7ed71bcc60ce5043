"""The documentation is so: the worked example of CONTRIBUTING.md, the table of sources, links."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hisshi.core.discovery import load_plugins
from hisshi.lab.outcome import Outcome, json_line

TOP = Path(__file__).resolve().parent.parent

ASK = """
import sys
import hisshi.core.kernel.roles as roles
roles.__path__.append(sys.argv[1])
from hisshi.core import Position, Registry
run = Registry.load("shelter.toml").compose("look")
run.warm()
run.search(Position.from_sfen("5gsnk/5ppp1/9/9/9/9/9/9/9 b 2G 1").copy_record())
print([instance.plugin.name for instance in run.instances], run.root.context.answer_plies)
"""
REGISTRY = '[run.look]\nsearch = { path = "walls.py", use = "look" }\nshelter = { path = "walls.py" }\n'


def named_blocks(document):
    text = (TOP / document).read_text(encoding="utf-8")
    return dict(re.findall(r"^```python\n# (\S+\.py)\n(.*?)^```$", text, re.M | re.S))


def test_a_role_is_one_module_as_contributing_shows(tmp_path):
    blocks = named_blocks("CONTRIBUTING.md")
    (tmp_path / "roles").mkdir()
    (tmp_path / "roles" / "shelter.py").write_text(blocks["shelter.py"], encoding="utf-8")
    (tmp_path / "walls.py").write_text(blocks["walls.py"], encoding="utf-8")
    (tmp_path / "shelter.toml").write_text(REGISTRY, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", ASK, tmp_path / "roles"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.stdout == "['walls', 'look'] 2\n", ran.stderr  # knight 2a and pawn 2b stand round the king on 1a


def test_every_bundled_plugin_names_its_source_there_and_in_the_references():
    references = (TOP / "docs" / "references.md").read_text(encoding="utf-8")
    rows = [row.split(" | ") for row in references.splitlines() if row.startswith("| `")]
    listed = {
        (name, role) for cells in rows for name in [cells[0].strip("| `")] for role in re.findall(r"`(.*?)`", cells[1])
    }
    bundled = [plugin for plugin in load_plugins().plugins if plugin.distribution == "hisshi"]
    assert listed == {(plugin.name, plugin.role) for plugin in bundled}
    assert [plugin.name for plugin in bundled if not plugin.source] == []


@pytest.mark.parametrize(
    "document", ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in (TOP / "docs").glob("*.md"))]
)
def test_every_link_to_a_file_leads_somewhere(document):
    text = re.sub(r"^```.*?^```$", "", (TOP / document).read_text(encoding="utf-8"), flags=re.M | re.S)
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)]+)\)", text) if "://" not in target]
    assert [target for target in targets if target and not (TOP / document).parent.joinpath(target).exists()] == []


def test_every_key_of_a_json_line_is_documented_in_order():
    written = list(
        json.loads(
            json_line(
                Outcome("id", None, "mate", score=0, confirmation={}, first_moves={}, profile={}),
                with_proof=True,
                with_tree=True,
                with_verification=True,
            )
        )
    )
    rows = (TOP / "docs" / "json.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", rows.partition("## Moves")[0], re.M) == written
