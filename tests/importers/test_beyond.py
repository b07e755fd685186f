"""D&D Beyond: base values and the modifiers in effect, with worn items only."""

from __future__ import annotations

from typing import Any

import pytest

from tests.for_each import for_each
from tests.importers.characters import HERO, feature, imported, modifier, notes, person, spell, unread
from turnwright.encounter.prepared import CharacterState, LastingCondition
from turnwright.importers.beyond import FORMAT


@pytest.mark.parametrize("data", [HERO, {"success": True, "data": HERO}, [{"character": HERO}]])
def test_the_numbers_are_sums_of_the_modifiers_in_effect(data: Any) -> None:
    record = imported(FORMAT, data)
    nim, entry = person(record)
    assert (record.system, nim.name, nim.level, nim.proficiency, nim.size) == ("dnd5e", "Nim Ashdown", 5, 3, "small")
    assert nim.abilities == (("str", 16), ("dex", 14), ("con", 14), ("int", 12), ("wis", 10), ("cha", 11))
    assert (nim.hp, nim.ac, nim.ac_note) == (31 + 5 * (2 + 2), 18, "chain shirt, shield, +1")
    assert (nim.saves, nim.skills) == ((("str", 6),), (("athletics", 6), ("perception", 6)))
    assert (nim.speeds, nim.senses, nim.resistances) == ((("walk", 25),), (("darkvision", 60),), ("poison",))
    assert (nim.alignment, nim.languages) == ("neutral good", "Dwarvish")
    assert (nim.slots, nim.classes, nim.assumed) == ((("1", 3),), "fighter 3 wizard 2", ("ac",))
    conditions = (LastingCondition("poisoned"), LastingCondition("exhaustion", 2))
    assert entry.state == CharacterState(42, 4, tracks=(("slot.1", 1),), conditions=conditions)
    assert notes(record)["ac"].startswith("18: missing in the file; worked out from chain shirt, shield, +1")


def test_weapons_in_hand_are_attacks() -> None:
    nim, _ = person(imported(FORMAT, HERO))
    sword, bow = feature(nim, "Longsword, +1"), feature(nim, "Shortbow")
    assert (sword.attack, sword.damage, sword.reach, sword.assumed) == (7, "1d8+4 slashing", 5, ("attack",))
    assert (bow.attack, bow.damage, bow.range, bow.reach) == (7, "1d6+2 piercing", "80/320", 0)
    assert not [one for one in nim.features if one.name == "Dagger"]


def test_spells_are_those_prepared() -> None:
    nim, _ = person(imported(FORMAT, HERO))
    wizard, innate = feature(nim, "Spellcasting (Wizard)"), feature(nim, "Innate Spellcasting")
    assert (wizard.text, wizard.dc, nim.spellcasting) == ("Cantrips: Fire Bolt\n1st level: Shield", 12, "int")
    assert (innate.text, innate.dc) == ("1/day each: Hex", 11)
    wind = feature(nim, "Second Wind")
    assert (wind.cost, wind.uses, wind.per) == ("bonus", 1, "rest")


def test_worn_and_attuned_items_count() -> None:
    items = [{**one, "equipped": True, "isAttuned": True} for one in HERO["inventory"]]
    nim, _ = person(imported(FORMAT, HERO | {"inventory": items}))
    assert (nim.abilities[0], nim.ac, nim.hp) == (("str", 23), 19, 55)


def test_known_spells_count_unless_a_class_prepares_them() -> None:
    known = [spell("Sleep", 1, countsAsKnownSpell=True)]
    for kind, names in ((None, "1st level: Sleep"), (2, "")):
        wizard = {**HERO["classes"][1]["definition"], "spellPrepareType": kind}
        data = {
            "classes": [{"id": 2, "level": 5, "definition": wizard}],
            "classSpells": [{"characterClassId": 2, "spells": known}],
        }
        nim, _ = person(imported(FORMAT, HERO | data))
        assert [one.text for one in nim.features if one.name == "Spellcasting (Wizard)"] == ([names] if names else [])


def test_half_proficiency_in_checks_is_none_in_saves() -> None:
    jack = [
        modifier("half-proficiency", "ability-checks"),
        modifier("ignore", "unarmored-dex-ac-bonus"),
        modifier("set", "unarmored-armor-class", 7),
    ]
    nim, _ = person(imported(FORMAT, HERO | {"inventory": [], "modifiers": {"class": jack}}))
    assert (nim.saves, dict(nim.skills)["arcana"], nim.initiative, nim.ac) == ((), 1 + 1, 2 + 1, 17)


def test_typed_numbers_replace_the_sums() -> None:
    typed = {"overrideHitPoints": 60, "characterValues": [{"typeId": 1, "value": 20}], "removedHitPoints": 0}
    nim, entry = person(imported(FORMAT, HERO | typed))
    assert (nim.hp, nim.ac) == (60, 20)
    assert entry.state is not None
    assert entry.state.hp == 60


def test_unarmoured_fast_and_several_attacks() -> None:
    own = [modifier("set", "extra-attacks", 1), modifier("set", "unarmored-armor-class", None, statId=5),
           modifier("bonus", "unarmored-movement", 10), modifier("set", "innate-speed-flying", None)]  # fmt: skip
    nim, _ = person(imported(FORMAT, HERO | {"inventory": [], "modifiers": {"class": own}}))
    assert (nim.ac, nim.speeds) == (12, (("walk", 35), ("fly", 35)))
    assert feature(nim, "Extra Attack").attacks == 2


def test_a_missing_number_names_its_key() -> None:
    assert unread(FORMAT, HERO | {"baseHitPoints": None}) == "baseHitPoints: expected a number, found None"
    assert unread(FORMAT, HERO | {"classes": []}) == "classes: expected levels from 1 to 30 in all, found 0"


@for_each("odd", [None, [], {}, "x", 7, [None], True, {"x": [[]]}])
def test_odd_shapes_end_in_a_record(odd: Any) -> None:
    for key in HERO.keys() - {"name", "baseHitPoints", "classes", "overrideHitPoints"}:
        imported(FORMAT, HERO | {key: odd})
