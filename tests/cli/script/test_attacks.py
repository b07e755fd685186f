"""The statement `attack`: targets, attacks, purposes, and messages for unknown words."""

from __future__ import annotations

import pytest

ARMED = """
[creatures.mira.features.axe]
name = "Hand axe"
cost = "action"
attack = 5
reach = 5
range = "20/60"
damage = "1d6+3 slashing"

[creatures.mira.features.inspire]
name = "Inspire"
cost = "free"
range = "self"
lasts = "1 minute"
effect = [{ kind = "extra", what = "d20", dice = "1d6", when = "chosen:inspiration" }]
"""


@pytest.fixture
def fought(done):
    """What the attacks of a script came to."""

    def fought(*lines: str):
        return [one for one in done(*lines) if one["event"] in ("Attacked", "DamageTaken")]

    return fought


def test_a_script_attacks_with_the_first_attack_or_the_one_it_names(fought):
    attack, hurt = fought("dice 12 4", "attack mira raiders-1")
    assert (attack["weapon"], attack["outcome"], hurt["taken"]) == ("Hand axe", "hit", 7)
    (missed,) = fought("dice 3", 'attack mira "Raider 2" with "hand" thrown')
    assert (missed["target"], missed["outcome"]) == ("raiders-2", "miss")


def test_a_script_says_what_pays_for_an_attack_and_what_holds_for_it(fought):
    attack, _ = fought("dice 3 12 4", "attack raiders-1 mira as opportunity if advantage")
    assert [(die["face"], die.get("kept", True)) for die in attack["roll"]["dice"]] == [(3, False), (12, True)]


def test_a_script_says_that_a_feature_or_an_effect_is_chosen_for_an_attack(fought):
    attack, _ = fought("!feature mira inspire", "dice 10 3 4", "!attack mira raiders-1 if chosen:inspiration")
    assert [die["sides"] for die in attack["roll"]["dice"]] == [20, 6]
    attack, _ = fought("dice 10 4", "attack mira raiders-1 if chosen:axe")
    assert [die["sides"] for die in attack["roll"]["dice"]] == [20]


def test_a_script_may_aim_at_a_square(fought):
    (attack,) = fought("dice 12", "attack mira at 4,7")
    assert attack["outcome"] == "miss"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("attack mira nobody", "unknown combatant or object 'nobody'"),
        ("attack mira raiders-1 with teeth", "unknown feature 'teeth'"),
        ("attack mira raiders-1 as magic", "unknown cost 'magic'; expected off-hand"),
        ("attack mira raiders-1 at 3", "expected a square as column,row, such as 3,4; found '3'"),
        ("attack mira raiders-1 hard", "unexpected 'hard'"),
        ("attack mira raiders-1 if chosen:wishes", "unknown feature 'wishes'"),
    ],
)
def test_words_that_mean_nothing_are_said(done, line, said):
    assert said in done(line, code=1)


def test_an_attack_takes_a_bonus_by_ruling_in_dice_too(fought):
    attack, _ = fought("dice 10 3 4", "attack raiders-1 mira as opportunity bonus 1d4")
    assert [die["sides"] for die in attack["roll"]["dice"]] == [20, 4]
    attack, _ = fought("dice 10 4", "attack raiders-1 mira as opportunity bonus 2")
    assert {"value": 2, "reason": "why.narrator"}.items() <= attack["roll"]["modifiers"][-1].items()


def test_a_script_sets_the_rule_checks(done):
    forbidden = ("act mira dash", "act mira dodge")
    assert done("rule checks off", *forbidden)
    assert "Action" in done("rule checks enforce", *forbidden, code=1)
    assert "unknown setting 'strict'" in done("rule checks strict", code=1)
