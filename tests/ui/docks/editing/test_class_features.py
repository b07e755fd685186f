"""The dialog for class features: classes are guessed from names, ticked features get their numbers, one step."""

import msgspec
import pytest

from turnwright.encounter.prepared import Creature, Feature
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.docks.creature import CreatureDock
from turnwright.ui.docks.editing.class_features import ClassFeaturesDialog

NAMED = (
    Feature("nimble", "Sneak Attack (3d6)", text="As in the book."),
    Feature("dodge", "Uncanny Dodge", "reaction", trigger="damage", reduces="5"),
)


@pytest.fixture
def rogue(document):
    """A stat block that names two features of rogues, one of them with numbers."""
    creature = document.encounter.need(Creature, "river-raider")
    rogue = msgspec.structs.replace(creature, name="Aria", level=7, features=NAMED)
    document.execute(Edit(rogue))
    return rogue


@pytest.fixture
def dialog(document, rogue, qtbot):
    dialog = ClassFeaturesDialog(document, rogue)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def ticks(dialog):
    return {button.pick.label: button.pick.note for button in dialog.picks.buttons() if button.isChecked()}


def test_classes_are_guessed_and_named_features_get_their_numbers(dialog, document, rogue):
    assert dialog.line.text() == "rogue 7"
    assert ticks(dialog) == {
        "Exertion": "", "Sneak Attack": "only named", "Cunning Action": "", "Evasion": "", "Improved Critical": "",
        "Aim": "", "Tumbling Retreat": "", "Sniper": "", "Carver": "",
    }  # fmt: skip
    for name in ("evasion", "exertion", "improved-critical", "aim", "tumbling-retreat", "sniper", "carver"):
        dialog.picks.button(name).click()
    dialog.submit()
    features = {feature.name: feature for feature in document.encounter.need(Creature, rogue.id).features}
    assert [*features] == ["Sneak Attack (3d6)", "Uncanny Dodge", "Cunning Action"]
    sneak = features["Sneak Attack (3d6)"]
    assert (sneak.id, sneak.text, [rule.dice for rule in sneak.rules]) == ("nimble", "As in the book.", ["4d6"])
    assert features["Uncanny Dodge"].reduces == "5"
    document.undo()
    assert document.encounter.need(Creature, rogue.id).features == NAMED


def test_a_character_rises_in_level(dialog, document, rogue, qtbot):
    dialog.submit()
    again = ClassFeaturesDialog(document, document.encounter.need(Creature, rogue.id))
    qtbot.addWidget(again)
    assert again.line.text() == "rogue 7"
    assert ticks(again) == {}
    again.line.setText("rogue 9")
    assert ticks(again) == dict.fromkeys(("Exertion", "Sneak Attack", "Sniper"), "of another level")
    again.submit()
    creature = document.encounter.need(Creature, rogue.id)
    assert (creature.level, creature.proficiency) == (9, 4)
    assert [rule.dice for rule in creature.features[0].rules] == ["5d6"]


def test_unknown_classes_are_named(dialog):
    dialog.line.setText("wizzard 3")
    assert "wizzard 3" in dialog.note.text()
    assert not dialog.add_button.isEnabled()
    dialog.line.setText("wizard 3")
    assert dialog.add_button.isEnabled()
    dialog.line.clear()
    assert not dialog.add_button.isEnabled()


def test_the_creature_panel_opens_it(show, document, rogue):
    document.select(("creatures", rogue.id))
    dock = show(CreatureDock)
    assert dock.class_button.isVisibleTo(dock)
    dock.class_button.click()
    assert dock.class_dialog.line.text() == "rogue 7"
    dock.class_dialog.reject()
