"""The report of a session's fight, and its text."""

from __future__ import annotations

from turnwright.encounter.lookups import scene_of
from turnwright.encounter.running import Combatant, ForeseenFight
from turnwright.encounter.state import PREPARED_TABLES, Encounter
from turnwright.play.kernel.events import JournalLine
from turnwright.play.session import Session
from turnwright.report.fight_report import FightReport, fight_report, players_edition
from turnwright.report.markdown import markdown
from turnwright.rules.system import RuleSystem
from turnwright.workspace.folders import set_kernel_cache
from turnwright.workspace.text import Phrasebook

FIGHTS, SEED = 2000, 1


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


def foreseen(encounter: Encounter, rules: RuleSystem) -> ForeseenFight | None:
    """Return what a forecast of the prepared encounter says of the fight; None without two sides."""
    # the forecast loads the compiler of its loop, and a report is shown without
    from turnwright.workspace.fight_forecast import obstacle_to_forecast, run_forecast

    start = Encounter(one for one in encounter if one.table in PREPARED_TABLES)
    if obstacle_to_forecast(start):
        return None
    set_kernel_cache()
    found = run_forecast(start, rules, FIGHTS, seed=SEED).outlook
    falls = tuple((one.who, _percent(one.down.value)) for one in found.combatants if one.party)
    return ForeseenFight(won=_percent(found.won.value), rounds=round(10 * found.mean_rounds), falls=falls)


def _percent(share: float) -> int:
    return round(100 * share)
