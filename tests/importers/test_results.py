"""The last steps for every imported creature: magical weapons, and conditions by the game's names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.encounter.state import Encounter
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.results import ImportedRecord, postprocessed

MAGIC = "The oni's weapon attacks are magical."
BLOW = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) slashing damage."


def block(**changes: Any) -> dict[str, Any]:
    return {
        "Name": "Reed Oni", "Type": "Large giant", "HP": {"Value": 30, "Notes": "(4d10 + 8)"}, "AC": {"Value": 14},
        "Speed": ["30 ft."], "Abilities": dict.fromkeys(("Str", "Dex", "Con", "Int", "Wis", "Cha"), 10),
        "ConditionImmunities": [], "Challenge": "2", "Traits": [], "Actions": [], "Reactions": [], "LegendaryActions": [],
    } | changes  # fmt: skip


def read(tmp_path: Path, system: str = "", **changes: Any) -> ImportedRecord:
    path = tmp_path / "one.json"
    path.write_text(json.dumps([block(**changes)]))
    ((_, found),) = read_paths([path], system=system)
    assert isinstance(found, ImportedRecord)
    return found


def imported(*features: Feature, system: str = "a5e", immune: tuple[str, ...] = ()) -> ImportedRecord:
    return ImportedRecord("X", Creature("x", "X", features=features, condition_immunities=immune), system)


def creature(found: ImportedRecord) -> Creature:
    assert isinstance(found.record, Creature)
    return found.record


def test_a_trait_makes_weapon_attacks_magical_and_spells_none(tmp_path: Path) -> None:
    actions = [
        {"Name": "Claw", "Content": BLOW},
        {"Name": "Ray", "Content": BLOW.replace("Weapon", "Spell")},
        {"Name": "Change Shape", "Content": "It changes."},
    ]
    found = creature(read(tmp_path, Traits=[{"Name": "Magic Weapons", "Content": MAGIC}], Actions=actions))
    assert {one.id: one.properties for one in found.features} == {
        "magic-weapons": ("magical",), "claw": ("magical",), "ray": ("spell",), "change-shape": (),
    }  # fmt: skip
    assert "properties" in next(one for one in found.features if one.id == "claw").read
    plain = creature(read(tmp_path, Actions=actions))
    assert next(one for one in plain.features if one.id == "claw").properties == ()


def test_what_somebody_does_for_a_while_makes_no_weapon_magical() -> None:
    rite = Feature("rite", "Rite", "action", text="For a minute its weapon attacks are magical.")
    blow = Feature("claw", "Claw", "action", attack=5)
    assert creature(postprocessed(imported(rite, blow))).features[1] == blow


def test_a_save_against_another_feature_has_its_dc() -> None:
    roar = Feature("roar", "Roar", "legendary", save="cha", dc=19, text="Each creature makes a DC 19 Charisma save.")
    again = "A creature within 90 feet makes a saving throw against Roar, even if it has already successfully saved within the past 24 hours."
    gaze = Feature("gaze", "Gaze", "legendary", text=again)
    own = Feature("look", "Look", "action", save="cha", dc=12, text="It makes a DC 12 save against Roar.")
    features = creature(postprocessed(imported(roar, gaze, own))).features
    assert [each.dc for each in features] == [19, 19, 12]
    assert "dc" in features[1].read


def test_a_condition_that_the_game_has_not_is_kept_and_told() -> None:
    blow = Feature(
        "claw", "Claw", "action", attack=5, afflictions=(InflictedCondition("prone"), InflictedCondition("homesick"))
    )
    found = postprocessed(imported(blow))
    assert creature(found).features == (blow,)
    assert [(one.field, one.text) for one in found.reports] == [("Claw: afflictions", "homesick")]
    assert not postprocessed(
        imported(Feature("claw", "Claw", afflictions=(InflictedCondition("stunned"),)), system="dnd5e")
    ).reports
    assert not postprocessed(imported(blow, system="of-somebody-else")).reports


def test_an_immunity_is_called_as_the_game_calls_it() -> None:
    assert creature(postprocessed(imported(immune=("fatigued", "poisoned")))).condition_immunities == (
        "fatigue",
        "poisoned",
    )
    assert creature(postprocessed(imported(immune=("fatigued",), system="pf2e"))).condition_immunities == ("fatigued",)


@pytest.mark.parametrize(("system", "name"), [("a5e", "fatigue"), ("dnd5e", "exhaustion")])
def test_exhaustion_and_fatigue_are_one_in_the_games_of_a_family(system: str, name: str) -> None:
    for said in ("exhaustion", "fatigue"):
        made = postprocessed(
            ImportedRecord("Husk", Creature("husk", "Husk", condition_immunities=(said,)), system)
        ).record
        assert isinstance(made, Creature)
        assert made.condition_immunities == (name,)


def test_creatures_of_an_encounter_are_finished_too() -> None:
    magic = Feature("magic-weapons", "Magic Weapons", text=MAGIC)
    blow = Feature("claw", "Claw", "action", attack=5, afflictions=(InflictedCondition("homesick"),))
    found = postprocessed(ImportedRecord("Y", Encounter([Creature("x", "X", features=(magic, blow))]), "a5e"))
    assert isinstance(found.record, Encounter)
    assert found.record.need(Creature, "x").features[1].properties == ("magical",)
    assert [one.record for one in found.reports] == ["X"]


def test_our_own_files_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'format = 3\nkind = "creature"\nsystem = "a5e"\nid = "x"\nname = "X"\nabilities = { str = 10 }\n\n'
        f'[features.magic]\nname = "Magic Weapons"\ntext = "{MAGIC}"\n\n'
        '[features.claw]\nname = "Claw"\ncost = "action"\nattack = 5\ndamage = "1d6 slashing"\n'
    )
    ((_, found),) = read_paths([path])
    assert isinstance(found, ImportedRecord), found
    assert creature(found).features[1].properties == ()
    assert postprocessed(found).record != found.record


def test_legendary_actions_without_a_number_get_the_games_usual_one(tmp_path: Path) -> None:
    acts = [{"Name": "Wade", "Content": "It swims."}]
    for system in ("a5e", "dnd5e"):
        found = read(tmp_path, system, LegendaryActions=acts)
        assert (creature(found).legendary, "legendary" in creature(found).read) == (3, True)
        assert [(one.field, one.text) for one in found.reports if one.field == "legendary"] == [("legendary", "3")]
    wade = Feature("wade", "Wade", "legendary")
    said = ImportedRecord("X", Creature("x", "X", features=(wade,), legendary=2), "dnd5e")
    assert (postprocessed(said).record, postprocessed(said).reports) == (said.record, ())
    elsewhere = postprocessed(imported(wade, system="pf2e"))
    assert (creature(elsewhere).legendary, [one.field for one in elsewhere.reports]) == (0, ["legendary"])
