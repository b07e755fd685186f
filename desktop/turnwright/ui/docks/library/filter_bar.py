"""The row below the library's search field: filters with their count, sort order, and favourites."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from turnwright.storage.library.search import SortOrder
from turnwright.ui.docks.library.filter_card import FilterCard, FilterChoice, FilterOffers
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.look.fonts import SPACE
from turnwright.ui.look.icons import icon
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.check_menu import add_check, set_menu
from turnwright.ui.widgets.layout import horizontal
from turnwright.ui.widgets.text import text_button, tool_button

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
        self.favourites_button = tool_button("star-outline", tr("ui.library.favourites"), self._flip_starred)
        self.favourites_button.setCheckable(True)
        row = horizontal(self, spacing=SPACE)
        row.addWidget(self.filters)
        row.addWidget(self.clear)
        row.addStretch(1)
        row.addWidget(self.sorting)
        row.addWidget(self.favourites_button)
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
            name = tr(f"ui.library.sort-{order}")
            group.addAction(
                add_check(menu, name, lambda _on, order=order: self.sort_by(order), checked=order == self.order)
            )

    def _flip_starred(self) -> None:
        self.card.set_favourites_only(self.favourites_button.isChecked())

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
