"""Bleeding out: below 0 hit points a combatant loses more at the start of each turn, down to a limit.

The rest of the turn is skipped. Stabilising the combatant stops the bleeding, and new damage restarts it.
"""

from __future__ import annotations

from turnwright.dice.roll import RollPart
from turnwright.encounter.lookups import active_slot, effects_named
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.procedure_state.damage import BLEED_OUT, BleedOut, DamageConsequences
from turnwright.encounter.procedure_state.turns import TURN_END, TurnEnd
from turnwright.encounter.running import Combatant
from turnwright.play.asking.action_parameters import store_number
from turnwright.play.damage.death_saves import die
from turnwright.play.kernel.scheduler import Answers, ask, begin, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_condition, put_condition
from turnwright.play.state.events import Healed, Skipped
from turnwright.play.state.hit_points import Damage, deal_damage, regain_consciousness
from turnwright.play.turn_order.order_changes import members_in_turn
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.parts.damage.dying import LEVEL, level_or_hit_dice
from turnwright.rules.system import RuleSystem, labels_of

LONG = "long"


def damage_below_zero(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> None:
    """Knock the target out, restart its bleeding or kill it, depending on how far below 0 the damage leaves it."""
    data = data_of(procedure, DamageConsequences)
    combatant = tx.need(Combatant, data.target)
    if combatant.hp <= rules.data.health.lowest(combatant.hp_max):
        die(tx, rules, combatant.id, rules.rule_id("death.floor"))
        return
    if not effects_named(tx, combatant.id, rules.role("unconscious")):
        put_condition(tx, rules, combatant.id, rules.role("unconscious"), rule=rules.rule_id("zero.unconscious"))
    if not effects_named(tx, combatant.id, rules.role("dying")):
        topic = "stable.damaged" if effects_named(tx, combatant.id, rules.role("stable")) else "death.dying"
        end_condition(tx, rules, combatant.id, rules.role("stable"))
        put_condition(tx, rules, combatant.id, rules.role("dying"), rule=rules.rule_id(topic))


def begin_bleed_out(tx: Transaction, rules: RuleSystem, who: tuple[str, ...], parent: str = "") -> None:
    """Begin the bleeding of downed combatants at the start of their turn, before any other phase."""
    down = tuple(id for id in who if _is_down(tx, rules, id))
    if down:
        begin(tx, BLEED_OUT.ask_level, BleedOut(down), parent)


def ask_level(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask for the level of each bleeding combatant whose level is unknown."""
    rule = rules.rule_id("external.level-hit-dice")
    unknown = [who for who in _bleeding(tx, rules, procedure) if level_or_hit_dice(tx, who) is None]
    asks = [Ask(who, "number", "ask.level", who, rule=rule) for who in unknown]
    ask(tx, procedure, "prompt.bleeding", asks, subject=labels_of(tx, unknown), rule=rules.rule_id("death.turn-start"))
    return goto(procedure, BLEED_OUT.lose_hit_points)


def lose_hit_points(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Deduct the hit points that each combatant loses by bleeding: untyped damage that ignores temporary hit points."""
    for who in _bleeding(tx, rules, procedure):
        answer = answers.get(who)
        if answer is not None and answer.number is not None:
            store_number(tx, who, LEVEL, answer.number)
        steps = level_or_hit_dice(tx, who)
        if steps is None:
            tx.emit(Skipped(purpose="ask.level", who=who))
            continue
        amount = rules.data.dying.bleeding.per_level * steps
        rule = rules.rule_id("death.turn-start")
        source = f"<condition.{rules.role('dying')}>"
        damage = Damage((RollPart(amount),), source=source, rule=rule, ignores_temp_hp=True)
        deal_damage(tx, rules, who, damage, procedure.id)
    return goto(procedure, BLEED_OUT.pass_turn)


def pass_turn(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """End the turn of the downed combatants, unless a combatant that is up shares it."""
    slot = active_slot(tx)
    if slot is None or not set(slot.members) & set(data_of(procedure, BleedOut).who):
        return
    awake = [who for who in members_in_turn(tx, slot) if not is_out_of_play(tx, who) and not _is_down(tx, rules, who)]
    if not awake and not any(isinstance(other.data, TurnEnd) for other in tx.all(Procedure)):
        tx.emit(
            Skipped(purpose="why.turn_of_the_unconscious", who=slot.members[0], rule=rules.rule_id("death.skipped"))
        )
        begin(tx, TURN_END.ask_end_order, TurnEnd(slot.id))


def wake_after_rest(tx: Transaction, rules: RuleSystem, who: str, length: str) -> None:
    """Wake a downed combatant that has survived a rest, with the hit points that the system sets."""
    numbers = rules.data.dying.rest
    combatant = tx.need(Combatant, who)
    new_hp = (combatant.hp_max // numbers.long_over if numbers.long_over else 0) if length == LONG else numbers.short_hp
    if combatant.dead or combatant.hp > 0 or new_hp <= 0:
        return
    after = tx.update(combatant, hp=new_hp)
    rule = rules.rule_id(f"rest.{length}")
    tx.emit(Healed(target=who, amount=new_hp - combatant.hp, hp_before=combatant.hp, hp_after=after.hp, rule=rule))
    regain_consciousness(tx, rules, who)


def _is_down(tx: Transaction, rules: RuleSystem, who: str) -> bool:
    combatant = tx.get(Combatant, who)
    is_at_zero = combatant is not None and not combatant.dead and combatant.hp <= 0
    return is_at_zero and bool(effects_named(tx, who, rules.role("unconscious")))


def _bleeding(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> list[str]:
    down = (who for who in data_of(procedure, BleedOut).who if _is_down(tx, rules, who))
    return [who for who in down if not effects_named(tx, who, rules.role("stable"))]


STAGES = stages_in(globals(), BLEED_OUT)
