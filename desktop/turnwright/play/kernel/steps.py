"""A step: one command with all its automatic consequences, its changes, its events and its label.

Undo, redo, the journal, recovery and all views are based on steps. `Changed` is the only message that views get.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from turnwright.encounter.state import Change, Key
from turnwright.play.kernel.events import Event, JournalLine, Phrase


class Step(msgspec.Struct, frozen=True):
    """One step. `serial` is unique in a document and never reused; a following step with the same `merge` joins it.

    `lines` are the journal lines of its events. They are formatted when the step is made, so that renaming doesn't
    change them.
    """

    serial: int
    label: Phrase
    changes: tuple[Change, ...]
    events: tuple[Event, ...] = ()
    lines: tuple[JournalLine, ...] = ()
    merge: str = ""


class Changed(msgspec.Struct, frozen=True):
    """The message to views after a step, an undo or a redo: keys added or removed, and changed fields by key."""

    label: Phrase
    added: tuple[Key, ...]
    removed: tuple[Key, ...]
    updated: Mapping[Key, frozenset[str]]

    def touches(self, *tables: str) -> bool:
        """Return whether a record in any of these tables was added, removed or updated."""
        return any(key[0] in tables for keys in (self.added, self.removed, self.updated) for key in keys)


def changed_by(label: Phrase, changes: Iterable[Change]) -> Changed:
    """Return the message that reports these changes."""
    added: list[Key] = []
    removed: list[Key] = []
    updated: dict[Key, frozenset[str]] = {}
    for change in changes:
        if change.before is None:
            added.append(change.key)
        elif change.after is None:
            removed.append(change.key)
        else:
            before, after = change.before, change.after
            updated[change.key] = frozenset(
                name for name in after.__struct_fields__ if getattr(before, name) != getattr(after, name)
            )
    return Changed(label, tuple(added), tuple(removed), updated)
