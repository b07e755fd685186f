"""The input of a kind of page: an encounter in its game, the texts, and the print options."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Final, Literal

import msgspec

from turnwright.encounter.field_specs import FieldSpec
from turnwright.encounter.portraits import portrait_of
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.state import Lookup
from turnwright.handouts import picture_files
from turnwright.handouts.print_document import (
    Edition,
    Ink,
    PageForm,
    Paper,
    Picture,
    PrintDocument,
    Section,
    Sides,
)
from turnwright.rules.parts.stat_block.text_runs import Translate
from turnwright.rules.system import RuleSystem

MAP: Final = "map-sheets"
PLAYER_SIDE: Final = "party"  # the side of the players
Card = Literal["poker", "tarot"]
MapLayout = Literal["tiled", "one-page"]


class PrintOptions(msgspec.Struct, frozen=True):
    """A person's print options. `creatures` are the ids of those to print, empty for the foes; lengths are millimetres.

    `party`: where none is named, blocks, cards and tracking sheets have the party's as well.
    `players_map`: the map is printed as players know it, whatever the edition of the other pages.

    `map_part` names the sheets of a map or a mat to print, as `3-5, 9` or `3:15` for all between two corners; empty for all.
    `map_tokens` to `map_ground` leave out what stands on a map's sheets, its grid, names and figures, or colours and
    patterns. `mat` is the size of a blank battle mat, as `24x18`; empty for that of the map. `forecast`: the game master's
    encounter sheet says how it will probably go. `sides`: how the printer will print, so that what is cut out begins on a
    front.
    """

    paper: Paper = "a4"
    edition: Edition = "narrator"
    ink: Ink = "colour"
    bleed: Annotated[float, FieldSpec(least=0, most=20)] = 0.0
    card: Card = "poker"
    map: MapLayout = "tiled"
    map_part: str = ""
    map_tokens: bool = True
    map_grid: bool = True
    map_keys: bool = True
    map_ground: bool = True
    mat: str = ""
    creatures: tuple[str, ...] = ()
    party: bool = False
    players_map: bool = False
    forecast: bool = False
    sides: Sides = "one"


class PrintedFall(msgspec.Struct, frozen=True):
    """How often one of the party falls and dies, in hundredths, with the interval of the first."""

    name: str
    down: int
    low: int
    high: int
    dead: int


class PrintedFanRow(msgspec.Struct, frozen=True):
    """The hit points of the party after a round, in hundredths: in 10, 25, 50, 75 and 90 of 100 fights."""

    round: int
    shares: tuple[int, ...]


class PrintedSource(msgspec.Struct, frozen=True):
    """The damage that a source deals to the party in a fight, in tenths; `world`: it is one of the surroundings."""

    name: str
    damage: int
    world: bool


class PrintedForecast(msgspec.Struct, frozen=True):
    """A forecast: its headline, sentences about it, the charts of the dock with the words beside them, how much it leaves out.

    `marks` are rounds, each with the countdowns that mostly end in it; `courses` say how it mostly goes, `assumed` what is
    assumed for it.
    """

    headline: str
    sentences: tuple[str, ...]
    words: tuple[tuple[str, str], ...]
    falls: tuple[PrintedFall, ...]
    rounds: tuple[PrintedFanRow, ...]
    marks: tuple[tuple[int, str], ...]
    sources: tuple[PrintedSource, ...]
    courses: tuple[str, ...]
    notes: str
    assumed: tuple[str, ...]


class PrintedBars(msgspec.Struct, frozen=True):
    """The damage that a combatant dealt and took; `party` on the players' side."""

    name: str
    party: bool
    dealt: int
    taken: int


class PrintedRound(msgspec.Struct, frozen=True):
    """A round: the hit points left at its end, and who fell. Those of the others are None where they aren't shown."""

    round: int
    party: int
    others: int | None
    fell: tuple[str, ...] = ()


class PrintedReport(msgspec.Struct, frozen=True):
    """The report of a fight in words, for the edition that is printed.

    `rows` are those of a table under `heads`, the first `party` of them of the players' side; `course` begins before the
    first round; `lists` have a title each.
    """

    summary: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    party: int
    bars: tuple[PrintedBars, ...]
    course: tuple[PrintedRound, ...]
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()


class PageInput:
    """An encounter to print from. `text` returns texts in its game's terms; `picture` reads a file beside it, or None.

    `forecast` is how it will probably go, `report` how its fight went; None where that is not to be printed.
    """

    def __init__(
        self,
        encounter: Lookup,
        rules: RuleSystem,
        text: Translate,
        options: PrintOptions,
        picture: Callable[[str], bytes | None] = lambda _name: None,
        forecast: PrintedForecast | None = None,
        report: PrintedReport | None = None,
    ) -> None:
        self.encounter = encounter
        self.rules = rules
        self.text = text
        self.options = options
        self.picture = picture
        self.forecast = forecast
        self.report = report

    @property
    def shows_secrets(self) -> bool:
        """Whether these pages are for the game master, so that secrets may be printed."""
        return self.options.edition == "narrator"

    def of(self, kind: PageKind) -> PageInput:
        """Return the input for a kind of page: the players' for their map among pages for the game master."""
        options = self.options
        if kind.id != MAP or not options.players_map or not self.shows_secrets:
            return self
        players = msgspec.structs.replace(options, edition="players")
        return PageInput(self.encounter, self.rules, self.text, players, self.picture)

    def has_creature(self, id: str) -> bool:
        """Return whether blocks, cards and tracking sheets have a creature."""
        chosen = self.options.creatures
        return id in chosen if chosen else id not in self._left_out

    @cached_property
    def _left_out(self) -> frozenset[str]:
        """The ids of creatures that are printed only where they are named: the party's, unless there are no others."""
        ours = set() if self.options.party else party_creatures(self.encounter)
        others = {one.id for one in self.encounter.all(Creature)} - ours
        return frozenset(ours) if others else frozenset()

    def printable_portrait(self, record: RosterEntry | Creature) -> Picture | None:
        """Return the portrait of a record; None where it has none, none that can be printed, or ink is to be saved."""
        file = portrait_of(self.encounter, record) if self.options.ink == "colour" else ""
        return self.printable_picture(file) if file else None

    def printable_picture(self, name: str) -> Picture | None:
        """Return a picture beside the encounter, named by its content alone; None where it can't be printed."""
        content = self.picture(name)
        if content is None or not picture_files.can_be_shown(content):
            return None
        return Picture(f"{sha256(content).hexdigest()[:24]}.{picture_files.picture_format(content)}", content)


def party_creatures(lookup: Lookup) -> set[str]:
    """Return the ids of the creatures that stand in the roster on the players' side alone."""
    by_side: dict[bool, set[str]] = {True: set(), False: set()}
    for entry in lookup.all(RosterEntry):
        by_side[entry.side == PLAYER_SIDE].add(entry.creature)
    return by_side[True] - by_side[False]


class PageContent(msgspec.Struct, frozen=True):
    """The content of a kind of page: its sections, and the pictures that they show. `problems`: what was not printed, and why."""

    sections: tuple[Section, ...] = ()
    pictures: tuple[Picture, ...] = ()
    problems: tuple[str, ...] = ()


class PageKind(msgspec.Struct, frozen=True):
    """One kind of page. `for_players`: there is an edition without secrets. `make` returns no sections without content.

    `form`: whether its pages have a head and foot, or are cut out. `asked_by`: the print option without which it is printed
    only by its name, not with all kinds.
    """

    id: str
    make: Callable[[PageInput], PageContent]
    for_players: bool = False
    form: PageForm = "page"
    asked_by: str = ""


def print_document(
    source: PageInput, kinds: tuple[PageKind, ...], title: str, words: dict[str, str], language: str = "en"
) -> PrintDocument:
    """Return a document of kinds of pages in their order, for the players without kinds that have no players' edition."""
    options = source.options
    leaves = [(kind, kind.make(source.of(kind))) for kind in kinds if source.shows_secrets or kind.for_players]
    sections = (
        msgspec.structs.replace(
            section,
            name=source.text(f"ui.handouts.kind-{kind.id}"),
            form=section.form if section.form != "page" else kind.form,
            edition=source.of(kind).options.edition,
        )
        for kind, leaf in leaves
        for section in leaf.sections
    )
    return PrintDocument(
        title=title,
        sections=tuple(sections),
        paper=options.paper,
        edition=options.edition,
        ink=options.ink,
        bleed=options.bleed,
        language=language,
        words=words,
        pictures=tuple(picture for _, leaf in leaves for picture in leaf.pictures),
        game=source.rules.data.name,
        sides=options.sides,
    )
