"""The input for printing, and the report of a fight.

Collects the input for printing: an encounter's records, texts, templates and images.

Creates the report on a session's fight, and its text.

The report of a fight as text, for its printed page.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from turnwright.encounter.facts import FightFact
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.running import Combatant, InitialForecast
from turnwright.encounter.state import PREPARED_TABLES, Encounter, Lookup, scene_of
from turnwright.handouts import page_input, typesetter
from turnwright.handouts.kinds import page_kinds as every_kind
from turnwright.handouts.page_input import (
    Edition,
    PageContent,
    PageInput,
    PageKind,
    PrintDocument,
    PrintedBars,
    PrintedReport,
    PrintedRound,
    PrintOptions,
    print_document,
)
from turnwright.play.kernel.events import JournalLine
from turnwright.play.session import Session
from turnwright.players.map_view import unseen_combatants, with_numbers
from turnwright.players.secrets import Showing, shown_name, with_known_names
from turnwright.report.fight_report import FightReport, RoundFact, fight_report, players_edition
from turnwright.report.markdown import Words, combatants_in_order, lists, markdown, summary, table
from turnwright.rules.parts.stat_block.prose import Translate
from turnwright.rules.system import RuleSystem
from turnwright.rules.word_keys import system_words
from turnwright.storage import picture_files, resources
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace import fight_forecast, settings
from turnwright.workspace.text import Phrasebook

FIGHTS, SEED = 2000, 1


def report_of(session: Session) -> FightReport:
    """Return the game master's report on a session's fight."""
    return report_of_lines(session.encounter, tuple(session.journal()))


def players_report_of(session: Session, words: Words) -> FightReport:
    """Return the players' report on a session's fight, without anything that they may not know."""
    return players_report_of_lines(session.encounter, session.rules, tuple(session.journal()), words)


def report_of_lines(encounter: Lookup, lines: Sequence[JournalLine]) -> FightReport:
    """Return the report on a fight, based on the lines of its journal."""
    return fight_report(encounter, _facts(lines))


def players_report_of_lines(
    encounter: Lookup, rules: RuleSystem, lines: Sequence[JournalLine], words: Words
) -> FightReport:
    """Return the players' report on a fight, without anything that they may not know.

    It only counts facts about combatants that players see, under the names they know.
    """
    all_facts = tuple(_facts(lines))
    known = _known_to_players(encounter, rules, (fact for _, fact in all_facts if fact.kind == "left"), words)
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


def _known_to_players(
    encounter: Lookup, rules: RuleSystem, removals: Iterable[FightFact], words: Words
) -> Mapping[str, Combatant]:
    """Return the combatants that players know, with the labels they know.

    These are the visible ones, and removed ones that were visible and known by name.
    """
    met = with_known_names(encounter, Showing())
    unseen = {combatant.id for combatant in unseen_combatants(encounter, rules, met)}
    present = [each for each in encounter.all(Combatant) if not each.hidden and each.id not in unseen]
    ids = {combatant.id for combatant in encounter.all(Combatant)}
    last = {fact.who: fact for fact in removals if fact.who not in ids}
    gone = [
        Combatant(removal.who, removal.creature, removal.what, removal.side)
        for removal in last.values()
        if removal.side and not removal.hidden
    ]
    seen = Encounter((*present, *[removed for removed in gone if shown_name(removed, met)]))
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


def report_text(report: FightReport, encounter: Encounter, words: Phrasebook, *, for_players: bool = False) -> str:
    """Return a report as Markdown. The heading is the encounter's title, except for players."""
    title = (not for_players and scene_of(encounter).title) or words.text("report.untitled")
    return markdown(report, words.text("report.title", title=title), words.text)


def initial_forecast(encounter: Encounter, rules: RuleSystem) -> InitialForecast | None:
    """Return the forecast of the prepared encounter, or None if it doesn't have two sides."""
    start = Encounter(record for record in encounter if record.table in PREPARED_TABLES)
    if fight_forecast.obstacle_to_forecast(start):
        return None
    forecast = fight_forecast.run_forecast(start, rules, FIGHTS, seed=SEED).outlook
    falls = tuple((each.who, _percent(each.down.value)) for each in forecast.combatants if each.party)
    return InitialForecast(won=_percent(forecast.won.value), rounds=round(10 * forecast.mean_rounds), falls=falls)


def _percent(share: float) -> int:
    return round(100 * share)


def printed_report(
    encounter: Lookup, rules: RuleSystem, lines: Sequence[JournalLine], edition: Edition, words: Words
) -> PrintedReport | None:
    """Return the report on a fight for one edition, or None if no round has begun."""
    for_players = edition == "players"
    report = (
        players_report_of_lines(encounter, rules, lines, words) if for_players else report_of_lines(encounter, lines)
    )
    if not report.rounds:
        return None
    heads, *rows = table(report, words)
    combatants = combatants_in_order(report)
    return PrintedReport(
        summary=summary(report, words),
        heads=heads,
        rows=tuple(rows),
        party=sum(combatant.party for combatant in combatants),
        bars=tuple(PrintedBars(each.label, each.party, each.dealt, each.taken) for each in combatants),
        course=tuple(
            PrintedRound(point.round, point.party, point.others, point.fell) for point in (report.start, *report.course)
        ),
        lists=lists(report, words),
    )


TEMPLATES: Final = "handouts"
CREATURE_PAGES: Final = ("stat-blocks",)  # the default pages of a single creature
FORECAST_PAGE: Final = "encounter-sheet"
TENTS: Final = "initiative-tents"
REPORT_PAGE: Final = "fight-report"
_FIXED: Final = "handout."


class PrintInputs(msgspec.Struct, frozen=True):
    """A document to print, its page kinds, the requested kinds without content, and unusable images.

    `gm_only_kinds` are requested kinds that the players' edition doesn't have, if it is printed. `problems` lists
    everything that wasn't printed, with reasons.
    """

    document: PrintDocument
    kinds: tuple[str, ...] = ()
    empty_kinds: tuple[str, ...] = ()
    gm_only_kinds: tuple[str, ...] = ()
    unusable_pictures: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class FileResources:
    """Reads images from an encounter's folder, and from nowhere else. `unusable_names` are images that failed."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._read: dict[str, bytes | None] = {}

    def __call__(self, name: str) -> bytes | None:
        """Return an image's bytes, or None if it doesn't exist or can't be shown."""
        if name not in self._read:
            self._read[name] = self._picture(name)
        return self._read[name]

    @property
    def unusable_names(self) -> tuple[str, ...]:
        """The names of images that can't be shown."""
        return tuple(name for name, content in self._read.items() if content is None)

    def _picture(self, name: str) -> bytes | None:
        if self._folder is None or picture_files.picture_problem(self._folder, name):
            return None
        try:
            content = (self._folder / picture_files.picture_name(name)).read_bytes()
        except (OSError, ValueError):
            return None
        return content if page_input.can_be_shown(content) else None


def typesetter_for(folders: settings.Folders) -> typesetter.Typesetter:
    """Return a typesetter that uses the shipped templates, and those in the user's library folder."""
    return typesetter.Typesetter((resources.resource_path(TEMPLATES),), own=folders.library / TEMPLATES)


def translator(words: WordCatalogue, rules: RuleSystem) -> Translate:
    """Return a rule system's translator. If the catalogue doesn't contain a key, the system's term is used."""
    speech, terms = Phrasebook(words, rules), system_words(rules.data)

    def say(key: str, /, **params: object) -> str:
        if key not in words and key in terms:
            return terms[key]
        return speech.text(
            key, **{name: value if isinstance(value, int) else str(value) for name, value in params.items()}
        )

    return say


def fixed_words(words: WordCatalogue, rules: RuleSystem) -> dict[str, str]:
    """Return the fixed texts of all templates, using a rule system's terms."""
    spoken = words.with_terms(dict(rules.data.terms))
    return {key.removeprefix(_FIXED): spoken(key) for key in words if key.startswith(_FIXED)}


def page_input_of(
    encounter: Encounter, rules: RuleSystem, words: WordCatalogue, options: PrintOptions, folder: Path | None
) -> PageInput:
    """Return the input for pages of an encounter, with the images in a folder."""
    return PageInput(encounter, rules, translator(words, rules), options, FileResources(folder))


def print_inputs(
    encounter: Encounter,
    rules: RuleSystem,
    words: WordCatalogue,
    options: PrintOptions,
    kinds: Sequence[str] = (),
    folder: Path | None = None,
    *,
    title: str = "",
    journal: Sequence[JournalLine] = (),
) -> PrintInputs:
    """Return an encounter's printable pages, either of the given kinds or of all kinds with content.

    A blank mat is only included if its size is given. `folder` contains the encounter's images. `journal` contains the
    lines of its fight. Raise LookupError for an unknown kind.
    """
    beside, say = FileResources(folder), translator(words, rules)
    wants_forecast = options.forecast and options.edition == "game-master" and (not kinds or FORECAST_PAGE in kinds)
    forecast = fight_forecast.printed_forecast(encounter, rules, say) if wants_forecast else None
    wants_report = bool(journal) and (not kinds or REPORT_PAGE in kinds)
    words_of_game = Phrasebook(words, rules).text
    report = printed_report(encounter, rules, journal, options.edition, words_of_game) if wants_report else None
    source = PageInput(encounter, rules, say, options, beside, forecast, report)
    usual = (kind for kind in every_kind() if not kind.asked_by or getattr(options, kind.asked_by))
    requested = _named(kinds) if kinds else tuple(usual)
    allowed = [kind for kind in requested if source.shows_secrets or kind.for_players]
    leaves = [(kind, kind.make(source.of(kind))) for kind in allowed]
    printed = tuple(_made(kind, leaf) for kind, leaf in leaves if leaf.sections)
    heading = (title or scene_of(encounter).title) if source.shows_secrets else ""  # a title may spoil the encounter
    return PrintInputs(
        document=print_document(source, printed, heading, fixed_words(words, rules), words.language),
        kinds=tuple(kind.id for kind in printed),
        empty_kinds=tuple(kind.id for kind, leaf in leaves if kinds and not leaf.sections),
        gm_only_kinds=tuple(kind.id for kind in requested if kinds and kind not in allowed),
        unusable_pictures=beside.unusable_names,
        problems=tuple(problem for _, leaf in leaves for problem in leaf.problems),
    )


def single_creature_encounter(creature: Creature, rules: RuleSystem) -> Encounter:
    """Return an encounter that only contains one creature, to print its stat block."""
    return Encounter((Scene(system=rules.id, title=creature.name), creature, RosterEntry(creature.id, creature.id)))


def _named(ids: Sequence[str]) -> tuple[PageKind, ...]:
    """Return the page kinds with these ids, in printing order. Raise LookupError for an unknown id."""
    known = every_kind()
    unknown = [id for id in ids if id not in {kind.id for kind in known}]
    if unknown:
        raise LookupError(unknown[0])
    return tuple(kind for kind in known if kind.id in ids)


def _made(kind: PageKind, leaf: PageContent) -> PageKind:
    """Return a page kind that reuses existing content."""
    return msgspec.structs.replace(kind, make=lambda _source: leaf)
