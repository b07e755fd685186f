"""Fields for structs inside a struct, and drafts of commands.

Fields for structs inside a struct: an optional struct, or a list of structs. Each struct has its own form.

A value that an importer read from prose can be kept, changed, or reverted to text only. A character's state after
earlier fights is a text with a button that resets it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy

from turnwright.encounter.field_specs import specs_by_name
from turnwright.encounter.prepared import CharacterState, Creature, RosterEntry
from turnwright.play.kernel.events import RuleOverridden
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.ui.forms.fields import ChoiceField, Field, Options
from turnwright.ui.forms.form import Form, FormLayout, bare_struct
from turnwright.ui.forms.kinds import Binding, FieldMaker, FieldRequest, FormContext
from turnwright.ui.look.style import GAP, SPACE, current_words, scaled, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import ComboBox, with_options
from turnwright.ui.widgets.layout import STRETCH, Card, ancestors, fill, horizontal, vertical
from turnwright.ui.widgets.text import discard, named, plain_label, push_button, set_style, tool_button
from turnwright.workspace.text import Phrasebook, state_text


class RecordField(Field):
    """An optional struct in its own form, which is bound to this field. The form is empty if there is no struct."""

    def __init__(self, layout: FormLayout, context: FormContext) -> None:
        super().__init__()
        self._bare = bare_struct(layout.struct)
        self._value: Any = None
        self.identity = ""
        self.form = Form(layout, self, context, self)
        self.column.addWidget(self.form)
        self.setFocusProxy(next(iter(self.form.fields.values())))

    @property
    def parts(self) -> dict[str, Field]:
        """The fields of the form."""
        return self.form.fields

    def set_identity(self, identity: str) -> None:
        """Set the identity of the next value, under which an invalid draft is stored."""
        self.identity = identity

    def show_value(self, value: Any) -> None:
        """Show a struct, or an empty form if it is None."""
        self._value = value
        self.form.refresh()

    def set_name(self, name: str) -> None:
        """Do nothing, because each field of the form has its own name."""

    def value(self) -> Any:
        """Return the struct, or an empty one if it is absent."""
        return self._bare if self._value is None else self._value

    def write(self, value: Any, _field: str) -> None:
        """Emit the edited struct, or None if the edit removes it."""
        self.edited.emit(value)

    def commit(self) -> None:
        """End the current undo step."""
        self.editingFinished.emit()


class RecordItem(RecordField):
    """A struct in a list, with a button that removes it.

    If there are `kinds`, it is shown as a card, on which the user can change its kind.
    """

    removeRequested = Signal()
    kindChosen = Signal(object)

    def __init__(self, layout: FormLayout, context: FormContext, remove: str, kinds: Options = ()) -> None:
        super().__init__(layout, context)
        self.kind = layout.struct
        self.remove_button = tool_button("close", remove, self.removeRequested.emit)
        self.kind_field = ChoiceField(kinds)
        row = horizontal(spacing=SPACE)
        if kinds:
            card = Card("world")
            card.body.setContentsMargins(scaled(12), scaled(GAP), scaled(GAP), scaled(GAP))
            self.column.addWidget(card)
            self.kind_field.set_name(tr("ui.outcome.kind"))
            self.kind_field.show_value(self.kind)
            self.kind_field.edited.connect(self.kindChosen)
            row.addWidget(self.kind_field, 1)
            fill(card.body, row, self.form)
        else:
            row.addWidget(self.form, 1)
            self.column.addLayout(row)
        row.addWidget(self.remove_button, 0, Qt.AlignmentFlag.AlignTop)


class RecordListField(Field):
    """A list of structs, one below the other. The value is a tuple. An item is rebuilt only if its kind changes."""

    def __init__(
        self, context: FormContext, layouts: Mapping[type[msgspec.Struct], FormLayout], words: str, kinds: Options = ()
    ) -> None:
        super().__init__()
        self.context = context
        self._layouts = layouts
        self._remove_text = tr(f"{words}.remove")
        self._kinds = kinds
        self._identity = ""
        self._value: tuple[Any, ...] = ()
        self.items: list[RecordItem] = []
        self.default: Callable[[type], Any] = bare_struct
        self._list = vertical()
        self.column.addLayout(self._list)
        self.column.setSpacing(scaled(GAP))

    def set_identity(self, identity: str) -> None:
        """Set the identity of the next value, under which invalid drafts are stored."""
        self._identity = identity

    def set_name(self, name: str) -> None:
        """Do nothing, because each item has its own name."""

    def show_value(self, value: Any) -> None:
        """Show the structs."""
        self._value = tuple(value)
        for place in reversed(range(len(self.items))):
            if place >= len(value) or self.items[place].kind is not type(value[place]):
                discard(self.items.pop(place))
        for place, struct in enumerate(value):
            if place >= len(self.items) or self.items[place].kind is not type(struct):
                self._insert(place, type(struct))
            self.items[place].set_identity(f"{self._identity}.{place}")
            self.items[place].show_value(struct)

    def append(self, struct: Any) -> None:
        """Append a struct as a separate undo step."""
        self.edited.emit((*self._value, struct))
        self.editingFinished.emit()

    def _insert(self, place: int, kind: type) -> None:
        item = RecordItem(self._layouts[kind], self.context, self._remove_text, self._kinds)
        item.edited.connect(lambda value: self._replace(item, (value,)))
        item.editingFinished.connect(self.editingFinished)
        item.removeRequested.connect(lambda: self._change(item, ()))
        item.kindChosen.connect(lambda kind_chosen: self._change(item, (self.default(kind_chosen),)))
        self.items.insert(place, item)
        self._list.insertWidget(place, item)

    def _replace(self, item: RecordItem, by: tuple[Any, ...]) -> None:
        place = self.items.index(item)
        self.edited.emit((*self._value[:place], *by, *self._value[place + 1 :]))

    def _change(self, item: RecordItem, by: tuple[Any, ...]) -> None:
        self._replace(item, by)
        self.editingFinished.emit()


class ChosenRecordsField(RecordListField):
    """A list of structs. A combo box below the list adds a struct by id."""

    def __init__(
        self,
        context: FormContext,
        layout: FormLayout,
        words: str,
        options: Options,
        create: Callable[[str, Sequence[Any]], Any] | None = None,
    ) -> None:
        super().__init__(context, {layout.struct: layout}, words)
        self._create = create or (lambda id, _others: layout.struct(id))
        prompt = tr(f"{words}.add")
        self._add = with_options(named(ComboBox(), prompt), [("", prompt), *options])
        self._add.activated.connect(self._choose)
        self.add_control(self._add)

    def _choose(self, index: int) -> None:
        id = self._add.itemData(index)
        self._add.setCurrentIndex(0)
        if id:
            self.append(self._create(id, self._value))


class TypedRecordsField(RecordListField):
    """A list of structs of several kinds. A button adds a struct of the first kind."""

    def __init__(
        self, context: FormContext, layouts: Mapping[type[Any], FormLayout], words: str, create: Callable[[Any], Any]
    ) -> None:
        kinds = [(kind, tr(f"{words}.{kind.__struct_config__.tag}")) for kind in layouts]
        super().__init__(context, layouts, words, kinds)
        self.default = create
        self.empty = plain_label(tr(f"{words}.none"), tone="muted", wraps=True)
        self.add_button = push_button(tr(f"{words}.add"), self._add, "quiet", "plus")
        fill(self.column, self.empty, fill(QHBoxLayout(), self.add_button, STRETCH))

    def show_value(self, value: Any) -> None:
        """Show the structs, or a hint if there are none."""
        super().show_value(value)
        self.empty.setVisible(not value)

    def _add(self) -> None:
        self.append(self.default(next(iter(self._layouts))))
        if self.items:
            self.items[-1].setFocus()


def record(layout: FormLayout) -> FieldMaker:
    """Return a function that creates a field for an optional struct."""
    return lambda request: RecordField(layout, request.context)


class CommandDraft:
    """The binding for the form of a command, or of a struct from which a command is created.

    `fill(value, entered)` returns the struct with defaults for all fields that aren't in `entered`. If the user changes
    the field `subject`, the entered values are stored and restored when the user chooses the previous subject again.
    """

    identity = ""

    def __init__(self, value: msgspec.Struct, fill: Callable[[Any, Collection[str]], Any], subject: str = "") -> None:
        self._bare: Any = value
        self._value: Any = value
        self._fill = fill
        self._subject = subject
        self._entered: set[str] = set()
        self.changed: Callable[[], object] = lambda: None
        self._set_aside: dict[str, tuple[Any, set[str]]] = {}

    def value(self) -> Any:
        """Return the struct, completed with defaults."""
        return self._fill(self._value, self._entered)

    def write(self, value: Any, field: str) -> None:
        """Record the fields that an edit has changed."""
        before = self.value()
        changes = {
            name: new for name in value.__struct_fields__ if (new := getattr(value, name)) != getattr(before, name)
        }
        if field and field == self._subject:
            self._set_aside[getattr(before, field)] = self._value, self._entered
            self._value, self._entered = self._set_aside.get(getattr(value, field), (self._value, set()))
        self._value = msgspec.structs.replace(self._value, **changes)
        self._entered = self._entered | changes.keys()
        self.changed()

    def start_over(self, value: msgspec.Struct | None = None) -> None:
        """Forget the entered values, and start with `value` or with the initial value."""
        self._value, self._entered = value or self._bare, set()

    def commit(self) -> None:
        """Do nothing, because edits of a draft aren't undo steps."""


class RuleCheck(NamedTuple):
    """The result of checking a command: the reason against it, or an empty string, and whether it is refused."""

    text: str = ""
    refused: bool = False
    can_be_overridden: bool = False

    @property
    def tone(self) -> str:
        """The tone in which `text` is shown."""
        return "harm" if self.refused else "warn"


def show_reason(label: QLabel, text: str, tone: str) -> None:
    """Show why a command is refused, or which value is missing."""
    label.setText(text)
    set_style(label, "tone", tone)


def rule_check(document: DocumentModel, command: Command) -> RuleCheck:
    """Check a command against the rules."""
    try:
        step = document.source.session.preview(command)
    except Refused as no:
        return RuleCheck(document.phrasebook.refusal_text(no), refused=True, can_be_overridden=no.can_be_overridden)
    override = next((event for event in step.events if isinstance(event, RuleOverridden)), None)
    return RuleCheck(document.phrasebook.text(override.reason, **dict(override.params)) if override else "")


AT_FIRST: Final = ("rules", "does", "heals", "reduces", "save", "damage")  # *Change* focuses these first
BY_ITSELF: Final = ("trigger", "rules", "does", "automation")  # fields with which a feature takes effect unused


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
        self.keep_button = push_button(tr("ui.read-fields.keep"), self._keep, "quiet", "check")
        self.change_button = push_button(tr("ui.read-fields.change"), self._change, "quiet", "pencil")
        self.text_button = push_button(tr("ui.read-fields.text-only"), self._leave_text, "quiet", "text")
        self.keep_button.setToolTip(tr("ui.read-fields.keep-tip"))
        self.change_button.setToolTip(tr("ui.read-fields.change-tip"))
        self.text_button.setToolTip(tr("ui.read-fields.text-only-tip"))
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
        read = tr("ui.read-fields.read", fields=", ".join(names))
        self.label.setText(" ".join(part for part in (self._sentence(), read) if part))

    def set_name(self, name: str) -> None:
        """Do nothing, because each button has its own name."""

    def _keep(self) -> None:
        self.edited.emit(())
        self.editingFinished.emit()

    def _change(self) -> None:
        form, struct = next((each for each in ancestors(self) if isinstance(each, Form)), None), self._binding.value()
        if form is not None and struct is not None:
            form.show_field(next((name for name in (*AT_FIRST, *struct.read) if name in struct.read), ""))

    def _leave_text(self) -> None:
        struct = self._binding.value()
        if struct is None:
            return
        bare = bare_struct(type(struct))
        empty = {name: getattr(bare, name) for name in struct.read if name in struct.__struct_fields__}
        if not {*BY_ITSELF}.isdisjoint(struct.read):
            empty["automation"] = "off"
        self._binding.commit()
        self._binding.write(msgspec.structs.replace(struct, **{**empty, "read": ()}), "")


def without_edited(before: Any, after: Any, name: str) -> Any:
    """Return the struct, with the edited field no longer marked as read from prose or assumed."""
    marks = (mark for mark in ("read", "assumed") if mark != name and name in getattr(before, mark))
    left = {mark: tuple(field for field in getattr(before, mark) if field != name) for mark in marks}
    return msgspec.structs.replace(after, **left)


class StateField(Field):
    """Shows a character's state. The button resets it to None, which means fully rested."""

    def __init__(self, request: FieldRequest) -> None:
        super().__init__()
        self._request = request
        self.label = plain_label("", wraps=True)
        self.button = push_button(tr("ui.roster-entry.state-fresh"), lambda: self.edited.emit(None), "", "restore")
        self.column.addWidget(self.label)
        self.add_control(self.button)

    def show_value(self, value: CharacterState | None) -> None:
        """Show a description of the state."""
        if isinstance(entry := self._request.binding.value(), RosterEntry):
            creature = self._request.context.encounter().get(Creature, entry.creature)
            words = Phrasebook(current_words(), self._request.context.rules)
            self.label.setText(state_text(value, creature, entry, words))
