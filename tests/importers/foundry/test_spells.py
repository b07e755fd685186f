"""The numbers of the spells that an actor of D&D 5e or A5E holds as items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.importers.foundry import test_a5e, test_dnd5e
from turnwright.encounter.prepared import Feature
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.foundry import a5e, dnd5e
from turnwright.importers.results import ImportedRecord, postprocessed

CASTING = "<p>Its spellcasting ability is Charisma (spell save DC 14):</p><p>1/day each: gnat swarm, bee sting</p>"


def features(form: Any, actor: dict[str, Any], system: str) -> dict[str, Feature]:
    (found,) = form.read([ParsedDocument(Path("actors.json"), "json", "", actor)], system)
    assert isinstance(found, ImportedRecord), found
    return {one.id: one for one in postprocessed(found).record.features}  # type: ignore[union-attr]


def of_a5e(*spells: dict[str, Any]) -> dict[str, Feature]:
    return features(a5e.FORMAT, test_a5e.actor(test_a5e.item("Spellcasting", CASTING), *spells), "a5e")


def swarm(**changes: Any) -> dict[str, Any]:
    action: dict[str, Any] = {
        "activation": {"cost": 1, "type": "bonusAction"},
        "duration": {"unit": "minute", "value": "1"},
        "ranges": {"a": {"range": "medium"}},
        "area": {"shape": "sphere", "radius": "10"},
        "rolls": {
            "b": {
                "type": "damage",
                "formula": "4d6",
                "damageType": "piercing",
                "scaling": {"mode": "spellLevel", "formula": "1d6"},
            }
        },
        "prompts": {
            "c": {"type": "savingThrow", "ability": "dex", "onSave": "Half damage", "saveDC": {"type": "spellcasting"}}
        },
    }
    text = "<p>Each creature makes a Dexterity saving throw, taking 4d6 piercing damage, or half as much.</p>"
    fields = {"kind": "spell", "level": 2, "concentration": True}
    return test_a5e.item("Gnat Swarm", text, action | changes, **fields)


def test_a_spell_of_a5e_with_a_save_and_damage() -> None:
    found = of_a5e(swarm())["gnat-swarm"]
    assert (found.cost, found.save, found.half, found.damage, found.area) == (
        "bonus", "dex", True, "4d6 piercing", "10-foot radius",
    )  # fmt: skip
    assert (found.range, found.concentration, found.lasts) == ("60", True, "1 minute")


def test_what_is_in_doubt_in_a5e_is_left_out() -> None:
    two = {"b": {"type": "damage", "formula": "4d6", "label": "Radiant"}, "c": {"type": "damage", "formula": "4d6"}}
    found = of_a5e(swarm(rolls=two))["gnat-swarm"]
    assert (found.damage, found.save, found.area) == ("", "", "10-foot radius")
    far = of_a5e(swarm(ranges={"a": {"range": "1,000-foot radius"}}, area=None, prompts={}, rolls={}))["gnat-swarm"]
    assert (far.range, far.lasts) == ("", "1 minute")
    assert "gnat-swarm" not in of_a5e(swarm(activation={"cost": 10, "type": "minute"}))


def of_dnd5e(*spells: dict[str, Any]) -> dict[str, Feature]:
    casting = test_dnd5e.item("Spellcasting", CASTING)
    return features(dnd5e.FORMAT, test_dnd5e.actor(casting, *spells), "dnd5e")


def test_a_spell_of_dnd5e_with_a_save_and_one_that_heals() -> None:
    save = {
        "type": "save",
        "save": {"ability": ["con"], "dc": {"calculation": "spellcasting", "formula": ""}},
        "damage": {"onSave": "half", "parts": [{"number": 3, "denomination": 8, "types": ["poison"]}]},
    }
    sting = test_dnd5e.item(
        "Bee Sting", "<p>Bees.</p>", "spell", level=3, activities={"a": save}, range={"value": "60", "units": "ft"},
        duration={"value": "1", "units": "minute"}, activation={"type": "action", "value": 1}, properties=["concentration"],
    )  # fmt: skip
    found = of_dnd5e(sting)["bee-sting"]
    assert (found.save, found.half, found.damage, found.range) == ("con", True, "3d8 poison", "60")
    assert (found.concentration, found.lasts) == (True, "1 minute")
    heal = {"type": "heal", "healing": {"number": 2, "denomination": 8, "bonus": "@mod"}}
    balm = test_dnd5e.item("Bee Sting", "<p>Honey.</p>", "spell", level=1, activities={"a": heal})
    assert of_dnd5e(balm)["bee-sting"].heals == "2d8+1"
    both = test_dnd5e.item("Bee Sting", "<p>Bees.</p>", "spell", level=3, activities={"a": save, "b": heal})
    assert (of_dnd5e(both)["bee-sting"].save, of_dnd5e(both)["bee-sting"].heals) == ("", "")


def test_spells_that_no_text_lists_are_cast_by_slots_limits_or_at_will() -> None:
    spells = [
        test_dnd5e.item("Bane", "", "spell", level=1),
        test_dnd5e.item("Bee Sting", "", "spell", level=2, uses={"max": "1", "recovery": [{"period": "day"}]}),
        test_dnd5e.item("Gnat Swarm", "", "spell", level=2, preparation={"mode": "atwill"}),
        test_dnd5e.item("Fireball", "", "spell", level=3) | {"flags": {"dnd5e": {"cachedFor": ".Item.scroll"}}},
    ]
    casting = test_dnd5e.item("Spellcasting", "<p>Taught by bees.</p>")
    slots = {"spells": {"spell1": {"value": 4, "override": None}}}
    found = features(dnd5e.FORMAT, test_dnd5e.actor(casting, *spells, **slots), "dnd5e")
    assert {id: (one.level, one.uses) for id, one in found.items() if one.is_spell} == {
        "bane": (1, 0),
        "bee-sting": (None, 1),
        "gnat-swarm": (None, 0),
    }
    assert found["bane"].dc == 12
    alone = features(dnd5e.FORMAT, test_dnd5e.actor(*spells), "dnd5e")
    assert {id for id, one in alone.items() if one.is_spell} == {"bee-sting", "gnat-swarm"}
