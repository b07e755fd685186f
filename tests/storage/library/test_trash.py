"""Deleted files of the library, and their restoration."""

import pytest

from turnwright.encounter.prepared import Creature
from turnwright.storage.atomic import backups_of
from turnwright.storage.library.entries import Library, LibraryEntry
from turnwright.storage.library.search import discard, restore


@pytest.fixture
def library(tmp_path):
    made = Library(tmp_path / "data" / "library", (), tmp_path / "state" / "library.index")
    made.save(Creature("wolf", "Wolf", hp=11), "a5e")
    return made


def test_a_discarded_file_is_in_the_backups_and_comes_back(library, tmp_path):
    (wolf,) = library.entries()
    path, backups = library.folder / "wolf.toml", tmp_path / "backups"
    text = path.read_bytes()
    held = discard(wolf, backups)
    assert not path.exists()
    assert [copy.read_bytes() for copy in backups_of(path, backups)] == [text]
    assert restore(wolf, held)
    assert path.read_bytes() == text
    path.write_text("something else")
    assert not restore(wolf, held)
    assert path.read_text() == "something else"


def test_what_is_shipped_is_never_discarded(tmp_path):
    file = tmp_path / "wolf.toml"
    file.write_text("x")
    with pytest.raises(ValueError, match=r"wolf\.toml"):
        discard(
            LibraryEntry(str(file), "wolf", "Wolf", kind="creature", system="a5e", shipped=True), tmp_path / "backups"
        )
    assert file.exists()
