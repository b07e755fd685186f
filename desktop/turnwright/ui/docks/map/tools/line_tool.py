"""The tool that draws barriers and doors from point to point, by dragging or by keyboard. A line is one undo step."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, Qt

from turnwright.encounter.prepared import BarrierKind, Place, Point
from turnwright.ui.docks.map.drawing import drawing
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.tools.draw_tool import SELECT, ToolSpec
from turnwright.ui.docks.map.tools.select_tool import CursorTool
from turnwright.ui.docks.map.view import PointerPosition
from turnwright.ui.look.translations import tr

DOOR = "door"
_TONES: dict[str, str] = {"wall": "text", "window": "accent", "curtain": "world", "rail": "muted", DOOR: "world"}


class LineTool(CursorTool):
    """Draws lines of one kind. Ends snap to other lines and to quarters of squares, unless Shift is pressed."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self.tool: ToolSpec = SELECT
        self._start: Place | None = None

    @property
    def is_begun(self) -> bool:
        """Whether a line is started but not finished."""
        return self._start is not None

    # Pointer ---------------------------------------------------------------------------------------------------

    def press(self, spot: PointerPosition) -> None:
        """Start a line."""
        self.canvas.set_cursor(spot.square)
        self._start = self._snapped(spot)

    def drag(self, spot: PointerPosition) -> None:
        """Show the line up to the pointer."""
        if self._start is not None:
            self._preview(self._start, self._snapped(spot))

    def release(self, spot: PointerPosition) -> None:
        """Draw the line."""
        if self._start is not None:
            self._draw(self._start, self._snapped(spot))
        self.cancel()

    def cancel(self) -> None:
        """Cancel an unfinished line."""
        self._start = None
        self.canvas.scene.overlay.clear()

    # Keys ------------------------------------------------------------------------------------------------------

    def show_at_cursor(self) -> None:
        """Show the line up to the keyboard cursor."""
        if self._start is not None and self.canvas.cursor is not None:
            self._preview(self._start, self.canvas.cursor)

    def draw_at(self, square: Point, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Start or end a line at a square's upper left corner."""
        corner = (float(square[0]), float(square[1]))
        if self._start is None:
            self._start = corner
            self.canvas.statusChanged.emit(tr("ui.map.line-begun"))
        else:
            self._draw(self._start, corner)
            self.cancel()

    # Drawing ---------------------------------------------------------------------------------------------------

    def _snapped(self, spot: PointerPosition) -> Place:
        is_free = bool(spot.modifiers & Qt.KeyboardModifier.ShiftModifier)
        return drawing.snapped(self.canvas.field, spot.point, is_free=is_free)

    def _preview(self, start: Place, end: Place) -> None:
        overlay = self.canvas.scene.overlay
        overlay.clear()
        overlay.draw_lines([QLineF(QPointF(*start), QPointF(*end))], _TONES[self.tool.line], dashed=True)

    def _draw(self, start: Place, end: Place) -> None:
        field, kind = self.canvas.field, self.tool.line
        self.canvas.replace_map(
            drawing.with_door(field, start, end)
            if kind == DOOR
            else drawing.with_barrier(field, _BARRIERS[kind], start, end)
        )


_BARRIERS: dict[str, BarrierKind] = {"wall": "wall", "window": "window", "curtain": "curtain", "rail": "rail"}
