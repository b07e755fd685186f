"""Explanations for the docks of a running fight: names and reasons in the table's words, and why-cards with the ledger's.

One stands beside each bridge, so that the ledger is read once, and only when somebody asks.
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from turnwright.dice.roll import Modifier, Roll, RollSpec
from turnwright.play.events import Adjustment, Line, Phrase
from turnwright.rules.catalogue import Catalogue
from turnwright.rules.figures import Figure
from turnwright.rules.terms import signed
from turnwright.ui.bridge import Bridge
from turnwright.ui.models.journal import subject_in
from turnwright.ui.widgets.ledger import LedgerWords
from turnwright.ui.widgets.why import Why, WhyLine
from turnwright.workspace.speech import Speech


class Explainer(QObject):
    """Says phrases and builds why-cards for the document that is open now."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._bridge = bridge
        self._rules = bridge.rules
        self._speech = Speech(bridge.words, self._rules)
        self._ledger = LedgerWords(self._rules.id)

    @property
    def speech(self) -> Speech:
        """The words of the document's rule system."""
        self._follow()
        return self._speech

    @property
    def ledger(self) -> LedgerWords:
        """The ledger of the document's rule system."""
        self._follow()
        return self._ledger

    @property
    def data(self) -> Catalogue:
        """The data of the document's rule system."""
        return self._bridge.rules.catalogue

    def _follow(self) -> None:
        if self._bridge.rules is not self._rules:
            self._rules = self._bridge.rules
            self._speech = Speech(self._bridge.words, self._rules)
            self._ledger = LedgerWords(self._rules.id)

    def say(self, key: str, **params: str | int) -> str:
        """Return the words of a key; parameters may name keys in angle brackets."""
        return self.speech.say(key, **params)

    def name(self, text: str) -> str:
        """Return a reason or name in words."""
        return self.speech.name(text)

    def phrase(self, said: Phrase) -> str:
        """Return a phrase in words."""
        return self.speech.phrase(said)

    # Why-cards ---------------------------------------------------------------------------------------------------

    def of_figure(self, title: str, figure: Figure, unit: str = "", topic: str = "") -> Why:
        """Return why a figure is what it is; `topic` finds its rule where no part names one."""
        lines = [self._part(part, first=index == 0) for index, part in enumerate(figure.parts)]
        if topic and not any(part.rule for part in figure.parts):
            lines += self._rule_line(self.rule_on(topic))
        notes = (self.say("ui.turn.replaced", what=self.name(figure.parts[-1].reason)),) if figure.replaced else ()
        return Why(title, f"{figure.total}{unit}", tuple(lines), (), notes)

    def of_spec(self, spec: RollSpec, title: str, dc: int = 0, rule: str = "") -> Why:
        """Return what a roll that is still to be made consists of, and the rule that asks it."""
        lines = [WhyLine(spec.dice, self.say("ui.prompt.dice")), *self._roll_lines(spec.modifiers, spec)]
        lines += self._rule_line(rule)
        return Why(title, self.say("ui.prompt.dc", dc=dc) if dc else "", tuple(lines))

    def of_roll(self, roll: Roll, title: str, rule: str = "") -> Why:
        """Return how a roll came to its total."""
        lines = [*self._roll_lines(roll.modifiers, roll), *self._rule_line(rule)]
        if len(roll.parts) > 1:
            lines = [*(WhyLine(str(part.total), self.name(f"<damage.{part.kind}>")) for part in roll.parts), *lines]
        notes = (self.say(f"ui.why.origin-{roll.origin}"),) if roll.origin in ("typed", "scripted") else ()
        total = self.say("ui.why.unknown") if roll.total is None else str(roll.total)
        return Why(title, total, tuple(lines), roll.dice, notes)

    def of_line(self, line: Line) -> Why:
        """Return what stands behind a line of the journal: its dice, what changed the damage, its rule."""
        title = subject_in(line) or self.say("ui.journal.why")
        changes = tuple(self._adjustment(each) for each in line.why)
        if line.roll is not None:
            told = self.of_roll(line.roll, title, "" if changes else line.rule)
            return Why(told.title, told.total, (*told.lines, *changes), told.dice, told.notes)
        return Why(title, "", (*changes, *self._rule_line(line.rule)))

    def worded(self, value: str, reason: str, rule: str = "") -> WhyLine:
        """Return a line with the words of its rule, where the ledger has any."""
        return WhyLine(value, reason, rule, self.ledger.statement(rule))

    def rule_on(self, topic: str) -> str:
        """Return the rule on a topic, as the engines cite it or as the ledger names it; empty where there is none."""
        ledger = self.ledger
        return self._rules.cite(topic) or ledger.on(topic)

    def of_rule(self, rule: str, title: str = "") -> Why:
        """Return a rule in the ledger's words."""
        return Why(title or self.ledger.title(rule), "", tuple(self._rule_line(rule)))

    def is_known(self, rule: str) -> bool:
        """Return whether the ledger has words for a rule."""
        return bool(rule) and self.ledger.rule(rule) is not None

    # Pieces --------------------------------------------------------------------------------------------------------

    def _part(self, part: Modifier, *, first: bool = False) -> WhyLine:
        value = str(part.value) if first else signed(part.value)
        return self.worded(value, self.name(part.reason), part.rule)

    def _roll_lines(self, modifiers: tuple[Modifier, ...], source: RollSpec | Roll) -> list[WhyLine]:
        lines = [self._part(part) for part in modifiers if part.value]
        if isinstance(source, RollSpec):
            lines += [self.worded(f"+{each.dice}", self.name(each.reason), each.rule) for each in source.extra]
        for edge in source.edges:
            lines.append(self.worded(self.say(f"ui.why.{edge.kind}"), self.name(edge.reason), edge.rule))
        return lines

    def _adjustment(self, each: Adjustment) -> WhyLine:
        return self.worded(f"{each.before} → {each.after}", self.name(each.reason), each.rule)

    def _rule_line(self, rule: str) -> list[WhyLine]:
        statement = self.ledger.statement(rule)
        return [WhyLine("§", self.ledger.title(rule), rule, statement)] if statement else []


def explainer(bridge: Bridge) -> Explainer:
    """Return the explainer of a bridge, made on the first call."""
    return bridge.findChild(Explainer) or Explainer(bridge)


def spelled(spec: RollSpec, explain: Explainer) -> str:
    """Return a roll in one line with its modifiers spelled out: `1d20 + 3 Dexterity, with advantage`."""
    text = spec.dice or explain.say("ui.prompt.own-roll")
    for part in spec.modifiers:
        if part.value:
            text += f" {'−' if part.value < 0 else '+'} {abs(part.value)} {explain.name(part.reason)}"
    for extra in spec.extra:
        text += f" + {extra.dice} {explain.name(extra.reason)}"
    kinds = {edge.kind for edge in spec.edges}
    if len(kinds) == 1:
        text += f", {explain.say('ui.prompt.with', edge=explain.say(f'ui.why.{kinds.pop()}'))}"
    elif kinds:
        text += f", {explain.say('ui.prompt.cancelled')}"
    return text
