"""How far a feature plays by itself: asked where nobody knows, only while it is there, and as the group wants it."""

from __future__ import annotations

import msgspec
import pytest

from tests.play.attack_table import Fray
from tests.table import Table, creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, Scene
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.checks import CallForSaves
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.state.events import Rolled
from turnwright.rules.parts.checks.ability_checks import check_roll, save_roll
from turnwright.rules.parts.combatants.facts import SWITCHED_OFF
from turnwright.rules.parts.movement.move_legs import melee_attacks

AXE = Feature("axe", "Axe", "action", attack=4, reach=5, damage="1d8 slashing", properties=("weapon",))
KEEN = Feature("keen-smell", "Keen Smell", rules=(DataRule("advantage", "check.wis:perception", when="sense:smell"),))
GUARDED = Feature("guarded", "Guarded", rules=(DataRule("advantage", "save", when="magic"),))


def table(*features: Feature, strictness: str = "warn", **given: object) -> Table:
    """Ada, who has the features, in a fight with a foe."""
    ada = creature("ada", features=features)
    found = Table(ada, "orc", foes=("orc",), scene=Scene(strictness=strictness), **given)  # type: ignore[arg-type]
    found.start(ada=12, orc=5)
    return found


def rolled(at: Table) -> list[tuple[int | None, list[str]]]:
    """Each save and check rolled: its total, and the reasons of its edges."""
    return [(one.roll.total, [edge.reason for edge in one.roll.edges]) for one in at.happened(Rolled)]


@pytest.mark.parametrize(
    ("said", "faces", "result"), [("yes", (3, 15), (15, ["Guarded"])), ("no", (3,), (3, [])), (None, (3,), (3, []))]
)
def test_what_nobody_knows_is_asked_on_the_card_of_the_save(
    said: str | None, faces: tuple[int, ...], result: tuple[int, list[str]]
) -> None:
    at = table(GUARDED)
    at.dice(*faces)
    before = at.encounter
    at.does(CallForSaves(("ada",), "wis", 10))
    offer, save = at.prompt.asks
    assert (offer.label, offer.detail, save.kind) == ("ask.feature_applies", "Guarded (magic)", "roll")
    option = next(one.id for one in offer.options if said and one.id.startswith(said)) if said else None
    at.answers(**{offer.id.replace(".", "__").replace("-", "_"): option})
    assert rolled(at) == [result]
    while at.encounter != before:
        at.session.undo()
    assert at.prompts == []


def test_by_the_letter_nothing_is_asked_and_nothing_guessed() -> None:
    at = table(GUARDED, strictness="enforce")
    at.dice(3)
    at.does(CallForSaves(("ada",), "wis", 10))
    assert rolled(at) == [(3, [])]


def test_a_check_by_sense_is_asked_and_others_are_not() -> None:
    at = table(KEEN)
    assert [one.reason for one in check_roll(at.encounter, at.rules, "ada", "wis:perception").offered] == ["Keen Smell"]
    assert check_roll(at.encounter, at.rules, "ada", "wis:insight").offered == ()


def test_an_open_bonus_adds_no_more_than_its_type_allows() -> None:
    rules = (
        DataRule("modifier", "save", add=1, type="status"),
        DataRule("modifier", "save", add=3, type="status", when="magic"),
    )
    at = table(Feature("shielded", "Shielded", rules=rules), rules=pf2e())
    spec = save_roll(at.encounter, at.rules, "ada", "wis")
    assert [one.value for one in spec.offered] == [2]
    accepted = spec.with_accepted({one.id for one in spec.offered})
    assert sum(one.value for one in accepted.modifiers) == sum(one.value for one in spec.modifiers) + 2
    assert accepted.offered == ()


def test_a_feature_is_there_only_while_its_statement_holds() -> None:
    rage = Feature("rage", "Rage", rules=(DataRule("modifier", "ac", add=-2),), only="bloodied")
    frenzy = Feature("frenzy", "Frenzy", "action", save="dex", dc=12, damage="1d6 slashing", only="bloodied")
    at = table(rage, frenzy, AXE, strictness="enforce")
    refused = at.refuses(UseFeature("ada", "frenzy", targets=("orc",)))
    assert dict(refused.params)["when"] == "bloodied"
    at.does(ApplyDamage(("ada",), "10"))
    at.dice(3, 4)
    at.does(UseFeature("ada", "frenzy", targets=("orc",)))
    assert at.one("orc").hp == 16


def test_an_attack_that_isn_t_there_gives_no_opening_and_is_no_step() -> None:
    lash = msgspec.structs.replace(AXE, id="lash", name="Lash", only="bloodied")
    at = table(lash, AXE)
    assert [one.id for one in melee_attacks(at.encounter, at.rules, "ada")] == ["axe"]
    at.does(ApplyDamage(("ada",), "10"))
    assert [one.id for one in melee_attacks(at.encounter, at.rules, "ada")] == ["lash", "axe"]


def plays(how: str) -> Fray:
    """Ann, whose trait plays so, before an orc."""
    rules = (DataRule("advantage", "attack"), DataRule("modifier", "save", add=2))
    trait = Feature("reckless", "Reckless", rules=rules, automation=how)  # type: ignore[arg-type]
    return Fray(creature("ann", features=(AXE, trait)), creature("orc"), foes=("orc",))


@pytest.mark.parametrize(
    ("how", "there"), [("", True), ("acts", True), ("asks", False), ("reminds", False), ("off", False)]
)
def test_a_feature_plays_as_the_group_wants_it(how: str, there: bool) -> None:
    fray = plays(how)
    shown = fray.preview("ann", "orc", "axe")
    assert ("Reckless" in [edge.reason for edge in shown.roll.edges]) is there
    named = [one.value for one in shown.roll.modifiers if one.reason == "Reckless"]
    assert named == ([0] if how == "reminds" else [])
    assert [one.fact for one in shown.unknown_facts if one.fact.startswith("chosen")] == ["chosen:reckless"] * (
        how == "asks"
    )
    saves = save_roll(fray.encounter, fray.rules, "ann", "wis")
    assert [one.value for one in saves.modifiers if one.reason == "Reckless"] == (
        [2] if there else [0] if how == "reminds" else []
    )
    assert [one.value for one in saves.offered] == ([2] if how == "asks" else [])


def test_a_person_lets_it_act_on_one_attack() -> None:
    fray = plays("asks")
    chosen = fray.preview("ann", "orc", "axe", facts=("chosen:reckless",)).roll
    assert [edge.reason for edge in chosen.edges] == ["Reckless"]
    assert [edge.reason for edge in fray.preview("ann", "orc", "axe").roll.edges] == []


@pytest.mark.parametrize(("option", "values"), [("features-ask", []), ("features-remind", [0]), ("", [2])])
def test_a_table_may_want_less_of_all_features(option: str, values: list[int]) -> None:
    trait = Feature("tough", "Tough", rules=(DataRule("modifier", "save", add=2),))
    scene = Scene(strictness="enforce", options=(option,) if option else ())
    fray = Fray(creature("ann", features=(trait,)), "orc", foes=("orc",), scene=scene, rules=dnd5e())
    found = save_roll(fray.encounter, fray.rules, "ann", "wis").modifiers
    assert [one.value for one in found if one.reason == "Tough"] == values


def test_a_feature_switched_off_for_one_creature_is_on_its_rolls_no_more() -> None:
    fray = plays("")
    fray.marks("ann", SWITCHED_OFF, source="reckless", shown=False)
    assert fray.preview("ann", "orc", "axe").roll.edges == ()
