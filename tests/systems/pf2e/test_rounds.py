"""Rounds and the order by the rules of Pathfinder 2e."""

from __future__ import annotations

import pytest

from tests.systems.pf2e.encounters import Encounter
from tests.table import creature
from turnwright.encounter.prepared import RosterEntry, Scene
from turnwright.encounter.running import Combatant
from turnwright.play.queries import queries
from turnwright.play.setup.encounter_course import AdvanceSetup, EncounterStarted, StartEncounter
from turnwright.play.spawning.spawning import AddCombatants
from turnwright.play.state.events import Rolled
from turnwright.play.turn_order.initiative import InitiativeOrderSet, InitiativeSet
from turnwright.play.turn_order.surprise import NoSurprise, SetInitiative, SetInitiativeCheck
from turnwright.play.turns.turns import EncounterEnded, EndEncounter, GoToTurn, RoundEnded, RoundStarted, TurnStarted

KEEN = (("perception", 7), ("stealth", 9), ("diplomacy", 4))


def company(*people: str, foes: tuple[str, ...] = (), **totals: int) -> Encounter:
    """People with these totals, at the step of initiative."""
    table = Encounter(*people, foes=foes)
    table.begins()
    table.does(SetInitiative(tuple(totals.items())))
    return table


# Rounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pf2e.round.one_turn_each")
def test_everybody_has_one_turn_a_round() -> None:
    table = company("a", "b", "c", "d", a=20, b=15, c=10, d=5)
    table.does(AdvanceSetup())
    table.ends_turn(4)
    assert [one.who for one in table.happened(TurnStarted)] == [("a",), ("b",), ("c",), ("d",), ("a",)]
    assert [table.one(who).turns_ended for who in "abcd"] == [1, 1, 1, 1]
    assert {one.rule for one in table.happened(TurnStarted)} == {"pf2e.round.one_turn_each"}


@pytest.mark.rule("pf2e.round.duration")
def test_ten_rounds_take_a_minute() -> None:
    table = company("a", a=10)
    table.does(AdvanceSetup())
    table.ends_turn(10)
    assert (table.clock.elapsed_seconds, table.rules.default_round_seconds("combat")) == (60, 6)
    assert {one.rule for one in table.happened(RoundEnded)} == {"pf2e.round.duration"}


@pytest.mark.rule("pf2e.round.begin_and_end", "pf2e.round.next_same_order")
def test_a_round_goes_from_the_top_place_to_the_bottom_one_and_the_next_likewise() -> None:
    table = company("a", "b", "c", a=21, b=16, c=9)
    table.does(AdvanceSetup())
    table.ends_turn(2)
    assert (table.active, table.clock.round) == ("c", 1)
    table.ends_turn()
    assert (table.active, table.clock.round, table.order) == ("a", 2, ["a", "b", "c"])
    assert table.happened(Rolled) == []
    assert table.rule_of(RoundStarted) == "pf2e.round.next_same_order"


@pytest.mark.rule("pf2e.structure.overall")
def test_an_encounter_has_four_steps() -> None:
    table = company("a", "b", a=20, b=10)
    table.does(AdvanceSetup())
    table.ends_turn(2)
    table.does(EndEncounter())
    steps = [type(one) for one in table.events if isinstance(one, InitiativeSet | RoundStarted | EncounterEnded)]
    assert steps == [InitiativeSet, InitiativeSet, RoundStarted, RoundStarted, EncounterEnded]


def test_it_has_no_step_for_surprise() -> None:
    table = Encounter("a", "b")
    table.does(StartEncounter())
    table.does(AdvanceSetup())
    assert table.clock.setup_step == "initiative"
    assert table.happened(NoSurprise) == []


@pytest.mark.rule("pf2e.mode.purpose")
def test_the_game_master_starts_it() -> None:
    table = Encounter("a", "b")
    assert table.clock.phase == "preparing"
    table.does(StartEncounter())
    assert (table.rule_of(EncounterStarted), table.clock.round) == ("pf2e.mode.purpose", 0)


@pytest.mark.rule("pf2e.structure.non_combat")
def test_it_need_not_be_a_battle() -> None:
    table = Encounter("a", "b", "c", scene=Scene(system="pf2e", purpose="social"))
    table.begins()
    table.does(SetInitiative((("a", 12), ("b", 9), ("c", 4))))
    table.does(AdvanceSetup())
    table.ends_turn(3)
    assert (table.clock.round, table.active) == (2, "a")


@pytest.mark.rule("pf2e.encounter.end", "pf2e.encounter.end_clears_order")
def test_the_game_master_ends_it_and_nobody_is_active_then() -> None:
    table = company("a", "b", foes=("b",), a=20, b=10)
    table.does(AdvanceSetup())
    table.does(EndEncounter())
    assert (table.clock.phase, table.active, table.prompts) == ("ended", "", [])
    assert table.rule_of(EncounterEnded) == "pf2e.encounter.end"


# Initiative ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pf2e.initiative.perception")
def test_initiative_is_perception() -> None:
    table = Encounter(creature("a", abilities=(("wis", 2),), skills=KEEN))
    table.begins()
    table.dice(12)
    table.does(AdvanceSetup())
    rolled = table.happened(Rolled)[-1]
    assert (table.one("a").initiative, rolled.rule) == (19, "pf2e.initiative.perception")


@pytest.mark.rule("pf2e.external.skills_and_perception")
def test_a_perception_that_nobody_knows_is_asked_for() -> None:
    table = Encounter(creature("a"), "b")
    table.begins()
    table.dice(10, 4)
    table.does(AdvanceSetup())
    (asked,) = table.prompt.asks
    assert (asked.who, asked.kind, asked.detail) == ("a", "number", "<skill.perception>")
    assert asked.rule == "pf2e.external.skills_and_perception"
    table.answers(a=6)
    assert [table.one(who).initiative for who in "ab"] == [16, 4]


def test_it_is_asked_once_for_all_alike_and_may_be_passed_over() -> None:
    wolf = creature("wolf", abilities=(("wis", 2),))
    roster = [RosterEntry("wolf", "wolf", side="enemies", count=2), RosterEntry("a", "a", player="Kim")]
    for said, totals in (("5", [15, 10]), ("", [12, 7])):
        table = Encounter(wolf, "a", foes=("wolf",), roster=roster)
        table.begins()
        table.dice(10, 5, 1)
        table.does(AdvanceSetup())
        assert len(table.prompt.asks) == 1
        table.answers(**{table.prompt.asks[0].id.replace("-", "_"): int(said)}) if said else table.skips()
        found = [one.initiative for one in table.encounter.all(Combatant) if one.creature == "wolf"]
        assert found == totals


def test_whoever_rolls_something_else_is_not_asked_for_perception() -> None:
    table = Encounter(creature("a", skills=(("stealth", 4),)))
    table.begins()
    table.does(SetInitiativeCheck(("a",), "dex:stealth"))
    table.dice(10)
    table.does(AdvanceSetup())
    assert table.one("a").initiative == 14


@pytest.mark.rule("pf2e.initiative.other_check")
def test_the_game_master_may_call_for_another_check() -> None:
    table = Encounter(creature("a", skills=KEEN), creature("b", skills=KEEN))
    table.begins()
    table.does(SetInitiativeCheck(("a",), "dex:stealth"))
    table.dice(10, 10)
    table.does(AdvanceSetup())
    assert [table.one(who).initiative for who in "ab"] == [19, 17]
    assert {one.rule for one in table.happened(Rolled)} == {"pf2e.initiative.other_check", "pf2e.initiative.perception"}


@pytest.mark.rule("pf2e.initiative.gm_calls")
def test_nobody_rolls_before_the_game_master_calls_for_it() -> None:
    table = Encounter("a", "b", "c", "d", "e")
    table.begins()
    assert (table.prompts, table.happened(Rolled)) == ([], [])
    table.does(AdvanceSetup())
    assert [ask.who for ask in table.prompt.asks] == ["a", "b", "c", "d", "e"]
    assert table.prompt.rule == "pf2e.initiative.gm_calls"


@pytest.mark.rule("pf2e.initiative.marks_start")
def test_the_last_total_starts_round_one() -> None:
    table = company("a", "b", "c", "d", a=20, b=10, c=5)
    table.does(AdvanceSetup())
    assert table.clock.phase == "set-up"
    table.answers(d="3")
    assert (table.clock.phase, table.clock.round, table.clock.elapsed_seconds) == ("rounds", 1, 0)
    assert table.rule_of(RoundStarted) == "pf2e.initiative.marks_start"


@pytest.mark.rule("pf2e.initiative.gm_rolls_for_npcs")
def test_players_roll_for_theirs_the_game_master_for_the_rest() -> None:
    table = Encounter("a", "b", "c", "w", "x", "y", "z", foes=("w", "x", "y", "z"))
    table.begins()
    table.does(AdvanceSetup())
    asked = {ask.who: table.one(ask.who).player for ask in table.prompt.asks}
    assert asked == {"a": "Kim", "b": "Kim", "c": "Kim", "w": "", "x": "", "y": "", "z": ""}


@pytest.mark.rule("pf2e.initiative.ranked", "pf2e.initiative.highest_first")
def test_totals_are_ranked_and_held_against_nothing() -> None:
    table = Encounter("a", "b", "c")
    table.begins()
    table.dice(3, 19, 9)
    table.does(AdvanceSetup())
    assert table.order == ["b", "c", "a"]
    assert {(one.dc, one.passed) for one in table.happened(Rolled)} == {(0, None)}
    assert table.rule_of(InitiativeOrderSet) == "pf2e.initiative.ranked"


@pytest.mark.rule("pf2e.initiative.tie_adversary")
def test_a_foe_goes_before_a_character_who_is_level() -> None:
    table = company("mira", "ogre", foes=("ogre",), mira=17, ogre=17)
    table.does(AdvanceSetup())
    assert (table.order, table.active, table.prompts) == (["ogre", "mira"], "ogre", [])


@pytest.mark.rule("pf2e.initiative.tie_adversary")
def test_a_foe_with_a_level_is_no_character() -> None:
    table = Encounter(creature("mira", level=3), creature("ogre", level=3), foes=("ogre",))
    table.start(mira=17, ogre=17)
    assert table.order == ["ogre", "mira"]


@pytest.mark.rule("pf2e.initiative.tie_pcs")
def test_players_say_who_goes_first_when_their_place_comes_up() -> None:
    table = company("ogre", "mira", "tor", foes=("ogre",), ogre=20, mira=15, tor=15)
    table.does(AdvanceSetup())
    assert (table.active, table.prompts) == ("ogre", [])
    table.ends_turn()
    ask = table.ask()
    assert (ask.kind, len(ask.options), ask.rule, table.active) == ("order", 2, "pf2e.initiative.tie_pcs", "ogre")
    table.chooses(ask.options[1].id)
    assert (table.active, table.order) == ("tor", ["ogre", "tor", "mira"])
    assert table.rule_of(InitiativeOrderSet) == "pf2e.initiative.tie_pcs"


@pytest.mark.rule("pf2e.initiative.order_stays")
def test_what_they_said_stays() -> None:
    table = company("mira", "tor", mira=15, tor=15)
    table.does(AdvanceSetup())
    table.chooses(table.ask().options[1].id)
    table.ends_turn(4)
    assert (table.clock.round, table.active, table.prompts) == (3, "tor", [])
    table.does(SetInitiative((("mira", 16),)))
    assert table.order == ["mira", "tor"]


@pytest.mark.rule("pf2e.initiative.group_any_order")
def test_the_game_master_says_it_of_foes_who_are_level() -> None:
    table = company("mira", "orc", "wolf", foes=("orc", "wolf"), mira=20, orc=15, wolf=15)
    table.does(AdvanceSetup())
    table.ends_turn()
    assert table.ask().rule == "pf2e.initiative.group_any_order"
    table.chooses(table.ask().options[1].id)
    assert (table.active, table.rule_of(InitiativeOrderSet)) == ("wolf", "pf2e.initiative.group_any_order")


def test_passed_over_they_go_as_listed() -> None:
    table = company("mira", "tor", mira=15, tor=15)
    table.does(AdvanceSetup())
    table.skips()
    assert (table.active, table.order, table.prompts) == ("mira", ["mira", "tor"], [])


def test_whoever_joins_level_with_those_settled_is_asked_about_when_the_place_comes_up() -> None:
    roster = [
        RosterEntry(id, id, player="Kim", side="party", wave="late" if id == "una" else "")
        for id in ("mira", "tor", "una")
    ]
    table = Encounter("mira", "tor", "una", roster=roster)
    table.start(mira=15, tor=15)
    table.chooses()
    table.does(AddCombatants("una"))
    table.answers(una="15")
    table.ends_turn()
    assert table.ask().kind == "order"
    table.chooses(*(one.id for one in reversed(table.ask().options)))
    assert sorted(table.order) == ["mira", "tor", "una"]
    assert len({tuple(slot.tie_rolls) for slot in queries.slots_in_order(table.encounter)}) == 3


# Those who are alike ---------------------------------------------------------------------------------------------


def wolves(*options: str) -> Encounter:
    roster = [
        RosterEntry("mira", "mira", side="party", player="Kim"),
        RosterEntry("wolf", "wolf", count=3, side="enemies"),
    ]
    table = Encounter("mira", "wolf", roster=roster, scene=Scene(system="pf2e", strictness="enforce", options=options))
    table.begins()
    table.does(SetInitiative((("mira", 10),)))
    return table


@pytest.mark.rule("pf2e.initiative.group_roll", "pf2e.initiative.group_warning")
@pytest.mark.parametrize(("options", "dice"), [(("shared-initiative",), 1), ((), 3)])
def test_identical_creatures_roll_once_if_the_game_master_wants_it(options: tuple[str, ...], dice: int) -> None:
    table = wolves(*options)
    table.does(AdvanceSetup())
    assert len(table.prompt.asks) == dice


@pytest.mark.rule("pf2e.initiative.group_any_order")
def test_a_group_acts_in_any_order_among_itself() -> None:
    table = wolves("shared-initiative")
    table.dice(14)
    table.does(AdvanceSetup())
    ask = table.ask()
    assert (len(ask.options), ask.rule) == (3, "pf2e.initiative.group_any_order")
    table.chooses(ask.options[2].id)
    seen = [table.active]
    for _ in range(3):
        table.ends_turn()
        seen.append(table.active)
    assert (seen[0], sorted(seen[:3]), seen[3]) == ("wolf-3", ["wolf-1", "wolf-2", "wolf-3"], "mira")


def test_the_turn_of_another_of_the_group_can_be_taken_first_in_a_later_round() -> None:
    table = wolves("shared-initiative")
    table.dice(14)
    table.does(AdvanceSetup())
    table.chooses()
    table.ends_turn(4)
    other = next(one for one in queries.slots_in_order(table.encounter) if "wolf-3" in one.members)
    table.does(GoToTurn(other.id))
    assert (table.active, table.prompts) == ("wolf-3", [])
