"""Merges a feature's data with the numbers of its prose; data wins, and differences are reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.storage.importers.foundry.reading import ActorReading
from turnwright.storage.importers.foundry.units import ORDINALS
from turnwright.storage.statblock_text.areas import area_in
from turnwright.storage.statblock_text.feature_text import MAX_TEXT_LENGTH
from turnwright.storage.statblock_text.features import feature_of

NO_GUESSES: Final[Mapping[str, tuple[Any, str]]] = {}


def add_feature(
    name: str, text: str, cost: str, known: Mapping[str, Any], reading: ActorReading,
    guessed: Mapping[str, tuple[Any, str]] = NO_GUESSES,
) -> None:  # fmt: skip
    """Add a feature with the numbers of its data, and those that only its text states.

    `guessed` are numbers that the data leaves open, with the reasons for them: prose goes before them, and a used guess
    is reported.
    """
    given = {field: value for field, value in known.items() if value is not None}
    if (
        "area" in given
        and len(text) <= MAX_TEXT_LENGTH
        and (said := area_in(text))
        and said.partition(",")[0].replace("emanation", "radius") == given["area"].partition(",")[0]
    ):
        given["area"] = said  # the text's area may have a width or a height too
    feature = feature_of(reading.ids, name, text, cost, reading.report, given, hit="attack" in guessed)
    changes: dict[str, Any] = {}
    for field, (value, why) in guessed.items():
        if not getattr(feature, field):
            changes[field] = value
            reading.report.add_note(f"{name}: {field}", str(value), why)
    reading.features.append(msgspec.structs.replace(feature, **changes) if changes else feature)


def name_spells(reading: ActorReading) -> None:
    """Add the spells that no spellcasting feature's text names to the first of these, else as a feature of their own."""
    features = reading.features
    hosts = [at for at, one in enumerate(features) if "spellcasting" in one.name.lower()]
    said = " ".join(features[at].text for at in hosts).lower()
    missing: dict[int, dict[str, None]] = {}
    for name, limit, level in reading.spells:
        if name and name.lower() not in said:
            missing.setdefault(min(max(level, 0), 9), {})[f"{name}{limit}"] = None
    if reading.spells:
        why = "are kept by their names; their own rules text isn't"
        reading.report.add_note("items: spells", str(len(reading.spells)), why)
    lines = "\n".join(f"{ORDINALS[level]}: {', '.join(names)}" for level, names in sorted(missing.items()))
    if lines and hosts:
        host = features[hosts[0]]
        features[hosts[0]] = msgspec.structs.replace(host, text=f"{host.text}\n{lines}".strip())
    elif lines:
        add_feature("Spells", lines, "trait", {}, reading)
