"""What an encounter is worth, and how much of a threat so much is, each by one of a few ways that data names."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.encounter.prepared import Figures

Share = tuple[int, int]  # a fraction: so many of so many


class Crowd(msgspec.Struct, frozen=True, omit_defaults=True):
    """From how many foes on their sum counts for more: by which step of the multipliers, the first being 0."""

    foes: int
    step: int


class BudgetFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to weigh an encounter. A game may have several: that of a table rule (`option`) counts where it is on.

    `unit` is what the sum is counted in. `worth` says what a foe adds: `gap` takes it from `xp`, by how many levels it
    stands above the party, from `lowest` (below 0) on; `rating` from `ratings` by its rating, unless its stat block says
    what it is worth itself; `challenge` is the rating. `adjusted` is how many levels an adjustment of a stat block adds,
    `twice` the words by which a stat block counts as two. Against a party of an average level of `raised_to` at most a
    rating of `raised` counts as the one after it. `strongest` is how many hundredths of the party's average level a
    foe's rating may be at most, without making any fight the gravest there is.

    What a threat is depends, by `measure`, on the party's `size` (`threats` for `party` of them, `each` for one more or
    less), on the `level` of each (`levels`: a row a level, as many figures as `names`), or on the sum of all `levels` of
    which each of `names` is a share (`shares`). A threat holds so much at `most`, or begins with so much at `least`, by
    `bound`; `below` and `above` are what is said where there is no name for it.

    So many foes (`crowds`) multiply the sum by a step of `factors`, in hundredths, one step up for a party of fewer than
    `small`, one down for one of `large` or more. `hazard` is the type of stat block that is a hazard; without the word
    `complex` it is worth a share (`simple`). `places`: a place with a rating counts as one. `external`: no document that the rules were taken from
    has these figures, they are those that the game's publisher makes public.
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
    ratings: Figures = ()
    threats: Figures = ()
    each: Figures = ()
    names: tuple[str, ...] = ()
    levels: tuple[tuple[int, ...], ...] = ()
    shares: tuple[Share, ...] = ()
    below: str = ""
    above: str = ""
    adjusted: Figures = ()
    twice: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    raised_to: int = 0
    strongest: int = 0
    crowds: tuple[Crowd, ...] = ()
    factors: tuple[int, ...] = ()
    small: int = 0
    large: int = 0
    hazard: str = ""
    complex: str = ""
    simple: Share = (1, 1)
    places: bool = False
    external: bool = False
    ledger: tuple[str, ...] = ()


class Awards(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the end of an encounter may bring a party: experience, as much as a person says, and `treasure` that was noted."""

    xp: bool = False
    treasure: bool = False
