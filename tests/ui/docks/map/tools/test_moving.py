import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.ui.docks.map.conftest import FIELD, drag, keys, label_texts, point, press, release
from tests.ui.rule_checks import check_rules
from turnwright.encounter.prepared import OBJECT, Creature, Door, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.setup.roster import AddToEncounter
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.system import Veto
from turnwright.ui.docks.map.popovers import explain_route
from turnwright.ui.docks.map.tools import drag_preview

BOAT = Creature("boat", "Boat", type=OBJECT, size="large", ac=11, hp=50, speeds=(), abilities=())
BOAT_ENTRY = RosterEntry("boat", "boat", side="neutral", dying="dies", bystander=True)
ALT = Qt.KeyboardModifier.AltModifier


def at(fight, who):
    return fight.encounter.need(Combatant, who).position


@pytest.fixture
def alone(fight):
    """Return the fight with the raider beside Mira moved away, so that nothing provokes an attack."""
    fight.execute(SetPosition("raiders-1", position=(11, 0)))
    return fight


def begin(dock, document, who):
    """Select a combatant and begin to move it by key."""
    document.select(("combatants", who))
    keys(dock, Qt.Key.Key_M)


def test_with_nobody_selected_whoever_acts_is_moved(show, alone):
    dock = show(alone)
    alone.select(None)
    keys(dock, Qt.Key.Key_M, Qt.Key.Key_Right, Qt.Key.Key_Return)
    assert at(alone, "mira") == (3, 2)


def test_dragging_whose_turn_it_is_moves_and_pays(show, alone):
    from turnwright.play.queries.queries import movement_of

    dock = show(alone)
    drag(dock, (2, 2), (3, 2), (4, 1), (5, 1))
    assert at(alone, "mira") == (5, 1)
    assert movement_of(alone.encounter, alone.rules, "mira")[0].left == 15
    alone.undo()
    assert at(alone, "mira") == (2, 2)


def test_a_boat_is_put_where_it_is_dragged_with_who_stands_in_it_and_nothing_is_asked(show, alone, monkeypatch):
    dock = show(alone)
    monkeypatch.setattr(dock.select_tool.mover, "ask_move_kind", lambda carry, screen: pytest.fail("asked"))
    alone.execute(AddToEncounter(BOAT, BOAT_ENTRY))
    alone.execute(SetPosition("boat", position=(1, 1)))
    begin(dock, alone, "boat")
    keys(dock, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Return)
    assert (at(alone, "boat"), at(alone, "mira")) == ((4, 1), (5, 2))
    alone.undo()
    assert (at(alone, "boat"), at(alone, "mira")) == ((1, 1), (2, 2))


def test_while_dragging_the_price_stands_on_the_map_and_below(show, alone):
    dock = show(alone)
    press(dock, (2, 2))
    point(dock, (3, 2))
    point(dock, (5, 1))
    assert "15 ft" in label_texts(dock.canvas.scene.overlay)
    assert "15 ft, 15 ft left" in dock.status.text()
    assert "F2" in dock.status.text()
    release(dock, (2, 2))
    assert label_texts(dock.canvas.scene.overlay) == []
    assert at(alone, "mira") == (2, 2)


def test_difficult_ground_costs_more_and_the_way_goes_round_it(show, alone):
    dock = show(alone)
    press(dock, (2, 2))
    point(dock, (3, 2))
    point(dock, (4, 2))
    assert "15 ft" in label_texts(dock.canvas.scene.overlay)
    point(dock, (7, 2))
    assert "25 ft" in label_texts(dock.canvas.scene.overlay)
    release(dock, (2, 2))


def test_leaving_a_reach_says_who_may_strike(show, fight):
    dock = show(fight)
    press(dock, (2, 2))
    point(dock, (1, 2))
    point(dock, (0, 2))
    assert any("Raider 1" in text for text in label_texts(dock.canvas.scene.overlay))
    assert "Raider 1" in dock.status.text()
    release(dock, (2, 2))


def test_what_is_too_far_says_why(show, alone):
    dock = show(alone)
    press(dock, (2, 2))
    point(dock, (3, 2))
    point(dock, (10, 2))
    refusal = dock.select_tool.mover.drag.route.refusal
    assert refusal
    assert refusal in dock.status.text()
    assert any(refusal in text for text in label_texts(dock.canvas.scene.overlay))
    release(dock, (2, 2))


def test_a_way_that_is_refused_is_refused_by_the_rules(show, alone, qtbot):
    check_rules(alone)
    dock = show(alone)
    with qtbot.waitSignal(alone.refused):
        drag(dock, (2, 2), (3, 2), (10, 2))
    assert at(alone, "mira") == (2, 2)


def test_the_reach_is_worked_out_once_a_move(show, alone, monkeypatch):
    asked = []
    original = drag_preview.reachable_squares

    def counted(*arguments):
        asked.append(arguments)
        return original(*arguments)

    monkeypatch.setattr(drag_preview, "reachable_squares", counted)
    dock = show(alone)
    press(dock, (2, 2))
    for square in ((3, 2), (3, 3), (4, 3), (5, 3), (4, 3), (3, 3)):
        point(dock, square)
    release(dock, (2, 2))
    assert len(asked) == 1


def test_alt_just_puts_there(show, fight):
    dock = show(fight)
    drag(dock, (4, 5), (5, 5), (9, 5), held=ALT)
    assert at(fight, "ogre") == (9, 5)
    fight.undo()
    assert at(fight, "ogre") == (4, 5)


@pytest.mark.parametrize("how", ["forced", "teleport", "put"])
def test_whose_turn_it_is_not_is_asked_how(show, fight, monkeypatch, how):
    dock = show(fight)
    asked = []

    def ask(carry, screen: QPoint):
        asked.append(carry.token.label)
        return how

    monkeypatch.setattr(dock.select_tool.mover, "ask_move_kind", ask)
    drag(dock, (10, 6), (9, 6), (8, 6))
    assert asked == ["Tam"]
    assert at(fight, "tam") == (8, 6)


def test_thinking_better_of_it_leaves_everybody_where_they_are(show, fight, monkeypatch):
    dock = show(fight)
    monkeypatch.setattr(dock.select_tool.mover, "ask_move_kind", lambda carry, screen: None)
    drag(dock, (10, 6), (9, 6), (8, 6))
    assert at(fight, "tam") == (10, 6)


def test_by_key_arrows_draw_the_way_and_enter_goes(show, alone):
    dock = show(alone)
    begin(dock, alone, "mira")
    keys(dock, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert dock.select_tool.mover.drag.route.path == ((2, 2), (2, 1), (3, 1), (4, 1))
    assert "E2" in dock.status.text()
    keys(dock, Qt.Key.Key_Left)
    assert dock.select_tool.mover.drag.route.path == ((2, 2), (2, 1), (3, 1))
    keys(dock, Qt.Key.Key_Return)
    assert at(alone, "mira") == (3, 1)


def test_the_number_pad_goes_aslant(show, alone):
    dock = show(alone)
    begin(dock, alone, "mira")
    keys(dock, Qt.Key.Key_9, held=Qt.KeyboardModifier.KeypadModifier)
    keys(dock, Qt.Key.Key_Return)
    assert at(alone, "mira") == (3, 1)


def test_the_number_pad_goes_aslant_with_num_lock_off(show, alone):
    dock = show(alone)
    begin(dock, alone, "mira")
    keys(dock, Qt.Key.Key_PageUp, Qt.Key.Key_End, Qt.Key.Key_PageUp, held=Qt.KeyboardModifier.KeypadModifier)
    keys(dock, Qt.Key.Key_Return)
    assert at(alone, "mira") == (3, 1)
    assert alone.encounter.need(Combatant, "mira").elevation == 0


def test_a_rider_is_told_at_once_that_the_mount_moves(show, alone, monkeypatch):
    veto = Veto("refused.in_the_saddle", "", (("who", "Mira"), ("what", "Dun")))
    monkeypatch.setattr("turnwright.rules.parts.movement.move_legs.rider_vetoes", lambda *_given: (veto,))
    monkeypatch.setattr("turnwright.ui.docks.map.tools.moving.rider_vetoes", lambda *_given: (veto,))
    dock = show(alone)
    begin(dock, alone, "mira")
    drag = dock.select_tool.mover.drag
    assert drag.route.refusal == alone.phrasebook.text(veto.reason, **dict(veto.params))
    assert not drag.move_rules.move_range().reachable_by_dash | drag.move_rules.move_range().reachable


def test_esc_leaves_everything_as_it_was(show, alone):
    dock = show(alone)
    begin(dock, alone, "mira")
    keys(dock, Qt.Key.Key_Up, Qt.Key.Key_Escape, Qt.Key.Key_Return)
    assert at(alone, "mira") == (2, 2)
    assert label_texts(dock.canvas.scene.overlay) == []


def test_the_maps_edge_ends_a_way(show, alone):
    dock = show(alone)
    begin(dock, alone, "mira")
    keys(dock, *[Qt.Key.Key_Up] * 5)
    assert dock.select_tool.mover.drag.route.path[-1] == (2, 0)
    keys(dock, Qt.Key.Key_Escape)


def test_page_up_lifts_whoever_is_selected(show, fight):
    dock = show(fight)
    fight.select(("combatants", "ogre"))
    keys(dock, Qt.Key.Key_PageUp, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
    assert fight.encounter.need(Combatant, "ogre").elevation == 5
    assert "5 ft up" in dock.status.text()


def test_before_the_fight_a_lift_is_the_entrys(show, document):
    dock = show(document)
    document.select(("roster", "ogre"))
    keys(dock, Qt.Key.Key_PageUp, Qt.Key.Key_PageUp)
    assert document.encounter.need(RosterEntry, "ogre").elevation == 10


def test_a_large_one_stays_on_the_map_with_all_of_it(show, document):
    dock = show(document)
    drag(dock, (4, 5), (8, 6), (11, 7))
    assert document.encounter.need(RosterEntry, "ogre").positions == ((10, 6),)


def test_a_change_from_elsewhere_ends_a_move(show, alone):
    dock = show(alone)
    begin(dock, alone, "mira")
    keys(dock, Qt.Key.Key_Up)
    alone.execute(SetHitPoints("mira", hp=1))
    keys(dock, Qt.Key.Key_Return)
    assert at(alone, "mira") == (2, 2)


def test_moving_without_anybody_selected_says_so(show, document):
    dock = show(document)
    document.select(None)
    dock.canvas.select(None)
    keys(dock, Qt.Key.Key_M)
    assert "Select a token" in dock.status.text()


def test_zooming_keeps_the_way_in_sight(show, alone):
    dock = show(alone)
    begin(dock, alone, "mira")
    keys(dock, Qt.Key.Key_Up)
    before = label_texts(dock.canvas.scene.overlay)
    keys(dock, Qt.Key.Key_Plus)
    assert label_texts(dock.canvas.scene.overlay) == before != []
    keys(dock, Qt.Key.Key_Escape)


def test_the_next_turn_is_marked(show, fight):
    dock = show(fight)
    assert dock.canvas.active_token().label == "Mira"
    fight.execute(EndTurn())
    assert dock.canvas.active_token().label == "Tam"


def test_why_a_way_costs_what_it_does(show, alone):
    dock = show(alone)
    begin(dock, alone, "mira")
    keys(dock, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert dock.explain()
    why = explain_route(alone, dock.select_tool.mover.drag)
    assert why.total == "15 ft"
    assert [line.value for line in why.lines] == ["10", "+5"]
    keys(dock, Qt.Key.Key_Escape)


def test_the_square_that_keys_act_on_goes_along(show, alone):
    dock = show(alone)
    begin(dock, alone, "mira")
    keys(dock, Qt.Key.Key_Up, Qt.Key.Key_Return)
    assert dock.canvas.cursor == (2, 1)


def test_one_who_cannot_fly_is_told_so_when_lifted_in_a_move(show, alone):
    dock, refused = show(alone), []
    check_rules(alone)
    alone.refused.connect(lambda refusal, _command: refused.append(refusal))
    begin(dock, alone, "mira")
    keys(dock, Qt.Key.Key_PageUp)
    assert "move that way" in dock.status.text()
    assert any("move that way" in text for text in label_texts(dock.canvas.scene.overlay))
    keys(dock, Qt.Key.Key_PageDown)
    assert not dock.select_tool.mover.drag.has_moved
    keys(dock, Qt.Key.Key_PageUp, Qt.Key.Key_Return)
    assert len(refused) == 1
    assert alone.encounter.need(Combatant, "mira").elevation == 0


def test_a_click_beside_the_map_stays_on_the_map(show, alone):
    dock = show(alone)
    alone.select(None)
    dock.canvas.select(None)
    release_at, edge = dock.view.point_of((3, 11)), (3, 7)
    QTest.mouseClick(dock.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, release_at)
    assert dock.canvas.cursor == edge
    assert dock.status.text().startswith("D8")


def test_a_way_that_a_portcullis_closes_says_so(show, alone):
    bars = Door("bars", (6.0, 3.0, 6.0, 4.0), "portcullis")
    field = msgspec.structs.replace(FIELD, walls=((6, 0, 6, 3), (6, 4, 6, 8)), doors=(bars,))
    alone.execute(Edit(field))
    dock = show(alone)
    begin(dock, alone, "mira")
    dock.select_tool.mover.move_to((10, 3))
    assert "The portcullis is closed" in dock.status.text()
    assert any("The portcullis is closed" in text for text in label_texts(dock.canvas.scene.overlay))
    keys(dock, Qt.Key.Key_Escape)
