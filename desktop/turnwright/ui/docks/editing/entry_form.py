"""The form of an environment entry: common fields first, rarer fields in groups that show when they are used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.encounter.prepared import Creature, EnvironmentEntry, RosterEntry
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.economy.resources import is_finite
from turnwright.rules.system import RuleSystem
from turnwright.ui.docks.editing.bindings import Binding
from turnwright.ui.docks.editing.compound_fields import MultiChoiceField, NumberList
from turnwright.ui.docks.editing.creature_forms import dice_error_text, named_choices, recharge_field
from turnwright.ui.docks.editing.entry_fields import AfflictionsField, CheckField, SaveField, SpawnField, cost_choices
from turnwright.ui.docks.editing.fact_choices import exemption_choices
from turnwright.ui.docks.editing.fields import (
    CheckBoxField,
    ChoiceField,
    DiceField,
    MultiLineTextField,
    NumberInput,
    Options,
    TextField,
)
from turnwright.ui.docks.editing.grouped_form import GroupedForm
from turnwright.ui.models.display_names import side_name, side_order
from turnwright.ui.translations import tr

KINDS = ("object", "obstacle", "area", "field")
AFFECTS = ("each", "one", "beneath", "actor", "nobody")
TRIGGERS = ("used", "touch", "turn-end", "dash", "falls", "disturbed", "rolled", "spell", "standing")
COVERS = ("", "half", "three-quarters", "total")
OBSCURED = ("", "lightly", "heavily")
TERRAINS = ("", "difficult")
LIMITS = ("", "turn", "encounter")
EDGES = ("", "advantage", "disadvantage")
EDGE_ROLLS = ("", "attack", "melee", "ranged", "save", "check")
DEFAULT_ENTRY = EnvironmentEntry("", "")
NONE = "–"

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "moment": ("kind", "trigger", "recharge", "once", "delay"),
    "check": ("check",),
    "spared": ("spared", "reduced", "reduced_damage"),
    "push": ("push", "teleport"),
    "spawn": ("spawn",),
    "ground": ("terrain", "redirect", "obscured", "cover", "cover_when"),
    "sound": ("hearing", "sound", "per_die"),
    "effect": ("edge", "edge_on", "dearer", "secret"),
    "thing": ("ac", "size", "cost", "range", "reflects", "breaks"),
})  # fmt: skip
ACTION_FIRST = ("recharge", "once")
FEATURE_FIRST = ("kind", "trigger")


class EntryForm(GroupedForm):
    """Edits a world action or a standing feature of an environment. `encounter` is asked for the choices."""

    def __init__(
        self,
        binding: Binding,
        rules: RuleSystem,
        encounter: Callable[[], Encounter],
        parent: QWidget,
        *,
        action: bool,
    ) -> None:
        super().__init__(binding, DEFAULT_ENTRY, parent)
        self._rules = rules
        self._catalogue = rules.data
        self._encounter = encounter
        self._action = action
        self._common()
        first = ACTION_FIRST if action else FEATURE_FIRST
        self.add_groups(
            {id: tuple(name for name in names if name not in first) for id, names in GROUPS.items()},
            {
                "moment": self._moment,
                "check": self._check,
                "spared": self._spared,
                "push": self._push,
                "spawn": self._spawn,
                "ground": self._ground,
                "sound": self._sound,
                "effect": self._effect,
                "thing": self._thing,
            },
        )

    def group_title(self, id: str) -> str:
        """Return a group's title; the moment group is named after the fields that are left in it."""
        if id == "moment":
            return tr(f"ui.environment-entry.group-moment-{'action' if self._action else 'feature'}")
        return tr(f"ui.environment-entry.group-{id}")

    # Common --------------------------------------------------------------------------------------------------

    def _common(self) -> None:
        catalogue = self._catalogue
        self.add_row(
            ("name", "ui.environment-entry.name", TextField()),
            ("enabled", "", CheckBoxField(tr("ui.environment-entry.enabled"))),
            stretch=(3, 1),
        )
        first = ACTION_FIRST if self._action else FEATURE_FIRST
        self._pair(*first)
        self.add_row(
            ("affects", "ui.environment-entry.affects", ChoiceField(_choices("affects", AFFECTS))),
            ("within", "ui.environment-entry.within", TextField(tr("ui.environment-entry.within-hint"))),
        )
        self.add_row(("save", "ui.editing.save", SaveField(named_choices(catalogue.abilities))))
        self.add_row(
            ("damage", "ui.environment-entry.damage", DiceField(dice_error_text, tr("ui.editing.damage-hint"))),
            (
                "fatigue",
                "ui.environment-entry.fatigue",
                NumberInput(0, 10, tr("ui.environment-entry.levels"), NONE, zero_is_blank=True),
            ),
            stretch=(3, 2),
        )
        conditions = AfflictionsField(named_choices(catalogue.conditions), catalogue)
        self.add_row(("afflictions", "ui.environment-entry.afflictions", conditions))
        self.add_row(("text", "ui.feature.text", MultiLineTextField(tr("ui.environment-entry.text-hint"))))

    def _pair(self, one: str, other: str, into: QVBoxLayout | None = None) -> None:
        kinds = [(None, tr("ui.environment-entry.no-kind")), *_choices("kind", KINDS)]
        makers: dict[str, tuple[str, Callable[[], ChoiceField]]] = {
            "kind": ("ui.environment-entry.kind", lambda: ChoiceField(kinds)),
            "trigger": ("ui.environment-entry.trigger", lambda: ChoiceField(_choices("trigger", TRIGGERS))),
            "recharge": ("ui.feature.recharge", recharge_field),
            "once": ("ui.environment-entry.once", lambda: ChoiceField(_choices("once", LIMITS))),
        }
        self.add_row(*((name, makers[name][0], makers[name][1]()) for name in (one, other)), target=into)

    # Groups --------------------------------------------------------------------------------------------------

    def _moment(self, column: QVBoxLayout) -> None:
        self._pair(*(FEATURE_FIRST if self._action else ACTION_FIRST), into=column)
        delay = NumberInput(
            0, 99, tr("ui.environment-entry.rounds"), tr("ui.environment-entry.at-once"), zero_is_blank=True
        )
        self.add_row(("delay", "ui.environment-entry.delay", delay), target=column)

    def _check(self, column: QVBoxLayout) -> None:
        self.add_row(
            ("check", "", CheckField(named_choices(self._catalogue.abilities), self._catalogue)), target=column
        )

    def _spared(self, column: QVBoxLayout) -> None:
        self.add_row(
            (
                "spared",
                "ui.environment-entry.spared",
                MultiChoiceField((), self._statements, own_caption=tr("ui.editing.own-fact")),
            ),
            target=column,
        )
        self.add_row(
            (
                "reduced",
                "ui.environment-entry.reduced",
                ChoiceField(load_options=lambda: [("", NONE), *self._statements()]),
            ),
            ("reduced_damage", "ui.environment-entry.reduced-damage", DiceField(dice_error_text, "1d6 cold")),
            target=column,
        )

    def _push(self, column: QVBoxLayout) -> None:
        feet = tr("ui.general.feet")
        self.add_row(
            ("push", "ui.environment-entry.push", NumberInput(0, 500, feet, NONE, zero_is_blank=True)),
            ("teleport", "ui.environment-entry.teleport", NumberInput(0, 500, feet, NONE, zero_is_blank=True)),
            target=column,
        )

    def _spawn(self, column: QVBoxLayout) -> None:
        self.add_row(("spawn", "", SpawnField(self._creatures, self._sides)), target=column)

    def _ground(self, column: QVBoxLayout) -> None:
        self.add_row(
            ("terrain", "ui.environment-entry.terrain", ChoiceField(_choices("terrain", TERRAINS))),
            ("obscured", "ui.environment-entry.obscured", ChoiceField(_choices("obscured", OBSCURED))),
            target=column,
        )
        self.add_row(
            ("redirect", "", CheckBoxField(tr("ui.environment-entry.redirect"))),
            visible_when=lambda entry: bool(entry.terrain or entry.redirect),
            target=column,
        )
        self.add_row(
            ("cover", "ui.environment-entry.cover", ChoiceField(_choices("cover", COVERS))),
            ("cover_when", "ui.environment-entry.cover-when", TextField(tr("ui.environment-entry.cover-when-hint"))),
            target=column,
        )

    def _sound(self, column: QVBoxLayout) -> None:
        kinds = [("", NONE), *named_choices(self._catalogue.damage_types)]
        self.add_row(
            (
                "hearing",
                "ui.environment-entry.hearing",
                NumberInput(0, 999, tr("ui.general.feet"), NONE, zero_is_blank=True),
            ),
            ("sound", "ui.environment-entry.sound", NumberInput(1, 20, tr("ui.environment-entry.times"))),
            target=column,
        )
        self.add_row(("per_die", "ui.environment-entry.per-die", ChoiceField(kinds)), target=column)

    def _thing(self, column: QVBoxLayout) -> None:
        self.add_row(
            ("ac", "ui.environment-entry.ac", NumberInput(0, 40, "", NONE, zero_is_blank=True)),
            ("size", "ui.creature.size", ChoiceField([("", NONE), *named_choices(self._catalogue.sizes)])),
            target=column,
        )
        self.add_row(
            ("cost", "ui.environment-entry.cost", ChoiceField(cost_choices(self._catalogue, tr("ui.check.free")))),
            ("range", "ui.feature.range", TextField("15/30")),
            target=column,
        )
        self.add_row(
            ("reflects", "ui.environment-entry.reflects", NumberInput(0, 9, "", NONE)),
            ("breaks", "", CheckBoxField(tr("ui.environment-entry.breaks"))),
            target=column,
        )

    def _effect(self, column: QVBoxLayout) -> None:
        self.add_row(
            ("edge", "ui.environment-entry.edge", ChoiceField(_choices("edge", EDGES))),
            ("edge_on", "ui.environment-entry.edge-on", ChoiceField(_choices("edge-on", EDGE_ROLLS))),
            target=column,
        )
        limited = [one.id for one in self._catalogue.resources if is_finite(one)]
        priced = [(one.id, one.name) for one in self._catalogue.actions if one.cost in limited]
        self.add_row(
            (
                "dearer",
                "ui.environment-entry.dearer",
                NumberList(priced, 1, lambda _action: 1, tr("ui.environment-entry.dearer-add")),
            ),
            target=column,
        )
        self.add_row(("secret", "", CheckBoxField(tr("ui.environment-entry.secret"))), target=column)

    # Choices -------------------------------------------------------------------------------------------

    def _statements(self) -> Options:
        return exemption_choices(self.binding.value(), self._encounter(), self._catalogue)

    def _creatures(self) -> Options:
        own = {one.id: one.name or one.id for one in self._encounter().all(Creature)}
        shipped = {id: one.name for id, one in self._rules.spawns.items() if id not in own}
        return [*own.items(), *shipped.items()]

    def _sides(self) -> Options:
        found = side_order([*(one.side for one in self._encounter().all(RosterEntry)), "hostile to all"])
        return [(side, side_name(side)) for side in found]


def _choices(group: str, ids: tuple[str, ...]) -> Options:
    return [(id, tr(f"ui.environment-entry.{group}-{id or 'none'}")) for id in ids]
