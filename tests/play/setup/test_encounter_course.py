"""Set-up and its steps, the rounds that follow, and the end: what an encounter goes through as a whole."""

from __future__ import annotations

import pytest

from tests.table import Table, a5e, creature, environment
from turnwright.encounter import state
from turnwright.encounter.prepared import RosterEntry, Scene
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.environment import EnvironmentEffect
from turnwright.encounter.running import Combatant, Duration
from turnwright.play.actions.action import TakeAction
from turnwright.play.asking.answer import DismissPrompt
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.events import Event
from turnwright.play.queries import queries
from turnwright.play.setup.encounter_course import (
    AdvanceSetup,
    EncounterStarted,
    ResetToPrepared,
    SetupStepReached,
    StartEncounter,
)
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import EffectEnded
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.initiative import InitiativeSet
from turnwright.play.turn_order.surprise import MarkSneaking, NoSurprise, SetInitiative
from turnwright.play.turns.round_start import SceneDescribed
from turnwright.play.turns.turns import (
    EncounterEnded,
    EndEncounter,
    EndTurn,
    GoToTurn,
    RemoveCombatant,
    RoundEnded,
    RoundStarted,
    TurnEnded,
    TurnStarted,
    WorldTurnStarted,
)
from turnwright.storage.word_catalogue import WordCatalogue


def course_of(table: Table) -> list[str]:
    """What the rounds so far went through: `world`, whose turn ended, or `end`."""

    def said(event: Event) -> list[str]:
        if isinstance(event, WorldTurnStarted):
            return ["world"]
        if isinstance(event, TurnEnded):
            return list(event.who)
        return ["end"] if isinstance(event, RoundEnded) else []

    return [word for event in table.events for word in said(event)]


# The scene ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.scene.when")
def test_an_encounter_opens_for_any_reason_and_asks_for_no_attacker() -> None:
    table = Table("ann", "bob", "cat", "dan", scene=Scene(purpose="competition", strictness="enforce"))
    table.does(StartEncounter(reason="competition"))
    assert (table.clock.phase, table.clock.reason) == ("set-up", "competition")
    assert {one.side for one in table.encounter.all(Combatant)} == {"party"}
    assert table.prompts == []
    (started,) = table.happened(EncounterStarted)
    assert (started.reason, started.rule) == ("competition", "a5e.scene.when")


@pytest.mark.rule("a5e.scene.addressee")
def test_rights_belong_to_each_character_a_player_controls() -> None:
    table = Table("ann", "bob", roster=[RosterEntry("ann", "ann", player="P"), RosterEntry("bob", "bob", player="P")])
    table.start(ann=15, bob=10)
    spent = {"action": 0, "bonus": 0, "reaction": 0}
    for who in ("ann", "bob"):
        assert table.active == who
        assert table.one(who).player == "P"
        for resource in spent:
            table.does(SpendResource(who, resource))
            spent[resource] += 1
            assert table.refuses(SpendResource(who, resource)).key == "refused.none_left"
        table.ends_turn()
    assert spent == {"action": 2, "bonus": 2, "reaction": 2}
    assert table.clock.round == 2


# Set-up ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.phase.two")
def test_set_up_comes_first_then_rounds_and_nobody_acts_before() -> None:
    table = Table("ann", "bob", "cat")
    assert table.clock.phase == "preparing"
    table.does(StartEncounter())
    assert (table.clock.phase, table.clock.round, table.active) == ("set-up", 0, "")
    for who in ("ann", "bob", "cat"):
        assert table.refuses(TakeAction(who, "dash")).rule == "a5e.round.on-turn"
    assert table.refuses(EndTurn()).rule == "a5e.phase.two"
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    table.does(SetInitiative((("ann", 3), ("bob", 2), ("cat", 1))))
    assert table.refuses(GoToTurn("ann")).rule == "a5e.phase.two"
    assert (table.clock.phase, table.clock.round) == ("set-up", 0)
    table.does(AdvanceSetup())
    assert (table.clock.phase, table.clock.round, table.active) == ("rounds", 1, "ann")
    assert table.refuses(AdvanceSetup()).rule == "a5e.phase.two"


@pytest.mark.rule("a5e.setup.order")
def test_scene_then_surprise_then_initiative() -> None:
    table = Table("ann", "bob")
    table.does(StartEncounter())
    table.does(MarkSneaking(("bob",)))
    assert table.clock.setup_step == "scene"
    refused = table.refuses(SetInitiative((("ann", 15),)))
    assert (refused.key, refused.rule) == ("refused.surprise_first", "a5e.setup.order")
    table.does(AdvanceSetup())
    assert table.clock.setup_step == "surprise"
    assert table.refuses(SetInitiative((("ann", 15),))).rule == "a5e.setup.order"
    while table.prompts:
        table.does(DismissPrompt(table.prompt.id))
    table.does(AdvanceSetup())
    assert table.clock.setup_step == "initiative"
    table.does(SetInitiative((("ann", 15),)))
    assert table.one("ann").initiative == 15
    assert [event.step for event in table.happened(SetupStepReached)] == ["scene", "surprise", "initiative"]
    assert {event.rule for event in table.happened(SetupStepReached)} == {"a5e.setup.order"}


def test_totals_can_be_entered_at_once_where_nobody_sneaks() -> None:
    table = Table("ann", "bob")
    table.does(StartEncounter())
    table.does(SetInitiative((("ann", 15),)))
    assert (table.one("ann").initiative, table.clock.setup_step) == (15, "scene")


def test_one_command_begins_round_one_where_nobody_sneaks() -> None:
    table = Table("ann", "bob")
    table.does(StartEncounter())
    table.does(SetDice("roll", seed=1))
    table.does(AdvanceSetup(begins=True))
    assert (table.clock.phase, table.clock.round, table.prompts) == ("rounds", 1, [])
    assert [event.step for event in table.happened(SetupStepReached)] == ["scene", "initiative"]
    assert len(table.happened(NoSurprise)) == 1


def test_with_somebody_sneaking_it_stops_until_surprise_is_settled() -> None:
    table = Table("ann", "bob")
    table.does(StartEncounter())
    table.does(MarkSneaking(("bob",)))
    table.does(AdvanceSetup(begins=True))
    assert (table.clock.setup_step, table.prompt.title) == ("surprise", "prompt.surprise_checks")
    while table.prompts:
        table.does(DismissPrompt(table.prompt.id))
    table.does(SetDice("roll", seed=1))
    table.does(AdvanceSetup(begins=True))
    assert (table.clock.phase, table.clock.round) == ("rounds", 1)


@pytest.mark.rule("a5e.setup.scene")
def test_the_scene_holds_places_features_and_round_length_and_is_shown_as_round_one_starts() -> None:
    people = [f"p{number}" for number in range(5)]
    roster = [
        RosterEntry("p0", "p0", place="by the door"),
        RosterEntry("p1", "p1", positions=((3, 4),)),
        *(RosterEntry(who, who) for who in people[2:]),
    ]
    table = Table(*people, roster=roster, surroundings=[environment("frigid")], scene=Scene(round_seconds=6))
    table.does(StartEncounter())
    table.does(SetPosition("p2", place="on the ice"))
    table.does(SetPosition("p3", position=(0, 7)))
    table.does(SetPosition("p4", place="in the hut"))
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    table.does(SetInitiative(tuple((who, 20 - number) for number, who in enumerate(people))))
    assert table.happened(SceneDescribed) == []
    step = table.does(AdvanceSetup())
    assert step is not None
    kinds = [type(event) for event in step.events]
    assert kinds.index(SceneDescribed) == kinds.index(RoundStarted) + 1
    assert TurnStarted not in kinds
    (scene,) = table.happened(SceneDescribed)
    assert dict(scene.places) == {
        "p0": "by the door",
        "p1": "3, 4",
        "p2": "on the ice",
        "p3": "0, 7",
        "p4": "in the hut",
    }
    assert scene.features == ("Frostbitten Surface", "Icy Patch", "Snow")
    assert (scene.round_seconds, scene.rule) == (6, "a5e.setup.scene")
    (line,) = [line for line in step.lines if line.rule == "a5e.setup.scene"]
    told = WordCatalogue.load()(line.phrase.key, **dict(line.phrase.params))
    for word in ("6 seconds", "Icy Patch", "P1: <journal.square> 3, 4", "P4: in the hut"):
        assert word in told
    table.skips()
    table.ends_turn(5)
    assert table.clock.round == 2
    assert table.happened(SceneDescribed) == [scene]


@pytest.mark.rule("a5e.setup.initiative-step")
def test_only_those_without_a_score_roll_and_the_order_has_everybody() -> None:
    table = Table("ann", "bob", "cat")
    table.does(StartEncounter())
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    table.does(SetInitiative((("ann", 17),)))
    table.does(AdvanceSetup())
    assert [ask.who for ask in table.prompt.asks] == ["bob", "cat"]
    assert {ask.rule for ask in table.prompt.asks} == {"a5e.setup.initiative-step"}
    table.answers(bob="18", cat="4")
    assert table.order == ["bob", "ann", "cat"]
    assert table.clock.round == 1


def test_totals_entered_on_an_open_card_answer_it_once() -> None:
    table = Table("ann", "bob")
    table.does(StartEncounter())
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    table.does(SetInitiative((("ann", 12), ("bob", 9))))
    assert table.prompts == []
    assert [(event.who, event.total, event.how) for event in table.happened(InitiativeSet)] == [
        ("ann", 12, "entered"),
        ("bob", 9, "entered"),
    ]
    assert table.active == "ann"


def test_a_step_that_still_asks_is_not_passed_by() -> None:
    table = Table("ann", "bob")
    table.does(StartEncounter())
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    assert table.refuses(AdvanceSetup()).key == "refused.prompt_open"
    table.skips()
    assert [table.one(who).initiative for who in ("ann", "bob")] == [0, 0]


# Rounds ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.round.sequence")
def test_world_then_turns_then_end_and_again() -> None:
    table = Table(
        "ann", "bob", surroundings=[environment("fiery", features=(), actions=environment("fiery").actions[1:])]
    )
    table.start(ann=15, bob=10)
    for _ in range(2):
        table.skips()
        table.ends_turn(2)
    started = [event.rule for event in table.happened(RoundStarted)]
    assert course_of(table)[:8] == ["world", "ann", "bob", "end", "world", "ann", "bob", "end"]
    assert started == ["a5e.round.sequence", "a5e.endround.loop", "a5e.endround.loop"]


def test_without_active_elements_the_world_takes_no_turn() -> None:
    table = Table("ann", surroundings=[environment("hazy", actions=())])
    table.start(ann=15)
    table.ends_turn(2)
    assert course_of(table) == ["ann", "end", "ann", "end"]


@pytest.mark.rule("a5e.round.simultaneous")
def test_ten_rounds_of_five_people_are_sixty_seconds() -> None:
    table = Table(*"abcde", scene=Scene(round_seconds=6))
    table.start(a=9, b=8, c=7, d=6, e=5)
    for number in range(10):
        assert table.clock.elapsed_seconds == number * 6
        table.ends_turn(4)
        assert table.clock.elapsed_seconds == number * 6
        table.ends_turn()
    assert table.clock.elapsed_seconds == 60
    assert table.happened(RoundEnded)[-1].elapsed == 60
    assert table.happened(RoundEnded)[-1].rule == "a5e.round.simultaneous"


@pytest.mark.rule("a5e.round.length.choice")
def test_four_lengths_are_offered_and_any_may_be_chosen_for_a_combat() -> None:
    assert [length.seconds for length in a5e().data.round_lengths] == [6, 10, 60, 600]
    table = Table("ann", scene=Scene(purpose="combat", strictness="enforce"))
    for length in a5e().data.round_lengths:
        table.does(Edit(Scene(purpose="combat", strictness="enforce", round_seconds=length.seconds)))
        assert table.encounter.need(Scene, "scene").round_seconds == length.seconds
    table.does(Edit(Scene(purpose="combat", strictness="enforce", round_seconds=60)))
    table.start(ann=10)
    table.ends_turn(3)
    assert table.clock.elapsed_seconds == 180
    assert a5e().default_round_seconds("combat") == 6


@pytest.mark.rule("a5e.endround.loop")
def test_after_the_last_turn_a_new_round_begins_with_the_world() -> None:
    heat = environment("fiery", features=(), actions=environment("fiery").actions[1:])
    table = Table("ann", "bob", "cat", surroundings=[heat])
    table.start(ann=15, bob=10, cat=5)
    table.skips()
    table.ends_turn(3)
    table.skips()
    table.ends_turn(2)
    assert (table.clock.round, table.active) == (2, "cat")
    table.ends_turn()
    assert (table.clock.round, table.active) == (3, "")
    (acting,) = [one.data for one in table.encounter.all(Procedure) if isinstance(one.data, EnvironmentEffect)]
    assert (acting.entry, acting.by_world) == ("sweltering-heat", True)
    assert table.prompt.subject == "Sweltering Heat"
    assert table.happened(RoundStarted)[-1].rule == "a5e.endround.loop"


# The end --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.phase.end-condition")
def test_the_end_is_offered_when_one_side_stands_and_never_taken() -> None:
    table = Table("ann", "orc", "imp", foes=("orc", "imp"))
    table.start(ann=15, orc=10, imp=5)
    table.ends_turn(6)
    assert table.clock.round == 3
    table.does(ApplyDamage(("orc",), "20"))
    assert not queries.can_offer_end_encounter(table.encounter)
    table.does(ApplyDamage(("imp",), "20"))
    assert queries.can_offer_end_encounter(table.encounter)
    assert table.clock.phase == "rounds"
    table.ends_turn()
    assert (table.clock.phase, table.clock.round) == ("rounds", 4)
    table.does(EndEncounter())
    assert not queries.can_offer_end_encounter(table.encounter)


@pytest.mark.rule("a5e.endround.conclude")
def test_the_encounter_ends_without_a_victor_and_what_lasts_until_then_ends() -> None:
    table = Table("ann", "orc", foes=("orc",))
    table.start(ann=15, orc=10)
    table.does(ApplyCondition(("ann",), "poisoned", ends=Duration("encounter")))
    table.does(ApplyCondition(("orc",), "blinded"))
    table.ends_turn(8)
    assert table.clock.round == 5
    assert table.effects("ann") == {"poisoned"}
    assert queries.sides_standing(table.encounter) == {"party", "enemies"}
    table.does(EndEncounter())
    assert (table.clock.phase, table.active, table.prompts) == ("ended", "", [])
    assert [(event.target, event.name) for event in table.happened(EffectEnded)] == [("ann", "poisoned")]
    assert table.effects("orc") == {"blinded"}
    (ended,) = table.happened(EncounterEnded)
    assert (ended.round, ended.rule) == (5, "a5e.endround.conclude")
    assert table.refuses(EndEncounter()).key == "refused.not_running"


def test_back_to_prepared_takes_out_all_that_running_made() -> None:
    table = Table("ann", "bob", surroundings=[environment("frigid")])
    before = [record for record in table.encounter if record.table != "dice"]
    table.start(ann=15, bob=10)
    table.dice(5)
    table.does(ResetToPrepared())
    assert [record for record in table.encounter if record.table != "dice"] == before
    assert table.clock.phase == "preparing"


def test_the_active_one_leaves_and_the_turn_goes_on_with_the_next() -> None:
    table = Table("ann", "bob", "cat")
    table.start(ann=15, bob=10, cat=5)
    table.ends_turn()
    table.does(RemoveCombatant("bob"))
    assert table.active == "cat"
    assert table.order == ["ann", "cat"]
    assert table.refuses(GoToTurn("bob")).key == "refused.unknown"


def test_one_who_leaves_while_ending_a_turn_ends_it_once() -> None:
    swamp = environment("swampy", actions=())
    table = Table("ann", "bob", "cat", surroundings=[swamp])
    table.start(ann=15, bob=10, cat=5)
    table.does(EndTurn())
    assert [ask.who for ask in table.prompt.asks] == ["ann"]
    table.does(RemoveCombatant("ann"))
    assert table.active == "bob"
    assert [event.who for event in table.happened(TurnStarted)] == [("ann",), ("bob",)]
    assert list(table.encounter.all(Procedure)) == []


def test_the_dead_get_no_turn_and_rounds_stop_when_nobody_is_left() -> None:
    table = Table("ann", "bob")
    table.start(ann=15, bob=10)
    table.does(SetDead("bob"))
    table.ends_turn()
    assert (table.clock.round, table.active) == (2, "ann")
    table.does(SetDead("ann"))
    table.ends_turn()
    assert (table.clock.round, table.active) == (2, "")
    assert table.refuses(EndTurn()).key == "refused.nobody_active"


def test_waves_wait_and_members_are_numbered() -> None:
    table = Table(
        creature("orc"), roster=[RosterEntry("orcs", "orc", count=2), RosterEntry("late", "orc", wave="second")]
    )
    table.does(StartEncounter())
    assert [(one.id, one.label) for one in table.encounter.all(Combatant)] == [("orcs-1", "Orc 1"), ("orcs-2", "Orc 2")]


def test_a_fight_of_too_many_combatants_is_not_begun() -> None:
    rows = [RosterEntry(f"rats-{number}", "rat", count=500, side="enemies") for number in range(2)]
    table = Table("ann", creature("rat"), foes=["rat"], roster=rows)
    assert table.refuses(StartEncounter()).key == "refused.too_many_combatants"
    assert not list(table.encounter.all(Combatant))


def test_names_of_a_long_roster_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    name_of = state.entry_name
    monkeypatch.setattr(state, "entry_name", lambda *of: asked.append(of[1].id) or name_of(*of))
    table = Table(creature("rat"), roster=[RosterEntry(f"rat-{number}", "rat") for number in range(100)])
    table.does(StartEncounter())
    assert len({one.label for one in table.encounter.all(Combatant)}) == 100
    assert len(asked) <= 300
    asked.clear()
    many = Table(creature("rat"), roster=[RosterEntry(f"rat-{number}", "rat") for number in range(1_001)])
    assert many.refuses(StartEncounter()).key == "refused.too_many_combatants"
    assert not asked
