"""The panel *Step*: edits the selected step of the adventure."""

from PySide6.QtWidgets import QWidget

from turnwright.encounter.adventure import AdventureStep
from turnwright.ui.docks.dock import Dock
from turnwright.ui.forms.form import Form, form_layout
from turnwright.ui.forms.kinds import FormContext, lines
from turnwright.ui.look.style import GAP, ThemeSource, tr
from turnwright.ui.services.adventure import CurrentAdventure
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.services import Services
from turnwright.ui.widgets.layout import EmptyState, fill, form_scroll_area, vertical

LAYOUT = form_layout("step", AdventureStep, fields={"read_aloud": lines(4), "notes": lines(3)}, words="ui.step")


class StepBinding:
    """The binding for the form of the selected step. Edits of one field are one undo step of the plan."""

    def __init__(self, current: CurrentAdventure) -> None:
        self._current = current
        self._field = ""

    @property
    def identity(self) -> str:
        """The key of the step."""
        return self._current.selected

    def value(self) -> AdventureStep | None:
        """Return the step, or None."""
        return self._current.open.step(self._current.selected) if self._current.open is not None else None

    def write(self, value: AdventureStep, field: str) -> None:
        """Replace the step in the plan."""
        merges, self._field = field == self._field, field
        self._current.replace_step(self._current.selected, value, merges=merges)

    def commit(self) -> None:
        """End the undo step."""
        self._field = ""


class StepDock(Dock):
    """The form of the selected step."""

    name = "step"

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.form: Form
        self._body = QWidget()
        self.set_pages(EmptyState("map-marker-outline", tr("ui.step.empty")), self._body)

    def use_services(self, services: Services) -> None:
        self._current = services.controller(CurrentAdventure)
        area, contents, column = form_scroll_area(self._body, tr("ui.step.title"))
        self.form = Form(LAYOUT, StepBinding(self._current), FormContext.of(self._document), contents)
        column.addWidget(self.form)
        fill(vertical(self._body, margins=(0, GAP, 0, 0)), area)
        self._current.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the selected step."""
        there = self._current.open is not None and self._current.open.step(self._current.selected) is not None
        self._stack.setCurrentIndex(int(there))
        if there:
            self.form.refresh()
