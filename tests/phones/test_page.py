"""The page's own files: nothing from elsewhere, nothing that could make markup of what is sent, all words filled in."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.for_each import for_each
from tests.phones.phone import WORDS
from turnwright.phones.admission import is_private, local_addresses
from turnwright.phones.message import PhoneCountdown, PhoneDie, PhoneMessage, PhoneRow
from turnwright.phones.server import page_files
from turnwright.storage.resources import read_text

FILES = {path: file.content.decode() for path, file in page_files(read_text, WORDS).items()}


class Tags(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture
def tags() -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed(FILES["/"])
    return parser.found


def test_nothing_comes_from_elsewhere(tags) -> None:
    assert not re.search(r"https?:|//[a-z]|@import|url\(", "".join(FILES.values()).replace("// ", ""))
    named = {value for _, attributes in tags for name, value in attributes.items() if name in ("src", "href")}
    assert named == {"/page.css", "/page.js"}


def test_the_page_has_no_inline_scripts_or_styles(tags) -> None:
    assert not [name for _, attributes in tags for name in attributes if name.startswith("on") or name == "style"]
    assert [attributes.get("src") for tag, attributes in tags if tag == "script"] == ["/page.js"]
    assert "style" not in {tag for tag, _ in tags}


def test_the_page_shows_received_values_as_text() -> None:
    makers = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(|createContextualFragment|DOMParser|srcdoc"
    assert not re.search(makers, FILES["/page.js"])
    assert "textContent" in FILES["/page.js"]


def test_all_that_the_script_looks_up_is_in_the_page(tags) -> None:
    script = FILES["/page.js"]
    asked = set(re.findall(r'(?:byId|setText|show)\("([\w-]+)"', script))
    asked |= set(re.findall(r'"([\w-]+)"', re.search(r"REFUSED = \[(.*)\]", script).group(1)))
    assert len(asked) > 12
    assert asked <= {attributes.get("id") for _, attributes in tags}


def test_the_script_reads_what_is_sent() -> None:
    script = FILES["/page.js"]
    for record, name in ((PhoneMessage, "message"), (PhoneRow, "one"), (PhoneCountdown, "one"), (PhoneDie, "die")):
        assert [field for field in record.__struct_fields__ if f"{name}.{field}" not in script] == []


def test_texts_in_the_page_are_escaped() -> None:
    page = page_files(read_text, lambda key, **_: f"<b>$title & {key}</b>")["/"].content.decode()
    assert "<b>" not in page
    assert "&lt;b&gt;$title &amp; phones.page.join&lt;/b&gt;" in page


@for_each(
    ("address", "private"),
    [
        ("192.168.1.4", True),
        ("10.0.0.1", True),
        ("172.16.9.1", True),
        ("169.254.3.3", True),
        ("127.0.0.1", True),
        ("0.0.0.0", False),
        ("8.8.8.8", False),
        ("example.org", False),
        ("::1", False),
        ("", False),
    ],
)
def test_only_addresses_of_private_networks_are_private(address, private) -> None:
    assert is_private(address) is private


def test_the_addresses_found_are_private_and_each_is_there_once() -> None:
    found = local_addresses()
    assert all(map(is_private, found))
    assert "127.0.0.1" not in found
    assert len(found) == len(set(found))


def test_every_test_that_the_document_names_is_there() -> None:
    root = Path(__file__).parents[2]
    named = set(re.findall(r"`(test_\w+)`", (root / "docs" / "phones.md").read_text(encoding="utf-8")))
    files = (
        *(root / "tests" / "phones").glob("test_*.py"),
        root / "tests" / "ui" / "controllers" / "test_phones_controller.py",
    )
    written = set(re.findall(r"def (test_\w+)", "".join(file.read_text(encoding="utf-8") for file in files)))
    assert len(named) > 30
    assert named - written == set()
