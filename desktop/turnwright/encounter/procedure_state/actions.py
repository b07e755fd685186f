"""Data and stages of the procedures of `play.actions`: actions, the stack of reactions, escapes."""

from __future__ import annotations

import msgspec

from turnwright.encounter.procedure_state.kinds import ProcedureKind, StageName


class ActionInProgress(msgspec.Struct, frozen=True, omit_defaults=True, tag="deed"):
    """An action in progress: its actor, targets and choice, and the result of its check by target.

    `check` is the roll chosen where there are several and `dc` its DC, `opposing_check` the check that opposes it;
    `consumed_effects` are effects that the roll uses up, `total` its total. `points` is the price where a person enters
    it. `rules_overridden`: it is carried out although a rule forbids it. `degree` is the degree of success, in games
    that have more than success and failure. `included`: a feature does it, and has been paid for.
    """

    who: str
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
    consumed_effects: tuple[str, ...] = ()
    total: int = 0
    rules_overridden: bool = False
    opposing_check: str = ""
    points: int | None = None
    degree: str = ""
    included: bool = False


class ReactionStack(msgspec.Struct, frozen=True, omit_defaults=True, tag="reaction-stack"):
    """The declared actions that may be reacted to, and the reaction being chosen.

    `reactor` reacts with `reaction` (an action's or a feature's id) to the declaration `trigger`. `answered`: some
    declaration has been reacted to.
    """

    reactor: str = ""
    trigger: str = ""
    reaction: str = ""
    answered: bool = False


class EscapeAttempt(msgspec.Struct, frozen=True, omit_defaults=True, tag="escape-attempt"):
    """An attempt to end an effect by a check, once it is chosen."""

    effect: str
    check: str = ""


class FeatureSteps(msgspec.Struct, frozen=True, omit_defaults=True, tag="feature-steps"):
    """The steps that a feature names, in progress: `place` is the next of them, `way` what was chosen for it.

    `targets` are those known beforehand. `within` are the features of which this one is a step itself. While its owner
    moves, `moved` is the movement spent before, and `leave` the effect by which it may move now. `together` is how many
    attacks it has made that count for the multiple attack penalty once all are made.
    """

    who: str
    feature: str
    targets: tuple[str, ...] = ()
    place: int = 0
    way: str = ""
    within: tuple[str, ...] = ()
    moved: int = 0
    leave: str = ""
    together: int = 0


Data = ActionInProgress | ReactionStack | EscapeAttempt | FeatureSteps


class _Action(ProcedureKind):
    declare = StageName()
    pay_cost = StageName()
    ask_values = StageName()
    ask_check = StageName()
    finish = StageName()
    reveal_found = StageName()
    apply_maneuver = StageName()
    after_responses = StageName()
    ask_follow = StageName()
    move_follower = StageName()
    sustain_chosen = StageName()
    finish_catch = StageName()


class _ReactionStack(ProcedureKind):
    open_window = StageName()
    ask_reaction = StageName()
    begin_reaction = StageName()
    begin_targeted_reaction = StageName()
    resolve_newest = StageName()


class _Escape(ProcedureKind):
    ask_check = StageName()
    ask_roll = StageName()
    after_roll = StageName()
    end_linked_effects = StageName()


class _FeatureSteps(ProcedureKind):
    next_step = StageName()
    ask_targets = StageName()
    do_step = StageName()
    end_move = StageName()


ACTION = _Action("action")
REACTION_STACK = _ReactionStack("reaction-stack")
ESCAPE = _Escape("escape")
FEATURE_STEPS = _FeatureSteps("feature-steps")
