"""Reads the format and size of an image from its first bytes, without decoding pixels."""

from __future__ import annotations

from typing import Final

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8\xff"
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # JPEG markers that precede the size


def picture_ending(data: bytes) -> str:
    """Return the file extension for an image's format, or an empty string if it isn't PNG, JPEG or WebP."""
    if data.startswith(_PNG):
        return "png"
    if data.startswith(_JPEG):
        return "jpg"
    return "webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""


def picture_size(data: bytes) -> tuple[int, int]:
    """Return an image's width and height in pixels, or (0, 0) if they can't be read."""
    ending = picture_ending(data)
    if ending == "png" and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if ending == "webp":
        return _webp_size(data)
    return _jpeg_size(data) if ending == "jpg" else (0, 0)


def _webp_size(data: bytes) -> tuple[int, int]:
    kind, body = data[12:16], data[20:34]
    if len(body) < 10:
        return 0, 0
    if kind == b"VP8X":
        return int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return int.from_bytes(body[6:8], "little") & 0x3FFF, int.from_bytes(body[8:10], "little") & 0x3FFF


def _jpeg_size(data: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        if data[at + 1] in _FRAMES:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return 0, 0
