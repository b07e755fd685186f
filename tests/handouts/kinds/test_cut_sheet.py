"""Cards of several kinds on sheets that they share."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.handouts import samples
from tests.handouts.printed_creatures import drawn, pdf, text_of, words_on
from tests.table import creature
from turnwright.encounter.prepared import Feature, InflictedCondition, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.handouts.page_input import CUT_SHEET, PAPERS, PrintOptions, print_document
from turnwright.handouts.typesetter import Typesetter
from turnwright.workspace.print_job import fixed_words

CARDS = ("creature-cards", "treasure-cards", "condition-cards")
FORD = next(path for path in samples.SAMPLES if path.stem == "cold-ford-bridge")


def table(*, long: int = 0, count: int = 1) -> Encounter:
    bite = Feature("bite", "Bite", afflictions=(InflictedCondition("prone"),), text="pace " * long)
    rats = [creature(f"rat-{number}", name="Rat", features=(bite,)) for number in range(count)]
    return Encounter([Scene(treasure=("a ring, gold",)), *rats, *(RosterEntry(rat.id, rat.id) for rat in rats)])


def test_a_sample_s_cards_and_their_backs_share_a_sheet():
    alone = [samples.packet(samples.sample(FORD), kind) for kind in CARDS]
    together = samples.packet(samples.sample(FORD), *CARDS)
    assert [section.kind for section in together.sections] == [CUT_SHEET]
    assert sum(len(text_of(pdf(one))) for one in alone) == 3
    (page,) = text_of(pdf(together))
    assert all(word in page for word in ("Card 2/2", "Fatigue", "Prone", "A letter under the thwart"))
    assert page.count("River captain") == 2


def test_a_kind_alone_has_its_own_sheets_and_an_empty_one_adds_none():
    for kinds in (("creature-cards",), ("creature-cards", "environment-cards", "spell-cards")):
        assert [section.kind for section in samples.packet(table(), *kinds).sections] == ["creature-cards"]
    both = samples.packet(table(), "stat-blocks", *CARDS, "reference")
    assert [section.kind for section in both.sections] == ["stat-blocks", CUT_SHEET, "reference"]


@pytest.mark.parametrize("sides", ["one", "two"])
def test_a_back_is_behind_its_front_and_one_sided_cards_have_none(sides):
    made = samples.packet(table(long=300, count=9), *CARDS, options=PrintOptions(sides=sides))
    front, back, *_, others = text_of(pdf(made))
    assert front.count("Rat") >= back.count("Rat") == 9
    assert "A ring" in others
    assert "A ring" not in back


def test_half_cards_are_half_as_high_as_the_chosen_size():
    for card, half in (("poker", 44.45), ("tarot", 60), ("index", 63.5)):
        (page,) = drawn(samples.packet(table(), *CARDS, options=PrintOptions(card=card)))
        heights = [float(high) / 72 * 25.4 for high in re.findall(r"M 0 0v ([\d.]+) ?h [\d.]+", page.decode())]
        assert any(abs(high - half) < 0.05 for high in heights), card


def test_a_kind_whose_own_template_has_no_cells_keeps_its_own_sheet(tmp_path: Path):
    own = '#let sheet(packet, data) = [Mine: #data.cards.map(card => card.name).join(", ")]'
    (tmp_path / "treasure-cards.typ").write_text(own, encoding="utf-8")
    made = samples.packet(table(), *CARDS)
    with Typesetter((samples.TEMPLATES,), own=tmp_path) as press:
        first, second = text_of(press.typeset(made).pages[0])
    assert "Prone" in first
    assert "Mine: a ring" in second


@pytest.mark.parametrize("paper", PAPERS)
def test_no_mark_runs_through_the_note_outside_the_cut(paper):
    source = samples.source(table(), PrintOptions(paper=paper))
    kinds = tuple(kind for kind in samples.KINDS if kind.id in CARDS)
    made = print_document(source, kinds, "The pass above the weir", fixed_words(samples.words(), source.rules))
    width, height = PAPERS[paper]
    note = [word for word in words_on(pdf(made)) if min(word.left, word.top) < 7 or word.right > width - 7]
    assert {"pass", "50", "Cards"} <= {word.text for word in note}
    assert all(0 < word.left < word.right < width and 0 < word.top < word.bottom < height for word in note)
    (page,) = drawn(made)
    marks = re.findall(
        r'stroke-width="0.35"[^>]*transform="translate\(([-\d.]+) ([-\d.]+)\)" d="M 0 0([hv]) ?([-\d.]+)', page.decode()
    )
    assert len(marks) > 4
    for x, y, way, long in marks:
        left, top, reach = (float(each) * 25.4 / 72 for each in (x, y, long))
        across, down = (reach, 0) if way == "h" else (0, reach)
        box = (min(left, left + across), min(top, top + down), max(left, left + across), max(top, top + down))
        clash = [w.text for w in note if box[0] < w.right and w.left < box[2] and box[1] < w.bottom and w.top < box[3]]
        assert clash == []
