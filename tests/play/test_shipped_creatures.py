"""Creatures that ship do by themselves what their stat blocks say: each family of traits in a fight with one of them."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from tests.for_each import for_each
from tests.play.attack_table import Fray, edges
from tests.table import creature, dnd5e
from turnwright.encounter.prepared import Creature, Feature, Map, Scene
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.state.events import Healed, Rolled, UsesSpent
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path

SWORD = Feature("sword", "Sword", "action", attack=5, reach=5, damage="1d8 slashing", properties=("weapon",))
RULES = {
    "Blood Frenzy",
    "Brave",
    "Dark Devotion",
    "Fey Ancestry",
    "Magic Resistance",
    "Pack Tactics",
    "Sunlight Sensitivity",
}
MOMENTS = {
    "Death Burst": "dies",
    "Heated Body": "hit",
    "Parry": "attacked",
    "Pounce": "hits",
    "Regeneration": "turn-start",
    "Relentless": "dropping",
    "Stench": "other-starts",
    "Undead Fortitude": "dropping",
}


@cache
def shipped(name: str) -> Creature:
    """A creature of the SRD as it ships."""
    record, _ = read_library_file(resource_path(f"library/dnd5e/srd/{name}.toml"))
    assert isinstance(record, Creature)
    return record


@cache
def everybody() -> tuple[Creature, ...]:
    return tuple(shipped(file.stem) for file in sorted(resource_path("library/dnd5e/srd").glob("*.toml")))


def fight(name: str, *more: str, **squares: tuple[int, int]) -> Fray:
    """Ann, who goes first, against a creature that ships, on a map where squares are given."""
    ann = creature("ann", features=(SWORD,), hp=90, ac=12)
    foes = [shipped(one) for one in (name, *more)]
    scene = Scene(system="dnd5e", strictness="warn")
    field = Map(columns=20, rows=20) if squares else None
    table = Fray(ann, *foes, foes=tuple(one.id for one in foes), rules=dnd5e(), scene=scene, field=field)
    return table.puts(**{id.replace("_", "-"): square for id, square in squares.items()})


@pytest.mark.parametrize("name", sorted(RULES))
def test_what_is_called_so_is_on_the_roll_in_every_stat_block(name: str) -> None:
    found = [feature for one in everybody() for feature in one.features if feature.name == name]
    assert found
    assert [one for one in found if not one.rules] == []


@for_each("name", sorted(MOMENTS))
def test_what_is_called_so_has_its_moment_in_every_stat_block(name: str) -> None:
    found = [feature.trigger for one in everybody() for feature in one.features if feature.name == name]
    assert {*found} == {MOMENTS[name]}


def test_every_keen_sense_is_on_perception() -> None:
    keen = [feature for one in everybody() for feature in one.features if feature.name.startswith("Keen ")]
    assert len(keen) > 50
    assert {rule.what for feature in keen for rule in feature.rules} == {"check.wis:perception"}


def test_every_legendary_resistance_may_be_used() -> None:
    found = [feature for one in everybody() for feature in one.features if feature.name == "Legendary Resistance"]
    assert len(found) > 20
    assert [one.properties for one in found] == [("legendary-resistance",)] * len(found)


@pytest.mark.parametrize(("kind", "left"), [("slashing", 74), ("fire", 64), ("acid", 64)])
def test_a_troll_regenerates_unless_it_was_burnt(kind: str, left: int) -> None:
    table = fight("troll")
    table.does(ApplyDamage(("troll",), f"20 {kind}"))
    table.ends_turn()
    assert table.one("troll").hp == left
    assert [one.source for one in table.happened(Healed)] == (["Regeneration"] if left == 74 else [])


def test_a_zombie_gets_up_again() -> None:
    table = fight("zombie")
    table.does(ApplyDamage(("zombie",), "17 slashing"))
    table.dice(12)
    table.does(ApplyDamage(("zombie",), "8 slashing"))
    assert table.one("zombie").hp == 1
    assert [one.dc for one in table.happened(Rolled)] == [13]


def test_radiance_leaves_no_zombie_standing() -> None:
    table = fight("zombie")
    table.does(ApplyDamage(("zombie",), "22 radiant"))
    assert (table.one("zombie").hp, table.happened(Rolled)) == (0, [])


def test_a_magma_mephit_bursts_over_whoever_is_near() -> None:
    table = fight("magma-mephit", ann=(1, 1), magma_mephit=(2, 1))
    table.dice(6, 5, 2)
    table.does(ApplyDamage(("magma-mephit",), "30 slashing"))
    assert table.one("magma-mephit").dead
    assert table.one("ann").hp == 90 - 7


def test_wolves_hunt_in_packs() -> None:
    table = fight("wolf", "dire-wolf", ann=(5, 5), wolf=(4, 5), dire_wolf=(10, 10))
    bite = next(one for one in shipped("wolf").features if one.id == "bite")
    assert edges(table.attack_roll("wolf", "ann", bite)) == []
    table.puts(**{"dire-wolf": (6, 5)})
    assert [kind for kind, _rule in edges(table.attack_roll("wolf", "ann", bite))] == ["advantage"]
    assert [one.reason for one in table.attack_roll("wolf", "ann", bite).edges] == ["Pack Tactics"]


@pytest.mark.parametrize(("face", "asked"), [(12, False), (13, True), (14, True), (15, False)])
def test_a_knight_is_asked_to_parry_where_it_turns_the_hit(face: int, asked: bool) -> None:
    table = fight("knight", ann=(1, 1), knight=(2, 1))
    table.dice(face)
    table.does(Attack("ann", "knight", "sword"))
    assert ("prompt.feature_attacked" in [prompt.title for prompt in table.prompts]) is asked


def test_a_salamander_burns_whoever_strikes_it() -> None:
    table = fight("azer", ann=(1, 1), azer=(2, 1))
    table.dice(15, 3, 4)
    table.does(Attack("ann", "azer", "sword"))
    assert (table.one("azer").hp, table.one("ann").hp) == (39 - 3, 90 - 4)


def test_a_ghast_stinks() -> None:
    table = fight("ghast", ann=(1, 1), ghast=(2, 1))
    table.dice(3)
    table.ends_turn(2)
    assert table.active == "ann"
    assert "poisoned" in table.effects("ann")


def test_magic_is_saved_against_with_advantage_and_its_name_is_the_reason() -> None:
    table = fight("imp")
    bare = save_roll(table.encounter, table.rules, "imp", "wis")
    spell = save_roll(table.encounter, table.rules, "imp", "wis", tags=("magic",))
    assert bare.edges == ()
    assert [(one.kind, one.reason) for one in spell.edges] == [("advantage", "Magic Resistance")]


def test_a_boar_falls_at_the_second_blow_only() -> None:
    table = fight("boar")
    table.does(ApplyDamage(("boar",), "8 slashing"))
    table.does(ApplyDamage(("boar",), "7 slashing"))
    assert table.one("boar").hp == 1
    table.does(ApplyDamage(("boar",), "7 slashing"))
    assert table.one("boar").hp == 0


def test_an_assassin_has_the_better_of_those_who_slept_through_its_first_turn() -> None:
    ann = creature("ann", hp=90, ac=12)
    table = Fray(shipped("assassin"), ann, foes=("assassin",), rules=dnd5e(), field=None)
    blade = next(one for one in shipped("assassin").features if one.id == "shortsword")
    assert [one.reason for one in table.attack_roll("assassin", "ann", blade).edges] == ["Assassinate"]
    table.ends_turn(2)
    assert table.attack_roll("assassin", "ann", blade).edges == ()


def test_a_hobgoblin_strikes_harder_beside_its_friend_once_a_turn() -> None:
    table = fight("hobgoblin", "goblin", ann=(5, 5), hobgoblin=(4, 5), goblin=(12, 12))
    table.ends_turn()
    assert table.active == "hobgoblin"
    table.strikes("hobgoblin", "ann", "longsword", 15, 3, purpose="free")
    assert table.lost("ann") == 4
    table.puts(goblin=(6, 5))
    table.strikes("hobgoblin", "ann", "longsword", 15, 3, 5, 6, purpose="free")
    assert table.lost("ann") == 4 + 15
    table.strikes("hobgoblin", "ann", "longsword", 15, 3, purpose="free")
    assert table.lost("ann") == 4 + 15 + 4


def test_whoever_has_borne_the_stench_once_is_left_in_peace() -> None:
    table = fight("ghast", ann=(1, 1), ghast=(2, 1))
    table.dice(18)
    table.ends_turn(2)
    assert (table.active, table.effects("ann")) == ("ann", set())
    before = len(table.happened(Rolled))
    table.ends_turn(2)
    assert (table.active, len(table.happened(Rolled)), table.prompts) == ("ann", before, [])


@pytest.mark.parametrize(("name", "kind"), [("ochre-jelly", "slashing"), ("black-pudding", "lightning")])
def test_a_jelly_splits_at_what_does_not_hurt_it(name: str, kind: str) -> None:
    blade = msgspec.structs.replace(SWORD, damage=f"1d8 {kind}")
    table = Fray(creature("ann", features=(blade,)), shipped(name), foes=(name,), rules=dnd5e(), field=None)
    table.dice(18, 5)
    table.does(Attack("ann", name, "sword"))
    assert [ask.detail for ask in table.prompt.asks] == ["Split"]
    table.chooses("pass")
    assert table.lost(name) == 0


@pytest.mark.parametrize(
    ("name", "kind"),
    [("clay-golem", "acid"), ("flesh-golem", "lightning"), ("iron-golem", "fire"), ("shambling-mound", "lightning")],
)
def test_what_is_absorbed_heals(name: str, kind: str) -> None:
    table = fight(name)
    table.does(ApplyDamage((name,), "20 force"))
    before = table.encounter
    table.does(ApplyDamage((name,), f"5 {kind} + 3 force"))
    assert table.lost(name) == 20 - 5 + 3
    assert [one.amount for one in table.happened(Healed)] == [5]
    table.session.undo()
    assert table.encounter == before


def test_a_lich_casts_a_fireball_for_a_slot() -> None:
    table = fight("lich", ann=(1, 1), lich=(5, 1))
    table.ends_turn()
    while table.prompts:
        table.skips()
    assert table.active == "lich"
    table.dice(2, *[4] * 8)
    table.does(UseFeature("lich", "fireball", targets=("ann",)))
    assert table.lost("ann") == 32
    assert [one.dc for one in table.happened(Rolled) if one.dc] == [20]


@pytest.mark.parametrize(("face", "asked"), [(6, False), (9, True), (11, True), (12, False)])
def test_a_mage_is_asked_about_the_shield_where_it_turns_the_hit_and_spends_a_slot(face: int, asked: bool) -> None:
    table = fight("mage", ann=(1, 1), mage=(2, 1))
    table.dice(face)
    table.does(Attack("ann", "mage", "sword"))
    assert any(prompt.title.startswith("prompt.feature") for prompt in table.prompts) is asked
    if asked:
        table.chooses("shield")
        assert table.lost("mage") == 0
        assert [(one.use_key, one.left) for one in table.happened(UsesSpent)] == [("slots.1", 3)]
