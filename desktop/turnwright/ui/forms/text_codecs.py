"""Converts values to one line of text and back: the alternatives of a multiattack, and source notes."""

import re

from turnwright.encounter.prepared import Creature, NamedNumbers, SourceNote
from turnwright.ui.look.style import tr

_WAY = re.compile(r"(?:([0-9]{1,2})\s*[x\N{MULTIPLICATION SIGN}]?\s+)?([a-z0-9][a-z0-9_-]*)")


def parse_multiattack(text: str) -> tuple[NamedNumbers, ...]:
    """Parse the alternatives of a multiattack, for example `1 bite, 2 claw; 2 longbow`."""
    ways = [[_WAY.fullmatch(part.strip()) for part in way.split(",")] for way in text.split(";") if way.strip()]
    return tuple(tuple((match[2], int(match[1] or 1)) for match in way if match) for way in ways)


def format_multiattack(alternatives: tuple[NamedNumbers, ...]) -> str:
    """Return the alternatives of a multiattack as text."""
    return "; ".join(", ".join(f"{count} {id}" for id, count in way) for way in alternatives)


def multiattack_error(text: str) -> str:
    """Return the error in the alternatives of a multiattack, or an empty string if they are valid."""
    parts = [part.strip() for way in text.split(";") if way.strip() for part in way.split(",")]
    malformed = next((part for part in parts if not _WAY.fullmatch(part)), None)
    return "" if malformed is None else tr("ui.feature.not-multiattack", text=malformed)


def parse_source_notes(text: str) -> tuple[SourceNote, ...]:
    """Parse source notes, for example `speeds: 40 feet as a boar; ac: 13 while prone`."""
    pairs = [part.partition(":") for part in text.split(";") if part.strip()]
    return tuple(SourceNote(about.strip(), words.strip()) for about, _, words in pairs)


def format_source_notes(notes: tuple[SourceNote, ...]) -> str:
    """Return source notes as text."""
    return "; ".join(f"{remark.about}: {remark.text.replace(';', ',')}" for remark in notes)


def source_notes_error(text: str) -> str:
    """Return the error in source notes, or an empty string if they are valid."""
    fields = Creature.__struct_fields__
    parts = [part.partition(":") for part in text.split(";") if part.strip()]
    malformed = next(
        (about.strip() for about, _, words in parts if about.strip() not in fields or not words.strip()), None
    )
    return "" if malformed is None else tr("ui.creature.not-remark", text=malformed)
