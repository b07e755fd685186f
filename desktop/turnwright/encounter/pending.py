"""What is under way and waits for a decision: procedures with their stage and data, and prompts with their asks.

A procedure's data is one of the small records below; a loop in `play` advances `(kind, stage)`. Ids, never objects.
"""

from __future__ import annotations

import msgspec


class Watch(msgspec.Struct, frozen=True, omit_defaults=True, tag="watch"):
    """A small procedure about one combatant, told by its kind: a death save, a fall, a recharge, ongoing damage.

    `end_linked_effects` are ids still to come, `value` a figure it carries (feet fallen, damage taken, a level); `away` is whom
    somebody is pushed away from.
    """

    who: str
    what: str = ""
    value: int = 0
    rest: tuple[str, ...] = ()
    source: str = ""
    by: str = ""
    away: str = ""
