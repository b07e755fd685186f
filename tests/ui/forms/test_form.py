"""The tip of a field in a form describes it."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Countdown
from turnwright.encounter.state import Encounter
from turnwright.ui.docks.inspectors import COUNTDOWN
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.forms.record_fields import CommandDraft


def test_the_tip_of_a_field_is_its_description(qtbot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    draft = CommandDraft(Countdown("tide", "The tide"), lambda value, _entered: value)
    form = Form(COUNTDOWN, draft, FormContext(RuleSystems().get("a5e"), Encounter), whole)
    form.resize(400, 300)
    whole.show()
    name = form.fields["name"]
    inside = name.mapTo(form, QPoint(name.width() // 2, name.height() // 2))
    assert form.tip_at(inside).startswith("The name that the panel and the journal show.")
    assert form.tip_at(QPoint(-5, -5)) == ""
