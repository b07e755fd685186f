"""The form of one row of an environment: what is common stands first, the rest in groups that show when they are used.

A group comes from the menu below the form, or by itself where the row has something in it; leaving it out empties it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

import msgspec
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QMenu, QScrollArea, QVBoxLayout, QWidget

from turnwright.encounter.prepared import Creature, Entry, RosterEntry
from turnwright.encounter.state import Encounter
from turnwright.rules.system import RuleSystem
from turnwright.ui.docks.editing.compound import PicksField
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
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.editing.statements import statement_options
from turnwright.ui.docks.editing.subjects import Subject
from turnwright.ui.fonts import GAP, px
from turnwright.ui.models.naming import side_name, side_order
from turnwright.ui.say import say
from turnwright.ui.widgets.cards import Rule
from turnwright.ui.widgets.text import plain_label, push_button, tool_button

KINDS = ("object", "obstacle", "area", "field")
AFFECTS = ("each", "one", "beneath", "actor", "nobody")
TRIGGERS = ("used", "touch", "turn-end", "dash", "falls", "disturbed", "rolled", "spell", "standing")
COVERS = ("", "half", "three-quarters", "total")
OBSCURED = ("", "lightly", "heavily")
TERRAINS = ("", "difficult")
LIMITS = ("", "turn", "encounter")
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
    "thing": ("ac", "size", "cost", "range", "reflects", "breaks"),
})  # fmt: skip
ACTION_FIRST = ("recharge", "once")
FEATURE_FIRST = ("kind", "trigger")


class EntryForm(Form):
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
        super().__init__(subject, parent)
        self._rules = rules
        self._catalogue = rules.catalogue
        self._encounter = encounter
        self._action = action
        self._open: set[str] = set()
        self._identity = ""
        self._holders: dict[str, QWidget] = {}
        self._common()
        for id in GROUPS:
            self._holders[id] = QWidget(self)
            self._holders[id].hide()
            self.column.addWidget(self._holders[id])
        self.more = push_button(say("ui.entry.more"), lambda: None, "quiet", "plus")
        self.menu = QMenu(self.more)
        self.menu.aboutToShow.connect(self._fill)
        self.more.setMenu(self.menu)
        foot = QHBoxLayout()
        foot.addWidget(self.more)
        foot.addStretch(1)
        self.column.addLayout(foot)

    def refresh(self) -> None:
        """Show the row as it now stands; a group that was opened stays until another row is shown."""
        entry = self.subject.value()
        if self.subject.identity != self._identity:
            self._identity = self.subject.identity
            self._open.clear()
        if entry is not None:
            self._open |= {id for id in GROUPS if self._is_used(id, entry)}
        for id, holder in self._holders.items():
            if id in self._open and holder.layout() is None:
                self._build(id, holder)
            holder.setVisible(id in self._open)
        self.more.setVisible(len(self._open) < len(GROUPS))
        super().refresh()

    def groups(self) -> tuple[str, ...]:
        """Return the groups that stand in the form now."""
        return tuple(id for id in GROUPS if id in self._open)

    def open_group(self, id: str) -> None:
        """Put a group into the form and the cursor into it."""
        self._open.add(id)
        self.refresh()
        self.fields[self._names(id)[0]].setFocus()
        QTimer.singleShot(0, self, partial(self._bring_into_sight, self._holders[id]))

    def leave_out(self, id: str) -> None:
        """Empty everything in a group and take it out of the form."""
        entry = self.subject.value()
        self.subject.settle()
        self._open.discard(id)
        if entry is not None:
            self.subject.put(msgspec.structs.replace(entry, **{n: getattr(BARE, n) for n in self._names(id)}), "")
        self.refresh()
        self.more.setFocus()

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

    def _build(self, id: str, holder: QWidget) -> None:
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(GAP))
        column.addWidget(Rule(holder))
        head = QHBoxLayout()
        title = self._title(id)
        head.addWidget(plain_label(title, "strong"), 1)
        head.addWidget(tool_button("close", say("ui.entry.leave-out", what=title), lambda: self.leave_out(id)))
        column.addLayout(head)
        builders: dict[str, Callable[[QVBoxLayout], None]] = {
            "moment": self._moment,
            "check": self._check,
            "spared": self._spared,
            "push": self._push,
            "spawn": self._spawn,
            "ground": self._ground,
            "sound": self._sound,
            "thing": self._thing,
        }
        builders[id](column)

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

    # What there is -------------------------------------------------------------------------------------------

    def _names(self, id: str) -> tuple[str, ...]:
        first = ACTION_FIRST if self._action else FEATURE_FIRST
        return tuple(name for name in GROUPS[id] if name not in first)

    def _is_used(self, id: str, entry: Entry) -> bool:
        return any(getattr(entry, name) != getattr(BARE, name) for name in self._names(id))

    def _title(self, id: str) -> str:
        if id == "moment":
            return say(f"ui.entry.group-moment-{'action' if self._action else 'feature'}")
        return say(f"ui.entry.group-{id}")

    def _fill(self) -> None:
        self.menu.clear()
        for id in GROUPS:
            if id not in self._open:
                self.menu.addAction(self._title(id), partial(self.open_group, id))

    def _bring_into_sight(self, holder: QWidget) -> None:
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None:
            area.ensureWidgetVisible(holder, 0, px(GAP))

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
