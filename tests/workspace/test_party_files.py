"""Saving parties of the library: read again before, one process at a time."""

from __future__ import annotations

import msgspec
import pytest

from tests.table import creature
from turnwright.encounter.prepared import CharacterState, Party, RosterEntry
from turnwright.storage.library.entries import Library, read_library_file
from turnwright.workspace.locks import DocumentLock
from turnwright.workspace.party_files import save_party, with_members
from turnwright.workspace.party_states import fresh

ANN = RosterEntry("ann", "ann", side="party", player="Kim", state=CharacterState(7))
PARTY = Party("us", "Us", (creature("ann"),), (ANN,))


def test_a_party_is_saved_under_a_lock_after_it_was_read_again(tmp_path, monkeypatch):
    library = Library(tmp_path / "library", index=tmp_path / "state" / "library.index")
    library.save(PARTY, "dnd5e")
    library.save(msgspec.structs.replace(PARTY, notes="Changed meanwhile."), "dnd5e")
    path = save_party(library, "dnd5e", lambda: with_members(library, "dnd5e", fresh(PARTY), "state"))
    assert read_library_file(path)[0] == msgspec.structs.replace(fresh(PARTY), notes="Changed meanwhile.")
    lock = DocumentLock(tmp_path / "state", "parties")
    assert lock.acquire()
    monkeypatch.setattr("turnwright.workspace.locks.PATIENCE", 0)
    with pytest.raises(OSError, match="busy"):
        save_party(library, "dnd5e", lambda: PARTY)
    lock.release()
