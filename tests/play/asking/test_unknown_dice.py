"""Dice that nobody knows: what depends on them is asked instead, and the fight goes on from the answer."""

from __future__ import annotations

from tests.table import Table, creature, environment
from turnwright.encounter.running import Combatant
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.environment.entry_readiness import RechargeRolled
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.queries import queries
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.state.events import DamageTaken, Rolled
from turnwright.play.table.game_master import SetDice


def at_table() -> Table:
    """Ada and Bo in round 1 among bubbling fire, everything typed."""
    table = Table(creature("ada"), creature("bo"), surroundings=[environment("fiery")])
    table.start(ada=15, bo=10)
    for _ in list(table.prompts):
        table.skips()
    while table.prompts:
        table.skips()
    table.does(SetDice("ask"))
    return table


def test_a_save_with_unknown_dice_asks_whether_it_was_made() -> None:
    for said, hurt in (("made", False), ("failed", True)):
        table = at_table()
        table.does(UseEntry("fiery", "flame-burst", targets=("ada",)))
        table.answers(ada="?")
        (ask,) = queries.waiting_asks(table.prompt)
        assert (ask.kind, [option.id for option in ask.options]) == ("choice", ["made", "failed"])
        table.answers(ada=said)
        assert table.happened(Rolled)[-1].passed is not hurt
        assert table.prompt.title == ("prompt.damage" if hurt else "prompt.recharge")


def test_damage_with_unknown_dice_asks_the_total() -> None:
    table = at_table()
    table.does(ApplyDamage(("ada",), "2d6+3 fire"))
    table.answers(damage="?")
    (ask,) = queries.waiting_asks(table.prompt)
    assert ask.kind == "number"
    table.answers(damage=8)
    assert table.happened(DamageTaken)[-1].dealt == (("fire", 8),)
    assert table.one("ada").hp == 12


def test_an_unknown_recharge_asks_whether_the_action_is_back() -> None:
    for said, ready in (("made", True), ("failed", False)):
        table = at_table()
        table.does(UseEntry("fiery", "flame-burst", targets=("ada",)))
        table.answers(ada="12")
        table.answers(fiery__flame_burst="?")
        table.answers(fiery__flame_burst=said)
        assert table.row("fiery", "flame-burst").ready is ready
        assert table.happened(RechargeRolled)[-1].face == 0


def test_unknown_initiative_asks_the_total() -> None:
    table = Table("ada", "bo")
    table.does(SetDice("ask"))
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup(), AdvanceSetup()):
        table.does(command)
    table.answers(ada="?", bo="10")
    table.answers(ada=14)
    assert table.order == ["ada", "bo"]


def test_initiative_is_an_ability_check_that_poison_hinders() -> None:
    table = Table("ada", "bo")
    table.does(StartEncounter())
    table.does(ApplyCondition(("ada",), "poisoned"))
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    table.dice(18, 4, 9)
    table.does(AdvanceSetup())
    assert [table.encounter.need(Combatant, who).initiative for who in ("ada", "bo")] == [4, 9]
