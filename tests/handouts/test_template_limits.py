"""Templates of a person's own are typeset in a process of their own, which ends where they don't."""

from __future__ import annotations

import threading

import pytest

from tests.handouts.samples import TEMPLATES
from turnwright.handouts.page_input import PrintDocument, Section
from turnwright.handouts.typesetter import TemplateProcess, TypesetError, Typesetter

ENDLESS = "#for a in range(20000) { for b in range(20000) { let c = calc.sin(a + b) } }"
HUGE = "#let held = ()\n#for n in range(2000000) { held.push(range(n, n + 200)) }"


@pytest.fixture
def own(tmp_path):
    (tmp_path / "own").mkdir()
    return tmp_path / "own"


@pytest.fixture
def press(own):
    with Typesetter((TEMPLATES,), own=own) as press:
        yield press


def page():
    return PrintDocument("t", (Section("own", {}),))


def limited(press, seconds, size):
    """Give a typesetter's process other limits."""
    press.apart = TemplateProcess(press.apart.folder, seconds, size)


def write(own, text, name="own.typ"):
    (own / name).write_text(f"{text}\n#let sheet(packet, data) = [a]\n", encoding="utf-8")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("text", "seconds", "size", "words"),
    [
        (ENDLESS, 0.2, 2_000_000_000, "took longer than 0.2 seconds and was ended"),
        (HUGE, 60, 250_000_000, "took more than 250 MB of memory and was ended"),
    ],
)
def test_a_template_beyond_its_limits_is_ended_and_named(press, own, text, seconds, size, words):
    write(own, text)
    limited(press, seconds, size)
    with pytest.raises(TypesetError) as told:
        press.typeset(page())
    assert (str(told.value), told.value.file) == (words, str(own / "own.typ"))
    write(own, "")
    limited(press, 60, 2_000_000_000)
    assert press.typeset(page()).pages[0].startswith(b"%PDF")  # mended, it is used again


def test_of_several_templates_the_folder_is_named(press, own):
    write(own, ENDLESS)
    write(own, "", "other.typ")
    limited(press, 0.2, 2_000_000_000)
    with pytest.raises(
        TypesetError, match=r"one of the templates other.typ, own.typ took|one of the templates own.typ, other.typ took"
    ):
        press.typeset(page())


def test_a_mistake_is_told_with_its_place_as_without_a_process(press, own):
    write(own, '#let wrong = 1 + "a"')
    with pytest.raises(TypesetError) as told:
        press.typeset(page(), "svg")
    assert (told.value.file, told.value.line) == (str(own / "own.typ"), 1)
    write(own, "")
    assert press.typeset(page(), "svg").pages[0].startswith(b"<svg")
    assert len(press.typeset(PrintDocument("t", (Section("own", {}), Section("own", {}))), "png", 20).pages) == 2


def test_the_shipped_templates_need_no_process(press, own):
    press.typeset(PrintDocument("t", ()))
    assert not press.apart.is_running


def test_a_process_that_is_stopped_from_another_thread_gives_an_error_and_then_starts_anew(press, own):
    write(own, ENDLESS)
    threading.Timer(0.5, press.stop).start()
    with pytest.raises(TypesetError, match="ended unexpectedly"):
        press.typeset(page())
    write(own, "")
    assert press.typeset(page()).pages


@pytest.mark.soak
def test_documents_before_the_last_take_no_memory(press, own):
    (own / "own.typ").write_text(
        "#let sheet(packet, data) = range(1500).map(at => [#lorem(60) #packet.title #at]).join(parbreak())",
        encoding="utf-8",
    )
    limited(press, 60, 600_000_000)
    for title in range(6):
        assert press.typeset(PrintDocument(str(title), (Section("own", {}),))).pages
