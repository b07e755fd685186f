"""Creates the widget and options of a field, according to the kind in its spec, and binds forms to records.

The keys of a field's texts start with the key of its caption: `<caption>-hint`, `-unit`, `-none` (no value), `-absent`
(no value although required), `-own` (prompt for other text) and `-<option>`. Each edit is one command. Consecutive
edits of a field are merged into one undo step until the user leaves the field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

import msgspec

from turnwright.encounter.field_specs import MAX_NUMBER, FieldSpec, Kind, dice_problem
from turnwright.encounter.state import RECORD_TYPES, Encounter, Record
from turnwright.play.setup.prepared_records import Edit
from turnwright.rules.system import RuleSystem
from turnwright.ui.forms import choices, fields
from turnwright.ui.forms.compound_fields import MultiChoiceField
from turnwright.ui.look.style import current_words, tr
from turnwright.ui.models.row_list_model import squares_text
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import PickOption


class Binding(Protocol):
    """A struct that a form shows and edits."""

    @property
    def identity(self) -> str:
        """An id for the struct that is unique in the encounter."""

    def value(self) -> Any:
        """Return the current struct, or None if it doesn't exist."""

    def write(self, value: Any, field: str) -> None:
        """Replace the struct with `value`, after the user has edited a field."""

    def commit(self) -> None:
        """End the current undo step. The next edit starts a new one."""


class RecordBinding:
    """A binding to a prepared record, looked up by table and id."""

    def __init__(self, document: DocumentModel, kind: type[Record], id: str = "") -> None:
        self._document = document
        self._kind = kind
        self._run = 0
        self.id = id

    @property
    def identity(self) -> str:
        """The table and id of the record."""
        return f"{self._kind.table}.{self.id}"

    def value(self) -> Any:
        """Return the record, or None if it doesn't exist."""
        return self._document.encounter.record((self._kind.table, self.id))

    def write(self, value: Any, field: str) -> None:
        """Write the edited record, unless it equals the current one."""
        if value == self.value():
            return
        kind = self._kind.table.removesuffix("s")
        merge = f"{kind}:{self.id}:{field}:{self._run}" if field else ""
        self._document.execute(Edit(value, merge=merge))

    def commit(self) -> None:
        """End the current undo step. The next edit starts a new one."""
        self._run += 1


class SceneBinding(RecordBinding):
    """A binding to the scene. A new encounter may not have one yet."""

    def __init__(self, document: DocumentModel) -> None:
        super().__init__(document, RECORD_TYPES["scene"], "scene")

    def value(self) -> Any:
        """Return the scene, or a default scene if there is none."""
        return super().value() or self._kind()  # type: ignore[call-arg]


class ChildBinding:
    """A binding to a struct in a tuple of another binding's struct, looked up by id, or by its number if it has no id."""

    def __init__(self, parent_binding: Binding, collection: str, id: str = "") -> None:
        self.parent = parent_binding
        self._collection = collection
        self.id = id

    @property
    def identity(self) -> str:
        """The identity of the parent, the collection and the id."""
        return f"{self.parent.identity}.{self._collection}.{self.id}"

    def value(self) -> Any:
        """Return the child, or None if it doesn't exist."""
        return dict(with_ids(children_of(self.parent, self._collection))).get(self.id)

    def write(self, value: Any, field: str) -> None:
        """Replace the child in its parent's collection."""
        parent = self.parent.value()
        if parent is None:
            return
        parts = tuple(value if id == self.id else part for id, part in with_ids(getattr(parent, self._collection)))
        edited = msgspec.structs.replace(parent, **{self._collection: parts})
        self.parent.write(edited, f"{self._collection}.{self.id}.{field}" if field else "")

    def commit(self) -> None:
        """End the current undo step. The next edit starts a new one."""
        self.parent.commit()


def with_ids(parts: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """Yield structs with their ids, or with their numbers if they have no id."""
    return ((getattr(part, "id", str(number)), part) for number, part in enumerate(parts))


def children_of(binding: Binding, collection: str) -> tuple[Any, ...]:
    """Return the structs in a collection, or an empty tuple if the parent no longer exists."""
    value = binding.value()
    return () if value is None else getattr(value, collection)


NONE = "–"


class FormContext(msgspec.Struct, frozen=True):
    """The context of a form: the rule system and the current encounter."""

    rules: RuleSystem
    encounter: Callable[[], Encounter]

    @classmethod
    def of(cls, document: DocumentModel) -> FormContext:
        """Return the context for an open document."""
        return cls(document.rules, lambda: document.encounter)


class FieldRequest(msgspec.Struct, frozen=True):
    """A request to create a field: its spec, the key of its caption, and the context and binding of the form."""

    spec: FieldSpec
    key: str
    context: FormContext
    binding: Binding

    def words(self, suffix: str = "") -> str:
        """Return the text for the caption's key followed by a suffix, or an empty string if there is none."""
        key = f"{self.key}-{suffix}" if suffix else self.key
        return tr(key) if key in current_words() else ""


FieldMaker = Callable[[FieldRequest], fields.Field]


def make_field(request: FieldRequest) -> fields.Field:
    """Create the requested field, according to the kind in its spec."""
    return MAKERS[request.spec.kind](request)


def dice_error_text(text: str) -> str:
    """Return the error in a dice expression as a sentence, or an empty string if it is valid."""
    problem = dice_problem(text)
    return tr("ui.editing.not-dice", why=problem.partition(": ")[2] or problem) if problem else ""


def number(request: FieldRequest, *, blank: str | None = None, least: int | None = None) -> fields.NumberInput:
    """Return a number field with the limits of its spec."""
    spec = request.spec
    is_blank = spec.optional or spec.zero_is_none
    text = blank if blank is not None else (request.words("none") or NONE) if is_blank else ""
    unit = request.words("unit") or (tr(f"ui.general.{spec.unit}") if spec.unit else "")
    least = max(spec.least, -MAX_NUMBER) if least is None else least
    zero_is_blank = bool(text) and not spec.optional
    field = fields.NumberInput(least, min(spec.most, MAX_NUMBER), unit, text, zero_is_blank=zero_is_blank)
    if prefix := request.words("prefix"):
        field.box.setPrefix(f"{prefix} ")
    return field


def choice(request: FieldRequest, options: fields.Options | None = None, **more: Any) -> fields.ChoiceField:
    """Return a choice field with the options of its spec, with these options, or with those from `load_options`."""
    spec = request.spec
    if options is None and "load_options" not in more:
        options = [(word, request.words(word or "none") or word) for word in spec.options]
        options = [(None, request.words("none") or NONE), *options] if spec.optional else options
    return fields.ChoiceField(options or (), **more)


def lines(least: int, most: int = 12) -> FieldMaker:
    """Return a function that creates a field for several lines of text, or for texts of one line each."""
    kinds = {"texts": fields.LineListField}
    return lambda request: kinds.get(request.spec.kind, fields.MultiLineTextField)(request.words("hint"), least, most)


def _known(request: FieldRequest) -> Callable[[], fields.Options]:
    """Return a function that returns the options for a field, including an empty one if the field can be empty."""
    spec = request.spec
    none = request.words("absent") if spec.required else ""
    if spec.default == "" and spec.kind != "wave":
        none = request.words("none") or NONE
    first: fields.Options = [("", none)] if none else []
    context = request.context

    def options() -> fields.Options:
        return [*first, *choices.choices(spec, context.rules, context.encounter(), request.binding.value())]

    return options


def _named(request: FieldRequest) -> fields.Field:
    spec, options = request.spec, _known(request)
    if spec.kind in choices.OF_SYSTEM:
        return fields.ChoiceField(options())
    return fields.ChoiceField(
        load_options=options, free=spec.kind == "wave" or (spec.kind == "side" and bool(spec.default))
    )


MAKERS: Mapping[Kind, FieldMaker] = {
    **dict.fromkeys((*choices.OF_SYSTEM, *choices.OF_ENCOUNTER), _named),
    **dict.fromkeys(("conditions", "damage-types", "environments", "gear"), lambda request: MultiChoiceField((), _known(request), own_caption=request.words("own"))),
    "combatants": lambda request: fields.PickField(lambda: [PickOption(*known) for known in _known(request)()], request.words(), many=True),
    "choice": choice,
    "dice": lambda request: fields.DiceField(dice_error_text, request.words("hint")),
    "hit-dice": lambda request: fields.DiceField(dice_error_text, request.words("hint")),
    "flag": lambda request: fields.CheckBoxField(request.words()),
    "number": number,
    "prose": lines(2),
    "squares": lambda _request: fields.ParsedTextField(choices.squares_error, choices.parse_squares, squares_text, "3,4; 4,4"),
    "text": lambda request: fields.TextField(request.words("hint")),
    "texts": lambda request: fields.TextListField(request.words("hint")),
}  # fmt: skip
