"""Encounters that name their creatures: 5etools' encounter builder and DM screen, and D&D Beyond."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.importers.by_template.encounter_sites import FORMAT
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.results import ImportedRecord

BUILDER = {
    "fileType": "encounter",
    "name": "The Weir",
    "items": [{"h": "dire%20wolf_mm", "c": "2"}, {"h": "ogre_mm", "c": "1"}],
}
SAVED = {"savedEncounters": {"a1": {"name": "The Weir", "data": {"items": BUILDER["items"], "sources": ["MM"]}}}}
ROW = {"entity": {"name": "Dire Wolf", "source": "MM", "hpMax": 37, "hpCurrent": 4}}
SCREEN = {
    "name": "The Weir",
    "ps": [{"x": 0, "a": [{"t": 5, "s": {"rows": [ROW, ROW, {"entity": {"name": "Ogre", "source": "MM", "hpMax": 59}},
                                                  {"entity": {"name": "Ann", "hpMax": 30}}]}}]}],
}  # fmt: skip
OLD_SCREEN = {
    "name": "The Weir",
    "ps": {"0": {"a": [{"t": 5, "s": {"r": [{"n": "Dire Wolf", "s": "MM", "h": "4", "g": 37}, {"n": {"n": "Dire Wolf"}, "s": "MM", "g": 37},
                                            {"n": "Ogre", "s": "MM", "g": 59}, {"n": "Ann", "h": "20"}]}}]}},
}  # fmt: skip
BEYOND = {
    "data": {"name": "The Weir", "monsters": [{"id": 1, "uniqueId": "u", "name": "Dire Wolf", "quantity": 2, "maximumHitPoints": 37},
                                              {"id": 2, "uniqueId": "v", "name": "Ogre", "quantity": 1, "maximumHitPoints": 59}]},
}  # fmt: skip


@pytest.mark.parametrize("data", [BUILDER, SAVED, SCREEN, OLD_SCREEN, BEYOND, [BUILDER]])
def test_an_encounter_has_the_creatures_that_it_names(data: Any) -> None:
    document = parse_document(json.dumps(data).encode(), Path("weir.json"))
    assert isinstance(document, ParsedDocument)
    assert FORMAT.claims(document)
    (found,) = FORMAT.read([document], "")
    assert isinstance(found, ImportedRecord), found
    assert isinstance(found.record, Encounter)
    assert found.record.need(Scene, "scene").title == "The Weir"
    roster = {found.record.need(Creature, entry.creature).name: entry for entry in found.record.all(RosterEntry)}
    assert {name: entry.count for name, entry in roster.items()} == {"Dire Wolf": 2, "Ogre": 1}
    assert all(creature.hp for creature in found.record.all(Creature))
    told = {note.text for note in found.reports if note.field == "players"}
    assert bool(told) == ("ps" in data)


@pytest.mark.parametrize(
    "data", [{"items": [{"name": "x"}]}, {"monsters": []}, {"r": 1}, [], {"a": [[[[[[[[[[BUILDER]]]]]]]]]]}]
)
def test_other_files_are_left_to_other_formats(data: Any) -> None:
    document = parse_document(json.dumps(data).encode(), Path("x.json"))
    assert isinstance(document, ParsedDocument)
    assert not FORMAT.claims(document)
