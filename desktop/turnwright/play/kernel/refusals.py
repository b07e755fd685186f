"""The refusal of a command: a phrase for the reason, and the rule behind it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Value = str | int
_NOTHING: Mapping[str, Value] = MappingProxyType({})


class Refused(Exception):
    """A command was refused; the state is unchanged.

    `key` is a word key with `params`. `rule` is the id of the ledger rule that forbids the command, or empty if there
    is none. The user may override a rule check (`can_be_overridden`), but not a command that makes no sense.
    """

    def __init__(
        self,
        key: str,
        *,
        rule: str = "",
        params: Mapping[str, Value] = _NOTHING,
        can_be_overridden: bool = False,
    ) -> None:
        super().__init__(key)
        self.key = key
        self.rule = rule
        self.params = params
        self.can_be_overridden = can_be_overridden
