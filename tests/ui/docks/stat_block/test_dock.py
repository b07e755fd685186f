"""The uses and slots of a combatant as boxes in the stat block."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.running import Combatant
from turnwright.play.attacks.group_attack import SwitchFeature
from turnwright.play.damage.manual_hit_points import SetTrack
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.setup.roster import AddObject
from turnwright.rules.parts.economy.limited_uses import all_uses
from turnwright.ui.docks.stat_block.dock import StatBlockDock
from turnwright.ui.widgets.rules.why import WhyCard

HOWL = Feature("howl", "Howl", "bonus", uses=2, text="They all hear it.")
BREATH = Feature("breath", "Cold breath", "action", damage="4d6 cold", save="con", dc=13, recharge=5)


@pytest.fixture
def dock(fight, show):
    mira = fight.encounter.need(Creature, "mira")
    features = (*mira.features, HOWL, BREATH)
    fight.execute(Edit(msgspec.structs.replace(mira, features=features, slots=(("1", 4), ("2", 2)), legendary=3)))
    return show(StatBlockDock)


def left(fight):
    return {track.name: track.value for track in all_uses(fight.encounter, "mira")}


def test_all_of_them_stand_there_by_name(dock, fight):
    names = [dock.strip.use_boxes.group(name).accessibleName() for name in left(fight)]
    for said in ("Slots 1: 4 of 4", "Slots 2: 2 of 2", "Howl: 2 of 2", "Cold breath 5–6: 1 of 1", "Legendary: 3 of 3"):
        assert any(name.startswith(said) for name in names)


def test_a_box_is_spent_and_comes_back_by_key_and_by_click(dock, fight, qtbot):
    group = dock.strip.use_boxes.group("slots.1")
    group.setFocus()
    qtbot.keyClick(group, Qt.Key.Key_Space)
    qtbot.keyClick(group, Qt.Key.Key_Minus)
    assert left(fight)["slots.1"] == 2
    qtbot.keyClick(group, Qt.Key.Key_Plus)
    assert left(fight)["slots.1"] == 3
    breath = dock.strip.use_boxes.group("recharge.breath")
    qtbot.mouseClick(breath, Qt.MouseButton.LeftButton)
    assert left(fight)["recharge.breath"] == 0
    qtbot.mouseClick(breath, Qt.MouseButton.LeftButton)
    assert left(fight)["recharge.breath"] == 1
    fight.undo()
    assert left(fight)["recharge.breath"] == 0


def test_spending_from_elsewhere_shows_at_once(dock, fight):
    fight.execute(SetTrack("mira", "uses.howl", 1))
    assert "1 of 2" in dock.strip.use_boxes.group("uses.howl").accessibleName()


def test_a_box_is_explained(dock, qtbot):
    group = dock.strip.use_boxes.group("uses.howl")
    group.setFocus()
    assert dock.explain()
    card = next(one for one in QApplication.topLevelWidgets() if isinstance(one, WhyCard) and one.isVisible())
    assert "Howl 2 / 2" in card.accessibleName()
    assert HOWL.text in card.accessibleName()


def test_points_of_a_character_can_be_given_there(dock, fight):
    fight.select(("combatants", "mira"))
    dock.strip.use_boxes.changeRequested.emit("inspiration", 1)
    assert dock.strip.use_boxes.group("inspiration").accessibleName().startswith("Inspiration: 1 of 1")


def test_who_has_none_has_no_boxes(dock, fight):
    assert dock.strip.use_boxes.isVisible()
    raider = fight.encounter.need(Combatant, "raiders-1")
    block = fight.encounter.need(Creature, raider.creature)
    fight.execute(Edit(msgspec.structs.replace(block, features=(), slots=(), legendary=0)))
    fight.select(("combatants", raider.id))
    assert not dock.strip.use_boxes.isVisible()


def test_many_are_a_number(dock, fight, qtbot):
    mira = fight.encounter.need(Creature, "mira")
    fight.execute(Edit(msgspec.structs.replace(mira, features=(Feature("darts", "Darts", "action", uses=60),))))
    field = dock.strip.use_boxes.group("uses.darts")
    assert field.text() == "60 / 60"
    assert dock.minimumSizeHint().width() <= 300
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert left(fight)["uses.darts"] == 59
    fight.undo()
    assert field.number() == 60


def test_a_feature_that_is_switched_off_is_marked(dock, fight):
    def mark():
        line = next(one for one in dock.view.toPlainText().splitlines() if "Cold breath" in one)
        return line.split(" ")[0]

    playing = mark()
    fight.execute(SwitchFeature("mira", "breath"))
    assert mark() == "\N{MULTIPLICATION SIGN}" != playing
    assert "Switched off for this encounter" in dock.view.accessibleDescription()
    fight.undo()
    assert mark() == playing


def test_an_object_has_armour_class_and_hit_points_and_nothing_of_a_creature(dock, fight):
    assert dock.strip.saves["str"].isVisible()
    fight.execute(AddObject("the gate", 27))
    gate = next(one for one in fight.encounter.all(Combatant) if one.bystander)
    fight.select_combatants((gate.id,))
    assert not dock.strip.saves["str"].isVisible()
    said = dock.view.toPlainText()
    assert "27" in said
    assert not {"STR", "Speed"} & set(said.split())
