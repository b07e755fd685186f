"""Optional modifiers: effects that a system's sources only mention, offered with the roll so that the user can decline.

An offer is a choice in the same prompt before the roll. The roll waits for the choice, unless the user rolls at once.
Strict rules offer only what a creature may choose or what depends on the sense used: the usual effects apply. They also apply if the user has set a condition's usual effects to
automatic for this encounter.
"""

from collections.abc import Iterable

import msgspec

from turnwright.dice.expression import DeclinableModifier
from turnwright.encounter.procedure_state.asks import Ask, AskResult, Option, Prompt, choice_ask
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.transaction import Transaction

OFFER_PREFIX = "usual:"  # prefix of the ids of offers
ALWAYS_PREFIX = "always:"  # prefix of the ids of options that apply for the whole encounter
ALWAYS_LABEL = "option.always_as_usual"
HELD_EFFECTS = "held-effects"  # mark: the usual effects of the condition in `source` are automatic


def modifier_ask(offered: DeclinableModifier, id: str = "", who: str = "") -> Ask:
    """Ask whether the usual effect of a rule applies. Without `id`, the ask has the modifier's id."""
    detail = f"{offered.reason} ({offered.depends_on})" if offered.depends_on else offered.reason
    options = [Option(f"yes:{offered.id}", "option.yes"), Option(f"no:{offered.id}", "option.no")]
    suggested = ""
    if not offered.is_open and condition_named(offered.reason):
        suggested = f"{ALWAYS_PREFIX}yes:{offered.id}"
        options.append(Option(suggested, ALWAYS_LABEL))
    label = "ask.feature_applies" if offered.is_open else "ask.usual_effects"
    return choice_ask(id or offered.id, label, tuple(options), who, detail, suggested=suggested, rule=offered.rule)


def condition_named(reason: str) -> str:
    """Return the id of the condition that a modifier's reason names, or an empty string if it names none."""
    name = reason.removeprefix("<condition.").removesuffix(">")
    return name if reason == f"<condition.{name}>" else ""


def held_effects_id(condition: str) -> str:
    """Return the id of the mark that makes a condition's usual effects automatic."""
    return f"{HELD_EFFECTS}-{condition}"


def always_holds(lookup: Lookup, reason: str) -> bool:
    """Return whether a reason is a condition whose usual effects are automatic in this encounter."""
    condition = condition_named(reason)
    return bool(condition) and lookup.get(Effect, held_effects_id(condition)) is not None


def with_offers(tx: Transaction, asks: Iterable[Ask]) -> tuple[Ask, ...]:
    """Return a prompt's asks, preceded by the offers for its rolls."""
    listed, is_strict = tuple(asks), tx.strictness == "enforce"
    offers = (
        modifier_ask(modifier, _id(ask, modifier), ask.who)
        for ask in listed
        for modifier in _offered(ask)
        if (modifier.is_choice or not is_strict) and not always_holds(tx, modifier.reason)
        if not (modifier.uses and modifier.dice and ask.dc)  # otherwise, it is offered after the roll, if that fails
    )
    return (*offers, *listed)


def is_offer(id: str) -> bool:
    """Return whether the id of an ask belongs to an offer. Procedures never see offers."""
    return id.startswith(OFFER_PREFIX)


def without_declined(ask: Ask, answers: Iterable[AskResult]) -> Ask:
    """Return a roll's ask with declined modifiers removed and open ones accepted.

    A skipped offer counts as declined.
    """
    offer_answers = {answer.ask: answer for answer in answers if is_offer(answer.ask)}
    declined: set[str] = set()
    accepted: set[str] = set()
    for modifier in _offered(ask):
        if (answer := offer_answers.get(_id(ask, modifier))) is not None:
            (accepted if f"yes:{modifier.id}" in answer.chosen else declined).add(modifier.id)
    spec = ask.spec.with_accepted(accepted).without(declined) if ask.spec is not None else None
    return ask if spec is ask.spec else msgspec.structs.replace(ask, spec=spec)


def apply_offer_answers(tx: Transaction, prompt: Prompt) -> Prompt:
    """Remove declined modifiers from a prompt's rolls. Accept the default for offers that no roll waits for."""
    answered = {answer.ask for answer in prompt.answers}
    rolls = [ask for ask in prompt.asks if ask.kind == "roll" and ask.id not in answered]
    waited_for = {_id(ask, modifier) for ask in rolls for modifier in _offered(ask)}
    lapsed = tuple(
        AskResult(ask.id, chosen=ask.suggested)
        for ask in prompt.asks
        if is_offer(ask.id) and ask.id not in answered and ask.id not in waited_for
    )
    asks = tuple(without_declined(ask, prompt.answers) for ask in prompt.asks)
    if not lapsed and asks == prompt.asks:
        return prompt
    return tx.update(prompt, asks=asks, answers=(*prompt.answers, *lapsed))


def waits_for_offer(prompt: Prompt, ask: Ask) -> bool:
    """Return whether a roll waits until the user accepts or declines its offers."""
    offers, answered = {other.id for other in prompt.asks}, {answer.ask for answer in prompt.answers}
    return any(_id(ask, modifier) in offers - answered for modifier in _offered(ask))


def fails_automatically(tx: Transaction, prompt: Prompt, ask: Ask) -> bool:
    """Return whether a roll fails regardless of the dice, without the user's decision.

    Either the user has accepted the modifier that makes it fail, or Turnwright rolls the dice and the modifier isn't
    optional. If the user rolls, the prompt has a button for the failure next to the dice.
    """
    offer_answers = {answer.ask: answer.chosen for answer in prompt.answers}
    if ask.spec is None:
        return False
    if tx.rolls_by_itself and ask.spec.fails and ask.spec.fails not in {modifier.reason for modifier in _offered(ask)}:
        return True
    return any(
        modifier.reason == ask.spec.fails
        and (f"yes:{modifier.id}" in offer_answers.get(_id(ask, modifier), ()) or always_holds(tx, modifier.reason))
        for modifier in _offered(ask)
    )


def _offered(ask: Ask) -> tuple[DeclinableModifier, ...]:
    return ask.spec.offered if ask.kind == "roll" and ask.spec is not None else ()


def _id(ask: Ask, modifier: DeclinableModifier) -> str:
    return f"{OFFER_PREFIX}{ask.id}:{modifier.id}"
