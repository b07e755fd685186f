"""Builds the index of the shipped library, `resources/library.msgpack`. Without it, the first start reads all files."""

from __future__ import annotations

import os
from pathlib import Path

from turnwright.storage.library.entries import Library

if __name__ == "__main__":
    Library.standard(Path(os.devnull)).write_built_index()
