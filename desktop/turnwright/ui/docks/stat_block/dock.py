"""The stat block of the selected or acting combatant, or the environments during the world's turn.

Rolls are clickable, tracks such as fatigue can be changed, and saves are explained.
"""

from functools import partial

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from turnwright.dice.expression import RollSpec
from turnwright.encounter.portraits import portrait_of
from turnwright.encounter.prepared import Creature, Environment, EnvironmentEntry, RosterEntry
from turnwright.encounter.running import Combatant, Effect, Track, track_id
from turnwright.encounter.state import Key, clock_of, effect_value
from turnwright.play.damage.manual_hit_points import SetTrack
from turnwright.play.queries.queries import active_combatants, effects_of, fallen_in_plan
from turnwright.play.table.game_master import SetPlan
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.combatants.facts import switched_off
from turnwright.rules.parts.economy.limited_uses import all_uses, uses_at_head
from turnwright.rules.parts.environment.entries import entry_state
from turnwright.rules.parts.stat_block.sections import has_abilities
from turnwright.rules.system import creature_of
from turnwright.rules.system_data.roles import ConditionRole
from turnwright.rules.word_keys import signed_text
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.shared.use_boxes import UseBoxes
from turnwright.ui.docks.shared.why_fight import explain_level
from turnwright.ui.docks.shared.why_prepared import environment_entry_lines
from turnwright.ui.docks.shared.why_stat_block import explain_stat, explain_uses
from turnwright.ui.docks.turn_order.foot import is_world_step
from turnwright.ui.look import style
from turnwright.ui.look.style import escaped_tooltip
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets import layout
from turnwright.ui.widgets.fields import KeyButton, NumberField
from turnwright.ui.widgets.records.stat_block import StatBlockView
from turnwright.ui.widgets.rules.why import Explanation, WhyLabel, WhyPopup
from turnwright.ui.widgets.text import name_and_tip, named, plain_label, set_style
from turnwright.ui.widgets.text_writer import TextPage, TextWriter


class WorldText(TextPage):
    """Shows the environments' features and world actions with their rolls and numbers."""

    def __init__(self, document: DocumentModel) -> None:
        super().__init__()
        self._document = document
        self.setAccessibleName(style.tr("ui.stat-block.world"))
        style.theme_source().changed.connect(self.refresh)

    def refresh(self) -> bool:
        """Rewrite the text from the current environments. Return False if there are none."""
        environments = list(self._document.encounter.all(Environment))
        scroll_position = self.verticalScrollBar().value()
        writer = _Writer(self.begin(), self._document)
        for environment in environments:
            writer.write(environment)
        self.moveCursor(QTextCursor.MoveOperation.Start)  # writing has moved the cursor to the end
        self.verticalScrollBar().setValue(scroll_position if self.isVisible() else 0)
        return bool(environments)


class _Writer(TextWriter):
    """Writes environments at a cursor."""

    def __init__(self, cursor: QTextCursor, document: DocumentModel) -> None:
        super().__init__(cursor, style.current_theme())
        self._document = document
        self._explain = explainer(document)

    def write(self, environment: Environment) -> None:
        self._passage(8 if self._begun else 0, 4, environment.name, "number", "world", bold=True)
        if environment.description:
            self._passage(0, 8, environment.description, "body", "muted", italic=True)
        for entry in environment.features:
            self._entry(entry, "")
        for entry in environment.actions:
            ready = entry_state(self._document.encounter, environment.id, entry.id).ready
            self._entry(entry, style.tr("ui.turn-order.ready" if ready else "ui.turn-order.spent"))

    def _entry(self, entry: EnvironmentEntry, state: str) -> None:
        if not entry.enabled:
            return
        self._passage(0, 8, f"{entry.name}. ", "body", "text", bold=True)
        lines = environment_entry_lines(self._explain, entry)
        numbers = [f"{line.value} {line.reason}".removeprefix("· ") for line in lines]
        summary = ", ".join(part for part in (state, entry.within, *numbers) if part)
        self._text(f"{summary}. " if summary else "", "body", "world")
        self._text(entry.text, "body", "text")


MAX_LEVELS = 7
LEVELS: tuple[ConditionRole, ...] = ("fatigue", "strife")
"""The roles of conditions whose levels the panel shows."""


class StatusStrip(QWidget):
    """The state of a combatant above its stat block: name, levels, conditions, uses and save bonuses.

    Emits `pinRequested` when the user pins or unpins the stat block.
    """

    pinRequested = Signal()

    def __init__(self, document: DocumentModel) -> None:
        super().__init__()
        self._document = document
        self._who = ""
        self.label = layout.ElidedLabel(role="strong", smaller="body")
        self.pin_button = KeyButton("", self.pinRequested.emit, "P", "quiet")
        self.pin_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._tracks = layout.FlowRow(roomy=True)
        self.fields: dict[ConditionRole, NumberField] = {}  # by the role of their condition
        self._captions: dict[str, QLabel] = {}
        for name in LEVELS:
            self._captions[name] = plain_label(document.words(f"ui.stat-block.{name}"), tone="muted")
            field = named(NumberField(0, MAX_LEVELS), document.words(f"ui.stat-block.{name}"))
            field.valueEdited.connect(partial(self._set_level, name))
            self.fields[name] = field
            pair = QWidget()
            layout.fill(layout.horizontal(pair, spacing=style.GAP), self._captions[name], field)
            self._tracks.add(pair)
        self.use_boxes = UseBoxes()
        self.use_boxes.changeRequested.connect(self._set_track)
        self._saves = layout.FlowRow(gap=style.SPACE)
        self.saves: dict[str, WhyLabel] = {}
        self.effects: QLabel = plain_label("", "caption", "warn", wraps=True)
        column = layout.vertical(self, spacing=6, margins=(12, style.GAP, 12, style.GAP))
        head = layout.fill(layout.horizontal(), (self.label, 1), self.pin_button)
        layout.fill(column, head, self._tracks, self.use_boxes, self._saves, self.effects, layout.HorizontalLine())

    def show_combatant(self, combatant: Combatant, *, pinned: bool = False) -> None:
        """Show a combatant's current state, and whether its stat block is pinned."""
        self._who = combatant.id
        self.label.setText(combatant.label)
        self.pin_button.set_icon("lock" if pinned else "lock-open-variant-outline")
        tip = style.tr("ui.stat-block.unpin" if pinned else "ui.stat-block.pin", who=combatant.label)
        name_and_tip(self.pin_button, tip)
        for name, field in self.fields.items():
            field.set_number(self._level(name))
            for part in (field, self._captions[name]):
                part.setVisible(self._document.rules.role(name) in self._document.rules.conditions)
        creature = creature_of(self._document.encounter, combatant)
        is_creature = has_abilities(creature)
        self._tracks.setVisible(
            is_creature and any(self._document.rules.role(name) in self._document.rules.conditions for name in LEVELS)
        )
        self._saves.setVisible(is_creature)
        encounter, points = self._document.encounter, self._document.rules.resources
        own = [track for track in encounter.of(Track, combatant.id) if track.name in points and track.maximum]
        own = [track for track in own if points[track.name].characters is not None]
        tracks = [*uses_at_head(encounter, combatant.id), *own]
        self.use_boxes.show_uses(creature, tracks, {track.name: points[track.name].name for track in own})
        self._show_saves(combatant.id)
        explain = explainer(self._document)
        effects = effects_of(self._document.encounter, combatant.id)
        names = [f"{explain.name(f'<condition.{effect.name}>')}{self._value(effect)}" for effect in effects]
        self.effects.setText(", ".join(names))
        self.effects.setVisible(bool(names))

    def _value(self, effect: Effect) -> str:
        """Return the value of a condition, or an empty string if it has none."""
        condition = self._document.rules.conditions.get(effect.name)
        return f" {effect.value}" if condition is not None and condition.valued and effect.value else ""

    def _show_saves(self, who: str) -> None:
        rules, explain = self._document.rules, explainer(self._document)
        abilities = {ability.id: ability.short for ability in rules.data.abilities}
        save_names = dict(rules.data.presentation.saves) or abilities
        if list(save_names) != list(self.saves):
            self._saves.clear()
            self.saves = {id: WhyLabel() for id in save_names}
            title = plain_label(self._document.words("ui.stat-block.saves"), tone="muted")
            layout.fill(self._saves, title, *self.saves.values())
        for id, label in self.saves.items():
            spec = save_roll(self._document.encounter, rules, who, id)
            total = sum(part.value for part in spec.modifiers)
            label.set_text(f"{save_names[id]} {signed_text(total)}{_edge_mark(spec)}")
            label.set_why(partial(self._explain_save, spec, explain.name(f"<save.{id}>")))

    def _explain_save(self, spec: RollSpec, title: str) -> Explanation:
        explain = explainer(self._document)
        return explain.explain_roll_spec(spec, title, rule=explain.rule_on_topic("external.ability-proficiency"))

    def _level(self, role: ConditionRole) -> int:
        return effect_value(self._document.encounter, self._who, self._document.rules.role(role))

    def _set_level(self, role: ConditionRole, value: object) -> None:
        if isinstance(value, int) and value != self._level(role):
            self._document.execute(SetTrack(self._who, self._document.rules.role(role), value))

    def _set_track(self, name: str, value: object) -> None:
        track = self._document.encounter.get(Track, track_id(self._who, name))
        if isinstance(value, int) and (track is None or value != track.value):
            self._document.execute(SetTrack(self._who, name, value))


def _edge_mark(spec: RollSpec) -> str:
    kinds = {edge.kind for edge in spec.edges}
    return "" if len(kinds) != 1 else " ▲" if "advantage" in kinds else " ▼"


class StatBlockDock(Dock):
    """The stat block panel, which follows the turn. Emits `homeRequested` when the focus should leave it.

    Emits `rollClicked(expression, label, who, weapon)` when the user clicks a roll. `who` is the combatant shown and
    `weapon` the feature that the roll belongs to; each is an empty string if there is none.
    """

    name = "stat-block"
    rollClicked = Signal(str, str, str, str)
    has_home = True

    def __init__(self, document: DocumentModel, theme: style.ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.empty = layout.EmptyState("card-account-details-outline", document.words("ui.stat-block.empty"))
        self.strip = StatusStrip(document)
        self.view = StatBlockView()
        self.view.rollClicked.connect(self._on_roll)
        self.notes = named(QLineEdit(placeholderText=document.words("ui.turn.plan")), document.words("ui.turn.plan"))
        self.notes.editingFinished.connect(self._note)
        self.notes.returnPressed.connect(self.homeRequested)
        self._foot = QWidget()
        layout.horizontal(self._foot, margins=(12, style.GAP, 12, style.GAP)).addWidget(self.notes)
        full = QWidget()
        layout.fill(layout.vertical(full, spacing=0), self.strip, (self.view, 1), self._foot)
        self.world = WorldText(document)
        self._pinned = ""
        self._noted = ""  # the combatant whose notes are in the field
        clock = clock_of(document.encounter)
        self._turn = (clock.round, clock.active)
        self._before: Key | None = None  # the selection before this turn, which is no longer shown
        self.strip.pinRequested.connect(self.toggle_pin)
        self._popup = WhyPopup(self)
        self.set_pages(self.empty, full, self.world)
        document.follow(self._refresh, replaced=self._start_over)
        document.selected.connect(lambda _key: self._refresh())
        document.portraits.loaded.connect(lambda _file: self._refresh())
        self._refresh()

    def _on_roll(self, expression: str, label: str, about: str) -> None:
        """Emit the clicked roll, labelled with the combatant's name instead of the stat block's name."""
        combatant, creature = self._shown()
        if combatant is not None and creature is not None:
            label = f"{combatant.label}: {label.removeprefix(f'{creature.name}: ')}"
        kind, _, feature = about.partition(":")
        who = combatant.id if combatant is not None else ""
        self.rollClicked.emit(expression, label, who, feature if kind == "feature" else "")

    def toggle_pin(self) -> None:
        """Pin the combatant shown, or follow the turn and the selection again."""
        combatant, _creature = self._shown()
        self._pinned = "" if self._pinned or combatant is None else combatant.id
        self._refresh()

    def explain(self) -> bool:
        """Explain the focused roll or track, or all numbers of the stat block. Return False if no creature is shown."""
        combatant, creature = self._shown()
        if creature is None:
            return False
        level = next((name for name in LEVELS if layout.holds_focus(self.strip.fields[name])), None)
        supply = self._focused_supply(combatant)
        if level and combatant is not None:
            self._popup.open(explain_level(self._document, combatant.id, level), next_to=self.strip.fields[level])
        elif supply is not None and combatant is not None:
            why = explain_uses(self._document, combatant, supply)
            self._popup.open(why, next_to=self.strip.use_boxes.group(supply.name))
        else:
            about = self.view.focused_stat() if self.view.hasFocus() else ""
            part = self.view.cursorRect() if about else QRect(style.scaled(12), 0, 1, style.scaled(style.GAP * 3))
            self._popup.open(explain_stat(self._document, creature, about, combatant), part, self.view.viewport())
        return True

    def _focused_supply(self, combatant: Combatant | None) -> Track | None:
        name = self.strip.use_boxes.focused_name()
        owned = all_uses(self._document.encounter, combatant.id) if name and combatant is not None else []
        return next((track for track in owned if track.name == name), None)

    def _start_over(self) -> None:
        self._pinned = self._noted = ""
        self._refresh()

    def _refresh(self) -> None:
        clock = clock_of(self._document.encounter)
        if (clock.round, clock.active) != self._turn:
            self._turn, self._before = (clock.round, clock.active), self._document.selection
        combatant, creature = self._shown()
        if creature is None:
            world = is_world_step(self._document)
            self.empty.set_sentence(self._document.words(f"ui.stat-block.{'world-acts' if world else 'empty'}"))
            self._stack.setCurrentWidget(self.world if world and self.world.refresh() else self.empty)
        else:
            self._stack.setCurrentIndex(1)
        self.strip.setVisible(combatant is not None)
        self._foot.setVisible(combatant is not None)
        if combatant is not None:
            self.strip.show_combatant(combatant, pinned=combatant.id == self._pinned)
            self._show_notes(combatant)
        off = switched_off(self._document.encounter, combatant.id) if combatant is not None else frozenset[str]()
        self.view.set_creature(creature, self._document.rules.data, off)
        portrayed = combatant or self._document.selected_record() or creature
        self.view.set_portrait(self._document.portraits.image(portrait_of(self._document.encounter, portrayed)))

    def _show_notes(self, combatant: Combatant) -> None:
        if combatant.id != self._noted or not self.notes.hasFocus():
            self._noted = combatant.id
            self.notes.setText(combatant.plan)
        down = ", ".join(fallen_in_plan(self._document.encounter, combatant.id))
        self.notes.setToolTip(escaped_tooltip(self._document.words("ui.turn.plan-down", who=down)) if down else "")
        set_style(self.notes, "wrong", bool(down))

    def _note(self) -> None:
        combatant = self._document.encounter.get(Combatant, self._noted)
        if combatant is not None and combatant.plan != self.notes.text().strip():
            self._document.execute(SetPlan(self._noted, self.notes.text().strip()))

    def _shown(self) -> tuple[Combatant | None, Creature | None]:
        """Return the pinned, selected or acting combatant, in this order of precedence, and its creature.

        The combatant is None if a prepared creature or roster entry is selected.
        """
        encounter = self._document.encounter
        pinned = encounter.get(Combatant, self._pinned) if self._pinned else None
        selected = None if self._document.selection == self._before else self._document.selected_record()
        record = pinned or selected
        if isinstance(record, Creature):
            return None, record
        if isinstance(record, RosterEntry):
            return None, encounter.get(Creature, record.creature)
        if not isinstance(record, Combatant):
            active = active_combatants(encounter)
            record = active[0] if active else None
        return (record, creature_of(encounter, record)) if record is not None else (None, None)
