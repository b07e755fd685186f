"""At 0 hit points: falling, death saves turn by turn, being stable, coming round, and death."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.dice.roll import RollSpec
from turnwright.encounter.pending import Answered, Ask, Procedure, Watch
from turnwright.encounter.running import Combatant, Effect, Track, track_id
from turnwright.play.events import Died, Skipped
from turnwright.play.harm import (
    HOURS,
    OF_THE_DYING,
    SAVE,
    change_track,
    end_condition,
    let_go,
    lose_concentration,
    put_condition,
    regain,
    reset_death_saves,
    use_up,
)
from turnwright.play.levels import STRIFE, gain, is_encounter
from turnwright.play.procedures.bodies import collapse
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, pass_over, watch_of
from turnwright.play.procedures.trials import take_result
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.parts.dying import (
    AT_ZERO,
    DYING,
    FAILURES,
    FATIGUE,
    STABLE,
    SUCCESSES,
    UNCONSCIOUS,
    said_of_death_save,
)
from turnwright.rules.system import RuleSystem

OF_THE_ORDER = ("ask.initiative", "ask.tie")  # a place in it is kept for whoever comes back to life


# Falling, and what follows -----------------------------------------------------------------------------------------


def fall(tx: Transaction, rules: RuleSystem, target: str) -> None:
    """Knock somebody out whom damage has brought to 0 without killing: unconscious, dying, and the worse for it."""
    put_condition(tx, rules, target, UNCONSCIOUS, rule=rules.cite("zero.unconscious"))
    start_dying(tx, rules, target, rules.cite("death.dying"))
    if is_encounter(tx):
        gain(tx, rules, target, FATIGUE, rules.catalogue.dying.fall_fatigue, rules.cite("zero.fatigue"))


def start_dying(tx: Transaction, rules: RuleSystem, target: str, rule: str) -> None:
    """Let somebody at 0 be dying, with no death save made yet."""
    reset_death_saves(tx, target, rules.cite("death.reset"))
    put_condition(tx, rules, target, DYING, rule=rule)


def knock_out(tx: Transaction, rules: RuleSystem, target: str) -> None:
    """Knock somebody out on purpose: unconscious and stable at 0, for one level of fatigue in all."""
    rule = rules.cite("knockout.result")
    put_condition(tx, rules, target, UNCONSCIOUS, rule=rule)
    _stand_stable(tx, rules, target, rule)
    gain(tx, rules, target, FATIGUE, rules.catalogue.dying.knock_out_fatigue, rule)


def stabilise(tx: Transaction, rules: RuleSystem, target: str, rule: str = "") -> None:
    """Make somebody who is dying stable. They stay unconscious."""
    _stand_stable(tx, rules, target, rule or rules.cite("stable.aid"))
    if not _holds(tx, target, UNCONSCIOUS):
        put_condition(tx, rules, target, UNCONSCIOUS, rule=rules.cite("stable.unconscious"))


def _stand_stable(tx: Transaction, rules: RuleSystem, target: str, rule: str) -> None:
    _withdraw_asks(tx, target)
    end_condition(tx, rules, target, DYING)
    reset_death_saves(tx, target, rules.cite("death.reset"))
    put_condition(tx, rules, target, STABLE, rule=rule)


def unsettle(tx: Transaction, rules: RuleSystem, target: str) -> None:
    """Let somebody who was stable, and is hurt, be dying again; likewise whoever lies at 0 without being either."""
    if not _holds(tx, target, DYING):
        rule = rules.cite("stable.damaged" if _holds(tx, target, STABLE) else "death.dying")
        end_condition(tx, rules, target, STABLE)
        if not _holds(tx, target, UNCONSCIOUS):
            put_condition(tx, rules, target, UNCONSCIOUS, rule=rules.cite("zero.unconscious"))
        start_dying(tx, rules, target, rule)


def die(tx: Transaction, rules: RuleSystem, target: str, rule: str) -> None:
    """Let somebody die. What lay on them for being at 0 goes, so does what they concentrated on, and the body drops."""
    combatant = tx.get(Combatant, target)
    if combatant is None or combatant.dead:
        return
    tx.update(combatant, dead=True, hp=min(combatant.hp, 0))
    tx.emit(Died(who=target, rule=rule))
    pass_over(tx, lambda ask: ask.who == target and ask.label not in OF_THE_ORDER)
    for effect in [one for one in tx.all(Effect) if one.target == target and one.name in AT_ZERO]:
        tx.remove(effect)
    for name in (SUCCESSES, FAILURES):
        track = tx.get(Track, track_id(target, name))
        if track is not None:
            tx.remove(track)
    collapse(tx, rules, target)
    lose_concentration(tx, rules, target)
    let_go(tx, rules, target)


def _withdraw_asks(tx: Transaction, target: str) -> None:
    pass_over(tx, lambda ask: ask.who == target and ask.label in OF_THE_DYING)


def _holds(tx: Transaction, target: str, name: str) -> bool:
    return any(one.target == target and one.name == name for one in tx.all(Effect))


# Death saves -------------------------------------------------------------------------------------------------------


def begin_death_saves(tx: Transaction, who: Iterable[str], parent: str = "") -> None:
    """Let those of some who are dying make their death save, before anything else of their turn: `parent` waits."""
    dying = tuple(each for each in who if not is_out(tx, each) and _holds(tx, each, DYING))
    if dying:
        begin(tx, "death", "roll", Watch(dying[0], rest=dying), parent)


def roll(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask the death save of each."""
    rule = rules.cite("death.turn-start")
    figures = rules.catalogue.dying.save
    who = [each for each in watch_of(procedure).rest if figures.failures and _still_dying(tx, each)]
    asks = (
        Ask(each, "roll", SAVE, each, spec=rules.dying.save(tx, rules, each), dc=figures.dc, rule=rule) for each in who
    )
    subject = ", ".join(tx.need(Combatant, each).label for each in who)
    ask(tx, procedure, "prompt.death_save", asks, subject=subject, rule=rule)
    return at(procedure, "count")


def count(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Count what each has rolled, and what the best and the worst face do besides."""
    for who, answer in answers.items():
        if _still_dying(tx, who):
            _count_one(tx, rules, who, answer)


def _still_dying(tx: Transaction, who: str) -> bool:
    return not is_out(tx, who) and _holds(tx, who, DYING)


def _count_one(tx: Transaction, rules: RuleSystem, who: str, answer: Answered) -> None:
    figures = rules.catalogue.dying.save
    if answer.skipped:
        tx.emit(Skipped(purpose=SAVE, who=who))
        return
    use_up(tx, rules, said_of_death_save(tx, rules, who).used)
    passed = take_result(tx, rules, answer, SAVE, who, "", figures.dc, rules.cite("death.target"))
    natural = answer.roll.natural if answer.roll is not None else None
    if natural is not None and natural == figures.best:
        regain(tx, rules, who, figures.best_hp, rule=rules.cite("death.natural-20"))
        return
    worst = natural is not None and natural == figures.worst  # a failure whatever is added to it
    if worst:
        rule = rules.cite("death.natural-1")
        gain(tx, rules, who, FATIGUE, figures.worst_fatigue, rule)
        gain(tx, rules, who, STRIFE, figures.worst_strife, rule)
        times = figures.worst_failures
        fail(tx, rules, who, rule if times > 1 else rules.cite("death.count"), times)
    elif passed:
        succeed(tx, rules, who)
    else:
        fail(tx, rules, who, rules.cite("death.count"))


def succeed(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Count a death save made; so many of them make stable."""
    change_track(tx, who, SUCCESSES, 1, rules.cite("death.count"))
    judge(tx, rules, who)


def fail(tx: Transaction, rules: RuleSystem, who: str, rule: str, times: int = 1) -> None:
    """Count a death save failed, or several at once, for whatever reason; so many of them kill."""
    if rules.catalogue.dying.save.failures:
        change_track(tx, who, FAILURES, times, rule)
        judge(tx, rules, who)


def judge(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Let the counts of somebody dying have their end, however they came by them."""
    if not _still_dying(tx, who):
        return
    figures = rules.catalogue.dying.save
    if figures.failures and _counted(tx, who, FAILURES) >= figures.failures:
        die(tx, rules, who, rules.cite("death.third-failure"))
    elif figures.successes and _counted(tx, who, SUCCESSES) >= figures.successes:
        stabilise(tx, rules, who, rules.cite("death.third-success"))


def _counted(tx: Transaction, who: str, name: str) -> int:
    track = tx.get(Track, track_id(who, name))
    return track.value if track else 0


# Coming round by oneself -------------------------------------------------------------------------------------------


def pass_hours(tx: Transaction, hours: int) -> None:
    """Let hours go by for everybody who lies stable."""
    stable = tuple(one.id for one in tx.all(Combatant) if not one.dead and _holds(tx, one.id, STABLE))
    if stable:
        begin(tx, "recovery", "roll", Watch(stable[0], value=hours, rest=stable))


def hours(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask, where nobody has yet, after how many hours each comes round."""
    rule = rules.cite("stable.recover")
    spec = RollSpec(rules.catalogue.dying.stable_hours)
    asks = (
        Ask(effect.target, "roll", HOURS, effect.target, spec=spec, rule=rule)
        for effect in _stable_of(tx, procedure)
        if not effect.value
    )
    ask(tx, procedure, "prompt.stable_hours", asks, rule=rule)
    return at(procedure, "pass")


def come_round(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Take the hours gone by off those each still needs; whoever has none left has a hit point again."""
    rule = rules.cite("stable.recover")
    for effect in _stable_of(tx, procedure):
        who, left = effect.target, effect.value
        answer = answers.get(who)
        if answer is not None and not answer.skipped:
            left = (answer.roll.total if answer.roll is not None else answer.number) or 0
        if not left:
            tx.emit(Skipped(purpose=HOURS, who=who))
        elif left > watch_of(procedure).value:
            tx.update(effect, value=left - watch_of(procedure).value)
        else:
            regain(tx, rules, who, rules.catalogue.dying.stable_hp, rule=rule)


def _stable_of(tx: Transaction, procedure: Procedure) -> list[Effect]:
    who = watch_of(procedure).rest
    return [one for one in tx.all(Effect) if one.name == STABLE and one.target in who and not is_out(tx, one.target)]


STAGES: dict[tuple[str, str], Stage] = {
    ("death", "roll"): roll,
    ("death", "count"): count,
    ("recovery", "roll"): hours,
    ("recovery", "pass"): come_round,
}
