"""The start of a round, and the environment's turns."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.table import Table, a5e, creature, environment, with_row
from turnwright.encounter.prepared import (
    Environment,
    EnvironmentEntry,
    InflictedCondition,
    RosterEntry,
    SavingThrow,
    Scene,
)
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.environment.entry_readiness import RechargeRolled, SetEntryReady
from turnwright.play.environment.environment_effect import EntryUsed, UseEntry
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.queries import queries
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.spawning.spawning import AddCombatants, CombatantAdded
from turnwright.play.state.events import EffectEnded, Rolled
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.turn_order.initiative import InitiativeSet
from turnwright.play.turns.turns import RoundStarted, TurnStarted, WorldTurnStarted
from turnwright.rules.parts.environment.entries import hearing_limit
from turnwright.storage.encounters import EncounterFile, parse_encounter


def only(place: str, row: str) -> Environment:
    """A shipped environment with one of its world actions and nothing else."""
    whole = environment(place)
    return msgspec.structs.replace(whole, features=(), actions=tuple(one for one in whole.actions if one.id == row))


def rolls(table: Table) -> list[tuple[int, bool]]:
    """Every recharge roll so far: its face, and whether it brought the row back."""
    return [(event.face, event.ready) for event in table.happened(RechargeRolled)]


def offers(table: Table) -> list[tuple[str, ...]]:
    """What the world could use at the top of each round."""
    return [tuple(entry for _, entry in event.offers) for event in table.happened(WorldTurnStarted)]


# What is there --------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.world.feature-kinds")
def test_features_are_listed_by_kind_and_survive_saving() -> None:
    table = Table("ann", surroundings=[environment("furnished")])
    loaded = parse_encounter(EncounterFile().render(table.encounter).encode(), Path("inn.toml"), {"a5e"})
    assert loaded.encounter is not None
    assert loaded.findings == ()
    inn = loaded.encounter.need(Environment, "furnished")
    assert {row.id: row.kind for row in inn.features} == {
        "chandelier": "obstacle",
        "clutter": "area",
        "mirror": "object",
        "tables": "obstacle",
    }
    kinds = {row.kind for place in a5e().environments.values() for row in place.features}
    assert kinds == {"object", "obstacle", "area", "field"}


@pytest.mark.rule("a5e.world.active-effect")
def test_only_world_actions_are_candidates_for_the_worlds_step() -> None:
    table = Table("ann", surroundings=[environment("hazy")])
    table.start(ann=12)
    assert [row.entry.id for row in queries.world_action_states(table.encounter)] == ["shadow-puppet", "twisting-haze"]
    assert offers(table) == [("shadow-puppet", "twisting-haze")]
    for name in ("Shadow Puppet", "Twisting Haze"):
        assert table.prompt.subject == name
        table.skips()
    assert (table.active, table.prompts) == ("ann", [])


# When it acts ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.world.start-of-round")
def test_the_world_acts_before_the_highest_initiative() -> None:
    table = Table("ann", "bob", surroundings=[only("fiery", "sweltering-heat")])
    table.start(ann=30, bob=5)
    for number in (1, 2):
        assert (table.clock.round, table.active) == (number, "")
        assert table.prompt.subject == "Sweltering Heat"
        table.skips()
        assert table.active == "ann"
        table.ends_turn(2)
    course = [type(event) for event in table.events if isinstance(event, WorldTurnStarted | TurnStarted)]
    assert course == [
        WorldTurnStarted,
        TurnStarted,
        TurnStarted,
        WorldTurnStarted,
        TurnStarted,
        TurnStarted,
        WorldTurnStarted,
    ]
    assert {event.rule for event in table.happened(WorldTurnStarted)} == {"a5e.world.start-of-round"}


@pytest.mark.rule("a5e.world.own-turn")
def test_what_lasts_until_the_worlds_next_turn_ends_before_it_acts() -> None:
    table = Table("ann", "bob", surroundings=[only("fiery", "sweltering-heat")])
    table.start(ann=15, bob=5)
    table.skips()
    table.ends_turn(2)
    table.skips()
    assert table.clock.round == 2
    table.does(ApplyCondition(("bob",), "restrained", ends=Duration("world", "fiery")))
    table.ends_turn()
    assert table.effects("bob") == {"restrained"}
    table.ends_turn()
    assert (table.clock.round, table.prompt.subject) == (3, "Sweltering Heat")
    assert table.effects("bob") == set()
    last = [event for event in table.events if isinstance(event, RoundStarted | EffectEnded | WorldTurnStarted)][-3:]
    assert [type(event) for event in last] == [RoundStarted, EffectEnded, WorldTurnStarted]
    assert last[1].rule == "a5e.world.own-turn"


def test_a_row_that_lasts_until_the_worlds_next_turn_leaves_such_an_effect() -> None:
    heat = with_row(
        only("fiery", "sweltering-heat"),
        "sweltering-heat",
        afflictions=(InflictedCondition("prone", ends="world"),),
        save=None,
    )
    table = Table("ann", surroundings=[heat])
    table.start(ann=15)
    table.chooses("ann")
    assert [effect.ends for effect in table.encounter.all(Effect)] == [Duration("world", "fiery")]
    table.ends_turn()
    assert table.effects("ann") == set()


# Whom it reaches ------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.world.range")
def test_the_game_master_unticks_those_out_of_reach() -> None:
    table = Table(*"abcdef", surroundings=[only("frigid", "cold-chill")])
    table.start(a=6, b=5, c=4, d=3, e=2, f=1)
    (ask,) = table.prompt.asks
    assert ask.suggested == tuple("abcdef")
    assert (ask.max_choices, ask.rule) == (0, "a5e.world.range")
    table.chooses("a", "b", "d", "f")
    assert table.prompt.title == "prompt.save"
    assert [ask.who for ask in table.prompt.asks] == ["a", "b", "d", "f"]
    (used,) = table.happened(EntryUsed)
    assert used.targets == ("a", "b", "d", "f")


def test_nobody_dead_or_outside_is_offered_as_a_target_and_one_means_one() -> None:
    table = Table(*"abcd", surroundings=[only("stormy", "forceful-gale")])
    table.start(a=6, b=5, c=4, d=3)
    table.skips()
    table.does(SetDead("b"))
    table.does(SetPosition("c", outside=("stormy",)))
    table.ends_turn(3)
    assert [option.id for option in table.prompt.asks[0].options] == ["a", "d"]
    assert table.prompt.asks[0].max_choices == 1
    table.chooses("d")
    assert [ask.who for ask in table.prompt.asks] == ["d"]


@pytest.mark.rule("a5e.world.new-participants")
def test_a_world_action_brings_in_a_newcomer_who_rolls_or_takes_the_figure_entered() -> None:
    table = Table(
        *"abcd", "late", roster=[RosterEntry("late", "late", wave="w")], surroundings=[only("swampy", "leeches")]
    )
    table.start(a=20, b=15, c=10, d=5)
    for _ in range(2):
        table.skips()
        table.ends_turn(4)
    assert (table.clock.round, len(table.order)) == (3, 4)
    table.chooses("use")
    assert table.prompt.title == "prompt.initiative"
    table.dice(11, 1)
    assert table.order == ["a", "b", "swarm-of-insects", "c", "d"]
    swarm = table.one("swarm-of-insects")
    assert (swarm.label, swarm.side, swarm.initiative) == ("Leech swarm", "hostile to all", 12)
    (joined,) = table.happened(CombatantAdded)
    assert (joined.who, joined.rule) == ("swarm-of-insects", "a5e.world.new-participants")
    assert (table.clock.round, table.active) == (3, "a")
    table.ends_turn(2)
    assert table.active == "swarm-of-insects"

    table.does(AddCombatants("late", initiative=7))
    assert table.order == ["a", "b", "swarm-of-insects", "c", "late", "d"]
    assert table.prompts == []
    assert table.happened(InitiativeSet)[-1].rule == "a5e.world.new-participants"


# What comes back ------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.world.recharge.spent")
def test_a_spent_world_action_is_gone_until_it_recharges() -> None:
    table = Table("ann", surroundings=[environment("frigid")])
    table.start(ann=10)
    assert offers(table) == [("cold-chill",)]
    table.chooses("ann")
    table.answers(ann="20")
    assert table.prompt.title == "prompt.recharge"
    assert not table.row("frigid", "cold-chill").ready
    table.dice(2, 3)
    assert not table.row("frigid", "cold-chill").ready
    refused = table.refuses(UseEntry("frigid", "cold-chill"))
    assert (refused.key, refused.rule) == ("refused.not_recharged", "a5e.world.recharge.spent")
    table.ends_turn()
    assert (table.clock.round, table.active, table.prompts) == (2, "ann", [])
    assert rolls(table) == [(2, False), (3, False)]
    assert offers(table) == [("cold-chill",), ()]
    (row,) = queries.world_action_states(table.encounter)
    assert (row.state.ready, row.offered) == (False, False)
    table.dice(4)
    table.ends_turn()
    assert offers(table)[-1] == ("cold-chill",)


@pytest.mark.rule("a5e.world.recharge.after-use")
@pytest.mark.parametrize(("face", "ready"), [(5, True), (4, False), (6, True)])
def test_a_d6_at_or_above_the_figure_brings_it_back_at_once(face: int, ready: bool) -> None:
    table = Table("ann", surroundings=[only("rocky", "falling-rocks")])
    table.start(ann=10)
    table.chooses("ann")
    table.answers(ann="20")
    (ask,) = table.prompt.asks
    assert ask.spec is not None
    assert (ask.spec.dice, ask.dc, ask.rule) == ("1d6", 5, "a5e.world.recharge.after-use")
    table.dice(face)
    assert rolls(table) == [(face, ready)]
    assert table.happened(RechargeRolled)[0].rule == "a5e.world.recharge.after-use"
    assert table.row("rocky", "falling-rocks").ready is ready


@pytest.mark.rule("a5e.world.recharge.repeat")
def test_it_is_rolled_for_again_each_round_until_it_comes_back() -> None:
    table = Table("ann", surroundings=[only("swampy", "leeches")])
    table.start(ann=10)
    table.dice(2, 3)  # the leeches' own initiative, then the recharge
    table.chooses("use")
    assert rolls(table) == [(3, False)]
    assert table.order == ["ann", "swarm-of-insects"]
    table.dice(5)
    table.ends_turn(2)
    assert (table.clock.round, rolls(table)) == (2, [(3, False), (5, False)])
    table.dice(6)
    table.ends_turn(2)
    assert table.clock.round == 3
    assert rolls(table) == [(3, False), (5, False), (6, True)]
    assert table.row("swampy", "leeches").ready
    assert offers(table) == [("leeches",), (), ("leeches",)]
    table.chooses("leave")
    table.dice(1)
    table.ends_turn(2)
    assert table.clock.round == 4
    assert len(rolls(table)) == 3
    later = [event.rule for event in table.happened(RechargeRolled)][1:]
    assert later == ["a5e.world.recharge.repeat", "a5e.world.recharge.repeat"]


@pytest.mark.rule("a5e.world.recharge.only-listed")
def test_what_lists_no_recharge_is_ready_again_without_a_roll() -> None:
    table = Table("ann", surroundings=[only("fiery", "sweltering-heat")])
    table.start(ann=10)
    table.chooses("ann")
    table.answers(ann="20")
    assert (table.active, table.prompts) == ("ann", [])
    assert len(table.happened(EntryUsed)) == 1
    table.does(UseEntry("fiery", "sweltering-heat", targets=("ann",)))
    table.answers(ann="20")
    assert table.prompts == []
    table.dice(1)
    table.ends_turn()
    assert table.clock.round == 2
    assert table.row("fiery", "sweltering-heat").ready
    assert offers(table)[-1] == ("sweltering-heat",)
    assert rolls(table) == []


def test_what_is_recharged_by_hand_is_offered_and_not_rolled_for() -> None:
    table = Table("ann", surroundings=[only("frigid", "cold-chill")])
    table.start(ann=10)
    table.skips()
    table.does(SetEntryReady("frigid", "cold-chill", ready=False))
    table.does(SetEntryReady("frigid", "cold-chill", ready=True))
    table.dice(1)
    table.ends_turn()
    assert offers(table)[-1] == ("cold-chill",)
    assert rolls(table) == []


# As the game master likes it ------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.world.reskin")
def test_a_row_may_be_renamed_and_another_left_out() -> None:
    storm = environment("stormy")
    table = Table(creature("ann", hp=50), surroundings=[storm])
    assert hearing_limit_of(table, "ann") > 15
    changed = with_row(storm, "lightning-strike", name="Falling Mast")
    table.does(Edit(with_row(with_row(changed, "loud-winds", enabled=False), "forceful-gale", enabled=False)))
    table.start(ann=10)
    assert [row.entry.name for row in queries.world_action_states(table.encounter)] == ["Falling Mast"]
    assert table.prompt.subject == "Falling Mast"
    table.chooses("ann")
    (ask,) = table.prompt.asks
    assert (table.prompt.subject, ask.dc) == ("Falling Mast", 10)
    table.answers(ann="9")
    (ask,) = table.prompt.asks
    assert ask.spec is not None
    assert ask.spec.dice == "4d6 lightning"
    table.dice(6, 6, 6, 6, 1)
    assert table.one("ann").hp == 26
    assert hearing_limit_of(table, "ann") > 15
    assert table.refuses(UseEntry("stormy", "loud-winds")).key == "refused.no_such_row"
    table.does(Edit(changed))
    assert hearing_limit_of(table, "ann") == 15


def hearing_limit_of(table: Table, who: str) -> int:
    """Within how many feet somebody hears what is not loud; before a fight nobody is there to hear."""
    return hearing_limit(table.encounter, table.rules, who) if table.encounter.get(Combatant, who) else 1_000_000


STONES = EnvironmentEntry("stones", "Stones", affects="each", save=SavingThrow("dex", 10), damage="1 bludgeoning")
GUST = EnvironmentEntry("gust", "Gust", affects="each", save=SavingThrow("str", 10), recharge=5)


def chase(*actions: EnvironmentEntry, rolling: bool = True) -> Table:
    """A, B and C, and a world that throws stones at all of them."""
    scene = Scene(strictness="enforce", rolling=rolling)
    place = environment("rocky", features=(), actions=actions)
    table = Table("a", "b", "c", surroundings=[place], scene=scene)
    table.start(a=15, b=10, c=5)
    return table


def offered(table: Table) -> list[str]:
    """Whom the open card of the world lets one choose."""
    (asked,) = table.prompt.asks
    return [option.id for option in asked.options]


@pytest.mark.rule("a5e.rolling.world-per-turn")
def test_the_world_acts_as_each_turn_begins_and_on_that_one_alone() -> None:
    table = chase(STONES)
    for who in ("a", "b", "c"):
        assert (table.active, offered(table)) == (who, [who])
        table.dice(4)
        table.chooses(who)
        assert [one.who for one in table.happened(Rolled) if one.purpose == "ask.save"][-1] == who
        table.ends_turn()
    assert table.clock.round == 2
    events = table.events[: table.events.index(table.happened(RoundStarted)[-1])]
    phases = [event for event in events if isinstance(event, WorldTurnStarted)]
    assert len(phases) == 3
    assert {event.rule for event in phases} == {"a5e.rolling.world-per-turn"}
    assert (table.active, offered(table)) == ("a", ["a"])


@pytest.mark.rule("a5e.rolling.world-per-turn")
def test_elsewhere_it_acts_at_the_top_of_the_round_on_all() -> None:
    table = chase(STONES, rolling=False)
    assert (table.active, offered(table)) == ("", ["a", "b", "c"])
    table.skips()
    table.ends_turn(3)
    assert [event.rule for event in table.happened(WorldTurnStarted)] == ["a5e.world.start-of-round"] * 2


def test_what_must_recharge_does_so_once_a_round() -> None:
    table = chase(GUST)
    table.dice(4, 1)
    table.chooses("a")
    assert [event.ready for event in table.happened(RechargeRolled)] == [False]
    table.ends_turn()
    assert (table.active, table.prompts) == ("b", [])
    table.ends_turn()
    table.dice(2)
    table.ends_turn()
    assert [event.ready for event in table.happened(RechargeRolled)] == [False, False]
    assert (table.active, table.prompts) == ("a", [])


@pytest.mark.rule("a5e.rolling.no-forward")
def test_an_improvised_action_may_lead_forward():
    table = Table("ann", "bob", scene=Scene(strictness="enforce", rolling=True))
    table.start(ann=20, bob=10)
    assert table.refuses(MoveFeet("ann", 10, heading="forward")).rule == "a5e.rolling.no-forward"
    table.does(TakeAction("ann", "improvise", note="a swing on the banner", choice="automatic"))
    table.does(MoveFeet("ann", 10, heading="forward"))
    assert table.track("ann", "moved") == 10
