"""The two editions of one game: what is inherited, how their creatures and encounters change over, and their choice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.table import creature, dnd5e, dnd5e_2024
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Scene
from turnwright.encounter.state import Encounter
from turnwright.importers.results import game_spells, game_terms
from turnwright.importers.traits.catalogue import shipped_catalogue
from turnwright.rules.parts.preparation.creature_translation import find_unknown_ids, translate_creature
from turnwright.storage.resources import resource_root
from turnwright.storage.system_data import SystemDataError, read_ledger, read_system_data
from turnwright.workspace.files import games, system_title

HEAD = 'format = 3\nkind = "system"\nsystem = "dnd5e-2024"\n'
BASED = HEAD + 'based_on = "dnd5e"\nname = "Newer"\n'


def based(folder: Path, text: str, ledger: str = "") -> Path:
    """A folder with the tables of a system that is based on D&D 5e."""
    (folder / "system.toml").write_text(BASED + text, encoding="utf-8")
    if ledger:
        (folder / "ledger.toml").write_text(ledger, encoding="utf-8")
    return folder


def test_entries_are_replaced_settings_are_merged_and_the_rest_is_inherited(tmp_path: Path) -> None:
    text = '[movement]\nextra = { drag = 1 }\n[conditions.prone]\nname = "Flat"\n'
    data, base = read_system_data("dnd5e-2024", folder=based(tmp_path, text)), dnd5e().data
    conditions = {one.id: one for one in data.conditions}
    assert (conditions["prone"].name, conditions["prone"].rules) == ("Flat", ())
    assert dict(data.movement.extra) == {**dict(base.movement.extra), "drag": 1}
    assert data.movement.stand_over == base.movement.stand_over
    for inherited, own in zip(data.actions, base.actions, strict=True):
        assert (inherited.id, inherited.text, inherited.ledger) == (own.id, own.text, own.ledger)
    assert [one.id for one in data.conditions if not one.id.endswith("-2024")] == [
        one.id for one in base.conditions if not one.id.endswith("-2024")
    ]


def test_entries_of_the_edition_take_the_place_of_the_others() -> None:
    spells = {one.id: one for one in dnd5e_2024().data.spells}
    older = {one.id: one for one in dnd5e().data.spells}
    assert spells["polymorph"].afflictions[0].condition == "polymorphed"
    assert spells["sleep"].save == older["sleep-2024"].save
    assert [one.id for one in dnd5e_2024().data.conditions if "2024" in one.id] == []
    assert game_spells("dnd5e-2024")["sleep"].save == "wis"
    assert game_terms("dnd5e-2024").actions["magic"] == "cast-spell"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('gone = ["conditions.pron"]\n', "the base has no 'conditions.pron' (did you mean 'prone'?)"),
        ('gone = ["conditions.prone"]\n', "prone"),
        ("[conditions.prone]\nnam = 1\n", "unknown key"),
    ],
)
def test_mistakes_are_reported_with_their_file(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SystemDataError, match=message.partition(" (")[0]) as error:
        read_system_data("dnd5e-2024", folder=based(tmp_path, text))
    assert message in error.value.message


def test_an_unknown_base_is_reported(tmp_path: Path) -> None:
    file = based(tmp_path, "") / "system.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('"dnd5e"\n', '"dnd6e"\n'), encoding="utf-8")
    with pytest.raises(SystemDataError, match="expected the id of a rule system, found 'dnd6e'"):
        read_system_data("dnd5e-2024", folder=tmp_path)


def test_inherited_data_cites_the_rules_that_replace_others(tmp_path: Path) -> None:
    rule = (
        '[[rule]]\nid = "dnd5e-2024.x"\ntitle = "X"\nsource = ["x"]\nkind = "data"\nstatement = "X."\ncheck = "X."\n'
        'replaces = ["dnd5e.action.dash.row"]\n'
    )
    data = read_system_data("dnd5e-2024", folder=based(tmp_path, "", rule))
    dash = next(one for one in data.actions if one.id == "dash")
    assert dash.ledger == ("dnd5e.action.dash.effect", "dnd5e-2024.x")
    ids = [one.id for one in read_ledger("dnd5e-2024")]
    assert len(ids) == len(set(ids)) == 215
    assert not {"dnd5e.squeeze.allowed", "dnd5e.grapple.contest"} & set(ids)


def test_traits_are_those_of_the_base() -> None:
    newer, older = (shipped_catalogue(id).entries for id in ("dnd5e-2024", "dnd5e"))
    assert [each.entry for each in newer] == [each.entry for each in older] != []


def test_creatures_change_their_names_with_the_edition() -> None:
    goblin, warrior = creature("goblin", name="Goblin"), creature("warrior", name="Goblin Warrior")
    newer = translate_creature(goblin, dnd5e().data, dnd5e_2024().data)
    older = translate_creature(warrior, dnd5e_2024().data, dnd5e().data)
    assert (newer.creature.name, newer.renamed) == ("Goblin Warrior", (("Goblin", "Goblin Warrior"),))
    assert older.creature.name == "Goblin"
    assert len(dnd5e_2024().data.elsewhere.creatures) == 28


def test_an_encounter_of_2014_keeps_what_2024_lacks_and_says_so() -> None:
    scene = Scene(system="dnd5e", options=("budget-2024",))
    unknown = find_unknown_ids(Encounter((scene, creature("orc", condition_immunities=("squeezing",)))), dnd5e_2024())
    assert [(one.kind, one.id) for one in unknown] == [
        ("switch of a table rule", "budget-2024"),
        ("condition", "squeezing"),
    ] or {one.id for one in unknown} == {"budget-2024", "squeezing"}


def test_a_game_with_editions_is_one_game() -> None:
    systems = RuleSystems()
    assert [game.id for game in games(systems)] == ["a5e", "action_points", "dnd5e", "pf2e"]
    assert [system_title(systems, id) for id in systems.ids if "dnd" in id] == ["D&D 5e (2014)", "D&D 5e (2024)"]
    assert system_title(systems, "pf2e") == "Pathfinder 2e"


def test_the_folder_holds_only_what_differs() -> None:
    size = sum(file.stat().st_size for file in (resource_root() / "systems" / "dnd5e-2024").glob("*.toml"))
    base = sum(file.stat().st_size for file in (resource_root() / "systems" / "dnd5e").glob("*.toml"))
    assert size < base / 5
