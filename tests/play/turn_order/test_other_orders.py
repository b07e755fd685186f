"""Initiative in other ways, by house rules that every game has."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.forecast.small_fights import fighter, sheet_of_fight, small_fight
from tests.table import Table, creature
from turnwright.bootstrap import SHIPPED, RuleSystems
from turnwright.encounter.prepared import RosterEntry, Scene, Wave
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.play.turns.turns import ComeIn, Delay, DelayLost, EndTurn, GoToTurn

RULES = RuleSystems()
EACH_ROUND = "initiative-each-round"


class Fight(Table):
    """A fight without an ambush, in any game."""

    def start(self, **initiative: int) -> None:
        """Enter these totals, and stand in round 1."""
        self.does(StartEncounter())
        while self.clock.setup_step != "initiative":
            self.does(AdvanceSetup())
            if self.prompts:
                self.answers(ambush="none")
        if initiative:
            self.does(SetInitiative(tuple(initiative.items())))
        self.does(AdvanceSetup())


def table_of(game: str, *options: str, roster: tuple[RosterEntry, ...] = (), foes: tuple[str, ...] = ("c",)) -> Fight:
    people = [creature(id, initiative=0) for id in ("a", "b", "c")]
    scene = Scene(system=game, strictness="enforce", options=options)
    return Fight(*people, foes=foes, roster=roster, scene=scene, rules=RULES.get(game))


def round_of(table: Table) -> list[str]:
    """End turns until the round is over, and return who had them."""
    seen, number = [], table.clock.round
    while table.clock.round == number and table.active:
        seen.append(table.active)
        table.does(EndTurn())
    return seen


@pytest.mark.parametrize("game", SHIPPED)
def test_initiative_is_rolled_again_each_round(game: str) -> None:
    table = table_of(game, EACH_ROUND)
    table.start(a=9, b=8, c=7)
    assert round_of(table) == ["a", "b", "c"]
    assert (table.prompt.title, table.active, table.clock.round) == ("prompt.initiative", "", 2)
    assert {ask.id for ask in table.prompt.asks} == {"a", "b", "c"}
    before = table.encounter
    table.does(SetInitiative((("a", 1),)))
    table.answers(b=4, c=10)
    assert table.order == ["c", "b", "a"]
    table.session.undo()
    table.session.undo()
    assert table.encounter == before
    table.answers(a=2, b=3, c=1)
    assert round_of(table) == ["b", "a", "c"]


@pytest.mark.parametrize("game", SHIPPED)
def test_without_the_house_rule_the_order_stays(game: str) -> None:
    table = table_of(game)
    table.start(a=9, b=8, c=7)
    assert round_of(table) == round_of(table) == ["a", "b", "c"]


def test_a_group_rolls_again_as_one_and_the_dead_do_not_roll() -> None:
    roster = (RosterEntry("c", "c", count=3, side="enemies", group=True),)
    table = table_of("a5e", EACH_ROUND, roster=roster)
    table.start(**{"a": 9, "b": 8, "c-1": 7})
    table.does(SetDead("b"), anyway=True)
    round_of(table)
    assert [ask.id for ask in table.prompt.asks] == ["a", "c-1"]
    table.answers(a=3, c_1=12)
    assert [one.initiative for one in table.encounter.all(Combatant)] == [3, 8, 12, 12, 12]


def test_ties_of_a_reroll_are_broken_as_at_the_start() -> None:
    table = table_of("a5e", EACH_ROUND)
    table.start(a=9, b=8, c=7)
    round_of(table)
    table.answers(a=5, b=5, c=1)
    assert table.prompt.title == "prompt.tie"
    table.answers(a=3, b=11)
    assert table.order == ["b", "a", "c"]


def test_a_delayed_turn_can_still_be_taken_before_the_new_place() -> None:
    table = table_of("pf2e", EACH_ROUND)
    table.start(a=9, b=8, c=7)
    table.does(Delay())
    round_of(table)
    table.answers(a=1, b=12, c=11)
    assert table.active == "b"
    table.does(ComeIn("a"))
    assert (table.active, table.happened(DelayLost)) == ("a", [])


def test_a_wave_of_the_round_rolls_with_it() -> None:
    table = table_of("a5e", EACH_ROUND, roster=(RosterEntry("c", "c", side="enemies", wave="later"),))
    table.does(Add((Wave("later", round=2),)))
    table.start(a=9, b=8)
    round_of(table)
    table.answers(a=2, b=3)
    table.answers(c=5)
    assert (table.order, table.active) == (["c", "b", "a"], "c")


def test_a_controlled_mount_stays_before_its_rider() -> None:
    table = table_of("dnd5e", EACH_ROUND, foes=())
    table.start(a=9, b=8, c=7)
    table.does(GoToTurn("b"))
    table.does(MountOrDismount("b", "a"), anyway=True)
    table.answers(weight=("willing",), control=("controlled-mount",))
    round_of(table)
    table.answers(b=2, c=3)
    assert table.order == ["c", "a", "b"]


def test_the_forecast_says_that_the_order_stays() -> None:
    fight = small_fight("a5e", [fighter("a")], [fighter("c")])
    plain = sheet_of_fight(fight, "a5e")[1]
    changed = Encounter([replace(one, options=(EACH_ROUND,)) if isinstance(one, Scene) else one for one in fight])
    reasons = {note.reason for note in sheet_of_fight(changed, "a5e")[1].notes}
    assert reasons - {note.reason for note in plain.notes} == {"forecast.note.order_stays"}
