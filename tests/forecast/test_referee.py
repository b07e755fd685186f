"""The engine as the referee of the forecast: the same fights, played out command by command, come out alike."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs

from tests.forecast.small_fights import fighter, played_alike, sheet_of_fight, small_fight
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import (
    Countdown,
    Creature,
    CreaturePhase,
    DealDamage,
    Environment,
    Feature,
    FeatureStep,
    RosterEntry,
)
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Change, clock_of, key_of, scene_of
from turnwright.forecast.compiled import fight_loop
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.layout import LOST, UNDECIDED, WON, FightResult
from turnwright.forecast.sentences import note_parts
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.play.asking.answer import Answer
from turnwright.play.autoplay import suggested_reply
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.queries.queries import open_prompts, waiting_asks
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.engine_fights import engine_fights, play_fight, playable_by_sheet
from turnwright.workspace.fight_forecast import begun_copy, run_forecast
from turnwright.workspace.kernel_library import await_kernels

SYSTEMS = RuleSystems()
FILES = {file.stem: file for file in sample_encounters()}
FORECAST = 20_000
LEAST_SPREAD = 0.02  # a chance that no fight of the engine shows may still be this far off


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("unquenched-works", 20),
        *(
            pytest.param(name, 60, marks=pytest.mark.soak)
            for name in ("cold-ford-bridge", "last-light", "unquenched-works", "keeper-of-the-weir")
        ),
    ],
)
def test_the_engine_plays_the_same_fights_as_the_forecast(name, count):
    """Victories lie within four standard errors of each other, and no choice of the policy is against the rules."""
    loaded = read_encounter(FILES[name], SYSTEMS.ids).encounter
    assert loaded is not None
    rules = SYSTEMS.get(scene_of(loaded).system)
    encounter = playable_by_sheet(loaded, rules)
    await_kernels()
    found = run_forecast(encounter, rules, FORECAST, seed=1).outlook
    fights, refused = engine_fights(encounter, rules, seed=3, count=count)
    assert refused == 0
    won, expected = sum(one.outcome == WON for one in fights) / count, found.won.value
    spread = max((expected * (1 - expected) / count) ** 0.5, LEAST_SPREAD)
    assert abs(won - expected) < 4 * spread


@pytest.mark.soak
def test_the_engine_plays_no_feature_or_action_of_a_place_that_the_sheet_leaves_out():
    """What the forecast knows nothing of must not happen in the fights that it is compared with."""
    kinds = set()
    for file in FILES.values():
        loaded = read_encounter(file, SYSTEMS.ids).encounter
        assert loaded is not None
        rules = SYSTEMS.get(scene_of(loaded).system)
        begun = begun_copy(loaded, rules)
        _, legend = build_sheet(begun.encounter, rules, begun.waiting)
        noted = [note for note in legend.notes if note.table == "environments" and note.list == "left-out"]
        played = playable_by_sheet(loaded, rules)
        for note in noted:
            place = played.need(Environment, note.subject)
            for kind, entries in (("feature", place.features), ("action", place.actions)):
                found = [one for one in entries if one.id == note.item]
                assert not any(one.enabled for one in found)
                kinds.update(kind for _ in found)
    assert kinds == {"feature", "action"}


def test_hit_points_that_a_person_is_asked_about_come_back_each_turn():
    """The forecast assumes it and says so; the engine's fights are answered likewise."""
    rises = Feature("rises", "Rises", "free", trigger="turn-start", heals="1")
    drip = Feature("drip", "Drip", "action", save="dex", dc=60, damage="1 acid")
    encounter = small_fight("dnd5e", [fighter("ann", drip)], [fighter("ooze", rises, hp=2)])
    rules, (_, legend) = SYSTEMS.get("dnd5e"), sheet_of_fight(encounter, "dnd5e")
    assert [one.reason for one in legend.notes if one.item == "rises"] == ["forecast.note.each_turn"]
    fights, refused = engine_fights(encounter, rules, seed=1, count=1)
    assert (refused, fights[0].outcome) == (0, UNDECIDED)
    assert run_forecast(encounter, rules, 10, seed=1).outlook.undecided.value == 1
    mortal = small_fight("dnd5e", [fighter("ann", drip)], [fighter("ooze", hp=2)])
    assert engine_fights(mortal, rules, seed=1, count=1)[0][0].outcome == WON


def test_phases_are_left_out_of_the_forecast_and_of_the_fights_that_judge_it():
    drip = Feature("drip", "Drip", "action", save="dex", dc=60, damage="5 acid")
    phoenix = fighter("phoenix", hp=5, phases=(CreaturePhase("risen", "Risen", at=0, hp=500),))
    encounter = small_fight("dnd5e", [fighter("ann", drip)], [phoenix])
    rules, (_, legend) = SYSTEMS.get("dnd5e"), sheet_of_fight(encounter, "dnd5e")
    (note,) = [one for one in legend.notes if one.subject == "phoenix"]
    assert (note.list, note.reason, note.params) == ("left-out", "forecast.note.phases", (("names", "Risen"),))
    assert note_parts(encounter, note)[0] == ("Phoenix",)
    played, refused = engine_fights(playable_by_sheet(encounter, rules), rules, seed=1, count=1)
    assert (refused, played[0].outcome, played[0].rounds) == (0, WON, 1)


def test_attacks_hit_as_often_as_in_the_sheet_if_the_game_master_decides():
    """Ann hits the orc's AC of 16 with half of her attacks; answered with a hit each time, she would win in one round."""
    blade = Feature("blade", "Blade", "action", attack=5, reach=5, damage="10 sharp", price=6)
    ann, orc = fighter("ann", blade, system="action_points"), fighter("orc", ac=16, system="action_points")
    outlook = played_alike(small_fight("action_points", [ann], [orc]), "action_points", count=60, seed=8)
    assert outlook.mean_rounds == pytest.approx(2, abs=0.1)


def test_a_legendary_action_makes_the_attack_that_it_names():
    """One attack after ann's turn, one in its own: both have to hit for ann to be down in the first round."""
    tail = Feature("tail", "Tail", "action", attack=60, reach=15, damage="1 bludgeoning")
    lash = Feature("lash", "Lash", "legendary", does=(FeatureStep(use="tail"),))
    stare = Feature("stare", "Stare", "legendary", does=(FeatureStep(roll="wis:perception"),))
    wyrm = fighter("wyrm", tail, lash, stare, legendary=1)
    encounter = small_fight("dnd5e", [fighter("ann", hp=2)], [wyrm])
    rules, (built, legend) = SYSTEMS.get("dnd5e"), sheet_of_fight(encounter, "dnd5e")
    lists = {one.item: (one.list, one.reason) for one in legend.notes if one.subject == "wyrm"}
    assert lists["lash"] == ("used", "forecast.note.used")
    assert lists["stare"] == ("left-out", "forecast.note.steps")
    assert await_kernels()
    fights, _ = fight_loop().play(packed_sheet(built), 1, 0, 100_000)
    expected, count = 0.95**2, len(fights)
    at_once = np.count_nonzero(fights[:, FightResult.rounds] == 1)
    assert abs(at_once - count * expected) < 3 * (count * expected * (1 - expected)) ** 0.5
    played, refused = engine_fights(playable_by_sheet(encounter, rules), rules, seed=4, count=100)
    assert refused == 0
    assert abs(sum(one.rounds == 1 for one in played) / 100 - expected) < 4 * (expected * (1 - expected) / 100) ** 0.5


def test_a_fight_ends_as_it_stood_when_the_last_one_fell():
    """After ann's turn, the last of the round, the second legendary action fells her; the next round begins in the same step.

    Its countdown would kill her and fell the goblin in some of the fights, which were over before.
    """
    stare = Feature("stare", "Stare", "legendary", save="dex", dc=60, damage="10 psychic")
    roof = Countdown("roof", "Roof", dice=1, speed="fast", starts=2, outcomes=(DealDamage("20 fire"),))
    party, foes = [fighter("ann", hp=20)], [fighter("goblin"), fighter("wyrm", stare, legendary=1, hp=99)]
    encounter = small_fight("dnd5e", party, foes, roof)
    entry = encounter.need(RosterEntry, "ann")
    encounter = encounter.with_changes([Change(key_of(entry), entry, structs.replace(entry, initiative=-80))])
    fights, refused = engine_fights(encounter, SYSTEMS.get("dnd5e"), seed=1, count=20)
    assert refused == 0
    assert {(one.outcome, one.rounds, one.left, one.fell, one.died) for one in fights} == {
        (LOST, 1, (("ann", 0), ("goblin", 10), ("wyrm", 99)), frozenset({"ann"}), frozenset())
    }


@pytest.mark.sampled(1)
@pytest.mark.parametrize("system", ["dnd5e", "a5e"])
def test_shield_takes_its_slot_and_lasts_for_the_round_as_in_the_engine(system):
    """A mage with two slots against two bandits, whose hits Shield often stops: victories and rounds agree."""
    rules = SYSTEMS.get(system)
    spell = next(one for one in rules.data.spells if one.id == "shield")
    shield = structs.replace(spell_feature(spell, Caster(15, 7, 5, 4)), level=1)
    sling = Feature("sling", "Sling", "action", attack=20, range="60", damage="5 piercing")
    axe = Feature("axe", "Axe", "action", attack=6, reach=5, damage="5 slashing")
    mage = fighter("mage", sling, shield, hp=40, ac=12, slots=(("1", 2),))
    foes = [fighter("axer", axe, hp=30, ac=5), fighter("hewer", axe, hp=30, ac=5)]
    encounter = small_fight(system, [mage], foes)
    outlook = played_alike(encounter, system, count=40, seed=4)
    rich = structs.replace(encounter.need(Creature, "mage"), slots=(("1", 9),))
    change = Change(key_of(rich), encounter.need(Creature, "mage"), rich)
    more = run_forecast(encounter.with_changes([change]), rules, FORECAST, seed=1).outlook
    assert more.won.low > outlook.won.high


@pytest.mark.parametrize("system", ["a5e", "dnd5e", "action_points", "pf2e"])
def test_a_played_fight_is_one_of_the_engines_fights_with_its_journal(system):
    bite = Feature("bite", "Bite", "action", attack=5, damage="2d6 piercing")
    encounter = small_fight(system, [fighter("ann", bite), fighter("bo", bite)], [fighter("wolf", bite, hp=16)])
    rules = SYSTEMS.get(system)
    playable = playable_by_sheet(encounter, rules)
    fights = [engine_fights(playable, rules, seed=seed, count=1)[0][0] for seed in range(2, 6)]
    headlines, journals = [], []
    for number, fight in enumerate(fights, 1):
        (outcome, falls), session = play_fight(encounter, rules, number, seed=1)
        assert outcome.key == ("forecast.played-won" if fight.outcome == WON else "forecast.played-lost")
        assert dict(outcome.params) == {"number": number, "round": fight.rounds}
        names = [each.label for each in session.encounter.all(Combatant) if each.id in fight.fell - {"wolf"}]
        assert dict(falls.params).get("names", "") == ", ".join(names)
        assert clock_of(session.encounter).round >= fight.rounds
        headlines.append((outcome, falls))
        journals.append([line.phrase for line in session.journal()])
    assert len({str(journal) for journal in journals}) == len(fights)
    again, session = play_fight(encounter, rules, 2, seed=1)
    assert (again, [line.phrase for line in session.journal()]) == (headlines[1], journals[1])


def test_a_played_fight_goes_on_from_a_fight_under_way():
    bite = Feature("bite", "Bite", "action", attack=5, damage="1d6 piercing")
    encounter = small_fight("dnd5e", [fighter("ann", bite, hp=30)], [fighter("wolf", bite, hp=30)])
    rules = SYSTEMS.get("dnd5e")
    session = Session(encounter, rules)
    session.do(SetDice("roll", seed=3))
    session.do(StartEncounter())
    while clock_of(session.encounter).phase == "set-up":
        for prompt in open_prompts(session.encounter):
            session.do(Answer(prompt.id, tuple(suggested_reply(ask) for ask in waiting_asks(prompt)), prompt.revision))
        session.do(AdvanceSetup())
    (wolf,) = (each for each in session.encounter.all(Combatant) if each.label == "Wolf")
    session.do(ApplyDamage((wolf.id,), "29"))
    before = session.encounter
    (outcome, falls), played = play_fight(before, rules, 1, seed=1)
    assert (outcome.key, falls.key) == ("forecast.played-won", "forecast.played-none-down")
    assert dict(outcome.params)["round"] <= 4  # one hit decides
    assert session.encounter == before
    assert all(line.round >= 1 for line in played.journal())
