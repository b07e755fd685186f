"""Data of hit points: their lowest value, and temporary hit points."""

from typing import Literal

import msgspec

from turnwright.rules.system_data.field_types import DamageSteps, DamageTypeIds


class HealthFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for hit points, which go down to 0 or to minus their maximum.

    `temporary_adds`: temporary hit points stack, up to the maximum divided by `temporary_over` (0: no limit). `typed`:
    all damage has a type. `asked`: a missing maximum is asked for. `weapon_types` are the damage types to which
    immunity and resistance to nonmagical weapons apply (empty: all). `steps` adjust each part of damage to a target.
    """

    floor: Literal["zero", "minus-maximum"] = "zero"
    temporary_adds: bool = False
    temporary_over: int = 0
    typed: bool = False
    asked: bool = False
    weapon_types: DamageTypeIds = ()
    steps: DamageSteps = ("absorption", "mundane-immunity", "immunity", "resistance", "vulnerability")

    def lowest(self, maximum: int) -> int:
        """Return the lowest hit points that a combatant with this maximum can have."""
        return -maximum if self.floor == "minus-maximum" else 0

    def most_temporary(self, maximum: int) -> int | None:
        """Return the most temporary hit points for this maximum, or None if there is no limit."""
        return maximum // self.temporary_over if self.temporary_over else None
