"""The list of keys."""

from tests.ui.action_rows import install
from tests.ui.dialogs.key_rows import shown_rows
from turnwright.ui.dialogs.help import KeyListDialog, field_keys, key_rows


def test_the_key_list_has_every_shortcut_of_the_table(qtbot):
    keys = KeyListDialog(None, [*key_rows(install(qtbot).table), *field_keys()])
    qtbot.addWidget(keys)
    assert ("ui.action.next", "Ctrl+E, F8") in shown_rows(keys)
    assert ("Half", "Ctrl+Return") in shown_rows(keys)
    qtbot.keyClicks(keys.line, "half")
    assert shown_rows(keys) == [("Half", "Ctrl+Return")]
