"""The formats of image files: their sizes, whether they are complete, and their content without metadata.

Typst copies JPEG files into PDFs, and all formats into SVG pages. Comments, descriptions, positions and thumbnails may
reveal secrets, so only what the pixels need is kept: colours, transparency, and the orientation, which Typst applies.
"""

import re
import zlib
from collections.abc import Iterator
from typing import Final, Literal

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_GIF: Final = (b"GIF87a", b"GIF89a")
_JPEG: Final = b"\xff\xd8\xff"
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # the segments that contain the image size
_SCAN, _EXIF, _COMMENT = 0xDA, 0xE1, 0xFE  # the segment before the pixels, and two with metadata
_PROGRAMS: Final = frozenset(range(0xE1, 0xF0)) - {0xE2, 0xEE}  # segments of programs, except those about colours
_END: Final = b"\xff\xd9"
_IN_PNG: Final = (
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"cICP", b"sBIT", b"pHYs",
)  # fmt: skip
_IN_WEBP: Final = (b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ICCP", b"ANIM", b"ANMF")
_NOTES_IN_WEBP, _EXIF_IN_WEBP = 0x0C, 0x08
_GIF_BLOCKS, _SHOWN_IN_GIF = (b",", b"!"), b"\xf9"
_BARE: Final = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a segment
_WEBP: Final = re.compile(rb"RIFF....WEBP(VP8 |VP8L|VP8X)", re.DOTALL)
# Metadata of an image that isn't upright: the tag and a number, in either byte order.
_TURNED: Final = re.compile(rb"\x01\x12\0\x03\0\0\0\x01\0([\x02-\x08])|\x12\x01\x03\0\x01\0\0\0([\x02-\x08])")


def picture_format(content: bytes) -> str:
    """Return the usual file extension of an image's format, or an empty string if the format is unknown."""
    if content.startswith((_PNG, _JPEG)):
        return "png" if content.startswith(_PNG) else "jpg"
    if content.startswith(_GIF):
        return "gif"
    return "webp" if content[:4] == b"RIFF" and content[8:12] == b"WEBP" else ""


def picture_size(content: bytes) -> tuple[int, int]:
    """Read an image's width and height in pixels from its first bytes, or return (0, 0) if they can't be read."""
    if content.startswith(_PNG) and content[12:16] == b"IHDR" and len(content) >= 24:
        return int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
    if content.startswith(_GIF):
        return int.from_bytes(content[6:8], "little"), int.from_bytes(content[8:10], "little")
    if not content.startswith(_JPEG):
        return _size_of_webp(content)
    start = next((start for marker, start, _end in _segments(content) if marker in _FRAMES), len(content))
    return int.from_bytes(content[start + 7 : start + 9]), int.from_bytes(content[start + 5 : start + 7])


def is_whole_jpeg(content: bytes) -> bool:
    """Return whether a JPEG has an end marker.

    Typst doesn't check this, and would print the missing part of a truncated image in grey.
    """
    start = next((start for marker, start, _end in _segments(content) if marker == _SCAN), 0)
    return content.find(_END, start) >= 0


def without_metadata(content: bytes) -> bytes:
    """Return an image without comments, metadata or anything after the image. Unknown formats are returned unchanged."""
    form = picture_format(content)
    bare = {"png": _bare_png, "jpg": _bare_jpeg, "gif": _bare_gif, "webp": _bare_webp}.get(form)
    return bare(content) if bare is not None else content


def _bare_png(content: bytes) -> bytes:
    parts = [_PNG]
    for kind, start, end in _chunks(content, 8, "big"):
        turned = _turned(content, start, end) if kind == b"eXIf" else b""
        if turned:
            parts += [len(turned).to_bytes(4), kind, turned, zlib.crc32(kind + turned).to_bytes(4)]
        elif kind in _IN_PNG:
            parts.append(content[start:end])
        if kind == b"IEND":
            break
    return b"".join(parts)


def _bare_webp(content: bytes) -> bytes:
    parts: list[bytes] = []
    for kind, start, end in _chunks(content[: 8 + int.from_bytes(content[4:8], "little")], 12, "little"):
        turned = _turned(content, start, end) if kind == b"EXIF" else b""
        if turned:
            parts += [kind, len(turned).to_bytes(4, "little"), turned]
        elif kind in _IN_WEBP:
            parts.append(content[start:end])
    if parts and parts[0][:4] == b"VP8X":  # its flags name the other chunks
        flags = int.from_bytes(parts[0][8:9]) & ~_NOTES_IN_WEBP | (_EXIF_IN_WEBP if b"EXIF" in parts else 0)
        parts[0] = parts[0][:8] + bytes([flags]) + parts[0][9:]
    body = b"WEBP" + b"".join(parts)
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def _bare_gif(content: bytes) -> bytes:
    """Return a GIF with its colours, its images and how they are shown, without its other extensions."""

    def after_blocks(place: int) -> int:
        while content[place : place + 1] > b"\0":
            place += content[place] + 1
        return place + 1

    def colours(place: int) -> int:
        flags = int.from_bytes(content[place : place + 1])
        return 3 << (flags & 7) + 1 if flags & 0x80 else 0

    place = 13 + colours(10)
    parts = [content[:place]]
    while content[place : place + 1] in _GIF_BLOCKS:
        start, is_image = place, content[place : place + 1] == b","
        place = after_blocks(place + (11 + colours(place + 9) if is_image else 2))
        if is_image or content[start + 1 : start + 2] == _SHOWN_IN_GIF:
            parts.append(content[start:place])
    return b"".join((*parts, b";"))


def _chunks(content: bytes, place: int, order: Literal["big", "little"]) -> Iterator[tuple[bytes, int, int]]:
    """Yield the kind, start and end of each chunk of a PNG or WebP."""
    kind_at, size_at, more = (4, 0, 12) if order == "big" else (0, 4, 8)
    while place + more <= len(content):
        size = int.from_bytes(content[place + size_at : place + size_at + 4], order)
        end = place + more + size + (size % 2 if order == "little" else 0)
        yield content[place + kind_at : place + kind_at + 4], place, end
        place = end


def _turned(content: bytes, start: int, end: int) -> bytes:
    """Return metadata with only the orientation of an image, or nothing if it is upright."""
    match = _TURNED.search(content, start, end)
    return b"MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0" + (match[1] or match[2]) + b"\0" * 6 if match is not None else b""


def _bare_jpeg(content: bytes) -> bytes:
    kept, turned, scan = b"", b"", 0
    for marker, start, end in _segments(content):
        if marker == _SCAN:
            scan = start
        elif marker not in _PROGRAMS and marker != _COMMENT:
            kept += content[start:end]
        elif marker == _EXIF:
            turned = turned or _turned(content, start, end)
    if not scan:
        return content
    exif = b"\xff\xe1" + (len(turned) + 8).to_bytes(2) + b"Exif\0\0" + turned if turned else b""
    end = content.find(_END, scan)
    return content[:2] + exif + kept + content[scan : end + 2 if end >= 0 else None]


def _segments(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the marker, start and end of each segment of a JPEG, up to its pixels."""
    place = 2
    while place + 9 <= len(content) and content[place] == 0xFF:
        marker = content[place + 1]
        if marker == 0xFF:  # padding byte
            place += 1
            continue
        end = place + 2 + (0 if marker in _BARE else int.from_bytes(content[place + 2 : place + 4]))
        yield marker, place, end
        place = end if marker != _SCAN else len(content)


def _size_of_webp(content: bytes) -> tuple[int, int]:
    match = _WEBP.match(content)
    if match is None or len(content) < 30:
        return 0, 0
    if match[1] == b"VP8X":
        return 1 + int.from_bytes(content[24:27], "little"), 1 + int.from_bytes(content[27:30], "little")
    if match[1] == b"VP8L":
        bits = int.from_bytes(content[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    return int.from_bytes(content[26:28], "little") & 0x3FFF, int.from_bytes(content[28:30], "little") & 0x3FFF
