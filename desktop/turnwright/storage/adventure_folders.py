"""New folders of adventures: copies of samples, and adventures that were unpacked, with their parties."""

import shutil
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Final

from turnwright.encounter.adventure import Adventure
from turnwright.encounter.prepared import Party
from turnwright.storage.adventures import PLAN, read_adventure
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.library.entries import Library, read_library_file

PARTY: Final = "adventure.party.toml"


class AdventureError(OSError):
    """Raised if a folder or file has no adventure that can be read. Nothing was changed."""


def readable_plan(plan: Path, systems: Collection[str]) -> Adventure:
    """Return the plan of an adventure. Raise AdventureError if it can't be read."""
    loaded = read_adventure(plan, systems)
    if loaded.adventure is None:
        finding = loaded.findings[0]
        raise AdventureError(f"{plan.name}:{finding.line}: {finding.text}")
    return loaded.adventure


def copy_adventure(plan: Path, into: Path, systems: Collection[str], library: Library | None = None) -> Path:
    """Copy the folder of an adventure, such as a sample, into a new folder of `into`. Return the path of the new plan.

    A party in it is added to the library, unless the library has one of that id. Raise AdventureError or OSError.
    """
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".copy-", dir=into) as room:
        home = shutil.copytree(plan.parent, Path(room) / plan.parent.name)
        return install_adventure(home, into, plan.parent.name, systems, library)


def install_adventure(home: Path, into: Path, name: str, systems: Collection[str], library: Library | None) -> Path:
    """Move the folder of an adventure into a new folder of `into`, and its party to the library. Return its plan."""
    adventure = readable_plan(home / PLAN, systems)
    party = read_library_file(home / PARTY)[0] if (home / PARTY).is_file() else None
    (home / PARTY).unlink(missing_ok=True)
    folder = into / IdAllocator(path.name for path in into.iterdir()).allocate(adventure.title or name)
    home.rename(folder)
    if isinstance(party, Party) and library is not None:
        known = {entry.id for entry in library.parties(adventure.system)}
        if party.id not in known:
            library.save(party, adventure.system)
    return folder / PLAN
