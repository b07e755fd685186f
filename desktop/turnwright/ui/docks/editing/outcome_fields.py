"""The outcomes of a countdown, as a list of cards: the kind of outcome and its fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from turnwright.encounter.countdown_outcomes import AddWave, Announce, DealDamage, Outcome, StartCountdown, TriggerEntry
from turnwright.encounter.prepared import Countdown, Environment, RosterEntry
from turnwright.encounter.state import Encounter
from turnwright.encounter.wave_names import wave_name
from turnwright.ui.docks.editing.fields import ChoiceField, DiceField, Field, MultiLineTextField, Options
from turnwright.ui.fonts import GAP, scaled
from turnwright.ui.models.display_names import pending_waves, side_name, side_order
from turnwright.ui.translations import tr
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.text import plain_label, push_button, tool_button

KINDS = (Announce, AddWave, StartCountdown, TriggerEntry, DealDamage)


class OutcomesField(Field):
    """Edits a tuple of outcomes. `encounter` returns the encounter for the choices."""

    def __init__(self, encounter: Callable[[], Encounter], check_dice: Callable[[str], str]) -> None:
        super().__init__()
        self._encounter = encounter
        self._problem = check_dice
        self._value: tuple[Outcome, ...] = ()
        self._identity = ""
        self.cards: list[OutcomeCard] = []
        self.empty = plain_label(tr("ui.outcome.none"), tone="muted", wraps=True)
        self.column.addWidget(self.empty)
        self.column.setSpacing(scaled(GAP))
        row = QHBoxLayout()
        self.add_button = push_button(tr("ui.outcome.add"), self._add, "quiet", "plus")
        row.addWidget(self.add_button)
        row.addStretch(1)
        self.column.addLayout(row)

    def set_identity(self, identity: str) -> None:
        """Set the identity of the next value, which drafts are kept by."""
        self._identity = identity

    def show_value(self, value: Any) -> None:
        """Show outcomes; a card is rebuilt only where its kind differs."""
        self._value = tuple(value)
        while len(self.cards) > len(value):
            self._drop_card(len(self.cards) - 1)
        for place, outcome in enumerate(value):
            if place < len(self.cards) and self.cards[place].kind is not type(outcome):
                self._drop_card(place)
                self._make_card(place, type(outcome))
            elif place >= len(self.cards):
                self._make_card(place, type(outcome))
            self.cards[place].show_outcome(outcome, f"{self._identity}.{place}")
        self.empty.setVisible(not value)

    def set_name(self, name: str) -> None:
        """Keep the cards' own names."""

    def _make_card(self, place: int, kind: type[Outcome]) -> None:
        card = OutcomeCard(kind, self._encounter, self._problem)
        card.edited.connect(lambda outcome, card=card: self._edit(card, outcome))
        card.editingFinished.connect(self.editingFinished)
        card.removeRequested.connect(lambda card=card: self._remove(card))
        self.cards.insert(place, card)
        self.column.insertWidget(place, card)

    def _drop_card(self, place: int) -> None:
        card = self.cards.pop(place)
        self.column.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _edit(self, card: OutcomeCard, outcome: Outcome) -> None:
        outcomes = list(self._value)
        outcomes[self.cards.index(card)] = outcome
        self.edited.emit(tuple(outcomes))

    def _remove(self, card: OutcomeCard) -> None:
        place = self.cards.index(card)
        self.edited.emit(self._value[:place] + self._value[place + 1 :])
        self.editingFinished.emit()

    def _add(self) -> None:
        self.edited.emit((*self._value, Announce("")))
        self.editingFinished.emit()
        if self.cards:
            self.cards[-1].setFocus()


class OutcomeCard(Field):
    """One outcome: its kind, and the fields of that kind. `edited` carries the outcome."""

    removeRequested = Signal()

    def __init__(
        self, kind: type[Outcome], encounter: Callable[[], Encounter], check_dice: Callable[[str], str]
    ) -> None:
        super().__init__()
        self.kind = kind
        self._encounter = encounter
        self._outcome: Any = None
        self.card = Card("world")
        self.card.body.setContentsMargins(scaled(12), scaled(GAP), scaled(GAP), scaled(GAP))
        self.column.addWidget(self.card)
        self.kind_field = ChoiceField([(one, tr(f"ui.outcome.{one.__struct_config__.tag}")) for one in KINDS])
        self.kind_field.set_name(tr("ui.outcome.kind"))
        self.kind_field.edited.connect(self._change_kind)
        top = QHBoxLayout()
        top.addWidget(self.kind_field, 1)
        self.remove_button = tool_button("close", tr("ui.outcome.remove"), self.removeRequested.emit)
        top.addWidget(self.remove_button)
        self.card.body.addLayout(top)
        self.fields = self._fields_of(kind, check_dice)
        self.card.body.addWidget(self._rows())
        self.setFocusProxy(next(iter(self.fields.values())))

    def show_outcome(self, outcome: Outcome, identity: str) -> None:
        """Show an outcome of this card's kind."""
        self._outcome = outcome
        self.kind_field.show_value(type(outcome))
        for name, field in self.fields.items():
            field.set_identity(f"{identity}.{name}")
            field.show_value(getattr(outcome, name))

    def _rows(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(scaled(GAP))
        for name, field in self.fields.items():
            field.set_name(tr(f"ui.outcome.field-{name}"))
            column.addWidget(field)
            field.edited.connect(lambda value, name=name: self._edit(name, value))
            field.editingFinished.connect(self.editingFinished)
        return holder

    def _fields_of(self, kind: type[Outcome], problem: Callable[[str], str]) -> dict[str, Field]:
        if kind is Announce:
            return {"text": MultiLineTextField(tr("ui.outcome.announce-hint"), 2, 8)}
        if kind is AddWave:
            return {"wave": ChoiceField(free=True, load_options=self._waves)}
        if kind is StartCountdown:
            return {"countdown": ChoiceField(load_options=self._countdowns)}
        if kind is TriggerEntry:
            return {
                "environment": ChoiceField(load_options=self._environments),
                "entry": ChoiceField(load_options=self._entries),
            }
        return {
            "damage": DiceField(problem, tr("ui.editing.damage-hint")),
            "side": ChoiceField(load_options=self._sides),
        }

    def _edit(self, name: str, value: Any) -> None:
        changes = {name: value}
        if name == "environment":
            environment = self._encounter().get(Environment, value)
            rows = (*environment.actions, *environment.features) if environment else ()
            changes["entry"] = rows[0].id if rows else ""
        self.edited.emit(msgspec.structs.replace(self._outcome, **changes))

    def _change_kind(self, kind: type[Outcome]) -> None:
        if kind is self.kind:
            return
        first = {
            AddWave: lambda: AddWave(_first(self._waves())),
            StartCountdown: lambda: StartCountdown(_first(self._countdowns())),
            TriggerEntry: self._first_entry,
            DealDamage: lambda: DealDamage("1d6"),
        }
        self.edited.emit(first.get(kind, lambda: Announce(""))())
        self.editingFinished.emit()

    def _first_entry(self) -> TriggerEntry:
        for environment in self._encounter().all(Environment):
            for entry in (*environment.actions, *environment.features):
                return TriggerEntry(environment.id, entry.id)
        return TriggerEntry("", "")

    def _waves(self) -> Options:
        waves = pending_waves(self._encounter())
        missing = getattr(self._outcome, "wave", "")
        return [*waves, (missing, wave_name(missing))] if missing and missing not in dict(waves) else waves

    def _countdowns(self) -> Options:
        return [(one.id, one.name or one.id) for one in self._encounter().all(Countdown)]

    def _environments(self) -> Options:
        return [(one.id, one.name or one.id) for one in self._encounter().all(Environment)]

    def _entries(self) -> Options:
        id = getattr(self._outcome, "environment", "")
        environment = self._encounter().get(Environment, id)
        rows = (*environment.actions, *environment.features) if environment else ()
        return [(entry.id, entry.name or entry.id) for entry in rows]

    def _sides(self) -> Options:
        sides = side_order(entry.side for entry in self._encounter().all(RosterEntry))
        return [("", tr("ui.outcome.everyone")), *((side, side_name(side)) for side in sides)]


def _first(options: Options) -> str:
    return options[0][0] if options else ""
