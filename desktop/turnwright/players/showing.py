"""The game master's choice for the players' screen: the mode, the text or picture sent last, and how much of each side shows."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.players.view import Mode, PlayersSheet

Health = Literal["words", "numbers", "nothing"]


class Showing(msgspec.Struct, frozen=True):
    """What is shown. `known` are the combatants whose name the players know, `names` false names by combatant.

    `countdowns` are those that are shown. `sheet` and `dice` are what was sent last; nothing is shown by being selected.
    """

    mode: Mode = "order"
    known: frozenset[str] = frozenset()
    names: tuple[tuple[str, str], ...] = ()
    countdowns: frozenset[str] = frozenset()
    health_of_party: Health = "numbers"
    health_of_others: Health = "words"
    initiative: bool = False
    turn_seconds: int = 0
    sheet: PlayersSheet | None = None
    dice: str = ""
