"""Facts about a fight for its report: what happened to which combatant, and who caused it."""

from typing import Literal

import msgspec

FactKind = Literal[
    "damage", "healed", "set", "miss", "fumble", "hit", "critical", "save", "down", "dead", "turn", "round", "pool",
    "use", "world", "wave", "left", "xp", "treasure", "back",
]  # fmt: skip


class FightFact(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fact. `who` is the combatant it happened to, and `by` the combatant who caused it. Both can be empty.

    `amount` is the damage (the hit points lost, including temporary ones), the hit points gained, 1 for a successful save, the experience, or the dice left in a pool.
    For a turn, it is the real time in seconds when it began. For `back` (a restored snapshot), it is the last step that
    still counts. `before` and `left` are hit points before and after, if they changed. For a removed combatant, `side`
    and `creature` are stored, and `hidden` is whether it was hidden from players. `what` is the name, at that time, of
    a weapon, feature, cause, countdown or treasure.
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
