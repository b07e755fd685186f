"""What vanishes, comes or changes while questions about it are open: prompts go with it, and nobody is forgotten."""

from __future__ import annotations

import msgspec
import pytest

from tests.table import Table, creature, environment, with_row
from turnwright.encounter.prepared import (
    Check,
    Countdown,
    DealDamage,
    Environment,
    RosterEntry,
    SavingThrow,
    TriggerEntry,
)
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Duration
from turnwright.play.asking.answer import Answer
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.environment.countdown_pools import AdjustPool, StartPool, StopPool
from turnwright.play.environment.entry_readiness import EntryFailed, SetEntryReady
from turnwright.play.environment.environment_check import SpellReflected
from turnwright.play.environment.environment_effect import EntryUsed, UseEntry
from turnwright.play.kernel.transaction import Command
from turnwright.play.queries import queries
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Edit, Remove
from turnwright.play.setup.roster import AddToEncounter
from turnwright.play.spawning.spawning import AddCombatants
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import DamageTaken, Rolled
from turnwright.play.turn_order.surprise import ActBeforeInitiative, CallForChecks, SetInitiative, SetSurprised
from turnwright.play.turns.turns import EndTurn, RemoveCombatant


def asked(table: Table) -> list[tuple[str, ...]]:
    return [tuple(ask.id for ask in queries.waiting_asks(prompt)) for prompt in table.prompts]


def test_whoever_joins_while_initiative_is_asked_gets_a_place() -> None:
    table = Table("ana", "bo", "cy", roster=[*map(entry, ("ana", "bo")), RosterEntry("cy", "cy", wave="late")])
    table.does(StartEncounter())
    for _ in range(3):
        table.does(AdvanceSetup())
    table.does(AddCombatants("cy"))
    table.does(AddToEncounter(creature("dov"), RosterEntry("dov", "dov")))
    table.answers(ana=12, bo=5)
    assert asked(table) == [("cy", "dov")]
    table.answers(cy=20, dov=3)
    assert (table.clock.round, table.order) == (1, ["cy", "ana", "bo", "dov"])


def entry(id: str) -> RosterEntry:
    return RosterEntry(id, id)


@pytest.mark.parametrize("gone", [Remove((("countdowns", "tide"),)), StopPool("tide")])
def test_a_countdown_that_goes_takes_its_roll_along(gone: Command) -> None:
    table = Table("ana", countdowns=[Countdown("tide", "Tide"), Countdown("wind", "Wind")])
    table.start(ana=10)
    assert asked(table) == [("tide", "wind")]
    table.does(gone)
    assert asked(table) == [("wind",)]
    table.answers(wind="1 1 1 1")
    assert table.active == "ana"


def test_a_countdown_edited_before_its_round_rolls_as_edited() -> None:
    table = Table("ana", countdowns=[Countdown("tide", "Tide", dice=4, starts=2)])
    table.start(ana=10)
    table.does(Edit(Countdown("tide", "Tide", dice=6, starts=2, unstoppable=True)))
    table.ends_turn()
    assert (table.pool("tide").dice, table.pool("tide").unstoppable) == (6, True)
    assert table.prompt.asks[0].spec is not None
    assert table.prompt.asks[0].spec.dice == "6d6"


@pytest.mark.parametrize("switched_off", [False, True])
def test_a_row_that_goes_takes_its_offer_along(switched_off: bool) -> None:
    table = Table("ana", surroundings=[environment("frigid")])
    table.start(ana=10)
    assert table.prompt.title == "prompt.world_action"
    place = table.encounter.need(Environment, "frigid")
    edited = with_row(place, "cold-chill", enabled=False)
    table.does(Edit(edited if switched_off else msgspec.structs.replace(place, actions=())))
    assert (table.prompts, table.active) == ([], "ana")


@pytest.mark.parametrize("removed", [False, True])
def test_a_row_that_goes_takes_its_recharge_along(removed: bool) -> None:
    table = Table("ana", surroundings=[environment("frigid")])
    table.start(ana=10)
    table.skips()
    table.does(SetEntryReady("frigid", "cold-chill", ready=False))
    table.ends_turn()
    assert asked(table) == [("frigid.cold-chill",)]
    place = table.encounter.need(Environment, "frigid")
    off = Edit(with_row(place, "cold-chill", enabled=False))
    table.does(Remove((("environments", "frigid"),)) if removed else off)
    assert (table.prompts, table.active) == ([], "ana")


def test_other_edits_leave_an_offer_standing() -> None:
    table = Table("ana", surroundings=[environment("frigid")])
    table.start(ana=10)
    before = table.prompt
    table.does(Edit(msgspec.structs.replace(table.encounter.need(Environment, "frigid"), name="Icy")))
    assert table.prompt == before


def test_an_open_card_asks_by_the_figures_as_edited() -> None:
    table = Table("ana", "bo", surroundings=[environment("frigid")])
    table.start(ana=20, bo=10)
    table.chooses("ana", "bo")
    table.answers(bo=16)
    place = table.encounter.need(Environment, "frigid")
    table.does(Edit(with_row(place, "cold-chill", save=SavingThrow("dex", 18), damage="4d6 cold", recharge=6)))
    assert [(ask.dc, ask.detail) for ask in queries.waiting_asks(table.prompt)] == [(18, "<save.dex>")]
    table.answers(ana=17)
    place = table.encounter.need(Environment, "frigid")
    table.does(Edit(with_row(place, "cold-chill", damage="1d4 cold")))
    (damage,) = table.prompt.asks
    assert damage.spec is not None
    assert damage.spec.dice == "1d4 cold"
    table.answers(whole=3)
    assert table.prompt.asks[0].dc == 6
    table.does(Edit(with_row(table.encounter.need(Environment, "frigid"), "cold-chill", recharge=3)))
    assert table.prompt.asks[0].dc == 3
    table.answers(frigid__cold_chill=4)
    assert table.row("frigid", "cold-chill").ready


def test_what_was_spent_meanwhile_is_not_offered() -> None:
    table = Table("ana", surroundings=[environment("stormy")])
    table.start(ana=10)
    assert table.prompt.subject == "Forceful Gale"
    table.does(SetEntryReady("stormy", "lightning-strike", ready=False))
    table.skips()
    assert (table.prompts, table.active) == ([], "ana")


@pytest.mark.rule("a5e.world.recharge.spent")
@pytest.mark.parametrize("use", [Answer, SetEntryReady])
def test_a_row_asked_twice_at_once_goes_off_only_once(use: type[Command]) -> None:
    table = Table("ana", "bo", surroundings=[environment("frigid")])
    table.start(ana=20, bo=10)
    table.does(UseEntry("frigid", "cold-chill"))
    before = table.prompts
    assert [prompt.title for prompt in before] == ["prompt.world_action"] * 2
    if use is Answer:
        table.chooses("ana")
    else:
        table.does(SetEntryReady("frigid", "cold-chill", ready=False))
    assert not {prompt.id for prompt in before} & {prompt.id for prompt in table.prompts}
    withdrawn = table.happened(EntryFailed)
    assert {(event.entry, event.reason, event.rule) for event in withdrawn} == {
        ("cold-chill", "why.spent_meanwhile", "a5e.world.recharge.spent")
    }
    assert (len(withdrawn), len(table.happened(EntryUsed))) == ((1, 1) if use is Answer else (2, 0))
    while table.prompts:
        table.skips()
    assert table.active == "ana"


@pytest.mark.rule("a5e.env.rule.mirror-breaks")
def test_of_two_who_hold_up_one_mirror_only_the_first_does() -> None:
    table = Table("ana", "bo", "witch", surroundings=[environment("furnished")])
    table.start(ana=20, bo=10, witch=5)
    for holder in ("ana", "bo"):
        table.does(UseEntry("furnished", "mirror", holder))
    assert [prompt.title for prompt in table.prompts] == ["prompt.contest"] * 2
    table.dice(15, 10)
    table.chooses("witch")
    assert (table.prompts, table.row("furnished", "mirror").broken) == ([], True)
    assert len(table.happened(SpellReflected)) == 1
    (failed,) = table.happened(EntryFailed)
    assert (failed.reason, failed.rule) == ("why.broken_meanwhile", "a5e.env.rule.mirror-breaks")
    assert {table.track(who, "reaction") for who in ("ana", "bo")} == {0, 1}


@pytest.mark.rule("a5e.env.rule.mirror-breaks")
def test_a_mirror_in_use_is_not_to_be_had_by_another_unless_somebody_insists() -> None:
    table = Table("ana", "bo", "witch", surroundings=[environment("furnished")])
    table.start(ana=20, bo=10, witch=5)
    table.does(UseEntry("furnished", "mirror", "ana", ("witch",)))
    assert table.prompt.title == "prompt.contest"
    again = UseEntry("furnished", "mirror", "bo", ("witch",))
    assert table.refuses(again).key == "refused.broken"
    table.does(again, anyway=True)
    table.dice(15, 10, 15, 10)
    assert len(table.happened(SpellReflected)) == 2


@pytest.mark.parametrize(
    ("trigger", "check", "title"),
    [("falls", None, "prompt.world_action"), ("rolled", Check("str", dc=10), "prompt.check")],
)
def test_what_breaks_as_it_falls_falls_once(trigger: str, check: Check | None, title: str) -> None:
    changes = {"breaks": True, "trigger": trigger, "check": check, "ac": 0, "save": None, "damage": "5 bludgeoning"}
    place = with_row(environment("furnished"), "chandelier", **changes)
    table = Table("ana", "bo", surroundings=[place])
    table.start(ana=20, bo=10)
    for who in ("ana", "bo"):
        table.does(UseEntry("furnished", "chandelier", who if check else "", ("ana", "bo") if check else ()))
    assert [prompt.title for prompt in table.prompts] == [title] * 2
    while table.prompts:
        (ask,) = queries.waiting_asks(table.prompt)
        reply = Reply(ask.id, typed="20") if check else Reply(ask.id, chosen=("ana", "bo"))
        table.does(Answer(table.prompt.id, (reply,), table.prompt.revision))
    assert ([one.target for one in table.happened(DamageTaken)], len(table.happened(EntryFailed))) == (["ana", "bo"], 1)


def test_a_row_asked_again_on_purpose_or_by_a_countdown_goes_off_though_it_is_spent() -> None:
    trigger = Countdown("tide", "Tide", starts=0, dice=1, outcomes=(TriggerEntry("frigid", "cold-chill"),))
    table = Table("ana", surroundings=[environment("frigid")], countdowns=[trigger])
    table.start(ana=20)
    table.skips()
    table.does(StartPool("tide"))
    table.does(AdjustPool("tide", -1))
    table.does(UseEntry("frigid", "cold-chill", targets=("ana",)))
    table.does(UseEntry("frigid", "cold-chill"), anyway=True)
    assert (len(table.prompts), table.happened(EntryFailed)) == (3, [])
    while table.prompts:
        if table.prompt.title == "prompt.world_action":
            table.chooses("ana")
        else:
            table.skips()
    assert len(table.happened(EntryUsed)) == 3


@pytest.mark.rule("a5e.env.rule.lightning-no-repeat")
def test_lightning_asked_twice_at_once_strikes_nobody_twice() -> None:
    table = Table("ana", "bo", surroundings=[environment("stormy")])
    table.start(ana=20, bo=10)
    table.skips()
    table.skips()
    table.does(SetEntryReady("stormy", "lightning-strike", ready=False))
    table.does(UseEntry("stormy", "lightning-strike"), anyway=True)
    table.does(UseEntry("stormy", "lightning-strike"), anyway=True)
    table.chooses("ana")
    table.skips()
    table.skips()
    table.chooses("ana")
    assert table.row("stormy", "lightning-strike").targeted == ("ana",)
    assert table.prompts == []


def test_one_act_strikes_nobody_twice() -> None:
    table = Table("ana", surroundings=[environment("frigid")])
    table.start(ana=10)
    table.skips()
    table.does(ApplyDamage(("ana", "ana"), "5"))
    table.does(Heal(("ana", "ana"), 1))
    assert table.one("ana").hp == 16
    table.does(CallForChecks(("ana", "ana"), "dex"))
    assert asked(table) == [("ana",)]
    table.skips()
    table.does(SetSurprised(("ana", "ana")))
    assert sum(effect.name == "surprised" for effect in queries.effects_of(table.encounter, "ana")) == 1
    table.does(UseEntry("frigid", "cold-chill", targets=("ana", "ana")))
    assert asked(table) == [("ana",)]
    table.session.undo()
    table.does(UseEntry("frigid", "cold-chill"))
    table.chooses("ana", "ana")
    assert asked(table) == [("ana",)]


def test_the_dead_are_asked_for_initiative_when_they_are_back() -> None:
    table = Table("ana", "bo", "cy", roster=[*map(entry, ("ana", "bo")), RosterEntry("cy", "cy", wave="late")])
    table.does(StartEncounter())
    table.does(SetDead("bo"))
    for _ in range(3):
        table.does(AdvanceSetup())
    assert asked(table) == [("ana",)]
    table.answers(ana=12)
    table.does(SetDead("bo", dead=False))
    assert asked(table) == [("bo",)]
    table.answers(bo=5)
    table.does(SetDead("bo"))
    table.does(AddCombatants("cy", 5))
    assert table.prompts == []
    table.does(SetDead("bo", dead=False))
    table.answers(bo=3, cy=9)
    assert table.order == ["ana", "cy", "bo"]


def test_the_fight_goes_on_once_somebody_is_back() -> None:
    table = Table("ana", "bo")
    table.start(ana=20, bo=10)
    table.does(SetDead("ana"))
    table.does(SetDead("bo"))
    table.ends_turn()
    assert table.refuses(EndTurn()).key == "refused.nobody_active"
    table.does(SetDead("bo", dead=False))
    table.ends_turn()
    assert (table.clock.round, table.active, table.clock.elapsed_seconds) == (2, "bo", 6)


@pytest.mark.parametrize("moment", ["turn-start", "turn-end"])
def test_what_hangs_on_a_turn_that_nobody_takes_ends_all_the_same(moment: str) -> None:
    table = Table("ana", "bo", "cy")
    table.start(ana=20, bo=10, cy=5)
    table.does(ApplyCondition(("ana",), "blinded", ends=Duration(moment, "bo")))  # type: ignore[arg-type]
    table.does(ApplyCondition(("ana",), "prone", ends=Duration(moment, "cy")))  # type: ignore[arg-type]
    table.does(SetDead("bo"))
    table.does(RemoveCombatant("cy"))
    assert table.effects("ana") == {"blinded", "prone"}
    table.ends_turn()
    assert (table.clock.round, table.effects("ana")) == (2, set())


@pytest.mark.parametrize(
    "command",
    [
        UseEntry("frigid", "cold-chill"),
        SetEntryReady("frigid", "cold-chill", ready=False),
        StartPool("tide"),
        SetSurprised(()),
        ActBeforeInitiative(),
    ],
)
def test_nothing_runs_before_the_start(command: Command) -> None:
    table = Table("ana", surroundings=[environment("frigid")], countdowns=[Countdown("tide", "Tide")])
    assert table.refuses(command).key == "refused.not_running"


def test_what_nobody_knows_is_refused() -> None:
    table = Table("ana", surroundings=[environment("frigid")])
    table.start(ana=10)
    assert table.refuses(SpendResource("ana", "luck")).key == "refused.unknown"
    assert table.refuses(SetEntryReady("frigid", "sunshine")).key == "refused.no_such_row"


def test_dice_that_nobody_could_roll_are_refused_before_they_stop_a_fight() -> None:
    table = Table("ana", surroundings=[environment("frigid")], countdowns=[Countdown("tide", "Tide")])
    place = table.encounter.need(Environment, "frigid")
    assert table.refuses(Edit(with_row(place, "cold-chill", damage="plenty"))).key == "refused.bounds"
    tide = Countdown("tide", "Tide", outcomes=(DealDamage("2dd6"),))
    assert table.refuses(Edit(tide)).key == "refused.bounds"


def test_vanishing_is_undone_like_anything() -> None:
    table = Table("ana", surroundings=[environment("frigid")], countdowns=[Countdown("tide", "Tide")])
    before = table.encounter
    table.start(ana=10)
    table.does(Remove((("countdowns", "tide"),)))
    table.does(Remove((("environments", "frigid"),)))
    table.does(SetInitiative((("ana", 4),)))
    after = table.encounter
    assert not table.happened(Rolled)
    steps = table.session.history.depth
    while table.session.undo():
        pass
    for _ in range(steps):
        table.session.redo()
    assert table.encounter == after != before
