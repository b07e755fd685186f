"""The selected combatants: one list for all docks, which each turn begins without."""

from turnwright.play.table.game_master import Rename
from turnwright.play.turns.turns import EndTurn, RemoveCombatant
from turnwright.ui.docks.turn.dock import TurnDock


def test_the_last_of_several_is_the_selected_record_and_all_are_targets(fight, show):
    dock = show(TurnDock)
    fight.select_combatants(("tam", "osk", "tam"))
    assert fight.selected_combatants == ("tam", "osk")
    assert fight.selection == ("combatants", "osk")
    assert dock.damage.targets.chosen() == ("tam", "osk")


def test_selecting_another_record_leaves_one_combatant_or_none(fight):
    fight.select_combatants(("tam", "osk"))
    fight.select(("combatants", "tam"))
    assert fight.selected_combatants == ("tam", "osk")
    fight.select(("combatants", "velu"))
    assert fight.selected_combatants == ("velu",)
    fight.select(("creatures", "mira"))
    assert fight.selected_combatants == ()


def test_a_turn_begins_with_nobody_selected(fight, qtbot):
    fight.select_combatants(("tam", "osk"))
    fight.execute(Rename("tam", "Tam the Quick"))
    assert fight.selected_combatants == ("tam", "osk")
    with qtbot.waitSignal(fight.combatantsSelected) as emitted:
        fight.execute(EndTurn())
    assert emitted.args == [()]
    assert (fight.selected_combatants, fight.selection) == ((), None)


def test_who_is_removed_is_selected_no_more(fight):
    fight.select_combatants(("tam", "osk"))
    fight.execute(RemoveCombatant("osk"))
    assert (fight.selected_combatants, fight.selection) == (("tam",), ("combatants", "tam"))
