"""Features that help: they ask for their targets, last as long as their texts say, and guard against damage."""

import msgspec
import pytest

from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature, FeatureStep, Map
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.economy.limited_uses import remaining, remaining_uses

DISPLAY = Feature(
    "display", "Display", "action", range="30", temp="4", targets=1, until="owner-start",
    when="target.type:kobold, not target.within:0", requires="Its last action was a spell",
)  # fmt: skip


GAMES = {"a5e": a5e, "dnd5e": dnd5e, "pf2e": pf2e}


def lair(game: str) -> Table:
    ann, bob = (creature(id, tags=("kobold",), features=(DISPLAY,)) for id in ("ann", "bob"))
    table = Table(ann, bob, "cid", "ogre", foes=("ogre",), rules=GAMES[game]())
    table.start(ann=20, bob=15, cid=12, ogre=10)
    table.does(Add((Map(columns=30, rows=30),)))
    for who, column in (("ann", 1), ("bob", 3), ("cid", 4), ("ogre", 9)):
        table.does(SetPosition(who, position=(column, 1)))
    return table


@pytest.mark.parametrize("game", GAMES)
def test_temporary_hit_points_end_when_their_feature_says(game: str) -> None:
    table = lair(game)
    table.does(UseFeature("ann", "display"))
    table.chooses("met")
    assert [option.id for option in table.prompt.asks[0].options] == ["bob"]  # another kobold, in range
    table.answers(who=("bob",))
    while table.prompts:
        table.answers(temp="4")
    assert (table.one("bob").temp_hp, table.one("ann").temp_hp) == (4, 0)
    table.ends_turn(3)
    assert table.one("bob").temp_hp == 4
    table.ends_turn()
    assert table.one("bob").temp_hp == 0


def test_a_target_of_another_kind_is_refused() -> None:
    table = lair("pf2e")
    assert "target_not_meant" in str(table.refuses(UseFeature("ann", "display", targets=("cid",))))
    assert "target_not_meant" in str(table.refuses(UseFeature("ann", "display", targets=("ann",))))


BREATH = Feature("breath", "Fire Breath", "action", save="dex", dc=18, damage="12 fire", half=True, area="15-foot cone")
QUENCH = Feature("quench", "Quench", "reaction", trigger="damage", when="kind:fire", reduces="5")


@pytest.mark.parametrize(
    ("effect", "taken"),
    [
        ({"spell": "fireball"}, 7),
        ({"spell": "force-barrage"}, 4),
        ({"feature": "breath"}, 12),
        ({"feature": "hymn"}, 7),
    ],
)
def test_the_spell_shield_blocks_the_damage_of_magic(effect: dict[str, str], taken: int) -> None:
    hymn = msgspec.structs.replace(BREATH, id="hymn", name="Hymn", properties=("magical",))
    ann = creature("ann", hp=60, saves=(("dex", 7),), features=(Feature("spells", "Spellcasting", "trait", dc=18),))
    own = (Feature("spells", "Spellcasting", "trait", dc=18), BREATH, hymn)
    slots = (("1", 3), ("3", 3))
    imp = creature("imp", level=5, features=own, slots=slots, abilities=(("cha", 0),), spellcasting="cha")
    table = Table(ann, imp, foes=("imp",), rules=pf2e())
    table.start(ann=20, imp=10)
    table.does(UseFeature("ann", spell="shield"))
    table.ends_turn()
    table.dice(*[2] * 7)  # 2 + 7 fails DC 18
    table.does(UseFeature("imp", targets=("ann",), **effect))
    if not table.prompts:
        assert taken == 12
    else:
        table.chooses(table.prompt.asks[0].options[0].id)
        assert "Shield" not in table.effects("ann")
    assert table.one("ann").hp == 60 - taken


@pytest.mark.parametrize("game", GAMES)
def test_a_guard_against_a_type_of_damage_also_guards_against_a_breath(game: str) -> None:
    ann = creature("ann", features=(QUENCH, msgspec.structs.replace(QUENCH, id="parry", name="Parry", when="")))
    table = Table(ann, creature("imp", features=(BREATH,)), foes=("imp",), rules=GAMES[game]())
    table.start(ann=20, imp=10)
    table.ends_turn()
    table.dice(12)
    table.does(UseFeature("imp", "breath", targets=("ann",)))
    assert [option.id for option in table.prompt.asks[0].options if option.id in ("quench", "parry")] == ["quench"]
    table.chooses("quench")
    table.answers(less="5") if table.prompts else None
    assert table.one("ann").hp == 20 - 12 + 5


@pytest.mark.parametrize(("game", "cantrip"), [("a5e", "sacred-flame"), ("dnd5e", "sacred-flame"), ("pf2e", "shield")])
def test_a_cantrip_takes_no_slot_at_any_level(game: str, cantrip: str) -> None:
    ann = creature("ann", slots=(("2", 1),), features=(Feature("spells", "Spellcasting", "trait", dc=15),))
    table = Table(ann, "imp", foes=("imp",), rules=GAMES[game]())
    table.start(ann=20, imp=10)
    table.does(UseFeature("ann", spell=cantrip, targets=() if cantrip == "shield" else ("imp",), level=2))
    assert remaining_uses(table.encounter, "ann", "slots.2") == 1


def test_a_spell_is_refused_while_its_target_is_immune() -> None:
    table = Table(creature("ann", features=(Feature("spells", "Spellcasting", "trait", dc=15),)), rules=pf2e())
    table.start(ann=20)
    table.does(UseFeature("ann", spell="guidance", targets=("ann",)))
    assert "spared" in str(table.refuses(UseFeature("ann", spell="guidance", targets=("ann",))))
    assert remaining(table.encounter, "ann", "action") == 2


def test_two_strikes_at_a_target_out_of_reach_are_refused_unpaid() -> None:
    claw = Feature("claw", "Claw", "action", attack=8, damage="4 slashing", properties=("unarmed",), reach=5)
    twice = Feature("twice", "Twice", "action", price=2, targets=1, does=(FeatureStep(use="any-melee"),) * 2)
    table = Table(creature("ann", features=(claw, twice)), "imp", foes=("imp",), rules=pf2e())
    table.start(ann=20, imp=10)
    table.does(Add((Map(columns=30, rows=30),)))
    for who, column in (("ann", 1), ("imp", 3)):
        table.does(SetPosition(who, position=(column, 1)))
    assert "out_of_reach" in str(table.refuses(UseFeature("ann", "twice", targets=("imp",))))
    assert remaining(table.encounter, "ann", "action") == 3
    table.does(SetPosition("imp", position=(2, 1)))
    table.does(UseFeature("ann", "twice", targets=("imp",)))
    assert remaining(table.encounter, "ann", "action") == 1
