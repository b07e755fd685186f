"""Data rules as a person types and reads them: `+1d4 attack, saves`, `half speed`, `resist fire`, `adv dex saves; -2 ac`.

A group is a change and the rolls or numbers that it changes, separated by commas or “and”. Semicolons separate groups. In games
with types of bonuses, the type follows the number: `+1 status attack, saves`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from turnwright.encounter.data_rules import DataRule, DataRuleKind
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.statements import readable_statement

_ROLLS: Final[Mapping[str, str]] = {
    "attacks": "attack", "attack": "attack", "attacked": "attack-against", "save": "save", "saves": "save",
    "check": "check", "checks": "check", "initiative": "initiative", "rolls": "d20",
}  # fmt: skip
_NUMBERS: Final[Mapping[str, str]] = {
    "ac": "ac",
    "damage": "damage",
    "damaged": "damage-against",
    "dc": "dc",
    "hp": "hp-max",
    "speed": "speed",
}
_HARM: Final = ("damage", "damage-against")  # the numbers that can have dice
KNOWN: Final = ("attack", "attacked", "saves", "checks", "initiative", "rolls", *_NUMBERS)
_DICE: Final = re.compile(r"[+-]?\d{0,3}d\d{1,3}")
_FLAT: Final = re.compile(r"[+-]\d{1,4}")
_EDGES: Final[Mapping[str, DataRuleKind]] = {
    "adv": "advantage", "advantage": "advantage", "dis": "disadvantage", "disadvantage": "disadvantage",
    "fail": "fail", "fails": "fail",
}  # fmt: skip
_SHARES: Final[Mapping[str, tuple[int, int]]] = {"half": (1, 2), "double": (2, 1)}
_DEFENCES: Final[Mapping[str, tuple[int, int]]] = {
    "resist": (1, 2),
    "resistant": (1, 2),
    "immune": (0, 1),
    "vulnerable": (2, 1),
    "weak": (2, 1),
}


class RuleWordsError(ValueError):
    """A text that isn't a rule. Its message is the word or part that wasn't understood."""


def begins_rule(word: str) -> bool:
    """Return whether a rule begins with this word."""
    word = word.lower()
    return bool(_DICE.fullmatch(word) or _FLAT.fullmatch(word)) or any(
        word in words for words in (_EDGES, _SHARES, _DEFENCES)
    )


def read_rules(text: str, rules: RuleSystem) -> tuple[DataRule, ...]:
    """Parse rules. Raise RuleWordsError, with the first unknown part, if the text is malformed."""
    groups = (part.strip().lower() for part in text.split(";"))
    return tuple(rule for group in groups if group for rule in _group(group, rules))


def _group(text: str, rules: RuleSystem) -> Iterator[DataRule]:
    change, _, rest = text.partition(" ")
    if not begins_rule(change):
        raise RuleWordsError(text)
    first = rest.partition(" ")[0]
    type = first if _FLAT.fullmatch(change) and first in rules.data.checks.types else ""
    for part in re.split(r",(?:\s*and\b)?|\band\b", rest.removeprefix(type)):
        fillers = ("to", "damage") if change in _DEFENCES else ("on", "to", "all", "max")
        words = [word for word in part.split() if word not in fillers]
        if not words:
            raise RuleWordsError(text)
        rule = _defence(change, words, rules) if change in _DEFENCES else _rule(change, words, rules)
        yield msgspec.structs.replace(rule, type=type) if type else rule


def _defence(change: str, words: list[str], rules: RuleSystem) -> DataRule:
    """Return the rule for damage of a type or of all types, by amount (`resist fire 5`) in games with amounts."""
    amount = words[1:]
    kind = words[0] if words[0] == "all" else _damage_type(words[0], rules)
    if not kind:
        raise RuleWordsError(words[0])
    times, over = _DEFENCES[change]
    if rules.data.presentation.figured and times:
        if len(amount) != 1 or not amount[0].isdecimal():
            raise RuleWordsError(f"{change} {' '.join(words)}")
        return DataRule("damage", kind, add=min(1000, int(amount[0])) * (-1 if times < over else 1))
    if amount:
        raise RuleWordsError(amount[0])
    return DataRule("damage", kind, times=times, over=over)


def _rule(change: str, words: list[str], rules: RuleSystem) -> DataRule:
    if words[-1] == "damage-against":
        words = [*words[:-1], "damaged", "by", "holder"]
    when = _BY_HOLDER if words[-2:] == ["by", "holder"] and words[:-2][-1:] == ["damaged"] else ""
    words = words[:-2] if when else words
    kind = _damage_type(words[0], rules) if words[1:] in (["damage"], ["damaged"]) and _DICE.fullmatch(change) else ""
    what, name = _what(words[1:] if kind else words, rules), " ".join(words)
    is_number = what in _NUMBERS.values()
    if change in _SHARES:
        if what != "speed":
            raise RuleWordsError(f"{change} {name}")
        times, over = _SHARES[change]
        return DataRule("modifier", what, times=times, over=over)
    if _FLAT.fullmatch(change):
        return DataRule("modifier", what, add=int(change), carries=what == "hp-max", when=when)
    if is_number and not (change not in _EDGES and what in _HARM):
        raise RuleWordsError(f"{change} {name}")
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
    given = " ".join(words[:-1])
    saves = rules.data.presentation.saves if roll == "save" else ()
    ability = next((id for id, label in saves if given.startswith(label.lower())), abilities.get(given))
    if ability is None or roll not in ("save", "check"):
        raise RuleWordsError(next((word for word in words if word not in _ROLLS), name))
    return f"{roll}.{ability}"


_WORDS_OF_KINDS: Final[Mapping[str, str]] = {
    "deny": "no",
    "modifier": "has",
    "senses": "unhindered by",
    "terrain": "ignores",
    "at-zero": "at 0 hp",
}
_BY_HOLDER: Final = "attacker.is-source"
_WRITTEN: Final[Mapping[str, str]] = {what: word for words in (_NUMBERS, _ROLLS) for word, what in words.items()}


def write_rules(data_rules: Iterable[DataRule], rules: RuleSystem) -> str:
    """Return rules in the words that `read_rules` accepts. Statements that have no words follow in brackets."""
    groups: list[tuple[str, str]] = []
    for rule in data_rules:
        change, what = _change(rule), _written_what(rule, rules)
        if groups and groups[-1][0] == change and "(" not in groups[-1][1]:
            groups[-1] = change, f"{groups[-1][1]}, {what}"
        else:
            groups.append((change, what))
    return "; ".join(f"{change} {what}" for change, what in groups)


def _change(rule: DataRule) -> str:
    """Return the first word of a rule: dice, a signed number, an edge, a share or a defence."""
    words: Mapping[str, tuple[int, int]] = _DEFENCES if rule.kind == "damage" else _SHARES
    share = next((word for word, parts in words.items() if parts == (rule.times, rule.over)), "")
    edge = next((word for word, kind in _EDGES.items() if kind == rule.kind), "")
    if rule.kind == "damage" and rule.add:
        return "resist" if rule.add < 0 else "weak"
    if rule.kind == "flat":
        return f"flat check {rule.set}"
    if rule.kind == "extra":
        dice = rule.dice.partition(" ")[0] or (f"{rule.add} dice" if rule.add else "")
        return dice if dice.startswith("-") else f"+{dice}"
    number = f"{rule.add:+d} {rule.type}".strip() if rule.kind == "modifier" and rule.add else ""
    number = f"{rule.add:+d}" if rule.kind == "resource" and rule.add else number
    limits = ((name, n) for name, n in (("at least ", rule.least), ("", rule.set)) if n is not None)
    limit = next((f"{name}{n}" for name, n in limits if rule.kind != "at-zero"), "")
    return edge or share or number or limit or _WORDS_OF_KINDS.get(rule.kind, rule.kind.replace("-", " "))


def _written_what(rule: DataRule, rules: RuleSystem) -> str:
    """Return the number or roll that a rule changes, with the amount of a defence and the statement under which the rule applies."""
    roll, _, rest = rule.what.partition(".")
    ability, _, skill = rest.partition(":")
    if roll == "save":
        ability = dict(rules.data.presentation.saves).get(ability, ability).lower()
    skills = {each.id: each.name.lower() for each in rules.data.skills}
    words = skills.get(skill) or f"{ability} {_WRITTEN.get(roll, roll.replace('-', ' '))}".strip()
    damage = rule.dice.partition(" ")[2] if rule.kind == "extra" else str(abs(rule.add or 0)) if rule.add else ""
    if rule.kind == "damage":
        words = f"{words} {damage}".strip()
    elif rule.kind == "extra" and damage:
        words = f"{damage} {words}"
    facts = [part.strip() for part in rule.when.split(",") if part.strip()]
    words += " by holder" if _BY_HOLDER in facts else ""
    others = ", ".join(fact for fact in facts if fact != _BY_HOLDER)
    return f"{words} ({readable_statement(others, 'or')})" if others else words
