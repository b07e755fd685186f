"""The filters of the library: a card with one line per filter, opened from the bar below the search field.

The row below the library's search field: filters with their count, sort order, and favourites.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple, get_args

import msgspec
from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from turnwright.rules.topics import rating_text
from turnwright.storage.library.search import FilterChoices, LibraryFilter, SortOrder
from turnwright.ui.forms.compound_fields import MultiChoiceField
from turnwright.ui.forms.fields import ChoiceField, Field, Options
from turnwright.ui.forms.form import Form, FormLayout, Row
from turnwright.ui.forms.kinds import FieldRequest, FormContext
from turnwright.ui.forms.record_fields import CommandDraft
from turnwright.ui.look.fonts import SPACE
from turnwright.ui.look.icons import icon
from turnwright.ui.look.theme import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.dialog import Popover
from turnwright.ui.widgets.layout import STRETCH, fill, horizontal
from turnwright.ui.widgets.pick_row import add_check, set_menu
from turnwright.ui.widgets.text import push_button, text_button, tool_button

THIS_SYSTEM = "*"  # the encounter's rule system
ALL_SYSTEMS = ""
MULTI_CHOICE_FIELDS = ("sizes", "types", "environments", "sources")
RATINGS = ("min_rating", "max_rating")
OFFERED_AS = dict.fromkeys(RATINGS, "ratings")


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
        ends = fill(horizontal(), self.clear_button, STRETCH, push_button(tr("ui.general.close"), self.close))
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
            (Row("game"), Row(*RATINGS), *(Row(name) for name in MULTI_CHOICE_FIELDS), Row("duplicates_only")),
            words="ui.library",
            captions={"min_rating": "ui.library.by-rating", "max_rating": "ui.library.to", **captions},
            fields={
                "game": lambda _request: ChoiceField(load_options=self._games),
                **dict.fromkeys(RATINGS, lambda _request: ChoiceField(load_options=self._ratings)),
                **dict.fromkeys(MULTI_CHOICE_FIELDS, self._several),
            },
            enabled=lambda _choice, name: bool(getattr(self._offered.values, OFFERED_AS.get(name, name), 1)),
            beside=True,
        )

    def _games(self) -> Options:
        (_, this_system), *others = self._offered.games
        own = (THIS_SYSTEM, tr("ui.library.this-game", name=this_system))
        return [own, (ALL_SYSTEMS, tr("ui.library.all-games")), *others]

    def _ratings(self) -> Options:
        return [("", tr("ui.library.any")), *((rating, rating_text(rating)) for rating in self._offered.values.ratings)]

    def _several(self, request: FieldRequest) -> Field:
        name, any_value = request.spec.name, tr("ui.library.any")
        return MultiChoiceField((), lambda: [(id, id) for id in getattr(self._offered.values, name)], none=any_value)


SORT_ORDERS: tuple[SortOrder, ...] = get_args(SortOrder)


class FilterBar(QWidget):
    """The bar of filters and sort order. Emits `changed` when either changes.

    `offers` returns the available filter values for the current filters.
    """

    changed = Signal()

    def __init__(
        self, offers: Callable[[FilterChoice], FilterOffers], context: FormContext, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.order: SortOrder = "name"
        self.card = FilterCard(offers, context, self)
        self.card.changed.connect(self._on_change)
        self.filters = text_button("filter-variant")
        self.filters.clicked.connect(self.open_filters)
        self.clear = tool_button("filter-off-outline", tr("ui.library.clear"), self.card.clear)
        self.sorting = text_button("sort")
        self.sorting.setProperty("menu", True)
        set_menu(self.sorting, self._fill_orders)
        self.favourites_button = tool_button(
            "star-outline",
            tr("ui.library.favourites"),
            lambda: self.card.set_favourites_only(self.favourites_button.isChecked()),
        )
        self.favourites_button.setCheckable(True)
        fill(horizontal(self, spacing=SPACE), self.filters, self.clear, STRETCH, self.sorting, self.favourites_button)
        self._say()

    @property
    def filter_choice(self) -> FilterChoice:
        """The current filters."""
        return self.card.filter_choice

    def open_filters(self) -> None:
        """Open the card with the filters."""
        self.card.refresh()
        self.card.open_at(self.filters.mapToGlobal(QPoint(0, self.filters.height())))
        self.card.form.focus_first()

    def sort_by(self, order: SortOrder) -> None:
        """Change the sort order of the list."""
        self.order = order
        self._on_change()

    def _fill_orders(self, menu: QMenu) -> None:
        group = QActionGroup(menu)
        for order in SORT_ORDERS:
            name, is_set = tr(f"ui.library.sort-{order}"), order == self.order
            group.addAction(add_check(menu, name, lambda _on, order=order: self.sort_by(order), checked=is_set))

    def _on_change(self) -> None:
        self._say()
        self.changed.emit()

    def _say(self) -> None:
        count = self.filter_choice.count
        text = tr("ui.library.filters-set", n=count) if count else tr("ui.library.filters")
        self.filters.setText(text)
        self.filters.setAccessibleName(text)
        self.filters.setIcon(icon("filter-check" if count else "filter-variant", "accent" if count else "text"))
        self.clear.setVisible(bool(count))
        name = tr(f"ui.library.sort-{self.order}")
        self.sorting.setText(name)
        tip = tr("ui.library.sorted", by=name)
        self.sorting.setToolTip(escaped_tooltip(tip))
        self.sorting.setAccessibleName(tip)
        on = self.filter_choice.favourites_only
        self.favourites_button.setChecked(on)
        self.favourites_button.setIcon(icon("star" if on else "star-outline", "accent" if on else "text"))
