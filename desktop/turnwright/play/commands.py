"""What someone wants: one frozen record a command, imperative. Handlers carry them out; nothing here acts.

Ids are those of records. A command that names several targets acts on all or none.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.dice.roll import Modifier
from turnwright.encounter.prepared import Creature, Feature, Grade, Point, RosterEntry
from turnwright.encounter.running import DiceMode, Ends
from turnwright.encounter.state import Key, Record

Share = Literal["full", "half", "double"]
Purpose = Literal["", "off-hand", "opportunity", "readied", "commanded", "legendary", "free"]


class Command(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Base of all commands; the tag is the class name."""


# Preparing -------------------------------------------------------------------------------------------------


class Add(Command, frozen=True):
    """Put prepared records into the encounter, each after the others of its table; ids must be new."""

    records: tuple[Record, ...]


class Edit(Command, frozen=True):
    """Replace one prepared record by an edited one of the same id. Edits with the same `merge` make one step."""

    record: Record
    merge: str = ""


class Remove(Command, frozen=True):
    """Take prepared records out."""

    keys: tuple[Key, ...]


class Rearrange(Command, frozen=True):
    """Move a prepared record to another place in its table (an index)."""

    key: Key
    place: int


class AddToEncounter(Command, frozen=True):
    """Bring creatures in: the creature if it is new, and a roster entry for so many. Mid-fight they join it."""

    creature: Creature
    entry: RosterEntry


# The encounter's course --------------------------------------------------------------------------------------


class StartEncounter(Command, frozen=True):
    """Open the set-up phase: mint combatants, order, pools and the world's state from what was prepared."""

    reason: str = ""


class AdvanceSetup(Command, frozen=True):
    """Go on to the next step of set-up; from initiative on to round 1."""


class EndEncounter(Command, frozen=True):
    """Close turn-based play; nobody has to have won."""


class ResetToPrepared(Command, frozen=True):
    """Throw away all that running has made and stand before the start again."""


class EndTurn(Command, frozen=True):
    """End the active turn. Anything unspent may stay unspent."""


class GoToTurn(Command, frozen=True):
    """Make a slot active by hand, out of order."""

    slot: str


class Rest(Command, frozen=True):
    """Finish a rest with everyone present; `haven`: at a place where the weary truly recover."""

    length: Literal["short", "long"]
    haven: bool = False


# Set-up --------------------------------------------------------------------------------------------------------


class MarkSneaking(Command, frozen=True):
    """Say who means to act before the others are aware of them."""

    who: tuple[str, ...]
    sneaking: bool = True


class CallForChecks(Command, frozen=True):
    """Ask for an ability check (`dex:stealth`, `wis:perception`, `dex`) from each; `surprise` keeps the totals.

    `task` says in words what it is for: whoever is helped with that has the help. `tags` say it for the rules
    (`leap-off`, `throw-rider`); `dc` is what it is held against, 0 for nothing.
    """

    who: tuple[str, ...]
    check: str
    purpose: Literal["", "surprise"] = ""
    task: str = ""
    tags: tuple[str, ...] = ()
    dc: int = 0


class SetSurprised(Command, frozen=True):
    """Say who is surprised: exactly those named."""

    who: tuple[str, ...]


class SuddenAction(Command, frozen=True):
    """Everyone is aware and one side acts at once: nobody is surprised; `advantage` names who rolls with it."""

    advantage: tuple[str, ...] = ()


class SetInitiativeCheck(Command, frozen=True):
    """Name the check (`str:athletics`) and the edge on it that each rolls for initiative. Empty: the usual one."""

    who: tuple[str, ...]
    check: str = ""
    edge: Literal["", "advantage", "disadvantage"] = ""


class SetInitiative(Command, frozen=True):
    """Enter initiative totals by hand: pairs of combatant and total."""

    totals: tuple[tuple[str, int], ...]


class RollInitiative(Command, frozen=True):
    """Ask initiative of all who have no total yet."""


# Turns ---------------------------------------------------------------------------------------------------------


class TakeAction(Command, frozen=True):
    """Do one of the system's actions (`dash`, `dodge`, …), or anything, for its cost. Out of turn: a reaction.

    `targets` are whom it is done to or for, `cost` the one chosen where there are several, `choice` an option of the
    action's own (which basic maneuver, which skill); `about` is the foe that an ally is helped against.
    """

    who: str
    action: str
    note: str = ""
    targets: tuple[str, ...] = ()
    cost: str = ""
    choice: str = ""
    about: str = ""


class Attack(Command, frozen=True):
    """Attack a combatant, an obstacle of the map or a square, with a feature of the stat block.

    `means` is the feature's id, `given` an attack described now instead. `purpose` says what pays for it: nothing the
    Attack action, else `off-hand`, `opportunity`, `readied`, `commanded`, `legendary` or `free`. `at` is the square
    aimed at where the target's is a guess. `thrown`: a melee weapon flies. `facts` are statements that hold for this
    one attack by a person's word (`advantage`, `cover:half`, `not target.sees`, `flanks`), `modifiers` bonuses.
    """

    who: str
    target: str = ""
    means: str = ""
    given: Feature | None = None
    purpose: Purpose = ""
    at: Point | None = None
    thrown: bool = False
    facts: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()


class GroupAttack(Command, frozen=True):
    """Let a group attack one target as one: the target saves, and the numbers count. `means` as with `Attack`."""

    who: tuple[str, ...]
    target: str
    means: str = ""
    given: Feature | None = None


class UseFeature(Command, frozen=True):
    """Use a feature that is no attack roll: a spell or a breath, with its save, damage and what it leaves.

    `given` describes one that no stat block has; `spell` names a shipped one. `level` is the slot spent on it, None its
    own. `cubes` lay out an area made of cubes (steps of one cube along three axes); `spared` are those in it who are
    left out (`plant`: all plants), `things` the map's obstacles in it.
    """

    who: str
    means: str = ""
    given: Feature | None = None
    spell: str = ""
    targets: tuple[str, ...] = ()
    level: int | None = None
    cubes: tuple[tuple[int, int, int], ...] = ()
    spared: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    purpose: Literal["", "readied", "commanded", "legendary", "free"] = ""


class Direct(Command, frozen=True):
    """Command creatures under one's control to act (the controller's bonus action, by most rules)."""

    who: str
    creatures: tuple[str, ...]
    action: str
    target: str = ""


class GroupCheck(Command, frozen=True):
    """Ask one ability check for a whole group: one roll, made for the first of those named."""

    who: tuple[str, ...]
    check: str
    dc: int = 0


class Relate(Command, frozen=True):
    """Say how one combatant stands to another. None (and an empty cover) leaves it as it was; `forget` drops it all."""

    one: str
    other: str
    distance: int | None = None
    height: int | None = None
    cover: Grade = ""
    seen: bool | None = None
    flanked: bool | None = None
    reached: bool | None = None
    forget: bool = False


class Supply(Command, frozen=True):
    """Give a figure that a stat block lacks (`passive.perception`, `maneuver-dc`), for the rest of the fight."""

    who: str
    figure: str
    value: int


class Spend(Command, frozen=True):
    """Spend a resource (`action`, `bonus`, `reaction`), saying on what."""

    who: str
    resource: str
    note: str = ""


class Regain(Command, frozen=True):
    """Give a spent resource back, by hand."""

    who: str
    resource: str


class Move(Command, frozen=True):
    """Move some feet by a mode of movement. `through` names an environment whose ground is underfoot, if any.

    `turned`: in another direction than the one first taken on that ground. Without a grid, `up` is how many of the
    feet lead upward (below 0: down), `leaves` whose reach is left, `drags` an ally pulled along, `squeezing` whether
    the way is narrow, `heading` the direction in a chase.
    """

    who: str
    feet: int
    mode: str = "walk"
    through: str = ""
    turned: bool = False
    up: int = 0
    leaves: tuple[str, ...] = ()
    drags: str = ""
    squeezing: bool = False
    heading: Literal["", "forward", "sideways", "back"] = ""


class Travel(Command, frozen=True):
    """Move on the grid, square by square: the squares entered in order, without the one stood on.

    `heights` are the feet above level 0 at each square, empty for the ground's own. Opportunity attacks are offered
    at the square where they are provoked; what stops the mover stops the move.
    """

    who: str
    path: tuple[Point, ...]
    mode: str = "walk"
    heights: tuple[int, ...] = ()
    drags: str = ""


class Shift(Command, frozen=True):
    """Put somebody on another square against their will, or at once: nothing is paid and, as a rule, nothing provoked."""

    who: str
    to: Point
    how: Literal["forced", "teleport", "provoking"] = "forced"
    elevation: int | None = None


class Stand(Command, frozen=True):
    """Stand up from the ground, for half of one's movement."""

    who: str


class DropProne(Command, frozen=True):
    """Drop to the ground: on one's own turn at no cost, with `react` as a reaction."""

    who: str
    react: bool = False


class Ride(Command, frozen=True):
    """Mount a creature, or dismount (empty `mount`). `controlled`: it obeys its rider; `to`: the square one gets off to."""

    who: str
    mount: str = ""
    controlled: bool = True
    to: Point | None = None


class CommandMount(Command, frozen=True):
    """Have the mount one controls do something: `dash`, `disengage`, `dodge`, a `check`, or `attack` a `target`.

    `means` is the mount's attack, `check` what it rolls (`str:athletics`).
    """

    who: str
    action: str
    target: str = ""
    means: str = ""
    check: str = ""


class SetPlan(Command, frozen=True):
    """Note what somebody means to do on the next turn; it binds nobody."""

    who: str
    text: str


# Harm and help -------------------------------------------------------------------------------------------------


class ApplyDamage(Command, frozen=True):
    """Damage some: an expression (`7`, `2d6+3 fire`, `6 slashing + 8 fire`), rolled once for all targets.

    `mundane`: dealt by a nonmagical weapon. `share` halves or doubles it. `source` names what dealt it;
    `modifiers` are bonuses and penalties to the roll, each with its reason. `attack` says that an attack dealt it, and
    of which kind, `by` whose it was, `critical` that it was a critical hit (the dice are those given all the same).
    """

    targets: tuple[str, ...]
    damage: str
    source: str = ""
    mundane: bool = False
    share: Share = "full"
    modifiers: tuple[Modifier, ...] = ()
    by: str = ""
    attack: Literal["", "melee", "ranged"] = ""
    critical: bool = False


class Heal(Command, frozen=True):
    """Restore hit points: a number or an expression."""

    targets: tuple[str, ...]
    amount: int
    source: str = ""


class GrantTemporary(Command, frozen=True):
    """Grant temporary hit points."""

    targets: tuple[str, ...]
    amount: int
    source: str = ""


class SetHitPoints(Command, frozen=True):
    """Correct hit points by hand. None leaves a figure as it is."""

    who: str
    hp: int | None = None
    temp_hp: int | None = None
    hp_max: int | None = None


class SetDead(Command, frozen=True):
    """Say that somebody is dead, or has been restored to life: with so many hit points, by what `source` names."""

    who: str
    dead: bool = True
    hp: int = 0
    source: str = ""


class ApplyCondition(Command, frozen=True):
    """Put a condition on some."""

    targets: tuple[str, ...]
    condition: str
    value: int = 0
    ends: Ends = Ends()
    source: str = ""


class ApplyOngoing(Command, frozen=True):
    """Put damage on some that comes back at the end of each of their turns, until what `until` says in words."""

    targets: tuple[str, ...]
    damage: str
    until: str = ""
    source: str = ""


class Concentrate(Command, frozen=True):
    """Begin to concentrate on something; what was held by concentrating before ends."""

    who: str
    on: str = ""


class Annotate(Command, frozen=True):
    """Write a reminder of one's own for an effect, instead of the words that come with it. Empty: those again."""

    effect: str
    text: str = ""


class PassTime(Command, frozen=True):
    """Let hours go by outside the rounds: those who are stable may come to."""

    hours: int


class EndEffect(Command, frozen=True):
    """End an effect."""

    effect: str


class BreakFree(Command, frozen=True):
    """Spend what an effect asks to be rid of it."""

    effect: str


class SetTrack(Command, frozen=True):
    """Set a track by hand, such as fatigue."""

    who: str
    track: str
    value: int


# Combatants ------------------------------------------------------------------------------------------------------


class Join(Command, frozen=True):
    """Bring a prepared roster entry into the running fight; its members roll initiative, or take the one given."""

    roster: str
    initiative: int | None = None


class RemoveCombatant(Command, frozen=True):
    """Take somebody out of the fight; their prompts are withdrawn."""

    who: str


class Place(Command, frozen=True):
    """Say where somebody stands: in words, on a square, and outside which environments' areas. None: as it was."""

    who: str
    place: str | None = None
    position: tuple[int, int] | None = None
    outside: tuple[str, ...] | None = None
    elevation: int | None = None


class Rename(Command, frozen=True):
    """Give a combatant another label."""

    who: str
    label: str


class Reveal(Command, frozen=True):
    """Hide a combatant from the players' eyes, or show it."""

    who: str
    hidden: bool = False


# The world -------------------------------------------------------------------------------------------------------


class UseEntry(Command, frozen=True):
    """Set off a row of an environment, world action or feature: by whom and on whom (empty: it is asked).

    `attack` is the total of an attack on the row itself, held against its AC; `level` a spell's level (0 a cantrip).
    """

    environment: str
    entry: str
    actor: str = ""
    targets: tuple[str, ...] = ()
    attack: int | None = None
    level: int = 0


class SetReady(Command, frozen=True):
    """Recharge a world action by hand, or spend it."""

    environment: str
    entry: str
    ready: bool = True


class StartPool(Command, frozen=True):
    """Start a prepared countdown, or one described now; it first rolls at the next top of round."""

    countdown: str


class AdjustPool(Command, frozen=True):
    """Add dice to a pool or take some from it, saying why."""

    pool: str
    by: int
    reason: str = ""


class StopPool(Command, frozen=True):
    """Stop a countdown; it will not expire."""

    pool: str


class SetUnstoppable(Command, frozen=True):
    """Say whether a pool can be stopped."""

    pool: str
    unstoppable: bool = True


# Dice, prompts, journal --------------------------------------------------------------------------------------------


class SetDice(Command, frozen=True):
    """Say where faces come from: a person, the machine, or a script. None leaves the seed as it is."""

    mode: DiceMode
    seed: int | None = None
    script: tuple[int, ...] = ()


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer to one ask, of which one is given.

    `roll` leaves it to the machine; `typed` is `17`, `20!` or `?`; `chosen` holds option ids; or `number`, or `skip`.
    """

    ask: str
    roll: bool = False
    typed: str = ""
    chosen: tuple[str, ...] | None = None
    number: int | None = None
    skip: bool = False


class Answer(Command, frozen=True):
    """Answer asks of a prompt; those left out stay open. `revision` is the prompt's, as it was read."""

    prompt: str
    replies: tuple[Reply, ...]
    revision: int


class Withdraw(Command, frozen=True):
    """Put a prompt aside with everything that waits for it."""

    prompt: str


class AddNote(Command, frozen=True):
    """Write a line of one's own into the journal."""

    text: str


class Correct(Command, frozen=True):
    """Correct an earlier line of the journal: the step's serial, the line in it, and what it should say."""

    serial: int
    line: int
    text: str


AnyCommand = (
    Add | Edit | Remove | Rearrange | AddToEncounter
    | StartEncounter | AdvanceSetup | EndEncounter | ResetToPrepared | EndTurn | GoToTurn | Rest
    | MarkSneaking | CallForChecks | SetSurprised | SuddenAction | SetInitiativeCheck | SetInitiative | RollInitiative
    | TakeAction | Spend | Regain | Move | SetPlan
    | Attack | GroupAttack | UseFeature | Direct | GroupCheck | Relate | Supply | Travel | Shift | Ride
    | Stand | DropProne | CommandMount
    | ApplyDamage | Heal | GrantTemporary | SetHitPoints | SetDead | ApplyCondition | EndEffect | BreakFree | SetTrack
    | ApplyOngoing | Concentrate | Annotate | PassTime
    | Join | RemoveCombatant | Place | Rename | Reveal
    | UseEntry | SetReady | StartPool | AdjustPool | StopPool | SetUnstoppable
    | SetDice | Answer | Withdraw | AddNote | Correct
)  # fmt: skip
