"""Fields for the rules of an environment entry: a save, a check, inflicted conditions, a spawned creature."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from turnwright.encounter.prepared import Check, InflictedCondition, SavingThrow, Spawn
from turnwright.rules.system_data import SystemData
from turnwright.ui.docks.editing.fields import (
    CheckBoxField,
    ChoiceField,
    ComboBox,
    Field,
    NumberInput,
    Options,
    TextField,
)
from turnwright.ui.docks.editing.form import with_caption
from turnwright.ui.fonts import GAP, SPACE, scaled
from turnwright.ui.translations import tr
from turnwright.ui.widgets.text import tool_button

DEFAULT_DC = 12
ENDS = ("turn-start", "turn-end", "world", "never")
AGAINST = ("", "spellcasting")


class SaveField(Field):
    """A saving throw: no save, or an ability and its DC."""

    def __init__(self, abilities: Options) -> None:
        super().__init__()
        self._value: SavingThrow | None = None
        self._ability = ChoiceField([("", tr("ui.editing.no-save")), *abilities])
        self._ability.set_name(tr("ui.editing.save"))
        self._dc = NumberInput(0, 40, "", "–", zero_is_blank=True)
        self._dc.set_name(tr("ui.editing.dc"))
        self._dc.box.setPrefix(f"{tr('ui.editing.dc')} ")
        row = QHBoxLayout()
        row.setSpacing(scaled(GAP))
        row.addWidget(self._ability, 1)
        row.addWidget(self._dc, 1)
        self.column.addLayout(row)
        self.setFocusProxy(self._ability)
        self._ability.edited.connect(self._choose)
        self._dc.edited.connect(self._set_dc)
        self._ability.editingFinished.connect(self.editingFinished)
        self._dc.editingFinished.connect(self.editingFinished)

    def show_value(self, value: Any) -> None:
        """Show a save, or none."""
        self._value = value
        self._ability.show_value(value.ability if value else "")
        self._dc.show_value(value.dc if value else 0)
        self._dc.setEnabled(value is not None)

    def set_name(self, name: str) -> None:
        """Keep the parts' own names."""

    def _choose(self, ability: str) -> None:
        dc = self._value.dc if self._value else DEFAULT_DC
        self.edited.emit(SavingThrow(ability, dc) if ability else None)

    def _set_dc(self, dc: int) -> None:
        if self._value is not None:
            self.edited.emit(SavingThrow(self._value.ability, dc))


class StructField(Field):
    """A struct that may be absent, as captioned parts, one for each of its fields."""

    def __init__(self, default: msgspec.Struct) -> None:
        super().__init__()
        self.column.setSpacing(scaled(GAP))
        self.parts: dict[str, Field] = {}
        self._bare = default
        self._value: Any = None

    def add_line(self, *parts: tuple[str, str, Field]) -> None:
        """Add parts side by side: field of the struct, word key of its caption, control."""
        row = QHBoxLayout()
        row.setSpacing(scaled(GAP))
        for name, key, field in parts:
            row.addWidget(with_caption(key, field, self), 1)
            field.edited.connect(lambda value, name=name: self._edit(name, value))
            field.editingFinished.connect(self.editingFinished)
            self.parts[name] = field
        self.column.addLayout(row)
        self.setFocusProxy(next(iter(self.parts.values())))

    def show_value(self, value: Any) -> None:
        """Show a struct, or none."""
        self._value = value
        for name, field in self.parts.items():
            field.show_value(getattr(value or self._bare, name))
            field.setEnabled(value is not None or name in self.starting_parts())

    def set_name(self, name: str) -> None:
        """Keep the parts' own names."""

    def starting_parts(self) -> tuple[str, ...]:
        """Return the parts that are enabled while there is no struct yet."""
        return ()

    def create_value(self, name: str, value: Any) -> Any:
        """Return the struct that a value in a starting part creates, None for none."""
        raise NotImplementedError

    def changed_value(self, name: str, value: Any) -> Any:
        """Return the struct with a part edited, None where the edit removes the struct."""
        return msgspec.structs.replace(self._value, **{name: value})

    def _edit(self, name: str, value: Any) -> None:
        if self._value is not None:
            self.edited.emit(self.changed_value(name, value))
        elif name in self.starting_parts() and value:
            self.edited.emit(self.create_value(name, value))


class CheckField(StructField):
    """An ability check: ability or skill, against a DC or the caster's roll, and the cost of trying."""

    def __init__(self, abilities: Options, catalogue: SystemData) -> None:
        super().__init__(Check(""))
        self._usual = {skill.id: skill.ability for skill in catalogue.skills}
        skills = [(skill.id, skill.name) for skill in catalogue.skills]
        self.add_line(
            ("ability", "ui.check.ability", ChoiceField([("", tr("ui.check.none")), *abilities])),
            ("skill", "ui.check.skill", ChoiceField([("", tr("ui.check.no-skill")), *skills])),
        )
        self.add_line(
            (
                "against",
                "ui.check.against",
                ChoiceField([(id, tr(f"ui.check.against-{id or 'dc'}")) for id in AGAINST]),
            ),
            ("dc", "ui.editing.dc", NumberInput(0, 40, "", "–", zero_is_blank=True)),
        )
        variants = [("", tr("ui.check.never-free")), *((rule.id, rule.name) for rule in catalogue.options)]
        self.add_line(
            ("cost", "ui.check.cost", ChoiceField(cost_choices(catalogue, tr("ui.check.free")))),
            ("free_by", "ui.check.free-by", ChoiceField(variants)),
        )

    def show_value(self, value: Any) -> None:
        """Show a check, or none."""
        super().show_value(value)
        self.parts["dc"].setEnabled(value is not None and not value.against)

    def starting_parts(self) -> tuple[str, ...]:
        """Return ability and skill: either creates the check."""
        return ("ability", "skill")

    def create_value(self, name: str, value: Any) -> Check:
        """Return a check of the chosen ability, or of the chosen skill's usual ability."""
        if name == "skill":
            return Check(self._usual.get(value, "dex"), DEFAULT_DC, value)
        return Check(value, DEFAULT_DC)

    def changed_value(self, name: str, value: Any) -> Check | None:
        """Return the edited check; a check against the caster's roll has no DC."""
        if name == "ability" and not value:
            return None
        check: Check = super().changed_value(name, value)
        if name != "against":
            return check
        return msgspec.structs.replace(check, dc=0 if value else check.dc or DEFAULT_DC)


class SpawnField(StructField):
    """A creature that an environment entry spawns: which creature, its name, its side, its initiative."""

    def __init__(self, creatures: Callable[[], Options], sides: Callable[[], Options]) -> None:
        super().__init__(Spawn("", ""))
        self._creatures = creatures
        self.add_line(
            (
                "creature",
                "ui.spawn.creature",
                ChoiceField(load_options=lambda: [("", tr("ui.spawn.none")), *creatures()]),
            ),
            ("name", "ui.spawn.name", TextField()),
        )
        self.add_line(
            ("side", "ui.roster.side", ChoiceField(load_options=sides, free=True)),
            ("initiative", "ui.stat.initiative", NumberInput(-20, 60, "", tr("ui.spawn.rolled"))),
        )
        self.add_line(("likeness", "", CheckBoxField(tr("ui.spawn.likeness"))))

    def starting_parts(self) -> tuple[str, ...]:
        """Return the creature, which creates the spawn."""
        return ("creature",)

    def create_value(self, name: str, value: Any) -> Spawn:
        """Return a spawn of the chosen creature, under the creature's name."""
        return Spawn(value, dict(self._creatures()).get(value, value))

    def changed_value(self, name: str, value: Any) -> Spawn | None:
        """Return the edited spawn; a name that was the creature's changes with the creature."""
        if name != "creature":
            edited: Spawn = super().changed_value(name, value)
            return edited
        if not value:
            return None
        names = dict(self._creatures())
        spawn: Spawn = self._value
        kept = spawn.name not in ("", names.get(spawn.creature))
        return msgspec.structs.replace(spawn, creature=value, name=spawn.name if kept else names.get(value, value))


class AfflictionsField(Field):
    """Conditions that an environment entry inflicts: end, DC to escape, and the cost of breaking free."""

    def __init__(self, conditions: Options, catalogue: SystemData) -> None:
        super().__init__()
        self._conditions = conditions
        self._frees = [("", tr("ui.editing.no-breaking"))]
        self._frees += [(one.id, tr("ui.editing.break-free", cost=one.name.lower())) for one in catalogue.resources]
        self._value: tuple[InflictedCondition, ...] = ()
        self._rows: list[tuple[QWidget, dict[str, Field]]] = []
        self._add = ComboBox()
        self._add.setAccessibleName(tr("ui.editing.add-condition"))
        self._add.addItem(tr("ui.editing.add-condition"), "")
        for id, name in conditions:
            self._add.addItem(name, id)
        self._add.activated.connect(self._choose)
        self.add_control(self._add)

    def show_value(self, value: Any) -> None:
        """Show the conditions; rows are built or removed only when their number differs."""
        self._value = tuple(value)
        while len(self._rows) < len(value):
            self._rows.append(self._row(len(self._rows)))
            self.column.insertWidget(len(self._rows) - 1, self._rows[-1][0])
        while len(self._rows) > len(value):
            holder = self._rows.pop()[0]
            holder.hide()
            holder.deleteLater()
        for affliction, (_, fields) in zip(value, self._rows, strict=True):
            for name, field in fields.items():
                field.show_value(getattr(affliction, name))

    def set_name(self, name: str) -> None:
        """Keep the parts' own names."""

    def fields_at(self, index: int) -> dict[str, Field]:
        """Return the controls of one condition, by the fields of `InflictedCondition`."""
        return self._rows[index][1]

    def _row(self, place: int) -> tuple[QWidget, dict[str, Field]]:
        escape = NumberInput(0, 40, "", tr("ui.editing.no-escape"), zero_is_blank=True)
        escape.box.setPrefix(f"{tr('ui.editing.escape')} ")
        fields: dict[str, Field] = {
            "condition": ChoiceField(self._conditions),
            "escape_dc": escape,
            "ends": ChoiceField([(id, tr(f"ui.editing.ends-{id}")) for id in ENDS]),
            "break_free": ChoiceField(self._frees),
        }
        keys = {"condition": "condition", "escape_dc": "escape", "ends": "ends", "break_free": "breaking"}
        for name, field in fields.items():
            field.set_name(tr(f"ui.editing.{keys[name]}"))
            field.edited.connect(lambda value, name=name: self._edit(place, name, value))
            field.editingFinished.connect(self.editingFinished)
        holder = QWidget(self)
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(scaled(SPACE))
        grid.addWidget(fields["condition"], 0, 0)
        grid.addWidget(escape, 0, 1)
        grid.addWidget(tool_button("close", tr("ui.editing.remove-condition"), lambda: self._drop(place)), 0, 2)
        grid.addWidget(fields["ends"], 1, 0, 1, 2)
        grid.addWidget(fields["break_free"], 2, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        return (holder, fields)

    def _choose(self, index: int) -> None:
        id = self._add.itemData(index)
        self._add.setCurrentIndex(0)
        if id:
            self.edited.emit((*self._value, InflictedCondition(id)))
            self.editingFinished.emit()

    def _edit(self, place: int, name: str, value: Any) -> None:
        afflictions = list(self._value)
        afflictions[place] = msgspec.structs.replace(afflictions[place], **{name: value})
        self.edited.emit(tuple(afflictions))

    def _drop(self, place: int) -> None:
        self.edited.emit(self._value[:place] + self._value[place + 1 :])
        self.editingFinished.emit()


def cost_choices(catalogue: SystemData, no_cost: str) -> Options:
    """Return the choices for a cost: `no_cost`, or a resource of a turn."""
    return [("", no_cost), *((resource.id, resource.name) for resource in catalogue.resources)]
