"""What damage brings once it was taken: a choice to spare, massive damage, falling or dying, and blows at 0."""

from __future__ import annotations

from turnwright.encounter.pending import Aftermath, Ask, Option, Procedure, Watch
from turnwright.encounter.prepared import Dying
from turnwright.encounter.running import Combatant
from turnwright.play.events import Acted, Skipped
from turnwright.play.harm import concentration_of, put_condition
from turnwright.play.levels import DOOMED, STRIFE, gain
from turnwright.play.procedures.dying import die, fail, fall, knock_out, unsettle
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin
from turnwright.play.procedures.perils import WAYS
from turnwright.play.procedures.trials import take_result
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.dying import FATIGUE, LEVEL, is_character
from turnwright.rules.system import RuleSystem

KNOCK_OUT, USUAL = "knock-out", "usual"
FAILURE = "failure"
ACT, NOTHING = "act", "nothing"
OTHER_DAMAGE_CHOICE = "soft-damage-at-zero"
VILLAIN: Dying = "doomed"
LEVEL_ASK, MASSIVE = "ask.level_or_hit_dice", "ask.massive_save"


def first(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """See which of these things the damage brings. The dead, and those gone or healed since, are past it."""
    data = _data(procedure)
    combatant = tx.get(Combatant, data.target)
    if combatant is None or combatant.dead:
        return None
    way = WAYS.get(rules.catalogue.dying.way)
    if way is not None and combatant.hp <= 0:
        return way.struck(tx, rules, procedure)
    if combatant.hp > 0:
        shaken = bool(rules.catalogue.dying.concentration.ability)
        if shaken and concentration_of(tx, data.target) is not None and data.before:
            begin(tx, "concentration", "ask", Watch(data.target, value=data.taken, source=data.source), procedure.id)
        return None
    if not data.before:
        return _struck_at_zero(tx, rules, procedure)
    if not _may_spare(tx, rules, data):
        return at(procedure, "fall")
    rule = rules.cite("knockout.melee")
    options = (Option(USUAL, "option.usual_at_zero"), Option(KNOCK_OUT, "option.knock_out"))
    asked = Ask("fate", "choice", "ask.knock_out", data.by, options=options, suggested=(USUAL,), rule=rule)
    ask(tx, procedure, "prompt.at_zero", [asked], subject=combatant.label, rule=rules.cite("knockout.timing"))
    return at(procedure, "spared")


def _may_spare(tx: Transaction, rules: RuleSystem, data: Aftermath) -> bool:
    """Return whether whoever struck may have knocked out instead: in melee, and of those whom the game lets."""
    by = rules.catalogue.dying.knock_out_by
    if not by or not data.melee or data.cause != "attack":
        return False
    return by == "anybody" or (tx.get(Combatant, data.by) is not None and is_character(tx, rules, data.by))


def spared(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Knock out rather than let happen what usually does, if the attacker said so."""
    if not _is_down(tx, procedure):
        return None
    answer = answers.get("fate")
    if answer is None or KNOCK_OUT not in answer.chosen:
        return at(procedure, "fall")
    knock_out(tx, rules, _data(procedure).target)
    return None


def zero(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Let happen what 0 hit points bring to this one: death, doom, or (massive damage survived) dying."""
    data = _data(procedure)
    if not _is_down(tx, procedure):
        return None
    combatant = tx.need(Combatant, data.target)
    way = WAYS.get(rules.catalogue.dying.way)
    if way is not None:
        return way.struck(tx, rules, procedure)
    if combatant.dying == VILLAIN:
        return _last_deed(tx, rules, procedure)
    if not rules.dying.makes_saves(tx, rules, data.target):
        die(tx, rules, data.target, rules.cite("npc.monster-dies"))
        return None
    if not data.taken:  # a person has put them there, and nothing has hurt them
        unsettle(tx, rules, data.target)
        return None
    if _kills_outright(rules, combatant, data):
        die(tx, rules, data.target, rules.cite("death.instant"))
        return None
    if rules.catalogue.dying.massive.is_possible:
        return _massive_or_not(tx, rules, procedure, answers)
    fall(tx, rules, data.target)
    return None


def _kills_outright(rules: RuleSystem, combatant: Combatant, data: Aftermath) -> bool:
    """Return whether the damage left over, once there were no hit points to take, is as much as all of them."""
    return rules.catalogue.dying.instant and data.lost - data.before >= combatant.hp_max


def _massive_or_not(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask the save where the damage is massive, and before that for a level that would decide whether it is."""
    data = _data(procedure)
    combatant = tx.need(Combatant, data.target)
    figure = answers.get("level")
    if figure is not None and figure.number:
        combatant = tx.update(combatant, given=(*combatant.given, (LEVEL, figure.number)))
    threshold = rules.dying.massive_at(tx, rules, data.target)
    if threshold is None and figure is None and data.lost >= rules.catalogue.dying.massive.base:
        rule = rules.cite("external.level-hit-dice")
        asked = Ask("level", "number", LEVEL_ASK, detail=combatant.label, rule=rule)
        ask(tx, procedure, "prompt.massive", [asked], subject=combatant.label, rule=rule)
        return at(procedure, "fall")
    if threshold is not None and data.lost >= threshold:
        return _massive(tx, rules, procedure)
    fall(tx, rules, data.target)
    return None


def _massive(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> Procedure:
    """Ask the save against dying of massive damage at once."""
    who = _data(procedure).target
    figures, steps = rules.catalogue.dying.massive, rules.dying.massive_at(tx, rules, who)
    rule = rules.cite("massive.save")
    spec = rules.checks.save(tx, rules, who, figures.ability)
    asked = Ask("save", "roll", MASSIVE, who, f"{_data(procedure).lost} ≥ {steps}", spec, figures.dc, rule=rule)
    subject = tx.need(Combatant, who).label
    ask(tx, procedure, "prompt.massive", [asked], subject=subject, rule=rules.cite("massive.threshold"))
    return at(procedure, "survive")


def survive(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Kill whoever failed the save against massive damage; who made it pays for it, and falls."""
    who = _data(procedure).target
    answer = answers.get("save")
    if not _is_down(tx, procedure) or answer is None:
        return
    figures = rules.catalogue.dying.massive
    if answer.skipped:
        tx.emit(Skipped(purpose=MASSIVE, who=who))
    elif not take_result(tx, rules, answer, MASSIVE, who, "", figures.dc, rules.cite("massive.save")):
        die(tx, rules, who, rules.cite("massive.save"))
        return
    else:
        gain(tx, rules, who, FATIGUE, figures.fatigue, rules.cite("massive.success"))
        gain(tx, rules, who, STRIFE, figures.strife, rules.cite("massive.success"))
    fall(tx, rules, who)


def _struck_at_zero(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> Procedure | None:
    """Let somebody struck at 0 fail a death save; where it has a price instead, whoever struck is asked which."""
    data = _data(procedure)
    figures = rules.catalogue.dying
    if not rules.dying.makes_saves(tx, rules, data.target):
        die(tx, rules, data.target, rules.cite("npc.monster-dies"))
        return None
    if _kills_outright(rules, tx.need(Combatant, data.target), data):
        die(tx, rules, data.target, rules.cite("death.massive-at-zero"))
        return None
    unsettle(tx, rules, data.target)
    attacked = data.cause == "attack"
    if attacked and data.critical:
        rule = rules.cite("fatigue.cause-critical-at-zero")
        gain(tx, rules, data.target, FATIGUE, figures.critical_fatigue, rule)
    if not figures.prices or (not attacked and not rules.option(tx, OTHER_DAMAGE_CHOICE)):
        _fail_for(tx, rules, data, rules.cite("death.attacked" if attacked else "death.other-damage"))
        return None
    rule = rules.cite("death.attacked" if attacked else "death.other-damage-option")
    options = tuple(Option(one, f"option.{one}") for one in (FAILURE, *figures.prices))
    asked = Ask("price", "choice", "ask.struck_at_zero", data.by, options=options, suggested=(FAILURE,), rule=rule)
    ask(tx, procedure, "prompt.at_zero", [asked], subject=tx.need(Combatant, data.target).label, rule=rule)
    return at(procedure, "struck")


def struck(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Let the one struck at 0 suffer what was chosen; a failed death save where nobody chose."""
    data = _data(procedure)
    answer = answers.get("price")
    if not _is_down(tx, procedure):
        return
    chosen = answer.chosen[0] if answer is not None and answer.chosen else FAILURE
    if data.cause == "attack":
        rule = rules.cite("death.attacked")
    else:
        rule = rules.cite("death.other-damage" if chosen == FAILURE else "death.other-damage-option")
    if chosen == FAILURE:
        _fail_for(tx, rules, data, rule)
    else:
        gain(tx, rules, data.target, chosen, 1, rule)


def _fail_for(tx: Transaction, rules: RuleSystem, data: Aftermath, rule: str) -> None:
    """Let a blow at 0 be a death save failed, or so many as a critical hit is."""
    times = rules.catalogue.dying.critical_failures if data.cause == "attack" and data.critical else 1
    fail(tx, rules, data.target, rules.cite("death.critical") if times > 1 else rule, times)


def _last_deed(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> Procedure:
    """Doom somebody whom the table wants to see off in style, and wait for one last action or speech."""
    who = _data(procedure).target
    rule = rules.cite("npc.doomed-at-zero")
    put_condition(tx, rules, who, DOOMED, rule=rule)
    options = (Option(ACT, "option.last_deed"), Option(NOTHING, "option.no_last_deed"))
    asked = Ask("deed", "choice", "ask.last_deed", who, options=options, suggested=(ACT,), rule=rule)
    ask(tx, procedure, "prompt.last_deed", [asked], subject=tx.need(Combatant, who).label, rule=rule)
    return at(procedure, "last")


def last(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Let the doomed one die, the last deed done."""
    who = _data(procedure).target
    answer = answers.get("deed")
    if not _is_down(tx, procedure):
        return
    rule = rules.cite("npc.doomed-at-zero")
    if answer is not None and ACT in answer.chosen:
        tx.emit(Acted(who=who, action="<action.last_deed>", rule=rule))
    die(tx, rules, who, rule)


def _is_down(tx: Transaction, procedure: Procedure) -> bool:
    """Return whether the one it is about still lies at 0, alive."""
    combatant = tx.get(Combatant, _data(procedure).target)
    return combatant is not None and not combatant.dead and combatant.hp <= 0


def _data(procedure: Procedure) -> Aftermath:
    assert isinstance(procedure.data, Aftermath)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("aftermath", "begin"): first,
    ("aftermath", "spared"): spared,
    ("aftermath", "fall"): zero,
    ("aftermath", "survive"): survive,
    ("aftermath", "struck"): struck,
    ("aftermath", "last"): last,
}
