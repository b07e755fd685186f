"""The form of an action as data: described fields for parameters that are entered before the action is taken.

A form converts the entered values to a command. The engine's preview shows whether the command is legal.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import groupby
from typing import Any, Literal

import msgspec
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent

from turnwright.encounter.prepared import Creature, Point
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.transaction import Command
from turnwright.rules.parts.actions.spell_features import Caster, caster_of
from turnwright.rules.parts.positions import geometry
from turnwright.rules.system import creature_of
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.cards.attack_card import combatant_picks, combatants_in_order
from turnwright.ui.forms.fields import PickField, TextField
from turnwright.ui.forms.form import Form, FormLayout, Row
from turnwright.ui.forms.kinds import FieldMaker
from turnwright.ui.forms.record_fields import CommandDraft
from turnwright.ui.look.style import scaled, set_role, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import PickOption
from turnwright.ui.widgets.rules.why import Explanation
from turnwright.ui.widgets.typed.line_text import ChipView, LineChips

NO_CAPTION = "-"
Test = Callable[[Any], object]
Chips = Callable[[], Sequence[ChipView]]
Offers = Callable[[], Sequence[tuple[str, str]]]


class AreaUse(msgspec.Struct, frozen=True):
    """The shape of an area, as worded in a stat block or spell. If `is_free`, it can be placed anywhere in range."""

    text: str
    is_free: bool = False


class Asked(msgspec.Struct, frozen=True):
    """A field of an action's form. Its value is a field of the entered struct with the same name.

    `caption` is the end of the caption's key, if it differs from the name, or `NO_CAPTION`.

    `picks(value)` returns the options of a field with buttons; `many` of them can be chosen, or one that can be cleared
    if it is `optional`. A `plural` field stores its single choice as a tuple. Other fields are made by `maker`, or from
    the specification of the field.

    `default`: the `first` option that isn't refused, the `only` such option, or `all` options. `missing` is the key of
    the message if the field is shown and empty. With `needed_when`, the field is needed only for some values.
    `follows`: the field is on the same line as the one before.
    """

    name: str
    picks: Callable[[Any], Sequence[PickOption]] | None = None
    caption: str = ""
    shown_when: Test | None = None
    many: bool = False
    plural: bool = False
    optional: bool = False
    default: Literal["", "first", "only", "all"] = ""
    missing: str = ""
    needed_when: Test = lambda _value: True
    maker: FieldMaker | None = None
    follows: bool = False

    def is_shown(self, value: Any) -> bool:
        """Whether the field is shown for an entered value."""
        return self.shown_when is None or bool(self.shown_when(value))

    def with_default(self, value: Any, entered: Collection[str]) -> Any:
        """Return the entered value, with the default of this field unless the user has chosen another."""
        chosen = getattr(value, self.name)
        is_open = self.name not in entered if self.default == "all" else not chosen or self.default == "first"
        if self.picks is None or not self.default or not is_open:
            return value
        options = self.picks(value)
        ids = [option.id for option in options]
        able = [option.id for option in options if not option.refused]
        if self.default == "all":
            usual: Any = tuple(ids)
        elif self.default == "first":
            usual = chosen if chosen and chosen in ids else next(iter((*able, *ids)), "")
        else:
            usual = able[0] if len(able) == 1 else ""
        is_single = (self.many or self.plural) and not isinstance(usual, tuple)
        return msgspec.structs.replace(value, **{self.name: ((usual,) if usual else ()) if is_single else usual})

    def make(self) -> FieldMaker | None:
        """Return the function that creates the field, or None if its specification decides."""
        picks, more = self.picks, {"many": self.many, "plural": self.plural, "optional": self.optional}
        if picks is None:
            return self.maker
        return lambda request: PickField(lambda: picks(request.binding.value()), request.words(), **more)


class ActionForm:
    """The base class of the forms of actions.

    `entered` is the initial value: the command, or a struct that the command is made from.
    `skipped` fields don't get the focus when the form opens, even if they are empty. `tone` is the tone of the icon. If
    `repeats`, the form can stay open for another command; if `stays_open`, it always does. Unless `is_checked`, the
    rules are checked only when the command is executed. `words` is the key prefix of the form's texts, and `another` the
    key of the button that submits the form and keeps it open.
    """

    icon, tone, words, another = "account-group", "accent", "ui.action-form", "ui.condition.another"
    repeats = stays_open = flows = False
    is_checked = True
    skipped: Collection[str] = ()

    def __init__(self, document: DocumentModel, who: str, title: str, entered: msgspec.Struct) -> None:
        self.document = document
        self.who = who
        self.title = self.button_text = title
        self.origin: Point | None = None  # the origin of the area that was placed on the map
        self.draft = CommandDraft(entered, self.fill)

    def asked(self) -> Sequence[Asked]:
        """Return the fields of the form, in order."""
        raise NotImplementedError

    def area(self) -> AreaUse | None:
        """Return the area from which targets can be taken on the map, or None if the action has none."""
        return None

    def layout(self) -> FormLayout:
        """Return the layout of the form."""
        asked = list(self.asked())
        lines = [sum(not field.follows for field in asked[: place + 1]) for place in range(len(asked))]
        rows = [
            [field for _, field in line] for _, line in groupby(zip(lines, asked, strict=True), lambda pair: pair[0])
        ]
        return FormLayout(
            type(self.draft.value()),
            tuple(_row_of(row) for row in rows),
            words=self.words,
            captions={field.name: f"{self.words}.{field.caption}" for field in asked if field.caption},
            fields={field.name: maker for field in asked if (maker := field.make()) is not None},
            settle=lambda _context, before, after, name: self.settle(before, after, name),
            on_refresh=lambda form, value: _show_followers(form, asked, value),
            beside=True,
            flows=self.flows,
        )

    def heading(self) -> str:
        """Return the current title of the form."""
        return self.title

    def label(self) -> str:
        """Return the current text of the button."""
        return self.button_text

    def start_over(self) -> None:
        """Empty the form for another command."""
        self.origin = None
        self.draft.start_over()

    def settle(self, before: Any, after: Any, name: str) -> Any:
        """Return the entered value after the edit of a field."""
        return after

    def fill(self, value: Any, entered: Collection[str]) -> Any:
        """Return the entered value, completed with the defaults of the fields."""
        for field in self.asked():
            value = field.with_default(value, entered)
        return value

    def command(self, value: Any) -> Command | None:
        """Return the command for the entered value, or None if it makes none."""
        command: Command = value
        return command

    def missing(self, value: Any) -> str:
        """Return a message about a missing value, or an empty string if the form is complete."""
        for field in self.asked():
            entered = getattr(value, field.name)
            empty = not (entered.strip() if isinstance(entered, str) else entered)
            if field.missing and empty and field.is_shown(value) and field.needed_when(value):
                return tr(f"{self.words}.{field.missing}")
        return ""

    def text(self) -> str:
        """Return the text below the title."""
        return ""

    def insist(self) -> bool:
        """Accept the entered text as it is, because the user presses Enter on it. Return whether that changes the form."""
        return False

    def warning(self) -> str:
        """Return a warning about the command, or an empty string."""
        return ""

    def why(self) -> Explanation | None:
        """Return the rules of the action, or None if there are none."""
        return None

    def others(self) -> list[Combatant]:
        """Return the other living combatants in turn order."""
        people = combatants_in_order(self.document)
        return [combatant for combatant in people if combatant.id != self.who and not combatant.dead]

    def is_hostile(self, other: str) -> bool:
        """Whether a combatant is hostile to the acting combatant."""
        return geometry.are_hostile(self.document.encounter, self.who, other)

    @property
    def creature(self) -> Creature:
        """The stat block of the acting combatant."""
        return creature_of(self.document.encounter, self.document.encounter.need(Combatant, self.who))

    @property
    def caster(self) -> Caster:
        """The numbers of the acting combatant's spells."""
        supplied = self.document.encounter.need(Combatant, self.who).supplied_numbers
        return caster_of(self.document.rules, self.creature, supplied)

    def everybody(self) -> list[PickOption]:
        """Return all living combatants as options, starting with the hostile ones."""
        people = [combatant for combatant in combatants_in_order(self.document) if not combatant.dead]
        return combatant_picks(sorted(people, key=lambda combatant: not self.is_hostile(combatant.id)))


class ChipLine(TextField):
    """A line of words, with chips that show how it is read, or buttons that offer words while it is empty.

    `complete` returns the text, completed or corrected when Tab is pressed.
    """

    def __init__(
        self, hint: str, name: str, height: int, chips: Chips, offers: Offers, complete: Callable[[str], str] = str
    ) -> None:
        super().__init__(tr(hint))
        self._load_chips, self._offers, self._complete = chips, offers, complete
        self.line.setAccessibleName(tr(name))
        self.line.setMinimumHeight(scaled(height))
        set_role(self.line, "strong")
        self.chips = LineChips()
        self.column.addWidget(self.chips)
        self.line.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Complete the text when Tab is pressed. If there is nothing to complete, Tab moves the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Tab:
            text = self._complete(self.line.text())
            if text != self.line.text():
                self._fill(text.strip())
                return True
        return super().eventFilter(watched, event)

    def show_value(self, value: Any) -> None:
        """Show the text and its chips."""
        super().show_value(value)
        if not self.line.hasFocus():
            self.line.end(False)
        if value.strip():
            self.chips.show_chips(self._load_chips())
        else:
            self.chips.offer(self._offers(), self._fill)

    def _fill(self, letters: str) -> None:
        self.line.setText(f"{letters} ")
        self.edited.emit(self.line.text())
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)


def _show_followers(form: Form, asked: Sequence[Asked], value: Any) -> None:
    """Show or hide each field that follows another one on a line, but isn't always shown."""
    for field in asked:
        if field.follows and field.shown_when is not None:
            form.show_in_row(field.name, shown=field.is_shown(value))


def _row_of(fields: Sequence[Asked]) -> Row:
    names, first = (field.name for field in fields), fields[0]
    has_captions = any(field.caption != NO_CAPTION for field in fields)
    return Row(tuple(names), shown_when=lambda value, _context: first.is_shown(value), captions=has_captions)


def rules_card(document: DocumentModel, title: str, rules: tuple[str, ...], *texts: str) -> Explanation:
    """Return a card with the rules of an action and further texts. Empty texts are left out."""
    return Explanation(title, "", tuple(explainer(document).rule_lines(rules)), (), tuple(filter(None, texts)))
