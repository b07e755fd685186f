"""The report of a fight: sentences, a table of combatants, charts of damage and hit points, and the rewards.

The players' edition is made from a report that excludes the facts hidden from them.
"""

from typing import Any, Final

import msgspec

from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, PrintedReport, Section

ID: Final = "fight-report"
MOST_BARS: Final = 12  # maximum number of combatants in the damage chart
_STEPS: Final = tuple(digit * 10**power for power in range(7) for digit in (1, 2, 5))
_MOST_TICKS: Final = 5
_SHORT: Final = 11  # maximum length, in characters, of a text that fits on one line


def make(source: PageInput) -> PageContent:
    """Return the page, or no pages if no fight has begun."""
    if source.report is None or not source.report.rows:
        return PageContent()
    return PageContent((Section(ID, _data(source.report, source)),))


def _data(report: PrintedReport, source: PageInput) -> dict[str, Any]:
    active = sorted((bar for bar in report.bars if bar.dealt or bar.taken), key=lambda bar: -bar.dealt - bar.taken)
    bars = [
        {"name": one_line(bar.name), "party": bar.party, "dealt": bar.dealt, "taken": bar.taken}
        for bar in active[:MOST_BARS]
    ]
    course = [
        msgspec.structs.asdict(entry) | {"fell": ", ".join(one_line(name) for name in entry.fell)}
        for entry in report.course
    ]
    both = all(entry.others is not None for entry in report.course)
    highest = max((max(entry.party, entry.others or 0) for entry in report.course), default=0)
    return {
        "summary": [one_line(line) for line in report.summary],
        "columns": [
            {"head": head, "kind": _column_kind(row)} for head, *row in zip(report.heads, *report.rows, strict=True)
        ],
        "rows": [[one_line(cell) for cell in row] for row in report.rows],
        "party": report.party,
        "bars": bars,
        "more": source.text(f"handout.{ID}.more", n=len(active) - len(bars)) if len(active) > len(bars) else "",
        "course": course,
        "both": both,
        "ticks": ticks(highest),
        "course_title": source.text("ui.report.course-title"),
        "lists": [{"title": title, "lines": [one_line(line) for line in lines]} for title, lines in report.lists],
    }


def _column_kind(cells: list[str]) -> str:
    """Return whether a column contains numbers, short texts or long texts."""
    if all(not cell or cell.isdecimal() for cell in cells):
        return "number"
    return "short" if all(len(cell) <= _SHORT for cell in cells) else "text"


def ticks(highest: int) -> list[int]:
    """Return round numbers for an axis, from 0 to the first one at or above `highest`."""
    step = next((candidate for candidate in _STEPS if highest <= candidate * _MOST_TICKS), _STEPS[-1])
    return list(range(0, max(1, -(-highest // step)) * step + 1, step))


KIND: Final = PageKind(ID, make, for_players=True)
