"""The data record shared by small procedures about a single combatant.

A procedure's data is one of the small records below; a loop in `play` advances `(kind, stage)`. Ids, never objects.
"""

from __future__ import annotations

import msgspec


class Watch(msgspec.Struct, frozen=True, omit_defaults=True, tag="watch"):
    """Data of a small procedure about one combatant, by kind: a death save, a fall, a recharge, persistent damage.

    `rest` are ids still to come, `value` a number it carries (feet fallen, damage taken, a level); `away` is the
    combatant that the target is pushed away from.
    """

    who: str
    what: str = ""
    value: int = 0
    rest: tuple[str, ...] = ()
    source: str = ""
    by: str = ""
    away: str = ""
