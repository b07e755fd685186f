"""The library lists a person's own and all shipped entries, and a broken file never hides the others."""

import os

import pytest
from msgspec.structs import replace

from turnwright import __version__
from turnwright.encounter.prepared import Countdown, Creature, Environment, Feature
from turnwright.rules.parts.preparation.creature_roles import Sketch
from turnwright.rules.system_data.preparation import ScalingFigures
from turnwright.storage.library import entries
from turnwright.storage.library.entries import Library
from turnwright.storage.resources import resource_path

WOLF = 'format = 3\nkind = "creature"\nsystem = "a5e"\nid = "wolf"\nname = "Wolf" # grey\nrating = "1/4"\ntags = ["Cold"]\nhp = 11\n'


@pytest.fixture
def library(tmp_path):
    shipped = tmp_path / "shipped" / "a5e"
    shipped.mkdir(parents=True)
    (shipped / "wolf.toml").write_text(WOLF)
    own = tmp_path / "own"
    own.mkdir()
    return Library(own, (tmp_path / "shipped",), tmp_path / "cache" / "library.index")


def test_an_entry_says_what_a_search_needs(library):
    (entry,) = library.entries()
    assert (entry.kind, entry.id, entry.name, entry.system, entry.rating) == ("creature", "wolf", "Wolf", "a5e", "1/4")
    assert entry.shipped
    assert entry.haystack.split("\n") == ["wolf", "creature", "humanoid", "1/4", "medium", "cold", "brute"]


def test_what_a_file_leaves_out_as_usual_is_found_all_the_same(library):
    (entry,) = library.entries()
    assert (entry.size, entry.type) == ("medium", "humanoid")
    (library.folder / "cold.toml").write_text('kind = "environment"\nsystem = "a5e"\nid = "cold"\nname = "Cold"\n')
    cold = next(entry for entry in library.entries() if entry.id == "cold")
    assert (cold.size, cold.type) == ("", "")


DIVER = """
environments = ["water", "coast"]
speeds = { walk = 5, swim = 40 }
alignment = "neutral"
xp = 450
legendary = 2
mundane_immunity = true

[features.bite]
name = "Bite"
cost = "action"
attack = 5
damage = "2d6+3 piercing"

[features.swallow]
name = "Swallow (Recharge 6)"
cost = "action"
dc = 12
save = "dex"
recharge = 6
damage = "4d6 acid"
"""


def test_an_entry_says_what_a_suggestion_needs(library):
    (library.shipped[0] / "a5e" / "wolf.toml").write_text(WOLF + DIVER)
    (wolf,) = library.entries()
    assert (wolf.role, wolf.environments, wolf.xp, wolf.legendary) == ("boss", ("water", "coast"), 450, 2)
    assert (wolf.alignment, wolf.swims_only, wolf.mundane_immunity) == ("neutral", True, True)
    assert wolf.sketch == Sketch(hp=11, ac=10, damage=11.3, largest=14.0)


@pytest.mark.parametrize(
    ("speeds", "swims_only"),
    [
        ("walk = 0, swim = 20", True),
        ("walk = 10, swim = 40", True),
        ("walk = 1, swim = 6", True),
        ("walk = 10, swim = 10", False),
        ("walk = 3, swim = 6", False),
        ("walk = 0, fly = 60", False),
    ],
)
def test_a_swimmer_that_hardly_walks_lives_in_water(library, speeds, swims_only):
    text = (WOLF + DIVER).replace("speeds = { walk = 5, swim = 40 }", f"speeds = {{ {speeds} }}")
    (library.shipped[0] / "a5e" / "wolf.toml").write_text(text)
    assert library.entries()[0].swims_only is swims_only


@pytest.mark.parametrize("role", ["lurker", ""])
def test_a_role_that_a_file_states_has_precedence(library, role):
    (library.shipped[0] / "a5e" / "wolf.toml").write_text(f'{WOLF}role = "{role}"\n')
    (wolf,) = library.entries()
    assert wolf.role == (role or "brute")
    assert wolf.haystack.endswith(f"\n{wolf.role}")


@pytest.fixture
def built(library, tmp_path, monkeypatch):
    """Return a library whose shipped folder has an index built beside it; its files can't be read any more."""
    monkeypatch.setattr(entries, "resource_root", lambda: tmp_path)
    monkeypatch.setattr(entries, "resource_path", lambda name: tmp_path / name)
    monkeypatch.setattr(entries, "_usual_numbers", lambda _system: ScalingFigures())
    (tmp_path / "shipped").rename(tmp_path / "library")
    shipped = Library(library.folder, (tmp_path / "library",), library.index)
    shipped.write_built_index()
    library.index.unlink(missing_ok=True)
    return Library(library.folder, shipped.shipped, library.index)


def test_the_first_start_reads_no_shipped_file(built, monkeypatch):
    monkeypatch.setattr(entries, "_entry", None)
    (wolf,) = built.indexed_entries()
    assert (wolf.name, wolf.role, wolf.path) == ("Wolf", "brute", str(built.shipped[0] / "a5e" / "wolf.toml"))
    assert built.entries() == (wolf,)
    assert Library(built.folder, built.shipped, built.index).entries() == (wolf,)


def test_a_shipped_folder_that_was_removed_is_not_listed(built, tmp_path):
    (built.shipped[0] / "a5e").rename(tmp_path / "away")
    assert built.indexed_entries() == built.entries() == ()


def test_with_own_entries_the_first_list_waits_for_them(built):
    (built.folder / "bear.toml").write_text(WOLF.replace("wolf", "bear"))
    assert built.indexed_entries() == ()


def test_a_shipped_file_that_changed_is_read_all_the_same(built):
    file = built.shipped[0] / "a5e" / "wolf.toml"
    file.write_text(WOLF.replace('"Wolf"', '"Grey wolf"'))
    assert [entry.name for entry in built.entries()] == ["Grey wolf"]
    file.write_text(WOLF.replace('"Wolf"', '"Flow"'))  # as long as before
    os.utime(file, ns=(0, entries.resource_path(entries.BUILT_INDEX).stat().st_mtime_ns + 1))
    assert [entry.name for entry in Library(built.folder, built.shipped).entries()] == ["Flow"]


def test_a_person_s_own_folder_has_no_built_index(built):
    assert Library(built.shipped[0]).indexed_entries() == ()


def test_parties_are_the_users_and_shipped_folders_are_not_scanned_for_them(library):
    for folder, name in ((library.folder, "ours"), (library.shipped[0], "shipped")):
        (folder / f"{name}.toml").write_text(f'kind = "party"\nsystem = "a5e"\nid = "{name}"\nname = "{name}"\n')
    assert [party.id for party in library.parties("a5e")] == ["ours"]
    assert library.parties("pf2e") == ()
    assert [entry.id for entry in library.entries()] == ["ours", "shipped", "wolf"]
    assert not any(entry.kind == "party" for entry in Library.standard(library.folder / "none").entries())


def test_loading_gives_the_whole_creature(library):
    record, findings = library.load(library.entries()[0])
    assert findings == ()
    assert record == Creature(id="wolf", name="Wolf", rating="1/4", tags=("Cold",), hp=11)


def test_ones_own_stands_in_the_place_of_the_shipped_one_which_is_never_written(library, tmp_path):
    wolf = library.load(library.entries()[0])[0]
    path = library.save(replace(wolf, hp=20), "a5e")
    assert path == library.folder / "wolf.toml"
    (entry,) = library.entries()
    assert not entry.shipped
    assert library.load(entry)[0].hp == 20
    assert (tmp_path / "shipped" / "a5e" / "wolf.toml").read_text() == WOLF


def test_saving_over_ones_own_keeps_its_comments(library):
    (library.folder / "my wolf.toml").write_text(WOLF)
    wolf = library.load(library.entries()[0])[0]
    path = library.save(replace(wolf, hp=20), "a5e")
    assert path.name == "my wolf.toml"
    assert path.read_text() == WOLF.replace("hp = 11", "hp = 20").replace(
        'system = "a5e"\n', f'system = "a5e"\nmade_with = "{__version__}"\n'
    )


@pytest.mark.parametrize(
    "record",
    [
        Creature(id="Owl Bear!", name="Owl bear", features=(Feature(id="claw", name="Claw", damage="1d6"),)),
        Environment(id="../up", name="Up"),
        Countdown(id="", name="No id"),
    ],
)
def test_anything_saved_is_listed_and_loads_equal_inside_the_folder(library, record):
    path = library.save(record, "a5e")
    assert path.parent == library.folder
    (entry,) = [entry for entry in library.entries() if not entry.shipped]
    assert library.load(entry) == (record, ())


def test_a_portrait_stays_beside_its_encounter(library):
    path = library.save(Creature(id="owl", name="Owl", portrait="ford.owl.png"), "a5e")
    assert "portrait" not in path.read_text()


def test_two_ids_that_would_share_a_file_get_one_each(library):
    first = library.save(Creature(id="a b", name="One"), "a5e")
    second = library.save(Creature(id="a-b", name="Two"), "a5e")
    assert first != second
    assert library.save(Creature(id="a b", name="One again"), "a5e") == first


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hp = = 3", "invalid value (column 6)"),
        (
            'format = 3\nkind = "dragon"\nsystem = "a5e"\nid = "x"\nname = "X"',
            "expected one of creature, environment, countdown",
        ),
        ('format = 3\nkind = ["creature"]\nsystem = "a5e"\nid = "x"\nname = "X"', "expected one of creature"),
        (
            'format = 9\nkind = "creature"\nsystem = "a5e"\nid = "x"\nname = "X"',
            "9 is newer than this version of Turnwright supports (up to 3)",
        ),
        ('format = 3\nkind = "creature"\nsystem = "a5e"\nid = "x"', "missing key `name` (text)"),
    ],
)
def test_a_broken_file_is_a_finding_and_the_rest_is_listed(library, text, message):
    broken = library.folder / "broken.toml"
    broken.write_text(text)
    assert [entry.id for entry in library.entries()] == ["wolf"]
    (finding,) = library.findings()
    assert finding.file == str(broken)
    assert message in finding.message


def test_a_changed_file_is_read_again_and_a_removed_one_goes(library):
    own = library.folder / "bear.toml"
    own.write_text(WOLF.replace("wolf", "bear").replace("Wolf", "Bear"))
    assert [entry.id for entry in library.entries()] == ["bear", "wolf"]
    own.write_text(WOLF.replace("wolf", "bear").replace("Wolf", "Old bear"))
    again = Library(library.folder, library.shipped, library.index)
    assert [entry.name for entry in again.entries()] == ["Old bear", "Wolf"]
    own.unlink()
    assert [entry.id for entry in again.entries()] == ["wolf"]


def test_the_index_answers_without_reading_and_may_be_damaged_or_deleted(library, tmp_path):
    listed = library.entries()
    path = tmp_path / "shipped" / "a5e" / "wolf.toml"
    status = path.stat()
    path.write_text(WOLF.replace('"Wolf"', '"Flow"'))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert Library(library.folder, library.shipped, library.index).entries() == listed
    for nonsense in (b"\x93nonsense", b"\x92\x01\x91\x94\xa2\xff\xff", b"\x91" * 100_000):
        library.index.write_bytes(nonsense)
        assert [entry.name for entry in Library(library.folder, library.shipped, library.index).entries()] == ["Flow"]
    library.index.unlink()
    assert [entry.name for entry in Library(library.folder, library.shipped, library.index).entries()] == ["Flow"]


def test_everything_shipped_can_be_listed_and_loaded(tmp_path):
    library = Library.standard(tmp_path / "own")
    files = [*resource_path("library").rglob("*.toml"), *resource_path("environments").glob("*.toml")]
    entries = library.entries()
    assert len(entries) == len(files)
    assert [findings for entry in entries if (findings := library.load(entry)[1])] == []
