"""Data of rounds: initiative, surprise, lengths of rounds, and expected countdowns."""

from itertools import count, takewhile
from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import AbilityId, CheckId, DiceText, FieldSpec, Hundred, SkillId, TableRuleId
from turnwright.encounter.prepared import NamedNumbers
from turnwright.rules.system_data.field_types import OpposedNumber, RuleIds, TurnPhases


class InitiativeFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of initiative.

    `check` is the default check, with `die`; `ties` are the rules that break ties, each after the one
    before: `characters-first`, `foes-first`, `as-listed` (those that rolled as one), `roll` (`tie_check`, or the bare
    die; rolled again while they are tied), `ask` (a person orders them at once), or `due` (when their place
    comes up). The last is repeated. `together` is the table rule under which like foes roll once;
    `opener`: the combatant that opened hostilities goes first; `own`: the bonus is the creature's own value, asked for
    where it has none, `own_skill`: so is the bonus of the default check's skill, once for all alike; `joins`: adjacent
    allies may take their turns together; `lair` is the count at which creatures in their lairs take lair actions, after
    all others of that count, 0 for none. `delay`: a turn may be put off, `always` or under the table rule named.
    """

    die: DiceText = "1d20"
    check: CheckId = ""
    tie_check: CheckId = ""
    ties: tuple[Literal["characters-first", "foes-first", "as-listed", "roll", "ask", "due"], ...] = ("roll",)
    together: TableRuleId = ""
    opener: bool = False
    own: bool = False
    own_skill: bool = False
    joins: bool = False
    lair: int = 0
    delay: Annotated[str, FieldSpec(ids=("table rule or always",))] = ""


class SurpriseFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of surprise, where the game has rules for it: `check` is that of combatants who sneak.

    Its DC is a score of each of the others (`passive.perception`), who notice it unless it is higher, and it
    does not stand as initiative. Without these the game master names the checks of both sides, or (`sides`) which side
    ambushes which, if any.
    """

    check: CheckId = ""
    against: OpposedNumber = ""
    sides: bool = False


class InitiativeCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry of the table of checks that may stand for initiative."""

    id: str
    ability: AbilityId
    skill: SkillId
    suits: str
    ledger: RuleIds = ()


class DifficultyStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A usual DC of a task by how hard it is, for the game master to choose from."""

    id: str
    name: str
    dc: int
    ledger: RuleIds = ()


class TurnFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The phases of a turn's `start` and `end`, in order, and what they roll.

    `order_chosen`: a person may reorder the phases that have something to do, except for those in the `fixed_chain`,
    which stay in its order. `flat_dc` is the DC of the flat check that ends persistent damage, 0 for none;
    `ongoing_worst`: of persistent damage of one type only the worst applies. `recharge_die` is that of features and
    world actions, `countdown_die` the sides of a countdown's dice. `legendary` is how many legendary actions a round
    an imported stat block gets that has some and names no number.
    """

    start: TurnPhases = (
        "refill",
        "expire",
        "count-rounds",
        "turn-started",
        "trigger",
        "recharges",
        "catch-breath",
        "world-turn",
        "zero-hp",
    )
    end: TurnPhases = (
        "expire",
        "count-turns",
        "environment",
        "ongoing",
        "afflictions",
        "environment-entries",
        "trigger",
        "legendary",
    )
    order_chosen: bool = False
    fixed_chain: TurnPhases = ()
    recharge_die: DiceText = "1d6"
    countdown_die: int = 6
    flat_die: DiceText = ""
    flat_dc: int = 0
    ongoing_worst: bool = False
    legendary: Hundred = 0


class RoundLength(msgspec.Struct, frozen=True, omit_defaults=True):
    """A length of round on offer. `usual` is the purpose of the encounters that start with it."""

    id: str
    name: str
    seconds: int
    usual: Literal["", "combat", "competition", "hazard", "chase"] = ""
    ledger: RuleIds = ()


class CountdownRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry of the table of expected rolls: so many dice last about so many rolls at each speed."""

    dice: int
    slow: int
    medium: int
    fast: int
    ledger: RuleIds = ()


def expected_countdowns(faces: NamedNumbers) -> tuple[CountdownRow, ...]:
    """Return the table for pools of up to ten dice, from the lowest face that takes a die; empty where one is missing."""
    lowest = dict(faces)
    if not lowest.keys() >= {"slow", "medium", "fast"}:
        return ()
    slow, medium, fast = ((7 - lowest[speed]) / 6 for speed in ("slow", "medium", "fast"))
    return tuple(
        CountdownRow(n, _expected_rolls(n, slow), _expected_rolls(n, medium), _expected_rolls(n, fast))
        for n in range(1, 11)
    )


def _expected_rolls(dice: int, chance: float) -> int:
    """Return after how many rolls the last of some dice has gone, on average: the sum of the chances that one is left."""
    left = (1 - (1 - (1 - chance) ** rolls) ** dice for rolls in count())
    return round(sum(takewhile(lambda still: still > 1e-6, left)))
