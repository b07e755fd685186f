"""The report of a fight as text, for its printed page."""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.encounter.state import Lookup
from turnwright.handouts.page_input import PrintedBars, PrintedReport, PrintedRound
from turnwright.handouts.print_document import Edition
from turnwright.play.kernel.events import JournalLine
from turnwright.report.markdown import Words, combatants_in_order, lists, summary, table
from turnwright.workspace.fight_reports import players_report_of_lines, report_of_lines


def printed_report(
    encounter: Lookup, lines: Sequence[JournalLine], edition: Edition, words: Words
) -> PrintedReport | None:
    """Return the report on a fight for one edition, or None if no round has begun."""
    if edition == "players":
        report = players_report_of_lines(encounter, lines, words)
    else:
        report = report_of_lines(encounter, lines)
    if not report.rounds:
        return None
    heads, *rows = table(report, words)
    combatants = combatants_in_order(report)
    return PrintedReport(
        summary=summary(report, words),
        heads=heads,
        rows=tuple(rows),
        party=sum(combatant.party for combatant in combatants),
        bars=tuple(
            PrintedBars(combatant.label, combatant.party, combatant.dealt, combatant.taken) for combatant in combatants
        ),
        course=tuple(
            PrintedRound(point.round, point.party, point.others, point.fell) for point in (report.start, *report.course)
        ),
        lists=lists(report, words),
    )
