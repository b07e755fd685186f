"""Data of rounds and house rules: initiative, surprise, countdowns, and the environment entries that options change."""

from itertools import count, takewhile
from typing import Annotated, Final, Literal

import msgspec

from turnwright.encounter.field_specs import AbilityId, CheckId, DiceText, FieldSpec, Hundred, SkillId, TableRuleId
from turnwright.encounter.prepared import Affects, InflictedConditionEnds, NamedNumbers
from turnwright.rules.system_data.numbers import EnvironmentEntryId, OpposedNumber, RuleIds, TurnPhases

_SECONDS: Final = {"round": 0, "minute": 60, "hour": 3600, "day": 86_400, "year": 31_536_000}
_MOST_ROUNDS: Final = 1_000_000  # the limit of numbers in a fight
LENGTHS_OF_TIME: Final = {
    f"{number} {unit}{'s' * (number > 1)}": (number, seconds)
    for unit, seconds in _SECONDS.items()
    for number in range(1, 101)
}
# Lengths with dice, such as `1d4 rounds`, which are rolled.
ROLLED_LENGTHS: Final = frozenset(
    f"{count}d{faces}{more} {unit}s"
    for unit in _SECONDS
    for count in range(1, 11)
    for faces in (3, 4, 6, 8, 10, 12, 20)
    for more in ("", *(f"+{number}" for number in range(1, 11)))
)


def length_of_time(number: str, unit: str) -> str:
    """Return a length of time as in files, `1 minute` for `one` and `Minutes`, or an empty string if it is unusual."""
    count = number if number.isdecimal() or "d" in number else "1"
    text = f"{count} {unit.lower().removesuffix('s')}{'s' * (count != '1')}"
    return text if text in LENGTHS_OF_TIME or text in ROLLED_LENGTHS else ""


def rounds_in(time: str, round_seconds: int) -> int:
    """Return the number of rounds in a length of time such as `1 minute`, at least 1, or 0 if it isn't known."""
    number, seconds = LENGTHS_OF_TIME.get(time, (0, 0))
    return min(_MOST_ROUNDS, max(min(number, 1), number * seconds // round_seconds)) if seconds else number


class InitiativeFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for initiative."""

    die: DiceText = "1d20"
    """The die to roll."""
    check: CheckId = ""
    """The usual check. Example: `wis:perception`."""
    tie_check: CheckId = ""
    """The check that breaks ties with the rule `roll`. Empty means only the die."""
    ties: tuple[Literal["characters-first", "enemies-first", "as-listed", "roll", "ask", "due"], ...] = ("roll",)
    """The rules that break ties, in order: `characters-first`, `enemies-first`, `as-listed` (combatants that rolled
    together), `roll` (again while they are tied), `ask` (you order them at once), or `due` (you order them when
    their turn comes). The last rule is repeated.
    """
    together: TableRuleId = ""
    """The house rule under which identical enemies roll once."""
    rerolled: TableRuleId = ""
    """The house rule under which initiative is rolled again at the start of each round."""
    by_side: TableRuleId = ""
    """The house rule under which each side rolls initiative once, and its members act in any order."""
    passed_on: TableRuleId = ""
    """The house rule under which the combatants of each turn name the next ones (popcorn initiative)."""
    unordered: TableRuleId = ""
    """The house rule under which no one rolls initiative, and you choose each next turn."""
    opener: bool = False
    """Whether the combatant that started the fight goes first."""
    own: bool = False
    """Whether the bonus is the creature's own value, which Turnwright asks for if it is missing."""
    own_skill: bool = False
    """Whether Turnwright asks for a missing bonus of the usual check's skill, once for all identical creatures."""
    joins: bool = False
    """Whether adjacent allies may take their turns together."""
    scores: TableRuleId = ""
    """The house rule under which combatants without a player take a score instead of a roll: 10 plus their bonus, and 5
    more with advantage or less with disadvantage.
    """
    score_edge: int = 5
    """The number that advantage adds to such a score, and disadvantage subtracts."""
    lair: int = 0
    """The initiative count for lair actions, after all others with that count. 0 if there are none."""
    delay: Annotated[str, FieldSpec(ids=("table rule or always",))] = ""
    """Set it to `always` if a turn may be delayed, or to the house rule under which it may."""


class SurpriseFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for surprise."""

    check: CheckId = ""
    """The check of combatants that sneak. If it is empty, you choose the checks of both sides. Example: `dex:stealth`.
    """
    against: OpposedNumber = ""
    """The opponents' score that serves as the DC. Sneaking combatants must beat it. Example: `passive.perception`."""
    asked: bool = False
    """Whether you choose the surprised combatants at once, without checks."""
    sides: bool = False
    """Whether you choose the side that ambushes the other, instead of checks."""


class InitiativeCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A check that may be used for initiative."""

    id: str
    """The id. In a file, it is the key of its table."""
    ability: AbilityId
    """The ability of the check. Example: `dex`."""
    skill: SkillId
    """The skill of the check. Example: `stealth`."""
    suits: str
    """The situations that it suits, for the form to show."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""


class DifficultyStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """The usual DC of a task of this difficulty, for the game master to choose from."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name of the difficulty. Example: `Hard`."""
    dc: int
    """The DC."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""


class TurnFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for the phases of a turn, and the rolls in them."""

    start: TurnPhases = (
        "refill", "expire", "count-rounds", "turn-started", "reminders", "trigger", "recharges", "catch-breath",
        "world-turn", "zero-hp",
    )  # fmt: skip
    """The phases at the start of a turn, in order."""
    end: TurnPhases = (
        "expire", "count-turns", "environment", "ongoing", "afflictions", "environment-entries", "reminders",
        "trigger", "legendary",
    )  # fmt: skip
    """The phases at the end of a turn, in order."""
    order_chosen: bool = False
    """Whether you may reorder the phases that have something to do."""
    fixed_chain: TurnPhases = ()
    """Phases that keep their order even if you reorder the others."""
    recharge_die: DiceText = "1d6"
    """The die that recharges features and world actions."""
    countdown_die: int = 6
    """The number of sides of a countdown's dice."""
    flat_die: DiceText = ""
    """The die of the flat check that ends persistent damage. Example: `1d20`."""
    flat_dc: int = 0
    """The DC of that check. 0 if there is none."""
    ongoing_worst: bool = False
    """Whether only the worst persistent damage of each type applies."""
    ongoing_spares_immune: bool = False
    """Whether a creature that is immune to the damage doesn't get persistent damage at all."""
    legendary: Hundred = 0
    """The number of legendary actions per round for imported stat blocks that don't state it."""


class RoundLength(msgspec.Struct, frozen=True, omit_defaults=True):
    """A length of round to choose from."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `1 minute`."""
    seconds: int
    """The length in seconds."""
    default_for: Literal["", "combat", "competition", "hazard", "chase"] = ""
    """The purpose of encounters for which it is the default. Empty if it isn't a default."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""


class CountdownRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """The number of rolls that a pool of dice usually lasts, at each speed."""

    dice: int
    """The number of dice in the pool."""
    slow: int
    """The number of rolls at slow speed."""
    medium: int
    """The number of rolls at medium speed."""
    fast: int
    """The number of rolls at fast speed."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""


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


class EntryOverride(msgspec.Struct, frozen=True, omit_defaults=True):
    """A house rule's change to an entry of a shipped environment or a copy of it. Empty fields change nothing."""

    environment: Annotated[str, FieldSpec(ids=("environment",))]
    """The id of the environment. Example: `stormy`."""
    entry: EnvironmentEntryId
    """The id of the feature or world action."""
    damage: DiceText = ""
    """The new damage. Example: `2d6 bludgeoning`."""
    within: str = ""
    """The new place in words where targets must be."""
    where: EnvironmentEntryId = ""
    """The feature whose area counts instead of the entry's own."""
    affects: Affects | None = None
    """The new targets."""
    ends: InflictedConditionEnds | None = None
    """The new end of the entry's conditions."""
    asks: bool = False
    """Whether you are asked for targets even if they are obvious."""


class TableRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """A house rule: an option of an encounter, or an interpretation of a rule."""

    id: str
    """The id. In a file, it is the key of its table, as in `[options.round-up]`."""
    name: str
    """The name. Example: `Halves round up`."""
    text: str = ""
    """The effects in one or two sentences."""
    default: bool = False
    """Whether it is on by default."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it is about."""
    rows: tuple[EntryOverride, ...] = ()
    """Its changes to entries of environments."""
    ignores_bystanders: bool = False
    """Whether environments don't affect combatants without a place in the turn order."""
    one_list: bool = False
    """Whether helpful and hindering features of environments are in one list."""
    may_end: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("condition", "condition"))] = ()
    """Pairs of a condition and another that may end too when a creature breaks free. You are asked each time."""
    external: bool = False
    """Whether no ledger rule contains its numbers."""
