"""The data of a rule system, as records: the content of `resources/systems/<system>/*.toml`.

This module contains the complete record. Its parts are in the other modules of the package, one for each subject.
Entries contain the ids of the ledger rules they implement, so that the engines name no rules. No module here imports
`annotations` from `__future__`: the types of all fields are looked up at each start, which takes ten times as long if
they are strings.
"""

from typing import Annotated

import msgspec

from turnwright.encounter.field_specs import FieldSpec
from turnwright.encounter.prepared import Creature, Environment, NamedNumbers
from turnwright.rules.system_data.actions import ActionOption, Resource, Spell
from turnwright.rules.system_data.adjustments import Adjustment
from turnwright.rules.system_data.budgets import BudgetFigures, RewardFigures
from turnwright.rules.system_data.conditions import Condition
from turnwright.rules.system_data.dying import DyingFigures
from turnwright.rules.system_data.health import HealthFigures
from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.rules.system_data.names import AbilityScale, DamageType, NamedId, Skill
from turnwright.rules.system_data.numbers import (
    AttackFigures,
    CheckFigures,
    GroupFigures,
    MovementFigures,
    ReactionFigures,
)
from turnwright.rules.system_data.places import (
    CoverGrade,
    CoverSource,
    GridFigures,
    PositionFigures,
    Sense,
    Size,
    Terrain,
)
from turnwright.rules.system_data.presentation import Presentation
from turnwright.rules.system_data.rounds import (
    CountdownRow,
    DifficultyStep,
    InitiativeCheck,
    InitiativeFigures,
    RoundLength,
    SurpriseFigures,
    TurnFigures,
)
from turnwright.rules.system_data.scaling import ScalingFigures
from turnwright.rules.system_data.table_rules import TableRule
from turnwright.rules.system_data.translation import Translation


class SystemData(msgspec.Struct, frozen=True, omit_defaults=True):
    """All data that a system ships. Lookups by id are in `rules.system`: this is a plain record.

    `roles` pairs a role (`rules.system_data.roles`) with the condition or house rule that plays it. `cites` pairs an
    engine's topic (`hp.damage`, see `rules.topics`) with the system's ledger id. `countdown_faces` pairs a speed with
    the lowest face that removes a die. `standing` contains the rules that apply to everyone, in the form of conditions
    (flanking, height, water). `options` are the house rules.

    `gear` and `specialties` are those to which rules refer. `damage_traits` are words that resistances may contain
    instead of damage types (`cold-iron`). `marks` are effects without rules of their own that are only checked for.
    `expertise` is the extra die for one, two and more sources. `elsewhere` converts environments from another game.
    `ladder` and `level_dcs` are the usual DCs of tasks, by difficulty and by level (from 0).
    """

    id: str
    name: str
    abilities: tuple[NamedId, ...] = ()
    ability_scale: AbilityScale = AbilityScale()
    skills: tuple[Skill, ...] = ()
    sizes: tuple[Size, ...] = ()
    damage_types: tuple[DamageType, ...] = ()
    damage_traits: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    standing: tuple[Condition, ...] = ()
    cover: tuple[CoverGrade, ...] = ()
    senses: tuple[Sense, ...] = ()
    terrains: tuple[Terrain, ...] = ()
    shelters: tuple[CoverSource, ...] = ()
    places: PositionFigures = PositionFigures()
    grid: GridFigures = GridFigures()
    presentation: Presentation = Presentation()
    options: tuple[TableRule, ...] = ()
    expertise: Annotated[tuple[str, ...], FieldSpec(ids=("dice",))] = ()
    gear: tuple[str, ...] = ()
    specialties: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    checks: CheckFigures = CheckFigures()
    attack: AttackFigures = AttackFigures()
    resources: tuple[Resource, ...] = ()
    actions: tuple[ActionOption, ...] = ()
    spells: tuple[Spell, ...] = ()
    groups: GroupFigures = GroupFigures()
    dying: DyingFigures = DyingFigures()
    health: HealthFigures = HealthFigures()
    escapes: Annotated[tuple[tuple[str, tuple[str, ...]], ...], FieldSpec(ids=("condition", "check"))] = ()
    initiative: InitiativeFigures = InitiativeFigures()
    surprise: SurpriseFigures = SurpriseFigures()
    initiative_checks: tuple[InitiativeCheck, ...] = ()
    ladder: tuple[DifficultyStep, ...] = ()
    level_dcs: tuple[int, ...] = ()
    round_lengths: tuple[RoundLength, ...] = ()
    turns: TurnFigures = TurnFigures()
    budgets: tuple[BudgetFigures, ...] = ()
    awards: RewardFigures = RewardFigures()
    scaling: ScalingFigures = ScalingFigures()
    speeds: tuple[NamedId, ...] = ()
    movement: MovementFigures = MovementFigures()
    reactions: ReactionFigures = ReactionFigures()
    countdown_faces: Annotated[NamedNumbers, FieldSpec(ids=("speed of a countdown",))] = ()
    countdown_table: tuple[CountdownRow, ...] = ()
    elsewhere: Translation = Translation()
    environments: tuple[Environment, ...] = ()
    spawns: tuple[Creature, ...] = ()
    roles: tuple[tuple[str, str], ...] = ()
    cites: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("topic", "rule"))] = ()
    terms: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("term",))] = ()
    ledger: tuple[LedgerRule, ...] = ()

    def score_of(self, creature: Creature, ability: str) -> int:
        """Return a creature's ability score, or the default if the stat block has none."""
        return dict(creature.abilities).get(ability, self.ability_scale.usual)

    def modifier_of(self, creature: Creature, ability: str) -> int:
        """Return a creature's ability modifier."""
        return self.ability_scale.modifier(self.score_of(creature, ability))
