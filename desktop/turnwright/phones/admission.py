"""Access to the players' page: a joining code, a secret token for each phone, this computer's addresses, and limits.

The code is valid for some minutes. The limits are on the resources that phones and other devices on the network can
use.
"""

import secrets
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Address
from typing import Literal

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """Maximum connections in total and per address, phones, bytes and seconds per request, wrong codes, code validity.

    `beat_seconds` is how often a phone gets a keep-alive message while nothing changes.
    """

    connections: int = 64
    per_address: int = 8
    phones: int = 40
    request_bytes: int = 8192
    request_seconds: float = 20
    wrong_codes: int = 20
    code_seconds: float = 600
    beat_seconds: float = 15


LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which look like digits
CODE_LENGTH = 8
TOKEN_BYTES = 24

JoinRefusal = Literal["closed", "wrong", "full"]


class Phone(msgspec.Struct, frozen=True):
    """A phone that has joined: its number in the window, its address, and its device type if the browser sends it."""

    number: int
    address: str
    kind: str


class JoinRefused(Exception):
    """Raised if a phone can't join: the code is wrong, none is valid, or too many phones have joined."""

    def __init__(self, reason: JoinRefusal) -> None:
        super().__init__(reason)
        self.reason = reason


class Admission:
    """The current code and the phones that have joined. Thread-safe."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()
        self._phones: dict[str, Phone] = {}  # keyed by token
        self._joined = 0
        self._code = ""
        self._ends = 0.0
        self._wrong = 0
        self.renew()

    @property
    def code(self) -> str:
        """The code for joining, or an empty string if phones can't join now."""
        with self._lock:
            return self._open_code()

    @property
    def phones(self) -> tuple[Phone, ...]:
        """The phones that have joined, in order of joining."""
        with self._lock:
            return tuple(self._phones.values())

    def renew(self) -> None:
        """Set a new code and invalidate the old one; joined phones stay connected."""
        with self._lock:
            self._code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
            self._ends = self._clock() + self._limits.code_seconds
            self._wrong = 0

    def close(self) -> None:
        """Stop accepting phones."""
        with self._lock:
            self._code = ""

    def join(self, code: str, address: str, kind: str) -> str:
        """Admit a phone and return its token. Raise JoinRefused if it can't join.

        After many wrong codes, no phone can join until there is a new code.
        """
        with self._lock:
            valid_code = self._open_code()
            if not valid_code:
                raise JoinRefused("closed")
            if not secrets.compare_digest(code.encode(), valid_code.encode()):
                self._wrong += 1
                raise JoinRefused("wrong")
            if len(self._phones) >= self._limits.phones:
                raise JoinRefused("full")
            self._joined += 1
            token = secrets.token_urlsafe(TOKEN_BYTES)
            self._phones[token] = Phone(self._joined, address, kind)
            return token

    def is_joined(self, token: str) -> bool:
        """Return whether a token belongs to a phone that has joined."""
        with self._lock:
            return token in self._phones

    def remove(self, number: int) -> None:
        """Remove a phone and invalidate its token."""
        with self._lock:
            self._phones = {token: phone for token, phone in self._phones.items() if phone.number != number}

    def _open_code(self) -> str:
        if self._clock() >= self._ends or self._wrong >= self._limits.wrong_codes:
            self._code = ""
        return self._code


# An address in each range used by home networks. No packet is sent: connecting a datagram socket only finds the route.
_PROBES = ("192.168.255.254", "10.255.255.254", "172.31.255.254", "169.254.255.254")
_DISCARD_PORT = 9


def local_addresses() -> tuple[str, ...]:
    """Return this computer's private IPv4 addresses except the loopback address, likeliest first."""
    addresses: list[str] = []
    for probe in _PROBES:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probing:
            probing.connect((probe, _DISCARD_PORT))
            addresses.append(probing.getsockname()[0])
    return tuple(dict.fromkeys(each for each in addresses if is_private(each) and not each.startswith("127.")))


def is_private(address: str) -> bool:
    """Return whether an address belongs to a private network or is a loopback address."""
    try:
        parsed = IPv4Address(address)
    except ValueError:
        return False
    return parsed.is_private and not parsed.is_unspecified
