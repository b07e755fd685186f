"""Data and stages of the procedures in `play.turns`: rounds, turns, and everything at their start and end."""

from typing import Literal

from turnwright.encounter.procedure_state.kinds import ProcedureKind, Stage
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
    RoundStart | WorldTurn | TurnEnd | TurnStart | TieForNextTurn | NextTurnChoice | RechargeRolls | FeatureRest
    | RefillChoice | TurnTrigger | TurnReminders | DueReminders | FlatChecks | AfflictionSaves | OffTurnAction
    | LairActions | EndTurnOffer
)  # fmt: skip


ROUND = ProcedureKind(
    "round",
    "begin_round expire_effects roll_countdowns after_countdown_rolls run_outcomes roll_recharges "
    "after_recharge_rolls begin_world_actions offer_world_actions begin_turns",
)
ROUND_START: tuple[Stage, ...] = (
    ROUND.begin_round,
    ROUND.expire_effects,
    ROUND.roll_countdowns,
    ROUND.run_outcomes,
    ROUND.roll_recharges,
    ROUND.begin_world_actions,
    ROUND.begin_turns,
)  # stages listed in the quick reference; the others belong to the stages before them
WORLD_TURN = ProcedureKind("world-turn", "next_combatant offer_next")
TIED_TURN = ProcedureKind("tied-turn", "ask_tied after_tied")
NEXT_TURN = ProcedureKind("next-turn", "ask_next begin_chosen")
TURN_START = ProcedureKind("turn-start", "ask_start_order next_start_phase start_joint_turn")
TURN_END = ProcedureKind("turn-end", "ask_end_order next_end_phase finish_turn")
END_TURN_OFFER = ProcedureKind("end-turn-offer", "ask_end_turn apply_end_turn")
RECHARGE = ProcedureKind("recharge", "ask_rolls apply")
FEATURE_REST = ProcedureKind("feature-rest", "ask_rounds begin_rest")
RESOURCE_REFILL = ProcedureKind("resource-refill", "ask_which_lost apply")
TURN_TRIGGER = ProcedureKind("turn-trigger", "ask_trigger use_trigger")
REMINDER = ProcedureKind("reminder", "ask_reminders record_reminders")
OWN_REMINDER = ProcedureKind("own-reminder", "ask_own_reminders record_own_reminders")
FLAT_CHECK = ProcedureKind("flat-check", "ask_flat_checks apply_flat_checks")
AFFLICTION = ProcedureKind("affliction", "ask_saves after_saves end_afflictions")
LEGENDARY_ACTION = ProcedureKind("legendary", "ask_action ask_targets resolve")
LAIR_ACTION = ProcedureKind("lair", "ask_action ask_targets resolve")
LAIR_ACTIONS = ProcedureKind("lair-actions", "finish")
