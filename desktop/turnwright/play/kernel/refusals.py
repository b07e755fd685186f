"""The refusal of a command: why it can't be carried out, in words, and by which rule."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Value = str | int
_NOTHING: Mapping[str, Value] = MappingProxyType({})


class Refused(Exception):
    """A command was refused; the state is as it was.

    `key` is a word key with `params`; `rule` the ledger id that forbids it, empty where none says so. A person may
    override a rule check (`can_be_overridden`); a command that makes no sense stays refused.
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
