"""The height of prompts in the turn dock: as much as they need, buttons always visible, nothing once answered."""

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.ui.docks.running_fight import settle
from turnwright.encounter.running import Combatant
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.queries.queries import open_prompts
from turnwright.ui.docks.turn.dock import TurnDock

RUN = (620, 714)  # the dock's place in the run arrangement of a window of 1280 by 800


def lay_out():
    """Process events until what a layout sets off has been laid out as well."""
    for _ in range(4):
        QTest.qWait(0)
        QApplication.processEvents()


def everybody_saves(document, *who):
    """Break the ice under some combatants: one card, a save each."""
    document.execute(UseEntry("ice", "ice-gives-way", targets=who))
    lay_out()
    return open_prompts(document.encounter)[0]


class LayoutRequests(QObject):
    """Counts layout requests inside a widget."""

    def __init__(self, inside):
        super().__init__()
        self.count = 0
        for widget in inside.findChildren(QWidget):
            widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def is_whole(widget):
    """Return whether all of a widget is visible."""
    return widget.isVisible() and widget.visibleRegion().boundingRect() == widget.rect()


def bottom_in(dock, widget):
    return widget.mapTo(dock, QPoint(0, widget.height())).y()


@pytest.fixture
def dock(fight, show, qtbot):
    """Return the dock at its height in the run arrangement."""
    made = show(TurnDock)
    made.window().resize(*RUN)
    qtbot.waitUntil(lambda: made.height() <= RUN[1])
    QApplication.processEvents()
    return made


def test_two_saves_and_the_buttons_are_seen_at_once(fight, dock):
    everybody_saves(fight, "tam", "osk")
    rows = next(iter(dock.prompts.cards.values())).prompt_input
    assert all(is_whole(each) for each in (rows.field("tam"), rows.field("osk"), rows.roll_all, rows.skip_all))


def test_a_save_takes_one_line_and_what_all_have_in_common_stands_in_the_head(fight, dock):
    everybody_saves(fight, "tam", "osk")
    card = next(iter(dock.prompts.cards.values()))
    rows = card.prompt_input
    assert rows.common_text() == "Dexterity save vs DC 13"
    assert rows.field("osk").y() - rows.field("tam").y() < 2 * rows.field("tam").height()
    assert card.height() < 7 * rows.field("tam").height()


def test_the_buttons_stay_in_sight_however_many_save(fight, dock):
    everybody_saves(fight, *fight.encounter.ids(Combatant))
    card = next(iter(dock.prompts.cards.values()))
    assert card.prompt_input.questions.verticalScrollBar().maximum() > 0
    assert is_whole(card)
    assert is_whole(card.prompt_input.roll_all)
    assert bottom_in(dock, card.prompt_input.roll_all) <= dock.damage.mapTo(dock, QPoint(0, 0)).y()
    assert card.height() > dock.height() / 2


def test_a_row_that_is_wrong_comes_into_sight(fight, dock, qtbot):
    ids = fight.encounter.ids(Combatant)
    everybody_saves(fight, *ids)
    rows = next(iter(dock.prompts.cards.values())).prompt_input
    last = rows.field(ids[-1])
    assert not is_whole(last)
    qtbot.keyClicks(last, "5 5")
    rows.submit(ids[-1])
    qtbot.waitUntil(lambda: last.visibleRegion().boundingRect().height() >= last.height() - 2)
    assert rows.error()
    assert is_whole(rows.roll_all)


def test_the_list_of_acts_gives_way_while_something_waits_and_comes_back(fight, dock):
    assert dock.action_bar.isVisible()
    everybody_saves(fight, *fight.encounter.ids(Combatant))
    assert not dock.action_bar.isVisible()
    settle(fight)
    QApplication.processEvents()
    assert dock.action_bar.isVisible()


def test_the_cards_come_to_rest(fight, dock):
    everybody_saves(fight, "tam", "osk")
    for _ in range(10):
        QApplication.processEvents()
    requests = LayoutRequests(dock.prompts)
    for _ in range(10):
        QApplication.processEvents()
    assert requests.count == 0
