"""Why a number is what it is, as plain data: its dice, its parts with their reasons and rules, and what was discarded."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from turnwright.dice.roll import Die, Modifier, Roll
from turnwright.rules.figures import Figure
from turnwright.rules.terms import signed
from turnwright.ui.say import say


class WhyLine(msgspec.Struct, frozen=True):
    """A part of a total: its value as written (`+3`, `advantage`), its reason, its rule's id and words."""

    value: str
    reason: str
    rule: str = ""
    words: str = ""


class Why(msgspec.Struct, frozen=True):
    """What explains a total. `notes` say what was discarded and why; `dice` are drawn, kept or struck out."""

    title: str
    total: str
    lines: tuple[WhyLine, ...] = ()
    dice: tuple[Die, ...] = ()
    notes: tuple[str, ...] = ()


def why_of_roll(roll: Roll, title: str, rule_words: Callable[[str], str], names: Callable[[str], str] = say) -> Why:
    """Return what explains a roll; `rule_words` gives our words for a rule's id, `names` those for a reason."""
    lines = _modifier_lines(roll.modifiers, rule_words, names)
    lines += [WhyLine(say(f"ui.why.{e.kind}"), names(e.reason), e.rule, _words(e.rule, rule_words)) for e in roll.edges]
    notes = [say(f"ui.why.origin-{roll.origin}")] if roll.origin in ("typed", "scripted") else []
    total = say("ui.why.unknown") if roll.total is None else str(roll.total)
    return Why(title, total, tuple(lines), roll.dice, tuple(notes))


def why_of_figure(
    figure: Figure, title: str, rule_words: Callable[[str], str], names: Callable[[str], str] = say
) -> Why:
    """Return what explains a figure such as an AC or a speed; where a part replaces the rest, a note says so."""
    notes = (say("ui.why.replaced"),) if figure.replaced else ()
    return Why(title, str(figure.total), tuple(_modifier_lines(figure.parts, rule_words, names)), notes=notes)


def spoken(why: Why) -> str:
    """Return an explanation as one line of text, for ears."""
    dice = [f"d{die.sides} {die.face}" + ("" if die.kept else f" ({say('ui.why.dropped')})") for die in why.dice]
    lines = [f"{line.value} {line.reason}" for line in why.lines]
    return ", ".join([f"{why.title} {why.total}", *dice, *lines, *why.notes])


def _modifier_lines(
    modifiers: Iterable[Modifier], rule_words: Callable[[str], str], names: Callable[[str], str]
) -> list[WhyLine]:
    return [WhyLine(signed(m.value), names(m.reason), m.rule, _words(m.rule, rule_words)) for m in modifiers]


def _words(rule: str, rule_words: Callable[[str], str]) -> str:
    return rule_words(rule) if rule else ""
