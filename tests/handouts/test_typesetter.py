"""The typesetter: the templates it uses, its errors for mistakes in them, and characters without a font."""

import os
import re
import socket
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from pypdf import PdfReader

import turnwright
from tests.handouts import samples
from tests.handouts.samples import TEMPLATES, png
from turnwright.handouts.page_input import Picture, PrintDocument, Section, print_document, template_json
from turnwright.handouts.typesetter import MAX_TEMPLATE, TypesetError, Typesetter
from turnwright.workspace.print_job import fixed_words

SHEET = "#let sheet(packet, data) = "
UNHEARD_OF = "\U000f1234"  # for private use: no font of anybody's has it


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "their own"
    folder.mkdir()
    return folder


@pytest.fixture
def press(own: Path):
    with Typesetter((TEMPLATES, own)) as press:
        yield press


def page(kind: str = "own", text: str = "") -> PrintDocument:
    return PrintDocument("t", (Section(kind, {"text": text}),))


def write(path: Path, text: str) -> None:
    """Write a template as one that was changed a second later than before."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text, encoding="utf-8")
    if before:
        os.utime(path, ns=(before + 10**9, before + 10**9))


def widths(press: Typesetter, packet: PrintDocument) -> list[str]:
    """Return the widths of pages in points, from their SVG."""
    return [page.split(b'width="')[1].split(b'"')[0].decode() for page in press.typeset(packet, "svg").pages]


def test_a_template_of_the_person_s_own_wins_over_ours(press, own):
    write(own / "own.typ", f"{SHEET}[a]")
    assert widths(press, page()) != ["100pt"]
    write(own / "main.typ", '#set page(width: 100pt, height: 50pt)\n#json("data.json").title')
    assert widths(press, page()) == ["100pt"]


def test_a_change_to_a_template_is_picked_up_and_taking_it_away_too(press, own):
    write(own / "own.typ", f"{SHEET}page(width: 100pt)[]")
    assert "100pt" in widths(press, page())
    write(own / "own.typ", f"{SHEET}page(width: 200pt)[]")
    assert "200pt" in widths(press, page())
    (own / "own.typ").unlink()
    with pytest.raises(TypesetError):
        press.typeset(page())


@pytest.mark.parametrize("name", ['"@preview/cetz:0.2.0": *', '("@" + "preview/cetz:0.2.0"): canvas'])
def test_nothing_is_fetched_from_the_network(press, own, name):
    write(own / "own.typ", f"// mine\n#import {name}\n{SHEET}[a]")
    with pytest.raises(TypesetError, match="import packages from the network") as told:
        press.typeset(page())
    assert (told.value.file, told.value.line) == (str(own / "own.typ"), 2)


def test_nothing_is_fetched_whatever_a_package_is_written_as(own, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as proxy, Typesetter((TEMPLATES,), own) as press:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.getsockname()[1]}")
        write(own / "own.typ", r'#import "\u{40}preview/cetz:0.2.0": *' + f"\n{SHEET}[a]")
        with pytest.raises(TypesetError, match="failed to download"):
            press.typeset(page())
        proxy.settimeout(0)
        with pytest.raises(BlockingIOError):
            proxy.accept()


def test_a_template_that_is_a_link_or_far_too_long_is_refused(press, own, tmp_path):
    elsewhere = tmp_path / "elsewhere.typ"
    elsewhere.write_text(f"{SHEET}[a]")
    (own / "own.typ").symlink_to(elsewhere)
    with pytest.raises(TypesetError, match="a link") as told:
        press.typeset(page())
    assert told.value.file == str(own / "own.typ")
    (own / "own.typ").unlink()
    write(own / "own.typ", f"// {'x' * MAX_TEMPLATE}\n{SHEET}[a]")
    with pytest.raises(TypesetError, match="larger than 1,000,000 bytes"):
        press.typeset(page())


def test_taking_one_s_own_away_brings_ours_back(press, own):
    write(own / "own.typ", '#import "style.typ": *\n' + SHEET + "[#tick()]")
    before = press.typeset(page(), "svg").pages
    write(own / "style.typ", (TEMPLATES / "style.typ").read_text(encoding="utf-8").replace("3.4mm", "9mm"))
    changed = press.typeset(page(), "svg").pages
    (own / "style.typ").unlink()
    assert before != changed
    assert press.typeset(page(), "svg").pages == before


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (f"// mine\n\n{SHEET}[#data.nothing]", 3, "nothing"),
        (f"{SHEET}[", 1, "unclosed delimiter"),
        (f'// mine\n{SHEET}[#read("../../secret")]', 2, ""),
    ],
)
def test_a_mistake_in_a_template_is_told_by_file_and_line(press, own, text, line, message):
    write(own / "own.typ", text)
    with pytest.raises(TypesetError) as told:
        press.typeset(page())
    assert (told.value.file, told.value.line) == (str(own / "own.typ"), line)
    assert message in told.value.message
    assert f"{own / 'own.typ'}:{line}:" in str(told.value)
    assert "turnwright-press" not in f"{told.value} {told.value.message}"


def test_after_a_mistake_is_mended_the_same_press_goes_on(press, own):
    write(own / "own.typ", f"{SHEET}[")
    with pytest.raises(TypesetError):
        press.typeset(page())
    write(own / "own.typ", f"{SHEET}[#data.text]")
    assert press.typeset(page()).pages[0].startswith(b"%PDF")


def test_the_kind_on_which_typst_fails_is_named_among_several(tmp_path, own):
    write(own / "own.typ", f"{SHEET}rect(width: 9pt, fill: tiling(size: (0.1pt, 0.1pt), [a]))")
    write(own / "fine.typ", f"{SHEET}[a]")
    sections = tuple(Section(kind, {}, name=kind.title()) for kind in ("fine", "own"))
    with Typesetter((TEMPLATES, own)) as press, pytest.raises(TypesetError) as error:
        press.typeset(PrintDocument("t", sections), "png", 8.0)
    assert error.value.message.startswith("Own: Typst failed")


@pytest.mark.parametrize("own_process", [True, False])
def test_a_panic_of_typst_is_an_error_of_that_document_alone(tmp_path, own, own_process):
    tiny = "tiling(size: (0.1pt, 0.1pt), [a])"
    write(own / "own.typ", f"{SHEET}rect(width: 9pt, fill: {tiny})")
    folders = ((TEMPLATES,), own) if own_process else ((TEMPLATES, own), None)
    with Typesetter(*folders) as press:
        with pytest.raises(TypesetError, match="Typst failed on this page"):
            press.typeset(page(), "png", 8.0)
        write(own / "own.typ", f"{SHEET}[a]")
        assert len(press.typeset(page(), "png").pages) == 1


def test_a_kind_without_a_template_is_a_misprint_that_names_it(press):
    with pytest.raises(TypesetError, match=r"unheard\.typ") as told:
        press.typeset(page("unheard"))
    assert "turnwright-press" not in told.value.message


def test_templates_read_nothing_outside_their_folder(press, own, tmp_path):
    (tmp_path / "letter.txt").write_text("private", encoding="utf-8")
    write(own / "own.typ", f'{SHEET}[#read("{(tmp_path / "letter.txt").as_posix()}")]')
    with pytest.raises(TypesetError):
        press.typeset(page())


def test_what_no_font_has_is_told_and_stands_as_a_question_mark(press, own):
    write(own / "own.typ", f"{SHEET}[#data.text]")
    told = press.typeset(page(text=f"a{UNHEARD_OF}b"), "svg")
    assert told.missing_characters == (UNHEARD_OF,)
    assert told.pages == press.typeset(page(text="a?b"), "svg").pages


def test_what_fonts_have_is_not_told(press, own):
    write(own / "own.typ", f"{SHEET}[#data.text]")
    assert press.typeset(page(text="Ærðþ – “ß” ◆ ½ Ωμέγα Царь")).missing_characters == ()


def test_each_character_that_is_lacking_is_told_once(press, own):
    write(own / "own.typ", f"{SHEET}[#data.text]")
    other = chr(ord(UNHEARD_OF) + 1)
    assert sorted(press.typeset(page(text=f"{UNHEARD_OF}{other} x {UNHEARD_OF}")).missing_characters) == [
        UNHEARD_OF,
        other,
    ]


def test_a_text_is_never_read_as_a_command(press, own):
    write(own / "own.typ", f"{SHEET}[#data.text]")
    for text in ("#panic()", "$x", "*a", "= a", "#[", "\\", "]", "//", "/*", "@a", "<a>", "`", '"', "#import", "~"):
        assert press.typeset(page(text=text)).missing_characters == ()
    plain, odd = (press.typeset(page(text=text), "svg").pages for text in ("xx", "*x"))
    assert plain != odd


@pytest.mark.parametrize(("form", "start"), [("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<svg")])
def test_forms_are_one_file_or_one_a_page(press, own, form, start):
    write(own / "own.typ", f"{SHEET}[a #pagebreak() b]")
    pages = press.typeset(page(), form).pages
    assert len(pages) == (1 if form == "pdf" else 2)
    assert all(one.startswith(start) for one in pages)


def test_pictures_stand_beside_the_templates_and_are_renewed(press, own):
    write(own / "own.typ", f'{SHEET}image("pictures/dot.png")')
    sections = (Section("own", {}),)
    wide, high = (
        press.typeset(PrintDocument("t", sections, pictures=(Picture("dot.png", content),)), "svg").pages
        for content in (png(1, 1), png(1, 2))
    )
    assert wide != high
    again = PrintDocument("t", sections, pictures=(Picture("dot.png", png(1, 1)),))
    assert press.typeset(again, "svg").pages == wide


def test_a_picture_never_leaves_the_folder_of_pictures(press, own):
    write(own / "own.typ", f'{SHEET}image("pictures/main.typ.png")')
    packet = PrintDocument("t", (Section("own", {}),), pictures=(Picture("../../main.typ.png", png(1, 1)),))
    assert len(press.typeset(packet).pages) == 1


def test_bleed_is_added_to_the_page_on_each_side(press, own):
    write(own / "own.typ", f"{SHEET}[a]")
    plain, wide = (widths(press, PrintDocument("t", (Section("own", {}),), bleed=bleed)) for bleed in (0.0, 3.0))
    inch = 72 / 25.4
    assert abs(float(plain[0].removesuffix("pt")) - 210 * inch) < 0.01
    assert abs(float(wide[0].removesuffix("pt")) - 216 * inch) < 0.01


def test_closing_leaves_nothing_behind(own, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Typesetter((TEMPLATES, own)) as press:
        write(own / "own.typ", f"{SHEET}[a]")
        press.typeset(page())
        assert list(tmp_path.glob("turnwright-press-*"))
    assert not list(tmp_path.glob("turnwright-press-*"))


def test_the_template_of_the_documents_prints_the_countdowns_of_a_sample(press, own):
    told = (Path(turnwright.__file__).parents[2] / "docs" / "handout-templates.md").read_text("utf-8")
    (template,) = re.findall(r"```typst\n(.*?)```", told, re.DOTALL)
    write(own / "countdown-tracks.typ", template)
    source = samples.source(samples.sample(next(path for path in samples.SAMPLES if path.stem == "cold-ford-bridge")))
    kinds = [kind for kind in samples.KINDS if kind.id == "countdown-tracks"]
    made = print_document(source, kinds, "A ford", fixed_words(samples.words(), source.rules))
    (page,) = PdfReader(BytesIO(press.typeset(made).pages[0])).pages
    assert "Gone in round" in page.extract_text()
    assert "The ice gives way" in page.extract_text()
    names = {*made.sections[0].__struct_fields__, *msgspec.json.decode(template_json(made))} - {
        "sections",
        "kind",
        "name",
        "form",
        "data",
    }
    assert names <= set(re.findall(r"`(\w+)`", told)), "packet's fields are in the table"
