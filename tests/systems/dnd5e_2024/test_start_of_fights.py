"""Surprise, initiative and the budget by the rules of 2024."""

from __future__ import annotations

import pytest

from tests.systems.dnd5e_2024.newer import NewFight, before_rounds
from tests.table import Table, creature, dnd5e_2024
from turnwright.dice.expression import Roll
from turnwright.encounter.prepared import Map, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.state.events import Rolled
from turnwright.play.turn_order.surprise import MarkSneaking, SetInitiative, SetSurprised, Surprised
from turnwright.rules.parts.preparation.encounter_budgets import encounter_budget

EXTERNAL = "dnd5e-2024.external."
NIMBLE = creature("orc", initiative=2)
ANN = creature("ann", tags=("player character",))


def rolls(table: Table, *faces: int) -> dict[str, Roll]:
    """Roll initiative with these faces, and return the rolls."""
    table.dice(*faces)
    table.does(AdvanceSetup())
    return {one.who: one.roll for one in table.happened(Rolled) if one.purpose == "ask.initiative"}


def begun(*marks: str, options: tuple[str, ...] = (), surprised: bool = False) -> Table:
    """Ann, whose total is entered, and an orc with these conditions before the roll."""
    table = before_rounds(ANN, NIMBLE, foes=("orc",), scene=Scene(options=options))
    table.does(StartEncounter())
    for mark in marks:
        table.does(ApplyCondition(("orc",), mark))
    table.does(AdvanceSetup())
    if surprised:
        table.does(SetSurprised(("orc",)))
    table.does(AdvanceSetup())
    return table


@pytest.mark.rule(EXTERNAL + "surprise_unaware")
def test_the_dungeon_master_says_who_is_surprised_without_a_roll() -> None:
    table = before_rounds("ann", "orc", "wolf", foes=("orc", "wolf"))
    table.does(StartEncounter())
    table.does(MarkSneaking(("ann",)))
    table.does(AdvanceSetup())
    (asked,) = table.prompt.asks
    assert (asked.kind, asked.suggested, asked.rule) == ("targets", ("orc", "wolf"), EXTERNAL + "surprise_unaware")
    table.chooses("orc")
    assert [one.who for one in table.happened(Surprised)] == ["orc"]
    assert table.happened(Rolled) == []


@pytest.mark.rule(EXTERNAL + "surprise_disadvantage")
def test_the_surprised_roll_twice_and_then_act_as_usual() -> None:
    table = begun(surprised=True)
    table.does(SetInitiative((("ann", 1),)))
    roll = rolls(table, 17, 4)["orc"]
    assert (roll.total, [edge.kind for edge in roll.edges]) == (6, ["disadvantage"])
    fight = Table.__new__(NewFight)
    Table.__init__(fight, "orc", "ann", rules=dnd5e_2024(), foes=("orc",), surroundings=[Map(columns=12, rows=12)])
    for command in (StartEncounter(), AdvanceSetup(), SetSurprised(("orc",)), AdvanceSetup()):
        fight.does(command)
    fight.does(SetInitiative((("orc", 15), ("ann", 10))))
    fight.does(AdvanceSetup())
    left = fight.left("orc")
    assert (fight.active, fight.feet("orc"), left["action"], left["reaction"]) == ("orc", 30, 1, 1)
    fight.ends_turn()
    assert "surprised" not in fight.effects("orc")


@pytest.mark.rule(EXTERNAL + "setup_sequence")
def test_initiative_follows_the_positions_where_nobody_is_surprised() -> None:
    table = before_rounds("ann", "orc", foes=("orc",))
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup(), SetInitiative((("ann", 9), ("orc", 4)))):
        table.does(command)
    table.does(AdvanceSetup())
    assert (table.clock.round, table.active) == (1, "ann")


@pytest.mark.rule(EXTERNAL + "invisible_initiative", EXTERNAL + "incapacitated_initiative")
@pytest.mark.parametrize(
    ("mark", "kind", "total"),
    [("invisible", "advantage", 19), ("stunned", "disadvantage", 6), ("hidden", "advantage", 19)],
)
def test_conditions_give_an_edge_on_initiative(mark: str, kind: str, total: int) -> None:
    table = begun(mark)
    table.does(SetInitiative((("ann", 1),)))
    roll = rolls(table, 17, 4)["orc"]
    assert ([edge.kind for edge in roll.edges], roll.total) == ([kind], total)


@pytest.mark.rule(EXTERNAL + "initiative_score")
@pytest.mark.parametrize(("marks", "surprised", "score"), [((), False, 12), ((), True, 7), (("invisible",), False, 17)])
def test_monsters_may_take_their_scores(marks: tuple[str, ...], surprised: bool, score: int) -> None:
    table = begun(*marks, options=("initiative-scores",), surprised=surprised)
    assert set(rolls(table, 11)) == {"ann"}
    assert (table.one("orc").initiative, table.one("ann").initiative) == (score, 11)


@pytest.mark.rule(EXTERNAL + "xp_budget")
@pytest.mark.parametrize(("xp", "word"), [(600, "low"), (900, "moderate"), (901, "high"), (1601, "more than high")])
def test_the_budget_is_an_amount_per_character_whatever_the_number_of_enemies(xp: int, word: str) -> None:
    party = [RosterEntry(f"p{number}", "hero", side="party", player="Kim", level=3) for number in range(4)]
    foes = [creature("boss", xp=xp - 100), creature("imp", xp=50)]
    roster = [RosterEntry("boss", "boss"), RosterEntry("imp", "imp", count=2)]
    scene = Scene(system="dnd5e-2024")
    budget = encounter_budget(Encounter([scene, creature("hero"), *foes, *party, *roster]), dnd5e_2024())
    assert budget is not None
    assert (budget.factor, budget.threat) == (1, word)
