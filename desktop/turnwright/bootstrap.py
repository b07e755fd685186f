"""The composition root: the only module that knows all the others, and the one that puts rule systems together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from turnwright.rules.catalogue import Catalogue
from turnwright.rules.system import RuleSystem
from turnwright.rules.systems import a5e
from turnwright.storage.systems import read_catalogue

Builder = Callable[[Catalogue], RuleSystem]
SYSTEMS: Mapping[str, Builder] = MappingProxyType({a5e.ID: a5e.build})


class RuleSystems:
    """The rule systems there are, each read and built when it is first asked for.

    `extra` adds systems of one's own: an id with a builder and the catalogue it is built over.
    """

    def __init__(self, extra: Mapping[str, Callable[[], RuleSystem]] = MappingProxyType({})) -> None:
        self._makers: dict[str, Callable[[], RuleSystem]] = {
            id: lambda id=id, build=build: build(read_catalogue(id))  # type: ignore[misc]
            for id, build in SYSTEMS.items()
        }
        self._makers.update(extra)
        self._built: dict[str, RuleSystem] = {}

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all systems."""
        return tuple(self._makers)

    def get(self, id: str) -> RuleSystem:
        """Return a system; LookupError for one that is not known."""
        if id not in self._built:
            if id not in self._makers:
                raise LookupError(id)
            self._built[id] = self._makers[id]()
        return self._built[id]
