"""What happened: typed facts in the past tense, each with the ledger rule that made it so where one did.

Events hold ids and figures; `narrate` turns them into words. They say nothing of how a view shows them.
"""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Modifier, Roll


class Phrase(msgspec.Struct, frozen=True, omit_defaults=True):
    """A word key with its parameters: names, numbers, or further word keys in angle brackets (`<condition.prone>`)."""

    key: str
    params: tuple[tuple[str, str | int], ...] = ()


def phrase(key: str, **params: str | int) -> Phrase:
    """Return the phrase of a key with its parameters."""
    return Phrase(key, tuple(params.items()))


class Event(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, kw_only=True):
    """Base of all events; the tag is the class name. `rule` is the ledger id it happened by, if any."""

    rule: str = ""


class EncounterStarted(Event, frozen=True):
    """Set-up began, for a reason a person gave or none."""

    reason: str = ""


class SetupReached(Event, frozen=True):
    """Set-up came to its next step."""

    step: str


class SceneSet(Event, frozen=True):
    """The scene as round 1 begins: places and standing features, in words."""

    places: tuple[tuple[str, str], ...] = ()
    features: tuple[str, ...] = ()
    round_seconds: int = 6


class RoundStarted(Event, frozen=True):
    """A round began; `elapsed` is game time in seconds so far."""

    round: int
    elapsed: int


class WorldTurnStarted(Event, frozen=True):
    """The world took its turn; `offers` are the rows (environment, entry) that were ready."""

    offers: tuple[tuple[str, str], ...] = ()


class RoundEnded(Event, frozen=True):
    """A round ended; `elapsed` includes it."""

    round: int
    elapsed: int


class TurnStarted(Event, frozen=True):
    """Somebody's turn began."""

    who: tuple[str, ...]


class TurnEnded(Event, frozen=True):
    """Somebody's turn ended."""

    who: tuple[str, ...]


class EncounterEnded(Event, frozen=True):
    """Turn-based play was closed."""

    round: int


class WentBackToPrepared(Event, frozen=True):
    """Everything that running had made was thrown away."""


class Rested(Event, frozen=True):
    """A rest was finished."""

    length: str


class Rolled(Event, frozen=True):
    """Somebody (or, with `who` empty, the game master) rolled. `dc` 0: held against nothing; `passed` None then."""

    purpose: str
    roll: Roll
    who: str = ""
    detail: str = ""
    dc: int = 0
    passed: bool | None = None


class Skipped(Event, frozen=True):
    """A roll or choice was passed over."""

    purpose: str
    who: str = ""
    detail: str = ""


class SneakingMarked(Event, frozen=True):
    """Somebody means to act before the others are aware, or no longer."""

    who: str
    sneaking: bool


class Surprised(Event, frozen=True):
    """Somebody starts the encounter surprised."""

    who: str


class NobodySurprised(Event, frozen=True):
    """Nobody is surprised."""


class InitiativeSet(Event, frozen=True):
    """A place in the order: `how` is `rolled`, `kept`, `entered` or `fixed`."""

    who: str
    total: int
    how: str


class OrderSettled(Event, frozen=True):
    """The order stands, highest first."""

    who: tuple[str, ...]


class Acted(Event, frozen=True):
    """Somebody did something for a cost (empty: nothing), perhaps to or for somebody, or about a foe."""

    who: str
    action: str
    cost: str = ""
    note: str = ""
    targets: tuple[str, ...] = ()
    about: str = ""


class RuledOut(Event, frozen=True):
    """The game master said that something can't be done; nothing was spent on it."""

    who: str
    what: str


class TrialSpared(Event, frozen=True):
    """An action needed no roll: somebody let it succeed, or a rule waives it (`why`, a word key)."""

    who: str
    action: str
    by: str
    why: str


class HidFrom(Event, frozen=True):
    """Somebody who hid stays unseen by an observer, or (not `hidden`) is noticed: a total against a passive score."""

    who: str
    observer: str
    total: int
    score: int
    hidden: bool


class SearchedFor(Event, frozen=True):
    """A search was held against what a hider rolled: `found` or not."""

    who: str
    hider: str
    total: int
    score: int
    found: bool


class ManeuverSettled(Event, frozen=True):
    """What came of a maneuver, by a person's word; `outcome` is a word key."""

    who: str
    target: str
    maneuver: str
    outcome: str


class FellBack(Event, frozen=True):
    """Somebody gave way to whoever presses them, by so many feet."""

    who: str
    presser: str
    feet: int


class Followed(Event, frozen=True):
    """Somebody went after one who fell back, by so many feet that cost no movement."""

    who: str
    after: str
    feet: int


class Readied(Event, frozen=True):
    """Somebody waits for a trigger, with a response to it."""

    who: str
    response: str
    trigger: str


class ReadiedWasted(Event, frozen=True):
    """What somebody had readied came to nothing (`why`, a word key)."""

    who: str
    response: str
    why: str


class Regained(Event, frozen=True):
    """A resource came back."""

    who: str
    resource: str


class Moved(Event, frozen=True):
    """Somebody moved `feet` at a price of `cost` feet of movement, for the reasons given."""

    who: str
    feet: int
    cost: int
    mode: str
    why: tuple[Modifier, ...] = ()


class Shifted(Event, frozen=True):
    """Somebody was put elsewhere without walking: `forced`, `teleport` or `provoking`; feet above level 0."""

    who: str
    to: tuple[int, int]
    how: str
    elevation: int = 0


class StoodUp(Event, frozen=True):
    """Somebody stood up for so many feet of movement."""

    who: str
    cost: int


class Mounted(Event, frozen=True):
    """Somebody mounted another, for so many feet of movement; `controlled`: it obeys."""

    who: str
    mount: str
    cost: int
    controlled: bool = True


class Dismounted(Event, frozen=True):
    """Somebody is off their mount, for so many feet of movement, or (0) not by their own will."""

    who: str
    mount: str
    cost: int = 0


class Dragged(Event, frozen=True):
    """Somebody takes hold of an ally to pull it along."""

    who: str
    ally: str


class Halted(Event, frozen=True):
    """Something that happened on the way stopped somebody's move."""

    who: str


class FallBegan(Event, frozen=True):
    """Somebody drops out of the air from so many feet above the ground."""

    who: str
    feet: int


class Planned(Event, frozen=True):
    """Somebody noted what they mean to do."""

    who: str
    text: str


class Adjustment(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that changed damage on its way: from so much to so much, and why."""

    reason: str
    before: int
    after: int
    rule: str = ""


class DamageTaken(Event, frozen=True):
    """Damage reached somebody: what was dealt by type, what was made of it, and the hit points before and after."""

    target: str
    dealt: tuple[tuple[str, int], ...]
    taken: int
    hp_before: int
    hp_after: int
    temp_before: int = 0
    temp_after: int = 0
    source: str = ""
    why: tuple[Adjustment, ...] = ()
    roll: Roll | None = None


class DroppedToZero(Event, frozen=True):
    """Somebody came to 0 hit points."""

    who: str


class Healed(Event, frozen=True):
    """Hit points were restored: offered `amount`, of which the maximum let some in."""

    target: str
    amount: int
    hp_before: int
    hp_after: int
    source: str = ""


class TemporaryGained(Event, frozen=True):
    """Temporary hit points: what was offered, and what is there now."""

    target: str
    offered: int
    before: int
    after: int
    source: str = ""


class TemporaryLost(Event, frozen=True):
    """Temporary hit points ran out with a rest."""

    target: str
    before: int


class HitPointsSet(Event, frozen=True):
    """Hit points were corrected by hand."""

    who: str
    hp: int
    temp_hp: int
    hp_max: int


class Died(Event, frozen=True):
    """Somebody is dead."""

    who: str


class RestoredToLife(Event, frozen=True):
    """Somebody was brought back from death."""

    who: str


class EffectGained(Event, frozen=True):
    """An effect began."""

    target: str
    name: str
    value: int = 0
    ends: str = ""
    source: str = ""


class EffectEnded(Event, frozen=True):
    """An effect ended."""

    target: str
    name: str


class Unaffected(Event, frozen=True):
    """Something did not touch somebody, for a reason (a word key)."""

    who: str
    what: str
    reason: str


class TrackSet(Event, frozen=True):
    """A track, such as fatigue, came to a value."""

    who: str
    track: str
    before: int
    after: int


class TimePassed(Event, frozen=True):
    """Hours went by."""

    hours: int


class Reminded(Event, frozen=True):
    """A round began, and something still holds for somebody since the round named."""

    who: str
    name: str
    since: int


class EntryUsed(Event, frozen=True):
    """A row of an environment was set off."""

    environment: str
    entry: str
    targets: tuple[str, ...] = ()
    actor: str = ""


class EntryFailed(Event, frozen=True):
    """A row was tried and did not work (a word key says why)."""

    environment: str
    entry: str
    reason: str
    actor: str = ""


class Found(Event, frozen=True):
    """A check on a row came out: what it hides is found, or a feat on it works."""

    environment: str
    entry: str
    who: str


class Reflected(Event, frozen=True):
    """A mirror sent a spell back at its caster, or (not `back`) into an empty square; it broke."""

    environment: str
    entry: str
    who: str
    caster: str
    back: bool


class Disturbed(Event, frozen=True):
    """Something was disturbed and may come down by round `due`."""

    environment: str
    entry: str
    due: int


class Pushed(Event, frozen=True):
    """Somebody was pushed, in feet, without spending movement or provoking anyone."""

    who: str
    feet: int


class Teleported(Event, frozen=True):
    """Somebody was moved to a free space drawn at random within so many feet."""

    who: str
    feet: int


class RechargeRolled(Event, frozen=True):
    """A spent world action was rolled for; `ready` says whether it is back, `face` is 0 where nobody knows it."""

    environment: str
    entry: str
    face: int
    needed: int
    ready: bool


class ReadinessSet(Event, frozen=True):
    """A world action was recharged or spent by hand."""

    environment: str
    entry: str
    ready: bool


class PoolStarted(Event, frozen=True):
    """A countdown began."""

    countdown: str
    dice: int


class PoolRolled(Event, frozen=True):
    """A countdown's dice were rolled: those at or above `face` left, so many remain."""

    countdown: str
    faces: tuple[int, ...]
    face: int
    left: int


class PoolAdjusted(Event, frozen=True):
    """Dice were added to a pool or taken from it."""

    countdown: str
    by: int
    left: int
    reason: str = ""


class PoolStopped(Event, frozen=True):
    """A countdown was stopped."""

    countdown: str


class PoolUnstoppable(Event, frozen=True):
    """A countdown can't be stopped any more, or can again."""

    countdown: str
    unstoppable: bool


class PoolExpired(Event, frozen=True):
    """A countdown's last die left it."""

    countdown: str


class Announced(Event, frozen=True):
    """Something was said to the table."""

    text: str


class Joined(Event, frozen=True):
    """Somebody came into the fight."""

    who: str
    side: str


class LikenessDrawn(Event, frozen=True):
    """A newcomer looks like somebody drawn at random."""

    who: str
    like: str


class Left(Event, frozen=True):
    """Somebody was taken out of the fight."""

    label: str


class Noted(Event, frozen=True):
    """A person wrote a line."""

    text: str


class Corrected(Event, frozen=True):
    """An earlier line should read otherwise."""

    serial: int
    line: int
    text: str


class SupplySpent(Event, frozen=True):
    """Something that lasts longer than a turn was used: a slot, a use, a recharge, legendary actions."""

    who: str
    supply: str
    what: str
    left: int
    most: int


class SupplySet(Event, frozen=True):
    """What somebody has left of a supply was set by hand; `what` is the feature's name, empty for slots and legendary actions."""

    who: str
    supply: str
    what: str
    before: int
    left: int


class FeatureRecharged(Event, frozen=True):
    """Somebody rolled for a spent feature to come back; `face` is None where a person said how it went."""

    who: str
    feature: str
    back: bool
    face: int | None = None


class FeatureUsed(Event, frozen=True):
    """Somebody, or a group acting as one, used a feature on some, with the DC of the save if there is one."""

    who: tuple[str, ...]
    feature: str
    targets: tuple[str, ...] = ()
    save: str = ""
    dc: int = 0
    numbers: int = 0


class Commanded(Event, frozen=True):
    """A controller had creatures act."""

    who: str
    creatures: tuple[str, ...]
    action: str
    target: str = ""


class GroupChecked(Event, frozen=True):
    """One roll stood for a whole group."""

    who: tuple[str, ...]
    check: str
    total: int
    numbers: int = 0
    passed: bool | None = None


class CaughtFire(Event, frozen=True):
    """A thing began to burn."""

    thing: str


class DoneAnyway(Event, frozen=True):
    """A rule forbade it, for a reason (a word key with its parameters), and a person did it all the same."""

    reason: str
    params: tuple[tuple[str, str | int], ...] = ()


class Related(Event, frozen=True):
    """Somebody said how one stands to another: which fact (`distance`, `seen`, …) and its value as text."""

    one: str
    other: str
    fact: str
    value: str = ""


class Supplied(Event, frozen=True):
    """A figure that a stat block lacks was given."""

    who: str
    figure: str
    value: int


class Attacked(Event, frozen=True):
    """Somebody attacked: `name` is the target's, `ac` what the roll had to meet, both empty where nobody knows them.

    `defence` is what that AC is made of.
    `outcome` is `miss`, `fumble`, `hit` or `critical`. `guessed`: at the place where a hidden target was taken to be.
    """

    who: str
    means: str
    outcome: str
    target: str = ""
    name: str = ""
    roll: Roll | None = None
    ac: int | None = None
    defence: tuple[Modifier, ...] = ()
    guessed: bool = False


class AttackFailed(Event, frozen=True):
    """An attack that was set going came to nothing, for a reason (a word key with its parameters)."""

    who: str
    means: str
    reason: str
    params: tuple[tuple[str, str | int], ...] = ()


class GuessMade(Event, frozen=True):
    """Whether a guess at a hidden target's place was right: for the game master alone."""

    who: str
    right: bool
    target: str = ""
    roll: Roll | None = None


class CriticalBlocked(Event, frozen=True):
    """Somebody turned a critical hit on them into a regular one: `by` is `shield` or `fatigue`."""

    who: str
    by: str


class ThingDamaged(Event, frozen=True):
    """A thing on the map took damage and stands."""

    thing: str
    amount: int
    left: int


class ThingBroken(Event, frozen=True):
    """A thing on the map was destroyed."""

    thing: str
    amount: int


AnyEvent = (
    RuledOut | TrialSpared | HidFrom | SearchedFor | ManeuverSettled | FellBack | Followed | Readied | ReadiedWasted |
    EncounterStarted | SetupReached | SceneSet | RoundStarted | WorldTurnStarted | RoundEnded | TurnStarted | TurnEnded
    | EncounterEnded | WentBackToPrepared | Rested | Rolled | Skipped | SneakingMarked | Surprised | NobodySurprised
    | InitiativeSet | OrderSettled | Acted | Regained | Moved | Planned | DamageTaken | DroppedToZero | Healed
    | TemporaryGained | TemporaryLost | HitPointsSet | Died | RestoredToLife | EffectGained | EffectEnded | Unaffected
    | TrackSet | EntryUsed | EntryFailed | Found | Reflected | Disturbed | Pushed | Teleported | RechargeRolled
    | ReadinessSet | PoolStarted | PoolRolled | PoolAdjusted | PoolStopped | PoolUnstoppable | PoolExpired | Announced
    | Joined | LikenessDrawn | Left | Noted | Corrected | DoneAnyway
    | SupplySpent | SupplySet | FeatureRecharged | FeatureUsed | Commanded | GroupChecked | CaughtFire
    | TimePassed | Reminded
    | Shifted | StoodUp | Mounted | Dismounted | Dragged | Halted | FallBegan
    | Related | Supplied
    | Attacked | AttackFailed | GuessMade | CriticalBlocked | ThingDamaged | ThingBroken
)  # fmt: skip


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the journal. `index` is its place among its step's lines; `kind` says what it is about.

    `subject` is the key (table, id) of what a click on it should show, empty strings for nothing.
    """

    serial: int
    index: int
    round: int
    phrase: Phrase
    kind: str = "plain"
    turn: str = ""
    subject: tuple[str, str] = ("", "")
    rule: str = ""
    roll: Roll | None = None
    why: tuple[Adjustment, ...] = ()
