"""A neutral stat block of Pathfinder 2e that any format can fill in: texts unchanged, numbers as numbers."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import NamedNumbers


class SourceNumber(msgspec.Struct, frozen=True):
    """A skill, speed, resistance or weakness as named in the source, with a remark (`+9 to Climb`).

    `number` is None if the source doesn't give one: freedom of movement, a resistance described in a sentence.
    """

    name: str
    number: int | None
    note: str = ""


class DamagePart(msgspec.Struct, frozen=True):
    """One part of a Strike's damage. `formula` is empty for an effect (`Grab`); `category` may be `persistent`."""

    formula: str
    type: str
    category: str = ""


class SourceStrike(msgspec.Struct, frozen=True):
    """A Strike. `attack` is None if the source doesn't give a bonus; `extra_effects` are effects of a hit (`Grab`)."""

    name: str
    attack: int | None
    traits: tuple[str, ...] = ()
    parts: tuple[DamagePart, ...] = ()
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


class SourceSpells(msgspec.Struct, frozen=True):
    """A spell list. `ranks` are lines such as `4th: charm (at will), suggestion`, in the order of the source."""

    name: str
    dc: int = 0
    attack: int | None = None
    tradition: str = ""
    ability: str = ""
    ranks: tuple[str, ...] = ()
    note: str = ""


class SourceStatBlock(msgspec.Struct, frozen=True):
    """A whole stat block. `hp` and `ac` are 0 for a hazard without them. Notes on a field become remarks."""

    name: str
    level: int | None
    size: str = ""
    rarity: str = ""
    kind: str = ""
    traits: tuple[str, ...] = ()
    alignment: str = ""
    ac: int = 0
    ac_note: str = ""
    hp: int = 0
    abilities: NamedNumbers = ()
    saves: NamedNumbers = ()
    perception: int | None = None
    skills: tuple[SourceNumber, ...] = ()
    senses: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    speeds: tuple[SourceNumber, ...] = ()
    immunities: tuple[str, ...] = ()
    resistances: tuple[SourceNumber, ...] = ()
    weaknesses: tuple[SourceNumber, ...] = ()
    strikes: tuple[SourceStrike, ...] = ()
    actions: tuple[SourceAbility, ...] = ()
    spells: tuple[SourceSpells, ...] = ()
    items: tuple[str, ...] = ()
    pools: NamedNumbers = ()
    hazard: bool = False
    description: str = ""
    notes: str = ""
    source: str = ""
    licence: str = ""
