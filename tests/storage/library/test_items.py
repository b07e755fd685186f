"""The items of the library's list: entries, a person's own encounters, samples, and duplicates."""

import pytest

from turnwright.encounter.prepared import Creature
from turnwright.storage.library.entries import Library
from turnwright.storage.library.search import encounters_in, indexed_library_items, library_items

ENCOUNTER = '# mine\nformat = 3\nsystem = "pf2e"\ntitle = "A \'quiet\' night"\n\n[scene]\nkind = "x"\n'


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
