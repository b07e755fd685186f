"""Who notices whom before the fight, and other checks that the game master calls for."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Answered, Ask, Checks, Option, Procedure, Surprise
from turnwright.encounter.running import Clock, Combatant, Effect, Ends
from turnwright.play.events import NobodySurprised, Rolled, Skipped, Surprised
from turnwright.play.harm import end_effect, put_effect
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin
from turnwright.play.procedures.order import set_initiative
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem

SURPRISED = "surprised"
NO_CHECK = "none"
USUAL = {"sneaking": "dex:stealth", "others": "wis:perception"}


def settle_awareness(tx: Transaction) -> None:
    """Begin to find out who is surprised, where somebody means to act unseen."""
    sneaking = tuple(one.id for one in tx.all(Combatant) if one.sneaking)
    others = tuple(one.id for one in tx.all(Combatant) if not one.sneaking)
    if sneaking and others:
        begin(tx, "surprise", "choose", Surprise(sneaking, others))


def choose(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Let the game master say which checks decide it."""
    rule = rules.cite("surprise.checks")
    options = (*check_options(rules), Option(NO_CHECK, "option.no_check"))
    asks = (
        Ask(id=side, kind="choice", label=f"ask.check_{side}", options=options, suggested=(USUAL[side],), rule=rule)
        for side in ("sneaking", "others")
    )
    ask(tx, procedure, "prompt.surprise_checks", asks, rule=rules.cite("setup.surprise-step"))
    return at(procedure, "rolls")


def check_options(rules: RuleSystem) -> tuple[Option, ...]:
    """Return every check that may be called for: skills with their usual ability, then bare abilities."""
    skills = [f"{skill.ability}:{skill.id}" for skill in rules.catalogue.skills]
    checks = (*skills, *(ability.id for ability in rules.catalogue.abilities))
    return tuple(Option(check, f"<check.{check}>") for check in checks)


def rolls(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask the checks that were chosen."""
    data = _data(procedure)
    rule = rules.cite("surprise.checks")
    asks = []
    for side, members in (("sneaking", data.sneaking), ("others", data.others)):
        answer = answers.get(side)
        check = answer.chosen[0] if answer and answer.chosen else NO_CHECK
        if check != NO_CHECK:
            asks += [check_ask(tx, rules, who, check, rule) for who in members if tx.get(Combatant, who)]
    ask(tx, procedure, "prompt.surprise", asks, rule=rule)
    return at(procedure, "confirm")


def check_ask(tx: Transaction, rules: RuleSystem, who: str, check: str, rule: str) -> Ask:
    """Return the ask of an ability check."""
    spec = rules.checks.check(tx, rules, who, check)
    return Ask(id=who, kind="roll", label="ask.check", who=who, detail=f"<check.{check}>", spec=spec, rule=rule)


def confirm(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Keep the totals, and ask who is surprised: likely those who noticed none of the sneaking."""
    data = _data(procedure)
    totals = keep_totals(tx, rules, answers)
    hidden = [totals[who] for who in data.sneaking if who in totals]
    likely = [who for who in data.others if not hidden or (who in totals and totals[who] < min(hidden))]
    rule = rules.cite("surprise.cause")
    options = tuple(Option(who, tx.need(Combatant, who).label) for who in data.others if tx.get(Combatant, who))
    asked = Ask(
        id="who",
        kind="targets",
        label="ask.surprised",
        options=options,
        suggested=tuple(likely if totals else ()),
        rule=rule,
    )
    ask(tx, procedure, "prompt.surprise", [asked], rule=rule)
    return at(procedure, "settle", msgspec.structs.replace(data, totals=tuple(totals.items())))


def keep_totals(tx: Transaction, rules: RuleSystem, answers: Answers) -> dict[str, int]:
    """Note what was rolled and let each total stand as initiative; return the totals by combatant."""
    totals: dict[str, int] = {}
    for who, answer in answers.items():
        combatant = tx.get(Combatant, who)
        if combatant is None or answer.skipped:
            continue
        total = answer.number
        if answer.roll is not None:
            rule = rules.cite("surprise.checks")
            tx.emit(Rolled(who=who, purpose="ask.check", roll=answer.roll, detail="<ask.a_check>", rule=rule))
            total = answer.roll.total
        if total is not None:
            totals[who] = total
            set_initiative(tx, rules, combatant, total, "kept", rule=rules.cite("initiative.reuse"))
    return totals


def settle(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Mark as surprised exactly those whom the game master named."""
    answer = answers.get("who", Answered("who", skipped=True))
    surprise(tx, rules, answer.chosen)


def surprise(tx: Transaction, rules: RuleSystem, who: tuple[str, ...], rule: str = "") -> None:
    """Make exactly these surprised, until the end of their first turn; `rule` is why nobody is, if nobody is."""
    for effect in list(tx.all(Effect)):
        if effect.name == SURPRISED and effect.target not in who:
            end_effect(tx, rules, effect)
    held = {effect.target for effect in tx.all(Effect) if effect.name == SURPRISED}
    for each in dict.fromkeys(who):
        if each not in held:
            put_effect(tx, rules, Effect(tx.next_id("effect"), each, SURPRISED, ends=Ends("turn-end", each)))
            tx.emit(Surprised(who=each, rule=rules.cite("surprise.cause")))
    if not who:
        tx.emit(NobodySurprised(rule=rule or rules.cite("surprise.none")))
    tx.update(tx.need(Clock, "clock"), surprise_settled=True)


def called(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask a check of each whom the game master named."""
    data = _checks(procedure)
    rule = rules.cite("surprise.checks") if data.purpose == "surprise" else ""
    asks = (check_ask(tx, rules, who, data.check, rule) for who in data.who if tx.get(Combatant, who))
    ask(tx, procedure, "prompt.checks", asks, subject=f"<check.{data.check}>", rule=rule)
    return at(procedure, "made")


def made(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Note what came of the checks."""
    data = _checks(procedure)
    if data.purpose == "surprise":
        keep_totals(tx, rules, answers)
        return
    for who, answer in answers.items():
        if answer.roll is not None:
            tx.emit(Rolled(who=who, purpose="ask.check", roll=answer.roll, detail=f"<check.{data.check}>"))
        else:
            tx.emit(Skipped(who=who, purpose="ask.check", detail=f"<check.{data.check}>"))


def _data(procedure: Procedure) -> Surprise:
    assert isinstance(procedure.data, Surprise)
    return procedure.data


def _checks(procedure: Procedure) -> Checks:
    assert isinstance(procedure.data, Checks)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("surprise", "choose"): choose,
    ("surprise", "rolls"): rolls,
    ("surprise", "confirm"): confirm,
    ("surprise", "settle"): settle,
    ("checks", "called"): called,
    ("checks", "made"): made,
}
