"""Actors of Foundry's Pathfinder 2e system: both schemas agree, marks in prose are numbers, hazards are creatures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.for_each import for_each
from tests.table import pf2e
from turnwright.dice.expression import parse
from turnwright.encounter.prepared import AfflictionStage, Creature, Feature, InflictedCondition
from turnwright.importers.documents import ParsedDocument, read_document
from turnwright.importers.foundry.pf2e import FORMAT
from turnwright.importers.pf2e.conditions import read_ability
from turnwright.importers.pf2e.markup import CONDITIONS, DAMAGE, SKILL_IDS, skills, unmarked_text
from turnwright.importers.pf2e.stat_block import SourceNumber
from turnwright.importers.pf2e.strikes import damage_in
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord
from turnwright.storage.fights import ConversionReport

MODS = {"str": 3, "dex": 4, "con": 2, "int": -1, "wis": 1, "cha": 0}


def document(data: Any, name: str = "thing.json") -> ParsedDocument:
    return ParsedDocument(Path(name), "json", "", data)


def read(*data: Any) -> list[ImportedRecord | UnreadRecord | SkippedFile]:
    return list(FORMAT.read([document(one) for one in data], ""))


def imported(*data: Any) -> ImportedRecord:
    found = next(one for one in read(*data) if isinstance(one, ImportedRecord))
    assert found.system == "pf2e"
    return found


def creature(*data: Any) -> Creature:
    record = imported(*data).record
    assert isinstance(record, Creature)
    return record


def told(found: ImportedRecord) -> set[str]:
    return {one.field for one in found.reports}


def later(*items: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """An actor in the schema of today, whose names and texts are of our own."""
    system: dict[str, Any] = {
        "abilities": {id: {"mod": mod} for id, mod in MODS.items()},
        "attributes": {
            "ac": {"value": 18, "details": ""},
            "hp": {"max": 30, "value": 12, "details": "fast healing 2"},
            "immunities": [{"type": "poison"}, {"type": "death-effects"}, {"type": "paralyzed"}],
            "resistances": [{"type": "physical", "value": 5, "exceptions": ["silver"]}],
            "weaknesses": [{"type": "cold-iron", "value": 3}, {"type": "fire", "value": 5}],
            "speed": {"value": 25, "otherSpeeds": [{"type": "fly", "value": 40}]},
            "allSaves": {"value": "+1 status to all saves vs. magic"},
        },
        "details": {
            "level": {"value": -1},
            "languages": {"value": ["common", "aklo"], "details": ""},
            "publicNotes": "<p>It <em>waits</em>.</p>",
            "publication": {"license": "ORC", "title": "Book of Ours", "remaster": True},
        },
        "perception": {
            "mod": 7,
            "details": "",
            "senses": [{"type": "darkvision"}, {"type": "scent", "acuity": "imprecise", "range": 30}],
        },
        "saves": {"fortitude": {"value": 8}, "reflex": {"value": 10}, "will": {"value": 5}},
        "skills": {"stealth": {"base": 10, "special": [{"base": 12, "label": "in fog"}]}},
        "traits": {"rarity": "uncommon", "size": {"value": "sm"}, "value": ["fey", "goblin"]},
    }
    lore = {"name": "Fog Lore", "type": "lore", "system": {"mod": {"value": 6}}}
    return {"_id": "a", "name": "Fog Imp", "type": "npc", "items": [lore, *items], "system": system | changes}


def earlier(*items: Mapping[str, Any]) -> dict[str, Any]:
    """The same actor in the schema of 2021, with numbers as texts wherever that one has them so."""
    data = {
        "abilities": {id: {"mod": f"{mod:+d}"} for id, mod in MODS.items()},
        "attributes": {
            "ac": {"value": "18", "details": ")"},
            "hp": {"max": "30", "value": 12, "details": "fast healing 2"},
            "perception": {"value": 7},
            "speed": {"value": "25; Fly: 40", "otherSpeeds": []},
            "allSaves": {"value": "+1 status to all saves vs. magic"},
        },
        "details": {
            "level": {"value": "-1"},
            "alignment": {"value": "CE"},
            "creatureType": "Fey",
            "flavorText": "It <i>waits</i>.",
            "source": {"value": "Book of Ours pg. 20"},
        },
        "saves": {"fortitude": {"value": 8}, "reflex": {"value": "10"}, "will": {"value": 5}},
        "skills": {"ste": {"value": 0}},
        "traits": {
            "di": {"value": ["poison", "death\u00a0effects", "paralyzed", "custom"], "custom": ""},
            "dr": [{"type": "physical", "value": "5", "exceptions": "silver"}],
            "dv": [{"type": "coldiron", "value": "3"}, {"type": "fire", "value": "5"}],
            "languages": {"value": ["common", "aklo"], "custom": ""},
            "rarity": {"value": "uncommon"},
            "senses": {"value": "darkvision, scent (imprecise) 30 feet"},
            "size": {"value": "sm"},
            "traits": {"value": ["fey", "goblin"], "custom": ""},
        },
    }
    skills = [
        {"name": "Stealth", "type": "lore", "data": {"mod": {"value": 10}, "variants": {"0": {"label": "+12 in fog"}}}},
        {"name": "Fog Lore ", "type": "lore", "data": {"mod": {"value": 6}}},
    ]
    return {"_id": "b", "name": "Fog Imp ", "type": "npc", "items": [*skills, *items], "data": data}


def strike(name: str, *traits: str, rolls: Any = (), ranged: bool = False, **changes: Any) -> dict[str, Any]:
    system = {
        "bonus": {"value": 9},
        "damageRolls": {f"roll{number}": roll for number, roll in enumerate(rolls)},
        "traits": {"value": list(traits)},
        "weaponType": {"value": "ranged" if ranged else "melee"},
        "description": {"value": ""},
    }
    return {"name": name, "type": "melee", "system": system | changes}


def ability(
    name: str, text: str, kind: str = "action", actions: int | None = 1, *traits: str, **changes: Any
) -> dict[str, Any]:
    system = {
        "actionType": {"value": kind},
        "actions": {"value": actions},
        "description": {"value": text},
        "traits": {"value": list(traits)},
    }
    return {"name": name, "type": "action", "system": system | changes}


def feature(item: Mapping[str, Any], *others: Mapping[str, Any]) -> Feature:
    found = creature(later(item, *others))
    return next(one for one in found.features if one.name == item["name"])


# Both schemas -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("actor", [later(), earlier()], ids=["later", "earlier"])
def test_the_figures_of_either_schema_are_read(actor: dict[str, Any]) -> None:
    found = imported(actor)
    one = found.record
    assert isinstance(one, Creature)
    assert (one.id, one.name, one.level, one.rating) == ("fog-imp", "Fog Imp", -1, "-1")
    assert (one.ac, one.ac_note, one.hp, one.size, one.type) == (18, "", 30, "small", "fey")
    assert one.tags == ("fey", "goblin", "uncommon")
    assert dict(one.abilities) == MODS
    assert dict(one.saves) == {"con": 8, "dex": 10, "wis": 5}
    assert dict(one.skills) == {"perception": 7, "stealth": 10, "lore-fog": 6}
    assert dict(one.speeds) == {"walk": 25, "fly": 40}
    assert dict(one.senses) == {"darkvision": 0, "scent": 30}
    assert one.languages == "Common, Aklo"
    assert (one.resistances, one.vulnerabilities) == (("physical 5",), ("cold-iron 3", "fire 5"))
    assert (one.immunities, one.condition_immunities) == (("poison",), ("death-effects", "paralyzed"))
    assert one.description == "It waits."
    remarks = {(each.about, each.text) for each in one.remarks}
    assert {
        ("senses", "scent (imprecise) 30 feet"),
        ("skills", "Stealth +12 in fog"),
    } <= remarks
    assert [(each.trigger, each.heals) for each in one.features if each.heals] == [("turn-start", "2")]
    assert [rule.when for each in one.features for rule in each.rules] == ["magic"]
    assert {"resistances", "vulnerabilities"} <= told(found)


def test_book_page_licence_and_alignment_are_kept() -> None:
    old, new = creature(earlier()), creature(later())
    assert (old.source, old.alignment, old.licence) == ("Foundry PF2e: Book of Ours, page 20", "CE", "")
    assert (new.source, new.alignment, new.licence) == ("Foundry PF2e: Book of Ours", "", "ORC")


@pytest.mark.parametrize(
    ("value", "others", "speeds", "left"),
    [
        ("fly 100 feet", [], {"fly": 100}, ""),
        ("30; Fly: 40", [], {"walk": 30, "fly": 40}, ""),
        (0, [{"type": "swim", "value": 30}], {"walk": 0, "swim": 30}, ""),
        (None, [{"type": "Fly", "value": "60 feet "}], {"fly": 60}, ""),
        ("20 feet", [{"type": "Glide", "value": " "}], {"walk": 20}, "Glide"),
        ("20 feet", [{"type": "Ice Climb", "value": "20 feet"}], {"walk": 20}, "Ice Climb 20 feet"),
    ],
)
def test_speeds_are_read_however_they_are_written(
    value: Any, others: list[Any], speeds: dict[str, int], left: str
) -> None:
    attributes = later()["system"]["attributes"] | {"speed": {"value": value, "otherSpeeds": others}}
    found = creature(later(attributes=attributes))
    assert dict(found.speeds) == speeds
    assert [one.text for one in found.remarks if one.about == "speeds"] == ([left] if left else [])


# Strikes ----------------------------------------------------------------------------------------------------------


def test_a_strike_is_one_feature_though_its_weapon_is_carried_too() -> None:
    carried = {"name": "Hook", "type": "weapon", "system": {"damage": {"die": "d6"}, "quantity": 1}}
    rolls = (
        {"damage": "1d6+2", "damageType": "slashing"},
        {"damage": "1d4", "damageType": "fire", "category": "persistent"},
    )
    hook = strike("Hook", "agile", "reach-10", "deadly-d10", rolls=rolls, attackEffects={"value": ["grab"]})
    found = creature(later(carried, hook))
    only = [one for one in found.features if one.name == "Hook"]
    assert len(only) == 1
    assert (only[0].attack, only[0].reach, only[0].range, only[0].cost) == (9, 10, "", "action")
    assert (only[0].damage, only[0].ongoing) == ("1d6+2 slashing", "1d4 fire")
    assert {"weapon", "agile", "reach", "deadly-d10"} == set(only[0].properties)
    assert "Plus grab." in only[0].text


@for_each(
    ("traits", "ranged", "reach", "far", "has"),
    [
        (("range-increment-60",), True, 0, "60", ()),
        (("range increment 60 feet",), None, 0, "60", ()),
        (("range 100 feet",), None, 0, "100/100", ()),
        (("thrown-20",), True, 0, "20", ("thrown",)),
        (("thrown-20",), False, 5, "20", ("thrown",)),
        (("reach 15 feet",), None, 15, "", ("reach",)),
        (("agile", "reach-0"), False, 0, "", ("agile", "reach-0")),
        (("reach 0", "finesse"), None, 0, "", ("reach-0", "finesse")),
        (("reach-0", "thrown-10"), False, 0, "10", ("reach-0", "thrown")),
        (("versatile S", "deadly 1d8", "fatal d12"), None, 5, "", ("versatile-s", "deadly-d8", "fatal-d12")),
    ],
)
def test_reach_range_and_dice_stand_in_the_traits(
    traits: tuple[str, ...], ranged: bool | None, reach: int, far: str, has: tuple[str, ...]
) -> None:
    item = strike("Hook", *traits, rolls=({"damage": "1d6", "damageType": "piercing"},))
    item["system"]["weaponType"] = {} if ranged is None else {"value": "ranged" if ranged else "melee"}
    found = feature(item)
    assert (found.reach, found.range) == (reach, far)
    assert set(has) <= set(found.properties)


@pytest.mark.parametrize(
    ("rolls", "damage", "ongoing", "text"),
    [
        ([{"damage": "1d4 - 1", "damageType": "slashing"}], "1d4-1 slashing", "", ""),
        ([{"damage": "2d6", "damageType": "persistentfire"}], "", "2d6 fire", ""),
        ([{"damage": "2d6", "damageType": "aciddamage"}], "2d6 acid", "", ""),
        ([{"damage": "", "damageType": "Push 10 feet"}, {"damage": "1", "damageType": "negative"}], "1 void", "", "Push 10"),
        ([{"damage": "1d6", "damageType": "untyped"}], "1d6 untyped", "", ""),
        ([{"damage": "1d6", "damageType": "acid"}, {"damage": "1", "damageType": "acid", "category": "splash"}], "1d6 acid", "", "splash"),
        ([{"damage": "four of its dice", "damageType": "fire"}], "", "", "four of its dice fire"),
    ],
)  # fmt: skip
def test_damage_of_a_strike_is_read_by_its_types(rolls: list[Any], damage: str, ongoing: str, text: str) -> None:
    found = feature(strike("Hook", rolls=rolls))
    assert (found.damage, found.ongoing) == (damage, ongoing)
    assert text in found.text


@pytest.mark.parametrize("rolls", [{}, [], [{"damage": "1d8", "damageType": "cold"}]])
def test_damage_rolls_may_be_a_mapping_or_a_list(rolls: Any) -> None:
    found = feature(strike("Hook", damageRolls=rolls))
    assert found.damage == ("1d8 cold" if rolls else "")


# What abilities say -----------------------------------------------------------------------------------------------


@for_each(
    ("text", "said"),
    [
        ("@Check[reflex|dc:21|basic] save", "DC 21 basic Reflex save"),
        ("@Check[type:will|dc:33]", "DC 33 Will"),
        ("@Check[type:fortitude|dc:28|basic:true] save", "DC 28 basic Fortitude save"),
        ("@Check[type:thievery|dc:12|name:Off With It] to open", "DC 12 Thievery to open"),
        ("@Check[flat|dc:5]", "DC 5 flat check"),
        ("@Check[athletics,acrobatics|dc:20]", "DC 20 Athletics or Acrobatics"),
        ("@Damage[3d6[persistent,piercing]] damage", "3d6 persistent piercing damage"),
        ("@Damage[(4d10+14)[mental]] damage", "4d10+14 mental damage"),
        ("@Damage[2d6[fire],1d6[cold]|options:area-damage] damage", "2d6 fire and 1d6 cold damage"),
        ("@Damage[1d6[untyped]] damage", "1d6 damage"),
        ("@Damage[14d8[slashing],4d8[persistent,slashing]]{14d8 slashing damage}", "14d8 slashing damage"),
        ("@Template[type:cone|distance:30]", "30-foot cone"),
        ("@Template[emanation|distance:10]{10 feet}", "10 feet"),
        ("@UUID[Compendium.pf2e.conditionitems.Item.Clumsy]{Clumsy 1}", "Clumsy 1"),
        ("@UUID[Compendium.pf2e.conditionitems.Item.Concealed] now", "Concealed now"),
        ("@Compendium[pf2e.conditionitems.Prone]", "Prone"),
        ("[[/r 12d6 # acid damage]] acid damage", "12d6 acid damage"),
        ("[[/r (2d6)[fire]]] damage", "2d6 fire damage"),
        ("[[/gmr 1d4 #Recharge]]{1d4 rounds}", "1d4 rounds"),
        ("[[/act trip dc=15]]", "Trip"),
        ("@Check[reflex", "@Check[reflex"),
    ],
)
def test_marks_become_what_a_book_would_print(text: str, said: str) -> None:
    assert unmarked_text(text) == said


def test_a_breath_is_damage_save_and_area_and_says_that_they_were_read() -> None:
    text = "<p>It breathes @Damage[6d6[fire]] damage in a @Template[cone|distance:30] (@Check[reflex|dc:22|basic] save).</p>"
    item = ability("Breath", text, "action", 2, "fire")
    found = feature(item)
    assert (found.cost, found.price, found.properties) == ("action", 2, ("fire",))
    assert (found.damage, found.save, found.dc, found.half, found.area) == ("6d6 fire", "dex", 22, True, "30-foot cone")
    assert set(found.read) == {"damage", "save", "dc", "half", "area"}
    assert found.text == "It breathes 6d6 fire damage in a 30-foot cone (DC 22 basic Reflex save)."


def test_conditions_stand_by_degree_of_success() -> None:
    text = (
        "<p>60 feet. Everybody must attempt a @Check[will|dc:20] save.</p><p><strong>Critical Success</strong> Nothing.</p>"
        "<p><strong>Success</strong> It is frightened 1.</p><p><strong>Failure</strong> It is frightened 2.</p>"
        "<p><strong>Critical Failure</strong> As failure, and it is fleeing until the end of its next turn.</p>"
    )
    found = feature(ability("Dread", text, "passive", None, "aura"))
    assert (found.cost, found.area, found.save, found.dc, found.half) == (
        "trait",
        "60-foot emanation",
        "wis",
        20,
        False,
    )
    assert found.afflictions == (
        InflictedCondition("frightened", value=1, degree="success"),
        InflictedCondition("frightened", value=2, degree="failure"),
        InflictedCondition("frightened", value=2, degree="critical-failure"),
        InflictedCondition("fleeing", "turn-end", degree="critical-failure"),
    )


@pytest.mark.parametrize(
    ("text", "afflictions"),
    [
        ("It must succeed at a DC 16 Fortitude save or become paralyzed.", (InflictedCondition("paralyzed"),)),
        ("It attempts a DC 16 Reflex save. On a failure, it falls prone.", (InflictedCondition("prone"),)),
        (
            "A DC 16 Will save, becoming slowed 1 on a failure or slowed 2 on a critical failure.",
            (InflictedCondition("slowed", value=1, degree="failure"), InflictedCondition("slowed", value=2, degree="critical-failure")),
        ),
        ("A DC 16 Will save or be immune to being frightened.", ()),
        ("A creature that fails a DC 16 Will save is flat-footed until the end of its turn.", (InflictedCondition("off-guard", "turn-end"),)),
        ("It takes a DC 16 Reflex save or is grabbed (Escape DC 19).", (InflictedCondition("grabbed", escape_dc=19),)),
    ],
)  # fmt: skip
def test_conditions_are_read_from_sentences(text: str, afflictions: tuple[InflictedCondition, ...]) -> None:
    assert feature(ability("Touch", text, "passive")).afflictions == afflictions


def test_a_save_of_its_own_is_not_what_it_asks_of_others() -> None:
    found = feature(ability("Shame", "If it sees a bell, the imp must attempt a DC 19 Will save.", "passive"))
    assert (found.save, found.dc) == ("", 0)


def test_a_further_save_is_told_and_stays_in_the_text() -> None:
    found = imported(later(ability("Two Ways", "DC 20 basic Reflex save for 2d6 fire damage, or a DC 18 Will save.")))
    assert "Two Ways: save" in told(found)


def test_a_poison_has_the_stages_of_its_text() -> None:
    text = (
        "<b>Saving Throw</b> DC 17 Fortitude; <b>Maximum Duration</b> 6 rounds; <b>Stage 1</b> [[/r 1d6 # poison]] poison "
        "damage (1 round); <b>Stage 2</b> 2d6 poison damage and clumsy 1 (1 round)"
    )
    found = imported(later(ability("Fog Venom", text, "passive")))
    assert isinstance(found.record, Creature)
    venom = found.record.features[0]
    assert (venom.save, venom.dc, venom.damage) == ("con", 17, "")
    clumsy = InflictedCondition("clumsy", "turn-end", value=1)
    assert venom.stages == (AfflictionStage("1d6 poison"), AfflictionStage("2d6 poison", (clumsy,)))
    assert venom.stage_rounds == 6
    assert "Stage 2 2d6 poison damage and clumsy 1" in venom.text


def test_a_disease_of_days_is_an_affliction_whose_stages_are_text() -> None:
    text = "<b>Saving Throw</b> DC 17 Fortitude; <b>Stage 1</b> carrier (1 day); <b>Stage 2</b> enfeebled 1 (1 day)"
    found = imported(later(ability("Fog Fever", text, "passive")))
    assert isinstance(found.record, Creature)
    stages = found.record.features[0].stages
    assert [(each.slow, each.text) for each in stages] == [(True, "carrier (1 day)"), (True, "enfeebled 1 (1 day)")]
    assert [[one.condition for one in each.afflictions] for each in stages] == [[], ["enfeebled"]]


def test_damage_that_nothing_decides_is_told_and_makes_no_attack_of_an_action() -> None:
    found = imported(later(ability("Rend", "It deals 2d8 slashing damage to whom it holds.")))
    assert isinstance(found.record, Creature)
    assert (found.record.features[0].damage, "Rend: damage" in told(found)) == ("", True)


def test_what_lasts_after_a_critical_failure_only_is_told() -> None:
    always = "DC 20 basic Reflex save for 2d6 fire damage. Who fails takes 1d6 persistent fire damage."
    assert feature(ability("Blaze", always)).ongoing == "1d6 fire"
    found = imported(later(ability("Blaze", always.replace("Who fails", "Who critically fails"))))
    assert isinstance(found.record, Creature)
    assert (found.record.features[0].ongoing, "Blaze: damage" in told(found)) == ("", True)


def test_frequency_stands_in_a_field_or_in_the_text() -> None:
    by_field = feature(ability("Once", "Now.", frequency={"max": 2, "per": "PT1H"}))
    by_text = feature(ability("Once", "<p><strong>Frequency</strong> three times per day</p><hr /><p>Now.</p>"))
    assert (by_field.uses, by_field.per, by_field.read) == (2, "hour", ())
    assert (by_text.uses, by_text.per, by_text.read) == (3, "day", ("uses",))


def test_strikes_together_are_a_multiattack_by_id() -> None:
    hook, tail = strike("Hook"), strike("Tail")
    found = feature(ability("Flurry", "It makes two hook Strikes and one tail Strike in any order."), hook, tail)
    assert (found.multiattack, found.attacks) == (((("hook", 2), ("tail", 1)),), 3)


def test_the_attack_trait_makes_no_strike_of_an_ability() -> None:
    assert feature(ability("Trip Up", "It trips.", "action", 1, "attack")).properties == ("attack-trait",)


def test_a_text_that_is_elsewhere_comes_from_the_glossary_or_is_told() -> None:
    text = "<p>@Localize[PF2E.NPC.Abilities.Glossary.SwarmMind]</p>"
    glossary = {
        "name": "Swarm Mind",
        "type": "action",
        "system": {
            "description": {"value": "<p>Many are one.</p>"},
            "rules": [],
            "slug": "x",
            "actionType": {"value": "passive"},
        },
    }
    swarm = later(ability("Swarm Mind", text, "passive"))
    assert creature(glossary, swarm).features[0].text == "Many are one."
    alone = imported(swarm)
    assert "Swarm Mind" in told(alone)
    assert [type(one) for one in read(glossary, swarm)] == [SkippedFile, ImportedRecord]


def test_spells_are_a_text_by_rank_with_dc_and_attack() -> None:
    entry = {
        "_id": "e",
        "name": "Occult Spells",
        "type": "spellcastingEntry",
        "system": {
            "spelldc": {"dc": 24, "value": 16},
            "tradition": {"value": "occult"},
            "prepared": {"value": "innate"},
            "ability": {"value": "cha"},
        },
    }
    fear = {
        "name": "Fear",
        "type": "spell",
        "system": {
            "level": {"value": 1},
            "location": {"value": "e", "heightenedLevel": 3, "uses": {"max": 2}},
            "traits": {"value": []},
        },
    }
    daze = {
        "name": "Daze",
        "type": "spell",
        "system": {"level": {"value": 1}, "location": {"value": "e"}, "traits": {"value": ["cantrip"]}},
    }
    found = creature(later(entry, daze, fear))
    spells = found.features[0]
    assert (spells.name, spells.attack, spells.dc, found.spellcasting) == ("Occult Spells", 16, 24, "cha")
    assert spells.properties == ("spell", "occult")
    assert spells.text == "DC 24\n3rd: Fear (\u00d72)\nCantrips: Daze"


@for_each(("level", "raised", "line"), [(5, None, "3rd"), (6, None, "3rd"), (-1, None, "1st"), (9, 2, "2nd")])
def test_focus_spells_have_half_the_level_of_their_caster(level: int, raised: int | None, line: str) -> None:
    place = {"value": "e"} if raised is None else {"value": "e", "heightenedLevel": raised}
    entry = {
        "_id": "e",
        "name": "Focus Spells",
        "type": "spellcastingEntry",
        "system": {"prepared": {"value": "focus"}},
    }
    cry = {"level": {"value": 1}, "location": place, "traits": {"value": ["cleric", "focus"]}}
    found = later(
        entry, {"name": "Cry of Destruction", "type": "spell", "system": cry}, details={"level": {"value": level}}
    )
    assert creature(found).features[0].text == f"{line}: Cry of Destruction"


# Hazards ----------------------------------------------------------------------------------------------------------


def hazard(*items: Mapping[str, Any], health: bool = True, routine: str = "", **details: Any) -> dict[str, Any]:
    return {"name": "Falling Bell", "type": "hazard", "items": list(items), "system": {
        "attributes": {
            "ac": {"value": 10}, "hardness": 8 if health else 0, "hasHealth": health,
            "hp": {"max": 20 if health else 0, "value": 0, "details": ""},
            "stealth": {"value": 12, "details": "<p>(trained)</p>"},
        },
        "details": {"isComplex": bool(routine), "level": {"value": 3}, "disable": "@Check[type:thievery|dc:20] on the rope",
                    "reset": "", "routine": routine, "description": "<p>A bell.</p>"} | details,
        "saves": {"fortitude": {"value": 9}, "reflex": {"value": 0}, "will": {"value": None}},
        "traits": {"rarity": "common", "size": {"value": "med"}, "value": ["trap"]},
    }}  # fmt: skip


def test_a_hazard_is_a_creature_of_that_type() -> None:
    found = imported(hazard())
    one = found.record
    assert isinstance(one, Creature)
    assert (one.type, one.tags, one.level, one.rating) == ("hazard", ("hazard", "simple", "trap"), 3, "3")
    assert (one.ac, one.hp, dict(one.saves), dict(one.skills)) == (10, 20, {"con": 9, "dex": 0}, {"stealth": 12})
    assert {("stealth", "DC 22 (trained)"), ("hardness", "8")} == {(each.about, each.text) for each in one.remarks}
    assert [(each.name, each.cost, each.text) for each in one.features] == [
        ("Disable", "trait", "DC 20 Thievery on the rope")
    ]
    assert "hardness" in told(found)


def test_a_hazard_without_health_has_no_figures_of_it() -> None:
    one = creature(hazard(health=False))
    assert (one.ac, one.hp, one.saves) == (0, 0, ())


def test_the_routine_of_a_complex_hazard_says_how_many_actions_it_has() -> None:
    by_strikes = creature(hazard(strike("Clapper"), routine="(3 actions) It makes a clapper Strike with each action."))
    assert by_strikes.pools == (("action", 3),)
    assert next(one for one in by_strikes.features if one.name == "Routine").cost == "trait"
    by_save = creature(
        hazard(routine="(1 action) It tolls for @Damage[2d6[sonic]] damage (@Check[will|dc:19|basic] save).")
    )
    routine = next(one for one in by_save.features if one.name == "Routine")
    assert (routine.cost, routine.price, routine.damage, routine.save, routine.half) == (
        "action",
        1,
        "2d6 sonic",
        "wis",
        True,
    )
    assert by_save.pools == (("action", 1),)


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("(3 actions) It tolls thrice for @Damage[2d6[sonic]] damage.", 3),
        ("(3 actions) On each action it deals @Damage[2d6[sonic]] damage.", 1),
    ],
)
def test_a_routine_takes_all_actions_unless_each_does_it(text: str, price: int) -> None:
    assert next(one for one in creature(hazard(routine=text)).features if one.name == "Routine").price == price


def test_how_near_something_comes_is_no_range_of_a_trait() -> None:
    text = "Whenever a creature falls within 60 feet, it attempts a DC 20 Will save or becomes stunned 1."
    assert feature(ability("Pull", text, "passive")).range == ""
    assert feature(ability("Pull", "One creature within 60 feet attempts a DC 20 Will save.")).range == "60"


# Whose a document is, and what can't be read ------------------------------------------------------------------------


def test_actors_of_other_systems_are_not_claimed() -> None:
    other = {
        "name": "Imp",
        "type": "npc",
        "items": [],
        "system": {"attributes": {"ac": {"flat": 13}}, "details": {"cr": 1}},
    }
    spell = {"name": "Fear", "type": "spell", "system": {"description": {"value": ""}, "activities": {}, "level": 1}}
    assert not FORMAT.claims(document(other))
    assert not FORMAT.claims(document(spell))
    assert not FORMAT.claims(document([1, "x", None]))
    assert not FORMAT.claims(document({"type": "npc"}))


def test_actors_conditions_and_lists_of_them_are_claimed() -> None:
    condition = {
        "name": "Damp",
        "type": "condition",
        "system": {"description": {"value": "Wet."}, "rules": [], "publication": {}},
    }
    for one in (later(), earlier(), hazard(), condition, [condition, later()]):
        assert FORMAT.claims(document(one))
    assert [type(one) for one in read([condition, later()])] == [ImportedRecord]


@pytest.mark.parametrize(
    "broken",
    [
        later() | {"name": ""},
        later(attributes={"ac": {"value": 18}, "hp": {"max": "many"}}),
        later(attributes={"ac": {"value": 18}, "hp": {"max": -4}}),
        later(saves={"fortitude": {"value": 10**30}}),
        later() | {"items": [ability(f"A{number}", "x") for number in range(600)]},
    ],
)
def test_what_is_broken_says_so_and_the_rest_is_read(broken: dict[str, Any]) -> None:
    found = read(broken, earlier())
    assert [type(one) for one in found] == [UnreadRecord, ImportedRecord]
    assert isinstance(found[0], UnreadRecord)
    assert found[0].why


@pytest.mark.parametrize("odd", [None, [], {}, "x", 7, [None], True])
def test_odd_shapes_end_in_a_record_or_in_words(odd: Any) -> None:
    places = ("attributes", "details", "traits", "saves", "skills", "perception", "abilities")
    found = [(where, one) for where in places for one in read(later(**{where: odd}))]
    assert [each for each in found if not isinstance(each[1], ImportedRecord | UnreadRecord)] == []


def test_two_of_one_name_have_ids_of_their_own() -> None:
    found = [one.record.id for one in read(later(), later()) if isinstance(one, ImportedRecord)]
    assert found == ["fog-imp", "fog-imp-2"]


def test_the_words_of_the_importer_are_those_of_the_game() -> None:
    catalogue = pf2e().data
    assert {one.id for one in catalogue.damage_types} == DAMAGE
    assert {one.id for one in catalogue.skills} == SKILL_IDS
    assert {*pf2e().conditions} >= CONDITIONS


# Real files ----------------------------------------------------------------------------------------------------------


def real(folder: Path) -> Iterator[tuple[Mapping[str, Any], ImportedRecord | UnreadRecord | SkippedFile]]:
    for path in sorted(folder.rglob("*.json")):
        found = read_document(path)
        assert isinstance(found, ParsedDocument)
        assert FORMAT.claims(found), path
        results = list(FORMAT.read([found], ""))
        assert len(results) == 1
        yield found.data, results[0]


@pytest.mark.parametrize(
    ("folder", "actors", "others"),
    [("foundry-pf2e-2021", 136, 84), ("foundry-pf2e-current-TRANSCRIBED", 3, 1)],
)
def test_every_real_record_is_read(real_data: Path, folder: str, actors: int, others: int) -> None:
    found = [result for _, result in real(real_data / folder)]
    assert not [one for one in found if isinstance(one, UnreadRecord)]
    assert (
        sum(isinstance(one, ImportedRecord) for one in found),
        sum(isinstance(one, SkippedFile) for one in found),
    ) == (
        actors,
        others,
    )


def number(value: Any) -> int | None:
    return int(str(value)) if re.fullmatch(r"[+-]?\d+", str(value)) else None


@pytest.mark.parametrize("folder", ["foundry-pf2e-2021", "foundry-pf2e-current-TRANSCRIBED"])
def test_the_figures_of_real_records_are_those_of_their_fields(real_data: Path, folder: str) -> None:
    strikes = 0
    for data, result in real(real_data / folder):
        if not isinstance(result, ImportedRecord) or data["type"] != "npc":
            continue
        one, body = result.record, data.get("system") or data["data"]
        assert isinstance(one, Creature)
        assert one.ac == number(body["attributes"]["ac"]["value"]), one.name
        assert one.hp == number(body["attributes"]["hp"]["max"]), one.name
        assert one.rating == str(number(body["details"]["level"]["value"])), one.name
        assert dict(one.abilities) == {id: number(held["mod"]) for id, held in body["abilities"].items()}, one.name
        for id, name in (("con", "fortitude"), ("dex", "reflex"), ("wis", "will")):
            assert dict(one.saves)[id] == number(body["saves"][name]["value"]), one.name
        reported = {each.field for each in result.reports}
        own = [
            each
            for each in one.features
            if each.attack is not None
            and not each.only.startswith("form:")
            and not {"spell", "against-dex"} & {*each.properties}
        ]
        items = [item for item in data["items"] if item["type"] == "melee"]
        assert len(own) == len(items), one.name
        for item, made in zip(items, own, strict=True):
            figures = item.get("system") or item["data"]
            assert made.attack == number(figures["bonus"]["value"]), (one.name, item["name"])
            rolls = figures["damageRolls"]
            rolled = [
                str(each["damage"]).replace(" ", "") for each in (rolls.values() if isinstance(rolls, dict) else rolls)
            ]
            kept = sorted(
                msgspec.json.encode(term).decode()
                for text in (made.damage, made.ongoing)
                if text
                for term in terms(text)
            )
            wanted = sorted(
                msgspec.json.encode(term).decode()
                for text in rolled
                if re.fullmatch(r"[\dd+-]+", text)
                for term in terms(text)
            )
            assert kept == wanted or f"Strike {made.name}" in reported, (one.name, made.name, rolled, made.damage)
            strikes += 1
    assert strikes >= (2 if "current" in folder else 200)


def terms(text: str) -> list[tuple[Any, ...]]:
    """Return the dice and numbers of an expression, whatever their types."""
    return [
        tuple(getattr(term, name) for name in ("count", "sides", "amount", "value", "sign") if hasattr(term, name))
        for term in parse(text).terms
    ]


@pytest.mark.parametrize(
    ("text", "dealt"),
    [
        ("It can be severed by dealing at least 3 slashing damage.", ([], [], [])),
        ("It loses a head for every 10 damage.", ([], [], [])),
        ("If the ooze takes 30 damage from a critical hit, it splits.", ([], [], [])),
        ("It takes 4 damage for every hour in the sun.", ([], [], [])),
        ("The target takes 5 fire damage.", (["5 fire"], [], [])),
        ("The target takes 1 persistent bleed damage.", ([], ["1 bleed"], [])),
        ("The bomb deals 2d6 acid damage plus 1 persistent acid damage.", (["2d6 acid"], ["1 acid"], [])),
    ],
)
def test_a_flat_number_is_damage_only_where_it_is_dealt(text: str, dealt: tuple[list[str], ...]) -> None:
    assert damage_in(text) == dealt


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("Each creature that can observe the bog hag must make a DC 42 Will save.", ("wis", 42)),
        ("A creature bitten by a bog hag must succeed at a DC 20 Fortitude save.", ("con", 20)),
        ("When it falls, the bog hag must attempt a DC 19 Will save.", None),
    ],
)
def test_whose_save_it_is(text: str, figures: tuple[str, int] | None) -> None:
    told: list[str] = []
    found = read_ability("Gaze", text, "Bog Hag", (), lambda field, *_: told.append(field))
    assert (found.get("save"), found.get("dc")) == (figures or (None, None))
    assert told == ([] if figures else ["save"])


def test_a_skill_that_stands_twice_keeps_the_higher_and_is_told() -> None:
    report = ConversionReport("Colossus")
    found = skills((SourceNumber("Abyss Lore", 0), SourceNumber("Abyss Lore", 27)), 30, report)
    assert dict(found) == {"perception": 30, "lore-abyss": 27}
    assert [note.field for note in report.notes] == ["skills"]
