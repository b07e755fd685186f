"""Data and stages of the procedures in `play.environment`: environment effects, and outcomes of countdowns."""

from turnwright.encounter.procedure_state.kinds import ProcedureKind
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


ENVIRONMENT_EFFECT = ProcedureKind(
    "environment-effect",
    "ask_targets confirm_targets use ask_caster ask_check ask_contest ask_saves after_saves ask_substitutes "
    "ask_damage apply_effects after_recharge",
)
COUNTDOWN_OUTCOMES = ProcedureKind("countdown-outcomes", "next_outcome")
