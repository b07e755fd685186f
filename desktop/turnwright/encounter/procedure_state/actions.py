"""Data and stages of the procedures of `play.actions`: actions, the stack of reactions, escapes."""

from __future__ import annotations

import msgspec

from turnwright.encounter.procedure_state.kinds import ProcedureKind, StageName


class ActionInProgress(msgspec.Struct, frozen=True, omit_defaults=True, tag="deed"):
    """An action in progress: its actor, targets and choice, and the result of its check by target.

    `check` is the roll chosen where there are several and `dc` its DC, `opposing_check` the check that opposes it;
    `consumed_effects` are effects that the roll uses up, `total` its total. `points` is the price where a person enters
    it. `rules_overridden`: it is carried out although a rule forbids it. `degree` is the degree of success, in games
    that have more than success and failure.
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


Data = ActionInProgress | ReactionStack | EscapeAttempt


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


ACTION = _Action("action")
REACTION_STACK = _ReactionStack("reaction-stack")
ESCAPE = _Escape("escape")
