"""The parts that most games of the d20 family share. A system takes them all, and puts others where it differs."""

from __future__ import annotations

from turnwright.encounter.running import Slot
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue import Catalogue
from turnwright.rules.figures import Figure
from turnwright.rules.hooks import Hook, Moment
from turnwright.rules.parts import (
    ability_checks,
    aim,
    attacks,
    conditions,
    control,
    damage_steps,
    degrees,
    dying,
    falling,
    movement,
    riding,
    scene_effects,
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


def armor_class(lookup: Lookup, rules: RuleSystem, who: str, moment: Moment | None = None) -> Figure:
    """Return somebody's AC with what conditions do to it. Cover joins it with the attack."""
    moved = conditions.on_figure(lookup, rules, who, "ac", moment)
    return rules.figure(ability_checks.armor_class_part(lookup, who), *moved)


def place(slot: Slot) -> tuple[int, ...]:
    """Return what orders slots: whoever opened hostilities, then the highest count, given counts before rolled ones, then the tie rolls."""
    return (0 if slot.opener else 1, -slot.count, 0 if slot.fixed else 1, *(-roll for roll in slot.ties))


def system(catalogue: Catalogue) -> RuleSystem:
    """Return a system of these parts over a game's data."""
    return RuleSystem(
        catalogue=catalogue,
        checks=Checks(
            check=ability_checks.check_roll,
            save=ability_checks.save_roll,
            contested=ability_checks.spellcasting_roll,
            degree=degrees.degree_of,
        ),
        initiative=InitiativeRules(roll=ability_checks.initiative_roll, tie=ability_checks.tie_roll, place=place),
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
            Hook.CHECK_MADE: (conditions.on_rolls, cover.on_rolls, scene_effects.on_rolls),
            Hook.ACTION_DECLARED: (
                conditions.on_actions,
                control.on_actions,
            ),
            Hook.MOVED: (surroundings.dashing_through,),
            Hook.DAMAGE_INCOMING: (surroundings.extra_per_die,),
            Hook.EFFECT_GAINED: (conditions.on_gained, riding.knocked_down, falling.on_gained),
            Hook.EFFECT_ENDED: (falling.on_ended,),
            Hook.TURN_ENDING: (surroundings.ending_turn_in,),
        },
    )
