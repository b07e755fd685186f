"""The verb `suggest`: encounters for a party, as text, JSON or an encounter file."""

import re
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.cli.files import one_line
from turnwright.cli.terminal import FINDING, USAGE, Failed, failing, print_findings
from turnwright.encounter.field_specs import nearest_hint
from turnwright.encounter.prepared import Scene
from turnwright.encounter.state import Encounter, scene_of
from turnwright.rules.parts.preparation import proposals
from turnwright.rules.parts.preparation.affinity import CreaturePool, SuggestionTheme
from turnwright.rules.parts.stat_block.prose import Translate
from turnwright.rules.system import RuleSystem
from turnwright.storage.encounters import EncounterFile, read_encounter
from turnwright.storage.library.entries import Library
from turnwright.storage.resources import habitats
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace import encounter_suggestions as suggestions
from turnwright.workspace.party_variants import encounter_of, usual_party
from turnwright.workspace.settings import folders

VERB, MORE = "turnwright suggest", 4  # enemies more than there are
Judged = tuple[proposals.Proposal, suggestions.ProposalForecast | None]


def suggest(systems: RuleSystems, **arguments: Any) -> int:
    """Print suggestions of encounters for a party. Return 1 if nothing fits, or if a file can't be read or written."""
    options = Namespace(**arguments)
    encounter = _filled(options.fill, options.system, systems)
    chosen = scene_of(encounter).system
    if chosen not in systems.ids:
        raise _usage(f"unknown rule system '{chosen}'; expected one of {', '.join(systems.ids)}")
    rules = systems.get(chosen)
    say = WordCatalogue.load().with_terms(dict(rules.data.terms))
    library = Library.standard(folders().library, folders().library_index)
    challenge = _challenge(options, encounter, rules)
    pool = suggestions.creature_pool(library.entries(), rules)
    there, unknown = suggestions.foes_there(encounter, pool)
    if unknown:
        raise Failed(f"{VERB}: {unknown[0]} isn't in your library")
    request = _request(options, pool, challenge, there)
    suggester = proposals.Suggester(pool, challenge)
    answer = suggester.suggest(request)
    notes = [] if challenge.has_budget else [say("suggest.no-budget")]
    judged: list[Judged] = [(proposal, None) for proposal in answer.proposals]
    if fights := options.fights or (0 if challenge.has_budget else suggestions.FIGHTS):
        party: Encounter | None = suggestions.without_foes(encounter)
        if options.fill is None:
            usual = usual_party(challenge.levels, rules, say)
            party = encounter_of(usual, rules.data.id) if usual is not None else None
            classes = ", ".join(rules.data.suggest.party) or "sample"
            notes.append(say("suggest.usual-party" if usual is not None else "suggest.no-forecast", classes=classes))
        if party is not None:
            found = [*suggestions.forecasts_of(answer.ranked, party, library, rules, request, suggester, fights=fights)]
            chances = [(proposal, forecast.won.value) for proposal, forecast in found]
            best = proposals.by_chance(chances, challenge.band(options.difficulty), request.count)
            judged = [(each, forecast) for each in best for proposal, forecast in found if proposal is each]
    if options.output is not None and judged:
        kept = [path for path, _ in there]
        text = EncounterFile().render(suggestions.with_proposal(encounter, judged[0][0], library, rules, kept))
        with failing(str(options.output)), options.output.with_suffix(".toml").open("x", encoding="utf-8") as stream:
            stream.write(text)
    if options.as_json:
        found_ = [msgspec.to_builtins(each) | {"forecast": msgspec.to_builtins(forecast)} for each, forecast in judged]
        result = {"suggestions": found_, "kinds": answer.kinds, "plans": answer.plans, "hint": answer.hint}
        print(msgspec.json.encode(result).decode())
    else:
        for line in (*notes, *_lines(judged, challenge, rules, request, say)):
            print(one_line(line))
    if not judged:
        hint = f" {say(f'suggest.hint.{answer.hint}')}" if answer.hint else ""
        print(f"{VERB}: {say('suggest.nothing')}{hint}", file=sys.stderr)
    return 0 if judged else FINDING


# Options ------------------------------------------------------------------------------------------------------------


def _usage(message: str) -> Failed:
    return Failed(f"{VERB}: {message}", USAGE)


def _filled(file: Path | None, system: str, systems: RuleSystems) -> Encounter:
    """Return the encounter to fill, or an empty one."""
    if file is None:
        return Encounter([Scene(system=system)])
    read = read_encounter(file, systems.ids)
    if read.encounter is None:
        print_findings(read.findings)
        raise Failed(f"{VERB}: {file} can't be read")
    return read.encounter


def _challenge(options: Namespace, encounter: Encounter, rules: RuleSystem) -> proposals.Challenge:
    challenge = suggestions.challenge_of(encounter, rules, options.party or ())
    if challenge is None:
        raise Failed(f"{VERB}: {options.fill}: no character with a level")
    most = len(challenge.figures.levels)
    if most and max(challenge.levels) > most:
        raise _usage(f"expected levels up to {most}")
    names = [name for name, _ in challenge.steps]
    if options.difficulty not in names:
        raise _usage(f"unknown difficulty '{options.difficulty}'; expected one of {', '.join(names)}")
    return challenge


def _request(
    options: Namespace, pool: CreaturePool, challenge: proposals.Challenge, there: proposals.Kept
) -> proposals.SuggestionRequest:
    """Return the request of the options. Raise Failed for words and names that nothing in the library has."""
    known = frozenset[str]().union(*pool.words)
    types = tuple(word.casefold() for word in options.types)
    for habitat in set(options.habitats).difference(habitats()):
        raise _usage(f"unknown habitat '{habitat}'{nearest_hint(habitat, habitats())}")
    for word in types:
        if not SuggestionTheme((word,)).says(known, ()):
            raise _usage(f"no creature has the type, tag or word '{word}'{nearest_hint(word, known)}")
    by_name = {each.name.casefold(): each for each in pool.candidates}
    kept, without = dict(there), {name.casefold() for name in options.excluded}
    for text in options.kept:
        name, _, count = (part.strip() for part in text.casefold().partition("="))
        if name not in by_name or not challenge.worth(by_name[name]) or not re.fullmatch(r"([1-9]\d?)?", count):
            hint = nearest_hint(name, by_name.keys() - {name})
            raise _usage(f"expected a creature for this party, such as 'ogre=2'; found '{text}'{hint}")
        kept[by_name[name].path] = int(count or 1)
    least, most = options.foes
    return proposals.SuggestionRequest(
        options.difficulty,
        (least, max(most, sum(dict(there).values()) + MORE if there else 0)),
        SuggestionTheme(types, tuple(options.habitats), tuple(without - by_name.keys())),
        tuple(kept.items()),
        frozenset(by_name[name].path for name in without & by_name.keys()),
        options.number,
        options.seed,
    )


def _lines(
    judged: Sequence[Judged],
    challenge: proposals.Challenge,
    rules: RuleSystem,
    request: proposals.SuggestionRequest,
    say: Translate,
) -> Iterator[str]:
    """Yield the lines of suggestions: creatures, arithmetic, forecast and pitfalls."""
    for number, (proposal, forecast) in enumerate(judged, 1):
        shape, steps = say(f"suggest.shape.{proposal.shape}"), suggestions.steps_text(challenge, say)
        yield f"{number}. {f'{proposal.company} ({shape})' if proposal.company else shape.capitalize()}"
        for slot in proposal.slots:
            key = f"suggest.kind{'' if slot.creature.role else '-plain'}"
            kind = say(key, name=slot.creature.name, role=slot.creature.role, rating=slot.creature.rating)
            yield f"   {slot.count} × {kind}"
        total = suggestions.sum_text(proposal, say)
        yield f"   {total} {challenge.figures.unit}: {proposal.difficulty} ({steps})"
        texts = [say("suggest.habitats", habitats=", ".join(proposal.habitats))] if proposal.habitats else []
        texts.append(suggestions.place_text(proposal, challenge, rules, say))
        if forecast is not None:
            texts += suggestions.forecast_texts(forecast, challenge.band(request.difficulty), say)
        texts += [f"! {note}" for note in suggestions.notes_of(proposal, say)]
        yield from (f"   {text}" for text in texts if text)
