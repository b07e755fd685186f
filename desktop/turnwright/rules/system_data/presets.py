"""Data for the usual numbers of characters by class and level."""

from typing import Annotated, Any

import msgspec

from turnwright.encounter.field_specs import AbilityId, DiceText, FeetOrNone, FieldSpec, Natural
from turnwright.rules.system_data.numbers import Properties, RuleIds

Steps = tuple[tuple[int, int], ...]  # pairs of a level and the number from that level on
SpellIds = Annotated[tuple[str, ...], FieldSpec(ids=("spell",))]


def reached(steps: Steps, level: int) -> Any:
    """Return the number of the last step up to a level, or 0 if none is reached."""
    return next((number for least, number in reversed(steps) if least <= level), 0)


class PresetClass(msgspec.Struct, frozen=True, omit_defaults=True):
    """The usual numbers of a class."""

    id: str
    """The id of the class, as in `powers.toml`. In a file, it is the key of its table. Example: `cleric`."""
    main: AbilityId
    """The main ability. Example: `wis`."""
    second: AbilityId
    """The second best ability. Example: `str`."""
    ac: Natural
    """The Armor Class with its usual armour, before proficiency and level if the game adds them. Example: `18`."""
    usual: tuple[str, ...] = ()
    """The names of its usual weapons and spells. Example: `["sacred flame", "mace"]`."""
    saves: Annotated[tuple[str, ...], FieldSpec(ids=("ability",))] = ()
    """The saves to which the proficiency bonus is added. Example: `["wis", "cha"]`."""
    save_ranks: Annotated[tuple[tuple[str, Steps], ...], FieldSpec(ids=("ability",))] = ()
    """The proficiency with saves by level, in games where it grows separately. Example: `{ con = [[1, 4], [7, 6]] }`."""
    attack: Steps = ()
    """The proficiency with weapons by level, in games where it grows separately. Example: `[[1, 2], [5, 4]]`."""
    spells: Steps = ()
    """The proficiency with spells by level, in games where it grows separately."""
    armour: Steps = ()
    """The growth of the Armor Class by level: proficiency, better armour or a higher ability. Example: `[[5, 1], [9, 2]]`."""
    perception: Steps = ()
    """The proficiency with Perception by level, in games where it grows separately."""
    damage: Steps = ()
    """The bonus to the damage of weapons by level. Example: `[[7, 2], [13, 3]]`."""


class PresetWeapon(msgspec.Struct, frozen=True, omit_defaults=True):
    """A weapon of the game."""

    id: str
    """The id. In a file, it is the key of its table. Example: `war-pick`."""
    name: str
    """The name. Example: `War pick`."""
    damage: DiceText
    """The damage before bonuses. Example: `1d8 piercing`."""
    two_hands: DiceText = ""
    """The damage with two hands, if it differs. Example: `1d10 slashing`."""
    range: str = ""
    """The range of a ranged or thrown weapon in feet. Example: `20/60`."""
    reach: FeetOrNone = 5
    """The reach in feet, or 0 if it is only used at range."""
    properties: Properties = ()
    """The properties that rules refer to. Example: `["finesse", "thrown"]`."""


class PresetFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for the usual numbers of characters, for a party of which only names and levels are known."""

    ledger: RuleIds = ()
    """The ledger rules that name classes without describing them."""
    usual: str = ""
    """The class of a character whose class isn't known. Example: `fighter`."""
    adds_level: bool = False
    """Whether the level is added to attacks, saves, DCs and the Armor Class."""
    proficiency: Steps = ()
    """The proficiency bonus of all classes by level. Example: `[[1, 2], [5, 3]]`."""
    main: Steps = ()
    """The score of the main ability by level. Example: `[[1, 16], [4, 18], [8, 20]]`."""
    second: Steps = ()
    """The score of the second best ability by level."""
    others: Annotated[tuple[tuple[str, Steps], ...], FieldSpec(ids=("ability",))] = ()
    """The least scores of all characters, by level. Example: `{ con = [[1, 14]] }`."""
    dc: Natural = 0
    """The number to which proficiency and ability are added for a DC. Example: `8`."""
    hp: Natural = 0
    """The hit points in addition to those of the class."""
    strength_damage: bool = False
    """Whether only Strength is added to damage, and nothing at range."""
    weapon_bonus: Steps = ()
    """The bonus of the weapons that characters usually have at a level. Without `weapon_dice`, it also adds to damage."""
    weapon_dice: Steps = ()
    """The number of dice of these weapons. Example: `[[4, 2], [12, 3]]`."""
    armour_bonus: Steps = ()
    """The bonus of the armour that characters usually have at a level."""
    save_bonus: Steps = ()
    """The bonus to saves of the items that characters usually have at a level."""
    cantrips: SpellIds = ()
    """The spells that cost no slot and grow with the level, if the game's list doesn't mark them by level 0."""
    save_words: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("foreign ability", "ability"))] = ()
    """Further words for the abilities of saves. Example: `{ reflex = "dex" }`."""
    classes: tuple[PresetClass, ...] = ()
    """The classes, keyed by id."""
    weapons: tuple[PresetWeapon, ...] = ()
    """The weapons, keyed by id."""
