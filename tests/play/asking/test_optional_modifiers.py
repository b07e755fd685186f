"""Effects that the rules only name: on checks and saves they are offered with the roll, as on attacks; by the letter they hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from tests.play.dying_table import Wounded, hero, lax
from tests.table import a5e, creature, environment, with_row
from turnwright.dice.expression import RollSpec
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, SavingThrow, Scene
from turnwright.encounter.procedure_state.asks import Ask, Reply
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.contest import BreakFree
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import Answer
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.effect_records import HoldEffects, UsualEffectsHeld
from turnwright.play.state.events import Rolled, Skipped
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import CallForChecks
from turnwright.play.turns.turns import RemoveCombatant
from turnwright.rules.parts.checks.ability_checks import initiative_roll

POISONED, RESTRAINED, UNCONSCIOUS = "a5e.external.poisoned", "a5e.external.restrained", "a5e.external.unconscious"
BREATH = Feature("breath", "Breath", "action", save="dex", dc=12, damage="1d6 fire")


def yes(rule: str) -> str:
    return f"yes:{rule}"


def no(rule: str) -> str:
    return f"no:{rule}"


def lying(condition: str, scene: Scene | None = None, *who: str) -> Wounded:
    """A table at which some (or Ada alone) are in a condition, on the orc's turn."""
    table = Wounded(ada=hero("ada", hp=60), scene=scene or lax())
    table.does(Edit(creature("orc", features=(BREATH,))))
    table.does(ApplyCondition(who or ("ada",), condition))
    while table.prompts:
        table.skips()
    table.ends_turn(2)
    return table


def spec_of(ask: Ask) -> RollSpec:
    assert ask.spec is not None
    return ask.spec


def edges_of(table: Wounded) -> list[str]:
    """The edges on the roll that is asked."""
    return [edge.kind for ask in table.asked() if ask.kind == "roll" for edge in spec_of(ask).edges]


def breathes(table: Wounded, *targets: str) -> None:
    table.does(UseFeature("orc", "breath", targets=targets or ("ada",)))


def says(table: Wounded, *chosen: str) -> None:
    """Answer the offers of the card, one each in turn, and leave its rolls."""
    offers = [ask for ask in table.asked() if ask.kind == "choice"]
    replies = tuple(Reply(ask.id, chosen=(one,)) for ask, one in zip(offers, chosen, strict=True))
    table.does(Answer(table.prompt.id, replies, table.prompt.revision))


# Checks ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.external.poisoned")
@pytest.mark.parametrize(("said", "total"), [(yes(POISONED), 4), (no(POISONED), 15)])
def test_what_usually_befalls_the_poisoned_is_offered_with_a_check(said: str, total: int) -> None:
    table = lying("poisoned")
    table.dice(15, 4)
    table.does(CallForChecks(("ada",), "wis:perception", dc=10))
    offer, roll = table.asked()
    assert (offer.kind, offer.label, offer.who, offer.rule) == ("choice", "ask.usual_effects", "ada", POISONED)
    assert (offer.detail, offer.suggested, roll.kind) == ("<condition.poisoned>", (f"always:{yes(POISONED)}",), "roll")
    says(table, said)
    assert [one.roll.total for one in table.happened(Rolled)] == [total]


@pytest.mark.rule("a5e.external.poisoned")
def test_played_by_the_letter_nothing_is_offered_and_it_holds() -> None:
    table = lying("poisoned", Scene(strictness="enforce"))
    table.does(CallForChecks(("ada",), "wis:perception"))
    assert ([ask.kind for ask in table.asked()], edges_of(table)) == (["roll"], ["disadvantage"])


def test_what_the_rules_spell_out_is_not_offered() -> None:
    table = lying("squeezing")
    table.does(CallForChecks(("ada",), "wis:perception"))
    assert ([ask.kind for ask in table.asked()], edges_of(table)) == (["roll"], ["disadvantage"])


def test_the_trial_of_an_action_offers_it_too() -> None:
    table = lying("poisoned", None, "orc")
    table.does(TakeAction("orc", "hide", targets=("brand",)))
    while table.prompt.title == "prompt.figures":
        table.answers(**{ask.id.replace(".", "__"): 10 for ask in table.asked()})
    assert [ask.rule for ask in table.asked() if ask.kind == "choice"] == [POISONED]
    says(table, no(POISONED))
    assert edges_of(table) == []


def test_a_check_to_get_free_offers_it_too() -> None:
    table = lying("poisoned")
    table.puts(Effect("hold", "ada", "grappled", value=12, by="orc"))
    table.does(BreakFree("hold"))
    table.chooses("dex:acrobatics")
    assert [ask.rule for ask in table.asked() if ask.kind == "choice"] == [POISONED]


def test_initiative_is_a_check_and_offers_it() -> None:
    table = lying("poisoned")
    table.does(ApplyCondition(("brand",), "poisoned"))
    spec = initiative_roll(table.encounter, table.rules, "brand")
    assert [one.rule for one in spec.offered] == [POISONED]


# Saves -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.external.restrained")
def test_each_who_saves_says_it_for_themselves() -> None:
    table = lying("restrained", None, "ada", "brand")
    breathes(table, "ada", "brand")
    assert [(ask.kind, ask.who) for ask in table.asked()] == [
        *(("choice", who) for who in ("ada", "brand")),
        *(("roll", who) for who in ("ada", "brand")),
    ]
    says(table, no(RESTRAINED), yes(RESTRAINED))
    assert [len(spec_of(ask).edges) for ask in table.asked()] == [0, 1]
    table.answers(ada="12", brand="3")
    assert [(one.who, one.passed) for one in table.happened(Rolled)] == [("ada", True), ("brand", False)]


@pytest.mark.rule("a5e.external.unconscious")
@pytest.mark.parametrize(("said", "passed"), [(yes(UNCONSCIOUS), False), (no(UNCONSCIOUS), True)])
def test_a_save_that_usually_fails_takes_no_dice_where_it_does(said: str, passed: bool) -> None:
    table = lying("unconscious")
    breathes(table)
    says(table, said)
    (asked,) = table.asked()
    assert (asked.label, spec_of(asked).fails) == ("ask.save" if passed else "ask.damage", "")
    if passed:
        table.answers(ada="18")
    assert [one.passed for one in table.happened(Rolled) if one.purpose == "ask.save"] == [passed]


@pytest.mark.rule("a5e.external.poisoned")
def test_after_always_it_holds_unasked_until_that_is_taken_back() -> None:
    table = lying("poisoned")
    table.does(CallForChecks(("ada",), "wis:perception", dc=10))
    says(table, f"always:{yes(POISONED)}")
    assert (edges_of(table), table.happened(UsualEffectsHeld)[0].condition) == (["disadvantage"], "poisoned")
    table.skips()
    table.does(CallForChecks(("ada",), "str", dc=10))
    assert ([ask.kind for ask in table.asked()], edges_of(table)) == (["roll"], ["disadvantage"])
    table.skips()
    table.does(HoldEffects("poisoned", held=False))
    table.does(CallForChecks(("ada",), "str", dc=10))
    assert [ask.kind for ask in table.asked()] == ["choice", "roll"]


@pytest.mark.rule("a5e.external.unconscious")
def test_a_save_that_always_fails_takes_no_dice_at_once() -> None:
    table = lying("unconscious")
    table.does(HoldEffects("unconscious"))
    breathes(table)
    assert [ask.label for ask in table.asked()] == ["ask.damage"]
    assert [one.passed for one in table.happened(Rolled) if one.purpose == "ask.save"] == [False]


def test_what_the_rules_spell_out_can_t_be_held() -> None:
    assert lying("squeezing").refuses(HoldEffects("squeezing")).key == "refused.not_asked_about"


def test_to_agree_to_one_effect_is_not_to_agree_to_fail() -> None:
    unconscious = [msgspec.structs.replace(a5e().conditions["unconscious"], external=False)]
    conditions = (*(one for one in a5e().data.conditions if one.id != "unconscious"), *unconscious)
    rules = replace(a5e(), data=msgspec.structs.replace(a5e().data, conditions=conditions))
    table = Wounded(ada=hero("ada", hp=60), scene=lax(), rules=rules)
    table.does(Edit(creature("orc", features=(BREATH,))))
    table.puts(Effect("net", "ada", "restrained"), Effect("sleep", "ada", "unconscious"))
    table.ends_turn(2)
    breathes(table)
    says(table, yes(RESTRAINED))
    assert ([ask.label for ask in table.asked()], edges_of(table)) == (["ask.save"], ["disadvantage"])


def test_without_a_word_the_dice_wait() -> None:
    table = lying("restrained")
    table.does(SetDice("roll"))
    breathes(table)
    assert [ask.kind for ask in table.asked()] == ["choice", "roll"]
    assert not table.happened(Rolled)


# The card --------------------------------------------------------------------------------------------------------


def answer(table: Wounded, *replies: Reply) -> None:
    table.does(Answer(table.prompt.id, replies, table.prompt.revision))


def test_whoever_makes_the_roll_at_once_takes_it_as_usual_and_the_offer_lapses() -> None:
    table = lying("restrained")
    breathes(table)
    table.session.do(SetDice("script", script=(15, 4)))
    answer(table, Reply("ada", roll=True))
    (rolled,) = [one for one in table.happened(Rolled) if one.purpose == "ask.save"]
    assert (rolled.roll.total, [ask.label for ask in table.asked()]) == (4, ["ask.damage"])


@pytest.mark.parametrize("turned", [False, True])
def test_an_offer_declined_along_with_the_roll_counts_first(turned: bool) -> None:
    table = lying("restrained")
    breathes(table)
    offer, roll = table.asked()
    table.session.do(SetDice("script", script=(15,)))
    replies = [Reply(offer.id, chosen=(no(RESTRAINED),)), Reply(roll.id, roll=True)]
    answer(table, *(reversed(replies) if turned else replies))
    assert [one.roll.total for one in table.happened(Rolled) if one.purpose == "ask.save"] == [15]


@pytest.mark.parametrize("reply", [{"typed": "?"}, {"skip": True}])
def test_an_offer_lapses_with_the_roll_that_is_not_made(reply: dict[str, Any]) -> None:
    table = lying("restrained")
    breathes(table)
    answer(table, Reply("ada", **reply))
    assert "ask.usual_effects" not in [ask.label for ask in table.asked()]


def test_an_offer_passed_over_is_declined() -> None:
    table = lying("restrained")
    breathes(table)
    offer, _ = table.asked()
    answer(table, Reply(offer.id, skip=True))
    assert ([ask.kind for ask in table.asked()], edges_of(table)) == (["roll"], [])


def test_who_goes_takes_the_offer_along() -> None:
    table = lying("restrained", None, "ada", "brand")
    breathes(table, "ada", "brand")
    table.does(RemoveCombatant("ada"))
    assert [ask.who for ask in table.asked()] == ["brand", "brand"]


def test_a_card_put_aside_takes_its_offers_along() -> None:
    table = lying("restrained")
    breathes(table)
    table.skips()
    assert (table.asked(), [one.who for one in table.happened(Skipped)]) == ([], ["ada"])


def test_a_row_that_is_edited_offers_what_its_new_save_meets() -> None:
    place = with_row(environment("frigid"), "cold-chill", save=SavingThrow("dex", 12), recharge=0)
    table = Wounded(ada=hero("ada", hp=60), scene=lax(), surroundings=[place])
    while table.prompts:
        table.skips()
    table.puts(Effect("net", "ada", "restrained"))
    table.does(UseEntry("frigid", "cold-chill", targets=("ada",)))
    assert [ask.kind for ask in table.asked()] == ["choice", "roll"]
    table.does(Edit(with_row(place, "cold-chill", save=SavingThrow("con", 12))))
    assert ([ask.kind for ask in table.asked()], edges_of(table)) == (["roll"], [])
    table.does(Edit(msgspec.structs.replace(place)))
    assert ([ask.kind for ask in table.asked()], edges_of(table)) == (["choice", "roll"], ["disadvantage"])


def test_what_was_said_comes_back_with_undo() -> None:
    table = lying("restrained")
    breathes(table)
    says(table, no(RESTRAINED))
    table.session.undo()
    assert ([ask.kind for ask in table.asked()], edges_of(table)) == (["choice", "roll"], ["disadvantage"])


@pytest.mark.parametrize(("fact", "asked"), [("sense:smell", ["choice", "roll"]), ("magic", ["roll"])])
def test_the_sense_of_a_check_is_asked_even_by_the_letter(fact: str, asked: list[str]) -> None:
    keen = Feature("keen", "Keen Smell", rules=(DataRule("advantage", "check.wis:perception", when=fact),))
    table = Wounded(ada=hero("ada", features=(keen,)), scene=Scene(strictness="enforce"))
    table.does(CallForChecks(("ada",), "wis:perception"))
    assert [ask.kind for ask in table.asked()] == asked
