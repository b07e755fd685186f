"""Who notices whom before the fight, and other checks that the game master calls for."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Answered, Ask, Checks, Option, Procedure, Surprise
from turnwright.encounter.running import Clock, Combatant, Effect, Ends
from turnwright.play.events import NobodySurprised, Rolled, Skipped, Surprised
from turnwright.play.harm import end_effect, put_effect, use_up
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, prompt_of
from turnwright.play.procedures.noticing import sneak_past, unnoticed
from turnwright.play.procedures.order import set_initiative
from turnwright.play.procedures.trials import take_result
from turnwright.play.resources import begin_with, limit_to_what_comes_back
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.ability_checks import check_options
from turnwright.rules.parts.action_rolls import trial_roll
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem

SURPRISED = "surprised"
NO_CHECK = "none"
EACH_OWN = "each"
HELPED = "helped-check"
YES, NO = "yes", "no"
USUAL = {"sneaking": "dex:stealth", "others": "wis:perception"}


def settle_awareness(tx: Transaction) -> None:
    """Begin to find out who is surprised, where somebody means to act unseen."""
    sneaking = tuple(one.id for one in tx.all(Combatant) if one.sneaking)
    others = tuple(one.id for one in tx.all(Combatant) if not one.sneaking)
    if sneaking and others:
        begin(tx, "surprise", "choose", Surprise(sneaking, others))


def choose(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Let the game master say which check decides it for each side, or that each of a side makes one of their own.

    That is suggested where somebody's own check is known already. Where the game says how it is found out, nobody is asked.
    """
    if rules.catalogue.surprise.against:
        return sneak_past(tx, rules, procedure)
    rule = rules.cite("surprise.checks")
    options = (*check_options(rules), Option(EACH_OWN, "option.each_own"), Option(NO_CHECK, "option.no_check"))
    asks = []
    for side, members in _sides(_data(procedure)):
        usual = EACH_OWN if any(_own_check(tx, who) for who in members) else USUAL[side]
        asks.append(
            Ask(id=side, kind="choice", label=f"ask.check_{side}", options=options, suggested=(usual,), rule=rule)
        )
    ask(tx, procedure, "prompt.surprise_checks", asks, rule=rules.cite("setup.surprise-step"))
    return at(procedure, "rolls")


def _sides(data: Surprise) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (("sneaking", data.sneaking), ("others", data.others))


def _own_check(tx: Transaction, who: str) -> str:
    combatant = tx.get(Combatant, who)
    return combatant.check if combatant else ""


def rolls(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask the checks that were chosen of those who have not made one yet; first, where needed, each one's own."""
    data = _data(procedure)
    rule = rules.cite("surprise.checks")
    if _ask_for_own_checks(tx, rules, procedure, answers):
        return at(procedure, "rolls")
    asks = []
    for side, members in _sides(data):
        for who in members:
            check = _chosen(answers, who) or _chosen(answers, side)
            if check not in ("", EACH_OWN, NO_CHECK) and _is_yet_to_check(tx, who):
                asks.append(check_ask(tx, rules, who, check, rule))
    ask(tx, procedure, "prompt.surprise", asks, rule=rule)
    return at(procedure, "confirm")


def _chosen(answers: Answers, id: str) -> str:
    answer = answers.get(id)
    return answer.chosen[0] if answer and answer.chosen else ""


def _is_yet_to_check(tx: Transaction, who: str) -> bool:
    """Return whether somebody who is there has no score yet; a check called for by hand has left one."""
    return not is_out(tx, who) and tx.need(Combatant, who).initiative is None


def _ask_for_own_checks(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> bool:
    """Ask which check each of a side makes who is to make their own, unless that has been answered.

    The card takes along what was chosen for the sides.
    """
    rule = rules.cite("surprise.checks")
    options = (*check_options(rules), Option(NO_CHECK, "option.no_check"))
    asks = [
        Ask(
            id=who,
            kind="choice",
            label="ask.a_check",
            who=who,
            options=options,
            suggested=(_own_check(tx, who) or USUAL[side],),
            rule=rule,
        )
        for side, members in _sides(_data(procedure))
        if _chosen(answers, side) == EACH_OWN
        for who in members
        if who not in answers and _is_yet_to_check(tx, who)
    ]
    if not asks:
        return False
    taken_along = tuple(answers.values())
    settled = (Ask(id=answer.ask, kind="choice", label=f"ask.check_{answer.ask}") for answer in taken_along)
    ask(tx, procedure, "prompt.surprise_checks", (*settled, *asks), rule=rules.cite("setup.surprise-step"))
    prompt = prompt_of(tx, procedure.id)
    if prompt is not None:
        tx.update(prompt, answers=taken_along)
    return True


def check_ask(tx: Transaction, rules: RuleSystem, who: str, check: str, rule: str) -> Ask:
    """Return the ask of an ability check."""
    spec = rules.checks.check(tx, rules, who, check)
    return Ask(id=who, kind="roll", label="ask.check", who=who, detail=f"<check.{check}>", spec=spec, rule=rule)


def confirm(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Keep the totals, and ask who is surprised: likely those who noticed none of the sneaking."""
    data = _data(procedure)
    if rules.catalogue.surprise.against:
        totals, likely = unnoticed(tx, rules, data, answers)
    else:
        made = {one.id: one.initiative for one in tx.all(Combatant) if one.initiative is not None}
        totals = made | keep_totals(tx, rules, answers)
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
            if tx.need(Clock, "clock").phase == "set-up":
                begin_with(tx, rules, effect.target)
    held = {effect.target for effect in tx.all(Effect) if effect.name == SURPRISED}
    for each in dict.fromkeys(who):
        if each not in held:
            put_effect(tx, rules, Effect(tx.next_id("effect"), each, SURPRISED, ends=Ends("turn-end", each)))
            limit_to_what_comes_back(tx, rules, each)
            tx.emit(Surprised(who=each, rule=rules.cite("surprise.cause")))
    if not who:
        tx.emit(NobodySurprised(rule=rule or rules.cite("surprise.none")))
    tx.update(tx.need(Clock, "clock"), surprise_settled=True)


def called(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask a check of each whom the game master named; first, where nobody said, whether it is what they are helped with."""
    data = _checks(procedure)
    rule = rules.cite("surprise.checks") if data.purpose == "surprise" else ""
    here = [who for who in data.who if tx.get(Combatant, who)]
    if not (data.task or data.purpose or answers):
        doubts = [_help_ask(rules, one) for who in here for one in _helped_with(tx, who)]
        if doubts:
            ask(tx, procedure, "prompt.checks", doubts, subject=f"<check.{data.check}>", rule=doubts[0].rule)
            return at(procedure, "called")
    asks: list[Ask] = []
    used: list[str] = []
    for who in here:
        task = data.task or next((one.until for one in _helped_with(tx, who) if YES in _chosen(answers, one.id)), "")
        tags = data.tags if data.purpose else (*data.tags, f"task:{task}")
        rolled = trial_roll(tx, rules, who, f"check.{data.check}", tags=tags)
        used += rolled.used
        detail, dc = f"<check.{data.check}>", data.dc
        asks.append(
            Ask(id=who, kind="roll", label="ask.check", who=who, detail=detail, spec=rolled.spec, dc=dc, rule=rule)
        )
    ask(tx, procedure, "prompt.checks", asks, subject=f"<check.{data.check}>", rule=rule)
    return at(procedure, "made", msgspec.structs.replace(data, used=tuple(used)))


def _helped_with(tx: Transaction, who: str) -> list[Effect]:
    """Return the help somebody has with a task that has a name."""
    return [one for one in effects_on(tx, who) if one.name == HELPED and one.until]


def _help_ask(rules: RuleSystem, effect: Effect) -> Ask:
    options = (Option(YES, "option.yes"), Option(NO, "option.no"))
    rule = rules.cite("help.check")
    suggested = (YES,)
    label, who, task = "ask.helped_task", effect.target, effect.until
    return Ask(effect.id, "choice", label, who, task, options=options, suggested=suggested, rule=rule)


def made(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Note what came of the checks."""
    data = _checks(procedure)
    use_up(tx, rules, data.used)
    if data.purpose == "surprise":
        keep_totals(tx, rules, answers)
        return
    for who, answer in answers.items():
        if data.dc and not answer.skipped:
            take_result(tx, rules, answer, "ask.check", who, f"<check.{data.check}>", data.dc, "")
        elif answer.roll is not None:
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
