"""A system's data come from the cache while nothing that they depend on has changed."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from turnwright.bootstrap import SHIPPED
from turnwright.storage import system_data
from turnwright.storage.resources import resource_path
from turnwright.storage.system_data import SystemDataError, cached_system_data, read_system_data


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("systems/a5e", "environments", "words"):
        shutil.copytree(resource_path(folder), tmp_path / "resources" / folder)
    return tmp_path / "resources"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The systems whose files are read."""
    found: list[str] = []

    def counted(system_id: str, root: Path) -> system_data.SystemData:
        found.append(system_id)
        return read_system_data(system_id, root)

    monkeypatch.setattr(system_data, "read_system_data", counted)
    return found


@pytest.mark.parametrize("system_id", SHIPPED)
def test_what_is_kept_is_what_was_read(tmp_path: Path, reads: list[str], system_id: str) -> None:
    first, again = (cached_system_data(system_id, tmp_path / "cache") for _ in range(2))
    assert reads == [system_id]
    assert again is not first
    assert msgspec.to_builtins(again) == msgspec.to_builtins(first)


def test_changed_files_are_read_and_checked_anew(tmp_path: Path, root: Path, reads: list[str]) -> None:
    cached_system_data("a5e", tmp_path / "cache", root)
    file = root / "systems" / "a5e" / "conditions.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('name = "Blinded"', 'name = "Sightless"', 1), encoding="utf-8")
    changed = cached_system_data("a5e", tmp_path / "cache", root)
    assert "Sightless" in {condition.name for condition in changed.conditions}
    file.write_text(text.replace('name = "Blinded"', "name = 3", 1), encoding="utf-8")
    with pytest.raises(SystemDataError):
        cached_system_data("a5e", tmp_path / "cache", root)
    file.write_text(text, encoding="utf-8")
    cached_system_data("a5e", tmp_path / "cache", root)
    assert reads == ["a5e"] * 4


@pytest.mark.parametrize("damage", [lambda content: content[:-20], lambda content: b"", lambda content: b"x" + content])
def test_a_damaged_file_is_made_anew(tmp_path: Path, reads: list[str], damage) -> None:
    cached_system_data("a5e", tmp_path)
    file = next(tmp_path.iterdir())
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert cached_system_data("a5e", tmp_path).id == "a5e"
    assert file.read_bytes() == whole
    assert reads == ["a5e"] * 2


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path: Path, reads: list[str]) -> None:
    (tmp_path / "cache").write_text("a file in its place", encoding="utf-8")
    assert [cached_system_data("a5e", tmp_path / "cache").id for _ in range(2)] == ["a5e"] * 2
    assert reads == ["a5e"] * 2
