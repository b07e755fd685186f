"""Exit codes for failures: a problem in a file, wrong usage, or an interruption with Ctrl+C."""

from __future__ import annotations

from typing import Final

FINDING: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
