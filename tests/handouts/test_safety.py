"""Every kind of page with any records: it compiles, its fonts are embedded, and players learn no secret."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from pypdf.errors import PdfReadError
from pypdf.generic import StreamObject

from tests.effort import examples
from tests.encounter.test_picture_formats import SECRET as NOTED
from tests.encounter.test_picture_formats import jpeg, webp
from tests.encounter.test_picture_formats import png as png_with_notes
from tests.games import WITH_LEDGER
from tests.handouts.paper_secrets import another_encounter, with_secrets
from tests.handouts.pdf_pages import fonts_of, read_pages
from tests.handouts.samples import (
    KINDS,
    NAMES,
    OF_EACH_GAME,
    SAMPLES,
    TEMPLATES,
    kinds_in,
    one_by_one,
    packet,
    png,
    rules_of,
    sample,
)
from turnwright.encounter.prepared import Creature, Handout, Map, MapPicture, Scene
from turnwright.encounter.state import Encounter
from turnwright.handouts.page_input import (
    Paper,
    PrintDocument,
    PrintedBars,
    PrintedReport,
    PrintedRound,
    PrintOptions,
    Section,
    template_json,
)
from turnwright.handouts.typesetter import Typesetter

CRAFTED = '#panic() $x$ *a* _b_ = `c` <d> @e \\ ] } [ { // /* ~ -- ... " \' #import "style.typ"'
WORDY = ("z" * 300, "line\n" * 30, "شجرة عتيقة", "守护者的剑", "👩‍🚀", "\u202eabc\u202c", "", " ", "\t", CRAFTED)
REPORT = PrintedReport(
    summary=("The fight took 2 rounds.",),
    heads=("Name", "Damage dealt", "Felled"),
    rows=(("Mira", "12", "Raider 1"), ("Raider 1", "", "")),
    party=1,
    bars=(PrintedBars("Mira", True, 12, 3), PrintedBars("Raider 1", False, 3, 12)),
    course=(PrintedRound(0, 30, 12), PrintedRound(1, 27, 9), PrintedRound(2, 27, 0, ("Raider 1",))),
    lists=(("Gained", ("A silver ring",)),),
)


def with_handouts(encounter: Encounter) -> Encounter:
    """Return an encounter with handouts for the players, and treasure."""
    styles = ("letter", "notice", "page", "picture")
    own = [Handout(f"own-{style}", "A title", style, "Words.\n\nMore.", "Ann", "pic.png") for style in styles]
    treasure = ("a ring, 12 gp: it hums near water", "two keys")
    given = [msgspec.structs.replace(one, treasure=treasure) if isinstance(one, Scene) else one for one in encounter]
    return Encounter([*given, *own])


# ---- every kind, every sample, both papers ----


LEAST = 6  # points


def prints(press: Typesetter, encounter: Encounter, paper: Paper) -> None:
    embedded: set[str] = set()
    for document in one_by_one(packet(encounter, options=PrintOptions(paper=paper))):
        printed = press.typeset(document)
        assert printed.missing_characters == ()
        fonts = fonts_of(printed.pages[0])
        assert all(fonts.values()), fonts
        embedded |= fonts.keys()
        words = [word for page in read_pages(printed.pages[0]) for word in page.words]
        assert [word.text for word in words if word.size < LEAST] == [], document.sections[0].kind
    assert embedded


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("name", "paper"), [*zip(OF_EACH_GAME, ("a4", "letter") * 2, strict=True)], ids=OF_EACH_GAME)
def test_a_sample_of_each_game_prints_with_its_fonts_in_six_points_or_more(press, name, paper):
    prints(press, sample(SAMPLES[NAMES.index(name)]), paper)


@pytest.mark.soak
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("path", SAMPLES, ids=NAMES)
def test_every_sample_prints_on_both_papers_with_its_fonts_in_six_points_or_more(press, path, paper):
    prints(press, sample(path), paper)


def test_there_is_a_sample_of_each_game():
    games = [rules_of(sample(SAMPLES[NAMES.index(name)])).data.id for name in OF_EACH_GAME]
    assert sorted(games) == sorted(WITH_LEDGER)


def test_every_kind_has_its_template():
    assert [kind.id for kind in KINDS if not (TEMPLATES / f"{kind.id}.typ").is_file()] == []


def test_every_kind_shows_something_of_some_sample():
    shown = set().union(*(kinds_in(packet(with_handouts(sample(path)), report=REPORT)) for path in SAMPLES))
    assert shown == {kind.id for kind in KINDS}


@pytest.mark.soak
def test_an_encounter_of_nothing_gives_no_error(press):
    for edition in ("game-master", "players"):
        empty = packet(Encounter([Scene()]), options=PrintOptions(edition=edition))
        assert press.typeset(empty).pages


# ---- whatever characters ----


def replaced(data: Any, new: Callable[[str], str]) -> Any:
    """Return plain data with each text replaced, but for those that are words of the program's own."""
    if isinstance(data, dict):
        return {key: replaced(value, new) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [replaced(value, new) for value in data]
    return new(data) if isinstance(data, str) else data


@cache
def choosers() -> frozenset[str]:
    """Return the texts that templates compare with, or look up: they choose between layouts."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in TEMPLATES.glob("*.typ"))
    return frozenset({"", *re.findall(r'"([\w-]+)"', text), *re.findall(r"([\w-]+): ", text)})


@cache
def typical(kind: str) -> Section:
    """Return a section of a kind, from the sample of middle length."""
    made = [one for path in SAMPLES for one in packet(with_handouts(sample(path)), kind, report=REPORT).sections]
    return min(made, key=lambda one: abs(len(json.dumps(one.data)) - 2000))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", [kind.id for kind in KINDS])
@given(texts=st.lists(st.text(max_size=60), min_size=1, max_size=8))
@example(texts=list(WORDY))
@settings(max_examples=examples(1), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_in_any_field_compiles(press, kind, texts):
    compile_with(press, kind, texts)


def compile_with(press: Typesetter, kind: str, texts: list[str]) -> None:
    section, kept, turn = typical(kind), choosers(), iter(range(10**9))
    data = replaced(section.data, lambda text: text if text in kept else texts[next(turn) % len(texts)])
    press.typeset(PrintDocument(texts[0], (Section(kind, data),)), "svg")


# ---- the players' edition ----


def pairs(path: Path, number: int) -> Iterator[tuple[Encounter, Encounter]]:
    """Yield pairs of a sample with more secrets, and another encounter that players can't tell from it."""
    for seed in range(number):
        random = Random(f"{path.stem} {seed}")
        encounter = with_secrets(with_handouts(sample(path)), random)
        yield encounter, another_encounter(encounter, random)


def players_pages(encounter: Encounter) -> PrintDocument:
    return packet(encounter, options=PrintOptions(edition="players"))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("path", SAMPLES, ids=NAMES)
@pytest.mark.parametrize("number", [6, pytest.param(300, marks=pytest.mark.soak)])
def test_players_pages_are_the_same_whatever_is_secret(path, number):
    for encounter, other in pairs(path, number):
        before, after = players_pages(encounter), players_pages(other)
        assert before.sections
        for one, two in zip(before.sections, after.sections, strict=True):
            assert one == two
        assert template_json(before) == template_json(after)
        assert before.pictures == after.pictures


@pytest.mark.sampled(1)
@pytest.mark.parametrize("path", SAMPLES[:2], ids=NAMES[:2])
def test_players_pages_look_the_same_whatever_is_secret(press, path):
    for pair in pairs(path, 1):
        before, after = (press.typeset(players_pages(one), "svg").pages for one in pair)
        assert before == after


@pytest.mark.sampled(1)
@pytest.mark.parametrize("path", SAMPLES, ids=NAMES)
def test_players_map_in_a_narrators_packet_tells_no_more_than_in_their_own(path):
    for encounter, other in pairs(path, 2):
        before, after = (
            [
                (one.data, one.edition)
                for one in packet(encounter, options=PrintOptions(players_map=True)).sections
                if one.edition == "players"
            ]
            for encounter in (encounter, other)
        )
        assert before == after


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", SAMPLES, ids=NAMES)
def test_the_replacement_is_noticed_where_secrets_are_told(path):
    for encounter, other in pairs(path, 1):
        assert template_json(packet(encounter)) != template_json(packet(other))


def written_in(pdf: bytes) -> bytes:
    """Return everything in a PDF as bytes: texts as they are shown, contents of streams, strings, metadata and names."""
    reader, found = PdfReader(BytesIO(pdf)), [pdf, *(page.text.encode() for page in read_pages(pdf))]
    for number in range(1, int(reader.trailer["/Size"])):
        thing = reader.get_object(number)
        if isinstance(thing, StreamObject):
            with suppress(PdfReadError, NotImplementedError):  # pixels, which are read as they are
                found.append(thing.get_data())
        found.append(repr(thing).encode())
    return b"\n".join((*found, *(one.replace(b"\0", b"") for one in found)))


def rubbish_in(text: bytes) -> set[bytes]:
    """Return the words that stand for secrets."""
    return {*re.findall(rb"[b-df-hk-nprstvz]{3}[aeiou]\d{3,6}", text)}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("path", SAMPLES, ids=NAMES)
def test_no_secret_is_in_any_part_of_players_documents(press, path, tmp_path):
    pictures = {"map.png": png_with_notes(), "face.jpg": jpeg(1), "letter.webp": webp()}
    for name, content in pictures.items():
        (tmp_path / name).write_bytes(content)
    shown = Handout("seen", "A picture", picture="letter.webp")
    encounter, other = next(pairs(path, 1))
    changes: dict[type, dict[str, Any]] = {Creature: {"portrait": "face.jpg"}, Map: {"picture": MapPicture("map.png")}}
    seen = Encounter([*(msgspec.structs.replace(one, **changes.get(type(one), {})) for one in other), shown])
    made = packet(seen, options=PrintOptions(edition="players"), folder=tmp_path)
    printed = written_in(press.typeset(made).pages[0])
    secrets = rubbish_in(msgspec.json.encode([*other])) - rubbish_in(msgspec.json.encode([*encounter]))
    assert len(rubbish_in(template_json(packet(seen)).encode()) & secrets) > 5, "the game master sees none of them"
    assert rubbish_in(printed) & secrets == set()
    assert NOTED not in printed
    for page in press.typeset(made, "svg").pages:
        parts = [page, *map(b64decode, re.findall(rb"base64,([\w+/=]+)", page))]
        assert not [part for part in parts if NOTED in part]
    assert any(picture.content for picture in made.pictures)


def test_a_drawing_is_no_picture(tmp_path):
    (tmp_path / "pic.png").write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'><title>the innkeeper</title></svg>")
    made = packet(with_handouts(Encounter([Scene()])), "player-handouts", folder=tmp_path)
    assert made.pictures == ()


def test_kinds_without_a_players_edition_are_left_out_of_one():
    kept = {kind.id for kind in KINDS if kind.for_players}
    for path in SAMPLES:
        assert kinds_in(packet(sample(path), options=PrintOptions(edition="players"))) <= kept


# ---- pictures ----


def test_a_picture_that_is_none_leaves_the_rest_standing(press, tmp_path):
    (tmp_path / "pic.png").write_bytes(png(3, 3)[:40])
    encounter = with_handouts(Encounter([Scene()]))
    broken = packet(encounter, "player-handouts", folder=tmp_path)
    assert broken.pictures == ()
    assert press.typeset(broken).pages
    (tmp_path / "pic.png").write_bytes(png(3, 3))
    whole = packet(encounter, "player-handouts", folder=tmp_path)
    assert len(whole.pictures) == 1
    assert press.typeset(whole).pages
