"""Spells of a caster whose stat block has no list of spells: DC, attack bonus, slots and number of attacks."""

from __future__ import annotations

from typing import Any

import pytest

from tests.for_each import for_each
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.encounter.running import Track
from turnwright.play.actions.cast_spell import CastSpell
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attacked
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.state.position_changes import SetRelation

GAMES = {"dnd5e": dnd5e, "a5e": a5e}
SLOTS = (("1", 4), ("2", 3), ("3", 2))
UNKNOWN = {"abilities": (), "proficiency": 0, "level": 0}


def cleric(**changes: object) -> Creature:
    numbers = {"level": 5, "proficiency": 3, "spellcasting": "wis", "abilities": (("wis", 18),), "slots": SLOTS}
    return creature("mira", **(numbers | changes))


def table_of(game: str = "dnd5e", **changes: object) -> Table:
    rules = (GAMES | {"pf2e": pf2e})[game]()
    table = Table(cleric(**changes), creature("ogre", hp=100, ac=11), foes=("ogre",), rules=rules)
    table.start(mira=20, ogre=10)
    return table


@pytest.mark.parametrize("game", GAMES)
def test_the_dc_follows_from_proficiency_and_ability_and_the_save_is_repeated_at_it(game: str) -> None:
    table = table_of(game)
    table.dice(14, 14, 15)
    table.does(UseFeature("mira", spell="hold-person", targets=("ogre",)))
    assert "paralyzed" in table.effects("ogre")
    assert table.track("mira", "slots.2") == 2
    assert "concentrating" in table.effects("mira")
    table.ends_turn(2)
    assert "paralyzed" in table.effects("ogre")
    table.ends_turn(2)
    assert "paralyzed" not in table.effects("ogre")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("dc", "held"), [(0, {15: False, 14: True}), (12, {12: False, 11: True})])
def test_a_spell_of_the_stat_block_without_a_dc_has_its_casters(game: str, dc: int, held: dict[int, bool]) -> None:
    bind = Feature("bind", "Bind", "action", save="str", dc=dc, range="60", properties=("spell",),
                   afflictions=(InflictedCondition("restrained"),))  # fmt: skip
    for face, is_held in held.items():  # 8 + 3 + 4 = 15
        table = table_of(game, features=(bind,))
        table.dice(face)
        table.does(UseFeature("mira", "bind", targets=("ogre",)))
        assert ("restrained" in table.effects("ogre")) == is_held


@pytest.mark.parametrize(("level", "rays"), [(1, 1), (5, 2), (11, 3), (17, 4)])
def test_a_cantrip_attacks_more_often_with_its_casters_level(level: int, rays: int) -> None:
    table = table_of(level=level)
    table.dice(*(face for _ in range(rays) for face in (4, 6)))  # 4 + 3 + 4 hits AC 11
    table.does(UseFeature("mira", spell="eldritch-blast", targets=("ogre",)))
    assert table.one("ogre").hp == 100 - 6 * rays
    assert table.track("mira", "action") == 0


def test_the_target_of_a_ray_that_nobody_named_is_asked() -> None:
    rules = dnd5e()
    table = Table(cleric(), creature("ogre", hp=50), creature("orc", hp=50), foes=("ogre", "orc"), rules=rules)
    table.start(mira=20, ogre=10, orc=5)
    table.dice(*[15, 1, 1] * 3)
    table.does(UseFeature("mira", spell="scorching-ray", targets=("ogre", "orc")))
    table.chooses("orc")
    assert (table.one("ogre").hp, table.one("orc").hp) == (48, 46)
    table.ends_turn(3)
    refused = table.refuses(UseFeature("mira", spell="guiding-bolt", targets=("ogre", "orc")))
    assert "refused.too_many_rays" in str(refused)


def test_a_spell_attack_that_falls_short_misses() -> None:
    table = table_of()
    table.dice(3, 4, 5)  # 3 + 3 + 4 misses AC 11
    table.does(UseFeature("mira", spell="eldritch-blast", targets=("ogre",)))
    assert table.one("ogre").hp == 100 - 5


@pytest.mark.parametrize(("level", "dice"), [(None, 8), (5, 10)])
def test_a_higher_slot_raises_the_damage(level: int | None, dice: int) -> None:
    table = table_of(slots=(("3", 2), ("5", 2)))
    table.dice(2, *[1] * dice)
    table.does(UseFeature("mira", spell="fireball", targets=("ogre",), level=level))
    assert table.one("ogre").hp == 100 - dice
    assert table.track("mira", f"slots.{level or 3}") == 1


def test_a_caster_with_only_higher_slots_casts_at_their_level() -> None:
    table = table_of(slots=(("3", 2),))
    table.dice(*[4, 1, 1] * 4)
    table.does(UseFeature("mira", spell="scorching-ray", targets=("ogre",)))
    assert table.one("ogre").hp == 100 - 2 * 4
    assert table.track("mira", "slots.3") == 1


def test_without_slots_left_the_spell_is_refused() -> None:
    table = table_of(slots=(("2", 1), ("3", 1)))
    table.dice(20)
    table.does(UseFeature("mira", spell="hold-person", targets=("ogre",)))
    table.ends_turn(2)
    assert "refused.no_slots" in str(table.refuses(UseFeature("mira", spell="hold-person", targets=("ogre",))))


def test_unknown_numbers_are_asked_once() -> None:
    table = table_of(**UNKNOWN)
    table.does(UseFeature("mira", spell="sacred-flame", targets=("ogre",)))
    assert [ask.id for ask in table.prompt.asks] == ["spell-dc", "level"]
    table.dice(12, 5, 5)
    table.answers(spell_dc=13, level=5)
    assert table.one("ogre").hp == 90
    table.ends_turn(2)
    table.dice(13)
    table.does(UseFeature("mira", spell="sacred-flame", targets=("ogre",)))
    assert (table.one("ogre").hp, table.prompts) == (90, [])


def test_an_unknown_attack_bonus_is_asked() -> None:
    table = table_of(**UNKNOWN)
    table.does(UseFeature("mira", spell="guiding-bolt", targets=("ogre",)))
    assert [ask.id for ask in table.prompt.asks] == ["spell-attack"]
    table.dice(6, 1, 1, 1, 1)
    table.answers(spell_attack=5)
    assert table.one("ogre").hp == 96


def test_a_game_that_gives_no_base_asks_for_the_dc() -> None:
    table = table_of("pf2e", slots=())
    table.does(UseFeature("mira", spell="fireball", targets=("ogre",)))
    assert [ask.id for ask in table.prompt.asks] == ["spell-dc"]


def test_healing_adds_the_modifier() -> None:
    table = table_of()
    table.does(ApplyDamage(("ogre",), "50"))
    table.dice(5)
    table.does(UseFeature("mira", spell="cure-wounds", targets=("ogre",)))
    assert table.one("ogre").hp == 50 + 5 + 4
    assert table.track("mira", "slots.1") == 3


def test_numbers_asked_for_are_undone() -> None:
    table = table_of(**UNKNOWN)
    before = table.encounter
    table.does(UseFeature("mira", spell="guiding-bolt", targets=("ogre",)))
    asked = table.encounter
    table.dice(6, 1, 1, 1, 1)
    table.answers(spell_attack=5)
    assert dict(table.one("mira").supplied_numbers) == {"spell-attack": 5}
    while table.encounter != asked:
        assert table.session.undo() is not None
    assert table.session.undo() is not None
    assert table.encounter == before


def test_a_skipped_number_leaves_the_spell_to_the_table() -> None:
    table = table_of(**UNKNOWN)
    table.does(UseFeature("mira", spell="hold-person", targets=("ogre",)))
    table.skips()
    assert (table.effects("ogre"), table.prompts) == (set(), [])
    assert table.track("mira", "slots.2") == 2


def test_the_stat_blocks_own_numbers_come_first() -> None:
    casting = Feature("spellcasting", "Spellcasting", "trait", dc=13, attack=5, save="wis")
    table = table_of(features=(casting,))
    table.dice(13)
    table.does(UseFeature("mira", spell="hold-person", targets=("ogre",)))
    assert "paralyzed" not in table.effects("ogre")


def test_a_spell_of_the_stat_block_is_limited_as_there() -> None:
    own = Feature("hold-person-1", "Hold Person", "action", properties=("spell",), uses=1)
    table = table_of(features=(own,))
    table.dice(14, 14)
    table.does(UseFeature("mira", spell="hold-person", targets=("ogre",)))
    assert table.track("mira", "uses.hold-person-1") == 0
    table.ends_turn(2)
    assert "refused.no_uses" in str(table.refuses(UseFeature("mira", spell="hold-person", targets=("ogre",))))
    assert "slots.2" not in {one.name for one in table.encounter.all(Track)}


@pytest.mark.parametrize("numbers", [{}, UNKNOWN])
@pytest.mark.parametrize("spell", ["shocking-grasp", "eldritch-blast"])
def test_an_attack_out_of_reach_is_refused_before_it_is_paid(spell: str, numbers: dict[str, object]) -> None:
    table = table_of(**numbers)
    table.does(SetRelation("mira", "ogre", distance=150))
    reason = "refused.out_of_reach" if spell == "shocking-grasp" else "refused.out_of_range"
    assert reason in str(table.refuses(UseFeature("mira", spell=spell, targets=("ogre",))))
    assert table.track("mira", "action") == 1


def test_a_spell_attack_on_the_caster_or_the_dead_is_refused() -> None:
    table = table_of()
    assert "refused.oneself" in str(table.refuses(UseFeature("mira", spell="fire-bolt", targets=("mira",))))
    table.does(SetDead("ogre"))
    assert "refused.target_dead" in str(table.refuses(UseFeature("mira", spell="fire-bolt", targets=("ogre",))))


def test_an_entered_level_counts_for_the_number_of_attacks() -> None:
    table = table_of(level=0)
    table.does(UseFeature("mira", spell="eldritch-blast", targets=("ogre",)))
    table.dice(1, 1)
    table.answers(level=5)
    table.ends_turn(2)
    table.dice(12, 1, 12, 1)
    table.does(UseFeature("mira", spell="eldritch-blast", targets=("ogre", "ogre")))
    assert len([one for one in table.events if isinstance(one, Attacked)]) == 4


@for_each(
    ("spell", "printed", "asked"),
    [
        ("shocking-grasp", {"attack": 9, "reach": 5, "damage": "4d8 lightning"}, ["variant"]),
        ("produce-flame", {"attack": 4, "range": "30", "damage": "1d8 fire"}, []),
        ("plane-shift", {"attack": 10, "reach": 5, "save": "cha", "dc": 18}, []),
    ],
)
def test_a_stat_blocks_spell_rolls_with_its_printed_numbers(
    spell: str, printed: dict[str, Any], asked: list[str]
) -> None:
    name = spell.replace("-", " ").title()
    own = Feature(spell, name, "action", properties=("spell",), level=0, **printed)
    table = Table(creature("mage", features=(own,)), "ann", foes=("mage",), rules=dnd5e())
    table.start(mage=20, ann=10)
    table.dice(18, *[1] * 9)
    table.does(UseFeature("mage", spell, targets=("ann",)))
    assert [ask.id for ask in (table.prompt.asks if table.prompts else ())] == asked
    if asked:
        table.chooses("no metal armor")
    assert [event.outcome for event in table.happened(Attacked)] == ["hit"]


def test_a_flame_of_a_stat_block_is_kept_as_a_light_and_thrown_later() -> None:
    own = Feature(
        "produce-flame",
        "Produce Flame",
        "action",
        attack=4,
        range="30",
        damage="1d8 fire",
        level=0,
        properties=("spell",),
    )
    table = Table(creature("mage", features=(own,)), "ann", foes=("mage",), rules=dnd5e())
    table.start(mage=20, ann=10)
    table.does(CastSpell("mage", "produce-flame"))
    assert "Produce Flame" in table.effects("mage")
    table.ends_turn(2)
    table.dice(18, 1)
    table.does(UseFeature("mage", spell="produce-flame", targets=("ann",), purpose="again"))
    assert [event.outcome for event in table.happened(Attacked)] == ["hit"]
