"""Files of this program as imports: every shipped file, and files with mistakes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from turnwright.encounter.prepared import Creature, Feature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.importers import turnwright
from turnwright.importers.documents import ParsedDocument, files_in, read_document
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.storage.library.entries import library_text, read_library_file

GOAT = Creature(
    "goat", "Goat", speeds=(), hp=4, features=(Feature("butt", "Butt", "action", attack=3, damage="1d4 piercing"),)
)


def read(path: Path, text: str, system: str = "") -> ImportedRecord | UnreadRecord:
    path.write_text(text)
    document = read_document(path)
    assert isinstance(document, ParsedDocument), document
    assert turnwright.claims(document)
    (found,) = turnwright.read([document], system)
    return found


def test_all_that_is_shipped_comes_back_as_it_is(repository: Path) -> None:
    folders = [repository / "resources" / name for name in ("library", "environments")]
    files = [path for folder in [*folders, repository / "encounters"] for path in files_in(folder)]
    documents = [read_document(path) for path in files if path.suffix == ".toml" and path.name != "adventure.toml"]
    assert all(isinstance(document, ParsedDocument) and turnwright.claims(document) for document in documents)
    found = list(turnwright.read(documents, ""))
    assert len(found) == len(documents) > 50
    for document, one in zip(documents, found, strict=True):
        assert isinstance(one, ImportedRecord), one
        assert one.reports == ()
        assert one.record is not None
        if not isinstance(one.record, Encounter):
            assert one.record == read_library_file(document.path)[0]


def test_a_creature_comes_back_even_where_a_figure_is_less_than_usual(tmp_path: Path) -> None:
    found = read(tmp_path / "goat.toml", library_text(GOAT, "dnd5e"))
    assert isinstance(found, ImportedRecord)
    assert (found.record, found.system, found.name) == (GOAT, "dnd5e", "Goat")


def test_a_creature_goes_to_a_game_of_the_same_family_only(tmp_path: Path) -> None:
    text = library_text(GOAT, "dnd5e")
    assert [read(tmp_path / "goat.toml", text, asked).system for asked in ("a5e", "pf2e")] == ["a5e", "dnd5e"]


def test_an_encounter_comes_back(tmp_path: Path) -> None:
    encounter = Encounter([Scene(title="The pen", system="a5e"), GOAT, RosterEntry("goats", "goat", count=3)])
    found = read(tmp_path / "pen.toml", library_text(encounter, "a5e"))
    assert isinstance(found, ImportedRecord)
    assert found.name == "The pen"
    assert found.record == encounter


def test_what_keeps_a_file_shut_is_said_with_its_line(tmp_path: Path) -> None:
    text = library_text(GOAT, "a5e").replace("hp = 4", 'hp = "four"')
    line = text.splitlines().index('hp = "four"') + 1
    found = read(tmp_path / "goat.toml", text)
    assert isinstance(found, UnreadRecord)
    assert (found.file, found.record) == (str(tmp_path / "goat.toml"), "Goat")
    assert found.why.startswith(f"line {line}: hp: ")


def test_what_an_encounter_opens_with_is_reported_with_its_line(tmp_path: Path) -> None:
    text = 'format = 3\nsystem = "a5e"\ntitle = "The pen"\n\n[roster.goats]\ncreature = "goat"\n'
    found = read(tmp_path / "pen.toml", text)
    assert isinstance(found, ImportedRecord)
    assert [(report.field, report.text) for report in found.reports] == [("roster.goats.creature", "line 6")]


def test_many_findings_are_cut_short(tmp_path: Path) -> None:
    rows = "".join(f'[features.f{n}]\nname = "f{n}"\nuses = "x"\n' for n in range(30))
    found = read(tmp_path / "goat.toml", f'kind = "creature"\nsystem = "a5e"\nid = "goat"\nname = "Goat"\n{rows}')
    assert isinstance(found, UnreadRecord)
    assert found.why.endswith("; and 25 more")


def test_what_a_file_opens_with_is_reported(tmp_path: Path) -> None:
    found = read(tmp_path / "goat.toml", library_text(GOAT, "a5e").replace("hp = 4", 'hp = 4\ncolour = "grey"'))
    assert isinstance(found, ImportedRecord)
    assert [report.field for report in found.reports] == ["colour"]


def test_a_game_that_is_not_shipped_is_reported(tmp_path: Path) -> None:
    found = read(tmp_path / "goat.toml", library_text(GOAT, "house-rules"))
    assert isinstance(found, ImportedRecord)
    assert [(report.field, report.text) for report in found.reports] == [("system", "house-rules")]


def test_prose_with_colons_does_not_make_yaml_of_a_file(tmp_path: Path) -> None:
    text = 'format = 3\nsystem = "a5e"\ntitle = "The pen"\n[scene]\nnotes = """\nGoal: keep them in.\n```\nNot: a block.\n```\n"""\n'
    assert isinstance(read(tmp_path / "pen.toml", text), ImportedRecord)


@pytest.mark.parametrize("text", ['[tool.x]\ncolour = "grey"\n', 'name = "Goblin camp"\nlocation = "north"\n'])
def test_other_tables_are_not_claimed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.toml"
    path.write_text(f"# a comment\n{text}")
    document = read_document(path)
    assert not (isinstance(document, ParsedDocument) and turnwright.claims(document))


def test_the_record_that_came_in_is_another_copy(tmp_path: Path) -> None:
    found = read(tmp_path / "goat.toml", library_text(msgspec.structs.replace(GOAT, hp=9), "a5e"))
    assert isinstance(found, ImportedRecord)
    assert isinstance(found.record, Creature)
    assert found.record.hp == 9


def test_a_table_as_a_kind_is_no_file_of_this_program(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text("[kind]\nx = 1\n", encoding="utf-8")
    document = read_document(path)
    assert isinstance(document, ParsedDocument)
    assert not turnwright.claims(document)
