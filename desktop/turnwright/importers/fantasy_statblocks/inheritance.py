"""Resolves stat blocks that extend others: `monster: Goblin`, `creature: …`, `extends: [...]`, `traits+`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.fantasy_statblocks.notes import LINKS, FoundBlock, name_of
from turnwright.storage.conversion_report import ConversionReport, UnreadableError

_MERGED: Final = ("traits", "actions", "bonusactions", "reactions", "legendaryactions", "mythicactions", "lairactions")
MAX_STEPS: Final = 40
Data = Mapping[str, Any]


class Bestiary:
    """The stat blocks of an import by name, ignoring case."""

    def __init__(self, found: Sequence[FoundBlock]) -> None:
        self._blocks: dict[str, Data] = {}
        for block in found:
            name = name_of(block.data.get("name"))
            if name:
                self._blocks.setdefault(name.casefold(), block.data)

    def is_reference(self, data: Data) -> bool:
        """Whether a block only refers to another block of the bestiary."""
        bases = _bases(data)
        shown = data.keys() - {*LINKS, "layout", "dice", "columns", "render", "image"}
        return not shown and bool(bases) and bases[0].casefold() in self._blocks

    def resolved(self, data: Data, report: ConversionReport) -> dict[str, Any]:
        """Return a block merged with those it extends. Raise UnreadableError if it is circular or a base is missing."""
        return self._merged(data, report, iter(range(MAX_STEPS)))

    def _merged(self, data: Data, report: ConversionReport, steps: Iterator[int]) -> dict[str, Any]:
        if next(steps, None) is None:
            raise UnreadableError("extends itself, or too many other stat blocks")
        merged: dict[str, Any] = {}
        for base in _bases(data):
            other = self._blocks.get(base.casefold())
            if other is None or other is data:
                if "hp" not in data:
                    raise UnreadableError(f"extends {base!r}, which is not among the imported files")
                report.add_note(
                    "monster", base, "the extended stat block is not among the imported files; only this block is used"
                )
                continue
            merged.update(self._merged(other, report, steps))
        for key, value in data.items():
            _put(merged, key, value)
        return merged


def _bases(data: Data) -> list[str]:
    values = [data.get(key) for key in LINKS]
    named = (link for value in values for link in (value if isinstance(value, list) else [value]))
    return [name for link in named if (name := name_of(link))]


def _put(merged: dict[str, Any], key: str, value: Any) -> None:
    """Override a key of the base block: features are merged by name, other values are replaced."""
    plain = key.rstrip("+")
    if key != plain:
        merged[plain] = [*as_list(merged.get(plain)), *as_list(value)]
    elif plain in _MERGED and isinstance(value, list) and isinstance(merged.get(plain), list):
        names = {_called(feature) for feature in value}
        merged[plain] = [*(feature for feature in merged[plain] if _called(feature) not in names), *value]
    elif value is not None or plain not in merged:
        merged[plain] = value


def _called(feature: Any) -> str:
    first = feature[0] if isinstance(feature, list) and feature else as_mapping(feature).get("name")
    return as_text(first).strip().casefold()
