"""What was counted on the turns of a combatant that leaves goes on with the next one in the order."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.for_each import for_each
from tests.play.map_table import Field
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Reminder
from turnwright.encounter.running import Duration, Effect, Relation
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import EffectEnded
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.turns.turns import RemoveCombatant
from turnwright.rules.system import RuleSystem

GAMES = [a5e, dnd5e, pf2e]


def fight(game: Callable[[], RuleSystem]) -> Table:
    table = Table("ada", "mage", "orc", foes=("orc",), rules=game())
    table.start(ada=20, mage=15, orc=10)
    return table


def ended(table: Table) -> tuple[int, str] | None:
    """Play on until an effect ends, and return the round and whose turn it is."""
    for _ in range(16):
        if table.happened(EffectEnded):
            return table.clock.round, table.active
        table.ends_turn()
        while table.prompts:
            table.skips()
    return None


@for_each("game", GAMES)
@for_each(
    ("whose_turn", "given", "end"),
    [
        ("ada", {"rounds": 3, "by": "mage"}, (3, "orc")),
        ("mage", {"rounds": 3, "by": "mage"}, (4, "orc")),
        ("orc", {"rounds": 3, "by": "mage"}, (4, "orc")),
        ("mage", {"ends": Duration("turn-start", "mage"), "by": "mage"}, (2, "orc")),
        ("mage", {"ends": Duration("turn-end", "mage"), "by": "mage"}, (1, "orc")),
        ("mage", {"ends": Duration("turn-end", "mage", 1), "by": "mage"}, (2, "orc")),
        ("orc", {"ends": Duration("turn-end", "mage"), "by": "mage"}, (2, "orc")),
    ],
)
def test_a_duration_outlives_who_it_was_counted_on(
    game: Callable[[], RuleSystem], whose_turn: str, given: dict[str, object], end: tuple[int, str]
) -> None:
    table = fight(game)
    while table.active != whose_turn:
        table.ends_turn()
    table.does(ApplyCondition(("ada",), "blinded", **given))
    table.does(RemoveCombatant("mage"))
    assert ended(table) == end


def test_the_next_in_the_order_may_leave_as_well() -> None:
    table = fight(dnd5e)
    table.does(ApplyCondition(("ada",), "blinded", rounds=3, by="mage"))
    table.does(RemoveCombatant("mage"))
    table.does(RemoveCombatant("orc"))
    assert [one.counts for one in table.encounter.of(Effect, "ada")] == ["ada"]
    assert ended(table) == (4, "ada")


def test_undone_the_owner_counts_again() -> None:
    table = fight(dnd5e)
    table.does(ApplyCondition(("ada",), "blinded", rounds=3, by="mage"))
    before = table.encounter
    table.does(RemoveCombatant("mage"))
    table.session.undo()
    assert list(table.encounter.all(Effect)) == list(before.all(Effect))


def test_a_sustained_effect_ends_with_who_sustains_it() -> None:
    table = fight(pf2e)
    table.does(ApplyCondition(("ada",), "blinded", sustained=True, by="mage"))
    table.does(RemoveCombatant("mage"))
    assert not table.effects("ada")


def test_a_reminder_of_its_turn_comes_with_the_next() -> None:
    reminder = Reminder("r", "The fuse burns down.", at="turn-end", who="mage")
    table = Field("ada", creature("mage"), "orc", foes=("orc",), rules=dnd5e(), more=(reminder,))
    table.does(RemoveCombatant("mage"))
    table.ends_turn()
    assert table.active == "orc"
    assert [one.detail for one in table.prompt.asks] == ["The fuse burns down."]


@pytest.mark.parametrize("game", GAMES)
def test_what_was_entered_about_the_distance_to_it_goes_with_it(game: Callable[[], RuleSystem]) -> None:
    table = fight(game)
    table.does(SetRelation("ada", "mage", distance=10))
    table.does(SetRelation("ada", "orc", distance=5))
    table.does(RemoveCombatant("mage"))
    assert {one.id for one in table.encounter.all(Relation)} == {"ada>orc"}
    table.session.undo()
    assert {one.id for one in table.encounter.all(Relation)} == {"ada>mage", "ada>orc"}
