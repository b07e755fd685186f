"""Weapons by the rules of 2024: masteries by property, light and heavy weapons, and the second attack."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from tests.systems.dnd5e_2024.newer import NewFight
from tests.table import creature, dnd5e_2024
from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.traits.powers import character_rules, shipped_powers
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.movement.forced_movement import Pushed
from turnwright.play.state.events import Rolled
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.party_table import PartyReader, PartyRow

EXTERNAL = "dnd5e-2024.external."
FIGURES: dict[str, Any] = {"abilities": (("str", 16), ("dex", 16)), "proficiency": 2}


@cache
def master(mastery: str, *properties: str, damage: str = "1d8 slashing", **more: Any) -> Creature:
    """Ann with a weapon and the mastery that it has, as it comes from its name."""
    weapon = Feature(
        "blade", "Blade", "action", ability="str", damage=damage, reach=5, properties=("weapon", mastery, *properties)
    )
    named = creature("ann", features=(weapon, Feature(mastery, mastery.title())), **(FIGURES | more))
    return shipped_powers("dnd5e-2024").applied(dnd5e_2024().data, named, {"fighter": 1})


def fray(ann: Creature, **orc: Any) -> NewFight:
    """Ann beside two orcs."""
    orcs = [creature(name, **({"ac": 15, "hp": 40} | orc)) for name in ("orc", "ogre")]
    return NewFight(ann, *orcs, foes=("orc", "ogre")).puts(ann=(1, 1), orc=(2, 1), ogre=(2, 2))


@pytest.mark.rule(EXTERNAL + "cleave")
def test_cleave_strikes_a_second_creature_without_the_modifier_once_a_turn() -> None:
    ann = master("cleave", attacks=2)
    club = Feature("club", "Club", "action", attack=5, reach=5, damage="1d4+3 bludgeoning", properties=("weapon",))
    table = fray(msgspec.structs.replace(ann, features=(*ann.features, club)))  # which doesn't cleave
    table.strikes("ann", "orc", "blade", 15, 4, 15, 7)
    table.chooses("cleave")
    table.chooses("ogre")
    assert (table.lost("orc"), table.lost("ogre")) == (7, 7)
    table.strikes("ann", "orc", "blade", 15, 4)
    assert (table.prompts, table.lost("orc"), table.left("ann")["bonus"]) == ([], 14, 1)


def test_cleave_is_offered_only_beside_another_enemy() -> None:
    table = fray(master("cleave")).puts(ogre=(9, 9))
    table.strikes("ann", "orc", "blade", 15, 4)
    assert table.prompts == []


def test_second_attacks_with_usual_weapons_lack_the_modifier() -> None:
    reader = PartyReader(dnd5e_2024(), character_rules(dnd5e_2024().data), lambda _name: None, WordCatalogue.load())
    row = PartyRow("Ann", classes="rogue 5", attacks="shortsword, scimitar")
    (ann,) = reader.party((row,), "party", "").creatures
    table = fray(ann)
    table.strikes("ann", "orc", "shortsword", 15, 3)
    before = table.lost("orc")
    table.strikes("ann", "orc", "scimitar", 15, 15, 4, purpose="off-hand")  # with Vex
    table.chooses("not chosen:sneak-attack")
    assert table.lost("orc") - before == 4


@pytest.mark.rule(EXTERNAL + "graze")
@pytest.mark.parametrize(("face", "lost"), [(2, 3), (15, 7)])
def test_graze_deals_the_modifier_with_a_miss(face: int, lost: int) -> None:
    table = fray(master("graze"))
    table.strikes("ann", "orc", "blade", face, 4)
    assert table.lost("orc") == lost


@pytest.mark.rule(EXTERNAL + "push")
@pytest.mark.parametrize(("size", "feet"), [("large", [10]), ("huge", [])])
def test_push_moves_up_to_large_creatures(size: str, feet: list[int]) -> None:
    table = NewFight(master("push"), creature("orc", ac=15, hp=40, size=size), foes=("orc",)).puts(
        ann=(1, 1), orc=(2, 1)
    )
    table.strikes("ann", "orc", "blade", 15, 4)
    if feet:
        table.chooses("push")  # it can, but needn't
    assert [one.feet for one in table.happened(Pushed)] == feet


@pytest.mark.rule(EXTERNAL + "sap")
def test_sap_hampers_only_the_next_attack() -> None:
    table = fray(
        master("sap"), features=(Feature("club", "Club", "action", attack=3, damage="1d4 bludgeoning"),), attacks=2
    )
    table.strikes("ann", "orc", "blade", 15, 4)
    table.ends_turn()
    kinds = []
    for _ in range(2):
        kinds.append([kind for kind, _ in table.edges("orc", "ann", "club")])
        table.strikes("orc", "ann", "club", 2, 2)
    assert kinds == [["disadvantage"], []]


@pytest.mark.rule(EXTERNAL + "slow")
def test_slow_takes_10_feet_once_until_the_attacker_s_next_turn() -> None:
    table = fray(master("slow", attacks=2))
    for _ in range(2):
        table.strikes("ann", "orc", "blade", 15, 4)
    table.ends_turn()
    assert table.feet("orc") == 20
    table.ends_turn(2)
    assert table.feet("orc") == 30


@pytest.mark.rule(EXTERNAL + "topple")
@pytest.mark.parametrize(("face", "falls"), [(12, True), (13, False)])
def test_topple_asks_for_a_constitution_save(face: int, falls: bool) -> None:
    table = fray(master("topple"))
    table.strikes("ann", "orc", "blade", 15, 4, face)
    assert ("prone" in table.effects("orc")) is falls


@pytest.mark.rule(EXTERNAL + "vex")
def test_vex_gives_advantage_on_the_next_attack_against_the_same_creature() -> None:
    table = fray(master("vex"))
    table.strikes("ann", "orc", "blade", 15, 4)
    table.ends_turn(3)
    kinds = [[kind for kind, _ in table.edges("ann", target, "blade")] for target in ("orc", "ogre")]
    assert kinds == [["advantage"], []]
    table.strikes("ann", "orc", "blade", 2, 3)
    assert table.edges("ann", "orc", "blade") == []


@pytest.mark.parametrize("mastery", ["vex", "slow"])
@pytest.mark.parametrize(("immune", "left"), [((), True), (("slashing",), False)])
def test_vex_and_slow_need_a_hit_that_deals_damage(mastery: str, immune: tuple[str, ...], left: bool) -> None:
    table = fray(master(mastery, attacks=2), immunities=immune)
    table.strikes("ann", "orc", "blade", 15, 4)
    assert (mastery.title() in table.effects("orc")) is left
    table.strikes("ann", "ogre", "blade", 2)
    assert mastery.title() not in table.effects("ogre")


def test_sap_needs_no_damage() -> None:
    table = fray(master("sap"), immunities=("slashing",))
    table.strikes("ann", "orc", "blade", 15, 4)
    assert "Sap" in table.effects("orc")


@pytest.mark.parametrize(("strength", "lost"), [(16, 3), (12, 1), (10, 0), (8, 0)])
def test_graze_without_a_modifier_deals_nothing(strength: int, lost: int) -> None:
    table = fray(master("graze", abilities=(("str", strength),)))
    table.strikes("ann", "orc", "blade", 2)
    assert table.lost("orc") == lost


def test_creatures_that_cannot_be_prone_make_no_save_against_topple() -> None:
    table = fray(master("topple"), immunities=("prone",))
    table.strikes("ann", "orc", "blade", 15, 4)
    assert not table.prompts
    assert not [one for one in table.happened(Rolled) if one.purpose == "ask.save"]


def light(*properties: str) -> tuple[Feature, Feature]:
    """A scimitar and a second light weapon."""
    one = Feature(
        "scimitar", "Scimitar", "action", ability="dex", damage="1d6 slashing", properties=("weapon", "dual-wielding")
    )
    return one, Feature(
        "dagger",
        "Dagger",
        "action",
        ability="dex",
        damage="1d4 piercing",
        properties=("weapon", "dual-wielding", *properties),
    )


@pytest.mark.rule(EXTERNAL + "light", EXTERNAL + "nick")
@pytest.mark.parametrize(("properties", "bonus"), [((), 0), (("nick",), 1)])
def test_the_second_light_weapon_takes_a_bonus_action_unless_nick(properties: tuple[str, ...], bonus: int) -> None:
    table = fray(creature("ann", features=light(*properties), **FIGURES))
    assert table.refuses(Attack("ann", "orc", "dagger", purpose="off-hand")).key == "refused.off_hand_first"
    table.strikes("ann", "orc", "scimitar", 15, 4)
    table.strikes("ann", "orc", "dagger", 15, 3, purpose="off-hand")
    assert [one.outcome for one in table.happened(Attacked)] == ["hit", "hit"]
    assert (table.lost("orc"), table.left("ann")["bonus"]) == (4 + 3 + 3, bonus)
    refused = table.refuses(Attack("ann", "orc", "dagger", purpose="off-hand"))
    assert refused.key == ("refused.off_hand_once" if bonus else "refused.none_left")


@pytest.mark.rule(EXTERNAL + "light")
def test_the_first_attack_is_with_a_light_weapon_too() -> None:
    sword = Feature("longsword", "Longsword", "action", ability="str", damage="1d8 slashing", properties=("weapon",))
    table = fray(creature("ann", features=(sword, *light()), **FIGURES))
    table.strikes("ann", "orc", "longsword", 2)
    assert table.refuses(Attack("ann", "orc", "dagger", purpose="off-hand")).key == "refused.off_hand_first"


@pytest.mark.rule(EXTERNAL + "weapons")
def test_each_mastery_is_a_word_of_weapons_and_a_feature() -> None:
    words = {*dnd5e_2024().data.attack.words}
    masteries = {"cleave", "graze", "nick", "push", "sap", "slow", "topple", "vex"}
    assert masteries <= words
    assert masteries <= {power.id for power in shipped_powers("dnd5e-2024").file.powers}


@pytest.mark.parametrize(
    ("row", "masteries"),
    [
        ("fighter 1", {"sap", "vex"}),
        ("rogue 3", {"vex"}),
        ("barbarian 2", {"cleave", "slow"}),
        ("wizard 5", set[str]()),
    ],
)
def test_characters_have_the_masteries_of_their_usual_weapons(row: str, masteries: set[str]) -> None:
    rules = dnd5e_2024()
    reader = PartyReader(rules, character_rules(rules.data), lambda _name: None, WordCatalogue.load())
    (read,) = reader.read((PartyRow("Ann", classes=row),))
    every = {power.id for power in shipped_powers("dnd5e-2024").file.powers if power.weapon}
    assert {feature.id for feature in read.creature.features} & every == masteries
