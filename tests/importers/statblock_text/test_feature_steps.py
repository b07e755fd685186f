"""Steps that prose names: whole texts become steps of the stat block's own, and anything else stays a text."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from turnwright.encounter.prepared import Feature
from turnwright.importers.results import game_terms
from turnwright.importers.statblock_text.feature_steps import with_steps
from turnwright.ui.forms.stage_line import format_steps

FEATURES = (
    Feature("bite", "Bite", "action", attack=7, reach=5),
    Feature("claw", "Claws", "action", attack=7, reach=5),
    Feature("tail", "Tail", "action", attack=7, reach=10),
    Feature("rock", "Rock", "action", attack=7, range="60"),
    Feature("fling", "Fling", "action", text="It throws."),
    Feature("gaze", "Stunning Gaze (Gaze)", "action", save="con", dc=13),
    Feature("storm", "Lightning Storm", "action", save="dex", dc=13, damage="4d6 lightning", recharge=5),
    Feature("breath", "Fire Breath", "action", save="dex", dc=13, damage="6d6 fire", recharge=5),
)
FIFTH = {
    "The wyrm makes a tail attack.": "use tail",
    "The wyrm makes one claw attack or tail attack.": "use claw or use tail",
    "The wyrm makes one bite attack or uses its Fling.": "use bite or use fling",
    "The wyrm makes two claw attacks and one bite attack.": "use claw; use claw; use bite",
    "The wyrm attacks with its bite.": "use bite",
    "The wyrm attacks with either its bite or its tail.": "use bite or use tail",
    "The wyrm makes one melee attack.": "use any-melee",
    "The wyrm makes a weapon attack.": "use any-attack",
    "The wyrm uses its Fling action.": "use fling",
    "The wyrm uses Stunning Gaze.": "use gaze",
    "The wyrm recharges and uses Lightning Storm.": "recharges storm; use storm",
    "The wyrm recharges its breath weapon.": "recharges breath",
    "The wyrm moves up to half its Speed, and it makes one Bite attack.": "move half; use bite",
    "The wyrm flies up to half its flying speed.": "move half fly",
    "The wyrm can move up to its speed without provoking opportunity attacks.": "action disengage; move full",
    "The wyrm swims up to its Swim Speed straight toward an enemy it can see.": "move full swim",
    "The wyrm takes the Dash, Disengage, or Hide action.": "action dash or action disengage or action hide",
    "The wyrm makes a Wisdom (Perception) check.": "roll wis:perception",
    "The wyrm moves up to half its Speed and hides.": "move half; action hide",
    "The wyrm uses Spellcasting to cast Guiding Bolt (level 3 version).": "spell guiding-bolt 3",
    "The wyrm casts Misty Step, using the same spellcasting ability as Spellcasting. \u2022 At Will: Misty Step": "spell misty-step",
}
STAYS = (
    "One creature charmed by the wyrm makes a bite attack.",
    "If the wyrm is hidden, it makes a bite attack.",
    "The wyrm makes a bite attack with advantage.",
    "The wyrm makes a bite attack. On a hit, the target is swallowed.",
    "The wyrm makes a sting attack.",
    "The wyrm makes one unarmed strike.",
    "The wyrm moves up to 30 feet.",
    "The wyrm takes the Bask action.",
    "The wyrm makes a DC 12 Wisdom (Perception) check.",
    "The wyrm uses its long tail to sweep the floor.",
    "Each ally moves up to half its speed.",
    "The wyrm makes a bite attack against each creature within 10 feet.",
    "The wyrm teleports up to 60 feet.",
)
PATHFINDER = {
    "The wyrm Strides and makes a Strike at the end of that movement.": "move full; use any-melee",
    "The wyrm Strides twice and makes a tail Strike.": "move full; move full; use tail",
    "The wyrm Strides up to half its Speed and makes a jaws Strike.": None,
    "The wyrm Flies and makes a bite Strike at any point during its movement.": None,
    "The wyrm makes a bite Strike; if the Strike hits, the armor takes the damage.": None,
    "The wyrm Steps.": "action step",
}


def read(text: str, system: str = "dnd5e", cost: str = "legendary", **fields: object) -> Feature:
    feature = Feature("deed", "Deed", cost, text=text, **fields)  # type: ignore[arg-type]
    return with_steps((*FEATURES, feature), game_terms(system))[-1]


@for_each("text", FIFTH)
def test_a_text_that_names_what_is_done_becomes_steps(text: str) -> None:
    found = read(text)
    assert (format_steps(found.does), found.read) == (FIFTH[text], ("does",))


@for_each("text", STAYS)
def test_a_text_of_which_anything_is_unclear_stays_a_text(text: str) -> None:
    assert read(text).does == ()


@pytest.mark.parametrize("text", PATHFINDER)
def test_activities_of_pathfinder(text: str) -> None:
    assert format_steps(read(text, "pf2e", "action").does) == (PATHFINDER[text] or "")


def test_a_limit_in_words_becomes_one_use_a_round() -> None:
    found = read("The wyrm uses Fling. The wyrm can't take this action again until the start of its next turn.")
    assert (format_steps(found.does), found.uses, found.per, found.read) == (
        "use fling",
        1,
        "round",
        ("does", "uses", "per"),
    )


def test_steps_behind_figures_are_those_of_the_last_sentence() -> None:
    text = "The wyrm beats its wings. Each creature takes damage. The wyrm can then fly up to half its flying speed."
    assert format_steps(read(text, save="dex", dc=15).does) == "move half fly"
    assert read("The wyrm beats its wings. Each creature takes damage.", save="dex", dc=15).does == ()


@pytest.mark.parametrize(
    ("text", "trigger", "when"),
    [
        (
            "When a creature the wyrm can see within 10 feet hits the wyrm with a melee attack, the wyrm makes a tail attack against it.",
            "hit",
            "melee, attacker.within:10",
        ),
        ("When the wyrm is hit by a melee attack, it makes a tail attack against the attacker.", "hit", "melee"),
        ("When missed by an attack, the wyrm makes a tail attack.", "missed", ""),
        ("When the wyrm takes damage, it makes a tail attack.", "hurt", ""),
        ("When the wyrm takes radiant damage, it makes a tail attack.", "", ""),
    ],
)
def test_a_reaction_waits_for_its_moment(text: str, trigger: str, when: str) -> None:
    found = read(text, cost="reaction")
    assert (format_steps(found.does), found.trigger, found.when) == ("use tail", trigger, when)


def test_what_has_steps_or_is_an_attack_or_a_trait_is_left_alone() -> None:
    text = "The wyrm makes a tail attack."
    assert read(text, cost="trait").does == ()
    assert read(text, attack=4).does == ()
    assert read(text, multiattack=((("tail", 1),),)).does == ()
