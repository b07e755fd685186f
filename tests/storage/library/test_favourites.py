"""Favourites: the marked entries of the library, kept in a file of their own."""

import pytest

from turnwright.encounter.prepared import Creature
from turnwright.storage.library.entries import Library, LibraryEntry
from turnwright.storage.library.search import Favourites


@pytest.fixture
def library(tmp_path):
    made = Library(tmp_path / "data" / "library", (), tmp_path / "state" / "library.index")
    made.save(Creature("wolf", "Wolf", hp=11), "a5e")
    return made


def test_marks_last_and_go_with_the_file(library, tmp_path):
    (wolf,) = library.entries()
    file = tmp_path / "new" / "marks"
    marks = Favourites(file)
    assert wolf not in marks
    assert marks.toggle(wolf) is True
    moved = LibraryEntry("/elsewhere/wolf.toml", wolf.id, wolf.name, kind=wolf.kind, system=wolf.system)
    assert moved in Favourites(file)
    assert Favourites(file).toggle(wolf) is False
    assert len(Favourites(file)) == 0


def test_a_mark_is_of_one_book_alone(library, tmp_path):
    for book in ("one", "other"):
        (library.folder / book).mkdir()
        text = f'kind = "creature"\nsystem = "a5e"\nid = "imp"\nname = "Imp"\nhp = 9\nsource = "The {book} book"\n'
        (library.folder / book / "imp.toml").write_text(text)
    one, other = (entry for entry in library.entries() if entry.id == "imp")
    marks = Favourites(tmp_path / "marks")
    marks.toggle(one)
    assert [entry in Favourites(tmp_path / "marks") for entry in (one, other)] == [True, False]


def test_marks_that_make_no_sense_count_as_none(tmp_path):
    file = tmp_path / "marks"
    for nonsense in (b'{"a": 1}', b"\xa3[]", b'[["\xa3"]]', b"[" * 100_000):
        file.write_bytes(nonsense)
        assert len(Favourites(file)) == 0
