"""The session of an encounter: converts commands to steps, applies them to the state, and keeps the undo history.

Undo, redo and rebuilding from a log apply changes in the same way as a new step. Listeners are called once per step.
"""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from turnwright.encounter.field_specs import problem_in
from turnwright.encounter.state import Change, Encounter, Record, key_of, scene_of
from turnwright.play.kernel.events import JournalLine, Phrase, phrase
from turnwright.play.kernel.history import History, HistoryEntry, inverted, merged
from turnwright.play.kernel.scheduler import Changed, Step, advance, changed_by
from turnwright.play.kernel.transaction import Command, Refused, Transaction, require_combatants, undo_label
from turnwright.play.table.corrections import CorrectLine
from turnwright.rules.system import RuleSystem

Listener = Callable[[Changed], None]
LogSink = Callable[[HistoryEntry], None]


class Session:
    """An encounter being prepared or run.

    `log_sink` is called with every history entry after the state has changed and before listeners are notified. If it
    raises an exception, the listeners are still notified and the change stays. `rules` may change when the scene names
    another system. `clock` returns the real time in seconds since the session was opened, which only reports use.
    """

    def __init__(
        self,
        encounter: Encounter,
        rules: RuleSystem,
        *,
        history: History | None = None,
        earlier_lines: Sequence[JournalLine] = (),
        log_sink: LogSink | None = None,
        clock: Callable[[], int] = int,
    ) -> None:
        self._encounter = encounter
        self.rules = rules
        self._history = history or History()
        self._earlier = tuple(earlier_lines)
        self._log_sink = log_sink
        self._clock = clock
        self._listeners: list[Listener] = []
        serials = [step.serial for step in self._history.applied]
        self._serial = max([*serials, *(line.serial for line in self._earlier)], default=0)

    @property
    def encounter(self) -> Encounter:
        """Return the current state of the encounter."""
        return self._encounter

    @property
    def history(self) -> History:
        """Return the history of steps. Callers must not change it."""
        return self._history

    @property
    def serial(self) -> int:
        """Return the number of the last step or attempt. It never decreases."""
        return self._serial

    def set_log(self, log_sink: LogSink) -> None:
        """Send all future history entries to a log."""
        self._log_sink = log_sink

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call a listener after every step. Return a function that ends the subscription."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    # Commands ----------------------------------------------------------------------------------------------

    def do(self, command: Command, *, override: bool = False, strict: bool = False, joins: bool = False) -> Step | None:
        """Carry out a command and its automatic consequences. Return its step, or None if nothing happened.

        Raise Refused, with the state unchanged, if the command isn't allowed. `override` ignores a rule. `strict` makes
        rule checks refuse a command instead of only warning. With `joins`, undo reverts it together with the last step.
        """
        step = self._attempt(command, override=override, strict=strict)
        if not step.changes and not step.events:
            return None
        entry = self._history.entry_with_last(step) if joins else self._history.entry_for(step)
        self._commit(entry, step.changes, step.label)
        return step

    def amend(self, records: Sequence[Record]) -> None:
        """Store records as part of the last step, so that undo also reverts them.

        Do nothing after an undo, or if the document was saved after this step.
        """
        last = self._history.last
        if last is None or not self._history.is_open:
            return
        changes = tuple(Change(key_of(each), self._encounter.record(key_of(each)), each) for each in records)
        step = msgspec.structs.replace(last, changes=merged(last.changes, changes))
        self._commit(HistoryEntry("joined", step), changes, last.label)

    def preview(self, command: Command) -> Step:
        """Return the step that a command would make, without applying it. Raise Refused as in `do`."""
        return self._attempt(command)

    def _attempt(self, command: Command, *, override: bool = False, strict: bool = False) -> Step:
        # imported here because it loads all stages, which aren't needed to open an encounter
        from turnwright.play.registry import AFTER_EACH_STEP, INTERCEPTORS, stages

        if isinstance(command, CorrectLine) and not self._has_line(command.serial, command.line):
            raise Refused("refused.no_such_line")
        scene = scene_of(self._encounter)
        serial = self._serial + 1
        tx = Transaction(
            self._encounter, self.rules, serial, override=override, strict=strict, strictness=scene.strictness
        )
        require_combatants(tx, command)
        command.handle(tx)
        advance(tx, stages(), INTERCEPTORS)
        for begin_if_due in AFTER_EACH_STEP:
            if begin_if_due(tx):
                advance(tx, stages(), INTERCEPTORS)
        changes = tx.changes()
        check_bounds(changes)
        label = undo_label(command, tx)
        from turnwright.play.journal import lines_of

        lines = lines_of(tx, tuple(tx.events), serial, self._clock())
        return Step(serial, label, changes, tuple(tx.events), lines, command.merge_key)

    def _has_line(self, serial: int, index: int) -> bool:
        steps = (step.lines for step in self._history.applied if step.serial == serial)
        return any((line.serial, line.index) == (serial, index) for lines in (self._earlier, *steps) for line in lines)

    def _commit(self, act: HistoryEntry, changes: Sequence[Change], label: Phrase) -> None:
        self._encounter = self._encounter.with_changes(changes)
        self._serial += 1
        self._history.apply(act)
        try:
            if self._log_sink is not None:
                self._log_sink(act)
        finally:
            message = changed_by(label, changes)
            for listener in list(self._listeners):
                listener(message)

    # Undo and redo -----------------------------------------------------------------------------------------

    @property
    def undo_label(self) -> Phrase | None:
        """Return the label of the step that undo would revert, or None if there is none."""
        return self._history.last.label if self._history.last else None

    @property
    def redo_label(self) -> Phrase | None:
        """Return the label of the step that redo would apply, or None if there is none."""
        return self._history.next.label if self._history.next else None

    def undo(self) -> bool:
        """Undo the last step; return False if there is none."""
        step = self._history.last
        if step is None:
            return False
        self._commit(HistoryEntry("undid"), inverted(step.changes), phrase("step.undo"))
        return True

    def redo(self) -> bool:
        """Redo the last undone step; return False if there is none."""
        step = self._history.next
        if step is None:
            return False
        self._commit(HistoryEntry("redid"), step.changes, phrase("step.redo"))
        return True

    def replay(self, entries: Sequence[HistoryEntry]) -> None:
        """Apply the history entries of a log, without running handlers or notifying listeners."""
        for act in entries:
            self._encounter = self._encounter.with_changes(self._history.changes_of(act))
            self._serial = max(self._serial + 1, act.step.serial if act.step is not None else 0)
            self._history.apply(act)

    # Reading -----------------------------------------------------------------------------------------------

    def journal(self) -> Iterator[JournalLine]:
        """Yield the journal lines of all applied steps, including later corrections."""
        lines = [*self._earlier, *(line for step in self._history.applied for line in step.lines)]
        corrected = {
            (str(dict(line.phrase.params).get("serial")), str(dict(line.phrase.params).get("line"))): line
            for line in lines
            if line.kind == "correction"
        }
        for line in lines:
            if line.kind != "correction":
                correction = corrected.get((str(line.serial), str(line.index)))
                if correction:
                    yield msgspec.structs.replace(line, phrase=correction.phrase, kind="corrected")
                else:
                    yield line


def check_bounds(changes: Sequence[Change]) -> None:
    """Raise Refused if a step would set a number outside its limits, whatever its source."""
    for change in changes:
        if change.after is not None:
            field, problem = problem_in(change.after, change.before)
            if problem:
                raise Refused("refused.bounds", params={"what": field, "why": problem})
