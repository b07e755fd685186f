"""Creatures of the YAML collection: its odd spellings, its several years' keys, and the same creatures in another source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.for_each import for_each
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.importers.documents import ParsedDocument, read_document
from turnwright.importers.foundry import pf2e
from turnwright.importers.pf2_yaml import FORMAT
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord


def document(data: Any) -> ParsedDocument:
    return ParsedDocument(Path("thing.yaml"), "yaml", "", data)


def record(**changes: Any) -> dict[str, Any]:
    """A creature with every key that the collection knows, most of them null."""
    return {
        "name": "Fog Imp",
        "level": -1,
        "rarity": "Uncommon",
        "alignment": "CE",
        "size": "Small",
        "traits": ["Fey", "Goblin"],
        "perception": 7,
        "senses": ["darkvision", "scent (imprecise) 30 feet"],
        "languages": ["Common", "Aklo"],
        "skills": [
            {"name": "Stealth ", "bonus": 10, "misc": "+12 in fog"},
            {"name": "Fog Lore", "bonus": 6, "misc": None},
        ],
        "ability_mods": {"str_mod": 3, "dex_mod": 4, "con_mod": 2, "int_mod": -1, "wis_mod": 1, "cha_mod": 0},
        "ac": 18,
        "ac_special": [{"descr": "15 when broken)"}],
        "saves": {"fort": 8, "ref": 10, "will": 5, "fort_misc": None, "misc": "+1 status to all saves vs. magic"},
        "hp": 30,
        "hp_misc": "fast healing 2",
        "immunities": ["poison", "__death__ effects", "paralyzed", "magic (see below)"],
        "resistances": [{"type": "physical", "amount": 5, "misc": "except silver"}],
        "weaknesses": [
            {"type": "cold iron", "amount": 3, "misc": None},
            {"type": "bells", "amount": None, "misc": None},
        ],
        "speed": [
            {"type": "Land", "amount": 25, "misc": None},
            {"type": "fly", "amount": 40},
            {"type": "fog walk", "amount": None},
        ],
        "melee_attacks": [],
        "ranged_attacks": None,
        "spell_lists": None,
        "items": ["hook", "wooden shield (Hardness 3, HP 12, BT 6)"],
        "description": "It **waits**.",
        "sources": [{"abbr": "Book of Ours", "page_start": "20", "page_stop": None}],
    } | changes


def imported(**changes: Any) -> ImportedRecord:
    found = next(FORMAT.read([document(record(**changes))], ""))
    assert isinstance(found, ImportedRecord)
    return found


def creature(**changes: Any) -> Creature:
    found = imported(**changes).record
    assert isinstance(found, Creature)
    return found


def strike(*damage: tuple[str | None, str], traits: tuple[str, ...] = (), **changes: Any) -> dict[str, Any]:
    parts = [{"formula": formula, "type": type} for formula, type in damage]
    return {
        "action_cost": "One Action",
        "name": "hook",
        "to_hit": 9,
        "damage": parts,
        "traits": list(traits) or None,
    } | changes


def struck(*damage: tuple[str | None, str], traits: tuple[str, ...] = (), **changes: Any) -> Feature:
    return creature(melee_attacks=[strike(*damage, traits=traits, **changes)]).features[0]


def ability(raw: str, name: str = "Dread", cost: str = "None", **changes: Any) -> dict[str, Any]:
    keys = (
        "description",
        "effect",
        "frequency",
        "trigger",
        "requirements",
        "range",
        "saving_throw",
        "stages",
        "traits",
    )
    return dict.fromkeys(keys) | {"name": name, "action_cost": cost, "raw_description": raw} | changes


def test_the_figures_of_a_record_are_read() -> None:
    found = imported()
    one = found.record
    assert isinstance(one, Creature)
    assert (one.id, one.level, one.rating, one.ac, one.ac_note, one.hp) == (
        "fog-imp",
        -1,
        "-1",
        18,
        "15 when broken",
        30,
    )
    assert (one.size, one.type, one.tags, one.alignment) == ("small", "fey", ("fey", "goblin", "uncommon"), "CE")
    assert dict(one.abilities) == {"str": 3, "dex": 4, "con": 2, "int": -1, "wis": 1, "cha": 0}
    assert dict(one.saves) == {"con": 8, "dex": 10, "wis": 5}
    assert dict(one.skills) == {"perception": 7, "stealth": 10, "lore-fog": 6}
    assert dict(one.speeds) == {"walk": 25, "fly": 40}
    assert dict(one.senses) == {"darkvision": 0, "scent": 30}
    assert (one.resistances, one.vulnerabilities) == (("physical 5",), ("cold-iron 3",))
    assert (one.immunities, one.condition_immunities) == (("poison",), ("death-effects", "paralyzed", "magic"))
    assert (one.gear, one.source, one.description) == (
        ("shield",),
        "pathfinder-2-sqlite: Book of Ours, page 20",
        "It waits.",
    )
    remarks = {(each.about, each.text) for each in one.remarks}
    assert {
        ("vulnerabilities", "bells"),
        ("speeds", "fog walk"),
        ("skills", "Stealth +12 in fog"),
    } <= remarks
    assert [(each.trigger, each.heals) for each in one.features if each.heals] == [("turn-start", "2")]
    assert [rule.when for each in one.features for rule in each.rules] == ["magic"]
    told = {each.field for each in found.reports}
    assert {"resistances", "vulnerabilities", "immunities"} == told


@for_each(
    ("damage", "dealt", "lasts", "text"),
    [
        ([("1d8+4", "slashing"), (None, "Grab")], "1d8+4 slashing", "", "Plus Grab."),
        ([("1d4", "\u20131 piercing")], "1d4-1 piercing", "", ""),
        ([("2d6", "persistent fire")], "", "2d6 fire", ""),
        ([("1d6", "piercing"), ("1d4", "chaotic and 1d4 good")], "1d6 piercing + 1d4 chaotic + 1d4 good", "", ""),
        ([("1d4+2", "slashing"), (None, "1 evil")], "1d4+2 slashing + 1 evil", "", ""),
        ([("2d6", "acid damage"), ("1", "splash acid damage")], "2d6 acid", "", "1 acid splash"),
        ([("2d6", "negative")], "2d6 void", "", ""),
        ([(None, "varies by bomb")], "", "", "varies by bomb"),
        ([("2d6", "of any type")], "2d6 untyped", "", "of any type"),
    ],
)
def test_damage_is_read_with_its_riders(
    damage: list[tuple[str | None, str]], dealt: str, lasts: str, text: str
) -> None:
    found = struck(*damage)
    assert (found.damage, found.ongoing) == (dealt, lasts)
    assert text in found.text


@pytest.mark.parametrize(
    ("said", "senses", "remarks"),
    [
        ("low-light vision", {"low-light-vision": 0}, []),
        ("motion sense 60 feet", {"motion-sense": 60}, []),
        ("entropy sense (imprecise) 30 feet", {"entropy-sense": 30}, ["entropy sense (imprecise) 30 feet"]),
        ("greater darkvision", {"darkvision": 0}, ["greater darkvision"]),
        ("detect magic; always", {"detect-magic": 0}, ["detect magic; always"]),
        ("no vision", {}, ["no vision"]),
        ("Perception +34", {}, ["Perception +34"]),
    ],
)
def test_a_sense_of_several_words_is_one(said: str, senses: dict[str, int], remarks: list[str]) -> None:
    found = creature(senses=[said])
    assert dict(found.senses) == senses
    assert [one.text for one in found.remarks if one.about == "senses"] == remarks


@pytest.mark.parametrize(
    ("misc", "resistances"),
    [
        ("except piercing", ("bludgeoning 5", "slashing 5")),
        ("except bludgeoning or piercing", ("slashing 5",)),
        ("except adamantine or bludgeoning", ("physical 5",)),
    ],
)
def test_a_resistance_to_all_but_some_types_is_one_to_the_others(misc: str, resistances: tuple[str, ...]) -> None:
    found = imported(resistances=[{"type": "physical", "amount": 5, "misc": misc}])
    assert isinstance(found.record, Creature)
    assert found.record.resistances == resistances
    exceptions = [one for one in found.record.remarks if one.about == "resistances"]
    assert bool(exceptions) is any(one.field == "resistances" for one in found.reports) is ("adamantine" in misc)


def test_a_strike_that_shoots_stands_among_either_list() -> None:
    shot = strike(("1d6", "piercing"), traits=("range increment 60 feet", "reload 1"))
    found = creature(
        melee_attacks=[shot, strike(("1d6", "piercing"), traits=("reach 10 feet",))], ranged_attacks=[shot]
    )
    assert [(one.id, one.reach, one.range) for one in found.features if one.attack is not None] == [
        ("hook", 0, "60"),
        ("hook-2", 10, ""),
        ("hook-3", 0, "60"),
    ]


@pytest.mark.parametrize(
    ("cost", "read"),
    [
        ("None", ("trait", 1)),
        ("One Action", ("action", 1)),
        ("Two Actions", ("action", 2)),
        ("Three Actions", ("action", 3)),
        ("Reaction", ("reaction", 1)),
        ("Free Action", ("free", 1)),
        ("An Hour", ("trait", 1)),
    ],
)
def test_what_an_ability_takes_is_read(cost: str, read: tuple[str, int]) -> None:
    found = imported(active_abilities=[ability("**Dread** [x] It waits.", cost=cost)])
    assert isinstance(found.record, Creature)
    one = found.record.features[0]
    assert (one.cost, one.price) == read
    assert one.text == ("[An Hour] It waits." if cost == "An Hour" else "It waits.")
    assert any(each.field == "Dread: action_cost" for each in found.reports) == (cost == "An Hour")


def test_marks_and_heads_go_and_degrees_are_read() -> None:
    raw = (
        "**Dread** [Two Actions]  (__aura__, __fear__) Everybody within 30 feet must attempt a DC 20 Will save.\n\n\n"
        "**Success **The target is __frightened 1__.\n\n\n**Critical Failure** The target is __flat-footed__."
    )
    one = creature(active_abilities=[ability(raw, cost="Two Actions", traits=["emotion"])]).features[0]
    assert (one.save, one.dc, one.price) == ("wis", 20, 2)
    assert one.afflictions == (
        InflictedCondition("frightened", value=1, degree="success"),
        InflictedCondition("off-guard", degree="critical-failure"),
    )
    assert one.text.startswith("Everybody within 30 feet")
    assert "_" not in one.text
    assert "*" not in one.text


def test_what_stands_apart_from_the_whole_text_is_kept_once() -> None:
    one = creature(
        active_abilities=[ability("**Dread** 30 feet, DC 20", description="A Will save.", effect="30 feet, DC 20")]
    ).features[0]
    assert one.text == "30 feet, DC 20\nA Will save."


@pytest.mark.parametrize(
    ("name", "save", "half"), [("Trample", "dex", True), ("Constrict", "con", True), ("Engulf", "dex", False)]
)
def test_an_ability_of_the_game_that_names_only_its_dc_has_its_save(name: str, save: str, half: bool) -> None:
    one = creature(active_abilities=[ability(f"**{name}** 2d6 acid, DC 21", name=name, cost="One Action")]).features[0]
    assert (one.save, one.dc, one.half, one.damage) == (save, 21, half, "2d6 acid")


def test_spells_are_lines_of_text() -> None:
    held = {
        "spells_source": "Divine Innate Spells",
        "dc": 17,
        "attack_bonus": 9,
        "spell_lists": [{"level": 4, "spells": [{"name": "read omens", "misc": None}, {"name": "fear", "misc": "x3"}]}],
        "cantrips": [{"level": 2, "spells": [{"name": "daze"}]}],
        "constants": [{"level": 3, "spells": [{"name": "tongues"}]}],
        "focus_points": 1,
    }
    one = creature(spell_lists=[held]).features[0]
    assert (one.dc, one.attack, one.properties) == (17, 9, ("spell", "divine"))
    assert one.text == "DC 17\n1 Focus Point\n4th: read omens, fear (x3)\nCantrips (2nd): daze\nConstant (3rd): tongues"


def test_keys_of_other_years_are_read() -> None:
    old = record(
        source=record()["sources"],
        melee=[strike(("2d6", "cold"))],
        ranged=[],
        proactive_abilities=[ability("**Dread** Now.")],
    )
    for key in ("sources", "melee_attacks", "ranged_attacks"):
        del old[key]
    found = next(FORMAT.read([document(old)], ""))
    assert isinstance(found, ImportedRecord)
    assert isinstance(found.record, Creature)
    assert found.record.source.endswith("Book of Ours, page 20")
    assert [one.name for one in found.record.features][:2] == ["Dread", "Hook"]


def test_a_table_of_the_collection_is_claimed_and_holds_no_creature() -> None:
    table = document({"condition": [{"name": "Damp", "descr": "Wet.", "source": [{"abbr": "CRB", "page_start": 454}]}]})
    assert FORMAT.claims(table)
    assert list(FORMAT.read([table], "")) == [SkippedFile(table.file)]


@pytest.mark.parametrize("data", [None, 3, [], {}, {"name": "Imp", "hp": 3}, {"monsters": [{"name": "Imp"}]}, ["a", 1]])
def test_other_yaml_is_not_claimed(data: Any) -> None:
    assert not FORMAT.claims(document(data))


@pytest.mark.parametrize("changes", [{"name": None}, {"hp": "many"}, {"hp": -3}, {"saves": {"fort": 10**30}}])
def test_what_is_broken_says_so_and_the_rest_is_read(changes: dict[str, Any]) -> None:
    found = list(FORMAT.read([document([record(**changes), record()])], ""))
    assert [type(one) for one in found] == [UnreadRecord, ImportedRecord]


@for_each("odd", [None, [], {}, "x", 7, [None], [[]], True])
def test_odd_shapes_end_in_a_record_or_in_words(odd: Any) -> None:
    found = [(key, one) for key in sorted(record()) for one in FORMAT.read([document(record(**{key: odd}))], "")]
    assert [each for each in found if not isinstance(each[1], ImportedRecord | UnreadRecord | SkippedFile)] == []


# Real files ----------------------------------------------------------------------------------------------------------


def real(folder: Path) -> list[tuple[Mapping[str, Any], Creature]]:
    found = []
    for path in sorted(folder.rglob("*.yaml")):
        read = read_document(path)
        assert isinstance(read, ParsedDocument)
        assert FORMAT.claims(read), path
        for result in FORMAT.read([read], ""):
            assert not isinstance(result, UnreadRecord), result
            if isinstance(result, ImportedRecord):
                assert isinstance(result.record, Creature)
                found.append((read.data, result.record))
    return found


@pytest.fixture(scope="module")
def collection() -> list[tuple[Mapping[str, Any], Creature]]:
    from tests.conftest import REAL_DATA

    if not REAL_DATA.is_dir():
        pytest.skip("no real data: TURNWRIGHT_DATA does not name a folder")
    return real(REAL_DATA / "pf2-sqlite-yaml")


def test_every_real_record_is_read(collection: list[tuple[Mapping[str, Any], Creature]]) -> None:
    assert len(collection) == 247


def test_the_figures_of_real_records_are_those_of_their_fields(
    collection: list[tuple[Mapping[str, Any], Creature]],
) -> None:
    for data, one in collection:
        assert (one.ac, one.hp, one.level, one.rating) == (data["ac"], data["hp"], data["level"], str(data["level"])), (
            one.name
        )
        assert dict(one.saves) == {
            "con": data["saves"]["fort"],
            "dex": data["saves"]["ref"],
            "wis": data["saves"]["will"],
        }
        assert dict(one.abilities) == {key.removesuffix("_mod"): mod for key, mod in data["ability_mods"].items()}
        assert dict(one.skills)["perception"] == data["perception"]
        feet = {each["type"].lower(): each["amount"] for each in data["speed"] if each["amount"] is not None}
        assert dict(one.speeds).get("walk") == feet.get("land", feet.get("speed")), one.name
        for mode in ("fly", "swim", "climb", "burrow"):
            assert dict(one.speeds).get(mode) == feet.get(mode), one.name
        strikes = [
            *(data.get("melee_attacks") or data.get("melee") or ()),
            *(data.get("ranged_attacks") or data.get("ranged") or ()),
        ]
        made = [
            each
            for each in one.features
            if each.attack is not None
            and not each.only.startswith("form:")
            and not {"spell", "against-dex"} & {*each.properties}
        ]
        assert [each.attack for each in made] == [each["to_hit"] for each in strikes], one.name
        for said, kept in zip(strikes, made, strict=True):
            whole = f"{kept.damage} {kept.ongoing} {kept.text}".replace(" ", "")
            for part in said["damage"] or ():
                assert (part["formula"] or "").replace(" ", "") in whole, (one.name, kept.name)


# What differs between the two sources of one creature, because the sources themselves differ there: what each book's
# editor typed, not how it is read. Anything that differs and is not here is a fault of a reader.
SOURCES_DIFFER = {
    ("Ancient Copper Dragon", "speeds"): "a climb Speed stands in one of them only",
    ("Balisse", "senses"): "darkvision stands in one of them only",
    ("Choral", "Piercing hymn range"): "a range increment in one, a plain range in the other",
    ("Gogiteth", "size"): "huge in one, large in the other",
    ("Gogiteth", "speeds"): "a climb Speed stands in one of them only",
    ("Mitflit", "speeds"): "a climb Speed stands in one of them only",
    ("Poltergeist", "Telekinetic object damage"): "one names a type where the other lists three to choose from",
    ("Pugwampi", "senses"): "darkvision stands in one of them only",
    ("Vrock", "ac"): "26 in one, 28 in the other",
    ("Wererat", "skills"): "Religion in one, Society in the other",
    ("Fire Mephit", "condition_immunities"): "immunity to sleep stands in one of them only",
}
FIELDS = (
    "ac",
    "hp",
    "level",
    "rating",
    "abilities",
    "saves",
    "skills",
    "size",
    "type",
    "speeds",
    "senses",
    "resistances",
    "vulnerabilities",
    "immunities",
    "condition_immunities",
)


def strikes_of(one: Creature) -> dict[tuple[str, bool], Feature]:
    own = (each for each in one.features if each.attack is not None and "spell" not in each.properties)
    return {(each.name.capitalize(), bool(each.range) and not each.reach): each for each in own}


def test_the_same_creature_from_both_sources_has_the_same_figures(
    collection: list[tuple[Mapping[str, Any], Creature]], real_data: Path
) -> None:
    mine = {one.name: one for _, one in collection}
    shared, differing = 0, set()
    for path in sorted((real_data / "foundry-pf2e-2021" / "pathfinder-bestiary.db").glob("*.json")):
        found = read_document(path)
        assert isinstance(found, ParsedDocument)
        result = next(pf2e.FORMAT.read([found], ""))
        assert isinstance(result, ImportedRecord)
        theirs, own = result.record, mine.get(result.name)
        if own is None:
            continue
        shared += 1
        for field in FIELDS:
            here, there = getattr(own, field), getattr(theirs, field)
            if (set(here) != set(there)) if isinstance(here, tuple) else here != there:
                differing.add((own.name, field))
        assert isinstance(theirs, Creature)
        ours, others = strikes_of(own), strikes_of(theirs)
        for key in ours.keys() & others.keys():
            for field in ("attack", "damage", "ongoing", "reach", "range"):
                if getattr(ours[key], field) != getattr(others[key], field):
                    differing.add((own.name, f"{key[0]} {field}"))
    assert shared > 100
    assert differing == set(SOURCES_DIFFER)
