"""The environment inspector: an environment with its permanent features and world actions, which can be disabled."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from turnwright.encounter.prepared import Environment, EnvironmentEntry
from turnwright.ui.docks.editing.child_list_editor import ChildListEditor
from turnwright.ui.docks.editing.inspector import InspectorDock
from turnwright.ui.docks.shared.library_transfer import add_environment
from turnwright.ui.forms.environment_layouts import ACTION, ENVIRONMENT, ENVIRONMENT_NOTES, FEATURE, describe_entry
from turnwright.ui.forms.form import Form, FormLayout
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.look.theme import ThemeSource
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.check_menu import set_menu
from turnwright.ui.widgets.text import plain_label


class EnvironmentDock(InspectorDock):
    """Edits an environment. A new one is empty or a copy of a shipped environment."""

    kind = Environment
    name = "environment"
    icon_name = "earth"

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        if self.empty.button is not None:
            menu = QMenu(self)
            menu.aboutToShow.connect(menu.clear)
            menu.aboutToShow.connect(lambda: fill_environments(menu, document, self.add_copy))
            self.empty.button.setMenu(menu)

    def build(self, context: FormContext, parent: QWidget) -> tuple[Form | ChildListEditor, ...]:
        """Return the forms for the environment and its notes, and the lists of features and world actions."""
        self.place = Form(ENVIRONMENT, self.binding, context, parent)
        self.base = plain_label("", "caption", "muted", wraps=True)
        self.place.column.addWidget(self.base)
        feature, action = tr("ui.environment-entry.new-feature"), tr("ui.environment-entry.new-action")

        def rows(
            collection: str, icon_name: str, layout: FormLayout, create: Callable[[str], EnvironmentEntry]
        ) -> ChildListEditor:
            editor = ChildListEditor(
                self.binding,
                collection,
                f"ui.environment-entry.{collection}",
                icon_name,
                create,
                lambda subject, holder: Form(layout, subject, context, holder),
                describe_entry(context.rules.data),
                parent,
                can_be_disabled=True,
                empty_text=tr(f"ui.environment-entry.no-{collection}"),
            )
            words = tr("ui.environment-entry.copy-from")
            editor.copy_button = editor.header.add_button("content-copy", words, lambda: None)
            set_menu(editor.copy_button, lambda menu: self._fill_copies(menu, editor, collection))
            return editor

        self.feature_rows = rows(
            "features",
            "pine-tree",
            FEATURE,
            lambda id: EnvironmentEntry(id, feature, kind="area", trigger="standing"),
        )
        self.action_rows = rows(
            "actions",
            "weather-lightning",
            ACTION,
            lambda id: EnvironmentEntry(id, action, affects="each", recharge=5),
        )
        notes = Form(ENVIRONMENT_NOTES, self.binding, context, parent)
        return self.place, self.feature_rows, self.action_rows, notes

    def add_copy(self, base: Environment | None) -> None:
        """Add a copy of a shipped environment to the encounter, or an empty one if `base` is None, and show it."""
        self.show_new(add_environment(self._document, base))

    def refresh_body(self) -> None:
        """Update the form and the name of the shipped environment that this one is based on."""
        super().refresh_body()
        shipped = self._document.rules.environments.get(self.binding.value().source)
        self.base.setText(tr("ui.environment.based-on", what=shipped.name) if shipped else "")
        self.base.setVisible(shipped is not None)

    def add_buttons(self, row: QHBoxLayout) -> None:
        """Add the buttons next to the combo box. The first opens a menu of environments to copy."""
        super().add_buttons(row)
        set_menu(self.add_button, lambda menu: fill_environments(menu, self._document, self.add_copy))

    def _fill_copies(self, menu: QMenu, editor: ChildListEditor, collection: str) -> None:
        others = [other for other in self._document.encounter.all(Environment) if other.id != self.binding.id]
        for environment in (*others, *self._document.rules.data.environments):
            rows = getattr(environment, collection)
            if not rows:
                continue
            inner = menu.addMenu(environment.name or environment.id)
            for row in rows:
                inner.addAction(row.name or row.id, partial(editor.insert, row))


def fill_environments(menu: QMenu, document: DocumentModel, add: Callable[[Environment | None], object]) -> None:
    """Fill a menu with the rule system's shipped environments and an entry for an empty one."""
    for base in document.rules.data.environments:
        menu.addAction(base.name, partial(add, base))
    menu.addSeparator()
    menu.addAction(tr("ui.environment.blank"), partial(add, None))
