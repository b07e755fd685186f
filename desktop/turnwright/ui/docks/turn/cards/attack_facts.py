"""The facts of an attack as fields and chips: about the pair of combatants, rulings, and the parts of the preview.

An answer about a pair is stored (`SetRelation`), so that the next attack uses it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QToolButton, QWidget

from turnwright.dice import expression, manual_rolls
from turnwright.encounter import field_specs, prepared, running
from turnwright.encounter.state import scene_of
from turnwright.play.attacks import attack_request
from turnwright.play.state.position_changes import SetRelation
from turnwright.rules.parts.attacks.attack_targeting import MELEE
from turnwright.rules.parts.conditions.condition_rules import RuleInForce
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.positions import geometry, sight
from turnwright.rules.word_keys import signed_text
from turnwright.ui.docks.shared.explainer import Explainer, explainer
from turnwright.ui.look.style import SPACE, escaped_tooltip, scaled, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets import fields, layout
from turnwright.ui.widgets.records.effect_chip import UNSAID, StateChip, StateChipView, update_chips
from turnwright.ui.widgets.rules.why import WhyLabel
from turnwright.ui.widgets.text import plain_label, set_style, tool_button

YES, NO = "yes", "no"
COVER = "cover"
RULINGS = ("advantage", "disadvantage")
ONCE = "once:"
USUAL = "usual:"
DEALS = "deals:"
CHOSEN, WITHIN = "chosen", "within"
Chip = tuple[str, str, str]  # text, rule, tone


class PairFact(NamedTuple):
    """A fact about a pair that is a chip: the engine's name, the field of `Relation`, and the function that knows it.

    If `reverse`, it is a fact about the target and the attacker.
    """

    engine_name: str
    field: str
    known: Callable[..., bool | None]
    reverse: bool = False

    def pair(self, attacker: str, target: str) -> tuple[str, str]:
        """Return the combatants in the order of the relation."""
        return (target, attacker) if self.reverse else (attacker, target)


FACTS = {
    "seen": PairFact("sees", "seen", sight.sees),
    "seen-by": PairFact("target.sees", "seen", sight.sees, reverse=True),
    "flanked": PairFact("flanks", "flanked", sight.flanks),
    "reached": PairFact("reaches", "reached", geometry.in_reach),
}
NUMBERS: Mapping[str, Callable[..., int | None]] = {
    "distance": geometry.distance_on_floor,
    "height": lambda lookup, _rules, attacker, target: geometry.height_above(lookup, attacker, target),
}


class FactRow(layout.FlowRow):
    """Fields and chips for the facts of an attack, which are stored at once, and for rulings for this attack alone.

    Emits `changed` when the user changes one of them.
    """

    changed = Signal()

    def __init__(self, document: DocumentModel) -> None:
        super().__init__(gap=SPACE + 1, roomy=True)
        self._document = document
        self._pair = ("", "")
        self._once: dict[str, str] = {}
        self._usual: dict[str, str] = {}  # usual effects that the rules only suggest: reasons keyed by rule
        self._declined: set[str] = set()
        self._deciding: list[attack_request.DecidingFact] = []
        self._rulings: set[str] = set()
        self._other_damage = ""
        self._dealt = ""  # name of the alternative damage that the attack would deal
        self.chips: dict[str, StateChip] = {}
        self.fields = {name: self._field(name) for name in NUMBERS}
        # for a bonus or penalty from the game master: `+2`, `-1`, `+1d4`
        self.bonus_line = QLineEdit(placeholderText=tr("ui.attack.bonus-none"))
        _make_compact(self.bonus_line, "bonus")
        self.forget_button: QToolButton | None = None
        self.bonus_line.textEdited.connect(lambda _text: self.changed.emit())

    # Entered facts and rulings -----------------------------------------------------------------------------------

    def entered_facts(self) -> tuple[str, ...]:
        """Return the facts and rulings entered for this attack alone."""
        once = [fact if answer == YES else f"not {fact}" for fact, answer in self._once.items() if answer]
        usual = [f"no:{rule}" if rule in self._declined else f"yes:{rule}" for rule in self._usual]
        return (*(ruling for ruling in RULINGS if ruling in self._rulings), *once, *usual)

    def other_damage_of(self, weapon: prepared.Feature) -> str:
        """Return the name of the alternative damage chosen for the weapon, or an empty string if the rules decide."""
        names = {damage.name for damage in weapon.other_damage} | (
            {attack_request.USUAL_DAMAGE} if weapon.other_damage else set()
        )
        return self._other_damage if self._other_damage in names else ""

    def entered_bonus(self) -> expression.Modifier | expression.ExtraDice | None:
        """Return the game master's bonus, or None if the field is empty or invalid. Invalid text is highlighted."""
        text, entered = self.bonus_line.text().replace("\N{MINUS SIGN}", "-").strip(), None
        with suppress(expression.DiceError):
            entered = manual_rolls.typed_bonus(text) if text.strip("+- ") else None
        set_style(self.bonus_line, "wrong", entered is None and bool(text.strip("+- ")))
        return entered

    def clear_rulings(self) -> None:
        """Clear all rulings and facts entered for this attack."""
        self._rulings = set()
        self._other_damage = ""
        self.bonus_line.clear()
        self.clear_target()

    def clear_target(self) -> None:
        """Clear the entered facts that depend on the target of this attack."""
        self._once = {}
        self._usual, self._declined = {}, set()

    # Showing -------------------------------------------------------------------------------------------------------

    def show_facts(self, who: str, target: str, preview: attack_request.AttackPreview | None) -> None:
        """Show the known facts of a pair, or only the rulings while there is no target."""
        self._pair = (who, target)
        unknown = [unknown_fact.fact for unknown_fact in preview.unknown_facts] if preview is not None else []
        self._deciding = deciding_facts(preview) if preview is not None else []
        pair = preview is not None and not preview.attack.is_object
        views = self._views(who, target, unknown, preview) if pair and preview is not None else []
        self._take_usual(preview)
        views += [self._usual_view(rule) for rule in self._usual]
        views += self._other_damage_views(preview.attack.weapon) if preview is not None else []
        for ruling in RULINGS:
            state, tip = YES if ruling in self._rulings else "", tr("ui.attack.ruling-tip")
            views.append(StateChipView(ruling, tr(f"ui.why.{ruling}"), state, tip=tip, is_switch=True))
        if not update_chips(self.chips, views):
            self._rebuild(views, pair=pair)
        if pair:
            self._show_numbers(who, target)
        self.keep_room()

    def turn(self, place: int) -> bool:
        """Turn the chip of the first unknown fact that decides a rule, or of another one. Return whether there is one."""
        chips = [chip for id, chip in self.chips.items() if id.startswith(ONCE)]
        if not chips[place:]:
            return False
        chips[place].click()
        return True

    def _views(
        self, who: str, target: str, unknown: list[str], preview: attack_request.AttackPreview
    ) -> list[StateChipView]:
        views = relation_views(self._document, who, target, unknown, melee=preview.kind == MELEE)
        explain = explainer(self._document)
        shown = [found.fact.name for found in self._deciding]
        stored = {COVER, *(fact.engine_name for fact in FACTS.values())}
        for fact in dict.fromkeys([*self._once, *(fact for fact in unknown if fact not in stored)]):
            if fact not in shown:
                label = explain.phrase(attack_request.fact_phrase(self._document.encounter, preview.attack, fact))
                views.append(StateChipView(f"{ONCE}{fact}", label, self._once.get(fact, ""), is_needed=True))
        return [*(deciding_view(self._document, preview, found) for found in self._deciding), *views]

    def _other_damage_views(self, weapon: prepared.Feature) -> list[StateChipView]:
        usual = (damage.name for damage in weapon.other_damage if damage.when and damage.damage == weapon.damage)
        self._dealt = self.other_damage_of(weapon) or next(usual, "")
        states = {damage.name: YES if damage.name == self._dealt else "" for damage in weapon.other_damage}
        switch = partial(StateChipView, is_switch=True)
        return [
            switch(f"{DEALS}{each.name}", each.name, states[each.name], tip=each.damage) for each in weapon.other_damage
        ]

    def _take_usual(self, preview: attack_request.AttackPreview | None) -> None:
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
        for keep in (*self.fields.values(), self.bonus_line):
            keep.setParent(None)
        self.clear()
        self.chips = {}
        for place, view in enumerate(views):
            if place == len(self._deciding) and pair:
                for field in self.fields.values():
                    put(self, field)
            if view.id == RULINGS[0] and pair:
                self.forget_button = tool_button("close", tr("ui.attack.forget"), self._drop)
                put(self, self.forget_button)
            chip = StateChip(view)
            chip.answerRequested.connect(self._answer)
            self.chips[view.id] = chip
            put(self, chip)
        put(self, self.bonus_line)

    def _show_numbers(self, who: str, target: str) -> None:
        lookup, rules = self._document.encounter, self._document.rules
        pairs = (geometry.stated_relation(lookup, who, target), geometry.stated_relation(lookup, target, who))
        if self.forget_button is not None:
            self.forget_button.setVisible(any(pair is not None for pair in pairs))
        for name, field in self.fields.items():
            value = NUMBERS[name](lookup, rules, who, target)
            if not field.hasFocus():
                field.set_number(value)
            entered = any(pair is not None and getattr(pair, name) is not None for pair in pairs)
            origin = fact_origin(self._document, who, target, entered=entered) if value is not None else ""
            field.setToolTip(escaped_tooltip("\n".join(part for part in [tr(f"ui.attack.{name}-tip"), origin] if part)))

    def _field(self, name: str) -> fields.NumberField:
        spec = field_specs.spec_of(running.Relation, name)
        field = fields.NumberField(spec.least, spec.most, tr("ui.general.feet"), "?")
        field.setSingleStep(self._document.rules.data.grid.step)
        field.setPrefix(tr(f"ui.attack.{name}"))
        field.setSpecialValueText(f"{tr(f'ui.attack.{name}')}?")
        field.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        _make_compact(field, name)
        field.valueCommitted.connect(lambda: self._enter(name, field.number()))
        return field

    # Input --------------------------------------------------------------------------------------------------------

    def _enter(self, name: str, feet: int | None) -> None:
        lookup, rules = self._document.encounter, self._document.rules
        if feet is not None and all(self._pair) and feet != NUMBERS[name](lookup, rules, *self._pair):
            self._document.execute(SetRelation(*self._pair, **{name: feet}))  # type: ignore[arg-type]
            self.changed.emit()

    def _answer(self, id: str, answer: str) -> None:
        kind, _, name = id.partition(":")
        if id in RULINGS:
            self._rulings = self._rulings ^ {id}
        elif f"{kind}:" == DEALS:
            self._other_damage = attack_request.USUAL_DAMAGE if name == self._dealt else name
        elif f"{kind}:" == USUAL:
            self._declined = self._declined ^ {name}
        elif f"{kind}:" == ONCE:
            self._once[name] = answer
        else:
            self._document.execute(relation_command(*self._pair, id, answer))
        self.changed.emit()

    def _drop(self) -> None:
        for pair in (self._pair, self._pair[::-1]):
            if geometry.stated_relation(self._document.encounter, *pair) is not None:
                self._document.execute(SetRelation(*pair, forget=True))
        self.changed.emit()


def _make_compact(field: QWidget, name: str) -> None:
    field.setAccessibleName(tr(f"ui.attack.{name}-name"))
    field.setToolTip(tr(f"ui.attack.{name}-tip"))
    field.setFixedWidth(scaled(88))
    field.setProperty("compact", True)


def relation_views(
    document: DocumentModel, attacker: str, target: str, unknown: Collection[str], *, melee: bool
) -> list[StateChipView]:
    """Return the facts of a pair as chips. `unknown` are the facts that the roll needs, as named by the engine."""
    lookup, rules = document.encounter, document.rules
    views = []
    for id, fact in FACTS.items():
        pair, needed = fact.pair(attacker, target), fact.engine_name in unknown
        relation = geometry.stated_relation(lookup, *pair)
        entered = relation is not None and getattr(relation, fact.field) is not None
        if (id == "flanked" and not melee) or (id == "reached" and not (needed or entered)):
            continue
        known = fact.known(lookup, rules, *pair)
        state = "" if known is None else YES if known else NO
        origin = _origin(entered=entered, is_on_map=bool(state) and current_map(lookup) is not None)
        label, tip = tr(f"ui.attack.fact-{id}"), tr(f"ui.attack.fact-{id}-tip")
        views.append(StateChipView(id, label, state, origin=origin, tip=tip, is_needed=needed))
    return [*views, _cover(document, attacker, target)]


def relation_command(attacker: str, target: str, fact: str, answer: str) -> SetRelation:
    """Return the command that stores an answer about a pair."""
    if fact == COVER:
        return SetRelation(attacker, target, cover=answer)  # type: ignore[arg-type]
    return SetRelation(*FACTS[fact].pair(attacker, target), **{FACTS[fact].field: answer == YES})  # type: ignore[arg-type]


def deciding_facts(preview: attack_request.AttackPreview) -> list[attack_request.DecidingFact]:
    """Return the unknown facts of an attack that have a chip with their consequence, the most important first.

    Facts that can be stored as a relation, and features that the user may apply, have other chips.
    """
    stored = {fact.engine_name for fact in FACTS.values()}
    found = [each for each in preview.deciding if each.fact.name not in stored and each.fact.word != CHOSEN]
    return sorted(found, key=lambda each: (each.fact.holds is not None and not each.applied, each.fact.word != WITHIN))


def deciding_view(
    document: DocumentModel, preview: attack_request.AttackPreview, found: attack_request.DecidingFact
) -> StateChipView:
    """Return the chip of an unknown fact, with its consequence: `Prone: disadvantage · farther than 5 ft, assumed`."""
    fact, explain = found.fact, explainer(document)
    answers = ((YES, ""), (NO, ""), UNSAID) if fact.assumed is None else ((NO if fact.assumed else YES, ""), UNSAID)
    state = "" if fact.entered is None else YES if fact.entered else NO
    phrase = attack_request.assumed_phrase(fact.answered if fact.holds is not None else fact.name)
    if phrase.key not in document.words:
        phrase = attack_request.fact_phrase(document.encounter, preview.attack, fact.name)
    kind = "entered" if state else "asked" if fact.assumed is None else "assumed"
    label = tr(f"ui.attack.deciding-{kind}", effects=_consequences(explain, found), fact=explain.phrase(phrase))
    tip = f"{label}\n{tr(f'ui.attack.deciding-{kind}-tip')}"
    return StateChipView(f"{ONCE}{fact.name}", label, state, answers, tip=tip, is_needed=kind == "asked")


def _consequences(explain: Explainer, found: attack_request.DecidingFact) -> str:
    """Return the effects of the rules that a fact makes apply or, if there are none, those that it prevents."""
    is_missing = not found.applied and found.fact.holds is not None
    by_source: dict[str, dict[str, None]] = {}
    for held in found.applied or found.fact.decided:
        effect = _consequence(explain, held)
        source = "" if held.rule.text else explain.name(held.source_name)  # a rule's own text only repeats the fact
        by_source.setdefault(source, {})[tr("ui.attack.effect-missing", effect=effect) if is_missing else effect] = None
    texts = {source: " / ".join(effects) for source, effects in by_source.items()}
    return ", ".join(f"{source}: {effects}" if source else effects for source, effects in texts.items())


def _consequence(explain: Explainer, held: RuleInForce) -> str:
    """Return the effect of a rule on an attack in a few words."""
    rule = held.rule
    if rule.kind == "modifier":
        number = tr(f"ui.attack.effect-{rule.what}") if rule.what in ("ac", "damage") else ""
        return f"{signed_text(held.amount)} {number}".strip()
    if rule.kind == "extra":
        return f"+{rule.dice}"
    return tr(f"ui.why.{rule.kind}") if rule.kind in RULINGS else tr(f"ui.attack.effect-{rule.kind}")


def fact_origin(document: DocumentModel, attacker: str, target: str, *, entered: bool) -> str:
    """Return the origin of a fact about a pair as text: entered, from the map, or assumed."""
    lookup, rules = document.encounter, document.rules
    placed = all(geometry.space(lookup, rules, who) is not None for who in (attacker, target))
    return _origin(entered=entered, is_on_map=placed) or tr("ui.attack.from-nothing")


def _origin(*, entered: bool, is_on_map: bool) -> str:
    return tr("ui.attack.from-table") if entered else tr("ui.attack.from-map") if is_on_map else ""


def _cover(document: DocumentModel, attacker: str, target: str) -> StateChipView:
    lookup, rules = document.encounter, document.rules
    relation = geometry.stated_relation(lookup, attacker, target)
    entered = relation is not None and bool(relation.cover)
    grade = sight.cover_of(lookup, rules, attacker, target)
    state = grade if entered or grade != "none" or current_map(lookup) is not None else ""
    names: dict[str, str] = {degree.id: degree.name for degree in rules.data.cover}
    origin = _origin(entered=entered, is_on_map=bool(state))
    answers = tuple((id, names.get(id, id).lower()) for id in names)
    label = tr("ui.attack.fact-cover") if not state else ""
    found, key = sight.possible_cover(lookup, rules, attacker, target), "ui.attack.fact-cover-possible"
    possible = (tr(key, what=cover.reason, cover=names[cover.grade].lower()) for cover in found)
    return StateChipView(COVER, label, state, answers, origin, "\n".join((tr("ui.attack.fact-cover-tip"), *possible)))


def put(row: layout.FlowRow, widget: QWidget) -> None:
    """Append a widget to a row that is already visible."""
    row.add(widget)
    widget.show()


class ReasonRow(layout.FlowRow):
    """The parts of an attack roll and of the target's AC. Each shows its rule; the AC opens its explanation."""

    def __init__(self, document: DocumentModel) -> None:
        super().__init__(gap=SPACE + 1, roomy=True)
        self._document = document
        self._shown: tuple[object, ...] = ()
        self.defence = WhyLabel("", "strong")

    def show_preview(self, preview: attack_request.AttackPreview | None) -> None:
        """Show the preview of an attack, or nothing if it is None."""
        explain = explainer(self._document)
        if (preview,) == self._shown:
            return
        self._shown = (preview,)
        self.clear()
        if preview is not None:
            self._build(preview, explain)
        self.keep_room()

    def _build(self, preview: attack_request.AttackPreview, explain: Explainer) -> None:
        self._add_chips(explain, _pieces(preview.roll, explain))
        if (defence := preview.defence) is None:
            return
        self.defence = WhyLabel(tr("ui.turn.ac", n=defence.total or "?"), "strong")
        self.defence.set_why(lambda: explain.explain_number(tr("ui.stat.ac"), defence, topic="attack.ac-source"))
        put(self, plain_label(tr("ui.attack.against"), "caption", "muted"))
        put(self, self.defence)
        if len(defence.parts) > 1:
            parts = enumerate(defence.parts)
            self._add_chips(explain, ((_part(part, explain, first=place == 0), part.rule, "") for place, part in parts))

    def _add_chips(self, explain: Explainer, chips: Iterable[Chip]) -> None:
        for text, rule, tone in chips:
            label = plain_label(text, "caption", tone)
            label.setProperty("chip", True)
            title = explain.ledger.title(rule) if explain.is_known(rule) else ""
            label.setToolTip(escaped_tooltip("\n".join(filter(None, (title, explain.ledger.statement(rule))))))
            put(self, label)


def _pieces(spec: expression.RollSpec, explain: Explainer) -> Iterator[Chip]:
    for part in spec.modifiers:
        if part.value:
            yield _part(part, explain), part.rule, ""
    for extra in spec.extra:
        yield f"+{extra.dice} {explain.name(extra.reason)}", extra.rule, "heal"
    for edge in spec.edges:
        word = explain.text(f"ui.why.{edge.kind}")
        yield f"{word}: {explain.name(edge.reason)}", edge.rule, "heal" if edge.kind == "advantage" else "harm"


def _part(part: expression.Modifier, explain: Explainer, *, first: bool = False) -> str:
    value = str(part.value) if first else signed_text(part.value)
    return f"{value} {explain.name(part.reason)}"
