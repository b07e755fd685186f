"""The sheet of a fight that goes on: hit points, whose turn it is, places in the order, uses and pools as they stand."""

from __future__ import annotations

import pytest

from tests.automatic import suggested_answer
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.running import Combatant, CountdownPool, Slot
from turnwright.encounter.state import active_slot, clock_of, scene_of
from turnwright.forecast import sheet
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.queries.queries import open_prompts
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndTurn
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.fight_forecast import begun_copy

SYSTEMS = RuleSystems()
FILES = {file.stem: file for file in sample_encounters()}


def in_rounds(name: str, turns: int) -> Session:
    loaded = read_encounter(FILES[name], SYSTEMS.ids).encounter
    assert loaded is not None
    session = Session(loaded, SYSTEMS.get(scene_of(loaded).system))
    session.do(SetDice("roll", seed=5))
    session.do(StartEncounter())
    done = 0
    while done < turns or clock_of(session.encounter).phase == "set-up":
        waiting = open_prompts(session.encounter)
        if waiting:
            session.do(suggested_answer(waiting[0]))
        elif clock_of(session.encounter).phase == "set-up":
            session.do(AdvanceSetup())
        else:
            session.do(EndTurn(), override=True)
            done += 1
    return session


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", sorted(FILES))
def test_before_a_fight_the_places_in_the_order_are_those_it_will_have(name: str):
    """Those who roll together have one count and turns of their own."""
    loaded = read_encounter(FILES[name], SYSTEMS.ids).encounter
    assert loaded is not None
    rules = SYSTEMS.get(scene_of(loaded).system)
    copy = begun_copy(loaded, rules)
    built, legend = build_sheet(copy.encounter, rules, copy.waiting)
    begun = in_rounds(name, 0).encounter
    foreseen = dict.fromkeys(range(len(built.slots)), ())
    for who, row in zip(legend.combatants, built.combatants, strict=True):
        if any(who in slot.members for slot in begun.all(Slot)):
            foreseen[int(row[sheet.FighterRow.slot])] += (who,)
    places = [members for members in foreseen.values() if members]
    assert sorted(places) == sorted(slot.members for slot in begun.all(Slot))
    counts = {who: slot.count for slot in begun.all(Slot) for who in slot.members}
    for number, members in foreseen.items():
        if members and built.slots[number][sheet.SlotRow.shared]:
            assert counts[members[0]] == counts[foreseen[number - 1][0]]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", sorted(FILES))
def test_a_fight_under_way_is_laid_out_as_it_stands(name: str):
    session = in_rounds(name, 7)
    hurt = next(one.id for one in session.encounter.all(Combatant) if one.player)
    session.do(ApplyDamage((hurt,), "3"))
    copy = begun_copy(session.encounter, session.rules)
    built, legend = build_sheet(copy.encounter, session.rules, copy.waiting)
    clock, encounter = clock_of(session.encounter), session.encounter
    assert built.round == clock.round
    for row, who in zip(built.combatants, legend.combatants, strict=True):
        one = copy.encounter.need(Combatant, who)
        assert (row[sheet.FighterRow.hp], row[sheet.FighterRow.hp_max], row[sheet.FighterRow.temp_hp]) == (
            one.hp,
            one.hp_max,
            one.temp_hp,
        )
        assert (row[sheet.FighterRow.state] >= 0) == (one.hp <= 0 or one.dead)
    active = active_slot(encounter)
    assert active is not None
    assert {
        who
        for who, row in zip(legend.combatants, built.combatants, strict=True)
        if row[sheet.FighterRow.slot] == built.turn
    } == {*active.members}
    placed = [slot for slot in built.slots if not slot[sheet.SlotRow.rolled]]
    assert len(placed) >= len([*encounter.all(Slot)])
    for row, pool in zip(built.pools, legend.pools, strict=True):
        running = encounter.get(CountdownPool, pool)
        if running is not None:
            assert row[sheet.Pool.dice] == running.dice
            assert bool(row[sheet.Pool.running]) == (running.status == "running")
