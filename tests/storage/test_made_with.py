"""The version of Turnwright in files."""

from pathlib import Path

import pytest

from turnwright import __version__
from turnwright.encounter.prepared import Countdown, Scene
from turnwright.encounter.state import Encounter
from turnwright.storage.encounters import EncounterFile, parse_encounter
from turnwright.storage.fights import fight_text, parse_fight
from turnwright.storage.library.entries import Library, read_library_file

HEAD = 'format = 3\nmade_with = "{}"\nsystem = "a5e"\n'
HANDOUT = '\n[handouts.note]\ntitle = "A note"\nstyle = "{}"\n'


def findings(text: str) -> list[tuple[str, str]]:
    loaded = parse_encounter(text.encode(), Path("x.toml"), {"a5e"})
    return [(finding.severity, finding.message) for finding in loaded.findings if finding.key == "made_with"]


def test_a_saved_file_names_the_version():
    encounter = Encounter([Scene(system="a5e", title="The gate")])
    text = f'format = 3\nsystem = "a5e"\ntitle = "The gate"\nmade_with = "{__version__}"\n'
    assert EncounterFile().render(encounter, marked=True) == text
    assert fight_text(encounter, [], "").startswith(f'format = 3\nmade_with = "{__version__}"\n')
    old = 'format = 3\nmade_with = "0.0.1"\nsystem = "a5e"\ntitle = "The wall"\n'
    assert EncounterFile(old).render(encounter, marked=True).startswith(f'format = 3\nmade_with = "{__version__}"\n')


def test_an_unchanged_file_keeps_its_version():
    text = 'format = 3\nsystem = "a5e"\ntitle = "The gate"\n'
    encounter = Encounter([Scene(system="a5e", title="The gate")])
    assert EncounterFile(text).render(encounter, marked=True) == text


@pytest.mark.parametrize(
    ("version", "style", "more", "expected"),
    [
        ("99.10", "smoke", "", "error"),
        ("99.10", "letter", "[signals]\n", "warning"),
        ("99.10", "letter", "", ""),
        (__version__, "smoke", "", ""),
        ("0.0.9", "smoke", "", ""),
        ("a good one", "smoke", "", ""),
    ],
)
def test_what_isnt_understood_is_put_down_to_a_newer_version(version: str, style: str, more: str, expected: str):
    said = findings(HEAD.format(version) + HANDOUT.format(style) + more)
    message = f"made with Turnwright {version}; this is {__version__}. Update Turnwright to read all of it"
    assert said == ([(expected, message)] if expected else [])


def test_a_newer_fight_that_isnt_understood_says_so_too():
    fight = parse_fight(b'format = 3\nmade_with = "99"\nof = 3\n', Path("x.fight.toml"), Encounter())
    assert [finding.key for finding in fight.findings] == ["made_with", "of"]


def test_a_saved_library_entry_names_the_version_until_it_is_unchanged(tmp_path: Path):
    library = Library(tmp_path)
    path = library.save(Countdown("flood", "Flood"), "a5e")
    assert path.read_text("utf-8").startswith(
        f'format = 3\nkind = "countdown"\nsystem = "a5e"\nmade_with = "{__version__}"\n'
    )
    older = path.read_text("utf-8").replace(__version__, "0.0.1")
    path.write_text(older, "utf-8")
    library.save(Countdown("flood", "Flood"), "a5e")
    assert path.read_text("utf-8") == older
    library.save(Countdown("flood", "Deluge"), "a5e")
    assert f'made_with = "{__version__}"\n' in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("lines", "severity"),
    [('dice = "many"\n', "error"), ("[signals]\n", "warning"), ("", "")],
    ids=["error", "warning", "none"],
)
def test_a_newer_library_entry_that_isnt_understood_says_so_too(tmp_path: Path, lines: str, severity: str):
    path = tmp_path / "flood.toml"
    head = 'format = 3\nkind = "countdown"\nsystem = "a5e"\nmade_with = "99"\nid = "flood"\nname = "Flood"\n'
    path.write_text(head + lines, "utf-8")
    _, found = read_library_file(path)
    assert [finding.severity for finding in found if finding.key == "made_with"] == ([severity] if severity else [])
