"""Data rules as a person types them: `+1d4 attack, saves`, `half speed`, `resist fire`, `adv dex saves; -2 ac`.

A group is a change and the rolls or numbers that it changes, separated by commas. Semicolons separate groups.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from turnwright.encounter.data_rules import DataRule, DataRuleKind
from turnwright.rules.system import RuleSystem

_ROLLS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "attack": "attack",
        "attacks": "attack",
        "attacked": "attack-against",
        "save": "save",
        "saves": "save",
        "check": "check",
        "checks": "check",
        "initiative": "initiative",
        "rolls": "d20",
    }
)
_NUMBERS: Final[Mapping[str, str]] = MappingProxyType(
    {"ac": "ac", "damage": "damage", "damaged": "damage-against", "dc": "dc", "hp": "hp-max", "speed": "speed"}
)
_HARM: Final = ("damage", "damage-against")  # the numbers that can have dice
KNOWN: Final = ("attack", "attacked", "saves", "checks", "initiative", "rolls", *_NUMBERS)
_DICE: Final = re.compile(r"[+-]?\d{0,3}d\d{1,3}")
_FLAT: Final = re.compile(r"[+-]\d{1,4}")
_EDGES: Final[Mapping[str, DataRuleKind]] = MappingProxyType(
    {
        "adv": "advantage",
        "advantage": "advantage",
        "dis": "disadvantage",
        "disadvantage": "disadvantage",
        "fail": "fail",
        "fails": "fail",
    }
)
_SHARES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType({"half": (1, 2), "double": (2, 1)})
_DEFENCES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"resist": (1, 2), "resistant": (1, 2), "immune": (0, 1), "vulnerable": (2, 1), "weak": (2, 1)}
)


class RuleWordsError(ValueError):
    """A text that isn't a rule. Its message is the first word that wasn't understood."""


def begins_rule(word: str) -> bool:
    """Return whether a rule begins with this word."""
    word = word.lower()
    return bool(_DICE.fullmatch(word) or _FLAT.fullmatch(word)) or any(
        word in words for words in (_EDGES, _SHARES, _DEFENCES)
    )


def read_rules(text: str, rules: RuleSystem) -> tuple[DataRule, ...]:
    """Parse rules. Raise RuleWordsError, with the first unknown word, if the text is malformed."""
    groups = (part.strip().lower() for part in text.split(";"))
    return tuple(rule for group in groups if group for rule in _group(group, rules))


def _group(text: str, rules: RuleSystem) -> Iterator[DataRule]:
    change, _, rest = text.partition(" ")
    if not begins_rule(change):
        raise RuleWordsError(change)
    for part in rest.split(","):
        words = [word for word in part.split() if word not in ("on", "to", "and", "all", "max")]
        if not words:
            raise RuleWordsError(change)
        yield _defence(change, words, rules) if change in _DEFENCES else _rule(change, words, rules)


def _defence(change: str, words: list[str], rules: RuleSystem) -> DataRule:
    """Return the rule for damage of a type, by amount (`resist fire 5`) in games with amounts."""
    amount = words[1:]
    kind = _damage_type(words[0], rules)
    if not kind:
        raise RuleWordsError(words[0])
    times, over = _DEFENCES[change]
    if rules.data.presentation.figured and times:
        if len(amount) != 1 or not amount[0].isdecimal():
            raise RuleWordsError(" ".join(words))
        return DataRule("damage", kind, add=min(1000, int(amount[0])) * (-1 if times < over else 1))
    if amount:
        raise RuleWordsError(amount[0])
    return DataRule("damage", kind, times=times, over=over)


def _rule(change: str, words: list[str], rules: RuleSystem) -> DataRule:
    when = "attacker.is-source" if words[-2:] == ["by", "holder"] and words[:-2][-1:] == ["damaged"] else ""
    words = words[:-2] if when else words
    kind = _damage_type(words[0], rules) if words[1:] in (["damage"], ["damaged"]) and _DICE.fullmatch(change) else ""
    what, name = _what(words[1:] if kind else words, rules), " ".join(words)
    is_number = what in _NUMBERS.values()
    if change in _SHARES:
        if what != "speed":
            raise RuleWordsError(name)
        times, over = _SHARES[change]
        return DataRule("speed", what, times=times, over=over)
    if _FLAT.fullmatch(change):
        rule_kind: DataRuleKind = "speed" if what == "speed" else "modifier"
        return DataRule(rule_kind, what, add=int(change), carries=what == "hp-max", when=when)
    if is_number and not (change not in _EDGES and what in _HARM):
        raise RuleWordsError(name)
    if change in _EDGES:
        return DataRule(_EDGES[change], what)
    return DataRule("extra", what, dice=f"{change.removeprefix('+')} {kind}".strip(), when=when)


def _damage_type(name: str, rules: RuleSystem) -> str:
    """Return the id of a damage type, or an empty string if no type has this name."""
    return next((known.id for known in rules.data.damage_types if name in (known.id, known.name.lower())), "")


def _what(words: list[str], rules: RuleSystem) -> str:
    """Return the roll or number with a name: `dex saves` is `save.dex`, and `perception` the check of this skill."""
    name = " ".join(words)
    plain = {**_ROLLS, **_NUMBERS}
    if name in plain:
        return plain[name]
    skill = next((skill for skill in rules.data.skills if name in (skill.id, skill.name.lower())), None)
    if skill is not None:
        return f"check.{skill.ability}:{skill.id}"
    roll = _ROLLS.get(words[-1], "")
    abilities = {label.lower(): one.id for one in rules.data.abilities for label in (one.id, one.name, one.short)}
    saves = {label.lower(): id for id, label in rules.data.presentation.saves} if roll == "save" else {}
    ability = (saves | abilities).get(" ".join(words[:-1]))
    if ability is None or roll not in ("save", "check"):
        raise RuleWordsError(next((word for word in words if word not in _ROLLS), name))
    return f"{roll}.{ability}"
