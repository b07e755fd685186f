"""The facts of an attack: positions and relations of attacker and target, and rulings for this attack."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QToolButton, QWidget

from turnwright.dice.errors import DiceError
from turnwright.dice.manual_rolls import typed_bonus
from turnwright.dice.roll import ExtraDice, Modifier
from turnwright.encounter.field_specs import FieldSpec, spec_of
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Relation
from turnwright.play.attacks.attack_request import USUAL_DAMAGE
from turnwright.play.attacks.preview import AttackPreview, fact_phrase
from turnwright.play.state.position_changes import SetRelation
from turnwright.rules.parts import positions
from turnwright.rules.parts.attacks.weapon_kind import MELEE
from turnwright.rules.word_keys import signed_text
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.relation_chips import (
    DISTANCES,
    HEIGHTS,
    YES,
    attack_only_facts,
    fact_origin,
    has_relation,
    is_needed,
    relation_command,
    relation_views,
)
from turnwright.ui.look.fonts import SPACE, scaled
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.records.state_chip import StateChip, StateChipView, update_chips
from turnwright.ui.widgets.text import restyle, tool_button

RULINGS = ("advantage", "disadvantage")
ONCE = "once:"
USUAL = "usual:"
DEALS = "deals:"


class FactRow(FlowRow):
    """Fields and chips for the facts of an attack. Emits `relationEntered(command)` when the user enters one.

    Emits `rulingChanged` when a ruling for this attack alone changes.
    """

    relationEntered = Signal(object)
    rulingChanged = Signal()

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent, gap=SPACE + 1, roomy=True)
        self._document = document
        self._pair = ("", "")
        self._once: dict[str, str] = {}
        self._usual: dict[str, str] = {}  # usual effects that the rules only suggest: reasons keyed by rule
        self._declined: set[str] = set()
        self._rulings: set[str] = set()
        self._other_damage = ""
        self._dealt = ""  # name of the alternative damage that the attack would deal
        self._chips: dict[str, StateChip] = {}
        self.distance_field = self._figure("distance", spec_of(Relation, "distance"))
        self._height = self._figure("height", spec_of(Relation, "height"))
        self.bonus_line = _bonus_line()
        self.forget_button: QToolButton | None = None
        self.distance_field.valueCommitted.connect(lambda: self._tell("distance", self.distance_field.number()))
        self._height.valueCommitted.connect(lambda: self._tell("height", self._height.number()))
        self.bonus_line.textEdited.connect(lambda _text: self.rulingChanged.emit())

    # Entered facts and rulings -----------------------------------------------------------------------------------

    def entered_facts(self) -> tuple[str, ...]:
        """Return the facts and rulings entered for this attack alone."""
        once = [fact if answer == YES else f"not {fact}" for fact, answer in self._once.items() if answer]
        usual = [f"no:{rule}" if rule in self._declined else f"yes:{rule}" for rule in self._usual]
        return (*(ruling for ruling in RULINGS if ruling in self._rulings), *once, *usual)

    def other_damage_of(self, weapon: Feature) -> str:
        """Return the name of the alternative damage chosen for the weapon, or an empty string if the rules decide."""
        names = {damage.name for damage in weapon.other_damage} | ({USUAL_DAMAGE} if weapon.other_damage else set())
        return self._other_damage if self._other_damage in names else ""

    def bonus(self) -> int:
        """Return the game master's bonus to the roll, or 0 if none was entered or it consists of dice."""
        entered = self._entered_bonus()
        return entered.value if isinstance(entered, Modifier) else 0

    def bonus_dice(self) -> str:
        """Return the dice of the game master's bonus to the roll, or an empty string if there are none."""
        entered = self._entered_bonus()
        return entered.dice if isinstance(entered, ExtraDice) else ""

    def set_bonus(self, bonus: int) -> None:
        """Set the game master's bonus to the roll."""
        self.bonus_line.setText(signed_text(bonus) if bonus else "")

    def _entered_bonus(self) -> Modifier | ExtraDice | None:
        """Return the typed bonus, or None if the field is empty or invalid. Invalid text is highlighted."""
        text, entered = self.bonus_line.text().replace("\N{MINUS SIGN}", "-").strip(), None
        with suppress(DiceError):
            entered = typed_bonus(text) if text.strip("+- ") else None
        wrong = entered is None and bool(text.strip("+- "))
        if bool(self.bonus_line.property("wrong")) != wrong:
            self.bonus_line.setProperty("wrong", wrong)
            restyle(self.bonus_line)
        return entered

    def clear_rulings(self) -> None:
        """Clear all rulings and facts entered for this attack."""
        self._rulings = set()
        self._other_damage = ""
        self.set_bonus(0)
        self.clear_target()

    def clear_target(self) -> None:
        """Clear the entered facts that depend on the target of this attack."""
        self._once = {}
        self._usual, self._declined = {}, set()

    def chip(self, id: str) -> StateChip:
        """Return the chip of a fact. Raise KeyError if it doesn't exist."""
        return self._chips[id]

    # Showing -------------------------------------------------------------------------------------------------------

    def show_facts(self, who: str, target: str, preview: AttackPreview | None) -> None:
        """Show the known facts of a pair, or only the rulings while there is no target."""
        self._pair = (who, target)
        unknown = [unknown_fact.fact for unknown_fact in preview.unknown_facts] if preview is not None else []
        pair = preview is not None and not preview.attack.is_object
        views = self._views(who, target, unknown, preview) if pair and preview is not None else []
        self._take_usual(preview)
        views += [self._usual_view(rule) for rule in self._usual]
        views += self._other_damage_views(preview.attack.weapon) if preview is not None else []
        views += [self._ruling(ruling) for ruling in RULINGS]
        if not update_chips(self._chips, views):
            self._rebuild(views, pair=pair)
        if pair:
            self._show_figures(who, target, unknown)
        self.keep_room()

    def _views(self, who: str, target: str, unknown: list[str], preview: AttackPreview) -> list[StateChipView]:
        melee = preview.kind == MELEE
        views = relation_views(self._document, who, target, unknown, melee=melee)
        explain = explainer(self._document)
        facts = dict.fromkeys([*self._once, *attack_only_facts(unknown)])
        views += [
            StateChipView(
                f"{ONCE}{fact}",
                explain.phrase(fact_phrase(self._document.encounter, preview.attack, fact)),
                self._once.get(fact, ""),
                is_needed=True,
            )
            for fact in facts
        ]
        return views

    def _other_damage_views(self, weapon: Feature) -> list[StateChipView]:
        selected = self.other_damage_of(weapon) or next(
            (damage.name for damage in weapon.other_damage if damage.when and damage.damage == weapon.damage), ""
        )
        self._dealt = selected
        return [
            StateChipView(
                f"{DEALS}{damage.name}",
                damage.name,
                YES if damage.name == selected else "",
                tip=damage.damage,
                is_switch=True,
            )
            for damage in weapon.other_damage
        ]

    def _ruling(self, kind: str) -> StateChipView:
        state = YES if kind in self._rulings else ""
        return StateChipView(kind, tr(f"ui.why.{kind}"), state, tip=tr("ui.attack.ruling-tip"), is_switch=True)

    def _take_usual(self, preview: AttackPreview | None) -> None:
        """Apply the usual effects of this attack unless the rules are enforced. The user can decline them."""
        declined = {rule: reason for rule, reason in self._usual.items() if rule in self._declined}
        offered = preview.suggested if preview is not None else ()
        if scene_of(self._document.encounter).strictness == "enforce":
            offered = ()
        self._usual = declined | {effect.rule: effect.reason for effect in offered if not effect.apart}

    def _usual_view(self, rule: str) -> StateChipView:
        explain = explainer(self._document)
        tip = explain.ledger.statement(rule) if explain.is_known(rule) else ""
        state = "" if rule in self._declined else YES
        return StateChipView(f"{USUAL}{rule}", explain.name(self._usual[rule]), state, tip=tip, is_switch=True)

    def _rebuild(self, views: list[StateChipView], *, pair: bool) -> None:
        for keep in (self.distance_field, self._height, self.bonus_line):
            keep.setParent(None)
        self.clear()
        self._chips = {}
        if pair:
            self._put(self.distance_field)
            self._put(self._height)
        for view in views:
            if view.id == RULINGS[0] and pair:
                self.forget_button = tool_button("close", tr("ui.attack.forget"), self._drop)
                self._put(self.forget_button)
            chip = StateChip(view)
            chip.answerRequested.connect(self._answer)
            self._chips[view.id] = chip
            self._put(chip)
        self._put(self.bonus_line)

    def _put(self, widget: QWidget) -> None:
        self.add(widget)
        widget.show()

    def _show_figures(self, who: str, target: str, unknown: list[str]) -> None:
        lookup, rules = self._document.encounter, self._document.rules
        is_entered = has_relation(self._document, who, target)
        if self.forget_button is not None:
            self.forget_button.setVisible(is_entered)
        pairs = (positions.stated_relation(lookup, who, target), positions.stated_relation(lookup, target, who))
        numbers = (
            (self.distance_field, "distance", positions.distance(lookup, rules, who, target), DISTANCES),
            (self._height, "height", positions.height_above(lookup, who, target), HEIGHTS),
        )
        for field, name, value, words in numbers:
            if not field.hasFocus():
                field.set_number(value)
            entered = any(pair is not None and getattr(pair, name) is not None for pair in pairs)
            origin = fact_origin(self._document, who, target, entered=entered) if value is not None else ""
            tip = [tr(f"ui.attack.{name}-tip"), origin]
            field.setToolTip(escaped_tooltip("\n".join(part for part in tip if part)))
            matters = value is None and is_needed(unknown, words)
            if bool(field.property("matters")) != matters:
                field.setProperty("matters", matters)
                restyle(field)

    def _figure(self, name: str, spec: FieldSpec) -> NumberField:
        field = NumberField(spec.least, spec.most, tr("ui.general.feet"), "?")
        field.setSingleStep(self._document.rules.data.grid.step)
        field.setPrefix(tr(f"ui.attack.{name}"))
        field.setSpecialValueText(f"{tr(f'ui.attack.{name}')}?")
        field.setAccessibleName(tr(f"ui.attack.{name}-name"))
        field.setToolTip(tr(f"ui.attack.{name}-tip"))
        field.setFixedWidth(scaled(88))
        field.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        field.setProperty("compact", True)
        return field

    # Input --------------------------------------------------------------------------------------------------------

    def _tell(self, name: str, feet: object) -> None:
        lookup, rules = self._document.encounter, self._document.rules
        if not isinstance(feet, int) or not all(self._pair):
            return
        if name == "distance" and feet != positions.distance(lookup, rules, *self._pair):
            self.relationEntered.emit(SetRelation(*self._pair, distance=feet))
        elif name == "height" and feet != positions.height_above(lookup, *self._pair):
            self.relationEntered.emit(SetRelation(*self._pair, height=feet))

    def _answer(self, id: str, answer: str) -> None:
        if id in RULINGS:
            self._rulings = self._rulings ^ {id}
            self.rulingChanged.emit()
        elif id.startswith(DEALS):
            name = id.removeprefix(DEALS)
            self._other_damage = USUAL_DAMAGE if name == self._dealt else name
            self.rulingChanged.emit()
        elif id.startswith(USUAL):
            self._declined = self._declined ^ {id.removeprefix(USUAL)}
            self.rulingChanged.emit()
        elif id.startswith(ONCE):
            self._once[id.removeprefix(ONCE)] = answer
            self.rulingChanged.emit()
        else:
            self.relationEntered.emit(relation_command(*self._pair, id, answer))

    def _drop(self) -> None:
        attacker, target = self._pair
        for pair in ((attacker, target), (target, attacker)):
            if positions.stated_relation(self._document.encounter, *pair) is not None:
                self.relationEntered.emit(SetRelation(*pair, forget=True))


def _bonus_line() -> QLineEdit:
    """Create the field for a bonus or penalty from the game master: `+2`, `-1`, `+1d4`."""
    line = QLineEdit()
    line.setPlaceholderText(tr("ui.attack.bonus-none"))
    line.setAccessibleName(tr("ui.attack.bonus-name"))
    line.setToolTip(tr("ui.attack.bonus-tip"))
    line.setFixedWidth(scaled(88))
    line.setProperty("compact", True)
    return line
