"""Problems as rows: findings in the opened file, and unresolved references and unknown ids in the encounter."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Qt, Signal

from turnwright.encounter.state import PREPARED_TABLES, Key
from turnwright.storage.findings import Finding, FindingCollector
from turnwright.storage.toml.references import check_known_ids, check_references
from turnwright.storage.toml.values import key_text
from turnwright.ui.look.style import tr
from turnwright.ui.models.row_list_model import ICON_ROLE, KEY_ROLE, QUIET_ROLE, TONE_ROLE, Index, Row, RowListModel
from turnwright.ui.services.document_model import DocumentModel

MESSAGE, WHERE, LINE = range(3)


class Problem(msgspec.Struct, frozen=True):
    """One problem. `target` is the key of its record, if any. `place` is a dotted path. `line` is 0 if unknown."""

    message: str
    place: str
    severity: str = "warning"
    file: str = ""
    line: int = 0
    target: Key | None = None


class ProblemsModel(RowListModel):
    """Lists problems, errors first. Emits `countChanged(n)` when the number of problems changes."""

    countChanged = Signal(int)

    def __init__(self, document: DocumentModel, parent: QObject | None = None) -> None:
        super().__init__(3, parent)
        self._document = document
        self._lasting: tuple[Problem, ...] = ()
        document.follow(self.refresh, *PREPARED_TABLES, replaced=self.reload_findings)
        self.reload_findings()

    def reload_findings(self) -> None:
        """Read the document's findings again. Only findings about references disappear when they are fixed."""
        live = {(problem.place, problem.message) for problem in self._live()}
        problems = [_of_finding(finding) for finding in self._document.source.findings]
        self._lasting = tuple(problem for problem in problems if (problem.place, problem.message) not in live)
        self.refresh()

    def refresh(self) -> None:
        """Check the encounter's references again."""
        before = len(self.contents)
        problems = sorted((*self._lasting, *self._live()), key=lambda problem: problem.severity != "error")
        self.show_contents({(problem.place, problem.message): problem for problem in problems})
        if len(self.contents) != before:
            self.countChanged.emit(len(self.contents))

    def problem_at(self, index: Index) -> Problem | None:
        """Return the problem at an index, or None if there is none."""
        key = self.key_at(index)
        return self.contents.get(key) if key else None

    @property
    def problems(self) -> Sequence[Problem]:
        """All problems in display order."""
        return [self.contents[key] for key in self.keys]

    def text_of(self, key: Row, column: int) -> str:
        return _texts(self.contents[key])[column]

    def spoken(self, key: Row, column: int) -> str:
        return _spoken(self.contents[key])

    def further_roles(self, key: Row, column: int) -> dict[int, Any]:
        problem: Problem = self.contents[key]
        error = problem.severity == "error"
        side = Qt.AlignmentFlag.AlignRight if column == LINE else Qt.AlignmentFlag.AlignLeft
        return {
            Qt.ItemDataRole.TextAlignmentRole: side | Qt.AlignmentFlag.AlignVCenter,
            KEY_ROLE: problem.target,
            QUIET_ROLE: column != MESSAGE,
            ICON_ROLE: ("close-circle" if error else "alert") if column == MESSAGE else "",
            TONE_ROLE: "harm" if error else "warn",
        }

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal or section > LINE:
            return None
        return tr(("ui.problems.what", "ui.problems.where", "ui.problems.line")[section])

    def _live(self) -> list[Problem]:
        notes = FindingCollector()
        check_references(self._document.encounter, notes)
        check_known_ids(self._document.encounter, self._document.rules, notes)
        return [Problem(n.message, key_text(n.path), n.severity, target=_target(n.path)) for n in notes.notes]


def _target(path: Sequence[str | int]) -> Key | None:
    return (str(path[0]), str(path[1])) if len(path) > 1 and path[0] in PREPARED_TABLES else None


def _of_finding(finding: Finding) -> Problem:
    target = _target(finding.key.split("."))
    return Problem(finding.message, finding.key, finding.severity, Path(finding.file).name, finding.line, target)


def _texts(problem: Problem) -> tuple[str, str, str]:
    message = f"{problem.message[:1].upper()}{problem.message[1:]}"
    return (message, problem.place or problem.file, str(problem.line) if problem.line else "")


def _spoken(problem: Problem) -> str:
    severity = tr(f"ui.problems.{problem.severity}")
    line = f"{problem.file}, {tr('ui.problems.line')} {problem.line}" if problem.line else ""
    return ": ".join(part for part in (severity, line, problem.place, problem.message) if part)
