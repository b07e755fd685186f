"""A row of dice: its text, and dropped dice that fall out."""

import pytest

from turnwright.ui.look.style import theme_source
from turnwright.ui.widgets.records.world_panel import DiceRow


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


def test_dice_stand_in_the_middle_of_the_height(qtbot):
    row = dice(qtbot)
    row.set_dice([6])
    picture = row.grab().toImage()
    ground = picture.pixel(0, 0)
    inked = [y for y in range(row.height()) if any(picture.pixel(x, y) != ground for x in range(40))]
    assert abs((row.height() - 1 - inked[-1]) - inked[0]) <= 1


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
