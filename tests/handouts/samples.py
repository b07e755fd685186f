"""The sample encounters as sources to print from, and every kind of page."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Scene
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds import page_kinds
from turnwright.handouts.page_input import (
    CUT_SHEET,
    PageInput,
    PageKind,
    PrintDocument,
    PrintedReport,
    PrintOptions,
    print_document,
)
from turnwright.handouts.typesetter import Typesetter
from turnwright.rules.system import RuleSystem
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import resource_path, sample_encounters
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.print_job import FileResources, fixed_words, translator

TEMPLATES = resource_path("handouts")
SAMPLES = sample_encounters()
KINDS: tuple[PageKind, ...] = page_kinds()
NAMES = [path.stem for path in SAMPLES]
OF_EACH_GAME = ("bell-barge", "cold-ford-bridge", "last-light", "unquenched-works")


def marked(name: str, *more: str, often: bool) -> object:
    """Return the values of a test over samples, marked for the soak where the suite does not try them."""
    return pytest.param(name, *more, id="-".join((name, *more)), marks=() if often else pytest.mark.soak)


# A sample of each game on one of the papers; the soak prints all samples on both.
ON_A_PAPER = pytest.mark.parametrize(
    ("name", "paper"),
    [
        marked(name, paper, often=name in OF_EACH_GAME[turn::2])
        for turn, paper in enumerate(("a4", "letter"))
        for name in NAMES
    ],
)
# A sample of each game; the soak takes them all.
IN_EACH_GAME = pytest.mark.parametrize("name", [marked(name, often=name in OF_EACH_GAME) for name in NAMES])


@cache
def systems() -> RuleSystems:
    return RuleSystems()


@cache
def words() -> WordCatalogue:
    return WordCatalogue.load()


@cache
def typesetter() -> Typesetter:
    """Return the typesetter that all tests of pages share."""
    return Typesetter((TEMPLATES,))


@cache
def sample(path: Path) -> Encounter:
    encounter = read_encounter(path, systems().ids).encounter
    assert encounter is not None
    return encounter


def rules_of(encounter: Encounter) -> RuleSystem:
    return systems().get((encounter.get(Scene, "scene") or Scene()).system)


def source(
    encounter: Encounter,
    options: PrintOptions | None = None,
    folder: Path | None = None,
    report: PrintedReport | None = None,
) -> PageInput:
    rules = rules_of(encounter)
    say = translator(words(), rules)
    return PageInput(encounter, rules, say, options or PrintOptions(), FileResources(folder), report=report)


def packet(
    encounter: Encounter,
    *ids: str,
    options: PrintOptions | None = None,
    folder: Path | None = None,
    report: PrintedReport | None = None,
) -> PrintDocument:
    """Return a packet of some kinds of pages, or of all."""
    wanted = tuple(kind for kind in KINDS if not ids or kind.id in ids)
    rules = rules_of(encounter)
    origin = source(encounter, options, folder, report)
    return headless(print_document(origin, wanted, "A sample", fixed_words(words(), rules)))


def headless(document: PrintDocument) -> PrintDocument:
    """Return a document without heads, feet and notes beside what is cut out."""
    sections = (msgspec.structs.replace(section, name="", form="bare") for section in document.sections)
    return msgspec.structs.replace(document, sections=tuple(sections))


def kinds_in(document: PrintDocument) -> set[str]:
    """Return the kinds of a document's pages, also of those whose cards share sheets."""
    shared = (part["kind"] for one in document.sections if one.kind == CUT_SHEET for part in one.data["parts"])
    return {*shared, *(section.kind for section in document.sections if section.kind != CUT_SHEET)}


def one_by_one(document: PrintDocument) -> Iterator[PrintDocument]:
    """Yield a document with each of its kinds of pages alone: a sample with all of them takes 300 MB at once."""
    for section in document.sections:
        yield msgspec.structs.replace(document, sections=(section,))


def png(width: int, height: int) -> bytes:
    """Return a picture of a size in pixels, all of one colour."""
    rows = (b"\0" + b"\x80\x20\x20" * width) * height
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
