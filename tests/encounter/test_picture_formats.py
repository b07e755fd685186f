"""Image files: their formats and sizes, and nothing in printed documents but the images themselves."""

from __future__ import annotations

import re
import zlib
from base64 import b64decode
from io import BytesIO

import pytest
from pypdf import PdfReader
from PySide6.QtGui import QColor, QImage

from tests.importers.test_universal_vtt import PNG
from turnwright.encounter.picture_formats import picture_format, picture_size, without_metadata
from turnwright.handouts.page_input import PageInput, PrintOptions, can_be_shown
from turnwright.ui.services.portraits import encoded

SECRET = b"the vampire is the innkeeper"


@pytest.mark.parametrize(
    ("data", "ending", "size"),
    [
        (PNG, "png", (640, 512)),
        (bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffc00011080200028003012200"), "jpg", (640, 512)),
        (b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + bytes([127, 2, 0, 255, 1, 0]) + b"\0" * 9, "webp", (640, 512)),
        (b"GIF89a", "gif", (0, 0)),
        (PNG[:12], "png", (0, 0)),
    ],
)
def test_format_and_size_of_a_picture(data: bytes, ending: str, size: tuple[int, int]) -> None:
    assert (picture_format(data), picture_size(data)) == (ending, size)


def image(kind: str) -> bytes:
    picture = QImage(60, 40, QImage.Format.Format_RGB32)
    picture.fill(QColor(90, 120, 80))
    return encoded(picture, kind)


def exif(turned: int) -> bytes:
    """Return metadata with a description and how the image is turned."""
    entries = b"\x0e\x01\x02\0" + len(SECRET).to_bytes(4, "little") + b"\x26\0\0\0"
    entries += b"\x12\x01\x03\0\x01\0\0\0" + turned.to_bytes(4, "little")
    return b"II*\0\x08\0\0\0\x02\0" + entries + b"\0\0\0\0" + SECRET


def jpeg(turned: int) -> bytes:
    def segment(marker: int, data: bytes) -> bytes:
        return bytes([0xFF, marker]) + (len(data) + 2).to_bytes(2) + data

    plain = image("jpeg")
    xmp = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + SECRET)
    notes = segment(0xE1, b"Exif\0\0" + exif(turned)) + xmp + segment(0xED, SECRET) + segment(0xFE, SECRET)
    return plain[:2] + notes + plain[2:] + SECRET


def png(turned: int = 1) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    plain = image("png")
    notes = chunk(b"tEXt", b"Comment\0" + SECRET) + chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + SECRET)
    return plain[:33] + notes + chunk(b"eXIf", exif(turned)) + plain[33:] + SECRET


def webp(turned: int = 1) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return kind + len(data).to_bytes(4, "little") + data + b"\0" * (len(data) % 2)

    size = (59).to_bytes(3, "little") + (39).to_bytes(3, "little")
    body = b"WEBP" + chunk(b"VP8X", b"\x0c\0\0\0" + size) + image("webp")[12:]
    body += chunk(b"EXIF", exif(turned)) + chunk(b"XMP ", SECRET) + chunk(b"NOTE", SECRET)
    return b"RIFF" + len(body).to_bytes(4, "little") + body + SECRET


def gif() -> bytes:
    """Return a GIF of two images with a comment, a program's note, and a text after its end."""
    colours = bytes((90, 120, 80, 0, 0, 0))
    comment = b"!\xfe" + bytes([len(SECRET)]) + SECRET + b"\0"
    note = b"!\xff\x0bXMP DataXMP" + bytes([len(SECRET)]) + SECRET + b"\0"
    shown = b"!\xf9\4\0\0\0\0\0" + b",\0\0\0\0\1\0\1\0\0" + b"\2\2\x44\1\0"
    again = b",\0\0\0\0\1\0\1\0\x80" + colours + b"\2\2\x44\1\0"
    return b"GIF89a\1\0\1\0\x80\0\0" + colours + note + comment + shown + comment + again + b";" + SECRET


@pytest.mark.parametrize(
    ("picture", "height"),
    [(png(), 40), (png(6), 90), (jpeg(1), 40), (jpeg(6), 90), (webp(), 40), (webp(6), 90), (gif(), 60)],
    ids=["png", "turned-png", "jpeg", "turned", "webp", "turned-webp", "gif"],
)
def test_a_printed_picture_has_no_metadata(picture, height, tmp_path) -> None:
    import typst

    assert SECRET in picture
    kept = picture_size(picture)
    source = PageInput(None, None, str, PrintOptions(), lambda _name: picture)  # type: ignore[arg-type]
    printed = source.printable_picture("map")
    assert printed is not None
    (tmp_path / printed.name).write_bytes(printed.content)
    page = "#set page(width: auto, height: auto, margin: 0pt)\n"
    (tmp_path / "main.typ").write_text(f'{page}#image("{printed.name}", width: 60pt)')
    pdf = typst.compile(tmp_path / "main.typ", root=tmp_path)
    reader = PdfReader(BytesIO(pdf))
    assert SECRET not in pdf
    drawn = reader.pages[0]["/Resources"]["/XObject"].values()
    assert drawn
    assert not [each for each in drawn if SECRET in each.get_object().get_data()]
    assert reader.pages[0].mediabox[3] == height
    assert (picture_size(printed.content), SECRET in printed.content) == (kept, False)
    svg = typst.compile(tmp_path / "main.typ", root=tmp_path, format="svg")
    assert not [each for each in re.findall(rb"base64,([\w+/=]+)", svg) if SECRET in b64decode(each)]


def test_a_picture_without_metadata_is_the_same_picture() -> None:
    for turned in range(10):
        bare = without_metadata(jpeg(turned))
        assert QImage.fromData(bare) == QImage.fromData(image("jpeg"))
        assert (picture_size(bare), can_be_shown(bare), SECRET in bare) == ((60, 40), True, False)
    for made, kind in ((png, "png"), (webp, "webp")):
        for turned in range(10):
            bare = without_metadata(made(turned))
            assert QImage.fromData(bare) == QImage.fromData(made(turned))
            assert (picture_size(bare), can_be_shown(bare), SECRET in bare) == ((60, 40), True, False)
            if not 2 <= turned <= 8 and kind == "png":
                assert bare == image("png")
    bare = without_metadata(gif())
    assert (QImage.fromData(bare), len(bare)) == (QImage.fromData(gif()), 64)
    assert (can_be_shown(bare), SECRET in bare) == (True, False)
    for data in (b"", b"\xff\xd8\xff", jpeg(1)[:40], b"<svg/>"):
        assert without_metadata(data) == data


@pytest.mark.parametrize("made", [png, webp, gif, lambda: jpeg(6)], ids=["png", "webp", "gif", "jpeg"])
def test_a_cut_picture_gives_no_error(made) -> None:
    data = made()
    for end in range(len(data)):
        assert len(without_metadata(data[:end])) <= max(end + 1, 20)
