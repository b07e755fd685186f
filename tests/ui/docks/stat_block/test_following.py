"""Whose stat block is shown: the acting one, the selected one until the turn ends, or the pinned one."""

from PySide6.QtCore import Qt

from turnwright.encounter.running import Combatant
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.queries.queries import active_combatants
from turnwright.play.table.game_master import SetDice, SetPlan
from turnwright.play.turns.turns import EndTurn
from turnwright.ui.docks.stat_block.dock import StatBlockDock

ENTER = Qt.Key.Key_Return


def shown(dock):
    return dock.view.accessibleName().removeprefix("Stat block: ")


def test_it_follows_the_turn_and_shows_the_selected_one_until_it_ends(fight, show):
    dock = show(StatBlockDock)
    assert shown(dock) == "Mira"
    fight.select_combatants(("captain",))
    assert shown(dock) == "River captain"
    fight.select_combatants(())
    assert shown(dock) == "Mira"
    fight.select_combatants(("captain",))
    fight.execute(EndTurn())
    assert shown(dock) == "Tam"


def test_a_prepared_creature_is_shown_until_a_turn_begins(fight, show):
    dock = show(StatBlockDock)
    captain = fight.encounter.need(Combatant, "captain").creature
    fight.select(("creatures", captain))
    assert shown(dock) == "River captain"
    fight.execute(EndTurn())
    assert shown(dock) == "Tam"


def test_a_pinned_one_stays_and_its_name_with_it(fight, show, qtbot):
    dock = show(StatBlockDock)
    qtbot.mouseClick(dock.strip.pin_button, Qt.MouseButton.LeftButton)
    fight.execute(EndTurn())
    fight.select_combatants(("captain",))
    assert (shown(dock), dock.strip.label.text()) == ("Mira", "Mira")
    assert dock.strip.pin_button.accessibleName() == "Mira is pinned; follow the turn again"
    dock.toggle_pin()
    assert shown(dock) == "River captain"


def test_the_name_stands_at_the_same_place_for_everybody(fight, show):
    dock = show(StatBlockDock)
    assert dock.strip.label.text() == "Mira"
    fight.select_combatants(("captain",))
    assert dock.strip.label.text() == "Captain"


def test_the_world_has_its_environments_in_words(fight, show):
    dock = show(StatBlockDock)
    fight.execute(SetDice("roll"))
    for _ in fight.encounter.ids(Combatant)[:-1]:
        fight.execute(EndTurn())
    fight.execute(SetDice("ask"))
    fight.execute(EndTurn())
    assert not active_combatants(fight.encounter)
    assert dock.world.isVisible()
    assert "Cold Chill" in dock.world.toPlainText()


def test_a_plan_is_noted(fight, show, qtbot):
    dock = show(StatBlockDock)
    qtbot.keyClicks(dock.notes, "hold the bridge")
    qtbot.keyClick(dock.notes, ENTER)
    assert fight.encounter.need(Combatant, "mira").plan == "hold the bridge"


def test_a_plan_that_names_a_fallen_combatant_is_marked(fight, show):
    dock = show(StatBlockDock)
    raider = fight.encounter.need(Combatant, "raiders-1")
    fight.execute(SetPlan("mira", f"shoot {raider.label}"))
    assert dock.notes.toolTip() == ""
    fight.execute(ApplyDamage((raider.id,), str(raider.hp)))
    assert raider.label in dock.notes.toolTip()
