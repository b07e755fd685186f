"""Out of the air: who falls and why, from how high, and what the Narrator makes of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.for_each import for_each
from tests.play.map_table import Field
from tests.table import a5e, creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, Map, Scene
from turnwright.encounter.running import Duration, Effect
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.movement.forced_movement import FallBegan, ForceMove
from turnwright.play.state.events import DamageTaken
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.positions import geometry
from turnwright.rules.system import RuleSystem


def flyer(*, suspended: str = "", height: int = 40, field: Map | None = None, **fields: object) -> Field:
    """A griffon in the air, and Bo below."""
    block = creature("griffon", **({"hp": 90, "speeds": (("walk", 30), ("fly", 80))} | fields))
    scene = Scene(strictness="enforce", suspended=(suspended,) if suspended else ())
    table = Field(block, "bo", foes=("bo",), field=field, scene=scene)
    table.does(SetPosition("griffon", position=(3, 3) if field else None, elevation=height))
    return table


def options(table: Field) -> list[str]:
    """What may be chosen on the one card that is open."""
    (asked,) = table.prompt.asks
    return [option.id for option in asked.options]


@pytest.mark.rule("a5e.move.fly-fall-prone")
def test_a_flyer_that_is_knocked_prone_falls() -> None:
    table = flyer()
    table.does(ApplyCondition(("griffon",), "prone"))
    assert "falling" in table.effects("griffon")
    (fell,) = table.happened(FallBegan)
    assert (fell.feet, fell.rule) == (40, "a5e.move.fly-fall-prone")
    assert "stays" in options(table)
    table.chooses("stays")
    assert table.effects("griffon") == {"prone"}
    assert table.one("griffon").elevation == 40


@pytest.mark.rule("a5e.move.fly-fall-prone", "a5e.move.fly-fall-speed-zero")
@pytest.mark.parametrize("condition", ["prone", "grappled"])
def test_what_hovers_stays_up(condition: str) -> None:
    table = flyer(hovers=True)
    table.does(ApplyCondition(("griffon",), condition))
    assert (table.happened(FallBegan), table.one("griffon").elevation, table.prompts) == ([], 40, [])
    table.does(ApplyCondition(("griffon",), "falling"))
    assert table.happened(FallBegan)[0].feet == 40


@pytest.mark.rule("a5e.move.fly-fall-speed-zero")
@pytest.mark.parametrize("condition", ["grappled", "restrained", "unconscious"])
def test_a_flyer_whose_speed_is_gone_falls(condition: str) -> None:
    table = flyer()
    table.does(ApplyCondition(("griffon",), condition))
    assert "falling" in table.effects("griffon")
    (fell,) = table.happened(FallBegan)
    assert (fell.feet, fell.rule) == (40, "a5e.move.fly-fall-speed-zero")
    table.chooses("nothing")
    assert table.one("griffon").elevation == 0


def test_other_conditions_and_solid_ground_let_nobody_fall() -> None:
    table = flyer()
    table.does(ApplyCondition(("griffon",), "poisoned"))
    table.does(SetPosition("griffon", elevation=0))
    table.does(ApplyCondition(("griffon",), "prone"))
    assert table.happened(FallBegan) == []


def test_those_without_wings_stand_on_something() -> None:
    table = flyer(speeds=(("walk", 30),))
    table.does(ApplyCondition(("griffon",), "prone"))
    assert table.happened(FallBegan) == []


@pytest.mark.rule("a5e.external.falling")
def test_the_height_is_noted_and_the_damage_asked() -> None:
    table = flyer()
    table.does(ApplyCondition(("griffon",), "prone"))
    (asked,) = table.prompt.asks
    assert (asked.detail, asked.rule, asked.options[0].label) == ("40", "a5e.external.falling", "4d6 bludgeoning")
    assert table.happened(DamageTaken) == []
    table.dice(1, 2, 3, 4)
    table.chooses("usual")
    (hurt,) = table.happened(DamageTaken)
    assert (hurt.taken, table.one("griffon").elevation) == (10, 0)
    assert table.effects("griffon") == {"prone"}


@pytest.mark.rule("a5e.external.falling")
def test_any_other_damage_can_be_said() -> None:
    table = flyer(height=400)
    table.does(ApplyCondition(("griffon",), "prone"))
    assert table.prompt.asks[0].options[0].label == "20d6 bludgeoning"
    table.chooses("other")
    table.answers(damage=33)
    assert (table.happened(DamageTaken)[0].taken, table.one("griffon").elevation) == (33, 0)


def test_passing_over_the_card_leaves_nobody_in_the_air() -> None:
    table = flyer()
    table.does(ApplyCondition(("griffon",), "prone"))
    table.skips()
    assert (table.one("griffon").elevation, table.happened(DamageTaken)) == (0, [])


@pytest.mark.rule("a5e.suspended.sky.fall")
@pytest.mark.parametrize("condition", ["prone", "restrained"])
def test_aloft_nobody_is_asked_whether_one_falls(condition: str) -> None:
    table = flyer(suspended="sky", height=60)
    table.does(ApplyCondition(("griffon",), condition))
    assert "falling" in table.effects("griffon")
    assert (table.happened(FallBegan)[0].rule, table.happened(FallBegan)[0].feet) == ("a5e.suspended.sky.fall", 60)
    assert "stays" not in options(table)


@pytest.mark.rule("a5e.suspended.sky.fall")
def test_aloft_a_hoverer_falls_when_held_but_not_when_prone() -> None:
    table = flyer(suspended="sky", hovers=True)
    table.does(ApplyCondition(("griffon",), "prone"))
    assert table.happened(FallBegan) == []
    table.does(ApplyCondition(("griffon",), "restrained"))
    assert len(table.happened(FallBegan)) == 1


@pytest.mark.rule("a5e.suspended.sky.fall")
@pytest.mark.parametrize("suspended", ["sky", ""])
def test_the_end_of_a_lent_fly_speed_is_a_fall(suspended: str) -> None:
    table = flyer(suspended=suspended, speeds=(("walk", 30),), height=60)
    table.does(ApplyCondition(("griffon",), "speed:fly", value=60, ends=Duration("encounter")))
    (lent,) = [effect.id for effect in table.encounter.all(Effect) if effect.name == "speed:fly"]
    table.does(EndEffect(lent))
    (fell,) = table.happened(FallBegan)
    assert fell.feet == 60
    assert (fell.rule == "a5e.suspended.sky.fall", "stays" in options(table)) == (suspended == "sky", suspended == "")


def test_a_fall_ends_on_the_ground_of_the_map() -> None:
    field = Map(columns=8, rows=8, heights="\n\n\n...2\n")
    table = flyer(field=field)
    table.does(ApplyCondition(("griffon",), "prone"))
    assert table.happened(FallBegan)[0].feet == 30
    table.chooses("nothing")
    assert table.one("griffon").elevation == 10


@pytest.mark.parametrize(("how", "falls"), [("forced", 1), ("provoking", 1), ("teleport", 0)])
def test_whoever_is_pushed_over_an_edge_falls(how: str, falls: int) -> None:
    table = Field("ada", "bo", field=Map(columns=8, rows=8, heights="44..\n44..\n"))
    table.puts(ada=(1, 0, 20), bo=(0, 0, 20))
    table.does(ForceMove("ada", (2, 0), how))  # type: ignore[arg-type]
    assert [event.feet for event in table.happened(FallBegan)] == [20] * falls
    while table.prompts:
        table.skips()
    assert (table.one("ada").position, table.one("ada").elevation) == ((2, 0), 0)


@for_each("size", ["medium", "large", "huge"])
@for_each("feet", [5, 10])
@for_each("place", [(4, 5), (5, 4), (6, 4), (8, 8), (5, 8), (9, 6)])
def test_a_push_always_leads_farther_from_the_pusher(size: str, feet: int, place: tuple[int, int]) -> None:
    shove = Feature("shove", "Shove", "action", save="str", dc=30, push=feet)
    field = Map(columns=16, rows=16)
    table = Field(creature("ada", features=(shove,)), creature("bo", size=size), foes=("bo",), field=field)
    table.puts(ada=place, bo=(6, 6) if place != (6, 4) else (6, 5))
    table.dice(1)
    table.does(UseFeature("ada", "shove", targets=("bo",)))
    before = geometry.distance(table.encounter, table.rules, "ada", "bo")
    assert table.prompt.asks[0].options
    for option in table.prompt.asks[0].options:
        table.chooses(option.id)
        after = geometry.distance(table.encounter, table.rules, "ada", "bo")
        assert before is not None
        assert after is not None
        assert after > before
        table.session.undo()


@pytest.mark.parametrize("system", [a5e, dnd5e, pf2e])
@pytest.mark.parametrize(("rule", "suggested"), [({"add": -10}, 30), ({"set": 0}, 0), ({"times": 1, "over": 2}, 20)])
def test_a_trait_can_shorten_the_fall_that_hurts(
    system: Callable[[], RuleSystem], rule: dict[str, int], suggested: int
) -> None:
    soft = Feature("soft", "Soft", "trait", rules=(DataRule("modifier", "fall", **rule),))  # type: ignore[arg-type]
    fallen = {}
    for who, features, height in (("cat", (soft,), 40), ("dog", (), suggested)):
        table = Field(creature(who, features=features), rules=system())
        table.does(SetPosition(who, elevation=height))
        table.does(ApplyCondition((who,), "falling"))
        fallen[who] = [option.id for option in table.prompt.asks[0].options], table.prompt.asks[0].options[0].label
    assert fallen["cat"] == fallen["dog"]


def test_a_push_in_any_direction_also_leads_nearer_and_up() -> None:
    hurl = Feature("hurl", "Hurl", "action", save="str", dc=30, push=15, properties=("any-direction",))
    table = Field(creature("ada", features=(hurl,)), "bo", foes=("bo",), field=Map(columns=9, rows=9))
    table.puts(ada=(1, 4), bo=(4, 4))
    table.dice(1)
    table.does(UseFeature("ada", "hurl", targets=("bo",)))
    offered = options(table)
    assert {"2,4", "5,4", "7,4", "4,4@15"} <= {*offered}
    assert "8,4" not in offered
    table.chooses("4,4@15")
    assert [event.feet for event in table.happened(FallBegan)] == [15]
    assert table.one("bo").elevation == 15
    table.dice(4)
    table.chooses("usual")
    assert table.one("bo").elevation == 0
