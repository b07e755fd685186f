"""What is under way and waits for a decision: procedures with their stage and data, and prompts with their asks."""

from __future__ import annotations

import msgspec


class RoundStart(msgspec.Struct, frozen=True, omit_defaults=True, tag="round"):
    """The top of a round: pools that have run out and rows (environment, entry) on offer, still to come, in order."""

    expired_pools: tuple[str, ...] = ()
    offers: tuple[tuple[str, str], ...] = ()


class WorldTurn(msgspec.Struct, frozen=True, omit_defaults=True, tag="world-turn"):
    """The world's turn at the start of a participant's, for them alone: rows on offer, and who is still to come."""

    who: str = ""
    offers: tuple[tuple[str, str], ...] = ()
    remaining: tuple[str, ...] = ()


class TurnEnd(msgspec.Struct, frozen=True, omit_defaults=True, tag="turn-end"):
    """The end of a slot's turn: rows (environment, entry, combatant) that have something to say, still to come.

    `then` is the slot gone to by hand, whose turn begins after this one; empty for the next in the order. `steps` are those
    still to come, by the names that `play.turns.turn_phases` knows.
    """

    slot: str
    entries: tuple[tuple[str, str, str], ...] = ()
    next_slot: str = ""
    phases: tuple[str, ...] = ()


class TurnStart(msgspec.Struct, frozen=True, omit_defaults=True, tag="turn-start"):
    """The start of a slot's turn, where somebody may put its steps in order: those still to come."""

    slot: str
    phases: tuple[str, ...] = ()
