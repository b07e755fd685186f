"""The files of the page with their texts filled in. They contain nothing about the fight, which is sent in messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from string import Template
from types import MappingProxyType

import msgspec

from turnwright.phones.message import PhoneWords

HTML, SCRIPT, STYLE = "page.html", "page.js", "page.css"
_WORDS = (
    "title",
    "join",
    "code",
    "code-hint",
    "wrong",
    "closed",
    "full",
    "lost",
    "ended",
    "removed",
    "order",
    "picture",
)


class PageFile(msgspec.Struct, frozen=True):
    """The response for a path: its content and media type."""

    type: str
    content: bytes


def page_files(read_text: Callable[[str], str], words: PhoneWords) -> Mapping[str, PageFile]:
    """Return the files that are served without a token, keyed by path.

    `read_text` reads a shipped file, given its path in the resources folder.
    """
    filled_in = {key.replace("-", "_"): escape(words(f"phones.page.{key}")) for key in _WORDS}
    html = Template(read_text(f"phones/{HTML}")).substitute(filled_in)
    return MappingProxyType(
        {
            "/": PageFile("text/html; charset=utf-8", html.encode()),
            f"/{SCRIPT}": PageFile("text/javascript; charset=utf-8", read_text(f"phones/{SCRIPT}").encode()),
            f"/{STYLE}": PageFile("text/css; charset=utf-8", read_text(f"phones/{STYLE}").encode()),
        }
    )
