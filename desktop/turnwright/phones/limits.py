"""Limits on the resources that phones and other devices on the network can use."""

from __future__ import annotations

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
