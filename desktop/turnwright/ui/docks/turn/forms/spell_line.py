"""Parses the line of the spell card: a spell, its slot and its targets (`ho 3 b`), or any spell with its numbers.

The name of a known spell can be abbreviated, but a single letter after its first word is a target. Any other name ends before the first word that is a number, dice, a save,
a rule, a time or `held`. A name in quotes can have any words.
"""

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Final

import msgspec

from turnwright.dice.expression import DiceError, parse
from turnwright.encounter.prepared import Creature, Feature
from turnwright.rules.parts.actions.condition_words import LineWords
from turnwright.rules.parts.actions.effect_words import QUOTED, TIME, unknown_rule
from turnwright.rules.parts.actions.spell_features import has_prices, listed_spell
from turnwright.rules.parts.attacks.attack_targeting import is_spell
from turnwright.rules.parts.conditions.rule_words import begins_rule
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.rounds import length_of_time

_UNITS: Final = {"r": "round", "m": "minute", "min": "minute", "h": "hour"}
_DICE: Final = re.compile(r"\d{0,3}d\d{1,3}([+-]\d{1,4})?")
_WITH_NUMBER: Final = re.compile(r"(?P<word>[a-z]+)[+]?(?P<n>\d{1,3})")
_NUMBER: Final = re.compile(r"\+?\d{1,3}")
_ATTACK: Final = ("attack", "atk")
_HEALS: Final = ("heal", "heals")
_LONGEST_NAME: Final = 6  # words
_MOST_OTHERS: Final = 3
_LIKENESS: Final = 0.8  # similarity of a name and the same name with a typing mistake


class KnownSpell(msgspec.Struct, frozen=True):
    """A spell that can be typed: a feature of the caster's stat block, or a listed spell of the rule system.

    A feature that can be cast for several prices has both.
    """

    name: str
    feature: Feature | None = None
    spell: str = ""
    level: int = 0


class SpellWords(msgspec.Struct, frozen=True):
    """The words of the spell line: spells (the caster's first), general words, and targets as (letter, id, name)."""

    spells: tuple[KnownSpell, ...]
    line: LineWords
    targets: tuple[tuple[str, str, str], ...]
    rules: RuleSystem

    def matches(self, text: str) -> list[KnownSpell]:
        """Return the spells whose name contains the words of a text, which can be abbreviated, the best first.

        The caster's own spells come first, then matches at the start of a name, then spells of lower levels.
        """
        words, found = text.lower().split(), list[tuple[bool, int, int, KnownSpell]]()
        for known in self.spells if words else ():
            name = known.name.lower().replace("-", " ").replace("/", " ").split()
            starts = (at for at in range(len(name)) if len(name) >= at + len(words) and _fits(name[at:], words))
            if (start := next(starts, None)) is not None:
                found.append((not is_own(known), start, known.level, known))
        return [found_spell[-1] for found_spell in sorted(found, key=lambda each: each[:-1])]

    def named(self, text: str) -> list[KnownSpell]:
        """Return the spells with exactly this name, the caster's first."""
        return [known for known in self.spells if known.name.lower() == text.lower()]

    def shortest(self, known: KnownSpell) -> str:
        """Return the shortest beginning of a spell's name that is read as this spell."""
        name = known.name.lower()
        return next((name[:n] for n in range(1, len(name)) if self.matches(name[:n])[:1] == [known]), name)

    def target(self, word: str, following: str) -> tuple[str, int]:
        """Return the target with a letter or a name, and the number of words read, or an empty string and 0."""
        if len(word) == 1 and word.isalpha():
            return next((id for letter, id, _ in self.targets if letter == word), ""), 1
        if following and (both := self._named(f"{word} {following}")):
            return both, 2
        return (self._named(word), 1) if len(word) > 1 and word.isalpha() else ("", 0)

    def _named(self, text: str) -> str:
        return next((id for _, id, name in self.targets if name.lower().startswith(text)), "")


def _fits(name: Sequence[str], words: Sequence[str]) -> bool:
    return all(map(str.startswith, name, words))


def is_own(known: KnownSpell) -> bool:
    """Return whether a spell is in the caster's stat block."""
    return known.feature is not None


def known_spells(rules: RuleSystem, creature: Creature) -> tuple[KnownSpell, ...]:
    """Return the spells of the caster's stat block, then listed spells that its text names, then all others."""
    own = [
        KnownSpell(each.name, each, same.id if same is not None and has_prices(same) else "", each.level or 0)
        for each in creature.features
        if is_spell(each)
        for same in (listed_spell(rules, each),)
    ]
    names = {known.name.lower() for known in own}
    others = (spell for spell in rules.data.spells if spell.name.lower() not in names)
    listed = [KnownSpell(spell.name, None, spell.id, spell.level or 0) for spell in others]
    text = " ".join(each.text.lower() for each in creature.features if "pellcasting" in each.name)
    named = [known for known in listed if known.name.lower() in text] if text else []
    return (*own, *named, *(known for known in listed if known not in named))


class EnteredSpell(msgspec.Struct, frozen=True):
    """A spell as typed. Without `known`, `name` is the name of another spell.

    `number` is the level of the slot, or the price in games without levels. `unknown` is the first word that wasn't
    recognised, and `others` are further known spells that fit the typed name.
    """

    name: str = ""
    known: KnownSpell | None = None
    number: int = 0
    targets: tuple[str, ...] = ()
    save: str = ""
    dc: int = 0
    half: bool = False
    attacks: bool = False
    attack: int | None = None
    damage: str = ""
    heals: str = ""
    rules: str = ""
    lasts: str = ""
    is_held: bool = False
    unknown: str = ""
    others: tuple[str, ...] = ()

    @property
    def has_numbers(self) -> bool:
        """Whether the line describes what the spell does."""
        return bool(self.save or self.attacks or self.damage or self.heals or self.rules or self.is_held)


def read_spell(text: str, words: SpellWords) -> EnteredSpell:
    """Parse the line of the spell card."""
    if quoted := QUOTED.fullmatch(text):
        known = next(iter(words.named(quoted["name"].strip())), None)
        return _with_rest(EnteredSpell(quoted["name"].strip(), known), quoted["rest"].split(), words)
    parts = text.replace(",", ", ").split()
    lengths = range(min(_LONGEST_NAME, len(parts)), 0, -1)
    fallback = None
    for find in (words.named, words.matches):
        for count in lengths:
            name = " ".join(parts[:count]).strip(",")
            is_target = count > 1 and len(parts[count - 1].strip(",")) == 1 and find != words.named
            found = [] if is_target else find(name)
            if found:
                others = tuple(other.name for other in found[1 : 1 + _MOST_OTHERS])
                read = _with_rest(EnteredSpell(name, found[0], others=others), parts[count:], words)
                if not read.unknown:
                    return read
                is_clear = find == words.named or read.unknown != parts[count].lower().strip(",")
                fallback = fallback or (read if is_clear else None)
    at = next((n for n in range(1, len(parts)) if _begins_numbers(parts, n, words)), len(parts))
    free = _with_rest(EnteredSpell(" ".join(part.strip(",") for part in parts[:at])), parts[at:], words)
    if fallback is None or (free.has_numbers and not free.unknown):
        return _with_last_targets(free, words)
    return fallback


def _with_last_targets(free: EnteredSpell, words: SpellWords) -> EnteredSpell:
    """Take letters and names of combatants at the end of another spell's name as its targets."""
    parts = free.name.split()
    targets = {known.lower(): id for letter, id, name in words.targets for known in (letter, name)}
    while len(parts) > 1 and (target := targets.get(parts[-1].lower())):
        parts.pop()
        free = msgspec.structs.replace(free, name=" ".join(parts), targets=(target, *free.targets))
    return free


def _begins_numbers(parts: Sequence[str], n: int, words: SpellWords) -> bool:
    """Return whether a word begins the numbers of a spell, so that the name ends before it."""
    part, following = parts[n].lower().strip(","), parts[n + 1].lower().strip(",") if n + 1 < len(parts) else ""
    if _WITH_NUMBER.fullmatch(part):
        return True
    if part in (*_ATTACK, *_HEALS) or _save(part, words):
        return not following or bool(_NUMBER.fullmatch(following) or _DICE.fullmatch(following))
    is_signed = part[:1] in "+-" and begins_rule(part)
    is_number = _DICE.fullmatch(part) or _NUMBER.fullmatch(part) or TIME.fullmatch(part)
    return bool(is_signed or is_number or part == "held")


def _save(word: str, words: SpellWords) -> str:
    return next((id for id, names in words.line.saves if word in (name.lower() for name in names)), "")


def _with_rest(read: EnteredSpell, parts: Sequence[str], words: SpellWords) -> EnteredSpell:
    """Add the words after the name to an entered spell."""
    rest = [part.lower() for part in parts]
    at = 0
    while at < len(rest) and not read.unknown:
        read, count = _with_word(read, rest[at:], words)
        at += count
    return read


def _with_word(read: EnteredSpell, rest: Sequence[str], words: SpellWords) -> tuple[EnteredSpell, int]:
    """Add the next words to an entered spell. Also return how many were read."""
    part, following = rest[0].strip(","), rest[1].strip(",") if len(rest) > 1 else ""
    glued = _WITH_NUMBER.fullmatch(part)
    word, number = (glued["word"], glued["n"]) if glued else (part, following)
    count = 1 if glued or not _NUMBER.fullmatch(following) else 2
    is_number = bool(_NUMBER.fullmatch(number))
    change = msgspec.structs.replace
    if save := _save(word, words):
        return change(read, save=save, dc=int(number) if is_number else 0), count
    if word in _ATTACK:
        return change(read, attacks=True, attack=int(number) if is_number else None), count
    if part == "half" and following != "speed":
        return change(read, half=True), 1
    if part == "held":
        return change(read, is_held=True), 1
    if part == "on":
        return read, 1
    if time := TIME.fullmatch(part):
        lasts = length_of_time(time["n"], _UNITS[time["unit"]])
        return (change(read, lasts=lasts) if lasts else change(read, unknown=part)), 1
    if part in _HEALS:
        dice, count = _taken(rest[1:], lambda word: bool(_DICE.fullmatch(word) or _NUMBER.fullmatch(word)))
        return (change(read, heals=dice) if _is_dice(dice) else change(read, unknown=part)), count + 1
    if _DICE.fullmatch(part) or (part.isdecimal() and following in words.line.kinds):
        kinds = {word for kind in words.line.kinds for word in kind.split()} | {"+", "or"}
        dice, count = _taken(rest, lambda word: bool(_DICE.fullmatch(word) or word.isdecimal() or word in kinds))
        return (change(read, damage=dice) if _is_dice(dice) else change(read, unknown=part)), count
    if part.isdecimal() and not read.number:
        return change(read, number=int(part)), 1
    if begins_rule(part):
        dice, count = _taken(rest, lambda word: not _ends_rules(word, words))
        return change(read, rules=f"{read.rules}; {dice}".strip("; "), unknown=unknown_rule(dice, words.rules)), count
    target, count = words.target(part, following)
    if target:
        return change(read, targets=(*read.targets, target)), count
    return change(read, unknown=part), 1


def _taken(rest: Sequence[str], fits: Callable[[str], bool]) -> tuple[str, int]:
    """Return the words at the start that fit as one text, and their number."""
    count = next((n for n, word in enumerate(rest) if not fits(word)), len(rest))
    return " ".join(rest[:count]), count


def _ends_rules(word: str, words: SpellWords) -> bool:
    is_target = len(word) == 1 and bool(words.target(word, "")[0])
    return is_target or word in ("held", "on") or bool(TIME.fullmatch(word))


def _is_dice(text: str) -> bool:
    try:
        parse(text)
    except DiceError:
        return False
    return bool(text)


def nearest_spell(name: str, words: SpellWords) -> str:
    """Return the name of the known spell of which a name is probably a typing mistake, or an empty string."""
    known = {each.name.lower(): each.name for each in words.spells}
    found = get_close_matches(name.lower(), known, 1, _LIKENESS) if len(name) > 3 else []
    return known[found[0]] if found else ""
