"""Pending prompts and declared actions: the most urgent prompt as a card, and the actions in order of resolution.

Undoing a declaration also undoes everything after it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

import msgspec
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton, QWidget

from turnwright.dice.expression import DiceError, RollSpec
from turnwright.dice.manual_rolls import parse_faces, parse_result, with_typed_bonus
from turnwright.encounter.prepared import Environment, EnvironmentEntry, Feature
from turnwright.encounter.procedure_state import Declaration, Procedure
from turnwright.encounter.procedure_state.asks import Ask, Prompt, Reply
from turnwright.encounter.procedure_state.attacks import AttackInProgress, SaveEffect
from turnwright.encounter.procedure_state.damage import DamageRoll, SavedDamage
from turnwright.encounter.procedure_state.environment import EnvironmentEffect
from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.encounter.running import Combatant
from turnwright.play.asking.answer import BY_FACE, Answer, DismissPrompt
from turnwright.play.kernel.transaction import Refused
from turnwright.play.queries.queries import can_offer_end_encounter, open_prompts, waiting_asks
from turnwright.play.state.events import DamageTaken
from turnwright.play.turns.turns import EndEncounter
from turnwright.rules.parts.actions.condition_words import line_words
from turnwright.rules.parts.economy.limited_uses import resolution_order
from turnwright.rules.system import label_of
from turnwright.ui.docks.shared.explainer import Explainer, explainer, roll_text, short_roll
from turnwright.ui.docks.shared.why_stat_block import spell_dc_lines
from turnwright.ui.look.style import GAP, SPACE, number_word, scaled, tr
from turnwright.ui.look.window_data import icons, window_data
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import KeyButton
from turnwright.ui.widgets.layout import Card, FlowRow, fill, grid_layout, holds_focus, vertical
from turnwright.ui.widgets.prompts.prompt_card import PromptCard, PromptView
from turnwright.ui.widgets.prompts.prompt_input import AskOption, AskView, DamageOutcome
from turnwright.ui.widgets.prompts.prompt_roll_input import SHARE
from turnwright.ui.widgets.rules.why import Explanation, ExplanationLine, WhyLabel
from turnwright.ui.widgets.text import claims_key, discard, plain_label, tool_button
from turnwright.ui.widgets.typed.line_text import ChipView, save_text

SHARES = "prompt.shares"
SAVED_DAMAGE = ("prompt.saved_damage", SHARES)
DETAIL = "{detail}"  # the placeholder in the text of a question
MAX_NAMED = 4
D20 = "1d20"
OWN_REASONS = window_data("prompts.own_reasons", tuple[str, ...])
OWN_NUMBERS = ("<ability.", "<skill.")
AGAINST_LABELS = {"ask.recharge": "ui.prompt.needs", "ask.attack": "ui.prompt.against-ac"}
ICONS = icons("prompts")
Lines = Callable[[], Iterable[ExplanationLine]]


def prompt_view(document: DocumentModel, prompt: Prompt) -> PromptView:
    """Return the view of a prompt with its pending questions of one type. Questions of other types follow later."""
    explain = explainer(document)
    procedure = document.encounter.get(Procedure, prompt.procedure)
    about = procedure.data if procedure is not None else None
    if isinstance(about, SavedDamage) and prompt.title in SAVED_DAMAGE:
        return _damage_view(document, prompt, about)
    icon, tone = ICONS.get(prompt.title.removeprefix("prompt."), ("dice-d20-outline", "accent"))
    title = _title(document, explain, prompt, about)
    why = (lambda: explain.explain_rule(prompt.rule, title)) if prompt.rule else None
    waiting = waiting_asks(prompt)
    dc = partial(_dc_lines, document, about)
    asks = tuple(_ask_view(document, explain, ask, title, dc) for ask in waiting if ask.kind == waiting[0].kind)
    if len(asks) > 1 and prompt.title == "prompt.save":
        title = explain.text("ui.prompt.saves", subject=prompt.subject, n=number_word(len(asks)))
    consequence = _consequence(document, explain, prompt, about)
    return PromptView(prompt.id, prompt.revision, title, asks, icon, tone, consequence, why)


def _damage_view(document: DocumentModel, prompt: Prompt, data: SavedDamage) -> PromptView:
    """Return the view of a prompt for the rolls of damage with saves, or for the shares of that damage."""
    explain, title = explainer(document), tr("ui.damage.title", n=len(data.targets))
    waiting = waiting_asks(prompt)
    if prompt.title == SHARES:
        outcomes = partial(_outcomes, document, prompt)
        who, failed = partial(label_of, document.encounter), data.failed
        asks = tuple(
            AskView(ask.id, SHARE, who(ask.id), suggested=ask.suggested, failed=ask.id in failed, outcomes=outcomes)
            for ask in waiting
        )
    else:
        asks = tuple(replace(_ask_view(document, explain, ask, title), kind="saved") for ask in waiting)
    words = line_words(document.rules)
    total = data.rolled.total if data.rolled is not None else None
    damage = data.damage if total is None else tr("ui.damage.rolled", dice=data.damage, n=total)
    chips = [
        ChipView(damage, "accent", "dice-5"),
        ChipView(save_text(data.save, data.dc, words), "", "shield-outline"),
        ChipView(tr("ui.damage.half-on-save" if data.half else "ui.damage.none-on-save")),
    ]
    word = next((condition for condition in words.conditions if condition.id == data.condition), None)
    if word is not None:
        chips.append(ChipView(tr("ui.damage.who-fails", what=word.name.lower()), "", word.icon))
    return PromptView(prompt.id, prompt.revision, title, asks, "sword", "harm", chips=tuple(chips), edge="harm")


def _outcomes(document: DocumentModel, prompt: Prompt, replies: tuple[Reply, ...]) -> dict[str, DamageOutcome]:
    """Return the damage that each target takes with these shares, including resistance and other adjustments."""
    try:
        step = document.source.session.preview(Answer(prompt.id, replies, prompt.revision))
    except Refused:
        return {}
    lines = {line.subject[1]: line for line in step.lines if line.why or line.roll}
    outcomes = {}
    for event in step.events:
        if isinstance(event, DamageTaken):
            line = lines.get(event.target)
            card = explainer(document).explain_journal_line(line) if line is not None else Explanation("", "")
            title = label_of(document.encounter, event.target)
            why = msgspec.structs.replace(card, title=title, total=str(event.taken))
            outcomes[event.target] = DamageOutcome(event.taken, event.hp_before, event.hp_after, why)
    return outcomes


def _consequence(document: DocumentModel, explain: Explainer, prompt: Prompt, about: object) -> str:
    """Return the results of failed and successful saves for a prompt, or an empty string if they aren't known."""
    cause: EnvironmentEntry | Feature | None = None
    half = ""
    if isinstance(about, EnvironmentEffect):
        place = document.encounter.get(Environment, about.environment)
        entries = (*place.actions, *place.features) if place is not None else ()
        cause = next((entry for entry in entries if entry.id == about.entry), None)
    elif isinstance(about, SaveEffect):
        cause = about.feature
        half = explain.text("ui.prompt.half-on-save") if about.half_on_save and about.feature.damage else ""
    if cause is None or prompt.title != "prompt.save":
        return ""
    inflicted = [explain.name(f"<condition.{affliction.condition}>").lower() for affliction in cause.afflictions]
    what = ", ".join(part for part in (cause.damage, *dict.fromkeys(inflicted)) if part)
    return "  ".join(part for part in (explain.text("ui.prompt.on-failure", what=what) if what else "", half) if part)


def _title(document: DocumentModel, explain: Explainer, prompt: Prompt, about: object) -> str:
    """Return the title of a prompt: the target of damage, a critical hit, or the combatant whose move provokes."""
    doubled = any(ask.spec is not None and ask.spec.doubled for ask in prompt.asks)
    if prompt.title == "prompt.damage" and isinstance(about, AttackInProgress) and about.critical and not doubled:
        return explain.text("ui.prompt.damage-critical", who=prompt.subject)
    if prompt.title == "prompt.reaction" and isinstance(about, MoveInProgress):
        return explain.text("ui.prompt.leaves-reach", who=prompt.subject)
    if targets := _struck(document, prompt, about):
        return explain.text("ui.prompt.damage-to", who=targets)
    return explain.text(prompt.title, subject=prompt.subject)


def _dc_lines(document: DocumentModel, about: object) -> Iterator[ExplanationLine]:
    """Yield the reasons of the DC of a spell that a procedure resolves. Nothing for other procedures."""
    if isinstance(about, SaveEffect) and about.members and (about.spell or about.feature.is_spell):
        caster = document.encounter.get(Combatant, about.members[0])
        if caster is not None and about.feature.dc:
            yield from spell_dc_lines(document, caster, about.feature.dc)


def _ask_view(document: DocumentModel, explain: Explainer, ask: Ask, title: str, dc: Lines = tuple) -> AskView:
    who = _label(document, ask.who)
    text = _text(explain, ask, title)
    options = ((option, explain.name(option.label)) for option in ask.options)
    choices = tuple(AskOption(option.id, name, _reason(explain, option.why)) for option, name in options)
    view = AskView(ask.id, ask.kind, who, text, choices=choices, suggested=ask.suggested, most=ask.max_choices)
    spec = ask.spec
    if ask.kind != "roll" or spec is None:
        return view
    roll = roll_text(spec, explain)
    against = explain.text(AGAINST_LABELS.get(ask.label, "ui.prompt.against"), dc=ask.dc) if ask.dc else ""
    about = " ".join(part for part in (who, text) if part)
    faces = ask.label in BY_FACE

    def why() -> Explanation:
        card = explain.explain_roll_spec(spec, about, ask.dc, ask.rule)
        return msgspec.structs.replace(card, lines=(*card.lines, *(dc() if ask.dc else ())))

    return replace(
        view,
        text="" if text.lower() in title.lower() else text,
        roll=roll,
        against=against,
        figure=_figure(spec, explain),
        note=_note(explain, ask, spec, against),
        by_face=faces,
        auto_fail=explain.name(spec.fails) if spec.fails else "",
        dice=bool(spec.dice),
        auto_fail_why=(lambda: _failure(document, explain, spec, ask.rule)) if spec.fails else None,
        why=why,
        problem=lambda typed: typing_problem(typed, spec, faces=faces),
    )


def typing_problem(typed: str, spec: RollSpec, *, faces: bool = False) -> str:
    """Return the error in the typed result of a roll, or an empty string if it is valid."""
    try:
        if faces or with_typed_bonus(typed, spec) is None:
            (parse_faces if faces and typed.strip() != "?" else parse_result)(typed, spec)
    except DiceError as error:
        return error.message
    return ""


def _failure(document: DocumentModel, explain: Explainer, spec: RollSpec, rule: str) -> Explanation:
    """Return the reason why a roll fails automatically: the condition and its rules, or the rule of the prompt."""
    name = explain.name(spec.fails)
    condition = document.rules.conditions.get(spec.fails.removeprefix("<condition.").removesuffix(">"))
    lines = [ExplanationLine("·", condition.text)] if condition is not None and condition.text else []
    lines += explain.rule_lines(condition.ledger if condition is not None else ()) or explain.rule_lines((rule,))
    title, notes = explain.text("ui.prompt.fails", why=name), (explain.text("ui.prompt.fails-tip"),)
    return Explanation(title, "", tuple(lines), (), notes)


def _struck(document: DocumentModel, prompt: Prompt, about: object) -> str:
    """Return the names of a damage prompt's targets, or an empty string for other prompts and for several rolls."""
    if prompt.title != "prompt.damage" or len(prompt.asks) != 1:
        return ""
    failed = about.failed if isinstance(about, EnvironmentEffect) else ()
    targets = about.targets if isinstance(about, DamageRoll) else failed
    names = [label for who in targets if (label := _label(document, who))]
    if len(names) <= MAX_NAMED:
        return ", ".join(names)
    return tr("ui.turn.and-more", who=", ".join(names[: MAX_NAMED - 1]), n=len(names) - MAX_NAMED + 1)


def _figure(spec: RollSpec, explain: Explainer) -> str:
    """Return the short form of a roll: only the modifier for a d20, dice and modifier otherwise."""
    short = short_roll(spec, explain)
    bare = short.removeprefix(D20)
    return (bare.strip().replace(" ", "") or "+0") if spec.dice == D20 else short


def _note(explain: Explainer, ask: Ask, spec: RollSpec, against: str) -> str:
    """Return the number needed on the die, and the reasons for modifiers that don't come from the roller's stats."""
    parts = []
    if ask.dc and spec.dice == D20 and not spec.counted:
        least = ask.dc - sum(modifier.value for modifier in spec.modifiers)
        dice = " + ".join(extra.dice for extra in spec.extra)
        needed = "ui.prompt.needs-extra" if dice else "ui.prompt.needs-die"
        parts.append(tr(needed if least > 1 else "ui.prompt.any-roll", n=least, dice=dice))
    elif against:
        parts.append(against)
    kinds = {edge.kind for edge in spec.edges}
    if len(kinds) == 1:
        parts.append(explain.text(f"ui.why.{kinds.pop()}"))
    elif kinds:
        parts.append(explain.text("ui.prompt.cancelled"))
    given = (modifier.reason for modifier in spec.modifiers if modifier.value and modifier.reason not in OWN_REASONS)
    reasons = [reason for reason in given if not reason.startswith(OWN_NUMBERS)]
    reasons += [extra.reason for extra in spec.extra] + [edge.reason for edge in spec.edges]
    parts += dict.fromkeys(explain.name(reason).lower() for reason in reasons)
    return " · ".join(parts)


def _reason(explain: Explainer, why: str) -> str:
    """Return the reason for or against an option as text. A plain number is a DC."""
    return tr("ui.prompt.dc", dc=why) if why.isdecimal() else explain.name(why)


def _text(explain: Explainer, ask: Ask, title: str) -> str:
    """Return a question as text: `Dexterity save`, `Cold Chill: damage`, `Who is affected? (within 30 feet)`."""
    label = explain.name(ask.label)
    detail = explain.name(ask.detail)
    if DETAIL in label:
        label = explain.text(ask.label, detail=ask.detail)
        return label[:1].upper() + label[1:]
    if ask.kind in ("targets", "choice"):
        return label if not detail or detail in label or detail in title else f"{label} ({detail})"
    if detail and not ask.who and label.lower() in title.lower():
        return detail
    if not detail or detail.lower().endswith(label.lower()):
        return detail or label[:1].upper() + label[1:]
    return f"{detail}: {label}" if not ask.detail.startswith("<") else f"{detail} {label}"


def _skips(event: QKeyEvent) -> bool:
    """Return whether a key skips a prompt."""
    return event.key() == Qt.Key.Key_S and event.modifiers() == Qt.KeyboardModifier.NoModifier


def _label(document: DocumentModel, who: str) -> str:
    combatant = document.encounter.get(Combatant, who) if who else None
    return combatant.label if combatant else ""


class PromptArea(QWidget):
    """The cards of all pending prompts, of which only the most urgent is shown, and the offer to end a one-sided fight.

    Cards don't take the focus on their own. Emits `focusReleased` on Esc or when the last card has been answered.
    """

    focusReleased = Signal()

    def __init__(self, document: DocumentModel) -> None:
        super().__init__()
        self._document = document
        self.cards: dict[str, PromptCard] = {}  # by the id of their prompt, the most urgent first
        self._column = vertical(self)
        words = document.words
        self._offer = Card("heal")
        self.end_button = KeyButton(words("ui.prompt.end"), lambda: self._document.execute(EndEncounter()), "Enter")
        row = fill(FlowRow(), self.end_button)
        fill(self._offer.body, plain_label(words("ui.prompt.single-side"), wraps=True), row)
        self._column.addWidget(self._offer)
        self.refresh()

    def refresh(self, *, continues: bool = False, without: str = "") -> None:
        """Show the pending prompts. When the focused card is answered, the focus moves to the next.

        If `continues`, the prompts follow from the user's input in this panel and take the focus. `without` is the id
        of a prompt that is shown elsewhere.
        """
        had_focus = self.has_focus()
        fresh = self._keep([prompt for prompt in open_prompts(self._document.encounter) if prompt.id != without])
        self._offer.setVisible(can_offer_end_encounter(self._document.encounter))
        if had_focus and not self.cards:
            self.focusReleased.emit()
        elif had_focus or (fresh and continues):
            self.take_focus()

    def is_needed(self) -> bool:
        """Whether a prompt is pending or the end of the fight is offered."""
        return bool(self.cards) or not self._offer.isHidden()

    def event(self, event: QEvent) -> bool:
        """Accept the key that skips a prompt, which would otherwise be a shortcut of the window."""
        return claims_key(event, _skips) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_needed():
            self.focusReleased.emit()
        elif _skips(event):
            self.skip()
        else:
            super().keyPressEvent(event)

    def skip(self) -> None:
        """Skip the most urgent prompt with all its questions."""
        if first := next(iter(self.cards), ""):
            self._document.execute(DismissPrompt(first))

    def has_focus(self) -> bool:
        """Whether the focus is in one of the cards."""
        return any(holds_focus(card) for card in self.cards.values())

    def take_focus(self) -> bool:
        """Put the focus on the most urgent card, or the offer to end the fight. Return False if there is none."""
        if (first := next(iter(self.cards.values()), None)) is not None:
            first.take_focus()
        elif self.is_needed():
            self.end_button.setFocus(Qt.FocusReason.OtherFocusReason)
        return self.is_needed()

    def _keep(self, prompts: list[Prompt]) -> bool:
        """Update the cards to match the prompts, in order. Return whether one of them is new."""
        before = self.cards
        for id in before.keys() - {prompt.id for prompt in prompts}:
            card = before.pop(id)
            self._column.removeWidget(card)
            discard(card)
        cards: dict[str, PromptCard] = {}
        for place, prompt in enumerate(prompts):
            view = prompt_view(self._document, prompt)
            card = before.get(prompt.id) or self._new_card(view)
            card.set_place(1 if place == 0 else 0, len(prompts))
            if card.view != view:
                card.set_view(view)
            if self._column.indexOf(card) != place:
                self._column.insertWidget(place, card)
            card.setVisible(place == 0)
            cards[prompt.id] = card
        fresh = any(id not in before for id in cards)
        self.cards = cards
        return fresh

    def _new_card(self, view: PromptView) -> PromptCard:
        card = PromptCard(view, self)
        card.answered.connect(lambda *answer: self._document.execute(Answer(*answer)))
        card.hurried.connect(self._accept_shares)
        return card

    def _accept_shares(self) -> None:
        """Deal the damage as suggested, if the most urgent prompt asks for its shares."""
        if (first := next(iter(self.cards.values()), None)) is not None and first.view.asks[0].kind == SHARE:
            first.prompt_input.confirm()


class PendingList(Card):
    """The stack of declarations, starting with the first to resolve. Hidden while it is empty."""

    def __init__(self, document: DocumentModel) -> None:
        super().__init__("")
        self._document = document
        self.shown: list[tuple[Declaration, str]] = []  # with their texts
        self.buttons: dict[str, QToolButton] = {}  # the buttons that undo a declaration
        self._rows = QWidget()
        margins = self.body.contentsMargins()
        self.body.setContentsMargins(margins.left(), scaled(GAP), margins.right(), scaled(GAP))
        self.body.setSpacing(scaled(SPACE))
        self._heading = WhyLabel(tr("ui.turn.pending"), "caption", "muted")
        self._column = vertical()
        fill(self.body, self._heading, self._column)
        self.setAccessibleName(tr("ui.turn.pending"))
        self.hide()

    def refresh(self) -> None:
        """Show the current declarations."""
        declarations = resolution_order(self._document.encounter)
        shown = [(declaration, self.announcement_text(declaration)) for declaration in declarations]
        if shown != self.shown:
            self.shown = shown
            explain = explainer(self._document)
            rule = explain.rule_on_topic("reaction.order")
            self._heading.set_why((lambda: explain.explain_rule(rule, tr("ui.turn.pending"))) if rule else None)
            self._fill()
        self.setVisible(bool(shown))

    def announcement_text(self, announcement: Declaration) -> str:
        """Return a declaration as text: combatant, action, and the declaration it responds to."""
        lookup = self._document.encounter
        text = tr("ui.turn.pending-entry", who=label_of(lookup, announcement.who), what=announcement.name)
        answered = lookup.get(Declaration, announcement.responds_to) if announcement.responds_to else None
        if answered is None:
            return text
        return tr("ui.turn.pending-answer", one=text, who=label_of(lookup, answered.who), what=answered.name)

    def cost_text(self, announcement: Declaration) -> str:
        """Return the reserved cost of a declaration in the rule system's notation, or an empty string if it is free."""
        presentation = self._document.rules.data.presentation
        return ", ".join(price for pool, amount in announcement.reserved if (price := presentation.price(pool, amount)))

    def undo_to(self, id: str) -> None:
        """Undo step by step until a declaration is undone."""
        while self._document.encounter.get(Declaration, id) is not None:
            before = self._document.encounter
            self._document.undo()
            if self._document.encounter is before:
                return

    def _fill(self) -> None:
        self._column.removeWidget(self._rows)
        discard(self._rows)
        self._rows, self.buttons = QWidget(), {}
        grid = grid_layout(self._rows, down=2)
        grid.setColumnStretch(1, 1)
        for row, (declaration, text) in enumerate(self.shown):
            button = tool_button("undo", tr("ui.turn.pending-undo", what=text), partial(self.undo_to, declaration.id))
            grid.addWidget(plain_label(f"{row + 1}.", tone="muted"), row, 0)
            grid.addWidget(plain_label(text, "strong" if row == 0 else "body", wraps=True), row, 1)
            grid.addWidget(plain_label(self.cost_text(declaration), "caption", "muted"), row, 2)
            grid.addWidget(button, row, 3)
            self.buttons[declaration.id] = button
        self._column.addWidget(self._rows)
        self._rows.show()
