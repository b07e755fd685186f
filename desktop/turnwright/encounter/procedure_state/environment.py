"""Data and stages of the procedures in `play.environment`: environment effects, and outcomes of countdowns."""

from __future__ import annotations

from turnwright.encounter.procedure_state.kinds import ProcedureKind, StageName
from turnwright.encounter.tagged_struct import TaggedStruct


class CountdownOutcome(TaggedStruct, frozen=True):
    """An expired countdown, and the number of its outcomes that have been carried out."""

    countdown: str
    outcomes_done: int = 0


class EnvironmentEffect(TaggedStruct, frozen=True):
    """An environment feature or world action being resolved.

    `targets` are all combatants affected, and `failed` those not spared by a save. `by_world`: the environment itself
    uses it. `targets_confirmed`: its targets are known, so the user isn't asked for them. `only_target`: the only
    possible target. `rules_overridden`: it is used although it is broken. `substitutes` pairs each term that the rule
    system doesn't define (`damage:thunder`, `condition:suffocating`) with the user's replacement, or with an empty
    string to omit it.
    """

    environment: str
    entry: str
    actor: str = ""
    targets: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    by_world: bool = False
    targets_confirmed: bool = False
    only_target: str = ""
    rules_overridden: bool = False
    substitutes: tuple[tuple[str, str], ...] = ()


Data = CountdownOutcome | EnvironmentEffect


class _EnvironmentEffect(ProcedureKind):
    ask_targets = StageName()
    confirm_targets = StageName()
    use = StageName()
    ask_caster = StageName()
    ask_check = StageName()
    ask_contest = StageName()
    ask_saves = StageName()
    after_saves = StageName()
    ask_substitutes = StageName()
    ask_damage = StageName()
    apply_effects = StageName()
    after_recharge = StageName()


class _CountdownOutcomes(ProcedureKind):
    next_outcome = StageName()


ENVIRONMENT_EFFECT = _EnvironmentEffect("environment-effect")
COUNTDOWN_OUTCOMES = _CountdownOutcomes("countdown-outcomes")
