"""What a verb ends with where that is not success: a finding, bad usage, or an interruption from the keyboard."""

from __future__ import annotations

from typing import Final

FINDING: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
