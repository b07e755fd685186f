"""An edited packet of four pages, set by the kept press, against reportlab and QTextDocument for like pages, in one run.

Every round changes a figure of one creature and makes the PDF anew from the same words; the three take turns, so that slow
spells of the machine fall on all. What is timed begins with those words: data, paragraphs or HTML are made of them, and a
PDF of that. Printed are medians in milliseconds and their ratios; exit code 1 above a target. reportlab is no
dependency of Turnwright: where it is not installed (`pip install reportlab`), that comparison is left out and said so.
"""

from __future__ import annotations

import argparse
import html
import io
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "desktop"))

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.handouts.page_input import PrintDocument, PrintOptions
from turnwright.handouts.typesetter import Typesetter
from turnwright.rules.parts.stat_block.prose import Paragraph
from turnwright.rules.parts.stat_block.sections import StatSections, stat_sections
from turnwright.storage.library.entries import Library
from turnwright.storage.resources import resource_path
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.print_job import print_inputs, translator

PAGES, ROUNDS, GAME = 4, 15, "a5e"
TARGETS = {"reportlab": 0.6, "QTextDocument": 0.3}
Blocks = list[StatSections]


class Edited(NamedTuple):
    """A packet as it stands after an edit, for the press and for the others."""

    packet: PrintDocument
    blocks: Blocks


Maker = Callable[[Edited], bytes]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=ROUNDS)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    rules, words = RuleSystems().get(GAME), WordCatalogue.load()
    say = translator(words, rules)

    with Typesetter((resource_path("handouts"),)) as press:

        def packet(creatures: list[Creature]):
            encounter = Encounter(
                [Scene(title="A packet"), *creatures, *(RosterEntry(one.id, one.id) for one in creatures)]
            )
            return print_inputs(encounter, rules, words, PrintOptions(), ("stat-blocks",)).document

        creatures = four_pages(lambda some: len(press.typeset(packet(some), "svg").pages))

        def edited(number: int) -> Edited:
            """Return the packet with another figure of hit points in the creature in the middle."""
            middle = len(creatures) // 2
            changed = msgspec.structs.replace(creatures[middle], hp=100 + number)
            now = [*creatures[:middle], changed, *creatures[middle + 1 :]]
            return Edited(packet(now), [stat_sections(one, rules.data, say) for one in now])

        makers: dict[str, Maker] = {"press": lambda now: press.typeset(now.packet).pages[0], "QTextDocument": by_qt()}
        other = by_reportlab()
        if other is not None:
            makers["reportlab"] = other
        sizes = {name: pages_of(make(edited(0))) for name, make in makers.items()}
        times = measured(makers, edited, chosen.rounds)
    return report(times, sizes, as_json=chosen.json)


def four_pages(count: Callable[[list[Creature]], int]) -> list[Creature]:
    """Return as many creatures of the starter library as fill four pages."""
    with tempfile.TemporaryDirectory() as folder:
        library = Library.standard(Path(folder))
        found = (library.load(entry)[0] for entry in library.entries_for(GAME) if entry.kind == "creature")
        known = [one for one in found if isinstance(one, Creature)]
    some = next(end for end in range(1, len(known)) if count(known[:end]) > PAGES) - 1
    return known[:some]


def measured(makers: dict[str, Maker], edited: Callable[[int], Edited], rounds: int) -> dict[str, list[float]]:
    """Return the milliseconds of each way, taken in turn; the first round fills what is kept and does not count."""
    times: dict[str, list[float]] = {name: [] for name in makers}
    for number in range(1, rounds + 2):
        now = edited(number)
        for name, make in makers.items():
            start = time.perf_counter()
            make(now)
            if number > 1:
                times[name].append((time.perf_counter() - start) * 1000)
    return times


def pages_of(pdf: bytes) -> int:
    """Return how many pages a PDF says it has."""
    return len(re.findall(rb"/Type */Page\b(?!s)", pdf))


def report(times: dict[str, list[float]], sizes: dict[str, int], *, as_json: bool) -> int:
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    ratios = {name: medians["press"] / medians[name] for name in TARGETS if name in medians}
    if as_json:
        print(json.dumps({"milliseconds": medians, "ratios": ratios, "pages": sizes}))
    else:
        for name, median in medians.items():
            ratio = f", press {ratios[name]:.2f} × (at most {TARGETS[name]})" if name in ratios else ""
            print(f"{name}: {median:.1f} ms{ratio}")
        if "reportlab" not in medians:
            print("reportlab is not installed, so it is not compared")
    return 0 if all(ratio <= TARGETS[name] for name, ratio in ratios.items()) else 1


# ---- the same stat blocks by others: two columns of tinted blocks, coloured names and rules, a table of abilities ----

ACCENT, TINT = "#7a2318", "#f6f0e4"


def paragraph(line: Paragraph) -> str:
    text = html.escape("".join(piece.text for piece in line.runs))
    return f"<b>{html.escape(line.lead)}</b> {text}" if line.lead else text


def by_reportlab() -> Maker | None:
    """Return what sets stat blocks with reportlab, None where it is not installed."""
    try:
        from reportlab.lib.pagesizes import A4
        from reportlab.lib.styles import ParagraphStyle
        from reportlab.lib.units import mm
        from reportlab.platypus import (
            BaseDocTemplate,
            Frame,
            HRFlowable,
            KeepTogether,
            PageTemplate,
            Paragraph,
            Spacer,
            Table,
        )
    except ImportError:
        return None
    body = ParagraphStyle(
        "body", fontName="Times-Roman", fontSize=8.4, leading=10.2, leftIndent=8, firstLineIndent=-8, backColor=TINT
    )
    name = ParagraphStyle("name", fontName="Times-Bold", fontSize=13, leading=16, textColor=ACCENT)
    head = ParagraphStyle("head", fontName="Times-Bold", fontSize=10, leading=13, textColor=ACCENT)

    def flow(block: StatSections) -> list[object]:
        told: list[object] = [Paragraph(html.escape(block.name), name), Paragraph(html.escape(block.kind), body)]
        told.append(HRFlowable(width="100%", color=ACCENT, thickness=1))
        told += [Paragraph(paragraph(line), body) for line in block.vital]
        if block.abilities:
            cells = [
                [one.name for one in block.abilities],
                [f"{one.score} {one.modifier.text}" for one in block.abilities],
            ]
            told += [Table(cells), HRFlowable(width="100%", color=ACCENT, thickness=1)]
        told += [Paragraph(paragraph(line), body) for line in block.further]
        for title, lines in block.features:
            if title:
                told += [Paragraph(html.escape(title), head), HRFlowable(width="100%", color=ACCENT)]
            told += [Paragraph(paragraph(line), body) for line in lines]
        return [KeepTogether([*told, Spacer(1, 4 * mm)])]

    def make(now: Edited) -> bytes:
        out = io.BytesIO()
        wide, high = A4
        half = (wide - 34 * mm) / 2
        frames = [
            Frame(x, 14 * mm, half, high - 28 * mm, leftPadding=0, rightPadding=0)
            for x in (14 * mm, 14 * mm + half + 6 * mm)
        ]
        document = BaseDocTemplate(out, pagesize=A4, pageTemplates=[PageTemplate(frames=frames)])
        document.build([one for block in now.blocks for one in flow(block)])
        return out.getvalue()

    return make


def by_qt() -> Maker:
    """Return what sets stat blocks with QTextDocument, written by QPdfWriter."""
    from PySide6.QtCore import QBuffer, QMarginsF, QSizeF
    from PySide6.QtGui import QFont, QGuiApplication, QPageLayout, QPageSize, QPdfWriter, QTextDocument

    application = QGuiApplication.instance() or QGuiApplication([])

    def text(block: StatSections) -> str:
        parts = [
            f'<h2 style="color:{ACCENT}">{html.escape(block.name)}</h2><p><i>{html.escape(block.kind)}</i></p><hr>'
        ]
        parts += [f"<p>{paragraph(line)}</p>" for line in block.vital]
        names = "".join(f"<th>{html.escape(one.name)}</th>" for one in block.abilities)
        scores = "".join(f"<td>{html.escape(f'{one.score} {one.modifier.text}')}</td>" for one in block.abilities)
        parts.append(f"<table><tr>{names}</tr><tr>{scores}</tr></table><hr>")
        parts += [f"<p>{paragraph(line)}</p>" for line in block.further]
        for title, lines in block.features:
            parts += [f'<h3 style="color:{ACCENT}">{html.escape(title)}</h3><hr>'] if title else []
            parts += [f"<p>{paragraph(line)}</p>" for line in lines]
        return f'<table width="100%" bgcolor="{TINT}" cellpadding="4"><tr><td>{"".join(parts)}</td></tr></table>'

    def make(now: Edited) -> bytes:
        assert application is not None
        buffer = QBuffer()
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        writer = QPdfWriter(buffer)
        writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        writer.setPageMargins(QMarginsF(14, 14, 14, 14), QPageLayout.Unit.Millimeter)
        listed = [text(block) for block in now.blocks]
        half = (len(listed) + 1) // 2
        document = QTextDocument()
        document.setDefaultFont(QFont("serif", 7))
        document.documentLayout().setPaintDevice(writer)
        document.setPageSize(QSizeF(writer.width(), writer.height()))
        left, right = "".join(listed[:half]), "".join(listed[half:])
        document.setHtml(
            f'<table width="100%"><tr><td width="50%">{left}</td><td width="50%">{right}</td></tr></table>'
        )
        document.print_(writer)
        del writer
        return bytes(buffer.data().data())

    return make


if __name__ == "__main__":
    sys.exit(main())
