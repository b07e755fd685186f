"""The input of a printing: kinds, texts in the game's terms, templates, and pictures of one folder alone."""

from pathlib import Path

import msgspec
import pytest

from tests.for_each import for_each
from tests.handouts.samples import SAMPLES, png, rules_of, sample, typesetter, words
from tests.table import Table, a5e, creature
from turnwright.encounter.prepared import Countdown, Creature, Handout, RosterEntry, Scene
from turnwright.encounter.running import Clock
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds import page_kinds
from turnwright.handouts.page_input import CUT_SHEET, PrintOptions
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.turns.turns import EndEncounter
from turnwright.workspace.print_job import (
    FileResources,
    fixed_words,
    print_inputs,
    single_creature_encounter,
    translator,
    typesetter_for,
)
from turnwright.workspace.settings import Folders

FORD = next(path for path in SAMPLES if path.stem == "cold-ford-bridge")


@pytest.fixture
def ford():
    return sample(FORD)


def gathered(encounter, kinds=(), folder=None, **options):
    return print_inputs(encounter, rules_of(encounter), words(), PrintOptions(**options), kinds, folder)


CUT = ("creature-cards", "treasure-cards", "condition-cards", "spell-cards")


def test_all_kinds_that_show_something_are_gathered(ford):
    got = gathered(ford)
    assert "stat-blocks" in got.kinds
    assert "player-handouts" not in got.kinds or list(ford.all(Handout))
    printed = dict.fromkeys(CUT_SHEET if kind.endswith(CUT) else kind for kind in got.kinds)
    assert [section.kind for section in got.document.sections] == list(printed)
    assert (got.empty_kinds, got.gm_only_kinds) == ((), ())


def test_kinds_come_in_the_order_of_a_packet_whatever_was_asked(ford):
    assert gathered(ford, ("reference", "stat-blocks")).kinds == ("stat-blocks", "reference")


def test_a_kind_that_was_asked_for_and_shows_nothing_is_told():
    bare = Encounter([Scene(title="Bare")])
    got = gathered(bare, ("stat-blocks", "reference"))
    assert (got.kinds, got.empty_kinds) == (("reference",), ("stat-blocks",))
    assert gathered(bare).empty_kinds == ()


def situations():
    """Encounters at odd moments: in the third round, over, with everyone dead, and with one line and no stat block."""

    def table():
        table = Table(creature("ann", hp=30), "gob", "wolf", foes=("gob", "wolf"), rules=a5e())
        table.start(ann=20, gob=10, wolf=15)
        return table

    running, dead, over = table(), table(), table()
    late = [msgspec.structs.replace(one, round=3) if isinstance(one, Clock) else one for one in running.encounter]
    for who in ("ann", "gob", "wolf"):
        dead.does(SetDead(who))
    over.does(EndEncounter())
    yield "third round", Encounter(late)
    yield "all dead", dead.encounter
    yield "over", over.encounter
    yield "one line", Encounter((Scene(), RosterEntry("bandits", "", "Bandit", count=3, hp=11)))
    yield "a countdown", Encounter((Scene(), Countdown("ice", "Ice", dice=3)))
    yield "nothing", Encounter((Scene(),))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [name for name, _ in situations()])
def test_every_kind_is_printed_at_odd_moments_or_says_that_it_is_empty(name: str):
    encounter = dict(situations())[name]
    options = PrintOptions(now=True, forecast=True, lore=True)
    for kind in page_kinds():
        inputs = print_inputs(encounter, a5e(), words(), options, [kind.id])
        assert inputs.kinds or kind.id in inputs.empty_kinds
        if inputs.kinds:
            assert typesetter().typeset(inputs.document, "png", 30.0).pages


def test_a_blank_mat_is_printed_by_its_name_or_its_size_alone(ford):
    def kinds(mat: str = "", *named: str) -> tuple[str, ...]:
        return gathered(ford, named, mat=mat).kinds

    assert "battle-mat" not in kinds()
    assert "map-sheets" in kinds()
    assert "battle-mat" in kinds("4x3")
    assert kinds("", "battle-mat") == ("battle-mat",)


def test_a_kind_without_a_players_edition_is_told(ford):
    got = gathered(ford, ("stat-blocks", "reference"), edition="players")
    assert (got.kinds, got.gm_only_kinds) == (("reference",), ("stat-blocks",))


def test_a_kind_that_there_is_not_is_refused(ford):
    with pytest.raises(LookupError, match="posters"):
        gathered(ford, ("posters",))


def test_the_title_is_the_scene_s(ford):
    scene = ford.get(Scene, "scene")
    assert gathered(ford, ("reference",)).document.title == scene.title


def test_options_reach_the_packet(ford):
    packet = gathered(ford, ("reference",), paper="letter", ink="saving", bleed=3.0).document
    assert (packet.paper, packet.ink, packet.bleed, packet.language) == ("letter", "saving", 3.0, "en")


def test_words_are_those_of_templates_alone_and_in_the_game_s_terms(ford):
    given = fixed_words(words(), rules_of(ford))
    assert given["reference.title"] == "Reference"
    assert all(f"handout.{key}" in words() for key in given)


@for_each("path", SAMPLES, ids=[path.stem for path in SAMPLES])
def test_a_game_s_own_terms_are_spoken(path):
    rules = rules_of(sample(path))
    say = translator(words(), rules)
    terms = dict(rules.data.terms)
    assert say("phase.rounds") == terms["phase.rounds"]
    assert say("nobody.said.this") == "nobody.said.this"
    assert say("handout.reference.when-within", n=5) == f"within 5 {terms['unit']}"


def test_a_creature_alone_is_an_encounter_of_one():
    creature = Creature("owl", "Owl")
    rules = rules_of(sample(FORD))
    encounter = single_creature_encounter(creature, rules)
    assert list(encounter.all(Creature)) == [creature]
    assert [entry.creature for entry in encounter.all(RosterEntry)] == ["owl"]
    assert gathered(encounter, ("stat-blocks",)).document.title == "Owl"


# ---- pictures ----


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "encounters"
    (inside / "art").mkdir(parents=True)
    (inside / "dot.png").write_bytes(png(2, 2))
    (inside / "art" / "map.png").write_bytes(png(3, 3))
    (inside / "notes.png").write_text("no picture", encoding="utf-8")
    (tmp_path / "private.png").write_bytes(png(4, 4))
    return inside


def test_pictures_of_the_folder_are_read(folder):
    beside = FileResources(folder)
    assert beside("dot.png") == png(2, 2)
    assert beside("art/map.png") == png(3, 3)
    assert beside.unusable_names == ()


@pytest.mark.parametrize(
    "name", ["", "none.png", "notes.png", "art", "../private.png", "art/../../private.png", "a\0b"]
)
def test_nothing_else_is_read(folder, name):
    beside = FileResources(folder)
    assert beside(name) is None
    assert beside.unusable_names == (name,)


def test_neither_a_whole_path_nor_a_link_leads_out(folder):
    outside = folder.parent / "private.png"
    (folder / "link.png").symlink_to(outside)
    beside = FileResources(folder)
    assert beside(str(outside)) is None
    assert beside("link.png") is None
    assert beside("..\\private.png") is None


def test_without_a_folder_there_are_no_pictures():
    assert FileResources(None)("dot.png") is None


def test_a_picture_that_is_too_large_is_not_read(folder, monkeypatch):
    monkeypatch.setattr("turnwright.handouts.page_input.MAX_BYTES", 10)
    assert FileResources(folder)("dot.png") is None


def test_pictures_that_can_t_be_shown_are_told(folder):
    letters = [Handout(name, "A letter", "letter", "Words", "", picture) for name, picture in
               (("one", "dot.png"), ("two", "notes.png"))]  # fmt: skip
    got = gathered(Encounter([Scene(), *letters]), ("player-handouts",), folder)
    assert got.unusable_pictures == ("notes.png",)
    assert len(got.document.pictures) == 1


# ---- templates ----


def test_templates_of_the_library_s_folder_win(tmp_path, ford):
    places = Folders(tmp_path / "state", tmp_path / "config", tmp_path / "data")
    own = places.library / "handouts"
    own.mkdir(parents=True)
    (own / "main.typ").write_text("#set page(width: 100pt, height: 50pt)\nmine", encoding="utf-8")
    with typesetter_for(places) as press:
        (page,) = press.typeset(gathered(ford, ("reference",)).document, "svg").pages
    assert b'width="100pt"' in page


def test_without_templates_of_one_s_own_ours_are_used(tmp_path, ford):
    with typesetter_for(Folders(tmp_path, tmp_path, tmp_path)) as press:
        assert press.typeset(gathered(ford, ("reference",)).document).pages
