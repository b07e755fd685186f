"""What is under way and waits for a decision: procedures with their stage and data, and prompts with their asks.

A procedure's data is one of the small records below; a loop in `play` advances `(kind, stage)`. Ids, never objects.
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal

import msgspec

from turnwright.dice.roll import Modifier, Roll, RollSpec
from turnwright.encounter.prepared import Feature, Figures, Point

MADE, FAILED = "made", "failed"  # the options of a roll whose dice nobody knows
Degree = Literal["critical-failure", "failure", "success", "critical-success"]
CRITICAL_FAILURE: Final = "critical-failure"
FAILURE: Final = "failure"
SUCCESS: Final = "success"
CRITICAL_SUCCESS: Final = "critical-success"
AskKind = Literal["roll", "choice", "targets", "number", "order"]
AttackOutcome = Literal["", "miss", "fumble", "hit", "critical"]
HIT: Final = "hit"  # those of an attack whose dice nobody knows
CRITICAL: Final = "critical"
MISS: Final = "miss"
FUMBLE: Final = "fumble"


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One answer to choose. `label` is a word key or plain text; `why` says what speaks for or against it."""

    id: str
    label: str
    why: str = ""


class Ask(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question on a card.

    `roll`: `spec` says what to roll and `dc` what it is held against. `choice`: one of `options`.
    `targets`: any of `options` up to `most` (0 no limit), `suggested` ticked. `number`: a whole number. `order`: all of
    `options` in some order, as listed unless a person says otherwise; `after` pairs one with another it can't precede.
    `who` is the combatant asked, empty for the game master. `label` is a word key with `detail` as its plain part.
    """

    id: str
    kind: AskKind
    label: str
    who: str = ""
    detail: str = ""
    spec: RollSpec | None = None
    dc: int = 0
    options: tuple[Option, ...] = ()
    suggested: tuple[str, ...] = ()
    most: int = 0
    rule: str = ""
    after: tuple[tuple[str, str], ...] = ()


class Answered(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an ask was answered with: a roll, ids chosen, a number, or `skipped`."""

    ask: str
    roll: Roll | None = None
    chosen: tuple[str, ...] = ()
    number: int | None = None
    skipped: bool = False


class Prompt(msgspec.Struct, frozen=True, omit_defaults=True):
    """One card: several asks of one procedure. `blocks`: the turn order waits for it.

    `title` is a word key, `subject` the plain name in it; `revision` keeps a stale card from answering another.
    """

    table: ClassVar[str] = "prompts"

    id: str
    procedure: str
    title: str
    subject: str = ""
    asks: tuple[Ask, ...] = ()
    answers: tuple[Answered, ...] = ()
    blocks: bool = True
    rule: str = ""
    revision: int = 0


class Initiative(msgspec.Struct, frozen=True, omit_defaults=True, tag="initiative"):
    """Find places for those listed: totals, then ties among equals. `begin`: round 1 follows at once."""

    who: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    begin: bool = False


class Checks(msgspec.Struct, frozen=True, omit_defaults=True, tag="checks"):
    """Ability checks that the game master calls for; `purpose` `surprise` lets them stand as initiative.

    `dc` is what one is held against, 0 for nothing; `task` says in words what they are for, `used` are effects that
    the rolls use up; `tags` say for the rules what it is.
    """

    who: tuple[str, ...] = ()
    check: str = ""
    purpose: Literal["", "surprise"] = ""
    dc: int = 0
    task: str = ""
    used: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class Surprise(msgspec.Struct, frozen=True, omit_defaults=True, tag="surprise"):
    """Who notices whom: the check for those who sneak, the one for the rest, and the totals so far."""

    sneaking: tuple[str, ...]
    others: tuple[str, ...]
    totals: Figures = ()


class RoundStart(msgspec.Struct, frozen=True, omit_defaults=True, tag="round"):
    """The top of a round: pools that have run out and rows (environment, entry) on offer, still to come, in order."""

    expired: tuple[str, ...] = ()
    offers: tuple[tuple[str, str], ...] = ()


class WorldTurn(msgspec.Struct, frozen=True, omit_defaults=True, tag="world-turn"):
    """The world's turn at the start of a participant's, for them alone: rows on offer, and who is still to come."""

    who: str = ""
    offers: tuple[tuple[str, str], ...] = ()
    rest: tuple[str, ...] = ()


class Expiry(msgspec.Struct, frozen=True, omit_defaults=True, tag="expiry"):
    """A countdown that has run out, and how many of its outcomes have happened."""

    countdown: str
    happened: int = 0


class Hazard(msgspec.Struct, frozen=True, omit_defaults=True, tag="hazard"):
    """One row of an environment doing what it does, world action or feature.

    `targets` are all it strikes, `failed` those whom no save spared; `world`: used by the world itself;
    `agreed`: somebody has said on whom, so that it isn't asked; `only`: it can strike nobody else. `insisted`: it is
    used although it is broken. `said` pairs what the game has no word for (`damage:thunder`, `condition:suffocating`)
    with what a person has put in its place, nothing for leaving it out.
    """

    environment: str
    entry: str
    actor: str = ""
    targets: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    world: bool = False
    agreed: bool = False
    only: str = ""
    insisted: bool = False
    said: tuple[tuple[str, str], ...] = ()


class Harm(msgspec.Struct, frozen=True, omit_defaults=True, tag="harm"):
    """Damage that is still to be rolled: an expression, whom it strikes, and by how many halves each takes it."""

    targets: tuple[str, ...]
    damage: str
    source: str = ""
    mundane: bool = False
    share: Literal["full", "half", "double"] = "full"
    modifiers: tuple[Modifier, ...] = ()
    by: str = ""
    attack: Literal["", "melee", "ranged"] = ""
    critical: bool = False


class TurnEnd(msgspec.Struct, frozen=True, omit_defaults=True, tag="turn-end"):
    """The end of a slot's turn: rows (environment, entry, combatant) that have something to say, still to come.

    `then` is the slot gone to by hand, whose turn begins after this one; empty for the next in the order. `steps` are those
    still to come, by the names that `play.procedures.turn_steps` knows.
    """

    slot: str
    rows: tuple[tuple[str, str, str], ...] = ()
    then: str = ""
    steps: tuple[str, ...] = ()


class TurnStart(msgspec.Struct, frozen=True, omit_defaults=True, tag="turn-start"):
    """The start of a slot's turn, where somebody may put its steps in order: those still to come."""

    slot: str
    steps: tuple[str, ...] = ()


class KeepTemporary(msgspec.Struct, frozen=True, omit_defaults=True, tag="temporary"):
    """A choice between the temporary hit points one has and those one is given."""

    target: str
    amount: int
    source: str = ""


class Assault(msgspec.Struct, frozen=True, omit_defaults=True, tag="assault"):
    """One attack from its declaration to its end. `means` is the feature as it was when declared.

    `target` is a combatant, an obstacle's id with `thing`, or empty for a square (`at`). `tags` say what kind of attack it
    is, `facts` what a person said holds for it. `roll`, `damage`: what was rolled. `critical`: the hit still counts as
    one. `share` is how much of the damage besides it falls on whoever saved against that.
    """

    attacker: str
    means: Feature
    target: str = ""
    thing: bool = False
    at: Point | None = None
    purpose: str = ""
    tags: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    roll: Roll | None = None
    damage: Roll | None = None
    outcome: AttackOutcome = ""
    critical: bool = False
    share: str = ""


class Onslaught(msgspec.Struct, frozen=True, omit_defaults=True, tag="onslaught"):
    """A feature used on some who save against it, by one or by a group acting as one.

    `save` and `dc` are what they save with, `half` whether a save made still halves the damage, `extra` what numbers add
    to the damage; `spell` is the shipped spell it is, `spared` those whom its user leaves out (`plant`: all plants),
    `things` the map's obstacles that it reaches. `worst` are those who failed critically, `best` those who saved so, in
    a game where that is more.
    """

    members: tuple[str, ...]
    means: Feature
    targets: tuple[str, ...] = ()
    save: str = ""
    dc: int = 0
    half: bool = False
    extra: int = 0
    level: int | None = None
    spell: str = ""
    spared: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    worst: tuple[str, ...] = ()
    best: tuple[str, ...] = ()


class Journey(msgspec.Struct, frozen=True, omit_defaults=True, tag="journey"):
    """A move under way: squares still to enter (or feet, without a grid), how, and who has been offered a blow here.

    `heights` go with `path`; `leaves` are those whose reach a move without a grid leaves, `up` the feet it rises,
    `cost` what it is to cost, and `through` the ground underfoot. `start` is the square it began on, `done` is how many squares were entered, `spent` and
    `why` the price of those not yet told of. `blows` are those to be struck: who, at whom, with what. `free`: nothing is
    paid, and what stops a walker doesn't stop it; `insisted`: somebody moves on although a rule forbids it. `keeps`
    are those to whom the mover stands as before, `parted` those of whom that is open now, not yet told of.
    """

    who: str
    path: tuple[Point, ...] = ()
    heights: tuple[int, ...] = ()
    mode: str = "walk"
    drags: str = ""
    feet: int = 0
    leaves: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    done: int = 0
    up: int = 0
    cost: int = 0
    through: str = ""
    spent: int = 0
    why: tuple[Modifier, ...] = ()
    blows: tuple[tuple[str, str, str], ...] = ()
    start: Point | None = None
    free: bool = False
    insisted: bool = False
    keeps: tuple[str, ...] = ()
    parted: tuple[str, ...] = ()


class Mounting(msgspec.Struct, frozen=True, omit_defaults=True, tag="mounting"):
    """Somebody getting onto another; `controlled`: it is going to obey."""

    who: str
    mount: str
    controlled: bool = True


class Order(msgspec.Struct, frozen=True, omit_defaults=True, tag="order"):
    """What a rider tells its mount to do: a check, or one attack on somebody with one of its means."""

    who: str
    mount: str
    action: str
    target: str = ""
    means: str = ""
    check: str = ""


class Aftermath(msgspec.Struct, frozen=True, omit_defaults=True, tag="aftermath"):
    """What damage brings after it was taken: falling, dying, massive damage, concentration.

    `cause` is `attack` or `other`; `by` whoever dealt it, `melee` how; `taken` after all adjustment, `lost` what of it
    temporary hit points left (more than hit points there were, perhaps); `before` the hit points it found.
    """

    target: str
    taken: int
    lost: int
    before: int
    cause: Literal["attack", "other"] = "other"
    by: str = ""
    melee: bool = False
    critical: bool = False
    source: str = ""


class Deed(msgspec.Struct, frozen=True, omit_defaults=True, tag="deed"):
    """An action of the system's list being done: to whom, with which choice, and how its trial went for each.

    `check` is the roll chosen where there are several and `dc` what a person holds it against, `theirs` the one that
    opposes it; `used` are effects that the roll uses up, `total` what it came to. `points` is the price where a person says it. `insisted`: it is done although a rule forbids it.
    `degree` is how well the roll went, where the game tells more than made or not.
    """

    who: str
    action: str
    targets: tuple[str, ...] = ()
    cost: str = ""
    choice: str = ""
    about: str = ""
    note: str = ""
    made: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    check: str = ""
    dc: int = 0
    used: tuple[str, ...] = ()
    total: int = 0
    insisted: bool = False
    theirs: str = ""
    points: int | None = None
    degree: str = ""


class Watch(msgspec.Struct, frozen=True, omit_defaults=True, tag="watch"):
    """A small procedure about one combatant, told by its kind: a death save, a fall, a recharge, ongoing damage.

    `rest` are ids still to come, `value` a figure it carries (feet fallen, damage taken, a level); `away` is whom
    somebody is pushed away from.
    """

    who: str
    what: str = ""
    value: int = 0
    rest: tuple[str, ...] = ()
    source: str = ""
    by: str = ""
    away: str = ""


Work = (
    Assault
    | Onslaught
    | Journey
    | Mounting
    | Order
    | Aftermath
    | Deed
    | Watch
    | Initiative
    | Checks
    | Surprise
    | RoundStart
    | WorldTurn
    | Expiry
    | Hazard
    | Harm
    | TurnEnd
    | TurnStart
    | KeepTemporary
)


class Announcement(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something announced that others may still answer: `procedure` waits until it is its turn to be done.

    `name` is what it is called, `answers` the announcement that it answers, empty for the one that began it. `reserved`
    is what it is going to cost, by resource: till then it can be spent on nothing else. `moves`: it waits for all that
    doesn't. `insisted`: it is done although a rule forbids it.
    """

    table: ClassVar[str] = "announcements"

    id: str
    who: str
    procedure: str
    name: str
    answers: str = ""
    reserved: Figures = ()
    targets: tuple[str, ...] = ()
    moves: bool = False
    insisted: bool = False


class Procedure(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something under way. `kind` and `stage` name the function that goes on with it; `parent` waits for it."""

    table: ClassVar[str] = "procedures"

    id: str
    kind: str
    stage: str
    data: Work
    parent: str = ""
