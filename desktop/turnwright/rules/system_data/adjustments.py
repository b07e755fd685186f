"""Adjustments that make a creature stronger or weaker than its stat block."""

import msgspec

from turnwright.encounter.field_specs import ConditionId
from turnwright.rules.system_data.field_types import RuleIds


class Adjustment(msgspec.Struct, frozen=True, omit_defaults=True):
    """An adjustment that makes a creature stronger or weaker."""

    id: ConditionId
    """The id, which is also the condition with its rules. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Elite`."""
    hp: tuple[tuple[int, int], ...] = ()
    """The hit points that are added, as pairs of a level and the number from that level on. Example: `[[1, 10], [5,
    15]]`.
    """
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""

    def hit_points(self, level: int) -> int:
        """Return the hit points that the adjustment adds at a level."""
        return next((more for least, more in reversed(self.hp) if level >= least), 0)
