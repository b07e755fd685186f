"""How a game takes up surroundings that were written for another: what its own words for things are."""

from __future__ import annotations

import msgspec

from turnwright.rules.system_data.conditions import Condition

Pairs = tuple[tuple[str, str], ...]


class Translation(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table from another game's ids to this one's; what it lacks stays as it is and is asked about in play.

    `origin` is the game whose surroundings it reads. `ask_saves` and `conditions_of` pair ids, `checks` checks
    (`dex:stealth`), `ask_damage` types, `cost_choices` what is spent, `texts_of` phrases that stand in a row's texts.
    `feet` of the origin's distances are `units` of this game's, each rounded to the nearest whole one, and never to
    nothing. `exertion_marks` are conditions that come with the surroundings themselves, where the game has none of that
    name.
    """

    origin: str = ""
    feet: int = 1
    units: int = 1
    saves: Pairs = ()
    checks: Pairs = ()
    damage: Pairs = ()
    conditions: Pairs = ()
    costs: Pairs = ()
    words: Pairs = ()
    marks: tuple[Condition, ...] = ()
