"""Maps the terms of Pathfinder 2e sources to the ids that the rules use.

`RENAMED` maps the names used in older books to the newer ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

DAMAGE: Final = frozenset({
    "acid", "bludgeoning", "cold", "electricity", "fire", "force", "mental", "piercing", "poison", "slashing", "sonic",
    "spirit", "vitality", "void", "bleed",
})  # fmt: skip
# More damage terms: types from older books, and groups used in resistances.
OLDER_DAMAGE: Final = frozenset({
    "good", "evil", "lawful", "chaotic", "holy", "unholy", "precision", "physical", "energy", "all", "untyped",
})  # fmt: skip
CONDITIONS: Final = frozenset({
    "blinded", "clumsy", "concealed", "confused", "controlled", "dazzled", "deafened", "doomed", "drained", "dying",
    "encumbered", "enfeebled", "fascinated", "fatigued", "fleeing", "frightened", "grabbed", "hidden", "immobilized",
    "invisible", "off-guard", "paralyzed", "petrified", "prone", "quickened", "restrained", "sickened", "slowed",
    "stunned", "stupefied", "unconscious", "undetected", "wounded",
})  # fmt: skip
RENAMED: Final[Mapping[str, str]] = MappingProxyType({
    "negative": "void", "negative-energy": "void", "void-energy": "void",
    "positive": "vitality", "positive-energy": "vitality",
    "electric": "electricity", "flat-footed": "off-guard", "paralyze": "paralyzed", "paralysis": "paralyzed",
    "immobilised": "immobilized", "paralysed": "paralyzed",
    "coldiron": "cold-iron",
    "swarmmind": "swarm-mind", "persistent-bleed": "bleed",
})  # fmt: skip
SIZES: Final[Mapping[str, str]] = MappingProxyType({
    "tiny": "tiny", "sm": "small", "small": "small", "med": "medium", "medium": "medium", "lg": "large",
    "large": "large", "huge": "huge", "grg": "gargantuan", "gargantuan": "gargantuan",
})  # fmt: skip
DC_BASE: Final = 10  # a DC is this number plus the modifier
RARITIES: Final = frozenset({"common", "uncommon", "rare", "unique"})
ALIGNMENTS: Final = frozenset({"lg", "ng", "cg", "ln", "n", "cn", "le", "ne", "ce"})
# Creature types. If the traits name several, the first in this order is the type, and all are tags.
TYPES: Final = (
    "undead", "construct", "dragon", "elemental", "fiend", "celestial", "monitor", "fey", "aberration", "ooze",
    "fungus", "plant", "giant", "animal", "beast", "humanoid", "spirit", "petitioner", "shade", "dream", "astral",
    "ethereal", "time",
)  # fmt: skip
SKILLS: Final[Mapping[str, str]] = MappingProxyType({
    "acr": "acrobatics", "arc": "arcana", "ath": "athletics", "cra": "crafting", "dec": "deception",
    "dip": "diplomacy", "itm": "intimidation", "med": "medicine", "nat": "nature", "occ": "occultism",
    "prf": "performance", "rel": "religion", "soc": "society", "ste": "stealth", "sur": "survival", "thi": "thievery",
})  # fmt: skip
SKILL_IDS: Final = frozenset({*SKILLS.values(), "perception", "lore"})
SAVES: Final[Mapping[str, str]] = MappingProxyType({
    "fort": "con", "fortitude": "con", "ref": "dex", "reflex": "dex", "will": "wis",
})  # fmt: skip
MODES: Final[Mapping[str, str]] = MappingProxyType({
    "land": "walk", "speed": "walk", "walk": "walk", "fly": "fly", "swim": "swim", "climb": "climb", "burrow": "burrow",
})  # fmt: skip
_NOT_WORD = re.compile(r"[^a-z0-9]+")


def id_of(text: str) -> str:
    """Convert a name to an id: lower case with hyphens. Older names are replaced by newer ones."""
    word = _NOT_WORD.sub("-", text.lower().replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")).strip("-")
    return RENAMED.get(word, word)


def damage_id(text: str) -> str:
    """Return the id of a damage type, or the plain word for an unknown type."""
    word = id_of(text).removesuffix("-damage")
    return RENAMED.get(word, word)


def is_damage(word: str) -> bool:
    """Return whether a word is a damage type (also from older books) or a group of damage types."""
    return word in DAMAGE or word in OLDER_DAMAGE


def creature_type(traits: tuple[str, ...], stated: str) -> str:
    """Return a creature's type, from its traits or as stated in its source, or an empty string if it has none."""
    kind = next((candidate for candidate in TYPES if candidate in traits), "")
    return kind or id_of(stated.partition(",")[0]) or (traits[0] if traits else "")
