"""Importing a source again: what is new, changed and the same, and nothing written over that a person edited."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.importers.hostile import goblin
from turnwright.importers.files.import_files import import_paths, read_import
from turnwright.importers.files.import_manifest import MANIFEST, past_imports, put_back, take_back
from turnwright.importers.files.pending_import import Again, undo_writing
from turnwright.importers.results import ImportOutcome, RecordCounts

NAMES = ("Boss", "Cook", "Dogsbody", "Goblin")


class Place:
    """A source with one file for each creature, and the library that it is imported into."""

    def __init__(self, root: Path) -> None:
        self.source, self.library, self.backups = root / "theirs", root / "library", root / "state" / "backups"
        for name in NAMES:
            self.write(name)

    def write(self, name: str, hp: int = 7) -> None:
        self.source.mkdir(exist_ok=True)
        made = json.dumps([goblin(name, HP={"Value": hp})])
        (self.source / f"{name}.json").write_text(made, encoding="utf-8")

    def take(self, again: Again = "both") -> ImportOutcome:
        return import_paths([self.source], self.library, again=again, backups=self.backups)

    @property
    def folder(self) -> Path:
        return self.library / "theirs"

    def edit(self, name: str) -> str:
        path = self.folder / f"{name}.toml"
        text = path.read_text(encoding="utf-8").replace("hp = 7", "hp = 99")
        assert "99" in text
        path.write_text(text, encoding="utf-8")
        return text

    def files(self) -> Mapping[str, bytes]:
        return {str(path.relative_to(self.library)): path.read_bytes() for path in self.library.rglob("*.toml")}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Return a source that was imported once, and then changed: one creature is new, one has other figures."""
    place = Place(tmp_path)
    assert place.take().counts is None
    place.write("Cook", hp=12)
    place.write("Minstrel")
    return place


def test_again_it_is_counted_what_is_new_changed_and_the_same(place: Place) -> None:
    place.edit("boss")
    (place.folder / "dogsbody.toml").unlink()
    before = place.files()
    with read_import([place.source], place.library) as pending:
        assert pending.counts == RecordCounts(new=1, changed=1, same=1, edited=1, removed=1)
        assert {one.entry.name: one.imported.state for one in pending.records} == {
            "Boss": "edited",
            "Cook": "changed",
            "Dogsbody": "removed",
            "Goblin": "same",
            "Minstrel": "new",
        }
    assert place.files() == before
    assert not list(place.library.glob(".*"))


def test_records_that_the_source_no_longer_has_are_named_and_stay(place: Place) -> None:
    (place.source / "Goblin.json").unlink()
    (place.source / "Dogsbody.json").unlink()
    (place.folder / "dogsbody.toml").unlink()
    assert place.take("update").gone == ("Goblin",)
    assert (place.folder / "goblin.toml").exists()
    (place.source / "Boss.json").write_text('[{"Name": "Boss",', encoding="utf-8")
    assert place.take("update").gone == ("Goblin",)
    with read_import([place.source / "Cook.json"], place.library) as pending:
        assert pending.gone == ()


def test_an_update_writes_what_changed_in_its_place_and_adds_what_is_new(place: Place) -> None:
    edited, old = place.edit("boss"), place.files()
    outcome = place.take("update")
    assert [(Path(one.path).name, one.state) for one in outcome.placed] == [
        ("cook.toml", "changed"),
        ("minstrel.toml", "new"),
    ]
    assert outcome.folder == str(place.folder)
    assert sorted(path.name for path in place.library.iterdir()) == ["theirs"]
    assert "hp = 12" in (place.folder / "cook.toml").read_text(encoding="utf-8")
    assert (place.folder / "boss.toml").read_text(encoding="utf-8") == edited
    (written,) = outcome.written
    assert (Path(written.aside) / "cook.toml").read_bytes() == old["theirs/cook.toml"]
    assert place.take("update").counts == RecordCounts(same=4, edited=1)


def test_skipping_adds_only_what_is_new(place: Place) -> None:
    old = place.files()
    outcome = place.take("skip")
    assert [one.state for one in outcome.placed] == ["new"]
    assert {name: data for name, data in place.files().items() if "minstrel" not in name} == old
    assert place.take("skip").folder == ""


def test_both_are_kept_in_a_folder_of_their_own_and_the_later_is_compared_next(place: Place) -> None:
    old = place.files()
    assert place.take("both").folder == str(place.library / "theirs-2")
    assert {name: data for name, data in place.files().items() if name.startswith("theirs/")} == old
    assert place.take("update").counts == RecordCounts(same=5)


def test_what_a_person_edited_or_removed_is_written_only_if_asked_and_kept_aside(place: Place) -> None:
    edited = place.edit("boss")
    (place.folder / "dogsbody.toml").unlink()
    with read_import([place.source], place.library) as pending:
        asked = [number for number, one in enumerate(pending.records) if one.imported.state in ("edited", "removed")]
        outcome = pending.finish("update", overwrite=asked, backups=place.backups)
    assert "hp = 7" in (place.folder / "boss.toml").read_text(encoding="utf-8")
    assert (place.folder / "dogsbody.toml").exists()
    assert (Path(outcome.written[0].aside) / "boss.toml").read_text(encoding="utf-8") == edited


def test_an_update_is_undone_whole(place: Place) -> None:
    place.edit("boss")
    old = place.files()
    outcome = place.take("update")
    assert [undo_writing(each, place.backups) for each in outcome.written] == [0]
    assert place.files() == old
    assert place.take("update").counts == RecordCounts(new=1, changed=1, same=2, edited=1)


def test_a_disk_that_fills_up_while_it_is_updated_leaves_all_as_it_was(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, replace = place.files(), Path.replace

    def full(self: Path, target: Path) -> Path:
        if target.name == "minstrel.toml":
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        place.take("update")
    assert place.files() == old
    assert not list(place.library.glob(".*"))


def test_what_a_person_edits_while_they_are_asked_is_not_written_over(place: Place) -> None:
    with read_import([place.source], place.library) as pending:
        edited = place.edit("cook")
        outcome = pending.finish("update", backups=place.backups)
    assert outcome.counts == RecordCounts(new=1, same=3, edited=1)
    assert (place.folder / "cook.toml").read_text(encoding="utf-8") == edited


def test_an_update_that_was_killed_before_its_end_is_completed_by_the_next(place: Place) -> None:
    manifest = (place.folder / MANIFEST).read_bytes()
    place.take("update")
    whole = place.files()
    (place.folder / MANIFEST).write_bytes(manifest)  # it is written last
    assert place.take("update").counts == RecordCounts(new=1, same=4)
    assert place.files() == whole
    assert place.take("update").counts == RecordCounts(same=5)
    assert take_back(place.folder, place.backups).kept == ()


def test_a_source_that_was_moved_is_known_by_its_figures_and_another_of_its_names_is_not(place: Place) -> None:
    moved = place.source.rename(place.source.with_name("newer"))
    outcome = import_paths([moved], place.library, again="skip", backups=place.backups)
    assert outcome.counts == RecordCounts(new=1, changed=1, same=3)
    elsewhere = place.source.parent / "elsewhere"
    elsewhere.mkdir()
    other = Place(elsewhere)
    for name in NAMES:
        other.write(name, hp=50)
    assert import_paths([other.source], place.library).counts is None


def test_a_manifest_that_leads_elsewhere_or_is_broken_is_none(place: Place) -> None:
    path = place.folder / MANIFEST
    text = path.read_text(encoding="utf-8")
    for broken in (text.replace('"boss.toml"', '"../boss.toml"'), text[:-9], "[]", "[" * 5_000, ""):
        path.write_text(broken, encoding="utf-8")
        assert past_imports(place.library) == []
        assert take_back(place.folder, place.backups).count == 0


# Taking back ---------------------------------------------------------------------------------------------------------


def test_an_import_is_taken_back_and_put_back_whole(place: Place) -> None:
    old = place.files()
    (past,) = past_imports(place.library)
    assert (past.folder, past.sources, len(past.entries)) == (place.folder, (str(place.source),), 4)
    taken = take_back(past.folder, place.backups)
    assert (taken.count, taken.kept) == (4, ())
    assert not place.folder.exists()
    assert taken.aside is not None
    assert past_imports(place.library) == []
    assert put_back(taken.aside, taken.folder) == 0
    assert place.files() == old
    assert not taken.aside.exists()
    assert past_imports(place.library) == [past]


def test_what_a_person_edited_or_added_stays_when_an_import_is_taken_back(place: Place) -> None:
    edited = place.edit("boss")
    (place.folder / "mine.toml").write_text("mine", encoding="utf-8")
    taken = take_back(place.folder, place.backups)
    assert (taken.count, taken.kept) == (3, ("Boss",))
    assert {name: data.decode() for name, data in place.files().items()} == {
        "theirs/boss.toml": edited,
        "theirs/mine.toml": "mine",
    }
    assert taken.aside is not None
    (place.folder / "cook.toml").write_text("mine too", encoding="utf-8")
    assert put_back(taken.aside, taken.folder) == 1
    assert (place.folder / "cook.toml").read_text(encoding="utf-8") == "mine too"
    assert (taken.aside / "cook.toml").exists()


def test_a_folder_that_cannot_be_moved_stays_whole(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    old, move = place.files(), shutil.move

    def full(start: Path, end: Path) -> object:
        if start.name == "dogsbody.toml" and "backups" in end.parts:
            raise OSError(28, "No space left on device")
        return move(start, end)

    monkeypatch.setattr(shutil, "move", full)
    with pytest.raises(OSError, match="No space"):
        take_back(place.folder, place.backups)
    assert place.files() == old
    assert len(past_imports(place.library)) == 1
    assert list(place.backups.iterdir()) == []
