"""The players' view: who stands where, by which name, and how hurt they look."""

from __future__ import annotations

import pytest

from tests.table import Table, a5e, creature
from turnwright.encounter.prepared import Countdown, RosterEntry
from turnwright.encounter.running import Clock, Combatant, Slot
from turnwright.encounter.state import Encounter
from turnwright.play.damage.commands.set_hit_points import SetHitPoints
from turnwright.play.effects.commands.apply_condition import ApplyCondition
from turnwright.play.table.commands.set_hidden import SetHidden
from turnwright.players.compose import health_word, players_view
from turnwright.players.showing import Showing
from turnwright.players.view import PlayersSheet, PlayersView

ALL = frozenset({"gob-1", "gob-2", "gob-3", "rat"})


def begun(*, hidden: tuple[str, ...] = (), countdowns: tuple[Countdown, ...] = ()) -> Table:
    """Ann, then three goblins, then a rat in the order; some of them hidden from the players."""
    gobs = RosterEntry("gob", "gob", count=3)
    table = Table(
        "ann",
        creature("gob", name="Goblin"),
        "rat",
        foes=("rat",),
        roster=(RosterEntry("ann", "ann", side="party", player="Kim"), gobs, RosterEntry("rat", "rat")),
        countdowns=countdowns,
    )
    table.start(**{"ann": 20, "gob-1": 15, "gob-2": 12, "gob-3": 10, "rat": 5})
    if hidden:
        table.does(SetHidden(hidden, True))
    return table


def seen(table: Table, **changes) -> PlayersView:
    return players_view(table.encounter, table.rules, Showing(**{"known": ALL} | changes))


def names(view: PlayersView) -> list[tuple[str, int]]:
    return [(row.name, row.number) for row in view.order]


def test_the_order_with_the_marks_of_who_acts_and_who_is_next():
    view = seen(begun())
    assert names(view) == [("Ann", 0), ("Goblin", 1), ("Goblin", 2), ("Goblin", 3), ("Rat", 0)]
    assert [row.active for row in view.order] == [True, False, False, False, False]
    assert [row.next for row in view.order] == [False, True, False, False, False]
    assert (view.round, view.seconds) == (1, 0)


def test_those_who_are_hidden_leave_no_gap_and_no_number():
    view = seen(begun(hidden=("gob-2",)))
    assert names(view) == [("Ann", 0), ("Goblin", 1), ("Goblin", 2), ("Rat", 0)]


def test_while_a_hidden_one_acts_the_mark_rests_on_the_last_one_seen():
    table = begun(hidden=("gob-1", "gob-2", "gob-3"))
    for _ in range(3):
        table.ends_turn()
        assert [row.name for row in seen(table).order if row.active] == ["Ann"]
    table.ends_turn()
    assert [row.name for row in seen(table).order if row.active] == ["Rat"]


def test_names_are_shown_once_they_are_known_and_may_be_false():
    table = begun()
    view = seen(table, known=frozenset({"rat"}), names=(("gob-2", "The pale lady"),))
    assert names(view) == [("Ann", 0), ("", 1), ("The pale lady", 0), ("", 2), ("Rat", 0)]


@pytest.mark.parametrize(
    ("hp", "word"), [(20, "unhurt"), (19, "hurt"), (11, "hurt"), (10, "bloodied"), (1, "bloodied"), (0, "down")]
)
def test_health_is_a_word_for_others_and_numbers_for_the_party(hp, word):
    table = begun()
    for who in ("ann", "gob-1"):
        table.does(SetHitPoints(who, hp))
    ann, goblin = seen(table).order[:2]
    assert (ann.health, ann.hit_points) == (word, (hp, 20))
    assert (goblin.health, goblin.hit_points) == ("dead" if word == "down" else word, None)
    assert seen(table, health_of_others="nothing").order[1].health == ""


def test_conditions_are_those_that_can_be_seen():
    table = begun()
    table.does(ApplyCondition(("gob-1",), "prone"))
    table.does(ApplyCondition(("gob-1",), "pressed"))
    assert seen(table).order[1].conditions == (("Prone", 0),)


def test_initiative_figures_and_countdowns_are_shown_where_that_is_ticked():
    table = begun(countdowns=(Countdown("tide", "The tide", dice=4),))
    assert all(row.initiative is None for row in seen(table).order)
    assert seen(table).countdowns == ()
    view = seen(table, initiative=True, countdowns=frozenset({"tide"}))
    assert [row.initiative for row in view.order] == [20, None, None, None, None]
    assert [(one.name, one.dice) for one in view.countdowns] == [("The tide", 4)]


def test_other_modes_show_what_was_sent_and_nothing_of_the_fight():
    table, sheet = begun(), PlayersSheet("A letter", "Come at once.")
    assert seen(table, mode="text", sheet=sheet) == PlayersView("text", sheet=sheet)
    assert seen(table, mode="dice", dice="2d6: 7") == PlayersView("dice", dice="2d6: 7")
    assert seen(table, mode="black", sheet=sheet) == PlayersView("black")


def test_before_a_fight_there_is_no_order():
    table = Table("ann", "gob", foes=("gob",))
    assert seen(table) == PlayersView("order")


def test_one_whose_hit_points_nobody_knows_has_no_word_for_its_health():
    unknown = Combatant("idol", "idol", "Idol", "foes")
    assert health_word(unknown) == ""


def test_the_mark_rests_on_the_last_one_seen_where_a_hidden_one_acts_on_the_same_count():
    people = (Combatant("ann", "ann", "Ann", "party"), Combatant("rat", "rat", "Rat", "foes", hidden=True))
    slots = (Slot("a", 12, ("ann",)), Slot("b", 12, ("rat",)))
    encounter = Encounter([*people, *slots, Clock(phase="rounds", round=2, active="b")])
    view = players_view(encounter, a5e(), Showing())
    assert ([row.active for row in view.order], view.round) == ([True], 2)
