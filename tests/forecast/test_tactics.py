"""The chance of winning by how both sides choose their targets: beside the chance itself, in words and in order."""

from __future__ import annotations

import msgspec
import pytest

from tests.forecast.small_fights import GAMES, SYSTEMS, fighter, small_fight
from tests.forecast.test_sentences import chance, outlook, words
from turnwright.encounter.prepared import Feature
from turnwright.encounter.state import Encounter
from turnwright.forecast.estimate import TacticOutlook
from turnwright.forecast.sentences import band, headline, tactics
from turnwright.forecast.sheet import RANDOMLY, SAME, Policy
from turnwright.workspace.fight_forecast import forecasts, run_forecast
from turnwright.workspace.kernel_library import await_kernels

BOLT = Feature("bolt", "Bolt", "action", save="dex", dc=60, damage="10 fire")
STING = Feature("sting", "Sting", "action", save="dex", dc=60, damage="6 fire")


def frail_mage(system: str) -> Encounter:
    """A mage with few hit points deals all of the party's damage, behind a guard with many."""
    pools = {"pools": (("action", 1), ("reaction", 0))} if system == "action_points" else {}
    party = [fighter("mage", BOLT, hp=6, **pools), fighter("guard", hp=60, **pools)]
    return small_fight(system, party, [fighter("asp", STING, hp=50, **pools)])


@pytest.mark.parametrize("system", GAMES)
def test_enemies_that_attack_the_weakest_or_the_strongest_decide_the_fight(system):
    await_kernels()
    result = run_forecast(frail_mage(system), SYSTEMS.get(system), 300, seed=1, with_tactics=True).outlook
    won = {(one.party, one.enemies): one.won.value for one in result.tactics}
    assert won["weakest", "weakest"] == won["random", "weakest"] == 0
    assert won["weakest", "strongest"] == 1
    assert 0 < won["weakest", "random"] < 1
    assert [one.won.value for one in result.tactics] == sorted(won.values())
    assert result.won.value == 0
    assert band(result) == (0, 1)
    assert words(headline(result)) == "Won 0 to 100 of 100"


def test_the_chosen_tactics_are_compared_with_the_others():
    policies = Policy(target=RANDOMLY), Policy(target=SAME, flees_at=50)
    encounter, rules = frail_mage("dnd5e"), SYSTEMS.get("dnd5e")
    result = run_forecast(encounter, rules, 300, seed=1, policies=policies, with_tactics=True).outlook
    ways = {(one.party, one.enemies): one.won for one in result.tactics}
    enemies = ("weakest", "nearest", "strongest", "random", "same")
    assert set(ways) == {(party, enemy) for party in ("weakest", "random") for enemy in enemies}
    assert ways["random", "same"] == result.won


def test_further_forecasts_compare_the_tactics_but_the_first_does_not_wait():
    await_kernels()
    first, *_, last = forecasts(frail_mage("dnd5e"), SYSTEMS.get("dnd5e"), seed=1, most=2000)
    assert first.outlook.tactics == ()
    assert len(last.outlook.tactics) == 8


def test_the_sentences_name_the_tactics_only_if_they_matter():
    wide = (
        TacticOutlook("random", "nearest", chance(0.22)),
        TacticOutlook("weakest", "weakest", chance(0.3)),
        TacticOutlook("weakest", "strongest", chance(0.54)),
    )
    plain = outlook(won=chance(0.3))
    assert tactics(plain) == ()
    said = [words(sentence) for sentence in tactics(msgspec.structs.replace(plain, tactics=wide))]
    assert said == [
        "With other tactics, the party wins 22 to 54 of 100 fights.",
        "The party wins least if each enemy attacks the nearest character.",
        "It wins most if they attack the character with the highest hit points.",
        "The party does better if it attacks the weakest enemy first.",
    ]
    same_party = tactics(msgspec.structs.replace(plain, tactics=wide[1:]))
    assert [sentence.key for sentence in same_party][-1] == "forecast.most.strongest"
    close = msgspec.structs.replace(plain, tactics=(TacticOutlook("weakest", "weakest", chance(0.34)),))
    assert [words(sentence) for sentence in tactics(close)] == [
        "With other tactics, nearly the same (30 to 34 of 100)."
    ]
    assert words(headline(close)) == "Won 30 of 100"
