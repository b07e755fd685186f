"""Characters from one fight to the next: what lasts, what doesn't, and that they begin the next fight so."""

from __future__ import annotations

import msgspec
import pytest

from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import (
    CharacterState,
    Creature,
    Feature,
    InflictedCondition,
    LastingCondition,
    RosterEntry,
    Scene,
)
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Encounter
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead, SetHitPoints, SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.spawning.spawning import character_state
from turnwright.play.turns.turns import EndEncounter
from turnwright.rules.parts.economy.limited_uses import remaining_uses

ANN = creature(
    "ann",
    slots=(("1", 4), ("2", 2)),
    features=(
        Feature("ward", "Ward", "action", uses=3, per="day"),
        Feature("surge", "Surge", "action", uses=1, per="encounter"),
    ),
)


def next_fight(table: Table, state: CharacterState | None) -> Encounter:
    """The start of the next encounter with the same character in this state."""
    records = [Scene(), table.encounter.need(Creature, "ann"), RosterEntry("ann", "ann", side="party", state=state)]
    session = Session(Encounter(records), table.rules)
    session.do(StartEncounter())
    return session.encounter


def begun(rules=None) -> Table:
    table = Table(ANN, "rat", foes=("rat",), rules=rules)
    table.start(ann=20, rat=5)
    return table


def state_of(table: Table) -> CharacterState | None:
    table.does(EndEncounter())
    return character_state(table.encounter, table.rules, "ann")


def test_one_who_lost_nothing_is_as_fresh_as_the_stat_block():
    assert state_of(begun()) is None


def test_hit_points_and_temporary_ones_last():
    table = begun()
    table.does(SetHitPoints("ann", 7, 3))
    state = state_of(table)
    assert (state.hp, state.temp_hp) == (7, 3)
    ann = next_fight(table, state).need(Combatant, "ann")
    assert (ann.hp, ann.temp_hp, ann.hp_max) == (7, 3, 20)


def test_spent_slots_and_daily_uses_last_and_uses_of_an_encounter_come_back():
    table = begun(dnd5e())
    for name, left in (("slots.1", 1), ("uses.ward", 2), ("uses.surge", 0)):
        table.does(SetTrack("ann", name, left))
    state = state_of(table)
    assert dict(state.tracks) == {"slots.1": 1, "uses.ward": 2}
    after = next_fight(table, state)
    left = {name: remaining_uses(after, "ann", name) for name in ("slots.1", "slots.2", "uses.ward", "uses.surge")}
    assert left == {"slots.1": 1, "slots.2": 2, "uses.ward": 2, "uses.surge": 1}


def test_fatigue_lasts_with_its_condition():
    table = begun()
    table.does(SetTrack("ann", "fatigue", 2))
    state = state_of(table)
    assert (state.tracks, state.conditions) == ((), (LastingCondition("fatigue", 2),))
    after = next_fight(table, state)
    assert [(one.name, one.value) for one in after.of(Effect, "ann")] == [(table.rules.role("fatigue"), 2)]


@pytest.mark.parametrize("rules", [a5e, dnd5e, pf2e])
def test_a_condition_without_an_end_lasts_and_one_with_an_end_does_not(rules):
    table = begun(rules())
    names = [one.id for one in table.rules.data.conditions]
    lasting, passing = [one for one in ("poisoned", "blinded", "sickened", "dazzled", "burning") if one in names][:2]
    table.does(ApplyCondition(("ann",), lasting))
    table.does(ApplyCondition(("ann",), passing, rounds=3))
    state = state_of(table)
    assert [one.name for one in state.conditions] == [lasting]
    assert [one.name for one in next_fight(table, state).of(Effect, "ann")] == [lasting]


@pytest.mark.parametrize(("condition", "carried"), [("poisoned", True), ("charmed", False), ("grappled", False)])
def test_what_a_stat_block_inflicts_lasts_unless_it_hangs_on_its_creator(condition, carried):
    bite = Feature("bite", "Bite", "action", afflictions=(InflictedCondition(condition),))
    table = Table(creature("ann"), creature("rat", features=(bite,)), foes=("rat",), rules=dnd5e())
    table.start(ann=10, rat=20)
    table.does(UseFeature("rat", "bite", targets=("ann",)))
    assert condition in table.effects("ann")
    state = character_state(table.encounter, table.rules, "ann")
    assert [one.name for one in state.conditions if state] == [condition] if carried else state is None


def test_the_dead_stay_dead():
    table = begun()
    table.does(SetDead("ann", dead=True))
    assert next_fight(table, state_of(table)).need(Combatant, "ann").dead


def test_no_more_hit_points_or_uses_than_the_stat_block_now_has_and_unknown_conditions_are_left_out():
    table = begun(dnd5e())
    state = CharacterState(99, tracks=(("slots.1", 9), ("uses.gone", 1)), conditions=(LastingCondition("bewigged"),))
    after = next_fight(table, state)
    assert after.need(Combatant, "ann").hp == 20
    assert remaining_uses(after, "ann", "slots.1") == 4
    assert not after.of(Effect, "ann")


def test_it_is_undone_with_the_start():
    table = begun()
    table.does(ApplyDamage(("ann",), "5"))
    state = state_of(table)
    records = [Scene(), creature("ann"), RosterEntry("ann", "ann", state=state)]
    session = Session(Encounter(records), table.rules)
    session.do(StartEncounter())
    session.undo()
    assert session.encounter == Encounter(records)
    assert msgspec.structs.asdict(state)["hp"] == 15
