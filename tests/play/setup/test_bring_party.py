"""A party from the library comes in with one step, and coming again brings nobody twice."""

from __future__ import annotations

from msgspec.structs import replace

from tests.table import Table, creature
from turnwright.encounter.prepared import Creature, Party, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.setup.roster import BringParty

ANN = RosterEntry("ann", "ann", side="party", player="Kim", level=3)
OX = RosterEntry("ox", "ox", side="party", controller="ann")
PARTY = Party("four", "The four", (creature("ann", ac=15), creature("ox")), (ANN, OX))


def roster(table: Table) -> list[RosterEntry]:
    return list(table.encounter.all(RosterEntry))


def test_a_party_comes_in_with_stat_blocks_and_roster_in_one_step() -> None:
    table = Table("orc", foes=["orc"])
    before = table.encounter
    table.does(BringParty(PARTY))
    assert roster(table)[1:] == [ANN, OX]
    assert table.encounter.need(Creature, "ann").ac == 15
    table.session.undo()
    assert table.encounter == before


def test_coming_again_brings_nobody_twice_and_takes_over_new_figures() -> None:
    table = Table("orc", foes=["orc"])
    table.does(BringParty(PARTY))
    table.does(Edit(replace(ANN, positions=((3, 4),), side="heroes", wave="late")))
    older = table.encounter
    table.does(BringParty(PARTY))
    assert table.encounter == older
    grown = Party("four", "The four", (creature("ann", ac=17), creature("ox")), (replace(ANN, level=4), OX))
    table.does(BringParty(grown))
    assert roster(table)[1] == replace(ANN, level=4, positions=((3, 4),), side="heroes", wave="late")
    assert table.encounter.need(Creature, "ann").ac == 17
    assert len(roster(table)) == 3
    assert len(list(table.encounter.all(Creature))) == 3


def test_the_same_player_and_name_are_the_same_whatever_the_id() -> None:
    table = Table("orc", foes=["orc"])
    table.does(BringParty(PARTY))
    other = Party("x", "X", (creature("ann-2", name="Ann", ac=18),), (replace(ANN, id="hero", creature="ann-2"),))
    table.does(BringParty(other))
    assert [entry.id for entry in roster(table)] == ["orc", "ann", "ox"]
    assert table.encounter.need(Creature, "ann").ac == 18


def test_somebody_else_with_the_same_id_stays_who_they_are() -> None:
    table = Table(creature("ann", name="Anton"), "orc", foes=["orc", "ann"])
    table.does(BringParty(PARTY))
    assert [(entry.id, entry.creature) for entry in roster(table)] == [
        ("ann", "ann"),
        ("orc", "orc"),
        ("ann-2", "ann-2"),
        ("ox", "ox"),
    ]
    assert table.encounter.need(Creature, "ann").name == "Anton"
    assert roster(table)[3].controller == "ann-2"


def test_a_stat_block_that_others_use_is_left_to_them() -> None:
    table = Table(creature("ann"), "orc", foes=["orc"], roster=[replace(ANN, id="ann"), RosterEntry("twin", "ann")])
    table.does(BringParty(PARTY))
    assert table.encounter.need(Creature, "ann").ac == 10
    assert table.encounter.need(RosterEntry, "ann").creature == "ann-2"
    assert table.encounter.need(Creature, "ann-2").ac == 15


def test_while_a_fight_runs_newcomers_join_it() -> None:
    table = Table("orc", "bo", foes=["orc"])
    table.start(orc=10, bo=5)
    table.dice(12, 7)
    table.does(BringParty(PARTY))
    assert {one.id for one in table.encounter.all(Combatant)} == {"orc", "bo", "ann", "ox"}
    assert table.order[0] == "ann"
    table.does(BringParty(PARTY))
    assert len(list(table.encounter.all(Combatant))) == 4


def test_in_set_up_they_roll_with_the_others() -> None:
    table = Table("orc", foes=["orc"])
    table.does(StartEncounter())
    table.does(BringParty(PARTY))
    assert table.prompts == []
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    assert "ann" in {ask.who for ask in table.prompt.asks}
