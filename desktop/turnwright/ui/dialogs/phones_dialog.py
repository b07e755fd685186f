"""The dialog for the phone page: its address, the join code, and the phones that have joined."""

from typing import Protocol

from PySide6.QtCore import Qt, QTimer, SignalInstance
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QLabel, QTreeWidgetItem, QWidget

from turnwright.phones.admission import CODE_LENGTH, Phone
from turnwright.phones.server import PhoneServer
from turnwright.ui.look.style import GROUP_GAP, scaled, tr
from turnwright.ui.widgets import dialog, fields, layout, qr_code
from turnwright.ui.widgets.text import plain_label, push_button

WIDTH, TABLE_HEIGHT = 620, 110
ABOUT_PAGE = 180  # height of the introduction, the buttons and the window frame
LOOK_MS = 1000  # interval of updates, as phones join in other threads


class PhonesControl(Protocol):
    """Interface to the controller for the dialog."""

    stateChanged: SignalInstance
    server: PhoneServer | None
    problem: str

    def addresses(self) -> tuple[str, ...]:
        """Return the addresses of this computer that phones may be able to reach."""

    def switch_on(self, address: str) -> None:
        """Start serving the page at one of this computer's addresses."""

    def switch_off(self) -> None:
        """Stop serving the page."""

    def show_code(self) -> None:
        """Show the address and the join code on the players' screen."""


class PhonesDialog(dialog.StandardDialog):
    """Switches the phone page on and off. Closing the dialog doesn't switch the page off."""

    def __init__(self, control: PhonesControl, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.phones.title"), parent, tr("ui.phones.lead"))
        self._control = control
        self._shown: tuple[object, ...] = ()
        self.address = fields.ComboBox()
        self.address.setEditable(True)
        self.address.setAccessibleName(tr("ui.phones.address"))
        self.problem = plain_label("", tone="harm", wraps=True)
        self._off = self._off_page()
        self._on_content = self._on_page()
        self._on = layout.frameless_scroll_area(self._on_content)
        layout.fill(self.column, (self._off, 1), (self._on, 1))
        self.on_button = push_button(tr("ui.phones.on"), self._switch_on, "primary", "cellphone")
        self.off_button = push_button(tr("ui.phones.off"), control.switch_off, "quiet", "cellphone-off")
        self.add_buttons(push_button(tr("ui.general.close"), self.close), self.on_button, left=(self.off_button,))
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        control.stateChanged.connect(self._refresh)
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    # Off -------------------------------------------------------------------------------------------------------------

    def _off_page(self) -> QWidget:
        page = QWidget()
        row = layout.fill(layout.horizontal(), plain_label(tr("ui.phones.address")), (self.address, 1))
        hint = plain_label(tr("ui.phones.address-hint"), "caption", "muted", wraps=True)
        layout.fill(layout.vertical(page), row, hint, self.problem, layout.STRETCH)
        return page

    def _switch_on(self) -> None:
        self._control.switch_on(self.address.currentText().strip())

    # On --------------------------------------------------------------------------------------------------------------

    def _on_page(self) -> QWidget:
        page, top = QWidget(), Qt.AlignmentFlag.AlignTop
        self.qr_code = qr_code.QrCode(tr("ui.phones.qr"))
        at, self.code_caption = (plain_label(tr(f"ui.phones.{word}"), "caption", "muted") for word in ("at", "code"))
        self.url, self.code = _selectable("strong"), _selectable("banner")
        self.joining = plain_label("", "caption", "muted", wraps=True)
        words = layout.fill(layout.vertical(), at, self.url, self.code_caption, self.code, self.joining, layout.STRETCH)
        self.copy_button = push_button(tr("ui.phones.copy"), self._copy, "quiet", "content-copy")
        self.new_code_button = push_button(tr("ui.phones.new-code"), self._renew, "quiet", "refresh")
        self.close_button = push_button(tr("ui.phones.close-joining"), self._close_joining, "quiet", "lock")
        self.show_button = push_button(tr("ui.phones.show-players"), self._control.show_code, "quiet", "qrcode")
        for button in (self.show_button, self.copy_button, self.new_code_button, self.close_button):
            words.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self.phones = dialog.TableTree(tr("ui.phones.joined"), [tr("ui.phones.phone"), tr("ui.phones.phone-address")])
        self.phones.setMinimumHeight(scaled(TABLE_HEIGHT))
        self.phones.currentItemChanged.connect(lambda *_: self._enable())
        self.remove_button = push_button(tr("ui.phones.remove"), self._remove, "quiet", "close")
        firewall = plain_label(tr("ui.phones.firewall"), "caption", "muted", wraps=True)
        row = layout.fill(layout.horizontal(spacing=24), (self.qr_code, 0, top), (words, 1))
        removing = layout.fill(layout.horizontal(), (firewall, 1), (self.remove_button, 0, top))
        layout.fill(layout.vertical(page, spacing=GROUP_GAP), row, (self.phones, 1), removing)
        return page

    def _copy(self) -> None:
        if self._control.server is not None:
            QApplication.clipboard().setText(join_url(self._control.server))

    def _renew(self) -> None:
        if self._control.server is not None:
            self._control.server.admission.renew()
            self._look()

    def _close_joining(self) -> None:
        if self._control.server is not None:
            self._control.server.admission.close()
            self._look()

    def _remove(self) -> None:
        item = self.phones.currentItem()
        if self._control.server is not None and item is not None:
            self._control.server.remove(item.data(0, Qt.ItemDataRole.UserRole))
            self._look()

    # Shared by both pages ------------------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Update the dialog after the page has been switched on or off."""
        server = self._control.server
        self._off.setVisible(server is None)
        self._on.setVisible(server is not None)
        self.on_button.setVisible(server is None)
        self.off_button.setVisible(server is not None)
        addresses = () if server is not None else self._offer_addresses()
        no_network = "" if server is not None or addresses else tr("ui.phones.no-network")
        self.problem.setText(self._control.problem or no_network)
        self.problem.setVisible(bool(self.problem.text()))
        self._shown = ()
        self._look()
        screen = self.screen().availableGeometry()
        self._on.setMinimumHeight(min(self._on_content.sizeHint().height(), screen.height() - scaled(ABOUT_PAGE)))
        width = max(self.width(), scaled(WIDTH))
        self.resize(width, min(self.column.totalHeightForWidth(width), screen.height()))
        if (below := self.frameGeometry().bottom() - screen.bottom()) > 0:  # the buttons stay within reach
            self.move(self.x(), max(screen.top(), self.y() - below))

    def _offer_addresses(self) -> tuple[str, ...]:
        """Offer this computer's addresses and return them. An address that the user has typed is kept."""
        typed, addresses = self.address.currentText(), self._control.addresses()
        self.address.clear()
        self.address.addItems(addresses)
        if typed:
            self.address.setEditText(typed)
        return addresses

    def _look(self) -> None:
        """Update the join code and the list of phones if they have changed."""
        server = self._control.server
        if server is None:
            return
        state = (server.url, server.admission.code, server.admission.phones)
        if state == self._shown:
            return
        self._shown = state
        _url, code, phones = state
        self.url.setText(bare_url(server))
        self.code.setText(grouped_code(server))
        self.qr_code.set_text(join_url(server) if code else "")
        for widget in (self.qr_code, self.code, self.code_caption):
            widget.setVisible(bool(code))
        self.joining.setText(tr("ui.phones.open" if code else "ui.phones.closed"))
        self.phones.clear()
        self.phones.addTopLevelItems([_line(phone) for phone in phones])
        self._enable()

    def _enable(self) -> None:
        server = self._control.server
        is_open = server is not None and bool(server.admission.code)
        self.copy_button.setEnabled(is_open)
        self.close_button.setEnabled(is_open)
        self.remove_button.setEnabled(self.phones.currentItem() is not None)


def join_url(server: PhoneServer) -> str:
    """Return the address that includes the join code. Browsers don't send the part after `#` to the server."""
    return f"{server.url}#{server.admission.code}"


def bare_url(server: PhoneServer) -> str:
    """Return the address to type into a browser, without the join code."""
    return server.url.removeprefix("http://").rstrip("/")


def grouped_code(server: PhoneServer) -> str:
    """Return the join code in two halves, or an empty string if phones can't join now."""
    code, half = server.admission.code, CODE_LENGTH // 2
    return f"{code[:half]} {code[half:]}".strip()


def _line(phone: Phone) -> QTreeWidgetItem:
    item = QTreeWidgetItem([tr("ui.phones.numbered", n=phone.number, kind=phone.kind).strip(), phone.address])
    item.setData(0, Qt.ItemDataRole.UserRole, phone.number)
    return item


def _selectable(role: str) -> QLabel:
    label = plain_label("", role)
    label.setTextInteractionFlags(label.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
