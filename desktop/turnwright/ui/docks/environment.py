"""The environment inspector: a place, its standing features and its world actions, each with a switch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from turnwright.encounter.prepared import Environment, EnvironmentEntry
from turnwright.encounter.state import Key
from turnwright.ui.docks.editing.child_list_editor import ChildListEditor
from turnwright.ui.docks.editing.inspector import InspectorDock, scroll_area
from turnwright.ui.docks.shared.library_transfer import add_environment
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import GROUP_GAP, scaled
from turnwright.ui.forms.environment_layouts import ACTION, ENVIRONMENT, ENVIRONMENT_NOTES, FEATURE, describe_entry
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.theme import ThemeSource
from turnwright.ui.translations import tr
from turnwright.ui.widgets.text import plain_label


class EnvironmentDock(InspectorDock):
    """Edits an environment, copied from a shipped one or empty."""

    def __init__(self, bridge: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(bridge, theme, parent, Environment, "environment", "earth")
        if self.empty.button is not None:
            self.empty.button.setMenu(self._base_menu())

    def build(self, parent: QWidget, column: QVBoxLayout) -> None:
        """Build the form with its two lists."""
        context = FormContext.of(self.bridge)
        area, whole, parts = scroll_area(parent, tr("ui.environment.title"), scaled(GROUP_GAP) // 2)
        column.addWidget(area, 1)
        self.place = Form(ENVIRONMENT, self.binding, context, whole)
        self.base = plain_label("", "caption", "muted", wraps=True)
        describe = describe_entry(context.rules.data)
        self.feature_rows = ChildListEditor(
            self.binding,
            "features",
            "ui.environment-entry.features",
            "pine-tree",
            lambda id: EnvironmentEntry(id, tr("ui.environment-entry.new-feature"), kind="area", trigger="standing"),
            lambda subject, holder: Form(FEATURE, subject, context, holder),
            describe,
            whole,
            can_be_disabled=True,
            empty_text=tr("ui.environment-entry.no-features"),
        )
        self.action_rows = ChildListEditor(
            self.binding,
            "actions",
            "ui.environment-entry.actions",
            "weather-lightning",
            lambda id: EnvironmentEntry(id, tr("ui.environment-entry.new-action"), affects="each", recharge=5),
            lambda subject, holder: Form(ACTION, subject, context, holder),
            describe,
            whole,
            can_be_disabled=True,
            empty_text=tr("ui.environment-entry.no-actions"),
        )
        for editor, collection in ((self.feature_rows, "features"), (self.action_rows, "actions")):
            editor.copy_button = editor.add_menu_button(
                "content-copy", tr("ui.environment-entry.copy-from"), self._copies(editor, collection)
            )
        self.notes = Form(ENVIRONMENT_NOTES, self.binding, context, whole)
        for part in (self.place, self.base, self.feature_rows, self.action_rows, self.notes):
            parts.addWidget(part)

    def create_record(self) -> Key | None:
        """Put an empty environment into the encounter."""
        return add_environment(self.bridge, None)

    def add_copy(self, base: Environment) -> None:
        """Put a copy of a shipped environment into the encounter and show it."""
        self.show_new(add_environment(self.bridge, base))

    def refresh_body(self) -> None:
        """Show the environment as it now stands."""
        environment = self.binding.value()
        shipped = self.bridge.rules.environments.get(environment.source)
        self.base.setText(tr("ui.environment.based-on", what=shipped.name) if shipped else "")
        self.base.setVisible(shipped is not None)
        for part in (self.place, self.feature_rows, self.action_rows, self.notes):
            part.refresh()

    def focus_first(self) -> None:
        """Put the cursor into the name."""
        self.place.focus_first()

    def buttons(self) -> list:
        """Return the buttons beside the combo box; the first offers the environments to copy."""
        (icon_name, key, _add), remove = super().buttons()
        return [(icon_name, key, self._base_menu()), remove]

    def _base_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.aboutToShow.connect(lambda: self._fill_bases(menu))
        return menu

    def _fill_bases(self, menu: QMenu) -> None:
        menu.clear()
        for base in self.bridge.rules.data.environments:
            menu.addAction(base.name, partial(self.add_copy, base))
        menu.addSeparator()
        menu.addAction(tr("ui.environment.blank"), self.add)

    def _copies(self, editor: ChildListEditor, collection: str) -> Callable[[QMenu], None]:
        def fill(menu: QMenu) -> None:
            own = [one for one in self.bridge.encounter.all(Environment) if one.id != self.binding.id]
            for environment in (*own, *self.bridge.rules.data.environments):
                rows = getattr(environment, collection)
                if not rows:
                    continue
                inner = menu.addMenu(environment.name or environment.id)
                for row in rows:
                    inner.addAction(row.name or row.id, partial(editor.insert, row))

        return fill
