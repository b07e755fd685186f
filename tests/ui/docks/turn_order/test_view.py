"""States in the turn order: dying with death saves as boxes, stable, mounted, at a height."""

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QLabel

from tests.ui.docks.edits import with_creature
from tests.ui.docks.running_fight import settle
from turnwright.encounter.prepared import RosterEntry, Wave
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Track
from turnwright.play.actions.action import TakeAction
from turnwright.play.asking.answer import Answer
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead, SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.queries.queries import open_prompts
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add
from turnwright.play.spawning.spawning import BringWave
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.table.game_master import Rename, SetDice
from turnwright.play.turn_order.surprise import CallForChecks
from turnwright.play.turns.turns import Delay, EndEncounter
from turnwright.ui.dialogs.quick_add import QuickAddLine
from turnwright.ui.docks.turn_order.dock import TurnOrderDock
from turnwright.ui.docks.turn_order.row_painter import RowLook, death_save_boxes, paint_lead
from turnwright.ui.docks.turn_order.view import TurnOrderDelegate
from turnwright.ui.models.turn_order import TurnOrderColumn, TurnOrderModel, TurnOrderRow

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


def tags(model, who):
    return [tag.text for tag in model.row_at(model.row_of(who)).tags]


@pytest.fixture
def model(fight):
    model = TurnOrderModel(fight)
    model.tester = QAbstractItemModelTester(model, FATAL)
    return model


@pytest.fixture
def dying(fight):
    fight.execute(SetDice("roll"))
    fight.execute(ApplyDamage(("tam",), "33"))
    settle(fight)
    return fight


def test_dying_says_more_than_down(dying, model):
    assert tags(model, "tam")[0] == "dying"
    assert "unconscious" not in tags(model, "tam")
    assert "down" not in tags(model, "tam")


def test_death_saves_are_boxes_while_somebody_is_dying(dying, model):
    dying.execute(SetTrack("tam", "death-failures", 2))
    death = model.row_at(model.row_of("tam")).death_saves
    assert (death.successes, death.successes_needed, death.failures, death.failures_allowed) == (0, 3, 2, 3)
    assert "0 successes, 2 failures" in model.index(model.row_of("tam"), TurnOrderColumn.WHO).data(
        Qt.ItemDataRole.ToolTipRole
    )
    assert model.row_at(model.row_of("mira")).death_saves is None


def test_what_the_table_calls_an_effect_comes_after_the_conditions_of_the_game(fight, model):
    fight.execute(ApplyCondition(("tam",), "Hymn", rules="+1d4 attack", rounds=10))
    fight.execute(ApplyCondition(("tam",), "restrained"))
    assert tags(model, "tam")[:2] == ["restrained", "Hymn · 10 r"]


def test_who_is_stable_makes_no_more_death_saves(dying, model):
    dying.execute(SetDice("script", script=(18,)))
    dying.execute(SetPosition("mira", position=(11, 10)))
    dying.execute(TakeAction("mira", "aid", targets=("tam",)))
    assert tags(model, "tam")[0] == "stable"
    assert model.row_at(model.row_of("tam")).death_saves is None


def test_a_box_is_ticked_and_taken_back_by_a_click(dying, show, qtbot):
    dock = show(TurnOrderDock)
    index = dock.model.index(dock.model.row_of("tam"), TurnOrderColumn.WHO)

    def click(number, kind):
        row = dock.model.row_at(index.row())
        boxes = death_save_boxes(dock.view.visualRect(index), row)
        box = next(box for track, box, at, _ in boxes if (track, at) == (kind, number))
        qtbot.mouseClick(
            dock.view.viewport(),
            Qt.MouseButton.LeftButton,
            pos=QPoint(round(box.center().x()), round(box.center().y())),
        )

    click(2, "death-failures")
    assert dying.encounter.need(Track, "tam.death-failures").value == 2
    click(2, "death-failures")
    assert dying.encounter.need(Track, "tam.death-failures").value == 1
    click(1, "death-successes")
    assert dying.encounter.need(Track, "tam.death-successes").value == 1


def test_death_saves_are_set_from_the_menu_too(dying, show):
    dock = show(TurnOrderDock)
    menu = dock.menu_for("tam")
    boxes = next(action.menu() for action in menu.actions() if action.text() == "Death saves")
    next(action for action in boxes.actions() if action.text() == "2 successes").trigger()
    assert dying.encounter.need(Track, "tam.death-successes").value == 2
    assert "Death saves" not in [action.text() for action in dock.menu_for("mira").actions()]


def test_concentrating_hidden_and_readied_come_first(fight, model):
    for condition in ("poisoned", "hidden", "concentrating"):
        fight.execute(ApplyCondition(("velu",), condition))
    assert tags(model, "velu")[:3] == ["concentrating", "hidden", "poisoned"]


def test_how_high_up_somebody_is_stands_there(fight, model):
    fight.execute(SetPosition("captain", elevation=20))
    assert "20 ft up" in tags(model, "captain")
    fight.execute(SetPosition("captain", elevation=-10))
    assert "10 ft down" in tags(model, "captain")


def test_rider_and_mount_name_each_other_and_follow_a_new_name(fight, model):
    with_creature(fight, "ferry-hand", size="large")
    fight.execute(SetPosition("driver", position=(11, 9)))
    fight.execute(MountOrDismount("mira", "driver"))
    (prompt,) = open_prompts(fight.encounter)
    fight.execute(Answer(prompt.id, (Reply(prompt.asks[0].id, chosen=("carries",)),), prompt.revision))
    assert "on Sledge driver" in tags(model, "mira")
    assert "carries Mira" in tags(model, "driver")
    fight.execute(Rename("driver", "Old Bess"))
    assert "on Old Bess" in tags(model, "mira")


def test_levels_of_fatigue_are_said_once(fight, model):
    fight.execute(SetTrack("mira", "fatigue", 2))
    assert tags(model, "mira") == ["fatigue 2"]


def test_rounds_left_trigger_and_spell_stand_in_the_row(fight, model):
    fight.execute(ApplyCondition(("velu",), "poisoned", rounds=2, by="captain"))
    fight.execute(ApplyCondition(("tam",), "concentrating", source="Bless"))
    assert tags(model, "velu") == ["poisoned · 2 r"]
    assert tags(model, "tam") == ["Bless"]
    tooltip = model.index(model.row_of("velu"), TurnOrderColumn.WHO).data(Qt.ItemDataRole.ToolTipRole)
    assert "poisoned for 2 more rounds" in tooltip


def test_a_roll_that_somebody_owes_comes_first(fight, model):
    fight.execute(ApplyCondition(("velu",), "poisoned"))
    fight.execute(CallForChecks(("velu", "tam"), "dex:acrobatics", dc=15))
    assert [tag.partition(",")[2] for tag in tags(model, "velu")] == [" DC 15", ""]
    settle(fight)
    assert tags(model, "velu") == ["poisoned"]


def test_the_dead_sink_to_the_end_and_are_folded_away(fight, show, qtbot):
    dock = show(TurnOrderDock)
    assert not dock.fold_button.isVisible()
    fight.execute(SetDead("tam"))
    last = dock.model.rowCount() - 1
    assert dock.model.row_at(last).id == "tam"
    assert dock.view.isRowHidden(last)
    assert dock.fold_button.text() == "Out (1)"
    qtbot.mouseClick(dock.fold_button, Qt.MouseButton.LeftButton)
    assert not dock.view.isRowHidden(last)
    fight.execute(SetDead("tam", dead=False))
    assert dock.model.row_of("tam") == 1
    assert not dock.fold_button.isVisible()


def test_keys_act_on_a_row_that_is_seen(fight, show):
    dock = show(TurnOrderDock)
    dock.view.set_current_row(dock.model.row_of("tam"))
    fight.execute(SetDead("tam"))
    assert dock.view.currentIndex().row() == dock.model.row_of("mira") == dock.model.active_row()


def test_nobody_delays_once_the_fight_is_over(fight, model):
    fight.execute(Delay(), override=True)
    assert tags(model, "mira") == ["delaying · B: return"]
    fight.execute(EndEncounter())
    assert tags(model, "mira") == []


def test_a_note_is_written_at_the_foot_and_marks_its_row(fight, show, qtbot):
    dock = show(TurnOrderDock)
    dock.view.setCurrentIndex(dock.model.index(dock.model.row_of("tam"), TurnOrderColumn.WHO))
    next(action for action in dock.menu_for("tam").actions() if action.text() == "Write a note").trigger()
    assert dock.note.line.hasFocus()
    qtbot.keyClicks(dock.note.line, "hold <b>the</b> rope")
    qtbot.keyClick(dock.note.line, Qt.Key.Key_Return)
    assert dock.model.row_at(dock.model.row_of("tam")).note == "hold <b>the</b> rope"
    index = dock.model.index(dock.model.row_of("tam"), TurnOrderColumn.WHO)
    assert index.data(Qt.ItemDataRole.ToolTipRole).endswith("hold &lt;b&gt;the&lt;/b&gt; rope</qt>")
    assert dock.view.hasFocus()


def test_a_row_is_taller_with_a_second_line_and_while_it_acts(fight, show):
    dock = show(TurnOrderDock)
    heights = {id: dock.view.rowHeight(dock.model.row_of(id)) for id in ("mira", "tam", "osk")}
    fight.execute(ApplyCondition(("osk",), "prone"))
    assert heights == {"mira": 56, "tam": 44, "osk": 44}
    assert dock.view.rowHeight(dock.model.row_of("osk")) == 56


def test_the_next_wave_stands_at_the_foot_until_it_has_come(fight, show):
    wave = RosterEntry("late", "river-archer", count=2, wave="reeds")
    fight.execute(Add((wave, Wave("reeds", round=5), msgspec.structs.replace(wave, id="later", wave="boat", count=1))))
    dock = show(TurnOrderDock)
    assert dock.waves.isVisible()
    assert dock.waves.text.text() == "2 × River raider archer, in round 5"
    fight.execute(BringWave("reeds"))
    settle(fight)
    assert not dock.waves.isVisible()


@pytest.mark.soak
def test_the_head_of_the_dock_adds_combatants(window, qtbot):
    window.content.services.layout.arrange("run")
    dock = window.content.docks.dock("order")
    qtbot.waitUntil(dock.title_button.isVisible)
    qtbot.mouseClick(dock.title_button, Qt.MouseButton.LeftButton)
    line = window.findChild(QuickAddLine)
    assert line.isVisible()
    line.reject()


def test_nothing_in_the_dock_is_smaller_than_fourteen_pixels(window, qtbot):
    for command in (SetDice("roll"), StartEncounter(), AdvanceSetup(), AdvanceSetup(), AdvanceSetup()):
        window.document.execute(command)
        settle(window.document)
    window.content.services.layout.arrange("run")
    window.resize(1280, 800)
    dock = window.content.docks.dock("order")
    qtbot.waitUntil(dock.isVisible)
    labels = [label for label in dock.findChildren(QLabel) if label.isVisibleTo(dock)]
    assert min(label.fontInfo().pixelSize() for label in labels) >= 14
    assert {label.fontInfo().pixelSize() for label in labels if label.text() == "World"} == {16}


def test_fitting_rows_that_keep_their_heights_paints_nothing(fight, show, monkeypatch):
    painted = set()
    known = TurnOrderDelegate.paint
    monkeypatch.setattr(TurnOrderDelegate, "paint", lambda *args: (painted.add(args[3].row()), known(*args))[1])
    view = show(TurnOrderDock).view
    for _ in range(3):
        QApplication.processEvents()
    assert painted
    painted.clear()
    view.fit()
    for _ in range(3):
        QApplication.processEvents()
    assert not painted


def test_a_face_stands_in_the_lead_in_the_shape_of_its_side(qapp):
    face = QImage(64, 64, QImage.Format.Format_RGB32)
    face.fill(QColor("#10c0c0"))

    def lead(**fields) -> QImage:
        image = QImage(28, 44, QImage.Format.Format_RGB32)
        image.fill(QColor("#808080"))
        painter = QPainter(image)
        shown = fields.pop("face", face)
        paint_lead(painter, image.rect(), RowLook(TurnOrderRow("one", **fields), face=shown))
        painter.end()
        return image

    foe, friend = lead(side="enemies"), lead(side="party")
    middle = foe.pixelColor(16, 22)
    assert (middle.red() < 60, middle.green() > 150) == (True, True)
    assert foe != friend
    active = lead(side="enemies", active=True)
    assert active == lead(side="enemies", active=True, face=None)
