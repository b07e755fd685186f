"""The web page for the players' phones. It is off at the start; the game master switches it on and off."""

from typing import Any, Final

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPainter

from turnwright.phones.admission import is_private, local_addresses
from turnwright.phones.server import PhoneServer, page_files
from turnwright.players.view import PlayersView, SentHandout
from turnwright.storage.resources import read_text
from turnwright.ui.dialogs.phones_dialog import LOOK_MS, PhonesDialog, bare_url, grouped_code, join_url
from turnwright.ui.docks.players.screen import PlayersScreen
from turnwright.ui.look.style import tr
from turnwright.ui.players.window import paint_view
from turnwright.ui.services.portraits import encoded
from turnwright.ui.services.services import Controller, Services
from turnwright.ui.services.workers import LatestTask
from turnwright.ui.widgets.qr_code import qr_image

MOST_PIXELS: Final = QSize(1600, 1600)
QUALITY: Final = 88


class PhonesController(Controller):
    """Serves the players' screen to phones while the page is on.

    Emits `stateChanged` when the page is switched on or off, and when switching it on fails.
    """

    stateChanged = Signal()

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._players = services.controller(PlayersScreen)
        self._clock = services.clock
        self.server: PhoneServer | None = None
        self.problem = ""
        self._picture: tuple[object, bytes] = (None, b"")  # the subject, and the picture file for phones
        self._reducing = LatestTask(self)
        self._dialog: PhonesDialog | None = None
        self._invitation: SentHandout | None = None  # shows players how to join
        self._invited = ""  # the code that it shows
        self.looks = QTimer(self, interval=LOOK_MS)
        self.looks.timeout.connect(self._keep_invitation_true)
        self._players.viewChanged.connect(self._publish)

    def open(self) -> None:
        """Show the dialog that switches the page on and off."""
        if self._dialog is None:
            self._dialog = PhonesDialog(self, self._window)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    def addresses(self) -> tuple[str, ...]:
        """Return the addresses of this computer that phones may be able to reach."""
        return local_addresses()

    def switch_on(self, address: str) -> None:
        """Start serving the page at one of this computer's addresses."""
        self.switch_off()
        self.problem = self._try_to_serve(address) if is_private(address) else tr("ui.phones.not-private")
        self._publish()
        self._tell()

    def switch_off(self) -> None:
        """Stop serving the page."""
        if self.server is not None:
            self.server.stop()
            self.server = None
            if self._is_invited():
                self._players.exchange_handout(None)
            self._forget_invitation()
            self._tell()

    def close(self) -> None:
        self.switch_off()

    def show_code(self) -> None:
        """Show players the address, the join code and its QR code. If the page is off, open the dialog instead."""
        if self.server is None:
            self.open()
            return
        if not self.server.admission.code:
            self.server.admission.renew()
        self._players.send_picture(*self._invitation_to(self.server))
        self.looks.start()

    def _invitation_to(self, server: PhoneServer) -> tuple[SentHandout, QImage]:
        """Create and store the invitation to join, with its QR code."""
        image, words = qr_image(join_url(server)), (bare_url(server), grouped_code(server))
        text = tr("ui.phones.invite-text", url=words[0], code=words[1])
        self._invitation = SentHandout(tr("ui.phones.invite"), text, picture=encoded(image, "png"))
        self._invited = server.admission.code
        return self._invitation, image

    def _is_invited(self) -> bool:
        """Whether players see the invitation, or will see it when the handout page is shown again."""
        return self._invitation is not None and self._players.handout == self._invitation

    def _forget_invitation(self) -> None:
        self._invitation, self._invited = None, ""
        self.looks.stop()

    def _keep_invitation_true(self) -> None:
        """Replace an expired code on the players' screen, or remove the invitation if no more phones can join."""
        if self.server is None or not self._is_invited():
            self._forget_invitation()
            return
        code = self.server.admission.code
        if code == self._invited:
            return
        if code:
            self._players.exchange_handout(*self._invitation_to(self.server))
        else:
            self._players.exchange_handout(None)
            self._forget_invitation()

    def _try_to_serve(self, address: str) -> str:
        """Start serving the page. Return an error message, or an empty string if it worked."""
        try:
            self.server = PhoneServer(address, page_files(read_text, self._document.words), clock=self._clock)
        except OSError as error:
            return tr("ui.phones.not-on", address=address, why=error.strerror or str(error))
        self.server.start()
        return ""

    def _tell(self) -> None:
        self._players.set_phones(follow=self.server is not None)
        self.stateChanged.emit()

    def _publish(self) -> None:
        """Send the players' current view to the phones. New images are reduced first."""
        if self.server is None:
            return
        view = self._players.view
        if (subject := self._subject(view)) is None:
            self.server.broadcast.publish(view, self._document.words)
        elif subject == self._picture[0]:
            self.server.broadcast.publish(view, self._document.words, self._picture[1])
        elif not self._reducing.is_running:
            image = self._painted_map(view) if view.mode == "map" else self._players.pictures[subject]
            take = self._take_picture
            self._reducing.start(lambda: reduced(image), lambda made: take(subject, made), lambda _: take(subject, b""))

    def _subject(self, view: PlayersView) -> Any:
        """Return an object that identifies a view's image, or None if it has none.

        For a handout this is the image file, for a map the map itself and whether its colours are dark.
        """
        if view.mode == "map":
            return (view.map, self._players.theme.dark) if view.map is not None else None
        file = view.handout.picture if view.handout is not None else b""
        return file if file in self._players.pictures else None

    def _painted_map(self, view: PlayersView) -> QImage:
        """Paint the map as players see it, in the aspect ratio of their window."""
        size = self._players.page.size().toSize().scaled(MOST_PIXELS, Qt.AspectRatioMode.KeepAspectRatio)
        image = QImage(size, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint_view(painter, QRectF(image.rect()), view, self._players.theme, self._players.pictures)
        painter.end()
        return image

    def _take_picture(self, subject: object, content: bytes) -> None:
        self._picture = (subject, content)
        self._publish()


def reduced(image: QImage) -> bytes:
    """Convert an image to a JPEG file without metadata, no larger than a phone can show."""
    size = image.size()
    if size.width() > MOST_PIXELS.width() or size.height() > MOST_PIXELS.height():
        size.scale(MOST_PIXELS, Qt.AspectRatioMode.KeepAspectRatio)
    plain = QImage(size, QImage.Format.Format_RGB32)
    plain.fill(Qt.GlobalColor.white)  # behind transparent parts
    painter = QPainter(plain)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(plain.rect(), image)
    painter.end()
    return encoded(plain, "jpeg", QUALITY)
