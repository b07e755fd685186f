"""Optional modifiers: effects of rules that a system's sources only name, offered with the roll and declinable.

An offer is a choice that stands before the roll on its card; the roll waits for it, unless a person makes it at once.
With strict rules nothing is offered: the usual effects hold. So do those of a condition of which a person has said that
they always do in this encounter.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from turnwright.dice.roll import DeclinableModifier
from turnwright.encounter.procedure_state.asks import Ask, AskResult, Option, Prompt, choice_ask
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.transaction import Transaction

OFFER_PREFIX = "usual:"  # how the ids of offers begin
ALWAYS_PREFIX = "always:"  # how the ids of options begin that say the rest of the id for the whole encounter
ALWAYS_LABEL = "option.always_as_usual"
HELD_EFFECTS = "held-effects"  # a mark: the usual effects of its source, a condition, hold unasked


def modifier_ask(offered: DeclinableModifier, id: str = "", who: str = "") -> Ask:
    """Return the ask whether the usual effect of a rule applies; its id is the modifier's unless `id` is given."""
    detail = f"{offered.reason} ({offered.hangs_on})" if offered.hangs_on else offered.reason
    options = [Option(f"yes:{offered.id}", "option.yes"), Option(f"no:{offered.id}", "option.no")]
    suggested = ""
    if not offered.is_open and condition_named(offered.reason):
        suggested = f"{ALWAYS_PREFIX}yes:{offered.id}"
        options.append(Option(suggested, ALWAYS_LABEL))
    label = "ask.feature_applies" if offered.is_open else "ask.usual_effects"
    return choice_ask(id or offered.id, label, tuple(options), who, detail, suggested=suggested, rule=offered.rule)


def condition_named(reason: str) -> str:
    """Return the id of the condition whose name is the reason of a modifier, empty for another reason."""
    name = reason.removeprefix("<condition.").removesuffix(">")
    return name if reason == f"<condition.{name}>" else ""


def held_effects_id(condition: str) -> str:
    """Return the id of the mark that the usual effects of a condition hold unasked."""
    return f"{HELD_EFFECTS}-{condition}"


def always_holds(lookup: Lookup, reason: str) -> bool:
    """Return whether a reason is a condition whose usual effects hold unasked in this encounter."""
    condition = condition_named(reason)
    return bool(condition) and lookup.get(Effect, held_effects_id(condition)) is not None


def with_offers(tx: Transaction, asks: Iterable[Ask]) -> tuple[Ask, ...]:
    """Return the asks of a card, preceded by the offers that its rolls make."""
    listed = tuple(asks)
    if tx.strictness == "enforce":
        return listed
    offers = (
        modifier_ask(one, _id(each, one), each.who)
        for each in listed
        for one in _offered(each)
        if not always_holds(tx, one.reason)
    )
    return (*offers, *listed)


def is_offer(id: str) -> bool:
    """Return whether the id of an ask is that of an offer, which its procedure never sees."""
    return id.startswith(OFFER_PREFIX)


def without_declined(ask: Ask, answers: Iterable[AskResult]) -> Ask:
    """Return a roll's ask without its declined modifiers and with the open ones accepted.

    An offer passed over is declined.
    """
    offer_answers = {answer.ask: answer for answer in answers if is_offer(answer.ask)}
    declined: set[str] = set()
    accepted: set[str] = set()
    for one in _offered(ask):
        if (answer := offer_answers.get(_id(ask, one))) is not None:
            (accepted if f"yes:{one.id}" in answer.chosen else declined).add(one.id)
    spec = ask.spec.with_accepted(accepted).without(declined) if ask.spec is not None else None
    return ask if spec is ask.spec else msgspec.structs.replace(ask, spec=spec)


def apply_offer_answers(tx: Transaction, prompt: Prompt) -> Prompt:
    """Take declined modifiers out of a card's rolls; offers whose roll doesn't wait for them get the usual answer."""
    answered = {answer.ask for answer in prompt.answers}
    rolls = [each for each in prompt.asks if each.kind == "roll" and each.id not in answered]
    waited_for = {_id(each, one) for each in rolls for one in _offered(each)}
    lapsed = tuple(
        AskResult(each.id, chosen=each.suggested)
        for each in prompt.asks
        if is_offer(each.id) and each.id not in answered and each.id not in waited_for
    )
    asks = tuple(without_declined(each, prompt.answers) for each in prompt.asks)
    if not lapsed and asks == prompt.asks:
        return prompt
    return tx.update(prompt, asks=asks, answers=(*prompt.answers, *lapsed))


def waits_for_offer(prompt: Prompt, ask: Ask) -> bool:
    """Return whether a roll waits for a person to accept or decline its offers."""
    offers, answered = {each.id for each in prompt.asks}, {answer.ask for answer in prompt.answers}
    return any(_id(ask, one) in offers - answered for one in _offered(ask))


def fails_automatically(tx: Transaction, prompt: Prompt, ask: Ask) -> bool:
    """Return whether a roll fails whatever the dice show, without a person to decide it.

    Either a person has accepted the modifier that makes it fail, or the dice roll by themselves and nobody need be asked
    about it. Where a person rolls, the card has a button for it beside the dice.
    """
    offer_answers = {answer.ask: answer.chosen for answer in prompt.answers}
    if ask.spec is None:
        return False
    if tx.rolls_by_itself and ask.spec.fails and ask.spec.fails not in {one.reason for one in _offered(ask)}:
        return True
    return any(
        one.reason == ask.spec.fails
        and (f"yes:{one.id}" in offer_answers.get(_id(ask, one), ()) or always_holds(tx, one.reason))
        for one in _offered(ask)
    )


def _offered(ask: Ask) -> tuple[DeclinableModifier, ...]:
    return ask.spec.offered if ask.kind == "roll" and ask.spec is not None else ()


def _id(ask: Ask, one: DeclinableModifier) -> str:
    return f"{OFFER_PREFIX}{ask.id}:{one.id}"
