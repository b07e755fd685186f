"""Explanations for the panels of a running fight: names and reasons as text, and why-cards with rule texts.

Each `DocumentModel` has one explainer.
"""

from collections.abc import Iterable

import msgspec
from PySide6.QtCore import QObject

from turnwright.dice.expression import Modifier, Roll, RollSpec
from turnwright.play.kernel.events import DamageAdjustment, JournalLine, Phrase
from turnwright.rules.system import ExplainedNumber, Veto
from turnwright.rules.system_data import SystemData
from turnwright.rules.word_keys import signed_text
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.rule_texts import RuleTextSource, rule_texts
from turnwright.ui.widgets.rules.why import Explanation, ExplanationLine

MAX_RULES = 4


class Explainer(QObject):
    """Builds phrases and why-cards for the open document."""

    def __init__(self, document: DocumentModel) -> None:
        super().__init__(document)
        self._document = document

    @property
    def ledger(self) -> RuleTextSource:
        """The rule texts of the document's rule system."""
        return rule_texts(self._document.rules.id)

    @property
    def data(self) -> SystemData:
        """The data of the document's rule system."""
        return self._document.rules.data

    def text(self, key: str, **params: str | int) -> str:
        """Return the text of a word key. Parameters may contain other keys in angle brackets."""
        return self._document.phrasebook.text(key, **params)

    def name(self, text: str) -> str:
        """Expand the word keys in the angle brackets of a reason or name."""
        return self._document.phrasebook.expand_keys(text)

    def phrase(self, phrase: Phrase) -> str:
        """Return a phrase as text."""
        return self._document.phrasebook.phrase_text(phrase)

    # Why-cards ---------------------------------------------------------------------------------------------------

    def explain_number(self, title: str, number: ExplainedNumber, unit: str = "", topic: str = "") -> Explanation:
        """Return the explanation of a number, part by part. `topic` selects a rule if no part cites one."""
        lines = [self._part(part, first=index == 0) for index, part in enumerate(number.parts)]
        if topic and not any(part.rule for part in number.parts):
            lines += self._rule_line(self.rule_on_topic(topic))
        notes = (self.text("ui.turn.replaced", what=self.name(number.parts[-1].reason)),) if number.replaced else ()
        return Explanation(title, f"{number.total}{unit}", tuple(lines), (), notes)

    def explain_roll_spec(self, spec: RollSpec, title: str, dc: int = 0, rule: str = "") -> Explanation:
        """Return the explanation of a pending roll: dice, modifiers, advantage or disadvantage, and its rule."""
        lines = [
            ExplanationLine(spec.thrown(spec.dice), self.text("ui.prompt.dice")),
            *self._roll_lines(spec.modifiers, spec),
        ]
        lines += self._rule_line(rule)
        return Explanation(title, self.text("ui.prompt.dc", dc=dc) if dc else "", tuple(lines))

    def explain_roll(self, roll: Roll, title: str, rule: str = "") -> Explanation:
        """Return the explanation of a roll's total."""
        lines = [*self._roll_lines(roll.modifiers, roll), *self._rule_line(rule)]
        if len(roll.parts) > 1:
            kinds = [ExplanationLine(str(part.total), self.name(f"<damage.{part.kind}>")) for part in roll.parts]
            lines = [*kinds, *lines]
        notes = (self.text(f"ui.why.origin-{roll.origin}"),) if roll.origin in ("typed", "scripted") else ()
        total = self.text("ui.why.unknown") if roll.total is None else str(roll.total)
        return Explanation(title, total, tuple(lines), roll.dice, notes)

    def explain_journal_line(self, line: JournalLine) -> Explanation:
        """Return the details of a journal line: its dice, damage adjustments, and rule."""
        title = subject_name(line) or self.text("ui.journal.why")
        changes = tuple(self._adjustment(adjustment) for adjustment in line.why)
        if line.roll is not None:
            explanation = self.explain_roll(line.roll, title, "" if changes else line.rule)
            return msgspec.structs.replace(explanation, lines=(*explanation.lines, *changes))
        return Explanation(title, "", (*changes, *self._rule_line(line.rule)))

    def line_with_rule(self, value: str, reason: str, rule: str = "") -> ExplanationLine:
        """Return a line, with the text of its rule if the ledger contains one."""
        return ExplanationLine(value, reason, rule, self.ledger.statement(rule))

    def veto_text(self, veto: Veto | None) -> str:
        """Return the reason of a veto as text, or an empty string if it is None."""
        return self.text(veto.reason, **dict(veto.params)) if veto is not None else ""

    def veto_lines(self, vetoes: Iterable[Veto], sign: str = "✕") -> list[ExplanationLine]:
        """Return a line for each veto, with the text of its rule."""
        return [self.line_with_rule(sign, self.veto_text(veto), veto.rule) for veto in vetoes]

    def line_on_topic(self, value: str, reason: str, topic: str) -> ExplanationLine:
        """Return a line with the text of the rule on a topic, if there is one."""
        return self.line_with_rule(value, reason, self.rule_on_topic(topic))

    def rule_on_topic(self, topic: str) -> str:
        """Return the id of the rule on a topic, or an empty string if there is none.

        The citations of the rule system take precedence over the ledger.
        """
        return self._document.rules.rule_id(topic) or self.ledger.rule_on_topic(topic)

    def explain_rule(self, rule: str, title: str = "") -> Explanation:
        """Return the explanation of a rule from the ledger."""
        return Explanation(title or self.ledger.title(rule), "", tuple(self._rule_line(rule)))

    def rule_lines(self, rules: tuple[str, ...]) -> list[ExplanationLine]:
        """Return a line for each rule that has a text in the ledger, up to `MAX_RULES` lines."""
        known_rules = list(dict.fromkeys(rule for rule in rules if self.is_known(rule)))[:MAX_RULES]
        return [self.line_with_rule("§", self.ledger.title(rule), rule) for rule in known_rules]

    def is_known(self, rule: str) -> bool:
        """Whether the ledger has a text for a rule."""
        return bool(rule) and self.ledger.rule(rule) is not None

    # Parts of explanations ---------------------------------------------------------------------------------------

    def _part(self, part: Modifier, *, first: bool = False) -> ExplanationLine:
        value = str(part.value) if first else signed_text(part.value)
        return self.line_with_rule(value, self.name(part.reason), part.rule)

    def _roll_lines(self, modifiers: tuple[Modifier, ...], source: RollSpec | Roll) -> list[ExplanationLine]:
        lines = [self._part(part) for part in modifiers if part.value]
        extras = source.extra if isinstance(source, RollSpec) else ()
        lines += [self.line_with_rule(f"+{extra.dice}", self.name(extra.reason), extra.rule) for extra in extras]
        for edge in source.edges:
            lines.append(self.line_with_rule(self.text(f"ui.why.{edge.kind}"), self.name(edge.reason), edge.rule))
        return lines

    def _adjustment(self, adjustment: DamageAdjustment) -> ExplanationLine:
        change = f"{adjustment.before} → {adjustment.after}"
        return self.line_with_rule(change, self.name(adjustment.reason), adjustment.rule)

    def _rule_line(self, rule: str) -> list[ExplanationLine]:
        statement = self.ledger.statement(rule)
        return [ExplanationLine("§", self.ledger.title(rule), rule, statement)] if statement else []


def explainer(document: DocumentModel) -> Explainer:
    """Return the explainer of a document model, and create it on the first call."""
    return document.findChild(Explainer) or Explainer(document)


def short_roll(spec: RollSpec, explain: Explainer) -> str:
    """Return a roll as text without the reasons: `2d6 + 3`, `1d20 + 5 + 1d4`."""
    bonus = sum(part.value for part in spec.modifiers)
    text = spec.thrown(spec.dice) or explain.text("ui.prompt.own-roll")
    text += f" {'−' if bonus < 0 else '+'} {abs(bonus)}" if bonus else ""
    return text + "".join(f" + {spec.thrown(extra.dice)}" for extra in spec.extra)


def roll_text(spec: RollSpec, explain: Explainer) -> str:
    """Return a roll as one line of text that names its modifiers: `1d20 + 3 Dexterity, with advantage`."""
    text = spec.thrown(spec.dice) or explain.text("ui.prompt.own-roll")
    for part in spec.modifiers:
        if part.value:
            text += f" {'−' if part.value < 0 else '+'} {abs(part.value)} {explain.name(part.reason)}"
    for extra in spec.extra:
        text += f" + {spec.thrown(extra.dice)} {explain.name(extra.reason)}"
    kinds = {edge.kind for edge in spec.edges}
    if len(kinds) == 1:
        text += f", {explain.text('ui.prompt.with', edge=explain.text(f'ui.why.{kinds.pop()}'))}"
    elif kinds:
        text += f", {explain.text('ui.prompt.cancelled')}"
    return text


def subject_name(line: JournalLine) -> str:
    """Return the name of a journal line's subject, or an empty string if it has none."""
    params = dict(line.phrase.params)
    names = ("who", "actor", "what") if line.subject[0] == "combatants" else ("what", "who")
    return next((str(params[name]) for name in names if params.get(name)), "") if line.subject[1] else ""
