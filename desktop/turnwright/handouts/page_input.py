"""The input for a page type: an encounter and its game, texts, and the print options."""

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
from turnwright.handouts import documents
from turnwright.handouts.documents import (
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
PLAYER_SIDE: Final = "party"  # the players' side
Card = Literal["poker", "tarot"]
MapLayout = Literal["tiled", "one-page"]


class PrintOptions(msgspec.Struct, frozen=True):
    """The user's print options. `creatures` are the ids to print, or empty for the enemies. Lengths are in millimetres.

    `party`: if no creatures are named, stat blocks, cards and tracking sheets include the party's. `players_map`:
    the map is printed as the players know it, even if the other pages are for the game master. `map_part` names the
    tiles of a map or mat to print: `3-5, 9`, or `3:15` for the rectangle between two corners; if it is empty, all
    are printed. Set `map_tokens` to `map_ground` to False to omit tokens, grid, names and stats, or colours and
    patterns. `mat` is the size of a blank battle mat, such as `24x18`, or empty for the map's size. `forecast`:
    the game master's encounter sheet includes a forecast. `sides`: printing on one or both sides. For both, pages
    to cut out begin on a front.
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
    """A party member's chances of falling and dying, in percent. `low` and `high` are the interval of `down`."""

    name: str
    down: int
    low: int
    high: int
    dead: int


class PrintedFanRow(msgspec.Struct, frozen=True):
    """The party's hit points after a round, in percent: in 10, 25, 50, 75 and 90 of 100 fights."""

    round: int
    shares: tuple[int, ...]


class PrintedSource(msgspec.Struct, frozen=True):
    """A source's average damage to the party per fight, in tenths. `world`: it belongs to an environment."""

    name: str
    damage: int
    world: bool


class PrintedForecast(msgspec.Struct, frozen=True):
    """A forecast: headline, sentences, the panel's charts with their labels, and a note on what was left out.

    `marks` are rounds, each with the countdowns that usually end in it. `courses` are the likely courses of the
    fight, and `assumed` are the assumptions behind the forecast.
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
    """The damage that a combatant dealt and took. `party`: it is on the players' side."""

    name: str
    party: bool
    dealt: int
    taken: int


class PrintedRound(msgspec.Struct, frozen=True):
    """A round: the total hit points left at its end, and who fell. `others` is None if it isn't shown."""

    round: int
    party: int
    others: int | None
    fell: tuple[str, ...] = ()


class PrintedReport(msgspec.Struct, frozen=True):
    """The report of a fight as text, for the printed edition.

    `rows` are the rows of a table under `heads`; the first `party` of them are on the players' side. `course`
    begins before the first round, and each of the `lists` has a title.
    """

    summary: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    party: int
    bars: tuple[PrintedBars, ...]
    course: tuple[PrintedRound, ...]
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()


class PageInput:
    """An encounter to print. `text` translates keys, using the game's terms.

    `picture` reads an image file next to the encounter, or returns None. `forecast` and `report` are None unless they
    are to be printed.
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
        """Whether these pages are for the game master and so may include secrets."""
        return self.options.edition == "narrator"

    def of(self, kind: PageKind) -> PageInput:
        """Return the input for a page type. The map may be in the players' edition even on game master's pages."""
        options = self.options
        if kind.id != MAP or not options.players_map or not self.shows_secrets:
            return self
        players = msgspec.structs.replace(options, edition="players")
        return PageInput(self.encounter, self.rules, self.text, players, self.picture)

    def has_creature(self, id: str) -> bool:
        """Return whether stat blocks, cards and tracking sheets include a creature."""
        selected = self.options.creatures
        return id in selected if selected else id not in self._left_out

    @cached_property
    def _left_out(self) -> frozenset[str]:
        """The ids of creatures printed only if named: the party's, if the encounter has other creatures."""
        ours = set() if self.options.party else party_creatures(self.encounter)
        others = {creature.id for creature in self.encounter.all(Creature)} - ours
        return frozenset(ours) if others else frozenset()

    def printable_portrait(self, record: RosterEntry | Creature) -> Picture | None:
        """Return a record's portrait, or None if there is none, it can't be printed or ink is being saved."""
        file = portrait_of(self.encounter, record) if self.options.ink == "colour" else ""
        return self.printable_picture(file) if file else None

    def printable_picture(self, name: str) -> Picture | None:
        """Return an image next to the encounter, named after a hash of its content, or None if it can't be printed."""
        content = self.picture(name)
        if content is None or not documents.can_be_shown(content):
            return None
        return Picture(f"{sha256(content).hexdigest()[:24]}.{documents.picture_format(content)}", content)


def party_creatures(lookup: Lookup) -> set[str]:
    """Return the ids of creatures that appear only on the players' side of the roster."""
    by_side: dict[bool, set[str]] = {True: set(), False: set()}
    for entry in lookup.all(RosterEntry):
        by_side[entry.side == PLAYER_SIDE].add(entry.creature)
    return by_side[True] - by_side[False]


class PageContent(msgspec.Struct, frozen=True):
    """The content of one page type: sections and their images. `problems` explain which parts weren't printed."""

    sections: tuple[Section, ...] = ()
    pictures: tuple[Picture, ...] = ()
    problems: tuple[str, ...] = ()


class PageKind(msgspec.Struct, frozen=True):
    """A page type. `for_players`: it has an edition without secrets. `make` may return no sections.

    `form`: whether its pages have a header and footer, or are cut out. `asked_by` is the print option that includes it
    when all types are printed; if that option is off, it is printed only by name.
    """

    id: str
    make: Callable[[PageInput], PageContent]
    for_players: bool = False
    form: PageForm = "page"
    asked_by: str = ""


def print_document(
    source: PageInput, kinds: tuple[PageKind, ...], title: str, words: dict[str, str], language: str = "en"
) -> PrintDocument:
    """Create a document from page types, in order. The players' edition omits types that have no players' version."""
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
