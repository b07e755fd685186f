"""The report of a session's fight, and its text."""

from __future__ import annotations

from turnwright.encounter.lookups import scene_of
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.events import JournalLine
from turnwright.play.session import Session
from turnwright.report.fight_report import FightReport, fight_report, players_edition
from turnwright.report.markdown import markdown
from turnwright.workspace.text import Phrasebook


def report_of(session: Session, *, for_players: bool = False) -> FightReport:
    """Return the report of a session's fight; `for_players` without what they may not know."""
    lines: list[JournalLine] = []
    for line in session.journal():
        for back in (fact for fact in line.facts if fact.kind == "back"):
            lines = [one for one in lines if one.serial <= back.amount]  # what came after the snapshot counts no more
        lines.append(line)
    found = fight_report(session.encounter, ((line.round, fact) for line in lines for fact in line.facts))
    unseen = [one.id for one in session.encounter.all(Combatant) if one.hidden]
    return players_edition(found, unseen) if for_players else found


def report_text(report: FightReport, encounter: Encounter, words: Phrasebook) -> str:
    """Return a report as the text of a Markdown file, under the title of its encounter."""
    title = scene_of(encounter).title or words.text("report.untitled")
    return markdown(report, words.text("report.title", title=title), words.text)
