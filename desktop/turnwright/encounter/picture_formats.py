"""The formats of image files: their sizes, whether they are complete, and JPEG files without their metadata."""

import re
from collections.abc import Iterator
from typing import Final

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_GIF: Final = (b"GIF87a", b"GIF89a")
_JPEG: Final = b"\xff\xd8\xff"
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # the segments that contain the image size
_SCAN, _EXIF, _COMMENT = 0xDA, 0xE1, 0xFE  # the segment before the pixels, and two with metadata
_PROGRAMS: Final = frozenset(range(0xE1, 0xF0)) - {0xE2, 0xEE}  # segments of programs, except those about colours
_END: Final = b"\xff\xd9"
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
    """Return a JPEG without comments, metadata or anything after the image. Other formats are returned unchanged.

    Typst copies JPEG files into documents as they are. The orientation is kept, because Typst applies it.
    """
    kept, turned, scan = b"", 1, 0
    for marker, start, end in _segments(content):
        if marker == _SCAN:
            scan = start
        elif marker not in _PROGRAMS and marker != _COMMENT:
            kept += content[start:end]
        elif marker == _EXIF and (match := _TURNED.search(content, start, end)) is not None:
            turned = (match[1] or match[2])[0]
    if not scan:
        return content
    tiff = b"MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1" + turned.to_bytes(2) + b"\0" * 6
    exif = b"\xff\xe1" + (len(tiff) + 8).to_bytes(2) + b"Exif\0\0" + tiff if turned > 1 else b""
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
