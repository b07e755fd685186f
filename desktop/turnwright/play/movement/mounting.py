"""Mounting and dismounting: the mount's capacity, the rider's position, and falls when either is knocked prone."""

from turnwright.battlemap.segments import square_name
from turnwright.encounter import field_specs, prepared, running
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, AskResult, Option, roll_ask
from turnwright.encounter.procedure_state.movement import MOUNT, STAY_SEATED, THROWN_RIDER, ForcedDismount, Mounting
from turnwright.play.asking.checks import result_of
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choice_of, choices_of, goto
from turnwright.play.kernel.transaction import CombatantCommand, Transaction, command, require
from turnwright.play.movement import commanded_move, forced_movement, move
from turnwright.play.state import action_economy, effect_records, events
from turnwright.play.turn_order.initiative import CONTROL_ASK, control_asks, control_mount, release_mount
from turnwright.rules.parts.attacks.attack_targeting import SEAT_TAGS
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.combatants.facts import WALK
from turnwright.rules.parts.economy.limited_uses import spending_vetoes
from turnwright.rules.parts.movement import move_legs, routes
from turnwright.rules.parts.positions import geometry
from turnwright.rules.system import Hook, HookContext, Veto, label_of, run_hooks

STAYS, FALLS = "stays", "falls"
CARRIES, TOO_HEAVY = "carries", "too-heavy"
WILLING, UNWILLING = "willing", "unwilling"
LAND_ON_FEET = "land"


@journal("journal.mounted_free", when={"cost": "journal.mounted"})
class Mounted(CombatantEvent, frozen=True):
    """A combatant mounted another for `cost` feet of movement. `controlled`: the mount obeys its rider."""

    mount: field_specs.CombatantId
    cost: int
    controlled: bool = True


@journal("journal.dismounted_free", when={"cost": "journal.dismounted"})
class Dismounted(CombatantEvent, frozen=True):
    """A combatant dismounted for `cost` feet of movement, or involuntarily if `cost` is 0."""

    mount: field_specs.CombatantId
    cost: int = 0


def ask_capacity(tx: Transaction, procedure: Procedure, data: Mounting, answers: Answers) -> Procedure:
    """Ask whether the mount can carry its rider, or is willing to, and whether the rider controls it."""
    topic, yes, no = "weight", Option(CARRIES, "option.carries"), Option(TOO_HEAVY, "option.too_heavy")
    if tx.rules.data.movement.mount_asks == WILLING:
        topic, yes, no = WILLING, Option(WILLING, "option.willing"), Option(UNWILLING, "option.unwilling")
    rule, mount = tx.rule_id(f"mount.{topic}"), label_of(tx, data.mount)
    question = Ask("weight", "choice", f"ask.{topic}", detail=mount, options=(yes, no), suggested=(yes.id,), rule=rule)
    asks = [question, *control_asks(tx, data.mount, wants_control=data.controlled)]
    return ask(tx, goto(procedure, MOUNT.mount_rider), "prompt.weight", asks, subject=label_of(tx, data.rider))


def mount_rider(tx: Transaction, procedure: Procedure, data: Mounting, answers: Answers) -> None:
    """Put the rider on the mount and deduct the cost, if the mount can carry the rider."""
    rider, mount = tx.get(running.Combatant, data.rider), tx.get(running.Combatant, data.mount)
    agreed = {CARRIES, WILLING}.intersection(choices_of(answers, "weight"))
    if (
        rider is None
        or mount is None
        or rider.rides
        or not agreed
        or move_legs.is_carried_by(tx, data.mount, data.rider)
    ):
        tx.emit(events.Skipped(purpose="ask.mount", who=data.rider, detail=label_of(tx, data.mount)))
        return
    cost = pay_for_mounting(tx, data.rider)
    mark_mounted(tx, data.rider)
    has_own_turn = bool(tx.rules.data.movement.mount_actions)
    control = choice_of(answers, CONTROL_ASK)
    shares = data.controlled and not has_own_turn
    tx.update(rider, rides=mount.id, controlled=shares, position=mount.position, elevation=mount.elevation)
    obeys = control == tx.role("controlled-mount") if has_own_turn else data.controlled
    tx.emit(Mounted(who=rider.id, mount=mount.id, cost=cost, controlled=obeys, rule=tx.rule_id("mount.cost")))
    if has_own_turn:
        control_mount(tx, rider.id, mount.id, control)
    came_near = run_hooks(tx, tx.rules, Hook.CAME_NEAR, HookContext(rider.id, "mount", other=mount.id, amount=1))
    effect_records.start_followups(tx, came_near, procedure.id)


def mounting_price_vetoes(tx: Transaction, who: str) -> tuple[Veto, ...]:
    """Return the reasons why a combatant can't pay for mounting or dismounting."""
    price = tx.rules.data.movement.mount_price
    if price:
        return spending_vetoes(tx, tx.rules, who, price)
    cost, remaining = commanded_move.mount_cost(tx, who), move_legs.remaining_movement(tx, tx.rules, who, WALK) or 0
    if remaining >= cost and (cost or not tx.rules.data.movement.mount_over):
        return ()
    params = (("who", label_of(tx, who)), ("cost", cost), ("left", remaining))
    return (Veto("refused.cannot_mount", tx.rule_id("mount.cost"), params),)


def pay_for_mounting(tx: Transaction, who: str) -> int:
    """Deduct the cost of mounting or dismounting. Return the feet of movement spent."""
    tx.forbid_by(mounting_price_vetoes(tx, who))
    if tx.rules.data.movement.mount_price:
        action_economy.deduct(tx, who, tx.rules.data.movement.mount_price)
        return 0
    cost = commanded_move.mount_cost(tx, who)
    if cost:
        action_economy.deduct_movement(tx, who, cost)
    return cost


def mark_mounted(tx: Transaction, who: str) -> None:
    """Record that a combatant has mounted or dismounted this turn."""
    effect_records.put_effect(
        tx,
        running.Effect(tx.next_id("effect"), who, move_legs.JUST_MOUNTED, ends=running.Duration("turn"), shown=False),
    )


def dismount_rider(tx: Transaction, who: str, to: prepared.Point | None, *, cost: int = 0, rule: str = "") -> None:
    """Dismount a rider onto square `to` if given, or else onto the mount's square. High in the air, the rider falls."""
    rider = tx.need(running.Combatant, who)
    mount = rider.rides
    tx.update(rider, rides="", controlled=False, position=to or rider.position)
    tx.emit(Dismounted(who=who, mount=mount, cost=cost, rule=rule))
    release_mount(tx, who, mount)
    if not move.fall_if_unsupported(tx, who) and not routes.is_flying(tx, tx.rules, who):
        tx.update(tx.need(running.Combatant, who), elevation=routes.ground_below(tx, tx.rules, who))


# Knocked prone ---------------------------------------------------------------------------------------------------


def ask_stay_seated(tx: Transaction, procedure: Procedure, data: ForcedDismount, answers: Answers) -> Next:
    """Ask for the save that keeps a rider seated when it is knocked prone."""
    if move_legs.mount_of(tx, data.rider) is None or tx.need(running.Combatant, data.rider).dead:
        return None
    ability, dc = tx.rules.data.movement.seat_ability, tx.rules.data.movement.seat_dc
    if ability:
        spec = save_roll(tx, tx.rules, data.rider, ability, tags=SEAT_TAGS)
        question = roll_ask(data.rider, "ask.save", f"<save.{ability}>", spec, dc, rule=data.rule)
    else:
        stays, falls = Option(STAYS, "option.stays_seated"), Option(FALLS, "option.falls_off")
        question = Ask(data.rider, "choice", "ask.seat", who=data.rider, options=(stays, falls), rule=data.rule)
    ask(tx, procedure, "prompt.seat", [question], subject=label_of(tx, data.rider))
    return goto(procedure, STAY_SEATED.after_seat_save)


def after_seat_save(tx: Transaction, procedure: Procedure, data: ForcedDismount, answers: Answers) -> Next:
    """Keep the rider seated on a success. On a failure, ask for the square onto which the rider falls."""
    if move_legs.mount_of(tx, data.rider) is None:
        return None
    settings = tx.rules.data.movement
    answer = answers.get(data.rider, AskResult(data.rider, skipped=True))
    detail = f"<save.{settings.seat_ability}>"
    stays = answer.skipped or STAYS in answer.chosen
    if stays or (
        settings.seat_ability and result_of(tx, answer, "ask.save", data.rider, detail, settings.seat_dc, data.rule)
    ):
        for effect in forced_movement.prone_effects(tx, tx.rules, data.rider):
            effect_records.end_effect(tx, effect, data.rule)
        return None
    return _ask_square(tx, procedure, data)


def ask_landing(tx: Transaction, procedure: Procedure, data: ForcedDismount, answers: Answers) -> Next:
    """Offer the rider of a mount knocked prone a reaction to land upright. Without one, the rider falls prone too."""
    if move_legs.mount_of(tx, data.rider) is None or tx.need(running.Combatant, data.rider).dead:
        return None
    if not move_legs.can_react(tx, tx.rules, data.rider):
        return _ask_square(tx, goto(procedure, THROWN_RIDER.land_beside, ends_prone=True), data)
    rule = tx.rule_id("mount.mount-prone-reaction")
    question = action_economy.reaction_ask(data.rider, (Option(LAND_ON_FEET, "option.land"),), rule=rule)
    ask(tx, procedure, "prompt.mount_down", [question], subject=label_of(tx, data.rider))
    return goto(procedure, THROWN_RIDER.after_landing)


def after_landing(tx: Transaction, procedure: Procedure, data: ForcedDismount, answers: Answers) -> Next:
    """Land the rider on its feet if it uses its reaction. Otherwise, it lands prone next to the mount."""
    if move_legs.mount_of(tx, data.rider) is None:
        return None
    if not action_economy.accepted_reactions(answers):
        return _ask_square(tx, goto(procedure, THROWN_RIDER.land_beside, ends_prone=True), data)
    action_economy.spend(tx, data.rider, move.REACTION)
    return _ask_square(tx, procedure, data)


def _ask_square(tx: Transaction, procedure: Procedure, data: ForcedDismount) -> Procedure:
    """Ask for the square near the mount on which the rider lands. A house rule only allows adjacent squares."""
    within = 0 if tx.rules.has_option(tx, tx.role("throws-riders-adjacent")) else tx.rules.data.movement.thrown_within
    squares = routes.landing_squares(tx, tx.rules, data.rider, tx.need(running.Combatant, data.rider).rides, within)
    options = tuple(Option(f"{column},{row}", square_name((column, row))) for column, row in squares)
    if options:
        question = Ask("square", "choice", "ask.square", who=data.rider, options=options, suggested=(options[0].id,))
        ask(tx, procedure, "prompt.square", [question], subject=label_of(tx, data.rider), rule=data.rule)
    return goto(procedure, (STAY_SEATED if procedure.kind == STAY_SEATED.name else THROWN_RIDER).land_beside)


def land_beside(tx: Transaction, procedure: Procedure, data: ForcedDismount, answers: Answers) -> None:
    """Put the rider next to the mount."""
    if move_legs.mount_of(tx, data.rider) is not None:
        column, _, row = choice_of(answers, "square").partition(",")
        dismount_rider(tx, data.rider, (int(column), int(row)) if row else None, rule=data.rule)
        if data.ends_prone:
            effect_records.put_condition(tx, data.rider, tx.role("prone"), rule=data.rule)


@command(script="ride {who} {mount} [uncontrolled {controlled=false}] | dismount {who} [{to}]")
class MountOrDismount(CombatantCommand, frozen=True):
    """Mount a creature, or dismount.

    To dismount, `mount` is empty, and `to` is the landing square. `controlled`: the mount obeys its rider.
    """

    mount: field_specs.CombatantId = ""
    controlled: bool = True
    to: prepared.Point | None = None

    def handle(self, tx: Transaction) -> None:
        """Mount a creature or dismount. This is possible once per turn and costs part of the rider's Speed."""
        rider = tx.need(running.Combatant, self.who)
        action_economy.require_turn(tx, self.who)
        if self.mount:
            mount = tx.need(running.Combatant, self.mount)
            require(mount.id != rider.id and not move_legs.is_carried_by(tx, mount.id, rider.id), "refused.mount_self")
            rule, who = tx.rule_id("mount.cost"), rider.label
            require(not rider.rides, "refused.mounted_already", rule=rule, who=who, what=label_of(tx, rider.rides))
            feet, near = geometry.distance(tx, tx.rules, rider.id, mount.id) or 0, tx.rules.data.movement.mount_within
            require(feet <= near, "refused.mount_too_far", rule=rule, who=who, what=mount.label, feet=feet, near=near)
            vetoes = move_legs.mounting_vetoes(tx, tx.rules, rider.id, mount.id)
            tx.forbid_by((*vetoes, *move_legs.once_per_turn_vetoes(tx, tx.rules, rider.id)))
            tx.forbid_by(mounting_price_vetoes(tx, rider.id))
            begin(tx, MOUNT.ask_capacity, Mounting(rider.id, mount.id, self.controlled))
            return
        _dismount(self, tx, rider)


def _dismount(command: MountOrDismount, tx: Transaction, rider: running.Combatant) -> None:
    require(rider.rides, "refused.not_mounted", who=rider.label)
    tx.forbid_by(move_legs.once_per_turn_vetoes(tx, tx.rules, rider.id))
    free = routes.landing_squares(tx, tx.rules, rider.id, rider.rides)
    square = square_name(command.to or (0, 0))
    require(
        command.to is None or command.to in free, "refused.blocked_square", square=square, what="<barrier.something>"
    )
    cost, rule = pay_for_mounting(tx, rider.id), tx.rule_id("mount.cost")
    mark_mounted(tx, rider.id)
    dismount_rider(tx, rider.id, command.to or next(iter(free), None), cost=cost, rule=rule)
