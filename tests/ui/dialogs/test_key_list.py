"""The list of keys."""

from tests.ui.action_rows import install
from turnwright.ui.dialogs.key_list import KeyListDialog, field_keys, key_rows


def test_the_key_list_has_every_shortcut_of_the_table(qtbot):
    keys = KeyListDialog(None, [*key_rows(install(qtbot).table), *field_keys()])
    qtbot.addWidget(keys)
    assert ("ui.action.next", "Ctrl+E, F8") in keys.shown_rows()
    assert ("Half", "Ctrl+Return") in keys.shown_rows()
    qtbot.keyClicks(keys.line, "half")
    assert keys.shown_rows() == [("Half", "Ctrl+Return")]
