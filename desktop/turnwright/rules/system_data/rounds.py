"""Data of rounds: initiative, surprise, lengths of rounds, and expected countdowns."""

from itertools import count, takewhile
from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import AbilityId, CheckId, DiceText, FieldSpec, Hundred, SkillId, TableRuleId
from turnwright.encounter.prepared import NamedNumbers
from turnwright.rules.system_data.field_types import OpposedNumber, RuleIds, TurnPhases


class InitiativeFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for initiative.

    `check` is the default check, rolled with `die`. `ties` are the rules that break ties, in order: `characters-first`,
    `foes-first`, `as-listed` (combatants that rolled together), `roll` (`tie_check`, or only the die; rolled again
    while they are tied), `ask` (the game master orders them at once), or `due` (when their place comes up). The last
    rule is repeated.

    `together` is the house rule under which identical enemies roll once. `opener`: the combatant that started the fight
    goes first. `own`: the bonus is the creature's own value, asked for if it is missing. `own_skill`: the bonus of the
    default check's skill is asked for in the same way, once for all identical creatures. `joins`: adjacent allies may
    take their turns together. `lair` is the initiative count for lair actions, after all others with that count, or 0
    if there are none. `delay`: a turn may be delayed, `always` or under the named house rule.
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
    """Settings for surprise, if the game has rules for it. `check` is the check of combatants who sneak.

    Its DC is a score of each opponent (`passive.perception`), who notices the combatant unless its total is higher. The
    check doesn't replace initiative. If `check` is empty, the game master chooses the checks of both sides or, with
    `sides`, which side ambushes the other, if any.
    """

    check: CheckId = ""
    against: OpposedNumber = ""
    sides: bool = False


class InitiativeCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry of the table of checks that may be used for initiative."""

    id: str
    ability: AbilityId
    skill: SkillId
    suits: str
    ledger: RuleIds = ()


class DifficultyStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """The usual DC of a task of this difficulty, for the game master to choose from."""

    id: str
    name: str
    dc: int
    ledger: RuleIds = ()


class TurnFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The phases of a turn's `start` and `end`, in order, and the rolls in them.

    `order_chosen`: the game master may reorder the phases that have something to do, except for those in `fixed_chain`,
    which keep their order. `flat_dc` is the DC of the flat check that ends persistent damage, or 0 if there is none.
    `ongoing_worst`: only the worst persistent damage of each type applies. `recharge_die` is the die for features and
    world actions. `countdown_die` is the number of sides of a countdown's dice. `legendary` is the number of legendary
    actions per round for imported stat blocks that have some but don't state the number.
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
    """An available length of round. `usual` is the purpose of encounters for which it is the default."""

    id: str
    name: str
    seconds: int
    usual: Literal["", "combat", "competition", "hazard", "chase"] = ""
    ledger: RuleIds = ()


class CountdownRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry in the table of expected rolls: the number of rolls that this many dice last at each speed."""

    dice: int
    slow: int
    medium: int
    fast: int
    ledger: RuleIds = ()


def expected_countdowns(faces: NamedNumbers) -> tuple[CountdownRow, ...]:
    """Return the table for pools of up to ten dice, or an empty table if a speed is missing.

    `faces` gives the lowest face that removes a die at each speed.
    """
    lowest = dict(faces)
    if not lowest.keys() >= {"slow", "medium", "fast"}:
        return ()
    slow, medium, fast = ((7 - lowest[speed]) / 6 for speed in ("slow", "medium", "fast"))
    return tuple(
        CountdownRow(n, _expected_rolls(n, slow), _expected_rolls(n, medium), _expected_rolls(n, fast))
        for n in range(1, 11)
    )


def _expected_rolls(dice: int, chance: float) -> int:
    """Return the average number of rolls until the last die is removed: the sum of the chances that a die is left."""
    chances = (1 - (1 - (1 - chance) ** rolls) ** dice for rolls in count())
    return round(sum(takewhile(lambda still: still > 1e-6, chances)))
