"""From the spec of a field to its widget: each kind has one, and the choices that it offers.

Words belong to a field by the key of its caption: `<caption>-hint`, `-unit`, `-none` (for no value), `-absent` (for none of what is required), `-own` (to type a
choice of one's own) and `-<option>`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from turnwright.encounter.bounds import dice_problem
from turnwright.encounter.field_specs import MAX_NUMBER, FieldSpec, Kind
from turnwright.encounter.state import Encounter
from turnwright.rules.system import RuleSystem
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.forms import choices
from turnwright.ui.forms.bindings import Binding
from turnwright.ui.forms.compound_fields import MultiChoiceField
from turnwright.ui.forms.fields import (
    CheckBoxField,
    ChoiceField,
    DiceField,
    Field,
    MultiLineTextField,
    NumberInput,
    Options,
    ParsedTextField,
    TextField,
    TextListField,
)
from turnwright.ui.forms.pick_field import PickField
from turnwright.ui.models.display_names import squares_text
from turnwright.ui.translations import current_words, tr
from turnwright.ui.widgets.pick_row import PickOption

NONE = "–"


class FormContext(msgspec.Struct, frozen=True):
    """What the fields of a form depend on: the rule system, and the encounter as it now stands."""

    rules: RuleSystem
    encounter: Callable[[], Encounter]

    @classmethod
    def of(cls, document: DocumentModel) -> FormContext:
        """Return the context of an open document."""
        return cls(document.rules, lambda: document.encounter)


class FieldRequest(msgspec.Struct, frozen=True):
    """A field to make: its spec, the key of its caption, and the form's context and binding."""

    spec: FieldSpec
    key: str
    context: FormContext
    binding: Binding

    def words(self, suffix: str = "") -> str:
        """Return the words under the caption's key with a suffix, empty for none."""
        key = f"{self.key}-{suffix}" if suffix else self.key
        return tr(key) if key in current_words() else ""


FieldMaker = Callable[[FieldRequest], Field]


def make_field(request: FieldRequest) -> Field:
    """Return the field of a request's kind."""
    return MAKERS[request.spec.kind](request)


def dice_error_text(text: str) -> str:
    """Return the error of a dice expression as a sentence, empty for none."""
    problem = dice_problem(text)
    return tr("ui.editing.not-dice", why=problem.partition(": ")[2] or problem) if problem else ""


def number(request: FieldRequest, *, blank: str | None = None, least: int | None = None) -> NumberInput:
    """Return the field of a number, within the limits of its spec."""
    spec = request.spec
    is_blank = spec.optional or spec.zero_is_none
    text = blank if blank is not None else (request.words("none") or NONE) if is_blank else ""
    unit = request.words("unit") or (tr(f"ui.general.{spec.unit}") if spec.unit else "")
    least = max(spec.least, -MAX_NUMBER) if least is None else least
    zero_is_blank = bool(text) and not spec.optional
    field = NumberInput(least, min(spec.most, MAX_NUMBER), unit, text, zero_is_blank=zero_is_blank)
    if prefix := request.words("prefix"):
        field.box.setPrefix(f"{prefix} ")
    return field


def choice(request: FieldRequest, options: Options | None = None, **more: Any) -> ChoiceField:
    """Return the choice of a spec's own options, of given ones, or of those that `load_options` returns."""
    spec = request.spec
    if options is None and "load_options" not in more:
        options = [(word, request.words(word or "none") or word) for word in spec.options]
        options = [(None, request.words("none") or NONE), *options] if spec.optional else options
    return ChoiceField(options or (), **more)


def lines(least: int, most: int = 12) -> FieldMaker:
    """Return the maker of a text of several lines."""
    return lambda request: MultiLineTextField(request.words("hint"), least, most)


def _known(request: FieldRequest) -> Callable[[], Options]:
    """Return the function that returns the choices of a kind, with that of none where there may be none."""
    spec = request.spec
    none = request.words("absent") if spec.required else ""
    if spec.default == "" and spec.kind != "wave":
        none = request.words("none") or NONE
    first: Options = [("", none)] if none else []
    context = request.context

    def options() -> Options:
        return [*first, *choices.choices(spec, context.rules, context.encounter(), request.binding.value())]

    return options


def _named(request: FieldRequest) -> Field:
    spec, options = request.spec, _known(request)
    if spec.kind in choices.OF_SYSTEM:
        return ChoiceField(options())
    return ChoiceField(load_options=options, free=spec.kind == "wave" or (spec.kind == "side" and bool(spec.default)))


def _several(request: FieldRequest) -> Field:
    return MultiChoiceField((), _known(request), own_caption=request.words("own"))


def _picked(request: FieldRequest) -> Field:
    """Return the row of buttons that chooses combatants."""
    return PickField(lambda: [PickOption(id, name) for id, name in _known(request)()], request.words(), many=True)


def _squares(_request: FieldRequest) -> Field:
    return ParsedTextField(choices.squares_error, choices.parse_squares, squares_text, "3,4; 4,4")


MAKERS: Mapping[Kind, FieldMaker] = MappingProxyType({
    **dict.fromkeys((*choices.OF_SYSTEM, *choices.OF_ENCOUNTER), _named),
    **dict.fromkeys(("conditions", "damage-types", "environments", "gear"), _several),
    "combatants": _picked,
    "choice": choice,
    "dice": lambda request: DiceField(dice_error_text, request.words("hint")),
    "hit-dice": lambda request: DiceField(dice_error_text, request.words("hint")),
    "flag": lambda request: CheckBoxField(request.words()),
    "number": number,
    "prose": lines(2),
    "squares": _squares,
    "text": lambda request: TextField(request.words("hint")),
    "texts": lambda request: TextListField(request.words("hint")),
})  # fmt: skip
