"""Initiative: asking for totals, breaking ties, and assigning slots in the turn order.

Each tie breaker adds a number to a slot's `tie_rolls`. The highest goes first, and the next tie breaker breaks the
remaining ties.
"""

from collections.abc import Collection, Iterable

import msgspec

from turnwright.encounter import field_specs, prepared
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, AskResult, Option, Prompt, choice_ask, roll_ask
from turnwright.encounter.procedure_state.movement import STAY_SEATED, ForcedDismount
from turnwright.encounter.procedure_state.turn_order import INITIATIVE, Initiative
from turnwright.encounter.procedure_state.turns import ROUND, TURN_START, RoundStart, TurnStart
from turnwright.encounter.roles import is_character
from turnwright.encounter.running import Clock, Combatant, Effect, Slot
from turnwright.encounter.state import (
    Lookup,
    active_slot,
    clock_of,
    grouped,
    is_out_of_play,
    slot_of,
    slot_sort_key,
    slots_in_order,
)
from turnwright.play.kernel.events import CombatantEvent, Event, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_effect, put_condition
from turnwright.play.state.events import Rolled, Skipped
from turnwright.rules.parts.actions.action_options import group_of
from turnwright.rules.parts.checks.ability_checks import initiative_roll, initiative_score, initiative_tie_roll
from turnwright.rules.parts.combatants.facts import followers_of, is_follower
from turnwright.rules.parts.movement import move_legs
from turnwright.rules.system import RuleSystem, creature_of, label_of

SIDE = "side."  # begins the ids of asks for the rollers
TIE, TIE_ORDER = "ask.tie", "ask.tie_order"
ROLL, ASK, DUE = "roll", "ask", "due"


def tied_groups(lookup: Lookup) -> list[list[Slot]]:
    """Return groups of slots that are still tied. Slots whose members are all out of play don't count."""
    in_play = (slot for slot in lookup.all(Slot) if has_member_present(lookup, slot))
    groups = grouped(((slot.count, (slot.fixed, slot.first_actor), slot.tie_rolls), slot) for slot in in_play)
    tied = []
    for (count, fixed, ties), slots in groups.items():
        deeper = any(  # the slot rolled before another joined the tie
            other.tie_rolls[: len(ties)] == ties and len(other.tie_rolls) > len(ties)
            for key, same_total in groups.items()
            if key[:2] == (count, fixed)
            for other in same_total
        )
        if len(slots) > 1 or deeper:
            tied.append(slots)
    return tied


def tie_breaker_for(rules: RuleSystem, slots: list[Slot]) -> str:
    """Return the next tie breaker for tied slots, after those already applied."""
    breakers = rules.data.initiative.ties
    return breakers[min(len(slots[0].tie_rolls), len(breakers) - 1)]


def break_ties(tx: Transaction) -> list[Ask]:
    """Apply the automatic tie breakers, and return the asks for the remaining ties."""
    while True:
        waiting = []
        settled = True
        for slots in tied_groups(tx):
            breaker = tie_breaker_for(tx.rules, slots)
            level = [slot for slot in tx.all(Slot) if _is_level(slot, slots[0])]
            if breaker == ASK and _are_copies(tx, level):
                settled = False
                for place, slot in enumerate(slots, len(level) - len(slots)):  # newcomers come last
                    tx.update(slot, tie_rolls=(*slot.tie_rolls, -place))
            elif breaker == ROLL or (breaker == ASK and len(slots) > 1):
                waiting.append((breaker, slots))
            elif breaker != DUE and len(slots[0].tie_rolls) < len(tx.rules.data.initiative.ties):
                settled = False
                for slot, rank in zip(slots, _ranks(tx, breaker, slots), strict=True):
                    tx.update(slot, tie_rolls=(*slot.tie_rolls, rank))
        if settled:
            asks = [ask for breaker, slots in waiting for ask in _asks(tx, breaker, slots)]
            places = {slot.id: place for place, slot in enumerate(tx.all(Slot))}
            return sorted(asks, key=lambda ask: places.get(ask.id, len(places)))


def _is_level(slot: Slot, other: Slot) -> bool:
    """Return whether a slot has the count of another, and its tie rolls so far."""
    is_alike = (slot.count, slot.fixed, slot.first_actor) == (other.count, other.fixed, other.first_actor)
    return is_alike and slot.tie_rolls[: len(other.tie_rolls)] == other.tie_rolls


def _are_copies(lookup: Lookup, slots: list[Slot]) -> bool:
    """Return whether tied slots contain only copies of one roster entry without a player, in whatever order."""
    members = [lookup.need(Combatant, who) for slot in slots for who in slot.members]
    kinds = {(member.creature, member.roster, member.side) for member in members}
    return len(kinds) == 1 and not any(is_character(lookup, member) for member in members)


def _break_side_ties(tx: Transaction, answers: Answers) -> list[Ask]:
    """Give each side the place chosen for it, and return the asks for the order of sides with equal totals."""
    slots = [slot for slot in tx.all(Slot) if has_member_present(tx, slot)]
    for chosen in [slot for slot in slots if any(slot.id in answer.chosen for answer in answers.values())]:
        for slot in slots:
            if (slot.count, slot.fixed, _side_of(tx, slot)) == (chosen.count, chosen.fixed, _side_of(tx, chosen)):
                tx.update(slot, tie_rolls=chosen.tie_rolls)
    placed = grouped((_tie_key(slot), slot) for slot in tx.all(Slot) if has_member_present(tx, slot))
    tied = [grouped((_side_of(tx, slot), slot) for slot in slots) for slots in placed.values()]
    return [
        Ask(
            f"sides.{count}",
            "order",
            TIE_ORDER,
            options=tuple(
                Option(side[0].id, ", ".join(member_names(tx, slot) for slot in side)) for side in sides.values()
            ),
            rule=tx.rule_id("initiative.tie"),
        )
        for count, sides in enumerate(tied)
        if len(sides) > 1
    ]


def keep_order_of_tied(tx: Transaction) -> None:
    """Settle ties whose asks were skipped. Their slots keep their current order."""
    for slots in tied_groups(tx):
        if tie_breaker_for(tx.rules, slots) in (ROLL, ASK):
            for rank, slot in enumerate(reversed(slots), 1):
                tx.update(slot, tie_rolls=(*slot.tie_rolls, rank))


def _ranks(tx: Transaction, breaker: str, slots: list[Slot]) -> list[int]:
    """Return a tie-break rank for each slot. The highest rank goes first."""
    if breaker == "characters-first":
        return [int(any(is_character(tx, tx.need(Combatant, who)) for who in slot.members)) for slot in slots]
    if breaker == "enemies-first":
        return [int(any(_is_foe(tx, who) for who in slot.members)) for slot in slots]
    alike = len({roll_group_key(tx, slot.members[0]) for slot in slots}) == 1
    return list(range(len(slots), 0, -1)) if alike else [0] * len(slots)


def _asks(tx: Transaction, breaker: str, slots: list[Slot]) -> Iterable[Ask]:
    rule = tx.rule_id("initiative.tie")
    if breaker == ROLL:
        for slot in slots:
            who = rolling_member(tx, slot.members)
            yield Ask(slot.id, "roll", TIE, who, spec=initiative_tie_roll(tx, tx.rules, who), rule=rule)
        return
    yield order_ask(tx, slots)


def _order_rule(tx: Transaction, slots: list[Slot]) -> str:
    """Return the rule that determines who orders tied slots: the players or the game master."""
    players = all(is_character(tx, tx.need(Combatant, who)) for slot in slots for who in slot.members)
    return tx.rule_id("initiative.tie-players" if players else "initiative.tie-others")


def tied_with(tx: Transaction, slot: Slot) -> list[Slot]:
    """Return the slots tied with the next slot if the user still has to choose their order, or else []."""
    breakers = tx.rules.data.initiative.ties
    if DUE not in breakers:
        return []
    settled = breakers.index(DUE)  # the number of tie breakers applied before it
    place = (slot.count, slot.fixed, slot.tie_rolls[:settled])
    level = (other for other in tx.all(Slot) if (other.count, other.fixed, other.tie_rolls[:settled]) == place)
    slots = [other for other in level if has_member_present(tx, other)]
    undecided = any(len(other.tie_rolls) <= settled for other in slots)
    return sorted(slots, key=slot_sort_key) if undecided and len(slots) > 1 else []


def order_ask(tx: Transaction, slots: list[Slot]) -> Ask:
    """Return the ask for the order of tied slots."""
    options = tuple(Option(slot.id, member_names(tx, slot)) for slot in slots)
    return Ask(f"order.{slots[0].id}", "order", TIE_ORDER, options=options, rule=_order_rule(tx, slots))


def apply_order(tx: Transaction, slots: list[Slot], chosen: tuple[str, ...]) -> None:
    """Set the chosen order of tied slots permanently. Slots that weren't chosen follow in their previous order."""
    settled = tx.rules.data.initiative.ties.index(DUE)
    for rank, id in enumerate(reversed(list(dict.fromkeys((*chosen, *(slot.id for slot in slots))))), 1):
        slot = tx.need(Slot, id)
        tx.update(slot, tie_rolls=(*slot.tie_rolls[:settled], rank))


def member_names(lookup: Lookup, slot: Slot) -> str:
    """Return the labels of a slot's members."""
    members = (lookup.get(Combatant, who) for who in slot.members)
    return ", ".join(combatant.label for combatant in members if combatant is not None)


def apply_tie_answers(tx: Transaction, answers: Answers) -> None:
    """Store the tie rolls or the order from the answers for tied slots."""
    for id, answer in answers.items():
        slot = tx.get(Slot, id)
        if slot is not None:
            _take_roll(tx, slot, answer)
        for place, slot_id in enumerate(reversed(answer.chosen), 1):
            ordered = tx.get(Slot, slot_id)
            if ordered is not None:
                tx.update(ordered, tie_rolls=(*ordered.tie_rolls, place))


def _take_roll(tx: Transaction, slot: Slot, answer: AskResult) -> None:
    if answer.roll is not None:
        rule = tx.rule_id("initiative.tie")
        tx.emit(Rolled(who=rolling_member(tx, slot.members), purpose=TIE, roll=answer.roll, rule=rule))
    tx.update(slot, tie_rolls=(*slot.tie_rolls, (answer.roll.total if answer.roll is not None else answer.number) or 0))


def rolling_member(lookup: Lookup, members: tuple[str, ...]) -> str:
    """Return the member who rolls for a slot: the first one in play."""
    return next((who for who in members if not is_out_of_play(lookup, who)), members[0])


def shared_rolls(tx: Transaction, who: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the combatants who roll initiative, each with all combatants who share the roll.

    These are the members of a group or, under a house rule, all enemies of a kind or a whole side.
    """
    groups: dict[str, tuple[str, ...]] = {}
    first: dict[object, str] = {}
    for member in who:
        roller = first.setdefault(roll_group_key(tx, member), member)
        groups[roller] = (*groups.get(roller, ()), member)
    return groups


def roll_group_key(tx: Transaction, who: str) -> object:
    """Return a key shared by combatants who roll together, or the id of a combatant who rolls alone."""
    combatant = tx.need(Combatant, who)
    if is_by_side(tx, tx.rules):
        return ("side", combatant.side)
    if combatant.group:
        return ("group", combatant.group)
    option = tx.rules.data.initiative.together
    if not option or not tx.rules.has_option(tx, option) or combatant.bystander or not _is_foe(tx, who):
        return who
    return (combatant.creature, combatant.side, combatant.initiative_bonus, combatant.check, combatant.edge)


def _is_foe(tx: Transaction, who: str) -> bool:
    """Return whether a combatant opposes a player character without being one."""
    combatant = tx.need(Combatant, who)
    opponents = (other for other in tx.all(Combatant) if other.side != combatant.side)
    return not is_character(tx, combatant) and any(is_character(tx, other) for other in opponents)


CONTROL_ASK = "control"


@journal("journal.initiative_{how}", when={"before": "journal.initiative_shifted_before"}, joins=("who",))
class InitiativeSet(CombatantEvent, frozen=True):
    """An initiative total was set.

    `how` is `rolled`, `kept`, `entered`, `score`, `fixed`, `mounted`, `shifted`, `delayed`, `moved`, `side` or `unordered`. If it was shifted,
    `before` is the combatant just after the new place.
    """

    total: int
    how: str
    before: field_specs.CombatantId = ""


@journal("journal.order_settled")
class InitiativeOrderSet(Event, frozen=True):
    """The turn order was settled, with the highest total first."""

    who: field_specs.CombatantIds


def link_prepared_followers(tx: Transaction, arrived: Collection[str]) -> None:
    """Link arrived combatants to their prepared leaders, mounts, followers and riders.

    A link that was broken since the fight began stays broken.
    """
    first = {combatant.roster: combatant.id for combatant in reversed([*tx.all(Combatant)]) if combatant.roster}
    for follower in [*tx.all(Combatant)]:
        entry = tx.get(prepared.RosterEntry, follower.roster)
        if entry is None:
            continue
        leader, mount = first.get(entry.controller, ""), first.get(entry.rides, "")
        if (
            leader
            and leader != follower.id
            and not follower.controller
            and (follower.id in arrived or leader in arrived)
        ):
            tx.update(tx.need(Combatant, follower.id), controller=leader)
            share_turn(tx, follower.id, leader)
        if mount and mount != follower.id and not follower.rides and (follower.id in arrived or mount in arrived):
            _sit(tx, follower.id, mount)


def _sit(tx: Transaction, who: str, mount: str) -> None:
    """Put a rider on a mount, in the mount's position."""
    if not move_legs.is_carried_by(tx, mount, who):
        at = tx.need(Combatant, mount)
        rider = tx.need(Combatant, who)
        tx.update(rider, rides=mount, position=at.position or rider.position, elevation=at.elevation or rider.elevation)


def share_turn(tx: Transaction, who: str, controller: str) -> None:
    """Put a combatant without a slot into its controller's slot, if it exists."""
    if tx.of(Slot, who):
        return
    place = next(iter(tx.of(Slot, controller)), None)
    if place is not None:
        tx.update(place, members=(*place.members, who))
        tx.update(tx.need(Combatant, who), initiative=place.count)


def slot_members(tx: Transaction, who: str) -> tuple[str, ...]:
    """Return a combatant with its group and all their followers, except those that already have a slot."""
    placed = {member for slot in tx.all(Slot) for member in slot.members}
    group = [member.id for member in group_of(tx, who) if member.id != who and not is_follower(tx, member.id)]
    followers = [follower.id for leader in (who, *group) for follower in followers_of(tx, leader)]
    return (who, *(id for id in (*group, *followers) if id not in placed))


def has_member_present(lookup: Lookup, slot: Slot) -> bool:
    """Return whether any member of a slot is alive and in the fight."""
    return not all(is_out_of_play(lookup, who) for who in slot.members)


def remaining_this_round(lookup: Lookup) -> list[Slot]:
    """Return the slots that haven't had a turn this round, in turn order, except the active one."""
    active = clock_of(lookup).active
    return [slot for slot in slots_in_order(lookup) if not slot.acted and slot.id != active]


def is_unordered(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether no one rolls initiative, under a house rule."""
    return rules.has_option(lookup, rules.data.initiative.unordered)


def is_by_side(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether each side rolls initiative once, under a house rule."""
    return rules.has_option(lookup, rules.data.initiative.by_side)


def _side_of(lookup: Lookup, slot: Slot) -> str:
    return lookup.need(Combatant, rolling_member(lookup, slot.members)).side


def is_order_chosen(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether each next turn is chosen, under a house rule, instead of following the turn order."""
    return is_unordered(lookup, rules) or rules.has_option(lookup, rules.data.initiative.passed_on)


def choosable_slots(lookup: Lookup, rules: RuleSystem) -> list[Slot]:
    """Return the slots whose turn can be chosen next, or [] if no choice is due.

    If turns are passed on, the combatant with the highest total begins the first round.
    """
    is_chosen, by_side = is_order_chosen(lookup, rules), is_by_side(lookup, rules)
    if not (is_chosen or by_side):
        return []
    clock = clock_of(lookup)
    begun = clock.round > 1 or bool(clock.active) or any(slot.acted for slot in lookup.all(Slot))
    slots = [slot for slot in remaining_this_round(lookup) if has_member_present(lookup, slot)]
    if not is_chosen:
        slots = [slot for slot in slots if _side_of(lookup, slot) == _side_of(lookup, slots[0])]
    elif not (begun or is_unordered(lookup, rules)):
        return []
    return slots if len(slots) > 1 else []


def ask_initiative(
    tx: Transaction, who: tuple[str, ...], *, starts_rounds: bool = False, parent: str = ""
) -> Procedure:
    """Begin the initiative of some combatants."""
    return begin(tx, INITIATIVE.ask_rolls, Initiative(who=who, begin_rounds=starts_rounds), parent)


def reroll_initiative(tx: Transaction, parent: str) -> None:
    """Ask for everyone's initiative again, under a house rule. Fixed counts stay, and delayed turns stay delayed."""
    if not tx.rules.has_option(tx, tx.rules.data.initiative.rerolled) or is_unordered(tx, tx.rules):
        return
    rolling = []
    for slot in list(tx.all(Slot)):
        roller = rolling_member(tx, slot.members)
        if slot.fixed or is_out_of_play(tx, roller) or is_follower(tx, roller):
            continue
        for who in slot.members:
            if tx.get(Combatant, who) is not None:
                tx.update(tx.need(Combatant, who), initiative=None)
        if move_legs.will_be_controlled(tx, tx.rules, roller):
            tx.remove(slot)  # its rider's roll places it again
        else:
            tx.update(slot, count=0, tie_rolls=(), first_actor=False)
            rolling.append(roller)
    if rolling:
        ask_initiative(tx, tuple(rolling), parent=parent)


def ask_rolls(tx: Transaction, procedure: Procedure, data: Initiative, answers: Answers) -> Procedure:
    """Ask for the initiative rolls of living combatants without a total, after asking for unknown initiative values."""
    if is_unordered(tx, tx.rules):
        for who in _without_total(tx, data.who):
            set_initiative(tx, tx.need(Combatant, who), 0, "unordered")
        return goto(procedure, INITIATIVE.place_prepared_mounts)
    if is_by_side(tx, tx.rules):
        _join_sides(tx, data.who)
        rollers = tuple(choice for answer in answers.values() for choice in answer.chosen)
        roller_asks = [] if answers or data.rollers else _roller_asks(tx, data.who)
        if rollers or roller_asks:
            ask(tx, procedure, "prompt.initiative", roller_asks)
            return goto(procedure, INITIATIVE.ask_rolls, rollers=rollers)
        answers = {id: answer for id, answer in answers.items() if not id.startswith(SIDE)}  # they were skipped
    if _ask_values(tx, procedure, data, answers):
        return goto(procedure, INITIATIVE.ask_rolls)
    rule = tx.rule_id("setup.initiative-step")
    if tx.rules.has_option(tx, tx.rules.data.initiative.scores):
        for who in [who for who in _without_total(tx, data.who) if not is_character(tx, tx.need(Combatant, who))]:
            set_initiative(tx, tx.need(Combatant, who), initiative_score(tx, tx.rules, who), "score")
    asks = (
        roll_ask(
            who,
            "ask.initiative" if len(alike) == 1 else "ask.initiative_together",
            "" if len(alike) == 1 else str(len(alike)),
            initiative_roll(tx, tx.rules, who),
            rule=rule if len(alike) == 1 else tx.rule_id("initiative.together"),
        )
        for who, alike in _rolling(tx, data).items()
    )
    return ask(tx, goto(procedure, INITIATIVE.apply_totals), "prompt.initiative", asks, rule=rule)


def _join_sides(tx: Transaction, who: tuple[str, ...]) -> None:
    """Give combatants whose side has a total that total and place."""
    for member in _without_total(tx, who):
        combatant = tx.need(Combatant, member)
        placed = [slot for slot in tx.all(Slot) if not slot.fixed and has_member_present(tx, slot)]
        ally = next((slot for slot in placed if _side_of(tx, slot) == combatant.side), None)
        if ally is not None and tx.need(Combatant, rolling_member(tx, ally.members)).initiative is not None:
            set_initiative(tx, combatant, ally.count, "side", rule=tx.rule_id("initiative.together"))
            for slot in tx.of(Slot, member):
                tx.update(slot, tie_rolls=ally.tie_rolls)


def _roller_asks(tx: Transaction, who: tuple[str, ...]) -> list[Ask]:
    """Return an ask for each side with several members: which of them rolls for it."""
    return [
        choice_ask(f"{SIDE}{roller}", "ask.side_roller", tuple(Option(id, label_of(tx, id)) for id in members))
        for roller, members in shared_rolls(tx, _without_total(tx, who)).items()
        if len(members) > 1
    ]


def _rolling(tx: Transaction, data: Initiative) -> dict[str, tuple[str, ...]]:
    """Return the combatants who roll initiative, with all who share the roll. Chosen ones roll for their sides."""
    missing = _without_total(tx, data.who)
    return shared_rolls(tx, sorted(missing, key=lambda who: who not in data.rollers))


def _ask_values(tx: Transaction, procedure: Procedure, data: Initiative, answers: Answers) -> bool:
    """Store the initiative values entered and ask for unknown ones. Return whether any are unknown."""
    settings = tx.rules.data.initiative
    alike = _alike(tx, data.who) if settings.own_skill else {}
    for who, answer in answers.items():
        if tx.get(Combatant, who) is not None and (settings.own or answer.number is not None):
            for member in alike.get(who, [who]):
                tx.update(tx.need(Combatant, member), initiative_bonus=answer.number or 0)
    if answers or not (settings.own or settings.own_skill):
        return False
    rule, skill = tx.rule_id("initiative.own-value"), settings.check.partition(":")[2]
    if settings.own_skill:
        name = f"<skill.{skill}>"
        asks = [Ask(who, "number", "ask.skill_value", who, name, rule=rule) for who in alike]
    else:
        missing = [who for who in _without_total(tx, data.who) if _has_no_value(tx, who)]
        asks = [Ask(who, "number", "ask.initiative_value", who, rule=rule) for who in missing]
    ask(tx, procedure, "prompt.initiative", asks)
    return bool(asks)


def _alike(tx: Transaction, who: tuple[str, ...]) -> dict[str, list[str]]:
    """Return combatants with unknown skill values: the first of each stat block, with all that share it."""
    settings = tx.rules.data.initiative
    skill = settings.check.partition(":")[2]
    groups: dict[str, list[str]] = {}
    first: dict[str, str] = {}
    for member in _without_total(tx, who):
        combatant = tx.need(Combatant, member)
        is_known = skill in dict(creature_of(tx, combatant).skills) or not _has_no_value(tx, member)
        if not is_known and combatant.check in ("", settings.check):
            groups.setdefault(first.setdefault(combatant.creature, member), []).append(member)
    return groups


def _has_no_value(lookup: Lookup, who: str) -> bool:
    combatant = lookup.need(Combatant, who)
    return combatant.initiative_bonus is None and creature_of(lookup, combatant).initiative is None


def _without_total(tx: Transaction, who: tuple[str, ...]) -> list[str]:
    missing = [each for each in who if not is_out_of_play(tx, each) and _needs_total(tx, tx.need(Combatant, each))]
    return [member for member in missing if not move_legs.will_be_controlled(tx, tx.rules, member)]


def _needs_total(lookup: Lookup, combatant: Combatant) -> bool:
    if combatant.bystander or is_follower(lookup, combatant.id):
        return False
    slot = slot_of(lookup, combatant.id)
    return combatant.initiative is None and (slot is None or rolling_member(lookup, slot.members) == combatant.id)


def apply_totals(tx: Transaction, procedure: Procedure, data: Initiative, answers: Answers) -> Procedure:
    """Set the initiative totals. Skipped totals are 0 until they are entered."""
    alike = _rolling(tx, data)
    for who, answer in answers.items():
        if tx.get(Combatant, who) is None:
            continue
        total = answer.number
        if answer.roll is not None:
            rule = next((part.rule for part in answer.roll.modifiers if part.rule), "")
            tx.emit(Rolled(who=who, purpose="ask.initiative", roll=answer.roll, rule=rule))
            total = answer.roll.total
        if answer.skipped or total is None:
            tx.emit(Skipped(who=who, purpose="ask.initiative"))
        for member in alike.get(who, (who,)):
            slot = slot_of(tx, member)
            if member != who and slot is not None and who in slot.members:
                continue  # already placed with its group
            set_initiative(tx, tx.need(Combatant, member), total or 0, "rolled" if answer.roll else "entered")
    return goto(procedure, INITIATIVE.assign_slots)


def set_initiative(
    tx: Transaction, combatant: Combatant, total: int, how: str, *, fixed: bool = False, rule: str = ""
) -> None:
    """Set a combatant's initiative. Move its slot with all members to the total, or create the slot."""
    slot = slot_of(tx, combatant.id) or _new_slot(tx, combatant, total, fixed=fixed)
    for who in slot.members:
        sharer = tx.get(Combatant, who)
        if sharer is not None:
            tx.update(sharer, initiative=total)
    tx.update(slot, count=total, tie_rolls=(), fixed=fixed)
    rule = rule or tx.rule_id("initiative.order")
    is_reported = how in ("rolled", "kept", "unordered")  # the roll's line reports it, or no total matters
    tx.emit(InitiativeSet(who=combatant.id, total=total, how=how, rule=rule, bookkeeping=is_reported))


def _new_slot(tx: Transaction, combatant: Combatant, total: int, *, fixed: bool) -> Slot:
    """Return a slot for a new combatant. If its count has passed in this round, its first turn is in the next round."""
    members = slot_members(tx, combatant.id)
    opener = any(member.first_actor for member in tx.all(Combatant) if member.id in members)
    slot = Slot(tx.create_id(Slot, combatant.id), total, members, fixed=fixed, first_actor=opener)
    active = active_slot(tx)
    if active is None or is_order_chosen(tx, tx.rules):
        return slot
    counts = [msgspec.structs.replace(other, tie_rolls=()) for other in (active, *remaining_this_round(tx))]
    return msgspec.structs.replace(slot, acted=all(slot_sort_key(slot) < slot_sort_key(other) for other in counts))


def remove_from_slot(tx: Transaction, slot: Slot, who: str) -> Slot:
    """Remove one of several members from a slot. Its open tie roll now concerns another member."""
    remaining = tuple(member for member in slot.members if member != who)
    for prompt in list(tx.all(Prompt)):
        asks = tuple(_reassigned(open_ask, slot, who, rolling_member(tx, remaining)) for open_ask in prompt.asks)
        if asks != prompt.asks:
            tx.update(prompt, asks=asks)
    return tx.update(slot, members=remaining)


def _reassigned(tie_ask: Ask, slot: Slot, who: str, other: str) -> Ask:
    is_theirs = tie_ask.label == TIE and tie_ask.id == slot.id and tie_ask.who == who
    return msgspec.structs.replace(tie_ask, who=other) if is_theirs else tie_ask


def assign_slots(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Procedure:
    """Break ties, with asks if the rules require them. When none are left, go to the next stage."""
    apply_tie_answers(tx, answers)
    skipped = any(answer.skipped for answer in answers.values())
    if skipped:
        keep_order_of_tied(tx)
    asks = _break_side_ties(tx, answers) if is_by_side(tx, tx.rules) else break_ties(tx)
    if asks and not skipped:
        return ask(tx, goto(procedure, INITIATIVE.assign_slots), "prompt.tie", asks, rule=tx.rule_id("initiative.tie"))
    return goto(procedure, INITIATIVE.place_prepared_mounts)


def finish(tx: Transaction, procedure: Procedure, data: Initiative, answers: Answers) -> Next:
    """Report the turn order and begin the rounds. Combatants added during the rolls must roll first."""
    missing = tuple(each.id for each in tx.all(Combatant) if not each.dead and _needs_total(tx, each))
    added = missing if data.begin_rounds else ()
    if added:  # these combatants were added during the rolls
        return goto(procedure, INITIATIVE.ask_rolls, who=added)
    clock = tx.need(Clock, "clock")
    if data.begin_rounds or clock.phase == "rounds":  # the order may still change during set-up
        members = (member for slot in slots_in_order(tx) for member in slot.members)
        order = tuple(member for member in members if not is_out_of_play(tx, member))
        later = not data.begin_rounds or is_unordered(tx, tx.rules)
        tx.emit(InitiativeOrderSet(who=order, rule=tx.rule_id("initiative.order"), bookkeeping=later))
    if data.begin_rounds:
        tx.update(clock, phase="rounds", setup_step="", round=0, active="")
        begin(tx, ROUND.begin_round, RoundStart())
    return None


def control_asks(tx: Transaction, mount: str, *, wants_control: bool) -> list[Ask]:
    """Return the ask whether a rider controls its mount, if the rules allow a choice."""
    if not tx.rules.data.movement.mount_actions:
        return []
    modes, rule = move_legs.control_options(tx, tx.rules, mount)
    leads = wants_control and tx.role("controlled-mount") in modes
    suggested = tx.role("controlled-mount") if leads else tx.role("independent-mount")
    options = tuple(Option(mode, f"<condition.{mode}>") for mode in modes)
    return [Ask(CONTROL_ASK, "choice", "ask.mount_control", options=options, suggested=(suggested,), rule=rule)]


def control_mount(tx: Transaction, rider: str, mount: str, control: str) -> None:
    """Record how a mount is ridden. A controlled mount now acts just before its rider."""
    if control not in move_legs.control_options(tx, tx.rules, mount)[0]:
        control = tx.role("independent-mount")
    put_condition(tx, mount, control, by=rider, rule=move_legs.control_options(tx, tx.rules, mount)[1])
    if control != tx.role("controlled-mount"):
        return
    mount_slot, rider_slot = place_before_rider(tx, rider, mount)
    if (
        mount_slot is not None
        and rider_slot is not None
        and not mount_slot.acted
        and clock_of(tx).active == rider_slot.id
    ):
        tx.update(mount_slot, joined_to=rider_slot.id, acted=True)
        begin(tx, TURN_START.start_joint_turn, TurnStart(mount_slot.id))


def place_before_rider(tx: Transaction, rider: str, mount: str) -> tuple[Slot | None, Slot | None]:
    """Move a mount to just before its rider in the turn order. Return both slots, or None and None."""
    rider_slot, mount_slot = slot_of(tx, rider), slot_of(tx, mount)
    if rider_slot is None or mount in rider_slot.members:
        return None, None
    if mount_slot is not None and len(mount_slot.members) > 1:
        remove_from_slot(tx, mount_slot, mount)
    rule = tx.rule_id("mount.initiative")
    set_initiative(tx, tx.need(Combatant, mount), rider_slot.count, "mounted", fixed=rider_slot.fixed, rule=rule)
    new = slot_of(tx, mount)
    if new is None:
        return None, None
    tied = [slot for slot in slots_in_order(tx) if slot.id != new.id and _tie_key(slot) == _tie_key(rider_slot)]
    here = [slot.id for slot in tied].index(rider_slot.id)
    for rank, slot in enumerate(tied):  # slots tied with the rider keep their places
        tx.update(slot, tie_rolls=(*slot.tie_rolls, here - rank + 1 if rank < here else here - rank))
    return tx.update(new, tie_rolls=(*rider_slot.tie_rolls, 1)), tx.need(Slot, rider_slot.id)


def _tie_key(slot: Slot) -> tuple[int, bool, bool, tuple[int, ...]]:
    return slot.count, slot.fixed, slot.first_actor, slot.tie_rolls


def release_mount(tx: Transaction, rider: str, mount: str) -> None:
    """End the rider's control effects on a mount after dismounting."""
    for effect in list(tx.of(Effect, mount)):
        if effect.name in move_legs.control_conditions(tx.rules) and effect.by == rider:
            end_effect(tx, effect)


def place_prepared_mounts(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Procedure:
    """Move mounts that were prepared with a rider to just before that rider."""
    for rider in list(tx.all(Combatant)) if tx.rules.data.movement.mount_actions else ():
        if rider.rides and rider.controlled:
            tx.update(rider, controlled=False)
            control_mount(tx, rider.id, rider.rides, tx.role("controlled-mount"))
        elif (
            rider.rides
            and move_legs.is_controlled_mount(tx, tx.rules, rider.rides)
            and not _is_before(tx, rider.rides, rider.id)
        ):
            place_before_rider(tx, rider.id, rider.rides)
    return goto(procedure, INITIATIVE.finish)


def _is_before(lookup: Lookup, mount: str, rider: str) -> bool:
    mount_slot, rider_slot = slot_of(lookup, mount), slot_of(lookup, rider)
    return rider_slot is None or (
        mount_slot is not None
        and mount_slot.count == rider_slot.count
        and mount_slot.tie_rolls[:-1] == rider_slot.tie_rolls[:-1]
    )


def begin_seat_checks(tx: Transaction, who: str, parent: str = "") -> None:
    """Begin the saves of riders to stay seated when their mount is moved by force, if the rules require them."""
    rule = tx.rule_id("mount.moved")
    for rider in move_legs.riders_of(tx, who) if rule else ():
        begin(tx, STAY_SEATED.ask_stay_seated, ForcedDismount(rider.id, rule, ends_prone=True), parent)
