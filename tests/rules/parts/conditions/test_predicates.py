"""The facts of `when`: every word is documented, and each is true, false or unknown as it should be."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.for_each import for_each
from tests.play.map_table import Field
from tests.table import creature
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Effect
from turnwright.play.damage.manual_hit_points import SetDead, SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.position_changes import SetRelation
from turnwright.rules.parts.conditions.predicates import PAIR_PREDICATES, SINGLE_PREDICATES, evaluate
from turnwright.rules.system import HookContext
from turnwright.rules.system_data.statements import FACTS, parse_statement

ABOUT = ("roll", "two", "one")
ATTACK = HookContext("ann", "attack", other="tom", tags=("melee", "weapon"))
AGAINST = HookContext("tom", "attack-against", other="ann", tags=("melee", "weapon"))


def table(**given: object) -> Field:
    ann = creature("ann", specialties=("tumbling",), skills=(("acrobatics", 5),), gear=("shield",))
    return Field(ann, creature("tom", size="large"), foes=("tom",), **given)


def said(field: Field, when: str, moment: HookContext = ATTACK) -> bool | None:
    return evaluate(field.encounter, field.rules, moment.who, parse_statement(when), moment)


def test_every_word_has_a_predicate_and_none_more() -> None:
    about: dict[str, set[str]] = {kind: {word for word, fact in FACTS.items() if fact.about == kind} for kind in ABOUT}
    assert set(PAIR_PREDICATES) == about["two"]
    assert set(SINGLE_PREDICATES) == about["one"] | {""}


@for_each(
    ("when", "answer"),
    [
        ("", True),
        ("melee", True),
        ("not melee", False),
        ("ranged", False),
        ("melee, weapon", True),
        ("melee, ranged", False),
        ("hostile", True),
        ("smaller", True),
        ("smaller:2", False),
        ("target.larger", True),
        ("other.larger:1", True),
        ("attacker.smaller", True),
        ("within:5", None),
        ("not within:5", None),
        ("melee, within:5", None),
        ("ranged, within:5", False),
        ("sees", True),
        ("target.sees", True),
        ("flanks", False),
        ("higher:5", None),
        ("source.sees", None),
        ("is-source", False),
        ("shield", True),
        ("not prone", True),
        ("specialty:tumbling", True),
        ("proficient:acrobatics", True),
        ("target.proficient:acrobatics", False),
        ("has-speed:walk", True),
        ("has-speed:fly", False),
        ("has-sense:blindsight", False),
        ("speed-zero", False),
        ("dead", False),
        ("riding", False),
        ("hovers", False),
        ("skilled", False),
        ("option:hidden-attacker", True),
        ("option:half-cover-creatures", False),
        ("scene:water", False),
        ("gear:shield", True),
        ("not not melee", True),
        ("ranged | melee", True),
        ("ranged | within:5", None),
        ("melee | within:5", True),
        ("ranged, sees | melee", True),
        ("ranged, (sees | melee)", False),
        ("melee, (ranged | shield)", True),
        ("not (ranged | prone)", True),
        ("not (melee, sees)", False),
        ("not (melee, within:5)", None),
        ("not (ranged, within:5)", True),
    ],
)
def test_facts_of_a_plain_attack_without_a_grid(when: str, answer: bool | None) -> None:
    assert said(table(field=None), when) is answer


def test_facts_follow_what_is_said_and_done() -> None:
    field = table(field=None)
    field.does(SetRelation("ann", "tom", distance=5, height=10))
    assert [said(field, when) for when in ("within:5", "within:4", "reaches", "higher:10", "higher:11", "lower:5")] == [
        True,
        False,
        True,
        True,
        False,
        False,
    ]
    assert [said(field, when, AGAINST) for when in ("lower:10", "attacker.higher:5", "attacker.within:5")] == [True] * 3
    field.does(ApplyCondition(("tom",), "unconscious"))
    assert [said(field, f"target.{when}") for when in ("condition:incapacitated", "incapacitated", "blinded")] == [
        True,
        True,
        False,
    ]
    field.does(SetHitPoints("tom", hp=0))
    assert said(field, "target.down")
    field.does(SetDead("tom"))
    assert said(field, "target.dead")


def test_what_a_person_said_for_one_roll_comes_first() -> None:
    field = table(field=None)
    tagged = HookContext("ann", "attack", other="tom", tags=("melee", "within:5", "not target.sees", "not sees"))
    assert [said(field, when, tagged) for when in ("within:5", "target.sees", "sees", "not sees")] == [
        True,
        False,
        False,
        True,
    ]


def test_effects_and_tracks_answer_by_level_and_source() -> None:
    field = table()
    fatigue = Effect("e", "ann", "fatigue", value=3, by="tom")
    field.has(fatigue)
    moment = HookContext("ann", "attack", other="tom", effect=fatigue)
    assert [said(field, when, moment) for when in ("level:3", "level:4", "track:fatigue:3", "track:fatigue:4")] == [
        True,
        False,
        True,
        False,
    ]
    assert [said(field, when, moment) for when in ("target.is-source", "source.larger", "track:strife")] == [
        True,
        True,
        False,
    ]


def test_scenes_and_skills() -> None:
    field = table(scene=Scene(suspended=("water",), rolling=True))
    assert [said(field, f"scene:{word}") for word in ("water", "rolling", "sky")] == [True, True, False]
    assert said(field, "skilled", HookContext("ann", "check.str:athletics", other="tom"))
    assert said(field, "skilled", HookContext("ann", "check.str", other="tom")) is False


@for_each("tag", ["within:5", "target.within:5", "attacker.within:5"])
@for_each("when", ["within:5", "target.within:5", "attacker.within:5"])
def test_a_distance_entered_for_one_side_holds_for_both(tag: str, when: str) -> None:
    for moment in (ATTACK, AGAINST):
        assert said(table(field=None), when, replace(moment, tags=(*moment.tags, tag))) is True
        assert said(table(field=None), when, replace(moment, tags=(*moment.tags, f"not {tag}"))) is False


@pytest.mark.parametrize(
    ("when", "answer"),
    [
        ("up-to:large", True),
        ("up-to:medium", False),
        ("type:humanoid", True),
        ("type:undead", False),
        ("not type:elf, up-to:huge", True),
    ],
)
def test_sizes_and_types_are_those_of_the_stat_block(when: str, answer: bool) -> None:
    assert said(table(), when, AGAINST) is answer
