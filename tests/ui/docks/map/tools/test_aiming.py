import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainterPath

from tests.ui.docks.map.conftest import keys, label_texts, point, press, release
from turnwright.encounter.prepared import Door
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.state.position_changes import SetPosition, SetRelation
from turnwright.ui.docks.map.drawing.drawing import max_columns, ring_path
from turnwright.ui.docks.map.popovers import explain_cover
from turnwright.ui.docks.map.tools.line_of_sight_info import attack_ranges, sightline


def aim(dock, document, who, *targets):
    document.select(("combatants", who))
    keys(dock, Qt.Key.Key_T)
    for square in targets:
        point(dock, square)


def test_aiming_says_distance_and_no_cover(show, fight):
    dock = show(fight)
    aim(dock, fight, "mira", (3, 2))
    assert "Mira at Raider 1" in dock.status.text()
    assert "5 ft" in dock.status.text()
    assert "no cover" in dock.status.text()
    assert any("no cover" in text for text in label_texts(dock.canvas.scene.overlay))


def test_cover_is_said_with_what_gives_it(show, fight):
    fight.execute(SetPosition("mira", position=(6, 1)))
    dock = show(fight)
    aim(dock, fight, "mira", (10, 1))
    line = sightline(fight, "mira", "raiders-2")
    assert line.grade == "half"
    assert (8, 1) in line.cover_squares
    assert "half cover (Cart" in dock.status.text()


def test_a_wall_stops_lines_and_covers_wholly(show, fight):
    fight.execute(SetPosition("mira", position=(5, 5)))
    fight.execute(SetPosition("ogre", position=(0, 5)))
    fight.execute(SetPosition("raiders-1", position=(7, 5)))
    line = sightline(fight, "mira", "raiders-1")
    assert line.grade == "total"
    assert all(stopped for *_, stopped in line.lines)
    dock = show(fight)
    aim(dock, fight, "mira", (7, 5))
    assert "total cover" in dock.status.text()


def test_what_a_person_said_overrules_the_squares(show, fight):
    fight.execute(SetRelation("mira", "raiders-1", cover="three-quarters", seen=False))
    dock = show(fight)
    aim(dock, fight, "mira", (3, 2))
    assert "three-quarters cover" in dock.status.text()
    assert "can't see the target" in dock.status.text()


def test_flanking_names_the_partner(show, fight):
    fight.execute(SetPosition("tam", position=(4, 2)))
    dock = show(fight)
    aim(dock, fight, "mira", (3, 2))
    assert "flanks with Tam" in dock.status.text()


def test_height_is_said(show, fight):
    fight.execute(SetPosition("mira", elevation=20))
    dock = show(fight)
    aim(dock, fight, "mira", (3, 2))
    assert "20 ft above" in dock.status.text()


def test_keys_go_through_targets_and_attacks(show, fight):
    dock = show(fight)
    aim(dock, fight, "mira")
    assert "Axe 5 ft" in dock.status.text()
    keys(dock, Qt.Key.Key_Right)
    first = dock.select_tool.aimer.target.label
    keys(dock, Qt.Key.Key_Right)
    assert dock.select_tool.aimer.target.label != first
    keys(dock, Qt.Key.Key_Left)
    assert dock.select_tool.aimer.target.label == first
    keys(dock, Qt.Key.Key_T)
    assert "Bow 30/120 ft" in dock.status.text()


def test_enter_takes_the_target_and_esc_none(show, fight):
    dock = show(fight)
    aim(dock, fight, "mira", (3, 2))
    keys(dock, Qt.Key.Key_Return)
    assert dock.canvas.selected_token().label == "Raider 1"
    aim(dock, fight, "mira", (3, 2))
    keys(dock, Qt.Key.Key_Escape)
    assert dock.canvas.selected_token().label == "Mira"
    assert label_texts(dock.canvas.scene.overlay) == []


def test_a_click_aims_and_moves_nobody(show, fight):
    dock = show(fight)
    aim(dock, fight, "mira")
    press(dock, (3, 2))
    release(dock, (3, 2))
    assert dock.select_tool.aimer.target.label == "Raider 1"
    assert dock.canvas.selected_token().label == "Mira"


def test_before_the_fight_nobody_aims(show, document):
    dock = show(document)
    document.select(("roster", "mira"))
    keys(dock, Qt.Key.Key_T)
    assert "Start the fight" in dock.status.text()


def test_attacks_are_those_with_a_reach_or_a_range(fight):
    assert [(one.name, one.normal, one.long) for one in attack_ranges(fight, "mira")] == [
        ("Axe", 5, 5),
        ("Bow", 30, 120),
    ]


@pytest.mark.parametrize(
    ("squares", "down", "wide"), [(2, 0, 2), (2, 1, 2), (2, 2, 1), (6, 3, 5), (6, 4, 4), (6, 6, 1)]
)
def test_every_second_diagonal_counts_two(squares, down, wide):
    assert max_columns(squares, down) == wide


@pytest.mark.parametrize("diagonals", ["equal", "alternating"])
@pytest.mark.parametrize("across", [1, 2])
def test_a_ring_holds_what_is_near_enough_and_nothing_else(diagonals, across):
    from turnwright.battlemap.spaces import Space, distance

    ring: QPainterPath = ring_path((10, 10), across, 4, diagonals)
    here = Space(10, 10, side=5 * across)
    for column in range(3, 20):
        for row in range(3, 20):
            feet = distance(here, Space(column, row), diagonals=diagonals)
            from PySide6.QtCore import QPointF

            assert ring.contains(QPointF(column + 0.5, row + 0.5)) == (feet <= 20), (column, row)


def test_the_dead_are_no_targets(show, fight):
    for who in ("raiders-1", "raiders-2", "raiders-3"):
        fight.execute(SetDead(who))
    dock = show(fight)
    aim(dock, fight, "mira")
    keys(dock, Qt.Key.Key_Right)
    assert dock.select_tool.aimer.target.label == "Ogre"
    keys(dock, Qt.Key.Key_Right)
    assert dock.select_tool.aimer.target.label == "Ogre"


def test_what_is_too_far_for_the_attack_is_said(show, fight):
    dock = show(fight)
    aim(dock, fight, "mira", (10, 1))
    assert "40 ft · too far" in dock.status.text()
    keys(dock, Qt.Key.Key_T)
    assert "40 ft · long range" in dock.status.text()


def test_why_there_is_cover_names_each_source_with_its_rule(show, fight, qtbot):
    fight.execute(SetPosition("mira", position=(6, 1)))
    dock = show(fight)
    aim(dock, fight, "mira", (10, 1))
    assert dock.explain()
    why = explain_cover(fight, dock.select_tool.aimer.target, dock.select_tool.aimer.sightline)
    assert why.total == "half cover"
    assert why.lines[0].rule
    assert why.lines[0].words


def test_whoever_is_selected_elsewhere_while_aiming_is_aimed_at(show, fight):
    dock = show(fight)
    aim(dock, fight, "mira")
    fight.select(("combatants", "ogre"))
    assert dock.select_tool.aimer.target.label == "Ogre"
    assert "Mira at Ogre" in dock.status.text()


def test_a_door_that_stops_lines_is_named_and_marked(fight, show):
    dock = show(fight)
    door = Door("gate", (2.75, 1.0, 2.75, 4.0), name="Iron Gate")
    dock.canvas.replace_map(msgspec.structs.replace(dock.canvas.field, doors=(door,)))
    line = sightline(fight, "mira", "raiders-1")
    assert line.walls == (door.at,)
    assert "Iron Gate" in line.reasons
    dock.canvas.set_door(door, is_open=True)
    assert sightline(fight, "mira", "raiders-1").walls == ()
