"""The filters of the library: a card with one line per filter, opened from the bar below the search field."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from turnwright.rules.amount_texts import rating_text
from turnwright.storage.library.search import FilterChoices, LibraryFilter
from turnwright.ui.forms.command_drafts import CommandDraft
from turnwright.ui.forms.compound_fields import MultiChoiceField
from turnwright.ui.forms.fields import ChoiceField, Field, Options
from turnwright.ui.forms.form import Form, FormLayout, Row
from turnwright.ui.forms.kinds import FieldRequest, FormContext
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.layout import horizontal
from turnwright.ui.widgets.popover import Popover
from turnwright.ui.widgets.text import push_button

THIS_SYSTEM = "*"  # the encounter's rule system
ALL_SYSTEMS = ""
MULTI_CHOICE_FIELDS = ("sizes", "types", "environments", "sources")
RATINGS = ("min_rating", "max_rating")


class FilterChoice(msgspec.Struct, frozen=True):
    """The current filters. `game` is a rule system, `*` for the encounter's, or empty for all."""

    game: str = THIS_SYSTEM
    min_rating: str = ""
    max_rating: str = ""
    sizes: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    duplicates_only: bool = False
    favourites_only: bool = False

    @property
    def count(self) -> int:
        """The number of active filters. Favourites aren't counted, because they have a separate button."""
        several = sum(1 for name in MULTI_CHOICE_FIELDS if getattr(self, name))
        return several + bool(self.min_rating or self.max_rating) + self.duplicates_only + (self.game != THIS_SYSTEM)

    def filter(self, system: str) -> LibraryFilter:
        """Return the filter for values and rule system. Duplicates and favourites aren't included."""
        values = {name: getattr(self, name) for name in (*RATINGS, *MULTI_CHOICE_FIELDS)}
        return LibraryFilter(system=system if self.game == THIS_SYSTEM else self.game, **values)


class FilterOffers(NamedTuple):
    """The available filters: the values in the list, and the rule systems (id, name), starting with the encounter's."""

    values: FilterChoices
    games: Options


class FilterCard(Popover):
    """The card with the filters. Emits `changed` when a filter changes. `offers` returns the available values."""

    changed = Signal()

    def __init__(self, offers: Callable[[FilterChoice], FilterOffers], context: FormContext, parent: QWidget) -> None:
        super().__init__(tr("ui.library.filters"), parent)
        self._offers = offers
        self._offered = FilterOffers(FilterChoices(), [("", "")])
        self._draft = CommandDraft(FilterChoice(), lambda choice, _entered: choice)
        self._draft.changed = self._on_edit
        self._context = context
        self.clear_button = push_button(tr("ui.library.clear"), self.clear, "quiet", "filter-off-outline")
        ends = horizontal()
        ends.addWidget(self.clear_button)
        ends.addStretch(1)
        ends.addWidget(push_button(tr("ui.general.close"), self.close))
        self.column.addLayout(ends)

    @cached_property
    def form(self) -> Form:
        """The form, built when the card is first opened, to keep startup fast."""
        form = Form(self._layout(), self._draft, self._context, self)
        for name, words in zip(RATINGS, ("least", "most"), strict=True):
            form.fields[name].set_name(tr(f"ui.library.{words}"))
        self.column.insertWidget(1, form)
        return form

    @property
    def filter_choice(self) -> FilterChoice:
        """The current filters."""
        choice: FilterChoice = self._draft.value()
        return choice

    def refresh(self) -> None:
        """Show the filters and their currently available values."""
        self._offered = self._offers(self.filter_choice)
        self.form.refresh()
        self.clear_button.setEnabled(bool(self.filter_choice.count))

    def clear(self) -> None:
        """Clear all filters except favourites, which have a separate button."""
        self._draft.write(FilterChoice(favourites_only=self.filter_choice.favourites_only), "")

    def set_favourites_only(self, favourites_only: bool) -> None:
        """Show only favourites, or all entries."""
        self._draft.write(msgspec.structs.replace(self.filter_choice, favourites_only=favourites_only), "")

    def _on_edit(self) -> None:
        if self.isVisible():
            self.refresh()
        self.changed.emit()

    def _layout(self) -> FormLayout:
        captions = {name: f"ui.library.by-{name}" for name in MULTI_CHOICE_FIELDS}
        return FormLayout(
            FilterChoice,
            (
                Row("game"),
                Row(*RATINGS),
                *(Row(name) for name in MULTI_CHOICE_FIELDS),
                Row("duplicates_only"),
            ),
            words="ui.library",
            captions={"min_rating": "ui.library.by-rating", "max_rating": "ui.library.to", **captions},
            fields={
                "game": lambda _request: ChoiceField(load_options=self._games),
                **dict.fromkeys(RATINGS, lambda _request: ChoiceField(load_options=self._ratings)),
                **dict.fromkeys(MULTI_CHOICE_FIELDS, self._several),
            },
            enabled=lambda _choice, name: bool(
                getattr(self._offered.values, "ratings" if name in RATINGS else name, 1)
            ),
            beside=True,
        )

    def _games(self) -> Options:
        (_, this_system), *others = self._offered.games
        return [
            (THIS_SYSTEM, tr("ui.library.this-game", name=this_system)),
            (ALL_SYSTEMS, tr("ui.library.all-games")),
            *others,
        ]

    def _ratings(self) -> Options:
        return [("", tr("ui.library.any")), *((rating, rating_text(rating)) for rating in self._offered.values.ratings)]

    def _several(self, request: FieldRequest) -> Field:
        name = request.spec.name
        return MultiChoiceField(
            (),
            lambda: [(value, value) for value in getattr(self._offered.values, name)],
            none=tr("ui.library.any"),
        )
