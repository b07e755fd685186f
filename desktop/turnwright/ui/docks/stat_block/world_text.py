"""The description of the environments, which replaces the stat block during the world's turn."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from turnwright.encounter.prepared import Environment, EnvironmentEntry
from turnwright.rules.parts.environment.entries import entry_state
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.shared.why_sources import environment_entry_lines
from turnwright.ui.look.fonts import role_font, scaled
from turnwright.ui.look.theme import current_theme, theme_source
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.text_writer import TextWriter


class WorldText(QTextBrowser):
    """Shows the environments' features and world actions with their rolls and numbers."""

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.setProperty("flat", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.document().setDocumentMargin(scaled(12))
        self.setAccessibleName(tr("ui.stat-block.world"))
        theme_source().changed.connect(self.refresh)

    def refresh(self) -> bool:
        """Rewrite the text from the current environments. Return False if there are none."""
        environments = list(self._document.encounter.all(Environment))
        scroll_position = self.verticalScrollBar().value()
        self.document().clear()
        self.document().setDefaultFont(role_font("body"))
        writer = _Writer(QTextCursor(self.document()), self._document)
        for environment in environments:
            writer.write(environment)
        self.moveCursor(QTextCursor.MoveOperation.Start)  # writing has moved the cursor to the end
        self.verticalScrollBar().setValue(scroll_position if self.isVisible() else 0)
        return bool(environments)


class _Writer(TextWriter):
    """Writes environments at a cursor."""

    def __init__(self, cursor: QTextCursor, document: DocumentModel) -> None:
        super().__init__(cursor, current_theme())
        self._document = document
        self._explain = explainer(document)

    def write(self, environment: Environment) -> None:
        self._paragraph(8 if self._begun else 0, 4)
        self._text(environment.name, "number", "world", bold=True)
        if environment.description:
            self._paragraph(0, 8)
            self._text(environment.description, "body", "muted", italic=True)
        for entry in environment.features:
            self._entry(entry, "")
        for entry in environment.actions:
            ready = entry_state(self._document.encounter, environment.id, entry.id).ready
            self._entry(entry, tr("ui.turn-order.ready" if ready else "ui.turn-order.spent"))

    def _entry(self, entry: EnvironmentEntry, state: str) -> None:
        if not entry.enabled:
            return
        self._paragraph(0, 8)
        self._text(f"{entry.name}. ", "body", "text", bold=True)
        lines = environment_entry_lines(self._explain, entry)
        numbers = [f"{line.value} {line.reason}".removeprefix("· ") for line in lines]
        summary = ", ".join(part for part in (state, entry.within, *numbers) if part)
        self._text(f"{summary}. " if summary else "", "body", "world")
        self._text(entry.text, "body", "text")
