"""Keeps the data of rule systems as they were read and checked, for the next start.

What is kept begins with a digest of the files that it was read from, of the code that reads them and of the version; where
that differs, the files are read anew. Nothing is lost with the folder.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import msgspec

from turnwright import __version__
from turnwright.rules.system_data import SystemData
from turnwright.storage.atomic import make_private, replace_atomically
from turnwright.storage.resources import resource_root

_CODE = Path(__file__).resolve().parents[1]
_READERS = ("encounter", "rules/system_data", "rules/parts/environment", "storage")


def cached_system_data(system_id: str, folder: Path, root: Path | None = None) -> SystemData:
    """Return all data of a system except its ledger, from the folder of the cache if nothing has changed since.

    SystemDataError as `read_system_data` raises it.
    """
    root = root or resource_root()
    kept = folder / f"{system_id}.msgpack"
    digest = _digest(system_id, root)
    with suppress(OSError, msgspec.DecodeError):
        content = kept.read_bytes()
        if content.startswith(digest):
            return msgspec.msgpack.decode(content[len(digest) :], type=SystemData)
    from turnwright.storage.system_data import read_system_data  # with all that checks the files

    data = read_system_data(system_id, root)
    with suppress(OSError):
        make_private(folder)
        replace_atomically(kept, digest + msgspec.msgpack.encode(data))
    return data


def _digest(system_id: str, root: Path) -> bytes:
    """Return a digest of all that a system's data depend on."""
    digest = blake2b(__version__.encode(), digest_size=32)
    for folder in (root / "systems" / system_id, root / "environments", root / "words"):
        for file in sorted(folder.glob("*.toml")):
            content = file.read_bytes()
            digest.update(f"{file.relative_to(root)} {len(content)} ".encode() + content)
    for folder in (_CODE / name for name in _READERS):
        for file in sorted(folder.glob("*.py")):
            state = file.stat()
            digest.update(f"{file.relative_to(_CODE)} {state.st_mtime_ns} {state.st_size} ".encode())
    return digest.digest()
