"""What the library's list offers besides its entries: a person's own encounters and samples, marks, and what was deleted."""

import pytest

from turnwright.encounter.prepared import Creature
from turnwright.storage.atomic import backups_of
from turnwright.storage.favourites import Favourites
from turnwright.storage.library import Library, LibraryEntry
from turnwright.storage.library_items import encounters_in, indexed_library_items, library_items
from turnwright.storage.trash import discard, restore

ENCOUNTER = '# mine\nformat = 1\nsystem = "pf2e"\ntitle = "A \'quiet\' night"\n\n[scene]\nkind = "x"\n'


@pytest.fixture
def library(tmp_path):
    made = Library(tmp_path / "data" / "library", (), tmp_path / "state" / "library.index")
    made.save(Creature("wolf", "Wolf", hp=11), "a5e")
    return made


def test_own_encounters_stand_beside_what_was_saved(library, tmp_path):
    own = tmp_path / "data" / "encounters"
    own.mkdir()
    (own / "night.toml").write_text(ENCOUNTER)
    (own / "night.fight.toml").write_text(ENCOUNTER)
    (library.folder / "day.toml").write_text(ENCOUNTER.replace("quiet", "loud"))
    (library.folder / "broken.toml").write_bytes(b"\xff\xfe = [")
    offer = library_items(library)
    mine = [entry for entry in offer.entries if entry.kind == "encounter" and not entry.shipped]
    assert [(entry.name, entry.system) for entry in mine] == [("A 'loud' night", "pf2e"), ("A 'quiet' night", "pf2e")]
    assert [entry.name for entry in offer.entries if entry.kind == "creature"] == ["Wolf"]
    assert any(entry.shipped for entry in offer.entries if entry.kind == "encounter")


def test_a_file_without_a_title_goes_by_its_name(tmp_path):
    file = tmp_path / "the-long-dark.toml"
    file.write_text('system = "a5e"\n')
    (entry,) = encounters_in([str(file), str(tmp_path / "gone.toml")])
    assert (entry.name, "long dark" in entry.haystack) == ("The long dark", True)


def test_what_was_offered_is_remembered_without_a_look_at_the_files(library):
    assert indexed_library_items(library).entries == ()
    offer = library_items(library)
    (library.folder / "wolf.toml").unlink()
    again = Library(library.folder, (), library.index)
    assert indexed_library_items(again) == offer
    assert "Wolf" not in [entry.name for entry in library_items(again).entries]


def test_what_is_there_twice_is_known_by_its_path(library, tmp_path):
    (library.folder / "other.toml").write_text((library.folder / "wolf.toml").read_text().replace('"wolf"', '"wolf-2"'))
    offer = library_items(library)
    one, other = (entry for entry in offer.entries if entry.name == "Wolf")
    assert offer.duplicates == {one.path: (other,), other.path: (one,)}


def test_marks_last_and_go_with_the_file(library, tmp_path):
    (wolf,) = library.entries()
    file = tmp_path / "new" / "marks"
    marks = Favourites(file)
    assert wolf not in marks
    assert marks.toggle(wolf) is True
    moved = LibraryEntry(wolf.kind, wolf.id, wolf.name, wolf.system, "/elsewhere/wolf.toml")
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
    file.write_text('{"a": 1}')
    assert len(Favourites(file)) == 0


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
        discard(LibraryEntry("creature", "wolf", "Wolf", "a5e", str(file), shipped=True), tmp_path / "backups")
    assert file.exists()
