"""Surprise, the turn order, initiative and ability checks, as the game master sets them.

Surprise: sneaking, the checks or passive scores that decide it, ambushes, and marking combatants as surprised.

Changes to the turn order: moved slots, delayed turns, joint turns, and knocked-out combatants.

Initiative by command: rolling it, entering totals, its check, and who acts first.

Ability checks that the game master calls for, before or during the fight.
"""

from itertools import permutations
from typing import Literal

from turnwright.encounter import field_specs, state
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, AskResult, Option, choice_ask, roll_ask
from turnwright.encounter.procedure_state.turn_order import (
    AMBUSH,
    CALLED_CHECKS,
    INITIATIVE,
    SURPRISE,
    AmbushChoice,
    CalledChecks,
    Initiative,
    SurpriseChecks,
)
from turnwright.encounter.procedure_state.turns import TURN_END, TurnEnd
from turnwright.encounter.running import Clock, Combatant, Duration, Effect, Slot, Track, track_id
from turnwright.play.asking.checks import result_of
from turnwright.play.kernel.events import CombatantEvent, Event, journal
from turnwright.play.kernel.scheduler import Answers, ask, begin, choice_of, choices_of, goto, prompt_of
from turnwright.play.kernel.transaction import Command, Transaction, command, require, require_check, require_running
from turnwright.play.state import action_economy, effect_records, events
from turnwright.play.turn_order import initiative
from turnwright.rules.parts.checks import ability_checks
from turnwright.rules.parts.combatants.facts import is_surprise_open
from turnwright.rules.parts.conditions import condition_rules
from turnwright.rules.system import RuleSystem, Veto, label_of

SCORE_PREFIX = "score."
NO_CHECK = "none"
OWN_CHECKS = "each"
DEFAULT_CHECKS = {"sneaking": "dex:stealth", "others": "wis:perception"}
NO_AMBUSH, SIDE_SEPARATOR = "none", " > "


@journal("journal.surprised", kind="warn")
class Surprised(CombatantEvent, frozen=True):
    """A combatant starts the encounter surprised."""


@journal("journal.nobody_surprised")
class NoSurprise(Event, frozen=True):
    """No combatant is surprised."""


def check_ask(tx: Transaction, who: str, check: str, rule: str) -> Ask:
    """Return the ask for an ability check."""
    return roll_ask(
        who, "ask.check", f"<check.{check}>", ability_checks.check_roll(tx, tx.rules, who, check), rule=rule
    )


def ask_stealth_against_scores(tx: Transaction, procedure: Procedure, data: SurpriseChecks) -> Procedure:
    """Ask for the Stealth checks of sneaking combatants, and for unknown passive scores of the others."""
    settings, rule = tx.rules.data.surprise, tx.rule_id("surprise.checks")
    label = f"ask.figure_{settings.against.partition('.')[0]}"
    asks = [check_ask(tx, who, settings.check, rule) for who in data.sneaking if not state.is_out_of_play(tx, who)]
    asks += [
        Ask(f"{SCORE_PREFIX}{who}", "number", label, who, rule=tx.rule_id("passive.scores"))
        for who in data.others
        if not state.is_out_of_play(tx, who)
        and ability_checks.known_number(tx, tx.rules, who, settings.against) is None
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
            tx.emit(events.Rolled(who=id, purpose="ask.check", roll=answer.roll, detail=detail, rule=rule))
        else:
            tx.emit(events.Skipped(who=id, purpose="ask.check"))
    return totals, [who for who in data.others if totals and _exceeds(tx, who, min(totals.values()))]


def _exceeds(tx: Transaction, who: str, total: int) -> bool:
    """Return whether a total exceeds a combatant's score; False if the score is unknown."""
    score = (
        ability_checks.known_number(tx, tx.rules, who, tx.rules.data.surprise.against)
        if tx.get(Combatant, who)
        else None
    )
    return score is not None and total > score


def begin_surprise(tx: Transaction) -> None:
    """Begin the surprise procedure if some combatants sneak and others don't."""
    sneaking = tuple(combatant.id for combatant in tx.all(Combatant) if combatant.sneaking)
    others = tuple(combatant.id for combatant in tx.all(Combatant) if not combatant.sneaking)
    if sneaking and others:
        is_asked = tx.rules.data.surprise.asked
        first = SURPRISE.ask_surprised if is_asked else SURPRISE.ask_which_checks
        begin(tx, first, SurpriseChecks(sneaking, others))


def ask_which_checks(tx: Transaction, procedure: Procedure, data: SurpriseChecks, answers: Answers) -> Procedure:
    """Ask the game master for each side's check, or whether its members each choose their own.

    Own checks are suggested if a member's check is known. Rule systems with passive scores use those instead.
    """
    if tx.rules.data.surprise.against:
        return ask_stealth_against_scores(tx, procedure, data)
    rule = tx.rule_id("surprise.checks")
    options = (
        *ability_checks.check_options(tx.rules),
        Option(OWN_CHECKS, "option.each_own"),
        Option(NO_CHECK, "option.no_check"),
    )
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
    return not state.is_out_of_play(tx, who) and tx.need(Combatant, who).initiative is None


def _ask_for_own_checks(tx: Transaction, procedure: Procedure, data: SurpriseChecks, answers: Answers) -> bool:
    """Ask members of sides with separate checks to choose their check. Return whether any choice was missing.

    The new prompt keeps the answers for the sides.
    """
    rule = tx.rule_id("surprise.checks")
    options = (*ability_checks.check_options(tx.rules), Option(NO_CHECK, "option.no_check"))
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
    """Store the totals and ask which combatants are surprised. Those that noticed no sneaking are suggested."""
    if tx.rules.data.surprise.against:
        totals, likely = surprised_by_stealth(tx, data, answers)
    else:
        known = ((combatant.id, combatant.initiative) for combatant in tx.all(Combatant))
        totals = {who: total for who, total in known if total is not None} | store_totals(tx, answers)
        hidden = [totals[who] for who in data.sneaking if who in totals]
        likely = [who for who in data.others if not hidden or (who in totals and totals[who] < min(hidden))]
    rule = tx.rule_id("surprise.cause")
    others = [who for who in data.others if tx.get(Combatant, who) and not _is_never_surprised(tx, who)]
    options = tuple(Option(who, tx.need(Combatant, who).label) for who in others)
    suggested = tuple(who for who in others if who in likely and (totals or tx.rules.data.surprise.asked))
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
            tx.emit(events.Rolled(who=who, purpose="ask.check", roll=answer.roll, detail=check, rule=rule))
            total = answer.roll.total
        if total is not None:
            totals[who] = total
            initiative.set_initiative(tx, combatant, total, "kept", rule=tx.rule_id("initiative.reuse"))
    return totals


def apply_surprise(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """Surprise the combatants that the game master chose, and no others."""
    mark_surprised(tx, choices_of(answers, "who"))


def _is_never_surprised(tx: Transaction, who: str) -> bool:
    return condition_rules.keeps_out(tx, tx.rules, who, tx.role("surprised"), "")


def mark_surprised(tx: Transaction, who: tuple[str, ...], rule: str = "") -> None:
    """Surprise these combatants, and no others, until the end of their first turn. `rule` is used if there are none."""
    for effect in list(tx.all(Effect)):
        if effect.name == tx.role("surprised") and effect.target not in who:
            effect_records.end_effect(tx, effect)
            if tx.need(Clock, "clock").phase == "set-up":
                action_economy.grant_initial(tx, effect.target)
    already = {effect.target for effect in tx.all(Effect) if effect.name == tx.role("surprised")}
    for target in dict.fromkeys(who):
        if _is_never_surprised(tx, target):
            what = f"<condition.{tx.role('surprised')}>"
            tx.emit(events.Unaffected(who=target, what=what, reason="why.condition_immune", rule=rule))
        elif target not in already:
            ends = Duration("turn-end", target)
            effect_records.put_effect(tx, Effect(tx.next_id("effect"), target, tx.role("surprised"), ends=ends))
            action_economy.cap_to_refill(tx, target)
            tx.emit(Surprised(who=target, rule=tx.rule_id("surprise.cause")))
    if not who:
        tx.emit(NoSurprise(rule=rule or tx.rule_id("surprise.none")))
    tx.update(tx.need(Clock, "clock"), surprise_settled=True)


def require_surprise_settled(tx: Transaction) -> None:
    """Refuse initiative before surprise is settled, or outside a running encounter."""
    clock = state.clock_of(tx)
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
    pairs = {SIDE_SEPARATOR.join(pair): pair[0] for pair in permutations(_ambush_sides(tx), 2)}
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


def _ambush_sides(lookup: state.Lookup) -> list[str]:
    return list(dict.fromkeys(combatant.side for combatant in lookup.all(Combatant) if not combatant.bystander))


def _members(lookup: state.Lookup, side: str) -> tuple[str, ...]:
    return tuple(each.id for each in lookup.all(Combatant) if each.side == side and not each.bystander)


@command(script="sneaking [not {sneaking=false}] {who}")
class MarkSneaking(Command, frozen=True):
    """Mark combatants as sneaking up on the others, or clear the mark."""

    who: field_specs.CombatantIds
    sneaking: bool = True

    def handle(self, tx: Transaction) -> None:
        """Mark combatants as sneaking, or clear the mark."""
        for who in self.who:
            combatant = tx.need(Combatant, who)
            if combatant.sneaking != self.sneaking:
                tx.update(combatant, sneaking=self.sneaking)
                tx.emit(SneakingMarked(who=who, sneaking=self.sneaking, rule=tx.rule_id("setup.surprise-step")))


@journal("journal.not_sneaking", when={"sneaking": "journal.sneaking"})
class SneakingMarked(CombatantEvent, frozen=True):
    """A combatant was marked as sneaking, or the mark was cleared."""

    sneaking: bool


@command(script="surprised {who} | nobody surprised {who:nobody}")
class SetSurprised(Command, frozen=True):
    """Set exactly which combatants are surprised."""

    who: field_specs.CombatantIds

    def handle(self, tx: Transaction) -> None:
        """Set which combatants are surprised, and end the surprise of all others."""
        require_running(tx)
        mark_surprised(tx, self.who)


@command(script="no surprise [{advantage}]")
class ActBeforeInitiative(Command, frozen=True):
    """Rule out surprise. `advantage` lists combatants with advantage on initiative."""

    advantage: field_specs.CombatantIds = ()

    def handle(self, tx: Transaction) -> None:
        """Rule out surprise, and give some combatants advantage on initiative."""
        require_running(tx)
        mark_surprised(tx, (), rule=tx.rule_id("sudden.no-surprise"))
        for who in self.advantage:
            tx.update(tx.need(Combatant, who), edge="advantage")


ALWAYS = "always"


def place_beside(tx: Transaction, slot: Slot, neighbour: Slot, *, after: bool) -> Slot:
    """Put a slot just before or after a neighbour, with the same count. All slots tied with it keep their order."""
    ties, depth = neighbour.tie_rolls, len(neighbour.tie_rolls)
    place = (neighbour.count, neighbour.fixed, neighbour.first_actor, ties)
    tied = [
        each.id
        for each in state.slots_in_order(tx)
        if (each.count, each.fixed, each.first_actor, each.tie_rolls[:depth]) == place and each.id != slot.id
    ]
    tied.insert(tied.index(neighbour.id) + after, slot.id)
    for rank, id in enumerate(reversed(tied)):
        tx.update(tx.need(Slot, id), tie_rolls=(*ties, rank))
    for who in slot.members:
        if tx.get(Combatant, who) is not None:
            tx.update(tx.need(Combatant, who), initiative=neighbour.count)
    return tx.update(
        tx.need(Slot, slot.id), count=neighbour.count, fixed=neighbour.fixed, first_actor=neighbour.first_actor
    )


@command(script="order {slot} (before | after {after=true}) {neighbour}")
class MoveInOrder(Command, frozen=True):
    """Move a combatant before or after another in the turn order. The active turn doesn't change.

    It gets the other's initiative total.
    """

    slot: field_specs.SlotId
    neighbour: field_specs.SlotId
    after: bool = False

    def handle(self, tx: Transaction) -> None:
        """Move a slot to just before or after another."""
        slot, neighbour = tx.need(Slot, self.slot), tx.need(Slot, self.neighbour)
        require(slot.id != neighbour.id, "refused.own_neighbour")
        placed = place_beside(tx, slot, neighbour, after=self.after)
        rule = tx.rule_id("initiative.order")
        tx.emit(initiative.InitiativeSet(who=placed.members[0], total=placed.count, how="moved", rule=rule))


def can_delay(lookup: state.Lookup, rules: RuleSystem) -> bool:
    """Return whether turns can be delayed, by the rules or by a house rule."""
    delay = rules.data.initiative.delay
    return delay == ALWAYS or (bool(delay) and rules.has_option(lookup, delay))


def delay_vetoes(tx: Transaction, slot: Slot) -> tuple[Veto, ...]:
    """Return the reasons why a slot's turn can't be delayed: the rules don't allow it, or a member has acted."""
    rule = tx.rule_id("turn.delay")
    if not can_delay(tx, tx.rules):
        return (Veto("refused.no_delay", rule),)
    acted = next((who for who in slot.members if _has_acted(tx, who)), None)
    if slot.delay or acted is not None:
        return (Veto("refused.delay_acted", rule, (("who", label_of(tx, acted or slot.members[0])),)),)
    return ()


def _has_acted(tx: Transaction, who: str) -> bool:
    """Return whether a combatant has moved or spent any resource this turn."""
    spent = (
        tx.get(Track, track_id(who, each.id)) for each in tx.rules.data.resources if each.amount and not each.off_turn
    )
    return state.track_value(tx, who, action_economy.MOVED) > 0 or any(
        track is not None and track.value < track.maximum for track in spent
    )


def put_off_turn(tx: Transaction, slot: Slot) -> None:
    """Delay the active turn. The effects at its end happen now, but its actions aren't lost."""
    tx.forbid_by(delay_vetoes(tx, slot))
    begin(tx, TURN_END.ask_end_order, TurnEnd(slot.id, delays=True))


def joined_slots(lookup: state.Lookup, slot: str) -> list[Slot]:
    """Return the slots that have joined another's turn."""
    return [other for other in lookup.all(Slot) if other.joined_to and other.joined_to == slot]


def members_in_turn(lookup: state.Lookup, slot: Slot) -> tuple[str, ...]:
    """Return all combatants who act in a slot's turn. Members of joined slots come last."""
    return (*slot.members, *(who for joined_slot in joined_slots(lookup, slot.id) for who in joined_slot.members))


def joinable_slot(lookup: state.Lookup, rules: RuleSystem) -> Slot | None:
    """Return the slot that may join the current turn, or None. It must be the next one and on the same side."""
    active = state.active_slot(lookup)
    if active is None or not rules.data.initiative.joins:
        return None
    order = [slot for slot in state.slots_in_order(lookup) if initiative.has_member_present(lookup, slot)]
    together = {active.id, *(joined_slot.id for joined_slot in joined_slots(lookup, active.id))}
    last = max((place for place, slot in enumerate(order) if slot.id in together), default=-1)
    following = order[last + 1] if 0 <= last < len(order) - 1 else None
    if following is None or following.acted or _shared_sides(lookup, following) != _shared_sides(lookup, active):
        return None
    return following if len(_shared_sides(lookup, active)) == 1 else None


def _shared_sides(lookup: state.Lookup, slot: Slot) -> set[str]:
    members = (lookup.get(Combatant, who) for who in slot.members)
    return {combatant.side for combatant in members if combatant is not None}


def move_before_active(tx: Transaction, who: str) -> None:
    """Move a knocked-out combatant to just before the active slot. Its next turn is in the next round.

    It isn't moved between turns or on its own turn.
    """
    active, slot = state.active_slot(tx), state.slot_of(tx, who)
    if not tx.rules.data.dying.recovery.shifts or active is None or slot is None or slot.id == active.id:
        return
    if slot.members != (who,):
        initiative.remove_from_slot(tx, slot, who)
        slot = tx.put(Slot(tx.create_id(Slot, who), slot.count, (who,)))
    tx.update(place_beside(tx, slot, active, after=False), acted=True)
    before = next(iter(active.members), "")
    tx.emit(
        initiative.InitiativeSet(
            who=who, total=active.count, how="shifted", before=before, rule=tx.rule_id("death.place")
        )
    )


@command(script="roll initiative")
class RollInitiative(Command, frozen=True):
    """Ask everyone without a total to roll initiative."""

    def handle(self, tx: Transaction) -> None:
        """Ask for the initiative of all combatants without a total, unless they are already being asked."""
        require_surprise_settled(tx)
        if not any(isinstance(procedure.data, Initiative) for procedure in tx.all(Procedure)):
            initiative.ask_initiative(tx, tuple(combatant.id for combatant in tx.all(Combatant)))


@command(script="initiative {totals}")
class SetInitiative(Command, frozen=True):
    """Set initiative totals by hand, as pairs of combatant and total."""

    totals: tuple[tuple[str, int], ...]

    def handle(self, tx: Transaction) -> None:
        """Set initiative totals by hand, and use them to answer an open initiative prompt."""
        require_surprise_settled(tx)
        typed = dict(self.totals)
        answered = _answer_totals(tx, typed)
        for who, total in typed.items():
            combatant = tx.need(Combatant, who)
            if who not in answered:
                initiative.set_initiative(tx, combatant, total, "entered")
        if state.clock_of(tx).phase == "rounds" and not any(
            isinstance(each.data, Initiative) for each in tx.all(Procedure)
        ):
            initiative.ask_initiative(tx, tuple(typed))


def _answer_totals(tx: Transaction, typed: dict[str, int]) -> set[str]:
    """Answer the open initiative prompt with these totals. Return the combatants that it asked for."""
    answered: set[str] = set()
    for procedure in list(tx.all(Procedure)):
        prompt = prompt_of(tx, procedure.id)
        if procedure.at == INITIATIVE.apply_totals and prompt is not None:
            new_answers = tuple(AskResult(ask.id, number=typed[ask.id]) for ask in prompt.asks if ask.id in typed)
            earlier_answers = tuple(answer for answer in prompt.answers if answer.ask not in typed)
            tx.update(prompt, answers=(*earlier_answers, *new_answers))
            answered.update(answer.ask for answer in new_answers)
    return answered


@command(script="initiative check {who} (default | {check}) [{edge}]", manual="initiative-check")
class SetInitiativeCheck(Command, frozen=True):
    """Set the check that combatants roll for initiative, such as `str:athletics`, with advantage or disadvantage.

    An empty check is the usual one.
    """

    who: field_specs.CombatantIds
    check: field_specs.CheckId = ""
    edge: Literal["", "advantage", "disadvantage"] = ""

    def handle(self, tx: Transaction) -> None:
        """Set the initiative check of some combatants, and their advantage or disadvantage."""
        if self.check:
            require_check(tx.rules, self.check)
        for who in self.who:
            tx.update(tx.need(Combatant, who), check=self.check, edge=self.edge)


@command(script="acts first {who} | acts first nobody")
class SetFirstActor(Command, frozen=True):
    """Mark the combatant that started the fight and therefore acts first, or mark that none did."""

    who: field_specs.CombatantId = ""

    def handle(self, tx: Transaction) -> None:
        """Mark the first actor, and clear all other marks. Refuse it in a system without the rule."""
        require_running(tx)
        require(tx.rules.data.initiative.opener, "refused.no_opener")
        for combatant in list(tx.all(Combatant)):
            if combatant.first_actor != (combatant.id == self.who):
                tx.update(combatant, first_actor=combatant.id == self.who)
        for slot in list(tx.all(Slot)):
            tx.update(slot, first_actor=self.who in slot.members)
        tx.emit(FirstActorSet(who=self.who, rule=tx.rule_id("initiative.opener")))


@journal("journal.no_opener", when={"who": "journal.opener"})
class FirstActorSet(Event, frozen=True):
    """The combatant who started the fight was marked. `who` is empty if no one did."""

    who: field_specs.CombatantId = ""


YES, NO = "yes", "no"


def ask_called_check(tx: Transaction, procedure: Procedure, data: CalledChecks, answers: Answers) -> Procedure:
    """Ask each combatant for a check. If no task is given, first ask whether help that they received applies."""
    rule = tx.rule_id("surprise.checks") if data.purpose == "surprise" else ""
    members = [who for who in data.who if tx.get(Combatant, who)]
    if not (data.task or data.purpose or answers):
        help_asks = [_help_ask(tx.rules, effect) for who in members for effect in _helped_with(tx, who)]
        if help_asks:
            ask(tx, procedure, "prompt.checks", help_asks, subject=f"<check.{data.check}>")
            return goto(procedure, CALLED_CHECKS.ask_called_check)
    asks: list[Ask] = []
    for who in members:
        task = data.task or next(
            (effect.end_condition for effect in _helped_with(tx, who) if YES in choices_of(answers, effect.id)), ""
        )
        tags = data.tags if data.purpose else (*data.tags, f"task:{task}")
        spec = ability_checks.action_check_roll(tx, tx.rules, who, f"check.{data.check}", tags=tags)
        detail, dc = f"<check.{data.check}>", data.dc
        asks.append(roll_ask(who, "ask.check", detail, ability_checks.roll_with_edge(spec, data.edge), dc, rule=rule))
    ask(tx, procedure, "prompt.checks", asks, subject=f"<check.{data.check}>")
    return goto(procedure, CALLED_CHECKS.finish_called_check)


def _helped_with(tx: Transaction, who: str) -> list[Effect]:
    """Return the effects of help with a particular task on a combatant."""
    return [effect for effect in tx.of(Effect, who) if effect.name == tx.role("helped-check") and effect.end_condition]


def _help_ask(rules: RuleSystem, effect: Effect) -> Ask:
    options, rule = (Option(YES, "option.yes"), Option(NO, "option.no")), rules.rule_id("help.check")
    return choice_ask(effect.id, "ask.helped_task", options, effect.target, effect.end_condition, rule=rule)


def finish_called_check(tx: Transaction, procedure: Procedure, data: CalledChecks, answers: Answers) -> None:
    """Report the results of the checks. The results of surprise checks become initiative totals."""
    if data.purpose == "surprise":
        store_totals(tx, answers, f"<check.{data.check}>")
        return
    for who, answer in answers.items():
        if data.dc and not answer.skipped:
            result_of(tx, answer, "ask.check", who, f"<check.{data.check}>", data.dc, "")
        elif answer.roll is not None:
            tx.emit(events.Rolled(who=who, purpose="ask.check", roll=answer.roll, detail=f"<check.{data.check}>"))
        else:
            tx.emit(events.Skipped(who=who, purpose="ask.check", detail=f"<check.{data.check}>"))


@command(script="checks {check} {who} [for surprise {purpose=surprise}] [against {dc}] [{edge}]")
class CallForChecks(Command, frozen=True):
    """Ask each combatant for an ability check, such as `dex:stealth` or `dex`. `surprise` keeps the totals.

    `task` describes the purpose, so that help with the task counts. `tags` classify it for the rules (`leap-off`,
    `throw-rider`). `dc` is the difficulty class (0: none), and `edge` is advantage or disadvantage on all of the
    checks.
    """

    who: field_specs.CombatantIds
    check: field_specs.CheckId
    purpose: Literal["", "surprise"] = ""
    task: str = ""
    tags: tuple[str, ...] = ()
    dc: field_specs.PositiveOrNone = 0
    edge: Literal["", "advantage", "disadvantage"] = ""

    def handle(self, tx: Transaction) -> None:
        """Begin a check for each combatant. Refuse an unknown check."""
        require_check(tx.rules, self.check)
        members, task = tuple(dict.fromkeys(self.who)), self.task.strip()
        checks = CalledChecks(members, self.check, self.purpose, self.dc, task, tags=self.tags, edge=self.edge)
        begin(tx, CALLED_CHECKS.ask_called_check, checks)
