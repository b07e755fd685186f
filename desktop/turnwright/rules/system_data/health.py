"""Data of hit points: their lowest value, and temporary hit points."""

from typing import Literal

import msgspec

from turnwright.rules.system_data.field_types import DamageSteps, DamageTypeIds


class HealthFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for hit points and damage."""

    floor: Literal["zero", "minus-maximum"] = "zero"
    """The lowest hit points: 0 (`zero`), or minus the maximum (`minus-maximum`)."""
    temporary_adds: bool = False
    """Whether temporary hit points from several sources are added up."""
    temporary_over: int = 0
    """The divisor of the maximum that limits temporary hit points. 0 means no limit."""
    typed: bool = False
    """Whether all damage has a type."""
    asked: bool = False
    """Whether Turnwright asks for missing maximum hit points."""
    weapon_types: DamageTypeIds = ()
    """The damage types to which immunity and resistance to nonmagical weapons apply. Empty means all."""
    steps: DamageSteps = ("absorption", "mundane-immunity", "immunity", "resistance", "vulnerability")
    """The steps that adjust each part of damage, in order."""

    def lowest(self, maximum: int) -> int:
        """Return the lowest hit points that a combatant with this maximum can have."""
        return -maximum if self.floor == "minus-maximum" else 0

    def most_temporary(self, maximum: int) -> int | None:
        """Return the most temporary hit points for this maximum, or None if there is no limit."""
        return maximum // self.temporary_over if self.temporary_over else None
