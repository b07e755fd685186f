"""A creature of another game as this game's: its terms, scores and distances, and what it has no term for."""

from __future__ import annotations

from itertools import permutations

from tests.for_each import for_each
from tests.table import a5e, action_points, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Creature, Feature, FeatureStep, InflictedCondition
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.preparation.creature_translation import (
    CreatureTranslation,
    find_unknown_ids,
    translate_creature,
)
from turnwright.rules.system import RuleSystem
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path

GAMES = {"a5e": a5e, "dnd5e": dnd5e, "pf2e": pf2e, "action_points": action_points}
BREATH = Feature(
    "breath",
    "Breath",
    "action",
    save="dex",
    dc=15,
    damage="4d6 lightning + 1d4 necrotic",
    area="60-foot cone",
    afflictions=(InflictedCondition("grappled", escape_dc=12),),
)


def brought(one: Creature, origin: RuleSystem, own: RuleSystem) -> CreatureTranslation:
    return translate_creature(one, origin.data, own.data)


def dragon(**more: object) -> Creature:
    given = {
        "rating": "5",
        "xp": 1800,
        "abilities": (("str", 18), ("dex", 9)),
        "saves": (("dex", 2), ("cha", 4), ("wis", 3)),
        "skills": (("perception", 5), ("sleight-of-hand", 3), ("insight", 9)),
        "senses": (("darkvision", 60), ("blindsight", 30)),
        "speeds": (("walk", 30), ("fly", 80)),
        "immunities": ("lightning",),
        "condition_immunities": ("prone", "exhaustion"),
        "features": (BREATH,),
        "source": "A book",
    }
    return creature("drake", **(given | more))


def test_dnd_in_a5e_keeps_its_figures_and_changes_its_terms() -> None:
    one = brought(dragon(), dnd5e(), a5e())
    assert one.renamed == (("exhaustion", "fatigue"),)
    assert one.unknown == ()
    assert one.creature.condition_immunities == ("prone", "fatigue")
    assert one.creature.source == "D&D 5e: A book"
    assert (one.creature.rating, one.creature.xp, one.creature.features) == ("5", 1800, (BREATH,))


def test_dnd_in_pathfinder_has_modifiers_three_saves_and_its_damage() -> None:
    one = brought(dragon(), dnd5e(), pf2e())
    made = one.creature
    assert made.abilities == (("str", 4), ("dex", -1))
    assert made.saves == (("dex", 2), ("wis", 3))
    assert made.skills == (("perception", 5), ("thievery", 3))
    assert made.immunities == ("electricity",)
    assert made.features[0].damage == "4d6 electricity + 1d4 void"
    assert [each.condition for each in made.features[0].afflictions] == ["grabbed"]
    assert (made.rating, made.level, made.xp) == ("", 0, 0)
    assert one.unknown == ("Challenge 5", "blindsight")
    assert {("lightning", "electricity"), ("exhaustion", "fatigued")} <= set(one.renamed)


def test_pathfinder_in_dnd_has_scores_again_and_no_amounts() -> None:
    ogre = creature(
        "ogre", rating="3", level=3, abilities=(("str", 5), ("dex", -1)), resistances=("void 5", "cold 3"),
        skills=(("thievery", 4), ("occultism", 2)),
    )  # fmt: skip
    one = brought(ogre, pf2e(), dnd5e())
    assert one.creature.abilities == (("str", 20), ("dex", 8))
    assert one.creature.resistances == ("necrotic", "cold")
    assert one.creature.skills == (("sleight-of-hand", 4),)
    assert one.unknown == ("Level 3", "occultism")


def test_metres_and_feet() -> None:
    one = brought(dragon(), dnd5e(), action_points()).creature
    assert one.speeds == (("walk", 10), ("fly", 27))
    assert one.features[0].area == "20 m cone"
    assert one.features[0].save == "agi"
    back = brought(one, action_points(), dnd5e()).creature
    assert dict(back.speeds)["walk"] == 30
    assert back.features[0].save == "dex"


def test_what_features_ask_for_and_this_game_lacks_is_told() -> None:
    sly = Feature("sly", "Sly", "bonus", does=(FeatureStep(action="disengage"),))
    aura = Feature("heat", "Heat", trigger="other-starts", within=30, damage="1d6 fire")
    one = brought(dragon(features=(sly, aura), condition_immunities=(), senses=()), dnd5e(), pf2e())
    assert "disengage" in one.unknown
    assert brought(dragon(features=(aura,)), dnd5e(), action_points()).creature.features[0].within == 10


@for_each(("origin", "own"), list(permutations(GAMES, 2)))
def test_every_shipped_creature_comes_over_with_known_terms_outside_of_its_features(origin: str, own: str) -> None:
    files = sorted(resource_path(f"library/{origin}").rglob("*.toml"))[::9]
    strange = []
    for file in files:
        record, _ = read_library_file(file)
        if not isinstance(record, Creature):
            continue
        one = brought(record, GAMES[origin](), GAMES[own]())
        found = find_unknown_ids(Encounter([one.creature]), GAMES[own]())
        strange += [(file.stem, each.path, each.id) for each in found if each.path[2] != "features"]
    assert strange == []
