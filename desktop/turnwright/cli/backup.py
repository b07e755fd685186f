"""`turnwright backup` and `turnwright restore`: save your library as one file, and restore it."""

from __future__ import annotations

import sys
from pathlib import Path

from turnwright.bootstrap import RuleSystems
from turnwright.storage.backup import back_up_library, restore_library
from turnwright.workspace.folders import folders


def back_up(output: Path, systems: RuleSystems) -> int:
    """Save the library as one file. Return 1 if that fails."""
    try:
        count = back_up_library(folders().library, output)
    except OSError as error:
        print(f"turnwright backup: {output}: {error.strerror or error}", file=sys.stderr)
        return 1
    print(f"{count} file{'s' if count != 1 else ''} in {output}")
    return 0


def restore(file: Path, systems: RuleSystems) -> int:
    """Replace the library with a backup. If that fails, nothing is changed and 1 is returned."""
    try:
        restored = restore_library(file, folders().library)
    except OSError as error:
        print(f"turnwright restore: nothing was changed: {error.strerror or error}", file=sys.stderr)
        return 1
    print(f"{restored.files} file{'s' if restored.files != 1 else ''} in {folders().library}")
    if restored.previous_library is not None:
        print(f"the previous library is in {restored.previous_library}")
    return 0
