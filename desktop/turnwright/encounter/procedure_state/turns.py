"""Data and stages of the procedures in `play.turns`: rounds, turns, and everything at their start and end."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.procedure_state.kinds import ProcedureKind, Stage, StageName
from turnwright.encounter.tagged_struct import CombatantData, TaggedStruct


class RoundStart(TaggedStruct, frozen=True):
    """The start of a round. `expired_pools` and `offers` (environment and entry) still have to be handled, in order.

    `eventful`: a countdown outcome or the world's turn may have triggered readied responses.
    """

    expired_pools: tuple[str, ...] = ()
    offers: tuple[tuple[str, str], ...] = ()
    eventful: bool = False


class WorldTurn(TaggedStruct, frozen=True):
    """The world's turn for a single participant. `offers` and the `remaining` participants are still to come."""

    who: str = ""
    offers: tuple[tuple[str, str], ...] = ()
    remaining: tuple[str, ...] = ()


class TurnEnd(TaggedStruct, frozen=True):
    """The end of a slot's turn. `entries` (environment, entry, combatant) with an end-of-turn effect are still to come.

    `next_slot` is the slot whose turn was chosen to follow, or empty for the next in the order. `phases` are the
    remaining phases, by their names in `play.turns.turn_phases`. `delays`: the turn is delayed.
    """

    slot: str
    entries: tuple[tuple[str, str, str], ...] = ()
    next_slot: str = ""
    phases: tuple[str, ...] = ()
    delays: bool = False


class TurnStart(TaggedStruct, frozen=True):
    """The start of a slot's turn, with its remaining phases. The user may be asked for their order."""

    slot: str
    phases: tuple[str, ...] = ()


class TieForNextTurn(TaggedStruct, frozen=True):
    """The slot whose turn comes next, if it is tied with others."""

    slot: str


class NextTurnChoice(TaggedStruct, frozen=True):
    """The choice of the next turn, under a house rule. It needs no data."""


class RechargeRolls(CombatantData, frozen=True):
    """Ids of a creature's features that may recharge."""

    features: tuple[str, ...]


class FeatureRest(CombatantData, frozen=True):
    """A feature that a creature can't use again for some rounds."""

    feature: str


class RefillChoice(CombatantData, frozen=True):
    """The choice of which points of a resource a combatant loses."""

    resource: str


class TurnTrigger(CombatantData, frozen=True):
    """The start or end of a combatant's turn, which triggers some of its features."""

    moment: Literal["turn-start", "turn-end"]


class TurnReminders(TaggedStruct, frozen=True):
    """Ids of the effects whose notes are due at the start or end of a turn."""

    moment: Literal["turn-start", "turn-end"]
    effects: tuple[str, ...]


class DueReminders(TaggedStruct, frozen=True):
    """Ids of the game master's reminders that are due, and lasting areas, each paired with a combatant in it."""

    reminders: tuple[str, ...]
    areas: tuple[tuple[str, str], ...] = ()


class FlatChecks(TaggedStruct, frozen=True):
    """Ids of the effects that a flat check at the end of this turn may end."""

    effects: tuple[str, ...]


class AfflictionSaves(TaggedStruct, frozen=True):
    """Ids of the effects that a save may end, at the end of this turn or after damage (`is_hurt`)."""

    effects: tuple[str, ...]
    is_hurt: bool = False


class OffTurnAction(CombatantData, frozen=True):
    """A creature's legendary or lair action, and the feature chosen for it."""

    feature: str = ""


class LairActions(TaggedStruct, frozen=True):
    """All lair actions at this point of the turn order, which continues after them."""


class EndTurnOffer(TaggedStruct, frozen=True):
    """The offer to end a turn in which nothing is left to do."""


Data = (
    RoundStart
    | WorldTurn
    | TurnEnd
    | TurnStart
    | TieForNextTurn
    | NextTurnChoice
    | RechargeRolls
    | FeatureRest
    | RefillChoice
    | TurnTrigger
    | TurnReminders
    | DueReminders
    | FlatChecks
    | AfflictionSaves
    | OffTurnAction
    | LairActions
    | EndTurnOffer
)


class _Round(ProcedureKind):
    begin_round = StageName()
    expire_effects = StageName()
    roll_countdowns = StageName()
    after_countdown_rolls = StageName()
    run_outcomes = StageName()
    roll_recharges = StageName()
    after_recharge_rolls = StageName()
    begin_world_actions = StageName()
    offer_world_actions = StageName()
    begin_turns = StageName()


class _WorldTurn(ProcedureKind):
    next_combatant = StageName()
    offer_next = StageName()


class _TiedTurn(ProcedureKind):
    ask_tied = StageName()
    after_tied = StageName()


class _NextTurn(ProcedureKind):
    ask_next = StageName()
    begin_chosen = StageName()


class _TurnStart(ProcedureKind):
    ask_start_order = StageName()
    next_start_phase = StageName()
    start_joint_turn = StageName()


class _TurnEnd(ProcedureKind):
    ask_end_order = StageName()
    next_end_phase = StageName()
    finish_turn = StageName()


class _EndTurnOffer(ProcedureKind):
    ask_end_turn = StageName()
    apply_end_turn = StageName()


class _Recharge(ProcedureKind):
    ask_rolls = StageName()
    apply = StageName()


class _FeatureRest(ProcedureKind):
    ask_rounds = StageName()
    begin_rest = StageName()


class _ResourceRefill(ProcedureKind):
    ask_which_lost = StageName()
    apply = StageName()


class _TurnTrigger(ProcedureKind):
    ask_trigger = StageName()
    use_trigger = StageName()


class _Reminder(ProcedureKind):
    ask_reminders = StageName()
    record_reminders = StageName()


class _OwnReminder(ProcedureKind):
    ask_own_reminders = StageName()
    record_own_reminders = StageName()


class _FlatCheck(ProcedureKind):
    ask_flat_checks = StageName()
    apply_flat_checks = StageName()


class _Affliction(ProcedureKind):
    ask_saves = StageName()
    after_saves = StageName()
    end_afflictions = StageName()


class OffTurnActionKind(ProcedureKind):
    """The stages shared by legendary and lair actions."""

    ask_action = StageName()
    ask_targets = StageName()
    resolve = StageName()


class _LairActions(ProcedureKind):
    finish = StageName()


ROUND = _Round("round")
ROUND_START: tuple[Stage, ...] = (
    ROUND.begin_round,
    ROUND.expire_effects,
    ROUND.roll_countdowns,
    ROUND.run_outcomes,
    ROUND.roll_recharges,
    ROUND.begin_world_actions,
    ROUND.begin_turns,
)  # stages listed in the quick reference; the others belong to the stages before them
WORLD_TURN = _WorldTurn("world-turn")
TIED_TURN = _TiedTurn("tied-turn")
NEXT_TURN = _NextTurn("next-turn")
TURN_START = _TurnStart("turn-start")
TURN_END = _TurnEnd("turn-end")
END_TURN_OFFER = _EndTurnOffer("end-turn-offer")
RECHARGE = _Recharge("recharge")
FEATURE_REST = _FeatureRest("feature-rest")
RESOURCE_REFILL = _ResourceRefill("resource-refill")
TURN_TRIGGER = _TurnTrigger("turn-trigger")
REMINDER = _Reminder("reminder")
OWN_REMINDER = _OwnReminder("own-reminder")
FLAT_CHECK = _FlatCheck("flat-check")
AFFLICTION = _Affliction("affliction")
LEGENDARY_ACTION = OffTurnActionKind("legendary")
LAIR_ACTION = OffTurnActionKind("lair")
LAIR_ACTIONS = _LairActions("lair-actions")
