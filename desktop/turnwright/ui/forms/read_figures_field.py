"""A field for values that an importer read from prose. The user can keep or change them, or revert to text only."""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from PySide6.QtWidgets import QSizePolicy

from turnwright.encounter.field_specs import specs_by_name
from turnwright.ui.forms.fields import Field
from turnwright.ui.forms.form import Form, bare_struct
from turnwright.ui.forms.kinds import Binding
from turnwright.ui.look.style import GAP, current_words, tr
from turnwright.ui.widgets.layout import STRETCH, fill, horizontal
from turnwright.ui.widgets.text import plain_label, push_button

AT_FIRST: Final = ("rules", "does", "heals", "lessens", "save", "damage")  # *Change* focuses these first
BY_ITSELF: Final = ("trigger", "rules", "does", "plays")  # fields that make a feature take effect without being used


class ReadFiguresField(Field):
    """Shows which fields were read from prose.

    *Keep* accepts them, *Change* focuses the first one, and *Text only* empties them and switches the feature off.
    Editing a field also accepts it. `sentence` describes how the feature plays, or returns an empty string if it is
    only text.
    """

    def __init__(self, binding: Binding, sentence: Callable[[], str] = str) -> None:
        super().__init__()
        self._binding = binding
        self._sentence = sentence
        self.label = plain_label("", "body", "muted", wraps=True)
        self.keep_button = push_button(tr("ui.read-figures.keep"), self._keep, "quiet", "check")
        self.change_button = push_button(tr("ui.read-figures.change"), self._change, "quiet", "pencil")
        self.text_button = push_button(tr("ui.read-figures.text-only"), self._leave_text, "quiet", "text")
        self.keep_button.setToolTip(tr("ui.read-figures.keep-tip"))
        self.change_button.setToolTip(tr("ui.read-figures.change-tip"))
        self.text_button.setToolTip(tr("ui.read-figures.text-only-tip"))
        row = fill(horizontal(spacing=GAP), self.keep_button, self.change_button, self.text_button, STRETCH)
        fill(self.column, self.label, row)
        self.setFocusProxy(self.keep_button)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_value(self, value: Any) -> None:
        """Show how the feature plays, and the captions of the fields."""
        struct: msgspec.Struct | None = self._binding.value()
        specs = specs_by_name(type(struct)) if struct is not None else {}
        keys = {name: f"ui.{specs[name].label}" if name in specs else "" for name in value}
        words = current_words()
        names = (f"\u201c{tr(key)}\u201d" if key in words else name.replace("_", " ") for name, key in keys.items())
        read = tr("ui.read-figures.read", fields=", ".join(names))
        self.label.setText(" ".join(part for part in (self._sentence(), read) if part))

    def set_name(self, name: str) -> None:
        """Do nothing, because each button has its own name."""

    def _keep(self) -> None:
        self.edited.emit(())
        self.editingFinished.emit()

    def _change(self) -> None:
        form, struct = self.parentWidget(), self._binding.value()
        while form is not None and not isinstance(form, Form):
            form = form.parentWidget()
        if form is not None and struct is not None:
            form.show_field(next((name for name in (*AT_FIRST, *struct.read) if name in struct.read), ""))

    def _leave_text(self) -> None:
        struct = self._binding.value()
        if struct is None:
            return
        bare = bare_struct(type(struct))
        empty = {name: getattr(bare, name) for name in struct.read if name in struct.__struct_fields__}
        if not {*BY_ITSELF}.isdisjoint(struct.read):
            empty["plays"] = "off"
        self._binding.commit()
        self._binding.write(msgspec.structs.replace(struct, **{**empty, "read": ()}), "")


def without_edited(before: Any, after: Any, name: str) -> Any:
    """Return the struct, with the edited field no longer marked as read from prose."""
    if name == "read" or name not in before.read:
        return after
    return msgspec.structs.replace(after, read=tuple(field for field in before.read if field != name))
