"""Hooks: the moments at which data and parts contribute modifiers, offers and vetoes.

A hook function never changes the state and never asks a question. It returns a `HookResult`, and the stage that called
it decides. `docs/order-of-play.md` shows every hook in the course of a turn; a test keeps the two in sync.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from turnwright.dice.roll import Edge, Modifier, RollPart
from turnwright.encounter.running import Effect

if TYPE_CHECKING:
    from turnwright.encounter.procedure_state import ProcedureData
    from turnwright.encounter.procedure_state.kinds import ProcedureKind
    from turnwright.encounter.state import Lookup


class Hook(Enum):
    """The hooks, in the order in which a round reaches them."""

    ROUND_STARTED = "round_started"
    COUNTDOWN_ROLLED = "countdown_rolled"
    TURN_STARTED = "turn_started"
    ACTION_DECLARED = "action_declared"
    FOE_ACTED = "foe_acted"
    MOVED = "moved"
    CAME_NEAR = "came_near"
    CHECK_MADE = "check_made"
    ATTACK_ROLLED = "attack_rolled"
    ATTACK_SETTLED = "attack_settled"
    DAMAGE_ROLLED = "damage_rolled"
    DAMAGE_INCOMING = "damage_incoming"
    DAMAGE_TAKEN = "damage_taken"
    DROPPING = "dropping"
    DIED = "died"
    HEALED = "healed"
    EFFECT_GAINED = "effect_gained"
    EFFECT_ENDED = "effect_ended"
    TURN_ENDING = "turn_ending"


class HookContext(msgspec.Struct, frozen=True):
    """The arguments of a hook call.

    `who` is the combatant concerned. `subject` is the resource, roll (`save.dex`, `check.dex:stealth`, `attack`,
    `attack-against`, `check-against`), effect or environment concerned. `other` is the combatant on the other side: the
    target of an attack or check or, if `subject` ends in `-against`, the combatant that makes it.

    `tags` are known facts about the roll: `melee`, `ranged`, `weapon`, `spell`, `thrown`, `opportunity`, `hide`, …
    `initiative`: the roll determines a place in the turn order. `part` is the damage to adjust, at DAMAGE_INCOMING.
    `effect` is the effect whose rules are being evaluated. `amount` is the damage taken, or the distance to `other` in
    feet before a step. `hp_before` is the number of hit points before the damage.
    """

    who: str = ""
    subject: str = ""
    part: RollPart | None = None
    initiative: bool = False
    other: str = ""
    tags: tuple[str, ...] = ()
    effect: Effect | None = None
    amount: int = 0
    hp_before: int = 0

    @property
    def attacker(self) -> str:
        """Return the id of the combatant that makes the attack or check."""
        return self.other if self.subject.endswith("-against") else self.who

    @property
    def target(self) -> str:
        """Return the id of the target of the attack or check, or an empty string if it has none."""
        return self.who if self.subject.endswith("-against") else self.other


class Veto(msgspec.Struct, frozen=True):
    """A reason why something isn't allowed: a word key with its parameters, and the ledger rule."""

    reason: str
    rule: str
    params: tuple[tuple[str, str | int], ...] = ()


class RollGrant(msgspec.Struct, frozen=True):
    """A special contribution of a source to a roll.

    `kind` is one of these: `expertise` (`steps` is the number of steps of the extra die; 0 cancels expertise from any
    source), `critical` (a hit is a critical hit), `fail` (the roll fails), `ask` (the game master has to decide;
    `reason` is the question), `flat` (a flat check with DC `steps` comes first).
    """

    kind: str
    reason: str
    rule: str
    steps: int = 1


class OpenModifier(msgspec.Struct, frozen=True):
    """An edge or modifier that depends on an unknown fact (`hangs_on`). The game master may accept it."""

    share: Edge | Modifier
    hangs_on: str


class EntryOffer(msgspec.Struct, frozen=True):
    """An environment entry that now affects a combatant."""

    environment: str
    entry: str
    who: str


class StartProcedure(msgspec.Struct, frozen=True):
    """A procedure that a hook starts at its first stage: its kind and its data."""

    kind: ProcedureKind
    data: ProcedureData


class HookResult(msgspec.Struct, frozen=True):
    """The contributions of a single hook function, or of several combined.

    `consumed_effects` are the ids of contributing effects with limited uses: making the roll spends one use of each.
    `open_modifiers` depend on an unknown fact.
    """

    modifiers: tuple[Modifier, ...] = ()
    edges: tuple[Edge, ...] = ()
    offers: tuple[EntryOffer, ...] = ()
    vetoes: tuple[Veto, ...] = ()
    grants: tuple[RollGrant, ...] = ()
    consumed_effects: tuple[str, ...] = ()
    procedures: tuple[StartProcedure, ...] = ()
    open_modifiers: tuple[OpenModifier, ...] = ()


class HasHooks(Protocol):
    """A rule system, which contains the functions of each hook. They take the system as their second argument."""

    @property
    def hooks(self) -> Mapping[Hook, tuple[Callable[[Lookup, Any, HookContext], HookResult], ...]]:
        """Return the functions of each hook, in order."""


NO_RESULT = HookResult()


def run_hooks(lookup: Lookup, rules: HasHooks, hook: Hook, context: HookContext) -> HookResult:
    """Run all functions of a hook in their fixed order, and combine their results."""
    results = (function(lookup, rules, context) for function in rules.hooks.get(hook, ()))
    contributions = [result for result in results if result is not NO_RESULT]
    if len(contributions) < 2:
        return contributions[0] if contributions else NO_RESULT
    joined = {
        name: tuple(item for result in contributions for item in getattr(result, name))
        for name in HookResult.__struct_fields__
    }
    return HookResult(**joined)
