"""The composition root: the only module that may import all others. It builds the rule systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from turnwright.workspace.settings import cache_folder

if TYPE_CHECKING:
    from turnwright.rules.system import RuleSystem

SHIPPED: Final = ("a5e", "action_points", "dnd5e", "dnd5e-2024", "pf2e")  # folders in the resources


@cache
def _build(id: str) -> RuleSystem:
    """Return a shipped rule system with its data, built once."""
    from turnwright.rules.parts.d20_family import d20_system  # loads all rules; not needed at start-up
    from turnwright.storage.system_data import cached_system_data

    return d20_system(cached_system_data(id, cache_folder()))


SYSTEMS: Mapping[str, Callable[[], RuleSystem]] = {id: partial(_build, id) for id in SHIPPED}


class RuleSystems:
    """The available rule systems, each read and built on first use.

    `extra` adds systems: it maps ids to functions that build them.
    """

    def __init__(self, extra: Mapping[str, Callable[[], RuleSystem]] = MappingProxyType({})) -> None:
        self._makers: dict[str, Callable[[], RuleSystem]] = {**SYSTEMS, **extra}
        self._built: dict[str, RuleSystem] = {}

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all systems."""
        return tuple(self._makers)

    def get(self, id: str) -> RuleSystem:
        """Return a rule system. Raise LookupError if the id is unknown."""
        if id not in self._built:
            if id not in self._makers:
                raise LookupError(id)
            self._built[id] = self._makers[id]()
        return self._built[id]
