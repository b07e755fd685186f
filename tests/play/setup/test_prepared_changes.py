"""What is edited in Prepare after a fight was started: followed while it is set up, taken over on request later."""

import msgspec

from tests.table import Table, creature, pf2e
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_changes import TakeOverPrepared, edited_in_fight
from turnwright.play.setup.prepared_records import Add, Edit, Remove
from turnwright.play.turn_order.surprise import SetInitiative


def boars(table: Table) -> list[Combatant]:
    return [one for one in table.encounter.all(Combatant) if one.roster == "boar"]


def edits(table: Table, **fields: object) -> None:
    entry = table.encounter.need(RosterEntry, "boar")
    table.does(Edit(msgspec.structs.replace(entry, **fields)))


def edited(table: Table) -> list[str]:
    found = list(edited_in_fight(table.encounter, table.session.history.applied))
    return [field for entry, fields in found if entry.id == "boar" for field in fields]


def pen() -> Table:
    return Table("ann", creature("boar", level=2), foes=["boar"], rules=pf2e())


def test_a_fight_that_is_set_up_follows_each_edit() -> None:
    table = pen()
    table.does(StartEncounter())
    table.does(SetInitiative((("boar", 12),)))
    (boar,) = boars(table)
    edits(table, adjustment="elite", ac=19, name="Gnasher", hidden=True)
    (after,) = boars(table)
    assert (after.id, after.label, after.ac, after.hidden) == (boar.id, "Gnasher", 19, True)
    assert after.hp == after.hp_max > boar.hp_max
    assert [effect.name for effect in table.encounter.all(Effect)] == ["elite"]
    edits(table, adjustment="weak")
    assert [effect.name for effect in table.encounter.all(Effect)] == ["weak"]
    table.session.undo()
    table.session.undo()
    assert boars(table) == [boar]
    table.does(Edit(msgspec.structs.replace(table.encounter.need(Creature, "boar"), hp=33)))
    assert [(one.hp, one.hp_max) for one in boars(table)] == [(33, 33)]
    assert table.encounter.need(Combatant, "ann").hp == 20


def test_combatants_come_and_go_with_their_entries_while_it_is_set_up() -> None:
    table = pen()
    table.does(StartEncounter())
    edits(table, count=3)
    assert len(boars(table)) == len({one.label for one in boars(table)}) == 3
    edits(table, count=2)
    assert len(boars(table)) == 2
    table.does(Add((RosterEntry("late", "boar", wave="late"), RosterEntry("sow", "boar", "Sow"))))
    assert [one.label for one in table.encounter.all(Combatant) if one.roster in ("late", "sow")] == ["Sow"]
    table.does(Remove((("roster", "boar"),)))
    assert not boars(table)


def test_a_fight_that_goes_on_takes_over_what_is_asked_for_and_keeps_its_damage() -> None:
    table = pen()
    table.start(ann=20, boar=10)
    table.does(SetHitPoints("boar", hp=11))
    (boar,) = boars(table)
    edits(table, adjustment="elite", side="party", count=2)
    assert boars(table) == [boar]
    assert edited(table) == ["adjustment", "side"]
    table.does(Edit(msgspec.structs.replace(table.encounter.need(Creature, "boar"), hp=30)))
    assert edited(table) == ["hp", "adjustment", "side"]
    table.session.undo()
    ((before, _),) = edited_in_fight(table.encounter, table.session.history.applied)
    table.does(TakeOverPrepared((before,)))
    assert edited(table) == []
    (after,) = boars(table)
    assert (after.side, after.hp_max - after.hp) == ("party", boar.hp_max - 11)
    assert after.hp_max > boar.hp_max
    table.session.undo()
    assert boars(table) == [boar]
    assert edited(table) == ["adjustment", "side"]


def test_a_fight_that_is_over_is_not_changed() -> None:
    table = pen()
    entry = table.encounter.need(RosterEntry, "boar")
    assert table.refuses(TakeOverPrepared((entry,))).key == "refused.not_running"
