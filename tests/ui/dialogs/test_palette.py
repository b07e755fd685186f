"""The command palette: enabled actions, filtered while one types, chosen by keyboard."""

import pytest
from PySide6.QtCore import Qt

from tests.ui.action_rows import install
from turnwright.ui.dialogs.palette import CommandPalette, PaletteEntry, palette_entries


@pytest.fixture
def palette(qtbot):
    installed = install(qtbot)
    chosen = []
    names = ("End turn", "Roll initiative", "Reset to prepared", "Add to encounter")
    entries = [PaletteEntry(name, lambda name=name: chosen.append(name)) for name in names]
    palette = CommandPalette(installed.window, lambda: [*palette_entries(installed), *entries])
    palette.chosen = chosen
    palette.open_over(installed.window)
    return palette


def test_the_palette_offers_what_can_be_done_now(palette):
    assert "Save" in palette.texts()
    assert "Undo" not in palette.texts()


def test_typing_filters_and_enter_does_the_best_match(qtbot, palette):
    qtbot.keyClicks(palette.line, "ini")
    assert palette.texts() == ["Roll initiative"]
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: palette.chosen == ["Roll initiative"])
    assert not palette.isVisible()


def test_what_is_found_by_typing_alone_stands_after_actions_and_before_scattered_letters(qtbot):
    installed = install(qtbot)
    entries = [
        PaletteEntry("Initiative", print, "Rule", only_on_search=True),
        PaletteEntry("Roll initiative", print),
        PaletteEntry("In it at once", print),
    ]
    palette = CommandPalette(installed.window, lambda: entries)
    palette.open_over(installed.window)
    assert palette.texts() == ["Roll initiative", "In it at once"]
    qtbot.keyClicks(palette.line, "init")
    assert palette.texts() == ["Roll initiative", "Initiative", "In it at once"]
    palette.close()


def test_arrows_choose_another(qtbot, palette):
    qtbot.keyClicks(palette.line, "r")
    wanted = palette.texts()[1]
    qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: palette.chosen == [wanted])


def test_escape_closes_and_does_nothing(qtbot, palette):
    qtbot.keyClick(palette.line, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert palette.chosen == []


def test_enter_on_nothing_found_stays(qtbot, palette):
    qtbot.keyClicks(palette.line, "zzzz")
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.texts() == []
    assert palette.isVisible()
