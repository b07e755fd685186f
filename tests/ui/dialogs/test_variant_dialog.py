"""The dialog that makes a variant of a creature, stronger or weaker, with its formula shown."""

import pytest
from msgspec.structs import replace

from turnwright.encounter.prepared import Creature, Feature
from turnwright.ui.dialogs.variant_dialog import VariantDialog

BITE = Feature("bite", "Bite", cost="action", attack=5, reach=5, damage="2d6+3 piercing")
OGRE = Creature(
    "ogre",
    "Ogre",
    rating="2",
    ac=13,
    hp=59,
    abilities=(("str", 19), ("dex", 8)),
    features=(BITE, Feature("song", "Song", text="Heard for 60 feet.")),
)


@pytest.fixture
def catalogue(systems):
    return lambda id: systems.get(id).data


@pytest.fixture
def vary(catalogue, qtbot):
    def shown(creature, system):
        dialog = VariantDialog(creature, catalogue(system))
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return shown


def rows(dialog):
    items = [dialog.table.topLevelItem(row) for row in range(dialog.table.topLevelItemCount())]
    return {item.text(0): (item.text(1), item.text(2), item.text(3)) for item in items}


def test_the_formula_and_every_figure_are_shown(vary, qtbot):
    dialog = vary(OGRE, "a5e")
    assert dialog.target.currentText() == "2, as it is"
    assert rows(dialog) == {}
    dialog.target.setCurrentIndex(dialog.target.findData("5"))
    assert "93 → 138" in dialog.formula.text()
    assert rows(dialog)["Hit points"] == ("59", "× 1.48", "88")
    assert rows(dialog)["Attack: Bite"] == ("5", "+ 3", "8")
    assert "Song" in dialog.unscaled.text()
    dialog.name.setText("Old ogre")
    with qtbot.waitSignal(dialog.variantMade) as made:
        dialog.make_button.click()
    variant = made.args[0]
    assert (variant.name, variant.rating, variant.hp, variant.source) == ("Old ogre", "5", 88, "variant of Ogre")


def test_a_game_without_usual_figures_takes_factors_alone(vary):
    dialog = vary(OGRE, "action_points")
    assert dialog.target.count() == 1
    assert dialog.manual_factors.isVisible()
    assert "no usual figures" in dialog.formula.text()
    dialog.factors["hp"].setValue(2)
    dialog.differences["attack"].stepUp()
    assert rows(dialog)["Hit points"] == ("59", "× 2", "118")
    assert rows(dialog)["Attack: Bite"] == ("5", "+ 1", "6")
    assert dialog.variant().rating == "2"


def test_a_rating_outside_the_table_says_that_factors_are_ones_own(vary):
    dialog = vary(replace(OGRE, rating="odd"), "dnd5e")
    assert "not known" in dialog.formula.text()
    assert dialog.target.count() == 1


def test_a_variant_needs_a_name(vary):
    dialog = vary(OGRE, "a5e")
    dialog.name.setText("  ")
    assert not dialog.make_button.isEnabled()
