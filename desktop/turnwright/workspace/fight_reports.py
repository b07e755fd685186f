"""The report of a session's fight, and its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from turnwright.encounter.facts import FightFact
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.running import Combatant, ForeseenFight
from turnwright.encounter.state import PREPARED_TABLES, Encounter, Lookup
from turnwright.play.kernel.events import JournalLine
from turnwright.play.session import Session
from turnwright.players.compose import with_numbers
from turnwright.players.showing import Showing, with_known_names
from turnwright.players.visibility import shown_name
from turnwright.report.fight_report import FightReport, RoundFact, fight_report, players_edition
from turnwright.report.markdown import Words, markdown
from turnwright.rules.system import RuleSystem
from turnwright.workspace.folders import set_kernel_cache
from turnwright.workspace.text import Phrasebook

FIGHTS, SEED = 2000, 1


def report_of(session: Session) -> FightReport:
    """Return the report of a session's fight for the game master."""
    return report_of_lines(session.encounter, tuple(session.journal()))


def players_report_of(session: Session, words: Words) -> FightReport:
    """Return the report of a session's fight without what players may not know."""
    return players_report_of_lines(session.encounter, tuple(session.journal()), words)


def report_of_lines(encounter: Lookup, lines: Sequence[JournalLine]) -> FightReport:
    """Return the report of a fight from the lines of its journal."""
    return fight_report(encounter, _facts(lines))


def players_report_of_lines(encounter: Lookup, lines: Sequence[JournalLine], words: Words) -> FightReport:
    """Return the report of a fight without what players may not know.

    It is counted from facts about those whom they see, under the names by which they know them; others have left nothing.
    """
    told = tuple(_facts(lines))
    known = _known_to_players(encounter, (fact for _, fact in told if fact.kind == "left"), words)
    facts = ((number, _among(fact, known)) for number, fact in told if not fact.who or fact.who in known)
    present = Encounter(one for one in known.values() if encounter.get(Combatant, one.id) is not None)
    return players_edition(fight_report(present, facts), ())


def _facts(lines: Sequence[JournalLine]) -> Iterator[RoundFact]:
    """Yield the facts that count: what came after a snapshot that was gone back to counts no more."""
    counted: list[JournalLine] = []
    for line in lines:
        for back in (fact for fact in line.facts if fact.kind == "back"):
            counted = [one for one in counted if one.serial <= back.amount]
        counted.append(line)
    return ((line.round, fact) for line in counted for fact in line.facts)


def _known_to_players(encounter: Lookup, left: Iterable[FightFact], words: Words) -> Mapping[str, Combatant]:
    """Return the combatants that players see, and those that left in their sight and by name, labelled as they know them."""
    met = with_known_names(encounter, Showing())
    present = [one for one in encounter.all(Combatant) if not one.hidden]
    ids = {one.id for one in encounter.all(Combatant)}
    last = {fact.who: fact for fact in left if fact.who not in ids}
    gone = [
        Combatant(one.who, one.creature, one.what, one.side) for one in last.values() if one.side and not one.hidden
    ]
    named = [one for one in gone if shown_name(one, met)]
    seen = Encounter((*present, *named))
    showing = with_numbers(seen, met)
    numbers = {(one.combatant, one.name): one.number for one in showing.numbers}
    of_name = Counter(one.name for one in showing.numbers)
    found: dict[str, Combatant] = {}
    for one in seen.all(Combatant):
        name = shown_name(one, showing)
        number = numbers[one.id, name]
        label = f"{name} {number}" if of_name[name] > 1 else name
        found[one.id] = msgspec.structs.replace(one, label=label if name else words("report.unknown", n=number))
    return found


def _among(fact: FightFact, known: Mapping[str, Combatant]) -> FightFact:
    """Return a fact without its doer where players know of none, and one that left under the name that they know."""
    if fact.kind == "left" and fact.who in known:
        return msgspec.structs.replace(fact, what=known[fact.who].label)
    return fact if not fact.by or fact.by in known else msgspec.structs.replace(fact, by="")


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
