"""The exit codes of failures: a finding, bad usage, or an interruption from the keyboard."""

from __future__ import annotations

from typing import Final

FINDING: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
