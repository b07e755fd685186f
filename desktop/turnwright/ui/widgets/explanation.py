"""Explanation of a number as plain data: its dice, its parts with reasons and rules, and discarded parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from turnwright.dice.roll import Die, Modifier, Roll
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.word_keys import signed_text
from turnwright.ui.translations import tr


class ExplanationLine(msgspec.Struct, frozen=True):
    """A part of a total: its value as written (`+3`, `advantage`), its reason, its rule's id and words."""

    value: str
    reason: str
    rule: str = ""
    words: str = ""


class Explanation(msgspec.Struct, frozen=True):
    """The explanation of a total. `notes` name discarded parts with reasons; `dice` are drawn, kept or struck out."""

    title: str
    total: str
    lines: tuple[ExplanationLine, ...] = ()
    dice: tuple[Die, ...] = ()
    notes: tuple[str, ...] = ()


def explain_roll(
    roll: Roll, title: str, rule_words: Callable[[str], str], names: Callable[[str], str] = tr
) -> Explanation:
    """Return the explanation of a roll; `rule_words` gives the words of a rule's id, `names` those of a reason."""
    lines = _modifier_lines(roll.modifiers, rule_words, names)
    lines += [
        ExplanationLine(tr(f"ui.why.{e.kind}"), names(e.reason), e.rule, _words(e.rule, rule_words)) for e in roll.edges
    ]
    notes = [tr(f"ui.why.origin-{roll.origin}")] if roll.origin in ("typed", "scripted") else []
    total = tr("ui.why.unknown") if roll.total is None else str(roll.total)
    return Explanation(title, total, tuple(lines), roll.dice, tuple(notes))


def explain_number(
    number: ExplainedNumber, title: str, rule_words: Callable[[str], str], names: Callable[[str], str] = tr
) -> Explanation:
    """Return the explanation of a number such as an AC or a speed; a note reports a part that replaces the rest."""
    notes = (tr("ui.why.replaced"),) if number.replaced else ()
    return Explanation(title, str(number.total), tuple(_modifier_lines(number.parts, rule_words, names)), notes=notes)


def accessible_text(why: Explanation) -> str:
    """Return an explanation as one line of text for screen readers."""
    dice = [f"d{die.sides} {die.face}" + ("" if die.kept else f" ({tr('ui.why.dropped')})") for die in why.dice]
    lines = [f"{line.value} {line.reason}" for line in why.lines]
    return ", ".join([f"{why.title} {why.total}", *dice, *lines, *why.notes])


def _modifier_lines(
    modifiers: Iterable[Modifier], rule_words: Callable[[str], str], names: Callable[[str], str]
) -> list[ExplanationLine]:
    return [
        ExplanationLine(signed_text(m.value), names(m.reason), m.rule, _words(m.rule, rule_words)) for m in modifiers
    ]


def _words(rule: str, rule_words: Callable[[str], str]) -> str:
    return rule_words(rule) if rule else ""
