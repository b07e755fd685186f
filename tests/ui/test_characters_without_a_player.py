"""A row of the party with a level is a player character everywhere, even if nobody has entered who plays it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.handouts.sample_pages import data_of, fight
from tests.ui.docks.running_fight import settle
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.state import Encounter
from turnwright.forecast.sentences import summary
from turnwright.handouts.kinds.party_sheet import KIND as PARTY_SHEET
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.awards import award_of
from turnwright.play.turns.turns import EndEncounter
from turnwright.ui.dialogs.library.compare import KeepPartyDialog
from turnwright.ui.dialogs.party_table import PartyTableDialog
from turnwright.ui.dialogs.quick_add import QuickAddLine
from turnwright.ui.shell.window import MainWindow
from turnwright.workspace.fight_forecast import obstacle_to_forecast, run_forecast

MILL = 'format = 3\nsystem = "pf2e"\ntitle = "The mill"\n'


def dialog_of(kind: type) -> QuickAddLine | KeepPartyDialog:
    return next(one for one in QApplication.topLevelWidgets() if isinstance(one, kind) and one.isVisible())


def test_aria_is_a_character_without_more_words(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    path.write_text(MILL, encoding="utf-8")
    window.content.file_controller.open(path)
    for line in ("Aria ac 16 hp 34 level 2 party", "Bo ac 15 hp 30 level 2 party", "2 charnel hound"):
        window.content.window_actions.run("quick-add")
        qtbot.keyClicks(dialog_of(QuickAddLine).line, line)
        qtbot.keyClick(dialog_of(QuickAddLine).line, Qt.Key.Key_Return)
    document, rules = window.document, window.document.rules
    prepared = document.encounter
    assert obstacle_to_forecast(prepared) == "", "the forecast knows its characters"
    assert data_of(PARTY_SHEET, fight(*prepared)) is not None, "and so does the party sheet"
    forecast = run_forecast(Encounter(prepared), rules, 5, seed=1)
    assert summary(forecast.encounter, forecast.outlook)[0].key.endswith("idle"), "nobody fights with fists"
    document.execute(SetDice("roll"))
    document.execute(StartEncounter())
    document.execute(AdvanceSetup(begins=True))
    settle(document)
    document.execute(ApplyDamage(("aria",), "50"))
    (prompt,) = document.encounter.all(Prompt)
    assert prompt.asks[0].suggested[0] != "dead", "nobody dies by Enter"
    settle(document)
    document.execute(ApplyDamage(("charnel-hound-1",), "90"))
    settle(document)
    document.execute(EndEncounter())
    window.content.services.layout.arrange("run")
    end = window.content.docks.dock("turn").end
    qtbot.waitUntil(end.isVisible)
    assert end.take_focus()
    qtbot.keyClick(end.award_button, Qt.Key.Key_Return)
    award = award_of(document.encounter, "xp")
    assert (award.xp, award.who) == (40, ("aria", "bo")), "the whole sum to each, whatever the party's size"
    end.party_button.click()
    assert dialog_of(KeepPartyDialog).name.text() == "Party of Aria, Bo"
    dialog_of(KeepPartyDialog).reject()


def test_a_character_who_does_nothing_is_in_the_headline_with_a_way_to_the_party(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.content.window_actions.run("new")
    for line in ("Aria ac 16 hp 34 level 2 party", "2 goblin"):
        window.content.window_actions.run("quick-add")
        qtbot.keyClicks(dialog_of(QuickAddLine).line, line)
        qtbot.keyClick(dialog_of(QuickAddLine).line, Qt.Key.Key_Return)
    window.content.services.layout.arrange("prepare")
    dock = window.content.docks.dock("forecast")
    dock.model.watch(watched=True)
    qtbot.waitUntil(lambda: dock.model.outlook is not None and not dock.model.is_running, timeout=20_000)
    assert dock.headline.idle.text() == "Aria does nothing in these fights: the forecast counts 0 of 1 characters."
    assert not any("nothing" in label.text() for label in dock.summary.labels)
    dock.headline.edit_party.click()
    assert dialog_of(PartyTableDialog).isVisible()
    dialog_of(PartyTableDialog).reject()
