"""An evening in the real window, by its keys and widgets alone: three encounters with the players' window open, a rest between.

What players see is held against each fight as it goes, and how the party stands at the end against figures by hand.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.conftest import active
from tests.ui.player import ENTER, Key, Player
from turnwright.encounter.prepared import CharacterState, LastingCondition, Party, RosterEntry
from turnwright.ui.dialogs.library.compare import KeepPartyDialog, RestPartyDialog
from turnwright.ui.dialogs.library.party_page import PartyPage
from turnwright.ui.docks.players.screen import PlayersScreen
from turnwright.ui.shell.window import MainWindow
from turnwright.workspace.print_job import report_of

BLOCKS = """
[creatures.wolf]
name = "Wolf"
hp = 11
ac = 13
rating = "1/4"
"""
PARTY = """
[creatures.ann]
name = "Ann"
hp = 30
ac = 16

[creatures.ben]
name = "Ben"
hp = 24
ac = 15

[roster.ann]
creature = "ann"
side = "party"
player = "Kim"
level = 3

[roster.ben]
creature = "ben"
side = "party"
player = "Lou"
level = 3
"""
FILE = """system = "dnd5e"
title = "{title}"
{blocks}
[roster.wolf]
creature = "wolf"
count = {wolves}
{party}"""
STEPS = 60


@pytest.fixture
def evening(tmp_path: Path) -> list[Path]:
    """The files of the three encounters; the party stands in the first alone."""
    paths = []
    for number, (title, wolves) in enumerate((("The gate", 1), ("The wood", 2), ("The den", 1))):
        path = tmp_path / f"{number}.toml"
        party = "" if number else PARTY
        path.write_text(FILE.format(title=title, blocks=BLOCKS, wolves=wolves, party=party), encoding="utf-8")
        paths.append(path)
    return paths


def dialog_of(kind: type) -> object:
    return next(one for one in QApplication.topLevelWidgets() if isinstance(one, kind) and one.isVisible())


def opened(window: MainWindow, path: Path, qtbot: QtBot) -> Player:
    """Open an encounter in the window as the list of recent files does."""
    window.content.file_controller.open(path)
    qtbot.waitUntil(lambda: window.source.path == path)
    active(window, qtbot)
    return Player(window)


def begin(player: Player) -> None:
    """Start the fight and go through its set-up by keys, all rolls by the program."""
    player.press(Key.Key_F9)
    for _ in range(STEPS):
        for _ in range(STEPS):
            if not player.is_asked:
                break
            player.answer()
        if player.clock.phase == "rounds":
            return
        player.press(Key.Key_F10)
    raise AssertionError("the fight never begins")


def open_for_players(window: MainWindow) -> PlayersScreen:
    """Open the players' window by its action."""
    window.content.window_actions.actions["players-window"].trigger()
    players = window.content.services.controller(PlayersScreen)
    assert players.is_open
    return players


def players_see(players: PlayersScreen, qtbot: QtBot, *rows: tuple[str, str]) -> None:
    """Wait until the open window shows rows of names and health; those whom they don't know have a number for a name."""

    def shown() -> list[tuple[str, str]]:
        return sorted((one.name or str(one.number), one.health) for one in players.view.order)

    qtbot.waitUntil(lambda: shown() == sorted(rows))
    assert players.is_open


def hurt(player: Player, who: str, amount: int) -> None:
    """Damage a combatant: a click on its row, the number, Enter."""
    player.click_row(who)
    player.press(str(amount), ENTER)
    for _ in range(STEPS):
        if not player.is_asked:
            return
        player.answer()


def end(player: Player) -> None:
    """End the encounter by the action of its menu."""
    player.window.content.window_actions.actions["end-encounter"].trigger()
    assert not player.is_asked


def keep(player: Player, qtbot: QtBot) -> None:
    """Keep how the party stands, by the button of the page that follows a fight."""
    page = player.turn.end
    qtbot.waitUntil(lambda: page.isVisible() and not page.party_button.isHidden())
    player.click(page.party_button)
    dialog = dialog_of(KeepPartyDialog)
    dialog.name.setText("The watch")
    dialog.keep_button.click()
    assert player.window.content.file_controller.save()


def party_entry(window: MainWindow, qtbot: QtBot) -> tuple[object, object]:
    """Return the library's dock and its entry of the party."""
    dock = window.content.docks.all["library"]
    qtbot.waitUntil(lambda: any(one.kind == "party" and one.name == "The watch" for one in dock.items.entries))
    return dock, next(one for one in dock.items.entries if one.kind == "party" and one.name == "The watch")


def come(player: Player, qtbot: QtBot, how: str) -> None:
    """Add the party from its page in the library, as one of the choices says."""
    dock, entry = party_entry(player.window, qtbot)
    dock.add([entry])
    page = dialog_of(PartyPage)
    assert isinstance(page, PartyPage)
    page.how.setCurrentText(how)
    page.add_button.click()
    assert {"ann", "ben"} <= {one.id for one in player.window.document.encounter.all(RosterEntry)}


def standing(window: MainWindow, qtbot: QtBot) -> dict[str, CharacterState | None]:
    """Return how the library says that the party stands."""
    dock, entry = party_entry(window, qtbot)
    party = dock.load(entry)
    assert isinstance(party, Party)
    return {one.id: one.state for one in party.roster}


def test_three_encounters_with_a_rest_between(fresh_window: MainWindow, qtbot: QtBot, evening: list[Path]) -> None:
    window = fresh_window
    player = opened(window, evening[0], qtbot)
    players = open_for_players(window)
    begin(player)
    players_see(players, qtbot, ("Ann", "unhurt"), ("Ben", "unhurt"), ("1", "unhurt"))
    hurt(player, "ann", 12)  # Ann 30 - 12 = 18
    hurt(player, "wolf", 11)
    players_see(players, qtbot, ("Ann", "hurt"), ("Ben", "unhurt"), ("1", "down"))
    assert player.combatant("wolf").dead
    end(player)
    found = report_of(window.source.session)
    taken = {one.label: one.taken for one in found.combatants}
    assert (taken["Ann"], taken["Ben"], taken["Wolf"]) == (12, 0, 11)
    keep(player, qtbot)
    assert standing(window, qtbot) == {"ann": CharacterState(18), "ben": None}

    player = opened(window, evening[1], qtbot)
    window.content.window_actions.actions["players-order"].trigger()  # held until then
    come(player, qtbot, "As saved")
    begin(player)
    assert (player.combatant("ann").hp, player.combatant("ben").hp) == (18, 24)
    hurt(player, "ann", 5)  # 18 - 5 = 13
    hurt(player, "ben", 20)  # 24 - 20 = 4
    player.press("c", "pois", ENTER)  # Ben is still the target
    hurt(player, "wolf-1", 11)
    hurt(player, "wolf-2", 11)
    players_see(players, qtbot, ("Ann", "bloodied"), ("Ben", "bloodied"), ("1", "down"), ("2", "down"))
    end(player)
    keep(player, qtbot)
    poisoned = (LastingCondition("poisoned"),)
    assert standing(window, qtbot) == {"ann": CharacterState(13), "ben": CharacterState(4, conditions=poisoned)}

    dock, entry = party_entry(window, qtbot)
    dock.library_actions.rest_party(entry)
    rest = dialog_of(RestPartyDialog)
    rest.regained["ann"].setValue(8)  # 13 + 8 = 21
    rest.regained["ben"].setValue(7)  # 4 + 7 = 11
    rest.rest_button.click()
    assert standing(window, qtbot) == {"ann": CharacterState(21), "ben": CharacterState(11, conditions=poisoned)}

    player = opened(window, evening[2], qtbot)
    window.content.window_actions.actions["players-order"].trigger()  # held until then
    come(player, qtbot, "As saved")
    begin(player)
    hurt(player, "ann", 6)  # 21 - 6 = 15
    player.press("h", "4", ENTER)  # 15 + 4 = 19; Ann is still the target
    hurt(player, "ben", 10)  # 11 - 10 = 1
    hurt(player, "wolf", 12)
    players_see(players, qtbot, ("Ann", "hurt"), ("Ben", "bloodied"), ("1", "down"))
    end(player)
    found = report_of(window.source.session)
    figures = {one.label: (one.taken, one.regained) for one in found.combatants}
    assert (figures["Ann"], figures["Ben"]) == ((6, 4), (10, 0))
    report = window.content.docks.dock("report")
    report.refresh()
    assert report.table.rowCount() == 3
    report.for_players.setChecked(True)
    labels = [report.table.item(at, 0).text() for at in range(report.table.rowCount())]
    assert (sorted(labels[:2]), labels[2]) == (["Ann", "Ben"], "Creature 1")  # the party by what they dealt
    keep(player, qtbot)
    assert standing(window, qtbot) == {"ann": CharacterState(19), "ben": CharacterState(1, conditions=poisoned)}
