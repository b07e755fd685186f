"""Every kind of page on half a sheet of paper: all words within the paper, and running text in legible print."""

from __future__ import annotations

import pytest

from tests.handouts import samples
from tests.handouts.pdf_pages import read_pages
from turnwright.handouts.page_input import PAPERS, PrintOptions

LEAST = 7.0  # points, of running text
LABELS = 4.9
SMALL = ("a5", "half-letter")
ACROSS = ("running-sheet", "encounter-sheet", "party-sheet", "initiative-tents", "paper-minis")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("name", "paper"),
    [
        samples.marked(name, paper, often=name in samples.OF_EACH_GAME[turn::2])
        for turn, paper in enumerate(SMALL)
        for name in samples.NAMES
    ],
)
def test_nothing_is_cut_off_or_too_small_on_half_a_sheet(name: str, paper: str) -> None:
    path = next(path for path in samples.SAMPLES if path.stem == name)
    made = samples.packet(samples.sample(path), options=PrintOptions(paper=paper, map="one-page"))  # type: ignore[arg-type]
    wrong = []
    for document in samples.one_by_one(made):
        kind = document.sections[0].kind
        pages = read_pages(samples.typesetter().typeset(document).pages[0])
        for number, page in enumerate(pages, 1):
            off = [w.text for w in page.words if w.left < 4 or w.right > page.width - 4 or w.bottom > page.height - 2]
            wrong += [(kind, number, off)] if off and kind != "player-handouts" else []
            letters = sum(len(word.text) for word in page.words)
            body = sum(len(word.text) for word in page.words if word.size >= LEAST - 0.45)
            wrong += (
                [(kind, number, "small")] if kind not in ("map-sheets", *ACROSS[3:]) and body < 0.9 * letters else []
            )
            wrong += [(kind, number, word.text) for word in page.words if word.size < LABELS and kind != "map-sheets"]
        across = {page.width > page.height for page in pages}
        assert across == {kind in ACROSS} or kind in ("map-sheets", "battle-mat", "screen-panels"), kind
    assert wrong == []


def test_the_papers_are_half_of_the_usual_ones() -> None:
    for half, whole in zip(SMALL, ("a4", "letter"), strict=True):
        (width, height), (across, down) = PAPERS[half], PAPERS[whole]  # type: ignore[index]
        assert (2 * width, height) == pytest.approx((down, across), abs=1)
