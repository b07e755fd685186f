"""Data of encounter budgets: the worth of enemies, and the measure of threats."""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import FieldSpec, TableRuleId
from turnwright.encounter.prepared import NamedNumbers
from turnwright.rules.system_data.field_types import RuleIds

Ratio = tuple[int, int]  # numerator and denominator


class GroupMultiplier(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step in the table of group multipliers, which applies to `foes` or more enemies. The first step is 0."""

    foes: int
    step: int


class BudgetFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for an encounter budget. A game may have several: an active house rule (`option`) has precedence.

    `unit` is the unit of the sum. `worth` chooses how the worth of an enemy is calculated: `gap` looks it up in `xp` by
    the enemy's level relative to the party, starting at `lowest` (below 0). `rating` looks it up in `ratings`, unless
    the stat block gives its own XP. `challenge` uses the rating itself. `adjusted` is the number of levels that an
    adjustment of a stat block adds. A stat block with a word in `twice` counts as two creatures. Against a party with
    an average level of at most `raised_to`, a rating in `raised` counts as the next one. A fight has the highest threat
    if an enemy's rating exceeds `strongest`, in hundredths of the party's average level.

    `measure` chooses how threats depend on the party: on its `size` (`threats` for `party` members, `each` for one more
    or less), on the `level` of each member (`levels`: an entry per level, with a number for each of `names`), or on the
    sum of all `levels`, of which each of `names` is a share (`shares`). By `bound`, a threat ends at its amount
    (`most`) or starts with it (`least`). `below` and `above` are shown if there is no name for it.

    The number of enemies (`crowds`) multiplies the sum by a step of `factors`, in hundredths: one step up for a party
    smaller than `small`, one down for a party of `large` or more. `hazard` is the type of stat blocks that are hazards.
    A hazard without the word `complex` is worth a share (`simple`). `places`: an environment with a rating counts as a
    hazard. `phases`: new hit points at 0 count as another creature, with its own rating or that of the new stat block.
    `external`: the numbers are not in the rules' source documents, but published by the game's publisher.
    """

    id: str = ""
    name: str = ""
    option: TableRuleId = ""
    unit: str = "XP"
    worth: Literal["gap", "rating", "challenge"] = "gap"
    measure: Literal["size", "level", "levels"] = "size"
    bound: Literal["most", "least"] = "most"
    party: int = 0
    lowest: int = 0
    xp: tuple[int, ...] = ()
    ratings: NamedNumbers = ()
    threats: NamedNumbers = ()
    each: Annotated[NamedNumbers, FieldSpec(ids=("threat",))] = ()
    names: tuple[str, ...] = ()
    levels: tuple[tuple[int, ...], ...] = ()
    shares: tuple[Ratio, ...] = ()
    below: str = ""
    above: str = ""
    adjusted: Annotated[NamedNumbers, FieldSpec(ids=("adjustment",))] = ()
    twice: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    raised_to: int = 0
    strongest: int = 0
    crowds: tuple[GroupMultiplier, ...] = ()
    factors: tuple[int, ...] = ()
    small: int = 0
    large: int = 0
    hazard: str = ""
    complex: str = ""
    simple: Ratio = (1, 1)
    places: bool = False
    phases: bool = False
    external: bool = False
    ledger: RuleIds = ()


class RewardFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Rewards at the end of an encounter: experience entered by the game master, and recorded `treasure`."""

    xp: bool = False
    treasure: bool = False
