"""What a registry may ask of a search, and how much of a file is read."""

import pytest

from hisshi.core.errors import RegistryError
from hisshi.core.registry import LARGEST_FILE, Registry
from hisshi.lab import proof_files


def test_a_search_refuses_a_run_with_another_goal(tmp_path):
    file = tmp_path / "runs.toml"
    file.write_text('[run.other]\nextends = "mate"\ngoal = "play"\n', encoding="utf-8")
    with pytest.raises(RegistryError, match=r"goal is 'play', but search 'mate-depth-first' looks for 'mate'"):
        Registry.load(file).compose("other")


def test_a_registry_larger_than_any_is_not_read(tmp_path):
    file = tmp_path / "runs.toml"
    file.write_bytes(b"#" * (LARGEST_FILE + 1))
    with pytest.raises(RegistryError, match="larger than 1,048,576 bytes"):
        Registry.load(file)


def test_a_line_longer_than_any_result_ends_the_reading(tmp_path, monkeypatch):
    monkeypatch.setattr(proof_files, "_LONGEST_LINE", 100)
    file = tmp_path / "endless.jsonl"
    file.write_bytes(b"\0" * 1000)
    (verdict,) = proof_files.verify_file(str(file))
    assert verdict.is_unreadable
    assert "longer than 100 bytes" in verdict.text
