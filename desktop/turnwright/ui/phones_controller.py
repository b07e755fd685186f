"""The page for the players' phones: off at each start, switched on and off by the game master."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QBuffer, QIODevice, QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageWriter, QPainter

from turnwright.phones.addresses import is_private, local_addresses
from turnwright.phones.page import page_files
from turnwright.phones.server import PhoneServer
from turnwright.storage.resources import read_text
from turnwright.ui.dialogs.phones_dialog import PhonesDialog
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.translations import tr
from turnwright.ui.workers import BackgroundTask

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from turnwright.ui.players_controller import PlayersController

MOST_PIXELS: Final = QSize(1600, 1600)
QUALITY: Final = 88


class PhonesController(QObject):
    """Gives the page what players see, while it is on. `stateChanged` when it was switched on or off, or could not be."""

    stateChanged = Signal()

    def __init__(self, window: QMainWindow, bridge: DocumentModel, players: PlayersController) -> None:
        super().__init__(window)
        self._window = window
        self._bridge = bridge
        self._players = players
        self.server: PhoneServer | None = None
        self.problem = ""
        self._picture: tuple[bytes, bytes] = (b"", b"")  # the file that was sent, and what phones get of it
        self._reducing: BackgroundTask | None = None
        self._dialog: PhonesDialog | None = None
        players.viewChanged.connect(self._publish)

    def open(self) -> None:
        """Show the dialog that switches the page on and off."""
        if self._dialog is None:
            self._dialog = PhonesDialog(self, self._window)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    def addresses(self) -> tuple[str, ...]:
        """Return the addresses of this computer that phones may reach."""
        return local_addresses()

    def switch_on(self, address: str) -> None:
        """Serve the page at an address of this computer."""
        self.switch_off()
        self.problem = self._try_to_serve(address) if is_private(address) else tr("ui.phones.not-private")
        self._publish()
        self._tell()

    def switch_off(self) -> None:
        """Serve the page no more."""
        if self.server is not None:
            self.server.stop()
            self.server = None
            self._tell()

    def _try_to_serve(self, address: str) -> str:
        """Serve the page, and return an empty text; why it could not be served otherwise."""
        try:
            self.server = PhoneServer(address, page_files(read_text, self._bridge.words))
        except OSError as error:
            return tr("ui.phones.not-on", address=address, why=error.strerror or str(error))
        self.server.start()
        return ""

    def _tell(self) -> None:
        self._players.set_phones(follow=self.server is not None)
        self.stateChanged.emit()

    def _publish(self) -> None:
        """Send phones what players see now; one with a new picture once that has been made smaller."""
        view = self._players.view
        file = view.handout.picture if view.handout is not None else b""
        image = self._players.pictures.get(file)
        if self.server is None:
            return
        if image is None or image.isNull():
            self.server.broadcast.publish(view, self._bridge.words)
        elif file == self._picture[0]:
            self.server.broadcast.publish(view, self._bridge.words, self._picture[1])
        elif self._reducing is None:
            task = self._reducing = BackgroundTask(lambda _progress: reduced(image), self)
            task.finished.connect(lambda content: self._take_picture(file, content))
            task.failed.connect(lambda _why: self._take_picture(file, b""))

    def _take_picture(self, file: bytes, content: bytes) -> None:
        self._reducing = None
        self._picture = (file, content)
        self._publish()


def reduced(image: QImage) -> bytes:
    """Return a picture as the bytes of a file that has nothing but its pixels, no more of them than a phone shows."""
    size = image.size()
    if size.width() > MOST_PIXELS.width() or size.height() > MOST_PIXELS.height():
        size.scale(MOST_PIXELS, Qt.AspectRatioMode.KeepAspectRatio)
    plain = QImage(size, QImage.Format.Format_RGB32)
    plain.fill(Qt.GlobalColor.white)  # where the picture is clear
    painter = QPainter(plain)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(plain.rect(), image)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, b"jpeg")
    writer.setQuality(QUALITY)
    writer.write(plain)
    return bytes(buffer.data().data())
