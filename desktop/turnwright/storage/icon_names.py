"""The icons of the Material Design icon font in `resources/icon_font/`."""

from turnwright.storage.resources import read_text


def icon_codes() -> dict[str, str]:
    """Return the hexadecimal code point of each icon in the font, by name."""
    return dict(line.split(" ") for line in read_text("icon_font/names.txt").splitlines())
