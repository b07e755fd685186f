"""What players are shown: the mode, what was sent to them, names they know, and the window on their screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import msgspec
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QImage, QScreen
from PySide6.QtWidgets import QMainWindow

from turnwright.encounter.portraits import portrait_of
from turnwright.encounter.prepared import Handout, Map, Point
from turnwright.encounter.running import Combatant
from turnwright.players.compose import players_view, with_numbers
from turnwright.players.map_view import known_map, with_map_origin
from turnwright.players.showing import HealthMode, Showing, with_known_names
from turnwright.players.view import PlayersView, SentHandout, ViewMode
from turnwright.players.visibility import is_named, is_visible
from turnwright.rules.parts.positions.fog import open_squares
from turnwright.storage.picture_check import MAX_MAP_BYTES, picture_name, picture_problem
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.picture_reader import opened_buffer, picture_reader
from turnwright.ui.players.canvas import FULL_SIZE
from turnwright.ui.players.map_image import looked_at
from turnwright.ui.players.screens import chosen_screen, other_screens, screen_id
from turnwright.ui.players.window import PlayersWindow
from turnwright.ui.players_map import PlayersMapPainter, pixels_per_inch
from turnwright.ui.settings_store import SettingsStore
from turnwright.ui.theme import Theme, load_theme
from turnwright.ui.timers import single_shot_timer
from turnwright.ui.translations import tr

if TYPE_CHECKING:
    from turnwright.play.kernel.steps import Step
    from turnwright.ui.workers import BackgroundTask

DELAY_MS: Final = 250  # after the last step, so that a row of steps back never flashes
LEAST_ACROSS, MOST_ACROSS = 4.0, 500.0  # squares that players see side by side
SECOND_MS: Final = 1000
MOST_PIXELS: Final = QSize(3840, 2160)
MOST_READ: Final = 120_000_000  # pixels of a file that is sent
SIDES: Final = ("party", "foes", "others")


class Reveal(msgspec.Struct, frozen=True):
    """Combatants and squares of the map that a step back would show to the players again."""

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    squares: tuple[Point, ...] = ()


class PlayersController(QObject):
    """Composes what players see, a moment after each change, and holds their window.

    `viewChanged` when players see something else; `stateChanged` when a choice about it has changed.
    """

    viewChanged = Signal()
    stateChanged = Signal()

    def __init__(
        self,
        window: QMainWindow,
        document: DocumentModel,
        settings_store: SettingsStore,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(window)
        self._owner = window
        self._document = document
        self._settings_store = settings_store
        self._clock = clock
        self.showing = Showing()
        self.view = PlayersView("black")
        self.is_held = False
        self.has_phones = False
        self.reveal: Reveal | None = None
        self.problem = ""
        self.turn_limit = 0  # seconds; 0 for none
        self._before_black: ViewMode = "order"
        self._pictures: dict[bytes, QImage] = {}
        self._reading: BackgroundTask | None = None
        self.players_window: PlayersWindow | None = None  # once it has been opened
        self._faces: dict[str, tuple[int, bytes, QImage]] = {}  # portraits by their files, with the names players get
        self._knows_faces = False
        self._map = PlayersMapPainter(self)
        self._map.painted.connect(self._on_map_painted)
        self.has_inch_squares = False
        self._filled: QScreen | None = None
        self._lost = ""  # the screen that was taken away under the window
        self._turn: tuple[int, int | None] = (0, None)
        self._turn_began = clock()
        self._seen: frozenset[str] = frozenset()
        self._open: frozenset[Point] | None = None  # squares without fog, None for no fog
        self._depth = 0
        self._next_step: Step | None = None
        self._stepped = False  # back or forth in the history, since what players see was last composed
        self._covered: PlayersView | None = None  # what is held below the black
        self.waiting = single_shot_timer(self, self.show_changes, DELAY_MS)
        self._ticks = QTimer(self)
        self._ticks.setInterval(SECOND_MS)
        self._ticks.timeout.connect(self.waiting.start)
        document.changed.connect(lambda _changed: self._on_changed())
        document.documentChanged.connect(self._on_document)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.screenRemoved.connect(self._on_screen_removed)
            app.screenAdded.connect(self._on_screen_added)
        self._take_settings()
        if self.turn_limit:
            self._ticks.start()
        self.show_changes()

    # What players see ------------------------------------------------------------------------------------------------

    @property
    def theme(self) -> Theme:
        """The colours of the players' window."""
        return load_theme(self._settings_store.settings.players_theme)

    @property
    def pictures(self) -> MappingProxyType[bytes, QImage]:
        """The pictures of what was sent, by the content of their files, and the painted map and portraits by their names."""
        faces = {key: image for _, key, image in self._faces.values()}
        return MappingProxyType({**self._pictures, **self._map.pictures, **faces})

    def show_changes(self) -> None:
        """Show players how things stand now, unless what they see is held."""
        self.waiting.stop()
        encounter = self._document.encounter
        seen = frozenset(one.id for one in encounter.all(Combatant) if is_visible(encounter, one.id))
        opened = open_squares(encounter)
        again = seen - self._seen if self._stepped else frozenset()
        squares = self._squares_again(opened) if self._stepped else ()
        self._stepped = False
        if (again or squares) and not self.is_held:
            labels = [encounter.need(Combatant, id).label for id in sorted(again)]
            labels += [tr("ui.players.squares", n=len(squares))] if squares else []
            self.reveal, self.is_held = Reveal(tuple(sorted(again)), tuple(labels), squares), True
            self.stateChanged.emit()
        if self.is_held:
            return
        self._seen, self._open = seen, opened
        self.showing = with_numbers(encounter, with_known_names(encounter, self.showing))
        view = self._composed()
        if view is None:
            return  # once its map is painted
        self._set_view(msgspec.structs.replace(view, turn_seconds=self._turn_seconds(view)))

    def _squares_again(self, opened: frozenset[Point] | None) -> tuple[Point, ...]:
        """Return the squares that fog hid on the map that players see, and hides no more."""
        battle_map = self._document.encounter.get(Map, Map.table)
        if self.showing.mode != "map" or self._open is None or battle_map is None:
            return ()
        whole = frozenset((column, row) for column in range(battle_map.columns) for row in range(battle_map.rows))
        return tuple(sorted(((opened if opened is not None else whole) & whole) - self._open))

    def _on_changed(self) -> None:
        """Note whether this was a step back or forth again, and wait for more."""
        history = self._document.source.session.history
        redone = self._next_step is not None and history.last is self._next_step
        self._stepped = self._stepped or redone or history.depth < self._depth
        self._depth, self._next_step = history.depth, history.next
        if self._has_hidden_more():
            self.show_changes()
        else:
            self.waiting.start()

    def _has_hidden_more(self) -> bool:
        """Return whether something that players see was hidden: that waits for nothing."""
        encounter = self._document.encounter
        people = (encounter.get(Combatant, id) for id in self._seen)
        if any(one is not None and one.hidden for one in people):
            return True
        if self.showing.mode != "map":
            return False
        opened = open_squares(encounter)
        return opened is not None and (self._open is None or not self._open <= opened)

    def _composed(self) -> PlayersView | None:
        """Return what players see now, None while their map is being painted."""
        encounter, rules = self._document.encounter, self._document.rules
        if self.showing.mode != "map":
            if self.showing.mode != "black":  # which is soon over, and a large picture long to read
                self._map.forget()
            return players_view(encounter, rules, self.showing)
        self.showing = with_map_origin(encounter, self.showing)
        across = self._inch_squares() if self.has_inch_squares else self.showing.map_across
        path, battle_map = self._document.source.path, encounter.get(Map, Map.table)
        if battle_map is not None:
            is_there = self._map.read(path.parent if path is not None else None, battle_map)
            if is_there != self.showing.has_map_picture:
                self.showing = msgspec.structs.replace(self.showing, has_map_picture=is_there)
                self.stateChanged.emit()
        self._take_faces()
        if not self._map.has_light(known_map(encounter, rules, self.showing)):
            return None
        view = players_view(encounter, rules, msgspec.structs.replace(self.showing, map_across=across))
        if battle_map is None or self.showing.map_origin is None:
            return view
        return self._map.with_picture(view, battle_map, self.showing.map_origin, self.page, self.theme)

    def _take_faces(self) -> None:
        """Name the portraits of those whose names players know, as far as they have been read."""
        encounter, portraits = self._document.encounter, self._document.portraits
        if not self._knows_faces:
            self._knows_faces = True
            portraits.loaded.connect(lambda _file: self.waiting.start())
        known = [one for one in encounter.all(Combatant) if not one.hidden and is_named(one, self.showing)]
        found: dict[str, tuple[int, bytes, QImage]] = {}
        for file in {portrait_of(encounter, one) for one in known}:
            image = portraits.image(file)
            if image is not None and not image.isNull():
                held = self._faces.get(file)
                is_new = held is None or held[0] != image.cacheKey()
                found[file] = (image.cacheKey(), _face_name(image), image) if is_new or held is None else held
        self._faces = found
        named = tuple(sorted((file, key) for file, (_, key, _) in found.items()))
        self.showing = msgspec.structs.replace(self.showing, portraits=named)

    def _on_map_painted(self) -> None:
        """Show what was painted, unless there is a change that waits for others: it will ask for its own."""
        if not self.waiting.isActive():
            self.show_changes()

    @property
    def page(self) -> QRectF:
        """The page that players look at, in its pixels: their window, or a usual screen while it is closed."""
        window = self.players_window
        if window is None or not self.is_open:
            return QRectF(0, 0, FULL_SIZE.width(), FULL_SIZE.height())
        ratio = window.devicePixelRatioF()
        return QRectF(0, 0, window.width() * ratio, window.height() * ratio)

    def _inch_squares(self) -> float:
        """Return how many squares of an inch fit across the players' window."""
        window = self.players_window
        screen = window.screen() if window is not None else self._owner.screen()
        ratio = window.devicePixelRatioF() if window is not None else 1.0
        dots = pixels_per_inch(screen, self._settings_store.settings.players_diagonal)
        return self.page.width() / ratio / max(1.0, dots)

    def _set_view(self, view: PlayersView) -> None:
        if view != self.view:
            self.view = view
            self._paint()
            self.viewChanged.emit()

    @property
    def coming(self) -> PlayersView:
        """What players see once they are held no more, a map as yet without its picture."""
        showing = with_known_names(self._document.encounter, self.showing)
        return players_view(self._document.encounter, self._document.rules, showing, is_shaded=False)

    def _paint(self) -> None:
        if self.players_window is not None:
            self.players_window.show_view(self.view, self.theme, self.pictures)

    def _turn_seconds(self, view: PlayersView) -> int | None:
        """Return what is left of the turn that players see: it goes on while a hidden one acts."""
        if (view.round, view.actor) != self._turn:
            self._turn = view.round, view.actor
            self._turn_began = self._clock()
        if not self.turn_limit or view.actor is None:
            return None
        return max(0, self.turn_limit - int(self._clock() - self._turn_began))

    def _on_document(self) -> None:
        """Forget all that belonged to the encounter before."""
        self.showing = msgspec.structs.replace(
            self.showing, numbers=(), text="", handout=None, map_origin=None, map_centre=None, portraits=()
        )
        self._faces = {}
        self._reading = None
        self._pictures.clear()
        history = self._document.source.session.history
        self._depth, self._next_step, self._stepped = history.depth, history.next, False
        self._seen, self.reveal, self.is_held, self._covered = frozenset(), None, False, None
        self._open = None
        self.show_changes()
        self.stateChanged.emit()

    # Choices ---------------------------------------------------------------------------------------------------------

    def set_mode(self, mode: ViewMode) -> None:
        """Show another page at once; that ends a hold, unless a step back is held or the page is black.

        Black covers what is held, and uncovers it.
        """
        was = self.showing.mode
        if mode != "black":
            self._before_black = mode
        if self.is_held and (
            self.reveal is not None or mode == "black" or (was == "black" and self._covered is not None)
        ):
            self.showing = msgspec.structs.replace(self.showing, mode=mode)
            self._cover(is_covered=mode == "black")
            self.stateChanged.emit()
            return
        self.is_held, self.reveal = False, None
        self._change(mode=mode)

    def _cover(self, *, is_covered: bool) -> None:
        """Make what is held black, or show it again."""
        if is_covered and self._covered is None:
            self._covered = self.view
            self._set_view(PlayersView("black"))
        elif not is_covered and self._covered is not None:
            view, self._covered = self._covered, None
            self._set_view(view)

    def toggle_black(self) -> None:
        """Make the players' screen black, or show the page from before again."""
        self.set_mode(self._before_black if self.showing.mode == "black" else "black")

    def set_held(self, *, is_held: bool) -> None:
        """Freeze what players see while things are put right, or show how they stand now."""
        self.is_held, self.reveal = is_held, None
        if not is_held:
            self._covered = None
        self.show_changes()
        self.stateChanged.emit()

    def set_health(self, side: str, mode: HealthMode) -> None:
        """Show the health of a side in words, in numbers or not at all, here and in fights to come."""
        health = {**dict(self.showing.health), side: mode}
        self._settings_store.update(players_health=health)
        self._change(health=tuple(health.items()))

    # The map ---------------------------------------------------------------------------------------------------------

    def map_part(self) -> QRectF | None:
        """Return the part of the map that players look at, in squares; None while they look at no map."""
        return looked_at(self.view.map, self.page) if self.view.map is not None else None

    def move_map(self, across: float, down: float) -> None:
        """Move the view of the map by squares right and down, its middle never off what players know, and end following."""
        part, shown = self.map_part(), self.view.map
        if part is None or shown is None or not shown.fog:
            return
        x, y = self._wanted_centre(part)
        left, top = shown.at
        centre = (
            min(max(x + across, left), left + len(shown.fog[0])),
            min(max(y + down, top), top + len(shown.fog)),
        )
        wide = self.showing.map_across or part.width()
        self._change(map_centre=centre, map_across=wide, map_follows=False)

    def _wanted_centre(self, part: QRectF) -> tuple[float, float]:
        """Return where the map is being moved to, which may not be painted yet; the middle of a part before that."""
        showing = self.showing
        if showing.map_centre is not None and showing.map_across and not showing.map_follows:
            return showing.map_centre
        return part.center().x(), part.center().y()

    def zoom_map(self, factor: float) -> None:
        """Let players see the map larger by a factor; squares of an inch end."""
        part = self.map_part()
        if part is not None:
            self.has_inch_squares = False
            wide = min(MOST_ACROSS, max(LEAST_ACROSS, part.width() / factor))
            self._change(map_centre=(part.center().x(), part.center().y()), map_across=wide)

    def fit_map(self) -> None:
        """Let players see all that is explored."""
        self.has_inch_squares = False
        self._change(map_centre=None, map_across=0.0)

    def follow_actor(self, *, follows: bool) -> None:
        """Keep the one who acts in the middle of the map, or leave the map where it is."""
        self._change(map_follows=follows)

    def set_inch_squares(self, *, is_on: bool) -> None:
        """Show squares of an inch, for miniatures on a screen that lies flat."""
        self.has_inch_squares = is_on
        self._change()

    def set_diagonal(self, inches: float) -> None:
        """Set the diagonal of the players' screen by which an inch is measured, 0 to take the screen's word for it."""
        self._settings_store.update(players_diagonal=inches)
        self._change()

    @property
    def diagonal(self) -> float:
        """The diagonal of the players' screen in inches, 0 where it was not given."""
        return self._settings_store.settings.players_diagonal

    def set_title(self, *, is_shown: bool) -> None:
        """Show the title of the encounter, or hide it."""
        self._settings_store.update(players_title=is_shown)
        self._change(has_title=is_shown)

    def set_countdowns(self, *, are_shown: bool) -> None:
        """Show countdowns beside the order, or leave them to their own page."""
        self._settings_store.update(players_countdowns=are_shown)
        self._change(has_countdowns=are_shown)

    def set_theme(self, name: str) -> None:
        """Choose the colours of the players' window."""
        self._settings_store.update(players_theme=name)
        self._paint()
        self.viewChanged.emit()

    def set_turn_limit(self, seconds: int) -> None:
        """Set the time of a turn that players see running out, 0 for none."""
        self.turn_limit = seconds
        self._settings_store.update(players_turn=seconds)
        self._turn_began = self._clock()
        if seconds:
            self._ticks.start()
        else:
            self._ticks.stop()
        self.show_changes()
        self.stateChanged.emit()

    def set_phones(self, *, follow: bool) -> None:
        """Note whether what players see is served to their phones."""
        self.has_phones = follow
        self.stateChanged.emit()

    def _change(self, **fields: object) -> None:
        self.showing = msgspec.structs.replace(self.showing, **fields)
        self.show_changes()
        self.stateChanged.emit()

    def _take_settings(self) -> None:
        settings = self._settings_store.settings
        self.showing = msgspec.structs.replace(
            self.showing,
            has_title=settings.players_title,
            has_countdowns=settings.players_countdowns,
            health=tuple(settings.players_health.items()),
        )
        self.turn_limit = max(0, settings.players_turn)

    # Sending ---------------------------------------------------------------------------------------------------------

    def send_text(self, text: str) -> None:
        """Show a text: its words as they are now."""
        self._change(text=text)
        self.set_mode("text")

    def send_handout(self, handout: Handout) -> None:
        """Show a handout as it is now, once its picture has been read."""
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
        self._read(sent, path.parent / picture_name(handout.picture))

    def send_file(self, path: Path) -> None:
        """Show any picture file, once it has been read: the picture alone, without the name of its file."""
        file = path.resolve()
        self.problem = ""
        why = picture_problem(file.parent, file.name, MAX_MAP_BYTES)
        if why:
            self._refuse(tr("ui.players.picture-failed", name=path.name, why=why))
            return
        self._read(SentHandout(), file)

    def send_data(self, data: QMimeData) -> bool:
        """Show the picture that is dropped or on the clipboard, a file or pixels; return whether there is one."""
        files = local_files(data)
        if files:
            self.send_file(files[0])
        elif data.hasImage():
            self.problem = ""
            image = QImage(data.imageData())
            self._begin(SentHandout(), lambda: _content_of(image))
        return bool(files) or data.hasImage()

    def paste_picture(self) -> None:
        """Show the picture of the clipboard, or say that there is none."""
        if not self.send_data(QGuiApplication.clipboard().mimeData()):
            self._refuse(tr("ui.players.no-picture"))

    def _refuse(self, why: str) -> None:
        """Say why nothing new is shown; what was being read is not shown either."""
        self._reading, self.problem = None, why
        self.stateChanged.emit()

    def send_picture(self, sent: SentHandout, image: QImage) -> None:
        """Show a picture that was made here, with its words."""
        self._reading = None
        self.problem = ""
        self._take_handout(sent, image)

    @property
    def handout(self) -> SentHandout | None:
        """What was sent to players last and not taken back, whatever page they look at."""
        return self.showing.handout

    def exchange_handout(self, sent: SentHandout | None, image: QImage | None = None) -> None:
        """Put something else, or nothing, in the place of what was sent: players keep the page, and what is read goes on."""
        self._pictures = {} if sent is None or image is None else {sent.picture: image}
        self._change(handout=sent)

    def take_handout_back(self) -> None:
        """Show no handout any more, nor one that is being read."""
        self._reading = None
        self._pictures.clear()
        self._change(handout=None)

    def _read(self, sent: SentHandout, path: Path) -> None:
        self._begin(sent, lambda: _read_picture(path))

    def _begin(self, sent: SentHandout, read: Callable[[], tuple[bytes, QImage]]) -> None:
        """Read a picture in a worker, then show it with its words, unless something else was sent by then."""
        from turnwright.ui.workers import BackgroundTask

        work = BackgroundTask(lambda _progress: read(), self)
        work.finished.connect(lambda found: self._take_picture(work, sent, found))
        work.failed.connect(lambda why: self._take_picture(work, sent, why))
        self._reading = work

    def _take_picture(self, work: BackgroundTask, sent: SentHandout, found: tuple[bytes, QImage] | str) -> None:
        if work is not self._reading:
            return
        self._reading = None
        if isinstance(found, str):
            self.problem = found
            self.stateChanged.emit()
            return
        content, image = found
        self._take_handout(msgspec.structs.replace(sent, picture=content), image)

    def _take_handout(self, sent: SentHandout, image: QImage | None) -> None:
        self._pictures = {} if image is None else {sent.picture: image}
        self._change(handout=sent)
        self.set_mode("picture")

    # The window ------------------------------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether the players' window is visible."""
        return self.players_window is not None and self.players_window.isVisible()

    @property
    def screen(self) -> QScreen | None:
        """The screen for the players: the one chosen before, else another than the game master's; None for a window."""
        return chosen_screen(self._settings_store.settings.players_screen, self._owner.screen())

    def screens(self) -> list[QScreen]:
        """Return the screens that the players' window may fill."""
        return other_screens(self._owner.screen())

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
        self._owner.activateWindow()
        self.stateChanged.emit()

    def close_window(self) -> None:
        """Close the players' window."""
        if self.players_window is not None:
            self.players_window.close()
        self.stateChanged.emit()

    def toggle_full_screen(self) -> None:
        """Let the players' window fill the screen it stands on, or be a window again."""
        if self.players_window is None or not self.is_open:
            self.open_window()
        else:
            self.players_window.fill_screen(fills=not self.players_window.isFullScreen())
        self.stateChanged.emit()

    def choose_screen(self, screen: QScreen) -> None:
        """Show players their window on a screen, now if it is open and in evenings to come."""
        self._settings_store.update(players_screen=screen_id(screen))
        if self.is_open:
            self.show_on(screen)
        self.stateChanged.emit()

    def show_on(self, screen: QScreen | None) -> None:
        """Show the players' window on a screen, or as a window where there is none."""
        if self.players_window is None:
            return
        self._filled, self._lost, self.problem = screen, "", ""
        self.players_window.open_on(screen)

    def dispose(self) -> None:
        """Destroy the players' window with that of the game master."""
        if self.players_window is not None:
            self.players_window.close()
            self.players_window.deleteLater()
            self.players_window = None

    def _on_screen_removed(self, screen: QScreen) -> None:
        """Close a window whose screen is gone: it must not come up on the game master's."""
        if self.players_window is not None and screen is self._filled:
            if self.is_open:
                self.set_mode("black")
                self._lost, self.problem = screen_id(screen), tr("ui.players.screen-lost")
            self._filled = None
            self.players_window.close()
        self.stateChanged.emit()

    def _on_screen_added(self, screen: QScreen) -> None:
        """Open the window again on the screen that was taken away under it."""
        if self._lost and screen_id(screen) == self._lost and self.players_window is not None:
            self.show_on(screen)
        self.stateChanged.emit()


def _read_picture(path: Path) -> tuple[bytes, QImage]:
    """Return the content of a picture file and the picture, no larger than a screen needs. OSError where it is none."""
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
    """Return a name for a portrait that tells nothing but which pixels it has."""
    return b"face " + blake2b(bytes(image.constBits()), digest_size=16).digest()


def _content_of(image: QImage) -> tuple[bytes, QImage]:
    """Return pixels as the content of a picture file, and the picture, no larger than a screen needs. OSError where there are none."""
    if image.isNull():
        raise OSError(tr("ui.players.no-picture"))
    if image.width() > MOST_PIXELS.width() or image.height() > MOST_PIXELS.height():
        image = image.scaled(
            MOST_PIXELS, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(content.data()), image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def local_files(data: QMimeData) -> list[Path]:
    """Return the files of this computer that are dragged or on the clipboard."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def _text_of(handout: Handout) -> str:
    """Return the words of a handout below its heading, in the order in which they stand on paper."""
    where = ", ".join(part for part in (handout.place, handout.date) if part)
    return "\n\n".join(part for part in (where, handout.headline, handout.text, handout.reward) if part)
