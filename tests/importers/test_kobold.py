"""Kobold+ Fight Club's lists: every line of the real lists, people's own tables, and lines that are no creatures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwright.encounter.prepared import Creature, SourceNote
from turnwright.importers import kobold
from turnwright.importers.documents import ParsedDocument, parse_document, read_document
from turnwright.importers.results import ImportedRecord, UnreadRecord

ROW = {
    "name": "Reed Stalker", "cr": "1/4", "size": "Medium", "type": "Undead", "tags": "Human, Shapechanger", "section": "Stalkers",
    "alignment": "neutral evil", "environment": "aquatic, coast", "ac": 12, "hp": 22, "init": -2, "lair?": "lair",
    "legendary?": "", "unique?": "", "sources": "My Book: 5, Other Book: 32",
}  # fmt: skip
HEADINGS = "name,cr,size,type,tags,section,alignment,environment,ac,hp,init,lair,legendary,unique,sources"


def document(text: str) -> ParsedDocument:
    found = parse_document(text.encode(), Path("list"))
    assert isinstance(found, ParsedDocument), found
    return found


def read(*texts: str, system: str = "") -> list[ImportedRecord | UnreadRecord]:
    documents = [document(text) for text in texts]
    assert all(kobold.claims(each) for each in documents)
    return list(kobold.read(documents, system))


def creature(row: dict[str, Any]) -> tuple[Creature, ImportedRecord]:
    (found,) = read(json.dumps([row]))
    assert isinstance(found, ImportedRecord), found
    assert isinstance(found.record, Creature)
    return found.record, found


def test_every_line_of_the_real_lists_is_read_with_its_own_figures(real_data: Path) -> None:
    count = 0
    for path in sorted((real_data / "kobold-plus-fight-club").glob("*.json")):
        rows = json.loads(path.read_text())
        found = list(kobold.read([read_document(path)], ""))
        assert len(found) == len(rows)
        for row, one in zip(rows, found, strict=True):
            assert isinstance(one, ImportedRecord), one
            record = one.record
            assert isinstance(record, Creature)
            assert (record.name, record.hp, record.initiative) == (row["name"], row["hp"], row["init"])
            assert record.ac == int(str(row["ac"]).split(" ")[0].split(",")[0])
            assert record.rating == str(row["cr"])
            assert (record.size, record.type) == (row["size"].lower(), row["type"].lower())
            assert (record.abilities, record.speeds, record.features) == ((), (), ())
            assert [report.field for report in one.reports if report.field != "section"] == ["abilities"]
            count += 1
    assert count > 500


def test_a_line_gives_what_it_holds_and_nothing_else() -> None:
    record, found = creature(ROW)
    assert (record.id, record.size, record.type, record.tags) == (
        "reed-stalker",
        "medium",
        "undead",
        ("human", "shapechanger"),
    )
    assert (record.rating, record.ac, record.hp, record.initiative) == ("1/4", 12, 22, -2)
    assert record.environments == ("water", "coast")
    assert record.remarks == (SourceNote("features", "lair"),)
    assert record.source == "My Book, page 5; Other Book, page 32"
    assert found.system == "dnd5e"


@pytest.mark.parametrize(
    ("said", "ac", "note"),
    [
        ("12 (15 with mage armor)", 12, "15 with mage armor"),
        ("14, 11 while prone", 14, "11 while prone"),
        ("10 in humanoid form, 11 in bear form", 10, "in humanoid form, 11 in bear form"),
        ("15", 15, ""),
        (15.0, 15, ""),
    ],
)
def test_the_first_figure_of_an_armour_class_in_words_counts(said: object, ac: int, note: str) -> None:
    record, _ = creature({**ROW, "ac": said})
    assert (record.ac, record.ac_note) == (ac, note)


def test_hit_points_may_stand_before_their_dice() -> None:
    record, _ = creature({**ROW, "hp": "27 (5d8 + 5)"})
    assert (record.hp, record.hit_dice) == (27, "5d8 + 5")


@pytest.mark.parametrize(
    ("key", "value"), [("cr", "hard"), ("ac", "plate"), ("init", "quick"), ("size", "Wee"), ("speed", "30")]
)
def test_what_is_no_figure_is_reported_by_its_field(key: str, value: str) -> None:
    _, found = creature({**ROW, key: value})
    assert (key, value) in [(report.field, report.text) for report in found.reports]


@pytest.mark.parametrize("hp", [None, "", "lots", 0, -3])
def test_a_line_without_hit_points_is_no_creature_and_ends_nothing(hp: object) -> None:
    bad, good = read(json.dumps([{**ROW, "hp": hp}, ROW]))
    assert isinstance(bad, UnreadRecord)
    assert bad.record == "Reed Stalker"
    assert "hp" in bad.why or "hit points" in bad.why
    assert isinstance(good, ImportedRecord)


def test_a_line_without_a_name_and_one_that_is_no_line_are_told() -> None:
    found = read(json.dumps([ROW, {**ROW, "name": " "}, "Goblin"]))
    assert [one.why for one in found if isinstance(one, UnreadRecord)] == [
        "no name",
        "'Goblin' is not a creature",
    ]


def test_a_table_and_its_books_may_stand_in_one_file_and_headings_may_be_capitals() -> None:
    books = "Name,Type,Short Name,Link\nMy Book,Custom,MB,https://example.org/\n"
    row = 'Reed Stalker,1/4,Medium,Undead,,Stalkers,neutral evil,"aquatic, coast",8,22, -2,lair,,,My Book: 5\n'
    (found,) = read(f"{books}\n{HEADINGS.title()}\n{row}")
    assert isinstance(found, ImportedRecord)
    record = found.record
    assert isinstance(record, Creature)
    assert (record.ac, record.hp, record.initiative, record.environments) == (8, 22, -2, ("water", "coast"))
    assert record.source == "My Book, page 5 (https://example.org/)"


def test_books_in_a_file_of_their_own_say_where_they_are_found() -> None:
    row = "Reed Stalker,1/4,Medium,Undead,,,neutral evil,coast,8,22,-2,,,,My Book: 5\n"
    (found,) = read("name,type,shortname,link\nMy Book,Custom,MB,https://example.org/\n", f"{HEADINGS}\n{row}")
    assert isinstance(found, ImportedRecord)
    assert isinstance(found.record, Creature)
    assert "https://example.org/" in found.record.source


def test_cells_that_were_not_quoted_are_not_read_as_somebody_elses_figures() -> None:
    row = "Reed Stalker,1/4,Medium,Undead,,,neutral evil,aquatic, coast,8,22,-2,,,,My Book: 5\n"
    (found,) = read(f"{HEADINGS}\n{row}")
    assert isinstance(found, UnreadRecord)
    assert "quotes" in found.why


def test_creatures_and_books_in_one_mapping() -> None:
    book = {"name": "My Book", "type": "Custom", "shortname": "MB", "link": ""}
    (found,) = read(json.dumps({"sources": [book], "monsters": [ROW]}), system="a5e")
    assert isinstance(found, ImportedRecord)
    assert found.system == "a5e"


@pytest.mark.parametrize(
    "text",
    [
        '[{"name": "Goblin", "hp": 7, "ac": 15, "stats": [8, 14, 10, 10, 8, 8]}]',
        "name: Goblin\nhp: 7\n",
        "a,b,c\n1,2,3\n",
    ],
)
def test_other_lists_are_not_claimed(text: str) -> None:
    assert not kobold.claims(document(text))


@pytest.mark.parametrize("start", ["\r", "\n", " \r\n"])
def test_blank_lines_above_the_headings_change_nothing(start: str) -> None:
    (found,) = read(f"{start}{HEADINGS}\nOgre,2,Large,giant,,,,,11,59,-1,,,,Book: 3\n")
    assert isinstance(found, ImportedRecord)
    assert found.name == "Ogre"
