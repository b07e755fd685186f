"""Quick add: converts a line such as `3 bandit ac 12 hp 11 init +1` to creatures of the encounter.

For creatures of the encounter or the library, the name is enough. A new creature needs its hit points, or a class with
its level, as in `Aria cleric 5`. This module only reads the line; the window executes the command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
import rtoml

from turnwright.encounter.prepared import OBJECT, Creature, Feature, RosterEntry
from turnwright.encounter.state import creature_id
from turnwright.play.setup.roster import AddToEncounter
from turnwright.rules.parts.actions.effect_words import split_effects
from turnwright.storage.resources import read_text

if TYPE_CHECKING:
    from turnwright.importers.traits.powers import CharacterRules

MAX_COUNT = 200
CreatureFinder = Callable[[str], Creature | None]

_COUNT = re.compile(r"(?:(\d+)\s*[x×]?|[x×]\s*(\d+))$", re.IGNORECASE)
_MOST_LEVELS = 20
_DIGITS = 9  # longer numbers are always out of range
_NUMBER = re.compile(r"[+\-−]?\d+$")
_WORDS = rtoml.loads(read_text("quick_add.toml"))
_FIGURES: Mapping[str, str] = _WORDS["numbers"]
_SIDES: Mapping[str, str] = _WORDS["sides"]
_RANGES: Mapping[str, tuple[int, int]] = {
    "ac": (0, 60), "hp": (1, 9999), "initiative": (-30, 60), "speed": (0, 1000), "level": (0, 30),
}  # fmt: skip
_OBJECTS = frozenset({"object", "objects", "vehicle", "vehicles"})

BLANK_CREATURE = Creature("", "")


class QuickAddError(ValueError):
    """Raised for an invalid line, with a message key and its parameters, such as the wrong word."""

    def __init__(self, key: str, **params: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.params = params


class QuickAdd(msgspec.Struct, frozen=True):
    """The parsed line. `found_by_name`: the creature already exists, so it isn't created from the line.

    `offered` are the features of the classes in the line.
    """

    creature: Creature
    entry: RosterEntry
    found_by_name: bool
    offered: tuple[Feature, ...] = ()

    @property
    def command(self) -> AddToEncounter:
        """The command that adds the creatures."""
        return AddToEncounter(self.creature, self.entry)

    @property
    def name(self) -> str:
        """The label of the creatures."""
        return self.entry.name or self.creature.name

    @property
    def ac(self) -> int:
        """Their Armor Class."""
        return self.creature.ac if self.entry.ac is None else self.entry.ac

    @property
    def hp(self) -> int:
        """The hit points of each creature."""
        return self.creature.hp if self.entry.hp is None else self.entry.hp

    @property
    def initiative(self) -> int | None:
        """Their initiative bonus, or None if it follows from Dexterity."""
        return self.creature.initiative if self.entry.initiative is None else self.entry.initiative


def read_quick_add(
    line: str,
    find: CreatureFinder,
    default_creature: Creature = BLANK_CREATURE,
    classes: CharacterRules | None = None,
    left_out: Collection[str] = (),
    unread: Callable[[str], str] = lambda _text: "",
    character: Callable[[Mapping[str, int]], Creature] | None = None,
) -> QuickAdd:
    """Parse a line. Raise QuickAddError if it is invalid. `find` is called with names as typed.

    `default_creature` is the rule system's stat block for a new creature. `left_out` are the ids of features that a
    character of one of the `classes` doesn't get. Effects can follow `with`, unless the line has a meaning without them.
    `unread` returns the first word of an effect that isn't understood, or an empty string. `character` returns a new
    character with the game's usual numbers for the levels of its classes.
    """

    def read(text: str) -> QuickAdd:
        return _read_creature(text, find, default_creature, classes, left_out, character)

    try:
        return read(line)
    except QuickAddError:
        head, *effects = split_effects(line) or ("",)
        if not effects:
            raise
    parsed = read(head)
    if word := next((word for text in effects if (word := unread(text))), ""):
        raise QuickAddError("quick-add.effect", word=word)
    entry = msgspec.structs.replace(parsed.entry, effects=tuple(effects))
    return msgspec.structs.replace(parsed, entry=entry)


def _read_creature(
    line: str,
    find: CreatureFinder,
    default_creature: Creature,
    classes: CharacterRules | None,
    left_out: Collection[str],
    character: Callable[[Mapping[str, int]], Creature] | None,
) -> QuickAdd:
    words: Sequence[str] = line.replace(",", " ").split()
    if not words:
        raise QuickAddError("quick-add.empty")
    count, words = _count(words)
    levels, words = class_levels(words, classes.names if classes is not None else ())
    name, rest = _name(words)
    is_object = any(word.casefold() in _OBJECTS for word in rest)
    figures, side = _figures([word for word in rest if word.casefold() not in _OBJECTS])
    if not name:
        raise QuickAddError("quick-add.no_name")
    creature = _found(name, count, find)
    offered: tuple[Feature, ...] = ()
    if classes is not None and levels:
        if creature is None and character is not None:
            default_creature = character(levels)
            own = tuple(each for each in default_creature.features if each.id not in left_out)
            left = tuple(each for each in default_creature.assumed if each not in figures)
            default_creature = msgspec.structs.replace(default_creature, features=own, assumed=left)
            figures.setdefault("hp", default_creature.hp)
        known = creature or _made(default_creature, name, {"hp": 1} | figures)
        if creature is None and "hp" not in figures and len(split_effects(name)) < 2:
            figures["hp"] = classes.hit_points(known, levels)
        offered, side = classes.offered(known, levels), side or "party"
        default_creature = classes.applied(known, levels, left_out)
        creature = default_creature if creature is not None else None
        figures.setdefault("level", default_creature.level)
    if creature is not None:
        entry = _entry_of(creature, count, side, figures, is_object=is_object)
        return QuickAdd(creature, entry, found_by_name=True, offered=offered)
    if "hp" not in figures:
        raise QuickAddError("quick-add.unknown", name=name)
    new_creature = _made(default_creature, name, figures)
    if is_object:
        new_creature = msgspec.structs.replace(
            new_creature, type=OBJECT, speeds=new_creature.speeds if "speed" in figures else ()
        )
    level = {"level": figures.get("level", 0)}
    entry = _entry_of(new_creature, count, side, level, is_object=is_object)
    return QuickAdd(new_creature, entry, found_by_name=False, offered=offered)


def _count(words: Sequence[str]) -> tuple[int, Sequence[str]]:
    for taken in (2, 1):
        match = _COUNT.match(" ".join(words[:taken])) if len(words) > taken else None
        if match is not None and (taken == 1 or not words[1].isdigit()):
            count = int((match.group(1) or match.group(2))[:_DIGITS])
            if not 1 <= count <= MAX_COUNT:
                raise QuickAddError("quick-add.count", count=count, most=MAX_COUNT)
            return count, words[taken:]
    return 1, words


def class_levels(words: Sequence[str], classes: Collection[str]) -> tuple[dict[str, int], Sequence[str]]:
    """Return the levels by class, and the other words. Classes are the known words before a number, except the first."""
    levels: dict[str, int] = {}
    rest: list[str] = []
    for word in words:
        begin = len(rest)
        while begin > 1 and rest[begin - 1].casefold() in classes:
            begin -= 1
        if word.isdecimal() and begin < len(rest) and 1 <= int(word[:_DIGITS]) <= _MOST_LEVELS:
            levels |= {name.casefold(): int(word) for name in rest[begin:]}
            del rest[begin:]
        else:
            rest.append(word)
    return levels, rest


def _name(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the words up to the first keyword, and the rest."""
    for at, word in enumerate(words):
        known = word.casefold()
        if known in _FIGURES or (at > 0 and (known in _SIDES or known in _OBJECTS)):
            return " ".join(words[:at]), words[at:]
        if at > 0 and _NUMBER.match(word):
            raise QuickAddError("quick-add.stray_number", number=word)
    return " ".join(words), ()


def _figures(words: Sequence[str]) -> tuple[dict[str, int], str]:
    figures: dict[str, int] = {}
    side = ""
    rest = list(words)
    while rest:
        word = rest.pop(0)
        known = word.casefold()
        if known in _SIDES:
            side = _SIDES[known]
        elif known in _FIGURES:
            figures[_FIGURES[known]] = _figure(word, rest)
        else:
            raise QuickAddError("quick-add.word", word=word)
    return figures, side


def _figure(word: str, rest: list[str]) -> int:
    if not rest or not _NUMBER.match(rest[0]):
        raise QuickAddError("quick-add.no_number", word=word)
    value = int(rest.pop(0).replace("−", "-")[:_DIGITS])
    low, high = _RANGES[_FIGURES[word.casefold()]]
    if not low <= value <= high:
        raise QuickAddError("quick-add.range", word=word, low=low, high=high)
    return value


def _found(name: str, count: int, find: CreatureFinder) -> Creature | None:
    """Find the creature with this name, or return None. If `count` is more than 1, plurals are accepted."""
    tries = [name]
    if count > 1:
        tries += [name[: -len(ending)] for ending in ("s", "es") if name.casefold().endswith(ending)]
        if name.casefold().endswith("ves"):
            tries += [name[:-3] + "f", name[:-3] + "fe"]
    return next((creature for form in tries if (creature := find(form)) is not None), None)


def _entry_of(creature: Creature, count: int, side: str, figures: Mapping[str, int], *, is_object: bool) -> RosterEntry:
    return RosterEntry(
        id=creature.id,
        creature=creature.id,
        count=count,
        side=side or ("neutral" if is_object else "enemies"),
        level=figures.get("level", 0),
        ac=figures.get("ac"),
        hp=figures.get("hp"),
        initiative=figures.get("initiative"),
        dying="dies" if is_object else "",
        bystander=is_object,
    )


def _made(usual: Creature, name: str, figures: Mapping[str, int]) -> Creature:
    return msgspec.structs.replace(
        usual,
        id=creature_id(name),
        name=name[:1].upper() + name[1:],
        ac=figures.get("ac", usual.ac),
        hp=figures["hp"],
        initiative=figures.get("initiative"),
        speeds=(("walk", figures["speed"]),) if "speed" in figures else usual.speeds,
    )
