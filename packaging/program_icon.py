"""Writes the program's icon in the formats of Windows and macOS, which contain the pictures in `resources/icon`."""

from __future__ import annotations

import struct
from pathlib import Path

PICTURES = Path(__file__).resolve().parent.parent / "resources" / "icon"
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
_ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
_ICNS_TYPES = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}


def picture(size: int) -> Path:
    """Return the path of the icon with a width in pixels."""
    return PICTURES / f"turnwright-{size}.png"


def write_ico(path: Path) -> Path:
    """Write the icon in the format of Windows, and return its path."""
    pictures = [(size, picture(size).read_bytes()) for size in _ICO_SIZES]
    head, offset = struct.pack("<HHH", 0, 1, len(pictures)), 6 + 16 * len(pictures)
    for size, content in pictures:
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(content), offset)
        offset += len(content)
    return _write(path, head + b"".join(content for _, content in pictures))


def write_icns(path: Path) -> Path:
    """Write the icon in the format of macOS, and return its path."""
    parts = [(kind, picture(size).read_bytes()) for size, kind in _ICNS_TYPES.items()]
    body = b"".join(kind + struct.pack(">I", len(content) + 8) + content for kind, content in parts)
    return _write(path, b"icns" + struct.pack(">I", len(body) + 8) + body)


def _write(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
