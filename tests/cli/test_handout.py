"""`turnwright handout`: pages of an encounter or a creature, exit codes and messages."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import TEXT
from tests.handouts.samples import png
from turnwright.workspace.settings import HOME

UNHEARD_OF = "\U000f1234"  # for private use: no font of anybody's has it
CREATURE = """\
format = 3
kind = "creature"
system = "a5e"
id = "owl"
name = "Owl of the weir"
hp = 7
"""
SEEN = 'format = 3\nsystem = "a5e"\ntitle = "On the ice"\n'


@pytest.fixture
def home(tmp_path: Path, run) -> Path:
    return tmp_path / "home"


def test_an_encounter_becomes_a_pdf(run, file, tmp_path):
    out = tmp_path / "ice.pdf"
    ran = run("handout", file, "-o", out, "--kind", "stat-blocks")
    assert (ran.code, ran.err, ran.lines) == (0, "", [str(out)])
    assert out.read_bytes().startswith(b"%PDF")


@pytest.mark.soak
def test_all_kinds_that_apply_are_printed_where_none_is_named(run, file, tmp_path):
    ran = run("handout", file, "-o", tmp_path / "ice.pdf", "--json")
    told = json.loads(ran.out)
    assert (ran.code, ran.err) == (0, "")
    assert {"stat-blocks", "reference", "encounter-sheet"} <= set(told["kinds"])
    assert (told["empty"], told["secret"], told["findings"]) == ([], [], [])
    assert told["files"] == [str(tmp_path / "ice.pdf")]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("form", "start"), [("png", b"\x89PNG"), ("svg", b"<svg")])
def test_pictures_are_one_a_page(run, file, tmp_path, form, start):
    ran = run("handout", file, "-o", tmp_path / f"ice.{form}", "--kind", "reference")
    assert (ran.code, ran.err) == (0, "")
    pages = sorted(tmp_path.glob(f"ice-*.{form}"))
    assert [page.name for page in pages][:1] == [f"ice-01.{form}"]
    assert ran.lines == [str(page) for page in pages]
    assert all(page.read_bytes().startswith(start) for page in pages)
    assert not (tmp_path / f"ice.{form}").exists()


def test_the_format_may_be_named(run, file, tmp_path):
    ran = run("handout", file, "-o", tmp_path / "ice", "--kind", "reference", "--format", "svg")
    assert ran.code == 0
    assert (tmp_path / "ice-01.svg").exists()


def test_a_creature_of_a_library_gives_its_stat_block(run, tmp_path):
    path = tmp_path / "owl.toml"
    path.write_text(CREATURE, encoding="utf-8")
    ran = run("handout", path, "-o", tmp_path / "owl.pdf", "--json")
    assert (ran.code, json.loads(ran.out)["kinds"]) == (0, ["stat-blocks"])


def test_paper_and_bleed_are_those_asked_for(run, file, tmp_path):
    size = {}
    for name, options in {"a4": (), "letter": ("--paper", "letter"), "bleed": ("--bleed", "3")}.items():
        run("handout", file, "-o", tmp_path / f"{name}.svg", "--kind", "reference", *options)
        page = (tmp_path / f"{name}-01.svg").read_text(encoding="utf-8")
        size[name] = float(page.split('width="')[1].split('pt"')[0]) * 25.4 / 72
    assert size == pytest.approx({"a4": 210, "letter": 215.9, "bleed": 216}, abs=0.01)


@pytest.mark.soak
def test_ink_saving_changes_the_page(run, file, tmp_path):
    for ink in ("colour", "saving"):
        run("handout", file, "-o", tmp_path / f"{ink}.svg", "--kind", "reference", "--ink", ink)
    colour, saving = ((tmp_path / f"{ink}-01.svg").read_bytes() for ink in ("colour", "saving"))
    assert b"#7a2318" in colour
    assert b"#7a2318" not in saving


def test_kinds_with_nothing_to_show_are_told(run, tmp_path):
    path = tmp_path / "bare.toml"
    path.write_text(SEEN, encoding="utf-8")
    asked = ("--kind", "stat-blocks", "--kind", "reference")
    ran = run("handout", path, "-o", tmp_path / "bare.pdf", *asked)
    assert (ran.code, ran.err) == (0, "turnwright handout: stat-blocks: nothing to print\n")
    ran = run("handout", path, "-o", tmp_path / "none.pdf", "--kind", "stat-blocks")
    assert ran.code == 1
    assert f"{path}:1: nothing to print\n" in ran.err
    assert not (tmp_path / "none.pdf").exists()


def test_kinds_without_a_players_edition_are_told(run, file, tmp_path):
    asked = ("--kind", "stat-blocks", "--kind", "reference", "--edition", "players")
    ran = run("handout", file, "-o", tmp_path / "ice.pdf", *asked)
    assert (ran.code, ran.err) == (
        0,
        "turnwright handout: stat-blocks: not printed, because this kind has no players' edition\n",
    )


def test_characters_that_no_font_has_are_findings(run, file, tmp_path):
    file.write_text(TEXT.replace('name = "Raider"', f'name = "Raider {UNHEARD_OF}"'), encoding="utf-8")
    ran = run("handout", file, "-o", tmp_path / "ice.pdf", "--kind", "stat-blocks")
    assert ran.code == 1
    assert "U+F1234" in ran.err
    assert ran.err.startswith(f"{file}:1: ")
    assert (tmp_path / "ice.pdf").exists()


def test_a_picture_that_is_missing_is_a_finding(run, file, tmp_path):
    letter = '\n[handouts.note]\ntitle = "A note"\ntext = "Words."\npicture = "none.png"\n'
    file.write_text(TEXT + letter, encoding="utf-8")
    ran = run("handout", file, "-o", tmp_path / "ice.pdf", "--kind", "player-handouts")
    assert (ran.code, len(ran.err.splitlines())) == (1, 1)
    assert "none.png" in ran.err
    line = 1 + file.read_text(encoding="utf-8").splitlines().index('picture = "none.png"')
    (file.parent / "none.png").write_bytes(png(3, 3)[:50])
    ran = run("handout", file, "-o", tmp_path / "ice.pdf", "--kind", "player-handouts")
    told = f"{file}:{line}: handouts.note.picture: this picture can't be shown: none.png\n"
    assert (ran.code, ran.err) == (1, told)


def test_a_mistake_in_a_template_of_one_s_own_is_told_by_file_and_line(run, file, tmp_path, monkeypatch, home):
    own = home / "data" / "library" / "handouts"
    own.mkdir(parents=True)
    (own / "reference.typ").write_text("// mine\n#let sheet(packet, data) = [#data.nope]\n", encoding="utf-8")
    monkeypatch.setenv(HOME, str(home))
    ran = run("handout", file, "-o", tmp_path / "ice.pdf", "--kind", "reference")
    assert ran.code == 1
    assert ran.err.startswith(f"{own / 'reference.typ'}:2: ")
    assert not (tmp_path / "ice.pdf").exists()


@pytest.mark.parametrize(
    "text", [None, "nonsense [", 'format = 3\nsystem = "chess"\n', CREATURE.replace("a5e", "chess")]
)
def test_a_file_that_can_t_be_read_is_told(run, tmp_path, text):
    path = tmp_path / "odd.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    ran = run("handout", path, "-o", tmp_path / "odd.pdf")
    assert ran.code == 1
    assert ran.err.startswith(f"{path}:")
    assert not (tmp_path / "odd.pdf").exists()


def test_a_library_file_of_another_kind_is_told(run, tmp_path):
    path = tmp_path / "ice.toml"
    path.write_text('format = 3\nkind = "countdown"\nsystem = "a5e"\nid = "ice"\nname = "Ice"\n', encoding="utf-8")
    ran = run("handout", path, "-o", tmp_path / "ice.pdf")
    assert (ran.code, ran.err) == (
        1,
        f"{path}:1: expected an encounter or a creature; this is another kind of library file\n",
    )


def test_a_place_that_can_t_be_written_to_is_told(run, file, tmp_path):
    out = tmp_path / "nowhere" / "ice.pdf"
    ran = run("handout", file, "-o", out, "--kind", "reference")
    assert ran.code == 1
    assert ran.err.startswith(f"{out}:1: ")


def test_findings_are_json_too(run, tmp_path):
    ran = run("handout", tmp_path / "none.toml", "-o", tmp_path / "out.pdf", "--json")
    told = json.loads(ran.out)
    assert (ran.code, ran.err, told["files"]) == (1, "", [])
    assert told["findings"][0]["message"] == "file not found"


@pytest.mark.parametrize(
    "wrong",
    [
        ("--kind", "posters"),
        ("--paper", "a0"),
        ("--bleed", "-1"),
        ("--bleed", "21"),
        ("--bleed", "x"),
        ("--card", "uno"),
    ],
)
def test_bad_usage_is_2(run, file, tmp_path, wrong):
    ran = run("handout", file, "-o", tmp_path / "ice.pdf", *wrong)
    assert ran.code == 2
    assert not (tmp_path / "ice.pdf").exists()


def test_a_map_of_too_many_tiles_is_told_with_the_way_out(run, tmp_path):
    file, out = tmp_path / "plain.toml", tmp_path / "plain.pdf"
    file.write_text(SEEN + "[map]\ncolumns = 120\nrows = 120\n", encoding="utf-8")
    ran = run("handout", file, "-o", out, "--kind", "map-sheets")
    assert ran.code == 1
    assert "216 sheets at one inch per square; at most 200 can be printed at once" in ran.err
    assert "--map-part" in ran.err
    ran = run("handout", file, "-o", out, "--kind", "map-sheets", "--map-part", "1:20")
    assert (ran.code, ran.err, ran.lines) == (0, "", [str(out)])


def test_tokens_and_the_map_are_written_to_a_folder_that_is_not_overwritten(run, file, tmp_path):
    folder = tmp_path / "tokens"
    ran = run("handout", file, "-o", folder, "--tokens")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines == [
        str(folder / name) for name in sorted((path.name for path in folder.iterdir()), key=ran.out.index)
    ]
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    again = run("handout", file, "-o", folder, "--tokens")
    assert (again.code, again.out) == (1, "")
    assert "use --replace to overwrite it" in again.err
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    assert run("handout", file, "-o", folder, "--tokens", "--replace").code == 0


def test_tokens_of_nothing_are_told(run, tmp_path):
    empty = tmp_path / "empty.toml"
    empty.write_text(SEEN, "utf-8")
    ran = run("handout", empty, "-o", tmp_path / "tokens", "--tokens")
    assert ran.code == 1
    assert "no combatants and no map" in ran.err
