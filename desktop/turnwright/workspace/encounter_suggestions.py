"""Suggestions of encounters from the library, with their forecasts, and the places and countdowns that go with them.

The proposals themselves are in `rules.parts.preparation.proposals`. Forecasting takes time, so don't call `forecasts_of` in
the window's thread.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import Final

import msgspec
import rtoml

from turnwright.encounter.prepared import Creature, Environment, Party, RosterEntry
from turnwright.encounter.roles import characters, party_sides, present
from turnwright.encounter.state import Encounter, Record, scene_of
from turnwright.forecast.estimate import Chance
from turnwright.forecast.sentences import percent
from turnwright.play.session import Session
from turnwright.play.setup.roster import AddGroup
from turnwright.rules.parts.preparation.affinity import Candidate, CountdownModel, CreaturePool, SuggestTaste
from turnwright.rules.parts.preparation.encounter_budgets import budget_figures, party_levels, place_entries
from turnwright.rules.parts.preparation.proposals import (
    Challenge,
    Kept,
    Proposal,
    Suggester,
    SuggestionRequest,
    off_band,
)
from turnwright.rules.parts.stat_block.prose import Translate
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.suggest import DifficultyBand
from turnwright.rules.word_keys import amount_text
from turnwright.storage.library.entries import Library, LibraryEntry, grouped_by_system
from turnwright.storage.resources import read_text
from turnwright.workspace.fight_forecast import run_forecast

FIGHTS: Final = 400
_MILD, _COSTLY = 85, 0.5  # the chance to win in percent, and the chance that a character dies
AT_LEAST, KEEPING = 12, 5  # forecasts, and those that keep the promise


class ProposalForecast(msgspec.Struct, frozen=True):
    """The forecast of a proposal. `off` is how far `won` is from what its difficulty promises, in percent.

    Below 0, the fight is harder than its difficulty says.
    """

    won: Chance
    falls: Chance
    dies: Chance
    rounds: float
    off: int


@cache
def suggest_taste() -> SuggestTaste:
    """Return the weights by which kinds are combined."""
    return msgspec.convert(rtoml.loads(read_text("suggest.toml")), SuggestTaste)


def creature_pool(entries: Iterable[LibraryEntry], rules: RuleSystem) -> CreaturePool:
    """Return the creatures of a game in the library's list. Keep them until the library changes."""
    own = grouped_by_system(entries).get(rules.data.id, ())
    candidates = (msgspec.convert(entry, Candidate, from_attributes=True) for entry in own if entry.kind == "creature")
    return CreaturePool(candidates, rules.data.companies, suggest_taste())


# The party ----------------------------------------------------------------------------------------------------------


def challenge_of(encounter: Encounter, rules: RuleSystem, levels: Sequence[int] = ()) -> Challenge | None:
    """Return the challenge of finding enemies for an encounter's party, or None if no character has a level.

    `levels` replace the party's. Games without a budget have other numbers for this.
    """
    figures = budget_figures(encounter, rules) or rules.data.suggest.instead
    if figures is None:
        return None
    found = tuple(levels) or party_levels(encounter, figures)
    members = [(member, encounter.get(Creature, member.creature)) for member in characters(encounter)]
    hit_points = [member.hp or (block.hp if block is not None else 0) for member, block in members]
    return Challenge(rules.data.suggest, figures, found, min(hit_points, default=0)) if found else None


# Proposals as encounters --------------------------------------------------------------------------------------------


def group_of(proposal: Proposal, library: Library, kept: Collection[str] = ()) -> Party:
    """Return the creatures of a proposal as a group, except those `kept` by path that are there already.

    Raise LookupError if a creature can't be read.
    """
    creatures, roster = [], []
    for slot in proposal.slots:
        if slot.creature.path not in kept:
            creature = creature_of(slot.creature, library)
            creatures.append(msgspec.structs.replace(creature, source=f"library:{creature.id}"))
            roster.append(RosterEntry(creature.id, creature.id, count=slot.count))
    return Party("group", proposal.company, tuple(creatures), tuple(roster))


def with_proposal(
    encounter: Encounter, proposal: Proposal, library: Library, rules: RuleSystem, kept: Collection[str] = ()
) -> Encounter:
    """Return an encounter with the creatures of a proposal, except those `kept` by path that it has already.

    An untitled encounter is named after the company. Raise LookupError if a creature can't be read.
    """
    session = Session(encounter, rules)
    session.do(AddGroup(group_of(proposal, library, kept)))
    return session.encounter


def creature_of(candidate: Candidate, library: Library) -> Creature:
    """Return the stat block of a candidate. Raise LookupError if it can't be read."""
    record = library.load(candidate)[0]
    if not isinstance(record, Creature):
        raise LookupError(candidate.path)
    return record


def without_foes(encounter: Encounter) -> Encounter:
    """Return an encounter with only its party, for forecasts of proposals."""
    sides = party_sides(encounter)
    left: list[Record] = [scene_of(encounter)]
    for entry in present(encounter):
        if entry.side in sides:
            block = encounter.get(Creature, entry.creature)
            left += [msgspec.structs.replace(entry, positions=()), *([block] if block is not None else [])]
    return Encounter(left)


def forecasts_of(
    proposals: Iterable[Proposal],
    party: Encounter,
    library: Library,
    rules: RuleSystem,
    request: SuggestionRequest,
    suggester: Suggester | None = None,
    *,
    fights: int = FIGHTS,
    seed: int = 1,
) -> Iterator[tuple[Proposal, ProposalForecast]]:
    """Yield the forecast of each proposal for a party, until enough of them keep the promise of the difficulty.

    If too few do, a `suggester` finds milder or harder ones.
    """
    band = next((band for band in rules.data.suggest.bands if band.id == request.difficulty), None)
    offs: list[int] = []

    def others() -> Iterator[Proposal]:
        if suggester is not None and suggester.challenge.has_budget and offs.count(0) < request.count:
            yield from suggester.nearby(request, harder=sum(offs) > 0)

    for proposal in chain(proposals, others()):
        if len(offs) >= AT_LEAST and offs.count(0) >= KEEPING:
            return
        outlook = run_forecast(with_proposal(party, proposal, library, rules), rules, fights, seed=seed).outlook
        offs.append(off_band(band, outlook.won.value) if band is not None else 0)
        chances = (outlook.won, outlook.one_down, outlook.one_dead, outlook.mean_rounds)
        yield proposal, ProposalForecast(*chances, offs[-1])


def foes_there(encounter: Encounter, bestiary: CreaturePool) -> tuple[Kept, tuple[str, ...]]:
    """Return the enemies that an encounter has already, by path, and the names of those that the library lacks."""
    by_name = {each.name.casefold(): each.path for each in bestiary.candidates}
    sides, found, unknown = party_sides(encounter), Counter[str](), dict[str, None]()
    for entry in present(encounter):
        block = encounter.get(Creature, entry.creature)
        if entry.side in sides or entry.bystander or block is None:
            continue
        if block.name.casefold() in by_name:
            found[by_name[block.name.casefold()]] += entry.count
        else:
            unknown[block.name] = None
    return tuple(found.items()), tuple(unknown)


# Places and countdowns ----------------------------------------------------------------------------------------------


def places_for(
    habitats: Collection[str], challenge: Challenge, rules: RuleSystem
) -> Iterator[tuple[Environment, float]]:
    """Yield the environments of the game that fit habitats, with their worth in the budget, or 0 without one."""
    ids = {id for habitat in habitats for id in suggest_taste().places.get(habitat, ())}
    for place in rules.data.environments:
        if place.id in ids:
            entries = place_entries(Encounter([place]), challenge.figures, challenge.levels, defaultdict(list))
            yield place, float(sum(entry.worth for entry in entries))


def countdowns_for(proposal: Proposal) -> tuple[CountdownModel, ...]:
    """Return the countdowns that fit a proposal, first those for its habitats, types and tags."""
    words = {*proposal.habitats, *(word for slot in proposal.slots for word in slot.creature.words)}
    models = suggest_taste().countdowns.values()
    fitting = sorted((one for one in models if words & {*one.words}), key=lambda model: -len(words & {*model.words}))
    return (*fitting, *(model for model in models if not model.words))


# Words --------------------------------------------------------------------------------------------------------------


def sum_text(proposal: Proposal, say: Translate) -> str:
    """Return the arithmetic of a proposal's difficulty."""
    return say(
        "suggest.sum" if proposal.factor == 1 else "suggest.sum-factor",
        sum=" + ".join(f"{slot.count} × {worth_text(slot.worth)}" for slot in proposal.slots),
        plain=worth_text(proposal.total / proposal.factor),
        total=worth_text(proposal.total),
        factor=worth_text(proposal.factor),
        n=proposal.foes,
    )


def steps_text(challenge: Challenge, say: Translate) -> str:
    """Return the words of difficulty with their amounts."""
    return ", ".join(say("suggest.step", name=name, amount=amount_text(at)) for name, at in challenge.steps)


def place_text(proposal: Proposal, challenge: Challenge, rules: RuleSystem, say: Translate) -> str:
    """Return the environments and the countdown that fit a proposal, or an empty string if there are none."""
    unit = challenge.figures.unit
    names = [
        say(f"suggest.place{'-worth' if worth else ''}", name=place.name, worth=worth_text(worth), unit=unit)
        for place, worth in places_for(proposal.habitats, challenge, rules)
    ]
    names += [say("suggest.countdown", name=model.name) for model in countdowns_for(proposal)[:1]]
    return say("suggest.places", places=", ".join(names)) if names else ""


def notes_of(proposal: Proposal, say: Translate) -> Iterator[str]:
    """Yield the steps by which a proposal was relaxed, and its pitfalls."""
    for step in proposal.relaxed:
        yield say(f"suggest.relaxed.{step}", difficulty=proposal.difficulty)
    for pitfall in proposal.pitfalls:
        if pitfall.key:
            yield say(f"suggest.pitfall.{pitfall.key}", **dict(pitfall.params))


def forecast_texts(forecast: ProposalForecast, band: DifficultyBand, say: Translate) -> tuple[str, str]:
    """Return the forecast of a proposal as a sentence, and its verdict: whether its difficulty keeps its promise."""
    chances = {"won": forecast.won.value, "low": forecast.won.low, "high": forecast.won.high}
    chances |= {"falls": forecast.falls.value, "dies": forecast.dies.value}
    rounded = {name: percent(chance) for name, chance in chances.items()}
    is_costly = band.least >= _MILD and forecast.dies.value >= _COSTLY
    verdict = "harder" if forecast.off < 0 else "costly" if is_costly else "easier" if forecast.off else "fits"
    said = say("suggest.won", **rounded, rounds=round(forecast.rounds))
    return said, say(f"suggest.{verdict}", difficulty=band.id, least=band.least, most=band.most)


def worth_text(value: float) -> str:
    """Return a worth as text."""
    return amount_text(Fraction(value).limit_denominator(1000))
