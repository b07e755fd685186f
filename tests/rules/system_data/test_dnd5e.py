"""The data of D&D 5e, against numbers written out here by hand from the ledger."""

from __future__ import annotations

from typing import Any

import pytest

from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.numbers import ActionOption
from turnwright.rules.system_data.statements import facts_in
from turnwright.storage.system_data import read_system_data

TWELVE = [
    "attack",
    "cast-spell",
    "dash",
    "disengage",
    "dodge",
    "help-aid",
    "help-distract",
    "hide",
    "ready",
    "search",
    "use-object",
    "stabilize",
]


def ruled(rule: str, *values: Any) -> Any:
    return pytest.param(*values, marks=pytest.mark.rule(rule), id=rule)


@pytest.fixture(scope="module")
def catalogue() -> SystemData:
    return read_system_data("dnd5e")


def action(catalogue: SystemData, id: str) -> ActionOption:
    return next(one for one in catalogue.actions if one.id == id)


# Actions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "id",
    [
        ruled("dnd5e.action.attack.row", "attack"),
        ruled("dnd5e.action.cast_spell.row", "cast-spell"),
        ruled("dnd5e.action.dash.row", "dash"),
        ruled("dnd5e.action.disengage.row", "disengage"),
        ruled("dnd5e.action.dodge.row", "dodge"),
        ruled("dnd5e.action.help_aid.row", "help-aid"),
        ruled("dnd5e.action.help_distract.row", "help-distract"),
        ruled("dnd5e.action.hide.row", "hide"),
        ruled("dnd5e.action.ready.row", "ready"),
        ruled("dnd5e.action.search.row", "search"),
        ruled("dnd5e.action.use_object.row", "use-object"),
        ruled("dnd5e.action.stabilize.row", "stabilize"),
    ],
)
def test_each_of_the_twelve_costs_the_action_and_does_what_its_row_says(catalogue: SystemData, id: str) -> None:
    one = action(catalogue, id)
    assert (one.payable, one.group) == (("action",), "listed")
    assert f"dnd5e.action.{id.replace('-', '_')}.row" in one.ledger
    ROWS[id](catalogue, one)


def _attack(catalogue: SystemData, one: ActionOption) -> None:
    from turnwright.encounter.prepared import Creature

    assert (one.done, Creature("ann", "Ann").attacks) == ("attack", 1)


def _dash(catalogue: SystemData, one: ActionOption) -> None:
    dashing = next(each for each in catalogue.conditions if each.id == one.effect)
    assert [(rule.kind, rule.times) for rule in dashing.rules] == [("modifier", 2)]
    assert one.ends == "turn"


def _disengage(catalogue: SystemData, one: ActionOption) -> None:
    assert (one.effect, one.ends) == ("disengaging", "turn")
    assert catalogue.movement.unprovoking == ("disengaging",)


def _dodge(catalogue: SystemData, one: ActionOption) -> None:
    assert (one.effect, one.ends) == ("dodging", "turn-start")


def _aid(catalogue: SystemData, one: ActionOption) -> None:
    (left,) = one.leaves
    assert (one.targets, left.effect, left.on, left.ends, left.uses) == (
        "one",
        "helped-check",
        "target",
        "turn-start",
        1,
    )


def _distract(catalogue: SystemData, one: ActionOption) -> None:
    (near,), (left,) = one.requires, one.leaves
    assert (near.when.text, near.of, left.effect, left.ends, left.uses) == (
        "within:5",
        "target",
        "distracted",
        "turn-start",
        1,
    )


def _hide(catalogue: SystemData, one: ActionOption) -> None:
    assert one.trial is not None
    assert one.trial.rolls == ("check.dex:stealth",)


def _ready(catalogue: SystemData, one: ActionOption) -> None:
    assert (one.done, action(catalogue, "release-readied").payable) == ("ready", ("reaction",))
    assert any(each.id == "readied" for each in catalogue.conditions)


def _search(catalogue: SystemData, one: ActionOption) -> None:
    assert one.trial is not None
    assert one.trial.rolls == ("check.wis:perception", "check.int:investigation")


def _stabilize(catalogue: SystemData, one: ActionOption) -> None:
    assert one.trial is not None
    assert (one.trial.rolls, one.trial.dc) == (("check.wis:medicine",), 10)


def _plain(catalogue: SystemData, one: ActionOption) -> None:
    assert (one.leaves, one.trial, one.effect) == ((), None, "")


ROWS = {
    "attack": _attack,
    "cast-spell": _plain,
    "dash": _dash,
    "disengage": _disengage,
    "dodge": _dodge,
    "help-aid": _aid,
    "help-distract": _distract,
    "hide": _hide,
    "ready": _ready,
    "search": _search,
    "use-object": _plain,
    "stabilize": _stabilize,
}


def test_the_list_has_twelve_actions(catalogue: SystemData) -> None:
    assert [one.id for one in catalogue.actions if one.group == "listed"] == TWELVE
    assert set(ROWS) == set(TWELVE)


@pytest.mark.rule("dnd5e.turn.interaction_examples")
def test_eighteen_samples_of_what_usually_costs_nothing(catalogue: SystemData) -> None:
    interact = action(catalogue, "interact-object")
    assert (len(interact.choices), interact.cost, "choice" in interact.asks) == (18, "free", False)
    assert "Turn a key in a lock" in [one.name for one in interact.choices]
    assert len({one.name for one in interact.choices}) == 18


# Cover, water, rounds, sizes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "bonus", "on", "untargetable"),
    [
        ruled("dnd5e.cover.half.row", "half", 2, ("ac", "save.dex"), False),
        ruled("dnd5e.cover.three_quarters.row", "three-quarters", 5, ("ac", "save.dex"), False),
        ruled("dnd5e.cover.total.row", "total", 0, (), True),
    ],
)
def test_degrees_of_cover(catalogue: SystemData, id: str, bonus: int, on: tuple[str, ...], untargetable: bool) -> None:
    grade = next(one for one in catalogue.cover if one.id == id)
    assert (grade.bonus, grade.on, grade.untargetable) == (bonus, on, untargetable)
    assert len(catalogue.cover) == 4


def exempt(catalogue: SystemData, ending: str) -> list[str]:
    """Return the weapons and creatures that the penalty under water spares."""
    water = next(one for one in catalogue.standing if one.id == "in-water")
    (rule,) = [one for one in water.rules if one.ledger == f"dnd5e.underwater.{ending}" and one.kind == "disadvantage"]
    return [fact.name for fact in facts_in(rule.when) if fact.negated and fact.word != "has-speed"]


@pytest.mark.rule("dnd5e.underwater.melee_exempt_weapons")
def test_five_weapons_strike_freely_under_water(catalogue: SystemData) -> None:
    assert exempt(catalogue, "melee") == [
        "with:dagger",
        "with:javelin",
        "with:shortsword",
        "with:spear",
        "with:trident",
    ]


@pytest.mark.rule("dnd5e.underwater.ranged_exempt_weapons")
def test_three_kinds_of_shot_go_freely_under_water(catalogue: SystemData) -> None:
    assert exempt(catalogue, "ranged_normal") == ["with:crossbow", "with:net", "thrown"]


def test_a_round_is_six_seconds_long(catalogue: SystemData) -> None:
    assert [(one.seconds, one.default_for) for one in catalogue.round_lengths] == [(6, "combat")]


def test_six_sizes_with_their_spaces(catalogue: SystemData) -> None:
    assert [(size.id, size.space) for size in catalogue.sizes] == [
        ("tiny", 2.5),
        ("small", 5),
        ("medium", 5),
        ("large", 10),
        ("huge", 15),
        ("gargantuan", 20),
    ]


def test_fifteen_public_conditions_are_there_and_marked(catalogue: SystemData) -> None:
    public = [
        "blinded",
        "charmed",
        "deafened",
        "exhaustion",
        "frightened",
        "grappled",
        "incapacitated",
        "invisible",
        "paralyzed",
        "petrified",
        "poisoned",
        "prone",
        "restrained",
        "stunned",
        "unconscious",
    ]
    marked = {one.id for one in catalogue.conditions if one.external}
    assert set(public) <= marked


# The whole --------------------------------------------------------------------------------------------------------


def test_nothing_of_other_games_is_there(catalogue: SystemData) -> None:
    assert catalogue.expertise == ()
    assert catalogue.attack.block_fatigue == 0
    assert catalogue.dying.massive.base == catalogue.dying.massive.per_level == 0
    assert not {one.id for one in catalogue.conditions} & {"fatigue", "strife", "pressing", "tumbling", "exposed"}
    assert not {one.id for one in catalogue.actions} & {"tumble", "sprint", "press-the-attack", "basic-maneuver"}


def test_it_has_the_same_words_for_the_table(catalogue: SystemData) -> None:
    terms, others = dict(catalogue.terms), dict(read_system_data("a5e").terms)
    assert terms["game_master"] == "Dungeon Master"
    assert set(others) - set(terms) == {"fatigue", "strife"}
    assert set(terms) <= set(others)
