"""The adventure of the open encounter: its plan with an undo list, its progress, and the current step."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QWidget

from turnwright.encounter.adventure import Adventure, AdventureRun, AdventureStep
from turnwright.encounter.prepared import Party
from turnwright.play.kernel.events import Phrase, phrase
from turnwright.rules.system import RuleSystem
from turnwright.storage.adventures import PLAN, encounter_files, plan_of
from turnwright.ui.look.style import tr
from turnwright.ui.services.library import default_library
from turnwright.ui.services.services import Controller, Services
from turnwright.ui.services.workers import single_shot_timer
from turnwright.workspace.adventure import OpenAdventure, PlanChangedError, party_of_adventure
from turnwright.workspace.files import title_in

PlanChange = tuple[Phrase, Adventure]


class CurrentAdventure(Controller):
    """Follows the document of the window.

    Emits `changed` when the plan, the progress or the current step changes, and `entered` at another step or document.
    """

    changed = Signal()
    entered = Signal()

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.open: OpenAdventure | None = None
        self.at = self.selected = self._field = ""
        self._path: Path | None = None
        self._before: list[PlanChange] = []
        self._after: list[PlanChange] = []
        self._arriving = single_shot_timer(self, self.entered)
        self._document.documentChanged.connect(self.look)
        self._document.saved.connect(self._follow_file)
        if isinstance(application := QApplication.instance(), QApplication):
            application.focusChanged.connect(self._follow_focus)
        self.look()

    # The adventure ---------------------------------------------------------------------------------------------------

    @property
    def plan(self) -> Adventure:
        """The plan, or an empty one without an adventure or with errors in it."""
        return (self.open.adventure if self.open is not None else None) or Adventure()

    @property
    def run(self) -> AdventureRun:
        """The progress."""
        return self.open.run if self.open is not None else AdventureRun()

    @property
    def rules(self) -> RuleSystem:
        """The rule system of the adventure."""
        with suppress(LookupError):
            return self._workspace.systems.get(self.plan.system)
        return self._document.rules

    @property
    def party(self) -> Party | None:
        """The party of the adventure as the library has it now."""
        return party_of_adventure(self.plan, default_library()) if self.plan.party else None

    def set_party(self, id: str) -> None:
        """Choose the party of the adventure, and bring it into the encounter."""
        self.change("party", msgspec.structs.replace(self.plan, party=id))
        self._arriving.start()

    @property
    def unlisted(self) -> tuple[str, ...]:
        """The names of the encounter files in the folder that aren't steps."""
        listed = {step.encounter for step in self.plan.steps}
        return tuple(n for n in encounter_files(self.open.folder) if n not in listed) if self.open is not None else ()

    def step_of(self, key: str) -> AdventureStep | None:
        """Return the step with a key, or None."""
        return self.open.step(key) if self.open is not None else None

    @property
    def step(self) -> AdventureStep | None:
        """The current step."""
        return self.step_of(self.at)

    @property
    def has_page(self) -> bool:
        """Whether the current step is shown instead of an encounter: a scene or a rest."""
        return self.step is not None and self.step.kind != "encounter"

    def title_of(self, step: AdventureStep) -> str:
        """Return the title of a step, or an empty string for that of its encounter."""
        named = step.title or step.scene or step.part
        return named or (tr(f"ui.adventure.{step.rest}") if step.rest else "")

    def name_of(self, step: AdventureStep) -> str:
        """Return the title of a step, or that of its encounter."""
        with suppress(OSError, ValueError):
            return self.title_of(step) or (title_in(self.open.path_of(step)) if self.open is not None else step.text)
        return step.text

    def look(self) -> None:
        """Find the adventure of the document, and its current step."""
        self._path = self._document.source.path
        path = self._path or self._document.source.copied_from
        plan = None if path is None else path if path.name == PLAN else plan_of(path)
        if plan is None and self.open is None:
            return
        if plan is None:
            self.open = None
        elif self.open is None or self.open.plan != plan.absolute():
            self.open = OpenAdventure(plan, self._workspace.systems.ids, self._workspace.folders.state)
            self._before, self._after = [], []
        else:
            self.open.reload()
        self.at = self.selected = self._step_here(path)
        self._services.layout.show_adventure(is_there=self.open is not None)
        self.changed.emit()
        self._arriving.start()  # after all panels have seen the document

    def arrive(self) -> None:
        """Emit `entered` now, if it is still to come."""
        if self._arriving.isActive():
            self._arriving.stop()
            self.entered.emit()

    def _follow_file(self) -> None:
        if self._document.source.path != self._path:  # saved under another name
            self.look()
        elif self.open is not None:
            self.changed.emit()

    def _step_here(self, path: Path | None) -> str:
        """Return the key of the step that a document shows: a scene or rest that was reached after it, or its own."""
        if self.open is None or path is None:
            return ""
        at = self.run.at or self.plan.beside("", 1)
        step = self.step_of(at)
        is_page = step is not None and not step.encounter and self.open.document_path(at) in (path, None)
        return at if is_page else self.open.key_of(path)

    # The plan and its undo list --------------------------------------------------------------------------------------

    def select(self, key: str) -> None:
        """Select a step, which the panel *Step* edits."""
        if key != self.selected:
            self.selected = key
            self.changed.emit()

    def edit(self, what: str, steps: tuple[AdventureStep, ...], *, merges: bool = False) -> bool:
        """Change the steps of the plan. `what` names the change for undo. Return whether it was written.

        With `merges`, a previous change of this name is undone together with it.
        """
        return self.change(what, msgspec.structs.replace(self.plan, steps=steps), merges=merges)

    def change(self, what: str, plan: Adventure, *, merges: bool = False) -> bool:
        """Change the plan, in the same way."""
        label, before = phrase(f"step.plan_{what}"), self.plan
        is_new = not (merges and self._before and self._before[-1][0] == label)
        if not self._write(plan, keeps_old=is_new):
            return False
        if is_new:
            self._before.append((label, before))
        self._after.clear()
        self._tell()
        return True

    def replace_step(self, key: str, step: AdventureStep, *, merges: bool = False) -> bool:
        """Change a step."""
        place = self.plan.place_of(key)
        return self.edit("edit", (*self.plan.steps[:place], step, *self.plan.steps[place + 1 :]), merges=merges)

    # The selected step as the binding of a form: edits of one field are one step of undo

    @property
    def identity(self) -> str:
        """The key of the selected step."""
        return self.selected

    def value(self) -> AdventureStep | None:
        """Return the selected step, or None."""
        return self.step_of(self.selected)

    def write(self, value: AdventureStep, field: str) -> None:
        """Replace the selected step after an edit of a field."""
        merges, self._field = field == self._field, field
        self.replace_step(self.selected, value, merges=merges)

    def commit(self) -> None:
        """End the step of undo."""
        self._field = ""

    def change_run(self, change: Callable[[AdventureRun], AdventureRun]) -> bool:
        """Change the progress. Return whether it was written."""
        return self.open is None or self.attempt(partial(self.open.change_run, change))

    def _write(self, plan: Adventure, *, keeps_old: bool = True) -> bool:
        """Write a plan. Steps whose key changes keep their progress."""
        before, after = self.plan.keys, plan.keys
        if self.open is None or not self.attempt(partial(self.open.change_plan, plan, keeps_old=keeps_old)):
            return False
        pairs = zip(before, after, strict=True) if len(before) == len(after) else ()
        renamed = {old: new for old, new in pairs if new not in before}
        self.at, self.selected = renamed.get(self.at, self.at), renamed.get(self.selected, self.selected)
        return not renamed or self.change_run(lambda run: _renamed(run, renamed))

    def attempt(self, write: Callable[[], object]) -> bool:
        """Write a file. Return whether that succeeded; if not, show the reason."""
        try:
            write()
        except PlanChangedError:
            self._messages.notify(tr("ui.adventure.plan-changed"), "warn")
            self._before, self._after = [], []
            self.changed.emit()
        except OSError as error:
            self._messages.notify(tr("ui.adventure.not-saved", why=error.strerror or str(error)), "warn")
        else:
            return True
        return False

    def _follow_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """While a panel of the adventure has the focus, undo acts on the plan."""
        panels = [self._docks.all[id] for id in ("adventure", "step") if id in self._docks.all]
        side = self if self.open and now is not None and any(dock.isAncestorOf(now) for dock in panels) else None
        if side is not self._document.side_history:
            self._document.side_history = side
            self._docks.docksChanged.emit()

    @property
    def undo_label(self) -> Phrase | None:
        """The name of the next change of the plan to undo."""
        return self._before[-1][0] if self._before else None

    @property
    def redo_label(self) -> Phrase | None:
        """The name of the next change of the plan to redo."""
        return self._after[-1][0] if self._after else None

    def undo(self) -> None:
        """Undo the last change of the plan."""
        self._step_back(self._before, self._after)

    def redo(self) -> None:
        """Redo the last undone change of the plan."""
        self._step_back(self._after, self._before)

    def _step_back(self, source: list[PlanChange], goal: list[PlanChange]) -> None:
        (label, plan), before = source[-1], self.plan
        if self._write(plan):
            source.pop()
            goal.append((label, before))
            self._tell()

    def _tell(self) -> None:
        self.changed.emit()
        self._docks.docksChanged.emit()  # for the name of the next change to undo


def _renamed(run: AdventureRun, keys: Mapping[str, str]) -> AdventureRun:
    done = tuple(msgspec.structs.replace(each, id=keys.get(each.id, each.id)) for each in run.done)
    return msgspec.structs.replace(run, at=keys.get(run.at, run.at), done=done)


def parties_of(system: str) -> list[tuple[str, str]]:
    """Return the ids and names of the library's parties for a rule system."""
    return [(entry.id, entry.name) for entry in default_library().parties(system)]


def now() -> datetime:
    """Return the local date and time in seconds."""
    return datetime.now().astimezone().replace(microsecond=0, tzinfo=None)
