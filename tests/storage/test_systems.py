"""Shipped data is read strictly: what is wrong is named by file and key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from turnwright.storage.resources import read_text, resource_path, resource_root
from turnwright.storage.system_data import SystemDataError, read_ledger, read_system_data


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("systems/a5e", "environments"):
        shutil.copytree(resource_path(folder), tmp_path / folder)
    return tmp_path


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_shipped_data_is_found_by_relative_names() -> None:
    assert resource_root().is_dir()
    assert read_text("environments/frigid.toml") == resource_path("environments/frigid.toml").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("file", "old", "new", "key"),
    [
        ("environments/frigid.toml", "recharge = 4", 'recharge = "4"', "actions.cold-chill.recharge"),
        ("environments/frigid.toml", "recharge = 4", "rechrge = 4", "actions.cold-chill.rechrge"),
        ("environments/frigid.toml", "dc = 15", "dcc = 15", "actions.cold-chill.save.dcc"),
        ("environments/frigid.toml", 'trigger = "touch"', 'trigger = "tuch"', "features.frostbitten-surface.trigger"),
        ("environments/frigid.toml", "format = 1", "format = 2", "format"),
        ("systems/a5e/conditions.toml", 'name = "Blinded"', "name = 3", "conditions.blinded.name"),
        ("systems/a5e/conditions.toml", 'what = "sight"', 'waht = "sight"', "conditions.blinded.rules.1.waht"),
        ("systems/a5e/spawns.toml", "walk = 40", 'walk = "fast"', "spawns.shadow.speeds"),
        ("systems/a5e/system.toml", "[abilities]", "[abillities]", "abillities"),
        ("systems/a5e/terms.toml", "[terms]", "[cites]", "cites"),
        ("systems/a5e/countdown.toml", "slow = 6\n", 'slow = "six"\n', "countdown_faces"),
    ],
)
def test_faults_are_named_by_file_and_key(root: Path, file: str, old: str, new: str, key: str) -> None:
    change(root / file, old, new)
    with pytest.raises(SystemDataError) as caught:
        read_system_data("a5e", root)
    assert caught.value.file == root / file
    assert caught.value.key.startswith(key)


def test_broken_syntax_and_unknown_systems_are_told(root: Path) -> None:
    change(root / "systems/a5e/terms.toml", "[terms]", "[terms")
    with pytest.raises(SystemDataError, match=r"terms\.toml"):
        read_system_data("a5e", root)
    with pytest.raises(SystemDataError, match="no such folder"):
        read_system_data("chess", root)


def test_a_faulty_rule_of_the_ledger_is_named(root: Path) -> None:
    change(root / "systems/a5e/ledger.toml", 'kind = "narrator"', 'kind = "maybe"')
    with pytest.raises(SystemDataError) as caught:
        read_ledger("a5e", root)
    assert caught.value.key.startswith("a5e.scene.when")


def test_environments_of_other_systems_are_left_out(root: Path) -> None:
    change(root / "environments/frigid.toml", 'system = "a5e"', 'system = "chess"')
    assert "frigid" not in {place.id for place in read_system_data("a5e", root).environments}
