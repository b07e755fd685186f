"""Files in none of the known formats: what they look like is said, and what to do with them."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from turnwright.importers.files.import_files import import_paths

RECORDS: dict[str, tuple[Any, str]] = {
    "monster of D&D Beyond": ({"data": [{"id": 7, "name": "Reed Hag", "challengeRatingId": 5}]}, "a D&D Beyond file"),
    "character of D&D Beyond": (
        {"success": True, "data": {"name": "Ada", "race": {}, "stats": [], "classes": []}},
        "a D&D Beyond file",
    ),
    "Universal VTT": ({"format": 0.3, "resolution": {"pixels_per_grid": 70}, "image": ""}, "a Universal VTT map"),
    "Pathbuilder": ({"success": True, "build": {"name": "Ada", "class": "Rogue"}}, "a Pathbuilder 2e character"),
    "module": (
        {"id": "reeds", "packs": [{"path": "packs/reeds"}], "compatibility": {"minimum": "12"}},
        "the description of a Foundry VTT module, without creatures; in Foundry VTT, export the actors",
    ),
    "scene": ({"name": "Ford", "walls": [], "flags": {}}, "a scene from Foundry VTT, not an actor"),
    "item": ({"name": "Rope", "type": "loot", "system": {}, "_stats": {}}, "an item (loot) from Foundry VTT"),
    "fields": (
        {"apples": 1, "pears": 2, "a" * 90: 3},
        f"not a supported format; its keys are apples, pears, {'a' * 40}",
    ),
    "many fields": ({f"f{each}": 0 for each in range(9)}, "its keys are f0, f1, f2, f3, f4, f5…"),
    "Draw Steel": ({"name": "Brute", "ev": "4", "stamina": "20"}, "a file for Draw Steel, whose rules are not known"),
    "13th Age": ([{"name": "Brute", "AC": 18, "PD": 16, "MD": 12}], "a file for 13th Age, whose rules are not known"),
    "Daggerheart": ({"adversaries": [{"difficulty": 12, "thresholds": "8/14"}]}, "a file for Daggerheart, whose rules"),
    "Shadowdark": (
        {"monsters": [{"name": "Brute", "mv": "near", "lv": 2}]},
        "a file for Shadowdark, whose rules are not",
    ),
    "numbers": ([1, 2, 3], "not a supported format"),
    "an odd shape": ({"data": [[]], "resolution": 3, "build": [], "packs": None}, "not a supported format"),
}
TEXTS = {
    "a web page": ("<!DOCTYPE html>\n<html><body>Reed Hag</body></html>", "a web page; open it, copy the text"),
    "rich text": ("{\\rtf1\\ansi Reed Hag}", "an office document"),
    "CURRENT": ("MANIFEST-000002\n", "part of a Foundry VTT database"),
    "Fantasy Grounds": ('<?xml version="1.0"?><root version="4.4"><npc/></root>', "a Fantasy Grounds file"),
    "EncounterPlus": ("<module id='a'><page/></module>", "an EncounterPlus file"),
    "a drawing": ('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "a picture"),
    "other XML": (
        '<?xml version="1.0"?><plist/>',
        "not a supported XML format; its first element is plist",
    ),
    "entities": (
        '<!DOCTYPE a [<!ENTITY b "c">]><root>&b;</root>',
        "declares entities or a document type, which are not supported",
    ),
    "prose": ("```\nA reed by the river.\n```\n", "no stat block found"),
}
BYTES = {
    "PDF": (b"%PDF-1.7\n%abc\n", "a PDF; copy the text of the stat block and use Paste a creature"),
    "picture": (b"\xff\xd8\xff\xe0\0\x10JFIF", "a picture"),
    "database": (b"SQLite format 3\0", "an SQLite database"),
    "gzip": (b"\x1f\x8b\x08\0\0\0\0", "a gzip file"),
    "another": (b"\0\1\2\3", "not a text file"),
}


def said_of(path: Path) -> str:
    """Return what an import says of the one file that it can't read."""
    outcome = import_paths([path], path.parent / "library")
    assert (outcome.placed, len(outcome.unread), outcome.unread[0].file) == ((), 1, str(path))
    return outcome.unread[0].why


@pytest.mark.parametrize("name", RECORDS)
def test_json_of_other_programs_is_named(tmp_path: Path, name: str) -> None:
    data, words = RECORDS[name]
    (tmp_path / "x.json").write_text(json.dumps(data), "utf-8")
    assert words in said_of(tmp_path / "x.json")


@pytest.mark.parametrize("name", TEXTS)
def test_texts_and_xml_of_other_programs_are_named(tmp_path: Path, name: str) -> None:
    text, words = TEXTS[name]
    (tmp_path / "x").write_text(text, "utf-8")
    assert words in said_of(tmp_path / "x")


@pytest.mark.parametrize("name", BYTES)
def test_what_is_no_text_is_named(tmp_path: Path, name: str) -> None:
    data, words = BYTES[name]
    (tmp_path / "x").write_bytes(data)
    assert words in said_of(tmp_path / "x")


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ("notes.txt", "a zip archive; unpack it and import the folder"),
        ("[Content_Types].xml", "an office document"),
        ("definition.xml", "a Fantasy Grounds file"),
        ("compendium.xml", "unpack it and import its compendium.xml"),
        ("module.xml", "an EncounterPlus archive without a compendium"),
    ],
)
def test_archives_are_named_by_what_is_in_them(tmp_path: Path, inside: str, words: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(inside, "x")
    (tmp_path / "x.zip").write_bytes(packed.getvalue())
    assert words in said_of(tmp_path / "x.zip")


def test_a_compendium_in_foundrys_database_is_named_as_a_whole(tmp_path: Path) -> None:
    pack = tmp_path / "world" / "packs" / "reeds"
    pack.mkdir(parents=True)
    for name in ("000005.ldb", "000007.log", "LOCK", "LOG"):
        (pack / name).write_bytes(b"\0" * 9)
    (pack / "CURRENT").write_text("MANIFEST-000002\n", "utf-8")
    (pack / "MANIFEST-000002").write_bytes(b"\0" * 9)
    outcome = import_paths([tmp_path / "world"], tmp_path / "library")
    assert [(one.file, one.why.partition(";")[0]) for one in outcome.unread] == [
        (str(pack), "a compendium database of Foundry VTT")
    ]
    assert outcome.skipped == ()
    assert "part of a Foundry VTT database" in said_of(pack / "CURRENT")


def test_other_files_in_a_folder_stay_unnamed(tmp_path: Path) -> None:
    folder = tmp_path / "box"
    folder.mkdir()
    (folder / "book.pdf").write_bytes(b"%PDF-1.7\n")
    (folder / "map.dd2vtt").write_text(json.dumps({"resolution": {"pixels_per_grid": 70}}), "utf-8")
    outcome = import_paths([folder], tmp_path / "library")
    assert (outcome.unread, len(outcome.skipped)) == ((), 2)
