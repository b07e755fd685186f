"""The form of one row of an environment: what is common stands first, the rest in groups that show when they are used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.encounter.prepared import Creature, Entry, RosterEntry
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.economy import is_counted
from turnwright.rules.system import RuleSystem
from turnwright.ui.docks.editing.compound import FigureList, PicksField
from turnwright.ui.docks.editing.creature_form import named, recharge_field, said_problem
from turnwright.ui.docks.editing.entry_fields import AfflictionsField, CheckField, SaveField, SpawnField, costs
from turnwright.ui.docks.editing.fields import (
    ChoiceField,
    DiceField,
    LongTextField,
    NumberBox,
    Options,
    SwitchField,
    TextField,
)
from turnwright.ui.docks.editing.groups import GroupedForm
from turnwright.ui.docks.editing.statements import statement_options
from turnwright.ui.docks.editing.subjects import Subject
from turnwright.ui.models.naming import side_name, side_order
from turnwright.ui.say import say

KINDS = ("object", "obstacle", "area", "field")
AFFECTS = ("each", "one", "beneath", "actor", "nobody")
TRIGGERS = ("used", "touch", "turn-end", "dash", "falls", "disturbed", "rolled", "spell", "standing")
COVERS = ("", "half", "three-quarters", "total")
OBSCURED = ("", "lightly", "heavily")
TERRAINS = ("", "difficult")
LIMITS = ("", "turn", "encounter")
EDGES = ("", "advantage", "disadvantage")
EDGE_ON = ("", "attack", "melee", "ranged", "save", "check")
BARE = Entry("", "")
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
    """Edits one row: a world action, or a standing feature. `encounter` says what there is to choose from."""

    def __init__(
        self,
        subject: Subject,
        rules: RuleSystem,
        encounter: Callable[[], Encounter],
        parent: QWidget,
        *,
        action: bool,
    ) -> None:
        super().__init__(subject, BARE, parent)
        self._rules = rules
        self._catalogue = rules.catalogue
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
        """Return what a group is called: what is left of the moment goes by what stands first."""
        if id == "moment":
            return say(f"ui.entry.group-moment-{'action' if self._action else 'feature'}")
        return say(f"ui.entry.group-{id}")

    # Common --------------------------------------------------------------------------------------------------

    def _common(self) -> None:
        catalogue = self._catalogue
        self.row(
            ("name", "ui.entry.name", TextField()),
            ("enabled", "", SwitchField(say("ui.entry.enabled"))),
            stretch=(3, 1),
        )
        first = ACTION_FIRST if self._action else FEATURE_FIRST
        self._pair(*first)
        self.row(
            ("affects", "ui.entry.affects", ChoiceField(_choices("affects", AFFECTS))),
            ("within", "ui.entry.within", TextField(say("ui.entry.within-hint"))),
        )
        self.row(("save", "ui.editing.save", SaveField(named(catalogue.abilities))))
        self.row(
            ("damage", "ui.entry.damage", DiceField(said_problem, say("ui.editing.damage-hint"))),
            ("fatigue", "ui.entry.fatigue", NumberBox(0, 10, say("ui.entry.levels"), NONE, zero_is_blank=True)),
            stretch=(3, 2),
        )
        conditions = AfflictionsField(named(catalogue.conditions), catalogue)
        self.row(("afflictions", "ui.entry.afflictions", conditions))
        self.row(("text", "ui.feature.text", LongTextField(say("ui.entry.text-hint"))))

    def _pair(self, one: str, other: str, into: QVBoxLayout | None = None) -> None:
        kinds = [(None, say("ui.entry.no-kind")), *_choices("kind", KINDS)]
        makers: dict[str, tuple[str, Callable[[], ChoiceField]]] = {
            "kind": ("ui.entry.kind", lambda: ChoiceField(kinds)),
            "trigger": ("ui.entry.trigger", lambda: ChoiceField(_choices("trigger", TRIGGERS))),
            "recharge": ("ui.feature.recharge", recharge_field),
            "once": ("ui.entry.once", lambda: ChoiceField(_choices("once", LIMITS))),
        }
        self.row(*((name, makers[name][0], makers[name][1]()) for name in (one, other)), into=into)

    # Groups --------------------------------------------------------------------------------------------------

    def _moment(self, column: QVBoxLayout) -> None:
        self._pair(*(FEATURE_FIRST if self._action else ACTION_FIRST), into=column)
        delay = NumberBox(0, 99, say("ui.entry.rounds"), say("ui.entry.at-once"), zero_is_blank=True)
        self.row(("delay", "ui.entry.delay", delay), into=column)

    def _check(self, column: QVBoxLayout) -> None:
        self.row(("check", "", CheckField(named(self._catalogue.abilities), self._catalogue)), into=column)

    def _spared(self, column: QVBoxLayout) -> None:
        self.row(
            ("spared", "ui.entry.spared", PicksField((), self._statements, own=say("ui.editing.own-statement"))),
            into=column,
        )
        self.row(
            ("reduced", "ui.entry.reduced", ChoiceField(more=lambda: [("", NONE), *self._statements()])),
            ("reduced_damage", "ui.entry.reduced-damage", DiceField(said_problem, "1d6 cold")),
            into=column,
        )

    def _push(self, column: QVBoxLayout) -> None:
        feet = say("ui.general.feet")
        self.row(
            ("push", "ui.entry.push", NumberBox(0, 500, feet, NONE, zero_is_blank=True)),
            ("teleport", "ui.entry.teleport", NumberBox(0, 500, feet, NONE, zero_is_blank=True)),
            into=column,
        )

    def _spawn(self, column: QVBoxLayout) -> None:
        self.row(("spawn", "", SpawnField(self._creatures, self._sides)), into=column)

    def _ground(self, column: QVBoxLayout) -> None:
        self.row(
            ("terrain", "ui.entry.terrain", ChoiceField(_choices("terrain", TERRAINS))),
            ("obscured", "ui.entry.obscured", ChoiceField(_choices("obscured", OBSCURED))),
            into=column,
        )
        self.row(
            ("redirect", "", SwitchField(say("ui.entry.redirect"))),
            when=lambda entry: bool(entry.terrain or entry.redirect),
            into=column,
        )
        self.row(
            ("cover", "ui.entry.cover", ChoiceField(_choices("cover", COVERS))),
            ("cover_when", "ui.entry.cover-when", TextField(say("ui.entry.cover-when-hint"))),
            into=column,
        )

    def _sound(self, column: QVBoxLayout) -> None:
        kinds = [("", NONE), *named(self._catalogue.damage_types)]
        self.row(
            ("hearing", "ui.entry.hearing", NumberBox(0, 999, say("ui.general.feet"), NONE, zero_is_blank=True)),
            ("sound", "ui.entry.sound", NumberBox(1, 20, say("ui.entry.times"))),
            into=column,
        )
        self.row(("per_die", "ui.entry.per-die", ChoiceField(kinds)), into=column)

    def _thing(self, column: QVBoxLayout) -> None:
        self.row(
            ("ac", "ui.entry.ac", NumberBox(0, 40, "", NONE, zero_is_blank=True)),
            ("size", "ui.creature.size", ChoiceField([("", NONE), *named(self._catalogue.sizes)])),
            into=column,
        )
        self.row(
            ("cost", "ui.entry.cost", ChoiceField(costs(self._catalogue, say("ui.check.free")))),
            ("range", "ui.feature.range", TextField("15/30")),
            into=column,
        )
        self.row(
            ("reflects", "ui.entry.reflects", NumberBox(0, 9, "", NONE)),
            ("breaks", "", SwitchField(say("ui.entry.breaks"))),
            into=column,
        )

    def _effect(self, column: QVBoxLayout) -> None:
        self.row(
            ("edge", "ui.entry.edge", ChoiceField(_choices("edge", EDGES))),
            ("edge_on", "ui.entry.edge-on", ChoiceField(_choices("edge-on", EDGE_ON))),
            into=column,
        )
        limited = [one.id for one in self._catalogue.resources if is_counted(one)]
        priced = [(one.id, one.name) for one in self._catalogue.actions if one.cost in limited]
        self.row(
            ("dearer", "ui.entry.dearer", FigureList(priced, 1, lambda _action: 1, say("ui.entry.dearer-add"))),
            into=column,
        )
        self.row(("secret", "", SwitchField(say("ui.entry.secret"))), into=column)

    # What there is -------------------------------------------------------------------------------------------

    def _statements(self) -> Options:
        return statement_options(self.subject.value(), self._encounter(), self._catalogue)

    def _creatures(self) -> Options:
        own = {one.id: one.name or one.id for one in self._encounter().all(Creature)}
        shipped = {id: one.name for id, one in self._rules.spawns.items() if id not in own}
        return [*own.items(), *shipped.items()]

    def _sides(self) -> Options:
        found = side_order([*(one.side for one in self._encounter().all(RosterEntry)), "hostile to all"])
        return [(side, side_name(side)) for side in found]


def _choices(group: str, ids: tuple[str, ...]) -> Options:
    return [(id, say(f"ui.entry.{group}-{id or 'none'}")) for id in ids]
