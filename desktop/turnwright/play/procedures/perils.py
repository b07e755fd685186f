"""The ways in which games treat those who have no hit points left: who calls which, by the name that a game's data gives.

`saves` is what `aftermath` and `dying` do by themselves; any other way stands in `WAYS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from turnwright.encounter.pending import Procedure
from turnwright.play.procedures import bleeding, recovery
from turnwright.play.procedures.dying import begin_death_saves
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem


class Way(NamedTuple):
    """One way: what damage brings to whoever it leaves without hit points, and what their turn begins with.

    `struck` goes on with an `aftermath`; `turn_start` is asked about those whose turn it is, and what it begins
    `parent` waits for.
    """

    struck: Callable[[Transaction, RuleSystem, Procedure], Procedure | None]
    turn_start: Callable[[Transaction, RuleSystem, tuple[str, ...], str], None]


WAYS: Mapping[str, Way] = MappingProxyType(
    {
        "bleeding": Way(bleeding.struck, bleeding.begin_bleeding),
        "recovery": Way(recovery.struck, recovery.begin_recovery),
    }
)


def begin_perils(tx: Transaction, rules: RuleSystem, who: tuple[str, ...], parent: str = "") -> None:
    """Begin what those without hit points have to go through before anything else of their turn."""
    way = WAYS.get(rules.catalogue.dying.way)
    if way is None:
        begin_death_saves(tx, who, parent)
    else:
        way.turn_start(tx, rules, who, parent)
