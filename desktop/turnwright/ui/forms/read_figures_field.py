"""The fields that an importer read from prose: kept as they are, or put back so that only the text is left."""

from __future__ import annotations

from typing import Any

import msgspec
from PySide6.QtWidgets import QSizePolicy

from turnwright.encounter.field_specs import specs_by_name
from turnwright.ui.fonts import GAP
from turnwright.ui.forms.bindings import Binding
from turnwright.ui.forms.fields import Field
from turnwright.ui.forms.form import bare_struct
from turnwright.ui.translations import current_words, tr
from turnwright.ui.widgets.layout import horizontal
from turnwright.ui.widgets.text import plain_label, push_button


class ReadFiguresField(Field):
    """Names the fields read from prose. *Keep* accepts them, *Text only* empties them; a field that is edited is kept."""

    def __init__(self, binding: Binding) -> None:
        super().__init__()
        self._binding = binding
        self.label = plain_label("", "body", "muted", wraps=True)
        self.keep_button = push_button(tr("ui.read-figures.keep"), self._keep, "quiet", "check")
        self.text_button = push_button(tr("ui.read-figures.text-only"), self._leave_text, "quiet", "text")
        self.keep_button.setToolTip(tr("ui.read-figures.keep-tip"))
        self.text_button.setToolTip(tr("ui.read-figures.text-only-tip"))
        self.column.addWidget(self.label)
        row = horizontal(spacing=GAP)
        row.addWidget(self.keep_button)
        row.addWidget(self.text_button)
        row.addStretch(1)
        self.column.addLayout(row)
        self.setFocusProxy(self.keep_button)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_value(self, value: Any) -> None:
        """Name the fields by their captions."""
        struct: msgspec.Struct | None = self._binding.value()
        specs = specs_by_name(type(struct)) if struct is not None else {}
        keys = {name: f"ui.{specs[name].label}" if name in specs else "" for name in value}
        names = (tr(key).lower() if key in current_words() else name.replace("_", " ") for name, key in keys.items())
        self.label.setText(tr("ui.read-figures.read", fields=", ".join(names)))

    def set_name(self, name: str) -> None:
        """Keep the buttons' own names."""

    def _keep(self) -> None:
        self.edited.emit(())
        self.editingFinished.emit()

    def _leave_text(self) -> None:
        struct = self._binding.value()
        if struct is None:
            return
        bare = bare_struct(type(struct))
        empty = {name: getattr(bare, name) for name in struct.read if name in struct.__struct_fields__}
        self._binding.commit()
        self._binding.write(msgspec.structs.replace(struct, **{**empty, "read": ()}), "")


def without_edited(before: Any, after: Any, name: str) -> Any:
    """Return a struct whose edited field no longer counts as read from prose."""
    if name == "read" or name not in before.read:
        return after
    return msgspec.structs.replace(after, read=tuple(field for field in before.read if field != name))
