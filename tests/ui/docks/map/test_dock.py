import subprocess
import sys
from itertools import combinations

import msgspec
import pytest
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPixmap, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QPushButton, QToolButton

from tests.conftest import ROOT
from tests.ui.docks.map.conftest import FIELD, drag, keys, place, point_at, press, release
from turnwright.encounter.prepared import OFF_MAP, Map, RosterEntry
from turnwright.encounter.running import Combatant, ObstacleState
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.table.game_master import Rename
from turnwright.play.turns.turns import RemoveCombatant
from turnwright.ui.docks.map.dock import MapDock
from turnwright.ui.docks.map.drawing.terrain_painter import AreaInfo, TerrainPainter
from turnwright.ui.docks.map.drawing.terrain_patterns import pixel_font
from turnwright.ui.docks.map.tools import drag_preview
from turnwright.ui.docks.map.view import CELL_SIZES
from turnwright.ui.forms.choices import parse_squares, squares_error
from turnwright.ui.look.style import load_theme, theme_source
from turnwright.ui.models.row_list_model import squares_text

NO_KEY = Qt.KeyboardModifier.NoModifier


def test_nothing_is_built_before_the_dock_is_seen(qtbot, document):
    window = QMainWindow()
    qtbot.addWidget(window)
    dock = MapDock(document, theme_source(), window)
    assert not dock.is_built
    window.setCentralWidget(dock)
    window.show()
    assert dock.is_built


@pytest.mark.soak
def test_making_the_dock_loads_nothing_heavy():
    code = """
import sys
from PySide6.QtWidgets import QApplication
app = QApplication([])
import turnwright.ui.docks.map.dock
heavy = {"numpy", "numba", "pyqtgraph"} & set(sys.modules)
assert not heavy, heavy
"""
    path = [str(ROOT / "desktop")]
    subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}\n{code}"],
        check=True,
        env={"QT_QPA_PLATFORM": "offscreen", "PATH": ""},
    )


def test_an_empty_map_offers_the_first_step_and_undo_takes_it_back(show, empty):
    dock = show(empty)
    assert dock.stack.currentWidget() is dock.empty
    assert "20 × 15" in dock.empty.button.text()
    QTest.mouseClick(dock.empty.button, Qt.MouseButton.LeftButton)
    field = empty.encounter.need(Map, "map")
    assert (field.columns, field.rows) == (20, 15)
    assert dock.stack.currentWidget() is not dock.empty
    empty.undo()
    assert dock.stack.currentWidget() is dock.empty


def test_a_click_selects_everywhere_and_a_selection_elsewhere_shows_here(show, document, qtbot):
    dock = show(document)
    with qtbot.waitSignal(document.selected) as selected:
        press(dock, (4, 5))
        release(dock, (4, 5))
    assert selected.args == [("roster", "ogre")]
    assert dock.canvas.selected_token().label == "Ogre"
    document.select(("roster", "tam"))
    assert dock.canvas.selected_token().label == "Tam"


def test_the_words_below_and_for_ears_say_who_where_and_how_high(show, fight):
    fight.execute(SetPosition("ogre", elevation=15))
    fight.execute(SetHitPoints("ogre", hp=12))
    dock = show(fight)
    fight.select(("combatants", "ogre"))
    said = dock.status.text()
    assert all(part in said for part in ("Ogre", "E6", "15 ft up", "12 of 40", "bloodied"))
    assert dock.view.accessibleDescription() == said
    assert "12 × 8" in dock.view.accessibleName()


def test_only_what_changed_is_placed_anew(show, fight):
    dock = show(fight)
    ogre = dock.canvas.tokens.for_record(("combatants", "ogre")).id
    before = {one.id: dock.canvas.scene.pictures[one.id] for one in dock.canvas.tokens.placed()}
    mira = dock.canvas.tokens.for_record(("combatants", "mira")).id
    at = before[ogre].pos()
    fight.execute(SetPosition("mira", position=(6, 0)))
    after = dock.canvas.scene.pictures[mira]
    assert after is before[mira]
    assert after.x() == pytest.approx(6 * dock.view.map.cell, abs=dock.view.map.cell * 0.2)
    assert dock.canvas.scene.pictures[ogre].pos() == at


def test_whoever_leaves_the_fight_leaves_the_map(show, fight):
    dock = show(fight)
    ogre = dock.canvas.tokens.for_record(("combatants", "ogre")).id
    fight.execute(RemoveCombatant("ogre"))
    assert dock.canvas.scene.pictures.get(ogre) is None
    fight.undo()
    assert dock.canvas.scene.pictures.get(ogre) is not None


def test_a_new_name_is_seen(show, fight):
    dock = show(fight)
    item = dock.canvas.scene.pictures[dock.canvas.tokens.for_record(("combatants", "ogre")).id]
    before = item.pixmap().cacheKey()
    fight.execute(Rename("ogre", "Grum"))
    assert item.pixmap().cacheKey() != before
    assert item.toolTip() == "Grum"


def test_keys_go_through_tokens_and_squares(show, document):
    dock = show(document)
    keys(dock, Qt.Key.Key_Period)
    first = dock.canvas.selected_token().label
    keys(dock, Qt.Key.Key_Period)
    assert dock.canvas.selected_token().label != first
    keys(dock, Qt.Key.Key_Comma)
    assert dock.canvas.selected_token().label == first
    dock.canvas.set_cursor((1, 2))
    keys(dock, Qt.Key.Key_Right)
    assert "C3" in dock.status.text()
    assert "Mira" in dock.status.text()
    keys(dock, Qt.Key.Key_Return)
    assert dock.canvas.selected_token().label == "Mira"


def test_a_square_says_what_is_on_it(show, document):
    dock = show(document)
    press(dock, (5, 2))
    release(dock, (5, 2))
    assert "difficult terrain" in dock.status.text()
    press(dock, (8, 1))
    release(dock, (8, 1))
    assert "Cart, half cover" in dock.status.text()


# Looking ----------------------------------------------------------------------------------------------------------


def wheel(dock, point, turns):
    event = QWheelEvent(
        QPointF(point), QPointF(dock.view.viewport().mapToGlobal(point)), point, point * 0 + type(point)(0, 120 * turns),
        Qt.MouseButton.NoButton, NO_KEY, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(dock.view.viewport(), event)


def test_the_wheel_zooms_to_where_the_pointer_is(show, document):
    document.execute(Edit(Map(columns=60, rows=60, ground=FIELD.ground)))
    dock = show(document)
    for _ in range(6):
        wheel(dock, place(dock, (30, 30)), 1)
    cell = dock.view.map.cell
    point = place(dock, (30, 30))
    wheel(dock, point, 1)
    assert dock.view.map.cell > cell
    assert dock.view.position_at(QPointF(point)).square == (30, 30)
    wheel(dock, point, -1)
    assert dock.view.map.cell == cell


def test_f_shows_all_of_it(show, document):
    dock = show(document)
    fitted = dock.view.map.cell
    keys(dock, Qt.Key.Key_Plus, Qt.Key.Key_Plus)
    assert dock.view.map.cell > fitted
    keys(dock, Qt.Key.Key_F)
    assert dock.view.map.cell == fitted
    for corner in ((0, 0), (11, 7)):
        assert dock.view.viewport().rect().contains(dock.view.point_of(corner))


def test_dragging_with_the_middle_button_moves_the_map(show, document):
    dock = show(document)
    for _ in range(4):
        keys(dock, Qt.Key.Key_Plus)
    before = dock.view.horizontalScrollBar().value()
    middle = dock.view.viewport().rect().center()
    QTest.mousePress(dock.view.viewport(), Qt.MouseButton.MiddleButton, NO_KEY, middle)
    point_at(dock, middle - type(middle)(40, 0))
    QTest.mouseRelease(dock.view.viewport(), Qt.MouseButton.MiddleButton, NO_KEY, middle)
    assert dock.view.horizontalScrollBar().value() == before + 40


def test_tokens_keep_to_their_squares_at_every_zoom(show, document):
    dock = show(document)
    for _ in range(3):
        token = dock.canvas.tokens.for_record(("roster", "ogre"))
        spot = dock.view.position_at(QPointF(dock.view.point_of((5, 6))))
        assert (spot.square, spot.token) == ((5, 6), token)
        keys(dock, Qt.Key.Key_Plus)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_another_theme_paints_everything_anew_and_the_same_each_time(show, document, theme):
    dock = show(document)
    source = theme_source()
    chosen = source.choice
    try:
        source.choose(theme)
        pictures = []
        for _ in range(2):
            dock.view.backdrop.repaint_all()
            dock.view.set_cell(24)
            pictures.append(dock.view.viewport().grab().toImage())
        assert pictures[0] == pictures[1]
        ground = pictures[0].pixelColor(0, 0)
        assert ground == source.theme.colour("surface")
    finally:
        source.choose(chosen)


def test_a_larger_scale_is_taken_on(show, document):
    dock = show(document)
    try:
        theme_source().set_scale(2.0)
        dock.view.fit()
        assert dock.view.position_at(QPointF(dock.view.point_of((5, 6)))).token.label == "Ogre"
    finally:
        theme_source().set_scale(1.0)


def test_every_tool_has_a_word(show, document):
    tools = show(document).tools
    texts = [button.text() for button in tools.findChildren(QToolButton)]
    assert "Torch" in texts
    assert not [text for text in texts if text.startswith("ui.")]


def test_the_numbers_of_rows_have_room_at_every_scale(show, document):
    backdrop = show(document).view.backdrop
    for cell in CELL_SIZES:
        backdrop.zoom(cell, 1.0)
        number = QFontMetrics(pixel_font(cell * 0.36, 7)).horizontalAdvance("100")
        assert number + 3 <= -backdrop.bounds().left() >= cell


# Who has no place yet ---------------------------------------------------------------------------------------------


def test_whoever_waits_is_put_down_with_a_press_and_a_click(show, document):
    dock = show(document)
    (token,) = dock.canvas.tokens.unplaced()
    dock.unplaced_tokens.tokensPressed.emit([token])
    press(dock, (7, 3))
    release(dock, (7, 3))
    assert document.encounter.need(RosterEntry, "raiders").positions == ((3, 2), (10, 1), (7, 3))
    assert not any(button.isVisible() for button in dock.unplaced_tokens.findChildren(QPushButton))
    assert dock.canvas.selected_token().label == "Raider 3"


def test_delete_takes_somebody_off_the_map_before_the_fight(show, document):
    dock = show(document)
    press(dock, (10, 1))
    release(dock, (10, 1))
    keys(dock, Qt.Key.Key_Delete)
    assert document.encounter.need(RosterEntry, "raiders").positions == ((3, 2),)
    assert dock.unplaced_tokens.isVisible()


def test_the_one_that_is_taken_off_the_map_is_the_one_that_was_selected(show, document):
    dock = show(document)
    press(dock, (3, 2))
    release(dock, (3, 2))
    keys(dock, Qt.Key.Key_Delete)
    raiders = {token.label: token.square for token in dock.canvas.tokens.tokens if token.key == ("roster", "raiders")}
    assert raiders == {"Raider 1": None, "Raider 2": (10, 1), "Raider 3": None}
    third = next(token for token in dock.canvas.tokens.unplaced() if token.label == "Raider 3")
    document.execute(drag_preview.placement_command(document, third, (7, 3), None))
    assert document.encounter.need(RosterEntry, "raiders").positions == (OFF_MAP, (10, 1), (7, 3))
    text = squares_text((OFF_MAP, (10, 1)))
    assert parse_squares(text) == (OFF_MAP, (10, 1))
    assert not squares_error(text)
    document.execute(StartEncounter())
    places = {person.label: person.position for person in document.encounter.all(Combatant)}
    assert (places["Raider 1"], places["Raider 2"], places["Raider 3"]) == (None, (10, 1), (7, 3))


def test_another_document_is_shown_from_its_beginning(show, document, tmp_path, systems):
    from turnwright.workspace.document import open_document

    dock = show(document)
    press(dock, (4, 5))
    release(dock, (4, 5))
    path = tmp_path / "other.toml"
    path.write_text('format = 3\nsystem = "pf2e"\ntitle = "Other"\n', encoding="utf-8")
    other = open_document(path, systems, tmp_path / "other", seed=1)
    document.open(other)
    assert dock.stack.currentWidget() is dock.empty
    assert dock.canvas.selected_token() is None
    dock.create_map()
    assert dock.stack.currentWidget() is not dock.empty
    assert document.encounter.need(Map, "map").diagonals == "alternating"  # as the game counts them
    other.close(discard=True)


def test_the_fight_takes_the_tools_away_and_puts_combatants_where_the_roster_stood(show, document, request):
    dock = show(document)
    assert dock.tools.is_drawing()
    request.getfixturevalue("fight")
    assert not dock.tools.is_drawing()
    assert dock.canvas.tokens.for_record(("combatants", "mira")).square == (2, 2)
    assert {one.key[0] for one in dock.canvas.tokens.tokens} == {Combatant.table}


def test_dragging_before_the_fight_is_one_step_that_undo_takes_back(show, document):
    dock = show(document)
    before = document.source.session.history.depth
    drag(dock, (2, 2), (3, 3), (4, 3), (5, 3))
    assert document.encounter.need(RosterEntry, "mira").positions == ((5, 3),)
    assert document.source.session.history.depth == before + 1
    document.undo()
    assert dock.canvas.tokens.for_record(("roster", "mira")).square == (2, 2)


def test_entering_the_dock_goes_to_the_map(show, document):
    dock = show(document)
    dock.tools.buttons["fit"].setFocus()
    assert dock.focus_prompt()
    assert dock.view.hasFocus()


def test_why_of_somebody_selected_is_how_they_stand(show, fight):
    dock = show(fight)
    fight.select(("combatants", "ogre"))
    assert dock.explain()


class Facts:
    """Facts about a single obstacle."""

    def __init__(self, state):
        self.state = state

    def area_info(self, environment, feature):
        return AreaInfo("")

    def obstacle_state(self, obstacle):
        return self.state

    def is_door_open(self, door):
        return door.open

    def paint_picture(self, painter, squares, cell):
        return False


def test_a_thing_that_burns_or_is_broken_looks_so(qapp):
    pictures = []
    for state in (
        None,
        ObstacleState("cart", burning=True),
        ObstacleState("cart", broken=True),
        ObstacleState("cart", hp=1),
    ):
        picture = QPixmap(12 * 40, 8 * 40)
        picture.fill(Qt.GlobalColor.white)
        painter = QPainter(picture)
        cart = msgspec.structs.replace(FIELD.obstacles[0], size=(3, 3), hp=20)
        field = msgspec.structs.replace(FIELD, obstacles=(cart,))
        TerrainPainter(field, load_theme("light"), 40, Facts(state)).paint(painter, QRect(0, 0, 12, 8))
        painter.end()
        pictures.append(picture.toImage())
    assert all(one != other for one, other in combinations(pictures, 2))
