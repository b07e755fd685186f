"""Pictures in a folder, found by the names of creatures."""

from __future__ import annotations

import pytest

from turnwright.storage import picture_files
from turnwright.storage.picture_files import name_key, picture_for, pictures_by_name


@pytest.mark.parametrize(
    ("name", "key"),
    [("River raider 2", "riverraider"), ("River_Raider", "riverraider"), ("Émile", "émile"), ("7", "7")],
)
def test_names_are_compared_by_their_letters(name, key):
    assert name_key(name) == key


def test_pictures_are_found_by_any_of_the_names(tmp_path):
    (tmp_path / "foes").mkdir()
    for file in ("goblins.PNG", "foes/river-raider_01.jpg", "foes/notes.txt"):
        (tmp_path / file).write_bytes(b"")
    pictures = pictures_by_name(tmp_path)
    assert sorted(pictures) == ["goblins", "riverraider"]
    assert picture_for(pictures, ("gob", "Goblin")) == tmp_path / "goblins.PNG"
    assert picture_for(pictures, ("River raiders",)) == tmp_path / "foes" / "river-raider_01.jpg"
    assert picture_for(pictures, ("notes", "")) is None


def test_only_so_many_files_are_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr(picture_files, "MOST_FILES", 2)
    for number in "abc":
        (tmp_path / f"{number}.png").write_bytes(b"")
    assert sorted(pictures_by_name(tmp_path)) == ["a", "b"]
