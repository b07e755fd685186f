"""One act of a person with all that followed by itself: the changes it made, what happened, and its name.

Undo, redo, the journal, recovery and every view are made from steps. `Changed` is the one message views get.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from turnwright.encounter.state import Change, Key
from turnwright.play.kernel.events import Event, JournalLine, Phrase


class Step(msgspec.Struct, frozen=True):
    """One step. `serial` is unique in a document and never used twice; `merge` lets the next like it join it.

    `lines` are the journal lines its events made, told when it was taken, so that later renaming leaves them.
    """

    serial: int
    label: Phrase
    changes: tuple[Change, ...]
    events: tuple[Event, ...] = ()
    lines: tuple[JournalLine, ...] = ()
    merge: str = ""


class Changed(msgspec.Struct, frozen=True):
    """What views are told after a step, an undo or a redo: which keys came, went, or changed in which fields.

    `initiator` names who asked for it, so that the editor being typed in knows itself.
    """

    label: Phrase
    added: tuple[Key, ...]
    removed: tuple[Key, ...]
    updated: Mapping[Key, frozenset[str]]
    initiator: str = ""

    def touches(self, *tables: str) -> bool:
        """Return whether any key of these tables came, went or changed."""
        return any(key[0] in tables for keys in (self.added, self.removed, self.updated) for key in keys)


def changed_by(label: Phrase, changes: Iterable[Change], initiator: str = "") -> Changed:
    """Return the message for these changes."""
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
    return Changed(label, tuple(added), tuple(removed), updated, initiator)
