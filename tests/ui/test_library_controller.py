"""Dialogs of the library: stat blocks side by side, and a variant that is listed once it is saved."""

from PySide6.QtWidgets import QApplication

from turnwright.ui.dialogs.compare import CompareDialog
from turnwright.ui.dialogs.variant_dialog import VariantDialog


def dialog_of(kind):
    return next(one for one in QApplication.topLevelWidgets() if isinstance(one, kind) and one.isVisible())


def listed(window, qtbot):
    dock = window.content.docks.all["library"]
    qtbot.waitUntil(lambda: bool(dock.model.shown_count))
    return dock


def test_a_variant_of_a_shipped_creature_is_saved_and_found(window, qtbot):
    dock = listed(window, qtbot)
    wyrm = next(entry for entry in dock.items.entries if entry.id == "fen-wyrm")
    dock.library_actions.create_variant(wyrm)
    dialog = dialog_of(VariantDialog)
    target = dialog.form.fields["to"].box
    target.setCurrentIndex(target.currentIndex() + 2)
    target.activated.emit(target.currentIndex())
    dialog.form.fields["called"].edited.emit("Old fen wyrm")
    with qtbot.waitSignal(dock.listLoaded):
        dialog.make_button.click()
    dock.search.setText("old fen wyrm")
    variant = dock.load(dock.view.current_entry())
    assert variant.source == "variant of Fen wyrm"
    assert variant.hp > dock.load(wyrm).hp
    dock.search.clear()


def test_two_stat_blocks_open_over_the_window(window, qtbot):
    dock = listed(window, qtbot)
    one, other = [entry for entry in dock.items.entries if entry.kind == "creature"][:2]
    dock.library_actions.compare(one, other)
    dialog = dialog_of(CompareDialog)
    assert one.name in dialog.views[0].toPlainText()
    assert other.name in dialog.views[1].toPlainText()
    dialog.accept()
