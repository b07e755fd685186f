"""Cover: its sources, its direction, the best of it, and the rolls it helps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tests.for_each import for_each
from tests.play.map_table import BOW, SWORD, Field, bonus
from tests.table import a5e, creature, dnd5e, environment, pf2e
from turnwright.encounter.prepared import Area, Creature, Environment, Feature, Map, Obstacle, Point, Scene
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.contest import HideResolved
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import Rolled
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.table.game_master import SetStat
from turnwright.rules.parts.attacks.attack_targeting import targeting_vetoes
from turnwright.rules.parts.positions.sight import (
    cover_bonus,
    cover_of,
    cover_sources,
    default_cover,
    line_of_effect,
    possible_cover,
    sees,
    total_cover_vetoes,
)
from turnwright.rules.system import RuleSystem


def tom(**more: Any) -> Creature:
    return creature("tom", ac=14, saves=(("dex", 1),), skills=(("stealth", 3),), **more)


def yard(*obstacles: Obstacle, **more: Any) -> Map:
    return Map(columns=16, rows=16, obstacles=obstacles, **more)


def wall(grade: str = "half", column: int = 7, **more: Any) -> Obstacle:
    """Return a wall across the row on which all stand, three squares long."""
    return Obstacle(f"wall-{column}-{grade}", "Low wall", at=(column, 4), size=(1, 3), cover=grade, **more)  # type: ignore[arg-type]


def shot(field: Map | None, *, options: tuple[str, ...] = (), more: tuple[Environment, ...] = ()) -> Field:
    """Return Ann 20 ft to the east of Tom, and Bob to the west of him."""
    scene = Scene(strictness="enforce", options=options)
    table = Field("ann", "bob", tom(), foes=("tom",), field=field, scene=scene, more=more)
    return table.puts(ann=(9, 5), bob=(2, 5), tom=(5, 5)) if field is not None else table


def refused(table: Field, who: str = "ann", target: str = "tom") -> list[tuple[str, str]]:
    vetoes = targeting_vetoes(table.encounter, table.rules, AttackInProgress(who, BOW, target))
    return [(veto.reason, veto.rule) for veto in vetoes]


def cover(table: Field, one: str = "ann", other: str = "tom", *tags: str) -> str:
    return cover_of(table.encounter, table.rules, one, other, tags)


@pytest.mark.parametrize(
    ("grade", "ac", "save", "hide"),
    [
        pytest.param("none", 14, 1, 3, id="none"),
        pytest.param("half", 16, 3, 5, id="half", marks=pytest.mark.rule("a5e.cover.half")),
        pytest.param("three-quarters", 19, 6, 8, id="more", marks=pytest.mark.rule("a5e.cover.three-quarters")),
    ],
)
@pytest.mark.parametrize("said", [False, True])
def test_what_cover_adds(grade: str, ac: int, save: int, hide: int, said: bool) -> None:
    table = shot(None if said else yard(wall(grade)))
    if said:
        table.does(SetRelation("ann", "tom", cover=grade))  # type: ignore[arg-type]
    assert cover(table) == grade
    assert table.armor_class("ann", "tom", BOW) == ac
    assert bonus(table.trial("tom", "save.dex", "ann")) == save
    assert bonus(table.trial("tom", "check.dex:stealth", "ann", "hide")) == hide
    assert bonus(table.trial("tom", "check.dex:stealth", "ann")) == 3
    assert bonus(table.trial("tom", "save.dex")) == 1
    assert bonus(table.trial("tom", "save.con", "ann")) == 0


@pytest.mark.rule("a5e.cover.half", "a5e.cover.direction")
@pytest.mark.parametrize(("caster", "column", "total"), [("ann", 9, 12 + 3), ("ann", 2, 12 + 1)])
def test_cover_helps_saves_against_effects_of_a_creature(caster: str, column: int, total: int) -> None:
    breath = Feature("breath", "Breath", cost="action", save="dex", dc=16, damage="6 fire", half=True)
    table = shot(yard(wall("half"))).puts(**{caster: (column, 5)})
    table.dice(12)
    table.does(UseFeature(caster, given=breath, targets=("tom",)))
    (rolled,) = [event.roll for event in table.happened(Rolled) if event.who == "tom"]
    assert rolled.total == total


@pytest.mark.rule("a5e.cover.half", "a5e.cover.direction")
@pytest.mark.parametrize(("observers", "hidden"), [(("ann", "bob"), [True, False]), (("ann",), [True])])
def test_cover_helps_to_hide_from_those_beyond_it(observers: tuple[str, ...], hidden: list[bool]) -> None:
    table = shot(yard(wall("half")))
    for who in observers:
        table.does(SetStat(who, "passive.perception", 15))
    table.ends_turn(2)
    table.dice(10)
    table.does(TakeAction("tom", "hide", targets=observers))
    found = {event.observer: (event.total, event.hidden) for event in table.happened(HideResolved)}
    assert found == {who: (15 if good else 13, good) for who, good in zip(observers, hidden, strict=True)}


@pytest.mark.rule("a5e.cover.half", "a5e.cover.three-quarters")
def test_cover_names_its_rule() -> None:
    for grade in ("half", "three-quarters"):
        table = shot(yard(wall(grade)))
        said = cover_bonus(table.encounter, table.rules, "ann", "tom")
        assert said is not None
        assert (said.reason, said.rule) == (f"<cover.{grade}>", f"a5e.cover.{grade}")


@pytest.mark.rule("a5e.cover.direction")
def test_cover_helps_against_what_comes_from_beyond_it() -> None:
    table = shot(yard(wall("half")))
    assert [table.armor_class(who, "tom", BOW) for who in ("ann", "bob")] == [16, 14]
    assert bonus(table.trial("tom", "save.dex", "bob")) == 1
    table.does(SetRelation("bob", "tom", cover="half"))
    assert [table.armor_class(who, "tom", BOW) for who in ("ann", "bob")] == [16, 16]


@pytest.mark.rule("a5e.cover.best-only")
def test_only_the_best_of_several_counts() -> None:
    table = shot(yard(wall("half", 7), wall("three-quarters", 8)))
    assert table.armor_class("ann", "tom", BOW) == 19
    assert bonus(table.trial("tom", "save.dex", "ann")) == 6
    assert shot(yard(wall("half", 7), wall("half", 8))).armor_class("ann", "tom", BOW) == 16
    table.has(msgspec.structs.replace(table.one("tom"), rides="bob"))
    assert [each.grade for each in cover_sources(table.encounter, table.rules, "ann", "tom", ("melee",))] == [
        "three-quarters",
        "half",
    ]
    assert table.armor_class("ann", "tom", SWORD) == 19


@pytest.mark.rule("a5e.cover.total")
@pytest.mark.parametrize(
    "field",
    [
        yard(wall("total")),
        yard(walls=((7, 0, 7, 16),)),
        yard(ground="\n".join(["......." + "#"] * 16)),
    ],
)
def test_total_cover_prevents_targeting(field: Map) -> None:
    table = shot(field)
    assert cover(table) == "total"
    assert ("refused.total_cover", "a5e.cover.total") in refused(table)
    veto = total_cover_vetoes(table.encounter, table.rules, "ann", "tom")
    assert veto is not None
    assert (veto.reason, veto.rule) == ("refused.total_cover", "a5e.cover.total")
    hold = Feature("hold", "Hold", cost="action", save="wis", dc=12)
    assert table.refuses(UseFeature("ann", given=hold, targets=("tom",))).rule == "a5e.cover.total"
    blast = Feature("blast", "Blast", cost="action", save="wis", dc=12, area="20-ft sphere")
    table.does(UseFeature("ann", given=blast, targets=("tom",)))
    assert refused(table, "bob") == []
    assert total_cover_vetoes(table.encounter, table.rules, "bob", "tom") is None
    table.does(SetRelation("ann", "tom", cover="none"))
    assert ("refused.total_cover", "a5e.cover.total") not in refused(table)


def test_one_sees_over_what_is_low_and_past_what_is_broken() -> None:
    table = shot(yard(wall("half", height=2)))
    assert cover(table) == "none"
    assert cover(shot(yard(wall("half", height=4)))) == "half"
    door = wall("total", ac=15, hp=10)
    table = shot(yard(door))
    assert cover(table) == "total"
    table.has(yard())
    assert cover(table) == "none"


def test_a_window_stops_the_arrow_but_not_the_eye_and_a_curtain_the_other_way_round() -> None:
    glass, cloth = ((yard(**{kind: ((7, 0, 7, 16),)})) for kind in ("windows", "curtains"))
    through = [(shot(field), sight, effect) for field, sight, effect in ((glass, True, False), (cloth, False, True))]
    for table, sight, effect in through:
        assert sees(table.encounter, table.rules, "ann", "tom") is sight
        assert line_of_effect(table.encounter, table.rules, "ann", "tom") is effect
        assert cover(table) == ("none" if effect else "total")


# Mounts and creatures in the way ----------------------------------------------------------------------------------


@pytest.mark.rule("a5e.mount.half-cover")
def test_riders_are_half_covered_in_melee() -> None:
    people = (tom(), creature("horse", size="large"), "ann")
    table = Field(*people, foes=("ann",), field=None)
    table.has(msgspec.structs.replace(table.one("tom"), rides="horse"))
    assert table.armor_class("ann", "tom", SWORD) == 16
    assert table.armor_class("ann", "tom", BOW) == 14
    assert table.armor_class("ann", "horse", SWORD) == 10
    said = cover_bonus(table.encounter, table.rules, "ann", "tom", ("melee",))
    assert said is not None
    assert said.rule == "a5e.mount.half-cover"
    assert bonus(table.trial("tom", "save.dex", "ann", "melee")) == 3


@pytest.mark.rule("a5e.mount.half-cover")
@pytest.mark.parametrize(
    ("said", "melee", "shot"), [("none", "half", "none"), ("three-quarters", "three-quarters", "three-quarters")]
)
def test_what_is_said_of_cover_leaves_the_mount_in_its_place(said: str, melee: str, shot: str) -> None:
    table = Field(tom(), creature("horse", size="large"), "ann", foes=("ann",), field=None)
    table.has(msgspec.structs.replace(table.one("tom"), rides="horse"))
    table.does(SetRelation("ann", "tom", cover=said))  # type: ignore[arg-type]
    assert (cover(table, "ann", "tom", "melee"), cover(table, "ann", "tom", "ranged")) == (melee, shot)


@pytest.mark.rule("a5e.variant.half-cover-creatures")
def test_a_creature_between_is_half_cover_by_table_rule() -> None:
    plain, older = shot(yard()), shot(yard(), options=("half-cover-creatures",))
    for table in (plain, older):
        table.puts(bob=(7, 5))
    assert (plain.armor_class("ann", "tom", BOW), older.armor_class("ann", "tom", BOW)) == (14, 16)
    said = cover_bonus(older.encounter, older.rules, "ann", "tom")
    assert said is not None
    assert said.rule == "a5e.variant.half-cover-creatures"
    older.puts(bob=(7, 8))
    assert older.armor_class("ann", "tom", BOW) == 14


@pytest.mark.rule("a5e.variant.three-quarters-examples")
def test_an_arrow_slit_is_three_quarters_where_the_table_goes_by_the_examples() -> None:
    plain, older = shot(None), shot(None, options=("sheltering-examples",))

    def usual(table: Field, name: str) -> str:
        return default_cover(table.encounter, table.rules, name)

    assert [usual(older, name) for name in ("arrow-slit", "Castle wall", "pillow")] == [
        "three-quarters",
        "three-quarters",
        "none",
    ]
    assert usual(plain, "arrow-slit") == "none"


# Things of the place ----------------------------------------------------------------------------------------------


def brush(**more: Any) -> Map:
    """Return brush in column 7, as wide as the map."""
    return yard(areas=(Area("brush", "forested", "brush", ((7, 0, 1, 16),)),), **more)


def offered(table: Field, one: str = "ann") -> list[tuple[str, str]]:
    found = possible_cover(table.encounter, table.rules, one, "tom")
    return [(each.grade, each.rule) for each in found]


def test_brush_shelters_the_prone_right_behind_it() -> None:
    table = shot(brush(), more=(environment("forested"),)).puts(tom=(6, 5))
    trees = ("half", "a5e.env.forested.trees")  # their place is unknown
    assert (cover(table), offered(table)) == ("none", [trees])
    table.does(ApplyCondition(("tom",), "prone"))
    assert (cover(table), table.armor_class("ann", "tom", BOW), offered(table)) == ("half", 16, [])
    table.puts(tom=(5, 5))
    assert cover(table) == "none"


@pytest.mark.rule("a5e.variant.brush")
@pytest.mark.parametrize("older", [False, True])
def test_whether_brush_helps_those_on_its_near_side_is_asked(older: bool) -> None:
    options = ("brush-behind",) if older else ()
    table = shot(brush(), options=options, more=(environment("forested"),)).puts(tom=(6, 5), bob=(3, 5))
    table.does(ApplyCondition(("tom",), "prone"))
    assert cover(table, "bob") == "none"
    asked = ("half", "a5e.env.forested.brush")
    assert (asked in offered(table, "bob")) is not older
    table.does(SetRelation("bob", "tom", cover="half"))
    assert table.armor_class("bob", "tom", BOW) == 16
    assert offered(table, "bob") == []


def test_without_a_grid_things_of_the_place_are_offered_to_those_who_stand_in_it() -> None:
    table = shot(None, more=(environment("cavernous"), environment("furnished")))
    named = [rule for _, rule in offered(table)]
    assert named == ["a5e.env.cavernous.stalagmites", "a5e.env.furnished.tables"]
    assert cover(table) == "none"
    table.does(SetRelation("ann", "tom", cover="three-quarters"))
    assert (offered(table), table.armor_class("ann", "tom", BOW)) == ([], 19)


# Areas that spread from elsewhere -----------------------------------------------------------------------------------

FIREBALL = Feature(
    "fireball",
    "Fireball",
    "action",
    save="dex",
    dc=15,
    damage="8d6 fire",
    half=True,
    area="20-foot radius",
    range="150",
)


@pytest.mark.rule("a5e.cover.direction")
@for_each("system", [a5e, dnd5e, pf2e])
@for_each(
    ("origin", "bonuses"),
    [((9, 5), [False, True]), ((3, 5), [True, True]), (None, [False, False])],
    ids=["beyond the wall", "before the wall", "nobody says where"],
)
def test_cover_from_a_burst_is_measured_from_its_origin(
    system: Callable[[], RuleSystem], origin: Point | None, bonuses: list[bool]
) -> None:
    field = yard(wall("three-quarters", 6), wall("three-quarters", 10))
    table = Field("mage", "orc", "boss", foes=("orc", "boss"), field=field, rules=system())
    table.puts(mage=(1, 5), orc=(8, 5), boss=(12, 5))
    table.does(UseFeature("mage", given=FIREBALL, targets=("orc", "boss"), origin=origin))
    reasons = [[part.reason for part in ask.spec.modifiers] for ask in table.prompt.asks if ask.spec is not None]
    assert [any("cover" in reason for reason in of_one) for of_one in reasons] == bonuses


def test_a_creature_between_the_user_and_the_target_covers_nobody_from_a_burst_behind_it() -> None:
    scene = Scene(strictness="enforce", options=("creature-cover",))
    table = Field("mage", "orc", "boss", foes=("orc", "boss"), rules=dnd5e(), scene=scene)
    table.puts(mage=(1, 5), orc=(5, 5), boss=(8, 5))
    for origin, covered in (((10, 5), False), ((3, 5), True), (None, False)):
        table.does(UseFeature("mage", given=FIREBALL, targets=("boss",), origin=origin, purpose="free"))
        (ask,) = table.prompt.asks
        assert ask.spec is not None
        assert any("creature_between" in part.reason for part in ask.spec.modifiers) is covered
        table.skips()


def test_a_breath_is_still_measured_from_who_breathes() -> None:
    table = Field("mage", "orc", "boss", foes=("orc", "boss"), field=Map(columns=16, rows=16, walls=((7, 4, 7, 6),)))
    table.puts(mage=(5, 5), orc=(8, 5), boss=(12, 12))
    breath = msgspec.structs.replace(FIREBALL, range="", area="60-foot cone")
    table.does(UseFeature("mage", given=breath, targets=("orc",)))
    (ask,) = table.prompt.asks
    assert ask.spec is not None
    assert any("cover" in part.reason for part in ask.spec.modifiers)
