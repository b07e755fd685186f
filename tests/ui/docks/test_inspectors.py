"""Reminders in the window: prepared under the world, made in the fight by keys, and shown as a card at their moment."""

from PySide6.QtCore import Qt

from turnwright.encounter.prepared import Reminder
from turnwright.play.queries.queries import open_prompts
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndTurn
from turnwright.ui.dialogs.manual_commands import ManualCommandDialog
from turnwright.ui.docks.inspectors import ReminderDock
from turnwright.ui.docks.roster.dock import RosterDock
from turnwright.ui.models.row_list_model import DETAIL_ROLE, ICON_ROLE

BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def test_a_reminder_is_written_and_its_moment_chosen(show, document, qtbot):
    dock = show(ReminderDock)
    dock.add()
    (made,) = document.encounter.all(Reminder)
    dock.form.fields["text"].text.setPlainText("The ice groans.\nRoll.")
    for name, word in (("at", "turn-end"), ("who", "raiders")):
        box = dock.form.fields[name].box
        dock.form.fields[name].box.showPopup()
        box.hidePopup()
        box.setCurrentIndex(box.findData(word))
        box.activated.emit(box.currentIndex())
    box = dock.form.fields["round"].box
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "3")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert document.encounter.need(Reminder, made.id) == Reminder(
        made.id, "The ice groans.\nRoll.", "turn-end", 3, "raiders"
    )
    assert dock.choice.currentText() == "The ice groans."
    assert dock.form.fields["who"].isVisible()
    assert not dock.form.fields["countdown"].isVisible()
    dock.remove()
    assert not list(document.encounter.all(Reminder))


def test_reminders_stand_in_the_world_with_their_moment(show, document):
    document.execute(
        Add(
            (
                Reminder("tide", "The tide turns.\nAll of it.", round=3),
                Reminder("raid", "Flee?", "half", who="raiders", each_time=True),
                Reminder("ice", "Cracks.", "countdown", countdown="ice", dice=2),
            )
        )
    )
    roster = show(RosterDock)
    rows = {id: roster.world.index(roster.world.row_of(("reminders", id)), 0) for id in ("tide", "raid", "ice")}
    assert rows["tide"].data() == "The tide turns."
    assert rows["tide"].data(ICON_ROLE) == "bell-outline"
    told = [index.data(DETAIL_ROLE) for index in rows.values()]
    assert told[0] == "in round 3"
    assert told[1].endswith(" at half HP, each time")
    assert told[2].endswith(", down to 2 dice")


def test_one_is_made_in_the_fight_by_keys_and_comes_up_as_a_card(qtbot, window):
    document = window.document
    document.execute(SetDice("roll"))
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        document.execute(command)
    window.content.window_actions.run("roll-initiative")
    document.execute(AdvanceSetup())
    window.content.refresh()
    qtbot.keyClick(window, Qt.Key.Key_R, BOTH)
    form = next(each for each in window.findChildren(ManualCommandDialog) if each.isVisible())
    line = form.field("text").line
    line.setFocus()
    qtbot.keyClicks(line, "Look at the far bank")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert [one.text for one in document.encounter.all(Reminder)] == ["Look at the far bank"]
    assert not form.isVisible()
    for _ in range(400):
        prompts = open_prompts(document.encounter)
        if any(prompt.title == "prompt.own_reminder" for prompt in prompts):
            break
        if prompts:
            window.content.window_actions.run("withdraw-prompt")
        else:
            document.execute(EndTurn())
    (card,) = [prompt for prompt in open_prompts(document.encounter) if prompt.title == "prompt.own_reminder"]
    assert [ask.detail for ask in card.asks] == ["Look at the far bank"]
