"""Data and stages of the procedures of `play.attacks`: attacks, features that are saved against, commands to a mount."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from turnwright.dice.roll import ExtraDice, Modifier, Roll
from turnwright.encounter.prepared import Feature, Point, TriggerMoment
from turnwright.encounter.procedure_state.kinds import ProcedureKind, StageName

AttackOutcome = Literal["", "miss", "fumble", "hit", "critical"]


HIT: Final = "hit"  # reported outcomes of an attack whose dice are unknown


CRITICAL: Final = "critical"


MISS: Final = "miss"


FUMBLE: Final = "fumble"


class AttackInProgress(msgspec.Struct, frozen=True, omit_defaults=True, tag="assault"):
    """An attack from its declaration to its end. `weapon` is the feature as it was when declared.

    `target` is a combatant, an obstacle's id with `is_object`, or empty for a `square`. `tags` classify the attack,
    `facts` are what a person entered as true of it, `modifiers` and `extra` bonuses by ruling. `roll` and `damage` are the rolls made. `critical`: the hit still
    counts as a critical hit. `extra_damage_share` is how much of the extra damage a target takes that saved against it.
    `guards` are what reactions add to the AC, `hindered` names the one for which the attack is rolled once more;
    `lessened` is what they take off the damage: the name of each, `half` or points, and its rule. `bonus_damage` are the
    extra points of a critical hit, `degree` is how a save that halves the damage went. `together`: it is counted among the
    attacks of the turn once others of the same feature are made.
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


class SaveEffect(msgspec.Struct, frozen=True, omit_defaults=True, tag="onslaught"):
    """A feature used on targets that save against it, by one combatant or by a group acting as one.

    `save` and `dc` are those of the targets, `half_on_save` whether a successful save halves the damage, `extra_damage`
    is added to the damage for the number of users; `spell` is the shipped spell it is, `excluded` those whom its user
    leaves out (`plant`: all plants), `obstacles` those of the map that it reaches. `critically_failed` and
    `critically_saved` are the targets with a critical degree, in games that have one.
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


class MountCommand(msgspec.Struct, frozen=True, omit_defaults=True, tag="order"):
    """A rider's command to its mount: a check, or one attack on a target with one of its weapons."""

    rider: str
    mount: str
    action: str
    target: str = ""
    weapon: str = ""
    check: str = ""


class TriggeredFeature(msgspec.Struct, frozen=True, omit_defaults=True):
    """A feature of a combatant that a moment has triggered, and the `other` it is about.

    `asks`: a person is asked whether it comes about; `attack` is the one that they chose for it. `reminds`: it only says
    that its moment has come.
    """

    who: str
    feature: str
    other: str = ""
    asks: bool = False
    attack: str = ""
    reminds: bool = False


class FeatureTrigger(msgspec.Struct, frozen=True, omit_defaults=True, tag="feature-trigger"):
    """Features that a moment has triggered, still to come, each by its own `trigger`; `amount` is the damage that did."""

    moment: TriggerMoment
    waiting: tuple[TriggeredFeature, ...] = ()
    amount: int = 0


Data = AttackInProgress | SaveEffect | MountCommand | FeatureTrigger


class _Attack(ProcedureKind):
    declare = StageName()
    after_declare = StageName()
    aim = StageName()
    ask_roll = StageName()
    after_flat_check = StageName()
    after_roll = StageName()
    after_guard = StageName()
    after_second_roll = StageName()
    confirm_outcome = StageName()
    trigger_target = StageName()
    ask_damage = StageName()
    apply_damage = StageName()
    deal_damage = StageName()
    ask_save = StageName()
    after_save = StageName()
    apply_extra_damage = StageName()


class _SaveEffect(ProcedureKind):
    declare_feature = StageName()
    pay_cost = StageName()
    resolve_declared_feature = StageName()
    ask_missing = StageName()
    take_missing = StageName()
    ask_saves = StageName()
    after_saves = StageName()
    ask_damage = StageName()
    finish = StageName()


class _MountCommand(ProcedureKind):
    ask_weapon = StageName()
    begin_attack = StageName()


class _FeatureTrigger(ProcedureKind):
    ask_use = StageName()
    use_next = StageName()


ATTACK = _Attack("attack")
SAVE_EFFECT = _SaveEffect("save-effect")
MOUNT_COMMAND = _MountCommand("mount-command")
FEATURE_TRIGGER = _FeatureTrigger("feature-trigger")
