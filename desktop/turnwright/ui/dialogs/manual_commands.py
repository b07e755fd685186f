"""The forms of manual commands: the fields that each form shows, and their initial values.

A command that declares a form (`@command(manual=…)`) gets one with all its fields. The other forms are in `[manual]` of
window.toml, with the fields that they show. Their initial values and options are here. The dialog has the form,
objections of the rules, and one button that executes the command.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton, QWidget

from turnwright.encounter.field_specs import spec_of, specs_of
from turnwright.encounter.prepared import Countdown, Environment, Feature, RosterEntry
from turnwright.encounter.roles import is_character
from turnwright.encounter.running import Combatant, CountdownPool, Duration, Effect, ShapeChange, Slot
from turnwright.encounter.state import clock_of, entry_name, wave_name
from turnwright.play.attacks.group_attack import SwitchFeature
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.effects.conditions import ApplyCondition, SetEffectNote
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.kernel.transaction import Command
from turnwright.play.registry import command_types
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.table.game_master import AddReminder
from turnwright.rules.parts.actions.condition_words import known_effects, offered_conditions
from turnwright.rules.parts.combatants.facts import switched_off
from turnwright.rules.system import creature_of
from turnwright.ui.forms.choices import CHOSEN_KINDS, choices, named_choices
from turnwright.ui.forms.encounter_layouts import REMINDER as REMINDER_FORM
from turnwright.ui.forms.fields import ChoiceField, Field, Options, PickField, TextField
from turnwright.ui.forms.form import Form, FormLayout, Row, bare_struct, shown_if
from turnwright.ui.forms.kinds import MAKERS, NONE, FieldMaker, FieldRequest, FormContext, choice, number
from turnwright.ui.forms.record_fields import CommandDraft, RuleCheck, record, rule_check, show_reason
from turnwright.ui.look.style import scaled, tr
from turnwright.ui.look.window_data import window_data
from turnwright.ui.models.row_list_model import pending_waves
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.text import plain_label, push_button

TURNS = ("turn-start", "turn-end")
OVER = ("expired", "stopped")

Begin = Callable[[DocumentModel, Any], Mapping[str, Any]]
ManualOptions = Callable[[DocumentModel, Any], Options]


@dataclass(frozen=True)
class ManualCommand:
    """A command of the *Combatants* menu. The texts are `ui.manual.<id>`, `<id>-lead` and, for the button, `<id>-do`.

    - `names`: the fields to show; `fixed`: preset values.
    - `begin` returns the initial values of fields. Entered values are discarded when the `subject` field changes.
    - `options`: choices of a field that replace the default ones; `only`: conditions for showing a field.
    - `free`: fields with choices that also take other text.
    - `settle` corrects the entered values.
    - `instead`: a window action that the dialog offers as an alternative, with the button `<id>-instead`.
    """

    id: str
    command: type[Command]
    names: str
    fixed: Mapping[str, Any] = field(default_factory=dict)
    begin: Begin = lambda _document, _value: {}
    subject: str = ""
    options: Mapping[str, ManualOptions] = field(default_factory=dict)
    fields: Mapping[str, FieldMaker] = field(default_factory=dict)
    only: Mapping[str, Callable[[Any, FormContext], object]] = field(default_factory=dict)
    free: Collection[str] = ()
    settle: Callable[[DocumentModel, Any], Any] = lambda _document, value: value
    instead: str = ""

    def layout(self, document: DocumentModel) -> FormLayout:
        """Return the form's layout."""
        rows = (Row((name,), shown_when=self.only.get(name), captions=name != "ends") for name in self.names.split())
        dice = (spec.name for spec in specs_of(self.command) if spec.kind == "dice")
        texts = dict.fromkeys(dice, MAKERS["text"])  # mistakes are explained by the refusal
        makers = {name: _chooser(document, load, is_free=name in self.free) for name, load in self.options.items()}
        return FormLayout(
            self.command, tuple(rows), words="ui.manual-field", fields={**texts, **self.fields, **makers}, beside=True
        )

    def draft(self, document: DocumentModel) -> CommandDraft:
        """Return a new draft of the command."""
        bare = msgspec.structs.replace(bare_struct(self.command), **self.fixed)
        return CommandDraft(bare, lambda value, entered: self._fill(document, value, entered), self.subject)

    def is_complete(self, value: Command) -> bool:
        """Whether all required fields of a command are filled in."""
        needed = (spec.name for spec in specs_of(self.command) if spec.required)
        return all(getattr(value, name) not in ("", (), 0) for name in needed)

    def _fill(self, document: DocumentModel, value: Any, entered: Collection[str]) -> Any:
        """Return the command without choices that no longer exist, and with initial values in fields left unchanged."""
        usual = default_combatant(document)
        for name in self.names.split():
            spec, entered_value = spec_of(self.command, name), getattr(value, name)
            own_options = self.options.get(name)
            if not spec.required or (spec.kind not in CHOSEN_KINDS and own_options is None):
                continue
            options = (
                own_options(document, value)
                if own_options
                else choices(spec, document.rules, document.encounter, value)
            )
            ids = [id for id, _ in options]
            if spec.kind == "combatants":
                entered_value = entered_value if name in entered else document.selected_combatants or (usual,)
                value = msgspec.structs.replace(value, **{name: tuple(id for id in entered_value if id in ids)})
            elif entered_value not in ids and not (name in self.free and name in entered):
                first = usual if spec.kind == "combatant" and usual in ids else next(iter(ids), "")
                value = msgspec.structs.replace(value, **{name: first})
        initial = {name: new for name, new in self.begin(document, value).items() if name not in entered}
        return self.settle(document, msgspec.structs.replace(value, **initial))


def default_combatant(document: DocumentModel) -> str:
    """Return the selected combatant, or else the active one, or an empty string if there is none."""
    key, encounter = document.selection, document.encounter
    if key is not None and key[0] == Combatant.table and encounter.get(Combatant, key[1]):
        return key[1]
    now = clock_of(encounter)
    active = encounter.get(Slot, now.active) if now.active else None
    return next((who for who in active.members if encounter.get(Combatant, who)), "") if active else ""


def _chooser(document: DocumentModel, load: ManualOptions, *, is_free: bool) -> FieldMaker:
    return lambda request: choice(request, load_options=lambda: load(document, request.binding.value()), free=is_free)


# Initial values ---------------------------------------------------------------------------------------------------


def _hit_points(document: DocumentModel, value: SetHitPoints) -> Mapping[str, Any]:
    combatant = document.encounter.get(Combatant, value.who)
    if combatant is None:
        return {}
    most = combatant.hp_base or combatant.hp_max  # an entered maximum is the one without effects
    return {"hp": combatant.hp, "hp_max": most, "temp_hp": combatant.temp_hp}


def _place(document: DocumentModel, value: SetPosition) -> Mapping[str, Any]:
    combatant = document.encounter.get(Combatant, value.who)
    return {"place": combatant.place, "elevation": combatant.elevation} if combatant is not None else {"place": ""}


def _note(document: DocumentModel, value: SetEffectNote) -> Mapping[str, Any]:
    effect = document.encounter.get(Effect, value.effect)
    return {"text": effect.note} if effect is not None else {}


def _with_someone_s_turn(document: DocumentModel, value: ApplyCondition) -> ApplyCondition:
    """Return the command with the turn at which the condition ends, by default that of the first target."""
    if value.ends.moment not in TURNS or value.ends.who:
        return value
    who = next(iter((*value.targets, *document.encounter.ids(Combatant))), "")
    return msgspec.structs.replace(value, ends=msgspec.structs.replace(value.ends, who=who))


def _with_what_is_there(document: DocumentModel, value: AddReminder) -> AddReminder:
    """Return the reminder with the first countdown or wave, if it needs one and none was chosen."""
    encounter = document.encounter
    if value.at == "countdown" and not value.countdown:
        return msgspec.structs.replace(value, countdown=next(iter(encounter.ids(Countdown)), ""))
    if value.at == "wave" and not value.wave:
        return msgspec.structs.replace(value, wave=next(iter(dict(pending_waves(encounter))), ""))
    return value


def _has_levels(value: ApplyCondition, context: FormContext) -> bool:
    condition = context.rules.conditions.get(value.condition)
    return condition is not None and condition.has_levels


def _switch(document: DocumentModel, value: SwitchFeature) -> Mapping[str, Any]:
    return {"off": value.feature not in switched_off(document.encounter, value.who)}


# Choices ----------------------------------------------------------------------------------------------------------


def _with_features(document: DocumentModel, _value: object) -> Options:
    return [(one.id, one.label) for one in document.encounter.all(Combatant) if _playing(document, one.id)]


def _playing(document: DocumentModel, who: str) -> list[Feature]:
    """Return a combatant's automatic features."""
    combatant = document.encounter.get(Combatant, who)
    features = creature_of(document.encounter, combatant).features if combatant is not None else ()
    return [feature for feature in features if feature.trigger or feature.rules]


def _playing_features(document: DocumentModel, value: SwitchFeature) -> Options:
    """Return a combatant's automatic features as options, starting with those that are disabled."""
    off = switched_off(document.encounter, value.who)
    features = sorted(_playing(document, value.who), key=lambda feature: feature.id not in off)
    return [(one.id, tr("ui.manual.feature-off", name=one.name) if one.id in off else one.name) for one in features]


def _conditions(document: DocumentModel, _value: object) -> Options:
    known = known_effects(document.encounter, document.rules)
    return [*named_choices(offered_conditions(document.rules.data)), *((effect.name, effect.name) for effect in known)]


def _external_conditions(document: DocumentModel, _value: object) -> Options:
    return named_choices(condition for condition in offered_conditions(document.rules.data) if condition.external)


def _dead(document: DocumentModel, _value: object) -> Options:
    return [(combatant.id, combatant.label) for combatant in document.encounter.all(Combatant) if combatant.dead]


def _in_shape(document: DocumentModel, _value: object) -> Options:
    combatants = (document.encounter.get(Combatant, change.id) for change in document.encounter.all(ShapeChange))
    return [(combatant.id, combatant.label) for combatant in combatants if combatant is not None]


def _effects(document: DocumentModel, _value: object) -> Options:
    """Return the visible effects as options, starting with those on the default combatant."""
    encounter, usual = document.encounter, default_combatant(document)
    effects = sorted(
        (effect for effect in encounter.all(Effect) if effect.shown and effect.target),
        key=lambda effect: effect.target != usual,
    )
    names = {effect.id: document.phrasebook.expand_keys(f"<condition.{effect.name}>") for effect in effects}
    return [(effect.id, f"{encounter.need(Combatant, effect.target).label}: {names[effect.id]}") for effect in effects]


def _reinforcements(document: DocumentModel, _value: object) -> Options:
    """Return roster entries as options, waves first. Player characters that are in the fight are excluded."""
    encounter, picks = document.encounter, list[tuple[str, str]]()
    present = {combatant.roster for combatant in encounter.all(Combatant)}
    entries = (one for one in encounter.all(RosterEntry) if not (one.id in present and is_character(encounter, one)))
    for entry in sorted(entries, key=lambda entry: not entry.wave):
        name = f"{entry.count} × {entry_name(encounter, entry)}"
        picks.append((entry.id, f"{wave_name(entry.wave)}: {name}" if entry.wave else name))
    return picks


def _idle(document: DocumentModel, _value: object) -> Options:
    status = {pool.id: pool.status for pool in document.encounter.all(CountdownPool)}
    return named_choices(one for one in document.encounter.all(Countdown) if status.get(one.id) != "running")


def _running(document: DocumentModel, _value: object) -> Options:
    encounter = document.encounter
    pools = [pool for pool in encounter.all(CountdownPool) if pool.status not in OVER]
    return [(pool.id, encounter.need(Countdown, pool.countdown).name) for pool in pools]


def _entries(document: DocumentModel, value: UseEntry) -> Options:
    environment = document.encounter.get(Environment, value.environment)
    entries = (*environment.actions, *environment.features) if environment is not None else ()
    return named_choices(entry for entry in entries if entry.enabled)


def _combatant(request: FieldRequest) -> Field:
    who = spec_of(Concentrate, "who")
    return ChoiceField(load_options=lambda: choices(who, request.context.rules, request.context.encounter(), None))


DURATION = FormLayout(
    Duration,
    (Row(("moment",)), Row(("who", "skip"), shown_when=lambda ends, _context: ends.moment in TURNS)),
    fields={"who": _combatant},
    beside=True,
)
REMINDER_PARTS = {name: row.shown_when for row in REMINDER_FORM.rows if row.shown_when for name in row.names}
NUMBERS = dict.fromkeys(("hp", "hp_max", "temp_hp", "elevation"), lambda request: number(request, blank=""))
NOTE = {"text": lambda request: TextField(request.words("hint"))}
# The functions of the forms in `[manual]` of window.toml.
FUNCTIONS: Mapping[str, Mapping[str, Any]] = {
    "hit-points": {"begin": _hit_points, "fields": NUMBERS},
    "damage": {"only": dict.fromkeys(("by", "critical"), shown_if("attack"))},
    "condition": {
        "options": {"condition": _conditions},
        "fields": {"ends": record(DURATION)},
        "only": {"value": _has_levels, "rounds": lambda value, _context: value.ends.moment == "never"},
        "settle": _with_someone_s_turn,
    },
    "usual-effects": {"options": {"condition": _external_conditions}},
    "reminder": {"begin": _note, "options": {"effect": _effects}, "fields": NOTE},
    "add-reminder": {"fields": NOTE, "only": REMINDER_PARTS, "settle": _with_what_is_there},
    "revive": {"options": {"who": _dead}},
    "revert-shape": {"options": {"who": _in_shape}},
    "place": {"begin": _place, "fields": NUMBERS},
    "feature": {"begin": _switch, "options": {"who": _with_features, "feature": _playing_features}},
    "missing-stat": {"fields": {"value": lambda request: number(request, blank=NONE)}},
    "bring-in": {"options": {"roster": _reinforcements}},
    "trigger-environment": {"options": {"entry": _entries}},
    "pool-start": {"options": {"countdown": _idle}},
    "pool-dice": {"options": {"pool": _running}},
}


@cache
def manual_commands() -> Mapping[str, ManualCommand]:
    """Return all manual commands by id."""
    kinds, forms = command_types(), window_data("manual", dict[str, dict[str, Any]])
    special = {
        id: ManualCommand(id, kinds[form.pop("command")], **form, **FUNCTIONS.get(id, {})) for id, form in forms.items()
    }
    derived = {kind.__command__.manual: kind for kind in kinds.values() if kind.__command__.manual}
    return {**special, **{id: ManualCommand(id, kind, _shown(kind)) for id, kind in derived.items()}}


def _shown(kind: type[Command]) -> str:
    """Return the names of all fields that a form can show, separated by spaces."""
    return " ".join(spec.name for spec in specs_of(kind) if spec.kind in MAKERS)


WIDTH = 520


class ManualCommandDialog(StandardDialog):
    """The dialog of one manual command. Enter executes it, and Esc closes the dialog.

    A refusal by the rules appears above the buttons.
    """

    def __init__(self, document: DocumentModel, manual: ManualCommand, parent: QWidget | None = None) -> None:
        super().__init__(tr(f"ui.manual.{manual.id}"), parent, tr(f"ui.manual.{manual.id}-lead"))
        self._document = document
        self._manual = manual
        self._draft = manual.draft(document)
        self._draft.changed = self.refresh
        self._check = RuleCheck()
        self.form = Form(manual.layout(document), self._draft, FormContext.of(document), self)
        self.column.addWidget(self.form)
        self.against = plain_label("", "caption", "muted", wraps=True)
        self.column.addWidget(self.against)
        self.button = self.add_answer("", self.submit, "check-bold", *self._instead())
        self.setFixedWidth(scaled(WIDTH))
        self.refresh()
        self._document.changed.connect(self.refresh)
        self._document.documentChanged.connect(self.reject)
        first = next(iter(self.form.fields.values()))
        first.take_focus() if isinstance(first, PickField) else first.setFocus()

    def _instead(self) -> Iterator[QPushButton]:
        """Yield the button of the window action that is an alternative to the form, if there is one."""
        parent = self.parentWidget()
        action = parent.findChild(QAction, self._manual.instead) if parent and self._manual.instead else None
        if action is not None:
            button = push_button(tr(f"ui.manual.{self._manual.id}-instead"), self.reject, "quiet", "playlist-plus")
            button.clicked.connect(action.trigger)
            yield button

    def command(self) -> Command:
        """Return the command with the entered values. Hidden fields have default values."""
        command: Command = self.form.entered()
        return command

    def field(self, name: str) -> Field:
        """Return a field by name. Raise KeyError if the form doesn't have it."""
        return self.form.fields[name]

    def submit(self) -> None:
        """Execute the command and close the dialog. Rules are overridden if possible."""
        command = self.command()
        if self._manual.is_complete(command) and self._document.execute(
            command, override=self._check.can_be_overridden
        ):
            self.accept()

    def refresh(self, *_: object) -> None:
        """Update the fields and the objections of the rules."""
        self.form.refresh()
        command = self.command()
        complete = self._manual.is_complete(command)
        self._check = check = rule_check(self._document, command) if complete else RuleCheck()
        reason = check.text if complete else tr("ui.manual.missing")
        show_reason(self.against, reason, check.tone if complete else "muted")
        self.against.setVisible(bool(reason))
        can_override = check.can_be_overridden
        self.button.setText(tr("ui.refused.anyway") if can_override else tr(f"ui.manual.{self._manual.id}-do"))
        self.button.setEnabled(complete and (not check.refused or can_override))
        self._fit()

    def _fit(self) -> None:
        """Adjust the height of the dialog to its fields."""
        if (layout := self.layout()) is not None:
            layout.activate()
            self.setMinimumHeight(0)
            self.resize(self.width(), layout.totalHeightForWidth(scaled(WIDTH)))
