"""Player characters of Foundry: maximum hit points, speeds, slots and ranks that its files don't state."""

from __future__ import annotations

from typing import Any

from tests.for_each import for_each
from tests.importers.characters import feature, imported, notes, person, unread
from turnwright.encounter.prepared import CharacterState, LastingCondition
from turnwright.importers.foundry import a5e, dnd5e, pf2e

ROLLS = {"a": {"type": "HitPoints", "value": {"1": "max", "2": "avg", "3": 7}}, "b": {"type": "ItemGrant", "value": {}}}


def entry(kind: str, name: str, id: str = "", **system: Any) -> dict[str, Any]:
    return {"_id": id or name.lower(), "type": kind, "name": name, "system": system}


def hero(**attributes: Any) -> dict[str, Any]:
    hp = {"value": 30, "max": None, "temp": 3, "bonuses": {"level": "1", "overall": ""}}
    scores = {id: {"value": 14, "proficient": 0} for id in ("str", "dex", "con", "int", "wis", "cha")}
    items = [
        entry("class", "Rogue", levels=2, hd={"denomination": "d8"}, advancement=[{"type": "HitPoints", "value": {"1": 4, "2": "avg"}}],
              identifier="rogue", spellcasting={"progression": "none"}),
        entry("class", "Fighter", "first", levels=3, hitDice="d10", advancement=ROLLS, identifier="fighter"),
        entry("race", "Hill Folk", movement={"walk": 25, "climb": 20, "units": "ft"}),
    ]  # fmt: skip
    system = {
        "abilities": scores, "attributes": {"hp": hp, "movement": {"walk": None, "climb": None, "units": None}, "exhaustion": 1, **attributes},
        "details": {"originalClass": "first"}, "traits": {"size": "sm"}, "spells": {},
    }  # fmt: skip
    effects = [{"name": "Sick", "statuses": ["poisoned"]}, {"name": "Old", "statuses": ["prone"], "disabled": True}]
    return {
        "name": "Ula",
        "type": "character",
        "items": items,
        "system": system,
        "effects": effects,
        "_stats": {"systemId": "dnd5e"},
    }


def test_the_maximum_comes_from_the_classes() -> None:
    record = imported(dnd5e.FORMAT, hero())
    ula, member = person(record)
    assert (ula.level, ula.hp, ula.speeds) == (5, 10 + 6 + 7 + 4 + 5 + 5 * (2 + 1), (("walk", 25), ("climb", 20)))
    conditions = (LastingCondition("poisoned"), LastingCondition("exhaustion", 1))
    assert member.state == CharacterState(30, 3, conditions=conditions)
    assert notes(record)["hp"].startswith(
        "47: missing in the file; worked out from Rogue 2 (d8), Fighter 3 (d10), Constitution +2"
    )


def test_the_maximum_is_at_least_the_current_number_and_a_stated_one_is_kept() -> None:
    assert person(imported(dnd5e.FORMAT, hero(hp={"value": 60, "max": None})))[0].hp == 60
    record = imported(dnd5e.FORMAT, hero(hp={"value": 12, "max": 44}))
    ula, member = person(record)
    assert ula.hp == 44
    assert member.state is not None
    assert member.state.hp == 12
    assert "hp" not in notes(record)


@for_each(
    ("classes", "slots"),
    [
        ([("full", 5)], (("1", 4), ("2", 3), ("3", 2))),
        ([("half", 5)], (("1", 4), ("2", 2))),
        ([("half", 1)], ()),
        ([("artificer", 1)], (("1", 2),)),
        ([("third", 4)], (("1", 3),)),
        ([("full", 3), ("half", 5)], (("1", 4), ("2", 3), ("3", 2))),
        ([("pact", 5)], (("3", 2),)),
        ([("full", 1), ("pact", 2)], (("1", 4),)),
    ],
)
def test_slots_come_from_the_classes(classes: list[tuple[str, int]], slots: tuple[tuple[str, int], ...]) -> None:
    actor = hero()
    actor["items"] = [
        entry("class", f"C{n}", levels=levels, hitDice="d8", identifier=f"c{n}", spellcasting={"progression": way})
        for n, (way, levels) in enumerate(classes)
    ]
    actor["system"]["spells"] = {"spell1": {"value": 1}}
    ula, member = person(imported(dnd5e.FORMAT, actor))
    assert ula.slots == slots
    assert member.state is not None
    assert member.state.tracks == ((("slot.1", 1),) if dict(slots).get("1", 0) > 1 else ())


def test_a_subclass_casts_and_typed_slots_replace_them() -> None:
    actor = hero()
    actor["items"].append(
        entry("subclass", "Spell Knight", classIdentifier="fighter", spellcasting={"progression": "third"})
    )
    assert person(imported(dnd5e.FORMAT, actor))[0].slots == (("1", 2),)
    actor["system"]["spells"] = {"spell1": {"value": 5, "override": 5}}
    assert person(imported(dnd5e.FORMAT, actor))[0].slots == (("1", 5),)


def test_a_character_of_a5e_is_one() -> None:
    actor = {
        "name": "Bo", "type": "character", "_stats": {"systemId": "a5e"}, "items": [{"type": "class", "name": "Bard", "system": {"classLevels": 2}}],
        "system": {"abilities": {id: {"value": 10} for id in ("str", "dex", "con", "int", "wis", "cha")},
                   "attributes": {"hp": {"value": 4, "baseMax": 15}}},
    }  # fmt: skip
    record = imported(a5e.FORMAT, actor)
    bo, member = person(record)
    assert (record.system, bo.level, bo.hp) == ("a5e", 2, 15)
    assert member.state == CharacterState(4)
    assert "hp" not in notes(record)


def boosts(*chosen: str) -> dict[str, Any]:
    return {str(n): {"selected": id, "value": [id, "cha"]} for n, id in enumerate(chosen)}


def knight(**changes: Any) -> dict[str, Any]:
    ranked = {"key": "ActiveEffectLike", "mode": "upgrade", "path": "system.saves.will.rank", "value": 2}
    other = {**ranked, "path": "system.saves.reflex.rank", "predicate": ["class:monk"]}
    swords = [
        {"key": "ChoiceSet", "selection": "sword"},
        {
            "key": "MartialProficiency",
            "definition": ["item:group:{item|flags.x}", {"or": ["item:category:martial"]}],
            "value": 3,
        },
    ]
    tough = [{"key": "FlatModifier", "selector": "hp", "value": "@actor.level"},
             {"key": "FlatModifier", "selector": "ac", "value": 2, "predicate": ["raised"]}]  # fmt: skip
    items = [
        entry("ancestry", "Tall Folk", hp=8, speed=25, size="med", vision="lowLightVision", boosts=boosts("str", "con"), flaws={"0": {"value": ["cha"]}}, traits={"value": ["tall", "humanoid"]}),
        entry("background", "Guard", boosts=boosts("str", "con"), trainedSkills={"value": ["ath"]}),
        entry("class", "Fighter", hp=10, slug="fighter", keyAbility={"selected": "str"}, perception=2, savingThrows={"fortitude": 2, "reflex": 2, "will": 1},
              attacks={"simple": 2, "martial": 2, "unarmed": 2}, defenses={"heavy": 1, "unarmored": 1}),
        entry("feat", "Bravery", actionType={"value": "passive"}, rules=[ranked, other], description={"value": ""}),
        entry("feat", "Sword Mastery", actionType={"value": "passive"}, rules=swords, description={"value": ""}),
        entry("feat", "Toughness", actionType={"value": "passive"}, rules=tough, description={"value": ""}),
        entry("feat", "Hard Block", actionType={"value": "reaction"}, description={"value": "<p>It blocks.</p>"}),
        entry("feat", "Weapon Specialization", slug="weapon-specialization", actionType={"value": "passive"}, description={"value": ""}),
        entry("armor", "Half Plate", acBonus=5, dexCap=1, category="heavy", strength=3, speedPenalty=-10, runes={"potency": 1, "resilient": 1}, equipped={"inSlot": True}),
        entry("weapon", "Longsword", category="martial", group="sword", damage={"dice": 1, "die": "d8", "damageType": "slashing"},
              runes={"potency": 1, "striking": 1}, traits={"value": ["versatile-p"]}, range=None),
        entry("weapon", "Longbow", category="martial", group="bow", damage={"dice": 1, "die": "d8", "damageType": "piercing"},
              potencyRune={"value": 0}, strikingRune={"value": "striking"}, traits={"value": ["deadly-d10"]}, range={"value": 100}),
        entry("weapon", "Club", category="simple", damage={"dice": 1, "die": "d6"}, equipped={"carryType": "stowed"}),
        entry("lore", "War Lore", mod={"value": 0}, proficient={"value": 1}),
    ]  # fmt: skip
    system = {
        "attributes": {"hp": {"value": 41, "temp": 2}, "speed": {"value": 25}}, "details": {"level": {"value": 5}},
        "build": {"attributes": {"boosts": {"1": ["str", "dex", "con", "wis"], "5": ["str", "dex", "con", "wis"]}}},
        "skills": {"acr": {"rank": 1}}, **changes,
    }  # fmt: skip
    return {"name": "Osk", "type": "character", "items": items, "system": system}


def test_totals_of_pathfinder_are_worked_out() -> None:
    record = imported(pf2e.FORMAT, knight())
    osk, member = person(record)
    assert osk.abilities == (("str", 4), ("dex", 2), ("con", 4), ("int", 0), ("wis", 2), ("cha", -1))
    assert (osk.level, osk.hp, osk.ac) == (5, 8 + 5 * (10 + 4) + 5, 10 + 5 + 2 + 1 + 6)
    assert osk.saves == (("con", 5 + 4 + 4 + 1), ("dex", 5 + 4 + 2 + 1), ("wis", 5 + 4 + 2 + 1))
    assert osk.skills == (("perception", 11), ("acrobatics", 9), ("athletics", 11), ("lore-war", 7))
    assert (osk.classes, osk.assumed) == ("fighter 5", ("abilities", "ac", "hp", "saves", "skills", "speeds"))
    assert (osk.speeds, osk.senses) == ((("walk", 20),), (("low-light-vision", 0),))
    assert member.state == CharacterState(41, 2)
    assert [one.name for one in osk.features] == ["Longsword", "Longbow", "Hard Block"]
    sword, bow = feature(osk, "Longsword"), feature(osk, "Longbow")
    assert (sword.attack, sword.damage) == (5 + 6 + 4 + 1, "2d8+7 slashing")
    assert (bow.attack, bow.damage, bow.range) == (5 + 4 + 2, "2d8+2 piercing", "100")
    told = notes(record)
    assert (
        told["hp"]
        == "83: missing in the file; worked out from 8 + level 5 × (10 +4) +5; at least the current hit points"
    )
    assert (
        told["Longsword: attack"] == "+16: missing in the file; worked out from level 5, master, Strength +4, item +1"
    )


def test_the_current_number_is_a_least_maximum() -> None:
    osk, member = person(imported(pf2e.FORMAT, knight(attributes={"hp": {"value": 90}})))
    assert (osk.hp, member.state) == (90, None)


def test_a_spell_list_has_a_dc() -> None:
    actor = knight()
    actor["items"].append(
        entry("spellcastingEntry", "Divine Spells", ability={"value": "wis"}, proficiency={"value": 1})
    )
    actor["items"].append(
        entry("spell", "Heal", level={"value": 1}, location={"value": "divine spells"}, description={"value": ""})
    )
    assert feature(person(imported(pf2e.FORMAT, actor))[0], "Divine Spells").dc == 10 + 5 + 2 + 2


def test_only_prepared_spells_count() -> None:
    actor = knight()
    slots = {
        "slot1": {"max": 2, "prepared": [{"id": "heal"}, {"id": "heal"}, {"id": None}]},
        "slot2": {"prepared": [{"id": "fear"}]},
    }
    entries = {"ability": {"value": "wis"}, "prepared": {"value": "prepared"}, "slots": slots}
    actor["items"].append(entry("spellcastingEntry", "Divine Prepared Spells", "list", **entries))
    place = {"location": {"value": "list"}, "level": {"value": 1}, "description": {"value": ""}}
    actor["items"] += [entry("spell", name, **place) for name in ("Heal", "Fear", "Bane")]
    osk, _ = person(imported(pf2e.FORMAT, actor))
    assert feature(osk, "Divine Prepared Spells").text.split("\n")[1:] == ["2nd: Fear", "1st: Heal, Heal"]
    assert (feature(osk, "Heal").uses, feature(osk, "Fear").uses) == (2, 1)
    assert not [one for one in osk.features if one.name == "Bane"]


def test_a_character_without_a_class_says_so() -> None:
    actor = knight()
    actor["items"] = [one for one in actor["items"] if one["type"] != "class"]
    assert unread(pf2e.FORMAT, actor) == "items: expected an item of type 'class' with the key system.hp, found none"


@for_each("odd", [None, [], {}, "x", 7, [None], True, {"x": [[]]}])
def test_odd_shapes_end_in_a_record(odd: Any) -> None:
    for key in ("attributes", "build", "skills", "details"):
        imported(pf2e.FORMAT, knight(**{key: odd}))
    for key in ("movement", "exhaustion", "death"):
        imported(dnd5e.FORMAT, hero(**{key: odd}))
