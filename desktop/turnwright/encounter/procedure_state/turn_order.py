"""Data of initiative, called checks and surprise in progress."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.encounter.prepared import NamedNumbers


class Initiative(msgspec.Struct, frozen=True, omit_defaults=True, tag="initiative"):
    """Initiative for the combatants listed: totals, then ties among equals. `begin_rounds`: round 1 follows at once."""

    who: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    begin_rounds: bool = False


class CalledChecks(msgspec.Struct, frozen=True, omit_defaults=True, tag="checks"):
    """Ability checks that the game master calls for; the `purpose` `surprise` lets them stand as initiative.

    `dc` is their DC, 0 for none; `task` describes what they are for, `consumed_effects` are effects that
    the rolls use up; `tags` classify the check for the rules.
    """

    who: tuple[str, ...] = ()
    check: str = ""
    purpose: Literal["", "surprise"] = ""
    dc: int = 0
    task: str = ""
    consumed_effects: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class SurpriseChecks(msgspec.Struct, frozen=True, omit_defaults=True, tag="surprise"):
    """The surprise checks: those of combatants who sneak, those of the others, and the totals so far."""

    sneaking: tuple[str, ...]
    others: tuple[str, ...]
    totals: NamedNumbers = ()
