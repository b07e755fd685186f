"""Records that a game master prepares before play: the scene, creatures, the roster, environments, countdowns.

Running a fight never changes these records; starting it creates those of `running.py` from them.
Distances are feet, times seconds, unless a name says otherwise. A `NamedNumbers` pairs names with numbers
and stands in a file as a small table.
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
OBJECT: Final = "object"  # the type of a stat block that is no creature: surroundings do nothing to it
DEFAULT_SYSTEM: Final = "a5e"  # the system of an encounter that names none


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """The encounter as a whole and the settings it is played with: the only record of its table (id `scene`).

    `options` names the table rules that differ from the system's default: an id switches one on, `not id` one
    off. `suspended` is what every combatant floats in (`water`, `sky`, `astral`, or free text); `rolling`: all
    of it moves along in one direction. `treasure` is what else than items may be found, each in a few words. `goal` is what
    the sides want of the encounter, `turning_points` what changes when, a line each.
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

    `ends` is one of `turn-start`, `turn-end` (of the target), `owner-start`, `owner-end` (of who inflicted it), `saved` (with a save like the first, as each of its turns
    ends), `world` (the environment's next turn) or `never`; `escape_dc` belongs to grapples; `break_free` names what may be spent to end it. `value` is its level;
    `degree` is the degree of success of the save (or attack) at which it applies, empty for any that isn't warded off.
    """

    condition: ConditionId
    ends: InflictedConditionEnds = "never"
    escape_dc: Dc = 0
    break_free: ResourceId = ""
    value: Natural = 0
    degree: Literal["", "critical-failure", "failure", "success", "critical-success"] = ""


class AfflictionStage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stage of a poison or another affliction: its damage, and its conditions.

    Whoever gets to it takes the damage, and again as each of its turns ends there. Conditions go with the stage, those
    that `never` end stay.
    """

    damage: DiceText = ""
    afflictions: tuple[InflictedCondition, ...] = ()


class OtherDamage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Damage that an attack deals in place of its usual: `name` says how or when, in words (`with two hands`).

    It is chosen for an attack, or by itself where the statement `when` holds (`bloodied`).
    """

    name: str
    damage: DiceText = ""
    when: Annotated[str, FieldSpec(ids=("statement",))] = ""


class FeatureStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of a feature that names what it does. One field says what, and the owner of the feature does it.

    `use` is a feature of the same stat block, or any of its melee attacks or attacks at all (`any-melee`,
    `any-attack`); `spell` one of the game's. `move` is how much of its speed it moves, by `mode`. `action` is one of
    the game's, `roll` a check; `ends` is a condition that ends on it (`any`: one of those that others have put there), `recharges` a feature of the same stat block that
    is ready again (`*`: all). `gains` is a condition that it puts on itself, with its `value`, `until` its own next turn
    starts or the present one of its own ends. `instead`: it may be done in place of the step before it. `bonus` is added
    to the attack roll of what is used; attacks made `together` count for the multiple attack penalty once all are made.
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
        """Return the fields that say what is done: one, where nothing is wrong with the step."""
        return tuple(name for name in STEP_KINDS if getattr(self, name))


STEP_KINDS: Final = ("use", "spell", "move", "action", "roll", "ends", "recharges", "gains")
ANY_MELEE, ANY_ATTACK, ALL_FEATURES = "any-melee", "any-attack", "*"
ALL_CONDITIONS, ANY_CONDITION = "*", "any"


class Feature(msgspec.Struct, frozen=True, omit_defaults=True):
    """A trait, action, bonus action, reaction, legendary or lair action of a stat block; a weapon or a spell too.

    `damage` is a dice expression with types (`1d8+3 slashing`); `recharge` is the lowest d6 face that brings it back,
    0 for none; `uses` is `per` day or the like, 0 for no limit; `reach` and `range` feet, the range `80/320` where
    there are two. `save_damage` is extra damage of a hit to a target that fails the save, `other_damage` what an
    attack may deal instead of `damage`. `attack` is the whole bonus; None leaves it to be added up from `ability`,
    proficiency (unless not `proficient`) and `magic`, and then damage adds that ability's modifier too. `properties`
    are ids that rules look for: `weapon`, `spell`, `heavy`, `thrown`, `finesse`, `two-handed`, `dual-wielding`,
    `legendary-resistance` (a use turns a failed save into a success). `half`: a successful save halves the damage.
    `afflictions` and `push` apply to targets hit or failing the save. `level` is a spell's, None for anything else;
    `attacks` is how many a multiattack gives, `multiattack` which, by feature id: one table for each variant; `price`
    how many of its cost it takes (legendary actions, actions, points), `spends` what it takes of further pools.
    `trigger` is the moment at which it comes about, if the statement `when` holds then; of others' turns only those
    `within` so many feet (0: any); who `enters` comes as near. A death or a turn's start concerns all `within`, what
    is done to its owner whoever does it. `heals` are the hit points that its owner regains, or is left with at
    `dropping`, or that the targets of a spell regain; `dc_adds`: the damage dealt joins the DC. `spares` those who have
    saved against it once, or have tried, for the rest of the encounter. `lessens` is what it takes off damage on its way, `half` or dice. `does` are
    the steps of what its owner does, at no further cost. `rules` of a trait are in force for its owner, those of what
    waits to be `attacked` for that attack. While the statement `only` isn't true, its owner is without it; `plays` is
    how it is played where not as far as it can: it `acts`, a person is asked each time, it only reminds, or it is
    mere text (`off`). Who fails the save against a feature with `stages` gets to the first of them, and goes up and down
    them by further saves as its turns end, for at most `stage_rounds` (0: no limit). `interrupts` is the ability checked by a target to keep what it has declared. `read` names the
    fields that an importer found in prose only. `short` says the text in one line, for a sheet with room for no more.
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
        """Whether it is a spell, by its level or a property."""
        return "spell" in self.properties or self.level is not None


class CreaturePhase(msgspec.Struct, frozen=True, omit_defaults=True):
    """A phase of a creature: the changes that begin at a share of its hit points, or at 0.

    It begins at `at` hundredths of its maximum; at 0 in place of what 0 hit points bring, and then it regains `hp` (0: as
    many as it had). Elsewhere 0 regains none. `creature` is the stat block that takes the place of this one, `legendary`
    how many legendary actions a round it has from then on (0: as many as before). Conditions of `ends` end on it
    (`*`: everything that others have put on it); `recharges` are features that are ready again (`*`: all). While it
    lasts, `phase:<id>` is true of the creature, so that a feature's `only` can name it. `reverts`: it is over once the
    creature has more hit points again.
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
    """A remark of a stat block on one of its numbers: `about` names the field (`speeds`), `text` is the remark."""

    about: str
    text: str


class Creature(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stat block. Saves and skills hold total bonuses, and only those that differ from the bare modifier.

    `abilities` are scores, or bare modifiers in a game without scores; a missing ability has the system's default.
    `absorptions` are damage types that heal, `mundane_immunity` is immunity to damage from nonmagical weapons,
    `mundane_resistance` resistance to it; weapons with one of the properties `mundane_except` (`silvered`, `adamantine`) hurt
    like magical ones. `gear` holds ids that rules look for (`cold-weather-gear`, `skin-covered`,
    `shield`, `heavy-armor`); `specialties` likewise (`tumbling`). `source` names where a copied creature came from. An
    indestructible object has `hp` 0. 0 stands for a number that is not given: `ac`, `level`, `proficiency`,
    `maneuver_dc`, `space` (the side in feet, where it is not the size's default). `attacks` is how many one Attack
    action gives, `extra_attack` whether a class feature gave the second. `passives` are passive scores by skill,
    `slots` spell slots by level (`1`), `legendary` legendary actions a round, `reach` that of unarmed attacks. `pools`
    are the maximums of resources of the game that are the creature's own. One of `senses` of 0 has no limit.
    `environments` are where it lives, in words; `xp` is its value where its source gives it (0: by its rating).
    `remarks` are notes on numbers, `licence` that of its text, and `read` names the fields that an importer found in
    prose only. Of a device that can be disabled, `disable` are the DCs by skill, and `disable_needs` is how many
    successes it takes. `phases` are what changes as it loses hit points, in the order in which they begin. `portrait` is a
    picture beside the encounter. `tactics` are how it fights, in a sentence or two.
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
    """A condition that lasts from one fight to the next, with its level where it has one."""

    name: str
    value: Natural = 0
    note: str = ""


class CharacterState(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a character stands between fights: hit points, what is left of its uses and levels by track, its conditions."""

    hp: Annotated[int, FieldSpec(least=-MAX_NUMBER)]
    temp_hp: Natural = 0
    dead: bool = False
    tracks: NamedNumbers = ()
    conditions: tuple[LastingCondition, ...] = ()


class RosterEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number of one creature on one side. None means "as the creature has it".

    `wave` names reinforcements that wait: they are not in the fight at its start. `positions` are grid squares
    (column, row), one a member; `place` is a description of where they stand. `outside` lists environments whose area
    they do not stand in. `sneaking`: they mean to act before the others are aware of them. `controller` and `rides`
    name other roster entries: whose turn they share and who commands them, and what they ride. `group`: they move
    and act as one. `state` is how a single character comes out of earlier fights, None for a fresh one.
    `dying` chooses death saves or death at 0 hit points, empty as the system has it;
    `bystander`: present, but not in the initiative order. `adjustment` names the variant by which they are stronger or
    weaker than their stat block, in a game that has such variants. `portrait` is a picture beside the encounter, in place of
    the creature's; `rings` are the colours of their miniatures' rings, one a member. `counts` sets `count` by the number of characters
    (`1 per character`, `1 per 2 characters`, `3: 2, 4: 3, 6: 5`) until the fight begins.
    `counts_damage`: the damage taken is shown, not the hit points left.
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
    """An ability check: ability, perhaps a skill, a DC, and what is spent to try it (`action` or nothing).

    `against` names the check that contests it, instead of a DC; `free_by` the table rule under which it costs nothing
    by itself.
    """

    ability: AbilityId
    dc: Dc = 0
    skill: SkillId = ""
    cost: ResourceId = ""
    against: str = ""
    free_by: Annotated[str, FieldSpec(kind="table-rule", ids=("waiving table rule",))] = ""


class Spawn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A creature that an environment spawns: `initiative` None rolls; `likeness` copies a random combatant's looks."""

    creature: Annotated[str, FieldSpec(kind="creature", ids=("spawned creature",))]
    name: str
    side: Side = "hostile to all"
    initiative: Bonus | None = None
    likeness: bool = False


class EnvironmentEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A standing feature or world action of an environment, with the numbers of all that it does.

    `affects` chooses its targets; `within` describes where they must be. A failed `save` (or no save at all) brings
    `damage` (a dice expression with a type), `afflictions`, `fatigue` levels, a `push` in feet. `spared` is a statement
    that cancels it (`resistant:cold`, `skin-covered`); `reduced` a statement under which `reduced_damage` is
    dealt instead. `recharge` is the lowest d6 face that brings a world action back, 0 for none.
    `once` limits it: per `turn`, or one target per `encounter`. `delay` is rounds between disturbance and effect.
    `hearing` is feet beyond which nothing quiet is heard. `per_die` adds a point for each die of that damage type;
    `sound` multiplies how far sounds carry. `ac` is what an attack must meet to bring the object down; `cost` is spent
    to use it where no check is asked; `range` is that of an object to throw. `reflects` is the highest spell level that
    it can send back (0: cantrips). `redirect`: difficult only when turning from the direction taken. `edge` applies to
    rolls of the kind `edge_on`, empty for all; `dearer` pairs actions with the points that they take more there.
    `secret`: hidden from the players until it is found. `magical`: a save against it is one against magic.
    `short` says the text in one line.
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
    """A place with standing features and world actions. `source` names the shipped environment it was copied from.

    `rating` is how dangerous the place itself is, in the game's terms (a level, a challenge rating), empty where that
    is not weighed; `complex`: in games that weigh such a danger like a creature, this is a complex one.
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
    """A pool of six-sided dice that empties when time runs out.

    `starts` is the round at whose top it begins to roll; with 0 it waits to be started by hand.
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
    """The triggers by which a wave of reinforcements arrives; its id is the `wave` of its roster entries.

    `round` is the round at whose top it arrives, 0 for none. `when` is a trigger apart from that: `half` as soon as one
    of those watched is down to half its hit points, `first-down` when the first of them falls (to 0 hit points, or
    dead), `all-down` when the last does. `who` names those watched, a roster entry or a side, empty for all that are
    not on the side of the players. A wave without triggers waits for a countdown, or for the game master.
    """

    table: ClassVar[str] = "waves"

    id: str
    round: PositiveOrNone = 0
    when: WaveTrigger = ""
    who: str = ""
    notes: Prose = ""


class Reminder(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reminder that the game master wrote, and the moment at which it is shown.

    `at` is the top of a `round`, the start or end of a turn, the moment at which somebody is down to `half` its hit
    points, `drops` to 0 or `dies`, at which a `countdown` is down to so many `dice` (0: is over), or a `wave` arrives.
    `who` names whose turn or hit points, by combatant, roster entry or side, empty for anyone. It isn't shown before
    `round`; once, unless `each_time`.
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
        """The first line of its text."""
        return next(iter(self.text.strip().splitlines()), "")


class Handout(msgspec.Struct, frozen=True, omit_defaults=True):
    """A handout for the players: a letter, a notice, a page of a book, a wanted poster, a newspaper, a telegram, a picture.

    An empty line in `text` begins another paragraph; `signed` stands below it. `headline` is the second heading: the
    name on a wanted poster, the news in a newspaper, the book's title over a page of it. `place` and `date` say where and
    when it was written. `hand` is the hand of a letter, empty for a quick one. `picture` is the name of a file in the
    folder of the encounter (PNG, JPEG, GIF or WebP), empty for none.
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
    """An item, or anything else that the characters may come to own, on a card of its own.

    `price` is in coins, in words; `uses` is how often it can be used, 0 for no limit. `secret`: what it is isn't seen at
    once, so that a first card has nothing but how it `looks`.
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
        """What the characters call it as they find it."""
        return (self.looks.strip() or "?") if self.secret else self.name.strip() or self.id


class Party(msgspec.Struct, frozen=True, omit_defaults=True):
    """Player characters that a library keeps together: their stat blocks and roster entries.

    Adding it to an encounter leaves no record of its own there. Ids of `roster` and `creatures` become those of the
    encounter, so that adding it again finds them.
    """

    table: ClassVar[str] = "parties"

    id: str
    name: str
    creatures: tuple[Creature, ...] = ()
    roster: tuple[RosterEntry, ...] = ()
    notes: Prose = ""


class Obstacle(msgspec.Struct, frozen=True, omit_defaults=True):
    """An object on the map: its upper left square, its size in squares, and the cover it gives.

    `ac` and `hp` are its own, 0 where it can't be broken; `height` is in feet, 0 for as high as the ceiling.
    `attended`: a creature holds or wears it, so that fire which spares such objects leaves it alone. `item`: a creature
    within reach can use it.
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
    """The squares of an environment or one of its features on the map: rectangles (column, row, width, height)."""

    id: str
    environment: str = ""
    feature: str = ""
    squares: tuple[Segment, ...] = ()


class MapPicture(msgspec.Struct, frozen=True, omit_defaults=True):
    """A picture that lies under the grid: a file in the folder of the encounter (PNG, JPEG or WebP).

    `at` is its upper left corner and `size` its extent, in squares; a size of 0 is the whole map's. `dim` darkens it,
    from 0 to 1. `shown` says who sees it.
    """

    file: str
    at: Place = (0.0, 0.0)
    size: Place = (0.0, 0.0)
    dim: float = 0.0
    shown: Literal["both", "narrator"] = "both"


class MapBarrier(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of walls that need not follow the grid: a polyline through points of the map.

    A wall stops movement, sight and effects, a window all but sight, a curtain sight alone, a rail movement alone. An
    object is a closed outline: what stands in it is seen, what lies beyond is not; it stops no movement.
    """

    kind: BarrierKind = "wall"
    points: tuple[Place, ...] = ()


class Door(msgspec.Struct, frozen=True, omit_defaults=True):
    """A door on the map, from point to point. Closed, it stops what its kind says; open, it stops nothing.

    A portcullis stops movement alone, a window all but sight, a curtain sight alone. A secret door is a wall to
    players until it is found.
    """

    id: str
    at: StraightLine = (0.0, 0.0, 0.0, 0.0)
    kind: DoorKind = "door"
    name: str = ""
    open: bool = False


class MapLight(msgspec.Struct, frozen=True, omit_defaults=True):
    """A light on the map: bright light within `bright` feet, dim light for `dim` feet more, 0 for as much again."""

    at: Place
    bright: Feet = 20
    dim: FeetOrNone = 0
    colour: str = ""


class Map(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """The grid (id `map`); no columns or no rows stand for playing without a grid.

    `ground`, `heights` and `light` are drawn: a line of text a row, a character a square, and what is not drawn is
    plain. Ground: `.` open, `,` difficult, `#` wall, `~` water, `^` to be climbed. Heights: `0` to `9` and `a` to `z`
    steps of `cell` feet above the floor, `A` to `Z` that many and one below it. Light: `.` clear, `:` lightly, `%`
    heavily obscured. `walls` (and `windows`, which let sight through, and `curtains`, which let all but sight) are
    segments along grid lines, from corner (column, row) to corner. `barriers` and `doors` lie anywhere; places are in
    squares from the upper left corner, in steps of 1/512.
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
