"""The page for phones from the window: off until it is switched on, then what players see, and off for good."""

from __future__ import annotations

from contextlib import ExitStack
from http.client import HTTPConnection

import msgspec
import pytest
from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QMainWindow

from tests.phones.phone import Clock, TestPhone
from tests.players.test_players_map import pair_of, view_of
from tests.ui.window_services import services_for
from turnwright.players.view import CombatantRow, ComposedPicture, PlayersMap, PlayersView, SentHandout, ShownToken
from turnwright.ui.controllers.phones_controller import PhonesController, reduced
from turnwright.ui.dialogs.phones_dialog import PhonesDialog
from turnwright.ui.docks.players.screen import PlayersScreen
from turnwright.ui.look.style import current_words, load_theme, theme_source
from turnwright.ui.players.map_page import paint_part, part_for
from turnwright.ui.services.workers import BackgroundTask
from turnwright.ui.widgets.qr_code import QrCode


class Players(QObject):
    """What players see, as a test says."""

    viewChanged = Signal()  # noqa: N815 - as Qt names signals

    def __init__(self) -> None:
        super().__init__()
        self.view = PlayersView("black")
        self.handout: SentHandout | None = None
        self.pictures: dict[bytes, QImage] = {}
        self.has_phones = False
        self.page = QRectF(0, 0, 1920, 1080)
        self.theme = load_theme("dark")

    def set_phones(self, *, follow: bool) -> None:
        self.has_phones = follow

    def send_picture(self, sent: SentHandout, image: QImage) -> None:
        self.pictures = {sent.picture: image}
        self.show(PlayersView("picture", handout=sent))

    def exchange_handout(self, sent: SentHandout | None, image: QImage | None = None) -> None:
        self.pictures = {} if sent is None else {sent.picture: image}
        self.handout = sent
        if self.view.mode == "picture":
            self.show(PlayersView("picture", handout=sent))

    def show(self, view: PlayersView) -> None:
        self.view = view
        if view.mode == "picture":
            self.handout = view.handout
        self.viewChanged.emit()


class StubDocument:
    """The words of a game."""

    def __init__(self) -> None:
        self.words = current_words()


def services_of(window: QMainWindow, players: Players, **given: object):
    return services_for(window, document=StubDocument(), controller=lambda _kind: players, **given)


@pytest.fixture
def players(qapp) -> Players:
    return Players()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def phones(qapp, qtbot, players, clock):
    window = QMainWindow()
    qtbot.addWidget(window)
    made = PhonesController(services_of(window, players, clock=clock))
    made.addresses = lambda: ("192.0.2.7",)
    yield made
    made.switch_off()


@pytest.fixture
def on(phones) -> PhonesController:
    phones.switch_on("127.0.0.1")
    return phones


@pytest.fixture
def dialog(phones, qtbot) -> PhonesDialog:
    made = PhonesDialog(phones)
    qtbot.addWidget(made)
    made.show()
    return made


def test_the_server_is_off_at_first(phones):
    assert phones.server is None


def test_phones_get_what_players_see(on, players):
    phone = TestPhone(on.server)
    phone.join()
    phone.listen()
    assert phone.next_message()["mode"] == "black"
    players.show(PlayersView("text", text="The gate falls."))
    assert phone.next_message()["text"] == "The gate falls."


def test_what_is_shown_before_it_is_switched_on_is_there_then(phones, players):
    players.show(PlayersView("text", text="earlier"))
    phones.switch_on("127.0.0.1")
    assert b"earlier" in phones.server.broadcast.published.message


def test_switched_off_it_does_not_answer(on, players):
    server = on.server
    assert players.has_phones
    on.switch_off()
    assert on.server is None
    assert not players.has_phones
    with pytest.raises(OSError):  # noqa: PT011 - refused or closed
        TestPhone(server).ask("/")


def test_restart_changes_code_and_forgets_phones(on):
    phone, before = TestPhone(on.server), on.server.admission.code
    phone.join()
    on.switch_off()
    on.switch_on("127.0.0.1")
    assert on.server.admission.code != before
    assert on.server.admission.phones == ()
    phone.server = on.server
    assert phone.ask("/events")[0] == 403


def test_players_are_shown_how_to_join_as_long_as_they_can(on, players):
    on.show_code()
    sent, code = players.view.handout, on.server.admission.code
    assert f"{code[:4]} {code[4:]}" in sent.text
    assert on.server.host in sent.text
    image = QImage.fromData(sent.picture)
    assert image == players.pictures[sent.picture].convertToFormat(image.format())
    assert image.width() == image.height() > 400
    corner = (
        image.pixelColor(4 * 16, 4 * 16),
        image.pixelColor(3 * 16, 3 * 16),
    )  # the first module, and the white around it
    assert corner == (QColor("black"), QColor("white"))
    on.server.admission.close()
    on.show_code()
    assert on.server.admission.code
    assert players.view.handout.text != sent.text
    on.switch_off()
    assert players.view.handout is None


def test_a_handout_that_was_sent_since_stays(on, players):
    on.show_code()
    players.show(PlayersView("picture", handout=SentHandout("A letter")))
    on.switch_off()
    assert players.view.handout == SentHandout("A letter")


def test_expired_codes_disappear_from_the_players_screen(on, players, clock):
    on.show_code()
    clock.now += 599
    on.looks.timeout.emit()
    assert players.view.handout is not None
    clock.now += 1
    on.looks.timeout.emit()
    assert players.view.handout is None
    assert not on.looks.isActive()


def test_after_too_many_wrong_codes_none_is_on_the_players_screen(on, players):
    on.show_code()
    stranger = TestPhone(on.server)
    for _ in range(20):
        stranger.join("WRONG")
    on.looks.timeout.emit()
    assert players.view.handout is None


def test_a_new_code_takes_the_place_of_the_old_on_the_players_screen(on, players):
    on.show_code()
    before = players.view.handout
    on.server.admission.renew()
    on.looks.timeout.emit()
    now, code = players.view.handout, on.server.admission.code
    assert f"{code[:4]} {code[4:]}" in now.text
    assert now.picture != before.picture
    assert list(players.pictures) == [now.picture]
    on.looks.timeout.emit()
    assert players.view.handout is now


@pytest.mark.parametrize("end", ["off", "closed", "renewed"])
def test_a_code_below_the_black_does_not_come_up_again_once_it_has_ended(on, players, end):
    on.show_code()
    before = players.handout
    players.show(PlayersView("black"))
    if end == "off":
        on.switch_off()
    else:
        on.server.admission.close() if end == "closed" else on.server.admission.renew()
        on.looks.timeout.emit()
    assert players.handout != before
    assert (players.handout is not None) == (end == "renewed")
    assert players.view.mode == "black"


def test_a_code_that_ends_takes_nothing_away_that_was_sent_since(on, players, clock):
    on.show_code()
    letter = PlayersView("picture", handout=SentHandout("A letter"))
    players.show(letter)
    clock.now += 600
    on.looks.timeout.emit()
    assert players.view == letter


def test_while_it_is_off_showing_the_code_opens_the_dialog(phones, players):
    phones.show_code()
    assert phones.server is None
    assert players.view.handout is None
    (dialog,) = (one for one in QApplication.topLevelWidgets() if isinstance(one, PhonesDialog))
    assert dialog.isVisible()
    dialog.close()


@pytest.mark.parametrize("address", ["0.0.0.0", "8.8.8.8", "example.org", "", "::"])
def test_only_private_addresses_are_accepted(phones, address):
    phones.switch_on(address)
    assert phones.server is None
    assert "private network" in phones.problem


def test_an_address_of_another_computer_is_told(phones):
    phones.switch_on("192.168.255.253")
    assert phones.server is None
    assert "192.168.255.253" in phones.problem


# Pictures --------------------------------------------------------------------------------------------------------


def image(width: int, height: int, colour: str = "#336699", form=QImage.Format.Format_ARGB32_Premultiplied) -> QImage:
    made = QImage(width, height, form)
    made.fill(QColor(colour))
    made.setText("Author", "the assassin")
    return made


def test_pictures_are_scaled_down_and_lose_their_metadata():
    content = reduced(image(4000, 1000))
    found = QImage.fromData(content)
    assert (found.width(), found.height()) == (1600, 400)
    assert b"assassin" not in content
    assert content.startswith(b"\xff\xd8")


def test_a_picture_is_white_where_it_is_clear():
    assert QImage.fromData(reduced(image(20, 10, "transparent"))).pixelColor(3, 3).name() == "#ffffff"


def test_a_new_picture_is_sent_once_it_has_been_made_smaller(on, players, qtbot):
    players.pictures = {b"file one": image(30, 20), b"file two": image(60, 20)}
    for file in (b"file one", b"file two"):  # the second while the first is being made smaller
        players.show(PlayersView("picture", handout=SentHandout("A map", picture=file)))
    published = on.server.broadcast
    qtbot.waitUntil(lambda: QImage.fromData(published.published.picture).width() == 60, timeout=60_000)
    assert b"file" not in published.published.message


def test_a_picture_that_could_not_be_made_smaller_is_left_out_and_the_next_is_sent(on, players, qtbot, monkeypatch):
    published = on.server.broadcast
    players.pictures = {b"file one": image(30, 20), b"file two": image(60, 20)}

    def fail(_image: QImage) -> bytes:
        raise OSError("no room")

    with monkeypatch.context() as patch:
        patch.setattr("turnwright.ui.controllers.phones_controller.reduced", fail)
        players.show(PlayersView("picture", handout=SentHandout("One", picture=b"file one")))
        qtbot.waitUntil(lambda: b"One" in published.published.message, timeout=60_000)
    assert published.published.picture == b""
    players.show(PlayersView("picture", handout=SentHandout("Two", picture=b"file two")))
    qtbot.waitUntil(lambda: published.published.picture != b"", timeout=60_000)


def test_a_handout_whose_picture_is_not_there_comes_with_its_words(on, players):
    players.show(PlayersView("picture", handout=SentHandout("A map", picture=b"gone")))
    assert b"A map" in on.server.broadcast.published.message
    assert on.server.broadcast.published.picture == b""


def map_view(at: tuple[int, int] = (1, 1)) -> PlayersView:
    """A map of three by three squares, with one in sight."""
    tokens = (ShownToken(CombatantRow("Aria", 0, "party"), at),)
    return PlayersView("map", map=PlayersMap(5, fog=("+++",) * 3, ground=("...",) * 3, tokens=tokens))


def test_the_map_is_sent_as_a_picture_of_the_shape_of_the_players_window(on, players, qtbot):
    published = on.server.broadcast
    sent = []
    for at in ((1, 1), (2, 1)):
        players.show(map_view(at))
        qtbot.waitUntil(lambda: published.published.picture not in (b"", *sent), timeout=60_000)
        sent.append(published.published.picture)
    found = [QImage.fromData(one) for one in sent]
    assert [(one.width(), one.height()) for one in found] == [(1600, 900)] * 2
    assert found[0].pixelColor(970, 450).lightness() < 10  # beside the token
    assert found[1].pixelColor(970, 450).lightness() > 25  # on it
    players.show(PlayersView("map"))
    assert published.published.picture == b""
    assert b"No map is shown" in published.published.message


def test_nothing_is_kept_of_maps_that_phones_were_sent_before(on, players, qtbot):
    published = on.server.broadcast
    for at in ((1, 1), (2, 1), (1, 2)):
        before = published.published.picture
        players.show(map_view(at))
        qtbot.waitUntil(lambda before=before: published.published.picture not in (b"", before), timeout=60_000)
    qtbot.waitUntil(lambda: on.findChildren(BackgroundTask) == [], timeout=60_000)


def test_the_same_map_is_painted_once(on, players, qtbot):
    players.show(map_view())
    published = on.server.broadcast
    qtbot.waitUntil(lambda: published.published.picture != b"", timeout=60_000)
    serial = published.published.serial
    players.show(map_view())
    assert published.published.serial == serial


def composed(view: PlayersMap | None, players: Players) -> PlayersView:
    """Return what players see of a map, with its painted part among their pictures."""
    assert view is not None
    part = part_for(view, players.page)
    players.pictures = {}
    if part is not None:
        players.pictures[b"part"] = paint_part(view, part, players.theme, None)
        view = msgspec.structs.replace(view, picture=ComposedPicture(b"part", part.at, part.size))
    return PlayersView("map", map=view)


def sent_map(phones: PhonesController, players: Players, qtbot, view: PlayersMap | None) -> tuple[bytes, bytes]:
    """Return the message and the picture that phones get of a map."""
    players.show(PlayersView("black"))
    players.show(composed(view, players))
    published = phones.server.broadcast
    qtbot.waitUntil(lambda: published.published.picture != b"", timeout=60_000)
    now = published.published
    return now.message.replace(now.picture_path.encode(), b""), now.picture


def assert_phones_get_the_same(qtbot, seeds: range) -> None:
    """Compare what phones of two servers get of two maps that differ in what is hidden.

    A third paints the first map before: Qt draws large letters a little otherwise before it has kept their shapes.
    """
    with ExitStack() as servers:
        tables = []
        for _ in range(3):
            players, window = Players(), QMainWindow()
            players.page = QRectF(0, 0, 640, 360)
            qtbot.addWidget(window)
            phones = PhonesController(services_of(window, players))
            phones.switch_on("127.0.0.1")
            servers.callback(phones.switch_off)
            tables.append((phones, players))
        pictures = set()
        for seed in seeds:
            first, second = pair_of(seed)
            views = (view_of(*first), view_of(*first), view_of(*second))
            _, one, other = (sent_map(*table, qtbot, view) for table, view in zip(tables, views, strict=True))
            assert one == other, seed
            pictures.add(one[1])
        assert len(pictures) > len(seeds) * 0.8


def test_phones_receive_the_same_for_maps_that_differ_only_in_hidden_parts(qapp, qtbot):
    assert_phones_get_the_same(qtbot, range(6))


@pytest.mark.soak
def test_phones_receive_the_same_for_three_thousand_maps_that_differ_only_in_hidden_parts(qapp, qtbot):
    assert_phones_get_the_same(qtbot, range(6, 3000))


# The dialog ------------------------------------------------------------------------------------------------------


def test_the_dialog_offers_the_addresses_of_this_computer(dialog):
    assert dialog.address.currentText() == "192.0.2.7"
    assert dialog.on_button.isVisible()
    assert not dialog.qr_code.isVisible()


def test_the_dialog_grows_upwards_at_the_lower_edge_of_the_screen(dialog, phones):
    dialog.address.setEditText("127.0.0.1")
    bottom = dialog.screen().availableGeometry().bottom()
    dialog.move(dialog.x(), bottom - dialog.frameGeometry().height())
    dialog.on_button.click()
    assert dialog.frameGeometry().bottom() <= bottom or dialog.y() == dialog.screen().availableGeometry().top()


def test_the_dialog_switches_it_on_and_off(dialog, phones):
    dialog.address.setEditText(" 127.0.0.1 ")
    dialog.on_button.click()
    assert phones.server is not None
    assert dialog.url.text() == phones.server.host
    assert dialog.code.text().replace(" ", "") == phones.server.admission.code
    assert dialog.qr_code.isVisible()
    dialog.off_button.click()
    assert phones.server is None
    assert dialog.on_button.isVisible()
    assert dialog.address.currentText() == " 127.0.0.1 "


def test_the_dialog_says_why_it_is_not_on(dialog, phones):
    dialog.address.setEditText("0.0.0.0")
    dialog.on_button.click()
    assert dialog.problem.isVisible()
    assert dialog.problem.text() == phones.problem


def test_the_dialog_says_that_there_is_no_network(phones, qtbot):
    phones.addresses = tuple
    dialog = PhonesDialog(phones)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.problem.isVisible()


def test_the_dialog_lists_phones_and_removes_one(dialog, on, qtbot):
    first, second = TestPhone(on.server), TestPhone(on.server)
    first.join(User_Agent="Mozilla/5.0 (Linux; Android 17)")
    second.join()
    qtbot.waitUntil(lambda: dialog.phones.topLevelItemCount() == 2, timeout=60_000)
    assert [dialog.phones.topLevelItem(n).text(0) for n in range(2)] == ["Phone 1 Android", "Phone 2"]
    assert not dialog.remove_button.isEnabled()
    dialog.phones.setCurrentItem(dialog.phones.topLevelItem(0))
    dialog.remove_button.click()
    assert [one.number for one in on.server.admission.phones] == [2]
    assert dialog.phones.topLevelItemCount() == 1


def test_the_dialog_closes_joining_and_opens_it_with_a_new_code(dialog, on):
    before = dialog.code.text()
    dialog.close_button.click()
    assert on.server.admission.code == ""
    assert before != dialog.code.text()
    assert not dialog.copy_button.isEnabled()
    dialog.new_code_button.click()
    assert dialog.code.text().replace(" ", "") == on.server.admission.code
    dialog.copy_button.click()
    assert QApplication.clipboard().text() == f"http://{on.server.host}/#{on.server.admission.code}"


def test_closing_the_dialog_leaves_it_on(dialog, on):
    dialog.close()
    assert on.server is not None


def test_a_qr_code_is_dark_on_white_with_room_around_it(qapp, qtbot):
    code = QrCode("a code")
    qtbot.addWidget(code)
    code.resize(232, 232)
    code.set_text("http://192.168.100.200:49213/#ABCDEFGH")
    grabbed = code.grab().toImage()
    colours = {grabbed.pixelColor(x, y).name() for x in range(0, 232, 3) for y in range(0, 232, 3)}
    assert colours == {"#000000", "#ffffff"}
    module = 232 // (29 + 8)
    start = (232 - 29 * module) // 2
    assert start >= 4 * module
    assert {grabbed.pixelColor(start - 1, y).name() for y in range(232)} == {"#ffffff"}
    # A finder pattern: seven modules of which the first and the last are dark all the way.
    assert {grabbed.pixelColor(start + 1, start + y).name() for y in range(7 * module)} == {"#000000"}
    code.set_text("")
    assert {code.grab().toImage().pixelColor(x, x).name() for x in range(232)} == {"#ffffff"}


def test_phone_names_are_shown_as_plain_text(dialog, on, qtbot):
    assert dialog.url.textFormat() == Qt.TextFormat.PlainText
    connection = HTTPConnection(*on.server.host.split(":"), timeout=60)
    origin = {"Origin": f"http://{on.server.host}", "User-Agent": "<b>x</b>"}
    connection.request("POST", "/join", on.server.admission.code, origin)
    connection.getresponse().read()
    connection.close()
    qtbot.waitUntil(lambda: dialog.phones.topLevelItemCount() == 1, timeout=60_000)
    assert dialog.phones.topLevelItem(0).text(0) == "Phone 1"


# In the window ---------------------------------------------------------------------------------------------------


def test_the_dock_and_the_menu_open_the_dialog_over_what_players_see_and_closing_the_window_ends_it(
    fresh_window, qtbot
):
    window = fresh_window
    services = window.content.services
    phones, players = services.controller(PhonesController), services.controller(PlayersScreen)
    dock = window.content.docks.show("players")
    dock.refresh()
    assert dock.phones_button.text() == "Phones…"
    dock.phones_button.click()
    (dialog,) = (one for one in QApplication.topLevelWidgets() if isinstance(one, PhonesDialog))
    assert dialog.isVisible()
    dialog.close()
    window.content.window_actions.run("phones")
    assert dialog.isVisible()
    phones.switch_on("127.0.0.1")
    assert dock.phones_button.text() == "Phones: on…"
    server = phones.server
    phone = TestPhone(server)
    phone.join()
    phone.listen()
    assert phone.next_message()["mode"] == "order"
    players.send_text("The ice cracks.")
    assert phone.next_message()["text"] == "The ice cracks."
    window.content.window_actions.run("players-black")
    assert phone.next_message()["mode"] == "black"
    window.document.source.close(discard=True)
    assert window.close()
    assert phone.next_event() == ("ended", ".")
    assert server.broadcast.is_closed


def test_the_dialog_is_never_higher_than_the_screen(phones, qtbot):
    source = theme_source()
    before = source.chosen_scale
    source.set_scale(2.0)
    try:
        dialog = PhonesDialog(phones)
        qtbot.addWidget(dialog)
        phones.switch_on("127.0.0.1")
        dialog.show()
        assert dialog.height() <= dialog.screen().availableGeometry().height()
        assert dialog.off_button.isVisible()
    finally:
        source.set_scale(before)
