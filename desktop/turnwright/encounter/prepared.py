"""Records that the game master prepares before play: the scene, creatures, the roster, environments, countdowns.

Running a fight never changes these records. When it starts, the records in `running.py` are created from them.
Distances are in feet and times in seconds, unless a name says otherwise. A `NamedNumbers` is a list of names with
numbers, stored as a small table.
"""

from typing import Annotated, ClassVar, Final, Literal

import msgspec

from turnwright.encounter.countdown_outcomes import Outcome
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

EntryKind = Literal["object", "obstacle", "area", "field"]
Affects = Literal["each", "one", "beneath", "actor", "nobody"]
InflictedConditionEnds = Literal["turn-start", "turn-end", "owner-start", "owner-end", "saved", "world", "never"]
EntryTrigger = Literal["used", "touch", "turn-end", "dash", "falls", "disturbed", "rolled", "spell", "standing"]
CountdownSpeed = Literal["slow", "medium", "fast"]
Strictness = Literal["off", "warn", "enforce"]
UsesPeriod = Literal["day", "rest", "long-rest", "week", "hour", "minute", "encounter", "round", "turn"]
TriggerMoment = Literal[
    "", "starts", "turn-start", "turn-end", "attacked", "hit", "missed", "hits", "crits", "damage", "hurt", "bloodied", "dropping", "dies", "fails", "foe-acts", "enters", "other-starts",
    "other-ends",
]  # fmt: skip
CoverLevel = Literal["", "none", "half", "three-quarters", "total"]
HandoutStyle = Literal["letter", "notice", "page", "wanted", "newspaper", "telegram", "picture"]
HandoutHand = Literal["", "flowing", "careful", "old"]
EdgeOn = Literal["", "attack", "melee", "ranged", "save", "check"]
DyingMode = Literal["", "saves", "dies", "doomed"]
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
OBJECT: Final = "object"  # type of objects and vehicles, which environments don't affect
DEFAULT_SYSTEM: Final = "a5e"  # the rule system if an encounter doesn't name one


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """The encounter as a whole, with its settings. It is the only record in its table (id `scene`).

    `options` are the house rules that differ from the system's defaults: an id enables one, and `not id` disables one.
    `suspended` is the medium in which all combatants float (`water`, `sky`, `astral`, or free text). `rolling`: all
    combatants move in one direction. `treasure` lists finds other than items, in a few words each. `goal` describes
    what the sides want, and `turning_points` are events that change the encounter, one per line.
    """

    table: ClassVar[str] = "scene"

    id: str = "scene"
    title: str = ""
    system: str = DEFAULT_SYSTEM
    purpose: Literal["combat", "competition", "hazard", "chase"] = "combat"
    round_seconds: Positive = 6
    light: Literal["bright", "sunlight", "dim", "dark"] = "bright"
    strictness: Strictness = "warn"
    read_aloud: Prose = ""
    notes: Prose = ""
    conditions: Prose = ""
    options: Annotated[tuple[str, ...], FieldSpec(ids=("switch of a table rule",))] = ()
    suspended: Annotated[tuple[str, ...], FieldSpec(ids=("suspension",))] = ()
    rolling: bool = False
    treasure: tuple[str, ...] = ()
    goal: Prose = ""
    turning_points: tuple[str, ...] = ()


class InflictedCondition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition that an environment entry or feature inflicts on its targets, and when it ends.

    `ends` is `turn-start` or `turn-end` (of the target), `owner-start` or `owner-end` (of its creator), `saved` (a save
    at the end of each of the target's turns ends it), `world` (the environment's next turn) or `never`. `escape_dc` is
    for grapples. `break_free` is the resource that can be spent to end it. `value` is its level. `degree` is the degree
    of success of the save (or attack) at which it applies. If it is empty, it applies unless the save succeeds.
    """

    condition: ConditionId
    ends: InflictedConditionEnds = "never"
    escape_dc: Dc = 0
    break_free: ResourceId = ""
    value: Natural = 0
    degree: Literal["", "critical-failure", "failure", "success", "critical-success"] = ""


class AfflictionStage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stage of a poison or another affliction: its damage and conditions.

    A creature takes the damage when it reaches the stage, and at the end of each of its turns in it. The conditions end
    with the stage, unless they `never` end.
    """

    damage: DiceText = ""
    afflictions: tuple[InflictedCondition, ...] = ()


class OtherDamage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Damage that an attack can deal instead of its usual damage. `name` describes the alternative (`with two hands`).

    It is chosen for an attack, or used automatically while the statement `when` is true (`bloodied`).
    """

    name: str
    damage: DiceText = ""
    when: Annotated[str, FieldSpec(ids=("statement",))] = ""


class FeatureStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of a feature: a single activity of its owner. Exactly one of these fields determines it.

    - `use` is a feature of the same stat block, or `any-melee` or `any-attack` for any of its melee attacks or attacks.
    - `spell` is a spell of the rule system.
    - `move` is the share of the owner's speed that it moves in `mode`.
    - `action` is an action of the rule system.
    - `roll` is a check.
    - `ends` is a condition on the owner that ends (`any`: one that others inflicted).
    - `recharges` is a feature of the same stat block (`*`: all).
    - `gains` is a condition that the owner gains. `value` is its value, and `until` whether it ends when the owner's
      next turn starts or its current turn ends.

    `instead`: an alternative to the previous step. `bonus` is added to the attack rolls of `use`. Attacks made
    `together` only count for the multiple attack penalty after the last of them.
    """

    use: FeatureId = ""
    spell: SpellId = ""
    move: Literal["", "half", "full"] = ""
    mode: SpeedId = ""
    action: ActionId = ""
    roll: CheckId = ""
    ends: Annotated[str, FieldSpec(ids=("condition or any",))] = ""
    recharges: FeatureId = ""
    gains: ConditionId = ""
    value: Natural = 0
    until: Literal["", "turn-start", "turn-end"] = ""
    instead: bool = False
    bonus: Signed = 0
    together: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the fields that are set. A valid step has exactly one."""
        return tuple(name for name in STEP_KINDS if getattr(self, name))


STEP_KINDS: Final = ("use", "spell", "move", "action", "roll", "ends", "recharges", "gains")
ANY_MELEE, ANY_ATTACK, ALL_FEATURES = "any-melee", "any-attack", "*"
ALL_CONDITIONS, ANY_CONDITION = "*", "any"


class Feature(msgspec.Struct, frozen=True, omit_defaults=True):
    """A trait, action, bonus action, reaction, legendary or lair action of a stat block; also a weapon or a spell.

    `damage` is a dice expression with types (`1d8+3 slashing`). `recharge` is the lowest d6 face that recharges it (0:
    none). `uses` is the number of uses `per` day or another period (0: no limit). `reach` and `range` are in feet, and
    the range can be `80/320`. `save_damage` is extra damage of a hit to a target that fails the save. `other_damage` is
    damage that an attack can deal instead of `damage`. `attack` is the total bonus. If it is None, it is the sum of
    `ability`, proficiency (unless not `proficient`) and `magic`, and the ability modifier is also added to damage.
    `properties` are ids that rules use: `weapon`, `spell`, `heavy`, `thrown`, `finesse`, `two-handed`, `dual-wielding`,
    `legendary-resistance` (a use turns a failed save into a success). `half`: a successful save halves the damage.
    `afflictions` and `push` apply to targets that are hit or fail the save.

    `level` is the level of a spell, or None for other features. `attacks` is the number of attacks in a multiattack,
    and `multiattack` contains its features by id, in a table for each variant. `price` is the amount of its cost that
    it requires (legendary actions, actions, points), and `spends` is what it costs from other pools.

    `trigger` is the moment at which the feature is used, if the statement `when` is true. On other creatures' turns,
    only creatures `within` this many feet count (0: any), and `enters` means that they come this close. Deaths and turn
    starts concern everyone `within`. Effects on the owner count regardless of who causes them. `heals` are the hit
    points that the owner regains, or keeps at `dropping`, or that the targets of a spell regain. `dc_adds`: the damage
    dealt is added to the DC. `spares` makes targets immune for the rest of the encounter after a successful save, or
    after any save. `lessens` is the reduction of incoming damage, `half` or dice. `does` are the steps that its owner
    takes at no further cost. `rules` of a trait apply to its owner, and those of an `attacked` reaction to that attack.
    `only` is a statement without which the owner doesn't have the feature. `plays` limits the automation: the feature
    `acts`, asks each time, only reminds, or is plain text (`off`).

    If a feature has `stages`, a target that fails the save gets the first stage. It then moves up and down with saves
    at the end of its turns, for at most `stage_rounds` (0: no limit). `interrupts` is the ability of the check that a
    target must make to keep its declared action. `read` contains the fields that an importer found only in prose.
    `short` is a one-line text for compact sheets.
    """

    id: str
    name: str
    cost: Annotated[
        Literal["trait", "action", "bonus", "reaction", "legendary", "lair", "free"], FieldSpec(ids=("resource",))
    ] = "trait"
    attack: Bonus | None = None
    reach: FeetOrNone = 0
    range: str = ""
    damage: DiceText = ""
    save: AbilityId = ""
    dc: Dc = 0
    recharge: Recharge = 0
    uses: PositiveOrNone = 0
    text: Prose = ""
    ability: AbilityId = ""
    proficient: bool = True
    magic: Annotated[int, FieldSpec(least=-1000, most=1000, zero_is_none=True)] = 0
    properties: Annotated[tuple[str, ...], FieldSpec(ids=("property",))] = ()
    half: bool = False
    afflictions: tuple[InflictedCondition, ...] = ()
    push: FeetOrNone = 0
    ongoing: DiceText = ""
    area: str = ""
    level: SpellLevel | None = None
    concentration: bool = False
    attacks: HundredOrNone = 0
    price: Annotated[int, FieldSpec(least=1, most=100, allows_zero=True)] = 1
    spends: Annotated[NamedNumbers, FieldSpec(ids=("resource",), least=0, most=100)] = ()
    trigger: TriggerMoment = ""
    when: Annotated[str, FieldSpec(ids=("statement",))] = ""
    within: FeetOrNone = 0
    heals: DiceText = ""
    dc_adds: Literal["", "damage"] = ""
    spares: Literal["", "saved", "tried"] = ""
    lessens: Annotated[str, FieldSpec(ids=("lessening",))] = ""
    interrupts: AbilityId = ""
    save_damage: DiceText = ""
    per: UsesPeriod = "day"
    multiattack: tuple[NamedNumbers, ...] = ()
    rules: tuple[DataRule, ...] = ()
    does: tuple[FeatureStep, ...] = ()
    only: Annotated[str, FieldSpec(ids=("statement",))] = ""
    plays: Literal["", "acts", "asks", "reminds", "off"] = ""
    read: tuple[str, ...] = ()
    other_damage: tuple[OtherDamage, ...] = ()
    stages: tuple[AfflictionStage, ...] = ()
    stage_rounds: PositiveOrNone = 0
    short: str = ""

    @property
    def is_spell(self) -> bool:
        """Whether it is a spell, according to its level or properties."""
        return "spell" in self.properties or self.level is not None


class CreaturePhase(msgspec.Struct, frozen=True, omit_defaults=True):
    """A phase of a creature: changes that begin at a percentage of its hit points, or at 0.

    It begins at `at` percent of the maximum. At 0, it replaces the usual effects of 0 hit points, and the creature
    regains `hp` (0: its maximum). In other phases, 0 means none. `creature` is the stat block that replaces the current
    one, and `legendary` is the new number of legendary actions per round (0: unchanged). Conditions in `ends` end (`*`:
    all that others inflicted), and features in `recharges` are recharged (`*`: all). During the phase, the statement
    `phase:<id>` is true and can be used in a feature's `only`. `reverts`: the phase ends when the creature has more hit
    points again.
    """

    id: str
    name: str = ""
    at: Annotated[int, FieldSpec(least=0, most=99)] = 50
    hp: PositiveOrNone = 0
    creature: CreatureId = ""
    legendary: HundredOrNone = 0
    ends: Annotated[tuple[str, ...], FieldSpec(ids=("condition or all",))] = ()
    recharges: tuple[str, ...] = ()
    reverts: bool = False
    note: Prose = ""


class SourceNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """A remark in a stat block about one of its numbers. `about` is the field (`speeds`), and `text` is the remark."""

    about: str
    text: str


class Creature(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stat block. `saves` and `skills` are total bonuses, listed only if they differ from the ability modifier.

    `abilities` are scores, or modifiers in rule systems without scores. Missing abilities have the system's default.
    `absorptions` are damage types that heal. `mundane_immunity` and `mundane_resistance` apply to damage from
    nonmagical weapons. Weapons with a property in `mundane_except` (`silvered`, `adamantine`) count as magical. `gear`
    contains ids that rules use (`cold-weather-gear`, `skin-covered`, `shield`, `heavy-armor`), and so does
    `specialties` (`tumbling`). `source` is the source of a copied creature.

    An indestructible object has `hp` 0. For `ac`, `level`, `proficiency`, `maneuver_dc` and `space` (the side in feet,
    if it differs from the size's default), 0 means not given. `attacks` is the number of attacks with one Attack
    action, and `extra_attack` is whether the second comes from a class feature. `passives` are passive scores by skill,
    `slots` spell slots by level (`1`), and `legendary` is the number of legendary actions per round. `reach` is for
    unarmed attacks. `pools` are the maximums of the rule system's resources. In `senses`, 0 means no limit.
    `environments` lists the places where it lives. `xp` is its experience value if the source states it (0: determined
    by its rating).

    `remarks` are notes on numbers, `licence` is the licence of the text, and `read` contains the fields that an
    importer found only in prose. For a device, `disable` contains the DCs by skill, and `disable_needs` is the number
    of successes needed. `phases` are the changes as it loses hit points, in order. `portrait` is an image file next to
    the encounter. `tactics` describes how it fights in a sentence or two.
    """

    table: ClassVar[str] = "creatures"

    id: str
    name: str
    size: SizeId = "medium"
    type: str = "humanoid"
    tags: Annotated[tuple[str, ...], FieldSpec(ids=("tag",))] = ()
    rating: Annotated[str, FieldSpec(ids=("rating",))] = ""
    ac: HundredOrNone = 10
    ac_note: str = ""
    hp: Natural = 1
    hit_dice: Annotated[str, FieldSpec(kind="hit-dice")] = ""
    speeds: Annotated[NamedNumbers, FieldSpec(ids=("speed",), least=0, most=10000)] = (("walk", 30),)
    hovers: bool = False
    abilities: Annotated[NamedNumbers, FieldSpec(ids=("ability",), least=-20, most=100)] = ()
    saves: Annotated[NamedNumbers, FieldSpec(ids=("ability",), least=-1000, most=1000)] = ()
    skills: Annotated[NamedNumbers, FieldSpec(ids=("skill",), least=-1000, most=1000)] = ()
    senses: Annotated[NamedNumbers, FieldSpec(ids=("sense",), least=0, most=MAX_NUMBER)] = ()
    languages: str = ""
    initiative: Bonus | None = None
    resistances: Annotated[tuple[str, ...], FieldSpec(ids=("resistance",))] = ()
    vulnerabilities: Annotated[tuple[str, ...], FieldSpec(ids=("resistance",))] = ()
    immunities: DamageTypeIds = ()
    absorptions: DamageTypeIds = ()
    mundane_immunity: bool = False
    mundane_resistance: bool = False
    condition_immunities: ConditionIds = ()
    gear: GearIds = ()
    features: tuple[Feature, ...] = ()
    notes: Prose = ""
    source: str = ""
    level: Annotated[int, FieldSpec(least=-1, most=100, zero_is_none=True)] = 0
    proficiency: HundredOrNone = 0
    maneuver_dc: Dc = 0
    space: Annotated[int, FieldSpec(least=0, most=1000, zero_is_none=True, unit="feet")] = 0
    reach: Feet = 5
    attacks: Annotated[int, FieldSpec(least=1, most=100)] = 1
    extra_attack: bool = False
    spellcasting: AbilityId = ""
    specialties: Annotated[tuple[str, ...], FieldSpec(ids=("specialty",))] = ()
    passives: Annotated[NamedNumbers, FieldSpec(ids=("skill",), least=0, most=1000)] = ()
    slots: Annotated[NamedNumbers, FieldSpec(ids=("spell level",), least=0, most=100)] = ()
    legendary: HundredOrNone = 0
    pools: Annotated[NamedNumbers, FieldSpec(ids=("resource",), least=0, most=10000)] = ()
    alignment: str = ""
    xp: PositiveOrNone = 0
    environments: tuple[str, ...] = ()
    description: Prose = ""
    remarks: tuple[SourceNote, ...] = ()
    licence: str = ""
    portrait: str = ""
    read: tuple[str, ...] = ()
    disable: Annotated[NamedNumbers, FieldSpec(ids=("skill",), least=0, most=100)] = ()
    disable_needs: Positive = 1
    phases: Annotated[tuple[CreaturePhase, ...], FieldSpec(group="phases")] = ()
    mundane_except: Annotated[tuple[str, ...], FieldSpec(ids=("property",))] = ()
    tactics: Prose = ""


class LastingCondition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition that continues from one fight to the next, with its level if it has one."""

    name: str
    value: Natural = 0
    note: str = ""


class CharacterState(msgspec.Struct, frozen=True, omit_defaults=True):
    """The state of a character between fights: hit points, remaining uses and levels by track, and conditions."""

    hp: Annotated[int, FieldSpec(least=-MAX_NUMBER)]
    temp_hp: Natural = 0
    dead: bool = False
    tracks: NamedNumbers = ()
    conditions: tuple[LastingCondition, ...] = ()


class RosterEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One or more of the same creature on one side. For `ac`, `hp` and `initiative`, None means "as in the stat block".

    `wave` is the wave of reinforcements with which they arrive later. `positions` are grid squares (column, row), one
    per member, and `place` describes their location. `outside` are environments whose area they aren't in. `sneaking`:
    they try to act before the others notice them. `controller` and `rides` are other roster entries: the one that
    commands them and whose turn they share, and their mount. `group`: they move and act together. `state` is a single
    character's state after earlier fights, or None if fully rested. `dying` chooses death saves or death at 0 hit
    points; if it is empty, the system's default applies. `bystander`: present, but not in the initiative order.
    `adjustment` is a variant that is stronger or weaker than the stat block, in rule systems that have them. `portrait`
    is an image file next to the encounter that replaces the creature's. `rings` are the ring colours of the miniatures,
    one per member. `counts` makes `count` depend on the number of characters (`1 per character`, `1 per 2 characters`,
    `3: 2, 4: 3, 6: 5`) until the fight begins. `counts_damage`: the damage taken is shown instead of the remaining hit
    points.
    """

    table: ClassVar[str] = "roster"

    id: str
    creature: CreatureId
    name: str = ""
    count: Annotated[int, FieldSpec(least=1, most=500)] = 1
    side: Side = "foes"
    player: str = ""
    level: PositiveOrNone = 0
    ac: Natural | None = None
    hp: Positive | None = None
    initiative: Bonus | None = None
    check: CheckId = ""
    sneaking: bool = False
    hidden: bool = False
    wave: WaveId = ""
    place: str = ""
    positions: tuple[Point, ...] = ()
    outside: EnvironmentIds = ()
    gear: GearIds = ()
    notes: Prose = ""
    elevation: SignedFeet = 0
    controller: RosterId = ""
    rides: RosterId = ""
    group: bool = False
    dying: DyingMode = ""
    bystander: bool = False
    adjustment: Annotated[str, FieldSpec(ids=("adjustment",))] = ""
    portrait: str = ""
    rings: tuple[TokenRing, ...] = ()
    state: CharacterState | None = None
    counts: str = ""
    counts_damage: bool = False


class SavingThrow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A saving throw: an ability (`dex`) and its DC."""

    ability: AbilityId
    dc: Dc


class Check(msgspec.Struct, frozen=True, omit_defaults=True):
    """An ability check: the ability, an optional skill, a DC, and the cost of an attempt (`action` or empty).

    `against` is the opposing check in a contest, which replaces the DC. `free_by` is the house rule that makes it free.
    """

    ability: AbilityId
    dc: Dc = 0
    skill: SkillId = ""
    cost: ResourceId = ""
    against: str = ""
    free_by: Annotated[str, FieldSpec(kind="table-rule", ids=("waiving table rule",))] = ""


class Spawn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A creature that an environment spawns. If its initiative is None, it rolls.

    `likeness`: it looks like a random combatant.
    """

    creature: Annotated[str, FieldSpec(kind="creature", ids=("spawned creature",))]
    name: str
    side: Side = "hostile to all"
    initiative: Bonus | None = None
    likeness: bool = False


class EnvironmentEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A standing feature or world action of an environment, with the numbers of its effects.

    `affects` selects its targets, and `within` describes where they must be. If the `save` fails (or there is none), it
    causes `damage` (a dice expression with a type), `afflictions`, `fatigue` levels and a `push` in feet. `spared` are
    statements that prevent it (`resistant:cold`, `skin-covered`). `reduced` is a statement under which `reduced_damage`
    is dealt instead. `recharge` is the lowest d6 face that recharges a world action (0: none). `once` limits it: per
    `turn`, or one target per `encounter`. `delay` is the number of rounds between disturbance and effect. `hearing` is
    the distance in feet beyond which quiet sounds aren't heard. `per_die` adds a point for each die of that damage
    type. `sound` multiplies the distance at which sounds are heard. `ac` is the Armor Class of an object that attacks
    can bring down. `cost` is spent to use it if no check is required, and `range` is for throwing an object. `reflects`
    is the highest spell level that it can reflect (0: cantrips). `redirect`: difficult terrain only when changing
    direction. `edge` applies to rolls of the kind `edge_on`, or to all if it is empty. `dearer` are the extra points
    that actions cost there. `secret`: hidden from the players until it is found. `magical`: saves against it are saves
    against magic. `short` is a one-line text.
    """

    id: str
    name: str
    kind: EntryKind | None = None
    enabled: bool = True
    trigger: EntryTrigger = "used"
    affects: Affects = "nobody"
    within: str = ""
    size: SizeId = ""
    cost: ResourceId = ""
    ac: HundredOrNone = 0
    save: SavingThrow | None = None
    magical: bool = False
    check: Check | None = None
    damage: DiceText = ""
    spared: Annotated[tuple[str, ...], FieldSpec(ids=("statement",))] = ()
    reduced: Annotated[str, FieldSpec(ids=("statement",))] = ""
    reduced_damage: DiceText = ""
    afflictions: tuple[InflictedCondition, ...] = ()
    fatigue: PositiveOrNone = 0
    push: FeetOrNone = 0
    teleport: FeetOrNone = 0
    recharge: Recharge = 0
    once: Literal["", "turn", "encounter"] = ""
    delay: PositiveOrNone = 0
    spawn: Spawn | None = None
    breaks: bool = False
    reflects: SpellLevel | None = None
    terrain: Literal["", "difficult"] = ""
    redirect: bool = False
    obscured: Literal["", "lightly", "heavily"] = ""
    cover: Literal["", "half", "three-quarters", "total"] = ""
    cover_when: str = ""
    hearing: FeetOrNone = 0
    sound: Positive = 1
    per_die: DamageTypeId = ""
    range: str = ""
    edge: Literal["", "advantage", "disadvantage"] = ""
    edge_on: EdgeOn = ""
    dearer: Annotated[NamedNumbers, FieldSpec(ids=("action",))] = ()
    secret: bool = False
    text: Prose = ""
    rules: Annotated[tuple[str, ...], FieldSpec(ids=("rule",))] = ()
    short: str = ""


class Environment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place with standing features and world actions. `source` is the shipped environment it was copied from.

    `rating` is the danger of the place in the rule system's terms (a level, a challenge rating), or empty if it isn't
    counted. `complex`: a complex hazard, in rule systems that count such hazards like creatures.
    """

    table: ClassVar[str] = "environments"

    id: str
    name: str
    description: Prose = ""
    size: str = ""
    features: tuple[EnvironmentEntry, ...] = ()
    actions: tuple[EnvironmentEntry, ...] = ()
    source: str = ""
    notes: Prose = ""
    rating: Annotated[str, FieldSpec(ids=("rating",))] = ""
    complex: bool = False


class Countdown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A pool of six-sided dice that runs out when time is up.

    `starts` is the round at the top of which it first rolls, or 0 if it is started by hand.
    """

    table: ClassVar[str] = "countdowns"

    id: str
    name: str
    dice: Annotated[int, FieldSpec(least=1, most=100)] = 4
    speed: CountdownSpeed = "slow"
    starts: PositiveOrNone = 1
    unstoppable: bool = False
    secret: bool = False
    outcomes: tuple[Outcome, ...] = ()
    notes: Prose = ""


class Wave(msgspec.Struct, frozen=True, omit_defaults=True):
    """The triggers of a wave of reinforcements. Its id is the `wave` of its roster entries.

    `round` is the round at the top of which it arrives, or 0. `when` is an additional trigger: `half` when one of the
    watched combatants has at most half its hit points, `first-down` when the first of them falls (to 0 hit points, or
    dead), `all-down` when the last falls. `who` is the roster entry or side to watch. If it is empty, all combatants
    that aren't on the players' sides are watched. A wave without triggers waits for a countdown or for the game master.
    """

    table: ClassVar[str] = "waves"

    id: str
    round: PositiveOrNone = 0
    when: WaveTrigger = ""
    who: str = ""
    notes: Prose = ""


class Reminder(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reminder written by the game master, and the moment at which it is shown.

    `at` is the top of a `round`, the start or end of a turn, the moment when a combatant has at most `half` its hit
    points, `drops` to 0 or `dies`, when a `countdown` has only `dice` dice left (0: is over), or when a `wave` arrives.
    `who` limits turns and hit points to a combatant, roster entry or side, and empty means any combatant. The reminder
    is never shown before `round`, and only once unless `each_time` is set.
    """

    table: ClassVar[str] = "reminders"

    id: str
    text: Prose = ""
    at: ReminderMoment = "round"
    round: PositiveOrNone = 0
    who: str = ""
    countdown: CountdownId = ""
    dice: HundredOrNone = 0
    wave: WaveId = ""
    each_time: bool = False

    @property
    def title(self) -> str:
        """The first line of the text."""
        return next(iter(self.text.strip().splitlines()), "")


class Handout(msgspec.Struct, frozen=True, omit_defaults=True):
    """A handout for players: a letter, notice, book page, wanted poster, newspaper, telegram or image.

    A blank line in `text` starts a new paragraph. `signed` is printed below it. `headline` is the second heading: the
    name on a wanted poster, the news in a newspaper, the book's title above a page. `place` and `date` are where and
    when it was written. `hand` is the handwriting of a letter, and empty means a quick one. `picture` is a file in the
    encounter's folder (PNG, JPEG, GIF or WebP), or empty.
    """

    table: ClassVar[str] = "handouts"

    id: str
    title: str = ""
    style: HandoutStyle = "letter"
    text: Prose = ""
    signed: str = ""
    picture: str = ""
    headline: str = ""
    place: str = ""
    date: str = ""
    reward: str = ""
    hand: HandoutHand = ""


class Treasure(msgspec.Struct, frozen=True, omit_defaults=True):
    """An item, or anything else that the characters may find. Each has a printed card.

    `price` is a text, in coins. `uses` is the number of uses (0: no limit). `secret`: the characters don't recognise it
    at first, so the first card only shows how it `looks`.
    """

    table: ClassVar[str] = "treasure"

    id: str
    name: str = ""
    price: str = ""
    rarity: str = ""
    uses: HundredOrNone = 0
    text: Prose = ""
    secret: bool = False
    looks: str = ""

    @property
    def known_name(self) -> str:
        """The name by which the characters know it when they find it."""
        return (self.looks.strip() or "?") if self.secret else self.name.strip() or self.id


class Party(msgspec.Struct, frozen=True, omit_defaults=True):
    """Player characters in the library: their stat blocks and roster entries.

    Adding a party to an encounter doesn't store a party record there. The ids in `roster` and `creatures` become the
    ids in the encounter, so that they are found when the party is added again.
    """

    table: ClassVar[str] = "parties"

    id: str
    name: str
    creatures: tuple[Creature, ...] = ()
    roster: tuple[RosterEntry, ...] = ()
    notes: Prose = ""


class Obstacle(msgspec.Struct, frozen=True, omit_defaults=True):
    """An object on the map: its upper left square, its size in squares, and the cover it gives.

    `ac` and `hp` are 0 if it can't be broken. `height` is in feet (0: up to the ceiling). `attended`: a creature holds
    or wears it, which protects it from fires that spare such objects. `item`: a creature within reach can use it.
    """

    id: str
    name: str = ""
    at: Point = (0, 0)
    size: Point = (1, 1)
    cover: CoverLevel = "half"
    ac: HundredOrNone = 0
    hp: PositiveOrNone = 0
    height: FeetOrNone = 0
    blocks: Literal["nothing", "movement"] = "movement"
    flammable: bool = False
    attended: bool = False
    item: bool = False


class Area(msgspec.Struct, frozen=True, omit_defaults=True):
    """The area of an environment or one of its features on the map, as rectangles (column, row, width, height)."""

    id: str
    environment: str = ""
    feature: str = ""
    squares: tuple[Segment, ...] = ()


class MapPicture(msgspec.Struct, frozen=True, omit_defaults=True):
    """An image below the grid: a file in the encounter's folder (PNG, JPEG or WebP).

    `at` is its upper left corner and `size` its size, in squares. A size of 0 means the size of the map. `dim` darkens
    it, from 0 to 1. `shown` determines who sees it.
    """

    file: str
    at: Place = (0.0, 0.0)
    size: Place = (0.0, 0.0)
    dim: float = 0.0
    shown: Literal["both", "narrator"] = "both"


class MapBarrier(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of connected wall segments that needn't follow the grid.

    A wall blocks movement, sight and effects. A window blocks everything except sight, a curtain only sight, and a rail
    only movement. An object is a closed outline that doesn't block movement: its inside is visible, but anything beyond
    it isn't.
    """

    kind: BarrierKind = "wall"
    points: tuple[Place, ...] = ()


class Door(msgspec.Struct, frozen=True, omit_defaults=True):
    """A door on the map, between two points.

    An open door blocks nothing. The kind of door determines what it blocks when closed: a portcullis only movement, a
    window everything except sight, and a curtain only sight. For players, a secret door is a wall until it is found.
    """

    id: str
    at: StraightLine = (0.0, 0.0, 0.0, 0.0)
    kind: DoorKind = "door"
    name: str = ""
    open: bool = False


class MapLight(msgspec.Struct, frozen=True, omit_defaults=True):
    """A light on the map: bright light within `bright` feet, and dim light for `dim` more feet.

    If `dim` is 0, the dim light extends as far again as the bright light.
    """

    at: Place
    bright: Feet = 20
    dim: FeetOrNone = 0
    colour: str = ""


class Map(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """The grid (id `map`). With 0 columns or rows, the encounter is played without a grid.

    `ground`, `heights` and `light` are drawn with a line of text per row and a character per square. Missing characters
    mean plain squares. Ground: `.` open, `,` difficult, `#` wall, `~` water, `^` steep. Heights: `0` to `9` and `a` to
    `z` are steps of `cell` feet above the floor, `A` to `Z` are 1 to 26 steps below it. Light: `.` clear, `:` lightly
    obscured, `%` heavily obscured. `walls`, `windows` (which only let sight through) and `curtains` (which only block
    sight) are segments along grid lines, from corner (column, row) to corner. `barriers` and `doors` can be anywhere.
    Their positions are in squares from the upper left corner, in steps of 1/512.
    """

    table: ClassVar[str] = "map"

    id: str = "map"
    columns: Annotated[int, FieldSpec(least=0, most=500)] = 0
    rows: Annotated[int, FieldSpec(least=0, most=500)] = 0
    cell: Annotated[int, FieldSpec(least=1, most=1000, unit="feet")] = 5
    diagonals: Literal["equal", "alternating"] = "equal"
    ground: str = ""
    heights: str = ""
    light: str = ""
    walls: tuple[Segment, ...] = ()
    windows: tuple[Segment, ...] = ()
    curtains: tuple[Segment, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    areas: tuple[Area, ...] = ()
    picture: MapPicture | None = None
    barriers: tuple[MapBarrier, ...] = ()
    doors: tuple[Door, ...] = ()
    lights: tuple[MapLight, ...] = ()
