"""Manual commands in the menus and by their keys, disabled with a reason."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from tests.play.extra_commands import whistle_among_commands
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import effect_value
from turnwright.play.damage.manual_hit_points import SetTrack
from turnwright.play.queries.queries import open_prompts
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.ui.dialogs.manual_commands import ManualCommandDialog

BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def form_of(window):
    return next(each for each in window.findChildren(ManualCommandDialog) if each.isVisible())


def test_keys_open_the_form_about_whoever_is_selected(qtbot, window):
    window.document.execute(StartEncounter())
    window.document.select((Combatant.table, "tam"))
    qtbot.keyClick(window, Qt.Key.Key_H, BOTH)
    form = form_of(window)
    assert form.command().who == "tam"
    box = form.field("hp").box
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "5")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert window.document.encounter.need(Combatant, "tam").hp == 5
    assert not form.isVisible()


def test_what_can_t_be_said_yet_is_grey(window):
    actions = window.content.window_actions.actions
    grey = {id for id in actions if id.startswith("manual-") and not actions[id].isEnabled()}
    assert len(grey) == len([id for id in actions if id.startswith("manual-")]) - 2
    assert actions["manual-start"].isEnabled()
    assert actions["manual-object"].isEnabled()
    window.document.execute(StartEncounter())
    window.content.refresh()
    still = {id for id in actions if id.startswith("manual-") and not actions[id].isEnabled()}
    assert still == {"manual-start", "manual-revive", "manual-revert-shape", "manual-reminder"}


def test_what_is_asked_is_put_aside_and_a_haven_rests_the_weary(qtbot, window):
    document = window.document
    document.execute(SetDice("ask"))
    document.execute(StartEncounter())
    document.execute(AdvanceSetup())
    document.execute(AdvanceSetup())
    window.content.window_actions.run("roll-initiative")
    assert len(list(open_prompts(document.encounter))) == 1
    qtbot.keyClick(window, Qt.Key.Key_W, BOTH)
    assert not any(ask.label == "ask.initiative" for prompt in open_prompts(document.encounter) for ask in prompt.asks)
    document.execute(SetTrack("mira", "fatigue", 3))
    window.content.window_actions.run("rest-long")
    assert effect_value(document.encounter, "mira", "fatigue") == 3
    window.content.window_actions.run("rest-haven")
    assert effect_value(document.encounter, "mira", "fatigue") == 2


def test_a_command_that_names_a_form_is_in_the_menu_without_an_action_of_its_own(window):
    with whistle_among_commands() as module:
        menu = window.content.window_actions.menus["manual"]
        usual = len(menu.actions())
        for _ in range(2):
            menu.aboutToShow.emit()
        assert [action.objectName() for action in menu.actions()[usual:]] == ["manual-whistle"]
        window.document.execute(StartEncounter())
        window.document.select((Combatant.table, "tam"))
        menu.actions()[-1].trigger()
        form = form_of(window)
        assert list(form.form.fields) == ["who", "tune", "times"]
        form.field("times").edited.emit(4)
        assert form.command() == module.Whistle("tam", "low", 4)
        form.submit()
        (step,) = [one for one in window.document.source.session.history.applied if "whistle" in one.label.key]
        assert step.events == (module.Whistled(who="tam", tune="low", times=4),)


def test_the_name_of_new_treasure_is_typed_over(window, qtbot):
    window.content.window_actions.run("add-treasure")
    name = window.content.docks.dock("treasure").findChildren(QLineEdit)
    qtbot.waitUntil(lambda: QApplication.focusWidget() in name)
    assert QApplication.focusWidget().selectedText() == "New treasure"
