"""The phones' server: what it serves, to those who joined, and what it does for nobody else."""

from __future__ import annotations

import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from tests.phones.phone import PATIENCE, WORDS, Clock, TestPhone, raw, serving
from tests.phones.test_message import ORDER
from tests.players.test_players_view import views_of
from turnwright.phones.admission import Limits
from turnwright.phones.server import PhoneServer
from turnwright.players.view import PlayersView, SentHandout

PNG = b"\x89PNG\r\n\x1a\n and so on"
STRANGE = "GET / HTTP/1.0\r\nHost: {host}\r\n"


@pytest.fixture
def server():
    with serving() as made:
        yield made


@pytest.fixture
def phone(server: PhoneServer) -> TestPhone:
    """A phone that has joined."""
    made = TestPhone(server)
    assert made.join() == 204
    return made


def text(of: str) -> PlayersView:
    return PlayersView("text", text=of)


def ended(server: PhoneServer) -> bool:
    """Wait until the server's thread is over."""
    for thread in threading.enumerate():
        if thread.name == f"phones {server.host}":
            thread.join(PATIENCE)
            return not thread.is_alive()
    return True


def until(condition) -> None:
    """Wait until something holds."""
    tick = threading.Event()
    for _ in range(PATIENCE * 100):
        if condition():
            return
        tick.wait(0.01)
    raise AssertionError(condition)


# What it is for --------------------------------------------------------------------------------------------------


def test_fifty_phones_get_twenty_updates_each() -> None:
    with serving(Limits(per_address=64, phones=50)) as server, ThreadPoolExecutor(50) as pool:
        phones = [TestPhone(server) for _ in range(50)]
        assert set(pool.map(TestPhone.join, phones)) == {204}
        server.broadcast.publish(text("0"), WORDS)
        assert set(pool.map(TestPhone.listen, phones)) == {200}
        got = [list(pool.map(TestPhone.next_message, phones))]
        for number in range(1, 20):
            server.broadcast.publish(text(str(number)), WORDS)
            got.append(list(pool.map(TestPhone.next_message, phones)))
        assert [[message["text"] for message in each] for each in got] == [[str(n)] * 50 for n in range(20)]


def test_a_phone_that_comes_late_gets_what_is_shown_now(server, phone) -> None:
    server.broadcast.publish(text("old"), WORDS)
    server.broadcast.publish(ORDER, WORDS)
    phone.listen()
    assert phone.next_message()["title"] == "Round 3"


def test_nothing_is_sent_for_a_view_that_looks_as_before(server, phone) -> None:
    server.broadcast.publish(text("one"), WORDS)
    phone.listen()
    phone.next_message()
    server.broadcast.publish(text("one"), WORDS)
    server.broadcast.publish(text("two"), WORDS)
    assert phone.next_event() == ("message", server.broadcast.published.message.decode())
    assert server.broadcast.published.serial == 2


def test_silence_is_filled_with_beats() -> None:
    with serving(Limits(beat_seconds=0.01)) as server:
        phone = TestPhone(server)
        phone.join()
        phone.listen()
        assert [phone.next_event()[0] for _ in range(3)] == ["beat"] * 3


def test_pictures_have_a_random_name_while_they_are_shown(server, phone) -> None:
    view = PlayersView("picture", handout=SentHandout("Map", picture=b"the file itself"))
    server.broadcast.publish(view, WORDS, PNG)
    path = server.broadcast.published.picture_path
    status, headers, content = phone.ask(path)
    assert (status, headers["Content-Type"], content) == (200, "image/png", PNG)
    server.broadcast.publish(PlayersView("black"), WORDS)
    assert phone.ask(path)[0] == 404
    server.broadcast.publish(view, WORDS, PNG)
    assert server.broadcast.published.picture_path not in ("", path)


@pytest.mark.parametrize(("path", "type", "holds"), [("/", "text/html", b"<title>"), ("/page.js", "text/javascript", b"textContent"), ("/page.css", "text/css", b"prefers-color-scheme")])  # fmt: skip
def test_the_page_has_three_files(server, path, type, holds) -> None:
    status, headers, content = TestPhone(server).ask(path)
    assert status == 200
    assert headers["Content-Type"].startswith(type)
    assert holds in content


@pytest.mark.parametrize("seed", range(6))
def test_phones_receive_the_same_for_fights_that_differ_only_in_secrets(seed: int) -> None:
    heard: list[list[tuple[str, str]]] = []
    for views in views_of(seed):
        with serving(Limits(beat_seconds=PATIENCE)) as server:
            phone = TestPhone(server)
            phone.join()
            phone.listen()
            heard.append([])
            for view in views:
                before = server.broadcast.published.serial
                server.broadcast.publish(view, WORDS)
                if server.broadcast.published.serial > before:
                    heard[-1].append(phone.next_event())
            server.stop()
            heard[-1].append(phone.next_event())
    assert heard[0] == heard[1]
    assert [kind for kind, _ in heard[0]][-2:] == ["message", "ended"]


# Who may read it -------------------------------------------------------------------------------------------------


def test_requests_without_a_token_are_refused(server) -> None:
    server.broadcast.publish(PlayersView("picture"), WORDS, PNG)
    stranger = TestPhone(server)
    for path in ("/events", server.broadcast.published.picture_path, "/anything"):
        assert stranger.ask(path)[::2] == (403, b"")
    stranger.cookie = f"{server.cookie}=guessed"
    assert stranger.ask("/events")[0] == 403
    stranger.cookie = f'{server.cookie}="\\'
    assert stranger.ask("/events")[0] == 403


def test_scripts_and_other_sites_cannot_read_the_token(server) -> None:
    origin = f"http://{server.host}"
    _, headers, _ = TestPhone(server).ask("/join", "POST", server.admission.code, Origin=origin)
    cookie, *rules = headers["Set-Cookie"].split("; ")
    assert sorted(rules) == ["HttpOnly", "Path=/", "SameSite=Strict"]
    assert len(cookie.partition("=")[2]) == 32  # 24 bytes: 192 bits


def test_a_code_may_be_typed_in_small_letters_with_spaces(server) -> None:
    code = server.admission.code.lower()
    assert TestPhone(server).join(f" {code[:4]} {code[4:]} ") == 204


@pytest.mark.parametrize("code", ["", "AAAAAAAA", "é", "\x00"])
def test_a_wrong_code_does_not_join(server, code) -> None:
    phone = TestPhone(server)
    assert phone.join(code) == 403
    assert phone.cookie == ""
    assert server.admission.phones == ()


def test_twenty_wrong_codes_close_joining_until_the_code_is_renewed(server) -> None:
    stranger, code = TestPhone(server), server.admission.code
    assert [stranger.join("WRONG") for _ in range(20)] == [403] * 20
    assert stranger.join(code) == 410
    server.admission.renew()
    assert server.admission.code != code
    assert stranger.join() == 204


def test_codes_expire_after_ten_minutes_but_joined_phones_stay() -> None:
    clock = Clock()
    with serving(clock=clock) as server:
        early, late = TestPhone(server), TestPhone(server)
        code = server.admission.code
        early.join()
        clock.now += 599
        assert server.admission.code == code
        clock.now += 1
        assert late.join(code) == 410
        server.broadcast.publish(text("one"), WORDS)
        assert early.listen() == 200
        assert early.next_message()["text"] == "one"


def test_joining_may_be_closed(server) -> None:
    code = server.admission.code
    server.admission.close()
    assert TestPhone(server).join(code) == 410


def test_the_number_of_phones_is_limited() -> None:
    with serving(Limits(phones=2)) as server:
        assert [TestPhone(server).join() for _ in range(3)] == [204, 204, 503]


def test_a_phone_that_joins_again_is_counted_once(server, phone) -> None:
    assert phone.join() == 204
    assert phone.join("WRONG") == 204
    assert len(server.admission.phones) == 1


def test_removed_phone_is_notified_and_loses_access(server, phone) -> None:
    phone.listen()
    (joined,) = server.admission.phones
    server.remove(joined.number)
    assert phone.next_event() == ("removed", ".")
    assert phone.next_event() == ("", "")
    assert phone.listen() == 403


def test_the_window_is_told_the_kind_of_a_phone_and_nothing_it_made_up(server) -> None:
    for agent in ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)", "<b>Fridge</b>"):
        TestPhone(server).join(User_Agent=agent)
    assert [(one.kind, one.address) for one in server.admission.phones] == [("iPhone", "127.0.0.1"), ("", "127.0.0.1")]


# Other names, other pages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost:{port}", "127.0.0.1", "127.0.0.1:1", "{host}.evil.example", None]
)
def test_other_host_names_are_refused(server, phone, host) -> None:
    port = server.host.partition(":")[2]
    named = host.format(port=port, host=server.host) if host else None
    for path in ("/", "/page.js", "/events"):
        assert phone.ask(path, Host=named)[::2] == (421, b"")
    assert TestPhone(server).join(Host=named) == 421


def test_requests_with_two_hosts_are_refused(server) -> None:
    request = f"GET / HTTP/1.1\r\nHost: {server.host}\r\nHost: evil.example\r\n\r\n"
    assert raw(server, request.encode()).startswith(b"HTTP/1.0 421 ")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://{host}", "http://{host}.evil.example"])
def test_other_sites_get_nothing(server, phone, origin) -> None:
    named = origin.format(host=server.host)
    assert phone.ask("/events", Origin=named)[::2] == (403, b"")
    assert TestPhone(server).join(Origin=named) == 403


def test_joining_requires_the_page_as_origin(server) -> None:
    assert TestPhone(server).join(Origin=None) == 403


def test_every_response_blocks_unused_features(server, phone) -> None:
    for path in ("/", "/page.js", "/nothing"):
        _, headers, _ = phone.ask(path)
        policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert set(policy.values()) == {"'none'", "'self'"}
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert not {name for name in headers if name.startswith("Access-Control") or name in ("Server", "Date")}


# Requests that are none ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml", "/..%2f..%2fetc/passwd", "//etc/passwd", "/page.js/../page.html", "/page.html", "/./page.js",
        "/page.js?x=1", "/phones/page.js", "http://127.0.0.1/etc/passwd", "/page.js%00", "/picture/", "/events/", "C:\\", "*",
    ],
)  # fmt: skip
def test_unknown_paths_are_not_found(server, phone, path) -> None:
    assert phone.ask(path)[::2] == (404, b"")
    assert TestPhone(server).ask(path)[::2] == (403, b"")


def test_no_request_opens_a_file(server, phone) -> None:
    opened: list[object] = []
    own = threading.get_ident()
    is_on = True  # a hook can't be taken off again

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if is_on and event in ("open", "os.listdir", "os.scandir") and threading.get_ident() != own:
            opened.append(arguments)

    sys.addaudithook(hook)
    try:
        for path in ("/", "/page.js", "/page.css", "/../page.html", "/etc/passwd", "/nothing"):
            phone.ask(path)
        phone.join()
        phone.listen()
        server.broadcast.publish(PlayersView("picture"), WORDS, PNG)
        phone.next_message()
        phone.ask(server.broadcast.published.picture_path)
    finally:
        is_on = False
    assert opened == []


@pytest.mark.parametrize("method", ["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "X<script>"])
def test_other_http_methods_are_not_allowed(server, phone, method) -> None:
    for path in ("/", "/join", "/events"):
        assert raw(server, f"{method} {path} HTTP/1.0\r\nHost: {server.host}\r\n\r\n".encode()).startswith(
            b"HTTP/1.0 405 "
        )


def test_only_joining_accepts_posts(server, phone) -> None:
    for path in ("/", "/events", "/page.js"):
        assert phone.ask(path, "POST", "x", Origin=f"http://{server.host}")[0] == 404


@pytest.mark.parametrize("length", [None, "", "-1", "33", "1000", "99999999999", "0x4", "4, 4", "²"])
def test_codes_without_a_short_valid_length_are_refused(server, length) -> None:
    sent = f"Content-Length: {length}\r\n" if length is not None else ""
    request = f"POST /join HTTP/1.0\r\nHost: {server.host}\r\nOrigin: http://{server.host}\r\n{sent}\r\nAAAA"
    assert raw(server, request.encode()).startswith(b"HTTP/1.0 413 ")


@pytest.mark.parametrize(
    "request_bytes",
    [b"", b"\r\n\r\n", b"nonsense\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.0\r\nno colon\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"GET /\r\n\r\n", bytes(range(256))],
    ids=["none", "empty", "nonsense", "version", "header", "TLS", "0.9", "bytes"],
)  # fmt: skip
def test_malformed_requests_get_no_page(server, phone, request_bytes) -> None:
    assert b"<" not in raw(server, request_bytes)
    assert phone.ask("/")[0] == 200


@pytest.mark.parametrize(
    "part", ["GET /{long}", "GET / HTTP/1.0\r\nHost: {host}\r\nX: {long}", "GET / HTTP/1.0\r\n{many}"]
)
def test_requests_over_eight_kilobytes_are_refused(server, phone, part) -> None:
    request = part.format(long="x" * 9000, host=server.host, many="X: y\r\n" * 2000)
    try:
        answer = raw(server, f"{request}\r\n\r\n".encode())
    except ConnectionError:
        answer = b""  # it was closed before all of it was sent
    assert answer == b"" or answer.startswith(b"HTTP/1.0 431 ")
    assert b"<" not in answer
    assert phone.ask("/")[0] == 200


# Those that hold it up -------------------------------------------------------------------------------------------


def connection_to(server: PhoneServer) -> socket.socket:
    host, port = server.host.split(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def test_slow_requests_are_cut_off() -> None:
    clock = Clock()
    with serving(clock=clock) as server, connection_to(server) as slow:
        slow.sendall(b"GET / HTTP/1.0\r\nX: ")
        until(lambda: server.connections == 1)
        clock.now += 19
        server.close_late(clock.now)
        slow.sendall(b"still writing")
        assert server.connections == 1
        clock.now += 1
        server.close_late(clock.now)
        assert slow.recv(100) == b""
        until(lambda: server.connections == 0)


def test_a_phone_that_listens_is_not_cut_off() -> None:
    clock = Clock()
    with serving(clock=clock) as server:
        phone = TestPhone(server)
        phone.join()
        phone.listen()
        server.broadcast.publish(text("one"), WORDS)
        phone.next_message()
        clock.now += 3600
        server.close_late(clock.now)
        server.broadcast.publish(text("two"), WORDS)
        assert phone.next_message()["text"] == "two"


def test_stalled_phones_are_disconnected_without_delaying_others() -> None:
    with serving(Limits(request_seconds=0.2)) as server, connection_to(server) as slow:
        phone = TestPhone(server)
        phone.join()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        slow.sendall(f"GET /events HTTP/1.0\r\nHost: {server.host}\r\nCookie: {phone.cookie}\r\n\r\n".encode())
        until(lambda: server.connections == 1)
        phone.listen()
        for number in range(20):
            server.broadcast.publish(text(str(number) * 500_000), WORDS)
            assert phone.next_message()["text"].startswith(str(number))
        until(lambda: server.connections == 1)


def test_connections_from_one_address_are_limited() -> None:
    with serving(Limits(connections=5, per_address=3)) as server:
        held = [connection_to(server) for _ in range(3)]
        until(lambda: server.connections == 3)
        with connection_to(server) as refused:
            assert refused.recv(100) == b""
        assert server.connections == 3
        held.pop().close()
        until(lambda: server.connections == 2)
        assert TestPhone(server).ask("/")[0] == 200
        for one in held:
            one.close()


def test_total_connections_are_limited() -> None:
    with serving(Limits(connections=2, per_address=3)) as server:
        held = [connection_to(server) for _ in range(2)]
        until(lambda: server.connections == 2)
        with connection_to(server) as refused:
            assert refused.recv(100) == b""
        for one in held:
            one.close()


# Off -------------------------------------------------------------------------------------------------------------


def test_a_stopped_server_does_not_respond(server, phone) -> None:
    server.broadcast.publish(text("one"), WORDS)
    phone.listen()
    phone.next_message()
    with connection_to(server) as waiting:
        until(lambda: server.connections == 2)
        server.stop()
        assert phone.next_event() == ("ended", ".")
        assert phone.next_event() == ("", "")
        try:
            waiting.sendall(f"GET / HTTP/1.0\r\nHost: {server.host}\r\n\r\n".encode())
            assert waiting.recv(100) == b""
        except ConnectionError:
            pass
    assert ended(server)
    with pytest.raises(ConnectionRefusedError):
        connection_to(server)


def test_the_moment_it_is_stopped_nothing_answers(server, phone) -> None:
    server.stop()
    with pytest.raises(OSError):  # noqa: PT011 - refused or closed, by what the thread is about
        phone.ask("/")


def test_the_server_listens_on_a_single_address(server) -> None:
    assert server.server_address[0] == "127.0.0.1"
    with serving() as other:
        assert other.host != server.host
        assert other.admission.code != server.admission.code


def test_hidden_names_are_never_sent(server, phone) -> None:
    view = PlayersView("picture", handout=SentHandout("Letter", picture=b"C:/secret/assassin.png"))
    server.broadcast.publish(msgspec.structs.replace(view, mode="picture"), WORDS, PNG)
    phone.listen()
    sent = phone.next_event()[1].encode() + b"".join(
        phone.ask(path)[2] for path in ("/", "/page.js", "/page.css", server.broadcast.published.picture_path)
    )
    assert b"assassin" not in sent
