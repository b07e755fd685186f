"""The composition root: the only module that knows all the others, and the one that puts rule systems together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwright.rules.system import RuleSystem


def _a5e() -> RuleSystem:
    from turnwright.rules.systems import a5e
    from turnwright.storage.systems import read_catalogue

    return a5e.build(read_catalogue(a5e.ID))


SYSTEMS: Mapping[str, Callable[[], RuleSystem]] = MappingProxyType({"a5e": _a5e})


class RuleSystems:
    """The rule systems there are, each read and built when it is first asked for.

    `extra` adds systems of one's own: an id with a builder and the catalogue it is built over.
    """

    def __init__(self, extra: Mapping[str, Callable[[], RuleSystem]] = MappingProxyType({})) -> None:
        self._makers: dict[str, Callable[[], RuleSystem]] = {**SYSTEMS, **extra}
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
