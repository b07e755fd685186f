"""Fighting with two weapons: what the off hand may strike with, when, and how often."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.play.attack_table import Fray
from tests.table import creature
from turnwright.encounter.prepared import Feature
from turnwright.play.attacks import attack_request
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.state.events import DamageTaken


def weapon(id: str, *properties: str, **more: Any) -> Feature:
    return Feature(id, id.title(), "action", reach=5, damage="1d4 piercing", properties=("weapon", *properties), **more)


SHORTSWORD, LONGSWORD, MACE = weapon("shortsword", "finesse"), weapon("longsword"), weapon("mace")
MAUL = weapon("maul", "heavy", "two-handed")
DAGGER = weapon("dagger", "dual-wielding", "finesse", "thrown", range="20/60")
CROSSBOW = Feature(
    "crossbow", "Crossbow", "action", range="30/120", damage="1d6 piercing", properties=("weapon", "dual-wielding")
)
ALL = (SHORTSWORD, LONGSWORD, MACE, MAUL, DAGGER)


def duel(**fields: Any) -> Fray:
    """Ann with all of them next to an orc."""
    ann = creature("ann", **({"features": ALL, "abilities": (("dex", 18),), "attacks": 2} | fields))
    return Fray(ann, creature("orc", hp=90), foes=("orc",)).puts(ann=(1, 1), orc=(2, 1))


def refused(table: Fray, means: str = "dagger", **more: Any) -> tuple[str, str]:
    refusal = table.refuses(Attack("ann", "orc", means, purpose="off-hand", **more))
    return refusal.key, refusal.rule


@pytest.mark.rule("a5e.twf.trigger")
def test_the_off_hand_follows_the_attack_action() -> None:
    table = duel()
    assert refused(table) == ("refused.off_hand_first", "a5e.twf.trigger")
    table.strikes("ann", "orc", "shortsword", 2)
    assert table.strikes("ann", "orc", "dagger", 3, purpose="off-hand") is not None
    assert (table.track("ann", "bonus"), table.track("ann", "attacks")) == (0, 1)
    table.ends_turn(2)
    assert refused(table) == ("refused.off_hand_first", "a5e.twf.trigger")


@pytest.mark.rule("a5e.twf.heavy")
def test_a_heavy_weapon_gives_no_attack_of_the_off_hand() -> None:
    table = duel()
    table.strikes("ann", "orc", "maul", 2)
    assert refused(table) == ("refused.off_hand_heavy", "a5e.twf.heavy")
    assert table.track("ann", "bonus") == 1


@pytest.mark.rule("a5e.twf.offhand-property", "a5e.external.weapon-properties")
def test_the_off_hand_takes_another_melee_weapon_fit_for_it() -> None:
    table = duel(features=(*ALL, CROSSBOW))
    table.strikes("ann", "orc", "longsword", 2)
    assert refused(table, "mace") == ("refused.not_dual", "a5e.twf.offhand-property")
    assert refused(table, "longsword") == ("refused.not_dual", "a5e.twf.offhand-property")
    assert refused(table, "crossbow") == ("refused.not_dual", "a5e.twf.offhand-property")
    assert table.strikes("ann", "orc", "dagger", 3, purpose="off-hand") is not None
    same = duel()
    same.strikes("ann", "orc", "dagger", 2)
    assert refused(same) == ("refused.not_dual", "a5e.twf.offhand-property")


@pytest.mark.rule("a5e.twf.damage")
@pytest.mark.parametrize(("dexterity", "damage"), [(18, 3), (8, 2)])
def test_the_off_hand_deals_no_ability_modifier_unless_it_is_a_penalty(dexterity: int, damage: int) -> None:
    table = duel(abilities=(("str", 6), ("dex", dexterity)))
    table.strikes("ann", "orc", "longsword", 2)
    table.strikes("ann", "orc", "dagger", 19, 3, purpose="off-hand")
    assert [event.taken for event in table.happened(DamageTaken)] == [damage]


@pytest.mark.rule("a5e.twf.damage")
@pytest.mark.parametrize(("ability", "damage"), [("str", 3), ("", 6)])
def test_written_out_damage_loses_only_a_modifier_of_which_it_says_whose_it_is(ability: str, damage: int) -> None:
    given = {"attack": 6, "ability": ability, "damage": "1d4+3 piercing"}
    knife = msgspec.structs.replace(weapon("knife", "dual-wielding"), **given)
    table = duel(features=(*ALL, knife), abilities=(("str", 16),))
    table.strikes("ann", "orc", "longsword", 2)
    table.strikes("ann", "orc", "knife", 19, 3, purpose="off-hand")
    assert [event.taken for event in table.happened(DamageTaken)] == [damage]


@pytest.mark.rule("a5e.twf.damage")
@pytest.mark.parametrize(("dexterity", "written", "damage"), [(18, "1d4+4", 3), (8, "1d4-1", 2)])
def test_damage_that_is_written_out_loses_the_modifier_in_the_off_hand(
    dexterity: int, written: str, damage: int
) -> None:
    given = {"attack": 6, "ability": "dex", "damage": f"{written} piercing"}
    knife = msgspec.structs.replace(weapon("knife", "dual-wielding"), **given)
    table = duel(features=(*ALL, knife), abilities=(("dex", dexterity),))
    table.strikes("ann", "orc", "longsword", 2)
    table.strikes("ann", "orc", "knife", 19, 3, purpose="off-hand")
    assert [event.taken for event in table.happened(DamageTaken)] == [damage]


@pytest.mark.rule("a5e.twf.thrown")
def test_a_weapon_made_for_it_may_be_thrown_with_the_off_hand() -> None:
    table = duel()
    table.strikes("ann", "orc", "longsword", 2)
    table.puts(orc=(4, 1))
    assert refused(table)[0] == "refused.out_of_reach"
    table.strikes("ann", "orc", "dagger", 19, 3, purpose="off-hand", thrown=True)
    assert table.last.outcome == "hit"
    assert table.preview("ann", "orc", "dagger", thrown=True).kind == "ranged"


@pytest.mark.rule("a5e.twf.extra-attack")
@pytest.mark.parametrize(("extra", "blows"), [(True, 2), (False, 1)])
def test_extra_attack_gives_the_off_hand_a_second_blow(extra: bool, blows: int) -> None:
    table = duel(extra_attack=extra)
    table.strikes("ann", "orc", "longsword", 2)
    for _ in range(blows):
        assert table.strikes("ann", "orc", "dagger", 3, purpose="off-hand") is not None
    assert refused(table) == ("refused.none_left", "a5e.twf.extra-attack")
    assert table.track("ann", "bonus") == 0


def test_what_the_off_hand_may_do_is_listed_beside_the_rest() -> None:
    table = duel()

    def off_hand() -> dict[tuple[str, bool], bool]:
        offers = attack_request.available_attacks(table.encounter, table.rules, "ann", "orc")
        return {(one.weapon.id, one.thrown): not one.vetoes for one in offers if one.purpose == "off-hand"}

    assert off_hand() == {("dagger", False): False, ("dagger", True): False}
    table.strikes("ann", "orc", "longsword", 2)
    assert off_hand() == {("dagger", False): True, ("dagger", True): True}
