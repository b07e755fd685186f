"""The tool bar of the map: drawing tools, the area to paint, map size, and zoom. Below it are the unplaced tokens."""

from collections.abc import Iterator, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QMenu, QPushButton, QToolButton, QWidget

from turnwright.encounter.prepared import Environment
from turnwright.ui.docks.map.drawing.token_pixmaps import Token
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.popovers import area_name
from turnwright.ui.docks.map.tools.draw_tool import ALL_TOOLS, AREA, SELECT, SHAPES, TOOLS, Shape, ToolSpec
from turnwright.ui.docks.map.view import Act, MapView
from turnwright.ui.look.style import SPACE, escaped_tooltip, scaled, tr
from turnwright.ui.models.row_list_model import side_name
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import add_check
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.text import named, plain_label, push_button, tool_button

FOG_KEY, TORCH_KEY = "G", "Z"
WITH_WORD = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
DIFFICULT = "difficult"  # terrain that has a separate brush
MAX_BUTTONS = 12  # of unplaced tokens


class ToolButtons(FlowRow):
    """A row of small buttons with separators. `words` is the key prefix of their names.

    In at most `most_lines` lines, all buttons have words, or at least the `first` ones.
    """

    first: frozenset[str] = frozenset()
    most_lines = 2

    def __init__(self, words: str) -> None:
        super().__init__(gap=SPACE // 2)
        self._words = words
        self.buttons: dict[str, QToolButton] = {}  # by the end of their word key

    def add_button(self, icon: str, id: str, act: Act, key: str = "", *, checkable: bool = False) -> QToolButton:
        """Append a button and return it. `key` is the key shown in its tooltip."""
        name = tr(f"{self._words}{id}")
        button = self.buttons[id] = tool_button(icon, name, act)
        button.setToolTip(escaped_tooltip(f"{name} ({key})" if key else name))
        button.setText(tr(f"{self._words}{id}-word"))
        button.setCheckable(checkable)
        button.setFixedHeight(scaled(28))
        self.add(button)
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_words()

    def fit_words(self) -> None:
        """Write words on the buttons as far as there is room."""
        for worded in (self.buttons.keys(), self.first, frozenset[str]()):
            for id, button in self.buttons.items():
                button.setToolButtonStyle(WITH_WORD if id in worded else Qt.ToolButtonStyle.ToolButtonIconOnly)
            if self.heightForWidth(self.width()) < button.minimumHeight() * (self.most_lines + 1):
                break
        self.updateGeometry()

    def add_separator(self) -> QWidget:
        """Append a thin line between two groups of buttons, and return it."""
        line = QFrame()
        line.setProperty("rule", True)
        line.setFixedSize(QSize(1, scaled(20)))
        self.add(line)
        return line


class MapTools(ToolButtons):
    """The buttons of the tool bar.

    Emits `chosen(tool)` for a tool or a shape, `areaChosen(environment, feature)` for an area to paint, `fogToggled(shown)` for
    the fog tools, `areaMenuRequested` for the menu of shapes to place in a fight, and `torchRequested` for a torch.
    """

    first = frozenset({"draw", "select", "ruler", "pointer", "frame", "place-area", "fog"})
    chosen = Signal(object)
    areaChosen = Signal(str, str)
    fogToggled = Signal(bool)
    areaMenuRequested = Signal()
    torchRequested = Signal()

    def __init__(self, document: DocumentModel, view: MapView, open_size: Act, show_selected: Act) -> None:
        super().__init__("ui.map.tool-")
        self._document = document
        self.setAccessibleName(tr("ui.map.tools"))
        self.setContentsMargins(scaled(SPACE), scaled(SPACE), scaled(SPACE), scaled(SPACE))
        self.shape: Shape = "brush"
        self._drawing: list[QWidget] = []
        self._group = QButtonGroup(self)
        self._pencil = self.add_button(
            "pencil-outline", "draw", lambda: self.show_drawing(shown=self._pencil.isChecked()), checkable=True
        )
        for number, tools in enumerate(TOOLS):
            row = [self.add_separator()] if number else []
            row += [self._add_tool(tool) for tool in tools]
            self._drawing += row if number else []  # the first group is always shown
        self._areas = QMenu(self)
        self._areas.aboutToShow.connect(self._fill_areas)
        self.buttons[AREA.id].setMenu(self._areas)
        self.buttons[AREA.id].setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.size_button = self.add_button("resize", "map-size", open_size)
        self._drawing += [self.size_button, self.add_separator()]
        self.add_button("select-group", "place-area", self.areaMenuRequested.emit, "Shift+A")
        self.add_button("candle", "torch", self.torchRequested.emit, TORCH_KEY)
        self.add_button("magnify-minus-outline", "farther", lambda: view.zoom_by(-1), "−")
        self.add_button("magnify-plus-outline", "nearer", lambda: view.zoom_by(1), "+")
        self.add_button("fit-to-screen-outline", "fit", view.fit, "F")
        self.add_button("crosshairs", "show-selected", show_selected, "Home")
        self.area: tuple[str, str] = ("", "")
        self._fog = self.add_button(
            "weather-fog", "fog", lambda: self.fogToggled.emit(self._fog.isChecked()), FOG_KEY, checkable=True
        )

    def show_fog(self, *, offered: bool, shown: bool) -> None:
        """Show the button of the fog tools if `offered`, and check it if `shown`."""
        self._fog.setVisible(offered)
        self._fog.setChecked(shown)

    def show_drawing(self, *, shown: bool) -> None:
        """Show or hide the drawing tools. Hiding them switches to the select tool."""
        self._pencil.setChecked(shown)
        self.set_shown(self._drawing, shown=shown)
        self.most_lines = 3 if shown else 2
        self.fit_words()
        if not shown:
            self.choose(SELECT)

    def is_drawing(self) -> bool:
        """Whether the drawing tools are shown."""
        return self._pencil.isChecked()

    def choose(self, tool: ToolSpec) -> None:
        """Switch to a tool, or turn on or off the shape that tools draw."""
        if tool.shape:
            self.shape = "brush" if self.shape == tool.shape else tool.shape
            for each in SHAPES:
                self.buttons[each.id].setChecked(each.shape == self.shape)
        else:
            self.buttons[tool.id].setChecked(True)
        if tool is AREA:
            self._need_area()
        self.chosen.emit(tool)

    def tool_for(self, key: str) -> ToolSpec | None:
        """Return the tool for a key, or None if there is none or the tools are hidden."""
        return next((tool for tool in (ALL_TOOLS if self.is_drawing() else TOOLS[0][1:]) if tool.key == key), None)

    # Building --------------------------------------------------------------------------------------------------

    def _add_tool(self, tool: ToolSpec) -> QToolButton:
        button = self.add_button(tool.icon, tool.id, partial(self.choose, tool), tool.key, checkable=True)
        if not tool.shape:
            self._group.addButton(button)
        button.setChecked(tool is SELECT)
        return button

    # Areas -----------------------------------------------------------------------------------------------------

    def _fill_areas(self) -> None:
        self._areas.clear()
        for title, areas in self._offers():
            self._areas.addSection(title.replace("&", "&&"))
            for environment, feature, name in areas:
                take = partial(self._take_area, environment, feature)
                add_check(self._areas, name, take, checked=(environment, feature) == self.area)
        if self._areas.isEmpty():
            self._areas.addAction(tr("ui.map.no-environment")).setEnabled(False)

    def _offers(self) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
        """Yield the areas that can be painted: each environment, as a whole and by feature, then the named terrains."""
        for place in self._document.encounter.all(Environment):
            rows = [(place.id, row.id, row.name) for row in (*place.features, *place.actions)]
            yield place.name, [(place.id, "", tr("ui.map.whole")), *rows]
        terrains = self._document.rules.data.terrains
        grounds = [("", terrain.id, terrain.name) for terrain in terrains if terrain.id != DIFFICULT]
        if grounds:
            yield tr("ui.map.ground"), grounds

    def _need_area(self) -> None:
        """Choose the first area that can be painted, unless the current one is still available."""
        offered = [(environment, feature) for _, areas in self._offers() for environment, feature, _ in areas]
        if self.area not in offered and offered:
            self._set_area(*next((area for area in offered if area[1]), offered[0]))

    def _take_area(self, environment: str, feature: str, _checked: bool = False) -> None:
        self._set_area(environment, feature)
        self.choose(AREA)

    def _set_area(self, environment: str, feature: str) -> None:
        self.area = (environment, feature)
        name = tr("ui.map.tool-area-of", name=area_name(self._document, environment, feature))
        self.buttons[AREA.id].setToolTip(escaped_tooltip(f"{name} ({AREA.key})"))
        self.buttons[AREA.id].setAccessibleName(name)
        self.areaChosen.emit(environment, feature)


class UnplacedTokens(FlowRow):
    """The buttons of unplaced tokens: of each side, of each kind of creature, and of single tokens.

    Emits `tokensPressed(tokens)` for a click or a drag out of a button. For a drag it also emits `dragged(point)` and
    `dropped(point)` with points on the screen. The row keeps its height, so that the map below it doesn't jump.
    """

    tokensPressed = Signal(object)
    dragged = Signal(object)
    dropped = Signal(object)

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(gap=SPACE)
        self._stage = canvas
        self._shown: tuple[tuple[str, str], ...] | None = None
        self._is_dragging = False
        self.setContentsMargins(scaled(2 * SPACE), scaled(SPACE), scaled(2 * SPACE), scaled(SPACE))
        self.hide()
        self.refresh()

    def reset(self) -> None:
        """Give up the height that is no longer needed."""
        self._shown = None
        self.setMinimumHeight(0)
        self.hide()
        self.refresh()

    def refresh(self) -> None:
        """Show the unplaced tokens."""
        waiting = list(self._stage.tokens.unplaced())
        names = tuple((unplaced.id, unplaced.label) for unplaced in waiting)
        if names == self._shown:
            return
        self._shown = names
        if self.isVisible():
            self.setMinimumHeight(self.height())
        self.clear()
        self.setVisible(bool(waiting) or not self.isHidden())
        self.add(plain_label(tr("ui.map.waiting" if waiting else "ui.map.all-placed"), "caption", "muted"))
        groups = self.groups(waiting)
        singles = [(token.label, [token]) for token in waiting]
        for text, tokens in (*groups, *singles)[:MAX_BUTTONS]:
            button = push_button(text, partial(self.tokensPressed.emit, tokens), "quiet")
            button.installEventFilter(self)
            self.add(named(button, tr("ui.map.put-down", who=text)))
        if (left := len(waiting) - max(0, MAX_BUTTONS - len(groups))) > 0:
            self.add(plain_label(tr("ui.map.more-waiting", n=left), "caption", "muted"))

    def groups(self, waiting: Sequence[Token]) -> list[tuple[str, list[Token]]]:
        """Return the sides and kinds of creatures with several unplaced tokens, each with a text."""
        found: dict[str, list[Token]] = {}
        for name_of in (lambda token: side_name(token.side), self._stage.creature_name):
            for token in waiting:
                found.setdefault(name_of(token), []).append(token)
        names: dict[tuple[Token, ...], str] = {}
        for name, tokens in found.items():
            names.setdefault(tuple(tokens), tr("ui.map.place-group", name=name, n=len(tokens)))
        return [(text, list(tokens)) for tokens, text in names.items() if len(tokens) > 1]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Drag tokens out of their button."""
        if isinstance(event, QMouseEvent) and isinstance(watched, QPushButton):
            moves, point = event.type() == QEvent.Type.MouseMove, event.globalPosition().toPoint()
            if moves and watched.isDown() and not watched.rect().contains(event.position().toPoint()):
                self._is_dragging = True
                watched.click()  # the button isn't down afterwards
            if self._is_dragging:
                self._is_dragging = moves
                (self.dragged if moves else self.dropped).emit(point)
                return True
        return super().eventFilter(watched, event)
