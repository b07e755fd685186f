"""The words of a game that can be typed in a line, and conditions as typed: `poi 3`, `pro end`, `par save wis 14`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Final, Literal

import msgspec

from turnwright.encounter import data_rules, prepared, running, state
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.dying import Condition
from turnwright.rules.system_data.numbers import Spell
from turnwright.rules.system_data.rounds import rounds_in

Lasting = Literal["removed", "rounds", "turn", "save", "rest", "long-rest"]
RESTS: Final[Mapping[str, running.EndMoment]] = {"rest": "rest", "long-rest": "long-rest"}
CONDITION_FILLERS = frozenset({"for", "r", "round", "rounds", "until", "ends"})


class ConditionWord(msgspec.Struct, frozen=True):
    """A condition that can be typed. `has_level`: a number after its name is a level."""

    id: str
    name: str
    icon: str = ""
    has_level: bool = False


class KnownEffect(msgspec.Struct, frozen=True):
    """An effect with a known name: what a spell or a feature leaves on its targets, or one that was used before.

    It lasts for the time `lasts` or for `rounds`, or until `ends`. `is_held`: it needs concentration. `text` is its
    reminder, and `level` the level of its spell. `words` are its rules as a person types them, if it is nowhere else.
    """

    name: str
    rules: tuple[data_rules.DataRule, ...] = ()
    lasts: str = ""
    rounds: int = 0
    ends: prepared.InflictedConditionEnds = "never"
    uses: int = 0
    is_held: bool = False
    text: str = ""
    level: int = 0
    words: str = ""

    @property
    def has_end(self) -> bool:
        """Whether it ends by itself."""
        return bool(self.lasts or self.rounds or self.ends != "never")

    def rounds_in(self, round_seconds: int) -> int:
        """Return the number of rounds that it lasts, or 0 if that isn't known."""
        starts = self.ends in ("turn-start", "owner-start")
        return self.rounds or rounds_in(self.lasts, round_seconds) or int(starts)


def _plain(name: str) -> str:
    """Return a name in small letters with the apostrophe of the keyboard."""
    return name.lower().replace("’", "'")


def known_effects(lookup: state.Lookup, rules: RuleSystem) -> tuple[KnownEffect, ...]:
    """Return the effects that the game's spells and the encounter's creatures leave on targets, and those in force."""
    means: list[Spell | prepared.Feature] = [spell for spell in rules.data.spells if spell.effect]
    for creature in (*lookup.all(prepared.Creature), *lookup.all(running.GuestCreature)):
        means += [feature for feature in creature.features if feature.effect]
    known = [
        KnownEffect(
            each.name,
            tuple(msgspec.structs.replace(rule, per_value=0) for rule in each.effect),
            each.lasts,
            ends=each.until,
            uses=each.effect_uses,
            is_held=each.concentration,
            text=each.text,
            level=each.level or 0,
        )
        for each in means
    ]
    known += [used_effect(effect) for effect in lookup.all(running.Effect) if effect.rules]
    return tuple({_plain(effect.name): effect for effect in reversed(known)}.values())


def used_effect(effect: running.Effect) -> KnownEffect:
    """Return an effect that was used, as a known one."""
    held, uses = bool(effect.concentrator), effect.uses_left
    return KnownEffect(effect.name, effect.rules, rounds=effect.rounds_left, uses=uses, is_held=held, text=effect.note)


class LineWords(msgspec.Struct, frozen=True):
    """The words that can be typed in a line: damage types, conditions (common ones first), saves, checks and effects.

    A save's first name is the full one, and its last name the short one. A check's first name is shown to the user.
    """

    kinds: tuple[str, ...] = ()
    conditions: tuple[ConditionWord, ...] = ()
    saves: tuple[tuple[str, tuple[str, ...]], ...] = ()
    checks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    effects: tuple[KnownEffect, ...] = ()

    def effect(self, name: str) -> KnownEffect | None:
        """Return the known effect with a name, or None."""
        plain = _plain(name)
        return next((effect for effect in self.effects if _plain(effect.name) == plain), None)

    def condition(self, text: str) -> ConditionWord | None:
        """Return the condition whose name contains the words of a text, or None.

        The words can be abbreviated. Matches at the start of a name take precedence, then common conditions.
        """
        parts = text.split()
        for start in range(3):  # index of the word in the name at which the match starts
            for condition in self.conditions:
                words = condition.name.lower().replace("-", " ").split()[start:]
                if len(words) >= len(parts) and all(map(str.startswith, words, parts)):
                    return condition
        return None

    def shortest(self, condition: ConditionWord) -> str:
        """Return the shortest abbreviation of a condition."""
        name = condition.name.lower()
        return next((name[:n] for n in range(1, len(name)) if self.condition(name[:n]) is condition), name)

    def save(self, word: str) -> str:
        """Return the id of the save with a name that starts with `word`, or an empty string.

        `word` must have at least two letters.
        """
        matches = (id for id, names in self.saves if any(name.lower().startswith(word) for name in names))
        return next(matches, "") if len(word) > 1 else ""

    def check(self, text: str) -> str:
        """Return the id of the check whose name contains the words of a text, or an empty string.

        The last word can be abbreviated. Matches at the start of a name take precedence.
        """
        for start in range(3 if len(text) > 1 else 0):
            for id, names in self.checks:
                if any(" ".join(name.lower().split()[start:]).startswith(text) for name in names):
                    return id
        return ""

    def save_name(self, id: str) -> str:
        """Return the full name of a save."""
        return next((names[0] for save, names in self.saves if save == id), id)

    def nearest_check(self, word: str) -> str:
        """Return the name of the check or save most similar to a word, or an empty string."""
        return self.nearest(word, [names[0] for _id, names in (*self.checks, *self.saves)])

    def nearest(self, word: str, names: Iterable[str] = ()) -> str:
        """Return the most similar word in `names`, or an empty string. Without `names`, use conditions and saves."""
        candidates = list(names) or [*(each.name for each in self.conditions), *(save[1][0] for save in self.saves)]
        lower = {name.lower(): name for name in candidates}
        near = get_close_matches(word, lower, 1, 0.5) or [name for name in lower if name[:1] == word[:1]]
        return lower[near[0]] if near else ""


def offered_conditions(data: SystemData) -> list[Condition]:
    """Return the conditions that the user can apply: common ones first, then the others in alphabetical order."""
    places = {id: place for place, id in enumerate(data.presentation.conditions)}
    offered = (condition for condition in data.conditions if not condition.by_rules)
    return sorted(offered, key=lambda condition: (places.get(condition.id, len(places)), condition.name))


def line_words(rules: RuleSystem, lookup: state.Lookup | None = None) -> LineWords:
    """Return the words of a game, except conditions that only the rules apply. `lookup` adds the known effects."""
    conditions = (
        ConditionWord(each.id, each.name, each.icon.removeprefix("mdi6."), each.has_levels)
        for each in offered_conditions(rules.data)
    )
    save_names = dict(rules.data.presentation.saves)
    abilities = [ability for ability in rules.data.abilities if not save_names or ability.id in save_names]
    saves = (
        (
            ability.id,
            (
                save_names.get(ability.id) or ability.name,
                ability.name,
                ability.short,
                save_names.get(ability.id) or ability.short.capitalize(),
            ),
        )
        for ability in abilities
    )
    checks = (
        *((ability.id, (ability.name, ability.short)) for ability in rules.data.abilities),
        *((f"{skill.ability}:{skill.id}", (skill.name,)) for skill in rules.data.skills),
    )
    kinds = tuple(kind.id for kind in rules.data.damage_types)
    effects = known_effects(lookup, rules) if lookup is not None else ()
    return LineWords(kinds, tuple(conditions), tuple(saves), checks, effects)


class EnteredCondition(msgspec.Struct, frozen=True):
    """A condition as typed. `unknown` is the first word that wasn't recognised."""

    condition: str = ""
    level: int = 0
    lasts: Lasting = "removed"
    rounds: int = 0
    save: str = ""
    dc: int = 0
    unknown: str = ""

    @property
    def turns(self) -> int:
        """The duration in turns, or 0 if the condition doesn't end after a number of turns."""
        return 1 if self.lasts == "turn" else self.rounds

    @property
    def counted(self) -> Literal["creator", "affected"]:
        """The creature whose turns are counted. With `end`, it is the affected creature."""
        return "affected" if self.lasts == "turn" else "creator"


def read_condition(text: str, words: LineWords) -> EnteredCondition:
    """Parse a condition: its abbreviation, a level or rounds, `end`, `rest`, `long rest`, or `save wis 14`.

    If the condition has levels, the first number is the level. Other numbers are rounds, or the DC of the save.
    """
    parts = text.lower().replace(",", " ").replace("long rest", "long-rest").split()
    name, rest = _name_first(parts, words)
    if name is None:
        return EnteredCondition(unknown=parts[0] if parts else "")
    entered = EnteredCondition(name.id)
    for part in rest:
        entered = _with_word(entered, part, name, words)
    return entered


def nearest_word(entered: EnteredCondition, words: LineWords) -> str:
    """Return the known word most similar to the unknown one: a keyword for the condition's end, or a condition."""
    ends = ("end", "rest", "save", *(names[-1] for _id, names in words.saves)) if entered.condition else ()
    return words.nearest(entered.unknown, ends)


def _name_first(parts: Sequence[str], words: LineWords) -> tuple[ConditionWord | None, Sequence[str]]:
    """Return the condition named at the start of `parts`, or None, and the words after its name."""
    for count in range(min(3, len(parts)), 0, -1):
        condition = words.condition(" ".join(parts[:count]))
        if condition is not None:
            return condition, parts[count:]
    return None, parts


def _with_word(entered: EnteredCondition, part: str, name: ConditionWord, words: LineWords) -> EnteredCondition:
    change = msgspec.structs.replace
    if part.isdecimal():
        number = min(int(part), 1000)
        if entered.save and not entered.dc:
            return change(entered, dc=number)
        if name.has_level and not entered.level:
            return change(entered, level=number)
        return change(entered, rounds=number, lasts="rounds" if number else "removed")
    if part == "end":
        return change(entered, lasts="turn")
    if part == "save":
        return change(entered, lasts="save")
    if part in ("rest", "long-rest"):
        return change(entered, lasts="rest" if part == "rest" else "long-rest")
    save = words.save(part)
    if save:
        return change(entered, lasts="save", save=save)
    return entered if part in CONDITION_FILLERS or entered.unknown else change(entered, unknown=part)
