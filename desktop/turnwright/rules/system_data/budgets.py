"""Data of encounter budgets: the worth of enemies, and the measure of threats."""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import FieldSpec, TableRuleId
from turnwright.encounter.prepared import NamedNumbers
from turnwright.rules.system_data.field_types import RuleIds

Ratio = tuple[int, int]  # numerator and denominator


class GroupMultiplier(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step in the table of multipliers for the number of enemies."""

    foes: int
    """The least number of enemies for this step."""
    step: int
    """The number of the step, which is an index of `factors`. The first step is 0."""


class BudgetFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for an encounter budget. If a game has several, a budget with an active house rule has precedence."""

    id: str = ""
    """The id. In a file, it is the key of its table."""
    name: str = ""
    """The name. Example: `Encounter rating`."""
    option: TableRuleId = ""
    """The house rule that selects this budget."""
    unit: str = "XP"
    """The unit of the sum. Example: `XP`."""
    worth: Literal["gap", "rating", "challenge"] = "gap"
    """The calculation of an enemy's worth: `gap` looks up its level relative to the party in `xp`, `rating` looks up
    its rating in `ratings` (unless its stat block has its own XP), and `challenge` uses the rating itself.
    """
    measure: Literal["size", "level", "levels"] = "size"
    """The calculation of the threats: by the `size` of the party (`threats` and `each`), by the `level` of each member
    (`levels` and `names`), or by the sum of all `levels` (`shares` and `names`).
    """
    bound: Literal["most", "least"] = "most"
    """Whether a threat ends at its amount (`most`) or starts with it (`least`)."""
    party: int = 0
    """The number of party members for which `threats` are written."""
    lowest: int = 0
    """The level difference of the first entry in `xp`, usually negative. Example: `-4`."""
    xp: tuple[int, ...] = ()
    """The worth of enemies by level difference to the party. Example: `[10, 15, 20, 30, 40]`."""
    ratings: NamedNumbers = ()
    """The worth of enemies by rating. Example: `{ "1/4" = 50, "1" = 200 }`."""
    threats: NamedNumbers = ()
    """The budget by threat. Example: `{ low = 60, moderate = 80 }`."""
    each: Annotated[NamedNumbers, FieldSpec(ids=("threat",))] = ()
    """The change of the budget for one more or one fewer party member, by threat."""
    names: tuple[str, ...] = ()
    """The names of the threats, weakest first. Example: `["easy", "medium", "hard", "deadly"]`."""
    levels: tuple[tuple[int, ...], ...] = ()
    """A list for each character level, with a number for each of `names`."""
    shares: tuple[Ratio, ...] = ()
    """The share of the party's levels for each of `names`, as numerator and denominator. Example: `[[1, 4], [1, 2]]`.
    """
    below: str = ""
    """The name for a fight below the lowest threat."""
    above: str = ""
    """The name for a fight above the highest threat."""
    adjusted: Annotated[NamedNumbers, FieldSpec(ids=("adjustment",))] = ()
    """The number of levels that an adjustment of a stat block adds. Example: `{ elite = 1, weak = -1 }`."""
    twice: tuple[str, ...] = ()
    """Words in a stat block with which it counts as two creatures. Example: `["elite"]`."""
    raised: tuple[str, ...] = ()
    """The ratings that count as the next higher rating against a weak party."""
    raised_to: int = 0
    """The highest average party level at which `raised` applies."""
    strongest: int = 0
    """The highest rating of an enemy, in hundredths of the party's average level. A stronger enemy makes the fight the
    highest threat. 0 means no limit.
    """
    crowds: tuple[GroupMultiplier, ...] = ()
    """The multipliers for the number of enemies. Example: `[{ foes = 1, step = 1 }, { foes = 2, step = 2 }]`."""
    factors: tuple[int, ...] = ()
    """The factor of each step in hundredths. Example: `[50, 100, 150, 200]`."""
    small: int = 0
    """The party size below which the step is one higher."""
    large: int = 0
    """The party size from which the step is one lower."""
    hazard: str = ""
    """The creature type or word of stat blocks that are hazards. Example: `hazard`."""
    complex: str = ""
    """The word of complex hazards, which count in full. Example: `complex`."""
    simple: Ratio = (1, 1)
    """The share for which other hazards count, as numerator and denominator."""
    places: bool = False
    """Whether an environment with a rating counts as a hazard."""
    phases: bool = False
    """Whether new hit points at 0 count as another creature."""
    external: bool = False
    """Whether the numbers come from the game's publisher, not from the rules' source documents."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""


class RewardFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for rewards at the end of an encounter."""

    xp: bool = False
    """Whether the report has a field for experience, which you enter."""
    treasure: bool = False
    """Whether the report lists the recorded treasure."""
