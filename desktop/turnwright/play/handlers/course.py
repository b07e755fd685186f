"""Commands that move the encounter along: set-up and its steps, rounds, turns, the end, and back to the start."""

from __future__ import annotations

from turnwright.encounter.pending import Answered, Checks, Initiative, Procedure, Prompt
from turnwright.encounter.prepared import Countdown, Environment, RosterEntry
from turnwright.encounter.running import Clock, Combatant, Dice, EntryState, Slot, entry_state_id
from turnwright.encounter.state import RUNNING
from turnwright.play.commands import (
    AdvanceSetup,
    CallForChecks,
    EndEncounter,
    EndTurn,
    GoToTurn,
    JoinTurn,
    MarkOpener,
    MarkSneaking,
    ResetToPrepared,
    RollInitiative,
    SetInitiative,
    SetInitiativeCheck,
    SetSurprised,
    StartEncounter,
    SuddenAction,
)
from turnwright.play.events import (
    EncounterEnded,
    EncounterStarted,
    NobodySurprised,
    OpenerMarked,
    SetupReached,
    SneakingMarked,
    TurnsJoined,
    WentBackToPrepared,
)
from turnwright.play.harm import end_effects_at
from turnwright.play.joining import may_join
from turnwright.play.levels import settle_levels
from turnwright.play.minting import mint_members, waiting_pool
from turnwright.play.movement_inquiries import staying_vetoes
from turnwright.play.procedures.ambushes import settle_ambush
from turnwright.play.procedures.awards import begin_awards
from turnwright.play.procedures.awareness import settle_awareness, surprise
from turnwright.play.procedures.loop import begin, prompt_of
from turnwright.play.procedures.order import is_anybody_there, seek_places, set_initiative
from turnwright.play.procedures.turns import begin_along, begin_round, end_turn
from turnwright.play.refusals import Refused
from turnwright.play.resources import need_running
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem

STEPS = ("scene", "surprise", "initiative")


def clock_of(tx: Transaction) -> Clock:
    """Return the clock, still standing before the start where nothing runs."""
    return tx.get(Clock, "clock") or Clock()


def start_encounter(command: StartEncounter, tx: Transaction, rules: RuleSystem) -> None:
    """Open the set-up phase. It asks for no attacker and no hostile side."""
    if clock_of(tx).phase in ("set-up", "rounds"):
        raise Refused("refused.running")
    dice = tx.get(Dice, "dice") or Dice()
    _clear(tx)
    tx.put(dice)
    tx.put(Clock(phase="set-up", step="scene", reason=command.reason))
    for entry in list(tx.all(RosterEntry)):
        if not entry.wave:
            mint_members(tx, rules, entry)
    for countdown in tx.all(Countdown):
        tx.put(waiting_pool(countdown))
    for environment in tx.all(Environment):
        for row in environment.actions:
            tx.put(EntryState(entry_state_id(environment.id, row.id), environment.id, row.id))
    tx.emit(EncounterStarted(reason=command.reason, rule=rules.cite("scene.when")))
    tx.emit(SetupReached(step="scene", rule=rules.cite("setup.order")))


def advance_setup(command: AdvanceSetup, tx: Transaction, rules: RuleSystem) -> None:
    """Go on to the next step of set-up. A step that still asks something is passed over only on purpose."""
    clock = clock_of(tx)
    if clock.phase != "set-up":
        raise Refused("refused.not_setting_up", rule=rules.cite("phase.two"))
    _need_no_prompt(tx)
    if clock.step == "initiative":
        seek_places(tx, tuple(one.id for one in tx.all(Combatant)), begin_rounds=True)
        return
    following = STEPS[STEPS.index(clock.step) + 1]
    if following == "initiative" and not clock.surprise_settled:
        tx.emit(NobodySurprised(rule=rules.cite("surprise.none")))
    tx.update(clock, step=following, surprise_settled=clock.surprise_settled or following == "initiative")
    tx.emit(SetupReached(step=following, rule=rules.cite("setup.order")))
    if following == "surprise" and not clock.surprise_settled:
        if rules.catalogue.surprise.sides:
            settle_ambush(tx)
        else:
            settle_awareness(tx)


def end_encounter(command: EndEncounter, tx: Transaction, rules: RuleSystem) -> None:
    """Close turn-based play. Effects that last until its end end; nobody has to have won."""
    clock = clock_of(tx)
    if clock.phase not in ("set-up", "rounds"):
        raise Refused("refused.not_running")
    for prompt in list(tx.all(Prompt)):
        tx.remove(prompt)
    for procedure in list(tx.all(Procedure)):
        tx.remove(procedure)
    end_effects_at(tx, rules, "encounter")
    settle_levels(tx, rules)
    tx.update(clock, phase="ended", step="", active="")
    tx.emit(EncounterEnded(round=clock.round, rule=rules.cite("endround.conclude")))
    begin_awards(tx, rules)


def reset_to_prepared(command: ResetToPrepared, tx: Transaction, rules: RuleSystem) -> None:
    """Take out everything that running has made; the dice stay as they are set."""
    dice = tx.get(Dice, "dice")
    _clear(tx)
    if dice is not None:
        tx.put(dice)
    tx.emit(WentBackToPrepared())


def _clear(tx: Transaction) -> None:
    for kind in RUNNING:
        for record in list(tx.all(kind)):
            tx.remove(record)


def end_turn_command(command: EndTurn, tx: Transaction, rules: RuleSystem) -> None:
    """End the active turn once nothing that it waits for is open. Where everybody had gone, a new round begins."""
    clock = clock_of(tx)
    slot = tx.get(Slot, clock.active) if clock.active else None
    if clock.phase != "rounds":
        raise Refused("refused.no_turns_yet", rule=rules.cite("phase.two"))
    _need_no_prompt(tx)
    if slot is not None:
        for who in slot.members:
            tx.forbid_by(staying_vetoes(tx, rules, who))
        end_turn(tx, slot)
    elif any(tx.all(Procedure)) or not begin_round(tx, rules):
        raise Refused("refused.nobody_active")


def go_to_turn(command: GoToTurn, tx: Transaction, rules: RuleSystem) -> None:
    """End the turn under way and begin another out of order; those who have not acted yet still do, in order."""
    clock = clock_of(tx)
    if clock.phase != "rounds":
        raise Refused("refused.no_turns_yet", rule=rules.cite("phase.two"))
    _need_no_prompt(tx)
    slot = tx.need(Slot, command.slot)
    leaving = tx.get(Slot, clock.active) if clock.active else None
    if leaving is None:
        raise Refused("refused.nobody_active")
    if not is_anybody_there(tx, slot):
        raise Refused("refused.nobody_there")
    if slot.id != leaving.id:
        end_turn(tx, leaving, slot.id)


def _need_no_prompt(tx: Transaction) -> None:
    waiting = next((prompt for prompt in tx.all(Prompt) if prompt.blocks), None)
    if waiting is not None:
        raise Refused("refused.prompt_open", params={"what": waiting.subject or f"<{waiting.title}>"})


def mark_sneaking(command: MarkSneaking, tx: Transaction, rules: RuleSystem) -> None:
    """Say who means to act before the others are aware of them."""
    for who in command.who:
        combatant = tx.need(Combatant, who)
        if combatant.sneaking != command.sneaking:
            tx.update(combatant, sneaking=command.sneaking)
            tx.emit(SneakingMarked(who=who, sneaking=command.sneaking, rule=rules.cite("setup.surprise-step")))


def call_for_checks(command: CallForChecks, tx: Transaction, rules: RuleSystem) -> None:
    """Ask a check of each."""
    _need_check(rules, command.check)
    for who in command.who:
        tx.need(Combatant, who)
    whom = tuple(dict.fromkeys(command.who))
    begin(
        tx,
        "checks",
        "called",
        Checks(whom, command.check, command.purpose, task=command.task.strip(), tags=command.tags, dc=command.dc),
    )


def _need_check(rules: RuleSystem, check: str) -> None:
    """Refuse a check of an ability or a skill that the system doesn't have, saying what it has."""
    ability, colon, skill = check.partition(":")
    abilities = [each.id for each in rules.catalogue.abilities]
    skills = [each.id for each in rules.catalogue.skills]
    if ability not in abilities or (colon and skill not in skills):
        known = {"abilities": ", ".join(abilities), "skills": ", ".join(skills)}
        raise Refused("refused.no_such_check", params={"what": check, **known})


def set_surprised(command: SetSurprised, tx: Transaction, rules: RuleSystem) -> None:
    """Make exactly these surprised."""
    need_running(tx)
    for who in command.who:
        tx.need(Combatant, who)
    surprise(tx, rules, command.who)


def sudden_action(command: SuddenAction, tx: Transaction, rules: RuleSystem) -> None:
    """Everyone was aware: nobody is surprised, and those named roll initiative with advantage."""
    need_running(tx)
    surprise(tx, rules, (), rule=rules.cite("sudden.no-surprise"))
    for who in command.advantage:
        tx.update(tx.need(Combatant, who), edge="advantage")


def mark_opener(command: MarkOpener, tx: Transaction, rules: RuleSystem) -> None:
    """Note who opened hostilities, and so goes first; nobody, where it was none of them."""
    need_running(tx)
    rule = rules.cite("initiative.opener")
    if not rules.catalogue.initiative.opener:
        raise Refused("refused.no_opener")
    if command.who:
        tx.need(Combatant, command.who)
    for one in list(tx.all(Combatant)):
        if one.opener != (one.id == command.who):
            tx.update(one, opener=one.id == command.who)
    for slot in list(tx.all(Slot)):
        tx.update(slot, opener=command.who in slot.members)
    tx.emit(OpenerMarked(who=command.who, rule=rule))


def join_turn(command: JoinTurn, tx: Transaction, rules: RuleSystem) -> None:
    """Let the next in the order take their turn along with the one under way."""
    clock = clock_of(tx)
    if clock.phase != "rounds" or not clock.active:
        raise Refused("refused.no_turns_yet", rule=rules.cite("phase.two"))
    _need_no_prompt(tx)
    slot = may_join(tx, rules)
    rule = rules.cite("turn.joined")
    if slot is None or (command.slot and command.slot != slot.id):
        raise Refused("refused.nobody_to_join", rule=rule)
    begin_along(tx, rules, slot, clock.active)
    tx.emit(TurnsJoined(who=slot.members, rule=rule))


def set_initiative_check(command: SetInitiativeCheck, tx: Transaction, rules: RuleSystem) -> None:
    """Name the check and the edge that some roll for initiative."""
    if command.check:
        _need_check(rules, command.check)
    for who in command.who:
        tx.update(tx.need(Combatant, who), check=command.check, edge=command.edge)


def set_initiative_command(command: SetInitiative, tx: Transaction, rules: RuleSystem) -> None:
    """Enter totals by hand; an open initiative card takes them for answers."""
    _need_surprise_settled(tx, rules)
    typed = dict(command.totals)
    asked = _answer_totals(tx, typed)
    for who, total in typed.items():
        combatant = tx.need(Combatant, who)
        if who not in asked:
            set_initiative(tx, rules, combatant, total, "entered")
    if clock_of(tx).phase == "rounds" and not any(isinstance(one.data, Initiative) for one in tx.all(Procedure)):
        seek_places(tx, tuple(typed))


def _answer_totals(tx: Transaction, typed: dict[str, int]) -> set[str]:
    """Answer with these totals the initiative card that asks for them, and return whom it asked."""
    asked: set[str] = set()
    for procedure in list(tx.all(Procedure)):
        prompt = prompt_of(tx, procedure.id)
        if isinstance(procedure.data, Initiative) and procedure.stage == "totals" and prompt is not None:
            given = tuple(Answered(ask.id, number=typed[ask.id]) for ask in prompt.asks if ask.id in typed)
            kept = tuple(answer for answer in prompt.answers if answer.ask not in typed)
            tx.update(prompt, answers=(*kept, *given))
            asked.update(answer.ask for answer in given)
    return asked


def roll_initiative(command: RollInitiative, tx: Transaction, rules: RuleSystem) -> None:
    """Ask initiative of all who have no total."""
    _need_surprise_settled(tx, rules)
    if not any(isinstance(procedure.data, Initiative) for procedure in tx.all(Procedure)):
        seek_places(tx, tuple(one.id for one in tx.all(Combatant)))


def _need_surprise_settled(tx: Transaction, rules: RuleSystem) -> None:
    clock = clock_of(tx)
    if clock.phase not in ("set-up", "rounds"):
        raise Refused("refused.not_running")
    if clock.phase == "set-up" and not clock.surprise_settled:
        tx.forbid("refused.surprise_first", rules.cite("setup.order"))
