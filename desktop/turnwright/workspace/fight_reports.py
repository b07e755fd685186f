"""Creates the report on a session's fight, and its text.

The report of a fight as text, for its printed page.

"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from turnwright.encounter.facts import FightFact
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.running import Combatant, ForeseenFight
from turnwright.encounter.state import PREPARED_TABLES, Encounter, Lookup
from turnwright.handouts.documents import Edition
from turnwright.handouts.page_input import PrintedBars, PrintedReport, PrintedRound
from turnwright.play.kernel.events import JournalLine
from turnwright.play.session import Session
from turnwright.players.compose import with_numbers
from turnwright.players.secrets import shown_name
from turnwright.players.showing import Showing, with_known_names
from turnwright.report.fight_report import FightReport, RoundFact, fight_report, players_edition
from turnwright.report.markdown import Words, combatants_in_order, lists, markdown, summary, table
from turnwright.rules.system import RuleSystem
from turnwright.workspace.fight_forecast import obstacle_to_forecast, run_forecast
from turnwright.workspace.settings import set_kernel_cache
from turnwright.workspace.text import Phrasebook

FIGHTS, SEED = 2000, 1


def report_of(session: Session) -> FightReport:
    """Return the game master's report on a session's fight."""
    return report_of_lines(session.encounter, tuple(session.journal()))


def players_report_of(session: Session, words: Words) -> FightReport:
    """Return the players' report on a session's fight, without anything that they may not know."""
    return players_report_of_lines(session.encounter, tuple(session.journal()), words)


def report_of_lines(encounter: Lookup, lines: Sequence[JournalLine]) -> FightReport:
    """Return the report on a fight, based on the lines of its journal."""
    return fight_report(encounter, _facts(lines))


def players_report_of_lines(encounter: Lookup, lines: Sequence[JournalLine], words: Words) -> FightReport:
    """Return the players' report on a fight, without anything that they may not know.

    It only counts facts about combatants that players see, under the names they know.
    """
    all_facts = tuple(_facts(lines))
    known = _known_to_players(encounter, (fact for _, fact in all_facts if fact.kind == "left"), words)
    facts = ((number, _among(fact, known)) for number, fact in all_facts if not fact.who or fact.who in known)
    present = Encounter(combatant for combatant in known.values() if encounter.get(Combatant, combatant.id) is not None)
    return players_edition(fight_report(present, facts), ())


def _facts(lines: Sequence[JournalLine]) -> Iterator[RoundFact]:
    """Yield the facts that count. If a snapshot was restored, facts after its state are left out."""
    counted: list[JournalLine] = []
    for line in lines:
        for back in (fact for fact in line.facts if fact.kind == "back"):
            counted = [earlier for earlier in counted if earlier.serial <= back.amount]
        counted.append(line)
    return ((line.round, fact) for line in counted for fact in line.facts)


def _known_to_players(encounter: Lookup, removals: Iterable[FightFact], words: Words) -> Mapping[str, Combatant]:
    """Return the combatants that players know, with the labels they know.

    These are the visible ones, and removed ones that were visible and known by name.
    """
    met = with_known_names(encounter, Showing())
    present = [combatant for combatant in encounter.all(Combatant) if not combatant.hidden]
    ids = {combatant.id for combatant in encounter.all(Combatant)}
    last = {fact.who: fact for fact in removals if fact.who not in ids}
    gone = [
        Combatant(removal.who, removal.creature, removal.what, removal.side)
        for removal in last.values()
        if removal.side and not removal.hidden
    ]
    named = [removed for removed in gone if shown_name(removed, met)]
    seen = Encounter((*present, *named))
    showing = with_numbers(seen, met)
    numbers = {(numbered.combatant, numbered.name): numbered.number for numbered in showing.numbers}
    of_name = Counter(numbered.name for numbered in showing.numbers)
    labelled: dict[str, Combatant] = {}
    for visible in seen.all(Combatant):
        name = shown_name(visible, showing)
        number = numbers[visible.id, name]
        label = f"{name} {number}" if of_name[name] > 1 else name
        labelled[visible.id] = msgspec.structs.replace(
            visible, label=label if name else words("report.unknown", n=number)
        )
    return labelled


def _among(fact: FightFact, known: Mapping[str, Combatant]) -> FightFact:
    """Return a fact as the players know it.

    A cause they don't know is removed, and a removed combatant keeps the name they knew.
    """
    if fact.kind == "left" and fact.who in known:
        return msgspec.structs.replace(fact, what=known[fact.who].label)
    return fact if not fact.by or fact.by in known else msgspec.structs.replace(fact, by="")


def report_text(report: FightReport, encounter: Encounter, words: Phrasebook) -> str:
    """Return a report as Markdown. The heading is the encounter's title."""
    title = scene_of(encounter).title or words.text("report.untitled")
    return markdown(report, words.text("report.title", title=title), words.text)


def foreseen(encounter: Encounter, rules: RuleSystem) -> ForeseenFight | None:
    """Return the forecast of the prepared encounter, or None if it doesn't have two sides."""
    start = Encounter(record for record in encounter if record.table in PREPARED_TABLES)
    if obstacle_to_forecast(start):
        return None
    set_kernel_cache()
    forecast = run_forecast(start, rules, FIGHTS, seed=SEED).outlook
    falls = tuple(
        (combatant.who, _percent(combatant.down.value)) for combatant in forecast.combatants if combatant.party
    )
    return ForeseenFight(won=_percent(forecast.won.value), rounds=round(10 * forecast.mean_rounds), falls=falls)


def _percent(share: float) -> int:
    return round(100 * share)


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
