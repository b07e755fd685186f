import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from turnwright.ui.theme import theme_source
from turnwright.ui.widgets.dice_row import DiceRow
from turnwright.ui.widgets.hit_points import HitPointBar
from turnwright.ui.widgets.paint import hit_points
from turnwright.ui.widgets.resource_pips import ResourcePip, ResourcePips


@pytest.fixture
def still(qapp):
    theme_source().set_reduced_motion(True)
    yield
    theme_source().set_reduced_motion(False)


def dice(qtbot) -> DiceRow:
    row = DiceRow()
    qtbot.addWidget(row)
    row.resize(300, 40)
    row.show()
    return row


def test_dice_say_their_faces(qtbot):
    row = dice(qtbot)
    row.set_dice([6, 5, 3, 2, 1])
    assert row.accessibleName() == "5 dice: 6 5 3 2 1"


def test_one_die_is_not_dice(qtbot):
    row = dice(qtbot)
    row.set_dice([4])
    assert row.accessibleName() == "1 die: 4"


def test_dice_not_rolled_yet_say_so(qtbot):
    row = dice(qtbot)
    row.set_dice([None, None])
    assert row.accessibleName() == "2 dice, not rolled yet"


def test_dice_that_leave_are_gone_when_they_have_fallen(qtbot):
    row = dice(qtbot)
    with qtbot.waitSignal(row.animationFinished, timeout=2000):
        row.set_dice([6, 5, 3], leaving=[0])
        assert row.accessibleName() == "2 dice: 5 3"
    assert row.faces() == (5, 3)


def test_with_reduced_motion_they_are_gone_at_once(qtbot, still):
    row = dice(qtbot)
    with qtbot.waitSignal(row.animationFinished, timeout=0):
        row.set_dice([6, 5, 3], leaving=[0, 1])
    assert row.faces() == (3,)


def test_many_dice_wrap(qtbot):
    row = dice(qtbot)
    row.set_dice([1] * 12)
    assert row.heightForWidth(100) > 2 * row.heightForWidth(1000)


RESOURCES = (
    ResourcePip("action", "action", 1, 1, "1"),
    ResourcePip("reaction", "reaction", 0, 1, "2"),
    ResourcePip("legendary", "legendary", 2, 3),
)


@pytest.fixture
def turn(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    window.line = QLineEdit()
    window.pips = ResourcePips()
    window.pips.set_pips(RESOURCES)
    window.asked = []
    window.pips.changeRequested.connect(lambda id, left: window.asked.append((id, left)))
    column.addWidget(window.line)
    column.addWidget(window.pips)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def test_a_click_asks_to_spend_or_to_get_back(qtbot, turn):
    qtbot.mouseClick(turn.pips.group("action"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(turn.pips.group("reaction"), Qt.MouseButton.LeftButton)
    assert turn.asked == [("action", 0), ("reaction", 1)]


def test_asking_changes_nothing_by_itself(qtbot, turn):
    qtbot.mouseClick(turn.pips.group("action"), Qt.MouseButton.LeftButton)
    assert turn.pips.group("action").accessibleName() == "action: 1 of 1"


def test_of_several_the_full_ones_are_spent_and_the_hollow_ones_come_back(qtbot, turn):
    group = turn.pips.group("legendary")
    qtbot.mouseClick(group, Qt.MouseButton.LeftButton, pos=QPoint(8, group.height() // 2))
    qtbot.mouseClick(group, Qt.MouseButton.LeftButton, pos=QPoint(40, group.height() // 2))
    assert turn.asked == [("legendary", 1), ("legendary", 3)]


def test_pips_work_from_the_keyboard(qtbot, turn):
    group = turn.pips.group("legendary")
    group.setFocus()
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Plus, Qt.Key.Key_Minus):
        qtbot.keyClick(group, key)
    assert turn.asked == [("legendary", 1), ("legendary", 3), ("legendary", 1)]


def test_alt_shows_the_keys_and_with_a_key_spends(qtbot, turn):
    turn.line.setFocus()
    qtbot.keyPress(turn.line, Qt.Key.Key_Alt)
    assert turn.pips.group("action").key_is_shown()
    assert not turn.pips.group("legendary").key_is_shown()
    qtbot.keyRelease(turn.line, Qt.Key.Key_Alt)
    assert not turn.pips.group("action").key_is_shown()
    qtbot.keyClick(turn.line, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    assert turn.asked == [("action", 0)]


def test_pips_that_stay_keep_the_focus(qtbot, turn):
    turn.pips.group("action").setFocus()
    turn.pips.set_pips((ResourcePip("action", "action", 0, 1, "1"), *RESOURCES[1:]))
    assert turn.pips.group("action").hasFocus()
    assert turn.pips.group("action").accessibleName() == "action: 0 of 1"


@pytest.mark.parametrize(
    ("now", "maximum", "temporary", "figures", "said"),
    [
        (21, 21, 0, "21 / 21", "21 of 21 hit points"),
        (12, 21, 5, "12 / 21 +5", "12 of 21 hit points, 5 temporary hit points"),
        (10, 21, 0, "10 / 21", "10 of 21 hit points, Bloodied"),
        (10, 20, 0, "10 / 20", "10 of 20 hit points, Bloodied"),
        (0, 21, 0, "0 / 21", "0 of 21 hit points, Down"),
    ],
)
def test_hit_points_in_figures_and_words(qtbot, now, maximum, temporary, figures, said):
    bar = HitPointBar()
    qtbot.addWidget(bar)
    bar.set_hit_points(now, maximum, temporary)
    assert bar.text() == figures
    assert bar.accessibleName() == said


def test_a_state_that_the_rules_give_is_shown_as_given(qtbot):
    bar = HitPointBar()
    qtbot.addWidget(bar)
    bar.set_hit_points(3, 20, state="")
    assert bar.accessibleName() == "3 of 20 hit points"


def test_the_bar_is_as_full_as_the_hit_points():
    assert [hit_points(now, 20).share for now in (-3, 0, 5, 20, 25)] == [0, 0, 0.25, 1, 1]


def test_compact_bars_of_different_figures_line_up(qtbot):
    bars = [HitPointBar(compact=True), HitPointBar(compact=True)]
    for bar, points in zip(bars, (7, 152), strict=True):
        qtbot.addWidget(bar)
        bar.set_hit_points(points, 200)
    assert bars[0].sizeHint() == bars[1].sizeHint()
