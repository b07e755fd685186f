"""A print job: the input for a page type, and the document of plain data that the templates lay out.

The document contains only text, numbers and lists: a template gets every character of a record as text, never as code.
Lengths are in millimetres unless stated otherwise. A large document is typeset in parts that are then joined, since
typesetting it in one go takes gigabytes of memory. Images are checked first: their format, size and completeness.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from turnwright.encounter import field_specs, portraits, prepared, roles, state
from turnwright.encounter.picture_formats import is_whole_jpeg, picture_format, picture_size, without_metadata
from turnwright.handouts.typography import typographic, typographic_data
from turnwright.rules.parts.stat_block.prose import Translate
from turnwright.rules.system import RuleSystem

Paper = Literal["a4", "letter", "a5", "half-letter"]
Edition = Literal["game-master", "players"]
Ink = Literal["colour", "saving"]
Sides = Literal["one", "two"]
PageForm = Literal["page", "bare", "cut-one-side", "cut-two-sides"]
# Characters that can't be printed, except tabs and line ends.
_CONTROL = re.compile(r"(\\\\|\\u000[9ad])|\\u00(?:[01][0-9a-f]|7f)|\\[bf]|[\x7f-\x9f]")
QUOTES: Final = "quotes"  # the key of a language's four quotes
ENGLISH_QUOTES: Final = "\u201c\u201d\u2018\u2019"
PAPERS: Final[Mapping[Paper, tuple[float, float]]] = {
    "a4": (210.0, 297.0), "letter": (215.9, 279.4), "a5": (148.0, 210.0), "half-letter": (139.7, 215.9),
}  # fmt: skip


class Section(msgspec.Struct, frozen=True):
    """The pages of one type: `kind` names the template, `data` is the content, in plain mappings, lists and scalars.

    `name` is used in the header and the bookmarks. Pages to cut out and `bare` pages have no header. Pages to cut out
    begin on a new sheet.
    """

    kind: str
    data: Mapping[str, Any]
    name: str = ""
    form: PageForm = "page"
    edition: Edition = "game-master"


class Picture(msgspec.Struct, frozen=True):
    """An image in a section: the `name` used in the section's data, and the file's bytes."""

    name: str
    content: bytes


class PrintDocument(msgspec.Struct, frozen=True):
    """A document to print. `words` are the templates' fixed texts, by key; `bleed` is in millimetres.

    `game` is printed in the footer. If `sides` is two, pages to cut out begin on the front of a sheet.
    """

    title: str
    sections: tuple[Section, ...]
    paper: Paper = "a4"
    edition: Edition = "game-master"
    ink: Ink = "colour"
    bleed: float = 0.0
    language: str = "en"
    words: Mapping[str, str] = {}
    pictures: tuple[Picture, ...] = ()
    game: str = ""
    sides: Sides = "one"


def template_json(packet: PrintDocument) -> str:
    """Return a document as JSON for the templates. Images are separate files."""
    width, height = PAPERS[packet.paper]
    quotes = packet.words.get(QUOTES, "")
    quotes = quotes if len(quotes) == 4 else ENGLISH_QUOTES
    fields = msgspec.structs.asdict
    data = fields(packet) | {
        "title": typographic(packet.title, quotes),
        "width": width,
        "height": height,
        "words": typographic_data(packet.words, quotes),
        "sections": [fields(section) | {"data": typographic_data(section.data, quotes)} for section in packet.sections],
    }
    del data["pictures"]
    return _CONTROL.sub(lambda match: match[1] or "", msgspec.json.encode(data).decode())


def begins_on_front(form: PageForm, before: PageForm | None, sides: Sides) -> bool:
    """Return whether a page type begins on a front: pages to cut out do, and so does the type after them."""
    return sides == "two" and (form.startswith("cut") or (before is not None and before.startswith("cut")))


def sheets_of_paper(pages: Iterable[tuple[PageForm, int]], sides: Sides) -> int:
    """Return the number of sheets of paper needed for the given page types, with their forms and page counts.

    Pages to cut out begin on a front.
    """
    count, before = 0, None
    for form, number in pages:
        if begins_on_front(form, before, sides):
            count += count % 2
        count, before = count + number, form
    return -(-count // 2) if sides == "two" else count


MAX_BYTES: Final = 20_000_000
MAX_PIXELS: Final = 50_000_000


def can_be_shown(content: bytes) -> bool:
    """Return whether an image is small enough, and valid for Typst."""
    width, height = picture_size(content)
    if not (0 < len(content) <= MAX_BYTES and 0 < width * height <= MAX_PIXELS):
        return False
    if picture_format(content) == "jpg" and not is_whole_jpeg(content):
        return False
    return _can_be_set(content)


@lru_cache(maxsize=8)
def _can_be_set(content: bytes) -> bool:
    """Return whether Typst accepts an image; an invalid one would make the whole document fail."""
    import typst  # a heavy library, loaded for the first image

    with tempfile.TemporaryDirectory(prefix="turnwright-picture-") as room:
        (Path(room) / "picture").write_bytes(content)
        main = Path(room) / "main.typ"
        main.write_text(f'#image("picture", format: "{picture_format(content)}", width: 1pt)', encoding="utf-8")
        try:
            typst.compile(main, root=Path(room), format="pdf", ignore_system_fonts=True)
        except BaseException as error:
            if not is_panic(error) and not isinstance(error, typst.TypstError):
                raise
            return False
    return True


def is_panic(error: BaseException) -> bool:
    """Return whether Typst itself failed. Rust's panics aren't Exceptions, so `except Exception` doesn't catch them."""
    return type(error).__name__ == "PanicException"


MAP: Final = "map-sheets"
CUT_SHEET: Final = "cut-sheet"  # the template for cards of several kinds
Card = Literal["poker", "tarot", "index"]
CARDS: Final[Mapping[Card, tuple[float, float]]] = {
    "poker": (63.5, 88.9),
    "tarot": (70.0, 120.0),
    "index": (76.2, 127.0),
}
MapLayout = Literal["tiled", "one-page"]


class PrintOptions(msgspec.Struct, frozen=True):
    """The user's print options. `creatures` are the ids to print, or empty for the enemies. Lengths are in millimetres.

    `environments`, `countdowns` and `handouts` are the ids to print singly, or empty for all.

    `party`: if no creatures are named, stat blocks, cards, minis and tracking sheets include the party's. `players_map`:
    the map is printed as the players know it, even if the other pages are for the game master. `map_part` names the
    tiles of a map or mat to print: `3-5, 9`, or `3:15` for the rectangle between two corners; if it is empty, all
    are printed. Set `map_tokens` to `map_ground` to False to omit tokens, grid, names and stats, or colours and
    patterns. `mat` is the size of a blank battle mat, such as `24x18`, or empty for the map's size. `forecast`:
    the game master's encounter sheet includes a forecast. `now`: the running sheet shows the current state
    of the fight. `read_aloud`: it has the text to read aloud, if there is room. `lore`: stat blocks have the creatures' whole descriptions, otherwise only the
    parts about combat and lairs. `sides`: printing on one or both sides. For both, pages
    to cut out begin on a front.
    """

    paper: Paper = "a4"
    edition: Edition = "game-master"
    ink: Ink = "colour"
    bleed: Annotated[float, field_specs.FieldSpec(least=0, most=20)] = 0.0
    card: Card = "poker"
    map: MapLayout = "tiled"
    map_part: str = ""
    map_tokens: bool = True
    map_grid: bool = True
    map_keys: bool = True
    map_ground: bool = True
    mat: str = ""
    creatures: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    countdowns: tuple[str, ...] = ()
    handouts: tuple[str, ...] = ()
    party: bool = False
    players_map: bool = False
    forecast: bool = False
    now: bool = False
    read_aloud: bool = True
    lore: bool = False
    sides: Sides = "one"

    def document(
        self, title: str, sections: tuple[Section, ...], words: Mapping[str, str], **more: Any
    ) -> PrintDocument:
        """Return a document to print with these options. `more` are its other fields."""
        own = {name: getattr(self, name) for name in ("paper", "edition", "ink", "bleed", "sides")}
        return PrintDocument(title, sections, words=words, **own, **more)


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


@dataclass(frozen=True, eq=False)
class PageInput:
    """An encounter to print. `text` translates keys, using the game's terms.

    `picture` reads an image file next to the encounter, or returns None. `forecast` and `report` are None unless they
    are to be printed.
    """

    encounter: state.Encounter
    rules: RuleSystem
    text: Translate
    options: PrintOptions
    picture: Callable[[str], bytes | None] = lambda _name: None
    forecast: PrintedForecast | None = None
    report: PrintedReport | None = None

    @property
    def shows_secrets(self) -> bool:
        """Whether these pages are for the game master and so may include secrets."""
        return self.options.edition == "game-master"

    def of(self, kind: PageKind) -> PageInput:
        """Return the input for a page type. The map may be in the players' edition even on game master's pages."""
        options = self.options
        if kind.id != MAP or not options.players_map or not self.shows_secrets:
            return self
        players = msgspec.structs.replace(options, edition="players")
        return PageInput(self.encounter, self.rules, self.text, players, self.picture)

    def has_creature(self, id: str) -> bool:
        """Return whether stat blocks, cards, minis and tracking sheets include a creature."""
        selected = self.options.creatures
        return id in selected if selected else id not in self._left_out

    def selected_creatures(self) -> tuple[prepared.Creature, ...]:
        """Return the creatures to print, in encounter order."""
        return tuple(creature for creature in self.encounter.all(prepared.Creature) if self.has_creature(creature.id))

    def is_chosen(self, record: prepared.Environment | prepared.Countdown | prepared.Handout) -> bool:
        """Return whether a record is among those to be printed singly."""
        named = getattr(self.options, record.table)
        return not named or record.id in named

    @cached_property
    def _left_out(self) -> frozenset[str]:
        """The ids of creatures printed only if named: the party's, if the encounter has other creatures."""
        ours = set() if self.options.party else party_creatures(self.encounter)
        others = {creature.id for creature in self.encounter.all(prepared.Creature)} - ours
        return frozenset(ours) if others else frozenset()

    def printable_portrait(self, record: prepared.RosterEntry | prepared.Creature) -> Picture | None:
        """Return a record's portrait, or None if there is none, it can't be printed or ink is being saved."""
        file = portraits.portrait_of(self.encounter, record) if self.options.ink == "colour" else ""
        return self.printable_picture(file) if file else None

    def printable_picture(self, name: str) -> Picture | None:
        """Return an image next to the encounter, named after a hash of its content, or None if it can't be printed."""
        content = self.picture(name)
        if content is None or not can_be_shown(content):
            return None
        content = without_metadata(content)
        return Picture(f"{sha256(content).hexdigest()[:24]}.{picture_format(content)}", content)


def party_creatures(lookup: state.Lookup) -> set[str]:
    """Return the ids of creatures that appear only on the players' side of the roster."""
    by_side: dict[bool, set[str]] = {True: set(), False: set()}
    for entry in lookup.all(prepared.RosterEntry):
        by_side[roles.is_ours(lookup, entry)].add(entry.creature)
    return by_side[True] - by_side[False]


class PageContent(msgspec.Struct, frozen=True):
    """The content of one page type: sections and their images. `problems` explain which parts weren't printed."""

    sections: tuple[Section, ...] = ()
    pictures: tuple[Picture, ...] = ()
    problems: tuple[str, ...] = ()


class PageKind(msgspec.Struct, frozen=True):
    """A page type. `for_players`: it has an edition without secrets. `make` may return no sections.

    `form`: whether its pages have a header and footer, or are cut out. `asked_by` is the print option that includes it
    when all types are printed; if that option is off, it is printed only by name. `shares_sheets`: its cards are printed
    on the same sheets as those of the other types that do.
    """

    id: str
    make: Callable[[PageInput], PageContent]
    for_players: bool = False
    form: PageForm = "page"
    asked_by: str = ""
    shares_sheets: bool = False


def card_pages(
    kind: str, cards: Sequence[Mapping[str, Any]], source: PageInput, pictures: tuple[Picture, ...] = (), **data: Any
) -> PageContent:
    """Return cards to cut out in the chosen size, or no pages if there are none. `data` is for all of them."""
    width, height = CARDS[source.options.card]
    section = Section(kind, {"width": width, "height": height, "cards": cards, **data})
    return PageContent((section,), pictures) if cards else PageContent()


def print_document(
    source: PageInput, kinds: tuple[PageKind, ...], title: str, words: dict[str, str], language: str = "en"
) -> PrintDocument:
    """Create a document from page types, in order. The players' edition omits types that have no players' version."""
    leaves = [(kind, kind.make(source.of(kind))) for kind in kinds if source.shows_secrets or kind.for_players]
    sections = [
        msgspec.structs.replace(
            section,
            name=source.text(f"ui.handouts.kind-{kind.id}"),
            form=section.form if section.form != "page" else kind.form,
            edition=source.of(kind).options.edition,
        )
        for kind, leaf in leaves
        for section in leaf.sections
    ]
    shared = [section for section in sections if section.kind in {kind.id for kind in kinds if kind.shares_sheets}]
    if len(shared) > 1:
        parts = [{"kind": section.kind, "data": section.data} for section in shared]
        width, height = CARDS[source.options.card]
        data = {"width": width, "height": height, "parts": parts}
        sheet = msgspec.structs.replace(shared[0], kind=CUT_SHEET, data=data, name=source.text("ui.handouts.card"))
        sections = [sheet if section is shared[0] else section for section in sections if section not in shared[1:]]
    pictures = tuple(picture for _, leaf in leaves for picture in leaf.pictures)
    game = source.rules.data.name
    return source.options.document(title, tuple(sections), words, language=language, pictures=pictures, game=game)
