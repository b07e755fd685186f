"""What a turn's start or end sets off: one feature that waits for it, and what the table wants to be reminded of."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.pending import Ask, Deed, Option, Procedure, Watch
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.events import Noted, Skipped
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, watch_of
from turnwright.play.procedures.questions import begin_deed
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.actions import FREE
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.parts.economy import denied, vetoes
from turnwright.rules.parts.fitness import is_unable
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem, creature_of, label_of

PASS = "pass"
APPLIED, WAIVED = "applied", "waived"
Members = tuple[str, ...]
When = Literal["turn-start", "turn-end"]


# Features that wait for it ---------------------------------------------------------------------------------------


def triggered(lookup: Lookup, rules: RuleSystem, who: str, moment: str) -> list[Feature]:
    """Return what somebody may use at this moment of their turn, and can pay for."""
    if is_unable(lookup, who):
        return []
    features = creature_of(lookup, lookup.need(Combatant, who)).features
    return [
        one
        for one in features
        if one.trigger == moment
        and not denied(lookup, rules, who, one.cost)
        and (one.cost == FREE or not vetoes(lookup, rules, who, one.cost, one.price))
    ]


def begin_triggers(tx: Transaction, rules: RuleSystem, who: Members, moment: When, parent: str) -> None:
    """Offer each of them what they may use now: one thing."""
    for one in who:
        if triggered(tx, rules, one, moment):
            begin(tx, "trigger", "offer", Watch(one, what=moment), parent)


def offer(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask which, if any."""
    data = watch_of(procedure)
    rule = rules.cite(f"turn.{data.what.removeprefix('turn-')}-trigger")
    options = [Option(one.id, one.name, one.text) for one in triggered(tx, rules, data.who, data.what)]
    asked = Ask(
        "which",
        "choice",
        "ask.triggered",
        data.who,
        options=(*options, Option(PASS, "option.pass")),
        suggested=(PASS,),
        rule=rule,
    )
    ask(tx, procedure, "prompt.triggered", [asked] if options else [], subject=label_of(tx, data.who), rule=rule)
    return at(procedure, "taken")


def taken(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Use what was chosen."""
    data = watch_of(procedure)
    chosen = answers["which"].chosen if "which" in answers else ()
    known = {one.id for one in triggered(tx, rules, data.who, data.what)}
    for id in chosen:
        if id in known:
            begin_deed(tx, rules, Deed(data.who, id), procedure.parent)


# Reminders ------------------------------------------------------------------------------------------------------


def due_notes(lookup: Lookup, who: Members, moment: str) -> list[Effect]:
    """Return what the table wants to be reminded of at this moment of their turn."""
    return [one for each in who if not is_out(lookup, each) for one in effects_on(lookup, each) if one.due == moment]


def begin_notes(tx: Transaction, who: Members, moment: When, parent: str) -> None:
    """Remind of all that is due: each is applied, or let go by."""
    due = tuple(one.id for one in due_notes(tx, who, moment))
    if due:
        begin(tx, "reminder", "ask", Watch(who[0], what=moment, rest=due), parent)


def remind(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask of each whether it was applied."""
    data = watch_of(procedure)
    rule = rules.cite(f"turn.{data.what.removeprefix('turn-')}-note")
    options = (Option(APPLIED, "option.applied"), Option(WAIVED, "option.waived"))
    effects = [one for id in data.rest if (one := tx.get(Effect, id)) is not None]
    asks = [
        Ask(one.id, "choice", "ask.due_note", one.target, _text(one), None, 0, options, (APPLIED,), rule=rule)
        for one in effects
    ]
    subject = ", ".join(dict.fromkeys(label_of(tx, one.target) for one in effects))
    ask(tx, procedure, "prompt.due_note", asks, subject=subject, rule=rule)
    return at(procedure, "settle")


def reminded(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Write down what was applied, and what was let go by."""
    data = watch_of(procedure)
    rule = rules.cite(f"turn.{data.what.removeprefix('turn-')}-note")
    for id, answer in answers.items():
        effect = tx.get(Effect, id)
        if effect is None:
            continue
        if APPLIED in answer.chosen:
            tx.emit(Noted(text=_text(effect), rule=rule))
        else:
            tx.emit(Skipped(purpose="ask.due_note", who=effect.target, detail=_text(effect)))


def _text(effect: Effect) -> str:
    return effect.note or effect.source or f"<condition.{effect.name}>"


STAGES: dict[tuple[str, str], Stage] = {
    ("trigger", "offer"): offer,
    ("trigger", "taken"): taken,
    ("reminder", "ask"): remind,
    ("reminder", "settle"): reminded,
}
