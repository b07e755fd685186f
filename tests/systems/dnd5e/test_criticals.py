"""Critical hits by the rules of D&D 5e, and what other games let one do that this one doesn't."""

from __future__ import annotations

import pytest

from tests.systems.dnd5e.fights import BOW, STRONG, SWORD, Fight, pair
from tests.table import creature
from turnwright.encounter.prepared import Feature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.movement.forced_movement import DropProne
from turnwright.play.state.events import DamageTaken
from turnwright.play.table.game_master import SetDice

DAGGER = Feature(
    "dagger", "Dagger", "action", damage="1d4 piercing", properties=("weapon", "light", "dual-wielding"), reach=5
)


@pytest.mark.rule("dnd5e.attack.crit_damage")
def test_a_critical_hit_throws_its_dice_twice_and_adds_the_rest_once() -> None:
    table = pair(abilities=(("str", 16),))
    table.strikes("ann", "orc", "longsword", 20, 5, 7)
    (hurt,) = table.happened(DamageTaken)
    assert (hurt.taken, hurt.critical, hurt.why) == (15, True, ())
    assert hurt.roll is not None
    assert [die.face for die in hurt.roll.dice] == [5, 7]


@pytest.mark.rule("dnd5e.attack.crit_damage")
def test_the_card_says_why_there_are_more_dice() -> None:
    table = pair(abilities=(("str", 16),))
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", "longsword"))
    table.answers(roll="20!")
    (asked,) = table.prompt.asks
    assert (asked.rule, asked.spec is not None and asked.spec.doubled) == ("dnd5e.attack.crit_damage", True)
    regular = pair(abilities=(("str", 16),))
    regular.strikes("ann", "orc", "longsword", 19, 5)
    assert regular.lost("orc") == 8


def test_a_shield_turns_no_critical_hit() -> None:
    table = pair(orc={"gear": ("shield",)})
    table.strikes("ann", "orc", "longsword", 20, 5, 7)
    assert (table.prompts, table.lost("orc")) == ([], 15)


def test_nobody_drops_prone_out_of_turn() -> None:
    ann = creature("ann", features=(SWORD, BOW), abilities=STRONG, proficiency=2)
    table = Fight(ann, creature("orc", hp=40), foes=("orc",)).puts(ann=(1, 1), orc=(9, 1))
    refused = table.refuses(DropProne("orc", react=True))
    assert (refused.key, refused.rule) == ("refused.no_quick_drop", "dnd5e.move.drop_prone_free")
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", "longbow"))
    assert all(ask.label != "ask.reaction" for prompt in table.prompts for ask in prompt.asks)


def test_there_is_no_attack_with_a_second_weapon() -> None:
    table = pair(SWORD, DAGGER)
    table.strikes("ann", "orc", "longsword", 2)
    refused = table.refuses(Attack("ann", "orc", "dagger", purpose="off-hand"))
    assert (refused.key, refused.rule) == ("refused.no_off_hand", "dnd5e.action.attack.multiple")
