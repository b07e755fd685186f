"""Parties of the library are saved under a lock, after they were read again. It doesn't load the rules."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from turnwright.encounter.prepared import Party
from turnwright.storage.library.entries import Library
from turnwright.storage.library.parties import stored_party
from turnwright.workspace.locks import DocumentLock, hold


def save_party(library: Library, system: str, make: Callable[[], Party]) -> Path:
    """Save the party that `make` returns, and return its path. No other process saves one in the meantime.

    `make` has to read the library again. Raise OSError if the library is busy or can't be written.
    """
    lock = DocumentLock(library.index.parent, "parties") if library.index is not None else None
    with hold(lock):
        return library.save(make(), system)


def with_members(library: Library, system: str, party: Party, *fields: str) -> Party:
    """Return the party as the library has it now, with these fields of the members of `party`."""
    changed = {member.id: {name: getattr(member, name) for name in fields} for member in party.roster}
    stored = stored_party(library, system, party)
    roster = (msgspec.structs.replace(member, **changed.get(member.id, {})) for member in stored.roster)
    return msgspec.structs.replace(stored, roster=tuple(roster))
