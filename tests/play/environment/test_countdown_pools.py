"""Countdown pools over rounds: what leaves them, what people do to them, and what happens when they run out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import Table, creature, environment, with_row
from turnwright.encounter.prepared import (
    AddWave,
    Announce,
    Countdown,
    DealDamage,
    RosterEntry,
    SavingThrow,
    StartCountdown,
    TriggerEntry,
)
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import CountdownPool, Effect
from turnwright.play.asking.answer import Answer
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.environment.countdown_pools import (
    AdjustPool,
    Announced,
    PoolAdjusted,
    PoolExpired,
    PoolRolled,
    PoolRunning,
    PoolStopped,
    PoolUnstoppableSet,
    SetPoolUnstoppable,
    StartPool,
    StopPool,
)
from turnwright.play.queries import queries
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.spawning.spawning import CombatantAdded, PoolStarted
from turnwright.play.state.events import DamageTaken, DroppedToZero, EffectGained, Skipped
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import RoundStarted, TurnStarted


def cliff(dice: int, speed: str = "slow", **fields: Any) -> Countdown:
    return Countdown("cliff", "The cliff gives way", **({"dice": dice, "speed": speed} | fields))


def table_with(*countdowns: Countdown, faces: tuple[int, ...] = (), **more: Any) -> Table:
    """A table of one, alone in the order, in round 1 with these faces rolled at its top."""
    table = Table("ada", countdowns=countdowns, **more)
    table.dice(*faces)
    table.start(ada=10)
    return table


def next_round(table: Table, *faces: int) -> None:
    """End the only turn and roll these faces at the top of the next round."""
    table.dice(*faces)
    table.ends_turn()


def rolled(table: Table) -> list[tuple[int, ...]]:
    return [event.faces for event in table.happened(PoolRolled)]


@pytest.mark.rule("a5e.countdown.when")
def test_a_countdown_added_in_round_2_is_on_the_table() -> None:
    table = table_with()
    next_round(table)
    table.does(Add((cliff(3, starts=0),)))
    assert table.pool("cliff").status == "waiting"
    table.does(StartPool("cliff"))
    (pool,) = queries.running_pools(table.encounter)
    assert (pool.status, pool.dice, pool.rolls) == ("running", 3, 0)
    assert table.happened(PoolStarted)[0].rule == "a5e.countdown.pool"

    next_round(table, 1, 1, 6)
    assert (table.clock.round, table.pool("cliff").dice) == (3, 2)


def test_a_countdown_added_with_a_round_to_start_in_rolls_from_the_next_top_of_round() -> None:
    table = table_with()
    table.does(Add((cliff(1),)))
    assert not table.prompts
    next_round(table, 1)
    assert rolled(table) == [(1,)]


@pytest.mark.rule("a5e.countdown.pool")
def test_a_pool_has_as_many_dice_as_the_narrator_says() -> None:
    table = Table("ada")
    table.does(Add((cliff(4),)))
    table.start(ada=10)
    (ask,) = table.prompt.asks
    assert (ask.kind, ask.spec.dice if ask.spec else "") == ("roll", "4d6")
    assert table.pool("cliff").dice == 4
    assert table.refuses(Edit(cliff(0))).key == "refused.bounds"
    assert Table("ada").refuses(Add((cliff(0),))).key == "refused.bounds"


@pytest.mark.rule("a5e.countdown.roll")
def test_all_dice_left_are_rolled_once_at_the_start_of_each_round() -> None:
    table = table_with(cliff(4, starts=2))
    assert rolled(table) == []
    next_round(table, 1, 2, 3, 4)
    assert rolled(table) == [(1, 2, 3, 4)]
    next_round(table, 6, 1, 1, 1)
    assert rolled(table)[1:] == [(6, 1, 1, 1)]
    next_round(table, 2, 2, 2)
    assert rolled(table)[2:] == [(2, 2, 2)]
    assert (table.pool("cliff").dice, table.pool("cliff").rolls) == (3, 3)


@pytest.mark.rule("a5e.countdown.roll")
def test_pools_roll_before_anybody_acts() -> None:
    table = table_with(cliff(1), faces=(1,))
    kinds = [type(event) for event in table.events]
    assert kinds.index(RoundStarted) < kinds.index(PoolRolled) < kinds.index(TurnStarted)


@pytest.mark.parametrize(
    ("speed", "faces", "left"),
    [
        pytest.param("slow", (6, 5, 6, 1), 2, marks=pytest.mark.rule("a5e.countdown.slow")),
        pytest.param("medium", (6, 5, 4, 1), 2, marks=pytest.mark.rule("a5e.countdown.medium")),
        pytest.param("fast", (6, 5, 4, 3), 1, marks=pytest.mark.rule("a5e.countdown.fast")),
    ],
)
def test_each_speed_removes_its_faces(speed: str, faces: tuple[int, ...], left: int) -> None:
    table = table_with(cliff(4, speed), faces=faces)
    assert table.pool("cliff").dice == left
    assert table.pool("cliff").last_faces == faces
    assert table.happened(PoolRolled)[0].rule == f"a5e.countdown.{speed}"


@pytest.mark.rule("a5e.countdown.adjust")
def test_a_deed_adds_a_die() -> None:
    table = table_with(cliff(3), faces=(1, 1, 1))
    table.does(AdjustPool("cliff", 1, "the keystone is propped up"))
    (adjusted,) = table.happened(PoolAdjusted)
    assert (adjusted.by, adjusted.left, adjusted.rule) == (1, 4, "a5e.countdown.adjust")
    next_round(table, 1, 1, 1, 1)
    assert rolled(table)[-1] == (1, 1, 1, 1)


@pytest.mark.rule("a5e.countdown.adjust")
def test_the_last_die_taken_away_lets_it_expire() -> None:
    table = table_with(cliff(1, outcomes=(Announce("It goes!"),)), faces=(1,))
    table.does(AdjustPool("cliff", -1))
    assert table.pool("cliff").status == "expired"
    assert [event.text for event in table.happened(Announced)] == ["It goes!"]
    assert table.active == "ada"
    assert table.refuses(AdjustPool("cliff", 1)).key == "refused.pool_over"


@pytest.mark.rule("a5e.countdown.stop")
def test_a_stopped_countdown_rolls_no_more() -> None:
    table = table_with(cliff(2), faces=(1, 1))
    table.does(StopPool("cliff"))
    assert table.happened(PoolStopped)[0].rule == "a5e.countdown.stop"
    next_round(table, 6, 6)
    next_round(table, 6, 6)
    assert (table.clock.round, table.pool("cliff").status, table.pool("cliff").dice) == (3, "stopped", 2)
    assert len(rolled(table)) == 1
    assert not table.happened(PoolExpired)
    assert not queries.running_pools(table.encounter)
    assert table.refuses(StopPool("cliff")).key == "refused.pool_over"


@pytest.mark.rule("a5e.countdown.unstoppable")
def test_an_unstoppable_one_runs_until_the_flag_is_lifted() -> None:
    table = table_with(cliff(3, unstoppable=True), faces=(1, 1, 1))
    refused = table.refuses(StopPool("cliff"))
    assert (refused.key, refused.rule) == ("refused.unstoppable", "a5e.countdown.unstoppable")
    next_round(table, 2, 2, 2)
    assert rolled(table)[-1] == (2, 2, 2)
    table.does(SetPoolUnstoppable("cliff", unstoppable=False))
    assert table.happened(PoolUnstoppableSet)[0].unstoppable is False
    table.does(StopPool("cliff"))
    assert table.pool("cliff").status == "stopped"


@pytest.mark.rule("a5e.countdown.unstoppable")
def test_a_pool_can_become_unstoppable_while_it_runs() -> None:
    table = table_with(cliff(3), faces=(1, 1, 1))
    table.does(SetPoolUnstoppable("cliff"))
    table.refuses(StopPool("cliff"))


@pytest.mark.rule("a5e.countdown.expire")
def test_it_expires_with_the_last_die_and_says_so() -> None:
    table = table_with(cliff(1, outcomes=(Announce("The ledge is gone."),)), faces=(5,))
    for face in (5, 4, 1):
        next_round(table, face)
    assert (table.clock.round, table.pool("cliff").status) == (4, "running")
    next_round(table, 6)
    assert (table.clock.round, table.pool("cliff").status, table.pool("cliff").dice) == (5, "expired", 0)
    assert table.happened(PoolExpired)[0].rule == "a5e.countdown.expire"
    assert [event.text for event in table.happened(Announced)] == ["The ledge is gone."]
    next_round(table, 1)
    assert len(table.happened(PoolExpired)) == 1


@pytest.mark.rule("a5e.countdown.average-only")
def test_ten_sixes_at_once_end_it_in_that_round() -> None:
    table = table_with(cliff(10), faces=(6,) * 10)
    assert (table.clock.round, table.pool("cliff").status) == (1, "expired")


@pytest.mark.rule("a5e.countdown.average-only")
def test_without_the_last_six_it_still_runs_after_25_rounds() -> None:
    table = table_with(cliff(10), faces=(6,) * 9 + (1,))
    for _ in range(25):
        next_round(table, 5)
    assert (table.clock.round, table.pool("cliff").dice, table.pool("cliff").status) == (26, 1, "running")


# What happens then ---------------------------------------------------------------------------------------------


def test_outcomes_happen_in_the_order_listed_before_the_world_and_the_turns() -> None:
    outcomes = (Announce("first"), DealDamage("2d6 cold"), Announce("second"), AddWave("late"), Announce("last"))
    late = RosterEntry("raider", "raider", wave="late", initiative=0)
    table = Table("ada", "raider", countdowns=[cliff(1, outcomes=outcomes)], roster=[late])
    table.dice(6, 3, 4, 2)
    table.start(ada=10)
    assert [table.one(who).hp for who in ("ada", "raider")] == [13, 20]
    telling = (PoolExpired, Announced, DamageTaken, CombatantAdded, TurnStarted)
    kinds = [type(event) for event in table.events if isinstance(event, telling)]
    assert kinds == [PoolExpired, Announced, DamageTaken, Announced, CombatantAdded, Announced, TurnStarted]
    assert [event.text for event in table.happened(Announced)] == ["first", "second", "last"]


def test_damage_listed_after_a_wave_strikes_it_too() -> None:
    countdown = cliff(1, outcomes=(AddWave("late"), DealDamage("5")))
    late = RosterEntry("raider", "raider", wave="late")
    table = Table("ada", "raider", countdowns=[countdown], roster=[late])
    table.dice(6, 2)
    table.start(ada=10)
    assert [table.one(who).hp for who in ("ada", "raider")] == [15, 15]


def test_damage_may_strike_one_side() -> None:
    countdown = cliff(1, outcomes=(DealDamage("5 fire", side="enemies"),))
    table = Table("ada", "brand", foes=["brand"], countdowns=[countdown])
    table.dice(6)
    table.start(ada=10, brand=5)
    assert [table.one(who).hp for who in ("ada", "brand")] == [20, 15]


def test_a_wave_comes_and_rolls_initiative_now() -> None:
    countdown = cliff(1, outcomes=(AddWave("second"),))
    raiders = RosterEntry("raider", "raider", count=2, wave="second")
    table = Table("ada", creature("raider", hp=11), countdowns=[countdown], roster=[raiders])
    table.dice(6, 15, 4)
    table.start(ada=10)
    assert [event.who for event in table.happened(CombatantAdded)] == ["raider-1", "raider-2"]
    assert table.order == ["raider-1", "ada", "raider-2"]
    assert table.active == "raider-1"


def test_the_round_waits_for_the_initiative_of_a_wave() -> None:
    countdown = cliff(1, outcomes=(AddWave("late"), Announce("last")))
    late = RosterEntry("raider", "raider", wave="late")
    table = Table("ada", "raider", countdowns=[countdown], roster=[late])
    table.dice(6)
    table.start(ada=10)
    assert (table.active, table.happened(Announced)) == ("", [])
    assert [ask.who for ask in table.prompt.asks] == ["raider"]
    table.answers(raider="17")
    assert (table.active, [event.text for event in table.happened(Announced)]) == ("raider", ["last"])


def test_one_countdown_starts_another_that_rolls_a_round_later() -> None:
    first = cliff(1, outcomes=(StartCountdown("flood"),))
    table = table_with(first, Countdown("flood", "The flood", dice=2, starts=0), faces=(6,))
    assert table.pool("flood").status == "running"
    assert rolled(table) == [(6,)]
    next_round(table, 1, 2)
    assert rolled(table) == [(6,), (1, 2)]


def test_an_outcome_leaves_a_countdown_alone_that_is_running() -> None:
    first = cliff(1, outcomes=(StartCountdown("flood"),))
    table = table_with(first, Countdown("flood", "The flood", dice=4), faces=(6, 6, 1, 1, 6))
    assert (table.pool("flood").dice, table.pool("flood").rolls) == (2, 1)
    assert [event.countdown for event in table.happened(PoolRunning)] == ["flood"]


def test_an_outcome_sets_off_a_disturbed_row_at_once() -> None:
    ice = with_row(
        environment("cavernous"), "loose-foundation", delay=0, save=SavingThrow("dex", 12), damage="1d6 cold"
    )
    countdown = cliff(1, outcomes=(TriggerEntry("cavernous", "loose-foundation"),))
    table = table_with(countdown, faces=(6,), surroundings=[ice])
    assert table.prompt.asks[0].suggested == ()
    table.dice(11, 3)
    table.chooses("ada")
    assert table.one("ada").hp == 17
    assert [gained.name for gained in table.happened(EffectGained)] == ["grappled", "suffocating"]
    assert (table.clock.round, table.active) == (1, "ada")


def test_two_pools_that_run_out_together_both_happen() -> None:
    flood = Countdown("flood", "The flood", dice=1, outcomes=(DealDamage("3"),))
    table = table_with(cliff(1, outcomes=(DealDamage("2"),)), flood, faces=(6, 6))
    assert [event.countdown for event in table.happened(PoolExpired)] == ["cliff", "flood"]
    assert table.one("ada").hp == 15


def test_an_expired_pool_can_be_started_over() -> None:
    table = table_with(cliff(2), faces=(6, 6))
    table.does(StartPool("cliff"))
    assert (table.pool("cliff").status, table.pool("cliff").dice) == ("running", 2)
    assert table.refuses(StartPool("cliff")).key == "refused.pool_running"


# The table's own dice ----------------------------------------------------------------------------------------


def asked(dice: int = 4, speed: str = "slow") -> Table:
    """A table whose countdown waits for a person's dice at the top of round 1."""
    table = Table("ada", countdowns=[cliff(dice, speed)])
    table.does(SetDice("ask"))
    table.start(ada=10)
    return table


@pytest.mark.rule("a5e.countdown.slow")
def test_faces_are_typed_one_by_one() -> None:
    table = asked()
    assert table.active == ""
    table.answers(cliff="6 5 6 1")
    assert (table.pool("cliff").dice, table.pool("cliff").last_faces) == (2, (6, 5, 6, 1))
    assert table.active == "ada"


@pytest.mark.parametrize("said", ["6 5 6", "6 5 6 7", "18", "6 5 6 1 1", "six five"])
def test_faces_that_cannot_be_are_refused(said: str) -> None:
    table = asked()
    prompt = table.prompt
    refused = table.refuses(Answer(prompt.id, (Reply("cliff", typed=said),), prompt.revision))
    assert refused.key == "refused.dice_expression"


def test_unknown_faces_ask_how_many_dice_are_left() -> None:
    table = asked()
    table.answers(cliff="?")
    (ask,) = table.prompt.asks
    assert (ask.kind, ask.max_choices) == ("number", 4)
    prompt = table.prompt
    assert table.refuses(Answer(prompt.id, (Reply("cliff", number=5),), prompt.revision)).key == "refused.number_range"
    table.answers(cliff=1)
    assert (table.pool("cliff").dice, table.pool("cliff").rolls) == (1, 1)
    table.ends_turn()
    table.answers(cliff="?")
    table.answers(cliff=0)
    assert table.pool("cliff").status == "expired"


def test_a_skipped_roll_leaves_the_pool_as_it_is() -> None:
    table = asked()
    table.answers(cliff=None)
    assert (table.pool("cliff").dice, table.pool("cliff").rolls) == (4, 0)
    assert table.happened(Skipped)[0].purpose == "ask.countdown"
    assert table.active == "ada"


def test_undo_takes_back_an_expiry_with_all_it_did() -> None:
    outcomes = (DealDamage("25"), Announce("gone"))
    table = table_with(cliff(1, outcomes=outcomes), faces=(1,))
    table.does(ApplyCondition(("ada",), "prone"))
    before = table.encounter
    table.does(AdjustPool("cliff", -1))
    assert table.happened(DroppedToZero)
    table.session.undo()
    assert table.encounter == before
    assert len(list(before.all(Effect))) == 1
    assert before.need(CountdownPool, "cliff").status == "running"
