"""Improved Initiative's files: creatures, characters, exports of a library, and saved encounters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.for_each import for_each
from tests.importers.characters import person
from turnwright.encounter.prepared import CharacterState, Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.importers.documents import ParsedDocument, parse_document, read_document
from turnwright.importers.improved_initiative import FORMAT
from turnwright.importers.results import ImportedRecord, UnreadRecord

WEREBEAR: dict[str, Any] = {
    "Name": "Marsh  Bearfolk",
    "Source": "Own Notes",
    "Type": "Medium humanoid (human, shapechanger), neutral good",
    "HP": {"Value": 135, "Notes": "(18d8+54)"},
    "AC": {"Value": 11, "Notes": "(natural armor, shield)"},
    "InitiativeModifier": 2,
    "Speed": ["30 ft. (40 ft.", "climb 30 ft. in bear form)"],
    "Abilities": {"Str": 19, "Dex": 12, "Con": 17, "Cha": 14, "Int": 11, "Wis": 13},
    "Saves": [{"Name": "Con", "Modifier": 6}],
    "Skills": [{"Name": "Sleight of Hand", "Modifier": 7}, {"Name": "Juggling", "Modifier": 1}],
    "Senses": ["darkvision 60 ft.", "passive Perception 17"],
    "Languages": ["Common (can't speak in bear form)"],
    "DamageVulnerabilities": [],
    "DamageResistances": ["cold", "bludgeoning", "piercing", "and slashing from nonmagical weapons"],
    "DamageImmunities": ["bludgeoning", "piercing", "and slashing from nonmagical weapons"],
    "ConditionImmunities": ["charmed"],
    "Challenge": "1/4",
    "Traits": [{"Name": "Spellcasting", "Content": "Its spellcasting ability is Wisdom (spell save DC 13). 1st level (4 slots): web", "Usage": ""}],
    "Actions": [
        {"Name": "Multiattack", "Content": "It makes two claw attacks.", "Usage": ""},
        {"Name": "Claw", "Content": "Melee Weapon Attack: +7 to hit, reach 5 ft., one target. Hit: 13 (2d8 + 4) slashing damage.", "Usage": ""},
        {"Name": "Howl", "Content": "DC 14 Wisdom saving throw or be deafened.", "Usage": "Recharge 5-6"},
    ],
    "Reactions": [],
    "LegendaryActions": [{"Name": "Swat (Costs 2 Actions)", "Content": "It makes a claw attack.", "Usage": ""}],
    "Description": "",
    "Player": "",
    "ImageURL": "https://example.org/bear.png",
}  # fmt: skip


def document(data: object) -> ParsedDocument:
    found = parse_document(json.dumps(data).encode(), Path("file.json"))
    assert isinstance(found, ParsedDocument)
    return found


def records(data: object, system: str = "") -> list[ImportedRecord | UnreadRecord]:
    """Return what a document that the format claims holds."""
    found = document(data)
    assert FORMAT.claims(found)
    return list(FORMAT.read([found], system))


def imported(data: object) -> ImportedRecord:
    """Return the one record of a document."""
    (found,) = records(data)
    assert isinstance(found, ImportedRecord), found
    return found


def creature(data: object) -> Creature:
    record = imported(data).record
    assert isinstance(record, Creature)
    return record


def encounter(data: object) -> tuple[Encounter, ImportedRecord]:
    found = imported(data)
    assert isinstance(found.record, Encounter)
    return found.record, found


def test_every_figure_of_a_stat_block() -> None:
    found = creature([WEREBEAR])
    assert (found.id, found.name, found.source) == ("marsh-bearfolk", "Marsh Bearfolk", "Own Notes")
    assert (found.size, found.type, found.tags, found.alignment) == (
        "medium",
        "humanoid",
        ("human", "shapechanger"),
        "neutral good",
    )
    assert (found.hp, found.hit_dice, found.ac, found.ac_note, found.rating) == (
        135,
        "18d8+54",
        11,
        "natural armor, shield",
        "1/4",
    )
    assert found.abilities == (("str", 19), ("dex", 12), ("con", 17), ("int", 11), ("wis", 13), ("cha", 14))
    assert (found.saves, found.skills) == ((("con", 6),), (("sleight-of-hand", 7),))
    assert (found.speeds, found.senses, found.passives) == (
        (("walk", 30),),
        (("darkvision", 60),),
        (("perception", 17),),
    )
    assert found.initiative == 3  # Dexterity 12 gives 1, and 2 beside it
    assert (found.resistances, found.mundane_resistance) == (("cold",), True)
    assert (found.immunities, found.mundane_immunity, found.condition_immunities) == ((), True, ("charmed",))
    assert (found.spellcasting, found.slots, found.read) == ("wis", (("1", 4),), ("spellcasting", "slots"))


def test_features_by_where_they_stand() -> None:
    found = {one.id: one for one in creature([WEREBEAR]).features}
    assert {id: one.cost for id, one in found.items()} == {
        "spellcasting": "trait",
        "multiattack": "action",
        "claw": "action",
        "howl": "action",
        "swat": "legendary",
    }
    claw, howl = found["claw"], found["howl"]
    assert (claw.attack, claw.reach, claw.damage) == (7, 5, "2d8+4 slashing")
    assert (howl.save, howl.dc, howl.recharge) == ("wis", 14, 5)
    assert "recharge" not in howl.read
    assert (found["multiattack"].multiattack, found["multiattack"].attacks) == (((("claw", 2),),), 2)
    assert found["swat"].price == 2


def test_what_is_not_understood_is_kept_and_told() -> None:
    found = imported([WEREBEAR])
    assert isinstance(found.record, Creature)
    told = {report.field: report.text for report in found.reports}
    assert told["Speed"] == "40 ft., climb 30 ft. in bear form"
    assert told["Skills"] == "Juggling 1"
    assert told["ImageURL"] == WEREBEAR["ImageURL"]
    assert "LegendaryActions" in told
    remarks = {remark.about: remark.text for remark in found.record.remarks}
    assert remarks == {"speeds": "40 ft., climb 30 ft. in bear form", "skills": "Juggling 1"}


def test_a_block_with_only_what_another_program_writes() -> None:
    found = imported(
        [{"Name": "Goblin", "HP": {"Value": 7}, "InitiativeModifier": 2, "AC": {"Value": 15}, "Player": ""}]
    )
    assert isinstance(found.record, Creature)
    assert (found.record.hp, found.record.ac, found.record.initiative) == (7, 15, 2)
    assert {report.field for report in found.reports} == {"Abilities", "Speed"}


def test_one_that_cannot_be_read_leaves_the_others() -> None:
    good, *bad = records(
        [
            WEREBEAR,
            {**WEREBEAR, "HP": {"Value": "many"}},
            {**WEREBEAR, "Name": " "},
            5,
            {**WEREBEAR, "Actions": 3, "Type": None},
        ]
    )
    assert isinstance(good, ImportedRecord)
    assert [type(one) for one in bad] == [UnreadRecord, UnreadRecord, UnreadRecord, ImportedRecord]
    assert [one.why for one in bad if isinstance(one, UnreadRecord)] == [
        "no hit points",
        "no name",
        "no name",
    ]


def test_a_character() -> None:
    hero = {
        "Name": "Ines",
        "Type": "Human Fighter",
        "HP": {"Value": 12, "Notes": ""},
        "AC": {"Value": 17, "Notes": "(mail)"},
        "Player": "player",
        "Challenge": "3",
    }
    found, entry = person(imported([{**hero, "Player": "Kit"}]))
    assert (found.level, found.rating, found.type, entry.player, entry.state) == (3, "", "human fighter", "Kit", None)
    kept = imported(
        {
            "PersistentCharacters": ["a"],
            "PersistentCharacters.a": {
                "Name": "Ines",
                "CurrentHP": 4,
                "Notes": "Owes <b>ten</b>.",
                "StatBlock": {**hero, "Player": ""},
            },
        }
    )
    found, entry = person(kept)
    assert (found.hp, entry.notes, entry.player, entry.state) == (12, "Owes ten.", "", CharacterState(4))


def test_an_export_of_a_whole_library() -> None:
    export = {
        "Creatures": ["one"],
        "Creatures.one": WEREBEAR,
        "Spells.web": {"Name": "Web", "Level": 2},
        "SavedEncounters.x": {
            "Name": "Bog",
            "Combatants": [{"Id": "c1", "StatBlock": WEREBEAR, "CurrentHP": 135, "Initiative": 0}],
        },
        "ImprovedInitiative.User.Settings": "{}",
        "Odd.thing": {},
    }
    found = records(export)
    assert [(type(one), one.name if isinstance(one, ImportedRecord) else one.record) for one in found] == [
        (ImportedRecord, "Marsh  Bearfolk"),
        (UnreadRecord, "Web"),
        (ImportedRecord, "Bog"),
        (UnreadRecord, "ImprovedInitiative.User.Settings"),
        (UnreadRecord, "Odd.thing"),
    ]


def test_a_saved_encounter() -> None:
    hero = {"Name": "Ines", "HP": {"Value": 12}, "AC": {"Value": 17}, "Player": "player"}
    bear = {
        "StatBlock": WEREBEAR,
        "CurrentHP": 135,
        "TemporaryHP": 0,
        "Initiative": 9,
        "Alias": "",
        "Tags": [],
        "Hidden": False,
    }
    saved = {
        "Name": "At the weir",
        "RoundCounter": 2,
        "Combatants": [
            bear,
            {"StatBlock": hero, "CurrentHP": 5, "Initiative": 17, "Tags": [{"Text": "Prone"}], "CurrentNotes": "late"},
            {**bear, "Id": "another"},
            {
                **bear,
                "Alias": "Old Grim",
                "CurrentHP": 40,
                "Hidden": True,
                "StatBlock": {**WEREBEAR, "HP": {"Value": 120, "Notes": "(18d8+54)"}},
            },
        ],
    }
    found, record = encounter([saved])
    scene = found.need(Scene, "scene")
    assert (scene.title, scene.system) == ("At the weir", "dnd5e")
    assert found.ids(Creature) == ("marsh-bearfolk", "ines")
    assert list(found.all(RosterEntry)) == [
        RosterEntry("marsh-bearfolk", "marsh-bearfolk", count=2, initiative=9),
        RosterEntry("ines", "ines", side="party", hp=5, initiative=17, notes="late\nProne"),
        RosterEntry("old-grim", "marsh-bearfolk", name="Old Grim", hp=40, initiative=9, hidden=True),
    ]
    assert {"RoundCounter", "CurrentHP", "Tags"} <= {report.field for report in record.reports}


def test_initiative_that_nobody_has_rolled_is_none() -> None:
    found, _ = encounter({"Name": "Bog", "Combatants": [{"StatBlock": WEREBEAR, "Initiative": 0}]})
    assert [entry.initiative for entry in found.all(RosterEntry)] == [None]


def test_old_spellings_of_an_encounter_and_stat_blocks_named_by_id() -> None:
    old, _ = encounter({"Name": "Old", "Creatures": [{"Statblock": WEREBEAR, "MaxHP": 50, "CurrentHP": 50}]})
    assert [entry.hp for entry in old.all(RosterEntry)] == [50]
    posted = {
        "Combatants": [
            {"Name": "Nemo", "HP": {"Value": 10}},
            {"Name": "Fat Bear", "HP": {"Value": 200}, "Id": "b"},
            {"Id": "z"},
        ]
    }
    documents = [document(posted), document([{**WEREBEAR, "Id": "b"}])]
    first = next(iter(FORMAT.read(documents, "")))
    assert isinstance(first, ImportedRecord)
    assert isinstance(first.record, Encounter)
    assert [(one.name, one.hp, one.ac) for one in first.record.all(Creature)] == [
        ("Nemo", 10, 10),
        ("Fat Bear", 200, 11),
    ]
    assert any(report.text == "z" and "skipped" in report.why for report in first.reports)


@pytest.mark.parametrize("asked", ["", "pf2e"])
def test_the_rules_are_those_of_5e_unless_a_kin_is_asked_for(asked: str) -> None:
    assert [one.system for one in records([WEREBEAR], asked) if isinstance(one, ImportedRecord)] == ["dnd5e"]
    assert [one.system for one in records([WEREBEAR], "a5e") if isinstance(one, ImportedRecord)] == ["a5e"]


@for_each(
    "data",
    [
        [],
        {},
        [1, 2],
        [{"name": "Goblin", "hp": 7, "ac": 15}],
        [{"model": "api.monster", "pk": "x", "fields": {}}],
        {"name": "Goblin", "type": "npc", "system": {}, "items": []},
        {"Combatants": []},
        {"Creatures.": 3, "Spells.x": "text"},
        [{"Name": "x", "HP": 5}],
    ],
)
def test_other_files_are_not_claimed(data: object) -> None:
    assert not FORMAT.claims(document(data))


@pytest.mark.parametrize("name", ["ogl_creatures.json", "sample_players.json"])
def test_all_real_records_are_read_as_they_stand(real_data: Path, name: str) -> None:
    path = real_data / "improved-initiative" / name
    found = read_document(path)
    assert isinstance(found, ParsedDocument)
    assert FORMAT.claims(found)
    sources = {" ".join(one["Name"].split()): one for one in json.loads(path.read_text("utf-8-sig"))}
    records = list(FORMAT.read([found], ""))
    assert len(records) == len(sources)
    for one in records:
        assert isinstance(one, ImportedRecord)
        found = person(one)[0] if name == "sample_players.json" else one.record
        assert isinstance(found, Creature)
        source = sources[found.name]
        assert (found.hp, found.ac) == (source["HP"]["Value"], source["AC"]["Value"])
        assert dict(found.abilities) == {key.lower(): value for key, value in source["Abilities"].items()}
        assert dict(found.saves) == {save["Name"].lower(): save["Modifier"] for save in source.get("Saves", [])}
        assert len(found.skills) == len(source["Skills"])
        texts = [
            one["Content"]
            for key in ("Traits", "Actions", "Reactions", "LegendaryActions")
            for one in source.get(key, [])
        ]
        assert len(found.features) == len(texts)
        attacks = [feature for feature in found.features if " to hit," in feature.text]
        assert all(
            f"+{feature.attack} to hit" in feature.text or f"{feature.attack} to hit" in feature.text
            for feature in attacks
        )
