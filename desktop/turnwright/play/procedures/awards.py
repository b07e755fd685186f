"""What the end of an encounter brings the party: experience, as much as a person says, and treasure that they reveal."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Ask, Option, Procedure, Watch
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.events import Awarded, TreasureFound
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, watch_of
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.dying import is_character
from turnwright.rules.system import RuleSystem

XP, TREASURE, NOBODY = "xp", "treasure", "nobody-yet"


def begin_awards(tx: Transaction, rules: RuleSystem) -> None:
    """Let a person award something, in a game that knows of it."""
    figures = rules.catalogue.awards
    if figures.xp or (figures.treasure and _notes(tx)):
        begin(tx, "awards", "ask", Watch(""))


def _notes(lookup: Lookup) -> tuple[str, ...]:
    """Return the treasure that was prepared, each in a few words."""
    return (lookup.get(Scene, "scene") or Scene()).treasure


def ask_awards(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask what is awarded, of which nothing is suggested, and which treasure comes to light."""
    figures, rule = rules.catalogue.awards, rules.cite("award.xp")
    asks = [Ask(XP, "number", "ask.award_xp", rule=rule)] if figures.xp else []
    notes = tuple(Option(str(place), note) for place, note in enumerate(_notes(tx)))
    if figures.treasure and notes:
        asks.append(Ask(TREASURE, "targets", "ask.treasure", options=notes, rule=rules.cite("award.treasure")))
    ask(tx, procedure, "prompt.awards", asks, rule=rule)
    return at(procedure, "settle")


def settle(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Note what was awarded: nothing, where nobody said anything. Ask who takes what was revealed."""
    answer = answers.get(XP)
    xp = answer.number if answer is not None and answer.number is not None else 0
    if rules.catalogue.awards.xp:
        tx.emit(Awarded(xp=max(0, xp), rule=rules.cite("award.xp")))
    notes = _notes(tx)
    chosen = answers[TREASURE].chosen if TREASURE in answers else ()
    found = tuple(notes[int(one)] for one in chosen if int(one) < len(notes))
    if not found:
        return None
    rule = rules.cite("award.treasure")
    party = [Option(one.id, one.label) for one in tx.all(Combatant) if is_character(tx, rules, one.id) and not one.dead]
    options = (*party, Option(NOBODY, "option.nobody_yet"))
    asks = [
        Ask(str(place), "choice", "ask.treasure_to", detail=note, options=options, suggested=(NOBODY,), rule=rule)
        for place, note in enumerate(found)
    ]
    ask(tx, procedure, "prompt.treasure", asks, rule=rule)
    return at(procedure, "share", msgspec.structs.replace(watch_of(procedure), rest=found))


def share(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Note who takes what."""
    for place, note in enumerate(watch_of(procedure).rest):
        answer = answers.get(str(place))
        chosen = next(iter(answer.chosen), NOBODY) if answer is not None else NOBODY
        who = chosen if tx.get(Combatant, chosen) is not None else ""
        tx.emit(TreasureFound(what=note, who=who, rule=rules.cite("award.treasure")))


STAGES: dict[tuple[str, str], Stage] = {
    ("awards", "ask"): ask_awards,
    ("awards", "settle"): settle,
    ("awards", "share"): share,
}
