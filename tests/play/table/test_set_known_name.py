"""Names that players know: of a kind or of one alone, their own or another."""

from __future__ import annotations

from tests.table import Table
from turnwright.encounter.running import Combatant, KnownName
from turnwright.play.table.combatants import SetKnownName
from turnwright.players.showing import Showing, with_known_names
from turnwright.players.visibility import shown_name


def name_of(table: Table, who: str) -> str:
    showing = with_known_names(table.encounter, Showing())
    return shown_name(table.encounter.need(Combatant, who), showing)


def test_players_know_a_kind_by_its_name_from_then_on_until_it_is_undone():
    table = Table("ann", "gob", foes=("gob",))
    table.start(ann=20, gob=10)
    assert (name_of(table, "ann"), name_of(table, "gob")) == ("Ann", "")
    table.does(SetKnownName(("gob",)))
    assert name_of(table, "gob") == "Gob"
    assert [one.id for one in table.encounter.all(KnownName)] == ["all.gob"]
    table.session.undo()
    assert name_of(table, "gob") == ""


def test_a_false_name_is_for_one_alone_where_it_is_said_so():
    table = Table("ann", "gob", foes=("gob",))
    table.start(ann=20, gob=10)
    table.does(SetKnownName(("gob",), " the pale lady ", alone=True))
    assert name_of(table, "gob") == "the pale lady"
    assert [one.id for one in table.encounter.all(KnownName)] == ["gob"]
    table.does(SetKnownName(("gob",)))
    assert name_of(table, "gob") == "the pale lady"
    table.does(SetKnownName(("gob",), forget=True))
    assert (name_of(table, "gob"), list(table.encounter.all(KnownName))) == ("", [])
