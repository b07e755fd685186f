"""Checks whether an image can be printed: its format is supported by Typst, its size is limited, and it is complete."""

from __future__ import annotations

import re
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 20_000_000
MAX_PIXELS: Final = 50_000_000
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_GIF: Final = (b"GIF87a", b"GIF89a")
_JPEG: Final = b"\xff\xd8\xff"
_JPEG_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # the segments that contain the image size
_JPEG_SCAN: Final = frozenset({0xDA})  # the segment before the pixels
_JPEG_END: Final = b"\xff\xd9"
_JPEG_BARE: Final = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a segment
_WEBP: Final = re.compile(rb"RIFF....WEBP(VP8 |VP8L|VP8X)", re.DOTALL)


def picture_size(content: bytes) -> tuple[int, int] | None:
    """Read an image's width and height in pixels from its first bytes. Return None if the format is unknown."""
    if content.startswith(_PNG) and content[12:16] == b"IHDR":
        return int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
    if content.startswith(_GIF):
        return int.from_bytes(content[6:8], "little"), int.from_bytes(content[8:10], "little")
    return _size_of_jpeg(content) if content.startswith(_JPEG) else _size_of_webp(content)


def picture_format(content: bytes) -> str:
    """Return Typst's name for an image's format, or an empty string if the format is unknown."""
    if content.startswith(_PNG):
        return "png"
    if content.startswith(_GIF):
        return "gif"
    if content.startswith(_JPEG):
        return "jpg"
    return "webp" if _WEBP.match(content) else ""


def can_be_shown(content: bytes) -> bool:
    """Return whether an image is small enough, and valid for Typst."""
    width, height = picture_size(content) or (0, 0)
    if not (0 < len(content) <= MAX_BYTES and 0 < width * height <= MAX_PIXELS):
        return False
    if content.startswith(_JPEG) and not _is_whole_jpeg(content):
        return False
    return _can_be_set(content)


@lru_cache(maxsize=8)
def _can_be_set(content: bytes) -> bool:
    """Return whether Typst accepts an image; an invalid one would make the whole document fail."""
    import typst  # a heavy library, loaded for the first image

    with tempfile.TemporaryDirectory(prefix="turnwright-picture-") as room:
        (Path(room) / "picture").write_bytes(content)
        main = Path(room) / "main.typ"
        main.write_text(f'#image("picture", format: "{picture_format(content)}", width: 1pt)', encoding="utf-8")
        try:
            typst.compile(main, root=Path(room), format="pdf", ignore_system_fonts=True)
        except typst.TypstError:
            return False
    return True


def _size_of_jpeg(content: bytes) -> tuple[int, int] | None:
    place = _segment_of_jpeg(content, _JPEG_FRAMES)
    if place < 0:
        return None
    return int.from_bytes(content[place + 7 : place + 9]), int.from_bytes(content[place + 5 : place + 7])


def _is_whole_jpeg(content: bytes) -> bool:
    """Return whether a JPEG has an end marker.

    Typst doesn't check this, and would print the missing part of a truncated image in grey.
    """
    return content.find(_JPEG_END, max(_segment_of_jpeg(content, _JPEG_SCAN), 0)) >= 0


def _segment_of_jpeg(content: bytes, markers: frozenset[int]) -> int:
    """Return the offset of the first segment with one of these markers, or -1."""
    place = 2
    while place + 9 <= len(content) and content[place] == 0xFF:
        marker = content[place + 1]
        if marker in markers:
            return place
        if marker == 0xFF:  # padding byte
            place += 1
        else:
            place += 2 if marker in _JPEG_BARE else 2 + int.from_bytes(content[place + 2 : place + 4])
    return -1


def _size_of_webp(content: bytes) -> tuple[int, int] | None:
    match = _WEBP.match(content)
    if match is None or len(content) < 30:
        return None
    if match[1] == b"VP8X":
        return 1 + int.from_bytes(content[24:27], "little"), 1 + int.from_bytes(content[27:30], "little")
    if match[1] == b"VP8L":
        bits = int.from_bytes(content[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    return int.from_bytes(content[26:28], "little") & 0x3FFF, int.from_bytes(content[28:30], "little") & 0x3FFF
