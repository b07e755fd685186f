"""Merges the data of a feature with the numbers in its text. Data takes precedence, and differences are reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.importers.foundry.reading import ActorReading
from turnwright.importers.foundry.units import ORDINALS
from turnwright.importers.statblock_text.areas import area_in
from turnwright.importers.statblock_text.feature_text import MAX_TEXT_LENGTH
from turnwright.importers.statblock_text.features import feature_of

NO_GUESSES: Final[Mapping[str, tuple[Any, str]]] = {}


def add_feature(
    name: str, text: str, cost: str, known: Mapping[str, Any], reading: ActorReading,
    guessed: Mapping[str, tuple[Any, str]] = NO_GUESSES,
) -> None:  # fmt: skip
    """Add a feature with the numbers from its data, completed with numbers that only its text states.

    `guessed` contains guesses for numbers missing from the data, each with a reason. Numbers in the text take
    precedence over them. Every guess that is used is reported.
    """
    fields = {field: value for field, value in known.items() if value is not None}
    if (
        "area" in fields
        and len(text) <= MAX_TEXT_LENGTH
        and (area := area_in(text))
        and area.partition(",")[0].replace("emanation", "radius") == fields["area"].partition(",")[0]
    ):
        fields["area"] = area  # the text may also give a width or height
    feature = feature_of(reading.ids, name, text, cost, reading.report, fields, hit="attack" in guessed)
    changes: dict[str, Any] = {}
    for field, (value, why) in guessed.items():
        if not getattr(feature, field):
            changes[field] = value
            reading.report.add_note(f"{name}: {field}", str(value), why)
    reading.features.append(msgspec.structs.replace(feature, **changes) if changes else feature)


def name_spells(reading: ActorReading) -> None:
    """Add spells that no spellcasting feature mentions to the first such feature, or to a new one if there is none."""
    features = reading.features
    hosts = [at for at, feature in enumerate(features) if "spellcasting" in feature.name.lower()]
    texts = " ".join(features[at].text for at in hosts).lower()
    missing: dict[int, dict[str, None]] = {}
    for name, limit, level in reading.spells:
        if name and name.lower() not in texts:
            missing.setdefault(min(max(level, 0), 9), {})[f"{name}{limit}"] = None
    if reading.spells:
        why = "only the spells' names are kept, not their rules texts"
        reading.report.add_note("items: spells", str(len(reading.spells)), why)
    lines = "\n".join(f"{ORDINALS[level]}: {', '.join(names)}" for level, names in sorted(missing.items()))
    if lines and hosts:
        host = features[hosts[0]]
        features[hosts[0]] = msgspec.structs.replace(host, text=f"{host.text}\n{lines}".strip())
    elif lines:
        add_feature("Spells", lines, "trait", {}, reading)
