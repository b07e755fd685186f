"""Display names of sides, waves and other ids. Also generates new ids."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from turnwright.encounter.prepared import Creature, Point, RosterEntry
from turnwright.encounter.state import Encounter
from turnwright.encounter.wave_names import wave_name
from turnwright.ui.look.translations import tr

_SIDES = ("foes", "party")
_UNFIT = re.compile(r"[^a-z0-9]+")


def side_name(side: str) -> str:
    """Return a side as a heading, translated if it is a known side."""
    text = tr(f"ui.side.{side}")
    return side[:1].upper() + side[1:] if text.startswith("ui.side.") else text


def side_order(sides: Iterable[str]) -> list[str]:
    """Return sides in display order: enemies, party, then the others in their original order."""
    present = list(dict.fromkeys(sides))
    return [*(side for side in _SIDES if side in present), *(side for side in present if side not in _SIDES)]


def pending_waves(encounter: Encounter) -> list[tuple[str, str]]:
    """Return the ids and names of the pending waves in roster order."""
    waves = dict.fromkeys(entry.wave for entry in encounter.all(RosterEntry) if entry.wave)
    return [(wave, wave_name(wave)) for wave in waves]


def wave_by_name(encounter: Encounter, text: str) -> str:
    """Return the id of a wave by name, ignoring case, or the name itself if there is no such wave yet."""
    return next((wave for wave, name in pending_waves(encounter) if name.casefold() == text.casefold()), text)


def roster_entry_name(entry: RosterEntry, creature: Creature | None) -> str:
    """Return the name of a roster entry: its own, its creature's, or the creature's id."""
    return entry.name or (creature.name if creature else "") or entry.creature


def id_as_words(id: str) -> str:
    """Convert an id to words (`cold-weather-gear` → `cold weather gear`)."""
    return id.replace("-", " ").replace("_", " ")


def squares_text(squares: Iterable[Point]) -> str:
    """Return map squares as text (`3,4; 4,4`: column, row)."""
    return "; ".join(f"{column},{row}" for column, row in squares)


def unique_id(text: str, taken: Container[str], fallback: str) -> str:
    """Convert a text to an id that isn't taken. If it contains no letters or digits, use the fallback."""
    stem = _UNFIT.sub("-", text.casefold()).strip("-") or fallback
    id, number = stem, 2
    while id in taken:
        id, number = f"{stem}-{number}", number + 1
    return id
