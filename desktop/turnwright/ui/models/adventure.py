"""The steps of an adventure as rows, and the encounter files in its folder that aren't steps."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Qt, Signal

from turnwright.encounter.adventure import AdventureStep
from turnwright.ui.look.style import tr
from turnwright.ui.models.row_list_model import HEADING, KEY_ROLE, Index, Row, RowListModel
from turnwright.ui.services.adventure import CurrentAdventure
from turnwright.ui.services.workers import LatestTask
from turnwright.workspace.adventure import StepSummary, step_summary
from turnwright.workspace.document import AppContext
from turnwright.workspace.files import OpenError

ROW_ROLE = Qt.ItemDataRole.UserRole + 20
STEP, FILE = "step", "file"
Stamp = tuple[str, int, int]


class AdventureRow(msgspec.Struct, frozen=True):
    """The texts of a row, the tone of `end`, and the kind: of the step, or its state if that is more important."""

    text: str
    detail: str = ""
    end: str = ""
    tone: str = ""
    kind: str = "part"


class AdventureModel(RowListModel):
    """Lists the steps of the current adventure. Emits `renamed(key, title)` when the user edits a title."""

    renamed = Signal(str, str)

    def __init__(self, current: CurrentAdventure, workspace: AppContext, parent: QObject | None = None) -> None:
        super().__init__(1, parent)
        self._current = current
        self._workspace = workspace
        self._summaries: dict[Stamp, StepSummary] = {}
        self._task = LatestTask(self)
        self.is_refreshing = False  # then the view may change its current row
        current.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the plan and the progress. Facts about encounters follow as soon as their files are read."""
        opened, plan = self._current.open, self._current.plan
        rows: dict[Row, AdventureRow] = {}
        stamps: set[Stamp] = set()
        for key, step in zip(plan.keys, plan.steps, strict=True) if opened is not None else ():
            stamp = _stamp(opened.path_of(step)) if opened is not None and step.encounter else None
            stamps |= {stamp} if stamp is not None else set()
            rows[STEP, key] = self._row(key, step, stamp)
        if left := self._current.unlisted:
            rows[HEADING, FILE] = AdventureRow(tr("ui.adventure.unlisted"))
            rows |= {(FILE, name): AdventureRow(name, end=tr("ui.adventure.add"), kind=FILE) for name in left}
        self._read(stamps - self._summaries.keys())
        self.is_refreshing = True
        self.show_contents(rows)
        self.is_refreshing = False

    def _row(self, key: str, step: AdventureStep, stamp: Stamp | None) -> AdventureRow:
        done, kind = self._current.run.by_key.get(key), step.kind
        facts = self._summaries.get(stamp, StepSummary()) if stamp is not None else StepSummary()
        title = self._current.title_of(step) or facts.title or step.encounter
        state = "" if done is None else "skipped" if done.skipped else "done"
        state = "current" if key == self._current.at else state
        details, end, tone = [], tr("ui.adventure.hours", n=step.hours) if step.hours else "", ""
        if step.encounter and stamp is None:
            state, details = "missing", [tr("ui.adventure.missing")]
        elif done is not None:
            details = [tr("ui.adventure.rounds", n=done.rounds)] if done.rounds else []
            end = tr("ui.adventure.xp", n=f"{done.xp:,}") if done.xp else end
        elif step.encounter:
            details = list(_counts(facts))
            end = facts.threat.capitalize() if facts.foes else end
            tone = {0: "harm", 1: "warn", None: ""}.get(facts.gravity, "heal")
        details += [tr(f"ui.adventure.{name}") for name in ("optional", "milestone") if getattr(step, name)]
        return AdventureRow(title, ", ".join(details), end, tone, state or kind)

    # Facts about encounters, read in the background ------------------------------------------------------------------

    def _read(self, stamps: set[Stamp]) -> None:
        if not stamps or self._task.is_running:
            return
        rules, prepared_in, party = self._current.rules, self._workspace.prepared_in, self._current.party

        def read() -> dict[Stamp, StepSummary]:
            found = dict.fromkeys(stamps, StepSummary())
            for stamp in stamps:
                with suppress(OpenError, OSError):
                    found[stamp] = step_summary(prepared_in(Path(stamp[0])), rules, party)
            return found

        self._task.start(read, self._on_read)

    def _on_read(self, found: dict[Stamp, StepSummary]) -> None:
        self._summaries |= found
        self.refresh()

    # Rows ------------------------------------------------------------------------------------------------------------

    def spoken(self, key: Row, column: int) -> str:
        row: AdventureRow = self.contents[key]
        return ", ".join(filter(None, (row.text, tr(f"ui.adventure.kind-{row.kind}"), row.detail, row.end)))

    def further_roles(self, key: Row, column: int) -> dict[int, Any]:
        row: AdventureRow = self.contents[key]
        shown_key = (HEADING, key[1]) if row.kind == "part" else key
        return {Qt.ItemDataRole.EditRole: row.text, KEY_ROLE: shown_key, ROW_ROLE: row}

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        key = self.key_at(index)
        if key is not None and value.strip():
            self.renamed.emit(key[1], value.strip())
        return key is not None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        key = self.key_at(index)
        return flags | Qt.ItemFlag.ItemIsEditable if key is not None and key[0] == STEP else flags


def _stamp(path: Path) -> Stamp | None:
    """Return the path, time and size of a file, or None if it is missing."""
    with suppress(OSError):
        status = path.stat()
        return str(path), status.st_mtime_ns, status.st_size
    return None


def _counts(facts: StepSummary) -> Iterator[str]:
    for name in ("foes", "waves", "countdowns"):
        if count := getattr(facts, name):
            yield tr(f"ui.adventure.{name}", n=count)
