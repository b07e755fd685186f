"""This computer's addresses in local networks."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import IPv4Address

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
    return tuple(
        dict.fromkeys(address for address in addresses if is_private(address) and not address.startswith("127."))
    )


def is_private(address: str) -> bool:
    """Return whether an address belongs to a private network or is a loopback address."""
    try:
        parsed = IPv4Address(address)
    except ValueError:
        return False
    return parsed.is_private and not parsed.is_unspecified
