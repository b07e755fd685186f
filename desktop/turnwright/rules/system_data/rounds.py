"""How a fight goes round: lengths of round, checks that stand for initiative, and how long countdowns last."""

from __future__ import annotations

import msgspec


class InitiativeFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """How places in the order are found.

    `ask_check` is what is usually rolled, with `die`; `ties` are the ways to part those who are level, each after the
    one before: `characters-first`, `foes-first`, `as-listed` (those who rolled as one), `roll` (`tie_check`, or the
    bare die; rolled again while they are level), `ask` (a person puts them in order at once), or `due` (when their
    place comes up). The last is repeated. `sum_prices` is the table rule under which foes who are alike roll once;
    `opener`: whoever opened hostilities goes first; `own`: what is added is the creature's own value, asked for where
    it has none, `own_skill`: so is the figure of the usual check's skill, once for all alike; `joins`: allies who
    follow one another may take their turns together; `lair` is the count at which creatures in their lairs act besides
    their turns, after all others of that count, 0 where they don't.
    """

    die: str = "1d20"
    check: str = ""
    tie_check: str = ""
    ties: tuple[str, ...] = ("roll",)
    together: str = ""
    opener: bool = False
    own: bool = False
    own_skill: bool = False
    joins: bool = False
    lair: int = 0


class SurpriseFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """How it is found out who is surprised, where the game says it: `ask_check` is what those who sneak make.

    It is held against a score of each of the others (`passive.perception`), who notice it unless it is higher, and it
    does not stand as initiative. Without these the game master names the checks of both sides, or (`sides`) which side
    ambushes which, if any.
    """

    check: str = ""
    against: str = ""
    sides: bool = False


class InitiativeCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of the table of checks that may stand for initiative."""

    id: str
    ability: str
    skill: str
    suits: str
    ledger: tuple[str, ...] = ()


class TurnFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Figures of a turn's steps: the flat check that ends ongoing damage, a DC of 0 for none.

    `ongoing_worst`: of ongoing damage of one type only the worst goes on.
    """

    flat_die: str = ""
    flat_dc: int = 0
    ongoing_worst: bool = False


class RoundLength(msgspec.Struct, frozen=True, omit_defaults=True):
    """A length of round on offer. `usual`: the one an encounter of that purpose starts with."""

    id: str
    name: str
    seconds: int
    usual: str = ""
    ledger: tuple[str, ...] = ()


class CountdownRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of the table of expected rolls: so many dice last about so many rolls at each speed."""

    dice: int
    slow: int
    medium: int
    fast: int
    ledger: tuple[str, ...] = ()
