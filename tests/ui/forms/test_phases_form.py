"""Phases of a creature are added, edited and removed in its form, and stand in its stat block."""

import pytest
from PySide6.QtWidgets import QWidget

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, CreaturePhase, Feature
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.stat_block.sections import stat_sections
from turnwright.ui.forms.creature_layouts import creature_layouts
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.forms.record_fields import CommandDraft
from turnwright.ui.look.style import tr
from turnwright.ui.widgets.fields import ComboBox

BREATH = Feature("breath", "Fire Breath", "action", recharge=5)


@pytest.mark.parametrize("game", RuleSystems().ids)
def test_a_phase_is_added_edited_and_removed(qtbot, game) -> None:
    rules = RuleSystems().get(game)
    whole = QWidget()
    qtbot.addWidget(whole)
    draft = CommandDraft(Creature("ann", "Ann", features=(BREATH,)), lambda value, _entered: value)
    *_others, additional, _defences = creature_layouts(rules.data)
    form = Form(additional, draft, FormContext(rules, Encounter), whole)
    form.open_group("phases")
    field = form.fields["phases"]
    (adding,) = (box for box in field.findChildren(ComboBox) if box.findData("mythic") > 0)
    for _ in range(2):
        adding.activated.emit(adding.findData("mythic"))
        form.refresh()
    first, second = draft.value().phases
    assert (first.id, first.name, first.at) == ("mythic", "Mythic", 0)
    assert second.id not in ("", first.id)
    field.items[1].removeRequested.emit()
    form.refresh()
    field.items[0].parts["hp"].box.setValue(90)
    assert [(one.id, one.hp) for one in draft.value().phases] == [("mythic", 90)]
    ready = field.items[0].parts["recharges"]
    ready.show_value(("breath", "*"))
    assert ready.button.text().strip() == "Fire Breath, everything used"


def test_the_stat_block_tells_what_a_phase_brings() -> None:
    phases = (
        CreaturePhase("bloodied", "Bloodied", recharges=("breath",), reverts=True),
        CreaturePhase("mythic", "Mythic", at=0, legendary=5, ends=("*",), note="Her scales break."),
    )
    creature = Creature("ann", "Ann", hp=70, features=(BREATH,), phases=phases)
    lines = stat_sections(creature, RuleSystems().get("dnd5e").data, tr).further
    (text,) = (line.runs[0].text for line in lines if line.lead == "Phases")
    assert text == (
        "Bloodied (at 50 % of its HP): recharges Fire Breath; ends once its HP rise above that. Mythic (at 0 HP): regains"
        " 70; 5 legendary actions a round; ends all effects from others. Her scales break."
    )
