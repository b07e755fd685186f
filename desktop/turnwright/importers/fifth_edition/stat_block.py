"""A neutral stat block of the 5e family that any format can fill in, each line as a book prints it."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import NamedNumbers


class PrintedFeature(msgspec.Struct, frozen=True):
    """A trait, action or other feature. Its name may end in brackets (`Recharge 5-6`).

    `only` is the condition under which the creature has it.
    """

    name: str
    text: str
    cost: str
    only: str = ""


class PrintedStatBlock(msgspec.Struct, frozen=True):
    """A whole stat block, each line without its caption: `armor_class` as `17 (natural armor)`, `speed` as `30 ft.`.

    `kind` is the line with size, type and alignment. `rating` may include experience points and the proficiency bonus.
    Missing values are None or 0. `legendary` is the number of legendary actions per round.
    """

    name: str
    kind: str = ""
    armor_class: str = ""
    hit_points: str = ""
    speed: str = ""
    abilities: NamedNumbers = ()
    saves: str = ""
    skills: str = ""
    vulnerabilities: str = ""
    resistances: str = ""
    immunities: str = ""
    condition_immunities: str = ""
    senses: str = ""
    languages: str = ""
    rating: str = ""
    proficiency: int = 0
    maneuver_dc: int = 0
    initiative: int | None = None
    spellcasting: str = ""
    slots: NamedNumbers = ()
    features: tuple[PrintedFeature, ...] = ()
    legendary: int = 0
    environments: tuple[str, ...] = ()
    gear: str = ""
    description: str = ""
    notes: str = ""
    source: str = ""
