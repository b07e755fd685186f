"""What is under way and waits for a decision: procedures with their stage and data, and prompts with their asks."""

from __future__ import annotations

import msgspec


class ActionInProgress(msgspec.Struct, frozen=True, omit_defaults=True, tag="deed"):
    """An action of the system's list being done: to whom, with which choice, and how its trial went for each.

    `ask_check` is the roll chosen where there are several and `dc` what a person holds it against, `theirs` the one that
    opposes it; `used` are effects that the roll uses up, `total` what it came to. `points` is the price where a person says it. `insisted`: it is done although a rule forbids it.
    `degree` is how well the roll went, where the game tells more than made or not.
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
