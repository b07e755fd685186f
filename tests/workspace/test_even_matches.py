"""Action points: four creatures of a level are an even match for the sample party, scaled to that level."""

from collections import defaultdict
from statistics import mean

import msgspec

from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.preparation.creature_scaling import rating_difference, scale_creature
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path
from turnwright.workspace.fight_forecast import run_forecast
from turnwright.workspace.party_states import sample_level, sample_party

FIGHTS = 800
# The first ones are as they came: minions and leaders for the samples, and not made by the table.
FIRST = {
    "anchor-golem", "bog-oak", "customs-wraith", "dock-bruiser", "drowned-reeve", "fuse-sister", "harbour-watch",
    "lamplighters-moth", "leech-bed", "madam-orlop", "mire-heron", "reed-child", "rope-boy", "salvage-diver",
    "tar-drinker", "weir-eel", "will-of-the-weir",
}  # fmt: skip


def four_against_four(foe: Creature, rules) -> Encounter:
    """Four of a creature, and the sample party at its level."""
    party = sample_party("action_points")
    assert party is not None
    steps = rating_difference(rules.data.scaling, str(sample_level(party)), foe.rating)
    assert steps is not None
    heroes = [scale_creature(each, rules.data.scaling, steps, foe.rating).creature for each in party.creatures]
    entries = [msgspec.structs.replace(entry, level=foe.level) for entry in party.roster]
    foes = RosterEntry("foes", foe.id, count=4)
    return Encounter([Scene(system="action_points"), *heroes, foe, *entries, foes])


def test_four_of_a_level_win_about_half_of_their_fights(systems):
    rules = systems.get("action_points")
    files = sorted(resource_path("library/action_points").glob("*.toml"))
    found = [record for record, *_ in map(read_library_file, files) if isinstance(record, Creature)]
    foes = [foe for foe in found if foe.id not in FIRST]
    assert (len(found), len(foes)) == (60, 43)
    won = {foe.id: run_forecast(four_against_four(foe, rules), rules, FIGHTS, seed=7).outlook.won.value for foe in foes}
    assert {id: share for id, share in won.items() if not 0.42 < share < 0.58} == {}
    by_level = defaultdict(list)
    for foe in foes:
        by_level[foe.level].append(won[foe.id])
    assert sorted(by_level) == list(range(1, 13))
    assert {level: mean(shares) for level, shares in by_level.items() if not 0.45 <= mean(shares) <= 0.55} == {}
