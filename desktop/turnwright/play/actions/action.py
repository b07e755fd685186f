"""An action in progress: its open parameters, cost, item, check and effects, and the command that takes it.

An action's data describes everything it does. `action_effects` contains the effects that need code, and
`maneuver_responses` the responses of targets.

Using a spell, a breath or another feature without an attack roll.

Commands of a controller to the creatures it controls.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from turnwright.battlemap.paths import contiguous
from turnwright.encounter.field_specs import ActionId, CombatantId, CombatantIds, FeatureId, SpellId
from turnwright.encounter.prepared import Creature, Environment, EnvironmentEntry, Feature
from turnwright.encounter.procedure_state import Procedure, attacks
from turnwright.encounter.procedure_state.actions import ACTION, FEATURE_STEPS, ActionInProgress, FeatureSteps
from turnwright.encounter.procedure_state.asks import FAILED, Ask, Option
from turnwright.encounter.procedure_state.attacks import SaveEffect
from turnwright.encounter.running import Combatant, Duration, Effect, entry_state_id
from turnwright.encounter.state import Lookup
from turnwright.play.actions.action_effects import ACTION_EFFECTS, DELAY, READY, STRIDE
from turnwright.play.actions.contest import ask_numbers, begin_check, finish_check, takes_effect
from turnwright.play.actions.reactions import ask_responses
from turnwright.play.asking.declaration import (
    CHOICE,
    IGNORED,
    REFUSED,
    begin_action,
    declare_action,
    is_cancelled,
    missing_parameters,
    needs_declaration,
    reserved_for,
    reserved_points,
    with_defaults,
)
from turnwright.play.attacks.attack_request import attacks_left, set_attacks_left, spend_attack
from turnwright.play.attacks.group_attack import able_members
from turnwright.play.attacks.save_effect import unknown_feature_costs
from turnwright.play.effects.concentration import concentrate
from turnwright.play.effects.ready_action import ignore_trigger, is_holding_spell, release_held_spell, release_vetoes
from turnwright.play.environment.environment_effect import EnvironmentCheckPassed
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choices_of, data_of, goto
from turnwright.play.kernel.transaction import (
    Command,
    Refused,
    Transaction,
    command,
    copy_fields,
    require,
    require_targets,
)
from turnwright.play.state.action_economy import (
    convert_points,
    deduct,
    deduct_pools,
    require_no_open_action,
    require_turn,
    spend,
    spend_use,
    use_vetoes,
)
from turnwright.play.state.effect_records import (
    begin_effect,
    effect_id_for,
    put_action_effect,
    put_condition,
    put_effect,
    start_followups,
)
from turnwright.play.state.events import ActionTaken, Skipped
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.action_options import (
    ATTACK,
    NONE,
    action_option,
    action_vetoes,
    all_cost_vetoes,
    casting_time_vetoes,
    cost_for,
    feature_of,
    group_of,
    item_out_of_reach,
    price_of,
    resource_for,
    uncommanded_vetoes,
    usable_items,
)
from turnwright.rules.parts.actions.spell_features import caster_of, raised, spell_feature
from turnwright.rules.parts.actions.triggered_features import out_of_range_vetoes, steps_of
from turnwright.rules.parts.attacks.attack_rolls import SPELL
from turnwright.rules.parts.attacks.attack_targeting import is_spell
from turnwright.rules.parts.combatants.facts import cannot_act_vetoes, disable_action
from turnwright.rules.parts.economy.limited_uses import (
    LEGENDARY,
    can_be_reacted_to,
    counted_price,
    is_on_turn,
    known_cost,
    out_of_turn_vetoes,
    paying_resource,
    pool_vetoes,
    use_key,
)
from turnwright.rules.parts.environment.entries import entry_state, is_active
from turnwright.rules.system import Hook, HookContext, Veto, creature_of, label_of, run_hooks
from turnwright.rules.system_data.numbers import ActionChoice, ActionOption, LeftEffect, Spell

ITEM = "item"  # the entry in `asks` of an action that uses an item
OTHER_ITEM = "something-else"  # an item that isn't listed; the note names it
ROLL, FINDS = "roll", "finds"


@journal("journal.ruled_out")
class ActionDisallowed(Event, frozen=True):
    """The game master ruled an action out; nothing was spent on it."""

    who: CombatantId
    what: str


def item_asks(tx: Transaction, data: ActionInProgress, option: ActionOption) -> list[Ask]:
    """Return the ask for the item to use, or an empty list if the command's note names the item."""
    if ITEM not in option.asks or data.note or data.choice:
        return []
    options = tuple(Option(usable_item.id, usable_item.name) for usable_item in usable_items(tx, tx.rules, data.who))
    rule = option.rule("access")
    return [Ask(CHOICE, "choice", "ask.which_item", data.who, options=options, rule=rule)] if options else []


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
    if tx.get(Combatant, data.who) is None or is_cancelled(answers):
        tx.emit(Skipped(purpose="ask.action", who=data.who, detail=option.name))
        return None
    data = with_selected_item(tx, with_defaults(tx, data, answers), option)
    option = option_for(tx, data)
    choice = selected_choice(option, data.choice)
    if choice is not None and choice.outcome == REFUSED:
        tx.emit(ActionDisallowed(who=data.who, what=data.note or option.name, rule=option.rule()))
        return None
    if choice is not None and choice.outcome == IGNORED:
        ignore_trigger(tx, data.who, option)
        return None
    asks = item_asks(tx, data, option) or missing_parameters(tx, data, option)
    if asks:
        ask(tx, procedure, "prompt.action", asks, subject=option.name, rule=option.rule())
        return goto(procedure, ACTION.declare, _insisting(tx, data, option))
    return _announced(tx, goto(procedure, ACTION.pay_cost, data), option)


def _announced(tx: Transaction, procedure: Procedure, option: ActionOption) -> Procedure:
    """Declare an action if other combatants can react to it. Its parameters are already complete."""
    if not needs_declaration(tx, procedure):
        return procedure
    data = _insisting(tx, data_of(procedure, ActionInProgress), option)
    cost = cost_for(tx, tx.rules, data.who, option, data.cost)
    reserved = reserved_for(tx, data.who, resource_for(tx, data.who, option, cost), price_of(option, cost))
    waiting = goto(procedure, ACTION.pay_cost, data, rules_overridden=True)
    return declare_action(
        tx,
        waiting,
        data.who,
        data.note or option.name,
        (*reserved, *reserved_points(tx, data.who, option.id, option.spends)),
        targets=data.targets,
        is_move=option.done == STRIDE,
        insisted=data.rules_overridden,
    )


def _insisting(tx: Transaction, data: ActionInProgress, option: ActionOption) -> ActionInProgress:
    """Refuse the action if a rule forbids it, or note that the game master overrides the rule."""
    if data.rules_overridden or data.included:
        return data
    vetoes = action_vetoes(
        tx, tx.rules, data.who, option, data.targets, about=data.about, cost=data.cost, choice=data.choice
    )
    if "note" in option.asks and not data.note:
        vetoes = (*vetoes, Veto("refused.no_trigger", option.rule()))
    if option.prices and data.points is not None and data.points not in option.prices:
        vetoes = (*vetoes, Veto("refused.no_such_price", option.rule(), (("what", option.name), ("n", data.points))))
    feature = _feature(tx, data)
    if feature is not None:
        vetoes = (*vetoes, *use_vetoes(tx, tx.rules, data.who, feature))
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
        spend_attack(tx, data.who)
    else:
        deduct(tx, data.who, resource, price_of(option, cost), is_action=not option.gives or is_on_turn(tx, data.who))
    deduct_pools(tx, data.who, option.id, option.spends)
    if option.gives:
        convert_points(tx, data.who, option.gives, option.price, option.rule("cap"))
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
    if option.provokes and option.done != STRIDE:
        acted = run_hooks(tx, tx.rules, Hook.FOE_ACTED, HookContext(data.who, "action", tags=(option.id,)))
        start_followups(tx, acted, procedure.id)
    data = msgspec.structs.replace(data, cost=cost)
    if option.exertion is not None:
        apply_effects(tx, data, option, data.targets)
    return goto(procedure, ACTION.ask_values, data)


def option_for(tx: Transaction, data: ActionInProgress) -> ActionOption:
    """Return the option behind an action in progress, at the cost entered for it. An included action costs nothing."""
    option = action_option(tx, tx.rules, data.who, data.action)
    if data.included:
        option = msgspec.structs.replace(option, cost=NONE, costs=(), price=1, spends=())
    option = disable_action(tx, tx.rules, option, data.targets, data.check, data.dc)
    return option if data.points is None or option.price else msgspec.structs.replace(option, price=data.points)


def _draw_on(tx: Transaction, data: ActionInProgress) -> None:
    """Spend a feature's use, start its recharge, and start the concentration that it needs.

    If attacks have no price in this system, also add the attacks that the feature grants.
    """
    feature = _feature(tx, data)
    if feature is not None:
        spend_use(tx, data.who, use_key(feature), feature.name)
        if feature.concentration:
            concentrate(tx, data.who, feature.name)
        if feature.attacks and not tx.rules.data.attack.priced:
            set_attacks_left(tx, data.who, attacks_left(tx, data.who) + feature.attacks)


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
    """Apply the effects of an action to their targets."""
    if option.effect:
        put_action_effect(tx, option, data.who, data.who)
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
        put_condition(
            tx, affected, leaving.effect, value=leaving.value, ends=ends, source=option.name, by=by, rule=option.rule()
        )
        return
    choice = selected_choice(option, data.choice)
    effect = Effect(
        effect_id_for(tx, affected, leaving.effect, by),
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
        begin_effect(tx, effect, option.rule("result"))
    else:
        put_effect(tx, effect)  # the action's line already reports it


def selected_choice(option: ActionOption, id: str) -> ActionChoice | None:
    """Return the choice of an action with this id, or None."""
    return next((choice for choice in option.choices if choice.id == id), None)


@command(
    script="act {who} (other {action:text} | {action}) [on {targets}] [about {about}] [cost {cost:cost}] "
    "[how {choice:variant}] [points {points}] [note {note:rest} | {note}]"
)
class TakeAction(Command, frozen=True):
    """Take an action, such as `dash`, and pay its cost. Out of turn, the cost is a reaction.

    `cost` is the chosen cost if there are several. `choice` is the chosen variant of the action (a basic maneuver, a
    skill). `about` is the enemy against whom an ally is helped. `points` is the cost if the action leaves it open.
    """

    who: CombatantId
    action: ActionId
    note: str = ""
    targets: CombatantIds = ()
    cost: str = ""
    choice: str = ""
    about: CombatantId = ""
    points: int | None = None

    def handle(self, tx: Transaction) -> None:
        """Take an action of the rule system, a feature, or anything else that costs an action."""
        require_no_open_action(tx, self.who)
        begin_action(tx, copy_fields(ActionInProgress, self, targets=tuple(dict.fromkeys(self.targets))))


Cube: TypeAlias = tuple[int, int, int]
FREE = "free"


def parse_cubes(text: str) -> tuple[Cube, ...]:
    """Parse a list of cubes such as `0,0,0 1,0,0 1,0,1`. Raise ValueError if it is malformed."""
    return tuple(_cube(cube) for cube in text.replace(";", " ").split())


def _cube(text: str) -> Cube:
    column, row, layer = (int(number) for number in text.split(","))
    return column, row, layer


@command(
    script="feature {who} {feature,spell} [on {targets}] [as {purpose}] [level {level}] [excluding {exempt:exempt}] "
    "[burning {objects:objects}] [cubes {cubes:cubes}]"
)
class UseFeature(Command, frozen=True):
    """Use a feature without an attack roll, such as a spell or breath, and apply its save, damage and conditions.

    `given` describes a feature that isn't in the stat block, and `spell` is the id of a spell of the rule system.
    `level` is the level of the spell slot (None: the spell's own level). `cubes` are the positions of an area's cubes
    along three axes. `exempt` are creatures in the area that aren't affected (`plant`: all plants), and `objects` are
    the map's obstacles in the area. `action` is the listed action used for the feature. `cost` replaces the feature's
    own cost, as for a spell that takes a minute to cast.
    """

    who: CombatantId
    feature: FeatureId = ""
    given: Feature | None = None
    spell: SpellId = ""
    targets: CombatantIds = ()
    level: int | None = None
    cubes: tuple[tuple[int, int, int], ...] = ()
    exempt: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    purpose: Literal["", "readied", "commanded", "legendary", "free"] = ""
    action: ActionId = ""
    cost: str = ""

    def handle(self, tx: Transaction) -> None:
        """Use a feature or a spell: pay for it, then ask for its targets' saves."""
        who = tx.need(Combatant, self.who)
        feature, spell = _feature_of(self, tx)
        require_no_open_action(tx, who.id)
        tx.forbid_by(feature_vetoes(tx, self, feature))
        announced = can_be_reacted_to(tx, tx.rules) and not self.purpose and not self.action
        asks_cost = not announced and _pays_own_cost(self, feature) and bool(unknown_feature_costs(tx, who.id, feature))
        if not announced and not asks_cost:
            _pay(tx, self, feature)
            if feature.concentration:
                concentrate(tx, who.id, feature.name)
        effect = SaveEffect(
            (who.id,),
            feature,
            targets=tuple(dict.fromkeys(self.targets)),
            save=feature.save,
            dc=feature.dc,
            half_on_save=feature.half,
            level=self.level,
            spell=spell,
            excluded=self.exempt,
            obstacles=self.objects,
        )
        stage = attacks.SAVE_EFFECT.pay_cost if asks_cost else attacks.SAVE_EFFECT.ask_missing
        procedure = begin(tx, attacks.SAVE_EFFECT.declare_feature if announced else stage, effect)
        if spell or is_spell(feature):
            acted = run_hooks(tx, tx.rules, Hook.FOE_ACTED, HookContext(who.id, "feature", tags=(SPELL,)))
            start_followups(tx, acted, procedure.id)


def _pays_own_cost(command: UseFeature, feature: Feature) -> bool:
    """Return whether a feature's own cost pays for it, rather than an action, a reaction or a lair."""
    return command.purpose in ("", "commanded") and not command.action and feature.cost not in ("legendary", "lair")


def feature_vetoes(tx: Transaction, command: UseFeature, feature: Feature) -> tuple[Veto, ...]:
    """Return the reasons that forbid using a feature as commanded."""
    who = command.who
    vetoes = [*(cannot_act_vetoes(tx, tx.rules, who) or _purpose_vetoes(tx, command, feature))]
    vetoes += () if command.action else casting_time_vetoes(tx.rules, feature)
    if not (command.purpose == "readied" and is_holding_spell(tx, tx.rules, who)):
        vetoes += use_vetoes(tx, tx.rules, who, feature, command.level)
        vetoes += pool_vetoes(tx, tx.rules, who, feature.id, feature.spends)
    if command.action:
        vetoes += all_cost_vetoes(tx, tx.rules, who, action_option(tx, tx.rules, who, command.action), command.cost)
    if not (feature.area or command.cubes):  # an area may reach behind cover, and beyond the range of its origin
        others = [target for target in command.targets if target != who]
        cover_vetoes = (positions.total_cover_vetoes(tx, tx.rules, who, target) for target in others)
        vetoes += [veto for veto in cover_vetoes if veto is not None]
        for target in command.targets:
            vetoes += out_of_range_vetoes(tx, tx.rules, who, feature, target)
    spell = next((shipped for shipped in tx.rules.data.spells if shipped.id == command.spell), None)
    if spell is not None and spell.cubes and command.cubes:
        rule = spell.rule("area")
        if len(set(command.cubes)) != spell.cubes:
            vetoes.append(Veto("refused.cubes", rule, (("count", spell.cubes),)))
        elif not contiguous(command.cubes):
            vetoes.append(Veto("refused.cubes_apart", rule))
    return tuple(vetoes)


def _purpose_vetoes(tx: Transaction, command: UseFeature, feature: Feature) -> tuple[Veto, ...]:
    """Return the vetoes against using a feature readied, on command or out of turn."""
    if command.purpose == "readied":
        return release_vetoes(tx, tx.rules, command.who, feature)
    if command.purpose == "commanded":
        return uncommanded_vetoes(tx, tx.rules, command.who)
    return out_of_turn_vetoes(tx, tx.rules, command.who) if command.purpose == FREE else ()


def _feature_of(command: UseFeature, tx: Transaction) -> tuple[Feature, str]:
    """Return the feature to use: from the stat block, from the command, or a shipped spell together with its id."""
    spell = next((shipped for shipped in tx.rules.data.spells if shipped.id == command.spell), None)
    if spell is not None:
        return _cast(spell, command, creature_of(tx, tx.need(Combatant, command.who))), spell.id
    if command.given is not None:
        return command.given, ""
    creature = creature_of(tx, tx.need(Combatant, command.who))
    feature = next((owned for owned in creature.features if owned.id == command.feature), None)
    if feature is None:
        raise Refused("refused.unknown", params={"what": command.feature or command.spell or "?"})
    if command.level and is_spell(feature):
        listed = next((spell for spell in tx.rules.data.spells if spell.name.lower() == feature.name.lower()), None)
        feature = raised(feature, listed, command.level) if listed is not None else feature
    return feature, ""


def _cast(spell: Spell, command: UseFeature, creature: Creature) -> Feature:
    """Convert a shipped spell to a feature with the details entered for it. Unknown details stay open."""
    usual = spell_feature(spell, caster_of(creature), level=command.level or 0)
    damage = "" if spell.attack else usual.damage or ("" if spell.save or spell.grows else spell.damage)
    given = command.given or msgspec.structs.replace(usual, attack=None, damage=damage, properties=())
    entered = msgspec.structs.replace(given, damage=given.damage or damage)
    if given.save or not usual.save:
        return entered
    return msgspec.structs.replace(
        entered,
        save=usual.save,
        dc=usual.dc,
        half=usual.half,
        concentration=given.concentration or usual.concentration,
        afflictions=given.afflictions or usual.afflictions,
    )


def _pay(tx: Transaction, command: UseFeature, feature: Feature) -> None:
    if command.purpose == "readied":
        spend(tx, command.who, "reaction")
        if release_held_spell(tx, command.who):
            return  # its slot was spent when it was readied
    elif command.purpose == "legendary" or feature.cost == "legendary":
        spend_use(tx, command.who, LEGENDARY, feature.name, feature.price)
    elif command.action:  # its vetoes have already been checked
        option = action_option(tx, tx.rules, command.who, command.action)
        cost = cost_for(tx, tx.rules, command.who, option, command.cost)
        deduct(tx, command.who, resource_for(tx, command.who, option, cost), price_of(option, cost))
    elif command.purpose != FREE and feature.cost != "lair":
        if feature.cost == FREE:
            require_turn(tx, command.who)
        spend(tx, command.who, feature.cost, known_cost(tx, command.who, feature.id, feature.price) or 0)
    deduct_pools(tx, command.who, feature.id, feature.spends)
    spend_use(tx, command.who, use_key(feature, command.level), feature.name)


@command(script="direct {who} {creatures} to {action:order} [against {target}]")
class CommandFollowers(Command, frozen=True):
    """Command controlled creatures to act, usually with the controller's bonus action."""

    who: CombatantId
    creatures: CombatantIds
    action: ActionId
    target: CombatantId = ""

    def handle(self, tx: Transaction) -> None:
        """Command one controlled creature or one group. Its actions this turn follow as separate commands."""
        require(tx.rules.data.groups.command_cost, "refused.no_commands")
        members = tuple(tx.need(Combatant, who) for who in require_targets(self.creatures))
        rule = tx.rule_id("control.command")
        for controlled in members:
            if controlled.controller != self.who:
                tx.forbid("refused.not_yours", rule, who=controlled.label, by=label_of(tx, self.who))
        together = {group_member.id for group_member in group_of(tx, members[0].id)} | {members[0].id}
        if any(member.id not in together and not member.dead for member in members):
            tx.forbid("refused.not_one_group", rule, feet=tx.rules.data.groups.within)
        members = tuple(tx.need(Combatant, who) for who in able_members(tx, tuple(member.id for member in members)))
        spend(tx, self.who, tx.rules.data.groups.command_cost)
        for follower in members:
            order = Effect(
                tx.next_id("effect"),
                follower.id,
                tx.role("commanded"),
                source=label_of(tx, self.who),
                ends=Duration("turn"),
                by=self.target,
                end_condition=self.action,
            )
            put_effect(tx, order)
        who, action, target = self.who, self.action, self.target
        creatures = tuple(member.id for member in members)
        tx.emit(FollowersCommanded(who=who, creatures=creatures, action=action, target=target, rule=rule))


@journal("journal.commanded", when={"target": "journal.commanded_against"})
class FollowersCommanded(Event, frozen=True):
    """A controller commanded creatures to act."""

    who: CombatantId
    creatures: CombatantIds
    action: str
    target: CombatantId = ""
