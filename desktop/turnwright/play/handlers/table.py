"""Commands about who is on the table and where, about prompts and dice, and about the journal."""

from __future__ import annotations

import msgspec

from turnwright.dice.errors import DiceError
from turnwright.dice.roll import Roll, RollSpec
from turnwright.dice.typed import read_faces, read_typed
from turnwright.encounter.pending import FAILED, Answered, Ask, Prompt
from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Clock, Combatant, Dice, Effect, Ends, Track
from turnwright.play.commands import (
    AddNote,
    Answer,
    Correct,
    Join,
    RemoveCombatant,
    Rename,
    Reply,
    Reveal,
    SetDice,
    Withdraw,
)
from turnwright.play.events import Corrected, Left, Noted
from turnwright.play.harm import is_turn_ending, let_go, lose_concentration
from turnwright.play.minting import mint_members
from turnwright.play.procedures.loop import open_asks, pass_over
from turnwright.play.procedures.offers import as_agreed, is_offer
from turnwright.play.procedures.order import leave_slot, seek_places, set_initiative, slot_of
from turnwright.play.procedures.turns import end_turn
from turnwright.play.refusals import Refused
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.degrees import attack_outcomes, outcomes
from turnwright.rules.parts.riding import REINS
from turnwright.rules.system import RuleSystem


def join(command: Join, tx: Transaction, rules: RuleSystem) -> None:
    """Bring a prepared roster entry into the running fight."""
    clock = tx.get(Clock, "clock")
    if clock is None or clock.phase not in ("set-up", "rounds"):
        raise Refused("refused.not_running")
    came = mint_members(tx, rules, tx.need(RosterEntry, command.roster))
    for who in came:
        if command.initiative is not None:
            rule = rules.cite("world.new-participants")
            set_initiative(tx, rules, tx.need(Combatant, who), command.initiative, "entered", rule=rule)
    if clock.phase == "rounds":
        seek_places(tx, tuple(came))


def remove_combatant(command: RemoveCombatant, tx: Transaction, rules: RuleSystem) -> None:
    """Take somebody out: their tracks, effects and place go, and what was asked of them is withdrawn."""
    who = command.who
    combatant = tx.need(Combatant, who)
    clock = tx.get(Clock, "clock")
    slot = slot_of(tx, who)
    if slot is not None and len(slot.members) > 1:
        leave_slot(tx, slot, who)
    pass_over(tx, lambda ask: ask.who == who)
    lose_concentration(tx, rules, who)
    for track in list(tx.all(Track)):
        if track.owner == who:
            tx.remove(track)
    for effect in list(tx.all(Effect)):
        if effect.target == who or (effect.by == who and effect.name in REINS):
            tx.remove(effect)
        elif effect.ends.who == who:  # no turn of theirs will end it any more: the next top of a round does
            tx.update(effect, ends=Ends("world"))
    tx.remove(combatant)
    tx.emit(Left(label=combatant.label))
    let_go(tx, rules, who)
    if slot is None or len(slot.members) > 1:
        return
    if clock is not None and clock.active == slot.id:
        if not is_turn_ending(tx):
            end_turn(tx, slot)
    else:
        tx.remove(slot)


def rename(command: Rename, tx: Transaction, rules: RuleSystem) -> None:
    """Give somebody another label."""
    if not command.label.strip():
        raise Refused("refused.no_name")
    tx.update(tx.need(Combatant, command.who), label=command.label.strip())


def reveal(command: Reveal, tx: Transaction, rules: RuleSystem) -> None:
    """Hide somebody from the players' eyes, or show them."""
    tx.update(tx.need(Combatant, command.who), hidden=command.hidden)


def set_dice(command: SetDice, tx: Transaction, rules: RuleSystem) -> None:
    """Say where faces come from."""
    dice = tx.get(Dice, "dice") or Dice()
    seeded = dice if command.seed is None else Dice(seed=command.seed)
    tx.update(seeded, mode=command.mode, script=command.script)


def answer(command: Answer, tx: Transaction, rules: RuleSystem) -> None:
    """Take replies to a prompt. One that has gone, or another in its place, is not answered.

    Where dice are unknown, what depends on them is asked instead: whether it was made, or the total.
    """
    prompt = tx.get(Prompt, command.prompt)
    if prompt is None or prompt.revision != command.revision:
        raise Refused("refused.stale")
    waiting = {ask.id: ask for ask in open_asks(prompt)}
    answers = list(prompt.answers)
    instead: dict[str, Ask] = {}
    for reply in sorted(command.replies, key=lambda each: not is_offer(each.ask)):  # what a roll offers comes first
        ask = waiting.pop(reply.ask, None)
        if ask is None:
            raise Refused("refused.stale")
        ask = as_agreed(ask, answers)
        answered = read_reply(tx, ask, reply)
        if (
            ask.kind == "roll"
            and answered.roll
            and answered.roll.total is None
            and not _settles(rules, ask, answered.roll)
        ):
            instead[ask.id] = ask_instead(rules, ask)
        else:
            answers.append(answered)
    asks = tuple(instead.get(ask.id, ask) for ask in prompt.asks)
    tx.update(prompt, asks=asks, answers=tuple(answers))


def _settles(rules: RuleSystem, ask: Ask, rolled: Roll) -> bool:
    """Return whether a roll without a total answers its ask all the same: by its face, or because its stage asks on."""
    figures = rules.catalogue.attack
    by_face = ask.label == "ask.attack" and rolled.natural in (figures.natural_hit, figures.natural_miss)
    return by_face or ask.label == "ask.countdown"


def ask_instead(rules: RuleSystem, ask: Ask) -> Ask:
    """Return what is asked where the dice of a roll are unknown."""
    if ask.label == "ask.attack":
        return msgspec.structs.replace(ask, kind="choice", options=attack_outcomes(rules))
    if not ask.dc:
        return msgspec.structs.replace(ask, kind="number")
    return msgspec.structs.replace(ask, kind="choice", options=outcomes(rules))


def read_reply(tx: Transaction, ask: Ask, reply: Reply) -> Answered:
    """Make of a reply what the ask wants, or refuse it in words."""
    if reply.skip:
        return Answered(ask.id, skipped=True)
    if ask.kind == "roll" and ask.spec is not None:
        if ask.spec.fails and reply.chosen == (FAILED,):
            return Answered(ask.id, chosen=(FAILED,))
        if reply.roll:
            if not ask.spec.dice:
                raise Refused("refused.no_die")
            rolled = tx.roll_now(ask.spec)
            if rolled is None:
                raise Refused("refused.out_of_dice")
            return Answered(ask.id, roll=rolled)
        one_by_one = ask.label == "ask.countdown" and reply.typed.strip() not in ("", "?")
        return Answered(ask.id, roll=_typed(reply.typed, ask.spec, one_by_one=one_by_one))
    if ask.kind == "number":
        number = reply.number if reply.number is not None else _number(reply.typed)
        if ask.spec is not None:
            return Answered(ask.id, roll=_typed(str(number), ask.spec))
        if number < 0 or (ask.most and number > ask.most):
            raise Refused("refused.number_range", params={"most": ask.most})
        return Answered(ask.id, number=number)
    return Answered(ask.id, chosen=_chosen(ask, reply.chosen or ()))


def _typed(text: str, spec: RollSpec, *, one_by_one: bool = False) -> Roll:
    try:
        return (read_faces if one_by_one else read_typed)(text, spec)
    except DiceError as error:
        raise Refused("refused.dice_expression", params={"what": text, "why": str(error)}) from error


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise Refused("refused.number", params={"what": text}) from error


def _chosen(ask: Ask, chosen: tuple[str, ...]) -> tuple[str, ...]:
    allowed = {option.id for option in ask.options}
    if ask.kind == "order":
        return _ordered(ask, chosen)
    most = 1 if ask.kind == "choice" else ask.most
    if not allowed.issuperset(chosen) or (most and len(chosen) > most) or (ask.kind == "choice" and not chosen):
        raise Refused("refused.choice")
    return tuple(dict.fromkeys(chosen))


def _ordered(ask: Ask, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Return all options in the order given, those not named last, as listed; refused where one comes too early."""
    listed = [option.id for option in ask.options]
    if not set(listed).issuperset(chosen):
        raise Refused("refused.choice")
    ordered = list(dict.fromkeys((*chosen, *listed)))
    for later, earlier in ask.after:
        if ordered.index(later) < ordered.index(earlier):
            names = {option.id: option.label for option in ask.options}
            raise Refused("refused.too_early", rule=ask.rule, params={"what": names[later], "other": names[earlier]})
    return tuple(ordered)


def withdraw(command: Withdraw, tx: Transaction, rules: RuleSystem) -> None:
    """Put a prompt aside: all that it still asks is passed over."""
    prompt = tx.need(Prompt, command.prompt)
    passed_over = tuple(Answered(ask.id, skipped=True) for ask in open_asks(prompt))
    tx.update(prompt, answers=(*prompt.answers, *passed_over))


def add_note(command: AddNote, tx: Transaction, rules: RuleSystem) -> None:
    """Write a line."""
    if not command.text.strip():
        raise Refused("refused.empty")
    tx.emit(Noted(text=command.text.strip(), rule=""))


def correct(command: Correct, tx: Transaction, rules: RuleSystem) -> None:
    """Correct an earlier line."""
    if not command.text.strip():
        raise Refused("refused.empty")
    tx.emit(Corrected(serial=command.serial, line=command.line, text=command.text.strip()))
