"""Spells cast by name: of the stat block, of the rule system, or any other with its numbers."""

from __future__ import annotations

import pytest

from tests.systems.action_points.fights import Fight
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Effect
from turnwright.play.actions.cast_spell import CastSpell
from turnwright.rules.parts.checks.ability_checks import armor_class
from turnwright.rules.parts.economy.limited_uses import remaining

GAMES = {"dnd5e": dnd5e, "a5e": a5e, "pf2e": pf2e}
BOLT = Feature("bolt", "Bolt", "action", attack=5, range="60", damage="1d6 fire", properties=("spell",))
BURST = Feature("burst", "Burst", "action", save="dex", dc=12, damage="6 fire", level=2, properties=("spell",))


def table_of(game: str = "dnd5e") -> Table:
    mage = creature("mira", features=(BOLT, BURST), slots=(("1", 2), ("2", 3), ("3", 2)), level=5)
    people = (mage, creature("ogre", hp=50, ac=11))
    if game == "action_points":
        return Fight(*people, foes=("ogre",))
    table = Table(*people, foes=("ogre",), rules=GAMES[game]())
    table.start(mira=20, ogre=10)
    return table


@pytest.mark.parametrize("game", [*GAMES, "action_points"])
def test_any_spell_costs_the_usual_action_of_the_game(game: str) -> None:
    table = table_of(game)
    before = remaining(table.encounter, "mira", "action")
    table.does(CastSpell("mira", name="Spark", damage="7", targets=("ogre",)))
    if table.prompts:
        table.answers(points=2)
    while table.prompts:
        table.skips()  # reactions
    assert table.one("ogre").hp == 43
    spent = before - remaining(table.encounter, "mira", "action")
    assert spent == (2 if game in ("pf2e", "action_points") else 1)


def test_a_spell_of_the_stat_block_takes_its_slot_or_attacks() -> None:
    table = table_of()
    table.dice(3)
    table.does(CastSpell("mira", "burst", targets=("ogre",), level=3))
    assert (table.one("ogre").hp, table.track("mira", "slots.3")) == (44, 1)
    table.ends_turn(2)
    table.dice(12, 4)
    table.does(CastSpell("mira", "bolt", targets=("ogre",)))
    assert table.one("ogre").hp == 40
    table.ends_turn(2)
    assert "refused.too_many_rays" in str(table.refuses(CastSpell("mira", "bolt", targets=("ogre", "mira"))))


def test_any_spell_takes_the_slot_that_is_named_and_ends_the_one_before() -> None:
    table = table_of()
    table.does(CastSpell("mira", name="Veil", level=1, held=True))
    assert (table.track("mira", "slots.1"), table.effects("mira")) == (1, {"concentrating"})
    table.ends_turn(2)
    table.does(CastSpell("mira", spell="druidcraft", held=True))
    assert [one.source for one in table.encounter.of(Effect, "mira") if one.shown] == ["Druidcraft"]


def test_a_spell_without_a_name_is_refused() -> None:
    assert "refused.unknown" in str(table_of().refuses(CastSpell("mira")))
    assert "refused.unknown" in str(table_of().refuses(CastSpell("mira", "no-such-thing")))


def test_any_spell_leaves_an_effect_with_its_rules_and_its_level() -> None:
    table = table_of()
    table.does(CastSpell("mira", name="Ward", rules="+2 ac", rounds=1, level=2, held=True, targets=("mira", "ogre")))
    (ward,) = [one for one in table.encounter.of(Effect, "ogre") if one.name == "Ward"]
    assert (ward.level, ward.concentrator, ward.rounds_left) == (2, "mira", 1)
    assert armor_class(table.encounter, table.rules, "ogre").total == 13
    table.ends_turn(2)
    assert "Ward" not in table.effects("ogre")
    assert "refused.no_rule" in str(table.refuses(CastSpell("mira", name="Ward", rules="+2 luck")))


def test_a_hex_adds_damage_only_to_its_casters_attacks() -> None:
    table = table_of()
    hex_it = CastSpell(
        "mira", name="Hex", rules="+1d6 damage-against", rounds=600, level=1, held=True, targets=("ogre",)
    )
    table.does(hex_it)
    table.ends_turn(2)
    table.dice(12, 3, 5)
    table.does(CastSpell("mira", "bolt", targets=("ogre",)))
    assert table.one("ogre").hp == 50 - 3 - 5
    (effect,) = [one for one in table.encounter.of(Effect, "ogre") if one.name == "Hex"]
    assert (effect.by, effect.level) == ("mira", 1)


def test_numbers_that_are_given_replace_those_of_the_stat_block() -> None:
    table = table_of()
    table.dice(15)
    table.does(CastSpell("mira", "burst", save="con", dc=16, half=True, targets=("ogre",), level=3))
    assert table.one("ogre").hp == 44
    assert table.track("mira", "slots.3") == 1
    table.ends_turn(2)
    table.dice(5, 4)
    table.does(CastSpell("mira", "bolt", attack=9, targets=("ogre",)))
    assert table.one("ogre").hp == 40
