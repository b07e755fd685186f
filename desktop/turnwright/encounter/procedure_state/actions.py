"""Data and stages of the procedures in `play.actions`: actions, the stack of reactions, escapes, steps of features."""

from turnwright.encounter.prepared import Point
from turnwright.encounter.procedure_state.kinds import Answered, ProcedureKind
from turnwright.encounter.tagged_struct import CombatantData, TaggedStruct


class ActionInProgress(CombatantData, frozen=True):
    """An action in progress: its actor, targets and choice, and its check's result for each target.

    `check` is the chosen check, `dc` its DC, and `opposing_check` the check that contests it. `total` is the total of
    the roll. `degree` is its degree of success, in games that have more than success and failure. `points` is the price, if the user entered it. `rules_overridden`: the action is carried
    out although a rule forbids it. `included`: it is part of a feature that has been paid for. `answered`: enemies
    have reacted to it, and perhaps disrupted it.
    """

    action: str
    targets: tuple[str, ...] = ()
    cost: str = ""
    choice: str = ""
    about: str = ""
    note: str = ""
    succeeded: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    check: str = ""
    dc: int = 0
    total: int = 0
    rules_overridden: bool = False
    opposing_check: str = ""
    points: int | None = None
    degree: str = ""
    included: bool = False
    answered: Answered = ""


class ReactionStack(TaggedStruct, frozen=True):
    """Declared actions that may be reacted to, and the reaction being chosen.

    `reactor` reacts to the declaration `trigger` with `reaction` (the id of an action or feature). `answered`: at least
    one declaration has been reacted to.
    """

    reactor: str = ""
    trigger: str = ""
    reaction: str = ""
    answered: bool = False


class EscapeAttempt(TaggedStruct, frozen=True):
    """An attempt to end an effect with a check. `check` is empty until it is chosen; then the `cost` is paid.

    `by` is the creature that makes the check, if it isn't the target of the effect.
    """

    effect: str
    check: str = ""
    cost: str = ""
    by: str = ""


class FeatureSteps(CombatantData, frozen=True):
    """The steps of a feature in progress. `place` is the index of the next step, and `way` the chosen way to do it.

    `targets` are the targets chosen before the first step. `within` are the features that contain this one as a step.
    During a move, `moved` is the movement spent before it, and `leave` is the effect that permits it. `together` is the
    number of attacks made so far that will count for the multiple attack penalty after the last step. `met` are the
    resistances and weaknesses that its hits have met: the target, the reason and the amount of each. `origin`
    is the square from which the area of a spell spreads. `struck` can't be targets of its other attacks.
    `used` is the last way with a feature. `leap` is how far its owner teleports, and from which square. `level` is the
    level of a spell's slot.
    """

    feature: str
    targets: tuple[str, ...] = ()
    place: int = 0
    way: str = ""
    within: tuple[str, ...] = ()
    moved: int = 0
    leave: str = ""
    together: int = 0
    met: tuple[tuple[str, str, int], ...] = ()
    origin: Point | None = None
    struck: tuple[str, ...] = ()
    used: str = ""
    leap: tuple[int, Point] | None = None
    level: int = 0


Data = ActionInProgress | ReactionStack | EscapeAttempt | FeatureSteps


ACTION = ProcedureKind(
    "action",
    "declare pay_cost ask_values ask_check finish reveal_found apply_maneuver begin_readied after_responses "
    "ask_follow move_follower sustain_chosen finish_catch",
)
REACTION_STACK = ProcedureKind(
    "reaction-stack", "open_window ask_reaction begin_reaction begin_targeted_reaction resolve_newest"
)
ESCAPE = ProcedureKind("escape", "ask_check ask_roll after_roll end_linked_effects")
FEATURE_STEPS = ProcedureKind("feature-steps", "next_step ask_targets do_step end_move")
