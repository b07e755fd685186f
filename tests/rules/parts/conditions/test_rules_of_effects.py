"""Effects with rules of their own, such as a spell's: dice on rolls, numbers, resistances, uses and concentration."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.play.attack_table import AXE, STRONG, Fray
from tests.table import Table, a5e, action_points, creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import RosterEntry, Scene
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Encounter
from turnwright.play.asking.checks import CallForSaves, GroupCheck
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.queries import queries
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.events import EffectUsed
from turnwright.play.turn_order.surprise import CallForChecks
from turnwright.rules.parts.checks.ability_checks import check_roll, save_roll
from turnwright.rules.parts.damage.damage_steps import death_save
from turnwright.rules.system import RuleSystem

BLESS = (DataRule("extra", "attack", dice="1d4"), DataRule("extra", "save", dice="1d4"))
BANE = (DataRule("extra", "attack", dice="-1d4"), DataRule("extra", "save", dice="-1d4"))


def under(table: Table, name: str, *rules: DataRule, who: str = "ada", **more: Any) -> Table:
    """Return the table after an effect with rules began."""
    effect = Effect(f"effect-{name}", who, name, name, rules=rules, **more)
    table.session = Session(Encounter((*table.encounter, effect)), table.rules)
    return table


def alone(rules: RuleSystem | None = None, **fields: Any) -> Table:
    """Return a table at which it is Ada's turn."""
    table = Table(creature("ada", **fields), "brand", foes=("brand",), rules=rules)
    table.start(ada=12, brand=5)
    return table


@pytest.mark.parametrize("rules", [a5e, dnd5e, action_points, pf2e])
def test_dice_of_effects_join_saves_and_not_checks_in_every_game(rules: Any) -> None:
    table = under(Fray("ada", rules=rules()), "Bless", *BLESS)
    ability = rules().data.abilities[0].id
    assert [(one.dice, one.reason) for one in save_roll(table.encounter, table.rules, "ada", ability).extra] == [
        ("1d4", "Bless")
    ]
    assert check_roll(table.encounter, table.rules, "ada", ability).extra == ()


@pytest.mark.parametrize(("rules", "total", "outcome"), [(BLESS, 20, "hit"), (BANE, 14, "miss")])
def test_a_die_is_added_to_an_attack_or_subtracted(rules: tuple[DataRule, ...], total: int, outcome: str) -> None:
    table = Fray(
        creature("ann", abilities=STRONG, features=(AXE,), proficiency=3), creature("orc", ac=18), foes=("orc",)
    )
    under(table, "Bless", *rules, who="ann")
    struck = table.strikes("ann", "orc", "axe", 10, 3, 5)
    assert struck is not None
    assert (struck.roll.total, struck.outcome) == (total, outcome)


def test_the_die_joins_death_saves() -> None:
    table = under(alone(), "Bless", *BLESS)
    assert [one.dice for one in death_save(table.encounter, table.rules, "ada").extra] == ["1d4"]


def test_an_effect_changes_armor_class_damage_and_speed_and_its_end_restores_them() -> None:
    barkskin = (
        DataRule("modifier", "ac", add=2),
        DataRule("damage", "fire", times=1, over=2),
        DataRule("modifier", "speed", over=2),
    )
    table = under(alone(ac=13), "Barkskin", *barkskin)
    ac, speed = (
        queries.armor_class(table.encounter, table.rules, "ada"),
        queries.speed(table.encounter, table.rules, "ada"),
    )
    assert ac is not None
    assert speed is not None
    assert (ac.total, speed.total) == (15, 15)
    table.does(ApplyDamage(("ada",), "10 fire"))
    assert table.one("ada").hp == 15
    table.does(EndEffect("effect-Barkskin"))
    table.does(ApplyDamage(("ada",), "10 fire"))
    assert table.one("ada").hp == 5
    table.session.undo()
    table.session.undo()
    assert table.encounter.need(Effect, "effect-Barkskin").rules == barkskin


def test_immunity_by_an_effect_leaves_no_damage() -> None:
    table = under(alone(), "Stoneform", DataRule("damage", "poison", times=0))
    table.does(ApplyDamage(("ada",), "10 poison"))
    assert table.one("ada").hp == 20


def test_the_effect_ends_with_its_concentration() -> None:
    table = alone()
    table.does(Concentrate("brand", "Bless"))
    under(table, "Bless", *BLESS, concentrator="brand")
    assert table.effects("ada") == {"Bless"}
    table.does(Concentrate("brand", "Fly"))
    assert table.effects("ada") == set()


def test_an_effect_for_one_use_is_spent_on_damage() -> None:
    table = Fray(
        creature("ann", abilities=STRONG, features=(AXE,), proficiency=3), creature("orc", ac=5), foes=("orc",)
    )
    under(table, "Smite", DataRule("extra", "damage", dice="2d6 radiant"), who="ann", uses_left=1)
    table.strikes("ann", "orc", "axe", 10, 3, 5, 6)
    assert table.lost("orc") == 3 + 4 + 11
    assert table.effects("ann") == set()


def test_the_newer_of_two_blessings_counts_and_undo_brings_the_older_back() -> None:
    table = alone()
    table.does(ApplyCondition(("ada", "brand"), "Bless", rules="+1d4 attack, saves", rounds=10, held_by="brand"))
    assert table.effects("brand") == {"Bless", "concentrating"}
    table.does(ApplyCondition(("ada",), "Bless", rules="+1d6 saves"))
    assert [one.dice for one in save_roll(table.encounter, table.rules, "ada", "dex").extra] == ["1d6"]
    table.session.undo()
    assert [one.dice for one in save_roll(table.encounter, table.rules, "ada", "dex").extra] == ["1d4"]
    table.does(Concentrate("brand", "Fly"))
    assert (table.effects("ada"), table.effects("brand")) == (set(), {"concentrating"})


def test_hit_points_of_an_effect_come_and_its_maximum_goes() -> None:
    table = alone()
    table.does(ApplyCondition(("ada",), "Aid", rules="+5 hp"))
    assert (table.one("ada").hp, table.one("ada").hp_max) == (25, 25)
    table.does(EndEffect(next(effect.id for effect in table.encounter.all(Effect) if effect.name == "Aid")))
    assert (table.one("ada").hp, table.one("ada").hp_max) == (20, 20)


def test_resistance_by_amount_lessens_damage_where_amounts_count() -> None:
    table = Fray("ada", rules=pf2e())
    table.does(ApplyCondition(("ada",), "Ward", rules="resist fire 5"))
    table.does(ApplyDamage(("ada",), "12 fire"))
    assert table.lost("ada") == 7


def test_names_of_any_length_are_kept_as_they_are_typed() -> None:
    table, name = alone(), 'O.K. & "Plan 9" ' + "x" * 200
    table.does(ApplyCondition(("ada",), name, rules="+2 ac"))
    assert table.effects("ada") == {name}
    assert table.refuses(ApplyCondition(("ada",), "a<b")).key == "refused.no_brackets"


def test_a_word_that_is_no_rule_is_named_and_nothing_is_put() -> None:
    refused = alone().refuses(ApplyCondition(("ada",), "Mark", rules="+1 luck"))
    assert (refused.key, refused.params["what"]) == ("refused.no_rule", "luck")


def test_an_effect_for_one_roll_ends_with_the_attack() -> None:
    table = Fray(
        creature("ann", abilities=STRONG, features=(AXE,), proficiency=3), creature("orc", ac=5), foes=("orc",)
    )
    table.does(ApplyCondition(("ann",), "Inspired", rules="+1d8 attack, con saves", uses=1))
    table.strikes("ann", "orc", "axe", 10, 8, 3)
    assert (table.last.roll.total, table.effects("ann")) == (25, set())


def used(table: Table) -> list[tuple[str, str, str, int]]:
    """What rolls used up: whose effect, its name, its dice and the uses left."""
    return [(one.who, one.name, one.dice, one.left) for one in table.happened(EffectUsed)]


@pytest.mark.parametrize("rules", [a5e, dnd5e, pf2e])
def test_saves_that_were_called_for_spend_a_use_and_tell_the_die(rules: Any) -> None:
    table = Fray("ada", rules=rules())
    ability = rules().data.abilities[0].id
    table.does(ApplyCondition(("ada",), "Inspired", rules="+1d8 saves", uses=2))
    table.dice(10, 7)
    table.does(CallForSaves(("ada",), ability, 15))
    assert used(table) == [("ada", "Inspired", "d8: 7", 1)]
    table.does(CallForSaves(("ada",), ability, 15))
    table.skips()
    assert len(used(table)) == 1
    table.dice(3, 2)
    table.does(CallForSaves(("ada",), ability, 15))
    assert (used(table)[-1], table.effects("ada")) == (("ada", "Inspired", "d8: 2", 0), set())
    table.session.undo()
    assert table.effects("ada") == {"Inspired"}


def test_a_total_that_is_typed_spends_a_use_too() -> None:
    table = Fray("ada", rules=action_points())
    table.does(ApplyCondition(("ada",), "Inspired", rules="+1d8 saves", uses=1))
    table.does(CallForSaves(("ada",), table.rules.data.abilities[0].id, 15))
    table.answers(ada=17)
    assert used(table) == [("ada", "Inspired", "", 0)]


def test_checks_and_checks_for_a_group_spend_a_use() -> None:
    table = Fray("ada")
    table.does(ApplyCondition(("ada",), "Guidance", rules="+1d4 checks", uses=1))
    table.dice(10, 3)
    table.does(CallForChecks(("ada",), "dex"))
    assert used(table) == [("ada", "Guidance", "d4: 3", 0)]
    table.does(ApplyCondition(("ada",), "Cursed", rules="-1d4 checks", uses=1))
    table.dice(10, 3)
    table.does(GroupCheck(("ada",), "dex"))
    assert used(table)[-1] == ("ada", "Cursed", "d4: −3", 0)


def test_a_save_for_concentration_spends_a_use() -> None:
    table = alone()
    table.does(Edit(Scene(strictness="enforce")))
    table.does(Concentrate("ada", "Bless"))
    table.does(ApplyCondition(("ada",), "Inspired", rules="+1d8 con saves", uses=1))
    table.dice(5, 8)
    table.does(ApplyDamage(("ada",), "4 fire"))
    assert used(table) == [("ada", "Inspired", "d8: 8", 0)]
    assert table.effects("ada") == {"concentrating"}


def test_a_save_that_ends_a_condition_and_a_death_save_spend_a_use() -> None:
    table = alone()
    table.does(ApplyCondition(("ada",), "poisoned", save="con", dc=15))
    table.does(ApplyCondition(("ada",), "Inspired", rules="+1d8 saves", uses=1))
    table.dice(10, 8)
    table.ends_turn()
    assert used(table) == [("ada", "Inspired", "d8: 8", 0)]
    assert table.effects("ada") == set()
    dying = Table(creature("ada", hp=5, tags=("player character",)), "brand", foes=("brand",))
    dying.start(ada=12, brand=5)
    dying.does(ApplyCondition(("ada",), "Inspired", rules="+1d8 saves", uses=1))
    dying.does(ApplyDamage(("ada",), "5 fire"))
    dying.dice(4, 7)
    dying.ends_turn(2)
    assert used(dying) == [("ada", "Inspired", "d8: 7", 0)]


def test_initiative_spends_a_use() -> None:
    entry = RosterEntry("ada", "ada", side="party", effects=("quick +1d4 initiative once",))
    table = Table(creature("ada"), roster=[entry])
    table.does(StartEncounter())
    while table.clock.setup_step != "initiative":
        table.does(AdvanceSetup())
    table.dice(10, 3)
    table.does(AdvanceSetup())
    assert used(table) == [("ada", "quick", "d4: 3", 0)]


def test_an_effect_for_one_attack_on_its_target_is_spent_with_the_armor_class() -> None:
    table = Fray(creature("ann", features=(AXE,)), creature("orc", ac=15), foes=("orc",))
    table.does(ApplyCondition(("orc",), "Guard", rules="+5 ac", uses=1))
    table.strikes("ann", "orc", "axe", 15)
    assert (table.last.outcome, table.effects("orc")) == ("miss", set())


@pytest.mark.parametrize(("face", "lost"), [(10, 9), (2, 0)])
def test_an_effect_for_one_attack_counts_for_its_damage_too(face: int, lost: int) -> None:
    table = Fray(creature("ann", features=(AXE,)), creature("orc", ac=12), foes=("orc",))
    table.does(ApplyCondition(("ann",), "Smite", rules="+2 attack; +1d6 damage", uses=1))
    table.strikes("ann", "orc", "axe", face, *((4, 5) if lost else ()))
    assert (table.lost("orc"), table.effects("ann")) == (lost, set())


def test_a_marked_target_takes_more_from_the_one_who_holds_the_mark() -> None:
    table = Fray(
        creature("ann", features=(AXE,)), creature("ben", features=(AXE,)), creature("orc", ac=5), foes=("orc",)
    )
    table.does(ApplyCondition(("orc",), "Hex", rules="+1d6 necrotic damaged by holder", rounds=600, held_by="ann"))
    table.strikes("ann", "orc", "axe", 10, 3, 5)
    assert table.lost("orc") == 8
    table.ends_turn()
    table.strikes("ben", "orc", "axe", 10, 4)
    assert table.lost("orc") == 12


def test_any_attack_deals_more_to_a_cracked_target() -> None:
    table = Fray(creature("ann", features=(AXE,)), creature("orc", ac=5), foes=("orc",))
    table.does(ApplyCondition(("orc",), "Cracked", rules="+2 damaged"))
    table.strikes("ann", "orc", "axe", 10, 1)
    assert table.lost("orc") == 3


def test_the_name_of_a_spell_brings_its_rules_and_its_end() -> None:
    table = Fray("ada", "mira", rules=dnd5e())
    table.does(ApplyCondition(("ada",), "bless", held_by="mira"))
    (bless,) = (one for one in table.encounter.of(Effect, "ada"))
    assert (bless.name, bless.rules, bless.rounds_left, bless.by, bless.level) == ("Bless", BLESS, 10, "mira", 1)
    assert table.effects("mira") == {"concentrating"}
    table.does(ApplyCondition(("mira",), "Bless", rounds=2))
    assert [(one.name, one.rounds_left) for one in table.encounter.of(Effect, "mira")][-1] == ("Bless", 2)
    table.does(Concentrate("mira", "Fly"))
    assert table.effects("ada") == set()


def test_a_name_in_force_brings_the_rules_that_it_has() -> None:
    table = Fray("ada", "mira")
    table.does(ApplyCondition(("ada",), "Mark", rules="-2 ac", rounds=3))
    table.does(ApplyCondition(("mira",), "mark"))
    (mark,) = table.encounter.of(Effect, "mira")
    assert (mark.name, mark.rules, mark.rounds_left) == ("Mark", (DataRule("modifier", "ac", add=-2),), 3)


def test_the_reminder_of_an_effect_tells_its_rules() -> None:
    table = alone()
    ward = Effect("e", "ada", "Ward", rules=(DataRule("modifier", "ac", add=2),))
    assert queries.reminder_of(table.rules, ward) == "+2 ac"
    noted = msgspec.structs.replace(ward, note="Glows in the dark.")
    assert queries.reminder_of(table.rules, noted) == "Glows in the dark. · +2 ac"
    assert (
        queries.reminder_of(table.rules, msgspec.structs.replace(ward, note="+2 ac; half speed")) == "+2 ac; half speed"
    )
