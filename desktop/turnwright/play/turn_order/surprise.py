"""Surprise: sneaking, the checks or passive scores that decide it, ambushes, and marking combatants as surprised."""

from __future__ import annotations

from itertools import permutations

from turnwright.encounter.field_specs import CombatantId, CombatantIds
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask, roll_ask
from turnwright.encounter.procedure_state.turn_order import AMBUSH, SURPRISE, AmbushChoice, SurpriseChecks
from turnwright.encounter.running import Clock, Combatant, Duration, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import (
    Answers,
    ask,
    begin,
    choice_of,
    choices_of,
    goto,
    prompt_of,
    stages_in,
)
from turnwright.play.kernel.transaction import Transaction, require
from turnwright.play.state.action_economy import cap_to_refill, grant_initial, require_running
from turnwright.play.state.effect_records import end_effect, put_effect
from turnwright.play.state.events import Rolled, Skipped
from turnwright.play.turn_order.initiative import set_initiative
from turnwright.rules.parts.checks.ability_checks import check_options, check_roll
from turnwright.rules.parts.checks.action_checks import known_number
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.system import RuleSystem

SCORE_PREFIX = "score."
NO_CHECK = "none"
OWN_CHECKS = "each"
DEFAULT_CHECKS = {"sneaking": "dex:stealth", "others": "wis:perception"}
NO_AMBUSH, SIDE_SEPARATOR = "none", " > "


@journal("journal.surprised", kind="warn")
class Surprised(Event, frozen=True):
    """A combatant starts the encounter surprised."""

    who: CombatantId


@journal("journal.nobody_surprised")
class NoSurprise(Event, frozen=True):
    """No combatant is surprised."""


def check_ask(tx: Transaction, who: str, check: str, rule: str) -> Ask:
    """Return the ask for an ability check."""
    return roll_ask(who, "ask.check", f"<check.{check}>", check_roll(tx, tx.rules, who, check), rule=rule)


def ask_stealth_against_scores(tx: Transaction, procedure: Procedure, data: SurpriseChecks) -> Procedure:
    """Ask for the Stealth checks of sneaking combatants, and for unknown passive scores of the others."""
    settings, rule = tx.rules.data.surprise, tx.rule_id("surprise.checks")
    label = f"ask.figure_{settings.against.partition('.')[0]}"
    asks = [check_ask(tx, who, settings.check, rule) for who in data.sneaking if not is_out_of_play(tx, who)]
    asks += [
        Ask(f"{SCORE_PREFIX}{who}", "number", label, who, rule=tx.rule_id("passive.scores"))
        for who in data.others
        if not is_out_of_play(tx, who) and known_number(tx, tx.rules, who, settings.against) is None
    ]
    return ask(tx, goto(procedure, SURPRISE.ask_surprised), "prompt.surprise", asks, rule=rule)


def surprised_by_stealth(tx: Transaction, data: SurpriseChecks, answers: Answers) -> tuple[dict[str, int], list[str]]:
    """Return the Stealth totals, and the combatants who don't notice any sneaking combatant.

    The totals aren't used as initiative.
    """
    settings, rule = tx.rules.data.surprise, tx.rule_id("surprise.checks")
    totals: dict[str, int] = {}
    for id, answer in answers.items():
        combatant = tx.get(Combatant, id.removeprefix(SCORE_PREFIX))
        if combatant is None:
            continue
        if id.startswith(SCORE_PREFIX):
            if answer.number is not None:
                tx.update(combatant, supplied_numbers=(*combatant.supplied_numbers, (settings.against, answer.number)))
        elif answer.roll is not None and answer.roll.total is not None:
            totals[id] = answer.roll.total
            detail = f"<check.{settings.check}>"
            tx.emit(Rolled(who=id, purpose="ask.check", roll=answer.roll, detail=detail, rule=rule))
        else:
            tx.emit(Skipped(who=id, purpose="ask.check"))
    return totals, [who for who in data.others if totals and _exceeds(tx, who, min(totals.values()))]


def _exceeds(tx: Transaction, who: str, total: int) -> bool:
    """Return whether a total exceeds a combatant's score; False if the score is unknown."""
    score = known_number(tx, tx.rules, who, tx.rules.data.surprise.against) if tx.get(Combatant, who) else None
    return score is not None and total > score


def begin_surprise(tx: Transaction) -> None:
    """Begin the surprise procedure if some combatants sneak and others don't."""
    sneaking = tuple(combatant.id for combatant in tx.all(Combatant) if combatant.sneaking)
    others = tuple(combatant.id for combatant in tx.all(Combatant) if not combatant.sneaking)
    if sneaking and others:
        begin(tx, SURPRISE.ask_which_checks, SurpriseChecks(sneaking, others))


def ask_which_checks(tx: Transaction, procedure: Procedure, data: SurpriseChecks, answers: Answers) -> Procedure:
    """Ask the game master for each side's check, or whether its members each choose their own.

    Own checks are suggested if a member's check is known. Rule systems with passive scores use those instead.
    """
    if tx.rules.data.surprise.against:
        return ask_stealth_against_scores(tx, procedure, data)
    rule = tx.rule_id("surprise.checks")
    options = (*check_options(tx.rules), Option(OWN_CHECKS, "option.each_own"), Option(NO_CHECK, "option.no_check"))
    asks = []
    for side, members in _sides(data):
        usual = OWN_CHECKS if any(_own_check(tx, who) for who in members) else DEFAULT_CHECKS[side]
        asks.append(choice_ask(side, f"ask.check_{side}", options, suggested=usual, rule=rule))
    ask(tx, procedure, "prompt.surprise_checks", asks, rule=tx.rule_id("setup.surprise-step"))
    return goto(procedure, SURPRISE.ask_stealth_rolls)


def _sides(data: SurpriseChecks) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (("sneaking", data.sneaking), ("others", data.others))


def _own_check(tx: Transaction, who: str) -> str:
    combatant = tx.get(Combatant, who)
    return combatant.check if combatant else ""


def ask_stealth_rolls(tx: Transaction, procedure: Procedure, data: SurpriseChecks, answers: Answers) -> Procedure:
    """Ask for the chosen checks of combatants without a total. First, ask members with their own checks to choose."""
    rule = tx.rule_id("surprise.checks")
    if _ask_for_own_checks(tx, procedure, data, answers):
        return goto(procedure, SURPRISE.ask_stealth_rolls)
    asks = []
    for side, members in _sides(data):
        for who in members:
            check = choice_of(answers, who) or choice_of(answers, side)
            if check not in ("", OWN_CHECKS, NO_CHECK) and _is_yet_to_check(tx, who):
                asks.append(check_ask(tx, who, check, rule))
    return ask(tx, goto(procedure, SURPRISE.ask_surprised), "prompt.surprise", asks)


def _is_yet_to_check(tx: Transaction, who: str) -> bool:
    """Return whether a combatant in play has no total yet. A check called for earlier has already set it."""
    return not is_out_of_play(tx, who) and tx.need(Combatant, who).initiative is None


def _ask_for_own_checks(tx: Transaction, procedure: Procedure, data: SurpriseChecks, answers: Answers) -> bool:
    """Ask members of sides with separate checks to choose their check. Return whether any choice was missing.

    The new prompt keeps the answers for the sides.
    """
    rule = tx.rule_id("surprise.checks")
    options = (*check_options(tx.rules), Option(NO_CHECK, "option.no_check"))
    asks = [
        choice_ask(who, "ask.a_check", options, who, suggested=_own_check(tx, who) or DEFAULT_CHECKS[side], rule=rule)
        for side, members in _sides(data)
        if choice_of(answers, side) == OWN_CHECKS
        for who in members
        if who not in answers and _is_yet_to_check(tx, who)
    ]
    if not asks:
        return False
    kept_answers = tuple(answers.values())
    settled = (Ask(id=answer.ask, kind="choice", label=f"ask.check_{answer.ask}") for answer in kept_answers)
    ask(tx, procedure, "prompt.surprise_checks", (*settled, *asks), rule=tx.rule_id("setup.surprise-step"))
    prompt = prompt_of(tx, procedure.id)
    if prompt is not None:
        tx.update(prompt, answers=kept_answers)
    return True


def ask_surprised(tx: Transaction, procedure: Procedure, data: SurpriseChecks, answers: Answers) -> Procedure:
    """Store the totals and ask which combatants are surprised. Those who noticed nobody sneaking are suggested."""
    if tx.rules.data.surprise.against:
        totals, likely = surprised_by_stealth(tx, data, answers)
    else:
        known = ((combatant.id, combatant.initiative) for combatant in tx.all(Combatant))
        totals = {who: total for who, total in known if total is not None} | store_totals(tx, answers)
        hidden = [totals[who] for who in data.sneaking if who in totals]
        likely = [who for who in data.others if not hidden or (who in totals and totals[who] < min(hidden))]
    rule = tx.rule_id("surprise.cause")
    options = tuple(Option(who, tx.need(Combatant, who).label) for who in data.others if tx.get(Combatant, who))
    suggested = tuple(likely if totals else ())
    question = Ask("who", "targets", "ask.surprised", options=options, suggested=suggested, rule=rule)
    procedure = goto(procedure, SURPRISE.apply_surprise, totals=tuple(totals.items()))
    return ask(tx, procedure, "prompt.surprise", [question])


def store_totals(tx: Transaction, answers: Answers, check: str = "<ask.surprise_check>") -> dict[str, int]:
    """Report the rolls of a check and set each total as initiative. Return the totals by combatant."""
    totals: dict[str, int] = {}
    for who, answer in answers.items():
        combatant = tx.get(Combatant, who)
        if combatant is None or answer.skipped:
            continue
        total = answer.number
        if answer.roll is not None:
            rule = tx.rule_id("surprise.checks")
            tx.emit(Rolled(who=who, purpose="ask.check", roll=answer.roll, detail=check, rule=rule))
            total = answer.roll.total
        if total is not None:
            totals[who] = total
            set_initiative(tx, combatant, total, "kept", rule=tx.rule_id("initiative.reuse"))
    return totals


def apply_surprise(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """Surprise the combatants that the game master chose, and no others."""
    mark_surprised(tx, choices_of(answers, "who"))


def mark_surprised(tx: Transaction, who: tuple[str, ...], rule: str = "") -> None:
    """Surprise these combatants, and no others, until the end of their first turn. `rule` is used if there are none."""
    for effect in list(tx.all(Effect)):
        if effect.name == tx.role("surprised") and effect.target not in who:
            end_effect(tx, effect)
            if tx.need(Clock, "clock").phase == "set-up":
                grant_initial(tx, effect.target)
    already = {effect.target for effect in tx.all(Effect) if effect.name == tx.role("surprised")}
    for target in dict.fromkeys(who):
        if target not in already:
            ends = Duration("turn-end", target)
            put_effect(tx, Effect(tx.next_id("effect"), target, tx.role("surprised"), ends=ends))
            cap_to_refill(tx, target)
            tx.emit(Surprised(who=target, rule=tx.rule_id("surprise.cause")))
    if not who:
        tx.emit(NoSurprise(rule=rule or tx.rule_id("surprise.none")))
    tx.update(tx.need(Clock, "clock"), surprise_settled=True)


def is_surprise_open(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether surprise isn't settled yet: some combatants sneak, and others may notice them."""
    if not rules.has_surprise or clock_of(lookup).surprise_settled:
        return False
    return len({combatant.sneaking for combatant in lookup.all(Combatant)}) > 1


def require_surprise_settled(tx: Transaction) -> None:
    """Refuse initiative before surprise is settled, or outside a running encounter."""
    clock = clock_of(tx)
    require(clock.phase in ("set-up", "rounds"), "refused.not_running")
    being_settled = clock.setup_step == "surprise" and not clock.surprise_settled
    if clock.phase == "set-up" and (being_settled or is_surprise_open(tx, tx.rules)):
        tx.forbid("refused.surprise_first", tx.rule_id("setup.order"))


def begin_ambush(tx: Transaction) -> None:
    """Begin the ambush choice if there are at least two sides."""
    if len(_ambush_sides(tx)) > 1:
        begin(tx, AMBUSH.ask_ambushers, AmbushChoice())


def ask_ambushers(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Procedure:
    """Ask which side ambushes which. A side whose members are all sneaking is suggested."""
    sides = _ambush_sides(tx)
    pairs = {SIDE_SEPARATOR.join(pair): pair[0] for pair in permutations(sides, 2)}
    seen = {combatant.side for combatant in tx.all(Combatant) if not combatant.sneaking}
    likely = next((pair for pair, ambushers in pairs.items() if ambushers not in seen), NO_AMBUSH)
    options = (Option(NO_AMBUSH, "option.no_ambush"), *(Option(pair, pair) for pair in pairs))
    rule = tx.rule_id("surprise.ambush" if likely != NO_AMBUSH else "surprise.checks")
    question = Ask("ambush", "choice", "ask.ambush", options=options, suggested=(likely,), rule=rule)
    ask(tx, procedure, "prompt.ambush", [question], rule=tx.rule_id("setup.surprise-step"))
    return goto(procedure, AMBUSH.apply_ambush)


def apply_ambush(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """Surprise the ambushed side, and give the ambushers advantage on initiative. If the ask is skipped, do nothing."""
    choice = choice_of(answers, "ambush", NO_AMBUSH)
    chosen = [pair for pair in permutations(_ambush_sides(tx), 2) if SIDE_SEPARATOR.join(pair) == choice]
    mark_surprised(tx, tuple(who for _, ambushed in chosen for who in _members(tx, ambushed)))
    for who in (who for ambushers, _ in chosen for who in _members(tx, ambushers)):
        tx.update(tx.need(Combatant, who), edge="advantage")


def _ambush_sides(lookup: Lookup) -> list[str]:
    return list(dict.fromkeys(combatant.side for combatant in lookup.all(Combatant) if not combatant.bystander))


def _members(lookup: Lookup, side: str) -> tuple[str, ...]:
    return tuple(
        combatant.id for combatant in lookup.all(Combatant) if combatant.side == side and not combatant.bystander
    )


@command(script="sneaking [not {sneaking=false}] {who}")
class MarkSneaking(Command, frozen=True):
    """Mark combatants as sneaking up on the others, or clear the mark."""

    who: CombatantIds
    sneaking: bool = True

    def handle(self, tx: Transaction) -> None:
        """Mark combatants as sneaking, or clear the mark."""
        for who in self.who:
            combatant = tx.need(Combatant, who)
            if combatant.sneaking != self.sneaking:
                tx.update(combatant, sneaking=self.sneaking)
                tx.emit(SneakingMarked(who=who, sneaking=self.sneaking, rule=tx.rule_id("setup.surprise-step")))


@journal("journal.not_sneaking", when={"sneaking": "journal.sneaking"})
class SneakingMarked(Event, frozen=True):
    """A combatant was marked as sneaking, or the mark was cleared."""

    who: CombatantId
    sneaking: bool


@command(script="surprised {who} | nobody surprised {who:nobody}")
class SetSurprised(Command, frozen=True):
    """Set exactly which combatants are surprised."""

    who: CombatantIds

    def handle(self, tx: Transaction) -> None:
        """Set which combatants are surprised, and end the surprise of all others."""
        require_running(tx)
        mark_surprised(tx, self.who)


@command(script="sudden [{advantage}]")
class ActBeforeInitiative(Command, frozen=True):
    """Rule out surprise. `advantage` lists combatants with advantage on initiative."""

    advantage: CombatantIds = ()

    def handle(self, tx: Transaction) -> None:
        """Rule out surprise, and give some combatants advantage on initiative."""
        require_running(tx)
        mark_surprised(tx, (), rule=tx.rule_id("sudden.no-surprise"))
        for who in self.advantage:
            tx.update(tx.need(Combatant, who), edge="advantage")


STAGES = stages_in(globals(), SURPRISE, AMBUSH)
