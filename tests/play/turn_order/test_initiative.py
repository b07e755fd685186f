"""Places in the order: what is rolled for them, who goes first, and how ties are parted."""

from __future__ import annotations

import pytest

from tests.table import Table, creature
from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Combatant, Slot
from turnwright.play.asking.answer import DismissPrompt
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.queries import queries
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.spawning.spawning import AddCombatants
from turnwright.play.state.events import Rolled
from turnwright.play.turn_order.initiative import InitiativeOrderSet, InitiativeSet
from turnwright.play.turn_order.surprise import (
    CallForChecks,
    MarkSneaking,
    RollInitiative,
    SetInitiative,
    SetInitiativeCheck,
)
from turnwright.play.turns.turns import GoToTurn


def at_initiative(table: Table) -> Table:
    """The table in the initiative step, with nobody surprised."""
    table.does(StartEncounter())
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    return table


def initiatives(table: Table) -> dict[str, int | None]:
    """Everybody's total."""
    return {one.id: one.initiative for one in table.encounter.all(Combatant)}


@pytest.mark.rule("a5e.initiative.order")
def test_turns_go_from_the_highest_total_to_the_lowest() -> None:
    table = Table("a", "b", "c")
    table.start(a=9, b=21, c=14)
    assert table.order == ["b", "c", "a"]
    (settled,) = table.happened(InitiativeOrderSet)
    assert (settled.who, settled.rule) == (("b", "c", "a"), "a5e.initiative.order")
    acted = []
    for _ in range(3):
        acted.append(table.active)
        table.ends_turn()
    assert acted == ["b", "c", "a"]


@pytest.mark.rule("a5e.initiative.persist")
def test_the_order_stays_for_the_whole_encounter() -> None:
    table = at_initiative(Table("a", "b", "c"))
    table.dice(9, 20, 14)
    table.does(AdvanceSetup())
    table.dice(20, 1, 2)
    for _ in range(3):
        table.ends_turn(3)
    assert table.clock.round == 4
    assert table.order == ["b", "c", "a"]
    assert table.active == "b"
    assert [event.who for event in table.happened(Rolled)] == ["a", "b", "c"]
    assert initiatives(table) == {"a": 9, "b": 20, "c": 14}


@pytest.mark.rule("a5e.initiative.default-dexterity")
def test_initiative_is_a_dexterity_check() -> None:
    table = at_initiative(Table(creature("ann", abilities=(("dex", 16), ("str", 20), ("wis", 8)))))
    table.dice(11)
    table.does(AdvanceSetup())
    assert table.one("ann").initiative == 14
    (rolled,) = table.happened(Rolled)
    assert [(part.value, part.reason) for part in rolled.roll.modifiers] == [(3, "<ability.dex>")]
    assert rolled.rule == "a5e.initiative.default-dexterity"


def test_a_bonus_in_the_stat_block_or_the_roster_stands_for_the_dexterity_modifier() -> None:
    people = (creature("ann", initiative=7, abilities=(("dex", 16),)), creature("bob", initiative=7))
    table = Table(*people, roster=[RosterEntry("bob", "bob", initiative=1)])
    at_initiative(table)
    table.dice(10, 10)
    table.does(AdvanceSetup())
    assert initiatives(table) == {"ann": 17, "bob": 11}


@pytest.mark.rule("a5e.initiative.alternate-check")
def test_the_game_master_may_name_another_check_for_some() -> None:
    strong = creature("ann", abilities=(("str", 18),), skills=(("athletics", 6),))
    table = at_initiative(Table(strong, creature("bob", abilities=(("dex", 12),))))
    table.does(SetInitiativeCheck(("ann",), "str:athletics"))
    table.dice(10, 10)
    table.does(AdvanceSetup())
    assert initiatives(table) == {"ann": 16, "bob": 11}
    rules = {event.who: event.rule for event in table.happened(Rolled)}
    assert rules == {"ann": "a5e.initiative.alternate-check", "bob": "a5e.initiative.default-dexterity"}


@pytest.mark.parametrize("check", ["luck", "str:jumping", "athletics", "dex:", ":stealth"])
def test_a_check_that_nobody_can_make_is_refused_with_those_there_are(check: str) -> None:
    table = at_initiative(Table("ann"))
    for command in (SetInitiativeCheck(("ann",), check), CallForChecks(("ann",), check)):
        refused = table.refuses(command)
        assert (refused.key, refused.params["what"]) == ("refused.no_such_check", check)
        assert "str, dex, con, int, wis, cha" in str(refused.params["abilities"])
        assert "athletics" in str(refused.params["skills"])
    assert table.refuses(CallForChecks(("ann",), "")).key == "refused.no_such_check"
    table.does(SetInitiativeCheck(("ann",), "con:athletics"))
    table.does(SetInitiativeCheck(("ann",)))
    assert table.one("ann").check == ""


@pytest.mark.rule("a5e.initiative.tie")
def test_equals_roll_a_plain_d20_among_themselves() -> None:
    quick = (("dex", 18),)
    table = at_initiative(Table(creature("a", abilities=quick), "b", "c"))
    table.does(SetInitiative((("a", 15), ("b", 15), ("c", 14))))
    table.does(AdvanceSetup())
    assert table.prompt.title == "prompt.tie"
    assert [ask.who for ask in table.prompt.asks] == ["a", "b"]
    assert {ask.spec.dice for ask in table.prompt.asks if ask.spec} == {"1d20"}
    assert {ask.rule for ask in table.prompt.asks} == {"a5e.initiative.tie"}
    table.dice(7, 12)
    assert table.prompts == []
    assert table.order == ["b", "a", "c"]
    assert [(event.who, event.roll.total) for event in table.happened(Rolled)] == [("a", 7), ("b", 12)]
    assert initiatives(table) == {"a": 15, "b": 15, "c": 14}


@pytest.mark.rule("a5e.initiative.tie")
def test_a_tie_that_ties_again_is_rolled_again() -> None:
    table = at_initiative(Table("a", "b", "c", "d"))
    table.does(SetInitiative((("a", 15), ("b", 15), ("c", 15), ("d", 2))))
    table.dice(7, 7, 12, 3, 18)
    table.does(AdvanceSetup())
    assert table.order == ["c", "b", "a", "d"]
    assert table.encounter.need(Slot, "b").tie_rolls == (7, 18)


def test_a_tie_that_is_skipped_is_asked_once() -> None:
    table = at_initiative(Table("ann", "bob", "cat"))
    table.does(SetInitiative((("ann", 15), ("bob", 15), ("cat", 20))))
    table.does(RollInitiative())
    assert table.prompt.title == "prompt.tie"
    table.does(DismissPrompt(table.prompt.id))
    assert table.prompts == []
    table.does(AdvanceSetup())
    assert (table.clock.phase, table.prompts, table.order) == ("rounds", [], ["cat", "ann", "bob"])


@pytest.mark.rule("a5e.initiative.tie")
def test_a_newcomer_who_ties_rolls_and_leaves_the_others_where_they_are() -> None:
    table = Table("a", "b", "late", roster=[RosterEntry("late", "late", wave="w")])
    table.start(a=15, b=10)
    table.does(AddCombatants("late", initiative=15))
    assert [ask.who for ask in table.prompt.asks] == ["a", "late"]
    table.answers(a="3", late="4")
    assert table.order == ["late", "a", "b"]
    assert table.active == "a"


@pytest.mark.rule("a5e.initiative.reuse")
def test_a_check_made_for_surprise_is_kept_as_the_total() -> None:
    rogue = creature("rogue", abilities=(("dex", 18),), skills=(("stealth", 8),))
    table = Table(rogue, "guard")
    table.does(StartEncounter())
    table.does(MarkSneaking(("rogue",)))
    table.does(AdvanceSetup())
    table.dice(14)
    table.answers(sneaking="dex:stealth", others="none")
    table.chooses("guard")
    table.does(AdvanceSetup())
    table.dice(5, 20)
    table.does(AdvanceSetup())
    assert initiatives(table) == {"rogue": 22, "guard": 5}
    assert table.order == ["rogue", "guard"]
    assert [(event.who, event.roll.total) for event in table.happened(Rolled)] == [("rogue", 22), ("guard", 5)]
    kept = [(event.who, event.how, event.rule) for event in table.happened(InitiativeSet)]
    assert kept[0] == ("rogue", "kept", "a5e.initiative.reuse")
    assert [who for who, *_ in kept] == ["rogue", "guard"]


def test_a_score_that_is_passed_over_is_not_kept() -> None:
    table = Table("rogue", "guard")
    table.does(StartEncounter())
    table.does(MarkSneaking(("rogue",)))
    table.does(AdvanceSetup())
    table.answers(sneaking="dex:stealth", others="none")
    table.answers(rogue=None)
    table.chooses("guard")
    assert table.one("rogue").initiative is None


def test_rolling_early_asks_those_who_lack_a_total_and_starts_no_round() -> None:
    table = at_initiative(Table("a", "b"))
    table.does(SetInitiative((("a", 12),)))
    table.does(RollInitiative())
    assert [ask.who for ask in table.prompt.asks] == ["b"]
    table.answers(b="13")
    assert (table.clock.phase, table.order) == ("set-up", ["b", "a"])
    table.does(AdvanceSetup())
    assert (table.clock.round, table.active) == (1, "b")


def test_totals_corrected_in_a_round_move_the_one_corrected() -> None:
    table = Table("a", "b", "c")
    table.start(a=15, b=10, c=5)
    table.does(SetInitiative((("c", 12),)))
    assert table.order == ["a", "c", "b"]
    assert table.active == "a"
    table.does(SetInitiative((("b", 12),)))
    table.answers(c="4", b="6")
    assert table.order == ["a", "b", "c"]


def test_any_slot_may_be_made_active_by_hand() -> None:
    table = Table("a", "b", "c")
    table.start(a=15, b=10, c=5)
    table.does(GoToTurn("c"))
    assert [one.id for one in queries.active_combatants(table.encounter)] == ["c"]
    table.ends_turn()
    assert (table.clock.round, table.active) == (1, "b")
    table.ends_turn()
    assert (table.clock.round, table.active) == (2, "a")


def test_the_order_is_told_once_as_the_rounds_begin() -> None:
    table = at_initiative(Table("a", "b"))
    table.dice(9, 20)
    table.does(RollInitiative())
    assert table.happened(InitiativeOrderSet) == []
    table.does(AdvanceSetup())
    assert [event.who for event in table.happened(InitiativeOrderSet)] == [("b", "a")]


def test_the_order_that_a_newcomer_changes_names_the_living() -> None:
    table = Table("a", "b", "c", roster=[RosterEntry(id, id, wave="late" if id == "c" else "") for id in "abc"])
    table.start(a=20, b=10)
    table.does(SetDead("b"))
    table.does(AddCombatants("c", initiative=15))
    assert table.happened(InitiativeOrderSet)[-1].who == ("a", "c")


@pytest.mark.parametrize("total", [None, 15])
def test_a_summoned_creature_belongs_to_its_summoner(total: int | None) -> None:
    hero = RosterEntry("a", "a", side="heroes", player="Kim")
    table = Table("a", "b", "c", roster=[hero, RosterEntry("b", "b"), RosterEntry("c", "c", wave="late")])
    table.start(a=20, b=10)
    table.does(AddCombatants("c", initiative=total, summoner="a"))
    wolf = table.one("c")
    assert (wolf.controller, wolf.side, wolf.role) == ("a", "heroes", "companion")
    assert (table.order, table.prompts) == (["a", "c", "b"], [])
    assert ("a" in next(iter(table.encounter.of(Slot, "c"))).members) == (total is None)


@pytest.mark.parametrize(
    ("answer", "left"),
    [("leave", ["a", "b"]), ("stay", ["a", "b", "c-1", "c-2"]), ("hostile", ["a", "b", "c-1", "c-2"])],
)
def test_summoned_creatures_may_leave_with_the_spell_that_brought_them(answer: str, left: list[str]) -> None:
    late = RosterEntry("c", "c", count=2, wave="late")
    table = Table("a", "b", "c", roster=[RosterEntry("a", "a", side="heroes"), RosterEntry("b", "b"), late])
    table.start(a=20, b=10)
    table.does(Concentrate("a", "conjure animals"))
    table.does(AddCombatants("c", summoner="a"))
    table.does(Concentrate("a", "bless"))
    assert [prompt.title for prompt in table.prompts] == ["prompt.summoned"]
    table.chooses(answer)
    assert sorted(table.encounter.ids(Combatant)) == left
    sides = {"leave": set(), "stay": {"heroes"}, "hostile": {"hostile to all"}}[answer]
    assert {table.one(who).side for who in left if who.startswith("c")} == sides
    assert table.prompts == []


def test_a_creature_does_not_belong_to_one_that_obeys_it() -> None:
    entries = [RosterEntry("a", "a", side="party", controller="b"), RosterEntry("b", "b", side="party", wave="late")]
    table = Table(creature("a"), creature("b"), "t", foes=("t",), roster=entries)
    table.start(a=20, t=10)
    table.does(AddCombatants("b", initiative=5, summoner="a"))
    assert table.one("b").controller == "" or table.one("a").controller == ""
