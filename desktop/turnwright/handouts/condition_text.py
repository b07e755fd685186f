"""Describes a condition's effects in phrases short enough for a page: `Disadvantage: attacks, checks`.

Facts that have no phrase aren't guessed. A rule that depends on one is printed as applying sometimes, or is left to
the condition's own text if it has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from turnwright.encounter.data_rules import DataRule
from turnwright.rules.parts.stat_block.text_runs import Translate
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.conditions import Condition
from turnwright.rules.system_data.statements import parse_statement
from turnwright.rules.word_keys import signed_text, system_words

_KEYS: Final = "handout.reference"
_FIGURED: Final = ("modifier", "flat", "speed", "damage", "resource")
_MEANT: Final = ("advantage", "disadvantage", "expertise", "critical", "fail", "deny", *_FIGURED)
_TOLD: Final = ("modifier", "speed", "deny")  # kinds of rules that the condition's text usually covers
_WORD = re.compile(r"\d+|\w{3,}|AC", re.IGNORECASE)
_STEM: Final = 4
_CITATION: Final = re.compile(r" \(pages? [\d, \u2013-]+\)")  # of a book that isn't named on the page


class ConditionText:
    """Phrases for a game's conditions. All keys are in `[handout.reference]`."""

    def __init__(self, rules: RuleSystem, text: Translate) -> None:
        self._say = text
        self._rules = rules
        self._terms = system_words(rules.data)

    def reference_text(self, key: str, **params: object) -> str:
        """Return the text of a key in `[handout.reference]`."""
        return self._say(f"{_KEYS}.{key}", **params)

    def reference_text_or_empty(self, key: str, **params: object) -> str:
        """Return the text of a key, or an empty string if the key doesn't exist."""
        text = self.reference_text(key, **params)
        return "" if text == f"{_KEYS}.{key}" else text

    def term(self, key: str, otherwise: str) -> str:
        """Return the game's own term for a key."""
        return self._terms.get(key, otherwise)

    def joined_names(self, names: Iterable[str]) -> str:
        """Return the distinct names, separated by commas."""
        return ", ".join(dict.fromkeys(name for name in names if name))

    def name_of(self, what: str) -> str:
        """Return the name of a stat, a roll or a resource, preferably the game's own term."""
        key = what.replace(".", "-").replace(":", "-")
        plain = self.reference_text_or_empty(f"what-{key}")
        if plain:
            return plain
        for term in (f"{what}.short", what, f"damage.{what}"):
            if term in self._terms:
                return self._terms[term]
        if resource := self._rules.resources.get(what):
            return resource.name.lower()
        roll, _, ability = what.partition(".")
        named = self._terms.get(f"ability.{ability}", ability.replace("-", " "))
        return self.reference_text_or_empty(f"roll-{roll}", ability=named) or what.replace("-", " ").replace(".", " ")

    def cost_name(self, cost: str) -> str:
        """Return a short name for an action's cost."""
        named = self._terms.get(f"resource.{cost}", cost.replace("-", " "))
        return self.reference_text_or_empty(f"cost-{cost}") or named

    def effect_lines(self, condition: Condition) -> list[str]:
        """Return short lines for a condition's rules that its text doesn't already cover."""
        grouped: dict[tuple[str, str, str], list[str]] = {}
        rules = [(rule, self._when(rule, condition)) for rule in condition.rules if rule.kind in _MEANT]
        unworded = {rule.kind for rule, when in rules if when is None}
        for rule, when in rules:
            if when is None or (rule.when and rule.kind in unworded):  # half an explanation is worse than none
                continue
            own = f"{rule.kind}-{rule.what}"
            kind = own if self.reference_text_or_empty(f"kind-{own}") else rule.kind
            change = self._figure(rule) if rule.kind in _FIGURED else ""
            grouped.setdefault((kind, change, when), []).append(self.name_of(rule.what))
        effects = [(key[0], self._effect(*key, names)) for key, names in grouped.items()]
        lines = [line for kind, line in effects if kind.partition("-")[0] not in _TOLD or _adds(condition.text, line)]
        notes = [rule.text.rstrip(".") for rule in condition.rules if rule.kind == "note"]
        return [*lines, *(note for note in notes if _adds(condition.text, note)), *self._course(condition)]

    def _effect(self, kind: str, change: str, when: str, names: list[str]) -> str:
        text = self.reference_text(f"kind-{kind}", figure=change, what=self._together(kind, names))
        text = text[:1].upper() + text[1:]
        return f"{text} ({when})" if when else text

    def _together(self, kind: str, names: list[str]) -> str:
        """Return the subject of an effect, combining damage types into one phrase."""
        if kind != "damage":
            return self.joined_names(names)
        every = {self.name_of(damage_type.id) for damage_type in self._rules.data.damage_types}
        if every <= set(names):
            return self.reference_text("all-damage")
        return self.reference_text("of-damage", kind=self.joined_names(names))

    def _course(self, condition: Condition) -> list[str]:
        """Return lines about a condition's implied conditions, duration and aftermath."""
        granted = [rule.what for rule in condition.rules if rule.kind == "grant"]
        also = [self._condition(name) for name in (*condition.implies, *granted)]
        lines = [self.reference_text("also", what=self.joined_names(also))] if also else []
        lines += [self.reference_text("falls", n=condition.falls)] if condition.falls else []
        lines += [self.reference_text(f"until-{condition.until}")] if condition.until else []
        after = condition.after
        return lines + ([self.reference_text("after", what=self._condition(after))] if after else [])

    def _condition(self, id: str) -> str:
        condition = self._rules.conditions.get(id)
        return condition.name if condition else id.replace("-", " ")

    def _figure(self, rule: DataRule) -> str:
        """Return a rule's change at condition value 1 as text: a fixed value, a multiple or a signed number."""
        if rule.set is not None:
            return str(rule.set)
        if rule.over != 1:
            return self.reference_text("half") if (rule.times, rule.over) == (1, 2) else f"×{rule.times}/{rule.over}"
        if rule.times != 1:
            return f"×{rule.times}"
        unit = f" {self._terms.get('unit', '')}" if rule.kind == "speed" else ""
        return signed_text(rule.add + rule.per_value) + unit

    def _when(self, rule: DataRule, condition: Condition) -> str | None:
        """Return when a rule applies: an empty string means always, None that the condition's text must say it."""
        phrases = []
        statement = parse_statement(rule.when)
        for fact in statement.facts:
            parts = ("when", "not" if fact.negated else "", fact.subject, fact.word or fact.argument)
            key = "-".join(part for part in parts if part)
            text = self.reference_text_or_empty(key, n=fact.argument)
            if not text or not statement.is_conjunction:
                return None if condition.text else self.reference_text("at-times")
            phrases.append(text)
        if rule.per_value:
            sign = signed_text(rule.per_value)
            phrases.append(self.reference_text("value-more" if rule.add else "value-each", sign=sign))
        return ", ".join(phrases)


def without_citations(text: str) -> str:
    """Return a rule text without its page references."""
    return _CITATION.sub("", text)


def _adds(text: str, note: str) -> bool:
    """Return whether a note adds information to a text, comparing numbers and word beginnings."""
    stems = {word[:_STEM] for word in _WORD.findall(text.casefold())}
    return not {word[:_STEM] for word in _WORD.findall(note.casefold())} <= stems
