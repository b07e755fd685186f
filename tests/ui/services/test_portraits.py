"""Pictures are read by the format of their content, so that no worker waits for the window with Python's lock held."""

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

import turnwright
from turnwright.ui.services.portraits import opened_buffer, page_image, picture_reader

SOURCE = Path(turnwright.__file__).parent


@pytest.fixture
def picture(qapp):
    picture = QImage(3, 2, QImage.Format.Format_RGB32)
    picture.fill(QColor(10, 20, 30))
    return picture


@pytest.mark.parametrize("ending", ["png", "jpg", "webp"])
def test_a_picture_is_read_by_its_content_whatever_its_name(picture, ending, tmp_path):
    path = tmp_path / f"a.{ending}"
    assert picture.save(str(path))
    path = path.rename(tmp_path / "a.gif")
    buffer = opened_buffer(path.read_bytes())
    for source in (path, buffer):
        reader = picture_reader(source)
        assert bytes(reader.format().data()).decode() in (ending, ending.replace("jpg", "jpeg"))
        assert reader.size() == picture.size()
        assert reader.read().size() == picture.size()


def test_a_picture_of_another_format_is_left_to_qt(picture, tmp_path):
    path = tmp_path / "a.bmp"
    assert picture.save(str(path))
    assert picture_reader(path).read().size() == picture.size()


def test_a_page_is_read(picture, tmp_path):
    path = tmp_path / "a.png"
    assert picture.save(str(path))
    assert page_image(path.read_bytes()).size() == picture.size()


def test_no_picture_is_read_with_the_lock_of_python_held():
    found = [
        path.name
        for path in SOURCE.rglob("*.py")
        if path.name != "portraits.py" and re.search(r"QImage\.fromData|QImageReader\((?!\))", path.read_text("utf-8"))
    ]
    assert found == []
