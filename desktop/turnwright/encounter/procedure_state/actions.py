"""Data of actions in progress."""

from __future__ import annotations

import msgspec


class ActionInProgress(msgspec.Struct, frozen=True, omit_defaults=True, tag="deed"):
    """An action in progress: its actor, targets and choice, and the result of its check by target.

    `check` is the roll chosen where there are several and `dc` its DC, `opposing_check` the check that opposes it;
    `consumed_effects` are effects that the roll uses up, `total` its total. `points` is the price where a person enters
    it. `rules_overridden`: it is carried out although a rule forbids it. `degree` is the degree of success, in games
    that have more than success and failure.
    """

    who: str
    action: str
    targets: tuple[str, ...] = ()
    cost: str = ""
    choice: str = ""
    about: str = ""
    note: str = ""
    succeeded: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    check: str = ""
    dc: int = 0
    consumed_effects: tuple[str, ...] = ()
    total: int = 0
    rules_overridden: bool = False
    opposing_check: str = ""
    points: int | None = None
    degree: str = ""
