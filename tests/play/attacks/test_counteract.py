"""Dispel Magic ends spells on its target, and Counterspell one that is being cast; higher ones only after a check."""

from __future__ import annotations

from typing import Any

import pytest

from tests.for_each import for_each
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Creature, Feature, Map
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Effect
from turnwright.encounter.state import standing_areas
from turnwright.play.actions.cast_spell import CastSpell
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import Answer
from turnwright.play.attacks.attack_request import Attack, Attacked, FeatureReminded
from turnwright.play.attacks.counteract import SpellCountered
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.movement.forced_movement import ForceMove
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.events import Unaffected
from turnwright.play.state.position_changes import SetRelation
from turnwright.rules.parts.economy.limited_uses import remaining_uses

GAMES = {"dnd5e": dnd5e, "a5e": a5e, "pf2e": pf2e}
SLOTS = tuple((str(level), 4) for level in range(1, 9))
WISE = {"spellcasting": "wis", "abilities": (("wis", 16),), "proficiency": 3, "level": 9, "slots": SLOTS, "hp": 60}
COUNTER = Feature("counterspell", "Counterspell", "reaction", level=3, properties=("spell",))
NEWER_COUNTER = Feature("counterspell", "Counterspell (2024)", "reaction", level=3, properties=("spell",))
DISPEL = Feature("dispel", "Dispel Magic", "action", level=3, properties=("spell",))
BOLT = Feature("bolt", "Bolt", "action", attack=9, range="60", damage="9 fire", level=2, properties=("spell",))
GRASP = Feature("grasp", "Grasp", "action", attack=9, reach=5, damage="9 cold", level=0, properties=("spell",))


SPELLS = Feature("spells", "Spellcasting", "trait", dc=20, attack=10)  # as Pathfinder prints it


def caster(id: str, *features: Feature) -> Creature:
    return creature(id, features=features, **WISE)


def duel(game: str = "dnd5e", *own: Feature) -> Table:
    """Mira's turn. The mage, an enemy, can counter spells."""
    people = (caster("mira", BOLT, GRASP, *own), caster("mage", COUNTER))
    table = Table(*people, foes=("mage",), rules=GAMES[game]())
    table.start(mira=20, mage=10)
    return table


def chooses(table: Table, option: str) -> None:
    prompt = table.prompts[0]
    table.does(Answer(prompt.id, (Reply(prompt.asks[0].id, chosen=(option,)),), prompt.revision))


def countered(table: Table) -> list[tuple[str, str]]:
    return [(one.who, one.what) for one in table.events if isinstance(one, SpellCountered)]


@pytest.mark.parametrize(
    ("game", "level", "slot", "surely"),
    [
        ("dnd5e", 3, 3, True),
        ("dnd5e", 4, 3, False),
        ("dnd5e", 5, 5, True),
        ("a5e", 2, 3, True),
        ("a5e", 3, 3, False),
        ("a5e", 4, 5, True),
    ],
)
def test_a_spell_of_a_low_level_is_countered_without_a_check(game: str, level: int, slot: int, surely: bool) -> None:
    table = duel(game)
    table.does(CastSpell("mira", name="Nova", damage="9 fire", level=level, targets=("mage",)))
    assert table.prompts[0].subject == "Mira: Nova"
    chooses(table, f"{slot}")
    assert bool(countered(table)) == surely
    assert (table.one("mage").hp, bool(table.prompts)) == (60, not surely)
    if not surely:
        assert table.prompt.asks[0].dc == 10 + level
    left = [remaining_uses(table.encounter, who, f"slots.{of}") for who, of in (("mira", level), ("mage", slot))]
    assert left == [3, 3]
    assert (table.track("mira", "action"), table.track("mage", "reaction")) == (0, 0)


@pytest.mark.parametrize(("face", "hp"), [(12, 60), (11, 51)])
def test_a_higher_spell_takes_a_check_against_its_level(face: int, hp: int) -> None:
    table = duel()
    table.does(CastSpell("mira", name="Nova", damage="9 fire", level=5, targets=("mage",)))
    table.dice(face)  # with 3 for Wisdom against DC 15
    chooses(table, "3")
    assert table.one("mage").hp == hp


@pytest.mark.parametrize(("faces", "hp"), [((10, 12), 60), ((12, 10), 51)])
def test_spells_of_the_same_higher_slot_are_decided_by_both_casters(faces: tuple[int, int], hp: int) -> None:
    table = duel("a5e")
    table.does(CastSpell("mira", name="Nova", damage="9 fire", level=4, targets=("mage",)))
    table.dice(*faces)
    chooses(table, "4")
    assert table.one("mage").hp == hp


@pytest.mark.parametrize("spell", ["bolt", "grasp"])
def test_a_spell_attack_is_countered_before_it_is_rolled(spell: str) -> None:
    table = duel()
    table.does(Attack("mira", "mage", spell))
    chooses(table, "3")
    assert countered(table) == [("mage", BOLT.name if spell == "bolt" else GRASP.name)]
    assert not [one for one in table.events if isinstance(one, Attacked)]
    assert table.track("mira", "action") == 0


def test_a_listed_spell_attack_is_asked_about_once() -> None:
    table = duel()
    table.does(UseFeature("mira", spell="guiding-bolt", targets=("mage",)))
    table.dice(12, 1, 1, 1, 1)
    chooses(table, "pass")
    assert not table.prompts
    assert len([one for one in table.events if isinstance(one, Attacked)]) == 1


@pytest.mark.parametrize(("face", "hp"), [(9, 60), (17, 51)])
def test_the_newer_counterspell_gives_the_other_caster_a_save(face: int, hp: int) -> None:
    table = Table(caster("mira"), caster("mage", NEWER_COUNTER), foes=("mage",), rules=dnd5e())
    table.start(mira=20, mage=10)
    table.does(CastSpell("mira", name="Nova", damage="9 fire", level=2, targets=("mage",)))
    table.dice(face)  # of a Constitution save against DC 14
    chooses(table, "3")
    assert (table.one("mage").hp, table.prompts) == (hp, [])
    left = [remaining_uses(table.encounter, who, slot) for who, slot in (("mira", "slots.2"), ("mage", "slots.3"))]
    assert left == [4 if hp == 60 else 3, 3]  # a countered spell costs no slot


def test_a_countered_spell_without_a_slot_restores_none() -> None:
    table = Table(caster("mira", BOLT, GRASP), caster("mage", NEWER_COUNTER), foes=("mage",), rules=dnd5e())
    table.start(mira=20, mage=10)
    table.does(Attack("mira", "mage", "grasp"))
    table.dice(9)
    chooses(table, "3")
    assert countered(table) == [("mage", "Grasp")]
    assert [remaining_uses(table.encounter, "mira", f"slots.{level}") for level in range(1, 4)] == [4, 4, 4]


def test_a_countered_caster_of_a5e_is_reminded_of_a_second_spell() -> None:
    table = duel("a5e")
    table.does(CastSpell("mira", name="Nova", damage="9 fire", level=2, targets=("mage",)))
    chooses(table, "3")
    assert [("reaction" in one.text) for one in table.events if isinstance(one, FeatureReminded)] == [True]


@pytest.mark.parametrize(("level", "value"), [(2, 0), (5, 2), (6, 3)])
def test_a_check_of_a5e_lets_the_other_caster_reshape_its_spell_in_this_turn(level: int, value: int) -> None:
    table = duel("a5e")
    table.does(CastSpell("mira", name="Nova", damage="9 fire", level=level, targets=("mage",)))
    table.dice(*[18] * (level > 2))
    chooses(table, "3")
    assert (table.one("mage").hp, table.track("mira", "reshaping")) == (60, value)
    table.ends_turn()
    assert "reshaping" not in table.effects("mira")


def test_concentration_on_a_countered_spell_ends() -> None:
    table = duel()
    table.does(UseFeature("mira", spell="hold-person", targets=("mage",)))
    chooses(table, "3")
    assert (table.effects("mira"), table.effects("mage")) == (set(), set())


def test_a_counterspell_can_be_countered() -> None:
    table = duel("dnd5e", COUNTER)
    table.does(CastSpell("mira", name="Nova", damage="9 fire", level=3, targets=("mage",)))
    chooses(table, "3")
    assert table.prompts[0].subject == "Mage: Counterspell"
    chooses(table, "3")
    assert countered(table) == [("mira", "Counterspell")]
    assert table.one("mage").hp == 51


def test_nobody_is_asked_out_of_range() -> None:
    nova = CastSpell("mira", name="Nova", damage="9 fire", level=1, targets=("mage",))
    table = duel()
    table.does(SetRelation("mira", "mage", distance=65))
    table.does(nova)
    assert (table.prompts, table.one("mage").hp) == ([], 51)


@pytest.mark.parametrize("seen", [False, True])
def test_only_a_caster_in_sight_is_countered(seen: bool) -> None:
    table = duel()
    table.does(SetRelation("mage", "mira", seen=seen))
    table.does(UseFeature("mira", spell="shield-of-faith", targets=("mira",)))
    assert bool(table.prompts) is seen


def test_a_higher_slot_is_offered_if_the_lowest_is_spent() -> None:
    mage = creature("mage", hp=60, features=(COUNTER,), slots=(("3", 0), ("4", 1)))
    table = Table(caster("mira"), mage, foes=("mage",), rules=dnd5e())
    table.start(mira=20, mage=10)
    table.does(CastSpell("mira", name="Nova", damage="9 fire", level=4, targets=("mage",)))
    assert [option.id for option in table.prompt.asks[0].options][:-2] == ["4"]
    chooses(table, "4")
    assert countered(table) == [("mage", "Nova")]
    table.ends_turn(2)
    table.does(CastSpell("mira", name="Nova", damage="9 fire", level=4, targets=("mage",)))
    assert table.one("mage").hp == 51


def test_a_spell_that_nobody_counters_goes_on_and_all_is_undone() -> None:
    table = duel()
    before = table.encounter
    table.does(CastSpell("mira", name="Nova", damage="9 fire", level=1, targets=("mage",)))
    chooses(table, "pass")
    assert table.one("mage").hp == 51
    while table.session.undo() is not None and table.encounter != before:
        pass
    assert table.encounter == before


# Dispel Magic --------------------------------------------------------------------------------------------------------


def warded(game: str = "dnd5e", *levels: int, by: str = "mage") -> Table:
    """Mira's turn. The ogre bears wards, cast with slots of these levels."""
    rules: Any = GAMES[game]()
    own = (DISPEL, SPELLS) if game == "pf2e" else (DISPEL,)
    people = (caster("mage", *own), creature("ogre", hp=60), caster("mira", *own))
    table = Table(*people, foes=("mage", "ogre"), rules=rules)
    table.start(mage=20, mira=10, ogre=5)
    for level in levels:
        name = f"Ward {level}"
        ward = Feature(
            f"ward-{level}", name, "free", level=level, properties=("spell",), lasts="1 minute", text="Wards."
        )
        table.does(UseFeature(by, given=ward, targets=("ogre",)))
    table.ends_turn()
    return table


def wards(table: Table) -> set[str]:
    return {one.source for one in table.encounter.of(Effect, "ogre") if one.source.startswith("Ward")}


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
@pytest.mark.parametrize(("face", "left"), [(12, {"Ward 7"}), (11, {"Ward 5", "Ward 7"})])
def test_spells_up_to_the_slot_end_and_others_after_a_check_each(game: str, face: int, left: set[str]) -> None:
    table = warded(game, 1, 3, 5, 7)
    assert wards(table) == {"Ward 1", "Ward 3", "Ward 5", "Ward 7"}
    table.dice(face, 13)  # with 3 for Wisdom against DC 15 and DC 17
    table.does(UseFeature("mira", spell="dispel-magic", targets=("ogre",)))
    assert wards(table) == left
    assert remaining_uses(table.encounter, "mira", "slots.3") == 3


def test_a_higher_slot_ends_more_spells_without_a_check() -> None:
    table = warded("dnd5e", 4, 5)
    table.does(UseFeature("mira", "dispel", targets=("ogre",), level=5))
    assert (wards(table), table.prompts) == (set(), [])


def test_conditions_of_spells_end_too_but_nothing_else_does() -> None:
    table = warded()
    table.ends_turn(2)
    table.dice(1)
    table.does(UseFeature("mage", spell="hold-person", targets=("mira",), level=4))
    table.ends_turn()
    held = next(one for one in table.encounter.of(Effect, "mira") if one.name == "paralyzed")
    assert held.level == 4
    table.does(UseFeature("mira", spell="dispel-magic", targets=("mira",), purpose="free"), anyway=True)
    assert table.prompt.asks[0].dc == 14


def test_a_target_without_spells_is_told() -> None:
    table = warded()
    table.does(UseFeature("mira", spell="dispel-magic", targets=("ogre",)))
    assert [one.reason for one in table.events if isinstance(one, Unaffected)] == ["why.no_spell"]


@for_each(("face", "highest"), [(20, 5), (10, 3), (5, 1), (1, 0)])
@for_each("rank", range(1, 8))
def test_pathfinder_compares_ranks_by_degree(face: int, highest: int, rank: int) -> None:
    table = warded("pf2e", rank)
    table.dice(face)  # with 10 against DC 20
    table.does(UseFeature("mira", spell="dispel-magic", targets=("ogre",), level=2))
    assert (wards(table) == set()) == (rank <= highest)


def test_pathfinder_ends_one_spell_of_several() -> None:
    table = warded("pf2e", 1, 2)
    table.does(UseFeature("mira", spell="dispel-magic", targets=("ogre",), level=2))
    prompt = table.prompt
    second = next(option.id for option in prompt.asks[0].options if option.label == "Ward 2")
    table.dice(10)
    chooses(table, second)
    assert wards(table) == {"Ward 1"}


@pytest.mark.parametrize(("level", "hp"), [(5, 60), (6, 51)])
def test_a_globe_keeps_lower_spells_from_outside_out(level: int, hp: int) -> None:
    table = Table(caster("mage"), caster("mira", BOLT), foes=("mage",), rules=dnd5e())
    table.start(mage=20, mira=10)
    table.does(UseFeature("mage", spell="globe-of-invulnerability", targets=("mage",)))
    table.ends_turn()
    table.does(Attack("mira", "mage", "bolt"))
    assert (table.one("mage").hp, table.track("mira", "action"), table.prompts) == (60, 0, [])
    table.does(CastSpell("mira", name="Nova", damage="9 fire", level=level, targets=("mage",)), anyway=True)
    table.skips() if table.prompts and table.prompts[0].asks[0].label == "ask.reaction" else None
    assert table.one("mage").hp == hp


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_no_attack_reaches_a_creature_on_another_plane(game: str) -> None:
    table = Table(caster("mage"), caster("mira", BOLT), foes=("mage",), rules=GAMES[game]())
    table.start(mage=20, mira=10)
    table.does(UseFeature("mage", spell="etherealness", targets=("mage",)))
    table.ends_turn()
    assert table.refuses(Attack("mira", "mage", "bolt")).params["ward"] == "Etherealness"


@pytest.mark.parametrize("hp", [20, 21])
def test_divine_word_kills_a_creature_with_few_hit_points(hp: int) -> None:
    table = Table(caster("mira"), creature("ogre", hp=hp), foes=("ogre",), rules=dnd5e())
    table.start(mira=20, ogre=10)
    table.dice(1)
    table.does(UseFeature("mira", spell="divine-word", targets=("ogre",)))
    while table.prompts:
        table.chooses("failed")
    assert table.one("ogre").dead == (hp == 20)


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_revivify_brings_the_dead_back_with_one_hit_point(game: str) -> None:
    revivify = Feature("revivify", "Revivify", "action", level=3, properties=("spell",))
    table = Table(caster("mira", revivify), creature("ogre", hp=9), foes=("ogre",), rules=GAMES[game]())
    table.start(mira=20, ogre=10)
    table.does(SetDead("ogre"))
    table.does(UseFeature("mira", "revivify", targets=("ogre",)), anyway=True)
    assert (table.one("ogre").dead, table.one("ogre").hp) == (False, 1)


# Areas ---------------------------------------------------------------------------------------------------------------


def areas(*spells: str, game: str = "dnd5e", level: int | None = None) -> Table:
    """Mira's turn. The mage has cast these spells, each in an area of its own on the map."""
    own = (DISPEL, SPELLS) if game == "pf2e" else (DISPEL,)
    table = Table(caster("mage", *own), caster("mira", *own), foes=("mage",), rules=GAMES[game]())
    table.does(Add((Map(columns=60, rows=60),)))
    table.start(mage=20, mira=10)
    for who, square in (("mage", (2, 30)), ("mira", (6, 30))):
        table.does(ForceMove(who, square, "teleport"))
    for number, spell in enumerate(spells):
        use = UseFeature("mage", spell=spell, origin=(20 + 14 * number, 20), level=level)
        table.does(use, anyway=True)
        for question in [each for each in table.prompt.asks if each.id == "variant"] if table.prompts else []:
            table.chooses(question.options[0].id)
    table.ends_turn()
    return table


def standing(table: Table) -> set[str]:
    return {area.name for area in standing_areas(table.encounter)}


@for_each(
    ("game", "spells", "ended"),
    [
        ("dnd5e", ("grease", "fog-cloud"), "Fog Cloud"), ("dnd5e", ("grease", "web"), "Grease"),
        ("a5e", ("fog-cloud",), "Fog Cloud"), ("dnd5e", ("wall-of-fire",), "Wall of Fire"),
        ("a5e", ("grease", "darkness"), "Darkness"), ("dnd5e", ("daylight", "silence"), "Daylight"),
    ],
)  # fmt: skip
def test_an_area_on_the_map_ends_with_its_concentration(game: str, spells: tuple[str, ...], ended: str) -> None:
    table = areas(*spells, game=game)
    before = standing(table)
    table.dice(20)
    table.does(UseFeature("mira", spell="dispel-magic"))
    (choice,) = table.prompt.asks
    assert {option.label for option in choice.options} == {f"{name} (Mage)" for name in before}
    chooses(table, next(option.id for option in choice.options if option.label.startswith(ended)))
    assert standing(table) == before - {ended}
    held = {each.source for each in table.encounter.of(Effect, "mage") if each.shown}
    assert held == before - {ended} - {""}


def test_an_area_of_a_high_slot_takes_a_check() -> None:
    table = areas("fog-cloud", level=6)
    table.does(UseFeature("mira", spell="dispel-magic"))
    table.dice(2)
    chooses(table, table.prompt.asks[0].options[0].id)
    assert standing(table) == {"Fog Cloud"}


def test_a_rank_check_decides_about_an_area_too() -> None:
    table = areas("darkness", game="pf2e")
    table.dice(20)
    table.does(UseFeature("mira", spell="dispel-magic", level=2))
    chooses(table, table.prompt.asks[0].options[0].id)
    assert standing(table) == set()


@for_each(("spell", "asked"), [("fog-cloud", True), ("wall-of-force", False)])
def test_some_spells_cant_be_dispelled(spell: str, *, asked: bool) -> None:
    table = areas(spell)
    table.does(UseFeature("mira", spell="dispel-magic"))
    assert bool(table.prompts) is asked


@for_each("spell", ["fog-cloud", "grease", "darkness", "web"])
def test_an_area_elsewhere_outlasts_magic_dispelled_on_its_caster(spell: str) -> None:
    table = areas(spell)
    table.does(UseFeature("mira", spell="dispel-magic", targets=("mage",)))
    assert len(standing(table)) == 1
    assert [one.reason for one in table.events if isinstance(one, Unaffected)] == ["why.no_spell"]


def test_in_pathfinder_any_spell_in_force_can_be_the_target() -> None:
    table = warded("pf2e", 1, 2)
    table.does(UseFeature("mira", spell="dispel-magic", level=2))
    assert {option.label.partition(" (")[0] for option in table.prompt.asks[0].options} == {"Ward 1", "Ward 2"}
