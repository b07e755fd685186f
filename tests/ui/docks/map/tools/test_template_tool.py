"""Areas laid on the map by keys and mouse: who is in them, who is cut off, and what becomes of them."""

import msgspec
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGraphicsSimpleTextItem, QMenu

from tests.ui.docks.map.conftest import keys, label_texts, point, press
from turnwright.encounter.prepared import Door
from turnwright.encounter.running import LastingArea
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.environment.map_changes import EndArea, LayArea
from turnwright.play.state.position_changes import SetPosition
from turnwright.ui.look.style import theme_source


@pytest.fixture
def lay(show, fight):
    """Return a function that begins to lay an area, and the list of what becomes of it."""
    dock, taken = show(fight), []

    def begin(words, who="mira", *, is_free=True, kind=None):
        assert dock.lay_area(words, who, taken.append, is_free=is_free, kind=kind)
        return dock, taken

    return begin


def names(dock):
    return [one.label for one in dock.template_tool.info.inside]


def test_a_burst_is_laid_by_arrows_and_enter(lay, fight):
    dock, taken = lay("10-foot radius")
    assert dock.view.tool is dock.template_tool
    point(dock, (3, 2))
    assert names(dock) == ["Mira", "Raider 1"]
    assert "2 inside: Mira, Raider 1" in dock.status.text()
    keys(dock, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert dock.template_tool.square == (5, 2)
    assert names(dock) == ["Raider 1"]
    keys(dock, Qt.Key.Key_Return)
    assert taken == [("raiders-1",)]
    assert dock.view.tool is dock.select_tool
    assert not label_texts(dock.canvas.scene.overlay)


def test_a_click_takes_those_in_it_and_esc_nobody(lay):
    dock, taken = lay("5-foot radius")
    press(dock, (4, 6))
    assert taken == [("ogre",)]
    dock, taken = lay("5-foot radius")
    keys(dock, Qt.Key.Key_Escape)
    assert taken == [("ogre",), None]


def test_a_breath_begins_at_its_owner_and_turns_to_the_pointer(lay):
    dock, _ = lay("15-foot cone", is_free=False)
    assert names(dock) == ["Raider 1"]
    point(dock, (2, 6))
    assert names(dock) == []
    keys(dock, Qt.Key.Key_Right)
    assert names(dock) == ["Raider 1"]
    assert dock.template_tool.info.squares >= {(3, 2), (4, 2), (5, 2)}
    assert (2, 2) not in dock.template_tool.info.squares


def test_keys_and_the_wheel_turn_it(lay):
    dock, _ = lay("15-foot line", is_free=False)
    before = dock.template_tool.info.squares
    keys(dock, *[Qt.Key.Key_R] * 6)
    down = dock.template_tool.info.squares
    assert down == {(2, 3), (2, 4), (2, 5)}
    cell = dock.view.map.cell
    middle = QPointF(dock.view.viewport().rect().center())
    for _ in range(6):
        turned = QWheelEvent(
            middle, middle, QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(dock.view.viewport(), turned)
    assert dock.template_tool.info.squares == before
    assert dock.view.map.cell == cell


def test_shape_size_and_count_change_by_keys(lay):
    dock, _ = lay("", kind="burst")
    assert "Sphere, 20 ft" in dock.status.text()
    keys(dock, Qt.Key.Key_Minus)
    assert "Sphere, 15 ft" in dock.status.text()
    assert "squares at least half covered (your choice" in dock.status.text()
    before = len(dock.template_tool.info.squares)
    keys(dock, Qt.Key.Key_C)
    assert "squares it touches" in dock.status.text()
    assert len(dock.template_tool.info.squares) > before
    keys(dock, Qt.Key.Key_4)
    assert "Cube, 15 ft" in dock.status.text()
    keys(dock, Qt.Key.Key_O)
    assert (2, 2) not in dock.template_tool.info.squares


def test_a_wall_cuts_off_and_a_door_that_opens_lets_it_through(lay, fight):
    fight.execute(SetPosition("raiders-1", position=(7, 5)))
    dock, _ = lay("15-foot radius")
    point(dock, (5, 5))
    assert [one.label for one, _ in dock.template_tool.info.stopped] == ["Raider 1"]
    assert "blocked by walls: Raider 1" in dock.status.text()
    why = dock.template_tool.explain()
    assert any("Raider 1: blocked by" in line.reason for line in why.lines)
    keys(dock, Qt.Key.Key_Escape)
    gate = msgspec.structs.replace(
        dock.canvas.field, walls=((6, 6, 6, 8),), doors=(Door("gate", (6.0, 4.0, 6.0, 6.0), name="Gate"),)
    )
    dock.canvas.replace_map(gate)
    assert dock.lay_area("15-foot radius", "mira", lambda _: None)
    point(dock, (4, 5))
    point(dock, (5, 5))
    assert dock.template_tool.info.stopped[0][1] == "Gate"
    dock.canvas.set_door(gate.doors[0], is_open=True)
    assert "Raider 1" in names(dock)


def test_the_dead_are_left_out_and_a_move_is_followed(lay, fight):
    dock, _ = lay("10-foot radius")
    point(dock, (3, 2))
    fight.execute(SetDead("raiders-1", dead=True))
    assert names(dock) == ["Mira"]
    fight.execute(SetPosition("raiders-2", position=(2, 1)))
    assert names(dock) == ["Mira", "Raider 2"]


@pytest.mark.rule("dnd5e-2024.external.emanation")
def test_an_emanation_leaves_its_owner_out(lay):
    dock, _ = lay("10-foot emanation", is_free=False)
    assert names(dock) == ["Raider 1"]


def test_the_map_s_button_offers_each_shape(lay, fight):
    dock, _ = lay("5-foot radius")
    asked = []
    dock.areaRequested.connect(asked.append)
    dock.tools.buttons["place-area"].click()
    (menu,) = [one for one in dock.findChildren(QMenu) if one.isVisible()]
    assert len(menu.actions()) == 6
    menu.actions()[1].trigger()
    assert asked == ["cone"]
    menu.close()


def test_an_area_that_lasts_is_hatched_named_and_ended_from_the_menu(lay, fight):
    dock, taken = lay("10-foot radius")
    point(dock, (3, 2))
    keys(dock, Qt.Key.Key_L)
    (menu,) = [one for one in dock.findChildren(QMenu) if one.isVisible()]
    menu.actions()[-2].trigger()
    menu.close()
    (area,) = fight.encounter.all(LastingArea)
    assert (area.name, area.reminds, area.owner) == ("Sphere, 10 ft", "turn-end", "mira")
    assert taken == [None]
    assert label_texts(dock.canvas.scene.lasting) == ["Sphere, 10 ft"]
    assert dock.canvas.lasting_at((3, 2)) == [area]
    fight.execute(EndArea(area.id))
    assert not label_texts(dock.canvas.scene.lasting)
    fight.undo()
    assert label_texts(dock.canvas.scene.lasting) == ["Sphere, 10 ft"]


def test_an_area_is_laid_hidden_and_shown_from_the_menu(lay, fight):
    dock, _ = lay("10-foot radius")
    point(dock, (3, 2))
    keys(dock, Qt.Key.Key_L)
    (menu,) = [one for one in dock.findChildren(QMenu) if one.isVisible()]
    menu.actions()[-1].menu().actions()[1].trigger()
    menu.close()
    (area,) = fight.encounter.all(LastingArea)
    assert (area.hidden, area.reminds) == (True, "entering")
    assert label_texts(dock.canvas.scene.lasting) == ["Sphere, 10 ft (hidden)"]
    for words, hidden in (("Show to players", False), ("Hide from players", True)):
        dock.view.menuRequested.emit(dock.view.position_at(QPointF(dock.view.point_of((3, 2)))))
        menu = next(one for one in dock.findChildren(QMenu) if one.isVisible())
        next(one for one in menu.actions() if one.text().startswith(words)).trigger()
        menu.close()
        menu.deleteLater()
        assert fight.encounter.need(LastingArea, area.id).hidden == hidden


def test_what_an_area_does_to_light_and_ground_is_chosen_from_its_menu(lay, fight):
    fight.execute(LayArea("Web & fire", squares=((3, 2),)))
    dock, _ = lay("10-foot radius")
    dock.template_tool.cancel()
    (area,) = fight.encounter.all(LastingArea)
    for words, light, difficult in (
        ("Dim light", "dim", False),
        ("Difficult terrain", "dim", True),
        ("Dark", "dark", True),
        ("Difficult terrain", "dark", False),
        ("Light unchanged", "", False),
    ):
        dock.view.menuRequested.emit(dock.view.position_at(QPointF(dock.view.point_of((3, 2)))))
        menu = next(one for one in dock.findChildren(QMenu) if one.isVisible())
        kinds = next(one.menu() for one in menu.actions() if one.text() == "Light and terrain: Web && fire")
        next(one for one in kinds.actions() if one.text().startswith(words)).trigger()
        menu.close()
        menu.deleteLater()
        found = fight.encounter.need(LastingArea, area.id)
        assert (found.light, found.difficult) == (light, difficult)


@pytest.mark.parametrize("asks", ["menu key", "Shift+F10"])
def test_the_menu_of_the_cursors_square_opens_by_keyboard(show, fight, asks):
    fight.execute(LayArea("Fog", squares=((3, 3),)))
    dock = show(fight)
    dock.canvas.set_cursor((3, 3))
    if asks == "menu key":
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
        QApplication.sendEvent(dock.view, event)
    else:
        QTest.keyClick(dock.view, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    (menu,) = [one for one in dock.findChildren(QMenu) if one.isVisible()]
    (kinds,) = [one for one in menu.actions() if one.text() == "Light and terrain: Fog"]
    menu.setActiveAction(kinds)
    QTest.keyClick(menu, Qt.Key.Key_Right)
    QTest.keyClick(kinds.menu(), Qt.Key.Key_Down)
    QTest.keyClick(kinds.menu(), Qt.Key.Key_Return)
    menu.close()
    assert [one.light for one in fight.encounter.all(LastingArea)] == ["dark"]


def test_an_aura_is_drawn_where_its_bearer_goes(lay, fight):
    dock, _ = lay("10-foot emanation", is_free=False)
    keys(dock, Qt.Key.Key_L)
    (menu,) = [one for one in dock.findChildren(QMenu) if one.isVisible()]
    menu.actions()[1].trigger()
    menu.close()
    (area,) = fight.encounter.all(LastingArea)
    assert (area.radius, area.squares) == (10, ())
    assert dock.canvas.lasting_at((4, 4))
    fight.execute(SetPosition("mira", position=(9, 5)))
    assert not dock.canvas.lasting_at((4, 4))
    assert dock.canvas.lasting_at((11, 7))


def test_the_name_of_an_area_that_lasts_stands_over_its_middle_and_is_small_where_squares_are(show, fight, request):
    dock = show(fight)
    fight.execute(LayArea("Fog", squares=tuple((column, row) for column in range(2, 7) for row in (3, 4))))

    def label() -> QGraphicsSimpleTextItem:
        (found,) = [one for one in dock.canvas.scene.items() if isinstance(one, QGraphicsSimpleTextItem)]
        return found

    def middle() -> float:
        return label().sceneBoundingRect().center().x() / dock.view.map.cell

    theme_source().set_scale(2.0)  # captions larger than the least that a label shrinks to
    request.addfinalizer(lambda: theme_source().set_scale(1.0))
    dock.view.set_cell(64)
    assert middle() == pytest.approx(4.5, abs=0.1)
    assert label().sceneBoundingRect().bottom() <= 3 * 64
    large = label().sceneBoundingRect().height()
    dock.view.set_cell(12)
    assert middle() == pytest.approx(4.5, abs=0.1)
    assert label().sceneBoundingRect().height() < large


def test_a_free_area_names_the_square_from_which_it_spreads(lay):
    dock, _ = lay("10-foot radius")
    point(dock, (3, 2))
    keys(dock, Qt.Key.Key_Return)
    assert dock.template_tool.origin == (3, 2)
    dock, _ = lay("15-foot cone", is_free=False)
    keys(dock, Qt.Key.Key_Return)
    assert dock.template_tool.origin is None
