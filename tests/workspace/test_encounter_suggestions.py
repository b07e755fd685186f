"""Suggestions from the library: the party's challenge, the library's creatures, forecasts, places, and words."""

from __future__ import annotations

import shutil

import msgspec
import pytest

from tests.table import a5e, action_points, dnd5e, pf2e
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter, scene_of
from turnwright.rules.parts.preparation.encounter_budgets import encounter_budget
from turnwright.rules.parts.preparation.proposals import Suggester, SuggestionRequest
from turnwright.storage.library.entries import Library
from turnwright.storage.resources import resource_path
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.encounter_suggestions import (
    challenge_of,
    creature_pool,
    forecast_texts,
    forecasts_of,
    notes_of,
    steps_text,
    sum_text,
    with_proposal,
    without_foes,
)
from turnwright.workspace.party_variants import encounter_of, usual_party

WORDS = WordCatalogue.load()
HARD = SuggestionRequest("hard")


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Library:
    return Library(tmp_path_factory.mktemp("library"), (resource_path("library"),))


@pytest.fixture(scope="module")
def suggester(library) -> Suggester:
    party = encounter_of(usual_party([3] * 4, action_points(), WORDS), "action_points")
    challenge = challenge_of(party, action_points())
    return Suggester(creature_pool(library.entries(), action_points()), challenge)


def test_the_library_gives_what_a_suggestion_needs(suggester):
    found = {each.id: each for each in suggester.bestiary.candidates}
    wraith = found["customs-wraith"]
    assert (wraith.name, wraith.rating, wraith.type) == ("Customs wraith", "4", "undead")
    assert wraith.path.endswith("customs-wraith.toml")


@pytest.mark.parametrize(
    ("rules", "hard"),
    [(dnd5e, ("hard", 1600)), (a5e, ("hard", 6)), (pf2e, ("moderate", 80)), (action_points, ("hard", 12))],
)
def test_a_usual_party_is_a_challenge_in_each_game(rules, hard):
    rules = rules()
    party = usual_party([3] * 4, rules, WORDS)
    challenge = challenge_of(encounter_of(party, rules.data.id), rules)
    assert challenge.levels == (3, 3, 3, 3)
    assert challenge.hp == min(creature.hp for creature in party.creatures)
    high = challenge.window(hard[0]).high / (1 if challenge.has_budget else 1.5)
    assert high == pytest.approx(hard[1], rel=0.002)
    assert [band.id for band in rules.data.suggest.bands] >= [name for name, _ in challenge.steps]


def test_every_word_of_difficulty_has_a_band():
    for rules in (dnd5e(), a5e(), pf2e(), action_points()):
        bands = {band.id for band in rules.data.suggest.bands}
        for figures in (*rules.data.budgets, *filter(None, (rules.data.suggest.instead,))):
            assert bands >= {*figures.names, *dict(figures.threats)}


def test_without_levels_there_is_no_challenge():
    assert challenge_of(Encounter([Scene(system="dnd5e")]), dnd5e()) is None


def test_pathfinder_works_without_the_folder_of_its_core(tmp_path):
    library = Library(tmp_path / "own", (tmp_path / "shipped",))
    kept = resource_path("library/pf2e")
    shutil.copytree(kept, tmp_path / "shipped" / "pf2e", ignore=shutil.ignore_patterns("core"))
    pool = creature_pool(library.entries(), pf2e())
    assert len(pool.candidates) == len([*kept.glob("*.toml"), *kept.glob("hazards/*.toml")])
    challenge = challenge_of(encounter_of(usual_party([3] * 4, pf2e(), WORDS), "pf2e"), pf2e())
    assert Suggester(pool, challenge).suggest(SuggestionRequest("moderate")).proposals


def test_a_proposal_becomes_an_encounter(suggester, library):
    proposal = msgspec.structs.replace(suggester.suggest(HARD).proposals[0], company="The watch")
    before = encounter_of(usual_party([3] * 4, action_points(), WORDS), "action_points")
    after = with_proposal(before, proposal, library, action_points())
    foes = [entry for entry in after.all(RosterEntry) if entry.side == "enemies"]
    assert [(entry.creature, entry.count) for entry in foes] == [
        (slot.creature.id, slot.count) for slot in proposal.slots
    ]
    assert scene_of(after).title == "The watch"
    assert after.get(Creature, foes[0].creature).source == f"library:{foes[0].creature}"
    kept = [proposal.slots[0].creature.path]
    fewer = with_proposal(before, proposal, library, action_points(), kept)
    assert len(fewer.all(RosterEntry)) == len(after.all(RosterEntry)) - 1
    assert [*without_foes(after).all(RosterEntry)] == [*before.all(RosterEntry)]


def test_the_encounter_has_the_difficulty_that_was_proposed(library):
    rules = dnd5e()
    encounter = encounter_of(usual_party([5] * 4, rules, WORDS), "dnd5e")
    own = Suggester(creature_pool(library.entries(), rules), challenge_of(encounter, rules))
    for proposal in own.suggest(HARD).proposals:
        budget = encounter_budget(with_proposal(encounter, proposal, library, rules), rules)
        assert (float(budget.total), budget.threat) == (proposal.total, "hard")


def test_forecasts_say_whether_the_promise_is_kept(suggester, library):
    party = encounter_of(usual_party([3] * 4, action_points(), WORDS), "action_points")
    proposals = suggester.suggest(HARD).proposals[:1]
    found = [*forecasts_of(proposals, party, library, action_points(), HARD, fights=60, seed=3)]
    assert found == [*forecasts_of(proposals, party, library, action_points(), HARD, fights=60, seed=3)]
    ((proposal, forecast),) = found
    assert proposal == proposals[0]
    band = suggester.challenge.band("hard")
    won = round(100 * forecast.won.value)
    assert forecast.off == min(0, won - band.least) or forecast.off == max(0, won - band.most)
    sure, mild = msgspec.structs.replace(forecast.dies, value=0.9), msgspec.structs.replace(band, least=90)
    for off, band_, words in (
        (-5, band, "harder than"), (5, band, "easier than"), (0, band, "As hard as it should be."),
        (0, mild, "but a character dies in most fights."), (-5, mild, "harder than"),
    ):  # fmt: skip
        said, verdict = forecast_texts(msgspec.structs.replace(forecast, off=off, dies=sure), band_, WORDS)
        assert said.startswith("Won ")
        assert words in verdict


def test_the_sum_is_written_out(suggester):
    (wraith,) = (each.path for each in suggester.bestiary.candidates if each.id == "customs-wraith")
    proposal = suggester.proposal(suggester.slots(((wraith, 2),)))
    assert sum_text(proposal, WORDS) == "2 × 4 = 8"
    assert steps_text(suggester.challenge, WORDS).startswith("easy 7")
    relaxed = msgspec.structs.replace(proposal, relaxed=("foes",), pitfalls=())
    assert [note[:14] for note in notes_of(relaxed, WORDS)] == ["Another number"]


def test_milder_sums_are_forecast_when_the_wanted_ones_play_too_hard(library):
    rules = dnd5e()
    weak = encounter_of(usual_party([1] * 4, rules, WORDS), "dnd5e")
    own = Suggester(creature_pool(library.entries(), rules), challenge_of(weak, rules, [5] * 4))
    request = msgspec.structs.replace(HARD, count=1)
    found = [*forecasts_of(own.suggest(request).ranked[:2], weak, library, rules, request, own, fights=20)]
    assert [proposal.relaxed for proposal, _ in found][:3] == [(), (), ("sum",)]
    assert {proposal.difficulty for proposal, _ in found[2:]} <= {"medium", "easy"}
    assert all(forecast.off < 0 for _, forecast in found[:2])
