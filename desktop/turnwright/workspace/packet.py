"""The packet of an adventure: a cover with the steps, then the pages of each encounter, as one document.

Encounters are read and typeset one after another, so that the packet needs no more memory than its largest encounter.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from turnwright.encounter.adventure import Adventure, AdventureStep
from turnwright.encounter.prepared import Creature, Environment, Handout, Party, RosterEntry, Scene
from turnwright.encounter.roles import present
from turnwright.encounter.state import Encounter, scene_of
from turnwright.handouts.joined_pages import joined_pdf, page_count
from turnwright.handouts.kinds import page_kinds
from turnwright.handouts.page_input import PrintDocument, PrintOptions, Section
from turnwright.handouts.typesetter import OutputFormat, TypesetResult, Typesetter
from turnwright.storage.encounters import read_encounter
from turnwright.storage.library.parties import party_members
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.files import Systems, encounter_system
from turnwright.workspace.print_job import fixed_words, print_inputs

COVER: Final = "adventure-cover"
ONCE: Final = ("reference", "party-sheet", "condition-cards")  # kinds of pages that a packet has once


class Packet(msgspec.Struct, frozen=True):
    """A typeset packet, its kinds of pages, and everything that wasn't printed, with reasons."""

    result: TypesetResult
    kinds: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class PacketJob:
    """Typesets the packet of an adventure.

    `folder` contains the encounters. The party sheet shows the `party`, or the first encounter's characters. By default,
    all `kinds` of pages with content are printed. Steps with a key in `left_out` are skipped.
    """

    def __init__(
        self,
        adventure: Adventure,
        folder: Path,
        systems: Systems,
        words: WordCatalogue,
        options: PrintOptions,
        kinds: Sequence[str] = (),
        *,
        party: Party | None = None,
        left_out: Collection[str] = (),
    ) -> None:
        self._adventure, self._folder, self._systems, self._words = adventure, folder, systems, words
        self._rules = systems.get(adventure.system)
        self._options, self._party = options, party
        usual = [kind.id for kind in page_kinds() if not kind.asked_by or getattr(options, kind.asked_by)]
        self._kinds = tuple(kinds or usual)
        pairs = zip(adventure.keys, adventure.steps, strict=True)
        self._steps = [step for key, step in pairs if key not in left_out]
        self._encounters = {
            step.encounter: loaded.readable
            for step in self._steps
            if step.encounter
            for loaded in (read_encounter(folder / step.encounter, systems.ids),)
        }
        self._printed: dict[str, None] = {}
        self._problems: list[str] = []
        self._missing: dict[str, None] = {}

    def typeset(
        self,
        typesetter: Typesetter,
        form: OutputFormat = "pdf",
        ppi: float = 144.0,
        progress: Callable[[int, str], None] = lambda _done, _what: None,
    ) -> Packet | None:
        """Return the packet, or None if nothing is to be printed. Raise TypesetError if a template can't be used."""

        def pages_of(document: PrintDocument) -> list[bytes]:
            result = typesetter.typeset(document, form, ppi)
            self._missing |= dict.fromkeys(result.missing_characters)
            return list(result.pages)

        def count(pages: Sequence[bytes]) -> int:
            return sum(map(page_count, pages)) if form == "pdf" else len(pages)

        parts: list[tuple[AdventureStep | None, list[bytes]]] = []
        for number, (step, document) in enumerate(self._documents()):
            progress(number, document.title)
            parts.append((step, pages_of(document)))
        if not parts:
            return None
        blank = pages_of(self._document(())) if self._options.sides == "two" else []
        counts = [count(pages) for _, pages in parts]
        fills = [blank if blank and each % 2 else [] for each in counts]
        cover: list[bytes] = []
        if self._options.edition == "game-master":
            length = 0
            while count(cover) != length or not cover:  # the length of the cover moves the pages that it lists
                length = count(cover) or 1
                firsts, page = [], length + (length % 2 if blank else 0) + 1
                for each, fill in zip(counts, fills, strict=True):
                    firsts.append(page)
                    page += each + len(fill)
                starts = {id(step): first for (step, _), first in zip(parts, firsts, strict=True) if step is not None}
                cover = pages_of(self._document((self._cover(starts),)))
            cover += blank if length % 2 else []
        pages = [*cover, *(page for (_, own), fill in zip(parts, fills, strict=True) for page in (*own, *fill))]
        result = TypesetResult((joined_pdf(pages),) if form == "pdf" else tuple(pages), tuple(self._missing))
        return Packet(result, tuple(self._printed), tuple(self._problems))

    def _documents(self) -> Iterator[tuple[AdventureStep | None, PrintDocument]]:
        """Yield the pages that the whole adventure shares, and then those of each step."""
        once = [kind for kind in self._kinds if kind in ONCE]
        if once and (document := self._pages(self._whole(), once, "", self._folder)):
            yield None, document
        rest = [kind for kind in self._kinds if kind not in ONCE]
        for step in self._steps:
            encounter = self._encounters.get(step.encounter)
            if step.encounter and encounter is None:
                self._problems.append(f"{step.encounter}: can't be read, so it isn't printed")
            elif encounter is not None and rest:
                folder = (self._folder / step.encounter).parent
                if document := self._pages(encounter, rest, step.title, folder):
                    yield step, document
            elif (
                step.handouts
                and "player-handouts" in rest
                and (document := self._pages(self._pictures(step), ("player-handouts",), step.text, self._folder))
            ):
                yield step, document

    def _pages(self, encounter: Encounter, kinds: Sequence[str], title: str, folder: Path) -> PrintDocument | None:
        """Return the pages of an encounter, or None if it has none of these kinds."""
        rules = self._systems.get(scene_of(encounter).system)
        inputs = print_inputs(encounter, rules, self._words, self._options, kinds, folder, title=title)
        heading = inputs.document.title
        self._printed |= dict.fromkeys(inputs.kinds)
        self._problems += [f"{heading}: {problem}" for problem in inputs.problems]
        self._problems += [f"{heading}: this picture can't be shown: {name}" for name in inputs.unusable_pictures]
        return inputs.document if inputs.kinds else None

    def _whole(self) -> Encounter:
        """Return all creatures and environments of the adventure's game as one encounter, with the characters once."""
        records: dict[tuple[str, str], Any] = {}
        game = self._rules.id
        encounters = [each for each in self._encounters.values() if each is not None and encounter_system(each) == game]
        first = next((encounter for encounter in encounters if party_members(encounter)), None)
        if self._party is not None:
            people: Sequence[Any] = (*self._party.creatures, *self._party.roster)
        else:
            people = party_members(first) if first is not None else ()
            people = (*(each for each in (first.all(Creature) if first is not None else ())), *people)
        for number, encounter in enumerate(encounters):
            mine = {entry.id for entry in party_members(encounter)}
            for entry in (entry for entry in present(encounter) if entry.id not in mine):
                creature = encounter.get(Creature, entry.creature)
                if creature is not None:
                    id = f"{number}.{creature.id}"
                    records[Creature.table, id] = msgspec.structs.replace(creature, id=id)
                    records[RosterEntry.table, id] = RosterEntry(id, id, side=entry.side)
            for place in encounter.all(Environment):
                records[Environment.table, f"{number}.{place.id}"] = msgspec.structs.replace(
                    place, id=f"{number}.{place.id}"
                )
        scene = Scene(title=self._adventure.title, system=self._rules.id)
        return Encounter([scene, *people, *records.values()])

    def _pictures(self, step: AdventureStep) -> Encounter:
        """Return the pictures of a scene as handouts."""
        handouts = (Handout(f"picture-{number}", picture=name) for number, name in enumerate(step.handouts))
        return Encounter([Scene(title=step.text, system=self._rules.id), *handouts])

    def _cover(self, starts: dict[int, int]) -> Section:
        """Return the cover: each step with the page on which it begins, and the texts of scenes."""
        rows = []
        for step in self._steps:
            encounter = self._encounters.get(step.encounter)
            title = step.title or (scene_of(encounter).title if encounter is not None else "") or step.text
            title = self._words(f"handout.adventure-cover.rest-{step.rest}") if step.rest and not step.scene else title
            row = {"kind": step.kind, "title": title, "page": starts.get(id(step), 0), "optional": step.optional}
            rows.append(row | {"read_aloud": step.read_aloud.strip(), "notes": step.notes.strip()})
        data = {"title": self._adventure.title, "notes": self._adventure.notes.strip(), "rows": rows}
        return Section(COVER, data, name=self._words("handout.adventure-cover.name"), form="bare")

    def _document(self, sections: tuple[Section, ...]) -> PrintDocument:
        words = fixed_words(self._words, self._rules)
        return self._options.document(self._adventure.title, sections, words, language=self._words.language)
