"""`turnwright backup` and `turnwright restore`: the person's own library as one file, and back."""

from __future__ import annotations

import sys
from pathlib import Path

from turnwright.storage.backup import back_up_library, restore_library
from turnwright.workspace.folders import folders


def back_up(out: Path) -> int:
    """Write the library into a file. 1 where that can't be done."""
    try:
        count = back_up_library(folders().library, out)
    except OSError as error:
        print(f"turnwright backup: {out}: {error.strerror or error}", file=sys.stderr)
        return 1
    print(f"{count} file{'s' if count != 1 else ''} in {out}")
    return 0


def restore(backup: Path) -> int:
    """Replace the library by a backup. 1 where that can't be done; nothing has changed then."""
    try:
        restored = restore_library(backup, folders().library)
    except OSError as error:
        print(f"turnwright restore: nothing was changed: {error.strerror or error}", file=sys.stderr)
        return 1
    print(f"{restored.files} file{'s' if restored.files != 1 else ''} in {folders().library}")
    if restored.previous_library is not None:
        print(f"the library that was there is in {restored.previous_library}")
    return 0
