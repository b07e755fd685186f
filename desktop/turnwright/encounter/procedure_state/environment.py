"""What is under way and waits for a decision: procedures with their stage and data, and prompts with their asks."""

from __future__ import annotations

import msgspec


class CountdownOutcome(msgspec.Struct, frozen=True, omit_defaults=True, tag="expiry"):
    """A countdown that has run out, and how many of its outcomes have happened."""

    countdown: str
    outcomes_done: int = 0


class EnvironmentEffect(msgspec.Struct, frozen=True, omit_defaults=True, tag="hazard"):
    """One row of an environment doing what it does, world action or feature.

    `ask_targets` are all it strikes, `failed` those whom no save spared; `begin_world_actions`: used by the world itself;
    `confirm_targets`: somebody has said on whom, so that it isn't asked; `only`: it can strike nobody else. `insisted`: it is
    used although it is broken. `said` pairs what the game has no word for (`damage:thunder`, `condition:suffocating`)
    with what a person has put in its place, nothing for leaving it out.
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
