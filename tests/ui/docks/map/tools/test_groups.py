"""Several tokens at once: selected, moved together, placed and taken off, each as one undo step."""

import msgspec
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest

from tests.ui.docks.map.conftest import FIELD, drag, keys, place, point, press, release
from tests.ui.rule_checks import check_rules
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.state.position_changes import SetPosition
from turnwright.ui.models.roster import LIBRARY_MIME

CTRL = Qt.KeyboardModifier.ControlModifier


def squares(document):
    """The squares of the tokens by label, of a running fight or of the roster."""
    fight = {combatant.id: combatant.position for combatant in document.encounter.all(Combatant)}
    return fight or {entry.id: entry.positions for entry in document.encounter.all(RosterEntry)}


def names(dock):
    return sorted(token.label for token in dock.canvas.picked())


def ctrl_click(dock, square):
    QTest.mouseClick(dock.view.viewport(), Qt.MouseButton.LeftButton, CTRL, place(dock, square))


def test_tokens_are_selected_by_a_frame_by_clicks_and_by_keys_and_moved_in_formation(show, document):
    dock = show(document)
    drag(dock, (1, 1), (2, 3), (4, 3))
    assert names(dock) == ["Mira", "Raider 1"]
    ctrl_click(dock, (10, 1))
    assert names(dock) == ["Mira", "Raider 1", "Raider 2"]
    ctrl_click(dock, (10, 1))
    before = squares(document)
    drag(dock, (2, 2), (3, 3), (2, 4))
    assert squares(document) == before | {"mira": ((2, 4),), "raiders": ((3, 4), (10, 1))}
    assert names(dock) == ["Mira", "Raider 1"]
    document.undo()
    assert squares(document) == before
    drag(dock, (2, 2), (3, 3), (11, 7))  # the whole group stays on the map
    assert squares(document)["raiders"][0] == (11, 7)
    document.undo()
    press(dock, (3, 2))
    release(dock, (3, 2))
    assert names(dock) == ["Raider 1"]
    keys(dock, Qt.Key.Key_A, held=CTRL)
    assert names(dock) == ["Raider 1", "Raider 2"]
    dock.canvas.set_cursor((2, 2))
    keys(dock, Qt.Key.Key_Space, held=CTRL)
    assert names(dock) == ["Mira", "Raider 1", "Raider 2"]
    keys(dock, Qt.Key.Key_Delete)
    assert squares(document) == before | {"mira": (), "raiders": ()}
    document.undo()
    assert squares(document) == before


def test_in_a_fight_each_moves_by_the_rules_and_a_refused_one_stays_and_says_why(show, fight, monkeypatch):
    check_rules(fight)
    dock = show(fight)
    for who, square in (("mira", (2, 2)), ("tam", (3, 2)), ("raiders-1", (0, 7)), ("ogre", (10, 4))):
        fight.execute(SetPosition(who, position=square))
    fight.select_combatants(("mira", "tam"))
    assert names(dock) == ["Mira", "Tam"]
    monkeypatch.setattr(dock.select_tool.mover, "ask_move_kind", lambda *_: "travel")
    before, depth = squares(fight), fight.source.session.history.depth
    drag(dock, (2, 2), (3, 3), (4, 1))
    moved = squares(fight)
    assert moved["mira"] == (4, 1)
    assert (moved["tam"] == (5, 1)) != ("Tam" in dock.status.text())
    assert fight.source.session.history.depth == depth + 1
    fight.undo()
    assert squares(fight) == before
    monkeypatch.setattr(dock.select_tool.mover, "ask_move_kind", lambda *_: "put")
    drag(dock, (2, 2), (3, 3), (4, 1))
    assert [squares(fight)[who] for who in ("mira", "tam")] == [(4, 1), (5, 1)]
    lines = [line.phrase.key for line in fight.source.session.journal()]
    fight.undo()
    assert squares(fight) == before
    assert fight.source.session.history.depth == depth
    keys(dock, Qt.Key.Key_Delete)
    assert [squares(fight)[who] for who in ("mira", "tam")] == [None, None]
    fight.undo()
    assert squares(fight) == before
    assert lines == [line.phrase.key for line in fight.source.session.journal()]


@pytest.fixture
def crowd(document):
    """Return the encounter with twelve tokens that aren't on the map: four of the party, six raiders and two ogres."""
    for entry in list(document.encounter.all(RosterEntry)):
        document.execute(Edit(msgspec.structs.replace(entry, positions=())))
    for entry in (RosterEntry("bo", "hero", "Bo", side="party"), RosterEntry("cy", "hero", "Cy", side="party")):
        document.execute(Add((entry,)))
    for id, count in (("raiders", 6), ("ogre", 2)):
        entry = document.encounter.need(RosterEntry, id)
        document.execute(Edit(msgspec.structs.replace(entry, count=count)))
    return document


def test_twelve_tokens_are_placed_in_four_acts_off_walls_and_each_other(show, crowd):
    walls = "....#.......\n....#.......\n....##......\n" + "....#.......\n" * 5
    crowd.execute(Edit(msgspec.structs.replace(FIELD, ground=walls, walls=((9, 0, 9, 8),), obstacles=())))
    dock = show(crowd)
    row, depth = dock.unplaced_tokens, crowd.source.session.history.depth
    groups = dict(row.groups(list(dock.canvas.tokens.unplaced())))
    assert [len(tokens) for tokens in groups.values()] == [8, 4, 2, 6]
    height = dock.view.height()
    for (_text, tokens), square in zip(list(groups.items())[:2], ((4, 4), (0, 0)), strict=True):
        row.tokensPressed.emit(tokens)
        press(dock, square)
        release(dock, square)
    placed = list(dock.canvas.tokens.placed())
    taken = [square for token in placed for square in token.squares]
    assert len(placed) == 12
    assert len(taken) == len(set(taken))
    grounds = walls.split()
    assert not [square for square in taken if grounds[square[1]][square[0]] == "#"]
    party = [token.square for token in placed if token.side == "party"]
    assert all(column < 4 for column, _ in party), party
    assert crowd.source.session.history.depth == depth + 2
    assert dock.view.height() == height  # the map doesn't jump as the row of waiting tokens empties
    crowd.undo()
    assert len(list(dock.canvas.tokens.unplaced())) == 4


def test_without_room_tokens_stay_off_the_map_and_are_named(show, crowd):
    crowd.execute(Edit(msgspec.structs.replace(FIELD, ground="", walls=((2, 0, 2, 2), (0, 2, 2, 2)))))
    dock = show(crowd)
    keys(dock, Qt.Key.Key_Insert, Qt.Key.Key_Left)
    point(dock, (0, 0))
    keys(dock, Qt.Key.Key_Return)
    assert sorted(token.square for token in dock.canvas.tokens.placed()) == [(0, 0)]
    assert "Raider 1" in dock.status.text()


def test_a_name_is_dragged_from_the_row_onto_the_map(show, document):
    dock = show(document)
    button = next(
        each for each in dock.unplaced_tokens.findChildren(type(dock.find_button)) if each.text() == "Raider 3"
    )
    QTest.mousePress(button, Qt.MouseButton.LeftButton)
    target = dock.view.viewport().mapToGlobal(place(dock, (6, 1)))
    for spot in (button.mapFromGlobal(target) * 0.5, button.mapFromGlobal(target)):
        QTest.mouseMove(button, spot if not hasattr(spot, "toPoint") else spot.toPoint())
    QTest.mouseRelease(button, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, button.mapFromGlobal(target))
    assert document.encounter.need(RosterEntry, "raiders").positions[2] == (6, 1)


@pytest.mark.parametrize("state", ["document", "fight"])
def test_a_creature_from_the_library_joins_where_it_is_dropped(show, request, state):
    document = request.getfixturevalue(state)
    dock = show(document)
    data, depth = QMimeData(), document.source.session.history.depth
    wolf = Creature("wolf", "Wolf", size="large")
    data.setData(LIBRARY_MIME, msgspec.msgpack.encode(("creature", wolf)))
    before = {token.id for token in dock.canvas.tokens.tokens}
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    for _ in range(2):  # the second one raises the count
        spot = QPointF(place(dock, (8, 5)))
        dock.view.dropEvent(QDropEvent(spot, action, data, button, Qt.KeyboardModifier.NoModifier))
    new = [token for token in dock.canvas.tokens.placed() if token.id not in before]
    assert len(new) == 2
    assert new[0].squares.isdisjoint(new[1].squares)
    assert document.source.session.history.depth == depth + 2
    document.undo()
    document.undo()
    assert {token.id for token in dock.canvas.tokens.tokens} == before
