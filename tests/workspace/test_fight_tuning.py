"""Plans that bring an encounter to an aim: within bounds, verified, and made by the commands that they give."""

from __future__ import annotations

import msgspec
import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Countdown, Environment, RosterEntry, Wave
from turnwright.play.session import Session
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.document import open_document
from turnwright.workspace.fight_forecast import begun_copy, run_forecast
from turnwright.workspace.fight_tuning import (
    Aim,
    TuningRequest,
    aim_of_text,
    bounded,
    commands_for,
    damage_with,
    hit_points,
    tunings,
    value_sentence,
    variables_of,
)
from turnwright.workspace.kernel_library import await_kernels

BRIDGE = next(file for file in sample_encounters() if file.stem == "cold-ford-bridge")


@pytest.fixture
def session(tmp_path):
    assert await_kernels()
    document = open_document(BRIDGE, RuleSystems(), tmp_path, seed=1, dice="roll", locked=False)
    yield Session(document.encounter, document.session.rules)
    document.close(discard=True)


def by_id(session):
    return {one.id: one for one in variables_of(session.encounter)}


def test_each_variable_is_set_by_its_commands(session):
    found, hp = by_id(session), hit_points(begun_copy(session.encounter, session.rules).encounter)
    values = {
        found["count:raiders"]: 2,
        found["hp:raiders"]: 120,
        found["count:captain"]: 0,
        found["dice:ice-gives-way"]: 7,
        found["damage:frigid:cold-chill"]: 4,
        found["damage:broken-span:falling-rocks"]: 0,
        found["wave:second-boat"]: 0,
    }
    before = session.encounter
    for command in commands_for(before, values, hp, "plan"):
        session.do(command)
    after = session.encounter
    raiders = after.need(RosterEntry, "raiders")
    assert (raiders.count, raiders.hp, len(raiders.positions)) == (2, round(1.2 * hp["raiders"]), 2)
    assert after.get(RosterEntry, "captain") is None
    assert after.need(Countdown, "ice-gives-way").dice == 7
    [chill] = [one for one in after.need(Environment, "frigid").actions if one.id == "cold-chill"]
    [rocks] = [one for one in after.need(Environment, "broken-span").actions if one.id == "falling-rocks"]
    assert chill.damage.startswith("4d")
    assert not rocks.enabled
    assert all(one.wave != "second-boat" for one in after.all(RosterEntry))
    assert after.get(Wave, "second-boat") is None
    assert all(getattr(out, "wave", "") != "second-boat" for one in after.all(Countdown) for out in one.outcomes)
    assert session.history.depth == 1
    session.undo()
    assert session.encounter == before


def test_plans_keep_to_the_bounds_and_lead_where_they_say(session):
    encounter, rules = session.encounter, session.rules
    variables = bounded(variables_of(encounter), ["count:raiders=2..6", "hp:captain"])
    *steps, last = tunings(TuningRequest(encounter, rules, Aim(won=0.8), variables, seed=1))
    assert [one.tried for one in steps] == sorted(one.tried for one in steps)
    assert not any(one.plans for one in steps)
    assert last.is_done
    assert last.plans
    now = run_forecast(encounter, rules, 10_000, seed=2).outlook.won.value
    nearest = last.plans[0]
    for plan in last.plans:
        assert abs(plan.won.value - 0.8) < abs(now - 0.8)
        assert abs(nearest.won.value - 0.8) <= abs(plan.won.value - 0.8)
        assert all(one in variables and one.low <= value <= one.high for one, value in plan.values)
    hp = hit_points(begun_copy(encounter, rules).encounter)
    for command in commands_for(encounter, dict(nearest.values), hp):
        session.do(command)
    made = run_forecast(session.encounter, rules, 10_000, seed=77).outlook
    assert made.won.low <= nearest.won.high
    assert nearest.won.low <= made.won.high
    assert made.one_down.value == pytest.approx(nearest.falls.value, abs=0.03)


def test_what_is_near_already_needs_no_plan(session):
    now = run_forecast(session.encounter, session.rules, 1000, seed=1).outlook.won.value
    *_, last = tunings(
        TuningRequest(session.encounter, session.rules, Aim(won=now), variables_of(session.encounter), seed=1)
    )
    assert (last.tried, last.plans) == (1, ())


@pytest.mark.soak
def test_an_encounter_that_is_always_won_is_made_harder(tmp_path):
    """No single step loses a fight: the hit points that are left lead on."""
    assert await_kernels()
    causeway = next(file for file in sample_encounters() if file.stem == "sinking-causeway")
    document = open_document(causeway, RuleSystems(), tmp_path, seed=1, dice="roll", locked=False)
    encounter, rules = document.encounter, document.session.rules
    assert run_forecast(encounter, rules, 1000, seed=1).outlook.won.value == 1
    *_, last = tunings(
        TuningRequest(encounter, rules, Aim(won=0.7), bounded(variables_of(encounter), ["count"]), seed=1)
    )
    assert any(0.5 < plan.won.value < 0.9 for plan in last.plans)
    document.close(discard=True)


def test_bounds_and_aims_are_read_from_text(session):
    variables = variables_of(session.encounter)
    assert {one.kind for one in bounded(variables, ["hp", "wave"])} == {"hp", "wave"}
    [raiders] = bounded(variables, ["count:raiders=0..9"])
    assert (raiders.now, raiders.low, raiders.high) == (4, 0, 9)
    [dice] = bounded(variables, ["dice:ice-gives-way=0..9"])
    assert dice.low == 1
    assert bounded(variables, []) == variables
    assert aim_of_text("won=65, falls=40") == Aim(0.65, 0.4)
    for wrong in ("goblins", "count:raiders=x", "count:raiders=5..2"):
        with pytest.raises(ValueError, match=r"expected one of|expected a range"):
            bounded(variables, [wrong])
    for wrong in ("", "won", "won=120", "lost=3"):
        with pytest.raises(ValueError, match="expected won=65"):
            aim_of_text(wrong)


def test_a_running_fight_has_nothing_that_may_vary(session):
    assert variables_of(begun_copy(session.encounter, session.rules).encounter) == ()


def test_values_are_told_with_their_names(session):
    found = by_id(session)
    hp = hit_points(begun_copy(session.encounter, session.rules).encounter)
    said = value_sentence(session.encounter, found["hp:captain"], 80, hp)
    assert said.key == "forecast.tune.hp"
    assert dict(said.params) == {"name": "Captain", "n": round(hp["captain"] * 0.8), "now": hp["captain"]}
    assert value_sentence(session.encounter, found["wave:second-boat"], 0, hp).key == "forecast.tune.wave-none"


def test_the_first_dice_of_an_expression_are_changed():
    assert damage_with("2d6+3 cold, 1d4 fire", 5) == "5d6+3 cold, 1d4 fire"
    assert msgspec.structs.asdict(Aim()) == {"won": None, "falls": None}
