"""The players' screen: its mode, the handouts sent to it, the names that players know, and the players' window."""

from collections.abc import Callable, Mapping
from functools import partial
from hashlib import blake2b
from math import hypot
from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QImage, QScreen

from turnwright.encounter.portraits import portrait_of
from turnwright.encounter.prepared import Handout, Map, MapFloor, Point
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter, clock_of
from turnwright.play.environment.map_changes import SetFog
from turnwright.play.kernel.scheduler import Step
from turnwright.play.table.game_master import SetHidden
from turnwright.players.map_view import as_shown, known_map, players_view, shown_floor, with_map_origin, without_unseen
from turnwright.players.presenter import Presenter, Reveal
from turnwright.players.secrets import HealthMode, is_named
from turnwright.players.view import PlayersView, SentHandout, ViewMode
from turnwright.storage.picture_files import MAX_MAP_BYTES, picture_name, picture_problem
from turnwright.ui.docks.players.map_painter import PlayersMapPainter
from turnwright.ui.look.style import Theme, load_theme, tr
from turnwright.ui.players.canvas import FULL_SIZE
from turnwright.ui.players.map_page import looked_at
from turnwright.ui.players.window import PlayersWindow, chosen_screen, other_screens, screen_id
from turnwright.ui.services.portraits import opened_buffer, picture_reader
from turnwright.ui.services.services import Controller, Services
from turnwright.ui.services.settings_store import local_files
from turnwright.ui.services.workers import LatestTask, single_shot_timer

LEAST_INCHES: Final = 5.0  # a smaller diagonal counts as not entered


def pixels_per_inch(screen: QScreen, diagonal: float) -> float:
    """Return the pixels per inch of a screen, based on its diagonal in inches if known, else on the screen's report."""
    if diagonal < LEAST_INCHES:
        return screen.physicalDotsPerInch()
    size = screen.size()
    return hypot(size.width(), size.height()) / diagonal


DELAY_MS: Final = 250  # delay after the last change, so that repeated undo doesn't flicker
SECOND_MS: Final = 1000
MOST_PIXELS: Final = QSize(3840, 2160)
MOST_READ: Final = 120_000_000  # maximum pixels of a picture file
SIDES: Final = ("party", "enemies", "others")


class PlayersScreen(Controller):
    """Composes the players' view shortly after each change, and owns the players' window.

    Emits `viewChanged` when the players' view changes, and `stateChanged` when one of its settings changes.
    """

    viewChanged = Signal()
    stateChanged = Signal()

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        document = self._document
        self.presenter = Presenter(services.clock)
        self.has_phones = False
        self.problem = ""
        self._pictures: dict[bytes, QImage] = {}
        self._reading = LatestTask(self)
        self.players_window: PlayersWindow | None = None  # created when it is first opened
        self._faces: dict[str, tuple[int, bytes, QImage]] = {}  # by file: cache key, name for players, portrait
        self._knows_faces = False
        self._map = PlayersMapPainter(self)
        self._map.painted.connect(self._on_map_painted)
        self.has_inch_squares = False
        self._filled: QScreen | None = None
        self._lost = ""  # id of the screen that was disconnected
        self._depth = 0
        self._next_step: Step | None = None
        self._stepped = False  # whether undo or redo was used since the view was last composed
        self.waiting = single_shot_timer(self, self.show_changes, DELAY_MS)
        self._ticks = QTimer(self, interval=SECOND_MS)
        self._ticks.timeout.connect(self.waiting.start)
        document.follow(self._on_changed, replaced=self._on_document)
        if isinstance(app := QGuiApplication.instance(), QGuiApplication):
            app.screenRemoved.connect(self._on_screen_removed)
            app.screenAdded.connect(self._on_screen_added)
        self._take_settings()
        self._start_turn(max(0, self._settings_store.settings.players_turn))
        self.show_changes()

    # The players' view -----------------------------------------------------------------------------------------------

    @property
    def theme(self) -> Theme:
        """The colours of the players' window."""
        return load_theme(self._settings_store.settings.players_theme)

    @property
    def pictures(self) -> Mapping[bytes, QImage]:
        """The images that players see: handouts by file content, and the painted map and portraits by name."""
        faces = {key: image for _, key, image in self._faces.values()}
        return {**self._pictures, **self._map.pictures, **faces}

    @property
    def view(self) -> PlayersView:
        """The view of the players."""
        return self.presenter.view

    def show_changes(self) -> None:
        """Show players the current state, unless the view is held."""
        self.waiting.stop()
        presenter, asked, before = self.presenter, self.presenter.reveal, self.view
        follows = presenter.follow(self._met, stepped=self._stepped)
        self._stepped = False
        presenter.mark(self._encounter)
        if presenter.reveal != asked:
            self.stateChanged.emit()
        view = self._composed() if follows else None
        if view is not None:  # otherwise held, or called again when the map is painted
            presenter.show(view)
            self._on_view(before)
        self._store_known()

    @property
    def _encounter(self) -> Encounter:
        """The encounter, in which everything is hidden that the game master hasn't decided to show."""
        return self.presenter.covered(self._met)

    @property
    def _met(self) -> Encounter:
        """The encounter, in which combatants that have always been under the fog are hidden."""
        return without_unseen(self._document.encounter, self._document.rules, self.presenter.showing)

    def _store_known(self) -> None:
        """Store the numbers and doors that players know with the fight, so that they stay when it is opened again."""
        encounter = self._document.encounter
        fresh = [
            number
            for number in self.presenter.showing.numbers
            if encounter.get(Combatant, number.combatant) is not None and encounter.get(type(number), number.id) is None
        ]
        doors = [door for door in self.presenter.showing.doors if encounter.get(type(door), door.id) != door]
        if (fresh or doors) and clock_of(encounter).phase != "preparing":
            self._document.source.session.amend([*fresh, *doors])

    @property
    def state(self) -> str:
        """The action that ends a frozen or black screen, or an empty string."""
        is_black = self.presenter.showing.mode == "black"
        return "players-black" if is_black else "players-hold" if self.presenter.is_held else ""

    @property
    def reveal_labels(self) -> tuple[str, ...]:
        """The names of combatants and the number of squares that an undo would reveal to the players again."""
        if (reveal := self.presenter.reveal) is None:
            return ()
        squares = (tr("ui.players.squares", n=len(reveal.squares)),) if reveal.squares else ()
        return (*reveal.labels, *squares)

    def _on_changed(self) -> None:
        """Note whether this change is an undo or a redo. Wait for further changes, unless something was hidden."""
        history = self._document.source.session.history
        redone = self._next_step is not None and history.last is self._next_step
        self._stepped = self._stepped or redone or history.depth < self._depth
        self._depth, self._next_step = history.depth, history.next
        if not self._stepped:
            self.presenter.mark(self._encounter)
        if self.presenter.has_hidden_more(self._document.encounter):
            self.show_changes()
        else:
            self.waiting.start()

    def _composed(self) -> PlayersView | None:
        """Return the players' current view, or None while the map is being painted."""
        encounter, rules = self._encounter, self._document.rules
        if self.presenter.showing.mode != "map":
            if self.presenter.showing.mode != "black":  # don't discard images: black is usually brief
                self._map.forget()
            return players_view(encounter, rules, self.presenter.showing)
        self.presenter.showing = with_map_origin(encounter, self.presenter.showing)
        across = self._inch_squares() if self.has_inch_squares else self.presenter.showing.map_across
        shown = as_shown(encounter, self.presenter.showing)
        path, battle_map = self._document.source.path, shown.get(Map, Map.table)
        if battle_map is not None:
            is_there = self._map.read(path.parent if path is not None else None, battle_map)
            if is_there != self.presenter.showing.has_map_picture:
                self.presenter.change(has_map_picture=is_there)
                self.stateChanged.emit()
        self._take_faces()
        if not self._map.has_light(known_map(encounter, rules, self.presenter.showing)):
            return None
        view = players_view(encounter, rules, msgspec.structs.replace(self.presenter.showing, map_across=across))
        if battle_map is None or self.presenter.showing.map_origin is None:
            return view
        return self._map.with_picture(view, battle_map, self.presenter.showing.map_origin, self.page, self.theme)

    def _take_faces(self) -> None:
        """Assign names to the loaded portraits of combatants whose names players know."""
        encounter, portraits = self._encounter, self._document.portraits
        if not self._knows_faces:
            self._knows_faces = True
            portraits.loaded.connect(lambda _file: self.waiting.start())
        seen = (combatant for combatant in encounter.all(Combatant) if not combatant.hidden)
        faces: dict[str, tuple[int, bytes, QImage]] = {}
        for file in {portrait_of(encounter, who) for who in seen if is_named(who, self.presenter.showing)}:
            if (image := portraits.image(file)) is not None and not image.isNull():
                previous = self._faces.get(file)
                is_new = previous is None or previous[0] != image.cacheKey()
                faces[file] = (image.cacheKey(), _face_name(image), image) if is_new or previous is None else previous
        self._faces = faces
        names = tuple(sorted((file, key) for file, (_, key, _) in faces.items()))
        self.presenter.change(portraits=names)

    def _on_map_painted(self) -> None:
        """Show the newly painted map. If a change is pending, do nothing, since it requests its own map."""
        if not self.waiting.isActive():
            self.show_changes()

    @property
    def page(self) -> QRectF:
        """The size of the players' page in pixels: that of their window, or of a typical screen if it is closed."""
        window = self.players_window
        if window is None or not self.is_open:
            return QRectF(0, 0, FULL_SIZE.width(), FULL_SIZE.height())
        ratio = window.devicePixelRatioF()
        return QRectF(0, 0, window.width() * ratio, window.height() * ratio)

    def _inch_squares(self) -> float:
        """Return the number of one-inch squares across the players' window."""
        window = self.players_window
        screen = window.screen() if window is not None else self._window.screen()
        ratio = window.devicePixelRatioF() if window is not None else 1.0
        dots = pixels_per_inch(screen, self._settings_store.settings.players_diagonal)
        page = self.page.transposed() if self.presenter.showing.map_turned % 2 else self.page
        return page.width() / ratio / max(1.0, dots)

    def _on_view(self, before: PlayersView) -> None:
        if self.view != before:
            self._paint()
            self.viewChanged.emit()

    @property
    def coming(self) -> PlayersView:
        """The view that players will see when the hold ends."""
        return self.presenter.coming(self._document.encounter, self._document.rules)

    def _paint(self) -> None:
        if self.players_window is not None:
            self.players_window.show_view(self.view, self.theme, self.pictures)

    def _on_document(self) -> None:
        """Forget everything about the previous encounter, except the view that players are watching."""
        presenter = self.presenter
        presenter.start_over(is_watched=self.is_open or self.has_phones)
        self._reading.drop()
        if not presenter.is_held:
            self._faces = {}
            if presenter.showing.handout is None:
                self._pictures.clear()
        history = self._document.source.session.history
        self._depth, self._next_step, self._stepped = history.depth, history.next, False
        self.show_changes()
        self.stateChanged.emit()

    # Settings --------------------------------------------------------------------------------------------------------

    def set_mode(self, mode: ViewMode) -> None:
        """Switch to another page immediately and end a hold."""
        before = self.view
        if self.presenter.set_mode(mode):
            self.show_changes()
        else:
            self._on_view(before)
        self.stateChanged.emit()

    def toggle_black(self) -> None:
        """Make the players' screen black, or show the previous page again."""
        self.set_mode(self.presenter.page_after_black)

    def set_held(self, *, is_held: bool) -> None:
        """Freeze the players' view while the game master makes changes, or show the current state again."""
        self.presenter.set_held(is_held=is_held)
        self.change()

    def toggle_hold(self) -> None:
        """Freeze the players' view, or show the current state again."""
        self.set_held(is_held=not self.presenter.is_held)

    def reveal(self) -> None:
        """Show players what an undo would reveal to them again."""
        self.presenter.reveal = None
        self.change()

    def keep_hidden(self) -> None:
        """Hide again the combatants and squares that an undo would reveal."""
        reveal, do = self.presenter.reveal or Reveal((), ()), self._document.execute
        hides = not reveal.ids or do(SetHidden(reveal.ids, hidden=True))
        if hides and (not reveal.squares or do(SetFog("hidden", reveal.squares))):
            self.reveal()

    def set_health(self, side: str, mode: HealthMode) -> None:
        """Set how the health of a side is shown: in words, in numbers, or not at all. Also applies to later fights."""
        self.set_options(players_health={**self._settings_store.settings.players_health, side: mode})

    # The map ---------------------------------------------------------------------------------------------------------

    def map_part(self) -> QRectF | None:
        """Return the part of the map that players see, in squares, or None if they see nothing of it."""
        seen = self.view.map
        return looked_at(seen, self.page) if seen is not None and seen.fog else None

    @property
    def map_frame(self) -> QRectF | None:
        """The part of the map that players see, in squares of the map, or None if they see nothing of it."""
        part, origin = self.map_part(), self.presenter.showing.map_origin
        floor = shown_floor(self._encounter, self.presenter.showing) or MapFloor("")
        return part.translated(origin[0], origin[1] + floor.row) if part is not None and origin is not None else None

    def turn_map(self) -> None:
        """Turn the map by a quarter. The setting is kept for each screen."""
        settings, now = self._settings_store.settings, (self.presenter.showing.map_turned + 1) % 4
        self.set_options(players_turned={**settings.players_turned, settings.players_screen: now})

    def show_ruler(self, ends: tuple[Point, Point] | None) -> None:
        """Show players the distance between two squares of the map, or point at one. None ends that."""
        self.presenter.change(ruler=ends)
        self.show_changes()
        if ends is not None and self.view.map is None:
            self._messages.notify(tr("ui.players.no-map-in-view"))

    def move_map(self, across: float, down: float) -> None:
        """Move the map view by squares right and down on the map. This ends following."""
        if (part := self.map_part()) is not None:
            self.presenter.move_map(across, down, _centre(part), part.width())
            self.change()

    def zoom_map(self, factor: float) -> None:
        """Enlarge the players' map by a factor. This turns off one-inch squares."""
        if (part := self.map_part()) is not None:
            self.has_inch_squares = False
            self.presenter.zoom_map(factor, _centre(part), part.width())
            self.change()

    def fit_map(self) -> None:
        """Show players the whole explored area."""
        self.has_inch_squares = False
        self.change(map_centre=None, map_across=0.0)

    def set_inch_squares(self, *, is_on: bool) -> None:
        """Show squares one inch wide, for miniatures on a screen that lies flat."""
        self.has_inch_squares = is_on
        self.change()

    @property
    def diagonal(self) -> float:
        """The diagonal of the players' screen in inches, or 0 if none was entered."""
        return self._settings_store.settings.players_diagonal

    def set_options(self, **options: object) -> None:
        """Change settings of the players' screen. They also apply to later fights."""
        self._settings_store.update(**options)
        self._take_settings()
        self.change()

    def set_effects(self, side: str, are_shown: bool) -> None:
        """Show or hide the names of effects that aren't conditions: `own`, of the party, or `other`."""
        settings = self._settings_store.settings
        shown = {*settings.players_effects, side} if are_shown else {*settings.players_effects} - {side}
        self.set_options(players_effects=tuple(sorted(shown)))

    def set_theme(self, name: str) -> None:
        """Set the theme of the players' window."""
        self._settings_store.update(players_theme=name)
        self._paint()
        self.viewChanged.emit()

    def set_turn_limit(self, seconds: int) -> None:
        """Set the time limit of a turn in seconds, or 0 for no limit. Players see the remaining time."""
        self._settings_store.update(players_turn=seconds)
        self._start_turn(seconds)
        self.change()

    def set_phones(self, *, follow: bool) -> None:
        """Set whether the players' view is also served to phones."""
        self.has_phones = follow
        self.stateChanged.emit()

    def _start_turn(self, seconds: int) -> None:
        self.presenter.set_turn_limit(seconds)
        if seconds:
            self._ticks.start()
        else:
            self._ticks.stop()

    def change(self, **choices: object) -> None:
        """Change some of the game master's choices, and show players the result."""
        self.presenter.change(**choices)
        self.show_changes()
        self.stateChanged.emit()

    def _take_settings(self) -> None:
        settings = self._settings_store.settings
        self.presenter.change(
            has_title=settings.players_title,
            fog_hides=settings.players_fog_hides,
            has_countdowns=settings.players_countdowns,
            has_own_effects="own" in settings.players_effects,
            has_other_effects="other" in settings.players_effects,
            health=tuple(settings.players_health.items()),
            map_turned=settings.players_turned.get(settings.players_screen, 0),
        )

    # Handouts and texts ----------------------------------------------------------------------------------------------

    def send_text(self, text: str) -> None:
        """Show players a text."""
        self.change(text=text)
        self.set_mode("text")

    def send_handout(self, handout: Handout) -> None:
        """Show players a handout in its current state. If it has an image, that is read first."""
        sent = SentHandout(handout.title, _text_of(handout), handout.signed)
        self.problem = ""
        path = self._document.source.path
        if not handout.picture or path is None:
            self._take_handout(sent, None)
            return
        self.problem = picture_problem(path.parent, handout.picture)
        if self.problem:
            self.stateChanged.emit()
            return
        self._begin(sent, partial(_read_picture, path.parent / picture_name(handout.picture)))

    def send_file(self, path: Path) -> None:
        """Read an image file and show players the image, without the file name."""
        file = path.resolve()
        self.problem = ""
        if why := picture_problem(file.parent, file.name, MAX_MAP_BYTES):
            self._refuse(tr("ui.players.picture-failed", name=path.name, why=why))
            return
        self._begin(SentHandout(), partial(_read_picture, file))

    def send_data(self, data: QMimeData) -> bool:
        """Show players a dropped or copied image, either a file or pixels. Return whether there is one."""
        if files := local_files(data):
            self.send_file(files[0])
        elif data.hasImage():
            self.problem = ""
            image = QImage(data.imageData())
            self._begin(SentHandout(), lambda: _content_of(image))
        return bool(files) or data.hasImage()

    def paste_picture(self) -> None:
        """Show players the image in the clipboard, or report that there is none."""
        if not self.send_data(QGuiApplication.clipboard().mimeData()):
            self._refuse(tr("ui.players.no-picture"))

    def _refuse(self, why: str) -> None:
        """Report why nothing new is shown. Also cancel reading an image."""
        self._reading.drop()
        self.problem = why
        self.stateChanged.emit()

    def send_picture(self, sent: SentHandout, image: QImage) -> None:
        """Show players an image created by the program, with its text."""
        self._reading.drop()
        self.problem = ""
        self._take_handout(sent, image)

    @property
    def handout(self) -> SentHandout | None:
        """The last handout sent to players, unless it was removed. They may currently see another page."""
        return self.presenter.showing.handout

    def exchange_handout(self, sent: SentHandout | None, image: QImage | None = None) -> None:
        """Replace or remove the handout. The players' page stays the same, and reading an image continues."""
        self._pictures = {} if sent is None or image is None else {sent.picture: image}
        self.change(handout=sent)

    def take_handout_back(self) -> None:
        """Remove the handout. Also cancel reading the image of another one."""
        self._reading.drop()
        self._pictures.clear()
        self.change(handout=None)

    def _begin(self, sent: SentHandout, read: Callable[[], tuple[bytes, QImage]]) -> None:
        """Read an image in a worker, and show it with its text unless something else has been sent in the meantime."""

        def take(result: tuple[bytes, QImage]) -> None:
            content, image = result
            self._take_handout(msgspec.structs.replace(sent, picture=content), image)

        self._reading.start(read, take, self._refuse)

    def _take_handout(self, sent: SentHandout, image: QImage | None) -> None:
        self._pictures = {} if image is None else {sent.picture: image}
        self.change(handout=sent)
        self.set_mode("picture")

    # The players' window ---------------------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether the players' window is visible."""
        return self.players_window is not None and self.players_window.isVisible()

    @property
    def screen(self) -> QScreen | None:
        """The players' screen: the chosen one, or any except the game master's. None opens an ordinary window."""
        return chosen_screen(self._settings_store.settings.players_screen, self._window.screen())

    def screens(self) -> list[QScreen]:
        """Return the screens that the players' window can fill."""
        return other_screens(self._window.screen())

    def toggle_window(self) -> None:
        """Open the players' window on their screen, or close it."""
        if self.is_open:
            self.close_window()
        else:
            self.open_window()

    def open_window(self) -> None:
        """Open the players' window on their screen."""
        if self.players_window is None:
            self.players_window = PlayersWindow(self.theme)
            self.players_window.closed.connect(self.stateChanged)
            self.players_window.resized.connect(self.waiting.start)
        self._paint()
        self.show_on(self.screen)
        self._window.activateWindow()
        self.stateChanged.emit()

    def close_window(self) -> None:
        """Close the players' window."""
        if self.players_window is not None:
            self.players_window.close()
        self.stateChanged.emit()

    def toggle_full_screen(self) -> None:
        """Switch the players' window between full screen and an ordinary window."""
        if self.players_window is None or not self.is_open:
            self.open_window()
        else:
            self.players_window.fill_screen(fills=not self.players_window.isFullScreen())
        self.stateChanged.emit()

    def choose_screen(self, screen: QScreen) -> None:
        """Choose the screen of the players' window. If the window is open, move it there."""
        if self.is_open:
            self.show_on(screen)
        self.set_options(players_screen=screen_id(screen))

    def show_on(self, screen: QScreen | None) -> None:
        """Fill a screen with the players' window, or show it as a window if `screen` is None."""
        if self.players_window is None:
            return
        self._filled, self._lost, self.problem = screen, "", ""
        self.players_window.open_on(screen)

    def close(self) -> None:
        """Destroy the players' window when the game master's window closes."""
        if self.players_window is not None:
            self.players_window.close()
            self.players_window.deleteLater()
            self.players_window = None

    def _on_screen_removed(self, screen: QScreen) -> None:
        """Close the window if its screen is disconnected, so that it doesn't move to the game master's screen."""
        if self.players_window is not None and screen is self._filled:
            if self.is_open:
                self.set_mode("black")
                self._lost, self.problem = screen_id(screen), tr("ui.players.screen-lost")
            self._filled = None
            self.players_window.close()
        self.stateChanged.emit()

    def _on_screen_added(self, screen: QScreen) -> None:
        """Reopen the window if its screen is connected again."""
        if self._lost and screen_id(screen) == self._lost and self.players_window is not None:
            self.show_on(screen)
        self.stateChanged.emit()


def _centre(part: QRectF) -> tuple[float, float]:
    return part.center().x(), part.center().y()


def _read_picture(path: Path) -> tuple[bytes, QImage]:
    """Read an image file. Return its content and the image, no larger than a screen needs.

    Raise OSError if the file isn't a readable image.
    """
    content = path.read_bytes()
    buffer = opened_buffer(content)
    reader = picture_reader(buffer)
    reader.setAutoTransform(True)
    size = reader.size()
    if size.width() * size.height() > MOST_READ:
        raise OSError(tr("ui.players.picture-too-large", megapixels=size.width() * size.height() // 1_000_000))
    if size.width() > MOST_PIXELS.width() or size.height() > MOST_PIXELS.height():
        reader.setScaledSize(size.scaled(MOST_PIXELS, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    if image.isNull():
        raise OSError(reader.errorString())
    return content, image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def _face_name(image: QImage) -> bytes:
    """Return a name for a portrait, which reveals only whether two portraits have the same pixels."""
    return b"face " + blake2b(bytes(image.constBits()), digest_size=16).digest()


def _content_of(image: QImage) -> tuple[bytes, QImage]:
    """Return the file content of an image, and the image, no larger than a screen needs.

    Raise OSError if the image is empty.
    """
    if image.isNull():
        raise OSError(tr("ui.players.no-picture"))
    if image.width() > MOST_PIXELS.width() or image.height() > MOST_PIXELS.height():
        smooth = Qt.TransformationMode.SmoothTransformation
        image = image.scaled(MOST_PIXELS, Qt.AspectRatioMode.KeepAspectRatio, smooth)
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(content.data()), image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def _text_of(handout: Handout) -> str:
    """Return the text of a handout below its title, in the same order as on paper."""
    where = ", ".join(part for part in (handout.place, handout.date) if part)
    return "\n\n".join(part for part in (where, handout.headline, handout.text, handout.reward) if part)
