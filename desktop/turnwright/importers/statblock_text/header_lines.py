"""Reads the lines at the top of a stat block: type, speeds, senses, skills, damage types, conditions.

Each function accepts a line of text, or a list whose items are joined, because the line may have been split at commas.
Text that isn't understood is returned as `rest` or as clauses.
"""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final, NamedTuple

from turnwright.encounter.prepared import NamedNumbers
from turnwright.importers.statblock_text.damage import TYPES, as_int, number_in_words
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.vocabulary import Patterns, terms

ABILITIES: Final = ("str", "dex", "con", "int", "wis", "cha")
SIZES: Final = ("tiny", "small", "medium", "large", "huge", "gargantuan", "titanic", "colossal")
SKILLS: Final[frozenset[str]] = frozenset(terms("prose", "skills"))
MOVES: Final = ("walk", "fly", "swim", "climb", "burrow")
_RE: Final = Patterns("prose")
_EDGES: Final = " .-\N{EM DASH}\N{EN DASH}"
MATERIALS: Final = {"silver": "silvered", "adamantine": "adamantine", "cold iron": "cold-iron"}


class TypeLine(NamedTuple):
    """The parts of `Large aberration (shapechanger), lawful evil`, in lower case. `remark` is other text."""

    size: str
    type: str
    tags: tuple[str, ...]
    alignment: str
    remark: str


class Speeds(NamedTuple):
    """Feet, keyed by movement mode."""

    distances: NamedNumbers
    hovers: bool
    rest: str


class Senses(NamedTuple):
    """Feet by sense (0 if not stated), and passive scores by skill."""

    distances: NamedNumbers
    passives: NamedNumbers
    rest: str


class Bonuses(NamedTuple):
    """Total bonuses, keyed by skill or ability."""

    bonuses: NamedNumbers
    rest: str


class DamageTypes(NamedTuple):
    """Damage types (or conditions), whether all nonmagical weapon damage is included, and unsplit clauses.

    `nonmagical` is the clause about nonmagical weapons, if any. `excepted` are the materials that bypass it.
    """

    kinds: tuple[str, ...]
    mundane: bool
    clauses: tuple[str, ...]
    nonmagical: str = ""
    excepted: tuple[str, ...] = ()

    @property
    def weapons(self) -> tuple[str, ...] | None:
        """The materials that bypass the defence against nonmagical weapons, or None if there is no such defence."""
        return self.excepted if self.mundane else None


def joined_text(value: Any) -> str:
    """Join a list of text pieces into one line. A text is returned as one line, too."""
    if isinstance(value, str):
        return " ".join(plain_text(value).split())
    if isinstance(value, Iterable) and not isinstance(value, dict):
        return ", ".join(filter(None, (joined_text(piece) for piece in value if isinstance(piece, str | int))))
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def type_line(text: str) -> TypeLine:
    """Read `Medium humanoid (elf, wizard), any alignment` and `Medium swarm of Tiny beasts, unaligned`."""
    text = joined_text(text)
    inner = _RE.brackets.search(text.split("%")[0]) if "(" in text else None
    tags = tuple(part.strip().lower() for part in inner[1].split(",") if part.strip()) if inner else ()
    plain = text[: inner.start()] + text[inner.end() :] if inner else text
    kind, _, alignment = plain.partition(",")
    words = kind.lower().split()
    size = words.pop(0) if words and words[0] in SIZES else ""
    while size and len(words) > 2 and words[0] in ("or", "to", "and") and words[1] in SIZES:
        del words[:2]
    if words[:1] == ["swarm"]:
        swarm = kind.strip()[len(size) :].strip()
        member = singular_type(words[-1]) if len(words) > 2 else ""
        return TypeLine(size, member, ("swarm", *tags), alignment.strip(), swarm)
    return TypeLine(size, " ".join(words), tags, alignment.strip(), "")


def singular_type(word: str) -> str:
    """Return a creature type in the singular."""
    odd = {"fey": "fey", "undead": "undead", "monstrosities": "monstrosity", "oozes": "ooze"}
    return odd.get(word, word.removesuffix("s"))


def speeds(value: Any) -> Speeds:
    """Read `30 ft., climb 30 ft., fly 60 ft. (hover)`.

    Text in brackets and text after the first sentence is the rest.
    """
    text = joined_text(value)
    brackets = [inner.strip() for inner in _RE.brackets.findall(text)]
    notes = [inner for inner in brackets if inner.lower() not in ("hover", "hovers")]
    plain = _RE.brackets.sub("", text)
    hovers = len(notes) < len(brackets) or "hover" in plain.lower()
    plain = re.sub(r"[.,;]?\s*(?:it\s+can\s+|can\s+)?hovers?\b\.?", "", plain, flags=re.IGNORECASE)
    figures: dict[str, int] = {}
    for part in re.split(r"[,;]", plain):
        match = _RE.speed.fullmatch(part.strip().rstrip("."))
        word = (match[1] or "walk").lower() if match else ""
        move = next((mode for mode in MOVES if word.startswith(mode)), "walk")
        if match and move not in figures:
            figures[move] = int(match[2])
        elif part.strip():
            notes.append(part.strip())
    return Speeds(tuple(figures.items()), hovers, "; ".join(notes))


def senses(value: Any) -> Senses:
    """Read `darkvision 60 ft., passive Perception 12`."""
    text = joined_text(value)
    figures: dict[str, int] = {}
    passives: dict[str, int] = {}
    rest = _RE.passive.sub(lambda match: _put(passives, match[1].lower(), int(match[2])), text)
    rest = _RE.sense.sub(lambda match: _put(figures, match[1].lower().replace(" ", "-"), int(match[2] or 0)), rest)
    rest = re.sub(r"^[\s,;.\N{EM DASH}-]++|[\s,;.\N{EM DASH}-]++$", "", re.sub(r"\s*[,;]\s*(?=[,;]|$)", "", rest))
    return Senses(tuple(figures.items()), tuple(passives.items()), rest)


def _put(figures: dict[str, int], name: str, value: int) -> str:
    figures.setdefault(name, value)
    return ""


def skills(value: Any) -> Bonuses:
    """Read `Perception +4, Sleight of Hand +6`."""
    return _bonuses(value, lambda name: re.sub(r"\s+", "-", name), SKILLS)


def saves(value: Any) -> Bonuses:
    """Read `Con +6, Dexterity +3`."""
    return _bonuses(value, lambda name: name[:3], ABILITIES)


def _bonuses(value: Any, id_of: Callable[[str], str], known: Collection[str]) -> Bonuses:
    figures: dict[str, int] = {}
    rest: list[str] = []
    for part in re.split(r"[,;]", joined_text(value)):
        match = _RE.skill.fullmatch(part.strip().rstrip("."))
        name = id_of(match[1].strip().lower()) if match else ""
        bonus = as_int(match[2]) if match else None
        if bonus is not None and name in known:
            figures.setdefault(name, bonus)
        elif part.strip():
            rest.append(part.strip())
    return Bonuses(tuple(figures.items()), ", ".join(rest))


def damage_types(value: Any) -> DamageTypes:
    """Read `lightning, thunder; bludgeoning, piercing, and slashing from nonmagical attacks`.

    `mundane` is set if all three nonmagical weapon damage types are included, apart from materials. Other clauses
    aren't split.
    """
    text = joined_text(value)
    kinds: dict[str, None] = {}
    clauses: list[str] = []
    nonmagical, excepted = "", dict[str, None]()

    def clause(match: re.Match[str]) -> str:
        nonlocal nonmagical
        whole_clause = match[0].strip(" ,;.")
        materials = materials_in(whole_clause)
        remaining = _RE.except_for.sub("", whole_clause) if materials else whole_clause
        remaining = _RE.plain_mundane.sub("", _RE.all_three.sub("", remaining), count=1)
        is_of_weapons = _RE.all_three.search(whole_clause) or _RE.any_damage.match(whole_clause)
        if is_of_weapons and _RE.nonmagical.search(whole_clause) and _RE.nothing_else.fullmatch(remaining):
            nonmagical = whole_clause
            excepted.update(dict.fromkeys(materials))
        clauses.append(whole_clause)
        return ";"

    plain = _RE.mundane.sub(clause, text) if re.search(r"magic|from|that|mundane", text, re.IGNORECASE) else text
    for part in re.split(r"[,;]|\band\b", plain):
        word = part.strip(_EDGES).lower().removeprefix("or ").removesuffix(" damage")
        if word in TYPES:
            kinds.setdefault(word)
        elif word:
            clauses.append(part.strip(" ."))
    return DamageTypes(tuple(kinds), bool(nonmagical), tuple(clauses), nonmagical, tuple(excepted))


def materials_in(clause: str) -> tuple[str, ...]:
    """Return the materials that bypass a clause about nonmagical weapons: `silvered` for *that aren't silvered*."""
    exceptions = "".join(match[0] for match in _RE.except_for.finditer(clause)).lower()
    return tuple(material for word, material in MATERIALS.items() if word in exceptions)


def condition_list(value: Any) -> DamageTypes:
    """Read `charmed, frightened` as lower-case names."""
    kinds: dict[str, None] = {}
    clauses: list[str] = []
    for part in re.split(r"[,;]|\band\b", joined_text(value)):
        word = part.strip(_EDGES).lower().replace(" ", "-")
        if re.fullmatch(r"[a-z-]{3,20}", word):
            kinds.setdefault(word)
        elif word:
            clauses.append(part.strip(" ."))
    return DamageTypes(tuple(kinds), False, tuple(clauses))


def legendary_count(text: str) -> int:
    """Return the number of legendary actions per round stated in a preamble, or 0."""
    if "egendary" not in text:
        return 0
    match = _RE.legendary.search(text) or _RE.legendary_uses.search(text)
    return number_in_words(match[1]) if match else 0


def spellcasting_in(text: str) -> str:
    """Return the spellcasting ability (`int`) stated in a feature's prose, or an empty string."""
    match = _RE.casts.search(text) if "pellcasting ability" in text else None
    ability = (match[1] or match[2])[:3].lower() if match else ""
    return ability if ability in ABILITIES else ""


def spellcasting_and_slots(texts: Iterable[str]) -> tuple[str, NamedNumbers]:
    """Return the first spellcasting ability and the first spell slots by level in the prose of features."""
    ability, slots = "", dict[str, int]()
    for text in texts:
        ability = ability or spellcasting_in(text)
        slots = slots or ({match[1]: int(match[2]) for match in _RE.slots.finditer(text)} if "slot" in text else {})
    return ability, tuple(slots.items())
