"""Commands that move an encounter along: set-up and its steps, turns, rests, the end."""

from __future__ import annotations

from typing import Literal

from turnwright.play.commands.base import Command


class StartEncounter(Command, frozen=True):
    """Open the set-up phase: mint combatants, order, pools and the world's state from what was prepared."""

    reason: str = ""


class AdvanceSetup(Command, frozen=True):
    """Go on to the next step of set-up; from initiative on to round 1."""


class EndEncounter(Command, frozen=True):
    """Close turn-based play; nobody has to have won."""


class ResetToPrepared(Command, frozen=True):
    """Throw away all that running has made and stand before the start again."""


class EndTurn(Command, frozen=True):
    """End the active turn. Anything unspent may stay unspent."""


class GoToTurn(Command, frozen=True):
    """Make a slot active by hand, out of order."""

    slot: str


class Rest(Command, frozen=True):
    """Finish a rest with everyone present; `haven`: at a place where the weary truly recover."""

    length: Literal["short", "long"]
    haven: bool = False


class MarkSneaking(Command, frozen=True):
    """Say who means to act before the others are aware of them."""

    who: tuple[str, ...]
    sneaking: bool = True


class MarkOpener(Command, frozen=True):
    """Say who opened hostilities, and so goes first whatever they roll; an empty `who` says that nobody did."""

    who: str = ""


class JoinTurn(Command, frozen=True):
    """Let the allies who are next in the order take their turn together with the one under way; `slot` names theirs."""

    slot: str = ""


class CallForChecks(Command, frozen=True):
    """Ask for an ability check (`dex:stealth`, `wis:perception`, `dex`) from each; `surprise` keeps the totals.

    `task` says in words what it is for: whoever is helped with that has the help. `tags` say it for the rules
    (`leap-off`, `throw-rider`); `dc` is what it is held against, 0 for nothing.
    """

    who: tuple[str, ...]
    check: str
    purpose: Literal["", "surprise"] = ""
    task: str = ""
    tags: tuple[str, ...] = ()
    dc: int = 0


class SetSurprised(Command, frozen=True):
    """Say who is surprised: exactly those named."""

    who: tuple[str, ...]


class SuddenAction(Command, frozen=True):
    """Everyone is aware and one side acts at once: nobody is surprised; `advantage` names who rolls with it."""

    advantage: tuple[str, ...] = ()


class SetInitiativeCheck(Command, frozen=True):
    """Name the check (`str:athletics`) and the edge on it that each rolls for initiative. Empty: the usual one."""

    who: tuple[str, ...]
    check: str = ""
    edge: Literal["", "advantage", "disadvantage"] = ""


class SetInitiative(Command, frozen=True):
    """Enter initiative totals by hand: pairs of combatant and total."""

    totals: tuple[tuple[str, int], ...]


class RollInitiative(Command, frozen=True):
    """Ask initiative of all who have no total yet."""
