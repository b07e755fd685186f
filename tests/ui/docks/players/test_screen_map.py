"""The map in the players' window: painted in a worker before it is shown, moved, enlarged, and in squares of an inch."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QMainWindow

from tests.ui.conftest import model_of
from tests.ui.window_services import services_for
from turnwright.battlemap import sight
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Map, MapLight, MapPicture, RosterEntry, Scene
from turnwright.encounter.running import Clock, Combatant, Fog
from turnwright.play.environment.map_changes import LayArea, SetFog
from turnwright.play.setup.encounter_course import AdvanceSetup, ResetToPrepared, StartEncounter
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.table.game_master import SetKnownName, SetPortrait
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.players import map_view
from turnwright.players.view import PlayersMap
from turnwright.rules.parts.positions import sight as fog
from turnwright.rules.parts.positions import sight as lighting
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.tools.fog_tool import PartySight
from turnwright.ui.docks.players import map_painter
from turnwright.ui.docks.players.map_painter import PlayersMapPainter
from turnwright.ui.docks.players.screen import PlayersScreen, pixels_per_inch
from turnwright.ui.look.style import theme_source
from turnwright.ui.players.canvas import FULL_SIZE
from turnwright.ui.services.settings_store import SettingsStore
from turnwright.workspace.document import open_document


@pytest.fixture
def document(qapp, tmp_path: Path):
    """Return a fight on a map of twelve by eight with a white picture: Ada of the party, and a raider."""
    path = tmp_path / "map.toml"
    path.write_text('format = 3\nsystem = "a5e"\ntitle = "Map"\n', encoding="utf-8")
    white = QImage(240, 160, QImage.Format.Format_RGB32)
    white.fill(QColor("white"))
    assert white.save(str(tmp_path / "hall.png"))
    document = open_document(path, RuleSystems(), tmp_path / "state", seed=7)
    model = model_of(document)
    for record in (
        Creature("hero", "Hero", hp=20),
        RosterEntry("ada", "hero", "Ada", side="party", positions=((2, 2),)),
        RosterEntry("raider", "hero", "Raider", side="enemies", positions=((9, 5),)),
        Map(columns=12, rows=8, picture=MapPicture("hall.png")),
    ):
        model.execute(Add((record,)))
    model.execute(StartEncounter())
    yield model
    document.close(discard=True)


@pytest.fixture
def players(qtbot, document, tmp_path: Path):
    owner = QMainWindow()
    qtbot.addWidget(owner)
    controller = PlayersScreen(
        services_for(owner, document=document, settings_store=SettingsStore(tmp_path / "settings"))
    )
    yield controller
    controller.close()


@pytest.fixture
def threads(monkeypatch) -> list[int]:
    """The threads in which maps were painted for players."""
    found: list[int] = []
    paint = map_painter.paint_part

    def told(*arguments):
        found.append(threading.get_ident())
        return paint(*arguments)

    monkeypatch.setattr(map_painter, "paint_part", told)
    return found


def image_of(players: PlayersScreen) -> QImage:
    assert players.view.map is not None
    assert players.view.map.picture is not None
    return players.pictures[players.view.map.picture.key]


def show_page(qtbot, players: PlayersScreen) -> None:
    players.set_mode("map")
    qtbot.waitUntil(lambda: players.view.map is not None and players.view.map.picture is not None)


def show_map(qtbot, players: PlayersScreen) -> None:
    show_page(qtbot, players)
    middle = image_of(players).rect().center() + QPoint(9, 9)  # off the grid's lines
    assert image_of(players).pixelColor(middle).lightness() > 240


def test_the_map_is_painted_in_another_thread_and_then_shown(qtbot, document, players, threads) -> None:
    players.set_mode("map")
    assert players.view.mode != "map"  # not before it is painted
    show_map(qtbot, players)
    assert threads
    assert threading.get_ident() not in threads
    assert len(players.view.map.tokens) == 2


@pytest.fixture
def looks(monkeypatch) -> list[int]:
    """The thread in which each field of view, or of light, was worked out."""
    found: list[int] = []
    look = sight.field

    def told(grid, barrier, square, feet, **named):
        found.append(threading.get_ident())
        return look(grid, barrier, square, feet, **named)

    for module in (fog, lighting, map_view):
        monkeypatch.setattr(module, "squares_in_sight", told)
    for cached in (fog.seen_from, lighting.light_levels, lighting.with_areas, map_view.darkness):
        cached.cache_clear()
    return found


def test_the_sight_of_a_whole_map_is_never_worked_out_on_the_thread_of_the_window(
    qtbot, document, players, looks
) -> None:
    lamps = tuple(MapLight((column + 0.5, 6.5), bright=5) for column in (1, 5, 9))
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Map, "map"), lights=lamps)))
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Scene, "scene"), light="dark")))
    canvas = MapCanvas(document, theme_source(), players)
    party_sight = PartySight(canvas)
    party_sight.follows = True
    document.execute(LayArea("Torch", "ada", radius=10, light="bright"))
    party_sight.show_now()
    qtbot.waitUntil(lambda: document.encounter.get(Fog, "fog") is not None)
    show_page(qtbot, players)
    qtbot.waitUntil(lambda: canvas.light.shades != ())
    assert any("#" in row or ":" in row for row in players.view.map.darkness)
    before = document.encounter.need(Fog, "fog")
    document.execute(SetPosition("ada", position=(8, 4)))
    qtbot.waitUntil(lambda: document.encounter.need(Fog, "fog") != before)
    players.show_changes()
    document.undo()
    document.undo()
    document.redo()
    players.show_changes()
    assert looks
    assert threading.get_ident() not in looks


def test_a_token_moves_without_another_painting(qtbot, document, players, threads) -> None:
    show_map(qtbot, players)
    painted = len(threads)
    document.execute(SetPosition("ada", position=(5, 5)))
    players.show_changes()
    assert (5, 5) in [one.at for one in players.view.map.tokens]
    assert len(threads) == painted


def test_what_is_covered_is_gone_from_picture_and_view(qtbot, document, players) -> None:
    show_map(qtbot, players)
    document.execute(SetFog("hidden"))
    document.execute(SetFog("shown", tuple((column, row) for column in range(4) for row in range(4))))
    players.show_changes()
    qtbot.waitUntil(lambda: len(players.view.map.fog) == 4)
    assert [one.row.side for one in players.view.map.tokens] == ["party"]
    document.execute(SetFog("hidden"))
    players.show_changes()
    qtbot.waitUntil(lambda: not players.view.map.fog)
    assert players.view.map.picture is None


def test_before_a_fight_the_map_is_shown_if_asked_under_the_prepared_fog(qtbot, document, players) -> None:
    show_map(qtbot, players)
    document.execute(ResetToPrepared())
    players.show_changes()
    assert players.view.map == PlayersMap(feet=5)
    document.execute(SetFog("shown", ((0, 0), (1, 0))))
    players.change(has_prepared_map=True)
    qtbot.waitUntil(lambda: players.view.map.picture is not None)
    assert players.view.map.fog == ("++",)
    document.execute(SetFog("hidden", ((1, 0),)))
    players.show_changes()
    document.undo()
    players.show_changes()
    assert players.presenter.reveal is not None
    assert players.presenter.reveal.squares == ((1, 0),)


def test_faces_are_read_for_those_whose_names_are_known(qtbot, document, players, tmp_path) -> None:
    for who, colour in (("ada", "red"), ("raider", "blue")):
        face = QImage(80, 80, QImage.Format.Format_RGB32)
        face.fill(QColor(colour))
        assert face.save(str(tmp_path / f"{who}.png"))
        document.execute(SetPortrait(who, f"{who}.png"))
    show_map(qtbot, players)

    def faces() -> list[bytes]:
        players.show_changes()
        return [one.portrait for one in sorted(players.view.map.tokens, key=lambda one: one.at)]

    qtbot.waitUntil(lambda: faces()[0] != b"")
    ada, raider = faces()
    assert raider == b""
    assert players.pictures[ada].pixelColor(9, 9) == QColor("red")
    assert b"ada" not in ada
    document.execute(SetKnownName(("raider",)))
    qtbot.waitUntil(lambda: faces()[1] != b"")
    raider = faces()[1]
    assert players.pictures[raider].pixelColor(9, 9) == QColor("blue")
    document.undo()
    assert faces() == [ada, b""]
    assert raider not in players.pictures


def test_walls_and_ground_stand_in_for_a_picture_that_cannot_be_read(qtbot, document, players, tmp_path) -> None:
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Map, "map"), walls=((4, 0, 4, 8),))))
    file = tmp_path / "hall.png"
    for torn in (b"", b"\x89PNG\r\n\x1a\n and nothing"):
        show_map(qtbot, players)
        assert (players.view.map.lines, players.view.map.ground) == ((), ())
        whole = file.read_bytes()
        players.set_mode("order")
        if torn:
            file.write_bytes(torn)
        else:
            file.unlink()
        players.set_mode("map")
        qtbot.waitUntil(lambda: players.view.map is not None and not players.view.map.has_picture)
        assert [(one.kind, one.ends) for one in players.view.map.lines] == [("wall", (4, 0, 4, 8))]
        assert len(players.view.map.ground) == 8
        shown = image_of(players)
        square = shown.width() // 14  # a square around the map is painted with it
        assert shown.pixelColor(5 * square, 5 * square + 9) != shown.pixelColor(5 * square + 20, 5 * square + 9)
        players.set_mode("order")
        file.write_bytes(whole)


def test_what_is_painted_shows_no_change_before_its_time(qtbot, document, players) -> None:
    show_map(qtbot, players)
    players.waiting.setInterval(60_000)
    with qtbot.waitSignal(players.findChild(PlayersMapPainter).painted):
        players.zoom_map(2)
        document.execute(SetPosition("ada", position=(5, 5)))
    assert (5, 5) not in [one.at for one in players.view.map.tokens]
    players.waiting.timeout.emit()
    qtbot.waitUntil(lambda: (5, 5) in [one.at for one in players.view.map.tokens])


def test_the_map_is_moved_enlarged_and_fitted(qtbot, document, players) -> None:
    show_map(qtbot, players)
    whole = players.map_part()
    players.zoom_map(2)
    qtbot.waitUntil(lambda: players.map_part().width() == pytest.approx(whole.width() / 2))
    middle = players.map_part().center()
    players.move_map(1, -1)
    qtbot.waitUntil(lambda: players.map_part().center() != middle)
    assert players.map_part().center().x() == pytest.approx(middle.x() + 1)
    assert not players.presenter.showing.map_follows
    players.fit_map()
    qtbot.waitUntil(lambda: players.map_part() == whole)


def test_there_is_no_frame_while_players_see_nothing_of_the_map(qtbot, document, players) -> None:
    show_page(qtbot, players)
    document.execute(SetFog("hidden"))
    qtbot.waitUntil(lambda: players.map_frame is None)
    document.execute(SetFog("shown", ((2, 1),)))
    qtbot.waitUntil(lambda: players.map_frame is not None)


def test_the_map_is_turned_for_one_screen_and_its_frame_is_that_of_the_map(qtbot, document, players) -> None:
    document.execute(SetFog("hidden"))
    document.execute(SetFog("shown", tuple((column, row) for column in range(2, 6) for row in range(1, 4))))
    show_page(qtbot, players)
    frame = players.map_frame
    assert frame.center().toTuple() == (4, 2.5)
    assert players.map_part().center().toTuple() == (2, 1.5)  # seen from their first square
    painted = players.view.map.picture.key
    for turned in (1, 2, 3, 0):
        players.turn_map()
        qtbot.waitUntil(lambda turned=turned: players.view.map.camera.turned == turned)
        assert players.map_frame.center() == frame.center()
        assert (players.map_frame.width() > players.map_frame.height()) == (turned % 2 == 0)
    assert players.view.map.picture.key != painted
    players.turn_map()
    assert players.presenter.showing.map_turned == 1
    players.set_options(players_turned={"another screen": 2})
    assert players.presenter.showing.map_turned == 0


def test_the_ruler_costs_no_painting_and_is_missed_by_none(qtbot, document, players, threads, monkeypatch) -> None:
    told = []
    monkeypatch.setattr(players, "_messages", SimpleNamespace(notify=told.append))
    players.set_mode("dice")
    players.show_ruler(((0, 0), (3, 0)))
    assert told == ["The players don't see this now. Show them the map with Alt+2."]
    show_page(qtbot, players)
    assert players.view.map.ruler.feet == 15
    count = len(threads)
    players.show_ruler(((1, 0), (3, 0)))
    assert players.view.map.ruler.feet == 10
    players.show_ruler(None)
    assert players.view.map.ruler is None
    assert (len(threads), len(told)) == (count, 1)


def test_squares_are_an_inch_by_the_screen_or_the_diagonal_given(qtbot, document, players) -> None:
    show_map(qtbot, players)
    screen = QGuiApplication.primaryScreen()
    players.set_inch_squares(is_on=True)
    wanted = FULL_SIZE.width() / screen.physicalDotsPerInch()
    qtbot.waitUntil(lambda: players.map_part().width() == pytest.approx(wanted))
    players.set_options(players_diagonal=40.0)
    size = screen.size()
    dots = (size.width() ** 2 + size.height() ** 2) ** 0.5 / 40
    assert pixels_per_inch(screen, 40.0) == pytest.approx(dots)
    qtbot.waitUntil(lambda: players.map_part().width() == pytest.approx(FULL_SIZE.width() / dots))
    players.zoom_map(2)
    assert not players.has_inch_squares


def test_squares_of_an_inch_are_moved_as_far_as_the_map_goes(qtbot, document, players) -> None:
    document.execute(SetInitiative((("ada", 20), ("raider", 10))))
    while document.encounter.need(Clock, "clock").phase != "rounds":
        document.execute(AdvanceSetup())
    show_map(qtbot, players)
    players.set_options(players_diagonal=10.0)  # of a screen so small that few squares of an inch are its whole width
    players.set_inch_squares(is_on=True)
    across = FULL_SIZE.width() / pixels_per_inch(QGuiApplication.primaryScreen(), 10.0)
    qtbot.waitUntil(lambda: players.map_part().width() == pytest.approx(across))
    before = players.map_part().center()
    for _ in range(3):  # faster than it is painted
        players.move_map(1, 0)
    qtbot.waitUntil(lambda: players.map_part().center().x() == pytest.approx(before.x() + 3))
    assert players.map_part().width() == pytest.approx(across)
    for _ in range(40):
        players.move_map(1, -1)
    shown = players.view.map
    end = (shown.at[0] + len(shown.fog[0]), shown.at[1])
    qtbot.waitUntil(lambda: players.map_part().center().toTuple() == pytest.approx(end))
    players.change(map_follows=True)
    acting = next((one for one in shown.tokens if one.acts), None)
    assert acting is not None
    assert acting.row.name == "Ada"
    there = (acting.at[0] + acting.across / 2, acting.at[1] + acting.across / 2)
    qtbot.waitUntil(lambda: players.map_part().center().toTuple() == pytest.approx(there))
    assert players.has_inch_squares
    assert players.map_part().width() == pytest.approx(across)


def test_the_picture_is_let_go_with_the_page_but_not_for_black(qtbot, document, players, threads) -> None:
    show_map(qtbot, players)
    painted = len(threads)
    players.toggle_black()
    assert players.view.map is None
    players.toggle_black()
    assert players.view.map is not None
    assert len(threads) == painted
    players.set_mode("order")
    assert players.view.map is None
    assert not players.pictures


def test_places_count_from_what_was_explored_first(qtbot, document, players) -> None:
    document.execute(SetFog("hidden"))
    document.execute(SetFog("shown", ((2, 2), (3, 2))))
    show_map(qtbot, players)
    ada = document.encounter.need(Combatant, "ada")
    assert (ada.position, players.view.map.tokens[0].at) == ((2, 2), (0, 0))
    document.execute(SetFog("shown", ((1, 1),)))
    players.show_changes()
    qtbot.waitUntil(lambda: players.view.map.at == (-1, -1))
    assert players.view.map.tokens[0].at == (0, 0)
