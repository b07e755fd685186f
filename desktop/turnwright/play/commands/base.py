"""The base of all commands, and words that several of them share."""

from __future__ import annotations

from typing import Literal

import msgspec

Share = Literal["full", "half", "double"]
Purpose = Literal["", "off-hand", "opportunity", "readied", "commanded", "legendary", "free"]


class Command(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Base of all commands; the tag is the class name."""
