"""Records of a running fight: combatants, their tracks and effects, the order, pools, the clock, and the dice.

Every piece of state that a step may change is a record here, so that undo, saving and recovery need no other path.
"""

from typing import Annotated, ClassVar, Literal

import msgspec

from turnwright.encounter.field_specs import (
    MAX_NUMBER,
    DiceText,
    Feet,
    FieldSpec,
    Hundred,
    Natural,
    Positive,
    Signed,
    SignedFeet,
)
from turnwright.encounter.prepared import CoverLevel, Creature, DyingMode, NamedNumbers, Point, TokenRing

Phase = Literal["preparing", "set-up", "rounds", "ended"]
SetupStep = Literal["", "scene", "surprise", "initiative"]
DiceMode = Literal["ask", "roll", "script"]
AreaMoment = Literal["", "entering", "turn-start", "turn-end"]
AreaLight = Literal["", "dark", "dim", "bright"]
EndMoment = Literal["never", "turn-start", "turn-end", "turn", "world", "encounter"]


class GuestCreature(Creature, frozen=True, omit_defaults=True):
    """The stat block of a combatant that joined a running fight; the prepared creatures stay as they are."""

    table: ClassVar[str] = "visitors"


class Combatant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A combatant. AC, speed and bonuses are worked out from `creature` and effects when asked.

    `initiative` is the check's total, None until known; `check` is `ability` or `ability:skill`. `edge` is advantage or
    disadvantage on initiative by the game master's ruling. `turns_ended` counts turns ended. `elevation` is feet above
    the map's level 0. `rides` is the mount, `controlled` whether it obeys; `controller` the combatant whose turn they
    share and who commands them; those of one `group` move and act as one. `first_actor`: they opened hostilities.
    `supplied_numbers` holds those that a person entered where the stat block has none (`passive.perception`,
    `maneuver-dc`). `phases` are the ids of the phases of its stat block that have begun. `ring` is the
    colour of its miniature's ring, `portrait` a picture beside the encounter in place of its creature's.
    """

    table: ClassVar[str] = "combatants"

    id: str
    creature: str
    label: str
    side: str
    roster: str = ""
    hp: Annotated[int, FieldSpec(least=-MAX_NUMBER)] = 0
    hp_max: Natural = 0
    temp_hp: Natural = 0
    ac: int | None = None
    initiative: Signed | None = None
    initiative_bonus: int | None = None
    check: str = ""
    edge: Literal["", "advantage", "disadvantage"] = ""
    sneaking: bool = False
    hidden: bool = False
    dead: bool = False
    player: str = ""
    place: str = ""
    position: Point | None = None
    outside: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    plan: str = ""
    turns_ended: int = 0
    elevation: SignedFeet = 0
    rides: str = ""
    controlled: bool = False
    controller: str = ""
    group: str = ""
    dying: DyingMode = ""
    bystander: bool = False
    first_actor: bool = False
    supplied_numbers: NamedNumbers = ()
    phases: tuple[str, ...] = ()
    ring: TokenRing = ""
    portrait: str = ""
    counts_damage: bool = False


class Track(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number that a system keeps for a combatant: an action, feet moved, fatigue. `maximum` 0 means no limit."""

    table: ClassVar[str] = "tracks"

    id: str
    owner: str
    name: str
    value: Natural = 0
    maximum: int = 0


def track_id(who: str, name: str) -> str:
    """Return the id of a combatant's `Track` of this name."""
    return f"{who}.{name}"


class Duration(msgspec.Struct, frozen=True, omit_defaults=True):
    """When an effect ends: a moment, and whose turn it hangs on (a combatant or environment id, or empty).

    `skip` is how many such moments pass first: "its next turn", from a turn of its own, skips one.
    """

    moment: EndMoment = "never"
    who: str = ""
    skip: Natural = 0


class Effect(msgspec.Struct, frozen=True, omit_defaults=True):
    """An effect on a target: a condition by its id, or a mark that only a rule reads (`shown` False).

    `target` is a combatant id, or empty for the whole field. `value` is a level, a DC or feet, by name. `by` is the
    combatant it comes from or is about: the presser, the creature hidden from, the target of a helper's help.
    `uses_left` is how many rolls it serves before it is used up, 0 for no limit. `concentrator` must go on
    concentrating for it to last. `damage` is persistent damage (`5 fire`), `end_condition` describes what ends it;
    `note` is a reminder that replaces the condition's own text. `since_round` is the round in which it began, kept
    where each round reminds of it. `rounds_left` is how many it still lasts, 0 for no count: one fewer as each turn of
    its creator (`by`) starts, or as each of its target's ends (`counted_on`). A `sustained` effect ends with its
    creator's turn unless it is sustained. `save` is what its target makes against `dc` as each of its turns ends (an
    affliction), `reminder_at` the moment of its target's turn at which its note is shown.
    """

    table: ClassVar[str] = "effects"

    id: str
    target: str
    name: str
    source: str = ""
    value: Signed = 0
    ends: Duration = Duration()
    break_free: str = ""
    shown: bool = True
    by: str = ""
    uses_left: Natural = 0
    concentrator: str = ""
    damage: DiceText = ""
    end_condition: str = ""
    note: str = ""
    since_round: int = 0
    rounds_left: Natural = 0
    counted_on: Literal["creator", "affected"] = "creator"
    sustained: bool = False
    save: str = ""
    dc: Natural = 0
    reminder_at: Literal["", "turn-start", "turn-end"] = ""


class Relation(msgspec.Struct, frozen=True, omit_defaults=True):
    """How one combatant stands to another, where no grid gives it (id `who>other`). None: not known.

    `distance` is in feet; `height` is how many feet `who` is above `other`; `cover` is what `other` has against `who`;
    `seen`: whether `who` sees `other`; `flanked`: whether `who` flanks `other`; `reached`: whether `other` stands
    within the reach of `who`. Where feet are not known, `within` are so many that they are not farther apart, `beyond` so
    many that they are. On a grid, a relation overrules what the squares give. It holds until one of the two
    moves: then the squares give all of it anew; without a grid what goes by feet is open again, sight and height are
    not.
    """

    table: ClassVar[str] = "relations"

    id: str
    who: str
    other: str
    distance: Feet | None = None
    height: SignedFeet | None = None
    cover: CoverLevel = ""
    seen: bool | None = None
    flanked: bool | None = None
    reached: bool | None = None
    within: Feet | None = None
    beyond: Feet | None = None


def relation_id(who: str, other: str) -> str:
    """Return the id of the `Relation` of one combatant to another."""
    return f"{who}>{other}"


class Slot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place in the initiative order: its count, the members who act in it, and tie rolls (highest first).

    `fixed` counts were given, not rolled, and act before rolled ones of the same count; a `first_actor` acts before all
    others. `joined_to` is the slot in whose turn this one acts. `delay`: its turn is put off (`waiting`), or it has come
    `back` in, and what its end brings has happened already.
    """

    table: ClassVar[str] = "slots"

    id: str
    count: Signed
    members: tuple[str, ...]
    tie_rolls: tuple[int, ...] = ()
    fixed: bool = False
    first_actor: bool = False
    joined_to: str = ""
    acted: bool = False
    delay: Literal["", "waiting", "back"] = ""


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """The encounter's phase, round and active turn (id `clock`).

    `active` is the slot whose turn it is, empty at the world's step. `elapsed_seconds` is game time in rounds that have
    ended. `end_declined`: the turn goes on although nothing is left to spend on it.
    """

    table: ClassVar[str] = "clock"

    id: str = "clock"
    phase: Phase = "preparing"
    setup_step: SetupStep = ""
    surprise_settled: bool = False
    round: Natural = 0
    active: str = ""
    elapsed_seconds: int = 0
    reason: str = ""
    end_declined: bool = False


class Dice(msgspec.Struct, frozen=True, omit_defaults=True):
    """The source of faces (id `dice`). The n-th random face is a function of seed and counter alone.

    `ask` leaves every roll to a person, `roll` answers by itself, `script` takes the faces listed, in order,
    and asks when they run out.
    """

    table: ClassVar[str] = "dice"

    id: str = "dice"
    seed: int = 0
    counter: int = 0
    mode: DiceMode = "ask"
    script: tuple[int, ...] = ()


class IdCounter(msgspec.Struct, frozen=True, omit_defaults=True):
    """The number in the next created id (id `ids`); state, so that redo creates the same ids."""

    table: ClassVar[str] = "ids"

    id: str = "ids"
    next: Positive = 1


class CountdownPool(msgspec.Struct, frozen=True, omit_defaults=True):
    """The pool of a started countdown: dice left, and the last faces rolled, those of removed dice included."""

    table: ClassVar[str] = "pools"

    id: str
    countdown: str
    dice: Hundred
    status: Literal["waiting", "running", "stopped", "expired"] = "running"
    last_faces: tuple[int, ...] = ()
    rolls: int = 0
    unstoppable: bool = False


class WaveArrived(msgspec.Struct, frozen=True, omit_defaults=True):
    """A wave that has arrived; its id is the wave's. `round` is that of its last arrival."""

    table: ClassVar[str] = "arrivals"

    id: str
    round: int = 0


class EntryState(msgspec.Struct, frozen=True, omit_defaults=True):
    """The running state of an environment entry; its id is `environment.entry`.

    `ready` False means spent and waiting to recharge; `recharge_rolled` is the round of its last recharge roll;
    `due_round` is the round in which the entry, once disturbed, takes effect, 0 for none. `revealed`: it is secret no
    more.
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
    """The running state of an obstacle on the map; its id is the obstacle's. `hp` None: as it was prepared."""

    table: ClassVar[str] = "thing_states"

    id: str
    hp: Natural | None = None
    broken: bool = False
    burning: bool = False


class ForeseenFight(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a forecast of its start said of the fight (id `foreseen`).

    `won` is how often of a hundred times the party wins, `rounds` the mean of the rounds in tenths, `falls` how often of a
    hundred times each combatant of the party falls.
    """

    table: ClassVar[str] = "foreseen"

    id: str = "foreseen"
    won: Hundred = 0
    rounds: Natural = 0
    falls: NamedNumbers = ()


class Snapshot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named state of the fight to go back to: when it was taken, by round and step, and its records, packed."""

    table: ClassVar[str] = "snapshots"

    id: str
    name: str
    round: int = 0
    serial: int = 0
    state: str = ""


class ShapeChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a combatant in a shape with hit points of its own goes back to at 0; its id is the combatant's."""

    table: ClassVar[str] = "shapes"

    id: str
    creature: str
    hp: Annotated[int, FieldSpec(least=-MAX_NUMBER)] = 0
    hp_max: Natural = 0
    phases: tuple[str, ...] = ()


class ReminderShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reminder that has been shown, last in this `round`; its id is the reminder's."""

    table: ClassVar[str] = "reminders_shown"

    id: str
    round: int = 0


class DoorState(msgspec.Struct, frozen=True, omit_defaults=True):
    """The running state of a door on the map; its id is the door's. `found`: a secret door that is secret no more."""

    table: ClassVar[str] = "door_states"

    id: str
    open: bool = False
    found: bool = False


class Fog(msgspec.Struct, frozen=True, omit_defaults=True):
    """What players see of the map; without this record, all of it.

    `squares` is drawn: a line of text a row, a character a square. `+` is shown, `-` was shown before, and `.`, as all
    that isn't drawn, is hidden.
    """

    table: ClassVar[str] = "fog"

    id: str = "fog"
    squares: str = ""


class LastingArea(msgspec.Struct, frozen=True, omit_defaults=True):
    """An area that lasts on the map: a cloud, a wall of fire, an aura.

    `squares` are rectangles (column, row, width, height). One with a `radius` goes with its `owner` instead: out from every side of
    their space, so many feet. It ends with the effect that `effect` names, and after the round `last_round` (0 for none). `reminds` is
    the moment at which it is to be thought of: as a combatant comes in, or starts or ends a turn there. Players see none that is `hidden`.

    `light` is what it gives: `dim` and `bright` raise the light on its squares, bright that goes with its owner to dim as far again;
    `dark` puts out all light on them. One that is `difficult` makes its squares difficult ground, but not for the owner it goes with.
    """

    table: ClassVar[str] = "lasting_areas"

    id: str
    name: str
    owner: str = ""
    squares: tuple[tuple[int, int, int, int], ...] = ()
    radius: Natural = 0
    effect: str = ""
    last_round: Natural = 0
    reminds: AreaMoment = ""
    hidden: bool = False
    light: AreaLight = ""
    difficult: bool = False


class KnownName(msgspec.Struct, frozen=True, omit_defaults=True):
    """A name that players know; its id is that of a combatant, or `kind_id` for all of a creature.

    `shown_as` is the name they know it by, empty for its own.
    """

    table: ClassVar[str] = "known_names"

    id: str
    shown_as: str = ""


def kind_id(creature: str) -> str:
    """Return the id of the `KnownName` of all combatants of a creature."""
    return f"all.{creature}"


def entry_state_id(environment: str, entry: str) -> str:
    """Return the id of the `EntryState` of an environment entry."""
    return f"{environment}.{entry}"
