"""The data of the window in `resources/window.toml`: panels, arrangements, icons, tools and keys."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
import rtoml

from turnwright.storage.resources import read_text

T = TypeVar("T")
IconAndTone = tuple[str, str]


@cache
def _tables() -> Mapping[str, Any]:
    return rtoml.loads(read_text("window.toml"))


def window_data(path: str, kind: type[T]) -> T:
    """Return the value at a path, such as `map.tools`."""
    value: Any = _tables()
    for key in path.split("."):
        value = value[key]
    return msgspec.convert(value, kind)


def icons(part: str) -> Mapping[str, IconAndTone]:
    """Return the icons of a part of the window, and the tones of their colours."""
    return window_data(f"icons.{part}", dict[str, IconAndTone])


def icon_names(part: str) -> Mapping[str, str]:
    """Return the icons of a part of the window that have no tones."""
    return window_data(f"icon.{part}", dict[str, str])


KINDS_OF_RECORDS: Final = window_data("handouts.records", dict[str, tuple[str, ...]])  # by table, the usual kind first
