"""Shipped data is read strictly: mistakes are named by file and key."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from turnwright.rules.system_data.preparation import Company
from turnwright.storage.resources import read_text, resource_path, resource_root
from turnwright.storage.system_data import SystemDataError, read_ledger, read_system_data


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("systems/a5e", "environments"):
        shutil.copytree(resource_path(folder), tmp_path / folder)
    return tmp_path


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_shipped_data_is_found_by_relative_names() -> None:
    assert resource_root().is_dir()
    assert read_text("environments/frigid.toml") == resource_path("environments/frigid.toml").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("file", "old", "new", "key"),
    [
        ("environments/frigid.toml", "recharge = 4", 'recharge = "4"', "actions.cold-chill.recharge"),
        ("environments/frigid.toml", "recharge = 4", "rechrge = 4", "actions.cold-chill.rechrge"),
        ("environments/frigid.toml", "dc = 15", "dcc = 15", "actions.cold-chill.save.dcc"),
        ("environments/frigid.toml", 'trigger = "touch"', 'trigger = "tuch"', "features.frostbitten-surface.trigger"),
        ("environments/frigid.toml", "format = 3", "format = 1", "format"),
        ("systems/a5e/conditions.toml", 'name = "Blinded"', "name = 3", "conditions.blinded.name"),
        ("systems/a5e/conditions.toml", 'what = "sight"', 'waht = "sight"', "conditions.blinded.rules[1].waht"),
        ("systems/a5e/spawns.toml", "walk = 40", 'walk = "fast"', "spawns.shadow.speeds"),
        ("systems/a5e/system.toml", "[abilities]", "[abillities]", "abillities"),
        ("systems/a5e/terms.toml", "[terms]", "[cites]", "cites"),
        ("systems/a5e/countdown.toml", "slow = 6\n", 'slow = "six"\n', "countdown_faces"),
    ],
)
def test_faults_are_named_by_file_and_key(root: Path, file: str, old: str, new: str, key: str) -> None:
    change(root / file, old, new)
    with pytest.raises(SystemDataError) as caught:
        read_system_data("a5e", root)
    assert caught.value.file == root / file
    assert caught.value.key.startswith(key)


@pytest.mark.parametrize(
    ("file", "old", "new", "key", "message"),
    [
        (
            "conditions",
            'kind = "deny"',
            'kind = "deni"',
            "conditions.back-to-back.rules[1].kind",
            r"expected one of .*deny.*'deny'",
        ),
        (
            "conditions",
            'name = "Blinded"',
            "name = 3",
            "conditions.blinded.name",
            "^expected a text, found the number 3$",
        ),
        ("terms", 'unit_long = "feet"', "unit_long = 5", "terms.unit_long", "^expected a text, found the number 5$"),
        (
            "countdown",
            "slow = 6\n",
            'slow = "six"\n',
            "countdown_faces.slow",
            '^expected a whole number, found the text "six"$',
        ),
        (
            "spawns",
            "walk = 40",
            'walk = "fast"',
            "spawns.shadow.speeds.walk",
            "^expected a whole number, found the text",
        ),
        ("spawns", "walk = 40", "walk = -4", "spawns.shadow.speeds", "^must be from 0 to 10000, not -4$"),
        ("movement", "stand_over = 2", "stand_over = 0", "movement.stand_over", "^must be at least 1, not 0$"),
    ],
)
def test_a_fault_says_its_line_and_what_was_expected(
    root: Path, file: str, old: str, new: str, key: str, message: str
) -> None:
    path = root / "systems" / "a5e" / f"{file}.toml"
    line = path.read_text(encoding="utf-8").partition(old)[0].count("\n") + 1
    change(path, old, new)
    with pytest.raises(SystemDataError) as caught:
        read_system_data("a5e", root)
    assert (caught.value.file, caught.value.line, caught.value.key) == (path, line, key)
    assert re.search(message, caught.value.message)


def test_broken_syntax_and_unknown_systems_are_told(root: Path) -> None:
    change(root / "systems/a5e/terms.toml", "[terms]", "[terms")
    with pytest.raises(SystemDataError, match=r"terms\.toml"):
        read_system_data("a5e", root)
    with pytest.raises(SystemDataError, match="folder not found"):
        read_system_data("chess", root)


@pytest.mark.parametrize(
    ("file", "old", "new", "key", "message"),
    [
        ("roles", 'prone = "prone"', 'prone = "prawn"', "roles.prone", "expected the id of a condition of this system"),
        ("roles", 'prone = "prone"', 'prnoe = "prone"', "roles.prnoe", "unknown role (did you mean 'prone'?)"),
        ("roles", 'prone = "prone"\n', "", "roles.prone", "found nothing; `movement.drop_cost` requires it"),
        (
            "roles",
            '= "round-up"',
            '= "round-off"',
            "roles.rounds-halves-up",
            "expected the id of a house rule of this system",
        ),
        ("cites", '"hp.damage" =', '"hp.damagd" =', 'cites."hp.damagd"', "did you mean 'hp.damage'?"),
        (
            "cites",
            '= "a5e.hp.damage"',
            '= "a5e.hp.damages"',
            'cites."hp.damage"',
            "unknown rule 'a5e.hp.damages' (did you mean 'a5e.hp.damage'?)",
        ),
    ],
)
def test_roles_and_topics_that_lead_nowhere_are_found(
    root: Path, file: str, old: str, new: str, key: str, message: str
) -> None:
    faulty = root / f"systems/a5e/{file}.toml"
    before = faulty.read_text(encoding="utf-8").splitlines()
    change(faulty, old, new)
    with pytest.raises(SystemDataError) as caught:
        read_system_data("a5e", root)
    error = caught.value
    wanted = before.index(f"[{file}]") if not new else next(n for n, line in enumerate(before) if old in line)
    assert (error.file, error.line, error.key) == (faulty, wanted + 1, key)
    assert message in error.message
    assert str(error) == f"{faulty}:{error.line}: {key}: {error.message}"


def test_roles_that_the_data_of_another_system_needs_are_found(tmp_path: Path) -> None:
    head = 'format = 3\nkind = "system"\nsystem = "mine"\n'
    (tmp_path / "mine.toml").write_text(f'{head}name = "Mine"\n\n[dying.save]\nfailures = 3\n', encoding="utf-8")
    with pytest.raises(SystemDataError, match=r"mine\.toml:6: roles\.dying: .* `dying\.save` requires it"):
        read_system_data("mine", folder=tmp_path)
    named = "".join(f'{one} = "{one}"\n' for one in ("dying", "stable", "unconscious"))
    known = "".join(f'[conditions.{one}]\nname = "{one}"\n' for one in ("dying", "stable", "unconscious"))
    (tmp_path / "roles.toml").write_text(f"{head}[roles]\n{named}{known}", encoding="utf-8")
    assert len(read_system_data("mine", folder=tmp_path).roles) == 3


def test_a_faulty_rule_of_the_ledger_is_named(root: Path) -> None:
    change(root / "systems/a5e/ledger.toml", 'kind = "game-master"', 'kind = "maybe"')
    with pytest.raises(SystemDataError) as caught:
        read_ledger("a5e", root)
    assert (caught.value.key, caught.value.line) == ("rule[1].kind", 10)


def test_environments_of_other_systems_are_left_out(root: Path) -> None:
    change(root / "environments/hazy.toml", 'system = "a5e"', 'system = "chess"')
    assert "hazy" not in {place.id for place in read_system_data("a5e", root).environments}


def test_companies_are_met_in_places_that_there_are(root: Path) -> None:
    file = root / "systems" / "a5e" / "companies.toml"
    head = 'format = 3\nkind = "system"\nsystem = "a5e"\n\n[companies.barge]\nname = "Barge crew"\nkinds = ["ferry-hand"]\n'
    file.write_text(head + 'environments = ["swamp"]\nwords = ["river"]\n', encoding="utf-8")
    (company,) = read_system_data("a5e", root).companies
    assert company == Company("barge", "Barge crew", ("ferry-hand",), ("swamp",), ("river",))
    file.write_text(head + 'environments = ["swmap"]\n', encoding="utf-8")
    with pytest.raises(SystemDataError, match=r"companies\.barge\.environments\[1\].*did you mean 'swamp'"):
        read_system_data("a5e", root)
