"""What is under way and waits for a decision: procedures with their stage and data, and prompts with their asks."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.encounter.prepared import NamedNumbers


class Initiative(msgspec.Struct, frozen=True, omit_defaults=True, tag="initiative"):
    """Find places for those listed: totals, then ties among equals. `begin`: round 1 follows at once."""

    who: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    begin_rounds: bool = False


class CalledChecks(msgspec.Struct, frozen=True, omit_defaults=True, tag="checks"):
    """Ability checks that the game master calls for; `purpose` `mark_surprised` lets them stand as initiative.

    `dc` is what one is held against, 0 for nothing; `task` says in words what they are for, `used` are effects that
    the rolls use up; `tags` say for the rules what it is.
    """

    who: tuple[str, ...] = ()
    check: str = ""
    purpose: Literal["", "surprise"] = ""
    dc: int = 0
    task: str = ""
    consumed_effects: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class SurpriseChecks(msgspec.Struct, frozen=True, omit_defaults=True, tag="surprise"):
    """Who notices whom: the check for those who sneak, the one for the rest, and the totals so far."""

    sneaking: tuple[str, ...]
    others: tuple[str, ...]
    totals: NamedNumbers = ()
