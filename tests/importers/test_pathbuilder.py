"""Pathbuilder 2e: totals from the inputs in a file, with and without its wrapper and stray blanks."""

from __future__ import annotations

from typing import Any

import pytest

from tests.for_each import for_each
from tests.importers.characters import BUILD, feature, imported, notes, person, unread
from turnwright.encounter.prepared import Party
from turnwright.importers.pathbuilder import FORMAT


@pytest.mark.parametrize("data", [BUILD, {"success": True, "build": BUILD}, [{"success": True, "bu ild": BUILD}]])
def test_totals_are_exact(data: Any) -> None:
    record = imported(FORMAT, data)
    ansa, entry = person(record)
    assert (record.system, ansa.name, ansa.level, ansa.size, entry.state) == ("pf2e", "Ansa", 4, "medium", None)
    assert (ansa.hp, ansa.ac, ansa.speeds) == (10 + 2 + 4 * (10 + 3 + 1), 21, (("walk", 25),))
    assert ansa.abilities == (("str", 4), ("dex", 1), ("con", 3), ("int", 0), ("wis", 2), ("cha", -1))
    assert ansa.saves == (("con", 11), ("dex", 9), ("wis", 8))
    assert ansa.skills == (("perception", 10), ("athletics", 12), ("lore-mining", 6))
    assert (ansa.gear, ansa.classes, ansa.assumed) == (("shield",), "fighter 4", ())
    assert "Toughness, Sudden Charge" in ansa.description


def test_strikes_are_those_of_the_file_or_worked_out() -> None:
    record = imported(FORMAT, BUILD)
    ansa, _ = person(record)
    sword, dagger = feature(ansa, "+1 Longsword"), feature(ansa, "Dagger")
    assert (sword.attack, sword.damage, sword.properties) == (
        14,
        "2d8+4 slashing + 1d6 fire",
        ("weapon", "versatile-p"),
    )
    assert (dagger.attack, dagger.damage, dagger.range) == (12, "1d4+4 piercing", "10")
    assert (sword.assumed, dagger.assumed) == ((), ("attack", "damage"))
    assert {"agile", "finesse", "thrown"} <= set(dagger.properties)
    assert notes(record)["Dagger: attack"] == "+12: missing in the file; worked out from level 4, expert, Strength +4"
    assert "+1 Longsword: attack" not in notes(record)


def test_spells_have_their_ranks_and_slots() -> None:
    ansa, _ = person(imported(FORMAT, BUILD))
    cleric = feature(ansa, "Cleric Spontaneous Spells")
    assert (cleric.dc, ansa.spellcasting) == (18, "wis")
    assert ansa.slots == (("1", 3), ("2", 2))
    assert (feature(ansa, "Heal").level, feature(ansa, "Fire Ray").uses) == (1, 1)


def test_prepared_spells_have_uses_and_two_classes_a_level_each() -> None:
    wizard = {"name": "Wizard", "magicTradition": "arcane", "spellcastingType": "prepared", "ability": "int", "proficiency": 2,
              "perDay": [5, 2], "spells": [{"spellLevel": 1, "list": ["Fear", "Grease"]}],
              "prepared": [{"spellLevel": 0, "list": []}, {"spellLevel": 1, "list": ["Fear", "Fear"]}]}  # fmt: skip
    ansa, _ = person(imported(FORMAT, BUILD | {"spellCasters": [wizard], "dualClass": "Wizard"}))
    assert (feature(ansa, "Fear").uses, ansa.slots, ansa.classes) == (2, (), "fighter 4 wizard 4")
    assert not [one for one in ansa.features if one.name == "Grease"]


def test_companions_belong_to_their_owner() -> None:
    record = imported(FORMAT, BUILD)
    party = record.record
    assert isinstance(party, Party)
    assert [(one.id, one.role, one.controller) for one in party.roster[1:]] == [
        ("pip", "companion", "ansa"),
        ("bramble", "companion", "ansa"),
    ]
    assert [(one.hp, one.ac) for one in party.creatures[1:]] == [(20, 21), (1, 10)]
    assert "enter its hit points" in notes(record)["build.pets"]


def test_a_missing_number_names_its_key() -> None:
    why = unread(FORMAT, BUILD | {"attributes": {"ancestryhp": 8, "classhp": "many"}})
    assert why == "build.attributes.classhp: expected a number of hit points, found 'many'"
    record = imported(FORMAT, BUILD | {"acTotal": {}})
    assert person(record)[0].ac == 17
    assert "level 4, trained, Dexterity +1, without armour" in notes(record)["ac"]


@for_each("odd", [None, [], {}, "x", 7, [None], True, {"x": [[]]}])
def test_odd_shapes_end_in_a_record(odd: Any) -> None:
    for key in (
        "attributes",
        "weapons",
        "spellCasters",
        "focus",
        "lores",
        "feats",
        "familiars",
        "acTotal",
        "languages",
    ):
        FORMAT.read([], "")
        shape = BUILD | {key: odd}
        if key == "attributes":
            assert "build.attributes.ancestryhp" in unread(FORMAT, shape)
        else:
            imported(FORMAT, shape)
