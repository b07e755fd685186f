"""Refills at the start of a turn if a combatant both gains and loses points, and can choose which ones it loses."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.procedure_state.turns import RESOURCE_REFILL, RefillChoice
from turnwright.encounter.running import Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import refill
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.parts.economy import resources
from turnwright.rules.parts.economy.refill_modifiers import refill_modifier
from turnwright.rules.system import RuleSystem, label_of
from turnwright.rules.system_data.actions import Resource

USUAL, EXTRA = "usual", "extra"


def refill_at_turn_start(tx: Transaction, rules: RuleSystem, who: tuple[str, ...], parent: str = "") -> None:
    """Refill resources at the start of a turn, or first ask for a choice if there is one."""
    for combatant_id in who:
        choosing = _choosing(tx, rules, combatant_id)
        if choosing:
            begin(tx, RESOURCE_REFILL.ask_which_lost, RefillChoice(combatant_id, choosing[0].id), parent)
        else:
            refill(tx, rules, combatant_id, "turn-start")


def _choosing(lookup: Lookup, rules: RuleSystem, who: str) -> list[Resource]:
    """Return the resources that a combatant both gains and loses."""
    choices = []
    for resource in rules.data.resources:
        if resource.amount and resource.refill == "turn-start":
            change = refill_modifier(lookup, rules, who, resource)
            if change.bonus and change.penalty:
                choices.append(resource)
    return choices


def ask_which_lost(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask whether the points lost are usual or granted points of the resource."""
    data = data_of(procedure, RefillChoice)
    resource = rules.resources[data.resource]
    most, change = resources.maximum(tx, data.who, resource), refill_modifier(tx, rules, data.who, resource)
    usual = tuple(Option(f"{USUAL}.{n}", "option.usual_one") for n in range(1, most + 1))
    extra = tuple(Option(f"{EXTRA}.{n}", "option.extra_one") for n in range(1, change.bonus + 1))
    lost = min(change.penalty, most + change.bonus)
    options = (*usual, *extra)
    question = Ask(
        "lost",
        "targets",
        "ask.lost",
        data.who,
        f"{resource.name}: {lost}",
        options=options,
        suggested=tuple(option.id for option in options[:lost]),
        max_choices=lost,
        rule=rules.rule_id("turn.choose-lost"),
    )
    return ask(tx, goto(procedure, RESOURCE_REFILL.apply), "prompt.lost", [question], subject=label_of(tx, data.who))


def apply(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Refill the resource, and store how many of the granted points are kept."""
    data = data_of(procedure, RefillChoice)
    if is_out_of_play(tx, data.who):
        return
    more = refill_modifier(tx, rules, data.who, rules.resources[data.resource]).bonus
    lost = choices_of(answers, "lost")
    remaining = more - sum(id.startswith(EXTRA) for id in lost)
    refill(tx, rules, data.who, "turn-start")
    name = f"{data.resource}-{EXTRA}"
    tx.put(Track(track_id(data.who, name), data.who, name, remaining))


STAGES = stages_in(globals(), RESOURCE_REFILL)
