"""Records of a running fight: combatants, their tracks and effects, the turn order, pools, the clock, and the dice.

Everything that a step can change is a record here. Undo, saving and recovery therefore need nothing else.
"""

from typing import Annotated, ClassVar, Final, Literal

import msgspec

from turnwright.encounter import data_rules, field_specs, prepared

Phase = Literal["preparing", "set-up", "rounds", "ended"]
SetupStep = Literal["", "scene", "surprise", "initiative"]
DiceMode = Literal["ask", "roll", "script"]
AreaMoment = Literal["", "entering", "turn-start", "turn-end"]
AreaLight = Literal["", "dark", "dim", "bright"]
Obscurity = Literal["", "lightly", "heavily"]
EndMoment = Literal[
    "never", "turn-start", "turn-end", "turn", "world", "encounter", "owner-gone", "hurt", "harmed", "hurt-save",
    "saved-hurt", "saved-unseen", "attacks", "opposes", "affects", "rest", "long-rest",
]  # fmt: skip


class GuestCreature(prepared.Creature, frozen=True, omit_defaults=True):
    """The stat block of a combatant that joined a running fight, which doesn't change prepared creatures."""

    table: ClassVar[str] = "guest_creatures"


class Combatant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A combatant. AC, speed and bonuses are computed from `creature` and effects when needed.

    `initiative` is the check's total, or None if it is unknown. `check` is `ability` or `ability:skill`. `edge` is the
    advantage or disadvantage on initiative set by the game master. `turns_ended` counts turns. `elevation` is in feet
    above the map's level 0. `rides` is the mount, and `controlled` whether it obeys. `controller` is the combatant who
    commands it and whose turn it shares. Members of a `group` move and act together. `first_actor`: it started the
    hostilities. `supplied_numbers` are numbers that the game master entered because the stat block doesn't have them
    (`passive.perception`, `maneuver-dc`). `phases` are the ids of its phases that have begun. `ring` is the ring colour
    of its miniature, and `portrait` is an image file next to the encounter that replaces the creature's. `hp_base` is
    the hit point maximum without the effects that change it, or 0 if none does. `temp_from` names the effect that gave
    the temporary hit points, which end with it. `role` is that of its roster entry at the start of the fight.
    """

    table: ClassVar[str] = "combatants"

    id: str
    creature: str
    label: str
    side: str
    roster: str = ""
    hp: Annotated[int, field_specs.FieldSpec(least=-field_specs.MAX_NUMBER)] = 0
    hp_max: field_specs.Natural = 0
    temp_hp: field_specs.Natural = 0
    ac: int | None = None
    initiative: field_specs.Signed | None = None
    initiative_bonus: int | None = None
    check: str = ""
    edge: Literal["", "advantage", "disadvantage"] = ""
    sneaking: bool = False
    hidden: bool = False
    dead: bool = False
    player: str = ""
    place: str = ""
    position: prepared.Point | None = None
    outside: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    plan: str = ""
    turns_ended: int = 0
    elevation: field_specs.SignedFeet = 0
    rides: str = ""
    controlled: bool = False
    controller: str = ""
    group: str = ""
    dying: prepared.DyingMode = ""
    bystander: bool = False
    first_actor: bool = False
    supplied_numbers: prepared.NamedNumbers = ()
    phases: tuple[str, ...] = ()
    ring: prepared.TokenRing = ""
    portrait: str = ""
    counts_damage: bool = False
    hp_base: field_specs.Natural = 0
    temp_from: str = ""
    role: prepared.Role = ""


class Track(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number that belongs to a combatant, such as actions, feet moved or fatigue. A `maximum` of 0 means no limit."""

    table: ClassVar[str] = "tracks"

    id: str
    owner: str
    name: str
    value: field_specs.Natural = 0
    maximum: int = 0


USES: Final = "uses."  # the beginning of the names of tracks for uses of features
SLOTS: Final = "slots."  # and for spell slots of a level


def track_id(who: str, name: str) -> str:
    """Return the id of a combatant's `Track` by name."""
    return f"{who}.{name}"


class Duration(msgspec.Struct, frozen=True, omit_defaults=True):
    """The moment when an effect ends, and whose turn it depends on (a combatant or environment id, or empty).

    `skip` is the number of such moments to skip. During a combatant's own turn, "its next turn" skips one.
    """

    moment: EndMoment = "never"
    who: str = ""
    skip: field_specs.Natural = 0


class Effect(msgspec.Struct, frozen=True, omit_defaults=True):
    """An effect on a target: a condition by its id, or a mark that only rules use (`shown` False).

    `target` is a combatant id, or empty for the whole field. `value` is a level, a DC or feet, depending on the name.
    `by` is the combatant who caused the effect or whom it refers to, such as an enemy it is hidden from or the ally it
    helps. `uses_left` is the number of rolls until it is used up (0: no limit). It ends when `concentrator` stops
    concentrating. `damage` is persistent damage (`5 fire`), and `end_condition` describes how the effect ends. `note`
    is a reminder that replaces the condition's text. `since_round` is the round in which it began, stored if it is
    repeated each round. `rounds_left` is the number of rounds that it still lasts (0: not counted). It decreases at the
    start of each turn of its creator (`by`), or at the end of each turn of its target (`counted_on`). A `sustained`
    effect ends with its creator's turn unless it is sustained. `save` is the ability of the target's save against `dc`
    at the end of each of its turns (an affliction). `reminder_at` is the moment of its target's turn at which its note
    is shown. It ends with the effect named `bound_to` that has the same target and creator.
    If its creator was removed, its rounds count on the turns of `counts` instead. `escape` is the check against `value`
    that ends it. `rules` belong to the effect itself, not to its condition, and `level` is that
    of the spell which left it, or the number of attacks before a readied one. The target has the feature that it `leaves`. The condition `after` follows its
    end, until the end of the target's next turn. Until it ends, its target can't use the feature `rests`.
    `wakes` is the resource with which a creature next to the target can end it. `damage_at` is the moment of its
    damage, if it isn't the end of the target's turn.
    """

    table: ClassVar[str] = "effects"

    id: str
    target: str
    name: str
    source: str = ""
    value: field_specs.Signed = 0
    ends: Duration = Duration()
    break_free: str = ""
    shown: bool = True
    by: str = ""
    uses_left: field_specs.Natural = 0
    concentrator: str = ""
    damage: field_specs.DiceText = ""
    end_condition: str = ""
    note: str = ""
    since_round: int = 0
    rounds_left: field_specs.Natural = 0
    counted_on: Literal["creator", "affected"] = "creator"
    sustained: bool = False
    save: str = ""
    dc: field_specs.Natural = 0
    reminder_at: Literal["", "turn-start", "turn-end"] = ""
    bound_to: str = ""
    counts: str = ""
    escape: str = ""
    rules: tuple[data_rules.DataRule, ...] = ()
    level: field_specs.Natural = 0
    leaves: prepared.LeftFeature | None = None
    rests: str = ""
    wakes: str = ""
    damage_at: Literal["", "turn-start", "owner-start", "owner-end", "failed-save"] = ""
    after: str = ""


class Relation(msgspec.Struct, frozen=True, omit_defaults=True):
    """The relation of one combatant to another, if no grid determines it (id `who>other`). None means unknown.

    `distance` is in feet. `height` is the number of feet by which `who` is above `other`. `cover` is the cover of
    `other` against `who`. `seen`: `who` sees `other`. `flanked`: `who` flanks `other`. `reached`: `other` is within the
    reach of `who`. If the distance is unknown, it is at most `within` and more than `beyond` feet.

    On a grid, a relation overrides the squares until one of the two moves. Without a grid, distances become unknown
    after a move, but sight and height don't.
    """

    table: ClassVar[str] = "relations"

    id: str
    who: str
    other: str
    distance: field_specs.Feet | None = None
    height: field_specs.SignedFeet | None = None
    cover: prepared.CoverLevel = ""
    seen: bool | None = None
    flanked: bool | None = None
    reached: bool | None = None
    within: field_specs.Feet | None = None
    beyond: field_specs.Feet | None = None


def relation_id(who: str, other: str) -> str:
    """Return the id of the `Relation` of one combatant to another."""
    return f"{who}>{other}"


class Slot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place in the initiative order: its count, its members, and tie rolls (highest first).

    `fixed` counts were set instead of rolled, and act before rolled ones with the same count. A `first_actor` acts
    before all others. `joined_to` is the slot whose turn this one shares. `delay`: its turn is delayed (`waiting`), or
    it has returned (`back`) and the effects of its turn's end have been applied.
    """

    table: ClassVar[str] = "slots"

    id: str
    count: field_specs.Signed
    members: tuple[str, ...]
    tie_rolls: tuple[int, ...] = ()
    fixed: bool = False
    first_actor: bool = False
    joined_to: str = ""
    acted: bool = False
    delay: Literal["", "waiting", "back"] = ""


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """The encounter's phase, round and active turn (id `clock`).

    `active` is the active slot, or empty during the world's turn. `elapsed_seconds` is the game time of completed
    rounds. `end_declined`: the turn continues although nothing is left to spend.
    """

    table: ClassVar[str] = "clock"

    id: str = "clock"
    phase: Phase = "preparing"
    setup_step: SetupStep = ""
    surprise_settled: bool = False
    round: field_specs.Natural = 0
    active: str = ""
    elapsed_seconds: int = 0
    reason: str = ""
    end_declined: bool = False


class Dice(msgspec.Struct, frozen=True, omit_defaults=True):
    """The source of faces (id `dice`). The n-th random face only depends on seed and counter.

    In mode `ask`, the user enters all results. `roll` rolls automatically. `script` uses the listed faces in order, and
    then asks.
    """

    table: ClassVar[str] = "dice"

    id: str = "dice"
    seed: int = 0
    counter: int = 0
    mode: DiceMode = "ask"
    script: tuple[int, ...] = ()


class IdCounter(msgspec.Struct, frozen=True, omit_defaults=True):
    """The number in the next new id (id `ids`). It is part of the state, so redo creates the same ids."""

    table: ClassVar[str] = "ids"

    id: str = "ids"
    next: field_specs.Positive = 1


class CountdownPool(msgspec.Struct, frozen=True, omit_defaults=True):
    """The pool of a started countdown: the dice left, and the last faces rolled, including removed dice."""

    table: ClassVar[str] = "pools"

    id: str
    countdown: str
    dice: field_specs.Hundred
    status: Literal["waiting", "running", "stopped", "expired"] = "running"
    last_faces: tuple[int, ...] = ()
    rolls: int = 0
    unstoppable: bool = False


class ArrivedWave(msgspec.Struct, frozen=True, omit_defaults=True):
    """A wave that has arrived. It has the wave's id. `round` is the round of its last arrival."""

    table: ClassVar[str] = "arrived_waves"

    id: str
    round: int = 0


class EntryState(msgspec.Struct, frozen=True, omit_defaults=True):
    """The running state of an environment entry. Its id is `environment.entry`.

    `ready` False means used and not recharged. `recharge_rolled` is the round of its last recharge roll. `due_round` is
    the round in which a disturbed entry takes effect (0: none). `revealed`: it is no longer secret.
    """

    table: ClassVar[str] = "entry_states"

    id: str
    environment: str
    entry: str
    ready: bool = True
    recharge_rolled: int = 0
    targeted: tuple[str, ...] = ()
    broken: bool = False
    due_round: int = 0
    revealed: bool = False


class ObstacleState(msgspec.Struct, frozen=True, omit_defaults=True):
    """The running state of an obstacle on the map. It has the obstacle's id.

    If `hp` is None, the obstacle has its prepared hit points.
    """

    table: ClassVar[str] = "obstacle_states"

    id: str
    hp: field_specs.Natural | None = None
    broken: bool = False
    burning: bool = False


class InitialForecast(msgspec.Struct, frozen=True, omit_defaults=True):
    """The forecast of the fight at its start (id `initial`).

    `won` is the party's chance of victory in percent, `rounds` is the mean number of rounds in tenths, and `falls` is
    each party member's chance of falling in percent.
    """

    table: ClassVar[str] = "forecasts"

    id: str = "initial"
    won: field_specs.Hundred = 0
    rounds: field_specs.Natural = 0
    falls: prepared.NamedNumbers = ()


class Snapshot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named state of the fight that can be restored. It has the round and step, and the packed records."""

    table: ClassVar[str] = "snapshots"

    id: str
    name: str
    round: int = 0
    serial: int = 0
    state: str = ""


class ShapeChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """The original form of a combatant in another shape. It has the combatant's id.

    The combatant returns to this form at 0 hit points. `kept`: the hit points stay the same in the shape.
    """

    table: ClassVar[str] = "shapes"

    id: str
    creature: str
    hp: Annotated[int, field_specs.FieldSpec(least=-field_specs.MAX_NUMBER)] = 0
    hp_max: field_specs.Natural = 0
    phases: tuple[str, ...] = ()
    kept: bool = False


class ReminderShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reminder that was shown, most recently in this `round`. It has the reminder's id."""

    table: ClassVar[str] = "reminders_shown"

    id: str
    round: int = 0


class DoorState(msgspec.Struct, frozen=True, omit_defaults=True):
    """The running state of a door on the map. It has the door's id. `found`: a secret door has been found."""

    table: ClassVar[str] = "door_states"

    id: str
    open: bool = False
    found: bool = False


class Fog(msgspec.Struct, frozen=True, omit_defaults=True):
    """The part of the map that players see. Without this record, they see the whole map.

    `squares` has a line of text per row and a character per square. `+` is shown, `-` was shown before, and `.` or a
    missing character is hidden.
    """

    table: ClassVar[str] = "fog"

    id: str = "fog"
    squares: str = ""


class LastingArea(msgspec.Struct, frozen=True, omit_defaults=True):
    """A lasting area on the map, such as a cloud, a wall of fire or an aura.

    `squares` are rectangles (column, row, width, height). An area with a `radius` moves with its `owner` instead, and
    extends this many feet from every side of the owner's space. It ends with the effect `effect`, and after the round
    `last_round` (0: no limit). `reminds` is the moment of a reminder: when a combatant enters the area, or starts or
    ends a turn in it. A `hidden` area isn't shown to players. `light` is its light: `dim` and `bright` raise the light
    on its squares (a bright area that moves with its owner adds dim light to twice the radius), and `dark` removes all
    light. A `difficult` area is difficult terrain, but not for the owner it moves with. `obscured` areas hinder sight.
    The `rules` apply to the combatants in it, and the `sections` are those of a wall. An `outside` area is next to one:
    creatures don't enter the wall in it. `level` is the level at which its spell was cast.
    """

    table: ClassVar[str] = "lasting_areas"

    id: str
    name: str
    owner: str = ""
    squares: tuple[tuple[int, int, int, int], ...] = ()
    radius: field_specs.Natural = 0
    effect: str = ""
    last_round: field_specs.Natural = 0
    reminds: AreaMoment = ""
    hidden: bool = False
    light: AreaLight = ""
    difficult: bool = False
    obscured: Obscurity = ""
    rules: tuple[data_rules.DataRule, ...] = ()
    sections: tuple[prepared.Obstacle, ...] = ()
    outside: bool = False
    level: field_specs.Natural = 0


class Award(msgspec.Struct, frozen=True, omit_defaults=True):
    """An award after the fight: experience, treasure or a milestone.

    `what` is a note, or the treasure by the name that players know. `xp` is the experience of each combatant in `who`.
    `counted` are the labels of the enemies it was awarded for, and `at` is the local time, if known.
    """

    table: ClassVar[str] = "awards"

    id: str
    kind: prepared.AwardKind = "xp"
    what: str = ""
    xp: field_specs.Natural = 0
    who: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    at: str = ""


class KnownName(msgspec.Struct, frozen=True, omit_defaults=True):
    """A name known to players. Its id is the id of a combatant, or `kind_id` for all combatants of a creature.

    `shown_as` is the name that players know, or empty if they know the real name.
    """

    table: ClassVar[str] = "known_names"

    id: str
    shown_as: str = ""


class GivenNumber(msgspec.Struct, frozen=True, omit_defaults=True):
    """The number by which players know a combatant with a given name. It is never reused for another combatant.

    Its id is the combatant's and the name.
    """

    table: ClassVar[str] = "given_numbers"

    id: str
    combatant: str
    name: str
    number: field_specs.Positive


class SeenDoor(msgspec.Struct, frozen=True, omit_defaults=True):
    """The state of a door when players last saw it. It has the door's id. `found`: they know that it is a door."""

    table: ClassVar[str] = "seen_doors"

    id: str
    open: bool = False
    found: bool = False


def kind_id(creature: str) -> str:
    """Return the id of the `KnownName` for all combatants of a creature."""
    return f"all.{creature}"


def entry_state_id(environment: str, entry: str) -> str:
    """Return the id of the `EntryState` of an environment entry."""
    return f"{environment}.{entry}"
