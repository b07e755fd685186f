"""Merges a feature's data with the numbers of its prose; data wins, and differences are reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator
from turnwright.storage.statblock_text.areas import area_in
from turnwright.storage.statblock_text.feature_text import MAX_TEXT_LENGTH
from turnwright.storage.statblock_text.features import feature_of

NO_GUESSES: Final[Mapping[str, tuple[Any, str]]] = {}


def merged_feature(
    ids: IdAllocator, name: str, text: str, cost: str, report: ConversionReport, known: Mapping[str, Any],
    guessed: Mapping[str, tuple[Any, str]] = NO_GUESSES,
) -> Feature:  # fmt: skip
    """Return a feature with the numbers of its data, and those that only its text states.

    `guessed` are numbers that the data leaves open, with the reasons for them: prose goes before them, and a used guess
    is reported.
    """
    given = {field: value for field, value in known.items() if value is not None}
    if (
        "area" in given
        and len(text) <= MAX_TEXT_LENGTH
        and (said := area_in(text))
        and said.partition(",")[0] == given["area"].partition(",")[0]
    ):
        given["area"] = said  # the text's area may have a width or a height too
    feature = feature_of(ids, name, text, cost, report, given, hit="attack" in guessed)
    changes: dict[str, Any] = {}
    for field, (value, why) in guessed.items():
        if not getattr(feature, field):
            changes[field] = value
            report.add_note(f"{name}: {field}", str(value), why)
    return msgspec.structs.replace(feature, **changes) if changes else feature
