"""Data of hit points, dying, recovery and conditions."""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.field_specs import AbilityId, ConditionId, ConditionIds, DiceText, FieldSpec
from turnwright.encounter.prepared import Role
from turnwright.rules.system_data.numbers import DamageSteps, DamageTypeIds, IconName, Properties, RuleIds
from turnwright.rules.system_data.statements import facts_in


class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition with its effects. Standing rules have the same fields."""

    id: str
    """The id. In a file, it is the key of its table, as in `[conditions.prone]`."""
    name: str
    """The name. Example: `Prone`."""
    text: str = ""
    """The effects in one or two sentences, for cards and tooltips."""
    icon: IconName = ""
    """The name of its icon in the Material Design Icons. Example: `mdi6.bed`."""
    rules: tuple[DataRule, ...] = ()
    """Its effects as data rules. The page on the rule language describes them."""
    implies: ConditionIds = ()
    """Other conditions that a creature with this condition also has. Example: `["incapacitated", "prone"]`."""
    external: bool = False
    """Whether the source documents only name it. Its numbers are then the game's usual ones, and suggestions."""
    valued: bool = False
    """Whether it has a value, such as 2 in Frightened 2. Forms then ask for the value, and rules can use `per_value`
    and `level:2`. If the condition is applied twice, the higher value counts.
    """
    stacks: bool = False
    """Whether the values are added if the condition is applied twice."""
    once: bool = False
    """Whether its creator can have it on one creature only. On another creature, it then ends."""
    until: Literal["", "acts", "source-acts", "casts"] = ""
    """Set it to `acts` if it ends as soon as the creature spends anything on an action, to `source-acts` if the
    creator of the effect does, or to `casts` if it ends when the creature casts a spell.
    """
    rest: int = 0
    """The amount by which a long rest lowers its value. A condition without a value ends. Example: `1` for Drained."""
    falls: int = 0
    """The amount by which its value falls at the end of each of the creature's turns. Example: `1` for Frightened in
    Pathfinder.
    """
    after: ConditionId = ""
    """The condition that follows when it ends. Example: `wounded` after `dying`."""
    lasts: Annotated[str, FieldSpec(ids=("length of time",))] = ""
    """The longest time for which it lasts when it follows another condition. Example: `1 minute`."""
    stays: bool = False
    """Whether it stays for good if it lasts until its time runs out, as after Banishment."""
    ends: ConditionIds = ()
    """Conditions that it replaces. They end when it begins."""
    damage: DiceText = ""
    """The damage that its bearer takes at the start of each of its turns. Example: `1d4 fire`."""
    shape: Literal["", "apart", "kept", "temporary"] = ""
    """Set it if its bearer takes another stat block, for which you are asked, until the condition ends: with hit points
    `apart` from its own, with its own `kept`, or with its own and those of the stat block as `temporary` hit points.
    """
    shape_type: str = ""
    """The creature type of the stat blocks that are offered. Empty means any. Example: `beast`."""
    shape_ratings: Annotated[tuple[tuple[int, str], ...], FieldSpec(ids=("rating",))] = ()
    """The highest rating of these stat blocks under strict rules, by the creature's level from which it applies. Example:
    `[[2, "1/4"], [4, "1/2"], [8, "1"]]`.
    """
    shape_speeds: Annotated[tuple[tuple[int, str], ...], FieldSpec(ids=("speed",))] = ()
    """The speeds that these stat blocks can have under strict rules only from a level on. Example: `[[4, "swim"]]`."""
    shape_own_rating: bool = False
    """Whether strict rules only offer stat blocks up to the creature's own rating or level."""
    shape_keeps: Annotated[tuple[str, ...], FieldSpec(ids=("ability",))] = ()
    """The ability scores that its bearer keeps in the other shape, along with its features other than attacks and
    spells. Example: `["int", "wis", "cha"]`.
    """
    shape_casts: bool = False
    """Whether its bearer can cast its own spells in the other shape."""
    adjusts: bool = False
    """Whether the roster offers it, as a variant of a creature that is stronger or weaker than its stat block."""
    by_rules: bool = False
    """Whether only rules apply it, so that it isn't offered for manual entry."""
    printed: bool = True
    """Whether it is a condition of the game, which printed cards include, not an internal mark."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""

    @property
    def has_levels(self) -> bool:
        """Whether it has a value, or rules that only apply from a certain level."""
        return self.valued or any(fact.word == "level" for rule in self.rules for fact in facts_in(rule.when))


class DeathSaveFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for death saves."""

    dc: int = 0
    """The DC of a death save."""
    successes: int = 0
    """The number of successes that end the saves."""
    failures: int = 0
    """The number of failures that mean death. 0 if the game has no death saves."""
    worst: int = 0
    """The face of the die that counts as several failures. 0 if there is none."""
    worst_failures: int = 1
    """The number of failures for that face."""
    worst_fatigue: int = 0
    """The number of levels of fatigue for that face."""
    worst_strife: int = 0
    """The number of levels of strife for that face."""
    best: int = 0
    """The face of the die that wakes the creature. 0 if there is none."""
    best_hp: int = 0
    """The hit points that it then has."""


class MassiveDamageFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for massive damage, where a failed save means death."""

    base: int = 0
    """The damage from which a single hit counts as massive. If this and `per_level` are 0, there is no massive damage.
    """
    per_level: int = 0
    """The increase of that number for each level."""
    ability: AbilityId = ""
    """The ability of the save. Example: `con`."""
    dc: int = 0
    """The DC of the save."""
    fatigue: int = 0
    """The number of levels of fatigue after a success."""
    strife: int = 0
    """The number of levels of strife after a success."""

    @property
    def is_possible(self) -> bool:
        """Return whether the game has massive damage."""
        return bool(self.base or self.per_level)


class ConcentrationFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for the save to maintain concentration. Its DC is half of the damage."""

    ability: AbilityId = ""
    """The ability of the save. Empty means that the game has no such save. Example: `con`."""
    least: int = 0
    """The lowest DC of the save."""
    most: int = 0
    """The highest DC of the save. 0 means no limit."""


class RestFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for rests."""

    anywhere: int = 0
    """The highest level of fatigue that a long rest outside a haven can remove."""
    recovers: int = 0
    """The number of levels of fatigue that a long rest removes."""
    short_hp: int = 0
    """The hit points with which a short rest wakes an unconscious combatant. 0 if it doesn't."""
    long_over: int = 0
    """A long rest wakes a combatant with its maximum hit points divided by this number. 0 if it doesn't."""
    long_hp: Annotated[str, FieldSpec(ids=("ability or all",))] = ""
    """The hit points that a long rest restores: `all` to a combatant that is up, or an ability whose modifier (at least
    1) counts once for each level. Empty if the rules don't say.
    """
    hp_option: Annotated[str, FieldSpec(ids=("table rule",))] = ""
    """The house rule under which `long_hp` applies. Empty means always."""
    hours: tuple[int, int] = (0, 0)
    """The hours of a short and of a long rest, which shorten effects. 0 for a rest of less than an hour."""


class BleedingFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for bleeding out."""

    per_level: int = 0
    """The damage per turn for each level."""
    revived: ConditionId = ""
    """The condition of a combatant that healing brought back."""


class RecoveryFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for a Dying condition with a value."""

    die: DiceText = "1d20"
    """The die of the recovery check."""
    dc: int = 0
    """The number to which the value is added for the DC of the recovery check."""
    start: int = 1
    """The value when a combatant drops to 0 hit points."""
    critical_start: int = 1
    """The value after a critical hit."""
    hurt: int = 0
    """The increase for damage while dying."""
    critical_hurt: int = 0
    """The increase for a critical hit while dying."""
    kills: int = 0
    """The value at which the combatant dies. 0 if the game doesn't use this mechanism."""
    steps: tuple[int, int, int, int] = (0, 0, 0, 0)
    """The changes of the value after a critical failure, failure, success and critical success. Example: `[2, 1, -1,
    -2]`.
    """
    worse: ConditionId = ""
    """The condition whose value is added at the start. Example: `wounded`."""
    sooner: ConditionId = ""
    """The condition whose value lowers `kills`. Example: `doomed`."""
    spares: Properties = ()
    """The properties of attacks that leave a combatant at 0 hit points unconscious, not dying or dead. Example: `["nonlethal"]`."""
    shifts: bool = False
    """Whether a combatant that drops moves to just before the active combatant in the turn order."""


class DeviceFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for devices, such as traps. They don't die at 0 hit points; they get a condition."""

    tags: tuple[str, ...] = ()
    """The words in a stat block that mark a device. Example: `["hazard"]`."""
    condition: ConditionId = ""
    """The condition of a device that is broken or disabled. Example: `disabled`."""
    critical: int = 1
    """The number of successes that a critical success at disabling counts as."""


class DyingFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for dropping to 0 hit points. With the defaults, a combatant just stays down."""

    mechanism: Literal["death-saves", "bleeding-out", "recovery-checks"] = "death-saves"
    """The mechanism: `death-saves`, damage each turn (`bleeding-out`), or a value with `recovery-checks`.
    """
    saves_roles: tuple[Role, ...] = ("character",)
    """The roles that are dying instead of dead at 0 hit points. Example: `["character", "companion"]`."""
    leveled: bool = True
    """Whether a creature with a level is also dying instead of dead."""
    fall_fatigue: int = 0
    """The number of levels of fatigue for falling unconscious in an encounter."""
    knock_out_fatigue: int = 0
    """The number of levels of fatigue for being knocked out."""
    critical_fatigue: int = 0
    """The number of levels of fatigue for a critical hit at 0 hit points."""
    critical_failures: int = 1
    """The number of failed death saves for a critical hit at 0 hit points."""
    prices: Annotated[tuple[str, ...], FieldSpec(ids=("condition",))] = ()
    """Conditions of which the target may gain a level instead of a failed death save, if the attacker allows it. Example:
    `["fatigue", "strife"]`.
    """
    knock_out_hp: int = 0
    """The hit points of a combatant that is knocked out. Above 0, any healing or first aid wakes it."""
    knock_out_by: Literal["", "anyone", "characters"] = ""
    """The melee attackers that may knock out instead of killing: none, all (`anyone`) or `characters`."""
    instant: bool = False
    """Whether damage that exceeds the remaining hit points by at least the maximum kills without a save."""
    stable_hours: DiceText = ""
    """The hours after which a stable combatant wakes, as dice. Example: `1d4`."""
    stable_hp: int = 0
    """The hit points with which it wakes."""

    doomed_at: int = 0
    """The number of levels of fatigue at which a combatant is doomed. 0 if the game has no such rule."""
    remedies: tuple[str, ...] = ()
    """The cures for doom, for the card to list. Example: `["resurrection"]`."""
    save: DeathSaveFigures = DeathSaveFigures()
    """Settings for death saves."""
    massive: MassiveDamageFigures = MassiveDamageFigures()
    """Settings for massive damage."""
    concentration: ConcentrationFigures = ConcentrationFigures()
    """Settings for concentration."""
    rest: RestFigures = RestFigures()
    """Settings for rests."""
    bleeding_out: BleedingFigures = BleedingFigures()
    """Settings for bleeding out."""
    recovery: RecoveryFigures = RecoveryFigures()
    """Settings for a Dying condition with a value."""
    devices: DeviceFigures = DeviceFigures()
    """Settings for devices."""


class HealthFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for hit points and damage."""

    floor: Literal["zero", "minus-maximum"] = "zero"
    """The lowest hit points: 0 (`zero`), or minus the maximum (`minus-maximum`)."""
    temporary_adds: bool = False
    """Whether temporary hit points from several sources are added up."""
    temporary_over: int = 0
    """Temporary hit points are limited to the maximum hit points divided by this number. 0 means no limit."""
    typed: bool = False
    """Whether all damage has a type."""
    asked: bool = False
    """Whether Turnwright asks for missing maximum hit points."""
    weapon_types: DamageTypeIds = ()
    """The damage types to which immunity and resistance to nonmagical weapons apply. Empty means all."""
    steps: DamageSteps = ("absorption", "mundane-immunity", "immunity", "resistance", "vulnerability")
    """The steps that adjust each part of damage, in order."""

    def lowest(self, maximum: int) -> int:
        """Return the lowest hit points that a combatant with this maximum can have."""
        return -maximum if self.floor == "minus-maximum" else 0

    def most_temporary(self, maximum: int) -> int | None:
        """Return the most temporary hit points for this maximum, or None if there is no limit."""
        return maximum // self.temporary_over if self.temporary_over else None
