"""What is under way and waits for a decision: procedures with their stage and data, and prompts with their asks.

A procedure's data is one of the small records below; a loop in `play` advances `(kind, stage)`. Ids, never objects.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from turnwright.dice.roll import Modifier, Roll, RollSpec
from turnwright.encounter.prepared import Figures

MADE, FAILED = "made", "failed"  # the options of a roll whose dice nobody knows
AskKind = Literal["roll", "choice", "targets", "number"]


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One answer to choose. `label` is a word key or plain text; `why` says what speaks for or against it."""

    id: str
    label: str
    why: str = ""


class Ask(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question on a card.

    `roll`: `spec` says what to roll and `dc` what it is held against. `choice`: one of `options`.
    `targets`: any of `options` up to `most` (0 no limit), `suggested` ticked. `number`: a whole number.
    `who` is the combatant asked, empty for the game master. `label` is a word key with `detail` as its plain part.
    """

    id: str
    kind: AskKind
    label: str
    who: str = ""
    detail: str = ""
    spec: RollSpec | None = None
    dc: int = 0
    options: tuple[Option, ...] = ()
    suggested: tuple[str, ...] = ()
    most: int = 0
    rule: str = ""


class Answered(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an ask was answered with: a roll, ids chosen, a number, or `skipped`."""

    ask: str
    roll: Roll | None = None
    chosen: tuple[str, ...] = ()
    number: int | None = None
    skipped: bool = False


class Prompt(msgspec.Struct, frozen=True, omit_defaults=True):
    """One card: several asks of one procedure. `blocks`: the turn order waits for it.

    `title` is a word key, `subject` the plain name in it; `revision` keeps a stale card from answering another.
    """

    table: ClassVar[str] = "prompts"

    id: str
    procedure: str
    title: str
    subject: str = ""
    asks: tuple[Ask, ...] = ()
    answers: tuple[Answered, ...] = ()
    blocks: bool = True
    rule: str = ""
    revision: int = 0


class Initiative(msgspec.Struct, frozen=True, omit_defaults=True, tag="initiative"):
    """Find places for those listed: totals, then ties among equals. `begin`: round 1 follows at once."""

    who: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    begin: bool = False


class Checks(msgspec.Struct, frozen=True, omit_defaults=True, tag="checks"):
    """Ability checks that the game master calls for; `purpose` `surprise` lets them stand as initiative."""

    who: tuple[str, ...] = ()
    check: str = ""
    purpose: Literal["", "surprise"] = ""


class Surprise(msgspec.Struct, frozen=True, omit_defaults=True, tag="surprise"):
    """Who notices whom: the check for those who sneak, the one for the rest, and the totals so far."""

    sneaking: tuple[str, ...]
    others: tuple[str, ...]
    totals: Figures = ()


class RoundStart(msgspec.Struct, frozen=True, omit_defaults=True, tag="round"):
    """The top of a round: pools that have run out and rows (environment, entry) on offer, still to come, in order."""

    expired: tuple[str, ...] = ()
    offers: tuple[tuple[str, str], ...] = ()


class Expiry(msgspec.Struct, frozen=True, omit_defaults=True, tag="expiry"):
    """A countdown that has run out, and how many of its outcomes have happened."""

    countdown: str
    happened: int = 0


class Hazard(msgspec.Struct, frozen=True, omit_defaults=True, tag="hazard"):
    """One row of an environment doing what it does, world action or feature.

    `targets` are all it strikes, `failed` those whom no save spared; `world`: used by the world itself;
    `agreed`: somebody has said on whom, so that it isn't asked.
    """

    environment: str
    entry: str
    actor: str = ""
    targets: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    world: bool = False
    agreed: bool = False


class Harm(msgspec.Struct, frozen=True, omit_defaults=True, tag="harm"):
    """Damage that is still to be rolled: an expression, whom it strikes, and by how many halves each takes it."""

    targets: tuple[str, ...]
    damage: str
    source: str = ""
    mundane: bool = False
    share: Literal["full", "half", "double"] = "full"
    modifiers: tuple[Modifier, ...] = ()


class TurnEnd(msgspec.Struct, frozen=True, omit_defaults=True, tag="turn-end"):
    """The end of a slot's turn: rows (environment, entry, combatant) that have something to say, still to come."""

    slot: str
    rows: tuple[tuple[str, str, str], ...] = ()


class KeepTemporary(msgspec.Struct, frozen=True, omit_defaults=True, tag="temporary"):
    """A choice between the temporary hit points one has and those one is given."""

    target: str
    amount: int
    source: str = ""


Work = Initiative | Checks | Surprise | RoundStart | Expiry | Hazard | Harm | TurnEnd | KeepTemporary


class Procedure(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something under way. `kind` and `stage` name the function that goes on with it; `parent` waits for it."""

    table: ClassVar[str] = "procedures"

    id: str
    kind: str
    stage: str
    data: Work
    parent: str = ""
