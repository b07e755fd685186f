"""Proposals: three that differ, what is kept, other slots, relaxed requests, pitfalls, and chances to win."""

import pytest
from msgspec.structs import replace

from tests.rules.parts.preparation.suggesting import KINDS, kind, suggester
from turnwright.rules.parts.preparation.affinity import SuggestionTheme
from turnwright.rules.parts.preparation.proposals import (
    Proposal,
    SuggestionRequest,
    by_chance,
    differing,
    off_band,
    shape_of,
)
from turnwright.rules.system_data.suggest import DifficultyBand

HARD = SuggestionRequest("hard")
GRAVES = replace(HARD, theme=SuggestionTheme(("undead",)))


def ids(proposal: Proposal) -> dict[str, int]:
    return {slot.creature.id: slot.count for slot in proposal.slots}


def test_three_that_differ_are_hard_as_asked():
    own = suggester(3, 3, 3, 3)
    answer = own.suggest(HARD)
    assert len(answer.proposals) == 3
    assert len({proposal.kinds for proposal in answer.ranked}) == len(answer.ranked) >= 6
    for proposal in answer.ranked:
        assert (proposal.difficulty, proposal.relaxed) == ("hard", ())
        assert 900 <= proposal.total < 1600
        assert 2 <= proposal.foes <= 8
        assert proposal.total == sum(slot.worth * slot.count for slot in proposal.slots) * proposal.factor
        assert not proposal.kinds & {"dragon", "unicorn", "shark"}, "too strong, good, and a fish"


def test_the_same_seed_gives_the_same_answer():
    answers = [suggester(3, 3, 3, 3).suggest(replace(HARD, seed=seed)) for seed in (1, 1, 2)]
    assert answers[0] == answers[1] != answers[2]


def test_a_company_gives_its_name_and_invites_guests():
    answer = suggester(3, 3, 3, 3).suggest(replace(HARD, theme=SuggestionTheme(("goblin",))))
    assert any(proposal.company == "Goblin raiders" for proposal in answer.ranked)
    assert any("wolf" in proposal.kinds for proposal in answer.ranked)
    assert all(proposal.kinds & {"goblin", "goblin-archer", "hobgoblin"} for proposal in answer.ranked)


def test_what_is_kept_stays_and_what_is_banned_does_not_come():
    request = replace(HARD, kept=(("ogre", 1), ("goblin", 2)), banned=frozenset({"wolf", "ghoul"}))
    ranked = suggester(3, 3, 3, 3).suggest(request).ranked
    assert ranked
    for proposal in ranked:
        assert ids(proposal) | {"ogre": 1, "goblin": 2} == ids(proposal)
        assert not proposal.kinds & {"wolf", "ghoul"}


def test_another_kind_in_a_slot_leaves_the_others():
    own = suggester(3, 3, 3, 3)
    proposal = own.proposal(own.slots((("ogre", 1), ("goblin", 4))))
    changed = own.another(HARD, proposal, 1)
    assert changed is not None
    assert changed.slots[0] == proposal.slots[0]
    assert changed.slots[1].creature.id not in ("goblin", "ogre")
    assert changed.difficulty == "hard"
    assert own.another(replace(HARD, banned=frozenset(each.path for each in KINDS)), proposal, 1) is None


def test_a_named_kind_comes_in_the_number_that_fits():
    own = suggester(3, 3, 3, 3)
    proposal = own.proposal(own.slots((("ogre", 1), ("goblin", 4))))
    swapped = own.another(HARD, proposal, 1, "hobgoblin")
    assert ids(swapped) == {"ogre": 1, "hobgoblin": 2}
    assert swapped.difficulty == "hard"
    assert ids(own.another(HARD, proposal, 2, "wolf")) == {"ogre": 1, "goblin": 4, "wolf": 1}
    with pytest.raises(LookupError):
        own.another(HARD, proposal, 1, "nobody")


@pytest.mark.parametrize(
    ("request_", "step"),
    [
        (replace(GRAVES, theme=SuggestionTheme(("undead",), ("water",))), "habitats"),
        (replace(HARD, foes=(1, 1)), "foes"),
        (replace(HARD, difficulty="medium", kept=(("ogre", 2),)), "difficulty"),
    ],
)
def test_a_request_that_nothing_fits_is_relaxed_by_a_step_that_is_named(request_, step):
    answer = suggester(3, 3, 3, 3).suggest(request_)
    assert answer.proposals
    assert answer.proposals[-1].relaxed[-1] == step


@pytest.mark.parametrize(
    ("request_", "hint"),
    [(replace(HARD, theme=SuggestionTheme(("robot",))), "words"), (replace(HARD, kept=(("ogre", 30),)), "kept")],
)
def test_without_any_proposal_the_answer_says_what_would_help(request_, hint):
    answer = suggester(3, 3, 3, 3).suggest(request_)
    assert (answer.proposals, answer.hint) == ((), hint)


def test_only_steps_that_a_proposal_needed_are_named():
    answer = suggester(3, 3, 3, 3).suggest(replace(HARD, theme=SuggestionTheme((), ("tomb",)), foes=(1, 2), count=6))
    assert len(answer.proposals) == 6
    for proposal in answer.proposals:
        lives_there = all("tomb" in slot.creature.environments for slot in proposal.slots)
        assert ("habitats" in proposal.relaxed) is not lives_there
        assert ("foes" in proposal.relaxed) is not (proposal.foes <= 2)


def test_the_company_of_a_kept_creature_comes_along_from_elsewhere():
    request = replace(HARD, theme=SuggestionTheme((), ("tomb",)), kept=(("hobgoblin", 2),))
    ranked = suggester(3, 3, 3, 3).suggest(request).ranked
    assert {"goblin", "wolf"} & ranked[0].kinds
    noted = [dict(pitfall.params) for pitfall in ranked[0].pitfalls if pitfall.key == "elsewhere"]
    assert noted
    assert "Hobgoblin" in noted[0]["names"]


def test_most_of_a_proposal_is_in_the_theme():
    ranked = suggester(3, 3, 3, 3).suggest(replace(HARD, theme=SuggestionTheme(("goblin",)))).ranked
    own = [slot for slot in ranked[0].slots if "goblinoid" in slot.creature.tags]
    total = sum(slot.count * slot.worth for slot in ranked[0].slots)
    assert (
        sum(slot.count * slot.worth for slot in own) / total >= 0.5
        or sum(slot.count for slot in own) / ranked[0].foes >= 0.5
    )
    assert ranked[0].score > min(each.score for each in ranked) + 4


def test_milder_and_harder_sums_are_nearby():
    own = suggester(3, 3, 3, 3)
    milder, harder = ([*own.nearby(HARD, harder=harder)] for harder in (False, True))
    assert [each.difficulty for each in (*milder, *harder)] == ["medium"] * 6 + ["easy"] * 6 + ["deadly"] * 6
    assert {each.relaxed for each in (*milder, *harder)} == {("sum",)}


def test_pitfalls_are_said():
    own = suggester(1, 1, 1, hp=9)
    keys = {
        name: {pitfall.key for pitfall in own.proposal(own.slots(slots)).pitfalls}
        for name, slots in {
            "alone": (("ogre", 1),),
            "strong": (("wight", 1), ("zombie", 1)),
            "many": (("zombie", 7),),
            "leaders": (("dragon", 2),),
            "breath": (("wight", 2),),
            "fish": (("shark", 4),),
            "kinds": (("goblin", 1), ("wolf", 1), ("zombie", 1), ("ghoul", 1)),
        }.items()
    }
    assert keys["alone"] == {"acts-once"}
    assert keys["strong"] == {"dangerous"}
    assert keys["many"] == {"crowd"}
    assert keys["leaders"] >= {"leaders", "dangerous", "above"}
    assert keys["breath"] >= {"burst", "dangerous"}
    assert keys["fish"] == {"swims"}
    assert keys["kinds"] == {"many-kinds"}


def test_in_pathfinder_nothing_is_more_than_four_levels_away():
    kinds = tuple(kind(f"foe-{level}", str(level), "humanoid") for level in range(-1, 21))
    for party, lowest, highest in ((1, -1, 3), (7, 3, 11), (15, 11, 19)):
        own = suggester(*(party,) * 4, kinds=kinds, system="pf2e")
        ranked = own.suggest(SuggestionRequest("severe", (1, 12))).ranked
        levels = {int(slot.creature.rating) for proposal in ranked for slot in proposal.slots}
        assert levels
        assert lowest <= min(levels) <= max(levels) <= highest


def test_the_strongest_enemy_of_a_game_is_the_limit():
    kinds = tuple(kind(f"foe-{rating}", str(rating), "humanoid") for rating in range(1, 12))
    ranked = suggester(4, 4, 4, 4, kinds=kinds, system="a5e").suggest(SuggestionRequest("deadly", (1, 8))).ranked
    assert max(int(slot.creature.rating) for proposal in ranked for slot in proposal.slots) <= 6


def test_a_game_without_a_budget_measures_levels():
    kinds = tuple(kind(f"foe-{level}", str(level), "humanoid") for level in range(1, 6))
    ranked = suggester(3, 3, 3, 3, kinds=kinds, system="action_points").suggest(SuggestionRequest("hard")).ranked
    assert all(9.6 < proposal.total <= 12 for proposal in ranked)


@pytest.mark.parametrize(
    ("words", "comes"),
    [((), False), (("dragon",), False), (("gold",), True), (("wyrm",), True), (("celestial",), False)],
)
def test_good_creatures_come_only_by_name(words, comes):
    gold = kind("gold-wyrm", "3", "dragon", "brute", "hills")
    ranked = suggester(3, 3, 3, 3, kinds=(*KINDS, gold)).suggest(replace(HARD, theme=SuggestionTheme(words))).ranked
    assert any("gold-wyrm" in proposal.kinds for proposal in ranked) is comes


def test_forms_harmless_animals_and_crowds_of_casters_cost_much():
    forms = tuple(kind(f"rat, {form}", "2", "humanoid", name=f"Rat, {form}") for form in ("rat form", "hybrid form"))
    own = suggester(3, 3, 3, 3, kinds=(*KINDS, *forms, kind("pony", "1/4", "beast")))
    fit, numbers = own.bestiary.fit, own.bestiary.numbers
    assert fit(numbers[forms[0].id], numbers[forms[1].id]) < -3
    costs = {
        id: sum(pitfall.cost for pitfall in own.proposal(own.slots(((id, count),))).pitfalls)
        for id, count in (("pony", 2), ("wolf", 2), ("ghoul", 5))
    }
    assert costs["pony"] < costs["wolf"] == 0
    assert costs["ghoul"] < 0


def test_shapes():
    slots = {
        "solo": [(450, 1)], "pair": [(450, 2)], "pack": [(50, 5)], "horde": [(50, 6)],
        "leader": [(50, 4), (450, 1)], "two-kinds": [(450, 2), (50, 4)], "mixed": [(450, 2), (100, 2), (50, 1)],
    }  # fmt: skip
    assert {shape: shape_of(each) for shape, each in slots.items()} == {shape: shape for shape in slots}


def test_a_band_is_kept_before_a_score():
    ranked = suggester(3, 3, 3, 3).suggest(HARD).ranked
    band = DifficultyBand("hard", 60, 90)
    assert [off_band(band, chance) for chance in (0.4, 0.6, 0.9, 1)] == [-20, 0, 0, 10]
    first, second, *rest = ranked
    judged = [(first, 0.05), (second, 0.99), *((each, 0.7) for each in rest)]
    chosen = by_chance(judged, band, 3)
    assert len(chosen) == 3
    assert first not in chosen
    assert second not in chosen
    assert by_chance([(first, 0.05)], band, 3) == [first]
    nearly = by_chance([(first, 0.57), (second, 0.7), (rest[0], 0.7)], band, 3)
    assert nearly[-1] == first, "57 percent are only nearly 60"
    assert differing([first, first], 2) == [first]
