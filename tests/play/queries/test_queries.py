"""Which rules are in play now, and through what."""

from dataclasses import replace

import msgspec
import pytest

from tests.table import Table, a5e, environment
from turnwright.encounter.prepared import Countdown, Scene
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.queries.queries import ActiveRule, active_rules, is_option_on, presumed_source
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndEncounter
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.rounds import TableRule

GROUPS = ("asked", "step", "acting", "on-acting", "on-others", "world", "countdowns", "lately")


def in_play(table: Table) -> dict[str, ActiveRule]:
    """Return what is in play by rule id."""
    session = table.session
    found = active_rules(session.encounter, session.rules, tuple(session.journal()))
    assert len({one.rule for one in found}) == len(found)
    assert [one.group for one in found] == sorted((one.group for one in found), key=GROUPS.index)
    return {one.rule: one for one in found}


def said(one: ActiveRule) -> dict[str, str | int]:
    return dict(one.reason.params)


@pytest.fixture
def table() -> Table:
    table = Table("mira", "grak", foes=("grak",))
    table.start(mira=20, grak=10)
    return table


def test_nothing_is_in_play_before_anything_is_there():
    assert in_play(Table("mira")) == {}


def test_resources_and_movement_of_whoever_acts_are_in_play(table):
    found = in_play(table)
    assert found["a5e.turn.one-action"].group == "acting"
    assert said(found["a5e.turn.one-action"]) == {"who": "Mira", "what": "Action", "left": 1, "of": 1}
    assert said(found["a5e.turn.speed"]) == {"who": "Mira"}
    table.ends_turn()
    assert said(in_play(table)["a5e.turn.speed"]) == {"who": "Grak"}


def test_what_lies_on_whoever_acts_stands_before_what_lies_on_others(table):
    table.does(ApplyCondition(("mira",), "prone"))
    table.does(ApplyCondition(("grak",), "poisoned"))
    found = in_play(table)
    assert {id for id, one in found.items() if one.group == "on-acting"} >= {"a5e.prone.melee-disadvantage"}
    assert found["a5e.external.poisoned"].group == "on-others"
    assert said(found["a5e.external.poisoned"]) == {"who": "Grak", "what": "<condition.poisoned>"}
    table.ends_turn()
    assert in_play(table)["a5e.external.poisoned"].group == "on-acting"


def test_a_condition_brings_the_rules_of_those_it_implies(table):
    implying = next(each for each in table.rules.data.conditions if each.implies)
    table.does(ApplyCondition(("grak",), implying.id))
    found = in_play(table)
    for implied in implying.implies:
        assert {found[rule].group for rule in table.rules.conditions[implied].ledger} == {"on-others"}


def test_what_is_asked_comes_first_of_all(table):
    table.does(SetDice("ask"))
    table.does(ApplyDamage(("grak",), "2d6 fire"))
    first = next(iter(in_play(table).values()))
    assert (first.group, first.reason.key) == ("asked", "prompt.damage")


def test_features_and_actions_of_the_environments_are_in_play_unless_switched_off():
    frigid = environment("frigid")
    without_snow = tuple(
        msgspec.structs.replace(row, enabled=False) if row.id == "snow" else row for row in frigid.features
    )
    table = Table("mira", surroundings=(msgspec.structs.replace(frigid, features=without_snow),))
    found = in_play(table)
    assert found["a5e.env.frigid.icy-patch"].group == "world"
    assert said(found["a5e.env.frigid.icy-patch"]) == {"place": "Frigid", "what": "Icy Patch"}
    assert "a5e.env.frigid.cold-chill" in found
    assert "a5e.env.frigid.snow" not in found


def test_running_countdowns_bring_the_rules_of_their_speed_and_their_row_of_the_table():
    table = Table("mira", countdowns=(Countdown("ice", "The ice", dice=3, speed="medium"),))
    assert "a5e.countdown.medium" not in in_play(table)
    table.dice(1, 2, 6)
    table.start(mira=12)
    found = in_play(table)
    assert {"a5e.countdown.medium", "a5e.countdown.table.2d6", "a5e.countdown.stop"} <= set(found)
    assert found["a5e.countdown.medium"].group == "countdowns"
    assert not {"a5e.countdown.slow", "a5e.countdown.fast", "a5e.countdown.unstoppable"} & set(found)


def test_what_has_just_happened_is_in_play_until_the_round_is_over(table):
    assert "a5e.hp.damage" not in in_play(table)
    table.does(ApplyDamage(("grak",), "5 fire"))
    found = in_play(table)
    assert found["a5e.hp.damage"].group == "lately"
    assert found["a5e.hp.damage"].reason.key.startswith("journal.")
    table.ends_turn(2)
    assert "a5e.hp.damage" not in in_play(table)


def test_each_step_of_set_up_brings_its_rules():
    table = Table("mira")
    table.does(StartEncounter())
    assert in_play(table)["a5e.setup.scene"].group == "step"


def test_after_the_end_nobody_acts(table):
    table.does(EndEncounter())
    assert not {one.group for one in in_play(table).values()} & {"acting", "lately", "step"}


@pytest.mark.parametrize(("options", "on"), [((), True), (("not swap",), False), (("swap",), True)])
def test_a_table_rule_says_whether_it_is_on(options, on):
    choice = TableRule("swap", "Swap", default=True, ledger=("a5e.variant.swap",))
    rules = rules_with(choice)
    table = Table("mira", scene=Scene(options=options))
    assert is_option_on(table.session.encounter, rules, "a5e.variant.swap") is on
    assert is_option_on(table.session.encounter, rules, "a5e.hp.damage") is None


def rules_with(choice: TableRule) -> RuleSystem:
    """Return the A5E rules with one table rule and no other."""
    return replace(a5e(), data=msgspec.structs.replace(a5e().data, options=(choice,)))


def test_an_entered_amount_is_an_opponents_damage_or_an_allys_healing():
    table = Table("ann", "bea", "gob", "rat", foes=("gob", "rat"))
    table.start(ann=20, bea=15, gob=10, rat=5)
    encounter = table.session.encounter
    assert presumed_source(encounter, "ann", ("gob", "rat")) == "Ann"
    assert presumed_source(encounter, "gob", ("ann",)) == "Gob"
    assert presumed_source(encounter, "gob", ("rat",)) == ""  # a foe doesn't harm its own side
    assert presumed_source(encounter, "gob", ("gob", "ann")) == ""
    assert presumed_source(encounter, "ann", ("bea",), helps=True) == "Ann"
    assert presumed_source(encounter, "gob", ("ann",), helps=True) == ""
    assert presumed_source(encounter, "", ("ann",)) == ""
