"""A new field of creatures stands in forms, stat blocks and files by its annotation and its words alone."""

from typing import Annotated

import msgspec
import pytest
from PySide6.QtWidgets import QWidget

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.field_specs import FieldSpec
from turnwright.encounter.prepared import Creature
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.stat_block.sections import stat_sections
from turnwright.storage.toml.reader import fields_of
from turnwright.ui.forms import creature_layouts
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.forms.record_fields import CommandDraft


class Sailor(Creature, frozen=True, omit_defaults=True):
    """A creature with another field."""

    morale: Annotated[
        int, FieldSpec(least=0, most=20, zero_is_none=True, group="training", label="creature.morale")
    ] = 0


@pytest.mark.parametrize("game", RuleSystems().ids)
def test_a_new_field_of_creatures_is_edited_written_and_printed(qtbot, monkeypatch, game) -> None:
    rules = RuleSystems().get(game)
    monkeypatch.setattr(creature_layouts.prepared, "Creature", Sailor)
    whole = QWidget()
    qtbot.addWidget(whole)
    draft = CommandDraft(Sailor("ann", "Ann"), lambda value, _entered: value)
    *_others, additional, _defences = creature_layouts.creature_layouts(rules.data)
    form = Form(additional, draft, FormContext(rules, Encounter), whole)
    form.open_group("training")
    form.fields["morale"].box.setValue(7)
    assert draft.value().morale == 7
    lines = stat_sections(draft.value(), rules.data, lambda key, **_params: key).further
    assert [line.runs[0].text for line in lines if line.lead == "ui.creature.morale"] == ["7"]
    assert [field.key for field in fields_of(Sailor) if field.name == "morale"] == ["morale"]
    assert msgspec.to_builtins(draft.value())["morale"] == 7
