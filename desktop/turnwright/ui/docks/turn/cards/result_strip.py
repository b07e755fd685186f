"""The latest result below the header, and the form of an action on a card.

The strip below the header: the result of the latest step, with one line in large and one in small letters.

On the card, Enter submits, Esc closes, and the vetoes of the rules are shown.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QSizePolicy

from turnwright.encounter.running import Combatant
from turnwright.play.attacks.attack_request import Attacked, FeatureUsed
from turnwright.play.attacks.group_attack import SwitchFeature
from turnwright.play.damage.manual_hit_points import PhaseBegan, SetHitPoints
from turnwright.play.damage.zero_hit_points import Died
from turnwright.play.environment.countdown_pools import PoolExpired, PoolRolled
from turnwright.play.environment.entry_readiness import RechargeRolled
from turnwright.play.environment.environment_effect import EntryUsed
from turnwright.play.kernel.events import Event
from turnwright.play.kernel.scheduler import Step
from turnwright.play.kernel.transaction import Command
from turnwright.play.movement.mounting import Dismounted, Mounted
from turnwright.play.movement.move import Moved
from turnwright.play.queries.queries import open_prompts
from turnwright.play.state.events import ActionTaken, DamageTaken, DroppedToZero, EffectEnded, Healed, Rolled
from turnwright.play.table.game_master import DiceRolled
from turnwright.play.turns.turns import TurnStarted
from turnwright.rules.parts.actions.triggered_features import acts_by_itself
from turnwright.rules.system import creature_of, label_of
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.forms.action_form import ActionForm
from turnwright.ui.forms.fields import CheckBoxField, Field, NumberInput, PickField
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.forms.record_fields import RuleCheck, rule_check, show_reason
from turnwright.ui.look.style import escaped_tooltip, scaled, set_role, tr
from turnwright.ui.look.window_data import icons
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import KeyButton, KeyCap, PickRow
from turnwright.ui.widgets.layout import STRETCH, Card, ElidedLabel, fill, horizontal, tab_through, vertical
from turnwright.ui.widgets.rules.why import WhyLabel
from turnwright.ui.widgets.text import IconLabel, claims_key, discard, plain_label, push_button, set_style, tool_button

SEPARATOR = "  ·  "
MOST = 10  # maximum number of results that the user can browse
RESULT_LINES = ("harm", "heal", "plain", "roll", "world")  # kinds of journal lines that describe a result
LINES_OF = {"world": ("world",), "phase": ("warn",)}  # exceptions: kinds of lines by kind of result
FAR = 60  # maximum number of steps searched for results
WORLD = (EntryUsed, PoolExpired, PoolRolled, RechargeRolled)
DONE = (FeatureUsed, ActionTaken, Moved, Mounted, Dismounted)  # what a combatant does without a roll
ICONS = icons("results")
EventT = TypeVar("EventT", bound=Event)


@dataclass(frozen=True)
class ActedTrait:
    """A feature that acted automatically in a step, and the hit points it restored if it did nothing else."""

    who: str
    feature: str
    name: str
    healed: int = 0


@dataclass(frozen=True)
class Result:
    """The result of a step. `kind` is a key of `ICONS`. `is_past` is whether another turn has begun since the step."""

    serial: int
    kind: str
    word: str
    outcome: str
    detail: str
    is_past: bool = False
    acted: ActedTrait | None = None

    @property
    def sentence(self) -> str:
        """The event as described in the journal."""
        has_own_word = self.kind == "world" and self.word != tr("ui.result.world")
        return SEPARATOR.join(filter(None, (self.word, self.detail))) if has_own_word else self.detail

    @property
    def explanation(self) -> str:
        """The text below the headline: the details, or the outcome if an effect has ended."""
        return self.outcome if self.kind == "ended" else self.detail

    @property
    def headline(self) -> str:
        """The text next to the word, in large letters. Empty if an effect has ended."""
        return "" if self.kind == "ended" else self.outcome


class LatestResults:
    """The results of the latest steps. Each is computed once, with the combatants' names at the time of the step."""

    def __init__(self, document: DocumentModel) -> None:
        self._document = document
        self._known: dict[int, tuple[Step, Result | None]] = {}

    def read(self) -> list[Result]:
        """Return the results of the fight, the latest first."""
        results: list[Result] = []
        known, self._known = self._known, {}
        is_past = False
        for step in reversed(self._document.source.session.history.applied[-FAR:]):
            cached = known.get(step.serial)
            result = cached[1] if cached is not None and cached[0] is step else result_of(self._document, step)
            self._known[step.serial] = (step, result)
            if result is not None:
                results.append(replace(result, is_past=is_past))
            is_past = is_past or any(isinstance(event, TurnStarted) for event in step.events)
            is_past = is_past or any(line.kind == "turn" for line in step.lines)
            begun = any(line.phrase.key.startswith("journal.encounter_started") for line in step.lines)
            if begun or len(results) == MOST:  # earlier fights aren't shown
                break
        return results


def result_of(document: DocumentModel, step: Step) -> Result | None:
    """Return the result of a step, or None if there is nothing worth showing."""
    kind, outcome = _outcome(document, step.events) if step.events else ("done", "")
    kinds = LINES_OF.get(kind, RESULT_LINES)
    lines = [line for line in step.lines if line.kind in kinds and not line.bookkeeping]
    if not kind or not (step.events or lines):  # a reopened file keeps only the lines of its steps
        return None
    sentences = [explainer(document).phrase(line.phrase) for line in lines]
    began = _of(step.events, PhaseBegan)
    word = began[-1].phase if kind == "phase" else tr(f"ui.result.{kind}")
    if kind == "world" and sentences and ": " in sentences[0]:
        word, _, sentences[0] = sentences[0].partition(": ")
    detail = SEPARATOR.join(filter(None, sentences[:3]))
    return Result(step.serial, kind, word, outcome, detail, acted=_acted(document, step.events))


def _acted(document: DocumentModel, events: Sequence[Event]) -> ActedTrait | None:
    """Return the first feature that acted automatically, or None if there was none."""
    lookup = document.encounter
    for event in events:
        if isinstance(event, Healed):
            who, name, healed = event.target, event.source, event.gained
        elif isinstance(event, FeatureUsed) and len(event.who) == 1:
            who, name, healed = event.who[0], event.feature, 0
        else:
            continue
        combatant = lookup.get(Combatant, who)
        features = creature_of(lookup, combatant).features if combatant is not None else ()
        matches = (trait for trait in features if trait.name == name and trait.trigger and acts_by_itself(trait))
        if (feature := next(matches, None)) is not None:
            return ActedTrait(who, feature.id, feature.name, healed)
    return None


def _outcome(document: DocumentModel, events: Sequence[Event]) -> tuple[str, str]:
    """Return the kind of a result and its effect on the combatants."""
    lookup = document.encounter
    damage, healed = _of(events, DamageTaken), _of(events, Healed)
    risen = {heal.target for heal in healed if heal.hp_before <= 0 < heal.hp_after}
    down = [drop.who for drop in _of(events, DroppedToZero) if drop.who not in risen]
    fallen = [death.who for death in _of(events, Died)] or down
    phases = _of(events, PhaseBegan)
    attack = next(iter(_of(events, Attacked)), None)
    judged = (roll for roll in _of(events, Rolled) if roll.passed is not None)
    saves = [roll for roll in judged if roll.purpose.startswith(("<save", "ask."))]
    rolled = next(iter(_of(events, DiceRolled)), None)
    if fallen:
        return ("dies" if _of(events, Died) else "down", ", ".join(label_of(lookup, who) for who in fallen))
    if phases:
        return ("phase", ", ".join(dict.fromkeys(label_of(lookup, phase.who) for phase in phases)))
    if attack is not None:
        suffered = _damage_text(document, damage) if damage else attack.name
        return (attack.outcome if attack.outcome in ICONS else "hit", suffered)
    checks = all(save.purpose == "ask.check" for save in saves)
    if len(saves) > 1:
        failed = sum(not save.passed for save in saves)
        key = "all" if failed in (0, len(saves)) else "checks-of" if checks else "saves-of"
        text = tr(f"ui.result.{key}", n=len(saves), failed=failed, passed=len(saves) - failed)
        return ("fails" if failed else "succeeds" if checks else "saves", text)
    if damage:
        return ("damage", _damage_text(document, damage))
    if healed:
        heals = ", ".join(tr("ui.result.healed", who=label_of(lookup, heal.target), n=heal.gained) for heal in healed)
        return ("heals", heals)
    if saves:
        passed = "succeeds" if checks else "saves"
        return (passed if saves[0].passed else "fails", label_of(lookup, saves[0].who))
    if rolled is not None:
        return ("rolled", str(rolled.roll.total))
    done = any(isinstance(event, DONE) for event in events) and not _of(events, TurnStarted)
    if done and not open_prompts(lookup):
        return ("done", "")
    conditions = document.rules.conditions
    shown = (effect for effect in _of(events, EffectEnded) if not effect.bookkeeping and effect.name in conditions)
    if ended := [effect for effect in shown if not conditions[effect.name].by_rules]:
        names = [f"{label_of(lookup, effect.target)}: <condition.{effect.name}> ({effect.on})" for effect in ended]
        names = [name.removesuffix(" ()") for name in names]
        return ("ended", document.phrasebook.expand_keys(", ".join(names)))
    if any(isinstance(event, WORLD) for event in events) and not _of(events, TurnStarted):
        return ("world", "")
    return ("", "")


def _damage_text(document: DocumentModel, damage: Sequence[DamageTaken]) -> str:
    texts = []
    for event in damage[:3]:
        kinds = " + ".join(f"<damage.{kind}>" for kind, _amount in event.dealt if kind)
        text = tr("ui.result.takes", who=label_of(document.encounter, event.target), n=event.taken, kinds=kinds)
        texts.append(document.phrasebook.expand_keys(text).strip())
    more = len(damage) - len(texts)
    return ", ".join(texts) + (tr("ui.result.more", n=more) if more else "")


def _of(events: Sequence[Event], kind: type[EventT]) -> list[EventT]:
    return [event for event in events if isinstance(event, kind)]


HEIGHT = 72


class ResultStrip(QFrame):
    """Shows the latest result. The mouse wheel, Up and Down show earlier and later ones.

    Emits `clicked` when the user opens the journal, and `left` when the focus should leave the strip.
    """

    clicked = Signal()
    left = Signal()

    def __init__(self, document: DocumentModel) -> None:
        super().__init__()
        self._document = document
        self._latest = LatestResults(document)
        self._results: list[Result] = []
        self._place = 0
        self._offered_for = 0  # serial number of the result with an offer
        self._offered: Callable[[], object] = self.clicked.emit
        self.setProperty("strip", True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._icon = IconLabel("history", "muted", 32)
        self.word = ElidedLabel(role="number")
        self.word.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.outcome = ElidedLabel(role="number", smaller="body")
        self.detail = ElidedLabel(smaller="caption", lines=2)
        self.take_back = push_button(tr("ui.result.undo"), self._take_back, icon_name="undo")
        self.acted = push_button(tr("ui.result.undo"), lambda: None, icon_name="undo")
        menu = QMenu(self.acted)
        menu.addAction(tr("ui.result.all-of-it"), self._take_back)
        self.not_this_time = menu.addAction("", self._not_this_time)
        self.never_again = menu.addAction("", self._never_again)
        self.acted.setMenu(menu)
        self.offer_button = KeyButton("", self._take_offer, "Enter", "primary", "crosshairs", role="strong")
        buttons = (self.offer_button, self.acted, self.take_back)
        for button in buttons:
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        first = fill(horizontal(spacing=10), self.word, (self.outcome, 1))
        words = fill(vertical(spacing=0), STRETCH, first, self.detail, STRETCH)
        fill(horizontal(self, spacing=16, margins=(24, 4, 16, 4)), self._icon, (words, 1), *buttons)
        self.refresh()

    @property
    def result(self) -> Result | None:
        """The result shown, or None if nothing has happened yet."""
        return self._results[self._place] if self._results else None

    def refresh(self) -> None:
        """Show the latest result."""
        if (results := self._latest.read()) != self._results or self._place:
            self._results, self._place = results, 0
        self._show()

    def offer(self, text: str, slot: Callable[[], object]) -> None:
        """Offer a follow-up to the latest result, with a button and the Enter key, until the next result."""
        if self.result is not None:
            self._offered_for, self._offered = self.result.serial, slot
            self._show()
            self.offer_button.setText(text.replace("&", "&&"))
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def look_back(self, steps: int) -> None:
        """Show an earlier result, or a later one for a negative number of steps."""
        self._place = max(0, min(self._place + steps, len(self._results) - 1))
        self._show()

    def _show(self) -> None:
        self.setFixedHeight(scaled(HEIGHT))
        result = self.result
        past = result is None or result.is_past or self._place > 0
        icon, tone = ("history", "") if past or result is None else ICONS[result.kind]
        self._icon.set_icon(icon, tone or "muted")
        self.word.setText("" if result is None else tr("ui.result.before") if past else result.word)
        set_style(self.word, "tone", "muted" if past else tone)
        set_role(self.word, "caption" if past else "number")
        self.outcome.setText("" if result is None or past else result.headline)
        set_role(self.detail, "strong" if past else "body")
        text = tr("ui.result.nothing") if result is None else result.sentence if past else result.explanation
        self.detail.setText(text)
        self.take_back.setVisible(result is not None and not past and result.acted is None)
        acted = result.acted if result is not None and not past else None
        self.acted.setVisible(acted is not None)
        if acted is not None:
            name = acted.name.replace("&", "&&")
            self.not_this_time.setText(tr("ui.result.not-this-time", what=name))
            self.never_again.setText(tr("ui.result.never-again", what=name))
            self.acted.setToolTip(escaped_tooltip(tr("ui.result.acted-tip", what=acted.name)))
            self.not_this_time.setVisible(bool(acted.healed))
        self.offer_button.setVisible(self._has_offer())
        set_style(self, "tone", tone)
        self.setAccessibleName(" ".join(part for part in (self.word.text(), self.outcome.text(), text) if part))

    def _has_offer(self) -> bool:
        return self.result is not None and self._place == 0 and self.result.serial == self._offered_for

    def _take_offer(self) -> None:
        self.left.emit()
        self._offered_for = 0
        self._offered()

    def _not_this_time(self) -> None:
        """Undo only the automatic healing by a feature."""
        acted = self.result.acted if self.result is not None else None
        combatant = self._document.encounter.get(Combatant, acted.who) if acted is not None else None
        if acted is not None and combatant is not None:
            self._document.execute(SetHitPoints(acted.who, combatant.hp - acted.healed))

    def _never_again(self) -> None:
        """Switch off a feature that acts automatically."""
        if self.result is not None and self.result.acted is not None:
            self._document.execute(SwitchFeature(self.result.acted.who, self.result.acted.feature))

    def _take_back(self) -> None:
        """Undo the result shown and everything after it."""
        if self.result is not None:
            self._document.undo_to(self.result.serial)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.look_back(1 if event.angleDelta().y() > 0 else -1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.look_back(1 if event.key() == Qt.Key.Key_Up else -1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._has_offer():
                self._take_offer()
            else:
                self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()


class FormCard(Card):
    """Shows the form of an action. Letters choose among the options of all pick fields.

    If the form `repeats`, Shift+Enter submits it and keeps the card open. With `shows_keys`, the card is larger, and
    its buttons show their keys.

    Emits `submitted(command, anyway)`, `refreshed` after each update, and `closed` on Esc or when the user clicks the
    close button.
    """

    submitted = Signal(object, bool)
    refreshed = Signal()
    closed = Signal()

    def __init__(self, document: DocumentModel, tone: str = "accent", *, shows_keys: bool = False) -> None:
        super().__init__(tone)
        self._document = document
        self.act: ActionForm | None = None
        self._form: Form | None = None
        self.command: Command | None = None
        self.missing = ""
        self.check = RuleCheck()
        margins = (20, 12, 20, 12) if shows_keys else (16, 8, 8, 10)
        self.body.setContentsMargins(*(scaled(margin) for margin in margins))
        self._glyph = IconLabel("help-circle-outline", "accent", 24 if shows_keys else 18)
        self._title = ElidedLabel(role="strong", smaller="body", lines=2 if shows_keys else 1)
        self.rule = WhyLabel(tr("ui.prompt.rule"), "caption", "muted")
        closing = [tool_button("close", tr("ui.turn.close-form"), self.closed.emit)]
        head = fill(horizontal(), self._glyph, (self._title, 1), self.rule, *closing, *([KeyCap("Esc")] * shows_keys))
        self.text = ElidedLabel("", "caption", "muted", lines=3)
        self.button: QPushButton = (
            KeyButton("", self.submit, "Enter", "primary", "check-bold")
            if shows_keys
            else push_button("", self.submit, "primary", "check")
        )
        self.another_button = KeyButton(tr("ui.condition.another"), self._submit_and_stay, "⇧Enter", "quiet")
        self._against = plain_label("", "caption", "harm", wraps=True)
        fill(self.body, head, self.text, fill(horizontal(), self.button, self.another_button, (self._against, 1)))

    def open_form(self, act: ActionForm) -> None:
        """Show the form of an action."""
        discard(self._form)
        self.act = act
        self._glyph.set_icon(act.icon, act.tone)
        self.another_button.setVisible(act.repeats)
        self.another_button.setText(tr(act.another))
        has_rule = act.why() is not None
        self.rule.set_why(act.why if has_rule else None)  # type: ignore[arg-type]
        self.rule.setVisible(has_rule)
        act.draft.changed = self.refresh
        self._form = Form(act.layout(), act.draft, FormContext.of(self._document), self)
        self.body.insertWidget(2, self._form)
        self._form.show()
        self.refresh()
        tab_through(self.rule, [*self._form.fields.values(), self.button, self.another_button])

    @property
    def is_open(self) -> bool:
        """Whether a form is shown."""
        return self.act is not None

    def close_card(self) -> None:
        """Hide the card and forget its form."""
        self.act = None
        self.hide()

    def refresh(self) -> None:
        """Update the fields and the vetoes of the rules."""
        form, act = self._form, self.act
        if form is None or act is None:
            return
        form.refresh()
        entered = form.entered()
        self._title.setText(act.heading())
        self.setAccessibleName(act.heading())
        self.missing = act.missing(entered)
        self.command = None if self.missing else act.command(entered)
        self.check = rule_check(self._document, self.command) if self.command and act.is_checked else RuleCheck()
        self.text.setText(act.text())
        self.text.setVisible(bool(act.text()))
        self.button.setText(tr("ui.refused.anyway") if self.check.can_be_overridden else act.label())
        self.button.setEnabled(self.command is not None and (not self.check.refused or self.check.can_be_overridden))
        tone = self.check.tone if self.check.text else "muted" if self.missing else "warn"
        show_reason(self._against, self.check.text or self.missing or act.warning(), tone)
        self.refreshed.emit()

    def choose(self, name: str, value: object) -> None:
        """Enter a value in a field, if the field is shown."""
        if self._form is not None and self._form.is_shown(name):
            self._form.fields[name].edited.emit(value)
            self.refresh()

    def field(self, name: str) -> Field:
        """Return a field. Raise KeyError if it isn't shown."""
        if self._form is None or not self._form.is_shown(name):
            raise KeyError(name)
        return self._form.fields[name]

    def explain(self) -> bool:
        """Show the rules of the action. Return False if there are none."""
        return self.rule.explain()

    def take_focus(self) -> None:
        """Focus the first empty field, or the first field, or the button if there are no fields."""
        if self._form is None or self.act is None:
            return
        value = self.act.draft.value()
        fields = {name: field for name, field in self._form.fields.items() if self._form.is_shown(name)}
        empty = [
            field
            for name, field in fields.items()
            if not getattr(value, name) and name not in self.act.skipped and not isinstance(field, CheckBoxField)
        ]
        first = next(iter((*empty, *fields.values())), self.button)
        first.take_focus() if isinstance(first, PickField) else first.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(first, NumberInput):
            first.box.selectAll()

    def submit(self) -> None:
        """Submit the form. If a value is missing, focus the form instead."""
        if self.button.isEnabled() and self.act is not None and self.act.stays_open:
            self._submit_and_stay()
        elif self.button.isEnabled():
            self.submitted.emit(self.command, self.check.can_be_overridden)
        elif self.missing:
            self.take_focus()
        elif self.act is not None and self.act.insist():
            self.refresh()

    def _submit_and_stay(self) -> None:
        """Execute the command and open an empty form for another one."""
        act, command = self.act, self.command
        if act is not None and command and self._document.execute(command, override=self.check.can_be_overridden):
            act.start_over()
            self.refresh()
            self.take_focus()

    def event(self, event: QEvent) -> bool:
        return claims_key(event, self._row_for) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self._row_for(event)
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            again = self.another_button.isVisible() and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._submit_and_stay() if again else self.submit()
        elif event.key() == Qt.Key.Key_Question and not self.rule.isHidden():
            self.explain()
        elif row is not None:
            row.choose_by_key(event.text())
        else:
            super().keyPressEvent(event)

    def _row_for(self, event: QKeyEvent) -> PickRow | None:
        """Return the pick row that has an option for a typed letter. The focused row takes precedence."""
        form = self._form
        names = [name for name in form.fields if form.is_shown(name)] if form is not None else []
        rows = [field.row for name in names if isinstance(field := self.field(name), PickField)]
        rows.sort(key=lambda row: not any(button.hasFocus() for button in row.buttons()))
        if not any(button.hasFocus() for row in rows for button in row.buttons()):
            return None
        letter = event.text()
        with_letter = (row for row in rows if any(letter and button.pick.key == letter for button in row.buttons()))
        return next(with_letter, None)
