"""The View menu: arrangements, docks, record editors and appearance."""

from typing import TYPE_CHECKING, cast

from turnwright.encounter.state import Key
from turnwright.ui.docks.arrangements import DOCKS
from turnwright.ui.look.style import ThemeChoice
from turnwright.ui.services.services import Controller, Services

if TYPE_CHECKING:
    from turnwright.ui.docks.map.dock import MapDock

SCALES = range(100, 201)
DOCK_OF_TABLE = {table: id for id, dock in DOCKS.items() for table in dock.tables}


class ViewController(Controller):
    """Shows docks and records, and saves the window's appearance in the settings."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._theme = services.theme

    # Docks ---------------------------------------------------------------------------------------------------------

    def toggle_dock(self, id: str) -> None:
        """Close a dock if it is visible. Otherwise show it and move the focus to it."""
        if self._docks.is_raised(id):
            self._docks.set_open(id, is_open=False)
        else:
            self._docks.focus_dock(id)

    def open_record(self, key: Key | None) -> None:
        """Select a record, show the dock that edits it, and place the cursor in it."""
        if key is None:
            return
        self._document.select(key)
        if key[0] in DOCK_OF_TABLE and hasattr(dock := self._docks.show(DOCK_OF_TABLE[key[0]]), "edit_record"):
            dock.edit_record(key)

    def edit_record(self, key: Key) -> None:
        """Open a prepared record in the prepare arrangement."""
        self._services.layout.arrange("prepare")
        self.open_record(key)

    # Appearance ----------------------------------------------------------------------------------------------------

    @property
    def scale(self) -> int:
        """The size of text and controls in percent."""
        return round(self._theme.chosen_scale * 100)

    @property
    def is_enlarged(self) -> bool:
        """Whether text and controls are larger than usual."""
        return self.scale > 100

    @property
    def is_resized(self) -> bool:
        """Whether text and controls are larger or smaller than usual."""
        return self.scale != 100

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Select a theme, or follow the operating system."""
        self._theme.choose(choice)
        self._settings_store.update(theme=choice)

    def scale_by(self, percent: int) -> None:
        """Change the size of text and controls by a number of percentage points."""
        self.scale_to(self.scale + percent)

    def scale_to(self, percent: int) -> None:
        """Set the size of text and controls, in percent."""
        scale = min(SCALES[-1], max(SCALES[0], percent))
        self._theme.set_scale(scale / 100)
        self._settings_store.update(font_scale=scale)

    def toggle_big_type(self) -> None:
        """Enlarge text and controls while the encounter is running, or use the normal size."""
        self._services.layout.set_big_type(not self._settings_store.settings.big_type)

    def toggle_map_light(self) -> None:
        """Start or stop shading dim and dark squares on the map."""
        shown = not self._settings_store.settings.map_light
        self._settings_store.update(map_light=shown)
        if (dock := self._docks.built("map")) is not None:
            cast("MapDock", dock).show_light(shown=shown)

    def toggle_motion(self) -> None:
        """Turn animations on or off."""
        self._theme.set_reduced_motion(not self._theme.reduced_motion)
        self._settings_store.update(reduced_motion=self._theme.reduced_motion)
