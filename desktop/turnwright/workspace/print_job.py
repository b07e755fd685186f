"""Collects the input for printing: an encounter's records, texts, templates and images."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter, Lookup
from turnwright.handouts import documents
from turnwright.handouts.documents import PrintDocument
from turnwright.handouts.kinds import page_kinds as every_kind
from turnwright.handouts.page_input import (
    PageContent,
    PageInput,
    PageKind,
    PrintOptions,
    print_document,
)
from turnwright.handouts.typesetter import Typesetter
from turnwright.play.kernel.events import JournalLine
from turnwright.rules.parts.stat_block.text_runs import Translate
from turnwright.rules.system import RuleSystem
from turnwright.rules.topics import system_words
from turnwright.storage.picture_files import picture_name, picture_problem
from turnwright.storage.resources import resource_path
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.fight_forecast import printed_forecast
from turnwright.workspace.fight_reports import printed_report
from turnwright.workspace.settings import Folders
from turnwright.workspace.text import Phrasebook

TEMPLATES: Final = "handouts"
CREATURE_PAGES: Final = ("stat-blocks",)  # the default pages of a single creature
FORECAST_PAGE: Final = "encounter-sheet"
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
        if self._folder is None or picture_problem(self._folder, name):
            return None
        try:
            content = (self._folder / picture_name(name)).read_bytes()
        except (OSError, ValueError):
            return None
        return content if documents.can_be_shown(content) else None


def typesetter_for(folders: Folders) -> Typesetter:
    """Return a typesetter that uses the shipped templates, and those in the user's library folder."""
    return Typesetter((resource_path(TEMPLATES),), own=folders.library / TEMPLATES)


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


def print_inputs(
    encounter: Lookup,
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
    wants_forecast = options.forecast and options.edition == "narrator" and (not kinds or FORECAST_PAGE in kinds)
    forecast = printed_forecast(encounter, rules, say) if wants_forecast and isinstance(encounter, Encounter) else None
    wants_report = bool(journal) and (not kinds or REPORT_PAGE in kinds)
    words_of_game = Phrasebook(words, rules).text
    report = printed_report(encounter, journal, options.edition, words_of_game) if wants_report else None
    source = PageInput(encounter, rules, say, options, beside, forecast, report)
    usual = (kind for kind in every_kind() if not kind.asked_by or getattr(options, kind.asked_by))
    requested = _named(kinds) if kinds else tuple(usual)
    allowed = [kind for kind in requested if source.shows_secrets or kind.for_players]
    leaves = [(kind, kind.make(source.of(kind))) for kind in allowed]
    printed = tuple(_made(kind, leaf) for kind, leaf in leaves if leaf.sections)
    heading = title or (encounter.get(Scene, "scene") or Scene()).title
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
