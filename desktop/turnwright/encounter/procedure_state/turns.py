"""Data of rounds and turns in progress."""

from __future__ import annotations

import msgspec


class RoundStart(msgspec.Struct, frozen=True, omit_defaults=True, tag="round"):
    """The top of a round: expired pools and entries (environment, entry) on offer, still to come, in order."""

    expired_pools: tuple[str, ...] = ()
    offers: tuple[tuple[str, str], ...] = ()


class WorldTurn(msgspec.Struct, frozen=True, omit_defaults=True, tag="world-turn"):
    """The world's turn before a participant's, for it alone: entries on offer, and participants still to come."""

    who: str = ""
    offers: tuple[tuple[str, str], ...] = ()
    remaining: tuple[str, ...] = ()


class TurnEnd(msgspec.Struct, frozen=True, omit_defaults=True, tag="turn-end"):
    """The end of a slot's turn: entries (environment, entry, combatant) with an end-of-turn effect, still to come.

    `next_slot` is the slot gone to by hand, whose turn begins after this one; empty for the next in the order. `phases`
    are those still to come, by the names that `play.turns.turn_phases` knows.
    """

    slot: str
    entries: tuple[tuple[str, str, str], ...] = ()
    next_slot: str = ""
    phases: tuple[str, ...] = ()


class TurnStart(msgspec.Struct, frozen=True, omit_defaults=True, tag="turn-start"):
    """The start of a slot's turn whose phases a person may order: those still to come."""

    slot: str
    phases: tuple[str, ...] = ()
