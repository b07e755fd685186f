"""The filters, the sort order and the list of the library.

The filters of the library: a card with one line per filter, opened from the bar below the search field.

The row below the library's search field: filters with their count, sort order, and favourites.

The library's list, with icons for favourites and duplicates. The selection survives each new search.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple, get_args

import msgspec
from PySide6 import QtCore
from PySide6.QtGui import QActionGroup, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QMenu, QStyle, QStyleOptionViewItem, QWidget

from turnwright.rules.word_keys import rating_text
from turnwright.storage.library.entries import LibraryEntry
from turnwright.storage.library.search import FilterChoices, LibraryFilter, SortOrder
from turnwright.ui.docks.shared.row_view import RIGHT, ROW_HEIGHT, RowDelegate, RowView, draw_text
from turnwright.ui.forms.compound_fields import MultiChoiceField
from turnwright.ui.forms.fields import ChoiceField, Field, Options
from turnwright.ui.forms.form import Form, FormLayout, Row
from turnwright.ui.forms.kinds import FieldRequest, FormContext
from turnwright.ui.forms.record_fields import CommandDraft
from turnwright.ui.look.icons import draw_icon, icon
from turnwright.ui.look.style import GAP, SPACE, current_theme, role_metrics, scaled, tr
from turnwright.ui.models.library import FIT_GROUPS, SECTIONS, LibraryModel, fit_text, party_line
from turnwright.ui.models.row_list_model import DETAIL_ROLE, KEY_ROLE, Index
from turnwright.ui.widgets.dialog import Popover
from turnwright.ui.widgets.fields import add_check, set_menu
from turnwright.ui.widgets.layout import STRETCH, fill, horizontal
from turnwright.ui.widgets.text import name_and_tip, push_button, text_button, tool_button

THIS_SYSTEM = "*"  # the encounter's rule system
ALL_SYSTEMS = ""
VALUES = ("roles", "types", "environments", "marks", "sizes", "sources", "without")
MULTI_CHOICE_FIELDS = (*VALUES[:3], "companies", *VALUES[3:])
RATINGS = ("min_rating", "max_rating")
OFFERED_AS = dict.fromkeys(RATINGS, "ratings")


class FilterChoice(msgspec.Struct, frozen=True):
    """The current filters. `game` is a rule system, `*` for the encounter's, or empty for all.

    `paths` are the files to which the list is limited, such as those of an import.
    """

    game: str = THIS_SYSTEM
    min_rating: str = ""
    max_rating: str = ""
    roles: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    duplicates_only: bool = False
    favourites_only: bool = False
    paths: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """The number of active filters. Favourites aren't counted, because they have a separate button."""
        several = sum(1 for name in MULTI_CHOICE_FIELDS if getattr(self, name))
        others = (self.min_rating or self.max_rating, self.duplicates_only, self.paths or self.game != THIS_SYSTEM)
        return several + sum(map(bool, others))

    def filter(self, system: str) -> LibraryFilter:
        """Return the filter for values and rule system. Companies, duplicates and favourites aren't included."""
        values = {name: getattr(self, name) for name in (*RATINGS, *VALUES)}
        return LibraryFilter(system=system if self.game == THIS_SYSTEM else self.game, **values)


class FilterOffers(NamedTuple):
    """The available filters: the values in the list, and pairs of id and name of rule systems and companies.

    The rule systems start with the encounter's.
    """

    values: FilterChoices
    games: Options
    companies: Options = []  # noqa: RUF012 - never changed


class FilterCard(Popover):
    """The card with the filters. Emits `changed` when a filter changes. `offers` returns the available values."""

    changed = QtCore.Signal()

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

    def show_only(self, paths: Sequence[str]) -> None:
        """Show only these files of the library, whatever their game is, until the filters are cleared."""
        self._draft.write(FilterChoice(game=ALL_SYSTEMS, paths=tuple(paths)), "")

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
                Row(("game",)),
                Row(RATINGS, stretch=(3, 2)),
                *(Row((name,)) for name in MULTI_CHOICE_FIELDS),
                Row(("duplicates_only",)),
            ),
            words="ui.library",
            captions={"min_rating": "ui.library.by-rating", "max_rating": "ui.library.to", **captions},
            fields={
                "game": lambda _request: ChoiceField(load_options=self._games),
                **dict.fromkeys(RATINGS, lambda _request: ChoiceField(load_options=self._ratings)),
                **dict.fromkeys(MULTI_CHOICE_FIELDS, self._several),
            },
            enabled=lambda _choice, name: self._has(OFFERED_AS.get(name, name)),
            beside=True,
        )

    def _games(self) -> Options:
        (_, this_system), *others = self._offered.games
        own = (THIS_SYSTEM, tr("ui.library.this-game", name=this_system))
        return [own, (ALL_SYSTEMS, tr("ui.library.all-games")), *others]

    def _ratings(self) -> Options:
        return [("", tr("ui.library.any")), *((rating, rating_text(rating)) for rating in self._offered.values.ratings)]

    def _has(self, name: str) -> bool:
        """Whether there is a value for a filter."""
        return bool(self._offered.companies if name == "companies" else getattr(self._offered.values, name, True))

    def _several(self, request: FieldRequest) -> Field:
        name = request.spec.name
        none = tr("ui.library.any" if name != "without" else "ui.library.nothing-left-out")
        if name == "companies":
            return MultiChoiceField((), lambda: self._offered.companies, none=none)
        return MultiChoiceField(
            (), lambda: [(id, _value_text(name, id)) for id in getattr(self._offered.values, name)], none=none
        )


def _value_text(name: str, id: str) -> str:
    """Return the text of a filter's value. Roles have names; other words are shown as they are in files."""
    return tr(f"ui.creature.role-{id}").lower() if name == "roles" else id


SORT_ORDERS: tuple[SortOrder, ...] = get_args(SortOrder)


class FilterBar(QWidget):
    """The bar of filters and sort order. Emits `changed` when either changes.

    `offers` returns the available filter values for the current filters.
    """

    changed = QtCore.Signal()

    def __init__(self, offers: Callable[[FilterChoice], FilterOffers], context: FormContext) -> None:
        super().__init__()
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

    def open_filters(self) -> None:
        """Open the card with the filters."""
        self.card.refresh()
        self.card.open_at(self.filters.mapToGlobal(QtCore.QPoint(0, self.filters.height())))
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
        count = self.card.filter_choice.count
        text = tr("ui.library.filters-set", n=count) if count else tr("ui.library.filters")
        self.filters.setText(text)
        self.filters.setAccessibleName(text)
        self.filters.setIcon(icon("filter-check" if count else "filter-variant", "accent" if count else "text"))
        self.clear.setVisible(bool(count))
        name = tr(f"ui.library.sort-{self.order}")
        self.sorting.setText(name)
        tip = tr("ui.library.sorted", by=name)
        name_and_tip(self.sorting, tip)
        on = self.card.filter_choice.favourites_only
        self.favourites_button.setChecked(on)
        self.favourites_button.setIcon(icon("star" if on else "star-outline", "accent" if on else "text"))


_SIGN = 14
_FIT_TONES = {"now": "accent", "more": "warn"}
_LINE = 14  # the second line of a party


class LibraryView(RowView):
    """The rows of a `LibraryModel`. Emits `favouriteToggled(entry)` when the user clicks a star or presses `*`.

    The model replaces all rows on each key press. Entries that are still listed stay selected and keep their position
    on the screen.
    """

    favouriteToggled = QtCore.Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._chosen: list[LibraryEntry] = []
        self._current: LibraryEntry | None = None
        self._height = 0
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setItemDelegate(LibraryDelegate(self))
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)

    def setModel(self, model: QtCore.QAbstractItemModel | None) -> None:
        if model is not None:  # this runs before Qt's own slots, the connection below after them
            model.modelAboutToBeReset.connect(self._keep_place)
        super().setModel(model)
        if model is not None:
            model.modelReset.connect(self._find_place)

    def library_model(self) -> LibraryModel:
        """Return the model. Raise LookupError if none is set."""
        model = self.model()
        if not isinstance(model, LibraryModel):
            raise LookupError("no library yet")
        return model

    def current_entry(self) -> LibraryEntry | None:
        """Return the entry of the current row."""
        return self.library_model().item_at(self.currentIndex())

    def selected_entries(self) -> list[LibraryEntry]:
        """Return the selected entries from top to bottom, or the current entry if none is selected."""
        rows = sorted(self.selectionModel().selectedRows(), key=lambda index: index.row())
        entries = [entry for index in rows if (entry := self.library_model().item_at(index)) is not None]
        current = self.current_entry()
        return entries or ([current] if current is not None else [])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == QtCore.Qt.Key.Key_Asterisk and self.current_entry() is not None:
            self.favouriteToggled.emit(self.current_entry())
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        entry = self.library_model().item_at(index)
        if entry is not None and event.button() == QtCore.Qt.MouseButton.LeftButton and self._on_star(event, index):
            self.favouriteToggled.emit(entry)
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self._on_star(event, self.indexAt(event.position().toPoint())):
            super().mouseDoubleClickEvent(event)

    def star_rect(self, index: Index) -> QtCore.QRect:
        """Return the rectangle of a row's star in the viewport."""
        return _star_area(self.visualRect(index))

    def _on_star(self, event: QMouseEvent, index: Index) -> bool:
        area = self.star_rect(index).adjusted(-scaled(SPACE), -scaled(SPACE), scaled(SPACE), scaled(SPACE))
        return index.isValid() and area.contains(event.position().toPoint())

    def _keep_place(self) -> None:
        index = self.currentIndex()
        self._current = self.library_model().item_at(index)
        self._height = self.visualRect(index).top() if self._current is not None else 0
        self._chosen = self.selected_entries() if len(self.selectionModel().selectedRows()) > 1 else []

    def _find_place(self) -> None:
        model = self.library_model()
        for row in model.party_rows():
            self.setRowHeight(row, scaled(ROW_HEIGHT + _LINE))
        row = model.row_of_entry(self._current) if self._current is not None else -1
        if row < 0:
            self.verticalScrollBar().setValue(0)
        else:
            picked = QtCore.QItemSelection()
            for entry in self._chosen or (self._current,):
                place = model.row_of_entry(entry) if entry is not None else -1
                if place >= 0:
                    picked.select(model.index(place, 0), model.index(place, 0))
            flag = QtCore.QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(model.index(row, 0), flag.NoUpdate)
            self.selectionModel().select(picked, flag.ClearAndSelect | flag.Rows)
            if 0 <= self._height < self.viewport().height():
                self.verticalScrollBar().setValue(self.verticalHeader().sectionPosition(row) - self._height)
            else:
                self.scrollTo(model.index(row, 0))
        self._chosen, self._current = [], None


class LibraryDelegate(RowDelegate):
    """Paints entries: icon, name, place in the budget, rating and star, and the second line of a party."""

    def __init__(self, view: LibraryView) -> None:
        super().__init__(view)
        self._view = view

    def draw_heading(self, painter: QPainter, rect: QtCore.QRect, index: Index) -> None:
        """Paint a heading: bold text, muted details at the end if they fit, and a line below."""
        painter.setPen(current_theme().colour("line"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        room = rect.adjusted(scaled(SPACE), 0, _star_area(rect).left() - scaled(GAP) - rect.width(), 0)
        look = ("caption", "muted") if index.data(KEY_ROLE)[1] in FIT_GROUPS else ("strong", "text")
        room.setLeft(room.left() + draw_text(painter, room, index.data(), *look) + scaled(GAP))
        detail = index.data(DETAIL_ROLE) or ""
        if role_metrics("caption").horizontalAdvance(detail) <= room.width():
            draw_text(painter, room, detail, "caption", "muted", align=RIGHT)

    def draw_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the row of an entry."""
        model, row = self._view.library_model(), option.rect
        if (entry := model.item_at(index)) is None:
            return
        row.setHeight(scaled(ROW_HEIGHT))
        selected = QStyle.StateFlag.State_Selected in option.state
        token, quiet = ("selection_text", "selection_text") if selected else ("text", "muted")
        side = scaled(16)
        area = QtCore.QRect(row.left() + scaled(GAP), row.top() + (row.height() - side) // 2, side, side)
        draw_icon(painter, SECTIONS[entry.kind], area, current_theme().colour(quiet))
        star = _star_area(row)
        if sign := self._sign(entry, hovered=QStyle.StateFlag.State_MouseOver in option.state):
            tone = token if selected else "accent" if sign == "star" else "muted"
            draw_icon(painter, sign, star, current_theme().colour(tone))
        room = row.adjusted(area.right() + scaled(GAP), 0, star.left() - scaled(GAP) - row.width(), 0)
        if (fit := model.fit_of(entry)) is not None:
            tone = quiet if selected else _FIT_TONES.get(fit.group, "muted")
            draw_text(painter, room, fit_text(fit), "body", tone, align=RIGHT)
            room.setRight(room.right() - role_metrics("body").horizontalAdvance(model.widest_fit) - scaled(GAP))
            token = "muted" if fit.group == "strong" and not selected else token
        if entry.rating:
            used = draw_text(painter, room, rating_text(entry.rating), "body", quiet, align=RIGHT)
            room.setRight(room.right() - used - scaled(GAP))
        draw_text(painter, room, entry.name, "body", token)
        if line := party_line(entry):
            below = row.translated(0, scaled(_LINE + 3))
            below.setLeft(room.left())
            draw_text(painter, below, line, "caption", quiet)

    def _sign(self, entry: LibraryEntry, *, hovered: bool) -> str:
        model = self._view.library_model()
        if entry in model.favourites:
            return "star"
        return "star-outline" if hovered else "content-copy" if model.duplicates_of(entry) else ""


def _star_area(row: QtCore.QRect) -> QtCore.QRect:
    side = scaled(_SIGN)
    return QtCore.QRect(row.right() - scaled(GAP) - side, row.center().y() - side // 2, side, side)
