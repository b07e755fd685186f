"""Commands of a turn: actions, attacks, features, movement, and how people stand to one another."""

from __future__ import annotations

from typing import Literal

from turnwright.dice.roll import Modifier
from turnwright.encounter.prepared import Feature, Grade, Point
from turnwright.play.commands.base import Command, Purpose


class TakeAction(Command, frozen=True):
    """Do one of the system's actions (`dash`, `dodge`, …), or anything, for its cost. Out of turn: a reaction.

    `targets` are whom it is done to or for, `cost` the one chosen where there are several, `choice` an option of the
    action's own (which basic maneuver, which skill); `about` is the foe that an ally is helped against,
    `points` the price where the action leaves it open.
    """

    who: str
    action: str
    note: str = ""
    targets: tuple[str, ...] = ()
    cost: str = ""
    choice: str = ""
    about: str = ""
    points: int | None = None


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
    left out (`plant`: all plants), `things` the map's obstacles in it. `action` is the listed action by which it is
    done, and `cost` which of its costs pays for it, where the feature's own doesn't (a spell that takes a minute).
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
    action: str = ""
    cost: str = ""


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
    the way is narrow, `heading` the direction in a chase, `keeps` those to whom the mover stands as before (who are
    circled, or come along): what was said of the two still holds.
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
    keeps: tuple[str, ...] = ()


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
