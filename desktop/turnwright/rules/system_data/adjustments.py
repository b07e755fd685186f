"""Adjustments that make a creature stronger or weaker than its stat block."""

import msgspec

from turnwright.encounter.field_specs import ConditionId
from turnwright.rules.system_data.field_types import RuleIds


class Adjustment(msgspec.Struct, frozen=True, omit_defaults=True):
    """An adjustment of a creature. The condition with the same id has its rules; this record has its hit points.

    `hp` pairs a level with the hit points that are added from that level on.
    """

    id: ConditionId
    name: str
    hp: tuple[tuple[int, int], ...] = ()
    ledger: RuleIds = ()

    def hit_points(self, level: int) -> int:
        """Return the hit points that the adjustment adds at a level."""
        return next((more for least, more in reversed(self.hp) if level >= least), 0)
