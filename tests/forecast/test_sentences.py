"""A forecast in words: what always and never happens, chances of few and of many fights, names of what is meant."""

from __future__ import annotations

import itertools

import msgspec
import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter, scene_of
from turnwright.forecast.estimate import Chance, CombatantOutlook, Course, Outlook, PoolOutlook, SourceOutlook
from turnwright.forecast.sentences import Sentence, budget_sentences, headline, percent, sentences, summary
from turnwright.rules.system import creature_of
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.fight_forecast import begun_copy

SYSTEMS = RuleSystems()
FILES = {file.stem: file for file in sample_encounters()}
WORDS = WordCatalogue.load()


def chance(value: float) -> Chance:
    return Chance(value, max(0, value - 0.02), min(1, value + 0.02))


def outlook(**changes) -> Outlook:
    none = chance(0)
    plain = Outlook(4000, 1, chance(0.7), chance(0.3), none, none, none, none, (3, 5, 8), 5.2, (), (), (), (), (), ())
    return msgspec.structs.replace(plain, **changes)


def words(sentence: Sentence) -> str:
    return WORDS(sentence.key, **dict(sentence.params))


@pytest.fixture(scope="module")
def document():
    encounter = read_encounter(FILES["cold-ford-bridge"], SYSTEMS.ids).encounter
    return begun_copy(encounter, SYSTEMS.get(scene_of(encounter).system)).encounter


def test_the_headline_says_how_often_the_party_wins():
    assert words(headline(outlook())) == "Won 70 of 100"
    assert words(headline(outlook(fights=250))) == "Won about 7 of 10"
    assert words(headline(outlook(fights=250, won=chance(0.06)))) == "Won about 1 of 10"
    assert words(headline(outlook(fights=250, won=chance(0.01)))) == "Won fewer than 1 of 10"
    assert words(headline(outlook(fights=250, won=chance(0.99)))) == "Won nearly every time"
    assert words(headline(outlook(won=chance(1)))) == "Won every time"
    assert words(headline(outlook(won=chance(0)))) == "Never won"


@pytest.mark.parametrize(("value", "expected"), [(0, 0), (0.001, 1), (0.336, 34), (0.999, 99), (1, 100)])
def test_no_percentage_says_never_or_always_of_what_happens_now_and_then(value, expected):
    assert percent(value) == expected


def test_who_falls_is_told_with_what_fells_them(document):
    foe = next(one for one in document.all(Combatant) if not one.player and creature_of(document, one).features)
    feature = creature_of(document, foe).features[0]
    party = [
        CombatantOutlook("ann", "Ann", "party", True, chance(0.2), chance(0), (0, 10, 20), 5, 9),
        CombatantOutlook("bo", "Bo", "party", True, chance(0.44), chance(0), (0, 3, 20), 5, 9, (foe.id, feature.id)),
    ]
    told = [words(one) for one in sentences(document, outlook(combatants=tuple(party)))]
    falls = f"Bo is the most likely to fall, in 44 of 100 fights, mostly to {feature.name} ({foe.label})."
    goal = "A fight counts as won when all enemies are down; the goal of the encounter isn't simulated."
    assert told == ["The party wins 70 of 100 fights (68 to 72), mostly in rounds 3 to 8.", falls, goal]
    scene = scene_of(document)
    without = Encounter(msgspec.structs.replace(one, goal="") if one is scene else one for one in document)
    assert [words(one) for one in summary(without, outlook(combatants=tuple(party)))] == told[:2]


def test_countdowns_that_run_out_and_likely_courses_are_told(document):
    pools = (PoolOutlook("ice", chance(0.31), (2, 4, 7)), PoolOutlook("bell", chance(0), (0, 0, 0)))
    courses = (Course(0.41, "won"), Course(0.22, "lost", "bo", "ice"))
    told = [words(one) for one in sentences(document, outlook(pools=pools, courses=courses))]
    assert " runs out during 31 of 100 fights, " in told[3]
    assert told[3].endswith(" fights, mostly in round 4.")
    assert told[4] == "41 in 100: won, no one falls."
    assert told[5].startswith("22 in 100: lost, bo falls first, ")
    assert not any("bell" in one for one in told)


def test_every_course_and_every_degree_of_a_chance_has_its_words():
    endings = [f"forecast.course.{one}" for one in ("won", "lost", "undecided")]
    courses = [f"{one}{more}" for one, more in itertools.product(endings, ("", "-down", "-pool", "-down-pool"))]
    degrees = itertools.product(("won", "headline"), ("", "-about", "-rarely", "-mostly", "-always", "-never"))
    chances = itertools.product(
        ("undecided", "falls", "falls_to", "pool"), ("", "-about", "-rarely", "-mostly", "-always")
    )
    keys = [*courses, *(f"forecast.{one}{more}" for one, more in [*degrees, *chances])]
    assert [one for one in keys if one not in WORDS] == []


def test_the_budget_s_word_stands_beside_the_forecast_and_is_contradicted_where_they_differ(document):
    rules = SYSTEMS.get(scene_of(document).system)

    def keys(**changes):
        return [one.key for one in budget_sentences(document, rules, outlook(**changes))]

    assert words(budget_sentences(document, rules, outlook())[0]).startswith("The encounter budget rates this ")
    assert "forecast.budget_world" not in keys()
    place = SourceOutlook("frigid", "cold-chill", 4.0, world=True)
    foe = SourceOutlook("captain", "long-axe", 6.0)
    told = budget_sentences(document, rules, outlook(sources=(place, foe)))
    assert words(told[-1]).endswith("which deals 40 % of the damage to the party.")
    easy, hard = keys(won=chance(0.99)), keys(won=chance(0.3))
    assert ("forecast.budget_too_grave" in easy) != ("forecast.budget_too_mild" in hard)
