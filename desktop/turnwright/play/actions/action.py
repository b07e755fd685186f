"""An action in progress, from its command and open parameters to its cost, check and effects.

An action's data describes everything it does. `action_effects` contains the effects that need code, and
`reactions` the responses of targets.
"""

from collections.abc import Iterator

import msgspec

from turnwright.encounter.field_specs import ActionId, CombatantId, CombatantIds
from turnwright.encounter.prepared import Environment, EnvironmentEntry, Feature
from turnwright.encounter.procedure_state import Declaration, Procedure
from turnwright.encounter.procedure_state.actions import ACTION, FEATURE_STEPS, ActionInProgress, FeatureSteps
from turnwright.encounter.procedure_state.asks import FAILED, Ask, Option
from turnwright.encounter.running import Combatant, Duration, Effect, entry_state_id
from turnwright.encounter.state import Lookup
from turnwright.play.actions.action_effects import ACTION_EFFECTS, DELAY, READY, STRIDE
from turnwright.play.actions.contest import ask_numbers, begin_check, finish_check, takes_effect
from turnwright.play.actions.reactions import ask_responses
from turnwright.play.asking import declaration
from turnwright.play.attacks import attack_request
from turnwright.play.effects.concentration import concentrate
from turnwright.play.effects.ready_action import ignore_trigger, use_released_action
from turnwright.play.environment.environment_check import EnvironmentCheckPassed
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choices_of, data_of, goto
from turnwright.play.kernel.transaction import CombatantCommand, Refused, Transaction, command, copy_fields
from turnwright.play.state import action_economy, effect_records
from turnwright.play.state.events import ActionTaken, Skipped, Unaffected
from turnwright.rules.parts.actions.action_options import (
    ATTACK,
    MANIPULATE,
    NONE,
    POSTURE,
    action_option,
    action_vetoes,
    cost_for,
    feature_of,
    item_out_of_reach,
    price_of,
    resource_for,
    usable_items,
)
from turnwright.rules.parts.actions.triggered_features import steps_of
from turnwright.rules.parts.combatants.facts import DISABLE, disable_action, is_immune_to_traits
from turnwright.rules.parts.economy.limited_uses import counted_price, is_on_turn, paying_resource, use_key
from turnwright.rules.parts.environment.entries import entry_state, is_active
from turnwright.rules.system import Hook, HookContext, Veto, label_of, run_hooks
from turnwright.rules.system_data.numbers import ActionChoice, ActionOption, LeftEffect

ITEM = "item"  # the entry in `asks` of an action that uses an item
OTHER_ITEM = "something-else"  # an item that isn't listed; the note names it
ROLL, FINDS = "roll", "finds"


@journal("journal.ruled_out")
class ActionDisallowed(CombatantEvent, frozen=True):
    """The game master ruled an action out; nothing was spent on it."""

    what: str


def item_asks(tx: Transaction, data: ActionInProgress, option: ActionOption) -> list[Ask]:
    """Return the ask for the item to use, or an empty list if the command's note names the item."""
    if ITEM not in option.asks or data.note or data.choice:
        return []
    options = tuple(Option(usable_item.id, usable_item.name) for usable_item in usable_items(tx, tx.rules, data.who))
    rule = option.rule("access")
    return (
        [Ask(declaration.CHOICE, "choice", "ask.which_item", data.who, options=options, rule=rule)] if options else []
    )


def with_selected_item(tx: Transaction, data: ActionInProgress, option: ActionOption) -> ActionInProgress:
    """Return the action with the chosen item: its stat block feature, or a note with the item's name."""
    if ITEM not in option.asks or not data.choice:
        return data
    if data.choice == OTHER_ITEM:
        return msgspec.structs.replace(data, choice="")
    object_out_of_reach = item_out_of_reach(tx, tx.rules, data.who, data.choice)
    if object_out_of_reach is not None:
        name = object_out_of_reach.name or object_out_of_reach.id
        tx.forbid("refused.item_out_of_reach", option.rule("access"), who=label_of(tx, data.who), what=name)
        return msgspec.structs.replace(data, choice="", note=data.note or name)
    item = next((candidate for candidate in usable_items(tx, tx.rules, data.who) if candidate.id == data.choice), None)
    if item is None:
        raise Refused("refused.unknown", params={"what": data.choice})
    if item.feature is not None:
        return msgspec.structs.replace(data, action=item.feature.id, choice="")
    return msgspec.structs.replace(data, choice="", note=data.note or item.name)


def undiscovered_entries(lookup: Lookup) -> Iterator[tuple[Environment, EnvironmentEntry]]:
    """Yield each undiscovered secret together with its environment."""
    for place in lookup.all(Environment):
        for row in (*place.features, *place.actions):
            if row.secret and is_active(lookup, place, row) and not entry_state(lookup, place.id, row.id).revealed:
                yield place, row


def ask_discovered(
    tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption, answers: Answers
) -> Next:
    """Ask which secrets a successful search reveals, or return None if there are none."""
    answer = answers.get(ROLL)
    if option.trial is None or not option.trial.reveals or answer is None:
        return None
    secrets = [] if answer.skipped or FAILED in answer.chosen else list(undiscovered_entries(tx))
    if not secrets:
        return None
    options = tuple(Option(entry_state_id(place.id, row.id), row.name or row.id, place.name) for place, row in secrets)
    who, rule = label_of(tx, data.who), _search_rule(option)
    question = Ask(FINDS, "targets", "ask.finds", detail=who, options=options, rule=rule)
    return ask(tx, goto(procedure, ACTION.reveal_found, data), "prompt.finds", [question], subject=who)


def reveal(tx: Transaction, data: ActionInProgress, option: ActionOption, answers: Answers) -> None:
    """Reveal the secrets that the game master chose."""
    entry_ids = choices_of(answers, FINDS)
    for place, row in list(undiscovered_entries(tx)):
        if entry_state_id(place.id, row.id) in entry_ids:
            tx.update(entry_state(tx, place.id, row.id), revealed=True)
            who, rule = data.who, _search_rule(option)
            tx.emit(EnvironmentCheckPassed(environment=place.id, entry=row.id, who=who, secret=True, rule=rule))


def _search_rule(option: ActionOption) -> str:
    return (dict(option.trial.ledgers) if option.trial is not None else {}).get("reveals") or option.rule()


def declare(tx: Transaction, procedure: Procedure, data: ActionInProgress, answers: Answers) -> Next:
    """Refuse the action if a rule forbids it, then ask for the parameters that the command leaves open."""
    option = option_for(tx, data)
    if tx.get(Combatant, data.who) is None or declaration.is_cancelled(answers):
        tx.emit(Skipped(purpose="ask.action", who=data.who, detail=option.name))
        return None
    data = with_selected_item(tx, declaration.with_defaults(tx, data, answers), option)
    option = option_for(tx, data)
    choice = selected_choice(option, data.choice)
    if choice is not None and choice.outcome == declaration.REFUSED:
        tx.emit(ActionDisallowed(who=data.who, what=data.note or option.name, rule=option.rule()))
        return None
    if choice is not None and choice.outcome == declaration.IGNORED:
        ignore_trigger(tx, data.who, option)
        return None
    asks = item_asks(tx, data, option) or declaration.missing_parameters(tx, data, option)
    if asks:
        ask(tx, procedure, "prompt.action", asks, subject=option.name, rule=option.rule())
        return goto(procedure, ACTION.declare, _insisting(tx, data, option))
    return _announced(tx, goto(procedure, ACTION.pay_cost, data), option)


def _announced(tx: Transaction, procedure: Procedure, option: ActionOption) -> Procedure:
    """Declare an action if other combatants can react to it. Its parameters are already complete."""
    if not declaration.needs_declaration(tx, procedure):
        return procedure
    data = _insisting(tx, data_of(procedure, ActionInProgress), option)
    cost = cost_for(tx, tx.rules, data.who, option, data.cost)
    reserved = declaration.reserved_for(tx, data.who, resource_for(tx, data.who, option, cost), price_of(option, cost))
    reserved = (*reserved, *declaration.reserved_points(tx, data.who, option.id, option.spends))
    own = Declaration("", data.who, procedure.id, data.note or option.name, "", reserved, data.targets)
    own = msgspec.structs.replace(own, is_movement=option.done == STRIDE, rules_overridden=data.rules_overridden)
    return declaration.declare_action(tx, goto(procedure, ACTION.pay_cost, data, rules_overridden=True), own)


def _insisting(tx: Transaction, data: ActionInProgress, option: ActionOption) -> ActionInProgress:
    """Refuse the action if a rule forbids it, or note that the game master overrides the rule."""
    if data.rules_overridden or data.included:
        return data
    vetoes = action_vetoes(tx, tx.rules, data.who, option, data)
    if "note" in option.asks and not data.note:
        vetoes = (*vetoes, Veto("refused.no_trigger", option.rule()))
    if option.prices and data.points is not None and data.points not in option.prices:
        vetoes = (*vetoes, Veto("refused.no_such_price", option.rule(), (("what", option.name), ("n", data.points))))
    feature = _feature(tx, data)
    if feature is not None:
        vetoes = (*vetoes, *action_economy.use_vetoes(tx, tx.rules, data.who, feature))
    tx.forbid_by(vetoes)
    return msgspec.structs.replace(data, rules_overridden=bool(vetoes))


def _feature(tx: Transaction, data: ActionInProgress) -> Feature | None:
    """Return the stat block feature behind an action, or None for an action that every combatant has."""
    return feature_of(tx, data.who, data.action) if data.action not in tx.rules.actions else None


def pay_cost(tx: Transaction, procedure: Procedure, data: ActionInProgress, answers: Answers) -> Next:
    """Spend the action's cost and report it. Refuse if a rule forbids the action."""
    option = option_for(tx, data)
    data = _insisting(tx, data, option)
    cost = cost_for(tx, tx.rules, data.who, option, data.cost)
    resource = resource_for(tx, data.who, option, cost)
    if cost == ATTACK:
        attack_request.spend_attack(tx, data.who)
    else:
        action_economy.deduct(
            tx, data.who, resource, price_of(option, cost), is_action=not option.gives or is_on_turn(tx, data.who)
        )
    action_economy.deduct_pools(tx, data.who, option.id, option.spends)
    if option.gives:
        action_economy.convert_points(tx, data.who, option.gives, option.price, option.rule("cap"))
    _draw_on(tx, data)
    price = counted_price(tx.rules, resource, price_of(option, cost))
    is_free = resource in tx.rules.resources and not price and tx.rules.resources[resource].amount > 1
    tx.emit(
        ActionTaken(
            who=data.who,
            action=option.name,
            cost="" if is_free else paying_resource(tx, tx.rules, data.who, resource),
            note="" if option.done == READY else data.note,  # the line of the readied action includes its trigger
            targets=() if option.targets == "observers" else data.targets,
            about=data.about,
            price=price,
            rule=_rule(tx, data, option, resource),
            bookkeeping=option.done == DELAY or (is_free and option.done == STRIDE),  # both have separate lines
        )
    )
    if option.provokes and option.provokes != POSTURE and option.done != STRIDE and _is_answered(tx, procedure, option):
        data = msgspec.structs.replace(data, answered="asked")
    data = msgspec.structs.replace(data, cost=cost)
    if option.exertion is not None:
        apply_effects(tx, data, option, data.targets)
    return goto(procedure, ACTION.ask_values, data)


def _is_answered(tx: Transaction, procedure: Procedure, option: ActionOption) -> bool:
    """Begin enemies' reactions to an action, and return whether there are any."""
    who = data_of(procedure, ActionInProgress).who
    tags = (option.id,) if option.provokes == MANIPULATE else (option.id, "moving")
    acted = run_hooks(tx, tx.rules, Hook.FOE_ACTED, HookContext(who, "action", tags=tags))
    effect_records.start_followups(tx, acted, procedure.id)
    return bool(acted.procedures)


def option_for(tx: Transaction, data: ActionInProgress) -> ActionOption:
    """Return the option behind an action in progress, at the cost entered for it.

    An included action and a feature of the current multiattack cost nothing.
    """
    option = action_option(tx, tx.rules, data.who, data.action)
    feature = _feature(tx, data)
    if data.included:
        option = msgspec.structs.replace(option, cost=NONE, costs=(), price=1, spends=())
    elif feature is not None and attack_request.is_paid_by_multiattack(tx, tx.rules, data.who, feature):
        option = msgspec.structs.replace(option, cost=NONE, costs=(), price=1)
    option = disable_action(tx, tx.rules, option, data.targets, data.check, data.dc)
    return option if data.points is None or option.price else msgspec.structs.replace(option, price=data.points)


def _draw_on(tx: Transaction, data: ActionInProgress) -> None:
    """Spend a feature's use, start its recharge, and start the concentration that it needs.

    If attacks have no price in this system, also add the attacks that the feature grants. Before a device is disabled,
    its stat block's text on this is shown.
    """
    feature = _feature(tx, data)
    for target in data.targets if option_for(tx, data).done == DISABLE else ():
        if (means := feature_of(tx, target, DISABLE)) is not None:
            tx.emit(attack_request.FeatureReminded(who=target, feature=means.name, text=means.text))
    if feature is not None:
        action_economy.spend_use(tx, data.who, use_key(feature), feature.name)
        if not data.included:
            attack_request.count_in_multiattack(tx, data.who, feature)
        if feature.concentration:
            concentrate(tx, data.who, feature.name)
        attack_request.grant_attacks(tx, data.who, feature)


def _rule(tx: Transaction, data: ActionInProgress, option: ActionOption, resource: str) -> str:
    if option.free:
        return option.rule() if option.leaves else tx.rule_id("turn.free-actions")
    if resource == "reaction" and not is_on_turn(tx, data.who) and not option.ledger:
        return tx.rule_id("round.off-turn")
    return option.rule()


def ask_values(tx: Transaction, procedure: Procedure, data: ActionInProgress, answers: Answers) -> Next:
    """Ask for unknown DCs of the action's check, and whether a target lets it succeed."""
    option = option_for(tx, data)
    if tx.get(Combatant, data.who) is None:
        tx.emit(Skipped(purpose="ask.action", who=data.who, detail=option.name))
        return None
    if declaration.is_disrupted(tx, data.who, option.name, data.answered):
        return None
    data, waiting = ask_numbers(tx, procedure, data, option, answers)
    return goto(procedure, ACTION.ask_values if waiting else ACTION.ask_check, data)


def ask_check(tx: Transaction, procedure: Procedure, data: ActionInProgress, answers: Answers) -> Next:
    """Ask for the roll of the action's check, if it has one."""
    return goto(procedure, ACTION.finish, begin_check(tx, procedure, data, option_for(tx, data)))


def finish(tx: Transaction, procedure: Procedure, data: ActionInProgress, answers: Answers) -> Next:
    """Record the check, apply the action's effects, and ask its targets for their responses."""
    option = option_for(tx, data)
    data = finish_check(tx, data, option, answers)
    if takes_effect(option, data):
        against = option.trial is not None and bool(option.trial.against)
        if option.exertion is None:
            apply_effects(tx, data, option, data.succeeded if against else data.targets)
        feature = _feature(tx, data)
        if feature is not None and steps_of(feature, paid=tx.rules.data.attack.priced):
            begin(tx, FEATURE_STEPS.next_step, FeatureSteps(data.who, feature.id, data.targets), procedure.id)
        if option.done:
            after = ACTION_EFFECTS[option.done](tx, procedure, data, option)
            if after is not None:
                return after
        if option.provokes == POSTURE:
            _is_answered(tx, procedure, option)
    elif data.degree:
        by_degree = tuple(leave for leave in option.leaves if leave.degree)
        apply_effects(tx, data, msgspec.structs.replace(option, effect="", leaves=by_degree), data.failed)
    return ask_discovered(tx, procedure, data, option, answers) or ask_responses(
        tx, goto(procedure, ACTION.after_responses, data), option
    )


def reveal_found(tx: Transaction, procedure: Procedure, data: ActionInProgress, answers: Answers) -> Next:
    """Reveal the results of a search, and ask the targets for their responses."""
    option = option_for(tx, data)
    reveal(tx, data, option, answers)
    return ask_responses(tx, goto(procedure, ACTION.after_responses, data), option)


def apply_effects(tx: Transaction, data: ActionInProgress, option: ActionOption, targets: tuple[str, ...]) -> None:
    """Apply the effects of an action to their targets. Creatures immune to one of its traits get none."""
    for target in targets:
        if is_immune_to_traits(tx, tx.rules, target, option.properties, option.properties):
            tx.emit(Unaffected(who=target, what=option.name, reason="why.immune", rule=tx.rule_id("immunity.type")))
            targets = tuple(each for each in targets if each != target)
    if option.effect:
        effect_records.put_action_effect(tx, option, data.who, data.who)
    for leaving in option.leaves:
        if (leaving.only and leaving.only != data.choice) or (leaving.degree and leaving.degree != data.degree):
            continue
        for target in targets if "target" in (leaving.on, leaving.by) else ("",):
            if not target or tx.get(Combatant, target) is not None:
                _leave(tx, data, option, leaving, target)


def _leave(tx: Transaction, data: ActionInProgress, option: ActionOption, leaving: LeftEffect, target: str) -> None:
    affected = target if leaving.on == "target" else data.who
    by = {"": "", "self": data.who, "target": target, "about": data.about}[leaving.by]
    ends = Duration(leaving.ends, "" if leaving.ends in ("turn", "never") else data.who)
    if leaving.value:
        effect_records.put_condition(
            tx, affected, leaving.effect, value=leaving.value, ends=ends, source=option.name, by=by, rule=option.rule()
        )
        return
    choice = selected_choice(option, data.choice)
    effect = Effect(
        effect_records.effect_id_for(tx, affected, leaving.effect, by),
        affected,
        leaving.effect,
        source=option.name,
        value={"total": data.total, "choice": choice.value if choice else 0}.get(leaving.keeps, 0),
        ends=ends,
        shown=leaving.shown,
        by=by,
        uses_left=leaving.uses,
        end_condition=data.note if leaving.keeps == "note" else "",
    )
    if leaving.shown and affected != data.who:
        effect_records.begin_effect(tx, effect, option.rule("result"))
    else:
        effect_records.put_effect(tx, effect)  # the action's line already reports it


def selected_choice(option: ActionOption, id: str) -> ActionChoice | None:
    """Return the choice of an action with this id, or None."""
    return next((choice for choice in option.choices if choice.id == id), None)


@command(
    script="act {who} (other {action:text} | {action}) [on {targets}] [about {about}] [cost {cost:cost}] "
    "[how {choice:variant}] [points {points}] [note {note:rest} | {note}]"
)
class TakeAction(CombatantCommand, frozen=True):
    """Take an action, such as `dash`, and pay its cost. Out of turn, the cost is a reaction.

    `cost` is the chosen cost if there are several. `choice` is the chosen variant of the action (a basic maneuver, a
    skill). `about` is the enemy against whom an ally is helped. `points` is the cost if the action leaves it open.
    """

    action: ActionId
    note: str = ""
    targets: CombatantIds = ()
    cost: str = ""
    choice: str = ""
    about: CombatantId = ""
    points: int | None = None

    def handle(self, tx: Transaction) -> None:
        """Take an action of the rule system, a feature, or anything else that costs an action."""
        option = action_option(tx, tx.rules, self.who, self.action)
        action_economy.require_no_open_action(tx, self.who, reacts=option.cost == "reaction")
        action = copy_fields(ActionInProgress, self, targets=tuple(dict.fromkeys(self.targets)))
        declaration.begin_action(tx, use_released_action(tx, action))
