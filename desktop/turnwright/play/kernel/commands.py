"""The base class of all commands."""

from __future__ import annotations

import msgspec


class Command(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Base of all commands; the tag is the class name."""
