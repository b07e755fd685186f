"""The numbers of the spells that a Pathfinder 2e creature holds as items, in both schemas of Foundry."""

from __future__ import annotations

from typing import Any

from turnwright.encounter.prepared import Feature, InflictedCondition
from turnwright.importers.pf2e.spells import spells_of
from turnwright.importers.results import game_spells
from turnwright.importers.statblock_text.spell_lists import with_own_spells, with_ranked_spells
from turnwright.rules.system_data.numbers import Spell


def spell(text: str = "", rank: int = 0, **fields: Any) -> Spell:
    body = {"description": {"value": text}, "level": {"value": 3}, "time": {"value": "2"}, **fields}
    if rank:
        body["location"] = {"heightenedLevel": rank}
    return spells_of([{"type": "spell", "name": "Gnat Swarm", "system": body}], str)[0]


def saving(save: str, *, basic: bool = False) -> dict[str, Any]:
    return {"save": {"statistic": save, "basic": basic}}


def dealing(formula: str, kind: str, *kinds: str, category: str | None = None) -> dict[str, Any]:
    return {"formula": formula, "type": kind, "kinds": list(kinds or ("damage",)), "category": category}


def test_a_basic_save_with_damage_and_its_heightening() -> None:
    fields: dict[str, Any] = {"defense": saving("reflex", basic=True), "range": {"value": "60 feet"}}
    fields |= {"area": {"type": "burst", "value": 10}, "damage": {"0": dealing("4d6", "piercing")}}
    found = spell("Gnats.", heightening={"type": "interval", "interval": 2, "damage": {"0": "1d6"}}, **fields)
    assert (found.save, found.half, found.damage, found.higher, found.every) == ("dex", True, "4d6 piercing", "1d6", 2)
    assert (found.area, found.range, found.price, found.level) == ("10-foot radius", "60", 2, 3)
    fixed = {"type": "fixed", "levels": {"5": {"range": {"value": "120 feet"}}}}
    assert [spell(rank=rank, heightening=fixed, **fields).range for rank in (4, 5)] == ["60", "120"]


def test_persistent_damage_is_told_and_damage_without_a_save_or_attack_is_none() -> None:
    parts = {"0": dealing("2d6", "cold"), "1": dealing("1d6", "bleed", category="persistent")}
    found = spell(defense=saving("fortitude", basic=True), damage=parts)
    assert (found.damage, found.text) == ("2d6 cold", "It can also deal 1d6 persistent bleed damage.")
    assert spell(damage=parts).damage == ""
    assert spell(damage={"0": dealing("1d10+4", "untyped", "healing")}).heals == "1d10+4"


def test_degrees_become_conditions_that_end_with_the_spell() -> None:
    text = """Each target must attempt a Will save.
Success The target is dazzled for 1 round, slowed 1 for 1 minute and stunned 1.
Failure The target is confused.
Critical Failure The target is blinded until the start of your next turn. If it sees you, it is frightened 3."""
    lasting = {"target": {"value": "up to 5 creatures"}, "duration": {"value": "sustained up to 10 minutes"}}
    found = spell(text, defense=saving("will"), **lasting)
    assert found.afflictions == (
        InflictedCondition("dazzled", degree="success", lasts="1 round"),
        InflictedCondition("slowed", value=1, degree="success", lasts="1 minute"),
        InflictedCondition("stunned", value=1, degree="success"),
        InflictedCondition("confused", degree="failure", lasts="10 minutes"),
        InflictedCondition("blinded", "owner-start", degree="critical-failure"),
    )
    assert (found.targets, found.concentration, found.lasts) == (5, True, "")
    worse = f"{text}\nHeightened (5th) On a failure, the target is also stunned 2."
    assert spell(worse, 4, defense=saving("will")).afflictions
    assert not spell(worse, 5, defense=saving("will")).afflictions


def test_damage_of_some_degrees_only_and_saves_at_other_times_are_left_out() -> None:
    dealt = {"damage": {"0": dealing("2d6", "bludgeoning")}}
    text = "It must attempt a Fortitude save.\nFailure It is knocked prone.\nCritical Failure It takes 2d6 damage."
    found = spell(text, defense=saving("fortitude"), **dealt)
    assert (found.damage, [one.condition for one in found.afflictions]) == ("", ["prone"])
    later = "When any creature attacks the target, it must attempt a Will save.\nFailure It is frightened 2."
    assert (spell(later, defense=saving("will")).save, spell(later, defense=saving("will")).afflictions) == ("", ())


def test_the_older_schema_and_long_and_reactive_spells() -> None:
    old = {"damage": {"value": "6d6"}, "damageType": {"value": "fire"}, "scaling": {"formula": "2d6", "mode": "level1"}}
    old |= {"save": {"value": "reflex", "basic": "basic"}, "spellType": {"value": "save"}}
    found = spell("You deal 6d6 fire damage.", **old)
    assert (found.damage, found.higher, found.save, found.half) == ("6d6 fire", "2d6", "dex", True)
    assert spell("A roll of 1d4.", **{**old, "damage": {"value": "1d4"}}).damage == ""
    attack = spell("It deals 6d6 fire damage.", **{**old, "save": {}, "spellType": {"value": "attack"}})
    assert (attack.attack, attack.damage) == ("ranged", "6d6 fire")
    assert spell(time={"value": "10 minutes"}).casting_time == "10 minutes"
    assert (spell(time={"value": "reaction"}).cost, spell(time={"value": "reaction"}).price) == ("reaction", 1)
    assert spell(time={"value": "1 to 3"}).price == 0


def test_own_numbers_serve_only_where_the_game_has_none() -> None:
    own = [Spell("gnats", "Gnats", level=3, price=2, range="60"), Spell("f", "Fireball (At Will)", level=3, damage="1")]
    own.append(Spell("m", "Meld into Stone", level=3, lasts="10 minutes", price=1))
    usual = game_spells("pf2e")
    known = with_own_spells(usual, own)
    assert known["fireball"] is usual["fireball"]
    assert (known["meld into stone"].lasts, known["meld into stone"].price) == ("10 minutes", 2)
    casting = Feature("spells", "Innate Spells", dc=20, text="3rd: Gnats", properties=("spell",))
    found = with_ranked_spells((casting,), known)[0][1]
    assert (found.name, found.price, found.range, found.uses) == ("Gnats", 2, "60", 1)


def test_words_beside_a_name_belong_to_its_list() -> None:
    own = [Spell("g", "Gnats - Cantrips", level=1, price=2, text="They bite."), Spell("l", "Lay on Hands - Focus")]
    known = with_own_spells(game_spells("pf2e"), own)
    assert (known["gnats"].name, known["gnats"].text) == ("Gnats", "They bite.")
    casting = Feature("spells", "Focus Spells", text="1 Focus Point\n4th: Lay on Hands - Focus", properties=("spell",))
    assert [one.heals for one in with_ranked_spells((casting,), known)[0][1:]] == ["24"]


def test_what_befalls_the_caster_or_only_critically_is_no_condition_of_a_failure() -> None:
    backlash = (
        "It must attempt a Will save.\nCritical Success The spell fails and you are stunned 1.\nFailure It is slowed 1."
    )
    assert [one.condition for one in spell(backlash, defense=saving("will")).afflictions] == ["slowed"] * 2
    worst = "Each must attempt a Will save. A creature that critically fails is frightened 2."
    assert spell(worst, defense=saving("will", basic=True), damage={"0": dealing("2d4", "mental")}).afflictions == ()
    ray = {"traits": {"value": ["attack"]}, "damage": {"0": dealing("12d10", "untyped")}}
    found = spell("If you hit, the target must attempt a basic Fortitude save.", **ray)
    assert (found.attack, found.damage) == ("", "")
    assert spell("A ray of cold.", **ray).damage == "12d10 untyped"
    casting = Feature("spells", "Innate Spells", text="Cantrips: Light", properties=("spell",))
    assert with_ranked_spells((casting,), game_spells("pf2e"), -1)[0][1].price == 2


def test_listed_spells_add_the_casters_modifier_and_attack_by_its_dc() -> None:
    casting = Feature("spells", "Innate Spells", dc=20, text="2nd: Spiritual Weapon, Acid Arrow", properties=("spell",))
    weapon, arrow = with_ranked_spells((casting,), game_spells("pf2e"), 3, 4)[0][1:]
    assert (weapon.attack, weapon.damage, arrow.attack, arrow.damage) == (10, "1d8+4 force", 10, "3d8 acid")
