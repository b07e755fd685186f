"""What the rules name without giving its figures: it can be entered, is shown, or is asked, and nothing is made up."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from tests.play.dying_table import Wounded, hero, lax
from tests.play.environment_table import Place
from tests.table import Table, a5e, creature, environment
from turnwright.encounter.prepared import Creature, EnvironmentEntry, Feature, SavingThrow, Scene
from turnwright.encounter.running import Effect, GuestCreature
from turnwright.play.actions.contest import BreakFree
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition, EndEffect, SetEffectNote
from turnwright.play.environment.environment_check import EnvironmentCheckPassed
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.queries import queries
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.state.events import DamageTaken, Rolled
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.turns.round_start import Reminded
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.parts.checks.ability_checks import check_roll, save_roll
from turnwright.rules.parts.environment.entries import sound_factor
from turnwright.rules.system import RuleSystem, creature_of


def with_terms_of_one_s_own(table: Table, effect: Effect) -> str:
    assert queries.reminder_of(table.rules, effect) == table.rules.conditions[effect.name].text
    table.does(SetEffectNote(effect.id, "Reels about."))
    return queries.reminder_of(table.rules, table.encounter.need(Effect, effect.id))


# Conditions ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.external.poisoned")
def test_the_poisoned_are_listed_with_the_end_and_words_of_one_s_own() -> None:
    mire = Place("swampy", "ada", "brand")
    mire.comes_to_round(2)
    mire.passes()
    mire.uses("swamp-gas", 1, targets=("ada",))
    (effect,) = [one for one in mire.encounter.all(Effect) if one.name == "poisoned"]
    assert (effect.ends.moment, effect.ends.who) == ("turn-end", "ada")
    assert mire.rules.conditions["poisoned"].external
    assert with_terms_of_one_s_own(mire, effect) == "Reels about."


@pytest.mark.rule("a5e.external.restrained")
def test_the_restrained_are_listed_with_the_end_and_words_of_one_s_own() -> None:
    mire = Place("swampy", "ada", "brand")
    mire.dice(1)
    mire.does(EndTurn())
    (effect,) = [one for one in mire.encounter.all(Effect) if one.name == "restrained"]
    assert (effect.target, effect.ends.moment, effect.ends.who) == ("ada", "turn-end", "ada")
    assert mire.rules.conditions["restrained"].external
    assert with_terms_of_one_s_own(mire, effect) == "Reels about."
    mire.does(EndTurn())
    mire.passes()
    assert (mire.clock.round, mire.active, "restrained" in mire.effects("ada")) == (2, "ada", True)
    mire.does(EndTurn())
    mire.passes()
    assert effect.id not in {one.id for one in mire.encounter.all(Effect)}


@pytest.mark.rule("a5e.external.grappled")
@pytest.mark.parametrize(("total", "free"), [("12", True), ("11", False)])
def test_an_escape_shows_its_dc_and_the_narrator_names_the_check(total: str, free: bool) -> None:
    table = Wounded()
    table.puts(Effect("hold", "ada", "grappled", value=12, by="orc"))
    table.does(BreakFree("hold"))
    (ask,) = table.asked()
    assert (ask.dc, ask.suggested, ask.rule) == (12, ("str:athletics",), "a5e.external.grappled")
    assert {"str:athletics", "dex:acrobatics", "str", "cha:deception"} <= {option.id for option in ask.options}
    table.chooses("dex:acrobatics")
    (ask,) = table.asked()
    assert (ask.kind, ask.who, ask.dc, ask.detail) == ("roll", "ada", 12, "<check.dex:acrobatics>")
    table.answers(roll=total)
    assert ("grappled" in table.effects("ada")) is not free
    assert [(event.dc, event.passed) for event in table.happened(Rolled)] == [(12, free)]


def test_an_escape_that_nobody_tries_changes_nothing() -> None:
    table = Wounded()
    table.puts(Effect("hold", "ada", "grappled", value=12))
    table.does(BreakFree("hold"))
    table.skips()
    assert ("grappled" in table.effects("ada"), table.track("ada", "action")) == (True, 1)
    table.does(BreakFree("hold"))
    table.chooses("str")
    assert table.track("ada", "action") == 1  # the rules name no cost
    table.does(EndEffect("hold"))
    table.answers(roll="1")
    assert table.effects("ada") == set()


def test_the_dc_of_a_grip_that_has_none_is_asked() -> None:
    table = Wounded()
    table.puts(Effect("hold", "ada", "grappled"), Effect("still", "ada", "stable"))
    table.does(BreakFree("hold"))
    table.answers(dc=12, check="dex:acrobatics")
    (ask,) = table.asked()
    assert ask.dc == 12
    assert table.refuses(BreakFree("still")).key == "refused.no_way_free"


@pytest.mark.rule("a5e.external.suffocation")
def test_suffocation_is_told_each_round_since_when_and_does_nothing_by_itself() -> None:
    cave = Place("cavernous", "ada", "brand")
    cave.comes_to_round(5)
    for _ in range(2):  # disturbed, then brought down
        cave.uses("loose-foundation")
    cave.chooses("ada")
    cave.comes_to_round(7)
    told = [(event.who, event.name, event.since, event.rule) for event in cave.happened(Reminded)]
    assert told == [("ada", "suffocating", 5, "a5e.external.suffocation")] * 2
    assert (cave.one("ada").hp, cave.happened(DamageTaken)) == (20, [])


@pytest.mark.rule("a5e.external.unconscious")
def test_the_unconscious_are_marked_with_words_of_one_s_own() -> None:
    table = Wounded()
    table.fells()
    condition = table.rules.conditions["unconscious"]
    assert (condition.external, "unconscious" in table.effects("ada")) == (True, True)
    assert with_terms_of_one_s_own(table, table.effect("unconscious")) == "Reels about."


def attacked_while_unconscious(scene: Scene | None = None, feet: int = 5) -> Wounded:
    """A table where the orc is about to strike Ada, who lies unconscious so many feet away."""
    table = Wounded(ada=hero("ada", hp=60, ac=12), scene=scene)
    table.does(ApplyCondition(("ada",), "unconscious"))
    if scene is not None:
        table.chooses("no")  # prone as well
    table.does(SetRelation("orc", "ada", distance=feet))
    table.ends_turn(2)
    table.does(Attack("orc", "ada", given=Feature("axe", "Axe", "action", attack=0, reach=feet)))
    return table


@pytest.mark.rule("a5e.external.unconscious")
@pytest.mark.parametrize(("chosen", "dice", "outcome"), [("yes", 2, "critical"), ("no", 1, "hit")])
def test_what_usually_befalls_the_unconscious_is_offered_and_may_be_declined(
    chosen: str, dice: int, outcome: str
) -> None:
    table = attacked_while_unconscious(lax())
    (ask,) = table.asked()
    rule = "a5e.external.unconscious"
    assert (ask.rule, ask.detail, ask.suggested) == (rule, "<condition.unconscious>", (f"always:yes:{rule}",))
    table.dice(15, 4)
    table.chooses(f"{chosen}:{rule}")
    (attacked,) = table.happened(Attacked)
    assert attacked.roll is not None
    assert (attacked.outcome, len(attacked.roll.dice), attacked.roll.natural) == (outcome, dice, 15)


@pytest.mark.rule("a5e.external.unconscious")
def test_played_by_the_letter_the_usual_effects_are_not_asked() -> None:
    table = attacked_while_unconscious()
    assert [ask.label for ask in table.asked()] == ["ask.attack"]
    edges = table.asked()[0].spec.edges  # type: ignore[union-attr]
    assert [(edge.kind, edge.reason) for edge in edges] == [
        ("advantage", "<condition.prone>"),
        ("advantage", "<condition.unconscious>"),
    ]
    for feet, outcome in ((5, "critical"), (10, "hit")):
        near = attacked_while_unconscious(feet=feet)
        near.answers(roll="15")
        assert near.happened(Attacked)[0].outcome == outcome


# Figures that are entered ----------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.external.ability-proficiency")
def test_modifiers_proficiency_and_saves_are_entered() -> None:
    table = Table("ada")
    table.start(ada=10)
    scores = (("str", 8), ("dex", 14), ("con", 16), ("int", 10), ("wis", 12), ("cha", 18))
    saves = (("str", 2), ("dex", 5), ("con", 6), ("int", 3), ("wis", 4), ("cha", 7))
    ada = creature("ada", abilities=scores, saves=saves, proficiency=3)
    table.does(Edit(ada))
    rules, now = table.rules, table.encounter
    totals = {each: sum(one.value for one in save_roll(now, rules, "ada", each).modifiers) for each, _ in saves}
    assert totals == dict(saves)
    checks = {each: sum(one.value for one in check_roll(now, rules, "ada", each).modifiers) for each, _ in saves}
    assert checks == {"str": -1, "dex": 2, "con": 3, "int": 0, "wis": 1, "cha": 4}
    assert now.need(Creature, "ada").proficiency == 3


@pytest.mark.rule("a5e.external.spell-levels")
@pytest.mark.parametrize("face", [9, 12])
def test_a_mirror_asks_for_a_plain_spellcasting_check_and_takes_a_higher_total_entered(face: int) -> None:
    witch = creature("witch", abilities=(("int", 10), ("wis", 12), ("cha", 18)))
    hall = Place("furnished", "ada", witch)
    hall.uses("mirror", actor="ada", targets=("witch",), level=0)
    hall.answers(own="5", theirs=f"{face + 4}" if face == 12 else f"{face}!")
    totals = [event.roll.total for event in hall.happened(Rolled)]
    assert totals == [5, face + 4]
    assert hall.refuses(UseEntry("furnished", "mirror", "ada", ("witch",), level=2)).rule.startswith("a5e.")


@pytest.mark.rule("a5e.external.cold-weather-gear")
@pytest.mark.parametrize(("gear", "dealt"), [(("cold-weather-gear",), 5), ((), 9)])
def test_gear_against_the_cold_is_ticked(gear: tuple[str, ...], dealt: int) -> None:
    pass_ = Place("frigid", creature("ada", gear=gear))
    pass_.uses("cold-chill", 1, *((5,) if gear else (5, 4)), targets=("ada",))
    assert [event.taken for event in pass_.happened(DamageTaken)] == [dealt]
    assert pass_.one("ada").hp == 20 - dealt


@pytest.mark.rule("a5e.external.sound")
@pytest.mark.parametrize(("place", "times"), [("cavernous", 2), ("frigid", 1)])
def test_a_shout_carries_twice_as_far_in_a_cavern(place: str, times: int) -> None:
    assert sound_factor(Place(place, "ada").encounter, "ada") == times


@pytest.mark.rule("a5e.external.rounding")
@pytest.mark.parametrize(("options", "taken"), [((), 4), (("round-up",), 5)])
def test_halves_round_as_the_table_says(options: tuple[str, ...], taken: int) -> None:
    table = Wounded(ada=hero("ada", resistances=("fire",)), scene=lax(options=options))
    table.hurts("9 fire")
    table.does(ApplyDamage(("brand",), "9", share="half"))
    assert [event.taken for event in table.happened(DamageTaken)] == [taken, taken]


@pytest.mark.rule("a5e.external.hazards-hidden")
def test_what_lies_under_the_leaves_is_entered_and_only_the_check_to_see_it_is_there() -> None:
    forest = environment("forested")
    leaves = next(row for row in forest.features if row.id == "fallen-leaves")
    assert leaves.check is not None
    assert (leaves.check.ability, leaves.check.skill, leaves.check.dc) == ("wis", "perception", 12)
    assert (leaves.damage, leaves.save) == ("", None)
    pit = EnvironmentEntry(
        "pit", "Pit", "area", affects="each", save=SavingThrow("dex", 13), damage="2d6 piercing", enabled=True
    )
    wood = Place(forest, "ada", "brand")
    wood.does(Edit(msgspec.structs.replace(forest, features=(*forest.features, pit))))
    wood.uses("fallen-leaves", 12, actor="ada")
    assert [event.who for event in wood.happened(EnvironmentCheckPassed)] == ["ada"]
    wood.uses("pit", 12, 3, 4, targets=("brand",))
    assert (wood.one("brand").hp, wood.happened(Rolled)[-2].dc) == (13, 13)


# Creatures that the rules only name --------------------------------------------------------------------------------


def without_spawns() -> RuleSystem:
    """A5E without the stat blocks that we suggest."""
    return replace(a5e(), data=msgspec.structs.replace(a5e().data, spawns=()))


def blank(id: str, name: str) -> GuestCreature:
    return GuestCreature(id=id, name=name)


@pytest.mark.rule("a5e.external.monster-shadow")
def test_a_shadow_without_a_stat_block_comes_as_a_blank_one_at_20() -> None:
    moor = Place("hazy", "ada", rules=without_spawns())
    moor.uses("shadow-puppet", 1)
    shadow = moor.one("shadow")
    assert (shadow.label, shadow.initiative) == ("Shadow", 20)
    assert creature_of(moor.encounter, shadow) == blank("shadow", "Shadow")
    moor.does(Add((creature("shadow", ac=12, hp=16),)))
    assert creature_of(moor.encounter, shadow).ac == 12


@pytest.mark.rule("a5e.external.monster-swarm-of-insects")
def test_a_swarm_without_a_stat_block_comes_as_a_blank_one_and_asks_its_initiative() -> None:
    mire = Place("swampy", "ada", rules=without_spawns())
    mire.uses("leeches")
    swarm = mire.one("swarm-of-insects")
    assert creature_of(mire.encounter, swarm) == blank("swarm-of-insects", "Leech swarm (swarm of insects)")
    asked = [ask for prompt in mire.prompts for ask in prompt.asks if ask.who == "swarm-of-insects"]
    assert [(ask.label, ask.spec.dice) for ask in asked] == [("ask.initiative", "1d20")]  # type: ignore[union-attr]


@pytest.mark.rule("a5e.external.monster-shadow", "a5e.external.monster-swarm-of-insects")
@pytest.mark.parametrize("id", ["shadow", "swarm-of-insects"])
def test_the_stat_blocks_that_we_ship_are_suggestions_beside_one_s_own(id: str) -> None:
    own = creature(id, hp=33)
    moor = Place("hazy" if id == "shadow" else "swampy", "ada", own)
    moor.uses("shadow-puppet" if id == "shadow" else "leeches", 1, 1)
    assert {one.hp_max for one in moor.encounter.all(type(moor.one(id))) if one.creature == id} == {33}
