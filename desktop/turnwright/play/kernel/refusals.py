"""How a command says no: what can't be done, in words, and by which rule."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Value = str | int
_NOTHING: Mapping[str, Value] = MappingProxyType({})


class Refused(Exception):
    """A command can't be carried out; the state is as it was.

    `key` is a word key with `params`; `rule` the ledger id that forbids it, empty where no rule but sense does.
    What a rule forbids may be done anyway; what makes no sense may not.
    """

    def __init__(self, key: str, *, rule: str = "", params: Mapping[str, Value] = _NOTHING) -> None:
        super().__init__(key)
        self.key = key
        self.rule = rule
        self.params = params

    @property
    def can_be_overridden(self) -> bool:
        """Whether a person may insist."""
        return bool(self.rule)
