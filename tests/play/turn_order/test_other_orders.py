"""Initiative in other ways, by house rules that every game has."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.forecast.small_fights import fighter, sheet_of_fight, small_fight
from tests.games import GAMES
from tests.table import Table, creature
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Feature, RosterEntry, Scene, Wave
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter, packed, unpacked
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.events import Rolled
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.play.turns.turns import ComeIn, Delay, DelayLost, EndTurn, GoToTurn, RemoveCombatant

RULES = RuleSystems()
BY_SIDE = "side-initiative"
POPCORN, NO_ORDER = "popcorn-initiative", "no-initiative"
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


@pytest.mark.parametrize("game", GAMES)
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


@pytest.mark.parametrize("game", GAMES)
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


@pytest.mark.parametrize("option", [EACH_ROUND, BY_SIDE, POPCORN, NO_ORDER])
def test_the_forecast_says_that_the_order_stays(option: str) -> None:
    fight = small_fight("a5e", [fighter("a")], [fighter("c")])
    plain = sheet_of_fight(fight, "a5e")[1]
    changed = Encounter([replace(one, options=(option,)) if isinstance(one, Scene) else one for one in fight])
    reasons = {note.reason for note in sheet_of_fight(changed, "a5e")[1].notes}
    assert reasons - {note.reason for note in plain.notes} == {"forecast.note.order_stays"}


@pytest.mark.parametrize("game", GAMES)
def test_whoever_ends_a_turn_names_the_next(game: str) -> None:
    table = table_of(game, POPCORN)
    table.start(a=9, b=8, c=7)
    assert table.active == "a"
    table.ends_turn()
    assert [(ask.label, [option.id for option in ask.options]) for ask in table.prompt.asks] == [
        ("ask.next_turn", ["b", "c"])
    ]
    assert table.prompt.blocks
    assert Encounter(unpacked(packed(table.encounter))) == table.encounter
    table.chooses("c")
    assert table.active == "c"
    table.ends_turn()
    assert (table.prompts, table.active, table.clock.round) == ([], "b", 1)
    table.ends_turn()
    assert (len(table.prompt.asks[0].options), table.active, table.clock.round) == (3, "", 2)
    table.chooses("b")
    assert (table.active, table.clock.round) == ("b", 2)
    table.session.undo()
    table.chooses("a")
    assert table.active == "a"


@pytest.mark.parametrize("game", GAMES)
def test_nobody_rolls_and_the_next_is_chosen_each_time(game: str) -> None:
    table = table_of(game, NO_ORDER)
    table.start()
    seen = []
    for choice in ("b", "c", "", "c", "a", ""):
        if choice:
            assert table.prompt.title == "prompt.next_turn"
            table.chooses(choice)
        seen.append((table.clock.round, table.active))
        table.ends_turn()
    assert seen == [(1, "b"), (1, "c"), (1, "a"), (2, "c"), (2, "a"), (2, "b")]
    assert table.happened(Rolled) == []


def test_the_dead_are_not_offered_and_a_skipped_choice_goes_on() -> None:
    table = table_of("a5e", NO_ORDER)
    table.start()
    table.does(SetDead("b"), anyway=True)
    table.chooses("b")
    assert [option.id for option in table.prompt.asks[0].options] == ["a", "c"]
    table.skips()
    assert table.active == "a"
    table.ends_turn()
    assert table.active == "c"
    table.ends_turn()
    assert (table.clock.round, len(table.prompt.asks[0].options)) == (2, 2)


def test_ties_at_a_place_are_not_asked_when_the_next_is_chosen() -> None:
    table = table_of("pf2e", POPCORN, foes=())
    table.start(a=9, b=8, c=8)
    table.ends_turn()
    assert table.prompt.title == "prompt.next_turn"
    table.chooses("c")
    table.ends_turn()
    assert (table.prompts, table.active) == ([], "b")


def test_a_removed_combatant_is_asked_for_again() -> None:
    table = table_of("a5e", NO_ORDER)
    table.start()
    table.does(RemoveCombatant("b"), anyway=True)
    table.chooses("b")
    assert [option.id for option in table.prompt.asks[0].options] == ["a", "c"]


def test_a_lair_acts_at_the_start_of_a_round_whose_order_is_chosen() -> None:
    lair = Feature("quake", "Quake", "lair", text="The ground shakes.")
    dragon = creature("dragon", initiative=0, features=(lair,))
    scene = Scene(system="dnd5e", strictness="enforce", options=(NO_ORDER,))
    table = Fight("a", dragon, foes=("dragon",), scene=scene, rules=RULES.get("dnd5e"))
    table.start()
    assert (table.prompt.title, table.active) == ("prompt.lair", "")
    table.skips()
    assert table.prompt.title == "prompt.next_turn"
    table.chooses("dragon")
    table.ends_turn()
    assert (table.prompts, table.active) == ([], "a")


@pytest.mark.parametrize("game", GAMES)
def test_each_side_rolls_once_and_acts_in_any_order(game: str) -> None:
    table = table_of(game, BY_SIDE, "not shared-initiative")
    table.start()
    (asked,) = table.prompt.asks
    assert (asked.label, [option.id for option in asked.options]) == ("ask.side_roller", ["a", "b"])
    table.chooses("b")
    assert {ask.id for ask in table.prompt.asks} == {"b", "c"}
    table.answers(b=12, c=5)
    assert [one.initiative for one in table.encounter.all(Combatant)] == [12, 12, 5]
    seen = []
    for choice in ("b", "", "", "a", "", ""):
        if choice:
            assert sorted(option.id for option in table.prompt.asks[0].options) == ["a", "b"]
            table.chooses(choice)
        seen.append(table.active)
        table.ends_turn()
    assert seen == ["b", "a", "c", "a", "b", "c"]


def test_sides_with_equal_totals_are_put_in_order() -> None:
    table = table_of("pf2e", BY_SIDE)
    table.start(a=9, c=9)
    assert (table.prompt.title, [option.id for option in table.prompt.asks[0].options]) == ("prompt.tie", ["a", "c"])
    table.chooses("c", "a")
    assert (table.prompts, table.active) == ([], "c")
    table.ends_turn()
    assert [option.id for option in table.prompt.asks[0].options] == ["a", "b"]


def test_newcomers_act_with_their_side() -> None:
    table = table_of("a5e", BY_SIDE, roster=(RosterEntry("b", "b", side="party", wave="later"),))
    table.does(Add((Wave("later", round=2),)))
    table.start(a=9, c=12)
    table.ends_turn(2)
    assert (table.prompts, table.active, table.one("b").initiative) == ([], "c", 9)
    table.ends_turn()
    assert [option.id for option in table.prompt.asks[0].options] == ["a", "b"]


def test_a_side_whose_roller_is_not_chosen_asks_for_values_once() -> None:
    people = [creature(id) for id in ("a", "b", "c")]
    scene = Scene(system="action_points", strictness="enforce", options=(BY_SIDE,))
    table = Fight(*people, foes=("c",), scene=scene, rules=RULES.get("action_points"))
    table.start()
    table.skips()
    assert {ask.kind for ask in table.prompt.asks} == {"number"}
    table.answers(**{ask.id: 2 for ask in table.prompt.asks})
    assert [(ask.kind, ask.id) for ask in table.prompt.asks] == [("roll", "a"), ("roll", "c")]


def test_a_total_typed_for_one_counts_for_the_side() -> None:
    table = table_of("a5e", BY_SIDE)
    table.start()
    table.does(SetInitiative((("a", 12), ("c", 3))))
    table.chooses("b")
    assert [one.initiative for one in table.encounter.all(Combatant)] == [12, 12, 3]


def test_sides_can_roll_again_each_round() -> None:
    table = table_of("dnd5e", BY_SIDE, EACH_ROUND)
    table.start()
    table.chooses("a")
    table.answers(a=9, c=3)
    table.chooses("a")
    table.ends_turn(3)
    table.chooses("b")
    table.answers(b=2, c=9)
    assert (table.clock.round, table.active) == (2, "c")
    table.ends_turn()
    table.chooses("b")
    assert table.active == "b"


def test_turns_passed_on_can_be_delayed() -> None:
    table = table_of("pf2e", NO_ORDER)
    table.start()
    table.chooses("b")
    table.does(Delay())
    table.chooses("a")
    table.does(ComeIn("b"))
    assert table.active == "b"
    table.ends_turn()
    assert (table.clock.round, table.active) == (1, "c")
