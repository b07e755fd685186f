"""The page after a fight: nothing is awarded without a press, and each press is one award that can be undone."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from turnwright.encounter.prepared import Treasure
from turnwright.encounter.running import Award
from turnwright.encounter.state import scene_of
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add
from turnwright.play.turns.awards import AwardExperience, award_of, characters_present
from turnwright.play.turns.turns import EndEncounter
from turnwright.ui.docks.turn.dock import TurnDock


@pytest.fixture
def ended(document, show):
    """The turn panel after a fight in which one raider fell."""
    dock = show(TurnDock)
    scene = scene_of(document.encounter)
    document.execute(Add((Treasure("cloak", "Cloak of the eel", secret=True, looks="a grey cloak"),)))
    document.execute(StartEncounter())
    document.execute(AdvanceSetup(begins=True))
    document.execute(SetHitPoints("raiders-1", 0))
    document.execute(EndEncounter())
    assert scene == scene_of(document.encounter)
    return dock.end


def ticked(page):
    return [(line.count, line.fate, tick.isChecked()) for line, tick in page.ticks]


def test_it_proposes_the_fallen_and_awards_on_a_press(document, ended):
    assert award_of(document.encounter, "xp") is None
    assert (1, "down", True) in ticked(ended)
    assert all(tick.isChecked() == (line.fate == "down") for line, tick in ended.ticks)
    assert ended.take_focus()
    assert ended.award_button.hasFocus()
    ended.award_button.click()
    award = award_of(document.encounter, "xp")
    assert award.who == characters_present(document.encounter)
    assert award.counted == ("Raider 1",)
    assert award.xp == int(ended.ticks[0][0].worth) // len(award.who)
    assert ended.award_button.isHidden()
    document.undo()
    assert award_of(document.encounter, "xp") is None
    assert not ended.award_button.isHidden()


def test_a_tick_changes_the_sum_and_then_the_award(document, ended):
    ended.award_button.click()
    first = award_of(document.encounter, "xp")
    line, tick = next((line, tick) for line, tick in ended.ticks if line.fate == "standing")
    tick.click()
    assert not ended.award_button.isHidden()
    assert ended.award_button.text().startswith("Change to")
    ended.award_button.click()
    (again,) = (award for award in document.encounter.all(Award) if award.kind == "xp")
    assert (again.id, again.xp > first.xp, set(line.names) <= set(again.counted)) == (first.id, True, True)


def test_something_else_counts_with_its_reason(document, ended):
    ended.note.setText("the door")
    ended.extra.setValue(400)
    ended.award_button.click()
    award = award_of(document.encounter, "xp")
    assert (award.what, award.xp) == ("the door", (int(ended.ticks[0][0].worth) + 400) // len(award.who))


def test_who_shares_can_be_changed(document, ended):
    menu = ended.who_button.menu()
    menu.aboutToShow.emit()
    first = menu.actions()[0]
    assert first.isChecked()
    first.trigger()
    ended.award_button.click()
    assert set(award_of(document.encounter, "xp").who) < set(characters_present(document.encounter))


def test_treasure_is_given_by_the_name_that_players_know(document, ended):
    place = next(n for n, (find, _, _) in enumerate(ended.treasure_rows) if find.name == "Cloak of the eel")
    for n, (_, tick, _) in enumerate(ended.treasure_rows):
        tick.setChecked(n == place)
    taker = ended.treasure_rows[place][2]
    taker.setCurrentIndex(taker.findText("Mira"))
    ended.give_button.click()
    (award,) = document.encounter.all(Award)
    assert (award.kind, award.what, award.who) == ("treasure", "a grey cloak", ("mira",))
    ended.give_button.click()  # nothing is new
    assert len(list(document.encounter.all(Award))) == 1


def test_the_party_is_saved_once_nothing_is_left_to_award(document, ended):
    ended.award_button.click()
    ended.give_out()
    assert ended.take_focus()
    assert ended.party_button.hasFocus()


def test_a_milestone_is_marked_once(document, ended):
    ended.milestone_button.click()
    assert award_of(document.encounter, "milestone").who == characters_present(document.encounter)
    assert not ended.milestone_button.isEnabled()


def test_nothing_is_cut_off_beside_the_other_panels(ended, qtbot):
    ended.window().resize(560, 600)
    qtbot.wait(20)
    area = ended.experience.parentWidget()
    assert area.minimumSizeHint().width() <= 560


def test_the_ticks_agree_with_an_award_from_a_script(document, ended):
    document.execute(AwardExperience(275, note="the mill"))
    assert not any(tick.isChecked() for _, tick in ended.ticks)
    assert ended.total.text().endswith("275 each")
    assert ended.award_button.isHidden()
    document.undo()
    assert (ended.note.text(), ended.extra.value(), (1, "down", True) in ticked(ended)) == ("", 0, True)


def test_undoing_an_award_is_told_once(document, ended, qtbot):
    ended.award_button.click()
    with qtbot.waitSignal(ended.awardUndone):
        document.undo()
    with qtbot.assertNotEmitted(ended.awardUndone):
        document.redo()


def test_treasure_is_given_by_keys_until_nothing_is_left(document, ended, qtbot):
    ended.award_button.click()
    assert ended.take_focus()
    taker = ended.treasure_rows[0][2]
    assert taker.hasFocus()
    qtbot.keyClicks(taker, "Mi")
    qtbot.keyClick(taker, Qt.Key.Key_Return)
    assert next(award for award in document.encounter.all(Award) if award.kind == "treasure").who == ("mira",)
    assert not ended.give_button.isEnabled()
    taker = ended.treasure_rows[0][2]
    taker.setCurrentIndex(taker.findText("Tam"))
    assert ended.give_button.isEnabled()


def test_a_wide_page_has_two_columns_and_a_short_report(ended):
    def places():
        return ended.treasure.mapTo(ended, ended.treasure.rect().topLeft())

    ended.resize(700, 900)
    assert not ended.course.isVisible()
    assert places().x() < 60
    ended.resize(1200, 900)
    ended.layout().activate()
    assert ended.course.isVisible()
    texts = [label.text() for label in ended.course.findChildren(QLabel)]
    assert {"Mira", "Opponents", "Name"} <= set(texts)
