"""Changing the rule system of an encounter: the menu of systems, and a dialog that lists unsupported content."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec
from PySide6.QtWidgets import QDialog, QMenu, QPlainTextEdit, QWidget

from turnwright.encounter.lookups import is_encounter_empty
from turnwright.encounter.prepared import Scene
from turnwright.play.setup.prepared_records import Edit
from turnwright.rules.parts.preparation.creature_translation import KINDS, UnknownId, find_unknown_ids
from turnwright.rules.system import RuleSystem
from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.pick_row import add_check
from turnwright.ui.widgets.text import plain_label, push_button


class UnsupportedContentDialog(StandardDialog):
    """Lists the encounter's content that another rule system doesn't support, by kind, and asks for confirmation."""

    def __init__(self, name: str, lines: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.change-system.title", name=name), parent)
        lead = "ui.change-system.lead" if lines else "ui.change-system.all-carries-over"
        self.column.addWidget(plain_label(tr(lead, name=name), wraps=True))
        self.list = QPlainTextEdit("\n".join(lines))
        self.list.setReadOnly(True)
        self.list.setTabChangesFocus(True)
        self.list.setAccessibleName(tr("ui.change-system.list"))
        self.list.setVisible(bool(lines))
        self.column.addWidget(self.list, 1)
        yes = tr("ui.change-system.yes", name=name).replace("&", "&&")
        self.accept_button = push_button(yes, self.accept, "primary")
        self.add_buttons(push_button(tr("ui.general.cancel"), self.reject), self.accept_button)
        self.resize(scaled(520), scaled(320 if lines else 120))


def fill_systems(menu: QMenu, document: DocumentModel, parent: QWidget) -> None:
    """Fill a menu with the rule systems and tick the current one. Choosing another one changes the encounter."""
    for id in document.source.systems.ids:
        name = document.source.systems.get(id).data.name
        add_check(menu, name, partial(change_system, document, id, parent), checked=id == document.rules.id)


def change_system(document: DocumentModel, id: str, parent: QWidget, _on: bool = False) -> None:
    """Show the content that another rule system doesn't support and, if the user accepts, change to that system.

    The change is one undo step. An empty encounter changes without a dialog.
    """
    game = document.source.systems.get(id)
    if game.id == document.rules.id:
        return
    scene = document.encounter.get(Scene, "scene") or Scene()
    if is_encounter_empty(document.encounter):
        seconds = game.default_round_seconds(scene.purpose)
        document.execute(Edit(msgspec.structs.replace(scene, system=game.id, round_seconds=seconds)))
        return
    dialog = UnsupportedContentDialog(game.data.name, unsupported_content(document, game), parent)
    if dialog.exec() == QDialog.DialogCode.Accepted:
        document.execute(Edit(msgspec.structs.replace(scene, system=game.id)))


def unsupported_content(document: DocumentModel, system: RuleSystem) -> list[str]:
    """Return a line for each type of content that only the current system supports, and one for a change of units."""
    already_unknown = set(find_unknown_ids(document.encounter, document.rules))
    unknown_ids = [id for id in find_unknown_ids(document.encounter, system) if id not in already_unknown]
    lines = [_line(kind, [unknown for unknown in unknown_ids if unknown.kind == kind]) for kind in KINDS]
    before, after = (dict(rules.data.terms).get("unit_long", "") for rules in (document.rules, system))
    units = [tr("ui.change-system.units", before=before, after=after)] if before and after and before != after else []
    return [line for line in (*lines, *units) if line]


def _line(kind: str, unknown_ids: Sequence[UnknownId]) -> str:
    if not unknown_ids:
        return ""
    ids = ", ".join(dict.fromkeys(unknown.id for unknown in unknown_ids))
    records = len({unknown.path[:2] for unknown in unknown_ids})
    return tr(f"ui.change-system.{kind.replace(' ', '-')}", ids=ids, n=records)
