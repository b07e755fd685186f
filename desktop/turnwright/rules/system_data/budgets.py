"""What an encounter is worth, and how much of a threat so much is, each by one of a few ways that data names."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.encounter.prepared import NamedNumbers

Ratio = tuple[int, int]  # a fraction: so many of so many


class GroupMultiplier(msgspec.Struct, frozen=True, omit_defaults=True):
    """From how many foes on their sum counts for more: by which step of the multipliers, the first being 0."""

    foes: int
    step: int


class BudgetFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to weigh an encounter. A game may have several: that of a table rule (`option`) counts where it is on.

    `unit` is what the sum is counted in. `worth_by_level_gap` says what a foe adds: `gap` takes it from `xp`, by how
    many levels it stands above the party, from `lowest` (below 0) on; `rating` from `ratings` by its rating, unless its
    stat block says what it is worth itself; `challenge` is the rating. `adjusted` is how many levels an adjustment of a
    stat block adds, `twice` the words by which a stat block counts as two. Against a party of an average level of
    `raised_to` at most a rating of `with_height_change` counts as the one after it. `strongest` is how many hundredths
    of the party's average level a foe's rating may be at most, without making any fight the gravest there is.

    What a threat is depends, by `check_size`, on the party's `size` (`threats` for `party` of them, `values_of` for one
    more or less), on the `level` of each (`levels`: a row a level, as many figures as `member_names`), or on the sum of
    all `levels` of which each of `member_names` is a share (`shares`). A threat holds so much at `maximum`, or begins
    with so much at `least`, by `fixed_order`; `below` and `above` are what is said where there is no name for it.

    So many foes (`crowds`) multiply the sum by a step of `factors`, in hundredths, one step up for a party of fewer
    than `small`, one down for one of `large` or more. `hazard` is the type of stat block that is a hazard; without the
    word `complex` it is worth a share (`simple`). `assign_slots`: a place with a rating counts as one. `external`: no
    document that the rules were taken from has these figures, they are those that the game's publisher makes public.
    """

    id: str = ""
    name: str = ""
    option: str = ""
    unit: str = "XP"
    worth: Literal["gap", "rating", "challenge"] = "gap"
    measure: Literal["size", "level", "levels"] = "size"
    bound: Literal["most", "least"] = "most"
    party: int = 0
    lowest: int = 0
    xp: tuple[int, ...] = ()
    ratings: NamedNumbers = ()
    threats: NamedNumbers = ()
    each: NamedNumbers = ()
    names: tuple[str, ...] = ()
    levels: tuple[tuple[int, ...], ...] = ()
    shares: tuple[Ratio, ...] = ()
    below: str = ""
    above: str = ""
    adjusted: NamedNumbers = ()
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
    external: bool = False
    ledger: tuple[str, ...] = ()


class RewardFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the end of an encounter may bring a party: experience, as much as a person says, and `treasure` that was noted."""

    xp: bool = False
    treasure: bool = False
