import random
import shutil

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QLineEdit

from tests.ui.docks.running_fight import end_turns, settle
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Clock, Combatant, CountdownPool, Effect, EntryState
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.setup.roster import AddObject
from turnwright.play.spawning.spawning import AddCombatants
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.table.game_master import Rename, SetDice
from turnwright.play.turn_order.surprise import MarkSneaking, SetInitiative
from turnwright.play.turns.turns import EndTurn, GoToTurn, RemoveCombatant
from turnwright.ui.docks.turn_order.dock import TurnOrderDock
from turnwright.ui.models.turn_order import TurnOrderColumn, TurnOrderModel
from turnwright.workspace.document import open_document

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
CHECKED = Qt.CheckState.Checked


def labels(model):
    return [model.index(row, TurnOrderColumn.WHO).data() for row in range(model.rowCount())]


def row_of(model, who):
    return model.row_at(model.row_of(who))


def test_the_order_is_that_of_the_counts_and_marks_who_acts_and_who_is_next(fight):
    model = TurnOrderModel(fight)
    assert [model.index(row, TurnOrderColumn.COUNT).data() for row in range(3)] == ["30", "29", "28"]
    assert labels(model)[:3] == ["Mira", "Tam", "Osk"]
    assert [row_of(model, "mira").active, row_of(model, "tam").next_up] == [True, True]
    fight.execute(EndTurn())
    settle(fight)
    assert [row_of(model, "mira").active, row_of(model, "tam").active, row_of(model, "osk").next_up] == [
        False,
        True,
        True,
    ]


def test_captions_stand_over_what_they_name(fight):
    model, role = TurnOrderModel(fight), Qt.ItemDataRole.TextAlignmentRole
    sides = [
        Qt.AlignmentFlag(model.headerData(column, Qt.Orientation.Horizontal, role))
        for column in (TurnOrderColumn.COUNT, TurnOrderColumn.WHO)
    ]
    assert sides[0] & Qt.AlignmentFlag.AlignRight
    assert sides[1] & Qt.AlignmentFlag.AlignLeft


def test_a_change_of_initiative_moves_the_row_and_undo_moves_it_back(fight, qtbot):
    model = TurnOrderModel(fight)
    before = labels(model)
    with qtbot.waitSignal(model.rowsMoved):
        assert model.setData(model.index(model.row_of("captain"), TurnOrderColumn.COUNT), "40")
    assert labels(model)[0] == fight.encounter.need(Combatant, "captain").label
    fight.undo()
    assert labels(model) == before


def test_a_name_is_edited_in_place(fight):
    model = TurnOrderModel(fight)
    assert model.setData(model.index(model.row_of("tam"), TurnOrderColumn.WHO), "  Tam the Quick ")
    assert fight.encounter.need(Combatant, "tam").label == "Tam the Quick"
    assert not model.setData(model.index(model.row_of("tam"), TurnOrderColumn.WHO), "   ")


def test_conditions_states_and_spent_reactions_show(fight):
    model = TurnOrderModel(fight)
    assert row_of(model, "tam").can_react
    fight.execute(SpendResource("tam", "reaction"))
    fight.execute(ApplyCondition(("tam",), "prone"))
    fight.execute(ApplyDamage(("osk",), "99"))
    fight.execute(SetDead("velu"))
    assert not row_of(model, "tam").can_react
    assert [tag.text for tag in row_of(model, "tam").tags] == ["prone"]
    assert (row_of(model, "osk").state, row_of(model, "velu").state) == ("down", "dead")
    assert "dead" in model.index(model.row_of("velu"), TurnOrderColumn.WHO).data(Qt.ItemDataRole.AccessibleTextRole)


def test_ticks_work_only_during_set_up(document):
    model = TurnOrderModel(document)
    document.execute(StartEncounter())
    sneaks = model.index(model.row_of("captain"), TurnOrderColumn.SNEAKING)
    assert model.setData(sneaks, CHECKED, Qt.ItemDataRole.CheckStateRole)
    assert document.encounter.need(Combatant, "captain").sneaking
    surprised = model.index(model.row_of("mira"), TurnOrderColumn.SURPRISED)
    assert model.setData(surprised, CHECKED, Qt.ItemDataRole.CheckStateRole)
    assert surprised.data(Qt.ItemDataRole.CheckStateRole) == CHECKED
    assert [effect.target for effect in document.encounter.all(Effect)] == ["mira"]
    assert model.setData(surprised, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert not list(document.encounter.all(Effect))


def test_an_object_has_no_ticks_no_reaction_and_no_turn_to_go_to(document, show):
    dock = show(TurnOrderDock)
    document.execute(AddObject("the ferry", 30))
    document.execute(StartEncounter())
    who = next(one.id for one in document.encounter.all(Combatant) if one.bystander)
    for column in (TurnOrderColumn.SNEAKING, TurnOrderColumn.SURPRISED):
        index = dock.model.index(dock.model.row_of(who), column)
        assert index.data(Qt.ItemDataRole.CheckStateRole) is None
        assert not dock.model.setData(index, CHECKED, Qt.ItemDataRole.CheckStateRole)
    document.execute(AdvanceSetup())
    assert not row_of(dock.model, who).can_react
    assert not row_of(dock.model, who).has_reaction
    off = {action.text() for action in dock.menu_for(who).actions() if not action.isEnabled()}
    assert off == {"Go to this turn"}


def test_no_ticks_once_rounds_have_begun(fight):
    model = TurnOrderModel(fight)
    index = model.index(0, TurnOrderColumn.SNEAKING)
    assert not index.flags() & Qt.ItemFlag.ItemIsUserCheckable
    assert not model.setData(index, CHECKED, Qt.ItemDataRole.CheckStateRole)


def test_only_rows_that_a_change_touches_are_told_of(fight, qtbot):
    model = TurnOrderModel(fight)
    touched = []
    model.dataChanged.connect(lambda first, last: touched.append((first.row(), last.row())))
    fight.execute(ApplyDamage(("osk",), "3"))
    assert touched == [(model.row_of("osk"),) * 2]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(4))
def test_the_model_holds_under_the_tester_whatever_happens(fight, seed):
    model = TurnOrderModel(fight)
    tester = QAbstractItemModelTester(model, FATAL)
    fight.execute(SetDice("roll"))
    chance = random.Random(seed)
    for _ in range(60):
        ids = list(fight.encounter.ids(Combatant))
        who = chance.choice(ids)
        act = chance.choice(
            [
                EndTurn(),
                EndTurn(),
                ApplyDamage((who,), "2d6 cold"),
                SetDead(who, chance.random() < 0.7),
                SetInitiative(((who, chance.randint(1, 25)),)),
                Rename(who, f"{who}!"),
                ApplyCondition((who,), "prone"),
                GoToTurn(who),
                AddCombatants("mira"),
                None,
                None,
            ]
        )
        if act is None:
            chance.choice((fight.undo, fight.redo))()
        elif len(ids) > 3 and chance.random() < 0.1:
            fight.execute(RemoveCombatant(who))
        else:
            fight.execute(act)
        if chance.random() < 0.8:
            settle(fight)
        assert sorted(model.row_at(row).id for row in range(model.rowCount())) == sorted(fight.encounter.ids(Combatant))
    assert tester.model() is model


def test_enter_asks_for_round_one_during_set_up(document, show, qtbot):
    dock = show(TurnOrderDock)
    document.execute(StartEncounter())
    assert not dock.view.isColumnHidden(TurnOrderColumn.SNEAKING)
    with qtbot.waitSignal(dock.view.beginRequested):
        qtbot.keyClick(dock.view, Qt.Key.Key_Return)
    document.execute(SetDice("roll"))
    document.execute(AdvanceSetup(begins=True))
    assert dock.view.isColumnHidden(TurnOrderColumn.SNEAKING)
    with qtbot.assertNotEmitted(dock.view.beginRequested):
        qtbot.keyClick(dock.view, Qt.Key.Key_Return)


def test_keys_of_the_list_select_go_hide_and_remove(fight, show, qtbot):
    dock = show(TurnOrderDock)
    dock.view.setFocus()
    dock.view.setCurrentIndex(dock.model.index(0, TurnOrderColumn.WHO))
    qtbot.keyClick(dock.view, Qt.Key.Key_Down)
    assert fight.selection is None
    qtbot.keyClick(dock.view, Qt.Key.Key_Return)
    assert fight.selection == ("combatants", "tam")
    qtbot.keyClick(dock.view, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    assert fight.encounter.need(Combatant, "tam").hidden
    go = next(action for action in dock.menu_for("tam").actions() if action.text() == "Go to this turn")
    go.trigger()
    assert fight.encounter.need(Clock, "clock").active == "mira"  # who has actions left; asked again, it goes
    go.trigger()
    assert fight.encounter.need(Clock, "clock").active == "tam"
    qtbot.keyClick(dock.view, Qt.Key.Key_Delete)
    assert fight.encounter.get(Combatant, "tam") is None


def test_space_ticks_the_cell_that_has_the_focus(document, show, qtbot):
    document.execute(StartEncounter())
    dock = show(TurnOrderDock)
    dock.view.setFocus()
    dock.view.setCurrentIndex(dock.model.index(dock.model.row_of("captain"), TurnOrderColumn.SNEAKING))
    qtbot.keyClick(dock.view, Qt.Key.Key_Space)
    assert document.encounter.need(Combatant, "captain").sneaking


def test_what_is_selected_elsewhere_is_selected_here(fight, show):
    dock = show(TurnOrderDock)
    fight.select(("combatants", "velu"))
    assert dock.model.row_at(dock.view.currentIndex().row()).id == "velu"


def test_the_menu_puts_on_and_ends_conditions_and_places_outside(fight, show):
    dock = show(TurnOrderDock)

    def entry(menu_name, name):
        menu = dock.menu_for("velu")
        inner = next(action.menu() for action in menu.actions() if action.text() == menu_name)
        return menu, next(action for action in inner.actions() if action.text() == name)

    menu, action = entry("Conditions", "Prone")
    assert not action.isChecked()
    action.trigger()
    assert [effect.name for effect in fight.encounter.all(Effect) if effect.target == "velu"] == ["prone"]
    menu, action = entry("Conditions", "Prone")
    assert action.isChecked()
    action.trigger()
    assert not [effect for effect in fight.encounter.all(Effect) if effect.target == "velu"]
    menu, action = entry("Inside", "The broken span")
    assert action.isChecked()
    action.trigger()
    assert "broken-span" in fight.encounter.need(Combatant, "velu").outside
    assert menu is not None


def test_the_worlds_row_shows_actions_and_dice(fight, show):
    dock = show(TurnOrderDock)
    state = next(iter(fight.encounter.all(EntryState)))
    line = dock.world.action(f"{state.environment}/{state.entry}")
    ready = "◆" in line.status.text()
    assert ready == state.ready
    dock.world_menu_for("action", f"{state.environment}/{state.entry}").actions()[1].trigger()
    assert ("◆" in line.status.text()) != ready
    pool = fight.encounter.need(CountdownPool, "ice-gives-way")
    assert len(dock.world.pool("ice-gives-way").dice.faces()) == pool.dice


def test_dice_are_added_to_a_pool_and_taken_from_its_menu(fight, show):
    dock = show(TurnOrderDock)
    before = fight.encounter.need(CountdownPool, "ice-gives-way").dice

    def choose(text):
        menu = dock.world_menu_for("pool", "ice-gives-way")
        next(action for action in menu.actions() if action.text() == text).trigger()

    choose("Add a die")
    assert len(dock.world.pool("ice-gives-way").dice.faces()) == before + 1
    choose("Remove a die")
    assert fight.encounter.need(CountdownPool, "ice-gives-way").dice == before


def test_dice_that_leave_fall_out_of_the_row(fight, show):
    dock = show(TurnOrderDock)
    fight.execute(SetDice("roll"))
    rolls = fight.encounter.need(CountdownPool, "ice-gives-way").rolls
    end_turns(fight, fight.encounter.ids(Combatant).__len__())
    pool = fight.encounter.need(CountdownPool, "ice-gives-way")
    assert pool.rolls == rolls + 1
    assert len(dock.world.pool("ice-gives-way").dice.faces()) == pool.dice


def test_an_action_of_the_world_is_used_by_key(fight, show, qtbot):
    dock = show(TurnOrderDock)
    state = next(one for one in fight.encounter.all(EntryState))
    if not state.ready:
        dock.world_menu_for("action", f"{state.environment}/{state.entry}").actions()[1].trigger()
    line = dock.world.action(f"{state.environment}/{state.entry}")
    line.setFocus()
    serial = fight.source.session.history.depth
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert fight.source.session.history.depth == serial + 1
    assert fight.source.session.history.last.label.key == "step.use_entry"


def test_set_up_shows_totals_and_sneaking(document, show):
    dock = show(TurnOrderDock)
    document.execute(StartEncounter())
    document.execute(MarkSneaking(("captain",)))
    document.execute(AdvanceSetup())
    assert row_of(dock.model, "captain").sneaking
    assert not dock.view.isColumnHidden(TurnOrderColumn.SURPRISED)


def editor_of(dock):
    return dock.view.indexWidget(dock.view.currentIndex())


def test_initiative_is_typed_into_the_row_and_the_active_one_goes_on_acting(fight, show, qtbot):
    dock = show(TurnOrderDock)
    dock.view.setFocus()
    dock.view.setCurrentIndex(dock.model.index(dock.model.row_of("captain"), TurnOrderColumn.WHO))
    qtbot.keyClick(dock.view, Qt.Key.Key_F2)
    editor = editor_of(dock)
    assert editor.selectedText() == editor.text() != ""
    qtbot.keyClicks(editor, "x99")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: row_of(dock.model, "captain").count == 99)
    assert dock.model.row_of("captain") == 0
    assert fight.encounter.need(Clock, "clock").active == "mira"
    assert dock.view.currentIndex().row() == 0


def test_a_click_on_the_count_edits_it_and_tab_goes_to_the_next(fight, show, qtbot):
    dock = show(TurnOrderDock)
    cell = dock.view.visualRect(dock.model.index(1, TurnOrderColumn.COUNT)).center()
    qtbot.mouseClick(dock.view.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    qtbot.keyClicks(editor_of(dock), "29")
    qtbot.keyClick(editor_of(dock), Qt.Key.Key_Tab)
    assert dock.view.currentIndex().row() == 2
    assert editor_of(dock).text() == "28"
    qtbot.keyClick(editor_of(dock), Qt.Key.Key_Escape)


def test_tab_goes_through_all_totals_of_set_up_although_the_rows_move_and_enter_keeps_the_last(document, show, qtbot):
    dock, begun = show(TurnOrderDock), []
    dock.view.beginRequested.connect(lambda: begun.append(True))
    document.execute(StartEncounter())
    document.execute(AdvanceSetup())
    who = [dock.model.row_at(place).id for place in range(4)]
    dock.view.setFocus()
    dock.view.setCurrentIndex(dock.model.index(0, TurnOrderColumn.WHO))
    qtbot.keyClick(dock.view, Qt.Key.Key_F2)
    for total, key in zip(("16", "15", "20", "4"), [Qt.Key.Key_Tab] * 3 + [Qt.Key.Key_Return], strict=True):
        qtbot.keyClicks(editor_of(dock), total)
        qtbot.keyClick(editor_of(dock), key)
    qtbot.waitUntil(lambda: row_of(dock.model, who[3]).count == 4)
    assert [row_of(dock.model, each).count for each in who] == [16, 15, 20, 4]
    assert not begun
    qtbot.keyClick(dock.view, Qt.Key.Key_Return)
    assert begun


def test_rows_are_moved_by_keys(fight, show, qtbot):
    dock = show(TurnOrderDock)
    dock.view.setFocus()
    dock.view.setCurrentIndex(dock.model.index(2, TurnOrderColumn.WHO))
    qtbot.keyClick(dock.view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert labels(dock.model)[:3] == ["Mira", "Osk", "Tam"]
    assert (row_of(dock.model, "osk").count, dock.view.currentIndex().row()) == (29, 1)
    qtbot.keyClick(dock.view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert labels(dock.model)[:3] == ["Mira", "Tam", "Osk"]


def test_a_turn_is_delayed_by_key_and_taken_later(fight, show, qtbot):
    dock = show(TurnOrderDock)
    scene = fight.encounter.need(Scene, "scene")
    fight.execute(Edit(msgspec.structs.replace(scene, options=(*scene.options, "delaying"))))
    dock.view.setFocus()
    dock.view.setCurrentIndex(dock.model.index(0, TurnOrderColumn.WHO))
    qtbot.keyClick(dock.view, Qt.Key.Key_E)
    assert fight.encounter.need(Clock, "clock").active == "tam"
    assert "delaying · B: return" in [tag.text for tag in row_of(dock.model, "mira").tags]
    qtbot.keyClick(dock.view, Qt.Key.Key_B)
    assert fight.encounter.need(Clock, "clock").active == "mira"
    assert labels(dock.model)[:2] == ["Tam", "Mira"]


def test_shift_f2_renames_the_row(fight, show, qtbot):
    dock = show(TurnOrderDock)
    dock.view.setFocus()
    dock.view.setCurrentIndex(dock.model.index(dock.model.row_of("tam"), TurnOrderColumn.WHO))
    qtbot.keyClick(dock.view, Qt.Key.Key_F2, Qt.KeyboardModifier.ShiftModifier)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "Tamsin")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: fight.encounter.need(Combatant, "tam").label == "Tamsin")


def test_another_encounter_has_its_active_row_as_the_current_one(fight, show, qtbot, tmp_path, repository, systems):
    dock = show(TurnOrderDock)
    dock.view.setFocus()
    path = tmp_path / "other.toml"
    shutil.copy(repository / "encounters" / "last-light.toml", path)
    other = open_document(path, systems, tmp_path / "other", seed=7)
    for command in (SetDice("roll"), StartEncounter(), AdvanceSetup(begins=True)):
        other.do(command)
    fight.open(other)
    settle(fight)
    assert fight.selected_combatants == ()
    assert dock.view.currentIndex().row() == max(0, dock.model.active_row())
    qtbot.keyClick(dock.view, Qt.Key.Key_F2)
    assert isinstance(QApplication.focusWidget(), QLineEdit)


def test_home_and_end_go_to_the_first_and_last_row_and_the_ring_goes_with_them(fight, show, qtbot, monkeypatch):
    dock = show(TurnOrderDock)
    dock.view.setFocus()
    last = max(row for row in range(dock.model.rowCount()) if not dock.view.isRowHidden(row))
    dock.view.setCurrentIndex(dock.model.index(1, TurnOrderColumn.WHO))
    for key, row in ((Qt.Key.Key_End, last), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(dock.view, key)
        assert (dock.view.currentIndex().row(), dock.view.currentIndex().column()) == (row, TurnOrderColumn.WHO)
    dock.view.setCurrentIndex(dock.model.index(0, TurnOrderColumn.COUNT))
    dock.view.repaint()
    asked = []
    monkeypatch.setattr(dock.view.viewport(), "update", lambda: asked.append(True))
    qtbot.keyClick(dock.view, Qt.Key.Key_Down)
    assert asked
