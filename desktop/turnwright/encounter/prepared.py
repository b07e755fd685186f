"""What a game master prepares before anyone rolls: the scene, creatures, the roster, environments, countdowns.

Running a fight never changes these records; starting it mints those of `running.py` from them.
Distances are feet, times seconds, unless a name says otherwise. A `Figures` pairs names with numbers
and stands in a file as a small table.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from turnwright.encounter.outcomes import Outcome

EntryKind = Literal["object", "obstacle", "area", "field"]
Affects = Literal["each", "one", "beneath", "actor", "nobody"]
Trigger = Literal["used", "touch", "turn-end", "dash", "falls", "disturbed", "rolled", "spell", "standing"]
Speed = Literal["slow", "medium", "fast"]
Strictness = Literal["off", "warn", "enforce"]
Figures = tuple[tuple[str, int], ...]
Point = tuple[int, int]


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """The one record of its table (id `scene`): what the encounter is and how the table plays it."""

    table: ClassVar[str] = "scene"

    id: str = "scene"
    title: str = ""
    system: str = "a5e"
    purpose: Literal["combat", "competition", "hazard", "chase"] = "combat"
    round_seconds: int = 6
    light: Literal["bright", "dim", "dark"] = "bright"
    strictness: Strictness = "warn"
    read_aloud: str = ""
    notes: str = ""
    conditions: str = ""
    options: tuple[str, ...] = ()


class Abilities(msgspec.Struct, frozen=True, omit_defaults=True, rename={"str_": "str", "int_": "int"}):
    """The six ability scores (not modifiers)."""

    str_: int = 10
    dex: int = 10
    con: int = 10
    int_: int = 10
    wis: int = 10
    cha: int = 10


class Feature(msgspec.Struct, frozen=True, omit_defaults=True):
    """A trait, action, bonus action, reaction or legendary action of a stat block.

    `damage` and `spare` are dice expressions with types (`1d8+3 slashing`); `recharge` is the lowest
    d6 face that brings it back, 0 for none; `uses` is per day, 0 for no limit; `reach` and `range` feet.
    """

    id: str
    name: str
    cost: Literal["trait", "action", "bonus", "reaction", "legendary", "free"] = "trait"
    attack: int | None = None
    reach: int = 0
    range: str = ""
    damage: str = ""
    save: str = ""
    dc: int = 0
    recharge: int = 0
    uses: int = 0
    text: str = ""


class Creature(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stat block. Saves and skills hold total bonuses, and only those that differ from the bare modifier.

    `mundane_immunity` is immunity to damage from nonmagical weapons. `gear` holds statements that rules ask
    about (`cold-weather-gear`, `skin-covered`). `source` says where a copied creature came from.
    """

    table: ClassVar[str] = "creatures"

    id: str
    name: str
    size: str = "medium"
    type: str = "humanoid"
    tags: tuple[str, ...] = ()
    rating: str = ""
    ac: int = 10
    ac_note: str = ""
    hp: int = 1
    hit_dice: str = ""
    speeds: Figures = (("walk", 30),)
    hovers: bool = False
    abilities: Abilities = Abilities()
    saves: Figures = ()
    skills: Figures = ()
    senses: Figures = ()
    languages: str = ""
    initiative: int | None = None
    resistances: tuple[str, ...] = ()
    vulnerabilities: tuple[str, ...] = ()
    immunities: tuple[str, ...] = ()
    mundane_immunity: bool = False
    condition_immunities: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    features: tuple[Feature, ...] = ()
    notes: str = ""
    source: str = ""


class RosterEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """So many of a creature on a side. None means "as the creature has it".

    `wave` names reinforcements that wait: they are not in the fight at its start. `positions` are grid squares
    (column, row), one a member; `place` says in words where they stand. `outside` lists environments whose area
    they do not stand in. `sneaking`: they mean to act before the others are aware of them.
    """

    table: ClassVar[str] = "roster"

    id: str
    creature: str
    name: str = ""
    count: int = 1
    side: str = "foes"
    player: str = ""
    level: int = 0
    ac: int | None = None
    hp: int | None = None
    initiative: int | None = None
    check: str = ""
    sneaking: bool = False
    hidden: bool = False
    wave: str = ""
    place: str = ""
    positions: tuple[Point, ...] = ()
    outside: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    notes: str = ""


class Save(msgspec.Struct, frozen=True, omit_defaults=True):
    """A saving throw: an ability (`dex`) and its DC."""

    ability: str
    dc: int


class Check(msgspec.Struct, frozen=True, omit_defaults=True):
    """An ability check: ability, perhaps a skill, a DC, and what is spent to try it (`action` or nothing).

    `against` names the check that contests it, instead of a DC.
    """

    ability: str
    dc: int = 0
    skill: str = ""
    cost: str = ""
    against: str = ""


class Affliction(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition that a row puts on whoever it catches, and when it ends.

    `ends` is one of `turn-start`, `turn-end` (of the one affected), `world` (the environment's next turn) or
    `never`; `escape_dc` belongs to grapples; `break_free` names what may be spent to end it.
    """

    condition: str
    ends: Literal["turn-start", "turn-end", "world", "never"] = "never"
    escape_dc: int = 0
    break_free: str = ""


class Spawn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A creature that an environment brings in: `initiative` None rolls; `likeness` copies a random one's looks."""

    creature: str
    name: str
    side: str = "hostile to all"
    initiative: int | None = None
    likeness: bool = False


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One row of an environment: a standing feature, or a world action. Everything it does stands in it as figures.

    `affects` says who; `within` in words where they must be. `save` failed (or no save at all) brings `damage`
    (a dice expression with a type), `afflictions`, `fatigue` levels, a `push` in feet. `spared` is a statement
    that cancels it (`resistant:cold`, `skin-covered`); `reduced` a statement under which `reduced_damage` is
    dealt instead. `recharge` is the lowest d6 face that brings a world action back, 0 for none.
    `once` limits it: per `turn`, or one target per `encounter`. `delay` is rounds between disturbance and effect.
    `hearing` is feet beyond which nothing quiet is heard. `per_die` adds a point for each die of that damage type;
    `sound` multiplies how far sounds carry. `ac` is what an attack must meet to bring the thing down; `cost` is spent
    to use it where no check is asked; `range` is that of a thing to throw. `reflects` is the highest spell level that
    it can send back (0: cantrips). `redirect`: difficult only for whoever turns from the direction taken.
    """

    id: str
    name: str
    kind: EntryKind | None = None
    enabled: bool = True
    trigger: Trigger = "used"
    affects: Affects = "nobody"
    within: str = ""
    size: str = ""
    cost: str = ""
    ac: int = 0
    save: Save | None = None
    check: Check | None = None
    damage: str = ""
    spared: tuple[str, ...] = ()
    reduced: str = ""
    reduced_damage: str = ""
    afflictions: tuple[Affliction, ...] = ()
    fatigue: int = 0
    push: int = 0
    teleport: int = 0
    recharge: int = 0
    once: Literal["", "turn", "encounter"] = ""
    delay: int = 0
    spawn: Spawn | None = None
    breaks: bool = False
    reflects: int | None = None
    terrain: Literal["", "difficult"] = ""
    redirect: bool = False
    obscured: Literal["", "lightly", "heavily"] = ""
    cover: Literal["", "half", "three-quarters", "total"] = ""
    cover_when: str = ""
    hearing: int = 0
    sound: int = 1
    per_die: str = ""
    range: str = ""
    text: str = ""
    rules: tuple[str, ...] = ()


class Environment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place with standing features and world actions. `source` names the shipped environment it was copied from."""

    table: ClassVar[str] = "environments"

    id: str
    name: str
    description: str = ""
    size: str = ""
    features: tuple[Entry, ...] = ()
    actions: tuple[Entry, ...] = ()
    source: str = ""
    notes: str = ""


class Countdown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A pool of six-sided dice that empties when time runs out.

    `starts` is the round at whose top it begins to roll; 0 waits until somebody starts it.
    """

    table: ClassVar[str] = "countdowns"

    id: str
    name: str
    dice: int = 4
    speed: Speed = "slow"
    starts: int = 1
    unstoppable: bool = False
    secret: bool = False
    outcomes: tuple[Outcome, ...] = ()
    notes: str = ""
