"""Every kind of page with any records: it compiles, its fonts are embedded, and players learn no secret."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.effort import examples
from tests.handouts.samples import (
    KINDS,
    NAMES,
    OF_EACH_GAME,
    SAMPLES,
    TEMPLATES,
    packet,
    png,
    rules_of,
    sample,
    systems,
)
from turnwright.encounter.prepared import (
    Countdown,
    Creature,
    Environment,
    Handout,
    Map,
    RosterEntry,
    Scene,
    Wave,
)
from turnwright.encounter.state import Encounter, Record
from turnwright.handouts.page_input import PrintOptions
from turnwright.handouts.print_document import Paper, PrintDocument, Section, template_json
from turnwright.handouts.typesetter import Typesetter

CRAFTED = '#panic() $x$ *a* _b_ = `c` <d> @e \\ ] } [ { // /* ~ -- ... " \' #import "style.typ"'
WORDY = ("z" * 300, "line\n" * 30, "شجرة عتيقة", "守护者的剑", "👩‍🚀", "\u202eabc\u202c", "", " ", "\t", CRAFTED)


def with_handouts(encounter: Encounter) -> Encounter:
    """Return an encounter with handouts for the players."""
    styles = ("letter", "notice", "page", "picture")
    own = [Handout(f"own-{style}", "A title", style, "Words.\n\nMore.", "Ann", "pic.png") for style in styles]
    return Encounter([*encounter, *own])


def fonts(pdf: bytes) -> list[list[str]]:
    """Return a line a font: its name, and whether it is embedded."""
    told = subprocess.run(["pdffonts", "-"], input=pdf, capture_output=True, check=True).stdout.decode()
    return [line.split() for line in told.splitlines()[2:]]


# ---- every kind, every sample, both papers ----


def prints(press: Typesetter, encounter: Encounter, paper: Paper) -> None:
    printed = press.typeset(packet(encounter, options=PrintOptions(paper=paper)))
    assert printed.missing_characters == ()
    if shutil.which("pdffonts"):
        found = fonts(printed.pages[0])
        assert found
        assert all(line[-5] == "yes" for line in found), found


@pytest.mark.parametrize(("name", "paper"), [*zip(OF_EACH_GAME, ("a4", "letter") * 2, strict=True)], ids=OF_EACH_GAME)
def test_a_sample_of_each_game_prints_with_its_fonts(press, name, paper):
    prints(press, sample(SAMPLES[NAMES.index(name)]), paper)


@pytest.mark.soak
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("path", SAMPLES, ids=NAMES)
def test_every_sample_prints_on_both_papers_with_its_fonts(press, path, paper):
    prints(press, sample(path), paper)


def test_there_is_a_sample_of_each_game():
    games = [rules_of(sample(SAMPLES[NAMES.index(name)])).data.id for name in OF_EACH_GAME]
    assert sorted(games) == sorted(systems().ids)


def test_every_kind_has_its_template():
    assert [kind.id for kind in KINDS if not (TEMPLATES / f"{kind.id}.typ").is_file()] == []


def test_every_kind_shows_something_of_some_sample():
    shown = {section.kind for path in SAMPLES for section in packet(with_handouts(sample(path))).sections}
    assert shown == {kind.id for kind in KINDS}


def test_an_encounter_of_nothing_gives_no_error(press):
    for edition in ("narrator", "players"):
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
    made = [one for path in SAMPLES for one in packet(with_handouts(sample(path)), kind).sections]
    return min(made, key=lambda one: abs(len(json.dumps(one.data)) - 2000))


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


def other(text: str) -> str:
    return f"Otherwise {len(text) % 7}" if text else ""


def changed(record: Any, *names: str) -> Any:
    """Return a record with other texts and numbers in some of its fields."""
    values = {}
    for name in names:
        value = getattr(record, name)
        if isinstance(value, str):
            values[name] = other(value)
        elif isinstance(value, bool):
            values[name] = value
        elif isinstance(value, int):
            values[name] = value + 3
        elif isinstance(value, tuple):
            values[name] = ()
    return msgspec.structs.replace(record, **values)


FIGURES = (
    "ac",
    "hp",
    "initiative",
    "notes",
    "tactics",
    "abilities",
    "saves",
    "skills",
    "senses",
    "immunities",
    "resistances",
)


def otherwise(encounter: Encounter) -> Encounter:
    """Return an encounter in which every secret of the game master is different."""
    party = {entry.creature for entry in encounter.all(RosterEntry) if entry.player}
    return Encounter(_otherwise(record, party) for record in encounter)


def _otherwise(record: Record, party: set[str]) -> Record:
    if isinstance(record, Scene):
        return changed(record, "notes", "treasure", "goal", "turning_points")
    if isinstance(record, Creature) and record.id not in party:
        return changed(record, "name", "type", "languages", "rating", "features", "speeds", "source", *FIGURES)
    if isinstance(record, RosterEntry) and not record.player:
        return changed(record, "name", "count", "notes", "place", "wave", "positions", "check")
    if isinstance(record, Environment):
        return _environment(record)
    if isinstance(record, Countdown):
        hidden = ("name", "dice", "starts") if record.secret else ()
        return changed(record, "notes", "outcomes", *hidden)
    if isinstance(record, Map):
        return msgspec.structs.replace(record, obstacles=tuple(changed(one, "ac", "hp") for one in record.obstacles))
    return changed(record, "round", "notes") if isinstance(record, Wave) else record


def _environment(place: Environment) -> Environment:
    def row(one: Any) -> Any:
        return (
            changed(one, "name", "text", "short", "damage", "recharge", "within")
            if one.secret or not one.enabled
            else one
        )

    rows = {field: tuple(row(one) for one in getattr(place, field)) for field in ("features", "actions")}
    return changed(msgspec.structs.replace(place, **rows), "notes", "source")


def with_secrets(encounter: Encounter) -> Encounter:
    """Return an encounter of which every second row and countdown is secret, and which has notes everywhere."""
    rest = [record for record in encounter if not isinstance(record, Countdown)]
    pools = [
        msgspec.structs.replace(pool, secret=at % 2 == 0, notes="A secret")
        for at, pool in enumerate(encounter.all(Countdown))
    ]
    return Encounter([*(_with_secrets(record) for record in rest), *pools])


def _with_secrets(record: Record) -> Record:
    if isinstance(record, Environment):
        rows = {
            field: tuple(
                msgspec.structs.replace(one, secret=at % 2 == 0) for at, one in enumerate(getattr(record, field))
            )
            for field in ("features", "actions")
        }
        return msgspec.structs.replace(record, notes="A secret", **rows)
    if isinstance(record, Scene | RosterEntry | Creature | Wave):
        return msgspec.structs.replace(record, notes="A secret")
    return record


@pytest.mark.parametrize("path", SAMPLES, ids=NAMES)
def test_players_pages_are_the_same_whatever_is_secret(path):
    encounter = with_secrets(with_handouts(sample(path)))
    players = PrintOptions(edition="players")
    before, after = (packet(one, options=players) for one in (encounter, otherwise(encounter)))
    assert before.sections
    for one, two in zip(before.sections, after.sections, strict=True):
        assert one == two
    assert template_json(before) == template_json(after)
    assert before.pictures == after.pictures


@pytest.mark.parametrize("path", SAMPLES[:2], ids=NAMES[:2])
def test_players_pages_look_the_same_whatever_is_secret(press, path):
    encounter = with_secrets(sample(path))
    players = PrintOptions(edition="players")
    before, after = (
        press.typeset(packet(one, options=players), "svg").pages for one in (encounter, otherwise(encounter))
    )
    assert before == after


@pytest.mark.parametrize("path", SAMPLES, ids=NAMES)
def test_the_replacement_is_noticed_where_secrets_are_told(path):
    encounter = with_secrets(sample(path))
    assert template_json(packet(encounter)) != template_json(packet(otherwise(encounter)))


def test_kinds_without_a_players_edition_are_left_out_of_one():
    kept = {kind.id for kind in KINDS if kind.for_players}
    for path in SAMPLES:
        shown = {section.kind for section in packet(sample(path), options=PrintOptions(edition="players")).sections}
        assert shown <= kept


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
