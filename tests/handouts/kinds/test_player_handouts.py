"""Handouts for the players: letters, notices, pages and pictures, kept in the encounter's file and printed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtCore import QBuffer
from PySide6.QtGui import QImage

from tests.for_each import for_each
from tests.handouts.pdf_pages import fonts_of, read_pages
from tests.handouts.printed_creatures import outside, words_on
from tests.handouts.samples import packet, png, source
from turnwright.encounter.prepared import Handout, HandoutHand, HandoutStyle, Scene
from turnwright.encounter.state import Encounter
from turnwright.handouts import page_input
from turnwright.handouts.kinds.player_handouts import KIND, paragraphs
from turnwright.handouts.page_input import PrintOptions
from turnwright.storage.encounters import EncounterFile, read_encounter

STYLES = get_args(HandoutStyle)
FILE = """format = 3
system = "a5e"

[handouts.plea]
title = "To whoever finds my boat"
text = '''
I write in haste.

Burn this.'''
signed = "Ilse"

[handouts.likeness]
style = "picture"
picture = "likeness.png"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an encounter and one picture in it."""
    (tmp_path / "likeness.png").write_bytes(png(60, 40))
    (tmp_path / "fight.toml").write_text(FILE, encoding="utf-8")
    return tmp_path


def of(*handouts: Handout) -> Encounter:
    return Encounter([Scene(), *handouts])


def data(*handouts: Handout, folder: Path | None = None) -> list[dict]:
    return [
        one for section in KIND.make(source(of(*handouts), None, folder)).sections for one in section.data["handouts"]
    ]


def text_of(pdf: bytes) -> str:
    return " ".join(page.text for page in read_pages(pdf))


# ---- in the file ----


def test_handouts_stand_in_the_encounters_file_and_keep_their_order(folder):
    loaded = read_encounter(folder / "fight.toml", ["a5e"])
    assert loaded.findings == ()
    assert [*loaded.encounter.all(Handout)] == [
        Handout("plea", "To whoever finds my boat", "letter", "I write in haste.\n\nBurn this.", "Ilse"),
        Handout("likeness", style="picture", picture="likeness.png"),
    ]
    kept = EncounterFile(loaded.text)
    assert kept.render(loaded.encounter) == FILE


def test_a_handout_written_into_a_new_file_reads_back(tmp_path):
    before = of(Handout("x", 'A "quoted" title', "notice", "One.\n\nTwo.", "The Reeve", "a.png"))
    path = tmp_path / "new.toml"
    path.write_text(EncounterFile().render(before), encoding="utf-8")
    assert read_encounter(path, ["a5e"]).encounter == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.png", "no file"),
        ("../likeness.png", "must be a file in the encounter's folder"),
        ("/etc/passwd", "must be a file in the encounter's folder"),
        ("..\\\\likeness.png", "must be a file in the encounter's folder"),
        ("fight.toml", "not a PNG, JPEG, GIF or WebP"),
        ("out.png", "outside the encounter's folder"),
    ],
)
def test_a_picture_that_cannot_be_shown_is_told_on_opening(folder, tmp_path_factory, name, said):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "secret.png"
    elsewhere.write_bytes(png(2, 2))
    (folder / "out.png").symlink_to(elsewhere)
    path = folder / "fight.toml"
    path.write_text(FILE.replace('"likeness.png"', f'"{name}"'), encoding="utf-8")
    loaded = read_encounter(path, ["a5e"])
    assert loaded.encounter is not None
    (finding,) = loaded.findings
    assert (finding.key, finding.severity) == ("handouts.likeness.picture", "warning")
    assert finding.line == FILE.splitlines().index('picture = "likeness.png"') + 1
    assert said in finding.message


def test_a_style_that_there_is_not_is_told(folder):
    path = folder / "fight.toml"
    path.write_text(FILE.replace('"picture"', '"scroll"'), encoding="utf-8")
    (finding,) = read_encounter(path, ["a5e"]).findings
    assert finding.key == "handouts.likeness.style"


# ---- as data ----


def test_empty_lines_stand_between_paragraphs():
    assert paragraphs("\n one\ntwo\n \n\n  three\r\n\r\nfour\n") == [["one", "two"], ["three"], ["four"]]
    assert paragraphs(" \n\n ") == []


def test_only_a_letter_that_stands_by_itself_is_set_larger():
    texts = ("Once", "Élan", "once", "“Once", "\u200fשלום", "守护", "", "1")
    assert [one["initial"] for one in data(*(Handout(str(n), "t", text=text) for n, text in enumerate(texts)))] == [
        *("O", "É"),
        *[""] * 6,
    ]


def test_what_holds_nothing_is_not_printed():
    assert KIND.make(source(of())).sections == ()
    assert KIND.make(source(of(Handout("a"), Handout("b", text=" \n ")))).sections == ()
    assert len(data(Handout("a"), Handout("b", signed="Ann"))) == 1


def test_a_picture_comes_from_the_folder_and_from_nowhere_else(folder):
    inside, outside = data(Handout("a", picture="likeness.png"), Handout("b", picture="../likeness.png"), folder=folder)
    assert (bool(inside["picture"]), inside["missing"]) == (True, False)
    assert (outside["picture"], outside["missing"]) == ("", True)


def test_two_handouts_share_one_picture(folder):
    leaf = KIND.make(
        source(of(Handout("a", picture="likeness.png"), Handout("b", picture="likeness.png")), None, folder)
    )
    assert len(leaf.pictures) == 1


# ---- pictures ----


def test_a_jpeg_without_its_end_is_refused_though_the_small_picture_in_it_has_one():
    image = QImage(64, 48, QImage.Format.Format_RGB32)
    image.fill(0x304050)
    whole = as_jpeg(image)
    small = as_jpeg(image.scaled(8, 6))
    within = whole[:2] + b"\xff\xe1" + (len(small) + 2).to_bytes(2) + small + whole[2:]
    assert all(page_input.can_be_shown(one) for one in (whole, within, whole + b"\0" * 99))
    assert not any(page_input.can_be_shown(one[:-30]) for one in (whole, within))


def as_jpeg(image: QImage) -> bytes:
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    assert image.save(buffer, "JPG")
    return bytes(buffer.data())


def test_broken_pictures_are_known_before_they_spoil_a_page():
    whole = png(60, 40)
    assert page_input.picture_size(whole) == (60, 40)
    assert page_input.can_be_shown(whole)
    assert not page_input.can_be_shown(whole[: len(whole) // 2])
    assert not page_input.can_be_shown(whole[:30])
    assert not page_input.can_be_shown(b"")
    assert not page_input.can_be_shown(b"<svg xmlns='http://www.w3.org/2000/svg'/>")


def test_pictures_are_bounded():
    boast = png(1, 1)[:16] + (200_000).to_bytes(4) + (200_000).to_bytes(4)
    assert page_input.picture_size(boast + png(1, 1)[24:]) == (200_000, 200_000)
    assert not page_input.can_be_shown(boast + png(1, 1)[24:])
    assert not page_input.can_be_shown(png(1, 1) + b"\0" * page_input.MAX_BYTES)


def test_a_broken_picture_is_never_handed_to_the_press(folder):
    broken = replace(source(of(Handout("a", picture="likeness.png"))), picture=lambda _name: png(60, 40)[:70])
    leaf = KIND.make(broken)
    assert leaf.pictures == ()
    assert leaf.sections[0].data["handouts"][0]["missing"]


# ---- on paper ----


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "options", [PrintOptions(), PrintOptions(paper="letter", ink="saving", bleed=3)], ids=["a4", "letter"]
)
def test_every_style_shows_all_its_words(press, folder, style, options):
    handout = Handout("a", "Toll", style, "First words.\n\nOther words.", "Ann", "likeness.png")
    printed = press.typeset(packet(of(handout), "player-handouts", options=options, folder=folder))
    said = " ".join(text_of(printed.pages[0]).split()).casefold()
    for words in ("toll", "irst words.", "other words.", "ann"):
        assert words in said


OF_STYLES = [
    ("letter", {"place": "the mill", "date": "Tuesday"}),
    ("notice", {"headline": "from the reeve"}),
    ("page", {"headline": "A book of tolls"}),
    ("wanted", {"headline": "The ferryman", "reward": "9 crowns"}),
    ("newspaper", {"headline": "Ferry lost", "place": "No. 3", "date": "Friday"}),
    ("telegram", {"place": "the mill", "date": "Tuesday"}),
]


@pytest.mark.parametrize(("style", "fields"), OF_STYLES, ids=[style for style, _ in OF_STYLES])
def test_a_style_shows_its_own_fields(press, style, fields):
    printed = press.typeset(packet(of(Handout("a", style=style, text="Words.", **fields)), "player-handouts"))
    said = " ".join(text_of(printed.pages[0]).split()).casefold()
    for words in fields.values():
        assert words.casefold() in said


@pytest.mark.parametrize(("style", "words"), [("wanted", "wanted"), ("telegram", "telegram")])
def test_a_form_without_a_heading_is_headed_by_what_it_is(press, style, words):
    pages = press.typeset(packet(of(Handout("a", style=style, text="Words.")), "player-handouts")).pages
    assert words in text_of(pages[0]).casefold()
    pages = press.typeset(packet(of(Handout("a", "Other", style, "Words.")), "player-handouts")).pages
    assert words not in text_of(pages[0]).casefold()


FACES = [
    *((("letter", hand), face) for hand, face in zip(get_args(HandoutHand), ("Caveat", "DancingScript", "DkgHandwriting", "Joscelyn"), strict=True)),
    *(((style, ""), face) for style, face in (("notice", "FELL"), ("page", "FELL"), ("wanted", "Rye"), ("newspaper", "OldStandard"), ("telegram", "CourierPrime"))),
]  # fmt: skip


@for_each(("kind", "face"), FACES, ids=[face + kind[0] for kind, face in FACES])
def test_each_style_and_hand_has_a_face_of_its_own(press, kind, face):
    style, hand = kind
    pages = press.typeset(packet(of(Handout("a", "Head", style, "Words.", hand=hand)), "player-handouts")).pages
    listed = " ".join(fonts_of(pages[0]))
    assert face.casefold() in listed.replace("-", "").replace(" ", "").casefold()


def inked(pages: tuple[bytes, ...]) -> float:
    """The share of a page's height above its lowest dark line of dots."""
    image = QImage.fromData(pages[0]).convertToFormat(QImage.Format.Format_Grayscale8)
    dark = [
        row
        for row in range(image.height())
        if any(image.pixelColor(column, row).value() < 100 for column in range(image.width()))
    ]
    return max(dark) / image.height()


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("style", "full"), [("letter", 75), ("notice", 75), ("page", 75), ("newspaper", 150)])
def test_text_grows_until_the_paper_is_full_or_the_paper_is_shorter(press, style, full):
    saving = PrintOptions(ink="saving")
    few, some, many = (
        inked(press.typeset(packet(of(Handout("a", "Head", style, "So many words. " * count)), "player-handouts", options=saving), "png", 30).pages)
        for count in (3, 30, full)
    )  # fmt: skip
    assert few < 0.7
    assert some > few
    assert many > 0.7


@pytest.mark.parametrize("style", STYLES)
def test_a_missing_picture_is_told_in_its_place(press, style):
    printed = press.typeset(packet(of(Handout("a", "Toll", style, picture="gone.png")), "player-handouts"))
    assert "can’t be shown" in text_of(printed.pages[0]).replace("'", "’")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("style", STYLES)
def test_each_begins_on_a_page_of_its_own_and_goes_on_overleaf(press, style):
    short, long = Handout("a", "One", style, "Short."), Handout("b", "Two", style, "A line.\n\n" * 400)
    alone = len(press.typeset(packet(of(short), "player-handouts"), "png", 10).pages)
    both = len(press.typeset(packet(of(short, long), "player-handouts"), "png", 10).pages)
    assert alone == 1
    assert both > 3


@pytest.mark.sampled(2)
@pytest.mark.parametrize("style", STYLES)
def test_nothing_runs_out_of_the_margin(press, style, folder):
    handout = Handout("a", "N" * 90, style, "x" * 400 + "\n\nword " * 9, "W" * 90, "likeness.png")
    printed = press.typeset(packet(of(handout), "player-handouts", folder=folder))
    found = words_on(printed.pages[0])
    assert found
    assert [word for word in found if word.left <= 10 or word.right >= 200] == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("style", STYLES)
def test_a_signature_without_end_goes_on_overleaf(press, style, tmp_path):
    made = packet(of(Handout("a", "Toll", style, "Words.", "ox " * 1700)), "player-handouts")
    found = words_on(press.typeset(made).pages[0])
    assert sum(word.text.casefold() == "ox" for word in found) == 1700
    assert outside(found, "a4", 8) == []


def test_a_letter_from_the_right_has_its_heading_there(press, tmp_path):
    made = packet(of(Handout("a", "מכתב", "letter", "שלום לך")), "player-handouts")
    assert min(word.left for word in words_on(press.typeset(made).pages[0])) > 105


def test_players_get_the_same_pages(press):
    handouts = [Handout(style, "Toll", style, "Words.", "Ann") for style in STYLES]
    editions = [
        press.typeset(packet(of(*handouts), "player-handouts", options=PrintOptions(edition=edition)), "png", 40).pages
        for edition in ("game-master", "players")
    ]
    assert editions[0] == editions[1]
