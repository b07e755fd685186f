"""Image files: their formats and sizes, and nothing in printed documents but the images themselves."""

from __future__ import annotations

import zlib
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


def png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    plain = image("png")
    notes = chunk(b"tEXt", b"Comment\0" + SECRET) + chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + SECRET)
    return plain[:33] + notes + chunk(b"eXIf", exif(1)) + plain[33:]


def webp() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return kind + len(data).to_bytes(4, "little") + data + b"\0" * (len(data) % 2)

    size = (59).to_bytes(3, "little") + (39).to_bytes(3, "little")
    body = b"WEBP" + chunk(b"VP8X", b"\x0c\0\0\0" + size) + image("webp")[12:]
    body += chunk(b"EXIF", exif(1)) + chunk(b"XMP ", SECRET)
    return b"RIFF" + len(body).to_bytes(4, "little") + body


@pytest.mark.parametrize(
    ("picture", "height"),
    [(png(), 40), (jpeg(1), 40), (jpeg(6), 90), (webp(), 40)],
    ids=["png", "jpeg", "turned", "webp"],
)
def test_a_printed_picture_has_no_metadata(picture, height, tmp_path) -> None:
    import typst

    assert SECRET in picture
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


def test_a_picture_without_metadata_is_the_same_picture() -> None:
    for turned in range(10):
        bare = without_metadata(jpeg(turned))
        assert QImage.fromData(bare) == QImage.fromData(image("jpeg"))
        assert (picture_size(bare), can_be_shown(bare), SECRET in bare) == ((60, 40), True, False)
    for data in (png(), b"", b"\xff\xd8\xff", jpeg(1)[:40]):
        assert without_metadata(data) == data
