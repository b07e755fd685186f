"""The moments at which data and parts may speak up, and what they may say: modifiers, offers and vetoes.

A hook function never changes anything and never asks; it returns a `Contribution`, and the stage that called
it decides. `docs/order-of-play.md` shows the turn with every hook in its place, and a test holds it to that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING

import msgspec

from turnwright.dice.roll import Edge, ExtraDice, Modifier, Part

if TYPE_CHECKING:
    from turnwright.encounter.state import Lookup
    from turnwright.rules.system import RuleSystem


class Hook(Enum):
    """The moments, in the order in which a round comes to them."""

    ROUND_STARTED = "round_started"
    COUNTDOWN_ROLLED = "countdown_rolled"
    TURN_STARTED = "turn_started"
    ACTION_DECLARED = "action_declared"
    MOVED = "moved"
    CHECK_MADE = "check_made"
    DAMAGE_INCOMING = "damage_incoming"
    DAMAGE_TAKEN = "damage_taken"
    HEALED = "healed"
    EFFECT_GAINED = "effect_gained"
    EFFECT_ENDED = "effect_ended"
    TURN_ENDING = "turn_ending"


class Moment(msgspec.Struct, frozen=True):
    """What a hook is called about.

    `who` is the combatant concerned; `what` the resource, roll (`save.dex`), effect or ground; `part` the damage
    on its way, at DAMAGE_INCOMING; `initiative`: the check decides a place in the order.
    """

    who: str = ""
    what: str = ""
    part: Part | None = None
    initiative: bool = False


class Veto(msgspec.Struct, frozen=True):
    """Why something may not be done: a word key and the ledger rule."""

    reason: str
    rule: str


class Offer(msgspec.Struct, frozen=True):
    """A row of an environment that now concerns somebody."""

    environment: str
    entry: str
    who: str


class Contribution(msgspec.Struct, frozen=True):
    """What one hook function, or all of them together, has to say."""

    modifiers: tuple[Modifier, ...] = ()
    edges: tuple[Edge, ...] = ()
    extra: tuple[ExtraDice, ...] = ()
    offers: tuple[Offer, ...] = ()
    vetoes: tuple[Veto, ...] = ()


HookFunction = Callable[["Lookup", "RuleSystem", Moment], Contribution]
Hooks = Mapping[Hook, tuple[HookFunction, ...]]
NOTHING = Contribution()


def contributions(lookup: Lookup, rules: RuleSystem, hook: Hook, moment: Moment) -> Contribution:
    """Return what all functions on a hook say, in their fixed order, put together."""
    functions = rules.hooks.get(hook, ())
    if not functions:
        return NOTHING
    said = [function(lookup, rules, moment) for function in functions]
    if len(said) == 1:
        return said[0]
    return Contribution(
        modifiers=tuple(one for each in said for one in each.modifiers),
        edges=tuple(one for each in said for one in each.edges),
        extra=tuple(one for each in said for one in each.extra),
        offers=tuple(one for each in said for one in each.offers),
        vetoes=tuple(one for each in said for one in each.vetoes),
    )
