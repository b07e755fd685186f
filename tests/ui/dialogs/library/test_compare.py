"""The dialog that compares two stat blocks side by side."""

import pytest
from msgspec.structs import replace

from turnwright.encounter.prepared import Creature, Feature
from turnwright.rules.parts.stat_block.sections import stat_sections
from turnwright.ui.dialogs.library.compare import SIGN, CompareDialog, compare_sections
from turnwright.ui.look.style import tr

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


def leads(sections):
    lines = [*sections.vital, *sections.further, *(line for _, found in sections.features for line in found)]
    return {line.lead.removeprefix(f"{SIGN} ").rstrip("."): line.lead.startswith(SIGN) for line in lines}


def test_a_sign_stands_at_what_differs_and_nowhere_else(qapp, catalogue):
    data = catalogue("a5e")
    strong = replace(OGRE, hp=80, abilities=(("str", 21), ("dex", 8)), features=(replace(BITE, attack=7),))
    found = compare_sections(stat_sections(OGRE, data, tr), stat_sections(strong, data, tr))
    signs = leads(found.left)
    assert signs["Hit points"]
    assert signs["Bite"]
    assert signs["Song"], "what one of them alone has is marked too"
    assert not signs["Armor Class"]
    assert not signs["Speed"]
    assert [cell.name.startswith(SIGN) for cell in found.left.abilities[:2]] == [True, False]
    assert found.differing == 5  # the maneuver DC goes by Strength too


def test_two_that_are_the_same_say_so(catalogue, qtbot):
    side = (OGRE, catalogue("a5e"), "a book")
    dialog = CompareDialog(side, side)
    qtbot.addWidget(dialog)
    assert "are the same" in dialog.lead.text()
    assert SIGN not in dialog.views[0].toPlainText()


def test_both_blocks_stand_side_by_side(catalogue, qtbot):
    data = catalogue("a5e")
    dialog = CompareDialog((OGRE, data, "a book"), (replace(OGRE, name="Troll", hp=84), data, "mine.toml"))
    qtbot.addWidget(dialog)
    left, right = (view.toPlainText() for view in dialog.views)
    assert f"{SIGN} Hit points 59" in left
    assert f"{SIGN} Hit points 84" in right
    assert "1 of" in dialog.lead.text()
