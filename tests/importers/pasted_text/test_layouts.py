"""One creature pasted in many layouts: every value is right in each, or its line is marked.

The layouts and the values are data, in `layouts.toml`. Run `python -m tests.importers.pasted_text.test_layouts` to list
the values that differ.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import rtoml

from tests.for_each import for_each
from turnwright.encounter.prepared import Creature, SourceNote
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.formats import formats
from turnwright.importers.pasted_text.format import FORMAT, read_text
from turnwright.importers.results import ImportedRecord


@cache
def tables(name: str = "layouts") -> Any:
    return rtoml.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))


LAYOUTS = tuple(tables()["layouts"])


def text_of(layout: Any) -> str:
    """Return the text of the creature in a layout."""
    text = tables()["forms"][layout["form"]]["text"].lstrip()
    rows = text.split("\n")
    if "wrap" in layout:
        rows = [part for row in rows for part in wrapped(row, layout["wrap"], layout.get("cuts", False)) or [""]]
    if layout.get("beside"):
        half = (len(rows) + 1) // 2
        width = layout["wrap"] + 4
        rows = [
            f"{left:{width}}{right}".rstrip() for left, right in zip_longest(rows[:half], rows[half:], fillvalue="")
        ]
    text = "\n".join(rows)
    for pattern, by in layout.get("changes", ()):
        text = re.sub(pattern, by if isinstance(by, str) else lambda match: match[1].upper(), text)
    return text


def wrapped(row: str, width: int, cuts: bool) -> list[str]:
    """Return the lines of a row. If `cuts`, a word of small letters that doesn't fit is cut by a hyphen."""
    lines = textwrap.wrap(row, width, break_on_hyphens=False)
    if not cuts:
        return lines
    for at in range(len(lines) - 1):
        word = re.match(r"[a-z]{8,}", lines[at + 1])
        if word and len(lines[at]) + 5 < width:
            lines[at] += f" {word[0][:4]}-"
            lines[at + 1] = lines[at + 1][4:]
    return lines


def values_of(layout: Any) -> dict[str, Any]:
    """Return the values that a layout must give, by the path of each."""
    values = {**dict(tables()["forms"][layout["form"]]["values"]), **dict(layout.get("values", ()))}
    return {**values, "name": layout.get("name", values["name"])}


def plain(value: Any) -> Any:
    """Return a value of a creature in the form of the data."""
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return dict(value)
    if isinstance(value, tuple) and value and isinstance(value[0], SourceNote):
        return [note.text for note in value]
    return list(value) if isinstance(value, tuple) else value


def value_at(creature: Creature, path: str) -> Any:
    """Return the value of a creature, or of a feature of it, at a path."""
    if path == "features":
        return [feature.name for feature in creature.features]
    *names, field = path.rsplit(".", 1)
    owners = [one for one in creature.features if one.name == names[0]] if names else [creature]
    found = plain(getattr(owners[0], field)) if owners else None
    return found.lower() if isinstance(found, str) and field == "alignment" else found


def differences(name: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield the path of each value of a layout that is wrong, with the value found and the right one."""
    layout = tables()["layouts"][name]
    yield from compared(text_of(layout), values_of(layout))


def compared(text: str, values: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield the paths whose values in a text differ from the right ones, with both."""
    (found,) = read_text(text)
    for path, right in values.items():
        value = value_at(found.creature, path) if found.creature else None
        if value != right:
            yield path, value, right


@for_each("name", LAYOUTS)
def test_every_layout_gives_the_same_values(name: str) -> None:
    assert list(differences(name)) == []


@for_each("name", tables("things"))
def test_hazards_and_vehicles_are_read(name: str) -> None:
    thing = tables("things")[name]
    assert list(compared(thing["text"], dict(thing["values"]))) == []
    assert in_a_file(thing["text"]).name == dict(thing["values"])["name"]


def test_a_file_and_a_pasted_text_are_the_same() -> None:
    for layout in tables()["layouts"].values():
        found = in_a_file(text_of(layout))
        assert (found.system, found.name) == (tables()["forms"][layout["form"]]["system"], values_of(layout)["name"])


def in_a_file(text: str) -> ImportedRecord:
    """Return the creature of a text file."""
    document = parse_document(text.encode(), Path("note.txt"))
    assert isinstance(document, ParsedDocument), document
    assert [form.id for form in formats() if form.claims(document)] == [FORMAT.id]
    (found,) = FORMAT.read([document], "")
    assert isinstance(found, ImportedRecord), found
    return found


if __name__ == "__main__":
    wrong = {name: list(differences(name)) for name in LAYOUTS}
    for name, paths in wrong.items():
        for path, value, right in paths:
            print(f"{name}: {path} is {value!r}, not {right!r}")
    count = sum(len(values_of(layout)) for layout in tables()["layouts"].values())
    print(f"{len(LAYOUTS)} layouts, {count} values, {sum(map(len, wrong.values()))} wrong")
