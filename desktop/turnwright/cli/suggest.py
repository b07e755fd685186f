"""The verb `suggest`: encounters for a party, as text, JSON or an encounter file."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.cli.files import one_line
from turnwright.cli.terminal import FINDING, USAGE, Failed, failing, print_findings
from turnwright.encounter.field_specs import nearest_hint
from turnwright.encounter.prepared import Scene
from turnwright.encounter.state import Encounter, scene_of
from turnwright.rules.parts.preparation.affinity import CreaturePool, SuggestionTheme
from turnwright.rules.parts.preparation.proposals import (
    Challenge,
    Kept,
    Proposal,
    Suggester,
    SuggestionRequest,
    by_chance,
)
from turnwright.rules.parts.stat_block.prose import Translate
from turnwright.rules.system import RuleSystem
from turnwright.storage.encounters import EncounterFile, read_encounter
from turnwright.storage.library.entries import Library
from turnwright.storage.resources import habitats
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace import encounter_suggestions as suggestions
from turnwright.workspace.settings import folders

VERB = "turnwright suggest"


Judged = tuple[Proposal, suggestions.ProposalForecast | None]


def suggest(systems: RuleSystems, **arguments: Any) -> int:
    """Print suggestions of encounters for a party. Return 1 if nothing fits, or if a file can't be read or written."""
    options = Namespace(**arguments)
    encounter = _filled(options.fill, systems) if options.fill is not None else None
    system = options.system if encounter is None else scene_of(encounter).system
    if system not in systems.ids:
        raise _usage(f"unknown rule system '{system}'; expected one of {', '.join(systems.ids)}")
    rules = systems.get(system)
    say = WordCatalogue.load().with_terms(dict(rules.data.terms))
    library = Library.standard(folders().library, folders().library_index)
    challenge = _challenge(options, encounter, rules)
    bestiary = suggestions.creature_pool(library.entries(), rules)
    there = _there(encounter, bestiary) if encounter is not None else ()
    request = _request(options, bestiary, challenge, there)
    answer = Suggester(bestiary, challenge).suggest(request)
    notes = [] if challenge.has_budget else [say("suggest.no-budget")]
    judged: list[Judged] = [(proposal, None) for proposal in answer.proposals]
    fights = options.fights or (0 if challenge.has_budget else suggestions.FIGHTS)
    party = suggestions.without_foes(encounter) if encounter is not None else None
    if fights and party is None:
        usual = suggestions.usual_party(challenge.levels, rules, say)
        party = suggestions.encounter_of(usual, system) if usual is not None else None
        classes = ", ".join(rules.data.suggest.party) or "sample"
        notes.append(say("suggest.usual-party" if usual is not None else "suggest.no-forecast", classes=classes))
    if fights and party is not None:
        judged = _judged(answer.ranked, party, library, rules, request, fights)
    if options.output is not None and judged:
        _write(options.output, encounter or Encounter([Scene(system=system)]), judged[0][0], library, rules, there)
    if options.as_json:
        print(msgspec.json.encode(_as_json(judged, answer.kinds, answer.plans, answer.hint)).decode())
    else:
        for line in (*notes, *_lines(judged, challenge, rules, request, say)):
            print(one_line(line))
    if judged:
        return 0
    hint = f" {say(f'suggest.hint.{answer.hint}')}" if answer.hint else ""
    print(f"{VERB}: {say('suggest.nothing')}{hint}", file=sys.stderr)
    return FINDING


def _judged(
    ranked: Sequence[Proposal], party: Encounter, library: Library, rules: RuleSystem, request: SuggestionRequest, fights: int
) -> list[Judged]:  # fmt: skip
    """Return the proposals whose forecasts suit the difficulty best, with their forecasts."""
    difficulty = request.difficulty
    found = [*suggestions.forecasts_of(ranked, party, library, rules, difficulty, fights=fights, seed=request.seed)]
    forecasts = {proposal.kinds: forecast for proposal, forecast in found}
    band = next(band for band in rules.data.suggest.bands if band.id == difficulty)
    chosen = by_chance([(each, forecast.won.value) for each, forecast in found], band, request.count)
    return [(proposal, forecasts[proposal.kinds]) for proposal in chosen]


# Options ------------------------------------------------------------------------------------------------------------


def _usage(message: str) -> Failed:
    return Failed(f"{VERB}: {message}", USAGE)


def _filled(file: Path, systems: RuleSystems) -> Encounter:
    read = read_encounter(file, systems.ids)
    if read.encounter is None:
        print_findings(read.findings)
        raise Failed(f"{VERB}: {file} can't be read")
    return read.encounter


def _challenge(options: Namespace, encounter: Encounter | None, rules: RuleSystem) -> Challenge:
    challenge = suggestions.challenge_of(
        encounter or Encounter([Scene(system=options.system)]), rules, options.party or ()
    )
    if challenge is None:
        raise Failed(f"{VERB}: {options.fill}: no character with a level")
    most = len(challenge.figures.levels)
    if most and max(challenge.levels) > most:
        raise _usage(f"expected levels up to {most}")
    names = [name for name, _ in challenge.steps]
    if options.difficulty not in names:
        raise _usage(f"unknown difficulty '{options.difficulty}'; expected one of {', '.join(names)}")
    return challenge


def _request(options: Namespace, bestiary: CreaturePool, challenge: Challenge, there: Kept) -> SuggestionRequest:
    """Return the request of the options. Raise Failed for words and names that nothing in the library has."""
    for habitat in options.habitats:
        if habitat not in habitats():
            raise _usage(f"unknown habitat '{habitat}'{nearest_hint(habitat, habitats())}")
    known = frozenset[str]().union(*bestiary.words)
    types = tuple(word.casefold() for word in options.types)
    for word in types:
        if not SuggestionTheme((word,)).says(known, ()):
            raise _usage(f"no creature has the type, tag or word '{word}'{nearest_hint(word, known)}")
    by_name = {each.name.casefold(): each.path for each in bestiary.candidates}
    banned = frozenset(by_name[name.casefold()] for name in options.excluded if name.casefold() in by_name)
    excluded = tuple(word.casefold() for word in options.excluded if word.casefold() not in by_name)
    kept = list(there)
    for text in options.kept:
        name, _, count = text.partition("=")
        plain = name.strip().casefold()
        if plain not in by_name or not (count or "1").strip().isdecimal() or not int(count or 1):
            raise _usage(
                f"expected a creature of the library, such as 'ogre=2'; found '{text}'{nearest_hint(plain, by_name)}"
            )
        if not challenge.worth(bestiary.candidates[bestiary.numbers[by_name[plain]]]):
            raise _usage(f"{name.strip()} has no value against this party")
        kept.append((by_name[plain], int(count or 1)))
    theme = SuggestionTheme(types, tuple(options.habitats), excluded)
    foes = (min(options.foes[0], options.foes[1]), options.foes[1])
    return SuggestionRequest(options.difficulty, foes, theme, tuple(kept), banned, options.number, options.seed)


def _there(encounter: Encounter, bestiary: CreaturePool) -> Kept:
    """Return the enemies that an encounter has already. Raise Failed if the library lacks one."""
    found, unknown = suggestions.foes_there(encounter, bestiary)
    if unknown:
        raise Failed(f"{VERB}: {unknown[0]} isn't in your library")
    return found


# Output -------------------------------------------------------------------------------------------------------------


def _write(
    file: Path, encounter: Encounter, proposal: Proposal, library: Library, rules: RuleSystem, there: Kept
) -> None:
    added = suggestions.with_proposal(encounter, proposal, library, rules, [key for key, _ in there])
    with failing(str(file)), file.with_suffix(".toml").open("x", encoding="utf-8") as stream:
        stream.write(EncounterFile().render(added))


def _lines(
    judged: Sequence[Judged], challenge: Challenge, rules: RuleSystem, request: SuggestionRequest, say: Translate
) -> Sequence[str]:
    """Return the lines of suggestions: creatures, arithmetic, forecast and pitfalls."""
    lines: list[str] = []
    for number, (proposal, forecast) in enumerate(judged, 1):
        shape = say(f"suggest.shape.{proposal.shape}")
        title = f"{proposal.company} ({shape})" if proposal.company else shape.capitalize()
        kinds = ", ".join(say("suggest.slot", n=slot.count, name=slot.creature.name) for slot in proposal.slots)
        lines += [
            f"{number}. {title}: {kinds}",
            f"   {suggestions.sum_text(proposal, say)} {challenge.figures.unit}: {proposal.difficulty} ({suggestions.steps_text(challenge, say)})",
        ]
        for slot in proposal.slots:
            role = f"suggest.kind{'' if slot.creature.role else '-plain'}"
            lines.append(
                f"   {say(role, name=slot.creature.name, role=slot.creature.role, rating=slot.creature.rating)}"
            )
        if proposal.habitats:
            lines.append(f"   {say('suggest.habitats', habitats=', '.join(proposal.habitats))}")
        if forecast is not None:
            lines += [
                f"   {text}" for text in suggestions.forecast_texts(forecast, challenge.band(request.difficulty), say)
            ]
        lines += [f"   ! {note}" for note in suggestions.notes_of(proposal, say)]
        if place := suggestions.place_text(proposal, challenge, rules, say):
            lines.append(f"   {place}")
    return lines


def _as_json(judged: Sequence[Judged], kinds: int, plans: int, hint: str) -> object:
    suggestions = [
        msgspec.to_builtins(proposal) | {"forecast": msgspec.to_builtins(forecast)} for proposal, forecast in judged
    ]
    return {"suggestions": suggestions, "kinds": kinds, "plans": plans, "hint": hint}
