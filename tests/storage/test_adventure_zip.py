"""An adventure as one file: all that it names and nothing else, and no file that reaches out of its folder."""

from __future__ import annotations

import re
import zipfile

import pytest

from tests.handouts.samples import png
from tests.table import creature
from turnwright.bootstrap import SHIPPED
from turnwright.encounter.adventure import Adventure, AdventureRun, AdventureStep
from turnwright.encounter.prepared import Party, RosterEntry
from turnwright.storage.adventure_zip import export_adventure, import_adventure
from turnwright.storage.adventures import PLAN, RUN, write_adventure
from turnwright.storage.library.entries import Library

ENCOUNTER = 'format = 3\nsystem = "dnd5e"\n[handouts.map]\npicture = "map.png"\n'
PARTY = Party("us", "Us", (creature("ann"),), (RosterEntry("ann", "ann", side="party", player="Kim"),))
STEPS = (
    AdventureStep(scene="Letter", handouts=("letter.png",)),
    AdventureStep(encounter="deep/bridge.toml"),
    AdventureStep(encounter="gone.toml"),
)


@pytest.fixture
def plan(tmp_path):
    folder = tmp_path / "toll"
    (folder / "deep").mkdir(parents=True)
    write_adventure(folder / PLAN, Adventure("dnd5e", "Toll!", "us", steps=STEPS))
    write_adventure(folder / RUN, AdventureRun("rest:short"))
    for name in ("deep/bridge.toml", "spare.toml"):
        (folder / name).write_text(ENCOUNTER, encoding="utf-8")
    (folder / "deep" / "bridge.fight.toml").write_text("format = 3\n", encoding="utf-8")
    for name in ("letter.png", "deep/map.png", "secret.png"):
        (folder / name).write_bytes(png(2, 2))
    return folder / PLAN


SHARED = {PLAN, "deep/bridge.toml", "deep/map.png", "letter.png"}


def names(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_an_adventure_is_shared_with_all_that_it_names(plan, tmp_path):
    out = tmp_path / "toll.zip"
    assert export_adventure(plan, out, SHIPPED) == 4
    assert set(zipfile.ZipFile(out).namelist()) == SHARED
    new = import_adventure(out, tmp_path / "mine", SHIPPED)
    assert (new, names(new.parent)) == (tmp_path / "mine" / "toll" / PLAN, SHARED)
    assert new.read_bytes() == plan.read_bytes()
    assert import_adventure(out, tmp_path / "mine", SHIPPED).parent.name == "toll-2"
    assert {path.name for path in (tmp_path / "mine").iterdir()} == {"toll", "toll-2"}


def test_progress_and_party_go_along_if_asked(plan, tmp_path):
    out, library = tmp_path / "toll.zip", Library(tmp_path / "library")
    export_adventure(plan, out, SHIPPED, party=PARTY, with_progress=True)
    new = import_adventure(out, tmp_path / "mine", SHIPPED, library)
    assert names(new.parent) == {*SHARED, RUN, "deep/bridge.fight.toml"}
    assert [library.load(entry)[0] for entry in library.entries()] == [PARTY]
    changed = library.save(Party("us", "Mine"), "dnd5e").read_bytes()
    import_adventure(out, tmp_path / "mine", SHIPPED, library)
    assert [(tmp_path / "library" / "us.toml").read_bytes()] == [changed]


def test_characters_and_their_players_stay_at_home_without_the_party(plan, tmp_path):
    path = plan.parent / "deep" / "bridge.toml"
    wolf = '[creatures.wolf]\nname = "Wolf"\nhp = 11\n[roster.wolf]\ncreature = "wolf"\ncount = 2  # hungry\n'
    ann = '[creatures.ann]\nname = "Ann"\nhp = 9\n[roster.ann]\ncreature = "ann"\nside = "party"\nplayer = "Kim"\n'
    dog = '[roster.dog]\ncreature = "wolf"\nside = "party"\ncontroller = "ann"\n'
    path.write_text(ENCOUNTER + wolf + ann + dog, encoding="utf-8")
    out = tmp_path / "toll.zip"
    assert export_adventure(plan, out, SHIPPED) == 4
    assert zipfile.ZipFile(out).read("deep/bridge.toml").decode().split() == (ENCOUNTER + wolf).split()
    export_adventure(plan, out, SHIPPED, party=PARTY)
    assert zipfile.ZipFile(out).read("deep/bridge.toml") == path.read_bytes()


def test_a_zip_of_the_folder_itself_is_read_too(plan, tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.write(plan, f"toll/{PLAN}")
    assert import_adventure(tmp_path / "x.zip", tmp_path / "mine", SHIPPED).parent.name == "toll"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../evil.toml", "outside the folder"),
        ("/etc/evil.toml", "not a valid name"),
        ("deep/../../evil.toml", "outside the folder"),
        ("con.toml", "outside the folder"),
        ("x.toml", f"has no {PLAN}"),
        (PLAN, "missing key `system`"),
    ],
)
def test_a_hostile_or_foreign_zip_leaves_nothing(tmp_path, name, message):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(name, 'kind = "adventure"\nformat = 3\n')
    with pytest.raises(OSError, match=re.escape(message)):
        import_adventure(tmp_path / "x.zip", tmp_path / "mine", SHIPPED)
    assert [*(tmp_path / "mine").iterdir()] == []
