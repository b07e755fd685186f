"""The fields in a trait catalogue are checked when it is read: statements with slots, ids, numbers and words of lists."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import pytest
import rtoml

from tests.games import WITH_TRAITS
from tests.storage.mistyping import random_mistake, with_mistake
from turnwright.bootstrap import RuleSystems
from turnwright.importers.traits.catalogue import TraitsError, read_catalogue
from turnwright.importers.traits.understand import TraitReaders
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.storage.resources import resource_path

HEAD = 'format = 3\nkind = "traits"\nsystem = "dnd5e"\n[words]\ntype = ["fire", "cold"]\n[traits.a]\n'
SAMPLE = 12  # mistakes in each file; more are tried by hand


def known(game: str) -> dict[str, frozenset[str]]:
    return known_ids(RuleSystems().get(game).data)


@pytest.mark.parametrize(
    ("gives", "key", "why"),
    [
        ('when = "not sufferd:{type}"', "when", "unknown fact 'sufferd' (did you mean 'suffered'?)"),
        ('when = "suffered:{type}, bloodeid"', "when", "unknown condition, gear or specialty 'bloodeid'"),
        ('when = "within:{type}"', "when", "'within' needs a whole number, not 'fire'"),
        ('trigger = "hti"', "trigger", "found the text \"hti\" (did you mean 'hit'?)"),
        (
            'rules = [{ kind = "advantage", what = "sav" }]',
            "rules[1].what",
            "unknown roll 'sav' (did you mean 'save'?)",
        ),
        ('afflictions = [{ condition = "pron" }]', "afflictions[1].condition", "unknown condition 'pron'"),
        ('damage = "2d6 {type} fier"', "damage", "unknown damage type 'fier'"),
    ],
)
def test_a_mistake_in_the_fields_is_reported_with_its_line_and_key(
    tmp_path: Path, gives: str, key: str, why: str
) -> None:
    file = tmp_path / "x.toml"
    file.write_text(f'{HEAD}matches = ["{{it}} burns {{type}}"]\ngives = {{ {gives} }}\n', encoding="utf-8")
    with pytest.raises(TraitsError) as caught:
        read_catalogue(file, known=known("dnd5e"))
    (finding,) = caught.value.findings
    assert (finding.line, finding.key) == (8, f"traits.a.gives.{key}")
    assert why in finding.message


def test_a_wrong_word_of_a_list_is_reported_in_the_list(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    text = HEAD.replace('"cold"', '"clod"') + 'matches = ["{it} burns {type}"]\ngives = { damage = "2d6 {type}" }\n'
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TraitsError) as caught:
        read_catalogue(file, known=known("dnd5e"))
    (finding,) = caught.value.findings
    assert (finding.line, finding.key) == (5, "words.type.clod")
    assert "unknown damage type 'clod' (did you mean 'cold'?)" in finding.message


@pytest.mark.parametrize(("old", "new"), [('"traits"', '"trait"'), ('"dnd5e"', '"dnd5"'), ("= 3", "= 2")])
def test_a_wrong_head_is_reported(tmp_path: Path, old: str, new: str) -> None:
    file = tmp_path / "x.toml"
    file.write_text(
        HEAD.replace(old, new, 1) + 'matches = ["{it} burns"]\ngives = { damage = "1d6" }\n', encoding="utf-8"
    )
    with pytest.raises(TraitsError, match="expected"):
        read_catalogue(file)


def test_a_users_own_catalogue_is_checked_with_the_ids_of_its_game(tmp_path: Path) -> None:
    (tmp_path / "dnd5e.traits.toml").write_text(
        HEAD + 'matches = ["{it} burns {type}"]\ngives = { when = "prnoe, suffered:{type}" }\n', encoding="utf-8"
    )
    (finding,) = TraitReaders(tmp_path).findings
    assert finding.message == "unknown condition, gear or specialty 'prnoe' (did you mean 'prone'?)"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", WITH_TRAITS)
def test_words_of_a_catalogue_are_refused_if_mistyped(tmp_path: Path, game: str) -> None:
    shipped = resource_path(f"systems/{game}/traits.toml")
    read_catalogue(shipped, known=known(game))
    table = tomllib.loads(shipped.read_text(encoding="utf-8"))
    silent = []
    for seed in range(SAMPLE):
        place, typed = random_mistake(table, random.Random(f"{game} {seed}"))
        if place.word in known(game)["kind of ground"]:  # any word is allowed there
            continue
        entries = {key: part for key, part in table["traits"].items() if key == place.path[1]}
        file = tmp_path / "traits.toml"
        file.write_text(rtoml.dumps(with_mistake({**table, "traits": entries}, place, typed)), encoding="utf-8")
        try:
            read_catalogue(file, known=known(game))
        except TraitsError:
            continue
        silent.append((place, typed))
    assert silent == []
