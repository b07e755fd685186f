"""Paste a creature: the text beside what was read from it, a mark for each line, and the creature added or saved."""

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from turnwright.encounter.prepared import Creature
from turnwright.ui.dialogs.imports.import_dialogs import PasteDialog
from turnwright.ui.dialogs.imports.marked_text import LOOKS
from turnwright.ui.look.style import current_theme

MOTH = """Moss Moth
Large monstrosity, unaligned
Armor Class as its rider
Hit Points 52 (7d10 + 14)
Speed 30 ft.
STR DEX CON INT WIS CHA
18 (+4) 14 (+2) 14 (+2) 7 (-2) 12 (+1) 6 (-2)
Challenge 4 (1,100 XP)

Moss Cloak. It is hidden within 30 feet of moss.
Stillness. It looks like moss.
Actions
Claw. Melee Weapon Attack: +6 to hit, reach 5 ft., one target. Hit: 7 (1d6 + 4) slashing damage."""
STALKER = """Reed Stalker Creature 1
Small Plant
Perception +4
Str +0, Dex +3, Con +1, Int -2, Wis +1, Cha -1
AC 16; Fort +5, Ref +7, Will +3
HP 19
Speed 25 feet
Melee [one-action] thorn +8 (agile), Damage 1d6+2 piercing"""
GAMES = [("a5e", "A5E"), ("dnd5e", "D&D 5e"), ("pf2e", "Pathfinder 2e")]


@pytest.fixture
def paste(systems, qtbot):
    def shown(text, own="a5e"):
        dialog = PasteDialog(text, GAMES, lambda id: systems.get(id).data, own)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return shown


def marks(dialog):
    return [
        f"{LOOKS[mark].sign if mark else ''}{line[:10]}"
        for mark, line in zip(dialog.text.marks, dialog.text.toPlainText().split("\n"), strict=True)
    ]


def go_to(dialog, line):
    cursor = dialog.text.textCursor()
    cursor.setPosition(dialog.text.document().findBlockByNumber(line).position())
    dialog.text.setTextCursor(cursor)


def test_each_line_has_a_sign_a_tint_and_words(paste):
    dialog = paste(MOTH)
    assert dialog.creature().name == "Moss Moth"
    assert marks(dialog)[:4] == ["\u2713Moss Moth", "\u2713Large mons", "\u2261Armor Clas", "\u2713Hit Points"]
    assert marks(dialog)[8:] == ["", "\u2261Moss Cloak", "\u2261Stillness.", "\u2713Actions", "\u2713Claw. Mele"]
    tints = {one.cursor.blockNumber(): one.format.background().color() for one in dialog.text.extraSelections()}
    assert tints == {2: QColor(current_theme().hex("warn_soft")), 9: QColor(current_theme().hex("warn_soft"))}
    go_to(dialog, 2)
    assert dialog.reason.text().startswith("Line 3: kept as text")
    assert "Armor Class" in dialog.reason.text()
    assert dialog.summary.text().startswith("D&D 5e: 9 lines read, 3 kept as text.")


def test_the_signs_are_painted_in_their_colours(paste):
    dialog = paste(MOTH)
    image = dialog.text.grab().toImage()
    width = 40
    colours = {image.pixelColor(x, y).name() for x in range(width) for y in range(image.height())}
    near = {name: QColor(current_theme().hex(name)) for name in ("heal", "warn")}
    for colour in near.values():
        assert any(
            max(
                abs(QColor(one).red() - colour.red()),
                abs(QColor(one).green() - colour.green()),
                abs(QColor(one).blue() - colour.blue()),
            )
            < 40
            for one in colours
        )


def test_a_change_of_the_text_is_read_again(paste, qtbot):
    dialog = paste(MOTH)
    go_to(dialog, 2)
    dialog.text.setPlainText(MOTH.replace("as its rider", "15 (natural armor)"))
    qtbot.waitUntil(lambda: dialog.creature() is not None and dialog.creature().ac == 15)
    assert "3 kept" not in dialog.summary.text()


def test_the_game_is_guessed_and_can_be_changed(paste):
    dialog = paste(STALKER, own="pf2e")
    assert dialog.creature().level == 1
    assert dialog.add_button.isEnabled()
    dialog.system.setCurrentIndex(dialog.system.findData("dnd5e"))
    dialog.system.activated.emit(dialog.system.currentIndex())
    assert dialog.summary.text().startswith("D&D 5e: ")
    assert "the creature is converted" in dialog.summary.text()


def test_a_creature_of_another_game_is_brought_over_where_it_is_added(paste, qtbot):
    dialog = paste(STALKER, own="dnd5e")
    assert "This encounter uses D&D 5e: the creature is converted when you add it." in dialog.summary.text()
    with qtbot.waitSignal(dialog.addRequested) as added:
        dialog.add_button.click()
    assert added.args[0].source.startswith("PF2e")
    assert added.args[0].level == 0
    with qtbot.waitSignal(dialog.saveRequested) as saved:
        dialog.save_button.click()
    assert saved.args[1] == "pf2e"


def test_a_dnd_creature_in_an_a5e_encounter_is_said_to_be_brought_over(paste):
    dialog = paste(MOTH, own="a5e")
    assert "This encounter uses A5E: the creature is converted when you add it." in dialog.summary.text()
    assert "Moss Moth is converted to A5E." in dialog.summary.text()


def test_it_is_added_and_saved_by_keys(paste, qtbot):
    dialog = paste(MOTH)
    with qtbot.waitSignal(dialog.addRequested) as added:
        QTest.keyClick(dialog.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert added.args[0].name == "Moss Moth"
    with qtbot.waitSignal(dialog.saveRequested) as saved:
        dialog.save_button.click()
    assert saved.args[1] == "dnd5e"
    QTest.keyClick(dialog.text, Qt.Key.Key_Tab)
    assert not dialog.text.hasFocus()
    assert "\t" not in dialog.text.toPlainText()


def test_one_of_several_is_chosen(paste):
    dialog = paste(f"{MOTH}\n\n{MOTH.replace('Moss Moth', 'Ash Moth')}")
    assert dialog.which.isVisible()
    dialog.which.setCurrentIndex(1)
    dialog.which.activated.emit(1)
    assert dialog.creature().name == "Ash Moth"
    assert len(dialog.text.marks) == len(dialog.text.toPlainText().split("\n"))


@pytest.mark.parametrize("text", ["", "A letter to the king."])
def test_what_is_no_stat_block_is_said(paste, text):
    dialog = paste(text)
    assert dialog.creature() is None
    assert not dialog.add_button.isEnabled()
    assert not dialog.which.isVisible()
    assert dialog.summary.text().startswith("Nothing to read" if not text else "Not read: no stat block")


def test_text_is_never_rich(paste):
    dialog = paste("")
    data = QMimeData()
    data.setHtml("<h1>Moss Moth</h1><img src='file:///etc/passwd'>")
    data.setText(MOTH.replace("Moss Moth", "<h1>Moth</h1>"))
    dialog.text.insertFromMimeData(data)
    dialog.read()
    assert dialog.text.toPlainText().startswith("<h1>Moth</h1>\nLarge")
    assert dialog.creature().name == "Moth"


@pytest.mark.soak
def test_the_window_reads_the_clipboard(window, application, qtbot):
    QApplication.clipboard().setText(MOTH)
    window.content.window_actions.run("paste-creature")
    (dialog,) = window.findChildren(PasteDialog)
    assert dialog.creature().name == "Moss Moth"
    dialog.add_button.click()
    assert dialog.summary.text() == "Moss Moth was added to the encounter."
    dialog.save_button.click()
    assert "moss-moth.toml" in dialog.summary.text()
    encounter = window.content.document.encounter
    assert "Moss Moth" in {one.name for one in encounter.all(Creature)}
    system = "dnd5e"
    assert [one.name for one in application.workspace.library.entries_for(system) if one.name == "Moss Moth"] == [
        "Moss Moth"
    ]
    dialog.reject()
