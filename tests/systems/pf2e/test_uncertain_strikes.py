"""Flat checks before attacks, what a hit deals at least, traits of weapons, and what features leave by degree."""

from __future__ import annotations

import pytest

from tests.systems.pf2e.frays import BREATH, SWORD, Bout, duel
from turnwright.encounter.prepared import Feature, InflictedCondition, Scene
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import Answer
from turnwright.play.attacks.attack_request import Attacked
from turnwright.play.state.events import Rolled

PICK = Feature("pick", "Pick", "action", attack=7, damage="1d6+4 piercing", properties=("weapon", "fatal-d10"))
BOW = Feature("bow", "Bow", "action", attack=7, damage="1d6 piercing", properties=("weapon", "deadly-d10"))
FEEBLE = Feature("stick", "Stick", "action", attack=7, damage="1d4 bludgeoning", properties=("weapon",))


def flats(table: Bout) -> list[tuple[int, bool | None]]:
    """The flat checks rolled: what each was held against, and whether it was made."""
    return [(one.dc, one.passed) for one in table.happened(Rolled) if one.purpose == "ask.flat_check"]


@pytest.mark.parametrize(
    ("condition", "on", "dc"),
    [("concealed", "orc", 5), ("dazzled", "ann", 5), ("hidden", "orc", 11), ("invisible", "orc", 11)],
)
def test_a_flat_check_comes_before_an_attack_on_what_is_hard_to_see(condition: str, on: str, dc: int) -> None:
    missed = duel()
    missed.puts_on(on, condition)
    struck = missed.strikes("ann", "orc", "longsword", dc - 1)
    assert struck is not None
    assert (struck.outcome, flats(missed), missed.prompts) == ("miss", [(dc, False)], [])
    assert missed.value("ann", "attacks-made") == 1
    found = duel()
    found.puts_on(on, condition)
    found.strikes("ann", "orc", "longsword", dc, 10, 5)
    assert (found.last.outcome, flats(found), found.lost("orc")) == ("hit", [(dc, True)], 9)


def test_the_harder_of_two_flat_checks_is_made_once() -> None:
    table = duel()
    table.puts_on("orc", "concealed")
    table.puts_on("orc", "hidden")
    table.strikes("ann", "orc", "longsword", 11, 10, 5)
    assert flats(table) == [(11, True)]


def test_no_flat_check_without_a_reason() -> None:
    table = duel()
    table.strikes("ann", "orc", "longsword", 10, 5)
    assert flats(table) == []


def test_a_flat_check_passed_over_was_not_needed() -> None:
    table = duel(scene=Scene(system="pf2e", strictness="warn"))
    table.puts_on("orc", "concealed")
    table.strikes("ann", "orc", "longsword")
    assert [one.label for one in table.prompt.asks] == ["ask.flat_check"]
    prompt = table.prompt
    table.does(Answer(prompt.id, (Reply("flat", skip=True),), prompt.revision))
    table.dice(10, 5)
    assert (table.last.outcome, flats(table)) == ("hit", [])


# Damage ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("enfeebled", "face", "lost"), [(0, 3, 3), (2, 3, 1), (3, 3, 1), (4, 1, 1)])
def test_a_hit_deals_one_at_least(enfeebled: int, face: int, lost: int) -> None:
    table = duel(FEEBLE)
    if enfeebled:
        table.puts_on("ann", "enfeebled", enfeebled)
    table.strikes("ann", "orc", "stick", 14, face)
    assert table.lost("orc") == lost


def test_a_deadly_weapon_throws_a_die_besides_on_a_critical_hit() -> None:
    table = duel(BOW)
    table.strikes("ann", "orc", "bow", 19, 4, 7)
    assert (table.last.outcome, table.lost("orc")) == ("critical", 4 * 2 + 7)
    plain = duel(BOW)
    plain.strikes("ann", "orc", "bow", 10, 4)
    assert (plain.last.outcome, plain.lost("orc")) == ("hit", 4)


def test_a_fatal_weapon_has_larger_dice_and_one_more_on_a_critical_hit() -> None:
    table = duel(PICK)
    table.strikes("ann", "orc", "pick", 19, 9, 8)
    (damage,) = [one for one in table.happened(Rolled) if one.purpose == "ask.damage"]
    assert [die.sides for die in damage.roll.dice] == [10]
    assert table.lost("orc") == (9 + 4) * 2 + 8
    plain = duel(PICK)
    plain.strikes("ann", "orc", "pick", 10, 5)
    (damage,) = [one for one in plain.happened(Rolled) if one.purpose == "ask.damage"]
    assert ([die.sides for die in damage.roll.dice], plain.lost("orc")) == ([6], 9)


def test_resistance_counts_once_against_both() -> None:
    table = duel(BOW, orc={"resistances": ("piercing 5",)})
    table.strikes("ann", "orc", "bow", 19, 4, 7)
    assert table.lost("orc") == 4 * 2 + 7 - 5


def test_other_weapons_throw_nothing_besides() -> None:
    table = duel(SWORD)
    table.strikes("ann", "orc", "longsword", 19, 4)
    assert table.lost("orc") == 16


# What features leave -----------------------------------------------------------------------------------------------

FEAR = Feature(
    "fear",
    "Fear",
    "action",
    save="wis",
    dc=20,
    afflictions=(
        InflictedCondition("frightened", value=1, degree="success"),
        InflictedCondition("frightened", value=2, degree="failure"),
        InflictedCondition("frightened", value=3, degree="critical-failure"),
        InflictedCondition("fleeing", degree="critical-failure"),
    ),
)


@pytest.mark.parametrize(
    ("face", "frightened", "flees"), [(19, 1, False), (14, 2, False), (5, 3, True), (20, 0, False)]
)
def test_a_feature_leaves_what_the_degree_of_the_save_says(face: int, frightened: int, flees: bool) -> None:
    table = duel(FEAR, orc={"saves": (("wis", 5),)})
    table.dice(face)
    table.does(UseFeature("ann", "fear", targets=("orc",)))
    assert (table.value("orc", "frightened"), "fleeing" in table.effects("orc")) == (frightened, flees)


@pytest.mark.parametrize(("face", "prone", "slowed"), [(10, True, 0), (19, True, 1)])
def test_a_strike_leaves_what_its_degree_says(face: int, prone: bool, slowed: int) -> None:
    left = (InflictedCondition("prone"), InflictedCondition("slowed", value=1, degree="critical-success"))
    maul = Feature("maul", "Maul", "action", attack=7, damage="1d6 bludgeoning", afflictions=left)
    table = duel(maul)
    table.strikes("ann", "orc", "maul", face, 3)
    assert ("prone" in table.effects("orc"), table.value("orc", "slowed")) == (prone, slowed)


@pytest.mark.parametrize(("face", "prone"), [(19, False), (14, True), (5, True)])
def test_what_names_no_degree_befalls_whoever_fails(face: int, prone: bool) -> None:
    breath = Feature(
        "gust",
        "Gust",
        "action",
        damage="1d4 cold",
        save="dex",
        dc=20,
        half=True,
        afflictions=(InflictedCondition("prone"),),
    )
    table = duel(breath, orc={"saves": (("dex", 5),)})
    table.dice(face, 2)
    table.does(UseFeature("ann", "gust", targets=("orc",)))
    assert ("prone" in table.effects("orc"), BREATH.half) == (prone, True)


def test_a_miss_leaves_nothing() -> None:
    table = duel(SWORD)
    table.strikes("ann", "orc", "longsword", 3)
    assert [one.outcome for one in table.happened(Attacked)] == ["miss"]
