"""Reminders of the game master's own come up at their moment, once or each time, and are noted in the journal when done."""

from __future__ import annotations

import pytest

from tests.table import Table, creature
from turnwright.encounter.prepared import Countdown, Reminder, RosterEntry, Wave
from turnwright.encounter.running import ReminderShown
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead, SetHitPoints
from turnwright.play.environment.countdown_pools import AdjustPool, StartPool
from turnwright.play.kernel.transaction import Refused
from turnwright.play.setup.prepared_records import Add, Edit, Remove
from turnwright.play.spawning.spawning import BringWave
from turnwright.play.state.events import Skipped
from turnwright.play.table.game_master import AddReminder, NoteAdded


def table(*reminders: Reminder) -> Table:
    """Ann, whose player is Kim, before two raiders of 20 hit points; archers may come; round 1, Ann's turn."""
    roster = [
        RosterEntry("ann", "ann", side="party", player="Kim"),
        RosterEntry("raider", "raider", count=2),
        RosterEntry("archer", "archer", wave="boat"),
    ]
    people = (creature("ann", hp=50), creature("raider", hp=20), creature("archer", initiative=0))
    found = Table(*people, roster=roster, countdowns=(Countdown("flood", "Flood", dice=4, starts=0),))
    found.does(Add((Wave("boat"), *reminders)))
    found.start(**{"ann": 15, "raider-1": 10, "raider-2": 5})
    return found


def shown(found: Table) -> list[str]:
    """Return the texts of the reminders on the card, none where there is no card."""
    return [ask.detail for prompt in found.prompts if prompt.title == "prompt.own_reminder" for ask in prompt.asks]


def done(found: Table) -> None:
    """Mark all reminders on the card as done."""
    found.answers(**{ask.id.replace("-", "_"): "applied" for ask in found.prompt.asks})


def test_a_reminder_of_a_round_holds_its_top_and_comes_once() -> None:
    found = table(Reminder("r", "The tide turns.", round=2))
    assert shown(found) == []
    for _ in range(3):
        found.ends_turn()
    assert (found.clock.round, found.active, shown(found)) == (2, "", ["The tide turns."])
    done(found)
    assert found.active == "ann"
    assert found.happened(NoteAdded)[-1].text == "The tide turns."
    for _ in range(3):
        found.ends_turn()
    assert (found.clock.round, shown(found)) == (3, [])


def test_one_of_each_round_comes_again_from_its_round_on() -> None:
    found = table(Reminder("r", "Count torches.", round=2, each_time=True))
    for number in (2, 3):
        for _ in range(3):
            found.ends_turn()
        assert (found.clock.round, shown(found)) == (number, ["Count torches."])
        done(found)


@pytest.mark.parametrize("who", ["raider-1", "raider", "enemies", ""])
def test_the_start_and_end_of_a_turn_by_combatant_entry_or_side(who: str) -> None:
    found = table(Reminder("s", "Starts.", "turn-start", who=who, round=1), Reminder("e", "Ends.", "turn-end", who=who))
    if not who:
        assert shown(found) == ["Starts."]
        done(found)
        found.ends_turn()
        assert (found.active, shown(found)) == ("ann", ["Ends."])
        return
    found.ends_turn()
    assert (found.active, shown(found)) == ("raider-1", ["Starts."])
    done(found)
    found.ends_turn()
    assert (found.active, shown(found)) == ("raider-1", ["Ends."])
    done(found)
    assert found.active == "raider-2"
    assert shown(found) == []


def test_hit_points_and_deaths_of_those_meant_alone() -> None:
    found = table(
        Reminder("h", "Half.", "half", who="raider"),
        Reminder("d", "Down.", "drops", who="raider-2"),
        Reminder("x", "Dead.", "dies", each_time=True),
    )
    found.does(ApplyDamage(("raider-1",), "9"))
    assert shown(found) == []
    found.does(ApplyDamage(("raider-1",), "1"))
    assert shown(found) == ["Half."]
    done(found)
    found.does(SetHitPoints("raider-1", hp=0))
    assert shown(found) == ["Dead."]
    done(found)
    found.does(SetDead("raider-2"))
    assert sorted(shown(found)) == ["Dead.", "Down."]


def test_a_countdown_down_to_so_many_dice_or_over_and_a_wave() -> None:
    found = table(
        Reminder("two", "Two left.", "countdown", countdown="flood", dice=2),
        Reminder("w", "They land.", "wave", wave="boat"),
    )
    found.does(StartPool("flood"))
    found.does(AdjustPool("flood", -1))
    assert shown(found) == []
    found.does(AdjustPool("flood", -2))
    assert shown(found) == ["Two left."]
    done(found)
    found.does(BringWave("boat"))
    assert "They land." in shown(found)


def test_one_is_added_at_the_table_and_undone_with_its_card() -> None:
    found = table()
    with pytest.raises(Refused):
        found.session.do(AddReminder(" "))
    with pytest.raises(Refused):
        found.session.do(AddReminder("x", "countdown"))
    found.does(AddReminder(" Ferry. ", "turn-start", who="raider-1"))
    assert [*found.encounter.all(Reminder)] == [Reminder("reminder", "Ferry.", "turn-start", who="raider-1")]
    found.ends_turn()
    assert shown(found) == ["Ferry."]
    assert found.encounter.get(ReminderShown, "reminder") == ReminderShown("reminder", 1)
    found.session.undo()
    assert shown(found) == []
    assert found.encounter.get(ReminderShown, "reminder") is None
    found.session.redo()
    assert shown(found) == ["Ferry."]


def test_an_edited_one_may_come_again_and_one_removed_leaves_nothing() -> None:
    found = table(Reminder("s", "Once.", "turn-start", who="ann"))
    assert shown(found) == ["Once."]
    done(found)
    found.does(Edit(Reminder("s", "Once more.", "turn-start", who="raider-1")))
    found.ends_turn()
    assert shown(found) == ["Once more."]
    done(found)
    found.does(Remove((("reminders", "s"),)))
    assert not list(found.encounter.all(ReminderShown))


def test_what_is_let_go_by_is_said_as_skipped() -> None:
    found = table(Reminder("s", "Look up.", "turn-start", who="ann"))
    found.answers(s="waived")
    assert [(one.purpose, one.detail) for one in found.happened(Skipped)] == [("ask.due_note", "Look up.")]
