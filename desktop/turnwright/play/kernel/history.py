"""The linear history of a document: applied steps, followed by undone steps that redo can apply again.

Every change to the history is a `HistoryEntry`, so a log of entries can rebuild it exactly. A step is done, joined to
the previous step, undone or redone. A joined step keeps the earlier step's `before` records and its own `after`
records.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from turnwright.encounter.state import Change, Key
from turnwright.play.kernel.scheduler import Step


class HistoryEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One change to a history.

    `did` adds a step on top. `joined` replaces the top step with one that includes a new step. `vanished` removes the
    top step because the new step cancels it out. `undid` and `redid` move one step back or forward.
    """

    kind: Literal["did", "joined", "vanished", "undid", "redid"]
    step: Step | None = None


class History:
    """The steps in order, and how many of them are applied."""

    def __init__(self, steps: Sequence[Step] = (), applied: int | None = None) -> None:
        self._steps = list(steps)
        self.depth = len(self._steps) if applied is None else applied  # the number of applied steps
        self._sealed = 0

    @property
    def applied(self) -> Sequence[Step]:
        """Return the applied steps, first to last."""
        return self._steps[: self.depth]

    @property
    def last(self) -> Step | None:
        """Return the step that undo would revert."""
        return self._steps[self.depth - 1] if self.depth else None

    @property
    def next(self) -> Step | None:
        """Return the step that redo would apply again."""
        return self._steps[self.depth] if self.depth < len(self._steps) else None

    def seal(self) -> None:
        """Prevent later steps from joining the top step, because the document was saved here."""
        self._sealed = self.depth

    @property
    def is_open(self) -> bool:
        """Whether changes can join the top step: no step is undone, and the document wasn't saved here."""
        return self.depth == len(self._steps) and self._sealed != self.depth

    def can_join(self, step: Step) -> bool:
        """Return whether a step can join the top step."""
        last = self.last
        return bool(step.merge) and last is not None and last.merge == step.merge and self.is_open

    def entry_for(self, step: Step) -> HistoryEntry:
        """Return the entry that adds a new step: on its own, joined to the last step, or cancelling it out."""
        last = self.last
        if last is None or not self.can_join(step):
            return HistoryEntry("did", step)
        changes = merged(last.changes, step.changes)
        if not changes:
            return HistoryEntry("vanished")
        return HistoryEntry("joined", msgspec.structs.replace(step, serial=last.serial, changes=changes))

    def entry_with_last(self, step: Step) -> HistoryEntry:
        """Return the entry that adds a new step and its journal lines to the last step, or on its own if that is sealed."""
        last = self.last
        if last is None or not self.is_open:
            return HistoryEntry("did", step)
        lines = [
            msgspec.structs.replace(line, serial=last.serial, index=len(last.lines) + line.index) for line in step.lines
        ]
        names = ", ".join(str(dict(each.label.params).get("what", "")) for each in (last, step)).split(", ")
        label = msgspec.structs.replace(last.label, params=(("what", ", ".join(filter(None, dict.fromkeys(names)))),))
        events, changes = (*last.events, *step.events), merged(last.changes, step.changes)
        return HistoryEntry("joined", Step(last.serial, label, changes, events, (*last.lines, *lines)))

    def changes_of(self, entry: HistoryEntry) -> Sequence[Change]:
        """Return the changes that an entry makes to the encounter. Raise ValueError if the entry doesn't fit."""
        if entry.kind == "did" and entry.step:
            return entry.step.changes
        if entry.kind == "joined" and entry.step and self.last:
            return [*inverted(self.last.changes), *entry.step.changes]
        if entry.kind in ("vanished", "undid") and self.last:
            return inverted(self.last.changes)
        if entry.kind == "redid" and self.next:
            return self.next.changes
        raise ValueError(f"a history entry of kind {entry.kind!r} doesn't fit the current history")

    def apply(self, entry: HistoryEntry) -> None:
        """Apply an entry to the history. Raise ValueError if the entry doesn't fit the history."""
        if entry.kind == "did" and entry.step is not None:
            del self._steps[self.depth :]
            self._sealed = min(self._sealed, self.depth)
            self._steps.append(entry.step)
            self.depth += 1
        elif entry.kind == "joined" and entry.step is not None and self.depth:
            self._steps[self.depth - 1] = entry.step
        elif entry.kind == "vanished" and self.depth:
            self.depth -= 1
            del self._steps[self.depth :]
        elif entry.kind == "undid" and self.depth:
            self.depth -= 1
        elif entry.kind == "redid" and self.depth < len(self._steps):
            self.depth += 1
        else:
            raise ValueError(f"a history entry of kind {entry.kind!r} doesn't fit the current history")


def merged(first: Sequence[Change], second: Sequence[Change]) -> tuple[Change, ...]:
    """Return the net changes of two sequences of changes, without changes that cancel out."""
    together: dict[Key, Change] = {change.key: change for change in first}
    for change in second:
        earlier = together.get(change.key)
        if earlier is None:
            together[change.key] = change
        else:
            place = earlier.index if earlier.before is None else change.index
            together[change.key] = Change(change.key, earlier.before, change.after, place)
    return tuple(change for change in together.values() if change.before != change.after)


def inverted(changes: Sequence[Change]) -> list[Change]:
    """Return the changes that undo these changes, in reverse order."""
    return [change.reversed() for change in reversed(changes)]
