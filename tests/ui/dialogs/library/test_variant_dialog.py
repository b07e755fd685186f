"""The dialog that makes a variant of a creature, stronger or weaker, with its formula shown."""

import dataclasses

import pytest
from msgspec.structs import replace

from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.state import Encounter
from turnwright.rules.system_data.preparation import ScalingFigures
from turnwright.ui.dialogs.library.variant_dialog import VariantDialog
from turnwright.ui.forms.kinds import FormContext

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
def context(systems):
    return lambda id: FormContext(systems.get(id), Encounter)


@pytest.fixture
def vary(context, qtbot):
    def shown(creature, system):
        dialog = VariantDialog(creature, context(system))
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return shown


def rows(dialog):
    items = [dialog.table.topLevelItem(row) for row in range(dialog.table.topLevelItemCount())]
    return {item.text(0): (item.text(1), item.text(2), item.text(3)) for item in items}


def choose(dialog, rating):
    box = dialog.form.fields["to"].box
    box.setCurrentIndex(box.findData(rating))
    box.activated.emit(box.currentIndex())


def enter_name(dialog, name):
    line = dialog.form.fields["called"].line
    line.setText(name)
    line.textEdited.emit(name)


def test_the_formula_and_every_figure_are_shown(vary, qtbot):
    dialog = vary(OGRE, "a5e")
    assert dialog.form.fields["to"].box.currentText() == "2, unchanged"
    assert rows(dialog) == {}
    choose(dialog, "5")
    assert "93 → 138" in dialog.formula.text()
    assert rows(dialog)["Hit points"] == ("59", "× 1.48", "88")
    assert rows(dialog)["Attack: Bite"] == ("5", "+ 3", "8")
    assert "Song" in dialog.unscaled.text()
    enter_name(dialog, "Old ogre")
    with qtbot.waitSignal(dialog.variantMade) as made:
        dialog.make_button.click()
    variant = made.args[0]
    assert (variant.name, variant.rating, variant.hp, variant.source) == ("Old ogre", "5", 88, "variant of Ogre")


def test_a_game_without_usual_figures_takes_factors_alone(context, qtbot):
    rules = context("action_points").rules
    bare = dataclasses.replace(rules, data=replace(rules.data, scaling=ScalingFigures()))
    dialog = VariantDialog(OGRE, FormContext(bare, Encounter))
    qtbot.addWidget(dialog)
    assert not dialog.form.is_shown("role")
    assert dialog.form.fields["to"].box.count() == 1
    assert dialog.form.is_shown("hp")
    assert "no benchmarks" in dialog.formula.text()
    dialog.form.fields["hp"].box.setValue(2)
    dialog.form.fields["attack"].box.stepUp()
    assert rows(dialog)["Hit points"] == ("59", "× 2", "118")
    assert rows(dialog)["Attack: Bite"] == ("5", "+ 1", "6")
    assert dialog.variant().rating == "2"


def test_points_and_abilities_grow_and_a_role_can_be_chosen(vary):
    points = (("action", 5), ("reaction", 4))
    dialog = vary(
        replace(OGRE, level=2, role="brute", abilities=(("str", 9),), pools=points, features=(BITE,)), "action_points"
    )
    choose(dialog, "6")
    assert rows(dialog)["Maximum: Action Points"] == ("5", "+ 2", "7")
    assert rows(dialog)["Ability: Strength"] == ("9", "+ 3", "12")
    assert rows(dialog)["Hit points"] == ("59", "× 3", "177")
    box = dialog.form.fields["role"].box
    box.setCurrentIndex(box.findData("soldier"))
    box.activated.emit(box.currentIndex())
    assert rows(dialog)["AC"] == ("13", "+ 6", "19")
    variant = dialog.variant()
    assert (variant.role, variant.rating, variant.hp) == ("soldier", "6", 149)


def test_a_rating_outside_the_table_says_that_factors_are_ones_own(vary):
    dialog = vary(replace(OGRE, rating="odd"), "dnd5e")
    assert "no challenge rating in the benchmark table" in dialog.formula.text()
    assert dialog.form.fields["to"].box.count() == 1


def test_a_variant_needs_a_name(vary):
    dialog = vary(OGRE, "a5e")
    enter_name(dialog, "  ")
    assert not dialog.make_button.isEnabled()
