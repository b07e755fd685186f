"""A neutral stat block of Pathfinder 2e that any format can fill in, with numbers or with lines as a book prints them.

A `Listed` or `Numbered` field takes either its entries or the whole line: `fly 40 feet, swim 20 feet`.
"""

from typing import TypeAlias

import msgspec

from turnwright.encounter.prepared import NamedNumbers
from turnwright.importers.characters import Character
from turnwright.rules.system_data.numbers import Spell


class SourceNumber(msgspec.Struct, frozen=True):
    """A skill, speed, resistance or weakness as named in the source, with a remark (`+9 to Climb`).

    `number` is None if the source doesn't give one: freedom of movement, a resistance described in a sentence.
    """

    name: str
    number: int | None
    note: str = ""


Listed: TypeAlias = str | tuple[str, ...]
Numbered: TypeAlias = str | tuple[SourceNumber, ...]


class DamagePart(msgspec.Struct, frozen=True):
    """One part of a Strike's damage. `formula` is empty for an effect (`Grab`); `category` may be `persistent`."""

    formula: str
    type: str
    category: str = ""


class SourceStrike(msgspec.Struct, frozen=True):
    """A Strike. `attack` is None if the source doesn't give a bonus; `extra_effects` are effects of a hit (`Grab`).

    `damage` contains parts as the source words them, or the whole text: `2d8 piercing plus 1d6 fire and Grab`.
    """

    name: str
    attack: int | None
    traits: tuple[str, ...] = ()
    damage: str | tuple[DamagePart, ...] = ()
    extra_effects: tuple[str, ...] = ()
    ranged: bool | None = None
    increment: int = 0
    max_range: int = 0
    text: str = ""


class SourceAbility(msgspec.Struct, frozen=True):
    """An ability with plain text. `uses` and `per` are set if the source states them."""

    name: str
    cost: str = "trait"
    action_count: int = 1
    traits: tuple[str, ...] = ()
    text: str = ""
    uses: int = 0
    per: str = ""
    range: str = ""


class RankedSpell(msgspec.Struct, frozen=True):
    """One spell and its rank, 0 if unknown. `note` is its frequency or condition."""

    name: str
    rank: int
    note: str = ""
    cantrip: bool = False
    ritual: bool = False
    constant: bool = False


class SourceSpells(msgspec.Struct, frozen=True):
    """A spell list: its `spells`, or lines such as `4th: charm (at will), suggestion` in the order of the source."""

    name: str
    dc: int = 0
    attack: int | None = None
    tradition: str = ""
    ability: str = ""
    spells: tuple[RankedSpell, ...] = ()
    ranks: tuple[str, ...] = ()
    note: str = ""


class SourceStatBlock(msgspec.Struct, frozen=True):
    """A whole stat block. `hp` and `ac` are 0 for a hazard without them. Notes on a field become remarks.

    `hp` is None if the source has no number, which makes the creature unreadable.
    """

    name: str
    level: int | None
    size: str = ""
    rarity: str = ""
    kind: str = ""
    traits: tuple[str, ...] = ()
    alignment: str = ""
    ac: int = 0
    ac_note: str = ""
    hp: int | None = 0
    abilities: NamedNumbers = ()
    saves: NamedNumbers = ()
    perception: int | None = None
    skills: Numbered = ()
    senses: Listed = ()
    languages: Listed = ()
    speeds: Numbered = ()
    immunities: Listed = ()
    resistances: Numbered = ()
    weaknesses: Numbered = ()
    strikes: tuple[SourceStrike, ...] = ()
    actions: tuple[SourceAbility, ...] = ()
    spells: tuple[SourceSpells, ...] = ()
    own_spells: tuple[Spell, ...] = ()
    items: Listed = ()
    pools: NamedNumbers = ()
    hazard: bool = False
    description: str = ""
    notes: str = ""
    source: str = ""
    licence: str = ""
    character: Character | None = None
