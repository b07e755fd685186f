"""Effects of rules that the system's sources only name: they are offered with the roll, and may be declined.

An offer is a choice that stands before the roll on its card; the roll waits for it, unless a person makes it at once.
Played by the letter nothing is offered: the usual effects hold.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from turnwright.dice.roll import DeclinableModifier
from turnwright.encounter.procedure_state.asks import Ask, AskResult, Option, Prompt
from turnwright.play.kernel.transaction import Transaction

OFFER_PREFIX = "usual:"  # how the ids of offers begin


def modifier_ask(offered: DeclinableModifier, id: str = "", who: str = "") -> Ask:
    """Return the question whether the usual effect of a rule holds; the offer's own id is the ask's, unless given."""
    return Ask(
        id or offered.id,
        "choice",
        "ask.usual_effects",
        who,
        offered.reason,
        options=(Option(f"yes:{offered.id}", "option.yes"), Option(f"no:{offered.id}", "option.no")),
        suggested=(f"yes:{offered.id}",),
        rule=offered.rule,
    )


def with_offers(tx: Transaction, asks: Iterable[Ask]) -> tuple[Ask, ...]:
    """Return what a card asks with the offers that its rolls make before it."""
    listed = tuple(asks)
    if tx.strictness == "enforce":
        return listed
    return (*(modifier_ask(one, _id(each, one), each.who) for each in listed for one in _offered(each)), *listed)


def is_offer(id: str) -> bool:
    """Return whether an ask is an offer of its card's, and none of its procedure's."""
    return id.startswith(OFFER_PREFIX)


def without_declined(ask: Ask, answers: Iterable[AskResult]) -> Ask:
    """Return a roll without what was declined of it; an offer passed over is declined."""
    said = {answer.ask: answer for answer in answers if is_offer(answer.ask)}
    declined = {
        one.id
        for one in _offered(ask)
        if (answer := said.get(_id(ask, one))) is not None and f"yes:{one.id}" not in answer.chosen
    }
    if ask.spec is None or not declined:
        return ask
    return msgspec.structs.replace(ask, spec=ask.spec.without(declined))


def apply_offer_answers(tx: Transaction, prompt: Prompt) -> Prompt:
    """Take what was declined out of a card's rolls, and let offers lapse whose roll no longer waits for them."""
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
    """Return whether a roll waits for a person to say whether what it offers holds."""
    offers, answered = {each.id for each in prompt.asks}, {answer.ask for answer in prompt.answers}
    return any(_id(ask, one) in offers - answered for one in _offered(ask))


def fails_automatically(prompt: Prompt, ask: Ask) -> bool:
    """Return whether a person has agreed to what makes a roll fail whatever the dice show."""
    said = {answer.ask: answer.chosen for answer in prompt.answers}
    return ask.spec is not None and any(
        one.reason == ask.spec.fails and f"yes:{one.id}" in said.get(_id(ask, one), ()) for one in _offered(ask)
    )


def _offered(ask: Ask) -> tuple[DeclinableModifier, ...]:
    return ask.spec.offered if ask.kind == "roll" and ask.spec is not None else ()


def _id(ask: Ask, one: DeclinableModifier) -> str:
    return f"{OFFER_PREFIX}{ask.id}:{one.id}"
