"""How much of the program any phone, or anything else on the network, may use."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """Connections at once, in all and from one address; phones; bytes and seconds of a request; wrong codes; a code's seconds.

    `beat_seconds`: how often a phone hears something while nothing changes.
    """

    connections: int = 64
    per_address: int = 8
    phones: int = 40
    request_bytes: int = 8192
    request_seconds: float = 20
    wrong_codes: int = 20
    code_seconds: float = 600
    beat_seconds: float = 15
