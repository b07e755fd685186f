"""Level Up: Advanced 5th Edition's turn-based action, put together from shared parts and its data."""

from __future__ import annotations

from turnwright.dice.roll import Modifier, RollSpec
from turnwright.encounter.running import Slot
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue import Catalogue
from turnwright.rules.figures import Figure, figure
from turnwright.rules.hooks import Hook
from turnwright.rules.parts import (
    ability_checks,
    aim,
    attacks,
    conditions,
    control,
    damage_steps,
    dying,
    falling,
    movement,
    riding,
    surroundings,
)
from turnwright.rules.parts.positions import cover
from turnwright.rules.system import (
    AttackRules,
    Checks,
    DamageRules,
    DyingRules,
    InitiativeRules,
    Movement,
    Rounds,
    RuleSystem,
    World,
)

ID = "a5e"


def armor_class(lookup: Lookup, rules: RuleSystem, who: str) -> Figure:
    """Return somebody's AC. Cover and positions join it with the grid."""
    return figure(ability_checks.armor_class_part(lookup, who))


def place(slot: Slot) -> tuple[int, ...]:
    """Return what orders slots: highest count first, given counts before rolled ones, then the tie rolls."""
    return (-slot.count, 0 if slot.fixed else 1, *(-roll for roll in slot.ties))


def tie_roll(catalogue: Catalogue) -> RollSpec:
    """Return the plain d20 that tied participants roll."""
    rule = dict(catalogue.cites).get("initiative.tie", "")
    return RollSpec("1d20", (Modifier(0, "why.tie", rule),))


def build(catalogue: Catalogue) -> RuleSystem:
    """Return the system over its data."""
    return RuleSystem(
        catalogue=catalogue,
        checks=Checks(
            check=ability_checks.check_roll,
            save=ability_checks.save_roll,
            contested=ability_checks.spellcasting_roll,
        ),
        initiative=InitiativeRules(
            roll=ability_checks.initiative_roll, tie=tie_roll(catalogue), place=place, usual_check="dex"
        ),
        movement=Movement(allowance=movement.allowance, cost=movement.cost),
        damage=DamageRules(
            steps=(
                damage_steps.mundane_immunity,
                damage_steps.immunity,
                damage_steps.resistance,
                damage_steps.vulnerability,
            )
        ),
        armor_class=armor_class,
        attack=AttackRules(
            roll=attacks.attack_roll,
            defence=aim.defence,
            outcome=attacks.outcome_of,
            damage=attacks.damage_roll,
            vetoes=aim.vetoes,
            unknown=attacks.unknown_facts,
        ),
        dying=DyingRules(makes_saves=dying.makes_saves, save=dying.death_save, massive_at=dying.massive_at),
        rounds=Rounds(top=("rise", "endings", "countdowns", "outcomes", "recharges", "world", "turns")),
        world=World(),
        hooks={
            Hook.CHECK_MADE: (conditions.on_rolls, cover.on_rolls),
            Hook.ACTION_DECLARED: (
                conditions.on_actions,
                control.on_actions,
            ),
            Hook.MOVED: (surroundings.dashing_through,),
            Hook.DAMAGE_INCOMING: (surroundings.extra_per_die,),
            Hook.EFFECT_GAINED: (riding.knocked_down, falling.on_gained),
            Hook.EFFECT_ENDED: (falling.on_ended,),
            Hook.TURN_ENDING: (surroundings.ending_turn_in,),
        },
    )
