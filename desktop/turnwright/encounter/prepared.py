"""Records that the game master prepares before play: the scene, creatures, the roster, environments, countdowns.

Running a fight never changes these records. When it starts, the records in `running.py` are created from them.
Distances are in feet and times in seconds, unless a name says otherwise. A `NamedNumbers` is a list of names with
numbers, stored as a small table.
"""

import re
from typing import Annotated, ClassVar, Final, Literal

import msgspec

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.field_specs import (
    MAX_NUMBER,
    AbilityId,
    ActionId,
    Bonus,
    CheckId,
    ConditionId,
    ConditionIds,
    CountdownId,
    CreatureId,
    DamageTypeId,
    DamageTypeIds,
    Dc,
    DiceText,
    EntryId,
    EnvironmentId,
    EnvironmentIds,
    FeatureId,
    Feet,
    FeetOrNone,
    FieldSpec,
    GearIds,
    HundredOrNone,
    Natural,
    Positive,
    PositiveOrNone,
    Prose,
    Recharge,
    ResourceId,
    RosterId,
    Side,
    Signed,
    SignedFeet,
    SizeId,
    SkillId,
    SpeedId,
    SpellId,
    SpellLevel,
    WaveId,
)
from turnwright.encounter.tagged_struct import TaggedStruct


class _Outcome(TaggedStruct, frozen=True, tag_field="kind"):
    """Base of the outcomes."""


class Announce(_Outcome, frozen=True):
    """Show a text to the group."""

    text: str
    """The text that is shown. Example: `The ice gives way.`"""


class AddWave(_Outcome, frozen=True):
    """Add all roster entries of a wave to the fight. They roll initiative immediately."""

    wave: WaveId
    """The id of the wave. Example: `second-boat`."""


class StartCountdown(_Outcome, frozen=True):
    """Start another prepared countdown, which first rolls at the top of the next round."""

    countdown: CountdownId
    """The id of the countdown. Example: `flood`."""


class TriggerEntry(_Outcome, frozen=True):
    """Trigger an environment feature or world action, such as a cave-in."""

    environment: EnvironmentId
    """The id of the environment. Example: `lair`."""
    entry: EntryId
    """The id of its feature or world action. Example: `cave-in`."""


class DealDamage(_Outcome, frozen=True):
    """Deal damage to every combatant in the encounter, or to one side. It is an expression such as `2d6 cold`."""

    damage: DiceText
    """The damage as dice with a type. Example: `2d6 cold`."""
    side: Side = ""
    """The side that takes the damage. Empty means every combatant."""


Outcome = Announce | AddWave | StartCountdown | TriggerEntry | DealDamage


EntryKind = Literal["object", "obstacle", "area", "field"]
Affects = Literal["each", "one", "below", "actor", "nobody"]
InflictedConditionEnds = Literal[
    "turn-start", "turn-end", "owner-start", "owner-end", "owner-gone", "turn", "saved", "hurt", "harmed",
    "hurt-save", "saved-hurt", "saved-unseen", "attacks", "opposes", "affects", "rest", "long-rest", "encounter", "world", "never",
]  # fmt: skip
EntryTrigger = Literal["used", "touch", "turn-end", "dash", "falls", "disturbed", "rolled", "spell", "standing"]
CountdownSpeed = Literal["slow", "medium", "fast"]
Strictness = Literal["off", "warn", "enforce"]
UsesPeriod = Literal["day", "rest", "long-rest", "week", "hour", "minute", "encounter", "round", "turn"]
TriggerMoment = Literal[
    "", "starts", "turn-start", "turn-end", "attacked", "hit", "missed", "hits", "misses", "crits", "downs", "damage", "hurt", "bloodied", "dropping", "dies", "fails", "dispelled", "enemy-acts", "enters", "other-starts",
    "other-ends",
]  # fmt: skip
CoverLevel = Literal["", "none", "half", "three-quarters", "total"]
HandoutStyle = Literal["letter", "notice", "page", "wanted", "newspaper", "telegram", "picture"]
HandoutHand = Literal["", "flowing", "careful", "old"]
EdgeOn = Literal["", "attack", "melee", "ranged", "save", "check"]
DyingMode = Literal["", "saves", "dies", "doomed"]
Role = Literal["", "character", "companion", "guest", "other"]
WaveTrigger = Literal["", "half", "first-down", "all-down"]
ReminderMoment = Literal["round", "turn-start", "turn-end", "half", "drops", "dies", "countdown", "wave"]
NamedNumbers = tuple[tuple[str, int], ...]
Point = tuple[int, int]
Segment = tuple[int, int, int, int]
Place = tuple[float, float]  # squares from the upper left corner of the map
StraightLine = tuple[float, float, float, float]
TokenRing = Literal["", "red", "orange", "yellow", "green", "blue", "purple", "white", "black"]
BarrierKind = Literal["wall", "window", "curtain", "rail", "object"]
DoorKind = Literal["door", "secret", "window", "portcullis", "curtain"]
CreatureRole = Literal[
    "", "boss", "brute", "soldier", "artillery", "skirmisher", "lurker", "controller", "caster", "swarm"
]
OFF_MAP: Final = (-1, -1)  # the square of a member of a roster entry that isn't on the map
ELITE: Final = "elite"  # the tag of creatures that count as two
OBJECT: Final = "object"  # type of objects and vehicles, which environments don't affect
DEFAULT_SYSTEM: Final = "a5e"  # the rule system if an encounter doesn't name one


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """The encounter as a whole, with its settings. It is the only record in its table (id `scene`)."""

    table: ClassVar[str] = "scene"

    id: str = "scene"
    """Always `scene`."""
    title: str = ""
    """The title of the encounter, which the window and printed pages show. In a file, it is at the top, before
    `[scene]`.
    """
    system: str = DEFAULT_SYSTEM
    """The id of the rule system: `a5e`, `dnd5e`, `dnd5e-2024`, `pf2e` or `action_points`. In a file, it is at the top, before
    `[scene]`.
    """
    purpose: Literal["combat", "competition", "hazard", "chase"] = "combat"
    """The type of encounter, which determines the default length of a round."""
    round_seconds: Positive = 6
    """The length of a round in seconds. Example: `60` for a chase across a city."""
    light: Literal["bright", "sunlight", "dim", "dark"] = "bright"
    """The light that applies to the whole scene, unless the map or an environment changes it."""
    strictness: Strictness = "warn"
    """How Turnwright treats actions that the rules forbid: `off` allows them, `warn` allows them after a warning, and
    `enforce` refuses them.
    """
    read_aloud: Prose = ""
    """The text that you read to the players at the start."""
    notes: Prose = ""
    """Your private notes. Players never see them."""
    conditions: Prose = ""
    """Anything that affects the whole scene but has no rules, such as the weather. Example: `Heavy rain, deep water
    under the bridge`.
    """
    options: Annotated[tuple[str, ...], FieldSpec(ids=("switch of a table rule",))] = ()
    """The house rules that differ from the system's defaults. An id turns a house rule on, and `not` with an id turns
    it off. Example: `["round-up", "not hidden-attacker"]`.
    """
    suspended: Annotated[tuple[str, ...], FieldSpec(ids=("suspension",))] = ()
    """The medium in which all combatants float: `water`, `sky`, `astral` or free text. Example: `["water"]`."""
    rolling: bool = False
    """Whether all combatants move in one direction, as in a chase."""
    treasure: tuple[str, ...] = ()
    """Finds other than items, in a few words each. Items with a card have their own table, `treasure`. Example: `["40
    silver pieces in a sack"]`.
    """
    goal: Prose = ""
    """The goal of each side, and how the characters can win."""
    turning_points: tuple[str, ...] = ()
    """Events that change the encounter, one per entry. Example: `["Half the crew is down: the rest bargain"]`."""


class InflictedCondition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition that a feature or an environment inflicts on its targets, and when it ends."""

    condition: ConditionId
    """The id of the condition. Example: `prone`."""
    ends: InflictedConditionEnds = "never"
    """When the condition ends: at the start or end of the target's next turn (`turn-start`, `turn-end`), at the start
    or end of its creator's next turn (`owner-start`, `owner-end`), when its creator dies or leaves the encounter
    (`owner-gone`), at the end of the current turn (`turn`), after a successful save at the end of one of the
    target's turns (`saved`), when the target takes damage (`hurt`) by its creator or an ally of the creator (`harmed`), or saves after it takes damage (`hurt-save`),
    after a save at the end of a turn or, with advantage, after damage (`saved-hurt`), after a save at the end of a turn
    in which it doesn't see its creator (`saved-unseen`), when the target attacks or casts a spell (`attacks`), attacks or
    casts a spell at an enemy (`opposes`) or affects another creature (`affects`), at the end of a rest (`rest`, `long-rest`) or of the fight (`encounter`), on the environment's next turn (`world`), or `never` by itself.
    """
    escape_dc: Dc = 0
    """The DC of the check to escape, for a condition such as `grappled`."""
    break_free: ResourceId = ""
    """The resource that a creature can spend to end the condition. Example: `action`."""
    value: Natural = 0
    """The value of the condition, in games where conditions have values. Example: `2` for Frightened 2."""
    value_of: Annotated[str, FieldSpec(ids=("damage or its type",))] = ""
    """The damage taken that gives the value: `damage` for all of it, or one type. Without such damage, the condition
    doesn't apply. Example: `necrotic`.
    """
    value_dice: DiceText = ""
    """The dice that are rolled for the value. Example: `1d4` for a shadow's strength drain."""
    degree: Literal["", "critical-failure", "failure", "success", "critical-success"] = ""
    """The degree of success of the save (or attack) at which the condition applies. If it is empty, the condition
    applies unless the save succeeds. On a critical failure of an attack without a save, the attacker gets it.
    """
    bound_to: ConditionId = ""
    """Another condition that the same creature inflicts. This one doesn't apply without it, and ends with it. Example:
    `grappled` for Restrained, if the target is restrained until the grapple ends.
    """
    lasts: Annotated[str, FieldSpec(ids=("length of time",))] = ""
    """The longest time for which the condition lasts, in rounds, minutes, hours or days. The number can be dice, as in
    `1d4 rounds`. Example: `1 minute`.
    """
    when: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement that must be true for the target. Otherwise, the condition doesn't apply. Example: `up-to:large, not
    type:undead`.
    """
    margin: Natural = 0
    """The number by which the target must at least fail its save for the condition to apply. Example: `5`."""
    escape: CheckId = ""
    """The check to escape, if the condition has no usual one. Example: `str`."""
    rises: int = 0
    """The number by which the value rises instead if the target has the condition already. With a minus sign, the value
    falls, and the condition ends at 0. Example: `1`.
    """
    most: Natural = 0
    """The highest value to which it `rises`. 0 means no limit. Example: `4`."""
    wakes: ResourceId = ""
    """The resource that a creature next to the target can spend to end the condition, or to make the check to escape.
    Example: `action` for a creature that can be shaken awake.
    """
    save: AbilityId = ""
    """The ability of the later saves that end it, if it isn't that of the first save. Example: `wis`."""
    uses_left: Natural = 0
    """The number of rolls after which the condition ends. 0 means no limit."""
    rules: tuple[DataRule, ...] = ()
    """Further data rules of the condition. Example: `[{ kind = "duration", what = "lost", when = "source.dead" }]`."""


class AfflictionStage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stage of a poison or another affliction: its damage and conditions."""

    damage: DiceText = ""
    """The damage that a creature takes when it reaches the stage, and at the end of each of its turns in it. Example:
    `1d6 poison`.
    """
    afflictions: tuple[InflictedCondition, ...] = ()
    """The conditions during the stage. They end with the stage, unless they `never` end."""
    final: bool = False
    """Whether no more saves follow, and its conditions that `never` end stay."""
    slow: bool = False
    """Whether it lasts longer than a round, so that you call for its next save yourself."""
    text: str = ""
    """Further effects and the length of the stage, which the affliction shows. Example: `no healing (1 day)`."""


class OtherDamage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Damage that an attack can deal instead of its usual damage."""

    name: str
    """The description of the alternative, which you choose on the attack's card. Example: `with two hands`."""
    damage: DiceText = ""
    """The damage as dice with a type. Example: `1d10+3 slashing`."""
    when: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement under which this damage is used automatically. If it is empty, you choose it for an attack.
    Example: `bloodied`.
    """


class FeatureStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of a feature: a single activity of its owner.

    Exactly one of these fields determines it: `use`, `spell`, `move`, `teleport`, `action`, `roll`, `ends`,
    `recharges`, `gains`, `restores` or `summons`.
    """

    use: FeatureId = ""
    """A feature of the same stat block that its owner uses, or `any-melee`, `any-unarmed` or `any-attack` for any of its
    melee attacks, unarmed attacks or attacks. Example: `bite`.
    """
    spell: SpellId = ""
    """A spell of the rule system that its owner casts. Example: `fireball`."""
    move: Literal["", "half", "full", "double"] = ""
    """The share of its speed that its owner moves, in addition to its movement for the turn."""
    feet: FeetOrNone = 0
    """The distance in feet (or the game's own unit) of `move`, instead of a share of the speed, the movement that `ends`
    costs, or the distance at which its owner commands the creatures in `summons` together. Example: `60`.
    """
    mode: SpeedId = ""
    """The mode of movement of `move`. Empty means walking. Example: `fly`."""
    teleport: FeetOrNone = 0
    """The distance in feet (or the game's own unit) up to which its owner teleports. Example: `120`."""
    action: ActionId = ""
    """An action of the rule system that its owner takes. Example: `hide`."""
    roll: CheckId = ""
    """A check that its owner makes. Example: `wis:perception`."""
    ends: Annotated[str, FieldSpec(ids=("condition or any",))] = ""
    """A condition on the owner that ends, or `any` for any condition caused by another creature. Example: `grappled`.
    """
    recharges: FeatureId = ""
    """A feature of the same stat block that recharges, or `*` for all of them. `value` adds this number of uses to its
    pool instead. Example: `fire-breath`.
    """
    gains: ConditionId = ""
    """A condition that its owner gains, or that the creatures in `summons` have. Example: `invisible`."""
    form: str = ""
    """The form that its owner has while the condition in `gains` lasts, with its size, and its speeds or reach in brackets, as in
    `Tiny bat (walk 5, fly 30)`. Creatures, as in `2d4 imps (30 percent)` or `One of its kind with half its hit points`, are
    rolled for, and come. For `summons`, it is the most creatures up to each rating, as in `1 of 2, 2 of 1, 3 of 1/2`.
    Example: `Large tiger`.
    """
    restores: ResourceId = ""
    """A resource of which its owner gets one more. Example: `action`."""
    summons: str = ""
    """The types of creatures that come to serve its owner, or `any`. Stat blocks of these types in the encounter can be
    chosen. Example: `beast|plant`.
    """
    value: Natural = 0
    """The value of the condition in `gains`, in games where conditions have values, the level of the `spell`, the feet
    of the turn's movement that `move` costs, the uses that the pool in `recharges` gets, or the most creatures that `summons`
    brings (0: no limit).
    """
    until: Literal["", "turn-start", "turn-end", "owner-gone"] = ""
    """When the condition in `gains` ends: at the start of the owner's next turn (`turn-start`), at the end of its
    current turn (`turn-end`) or when its owner dies (`owner-gone`). If it is empty, the condition stays.
    """
    alternative: bool = False
    """Whether this step is an alternative to the previous step."""
    bonus: Signed = 0
    """A bonus or penalty that is added to the attack rolls of `use`, or the highest rating of the creatures in `summons`
    (0: no limit). Example: `-2`.
    """
    together: bool = False
    """Whether these attacks count towards the multiple attack penalty only after the last of them, or the creatures in
    `summons` act on their owner's turn.
    """
    when: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement that must be true of a target of the feature. Example: `down, type:humanoid`."""
    cleaves: bool = False
    """Whether the attack of `use` is against another creature within 5 feet of the target, with damage without the
    ability modifier.
    """
    carries: bool = False
    """Whether the attack of `use` also has the reach, save, damage, conditions, effect and push of the feature, which
    then have no effect without it.
    """
    disrupts: bool = False
    """Whether a hit by the attack of `use` ends the action or move to which the feature reacts."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the fields that are set. A valid step has exactly one."""
        return tuple(name for name in STEP_KINDS if getattr(self, name) and (name != "gains" or not self.summons))


STEP_KINDS: Final = (
    *("use", "spell", "move", "teleport", "action", "roll", "ends", "recharges", "gains", "restores", "summons"),
)
ANY_MELEE, ANY_ATTACK, ANY_UNARMED, ALL_FEATURES = "any-melee", "any-attack", "any-unarmed", "*"
ANY_ATTACKS: Final = (ANY_MELEE, ANY_ATTACK, ANY_UNARMED)
ALL_CONDITIONS, ANY_CONDITION = "*", "any"


class Deflection(msgspec.Struct, frozen=True, omit_defaults=True):
    """A roll that decides whether an effect deflects a hit, or acts when it is triggered."""

    dice: DiceText = "1d20"
    """The dice. Example: `1d6`."""
    least: Positive = 1
    """The lowest roll that deflects the hit or acts. Example: `11`."""
    effect: tuple[DataRule, ...] = ()
    """The data rules of the effect that it has until the end of the turn. The row with the highest `least` counts."""


class LeftFeature(msgspec.Struct, frozen=True, omit_defaults=True):
    """A feature that a creature has only while an effect lasts on it. It acts by itself at a moment."""

    trigger: TriggerMoment
    """The moment at which it acts. Example: `hit`."""
    when: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement that must be true when the trigger occurs. Example: `melee, attacker.within:5`."""
    damage: DiceText = ""
    """The damage to the combatant that triggers it. Example: `2d8 fire`."""
    heals: DiceText = ""
    """The hit points that the creature regains."""
    higher: DiceText = ""
    """The additional damage or healing for each level of the slot above a spell's own, if it isn't the spell's. Example:
    `1d6`.
    """
    temp: DiceText = ""
    """The temporary hit points that the creature gains."""
    save: AbilityId = ""
    """The ability of the save against its damage and conditions. Example: `dex`."""
    dc: Dc = 0
    """The Difficulty Class of the save. For a spell, it is the caster's if you leave it out."""
    half: bool = False
    """Whether a successful save halves the damage."""
    within: FeetOrNone = 0
    """The distance in feet at which other creatures trigger it. 0 means that you are asked."""
    afflictions: tuple[InflictedCondition, ...] = ()
    """The conditions that it inflicts."""
    push: FeetOrNone = 0
    """The distance in feet by which it pushes."""
    ongoing: DiceText = ""
    """The persistent damage that it leaves, as dice with a type. Example: `1d6 poison`."""
    effect: tuple[DataRule, ...] = ()
    """The data rules of the effect that it leaves on its targets, unless their save succeeds."""
    lasts: Annotated[str, FieldSpec(ids=("length of time",))] = ""
    """The longest time for which this effect lasts. Example: `1 minute`."""
    enters: Literal["", "first", "once", "only", "each"] = ""
    """Whether a creature that enters the spell's area on the map triggers it: on each turn when it `first` does so,
    `once` on a turn together with `trigger`, `only` this way, or with `each` square that it moves in the area.
    """
    shares: bool = False
    """Whether the creator of the effect takes the same damage as the creature when it is `hurt`, or is itself the target at a degree."""
    deflects: bool = False
    """Whether an attack that would hit the creature misses it instead: you are asked, or `deflects_on` decides. The trigger
    is then `attacked`. With a `save`, attackers make it before the attack, which misses if they fail.
    """
    deflects_on: tuple[Deflection, ...] = ()
    """The rolls that decide whether it deflects or acts, by the number of uses left. Example: `[{ dice = "1d20", least = 11 }]`."""
    double_ac: Dc = 0
    """The AC of an illusory double without the modifier of `double_by`. Attacks that miss the creature but not this AC are
    rolled for, too. Example: `10`.
    """
    double_by: AbilityId = ""
    """The ability that adds to the double's AC. Example: `dex`."""
    kills: bool = False
    """Whether creatures that fail the save die, and only those that succeed take the damage."""
    inside: bool = False
    """Whether the effect that it leaves in a spell's area ends outside the area."""
    immune_after: Literal["", "success", "save"] = ""
    """Whether a successful save makes a creature immune to it, or any `save`, such as one against its spell."""
    cost: Literal["trait", "reaction"] = "trait"
    """The cost of using it: `trait` if it acts by itself, or `reaction`."""
    reduces: Annotated[str, FieldSpec(ids=("reduction",))] = ""
    """The amount by which it reduces the damage to the creature, at `damage`, or `half`. The effect then ends. Example: `5`."""
    does: tuple[FeatureStep, ...] = ()
    """What the creature does if you say so. Example: `[{ ends = "grappled" }]`."""


class Feature(msgspec.Struct, frozen=True, omit_defaults=True):
    """A trait, action, bonus action, reaction, legendary or lair action of a stat block; also a weapon or a spell."""

    id: str
    """The id of the feature within its stat block. In a file, it is the key of its table, as in `[features.bite]`."""
    name: str
    """The name that cards, stat blocks and the journal show. Example: `Fire Breath (Recharge 5-6)`."""
    cost: Annotated[
        Literal["trait", "action", "bonus", "reaction", "legendary", "lair", "free"], FieldSpec(ids=("resource",))
    ] = "trait"
    """The cost of using the feature: `trait` for something that is always active, `free`, `legendary`, `lair`, or a
    resource of the turn such as `action`, `bonus` or `reaction`.
    """
    attack: Bonus | None = None
    """The total bonus to attack rolls. Leave it out if the feature isn't an attack, or, with `weapon`, `unarmed` or
    `attack` among its `properties`, to calculate it from `ability`, `proficient` and `magic`. Example: `7`.
    """
    reach: FeetOrNone = 0
    """The reach of a melee attack in feet (or the game's own unit). Leave it out for the creature's usual reach."""
    range: str = ""
    """The range of a ranged attack, spell or area in feet, or a normal and a long range. With `self`, its only target is
    its owner. Example: `80/320`.
    """
    damage: DiceText = ""
    """The damage as dice with types. An alternative type follows `or`, and further parts follow `+`. Example: `1d8+3
    slashing + 2d6 fire`.
    """
    save: AbilityId = ""
    """The ability with which targets make a saving throw: in Pathfinder, `con` for Fortitude, `dex` for Reflex and
    `wis` for Will. Example: `dex`.
    """
    dc: Dc = 0
    """The Difficulty Class of the save. Leave it out if the game calculates it. Example: `15`."""
    recharge: Recharge = 0
    """The lowest face of a d6 that recharges the feature, rolled at the start of each of its owner's turns. 0 means
    that it doesn't recharge. Example: `5` for Recharge 5-6.
    """
    uses: PositiveOrNone = 0
    """The number of uses in the period `per`. 0 means no limit. With `shares`, the number of shared uses that one use
    spends."""
    text: Prose = ""
    """The rules text of the feature. Dice in it can be rolled with a click."""
    ability: AbilityId = ""
    """The ability of the attack or spell, if `attack` isn't set. The ability modifier is then also added to damage.
    Example: `str`.
    """
    proficient: bool = True
    """Whether the proficiency bonus is added to the attack, if `attack` isn't set."""
    magic: Annotated[int, FieldSpec(least=-1000, most=1000, zero_is_none=True)] = 0
    """The bonus of a magic weapon to attack and damage rolls, if `attack` isn't set, or with `rerolls-save`, to the
    second save. Example: `1`.
    """
    properties: Annotated[tuple[str, ...], FieldSpec(ids=("property",))] = ()
    """Ids that rules refer to, such as `weapon`, `spell`, `heavy`, `thrown`, `finesse`, `two-handed`, `magical`,
    `legendary-resistance` (a use turns a failed save into a success), `rerolls-save` (a use rolls a failed save again),
    `one-a-rest` (a short rest restores one use), `replaces-attack` (it costs one attack of the Attack action),
    `against-dex` (the attack roll meets the DC of this save instead of AC), `uncounted` (the attack has no multiple attack penalty,
    and doesn't count towards it), `doubles-push` (a critical hit or a critical failure of the save pushes twice as far), `any-direction`
    (you choose a square for those it pushes, up to the distance, or raise them), `ends-turn` (a successful save ends the target's turn), `stays-in-area` (what it leaves stays in its
    area, for the creatures in it), `points` (each use restores a hit point, and
    you choose how many), `overflows` (surplus hit points become temporary ones), `recovers` (its targets recover as from two long rests), `divided` (you divide the healed hit points among its targets), `combines` (resistances and
    weaknesses count once for all hits of its steps on a target), `by-check` (its targets make an ability check instead of
    a save), `counts-twice` (the attacks of its steps with `together` count as two each), `different-targets` (each attack of its steps has another target), `two-weapons` (its attacks are with different weapons), `spares-uses` (its steps spend no uses or slots of their spells), `each-type` (its
    reduction of damage counts for each type), `adds-up` (its ongoing damage adds up with that of earlier hits), `passes-on` (creatures that it grapples take as much damage as it just
    took), `if-damaged` (a hit that deals no damage doesn't trigger it), `hurts-saved` (only targets that succeed on the save take its damage), `hurts-all` (the save doesn't change its
    damage), `halves-ongoing` (a successful save halves its ongoing damage, too, and a critical failure doubles it), `while-helpless` (conditions that take away its action don't prevent it) or `stacks-` with a number (its
    temporary hit points add up to at most this number, and end with the condition in `ongoing_while`).
    Example: `["weapon", "finesse"]`.
    """
    half: bool = False
    """Whether a successful save halves the damage instead of preventing it."""
    afflictions: tuple[InflictedCondition, ...] = ()
    """The conditions inflicted on targets that are hit or fail the save. Example: `[{ condition = "prone" }]`."""
    push: SignedFeet = 0
    """The distance in feet (or the game's own unit) by which targets that are hit or fail the save are pushed. A
    negative number pulls them.
    """
    ongoing_at: Literal["", "turn-start", "owner-start", "owner-end", "failed-save"] = ""
    """When its ongoing damage is dealt, if not at the end of the target's turn: at the start of the target's turn
    (`turn-start`), at the start or the end of its owner's (`owner-start`, `owner-end`), or with each failed save
    against the condition in `ongoing_while` (`failed-save`).
    """
    ongoing_while: ConditionId = ""
    """The condition from the same creature without which its ongoing damage ends. Example: `restrained` for a creature
    that is swallowed.
    """
    ongoing: DiceText = ""
    """Damage that the target takes on each of its turns until it ends, as dice with a type. Example: `1d6 fire`."""
    area: str = ""
    """The area that the feature affects, as a size and a shape. Example: `60-foot cone`."""
    catches: HundredOrNone = 0
    """The number of enemies that the area catches in the forecast. Leave it out to estimate it from the size and shape."""
    level: SpellLevel | None = None
    """The level of a spell, with 0 for a cantrip. Leave it out for other features."""
    concentration: bool = False
    """Whether the spell requires concentration."""
    attacks: HundredOrNone = 0
    """The number of attacks in a multiattack, if any of the creature's attacks can be used. 0 means that it isn't a
    multiattack.
    """
    price: Annotated[int, FieldSpec(least=1, most=100, allows_zero=True)] = 1
    """The amount of `cost` that the feature requires, such as two legendary actions or three actions. 0 means that you
    enter it.
    """
    spends: Annotated[NamedNumbers, FieldSpec(ids=("resource",), least=0, most=100)] = ()
    """Additional costs, by resource. Example: `{ willpower = 1 }`."""
    trigger: TriggerMoment = ""
    """The moment at which the feature is used. The page on traits describes all moments. Example: `turn-start`."""
    when: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement that must be true when the trigger occurs. Without a trigger, it must be true of the feature's target.
    Example: `not suffered:fire` or `holds`.
    """
    requires: str = ""
    """The requirement of its use, in words. You are asked whether it is met, unless `when` decides it (other than by the
    target's type). Example: `The dragon is burrowed.`
    """
    within: FeetOrNone = 0
    """The distance in feet for the trigger: only creatures at most this far away count, and `enters` means that a
    creature comes this close. 0 means any distance. The `rules` of a trait without a trigger also apply to allies at this
    distance, and its `effect` applies to enemies.
    """
    heals: DiceText = ""
    """The hit points that the owner regains (or keeps, at `dropping`), or that the targets of a spell regain. Example:
    `10` or `2d8+3`.
    """
    dc_adds: Literal["", "damage"] = ""
    """Set it to `damage` to add the damage just taken to the DC, as for a zombie's Undead Fortitude."""
    regains: Annotated[str, FieldSpec(ids=("damage, half of it or its type",))] = ""
    """The damage of its hits that heals the attacker: a damage type, `damage` for all types, or `half` for half of all.
    With `half-temporary` or `temporary`, half or all of it becomes temporary hit points instead. Example: `necrotic`.
    """
    spares: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement about a target with which an attack that would reduce it to 0 hit points deals no damage, and a failed
    save against a feature with the property `kills` doesn't kill it. Example: `not up-to:tiny`.
    """
    immune_after: Literal["", "success", "save", "critical-success"] = ""
    """Which targets are immune to the feature for the rest of the encounter (or until `until`, without an `effect`):
    after a successful save (`success`), after a critical success (`critical-success`) or after any save (`save`).
    """
    reduces: Annotated[str, FieldSpec(ids=("reduction",))] = ""
    """The reduction of incoming damage: `half`, a number or dice. Example: `1d10+3`."""
    interrupts: AbilityId = ""
    """The ability of the check that a target has to make to keep its declared action. Example: `con`."""
    save_damage: DiceText = ""
    """Extra damage of a hit to a target that fails the save. Example: `2d8 poison`."""
    per: UsesPeriod = "day"
    """The period in which `uses` are available again."""
    multiattack: tuple[NamedNumbers, ...] = ()
    """The attacks of a multiattack: a table for each variant, with the number of attacks by feature id. Example: `[{
    bite = 1, claw = 2 }, { tail = 2 }]`.
    """
    rules: tuple[DataRule, ...] = ()
    """Data rules that apply to the owner of a trait, or to the attack that triggers an `attacked` reaction. Those of
    other features without a trigger need a `when`. A rule `unprovoking` applies to the moves of its steps. Example: `[{ kind = "advantage", what = "save.wis" }]`.
    """
    does: tuple[FeatureStep, ...] = ()
    """The steps that its owner takes, in order and at no further cost. Example: `[{ move = "half" }, { use = "rend"
    }]`.
    """
    only: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement without which its owner doesn't have the feature at all. Example: `bloodied`."""
    automation: Literal["", "acts", "asks", "reminds", "off"] = ""
    """The limit of its automation: the feature `acts`, `asks` each time, only `reminds`, or is plain text (`off`). If
    it is empty, the encounter's house rules decide.
    """
    read: tuple[str, ...] = ()
    """The fields that an importer found only in the text. They are replaced if the text is read again."""
    other_damage: tuple[OtherDamage, ...] = ()
    """Damage that the attack can deal instead of `damage`. Example: `[{ name = "with two hands", damage = "1d10+3
    slashing" }]`.
    """
    stages: tuple[AfflictionStage, ...] = ()
    """The stages of an affliction. A target that fails the save gets the first stage, and then moves up and down with a
    save at the end of each of its turns.
    """
    stage_rounds: PositiveOrNone = 0
    """The most rounds that the stages last. 0 means no limit."""
    short: str = ""
    """A text of one line for compact sheets."""
    rests: DiceText = ""
    """The number of rounds for which it can't be used again, rolled after each use. Example: `1d4`."""
    shares: FeatureId = ""
    """Another feature of the same stat block with which it shares its uses or its recharge. Example: `ki`."""
    by_slot: Annotated[tuple[str, ...], FieldSpec(ids=("dice",))] = ()
    """The damage by the level of the spell slot that the feature costs, from the first level on. Example: `["2d8
    radiant", "3d8 radiant"]`.
    """
    effect: tuple[DataRule, ...] = ()
    """The data rules of the effect that it leaves on its targets, unless their save succeeds. The effect is named after it.
    Example: `[{ kind = "modifier", what = "ac", add = 2 }]`.
    """
    lasts: Annotated[str, FieldSpec(ids=("length of time",))] = ""
    """The longest time for which the effect lasts, in rounds, minutes, hours or days. Example: `1 minute`."""
    until: InflictedConditionEnds = "never"
    """When else the effect ends, with the words of `ends` for conditions. Example: `owner-end`."""
    effect_uses: PositiveOrNone = 0
    """The number of rolls after which the effect ends. 0 means no limit."""
    temp: DiceText = ""
    """The temporary hit points that its targets gain, as dice. Example: `1d4+4`."""
    targets: PositiveOrNone = 0
    """The largest number of targets. 0 means no limit."""
    ends: ConditionIds = ()
    """The conditions of which it ends one on each of its targets. Example: `["blinded", "poisoned"]`."""
    ends_all: bool = False
    """Whether it ends all conditions in `ends` instead of one."""
    after: ConditionId = ""
    """The condition that follows the end of the effect, until the end of the target's next turn."""
    leaves: LeftFeature | None = None
    """A feature that its targets have while the effect lasts, such as damage to those that hit them."""
    worse_for: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement about targets whose saves are one degree worse. Example: `type:holy`."""
    assumed: tuple[str, ...] = ()
    """The fields with the usual numbers of a class and level, until you enter the character's own. Example: `["attack",
    "damage"]`.
    """

    @property
    def rules_text(self) -> str:
        """The rules text, or the short text if that is the only one."""
        return self.text or self.short

    @property
    def is_spell(self) -> bool:
        """Whether it is a spell, according to its level or properties."""
        return "spell" in self.properties or self.level is not None


class CreaturePhase(msgspec.Struct, frozen=True, omit_defaults=True):
    """A phase of a creature: changes that begin when its hit points are low.

    During the phase, the statement `phase:<id>` is true and can be used in the `only` field of a feature.
    """

    id: str
    """The id of the phase within its stat block. In a file, it is the key of its table, as in `[phases.mythic]`."""
    name: str = ""
    """The name that the journal shows. Example: `Mythic`."""
    at: Annotated[int, FieldSpec(least=0, most=99)] = 50
    """The percentage of its maximum hit points at which the phase begins. With 0, the phase replaces the usual effects
    of 0 hit points.
    """
    hp: PositiveOrNone = 0
    """The hit points that the creature regains. Its maximum rises if necessary. With 0, the creature regains all
    of them if `at` is 0, and none otherwise.
    """
    creature: CreatureId = ""
    """The id of a stat block that replaces the current one, including its phases and, if `at` is 0, its hit points."""
    legendary: HundredOrNone = 0
    """The new number of legendary actions per round. 0 means unchanged."""
    ends: Annotated[tuple[str, ...], FieldSpec(ids=("condition or all",))] = ()
    """The conditions that end, or `*` for all conditions caused by other creatures. Example: `["prone", "stunned"]`."""
    recharges: tuple[str, ...] = ()
    """The features that recharge, or `*` for all of them. Example: `["fire-breath"]`."""
    reverts: bool = False
    """Whether the phase ends when the creature has more hit points again. It can then begin another time."""
    note: Prose = ""
    """The text that the journal shows when the phase begins. Example: `Its scales break, and fire shows between them.`
    """


class SourceNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """A remark in a stat block about one of its numbers."""

    about: str
    """The field of the creature that the remark is about. Example: `speeds`."""
    text: str
    """The remark. Example: `only speaks at night`."""


class Creature(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stat block: the numbers and features of a creature, an object or a device."""

    table: ClassVar[str] = "creatures"

    id: str
    """The id of the stat block. In an encounter, it is the key of its table, as in `[creatures.dragon]`. In a library
    file, it is a key at the top.
    """
    name: str
    """The name of the creature. Example: `Toll Knight`."""
    size: SizeId = "medium"
    """The id of its size category. Example: `large`."""
    type: str = "humanoid"
    """Its creature type. `object` is for objects and vehicles, which environments don't affect. Example: `dragon`."""
    tags: Annotated[tuple[str, ...], FieldSpec(ids=("tag",))] = ()
    """Words that rules or searches use, such as `elite` or `goblinoid`."""
    rating: Annotated[str, FieldSpec(ids=("rating",))] = ""
    """Its challenge rating (or level, in Pathfinder), which the encounter's difficulty is calculated from. Example:
    `1/4`.
    """
    ac: HundredOrNone = 10
    """Its Armor Class, or 0 if it has none."""
    ac_note: str = ""
    """The reason for its Armor Class. Example: `hide, shield`."""
    hp: Natural = 1
    """Its maximum hit points. An indestructible object has 0."""
    hit_dice: Annotated[str, FieldSpec(kind="hit-dice")] = ""
    """The dice for its hit points, if you want to roll them. Example: `4d8+8`."""
    speeds: Annotated[NamedNumbers, FieldSpec(ids=("speed",), least=0, most=10000)] = (("walk", 30),)
    """Its speeds in feet (or the game's own unit) by mode of movement. Example: `{ walk = 40, fly = 80 }`."""
    hovers: bool = False
    """Whether it hovers, and so doesn't fall when it can't move."""
    abilities: Annotated[NamedNumbers, FieldSpec(ids=("ability",), least=-20, most=100)] = ()
    """Its ability scores, or modifiers in games without scores. A missing ability has the game's default. Example: `{
    str = 16, dex = 12 }`.
    """
    saves: Annotated[NamedNumbers, FieldSpec(ids=("ability",), least=-1000, most=1000)] = ()
    """Its total bonuses to saves, if they differ from the ability modifier. Example: `{ con = 5 }`."""
    skills: Annotated[NamedNumbers, FieldSpec(ids=("skill",), least=-1000, most=1000)] = ()
    """Its total bonuses to skills, if they differ from the ability modifier. Example: `{ stealth = 6 }`."""
    senses: Annotated[NamedNumbers, FieldSpec(ids=("sense",), least=0, most=MAX_NUMBER)] = ()
    """The ranges of its senses in feet (or the game's own unit). 0 means no limit. Example: `{ darkvision = 60 }`."""
    languages: str = ""
    """The languages that it speaks or understands. Example: `Common, Draconic`."""
    initiative: Bonus | None = None
    """Its total initiative bonus. Leave it out to use the game's default, usually Dexterity."""
    resistances: Annotated[tuple[str, ...], FieldSpec(ids=("resistance",))] = ()
    """The damage types of which it takes less damage. In Pathfinder, an amount follows. Example: `["cold"]` or
    `["physical 5"]`.
    """
    vulnerabilities: Annotated[tuple[str, ...], FieldSpec(ids=("resistance",))] = ()
    """The damage types of which it takes more damage (its weaknesses). In Pathfinder, an amount follows. Example:
    `["fire"]` or `["fire 5"]`.
    """
    immunities: DamageTypeIds = ()
    """The damage types of which it takes no damage. Conditions are in `condition_immunities`. Example: `["poison"]`."""
    absorptions: DamageTypeIds = ()
    """The damage types that heal it instead. Example: `["lightning"]`."""
    mundane_immunity: bool = False
    """Whether it is immune to damage from nonmagical weapons."""
    mundane_resistance: bool = False
    """Whether it is resistant to damage from nonmagical weapons."""
    condition_immunities: ConditionIds = ()
    """The conditions that it can't get. Example: `["charmed", "prone"]`."""
    gear: GearIds = ()
    """Ids of gear that rules refer to. Example: `["shield", "heavy-armor"]`."""
    features: tuple[Feature, ...] = ()
    """Its traits, actions, reactions, attacks and spells, keyed by id."""
    notes: Prose = ""
    """Your notes, such as its goals and personality. Players never see them."""
    source: str = ""
    """The source of a copied or imported creature. Example: `SRD 5.1`."""
    level: Annotated[int, FieldSpec(least=-1, most=100, zero_is_none=True)] = 0
    """Its level, for a character or in games where creatures have levels."""
    proficiency: HundredOrNone = 0
    """Its proficiency bonus. 0 means that the game calculates it."""
    maneuver_dc: Dc = 0
    """The DC of its maneuvers, in games that have them. 0 means that the game calculates it."""
    space: Annotated[int, FieldSpec(least=0, most=1000, zero_is_none=True, unit="feet")] = 0
    """The side of its space in feet, if it differs from the default of its size."""
    reach: Feet = 5
    """The reach of its unarmed attacks in feet (or the game's own unit)."""
    attacks: Annotated[int, FieldSpec(least=1, most=100)] = 1
    """The number of attacks that it makes with one Attack action."""
    extra_attack: bool = False
    """Whether the second attack comes from the class feature Extra Attack."""
    spellcasting: AbilityId = ""
    """The ability of its spells. Example: `cha`."""
    specialties: Annotated[tuple[str, ...], FieldSpec(ids=("specialty",))] = ()
    """Ids of special training that rules refer to. Example: `["tumbling"]`."""
    passives: Annotated[NamedNumbers, FieldSpec(ids=("skill",), least=0, most=1000)] = ()
    """Its passive scores by skill, if they differ from the usual ones. Example: `{ perception = 14 }`."""
    slots: Annotated[NamedNumbers, FieldSpec(ids=("spell level",), least=0, most=100)] = ()
    """Its spell slots by spell level. Example: `{ 1 = 4, 2 = 2 }`."""
    legendary: HundredOrNone = 0
    """The number of legendary actions that it has each round."""
    pools: Annotated[NamedNumbers, FieldSpec(ids=("resource",), least=0, most=10000)] = ()
    """Its maximums of resources, such as points or reactions, in games that have them. Example: `{ action = 6 }`."""
    alignment: str = ""
    """Its alignment. Example: `lawful evil`."""
    xp: PositiveOrNone = 0
    """The experience points for defeating it, if its source states them. 0 means that they follow from its rating."""
    environments: tuple[str, ...] = ()
    """The places where it lives, at most three. Searches offer the habitat ids. Example: `["forest", "hills"]`."""
    description: Prose = ""
    """Text about its looks and behaviour, which you may show to the players."""
    remarks: tuple[SourceNote, ...] = ()
    """Remarks about single numbers. Example: `[{ about = "ac", text = "13 while prone" }]`."""
    licence: str = ""
    """The licence of its text. Example: `CC-BY-4.0`."""
    portrait: str = ""
    """The name of an image file in the encounter's folder. Example: `dragon.png`."""
    read: tuple[str, ...] = ()
    """The fields that an importer found only in the text. They are replaced if the text is read again."""
    disable: Annotated[NamedNumbers, FieldSpec(ids=("skill",), least=0, most=100)] = ()
    """The DCs for disabling a device, by skill. Example: `{ thievery = 20 }`."""
    disable_needs: Positive = 1
    """The number of successes needed to disable a device."""
    phases: Annotated[tuple[CreaturePhase, ...], FieldSpec(group="phases")] = ()
    """The changes as it loses hit points, in order and keyed by id."""
    mundane_except: Annotated[tuple[str, ...], FieldSpec(ids=("property",))] = ()
    """Properties of weapons that count as magical against it. Example: `["silvered", "adamantine"]`."""
    tactics: Prose = ""
    """Its behaviour in a fight, in a sentence or two. Example: `Shoots from the reeds and flees at half its hit
    points.`
    """
    classes: Annotated[str, FieldSpec(group="origin")] = ""
    """The classes of a character, with their levels. Example: `fighter 3 rogue 2`."""
    assumed: Annotated[tuple[str, ...], FieldSpec(group="origin")] = ()
    """The fields with the usual numbers of the class and level, until you enter the character's own. Example: `["saves",
    "hp"]`.
    """
    role: CreatureRole = ""
    """What it does best in a fight, for searches and suggestions. If it is empty, it follows from the numbers. Example:
    `artillery`.
    """


class LastingCondition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition or another effect that continues from one fight to the next."""

    name: str
    """The id of the condition, or the name of the effect. Example: `fatigue` or `Mage Armor`."""
    value: Natural = 0
    """The level or value of the condition, or 0 if it has none."""
    note: str = ""
    """A remark. Example: `until the next long rest`."""
    ends: Literal["", "rest", "long-rest"] = ""
    """The rest that ends the condition: any (`rest`) or a long one. Empty if it lasts until you remove it."""
    rules: tuple[DataRule, ...] = ()
    """The data rules of the effect itself. Example: `[{ kind = "modifier", what = "ac", add = 3 }]`."""
    uses: Natural = 0
    """The number of rolls until the effect is used up. 0 means no limit."""


class CharacterState(msgspec.Struct, frozen=True, omit_defaults=True):
    """The state of a character between fights."""

    hp: Annotated[int, FieldSpec(least=-MAX_NUMBER)]
    """The current hit points."""
    temp_hp: Natural = 0
    """The temporary hit points."""
    dead: bool = False
    """Whether the character is dead."""
    tracks: NamedNumbers = ()
    """The remaining uses and levels, by track. Example: `{ "slot.1" = 2 }`."""
    conditions: tuple[LastingCondition, ...] = ()
    """The conditions that continue."""


class RosterEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One or more of the same creature on one side of the fight."""

    table: ClassVar[str] = "roster"

    id: str
    """The id of the entry. In a file, it is the key of its table, as in `[roster.guards]`."""
    creature: CreatureId
    """The id of its stat block in the same encounter. Example: `guard`."""
    name: str = ""
    """The name in the turn order, if it differs from the creature's. Several members are numbered. Example: `Guard`."""
    count: Annotated[int, FieldSpec(least=1, most=500)] = 1
    """The number of creatures."""
    side: Side = "enemies"
    """The side on which they fight: `party`, `enemies` or any other name."""
    player: str = ""
    """The name of the player. It makes them player characters. Example: `Kim`."""
    role: Role = ""
    """The role: `character` for a player character, `companion`, `guest` of the party, or `other`. If it is empty, it
    follows from the player, the level, the side and the controller.
    """
    absent: bool = False
    """Whether they stay away from this fight: they are on the list, but don't take part and don't count."""
    level: PositiveOrNone = 0
    """The level of a character, which the difficulty of the encounter and the rules for 0 hit points use."""
    ac: Natural | None = None
    """An Armor Class that replaces the stat block's."""
    hp: Positive | None = None
    """Maximum hit points that replace the stat block's."""
    initiative: Bonus | None = None
    """An initiative bonus that replaces the stat block's."""
    check: CheckId = ""
    """The check that they roll for initiative, if it isn't the game's default. Example: `wis:perception`."""
    sneaking: bool = False
    """Whether they try to act before the others notice them."""
    hidden: bool = False
    """Whether they start hidden from the players."""
    wave: WaveId = ""
    """The wave of reinforcements with which they arrive. If it is empty, they are present from the start. Example:
    `second-boat`.
    """
    place: str = ""
    """Their location in words. Example: `on the bridge`."""
    positions: tuple[Point, ...] = ()
    """Their squares on the map as column and row from the upper left corner, one for each member. Counting starts at 0.
    `[-1, -1]` keeps the place of a member that isn't on the map. Example: `[[3, 4], [4, 4]]`.
    """
    outside: EnvironmentIds = ()
    """The environments whose area they aren't in. Example: `["bog"]`."""
    gear: GearIds = ()
    """Gear that they have in addition to their stat block's. Example: `["cold-weather-gear"]`."""
    notes: Prose = ""
    """Your notes about them. Players never see them."""
    elevation: SignedFeet = 0
    """Their height above the ground in feet (or the game's own unit). Negative means below it."""
    controller: RosterId = ""
    """The roster entry of the creature that commands them and whose turn they share. Example: `ranger`."""
    rides: RosterId = ""
    """The roster entry of their mount. Example: `horse`."""
    group: bool = False
    """Whether they move and act together as one group."""
    dying: DyingMode = ""
    """The effect of 0 hit points: `saves` for death saves, `dies` for death, and `doomed` for one last action before
    death. If it is empty, the game's default applies.
    """
    bystander: bool = False
    """Whether they are present without a place in the initiative order."""
    adjustment: Annotated[str, FieldSpec(ids=("adjustment",))] = ""
    """A variant that is stronger or weaker than the stat block, in games that have them. Example: `elite`."""
    portrait: str = ""
    """The name of an image file in the encounter's folder that replaces the creature's. Example: `guard.png`."""
    rings: tuple[TokenRing, ...] = ()
    """The ring colours of their tokens, one for each member. Example: `["red", "blue"]`."""
    lights: Annotated[tuple[str, ...], FieldSpec(ids=("light source",))] = ()
    """The light source that each member carries. An empty text means none. Example: `["torch", ""]`."""
    state: CharacterState | None = None
    """The state of a single character after earlier fights. Leave it out for a rested character."""
    xp_earned: Natural = 0
    """The experience points that a character has earned so far. Example: `6750`."""
    counts: str = ""
    """A rule that makes `count` depend on the number of characters until the fight begins. Example: `1 per character`,
    `1 per 2 characters` or `3: 2, 4: 3, 6: 5`.
    """
    effects: tuple[str, ...] = ()
    """The conditions and effects in force from the start, as in the line for a condition: a name, rules, and an end.
    Example: `["mage armor +3 ac long rest", "poisoned 3"]`.
    """
    counts_damage: bool = False
    """Whether the turn order shows the damage taken instead of the remaining hit points."""

    def square_of(self, member: int) -> Point | None:
        """Return the square of a member, counted from 0, or None if it isn't on the map."""
        square = self.positions[member] if member < len(self.positions) else OFF_MAP
        return square if square != OFF_MAP else None


class SavingThrow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A saving throw against the effect of an environment."""

    ability: AbilityId
    """The ability of the save. Example: `dex`."""
    dc: Dc
    """The Difficulty Class of the save. Example: `15`."""


class Check(msgspec.Struct, frozen=True, omit_defaults=True):
    """An ability check that deals with an environment."""

    ability: AbilityId
    """The ability of the check. Example: `str`."""
    dc: Dc = 0
    """The Difficulty Class of the check. 0 if `against` replaces it."""
    skill: SkillId = ""
    """The skill of the check, if any. Example: `athletics`."""
    cost: ResourceId = ""
    """The cost of an attempt. If it is empty, an attempt is free. Example: `action`."""
    against: str = ""
    """Set it to `spellcasting` if the caster's roll is the DC."""
    free_by: Annotated[str, FieldSpec(kind="table-rule", ids=("waiving table rule",))] = ""
    """The house rule that makes the check free."""


class Spawn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A creature that an environment spawns."""

    creature: Annotated[str, FieldSpec(kind="creature", ids=("spawned creature",))]
    """The stat block: one of the rule system's own spawned creatures. Example: `shadow`."""
    name: str
    """The name in the turn order. Example: `Living shadow`."""
    side: Side = "hostile to all"
    """The side on which it fights."""
    initiative: Bonus | None = None
    """Its place in the initiative order. Leave it out to roll initiative."""
    likeness: bool = False
    """Whether it looks like a random combatant."""


class EnvironmentEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A standing feature or world action of an environment, with its effects.

    If the save fails (or there is none), targets suffer all the effects that are set.
    """

    id: str
    """The id of the entry within its environment. In a file, it is the key of its table, as in
    `[environments.lair.actions.magma]`.
    """
    name: str
    """The name that cards and the journal show. Example: `Magma Eruption`."""
    kind: EntryKind | None = None
    """The form of a standing feature: an `object` that creatures can use, an `obstacle`, an `area`, or a `field` that
    fills the whole place. Leave it out for world actions.
    """
    enabled: bool = True
    """Whether the entry is in use. You can switch it on and off during play."""
    trigger: EntryTrigger = "used"
    """The event that causes the effect: a creature uses it (`used`), touches it (`touch`), ends its turn there
    (`turn-end`) or dashes (`dash`); it `falls` or is `disturbed`; its check is `rolled`; a `spell` is cast; or it is
    always active (`standing`).
    """
    affects: Affects = "nobody"
    """The targets: `each` creature there, `one` creature there, creatures `below` it, the `actor` that triggers it,
    or no creature (`nobody`).
    """
    within: str = ""
    """The place in words where targets must be. Example: `within 10 feet of it`."""
    size: SizeId = ""
    """The size of the object. Example: `large`."""
    cost: ResourceId = ""
    """The cost of using it, if no check is required. Example: `action`."""
    ac: HundredOrNone = 0
    """The Armor Class of an object that attacks can bring down. 0 if attacks can't."""
    save: SavingThrow | None = None
    """The save that prevents the effects. Example: `{ ability = "dex", dc = 15 }`."""
    magical: bool = False
    """Whether saves against it count as saves against magic."""
    check: Check | None = None
    """The check that deals with it. Example: `{ ability = "str", skill = "athletics", dc = 12, cost = "action" }`."""
    damage: DiceText = ""
    """The damage as dice with a type. Example: `4d6 fire`."""
    unaffected: Annotated[tuple[str, ...], FieldSpec(ids=("statement",))] = ()
    """Statements that prevent the effects for a creature. Example: `["resistant:cold", "skin-covered"]`."""
    reduced: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """A statement under which `reduced_damage` is dealt instead. Example: `cold-weather-gear`."""
    reduced_damage: DiceText = ""
    """The damage dealt to creatures for which `reduced` is true. Example: `1d6 cold`."""
    afflictions: tuple[InflictedCondition, ...] = ()
    """The conditions that it inflicts. Example: `[{ condition = "restrained", escape_dc = 13 }]`."""
    fatigue: PositiveOrNone = 0
    """The number of levels of fatigue that it causes."""
    push: FeetOrNone = 0
    """The distance in feet by which it pushes its targets."""
    teleport: FeetOrNone = 0
    """The distance in feet by which it teleports its targets."""
    recharge: Recharge = 0
    """The lowest face of a d6 at which a world action recharges, rolled each round. 0 means that it doesn't recharge.
    Example: `5`.
    """
    once: Literal["", "turn", "encounter"] = ""
    """The limit of its effects: once per `turn`, or once per `encounter` for each target. Empty means no limit."""
    delay: PositiveOrNone = 0
    """The number of rounds between the disturbance and the effect."""
    spawn: Spawn | None = None
    """A creature that appears. Example: `{ creature = "shadow", name = "Living shadow" }`."""
    breaks: bool = False
    """Whether the object breaks when it is used."""
    reflects: SpellLevel | None = None
    """The highest spell level that it can reflect, with 0 for cantrips. Leave it out if it doesn't reflect spells."""
    terrain: Literal["", "difficult"] = ""
    """Set it to `difficult` if the area is difficult terrain."""
    redirect: bool = False
    """Whether it is difficult terrain only for creatures that change direction."""
    obscured: Literal["", "lightly", "heavily"] = ""
    """Whether the area is lightly or heavily obscured."""
    cover: Literal["", "half", "three-quarters", "total"] = ""
    """The cover that the object gives."""
    cover_when: str = ""
    """The condition in words under which it gives cover. Example: `tipped over`."""
    hearing: FeetOrNone = 0
    """The distance in feet beyond which quiet sounds can't be heard. 0 means no limit."""
    sound: Positive = 1
    """The factor by which it multiplies the distance at which sounds are heard."""
    per_die: DamageTypeId = ""
    """A damage type that deals one extra point for each of its dice. Example: `thunder`."""
    range: str = ""
    """The normal and long range in feet for throwing the object. Example: `15/30`."""
    edge: Literal["", "advantage", "disadvantage"] = ""
    """Whether rolls have advantage or disadvantage."""
    edge_on: EdgeOn = ""
    """The rolls to which `edge` applies. Empty means all rolls."""
    extra_costs: Annotated[NamedNumbers, FieldSpec(ids=("action",))] = ()
    """Extra points that actions cost in the area, by action. Example: `{ move = 1 }`."""
    secret: bool = False
    """Whether it is hidden from the players until it is found."""
    text: Prose = ""
    """The rules text. Dice in it can be rolled with a click."""
    rules: Annotated[tuple[str, ...], FieldSpec(ids=("rule",))] = ()
    """The ids of the ledger rules that it represents. Leave them out for your own entries."""
    short: str = ""
    """A text of one line for compact sheets."""


class Environment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place with standing features, and world actions that it takes on its own turn."""

    table: ClassVar[str] = "environments"

    id: str
    """The id of the environment. In an encounter, it is the key of its table, as in `[environments.lair]`."""
    name: str
    """The name of the place. Example: `The dragon's lair`."""
    description: Prose = ""
    """A description for everyone, which you can read aloud."""
    size: str = ""
    """Its location or extent in words. Example: `columns I to N`."""
    features: tuple[EnvironmentEntry, ...] = ()
    """Its standing features, keyed by id."""
    actions: tuple[EnvironmentEntry, ...] = ()
    """Its world actions, keyed by id. On its turn, the environment takes one of them."""
    source: str = ""
    """The id of the shipped environment from which it was copied. Example: `frigid`."""
    notes: Prose = ""
    """Your notes. Players never see them."""
    rating: Annotated[str, FieldSpec(ids=("rating",))] = ""
    """The danger of the place as a level or challenge rating. Leave it out if it doesn't count towards the difficulty.
    Example: `5`.
    """
    complex: bool = False
    """Whether it is a complex hazard, in games that count such hazards like creatures."""


class Countdown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A pool of six-sided dice that runs out when time is up. Each roll removes the dice that show a high number."""

    table: ClassVar[str] = "countdowns"

    id: str
    """The id of the countdown. In a file, it is the key of its table, as in `[countdowns.flood]`."""
    name: str
    """The name that the panel and the journal show. Example: `The tide turns`."""
    dice: Annotated[int, FieldSpec(least=1, most=100)] = 4
    """The number of dice in the pool at the start."""
    speed: CountdownSpeed = "slow"
    """The speed at which dice are removed. In most games, `slow` removes 6s, `medium` 5s and 6s, and `fast` 4s, 5s and
    6s.
    """
    starts: PositiveOrNone = 1
    """The round at the start of which it first rolls. 0 means that you start it by hand."""
    unstoppable: bool = False
    """Whether nothing that the characters do can stop it."""
    secret: bool = False
    """Whether it is hidden from the players."""
    outcomes: tuple[Outcome, ...] = ()
    """The events when the pool is empty, in order. Example: `[{ kind = "add-wave", wave = "second-boat" }]`."""
    notes: Prose = ""
    """Your notes. Players never see them."""


class Wave(msgspec.Struct, frozen=True, omit_defaults=True):
    """The triggers of a wave of reinforcements.

    A wave without triggers waits for a countdown or for the game master.
    """

    table: ClassVar[str] = "waves"

    id: str
    """The id of the wave, which roster entries use in their `wave` field. In a file, it is the key of its table, as in
    `[waves.second-boat]`.
    """
    round: PositiveOrNone = 0
    """The round at the start of which it arrives. 0 means no fixed round."""
    when: WaveTrigger = ""
    """Another trigger: one of the watched combatants has at most `half` its hit points, or the first (`first-down`) or
    last of them (`all-down`) falls to 0 hit points or dies.
    """
    who: str = ""
    """The roster entry or side to watch. Empty means all combatants that aren't on the players' sides. Example: `enemies`.
    """
    notes: Prose = ""
    """Your notes. Players never see them."""


class Reminder(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reminder written by the game master, and the moment at which it is shown."""

    table: ClassVar[str] = "reminders"

    id: str
    """The id of the reminder. In a file, it is the key of its table, as in `[reminders.tide]`."""
    text: Prose = ""
    """The text of the reminder. Example: `The ferryman comes back.`"""
    at: ReminderMoment = "round"
    """The moment: the start of a `round`, the start or end of a turn (`turn-start`, `turn-end`), or when a combatant
    has at most `half` its hit points, `drops` to 0 or `dies`, when a `countdown` reaches `dice`, or when a `wave`
    arrives.
    """
    round: PositiveOrNone = 0
    """The round before which it is never shown."""
    who: str = ""
    """The combatant, roster entry or side whose turns or hit points count. Empty means any combatant."""
    countdown: CountdownId = ""
    """The countdown, for a reminder at a countdown."""
    dice: HundredOrNone = 0
    """The number of dice left in the countdown at which it is shown. 0 means that the countdown is over."""
    wave: WaveId = ""
    """The wave, for a reminder at a wave."""
    each_time: bool = False
    """Whether it is shown every time, not only once."""

    @property
    def title(self) -> str:
        """The first line of the text."""
        return next(iter(self.text.strip().splitlines()), "")


class Handout(msgspec.Struct, frozen=True, omit_defaults=True):
    """A handout for players, such as a letter or an image."""

    table: ClassVar[str] = "handouts"

    id: str
    """The id of the handout. In a file, it is the key of its table, as in `[handouts.letter]`."""
    title: str = ""
    """The heading. Example: `To whoever finds this`."""
    style: HandoutStyle = "letter"
    """The design of the page."""
    text: Prose = ""
    """The text. A blank line starts a new paragraph."""
    signed: str = ""
    """The signature, which is printed below the text. Example: `A friend`."""
    picture: str = ""
    """The name of an image file in the encounter's folder (PNG, JPEG, GIF or WebP). Example: `map.png`."""
    headline: str = ""
    """The second heading: the name on a wanted poster, the news in a newspaper, or the book's title above a page."""
    place: str = ""
    """The place where it was written. Example: `The mill`."""
    date: str = ""
    """The date on which it was written. Example: `Tuesday`."""
    reward: str = ""
    """The reward on a wanted poster. Example: `300 crowns`."""
    hand: HandoutHand = ""
    """The handwriting of a letter. Empty means a quick hand."""


class Treasure(msgspec.Struct, frozen=True, omit_defaults=True):
    """An item, or anything else that the characters may find. Each has a printed card."""

    table: ClassVar[str] = "treasure"

    id: str
    """The id of the item. In a file, it is the key of its table, as in `[treasure.ring]`."""
    name: str = ""
    """The name of the item. Example: `Ring of the tide`."""
    price: str = ""
    """The price in words. Example: `400 gp`."""
    rarity: str = ""
    """The rarity. Example: `uncommon`."""
    uses: HundredOrNone = 0
    """The number of uses, printed as boxes to cross off. 0 means no limit."""
    text: Prose = ""
    """The effects of the item."""
    secret: bool = False
    """Whether the characters can't identify it at first. The first card then only shows how it `looks`."""
    looks: str = ""
    """The appearance of the item before it is identified. Example: `a dull iron ring`."""

    @property
    def known_name(self) -> str:
        """The name by which the characters know it when they find it."""
        return (self.looks.strip() or "?") if self.secret else self.name.strip() or self.id


AwardKind = Literal["xp", "treasure", "milestone"]


class PartyAward(msgspec.Struct, frozen=True, omit_defaults=True):
    """An award that members of a party received in an encounter. Each award counts once."""

    id: str
    """The id of the award. It names the fight by the seed of its dice. Example: `3fa9c2-award-12`."""
    kind: AwardKind = "xp"
    """What it is: `xp`, `treasure` or `milestone`."""
    what: str = ""
    """A note, or the treasure. Example: `60 gp in a flour bag`."""
    xp: Natural = 0
    """The experience points that each of them received."""
    who: tuple[str, ...] = ()
    """The ids of the members who received it. Example: `["aria", "dol"]`."""
    encounter: str = ""
    """The title of the encounter. Example: `The wheel house`."""
    at: str = ""
    """The date and local time. Example: `2026-11-28 20:31`."""


class PartyFight(msgspec.Struct, frozen=True, omit_defaults=True):
    """The forecast of a past fight of a party, and its result."""

    id: str
    """The seed of the fight's dice as a hexadecimal number. Example: `3fa9c2`."""
    encounter: str = ""
    """The title of the encounter. Example: `The wheel house`."""
    expected: HundredOrNone = 0
    """The percentage of simulated fights that the party won."""
    expected_rounds: Natural = 0
    """The mean number of rounds of the simulated fights, in tenths. Example: `34`."""
    won: bool = False
    """Whether the party won."""
    rounds: Natural = 0
    """The number of rounds that it took."""


class Party(msgspec.Struct, frozen=True, omit_defaults=True):
    """Player characters in the library: their stat blocks and roster entries.

    When a party is added to an encounter, the ids of its records become ids in the encounter.
    """

    table: ClassVar[str] = "parties"

    id: str
    """The id of the party. It is the name of its file."""
    name: str
    """The name of the party. Example: `Tuesday group`."""
    creatures: tuple[Creature, ...] = ()
    """The stat blocks of the characters, keyed by id."""
    roster: tuple[RosterEntry, ...] = ()
    """Their roster entries, keyed by id."""
    awards: tuple[PartyAward, ...] = ()
    """The awards of past encounters."""
    fights: tuple[PartyFight, ...] = ()
    """The forecasts and the results of past fights."""
    notes: Prose = ""
    """Your notes about the party."""


class Obstacle(msgspec.Struct, frozen=True, omit_defaults=True):
    """An object on the map that gives cover and may be broken."""

    id: str
    """The id of the object. In a file, it is the key of its table, as in `[map.obstacles.cart]`."""
    name: str = ""
    """The name that the map shows. Example: `Cart`."""
    at: Point = (0, 0)
    """Its upper left square as column and row. Counting starts at 0. Example: `[3, 4]`."""
    size: Point = (1, 1)
    """Its width and height in squares. Example: `[2, 1]`."""
    cover: CoverLevel = "half"
    """The cover that it gives to creatures behind it."""
    ac: HundredOrNone = 0
    """Its Armor Class. 0 if it can't be broken."""
    hp: PositiveOrNone = 0
    """Its hit points. 0 if it can't be broken."""
    hardness: HundredOrNone = 0
    """The damage that it takes off each hit. If it has any, critical hits don't count."""
    height: FeetOrNone = 0
    """Its height in feet. 0 means that it reaches the ceiling."""
    blocks: Literal["nothing", "movement"] = "movement"
    """Whether it blocks movement."""
    clear: bool = False
    """Whether creatures see through it, as through glass. With total cover, it still stops attacks and effects."""
    flammable: bool = False
    """Whether it can catch fire."""
    attended: bool = False
    """Whether a creature holds or wears it, which protects it from fires that spare such objects."""
    item: bool = False
    """Whether a creature within reach can use it."""


class Area(msgspec.Struct, frozen=True, omit_defaults=True):
    """The area of an environment, or of one of its features, on the map."""

    id: str
    """The id of the area. In a file, it is the key of its table, as in `[map.areas.bog]`."""
    environment: str = ""
    """The id of the environment. Leave it out for plain terrain."""
    feature: str = ""
    """The id of a feature of the environment, or a type of terrain if there is no environment. Example: `mud`."""
    squares: tuple[Segment, ...] = ()
    """Its rectangles as column, row, width and height in squares. Example: `[[0, 0, 4, 2]]`."""


class MapPicture(msgspec.Struct, frozen=True, omit_defaults=True):
    """An image below the grid."""

    file: str
    """The name of the image file in the encounter's folder (PNG, JPEG or WebP). Example: `cellar.webp`."""
    at: Place = (0.0, 0.0)
    """The position of its upper left corner in squares. Example: `[0.0, 0.0]`."""
    size: Place = (0.0, 0.0)
    """Its width and height in squares. 0 means the size of the map. Example: `[24.0, 18.0]`."""
    dim: float = 0.0
    """The amount by which it is darkened, from 0 to 1."""
    shown: Literal["both", "game-master"] = "both"
    """Whether the players also see it."""


class MapBarrier(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of connected wall segments that needn't follow the grid."""

    kind: BarrierKind = "wall"
    """The type of barrier. A `wall` blocks movement, sight and effects, a `window` everything except sight, a `curtain`
    only sight, and a `rail` only movement. An `object` is a closed outline whose inside is visible; it hides
    everything beyond.
    """
    points: tuple[Place, ...] = ()
    """The ends of its segments in squares from the upper left corner. Example: `[[0.5, 2.0], [4.0, 2.5]]`."""


class Door(msgspec.Struct, frozen=True, omit_defaults=True):
    """A door on the map, between two points."""

    id: str
    """The id of the door. In a file, it is the key of its table, as in `[map.doors.gate]`."""
    at: StraightLine = (0.0, 0.0, 0.0, 0.0)
    """Its two ends in squares, as column, row, column and row. Example: `[3.0, 2.0, 4.0, 2.0]`."""
    kind: DoorKind = "door"
    """The type of door. When closed, a `portcullis` blocks only movement, a `window` everything except sight, and a
    `curtain` only sight. For players, a `secret` door is a wall until it is found.
    """
    name: str = ""
    """The name that the map shows. Example: `North gate`."""
    open: bool = False
    """Whether the door is open. An open door blocks nothing."""


class MapLight(msgspec.Struct, frozen=True, omit_defaults=True):
    """A light on the map."""

    at: Place
    """Its position in squares. Example: `[4.5, 3.5]`."""
    bright: Feet = 20
    """The radius of bright light in feet (or the game's own unit)."""
    dim: FeetOrNone = 0
    """The width in feet of the ring of dim light around the bright light. 0 means the same as `bright`."""
    colour: str = ""
    """Its colour. Example: `#eccd8b`."""
    lit: bool = True
    """Whether it gives light. `false` means that it is out."""


class MapFloor(msgspec.Struct, frozen=True, omit_defaults=True):
    """A floor of the map: a band of its rows, such as a cellar drawn below the ground floor. A free row separates floors."""

    id: str
    """The id of the floor. In a file, it is the key of its table, as in `[map.floors.cellar]`."""
    name: str = ""
    """The name that the map shows. Example: `Cellar`."""
    row: Annotated[int, FieldSpec(least=0, most=500)] = 0
    """The row of the map at which it begins. Counting starts at 0. Example: `16`."""
    rows: Annotated[int, FieldSpec(least=1, most=500)] = 1
    """The height in squares."""
    columns: Annotated[int, FieldSpec(least=0, most=500)] = 0
    """The width in squares. 0 means the width of the map."""
    picture: MapPicture | None = None
    """The image below its grid. The first floor has the image of the map. Example: `{ file = "cellar.webp" }`."""


class Map(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """The map of the encounter. With 0 columns or rows, the encounter is played without a grid."""

    table: ClassVar[str] = "map"

    id: str = "map"
    """Always `map`."""
    columns: Annotated[int, FieldSpec(least=0, most=500)] = 0
    """The width in squares."""
    rows: Annotated[int, FieldSpec(least=0, most=500)] = 0
    """The height in squares."""
    cell: Annotated[int, FieldSpec(least=1, most=1000, unit="feet")] = 5
    """The side of a square in feet (or the game's own unit)."""
    diagonals: Literal["equal", "alternating"] = "equal"
    """The cost of diagonals: every diagonal counts as one square (`equal`), or every other diagonal counts as two
    (`alternating`).
    """
    ground: str = ""
    """The ground, as a text with one line per row and one character per square: `.` open, `,` difficult, `#` wall, `~`
    water, `^` steep. Missing characters mean open ground.
    """
    heights: str = ""
    """The heights, drawn like `ground`: `0` to `9` and `a` to `z` are steps of one square's side above the floor, `A`
    to `Z` are 1 to 26 steps below it.
    """
    light: str = ""
    """The visibility, drawn like `ground`: `.` clear, `:` lightly obscured, `%` heavily obscured."""
    walls: tuple[Segment, ...] = ()
    """Walls along the lines of the grid, from corner to corner: column, row, column and row. Example: `[[2, 0, 2, 5]]`.
    """
    windows: tuple[Segment, ...] = ()
    """Windows along the lines of the grid, which only let sight through. They are written like `walls`."""
    curtains: tuple[Segment, ...] = ()
    """Curtains along the lines of the grid, which only block sight. They are written like `walls`."""
    obstacles: tuple[Obstacle, ...] = ()
    """The objects on the map, keyed by id."""
    areas: tuple[Area, ...] = ()
    """The areas of environments and terrain, keyed by id."""
    picture: MapPicture | None = None
    """The image below the grid. Example: `{ file = "cellar.webp" }`."""
    barriers: tuple[MapBarrier, ...] = ()
    """Walls that needn't follow the grid. Positions are in steps of 1/512 square."""
    doors: tuple[Door, ...] = ()
    """The doors, keyed by id."""
    lights: tuple[MapLight, ...] = ()
    """The lights on the map."""
    fog: str = ""
    """The fog with which a fight begins, drawn like `ground`: `+` is shown to players, and `.` or a missing character is
    hidden. If it is empty, players see the whole map. A single `.` covers the map.
    """
    floors: tuple[MapFloor, ...] = ()
    """The floors, keyed by id and drawn one below the other. Without any, the map has a single floor."""
    grid_shown: bool = True
    """Whether the lines between squares are drawn. Hide them if the picture has its own."""
    grid_colour: str = ""
    """The colour of these lines. Example: `#1a1a1a`. Leave it out for the usual colour."""
    grid_strength: Annotated[int, FieldSpec(least=0, most=100, zero_is_none=True)] = 0
    """The strength of these lines in percent. 0 means the usual strength."""

    @property
    def grid_lines(self) -> tuple[bool, str, int]:
        """Whether the lines between squares are drawn, their colour, and their strength in percent.

        An empty colour and a strength of 0 mean the usual ones. So does anything else than a colour such as `#1a1a1a`.
        """
        is_colour = re.fullmatch("#[0-9a-fA-F]{6}", self.grid_colour)
        return self.grid_shown, self.grid_colour if is_colour else "", max(0, min(100, self.grid_strength))
