"""The steps of an adventure as rows, and the encounter files in its folder that aren't steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Qt, Signal

from turnwright.encounter.adventure import AdventureStep, StepDone
from turnwright.storage.adventures import encounter_files
from turnwright.ui.look.style import role_text, tr
from turnwright.ui.models.row_list_model import (
    DETAIL_ROLE,
    HEADING,
    ICON_ROLE,
    KEY_ROLE,
    QUIET_ROLE,
    TONE_ROLE,
    Index,
    Row,
    RowListModel,
)
from turnwright.ui.services.adventure import CurrentAdventure
from turnwright.ui.services.workers import BackgroundTask
from turnwright.workspace.adventure import StepSummary, step_summary
from turnwright.workspace.files import OpenError

END_ROLE = Qt.ItemDataRole.UserRole + 20
STRUCK_ROLE = Qt.ItemDataRole.UserRole + 21
STEP, FILE = "step", "file"
ICONS: Mapping[str, str] = {"encounter": "sword-cross", "scene": "book-open-page-variant", "rest": "bed", "part": ""}
Stamp = tuple[str, int, int]


class AdventureRow(msgspec.Struct, frozen=True):
    """The texts and looks of a row. `state` is `done`, `skipped`, `current`, `missing` or empty."""

    text: str
    detail: str = ""
    end: str = ""
    icon: str = ""
    tone: str = ""
    state: str = ""


class AdventureModel(RowListModel):
    """Lists the steps of the current adventure. Emits `renamed(key, title)` when the user edits a title."""

    renamed = Signal(str, str)

    def __init__(self, current: CurrentAdventure, workspace: Any, parent: QObject | None = None) -> None:
        super().__init__(1, parent)
        self._current = current
        self._workspace = workspace
        self._summaries: dict[Stamp, StepSummary] = {}
        self._task: BackgroundTask | None = None
        self.is_refreshing = False  # then the view may change its current row
        current.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the plan and the progress. Facts about encounters follow as soon as their files are read."""
        opened, plan = self._current.open, self._current.plan
        rows: dict[Row, AdventureRow] = {}
        if opened is not None:
            stamps = {key: _stamp(opened.path_of(step)) for key, step in self._steps() if step.encounter}
            for key, step in self._steps():
                rows[STEP, key] = self._row(key, step, stamps.get(key))
            listed = {step.encounter for step in plan.steps}
            left = [name for name in encounter_files(opened.folder) if name not in listed]
            if left:
                rows[HEADING, FILE] = AdventureRow(tr("ui.adventure.unlisted"))
                rows |= {
                    (FILE, name): AdventureRow(name, icon="file-outline", end=tr("ui.adventure.add")) for name in left
                }
            self._read({stamp for stamp in stamps.values() if stamp is not None} - self._summaries.keys())
        self.is_refreshing = True
        self.show_contents(rows)
        self.is_refreshing = False

    def _steps(self) -> Iterable[tuple[str, AdventureStep]]:
        return zip(self._current.plan.keys, self._current.plan.steps, strict=True)

    def _row(self, key: str, step: AdventureStep, stamp: Stamp | None) -> AdventureRow:
        done = self._current.run.by_key.get(key)
        title, state = step.text, ""
        if done is not None:
            state = "skipped" if done.skipped else "done"
        if key == self._current.at:
            state = "current"
        if step.rest and not (step.scene or step.title):
            title = tr(f"ui.adventure.{step.rest}")
        details = [tr("ui.adventure.optional")] if step.optional else []
        end, tone = tr("ui.adventure.hours", n=step.hours) if step.hours else "", ""
        if step.encounter:
            facts = self._summaries.get(stamp, StepSummary()) if stamp is not None else StepSummary()
            title = step.title or facts.title or step.encounter
            if stamp is None:
                state, details = "missing", [tr("ui.adventure.missing"), *details]
            elif done is not None:
                details = _played(done)
                end = tr("ui.adventure.xp", n=f"{done.xp:,}") if done.xp else ""
            else:
                details = [*_facts(facts), *details]
                end, tone = facts.threat.capitalize(), {0: "harm", 1: "warn", None: ""}.get(facts.gravity, "heal")
        return AdventureRow(title, ", ".join(details), end, ICONS[step.kind], tone, state)

    # Facts about encounters, read in the background -----------------------------------------------------------------

    def _read(self, stamps: set[Stamp]) -> None:
        if not stamps or self._task is not None:
            return
        self._task = BackgroundTask(lambda _progress: self._reader(stamps)(), self)
        self._task.finished.connect(self._on_read)

    def _reader(self, stamps: set[Stamp]) -> Callable[[], dict[Stamp, StepSummary]]:
        rules, workspace = self._current.rules, self._workspace

        def read() -> dict[Stamp, StepSummary]:
            party, found = self._current.party, {}
            for stamp in stamps:
                found[stamp] = StepSummary()
                with suppress(OpenError, OSError):
                    found[stamp] = step_summary(workspace.prepared_in(Path(stamp[0])), rules, party)
            return found

        return read

    def _on_read(self, found: dict[Stamp, StepSummary]) -> None:
        self._task = None
        self._summaries |= found
        self.refresh()

    # Rows ------------------------------------------------------------------------------------------------------------

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        key = self.key_at(index)
        if key is None:
            return None
        row: AdventureRow = self.contents[key]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row.text
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            state = tr(f"ui.adventure.{row.state}") if row.state else ""
            return role_text(role, ", ".join(filter(None, (row.text, state, row.detail, row.end))))
        marks = {"done": "check-circle", "skipped": "skip-next", "current": "play", "missing": "alert"}
        tones = {"done": "heal", "current": "accent", "missing": "harm"}
        return {
            KEY_ROLE: (HEADING, key[1]) if not row.icon else key,
            DETAIL_ROLE: row.detail,
            ICON_ROLE: marks.get(row.state, row.icon),
            TONE_ROLE: (tones.get(row.state, ""), row.tone),
            QUIET_ROLE: row.state in ("done", "skipped", "missing"),
            END_ROLE: row.end,
            STRUCK_ROLE: row.state == "missing",
        }.get(role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        key = self.key_at(index)
        if key is None or key[0] != STEP or role != Qt.ItemDataRole.EditRole or not value.strip():
            return False
        self.renamed.emit(key[1], value.strip())
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        key = self.key_at(index)
        if key is None or key[0] == HEADING:
            return Qt.ItemFlag.ItemIsEnabled
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return flags | Qt.ItemFlag.ItemIsEditable if key[0] == STEP else flags


def _stamp(path: Path) -> Stamp | None:
    """Return the path, time and size of a file, or None if it is missing."""
    try:
        status = path.stat()
    except OSError:
        return None
    return str(path), status.st_mtime_ns, status.st_size


def _facts(facts: StepSummary) -> list[str]:
    counts = (("foes", facts.foes), ("waves", facts.waves), ("countdowns", facts.countdowns))
    return [tr(f"ui.adventure.{name}", n=count) for name, count in counts if count]


def _played(done: StepDone) -> list[str]:
    return [tr("ui.adventure.rounds", n=done.rounds)] if done.rounds else []
