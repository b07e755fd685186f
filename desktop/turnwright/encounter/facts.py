"""Facts of a fight: what happened to which combatant and by which, as numbers that a report counts."""

from __future__ import annotations

from typing import Literal

import msgspec

FactKind = Literal[
    "damage",
    "healed",
    "set",
    "miss",
    "fumble",
    "hit",
    "critical",
    "save",
    "down",
    "dead",
    "turn",
    "round",
    "pool",
    "use",
    "world",
    "wave",
    "left",
    "xp",
    "treasure",
    "back",
]


class FightFact(msgspec.Struct, frozen=True, omit_defaults=True):
    """One fact. `who` is the combatant it happened to, `by` the one who did it; empty where none did.

    `amount` is the damage, the hit points gained, 1 for a save that succeeded, the experience, or the dice left in a
    pool; for a turn, the seconds on the clock of the table when it began; for going `back`, the step after which nothing counts. `before` and `left` are hit points before and
    after, where they changed. Of one that was removed, `side` and `creature` are what it had, and `hidden` whether players
    saw it no more. `what` is a weapon, feature, cause, countdown or treasure by its name at that moment.
    """

    kind: FactKind
    who: str = ""
    by: str = ""
    amount: int = 0
    before: int = 0
    left: int = 0
    what: str = ""
    side: str = ""
    creature: str = ""
    hidden: bool = False
