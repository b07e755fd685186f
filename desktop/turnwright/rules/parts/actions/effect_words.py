"""Parses the line of an effect: a condition (`poi 3`), or any name with rules (`bless +1d4 attack, saves 1m held`).

The name ends before the first word that begins a rule or an end. A name in quotes can have any words.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

import msgspec

from turnwright.rules.parts.actions.condition_words import (
    CONDITION_FILLERS,
    RESTS,
    EnteredCondition,
    KnownEffect,
    Lasting,
    LineWords,
    read_condition,
)
from turnwright.rules.parts.conditions.rule_words import RuleWordsError, begins_rule, read_rules
from turnwright.rules.system import RuleSystem

QUOTED: Final = re.compile(r'\s*"(?P<name>[^"<>]+)"(?P<rest>.*)')
_LONG_REST: Final = re.compile(r"\blong rest\b", re.IGNORECASE)
TIME: Final = re.compile(r"(?P<n>\d{1,3})(?P<unit>r|m|min|h)")
_SECONDS: Final[Mapping[str, int]] = {"m": 60, "min": 60, "h": 3600}
_LASTING: Final[Mapping[str, Lasting]] = {
    "turn-end": "turn",
    "owner-end": "turn",
    "rest": "rest",
    "long-rest": "long-rest",
}
_WITH: Final = re.compile(r'\s+with\s+(?=(?:[^"]*"[^"]*")*[^"]*$)', re.IGNORECASE)  # not inside a name in quotes
_NEAR: Final = 0.75  # how similar a name must be to a condition's to be a typing mistake


class EnteredEffect(msgspec.Struct, frozen=True):
    """An effect as typed. If it `is_free`, `read.condition` is its name as typed, or that of a `known` effect.

    `unknown_rule` is the first word of the rules that wasn't recognised. `is_held`: it needs concentration, and
    `holder` is the beginning of the concentrating combatant's name, or empty for the active one. `is_once`: it ends after one roll.
    """

    read: EnteredCondition
    is_free: bool = False
    rules: str = ""
    unknown_rule: str = ""
    is_held: bool = False
    holder: str = ""
    is_once: bool = False
    known: KnownEffect | None = None


def read_effect(
    text: str, words: LineWords, rules: RuleSystem, round_seconds: int, *, as_typed: bool = False
) -> EnteredEffect:
    """Parse the line of an effect. `as_typed`: a name isn't a mistake if it is similar to a condition's."""
    quoted = QUOTED.fullmatch(text)
    parts = _LONG_REST.sub("long-rest", quoted["rest"] if quoted else text).split()
    first = 0 if quoted else 1  # index of the first word that can't be part of the name
    parts, effect = _without_holder(parts, first)
    end = len(parts)
    while end > first and _is_end(parts, end - 1, words, rules):
        end -= 1
    at = next((n for n in range(first, end) if begins_rule(parts[n])), end)
    rule_text = " ".join(parts[at:end])
    effect = msgspec.structs.replace(effect, rules=rule_text, unknown_rule=unknown_rule(rule_text, rules))
    name = quoted["name"].strip() if quoted else " ".join(parts[:at])
    ends = " ".join(_in_rounds(part, round_seconds) for part in parts[end:])
    read = read_condition(f"{name} {ends}", words)
    exact = next((each for each in words.conditions if each.name.lower() == name.lower()), None)
    is_mistake = bool(name) and _is_mistake(name, rule_text or ("-" if as_typed else ""), rules)
    is_free = exact is None and name and (quoted or not (read.condition or is_mistake))
    known = words.effect(name) if exact is None else None
    if not (is_free or known):
        return msgspec.structs.replace(effect, read=read)
    known = known if not rule_text else None
    plain = next(each for each in words.conditions if not each.has_level and each.name.isalpha())
    read = msgspec.structs.replace(read_condition(f"{plain.name} {ends}", words), condition=name)
    if known is not None:
        held = {"is_held": effect.is_held or known.is_held, "known": known}
        read = msgspec.structs.replace(read, condition=known.name)
        effect = msgspec.structs.replace(effect, **held)
        read = read if ends else _with_known_end(read, known, round_seconds)
    return msgspec.structs.replace(effect, read=read, is_free=True)


def _with_known_end(read: EnteredCondition, known: KnownEffect, round_seconds: int) -> EnteredCondition:
    """Return an entered effect that ends as a known one does."""
    rounds = known.rounds_in(round_seconds)
    if rounds:
        return msgspec.structs.replace(read, rounds=rounds, lasts="rounds")
    return msgspec.structs.replace(read, lasts=_LASTING.get(known.ends, "removed"))


def _without_holder(parts: list[str], first: int) -> tuple[list[str], EnteredEffect]:
    """Return the words without `once`, and without `held` and the name after it, and an effect with these values."""
    effect, lower = EnteredEffect(EnteredCondition()), [part.lower() for part in parts]
    if "once" in lower[first:]:
        at = lower.index("once", first)
        parts, effect = [*parts[:at], *parts[at + 1 :]], msgspec.structs.replace(effect, is_once=True)
        lower = [part.lower() for part in parts]
    if "held" in lower[first:]:
        at = lower.index("held", first)
        after = parts[at + 1 :]
        after = after[1:] if after[:1] == ["by"] else after
        holder = next(iter(after[:1]), "")
        holder = "" if TIME.fullmatch(holder) or holder.isdecimal() or holder in CONDITION_FILLERS else holder
        parts = [*parts[:at], *(after[1:] if holder else after)]
        effect = msgspec.structs.replace(effect, is_held=True, holder=holder)
    return parts, effect


def _is_end(parts: list[str], n: int, words: LineWords, rules: RuleSystem) -> bool:
    """Return whether a word is part of the effect's end. An amount after a damage type isn't."""
    part, before = parts[n].lower(), parts[n - 1].lower() if n else ""
    if part.isdecimal():
        return not (rules.data.presentation.figured and before in words.kinds)
    if part == "save":
        return n + 1 < len(parts) and bool(words.save(parts[n + 1].lower()))
    is_time = part in ("end", *RESTS) or part in CONDITION_FILLERS or TIME.fullmatch(part)
    return bool(is_time or (before == "save" and words.save(part)))


def _in_rounds(part: str, round_seconds: int) -> str:
    """Return a time such as `1m` as a number of rounds, and other words unchanged."""
    time = TIME.fullmatch(part.lower())
    if time is None:
        return part
    return str(int(time["n"]) * max(1, _SECONDS.get(time["unit"], 0) // max(1, round_seconds)))


def unknown_rule(text: str, rules: RuleSystem) -> str:
    """Return the unknown word in the words of a rule, or an empty string."""
    try:
        read_rules(text, rules)
    except RuleWordsError as error:
        return str(error)
    return ""


def _is_mistake(name: str, rule_text: str, rules: RuleSystem) -> bool:
    """Return whether a name can't be used, or without rules is similar to a condition's or part of it."""
    if rule_text or set("<>") & set(name):
        return bool(set("<>") & set(name))
    known = [condition.name.lower() for condition in rules.data.conditions]
    first = name.lower().split()[0]
    parts = {part for each in known for part in (each, *each.split())}
    return bool(get_close_matches(first, known, 1, _NEAR)) or name.lower() in parts


def completed(text: str, words: LineWords) -> str:
    """Return a line with its name completed or, if it is misspelt, corrected. Return it unchanged if no name is near."""
    lower = text.lower().strip()
    names = [*(condition.name for condition in words.conditions), *(effect.name for effect in words.effects)]
    found = next((name for name in names if lower and name.lower().startswith(lower)), "")
    if found:
        return f"{found} "
    name, _, rest = text.strip().partition(" ")
    near = get_close_matches(name.lower(), [each.lower() for each in names], 1, _NEAR)
    found = next((each for each in names if near and each.lower() == near[0]), "")
    return f"{found} {rest}" if found and found.lower() != name.lower() else text


def split_effects(text: str) -> tuple[str, ...]:
    """Return the lines of several effects that are joined by `with`."""
    return tuple(part.strip() for part in _WITH.split(text) if part.strip())


def unread_word(text: str, words: LineWords, rules: RuleSystem) -> str:
    """Return the first word in the line of an effect that isn't understood, or an empty string."""
    effect = read_effect(text, words, rules, 0)
    read = effect.read
    is_incomplete = read.lasts == "save" and not (read.save and read.dc)
    return read.unknown or effect.unknown_rule or ("save" if is_incomplete else "")
