"""Hit points, conditions and surroundings by the rules of 2024."""

from __future__ import annotations

import pytest

from tests.systems.dnd5e.fights import STRONG, SWORD
from tests.systems.dnd5e_2024.newer import NewFight, duel
from tests.table import creature, dnd5e_2024
from turnwright.encounter.prepared import Feature, Scene
from turnwright.play.actions.action import TakeAction
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, Rest, SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.system import HookContext

EXTERNAL = "dnd5e-2024.external."
HERO = creature("ann", features=(SWORD,), abilities=STRONG, proficiency=2, tags=("player character",))


def knocked_out() -> NewFight:
    """An orc that Ann has knocked out."""
    table = NewFight(HERO, creature("orc", ac=15, hp=5), foes=("orc",)).puts(ann=(1, 1), orc=(2, 1))
    table.strikes("ann", "orc", "longsword", 15, 6)
    assert table.prompt.asks[0].rule == EXTERNAL + "knock_out"
    table.chooses("knock-out")
    return table


@pytest.mark.rule(EXTERNAL + "knock_out")
def test_the_knocked_out_keep_1_hit_point() -> None:
    table = knocked_out()
    assert (table.one("orc").hp, table.one("orc").dead) == (1, False)
    assert table.effects("orc") >= {"unconscious"}


@pytest.mark.rule(EXTERNAL + "wake")
def test_healing_or_first_aid_wakes_the_knocked_out() -> None:
    table = knocked_out()
    table.does(Heal(("orc",), 3))
    assert (table.one("orc").hp, "unconscious" in table.effects("orc")) == (4, False)
    table = knocked_out()
    table.does(Rest("short"))
    assert (table.one("orc").hp, "unconscious" in table.effects("orc")) == (1, False)
    for face, wakes in ((9, False), (10, True)):
        table = knocked_out()
        table.ends_turn(2)
        table.dice(face)
        table.does(TakeAction("ann", "stabilize", targets=("orc",)))
        assert (table.one("orc").hp, "unconscious" in table.effects("orc")) == (1, not wakes)


@pytest.mark.rule(EXTERNAL + "bloodied")
@pytest.mark.parametrize(("hp", "bloodied"), [(8, False), (7, True)])
def test_half_of_the_hit_points_is_bloodied(hp: int, bloodied: bool) -> None:
    table = duel(orc={"hp": 15})
    table.does(SetHitPoints("orc", hp=hp))
    assert evaluate(table.encounter, table.rules, "orc", "bloodied", HookContext("orc", "turn")) is bloodied


@pytest.mark.rule(EXTERNAL + "burning")
def test_the_burning_take_1d4_at_the_start_of_their_turns_until_doused() -> None:
    table = duel()
    table.does(ApplyCondition(("orc",), "burning"))
    table.dice(3)
    table.ends_turn()
    assert (table.active, table.lost("orc")) == ("orc", 3)
    table.does(TakeAction("orc", "douse"))
    assert table.effects("orc") & {"burning", "prone"} == {"prone"}
    assert table.refuses(TakeAction("ann", "douse")) is not None
    table.ends_turn(2)
    assert table.lost("orc") == 3


@pytest.mark.rule(EXTERNAL + "conditions", EXTERNAL + "long_rest")
@pytest.mark.parametrize(("level", "penalty", "feet"), [(1, -2, 25), (3, -6, 15), (6, -12, 0)])
def test_exhaustion_counts_each_level_and_falls_by_one(level: int, penalty: int, feet: int) -> None:
    table = NewFight(HERO, "orc", foes=("orc",), field=None)
    table.does(ApplyCondition(("ann",), "exhaustion", level))
    roll = save_roll(table.encounter, table.rules, "ann", "wis")
    assert (sum(modifier.value for modifier in roll.modifiers), table.feet("ann")) == (penalty, feet)
    assert table.one("ann").dead is (level == 6)
    if level == 3:
        table.does(Rest("long"))
        assert table.track("ann", "exhaustion") == 2


@pytest.mark.rule(EXTERNAL + "conditions")
def test_the_stunned_keep_their_speed_and_the_petrified_are_not_poisoned() -> None:
    table = duel()
    table.does(ApplyCondition(("orc",), "stunned"))
    assert [kind for kind, _ in table.edges("ann", "orc", "longsword")] == ["advantage"]
    table.ends_turn()
    assert (table.feet("orc"), bool(table.offers("orc")["dash"].refused)) == (30, True)
    stone = duel()
    stone.does(ApplyCondition(("orc",), "petrified"))
    stone.does(ApplyCondition(("orc",), "poisoned"))
    stone.does(ApplyDamage(("orc",), "9 fire"))
    assert ("poisoned" in stone.effects("orc"), stone.lost("orc"), stone.feet("orc")) == (False, 4, 0)


@pytest.mark.rule(EXTERNAL + "falling")
def test_a_fall_into_water_may_be_halved() -> None:
    (falling,) = [one for one in dnd5e_2024().data.conditions if one.id == "falling"]
    assert "DC 15" in falling.text
    assert EXTERNAL + "falling" in falling.ledger


@pytest.mark.rule(EXTERNAL + "underwater_piercing")
@pytest.mark.parametrize(("id", "edges"), [("rapier", []), ("war-pick", []), ("longsword", ["disadvantage"])])
def test_piercing_weapons_are_exempt_under_water(id: str, edges: list[str]) -> None:
    blade = Feature(id, id, "action", ability="str", damage="1d8 piercing", properties=("weapon",))
    table = duel(blade, scene=Scene(strictness="enforce", suspended=("water",)))
    assert [each for each, _ in table.edges("ann", "orc", id)] == edges


def test_no_condition_of_2024_is_a_suggestion() -> None:
    assert dnd5e_2024().external_rules == frozenset()


def test_nobody_squeezes() -> None:
    data = dnd5e_2024().data
    assert "squeezing" not in {one.id for one in data.conditions}
    assert (data.places.squeezing, dict(data.movement.extra)) == (0, {"climb": 1, "swim": 1, "crawl": 1, "drag": 1})
