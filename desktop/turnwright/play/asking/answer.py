"""Answering the asks of a prompt, or dismissing it."""

import msgspec

from turnwright.dice.expression import Roll, RollSpec
from turnwright.dice.manual_rolls import parse_faces, parse_result, with_typed_bonus
from turnwright.encounter.procedure_state.asks import FAILED, Ask, AskResult, Prompt, Reply
from turnwright.play.kernel.optional_modifiers import is_offer, without_declined
from turnwright.play.kernel.scheduler import open_asks
from turnwright.play.kernel.transaction import Command, Refused, Transaction, require, require_dice
from turnwright.play.state.effect_records import take_always
from turnwright.rules.parts.checks.ability_checks import attack_result_options, result_options
from turnwright.rules.system import RuleSystem

BY_FACE = frozenset({"ask.countdown", "ask.recharge"})  # rolls without modifiers, entered face by face


class Answer(Command, frozen=True):
    """Answer asks of a prompt; other asks stay open. `revision` is the prompt's revision when it was read."""

    prompt: str
    replies: tuple[Reply, ...]
    revision: int

    def handle(self, tx: Transaction) -> None:
        """Store the replies to a prompt. Refuse replies to a prompt that has changed or is gone.

        If a roll's dice are unknown, ask for its result instead: success or failure, or the total.
        """
        prompt = tx.get(Prompt, self.prompt)
        if prompt is None or prompt.revision != self.revision:
            raise Refused("refused.stale")
        unanswered = {ask.id: ask for ask in open_asks(prompt)}
        answers = list(prompt.answers)
        instead: dict[str, Ask] = {}
        for reply in sorted(self.replies, key=lambda each: not is_offer(each.ask)):  # offers come before their roll
            ask = unanswered.pop(reply.ask, None)
            if ask is None:
                raise Refused("refused.stale")
            ask = without_declined(ask, answers)
            answered = take_always(tx, ask, parse_reply(tx, ask, reply))
            is_unknown = ask.kind == "roll" and answered.roll and answered.roll.total is None
            if is_unknown and answered.roll and not _is_decided(tx.rules, ask, answered.roll):
                instead[ask.id] = reopen_ask(tx.rules, ask)
            else:
                answers.append(answered)
        tx.update(prompt, asks=tuple(instead.get(ask.id, ask) for ask in prompt.asks), answers=tuple(answers))


def _is_decided(rules: RuleSystem, ask: Ask, rolled: Roll) -> bool:
    """Return whether a roll without a total answers its ask: its face decides, or the next stage asks for the rest."""
    attack_data = rules.data.attack
    by_face = ask.label == "ask.attack" and rolled.natural in (attack_data.natural_hit, attack_data.natural_miss)
    return by_face or ask.label == "ask.countdown"


def reopen_ask(rules: RuleSystem, ask: Ask) -> Ask:
    """Return the ask for the result of a roll with unknown dice."""
    if ask.label == "ask.attack":
        return msgspec.structs.replace(ask, kind="choice", options=attack_result_options(rules))
    if not ask.dc:
        return msgspec.structs.replace(ask, kind="number")
    return msgspec.structs.replace(ask, kind="choice", options=result_options(rules))


def parse_reply(tx: Transaction, ask: Ask, reply: Reply) -> AskResult:
    """Return the answer in a reply to an ask. Raise Refused if the reply doesn't fit."""
    if reply.skip:
        return AskResult(ask.id, skipped=True)
    if ask.kind == "roll" and ask.spec is not None:
        if ask.spec.fails and reply.chosen == (FAILED,):
            return AskResult(ask.id, chosen=(FAILED,))
        with require_dice(reply.typed):
            raised = None if ask.label in BY_FACE else with_typed_bonus(reply.typed, ask.spec)
        if reply.roll or raised is not None:
            require(ask.spec.dice, "refused.no_die")
            rolled = tx.roll_now(raised or ask.spec)
            if rolled is None:
                raise Refused("refused.out_of_dice")
            return AskResult(ask.id, roll=rolled)
        one_by_one = ask.label in BY_FACE and reply.typed.strip() not in ("", "?")
        return AskResult(ask.id, roll=_typed(reply.typed, ask.spec, one_by_one=one_by_one))
    if ask.kind == "number":
        number = reply.number if reply.number is not None else _number(reply.typed)
        if ask.spec is not None:
            return AskResult(ask.id, roll=_typed(str(number), ask.spec))
        if number < 0 or (ask.max_choices and number > ask.max_choices):
            raise Refused("refused.number_range", params={"most": ask.max_choices})
        return AskResult(ask.id, number=number)
    return AskResult(ask.id, chosen=_chosen(ask, reply.chosen or ()))


def _typed(text: str, spec: RollSpec, *, one_by_one: bool = False) -> Roll:
    with require_dice(text):
        return (parse_faces if one_by_one else parse_result)(text, spec)


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise Refused("refused.number", params={"what": text}) from error


def _chosen(ask: Ask, chosen: tuple[str, ...]) -> tuple[str, ...]:
    allowed = {option.id for option in ask.options}
    if ask.kind == "order":
        return _ordered(ask, chosen)
    most = 1 if ask.kind == "choice" else ask.max_choices
    if not allowed.issuperset(chosen) or (most and len(chosen) > most) or (ask.kind == "choice" and not chosen):
        raise Refused("refused.choice")
    return tuple(dict.fromkeys(chosen))


def _ordered(ask: Ask, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Return the options in the chosen order, then the remaining ones. Refuse an order that breaks `must_follow`."""
    listed = [option.id for option in ask.options]
    require(set(listed).issuperset(chosen), "refused.choice")
    ordered = list(dict.fromkeys((*chosen, *listed)))
    for later, earlier in ask.must_follow:
        if ordered.index(later) < ordered.index(earlier):
            names = {option.id: option.label for option in ask.options}
            raise Refused("refused.too_early", rule=ask.rule, params={"what": names[later], "other": names[earlier]})
    return tuple(ordered)


class DismissPrompt(Command, frozen=True):
    """Dismiss a prompt and skip its open asks."""

    prompt: str

    def handle(self, tx: Transaction) -> None:
        """Dismiss a prompt by skipping all its open asks."""
        prompt = tx.need(Prompt, self.prompt)
        passed_over = tuple(AskResult(ask.id, skipped=True) for ask in open_asks(prompt))
        tx.update(prompt, answers=(*prompt.answers, *passed_over))
