"""Groups that act as one: one roll, one slot, one attack."""

from __future__ import annotations

from tests.table import Table, creature
from turnwright.encounter.prepared import Feature, RosterEntry
from turnwright.play.attacks.group_attack import GroupAttack
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.turn_order.surprise import RollInitiative

BITE = Feature("bite", "Bite", "action", attack=4, reach=5, damage="1d4 piercing")


def test_a_group_without_a_controller_rolls_once_and_acts_on_its_own_turn() -> None:
    pack = creature("rat", features=(BITE,))
    table = Table("ada", pack, roster=[RosterEntry("rat", "rat", count=3, side="enemies", group=True)])
    table.does(StartEncounter())
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    table.does(RollInitiative())
    assert sorted(ask.who for ask in table.prompt.asks) == ["ada", "rat-1"]
    table.answers(ada="5", rat_1="15")
    while table.clock.phase != "rounds":
        table.does(AdvanceSetup())
    assert (table.order, table.active) == (["rat-1", "rat-2", "rat-3", "ada"], "rat-1")
    table.does(GroupAttack(("rat-1", "rat-2", "rat-3"), "ada", "bite"))
    assert [ask.who for ask in table.prompt.asks] == ["ada"]
