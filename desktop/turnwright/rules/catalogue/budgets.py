"""What an encounter is worth in experience, and how much of a threat so much is."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Figures


class BudgetFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures of an encounter's budget. No `xp`: the game has none.

    `xp` is what a creature is worth by how many levels it stands above the party, from `lowest` (below 0) on. `threats`
    are the names of threats with what each is worth against a party of `party`, mildest first, `each` what one more or
    one less in the party changes that by. `adjusted` is how many levels an adjustment of a stat block adds.
    """

    party: int = 0
    lowest: int = 0
    xp: tuple[int, ...] = ()
    threats: Figures = ()
    each: Figures = ()
    adjusted: Figures = ()
    ledger: tuple[str, ...] = ()


class Awards(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the end of an encounter may bring a party: experience, as much as a person says."""

    xp: bool = False
