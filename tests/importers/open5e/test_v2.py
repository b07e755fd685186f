"""Open5e's newer fixtures: every real record against its own columns and rows, joined or missing tables, defaults."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.for_each import for_each
from turnwright.encounter.prepared import Creature, Feature, SourceNote
from turnwright.importers.documents import ParsedDocument, parse_document, read_document
from turnwright.importers.files.import_files import import_paths
from turnwright.importers.open5e import v2
from turnwright.importers.open5e.damage import dice_terms
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord
from turnwright.importers.statblock_text.markup import plain_text

ABILITIES = {
    "str": "strength",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence",
    "wis": "wisdom",
    "cha": "charisma",
}
MOVES = ("walk", "fly", "swim", "climb", "burrow")
TABLES = ("Creature", "CreatureAction", "CreatureActionAttack", "CreatureTrait")
HIT = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) piercing damage."


def row(model: str, pk: str, **fields: Any) -> dict[str, Any]:
    return {"model": f"api_v2.{model}", "pk": pk, "fields": fields}


def creature(pk: str = "fens_reed-stalker", **fields: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "name": "Reed Stalker", "size": "large", "type": "beast", "alignment": "unaligned", "armor_class": 14,
        "armor_detail": "natural armor", "hit_points": 30, "hit_dice": "4d10 + 8", "challenge_rating": "0.500", "document": "fens",
        "walk": 30.0, "fly": None, "swim": 40.0, "climb": None, "burrow": None, "hover": False, "darkvision_range": 60.0,
        "normal_sight_range": 10560, "passive_perception": 12, "skill_bonus_stealth": 3, "skill_bonus_perception": None,
        "saving_throw_dexterity": 3, "saving_throw_wisdom": None, "languages": [], "languages_desc": "", "weight": "0.000",
        "damage_resistances": [], "damage_resistances_display": "", "damage_immunities": [], "damage_immunities_display": "",
        "damage_vulnerabilities": [], "condition_immunities": [], "experience_points_integer": None, "category": "Monsters",
        **{f"ability_score_{name}": score for name, score in zip(ABILITIES.values(), (16, 12, 14, 2, 11, 5), strict=True)},
    }  # fmt: skip
    return row("creature", pk, **usual | fields)


def action(name: str = "Bite", desc: str = HIT, **fields: Any) -> dict[str, Any]:
    usual = {
        "action_type": "ACTION",
        "uses_type": None,
        "uses_param": None,
        "order_in_statblock": 0,
        "legendary_action_cost": None,
    }
    pk = f"fens_reed-stalker_{name.lower().replace(' ', '-')}"
    return row("creatureaction", pk, name=name, desc=desc, parent="fens_reed-stalker", **usual | fields)


def attack(parent: str = "fens_reed-stalker_bite", pk: str = "one", **fields: Any) -> dict[str, Any]:
    usual = {
        "name": "Bite attack", "attack_type": "WEAPON", "to_hit_mod": 5, "reach": 5.0, "range": None, "long_range": None,
        "damage_die_count": 1, "damage_die_type": "D8", "damage_bonus": 3, "damage_type": "piercing",
        "extra_damage_die_count": None, "extra_damage_die_type": None, "extra_damage_bonus": None, "extra_damage_type": None,
    }  # fmt: skip
    return row("creatureactionattack", pk, parent=parent, **usual | fields)


def document(data: Any, path: str = "fens/Creature.json") -> ParsedDocument:
    found = parse_document(json.dumps(data).encode(), Path(path))
    assert isinstance(found, ParsedDocument)
    assert v2.claims(found)
    return found


def real(paths: Sequence[Path]) -> list[ImportedRecord | UnreadRecord | SkippedFile]:
    documents = [found for found in map(read_document, paths) if isinstance(found, ParsedDocument)]
    assert len(documents) == len(paths)
    return list(v2.read(documents, ""))


def one(*rows: Mapping[str, Any], **fields: Any) -> tuple[Creature, list[tuple[str, str]]]:
    """Return the creature of a file with all of its tables, and what was told of it; tables may be empty."""
    tables = [creature(**fields), *rows]
    (found,) = v2.read([document(tables)], "")
    assert isinstance(found, ImportedRecord), found
    assert isinstance(found.record, Creature)
    return found.record, [
        (report.field, report.why) for report in found.reports if not report.field.startswith("the whole file")
    ]


def bite(desc: str = HIT, *more: Mapping[str, Any], **fields: Any) -> tuple[Feature, list[str]]:
    found, told = one(action(desc=desc), attack(**fields), *more)
    return found.features[0], [field for field, _ in told]


Whole = list[tuple[Mapping[str, Any], ImportedRecord]]


@pytest.fixture(params=["v2-a5e-mm", "v2-srd-2014", "v2-srd-2024"])
def folder(request: pytest.FixtureRequest, real_data: Path) -> Path:
    return real_data / "open5e" / str(request.param)


@pytest.fixture
def everything(folder: Path) -> Whole:
    paths = sorted(folder.glob("*.json"))
    results = real(paths)
    found = [each for each in results if not isinstance(each, SkippedFile)]
    rows = json.loads((folder / "Creature.json").read_text())
    assert len(found) == len(rows) >= 201
    assert all(isinstance(each, ImportedRecord) for each in found)
    return [(one, each) for one, each in zip(rows, found, strict=True)]  # type: ignore[misc]


def test_figures_of_every_creature_are_its_columns(everything: Whole) -> None:
    for source, found in everything:
        fields, read = source["fields"], found.record
        assert isinstance(read, Creature)
        told = {report.field for report in found.reports}
        assert (read.name, read.hp, read.ac, read.size, read.type) == tuple(
            fields[name] for name in ("name", "hit_points", "armor_class", "size", "type")
        )
        assert read.hit_dice == (fields["hit_dice"] or "").replace(" ", "")
        assert dict(read.abilities) == {id: fields[f"ability_score_{name}"] for id, name in ABILITIES.items()}
        assert dict(read.speeds) == {way: int(fields[way]) for way in MOVES if fields[way] is not None}
        assert read.hovers is fields["hover"]
        assert {"1/8": 0.125, "1/4": 0.25, "1/2": 0.5}.get(read.rating, read.rating) in (
            float(fields["challenge_rating"]),
            f"{float(fields['challenge_rating']):g}",
        )
        assert dict(read.passives) == {"perception": fields["passive_perception"]}
        assert read.initiative == fields["initiative_bonus"]
        for sense, feet in read.senses:
            assert feet == fields[f"{sense}_range"]
        given = {one for one in ("blindsight", "darkvision", "tremorsense", "truesight") if fields[f"{one}_range"]}
        assert {sense for sense, _ in read.senses} == {one for one in given if f"{one}_range" not in told}
        modifiers = {id: (score - 10) // 2 for id, score in read.abilities}
        for id, name in ABILITIES.items():
            bonus = fields[f"saving_throw_{name}"]
            assert (
                dict(read.saves).get(id, modifiers[id] if bonus == modifiers[id] else None) == bonus
                or "saving_throw" in told
            )
        if "skill_bonus" not in told:
            given = {
                key.removeprefix("skill_bonus_").replace("_", "-"): bonus
                for key, bonus in fields.items()
                if key.startswith("skill_bonus_") and bonus is not None
            }
            assert dict(read.skills) == given
        assert read.mundane_immunity <= fields["nonmagical_attack_immunity"]
        assert read.mundane_resistance <= fields["nonmagical_attack_resistance"]


def test_every_attack_is_its_row_or_told(folder: Path, everything: Whole) -> None:
    tables = {name: json.loads((folder / f"{name}.json").read_text()) for name in TABLES}
    actions = {each["pk"]: each["fields"] for each in tables["CreatureAction"]}
    by_key = {source["pk"]: found for source, found in everything}
    for each in tables["CreatureActionAttack"]:
        fields, of = each["fields"], actions[each["fields"]["parent"]]
        found = by_key[of["parent"]]
        assert isinstance(found.record, Creature)
        ways = {"ACTION": "action", "LEGENDARY_ACTION": "legendary", "REACTION": "reaction", "BONUS_ACTION": "bonus"}
        plain = of["name"].partition(" (")[0]
        (read,) = [
            one
            for one in found.record.features
            if one.name.startswith(plain)
            and one.cost == ways[of["action_type"]]
            and one.text.startswith(plain_text(of["desc"]).rstrip("."))
        ][:1]
        told = {report.field.partition(": ")[2] for report in found.reports if report.field.startswith(plain)}
        where = (found.name, of["name"], read)
        assert "attack" not in read.read, where
        assert read.attack == fields["to_hit_mod"] or "to_hit_mod" in told, where
        assert not fields["reach"] or read.reach == fields["reach"], where
        if fields["range"]:
            assert re.fullmatch(rf"{int(fields['range'])}(/{int(fields['long_range'] or 0) or '.*'})?", read.range), (
                where
            )
        for kind in ("damage", "extra_damage"):
            count, faces, bonus = (fields[f"{kind}_{part}"] for part in ("die_count", "die_type", "bonus"))
            if not count:
                continue
            all_of_it = dice_terms(f"{read.damage} + {read.save_damage} + {read.ongoing}")
            borne = (
                faces is not None
                and (int(faces[1:]), count) in all_of_it.dice
                and (bonus is None or bonus <= all_of_it.flat)
            )
            assert borne or {"damage", f"{kind}_die_type"} & told, where
            stated = fields["extra_damage_type"] if kind == "extra_damage" else fields["damage_type"]
            assert stated is None or stated in read.damage or {"damage_type", "damage"} & told, where


def test_limits_and_prices_of_every_action_are_its_own(folder: Path, everything: Whole) -> None:
    by_key = {source["pk"]: found for source, found in everything}
    rows = json.loads((folder / "CreatureAction.json").read_text())
    for fields in (each["fields"] for each in rows):
        whole, reports = by_key[fields["parent"]].record, by_key[fields["parent"]].reports
        assert isinstance(whole, Creature)
        if any(report.text == fields["name"] and "added to the text" in report.why for report in reports):
            continue
        same = [
            one
            for one in whole.features
            if one.text.startswith(plain_text(fields["desc"]).rstrip("."))
            and one.name.startswith(fields["name"].partition(" (")[0])
        ]
        if not fields["desc"] or len(fields["name"]) > 60 or "legendary action" in fields["name"]:
            continue
        assert same, (whole.name, fields["name"])
        if fields["uses_type"] == "PER_DAY":
            assert any((one.uses, one.per) == (fields["uses_param"], "day") for one in same)
        if fields["uses_type"] == "RECHARGE_ON_ROLL":
            assert any(one.recharge == fields["uses_param"] for one in same)
        if fields["action_type"] == "LEGENDARY_ACTION":
            assert any(one.price == (fields["legendary_action_cost"] or 1) for one in same)


def test_the_book_and_its_licences_are_those_of_its_document(folder: Path, everything: Whole) -> None:
    book = json.loads((folder / "Document.json").read_text())[0]["fields"]
    for _, found in everything:
        assert isinstance(found.record, Creature)
        assert found.record.source == f"Open5e: {book['name']}"
        assert len(found.record.licence.split("; ")) == len(book["licenses"])
        assert found.system == ("a5e" if book["gamesystem"] == "a5e" else "dnd5e")


def test_names_of_licences_come_from_the_file_that_has_them(real_data: Path) -> None:
    paths = [real_data / "open5e" / "License.json", *sorted((real_data / "open5e" / "v2-a5e-mm").glob("*.json"))]
    found = real(paths)
    assert found[0] == SkippedFile(str(paths[0]))
    assert isinstance(found[1], ImportedRecord)
    assert isinstance(found[1].record, Creature)
    assert found[1].record.licence == "OPEN GAME LICENSE Version 1.0a"


def test_an_alignment_that_every_record_has_is_a_default() -> None:
    rows = [creature(f"fens_{n}", name=f"Stalker {n}", alignment="chaotic evil") for n in range(12)]
    found = [each for each in v2.read([document(rows)], "") if isinstance(each, ImportedRecord)]
    assert {each.record.alignment for each in found} == {""}  # type: ignore[union-attr]
    assert [report.field for each in found for report in each.reports].count("alignment") == 1
    rows[3]["fields"]["alignment"] = "lawful good"
    found = [each for each in v2.read([document(rows)], "") if isinstance(each, ImportedRecord)]
    assert {each.record.alignment for each in found} == {"chaotic evil", "lawful good"}  # type: ignore[union-attr]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("missing", TABLES[1:])
def test_a_missing_table_is_told_once_and_the_rest_is_read(missing: str, real_data: Path, tmp_path: Path) -> None:
    folder = real_data / "open5e" / "v2-a5e-mm"
    paths = [folder / f"{name}.json" for name in TABLES if name != missing]
    outcome = import_paths(paths, tmp_path / "library")
    assert len(outcome.placed) == 371
    assert [report.field for report in outcome.reports if report.field.startswith("the whole file")] == [
        f"the whole file: {missing.lower()}"
    ]
    assert {each.why.partition(",")[0] for each in outcome.unread} <= {"records without an owner in this folder: 645"}


def test_tables_without_their_creatures_are_said_to_be_that() -> None:
    (found,) = v2.read([document([action()])], "")
    assert isinstance(found, UnreadRecord)
    assert "the file with the creatures isn't in this folder" in found.why


def test_creatures_of_another_folder_are_not_joined() -> None:
    found = list(v2.read([document([creature()]), document([action()], "elsewhere/CreatureAction.json")], ""))
    assert isinstance(found[0], ImportedRecord)
    assert isinstance(found[0].record, Creature)
    assert found[0].record.features == ()
    assert isinstance(found[1], UnreadRecord)


def test_rows_that_belong_to_nobody_are_told() -> None:
    lost = action()
    lost["fields"]["parent"] = "fens_gone"
    read, orphan = v2.read([document([creature(), lost])], "")
    assert isinstance(read, ImportedRecord)
    assert isinstance(orphan, UnreadRecord)
    assert orphan.why.startswith("records without an owner in this folder: 1,")


def test_entries_that_are_no_records_are_told() -> None:
    read, odd = v2.read([document([creature(), 5, {"model": "api_v2.creature"}])], "")
    assert isinstance(read, ImportedRecord)
    assert isinstance(odd, UnreadRecord)
    assert odd.why == "entries that aren't records of this database: 2"


def test_other_tables_of_the_database_are_no_creatures(tmp_path: Path) -> None:
    (tmp_path / "Spell.json").write_text(json.dumps([row("spell", "fens_fog", name="Fog")]))
    (unread,) = import_paths([tmp_path / "Spell.json"], tmp_path / "library").unread
    assert "spell" in unread.why
    (tmp_path / "Creature.json").write_text(json.dumps([creature()]))
    assert import_paths([tmp_path], tmp_path / "library").unread == ()


def test_actions_stand_in_the_order_of_the_stat_block() -> None:
    found, _ = one(
        action("Wade", "It swims.", action_type="LEGENDARY_ACTION", legendary_action_cost=2), action("Last", "Later.", order_in_statblock=None),
        action("Second", "Then.", order_in_statblock=1), action("First", "Now."), action("Dive", "Down.", action_type="REACTION"),
        action("Dart", "Quick.", action_type="BONUS_ACTION"), row("creaturetrait", "t", name="Gills", desc="It breathes water.", parent="fens_reed-stalker"),
    )  # fmt: skip
    gap, _ = one(
        action("Gaze", "It looks.", order_in_statblock=None),
        action("Claw", "Now."),
        action("Asleep", "If it fails.", order_in_statblock=2),
    )
    assert [each.name for each in gap.features] == ["Claw", "Gaze", "Asleep"]
    assert [(each.name, each.cost, each.price) for each in found.features] == [
        ("Gills", "trait", 1), ("First", "action", 1), ("Second", "action", 1), ("Last", "action", 1), ("Dart", "bonus", 1),
        ("Dive", "reaction", 1), ("Wade", "legendary", 2),
    ]  # fmt: skip


def test_the_form_that_an_action_needs_stands_in_its_name() -> None:
    found, _ = one(
        action("Claw", "It scratches.", limited_to_form="Fish Form Only"),
        action("Grab (Fish Form Only)", "It holds.", limited_to_form="Fish Form Only", order_in_statblock=1),
    )
    assert [each.name for each in found.features] == ["Claw (Fish Form Only)", "Grab (Fish Form Only)"]


@for_each(("kind", "number", "name", "figures", "telling"), [
    ("PER_DAY", 3, "Roar", (0, 3, "day"), 0), ("RECHARGE_ON_ROLL", 5, "Roar", (5, 0, "day"), 0), ("RECHARGE", 6, "Roar", (6, 0, "day"), 0),
    ("RECHARGE", None, "Roar (Recharge after a Short or Long Rest)", (0, 1, "rest"), 0), ("RECHARGE", None, "Roar", (0, 0, "day"), 1),
    ("RECHARGE_AFTER_REST", None, "Roar", (0, 1, "rest"), 0), ("PER_MOON", 1, "Roar", (0, 0, "day"), 1), ("RECHARGE_ON_ROLL", 9, "Roar", (0, 0, "day"), 1),
])  # fmt: skip
def test_limits(kind: str, number: int | None, name: str, figures: tuple[int, int, str], telling: int) -> None:
    found, told = one(action(name, "It roars.", uses_type=kind, uses_param=number))
    roar = found.features[0]
    assert (roar.recharge, roar.uses, roar.per, len(told)) == (*figures, telling)


@for_each(("fields", "damage", "read", "told"), [
    ({}, "1d8+3 piercing", False, []),
    ({"damage_type": None}, "1d8+3 piercing", True, []),
    ({"damage_type": None, "extra_damage_type": "piercing"}, "1d8+3 piercing", False, []),
    ({"damage_bonus": None}, "1d8+3 piercing", True, []),
    ({"damage_type": "thunder"}, "1d8+3 piercing", True, ["Bite: damage_type"]),
    ({"damage_bonus": 5}, "1d8+5 piercing", False, ["Bite: damage"]),
    ({"damage_die_type": "D10"}, "1d10+3 piercing", False, ["Bite: damage"]),
    ({"extra_damage_die_count": 2, "extra_damage_die_type": "D6", "extra_damage_type": "fire"}, "1d8+3 piercing + 2d6 fire", False, ["Bite: damage"]),
    ({"damage_die_count": None, "damage_die_type": None, "damage_bonus": None}, "1d8+3 piercing", True, []),
    ({"damage_die_type": "many"}, "1d8+3 piercing", True, ["Bite: damage_die_type"]),
    ({"damage_die_count": 10**9}, "1d8+3 piercing", True, ["Bite: damage_die_type"]),
])  # fmt: skip
def test_damage_of_a_row_beside_that_of_its_prose(
    fields: Mapping[str, Any], damage: str, read: bool, told: Sequence[str]
) -> None:
    found, reports = bite(**fields)
    assert (found.damage, "damage" in found.read, reports) == (damage, read, told)


def test_damage_that_prose_has_only_for_two_hands_or_after_a_save_stays_there() -> None:
    both = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) slashing damage, or 8 (1d10 + 3) slashing damage if used with two hands."
    found, told = bite(both, damage_type="slashing", damage_die_type="D10", damage_bonus=None)
    assert found.damage == "1d8+3 slashing"
    assert "Bite: damage" in told
    saved = "Ranged Weapon Attack: +5 to hit, range 20/60 ft., one creature. Hit: The target makes a DC 13 Constitution saving throw, taking 9 (2d8) poison damage on a failure."
    found, told = bite(
        saved, damage_die_count=2, damage_bonus=None, damage_type="poison", reach=None, range=20, long_range=60
    )
    assert (found.damage, found.save_damage, found.range, told) == ("", "2d8 poison", "20/60", [])
    assert not {"save_damage", "range", "attack"} & set(found.read)


def test_of_two_rows_of_an_action_the_one_that_prose_bears_out_counts() -> None:
    words = "Melee or Ranged Weapon Attack: +5 to hit, reach 5 ft. or range 20/60 ft., one target. Hit: 6 (1d6 + 3) piercing damage, or 7 (1d8 + 3) piercing damage if used with two hands."
    found, told = bite(
        words, attack(pk="two", damage_die_type="D6", reach=None, range=20, long_range=60), range=20, long_range=60
    )
    assert (found.damage, found.reach, found.range, told) == ("1d6+3 piercing", 5, "20/60", ["Bite: damage"])


def test_a_row_with_another_range_than_its_prose_wins_and_another_bonus_is_told() -> None:
    found, told = bite(to_hit_mod=61)
    assert (found.attack, "attack" in found.read, told) == (5, True, ["Bite: to_hit_mod"])
    found, told = bite(to_hit_mod=7, reach=10.0)
    assert (found.attack, found.reach, told) == (5, 10, ["Bite: attack", "Bite: reach"])
    assert "reach" not in found.read


def test_prose_says_how_far_it_goes_at_most_where_the_row_says_only_the_near() -> None:
    words = "Ranged Weapon Attack: +5 to hit, range 20/60 ft., one target. Hit: 7 (1d8 + 3) piercing damage."
    found, told = bite(words, reach=None, range=20.0)
    assert (found.range, "range" in found.read, told) == ("20/60", True, [])
    found, told = bite(words, reach=None, range=30.0)
    assert (found.range, "range" in found.read, told) == ("30", False, ["Bite: range"])


def test_spell_attacks_and_attacks_without_prose() -> None:
    found, told = bite("It lashes out.", attack_type="SPELL", range=120)
    assert (found.attack, found.range, found.damage, found.properties, found.read, told) == (
        5,
        "120",
        "1d8+3 piercing",
        ("spell",),
        (),
        [],
    )


def test_a_legendary_preamble_gives_the_count() -> None:
    found, told = one(
        action("The stalker can take 2 legendary actions", "One at a time.", action_type="LEGENDARY_ACTION"),
        action("Wade", "It swims.", action_type="LEGENDARY_ACTION", order_in_statblock=1),
    )
    assert (found.legendary, [each.name for each in found.features], told) == (2, ["Wade"], [])
    found, told = one(action("Wade", "It swims.", action_type="LEGENDARY_ACTION"))
    assert (found.legendary, told) == (0, [])


def test_lines_shown_win_over_lists_and_flags_fill_what_is_not_shown() -> None:
    found, told = one(
        damage_resistances=["bludgeoning", "cold"], damage_resistances_display="cold; bludgeoning, piercing, and slashing from nonmagical attacks",
        damage_immunities=["bludgeoning", "piercing", "slashing", "poison"], nonmagical_attack_immunity=True,
        condition_immunities=["exhaustion"], condition_immunities_display="fatigue",
    )  # fmt: skip
    assert (found.resistances, found.mundane_resistance) == (("cold",), True)
    assert (found.immunities, found.mundane_immunity, found.condition_immunities) == (("poison",), True, ("fatigue",))
    assert told == []
    found, told = one(
        damage_immunities_display="poison", nonmagical_attack_immunity=True, damage_vulnerabilities=["fire"]
    )
    assert (found.immunities, found.mundane_immunity, found.vulnerabilities) == (("poison",), False, ("fire",))
    assert [field for field, _ in told] == ["nonmagical_attack_immunity"]


def test_saves_that_are_bare_modifiers_are_left_out_where_all_six_stand() -> None:
    all_six = {
        f"saving_throw_{name}": bonus for name, bonus in zip(ABILITIES.values(), (3, 4, 2, -4, 2, -3), strict=True)
    }
    assert one(**all_six)[0].saves == (("dex", 4), ("wis", 2))
    assert one()[0].saves == (("dex", 3),)


def test_columns_full_of_noughts_are_defaults() -> None:
    found, told = one(
        **{f"saving_throw_{name}": 0 for name in ABILITIES.values()},
        **{
            f"skill_bonus_{name}": 0
            for name in (
                "arcana",
                "athletics",
                "deception",
                "history",
                "insight",
                "intimidation",
                "medicine",
                "nature",
                "perception",
                "performance",
                "persuasion",
                "religion",
                "stealth",
                "survival",
            )
        },
    )
    assert (found.saves, found.skills) == ((), ())
    assert [field for field, _ in told] == ["saving_throw", "skill_bonus"]


def test_what_stands_beside_the_figures_is_kept_in_words() -> None:
    found, told = one(
        darkvision_range=14120.0,
        weight="600.000",
        subcategory="Fen Things",
        languages=["deep-speech"],
        telepathy_range=60.0,
        environments=["fens_black-water", "swamp"],
        normal_sight_range=30,
    )
    assert found.remarks == (
        SourceNote("senses", "darkvision 14120"),
        SourceNote("senses", "normal sight 30 feet"),
    )
    assert (found.languages, found.environments, found.senses) == (
        "Deep Speech, telepathy 60 ft.",
        ("black water", "swamp"),
        (),
    )
    assert [field for field, _ in told] == ["category", "weight", "darkvision_range"]


@for_each("fields", [
    {"walk": "fast"}, {"size": 4}, {"ability_score_wisdom": None}, {"challenge_rating": None}, {"armor_class": []}, {"lore": "It waits."},
    {"darkvision_range": "far"}, {"damage_immunities_display": 7}, {"condition_immunities_display": 7},
])  # fmt: skip
def test_odd_fields_are_told_and_end_nothing(fields: Mapping[str, Any]) -> None:
    found, told = one(**fields)
    assert found.hp == 30
    assert told


@for_each("rows", [
    [row("creatureaction", "x", parent="fens_reed-stalker")], [attack(to_hit_mod="high"), action()], [action(desc=7)],  # type: ignore[arg-type]  # as a file may have it
    [attack(reach="long", range="far"), action()], [row("creaturetrait", "x", parent="fens_reed-stalker", name=None, desc=None)],
    [action(action_type="DANCE")], [action(lore="deep")], [attack(lore="deep"), action()],
])  # fmt: skip
def test_odd_rows_end_nothing(rows: Sequence[Mapping[str, Any]]) -> None:
    found, _ = one(*rows)
    assert len(found.features) == 1


@pytest.mark.parametrize(
    ("fields", "why"), [({"hit_points": None}, "hit points"), ({"name": ""}, "no name"), ({"hit_points": 10**8}, "hp")]
)
def test_a_creature_that_can_not_be_read_ends_nothing(fields: Mapping[str, Any], why: str) -> None:
    bad, good = v2.read([document([creature(**fields), creature("fens_other", name="Other")])], "")
    assert isinstance(bad, UnreadRecord)
    assert why in bad.why
    assert isinstance(good, ImportedRecord)


@pytest.mark.parametrize(
    "data", [[{"name": "Goblin"}], {"model": 5}, [], [{"model": "api.monster", "fields": {}}], [5, "x"]]
)
def test_other_files_are_not_claimed(data: object) -> None:
    assert not v2.claims(ParsedDocument(Path("x"), "json", "", data))
