"""Data of encounter budgets: what foes are worth, and how threats are measured."""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import FieldSpec, TableRuleId
from turnwright.encounter.prepared import NamedNumbers
from turnwright.rules.system_data.field_types import RuleIds

Ratio = tuple[int, int]  # a fraction: so many of so many


class GroupMultiplier(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of the multipliers for the number of foes: from `foes` on, the first step being 0."""

    foes: int
    step: int


class BudgetFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of an encounter budget. A game may have several: that of a table rule (`option`) counts where it is on.

    `unit` is the unit of the sum. `worth` chooses what a foe adds: `gap` takes it from `xp`, by how many levels it
    stands above the party, from `lowest` (below 0) on; `rating` from `ratings` by its rating, unless its stat block
    gives its own XP; `challenge` is the rating. `adjusted` is how many levels an adjustment of a stat block adds,
    `twice` the words by which a stat block counts as two. Against a party of an average level of `raised_to` at most a
    rating of `raised` counts as the one after it. `strongest` is how many hundredths of the party's average level a
    foe's rating may be at most, without making any fight the gravest there is. A threat depends, by `measure`, on the
    party's `size` (`threats` for `party` of them, `each` for one more or less), on the `level` of each member
    (`levels`: an entry a level, as many numbers as `names`), or on the sum of all `levels` of which each of `names` is
    a share (`shares`). A threat holds so much at `most`, or begins with so much at `least`, by `bound`; `below` and
    `above` are shown where there is no name for it. So many foes (`crowds`) multiply the sum by a step of `factors`, in
    hundredths, one step up for a party of fewer than `small`, one down for one of `large` or more. `hazard` is the type
    of stat block that is a hazard; without the word `complex` it is worth a share (`simple`). `places`: an environment
    with a rating counts as one. `phases`: hit points that a creature has anew at 0
    count as another creature, of its own rating or that of the stat block it then has. `external`: none of the rules' source documents has these numbers, they are those that
    the game's publisher makes public.
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
    """Rewards at the end of an encounter: experience entered by a person, and noted `treasure`."""

    xp: bool = False
    treasure: bool = False
