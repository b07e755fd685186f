"""What becomes of an open question when whoever it hangs on has gone, or when nobody wants to answer it."""

from __future__ import annotations

import msgspec
import pytest

from tests.play.attack_table import Fray
from tests.play.dying_table import Wounded
from tests.table import Table, creature, pf2e
from turnwright.encounter.prepared import Feature, InflictedCondition, Scene
from turnwright.encounter.procedure_state import Procedure
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import DismissPrompt
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.transaction import Command
from turnwright.play.queries import queries
from turnwright.play.state.events import ActionTaken, DamageTaken, Skipped
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import CallForChecks
from turnwright.play.turns.turns import RemoveCombatant

STING = Feature(
    "sting", "Sting", "action", attack=5, reach=5, damage="1d4 piercing", save="con", dc=12,
    afflictions=(InflictedCondition("poisoned"),),
)  # fmt: skip


def pair(**t: int) -> Table:
    """A and foe T, of whom no stat block says how hard they are to get past or to hide from; A's turn."""
    table = Table("a", creature("t", **t), foes=("t",))
    table.start(a=20, t=10)
    table.does(SetDice("ask"))
    return table


def is_over(table: Table) -> bool:
    """Whether nothing is asked and nothing under way."""
    return not table.prompts and not [*table.encounter.all(Procedure)]


def test_an_action_is_given_up_where_nobody_says_what_it_costs() -> None:
    table = pair()
    table.does(TakeAction("a", "tumble", targets=("t",)))
    assert [asked.id for asked in table.prompt.asks] == ["cost"]
    table.skips()
    assert is_over(table)
    assert (table.happened(ActionTaken), [event.purpose for event in table.happened(Skipped)]) == ([], ["ask.action"])


@pytest.mark.parametrize("how", ["gone", "helpless"])
def test_an_action_that_can_no_longer_be_done_is_put_aside(how: str) -> None:
    table = pair()
    table.does(TakeAction("a", "tumble", targets=("t",)))
    table.does(RemoveCombatant("t") if how == "gone" else ApplyCondition(("a",), "incapacitated"))
    table.does(DismissPrompt(table.prompt.id))
    assert is_over(table)
    assert table.track("a", "action") == table.track("a", "bonus") == 1


def test_whether_a_foe_lets_one_through_is_asked_once() -> None:
    table = pair()
    table.does(TakeAction("a", "tumble", targets=("t",), cost="action"))
    asked = []
    while table.prompts and len(asked) < 5:
        asked.append(table.prompt.asks[0].id)
        table.skips()
    assert asked == ["let.t", "figure.t", "roll"]
    assert is_over(table)


def test_nothing_is_told_of_what_was_asked_of_a_combatant_long_gone() -> None:
    rocks = Feature("rocks", "Falling rocks", "action", damage="2d6", save="dex", dc=12, area="sphere 10")
    table = Table(creature("a", features=(rocks,)), "b", "c", foes=("b", "c"))
    table.start(a=20, b=15, c=10)
    table.does(SetDice("ask"))
    table.does(UseFeature("a", "rocks", targets=("b", "c")))
    table.does(RemoveCombatant("b"))
    table.answers(c="12")
    named = [dict(line.phrase.params).get("who") for line in table.session.journal()]
    assert "b" not in named


def test_what_was_asked_of_somebody_who_dies_is_withdrawn() -> None:
    tail = Feature("tail", "Tail", "legendary", attack=5, reach=5, damage="1d6")
    drake = creature("drake", features=(tail,), legendary=3)
    table = Table("a", drake, foes=("drake",))
    table.start(a=20, drake=10)
    table.does(SetDice("ask"))
    table.ends_turn()
    assert table.prompt.title == "prompt.legendary"
    table.does(ApplyDamage(("drake",), "60"))
    assert table.one("drake").dead
    assert is_over(table)
    assert (table.clock.round, table.active) == (2, "a")


@pytest.mark.parametrize("how", [None, SetDead("t"), Heal(("t",), 5), RemoveCombatant("t")])
def test_what_zero_hit_points_mean_is_not_asked_of_the_dead_or_healed(how: Command | None) -> None:
    table = Table("a", "t", foes=("t",), rules=pf2e(), scene=Scene(system="pf2e", strictness="warn"))
    table.start(a=20, t=10)
    for _ in range(2):
        table.does(ApplyDamage(("t",), "50 slashing"))
    assert [prompt.title for prompt in table.prompts] == ["prompt.at_zero"] * 2
    if how is None:
        table.chooses("dies")
    else:
        table.does(how)
    assert table.prompts == []


def test_what_was_asked_of_others_stays() -> None:
    table = pair()
    table.does(CallForChecks(("a", "t"), "dex:stealth"))
    table.does(ApplyDamage(("t",), "60"))
    assert table.one("t").dead
    assert [asked.who for asked in queries.waiting_asks(table.prompt)] == ["a"]


def test_a_death_save_stays_where_another_comes_round() -> None:
    table = Wounded()
    for who in ("ada", "brand"):
        table.fells(who)
    table.comes_to_turn_of("ada")
    table.does(Heal(("brand",), 3))
    assert [asked.who for asked in queries.waiting_asks(table.prompt)] == ["ada"]


def test_hiding_is_over_for_somebody_who_has_gone() -> None:
    table = Table("a", "t", foes=("t",))
    table.start(a=20, t=10)
    table.does(TakeAction("a", "hide", targets=("t",)))
    assert [asked.who for asked in table.prompt.asks] == ["t"]
    table.does(RemoveCombatant("a"))
    table.skips()
    assert is_over(table)


@pytest.mark.parametrize("gone", ["ann", "orc"])
def test_a_critical_hit_is_over_where_either_side_has_gone(gone: str) -> None:
    spray = msgspec.structs.replace(STING, half=True)
    table = Fray("ann", creature("orc", gear=("shield",)), foes=("orc",)).puts(ann=(1, 1), orc=(2, 1))
    table.strikes("ann", "orc", "", 20, 4, given=spray)
    assert table.prompt.asks[0].id == "block"
    table.does(RemoveCombatant(gone))
    while table.prompts:
        table.skips()
    assert is_over(table)
    assert table.happened(DamageTaken) == []


def test_the_save_after_a_hit_is_made_though_its_attacker_has_gone() -> None:
    table = Fray("ann", creature("orc", hp=30), foes=("orc",)).puts(ann=(1, 1), orc=(2, 1))
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", given=STING))
    table.answers(roll="15")
    table.does(RemoveCombatant("ann"))
    assert [asked.label for prompt in table.prompts for asked in queries.waiting_asks(prompt)] == ["ask.save"]
    table.answers(save="5")
    assert "poisoned" in table.effects("orc")
