"""Data and stages of the procedures in `play.attacks`: attacks, save features, mount commands, triggered features."""

from typing import Final, Literal

import msgspec

from turnwright.dice.expression import ExtraDice, Modifier, Roll
from turnwright.encounter.prepared import Feature, NamedNumbers, Point, TriggerMoment
from turnwright.encounter.procedure_state.kinds import Answered, ProcedureKind
from turnwright.encounter.tagged_struct import CombatantData, TaggedStruct

AttackOutcome = Literal["", "miss", "fumble", "hit", "critical"]


HIT: Final = "hit"  # options for the outcome of an attack whose dice are unknown


CRITICAL: Final = "critical"


MISS: Final = "miss"


FUMBLE: Final = "fumble"


class AttackInProgress(TaggedStruct, frozen=True):
    """An attack from its declaration to its end. `weapon` is the feature at the time of the declaration.

    `target` is a combatant, an obstacle if `is_object` is true, or empty if the attack aims at a `square`. `tags`
    classify the attack, and `facts` are facts about it that the user entered. `modifiers` and `extra` are additional
    bonuses.

    `roll` and `damage` are the rolls made. `critical`: the hit still counts as a critical hit. `bonus_damage` is the
    extra damage of a critical hit. `degree` is the degree of success of the target's save for half damage.
    `extra_damage_share` is the share of the extra damage that a target takes after its save. `together`: the attack
    only counts for the multiple attack penalty after all attacks of the same feature.

    `guards` are AC bonuses from reactions, and `hindered` is the name of a reaction that requires a second attack roll.
    `dealt` is the damage that the target took, by type.
    `lessened` are the damage reductions by reactions: the name, the amount (`half` or points) and the rule of each.
    """

    attacker: str
    weapon: Feature
    target: str = ""
    is_object: bool = False
    square: Point | None = None
    purpose: str = ""
    tags: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    extra: tuple[ExtraDice, ...] = ()
    roll: Roll | None = None
    damage: Roll | None = None
    outcome: AttackOutcome = ""
    critical: bool = False
    extra_damage_share: str = ""
    guards: tuple[Modifier, ...] = ()
    hindered: str = ""
    lessened: tuple[tuple[str, str, str], ...] = ()
    bonus_damage: int = 0
    degree: str = ""
    together: bool = False
    dealt: NamedNumbers = ()


class SaveEffect(TaggedStruct, frozen=True):
    """A feature whose targets make saves, used by one combatant or by a group acting as one.

    `save` and `dc` are the targets' save and its DC. `half_on_save`: a successful save halves the damage.
    `extra_damage` is added for the number of users. `spell` is the id of the shipped spell, if it is one. `excluded`
    are creatures that the user leaves out (`plant`: all plants), and `obstacles` are objects on the map in the area.
    `critically_failed` and `critically_saved` are the targets with a critical degree, in games that have one. `origin`
    is the square from which the area spreads. `answered`: enemies have reacted to the feature, and perhaps disrupted it.
    `failed_by` are the numbers by which saves missed the DC, if they were rolled. `again`: it is another attack with a
    spell that lasts. `variant` is the chosen variant of a spell. `willing` are the targets that make no save.
    `lessened` are the damage reductions by reactions, with the target of each, once they were offered (`is_guarded`).
    """

    members: tuple[str, ...]
    feature: Feature
    targets: tuple[str, ...] = ()
    save: str = ""
    dc: int = 0
    half_on_save: bool = False
    extra_damage: int = 0
    level: int | None = None
    spell: str = ""
    excluded: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    critically_failed: tuple[str, ...] = ()
    critically_saved: tuple[str, ...] = ()
    failed_by: tuple[tuple[str, int], ...] = ()
    origin: Point | None = None
    answered: Answered = ""
    again: bool = False
    variant: str = ""
    willing: tuple[str, ...] = ()
    lessened: tuple[tuple[str, tuple[str, str, str]], ...] = ()
    is_guarded: bool = False


class MountCommand(TaggedStruct, frozen=True):
    """A rider's command to its mount: a check, or one attack with one of the mount's weapons."""

    rider: str
    mount: str
    action: str
    target: str = ""
    weapon: str = ""
    check: str = ""


class TriggeredFeature(msgspec.Struct, frozen=True, omit_defaults=True):
    """A triggered feature of a combatant. `other` is the other combatant involved in the trigger.

    `asks`: the user is asked whether the feature is used. `attack` is the attack chosen for it. `reminds`: the feature
    is only shown as a reminder. `critical`: a critical hit triggered a feature that costs a spell slot.
    """

    who: str
    feature: str
    other: str = ""
    asks: bool = False
    attack: str = ""
    reminds: bool = False
    critical: bool = False


class FeatureTrigger(TaggedStruct, frozen=True):
    """Triggered features that haven't been used yet. `amount` is the damage that triggered them, to `guarded`."""

    moment: TriggerMoment
    waiting: tuple[TriggeredFeature, ...] = ()
    amount: int = 0
    guarded: str = ""


class Counteract(CombatantData, frozen=True):
    """The end of other spells by a spell that `who` casts at a level.

    It ends the spells of these `effects`, or the spell that the procedure `casting` casts. `name` is its own name.
    `is_countered`: it was itself countered.
    """

    spell: str
    level: int = 0
    effects: tuple[str, ...] = ()
    casting: str = ""
    name: str = ""
    is_countered: bool = False


Data = AttackInProgress | SaveEffect | MountCommand | FeatureTrigger | Counteract


ATTACK = ProcedureKind(
    "attack",
    "declare after_declare aim ask_roll after_flat_check after_roll after_guard after_second_roll confirm_outcome "
    "trigger_target ask_damage apply_damage deal_damage ask_save after_save apply_extra_damage after_extra_damage",
)
SAVE_EFFECT = ProcedureKind(
    "save-effect",
    "declare_feature pay_cost resolve_declared_feature ask_place ask_missing take_missing take_numbers "
    "ask_saves after_saves ask_damage finish",
)
MOUNT_COMMAND = ProcedureKind("mount-command", "ask_weapon begin_attack")
FEATURE_TRIGGER = ProcedureKind("feature-trigger", "ask_use use_next")
COUNTERACT = ProcedureKind("counteract", "begin_check after_check")
