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
from turnwright.rules.system_data import preparation, rounds
from turnwright.rules.system_data.dying import Condition, DyingFigures, HealthFigures
from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.rules.system_data.numbers import (
    AbilityScale,
    ActionOption,
    AttackFigures,
    CheckFigures,
    DamageType,
    GroupFigures,
    MovementFigures,
    NamedId,
    Presentation,
    ReactionFigures,
    Resource,
    Skill,
    Spell,
)
from turnwright.rules.system_data.places import (
    CoverGrade,
    CoverSource,
    GridFigures,
    LightSource,
    PositionFigures,
    Sense,
    Size,
    Terrain,
)
from turnwright.rules.system_data.presets import PresetFigures
from turnwright.rules.system_data.suggest import SuggestFigures


class SystemData(msgspec.Struct, frozen=True, omit_defaults=True):
    """All data of a rule system, as a plain record. Lookups by id are in `rules.system`."""

    id: str
    """The id of the system, which is the name of its folder. Files name it in `system`."""
    name: str
    """The name of the game. Example: `Pathfinder 2e`."""
    based_on: str = ""
    """The id of the system from which all tables and entries are inherited that this one doesn't contain. Example:
    `dnd5e`.
    """
    gone: tuple[str, ...] = ()
    """The tables, entries and keys of the base that aren't inherited. Example: `["conditions.squeezing"]`."""
    editions: tuple[tuple[str, str], ...] = ()
    """The systems of a game with several editions, with the name of each. Conditions and spells of this system whose ids
    end in the name of an edition replace the others there. Example: `{ dnd5e = "2014", dnd5e-2024 = "2024" }`.
    """
    abilities: tuple[NamedId, ...] = ()
    """The abilities, keyed by id. Example: `str = { name = "Strength", short = "STR" }`."""
    ability_scale: AbilityScale = AbilityScale()
    """The scale of ability scores."""
    skills: tuple[Skill, ...] = ()
    """The skills and tools, keyed by id."""
    sizes: tuple[Size, ...] = ()
    """The sizes of creatures, keyed by id."""
    damage_types: tuple[DamageType, ...] = ()
    """The damage types, keyed by id."""
    damage_traits: tuple[str, ...] = ()
    """Words that resistances may contain instead of damage types. Example: `["cold-iron"]`."""
    conditions: tuple[Condition, ...] = ()
    """The conditions, keyed by id."""
    standing: tuple[Condition, ...] = ()
    """Rules that apply to everyone, in the form of conditions, such as flanking, height and water."""
    cover: tuple[CoverGrade, ...] = ()
    """The grades of cover, keyed by id."""
    senses: tuple[Sense, ...] = ()
    """The senses, keyed by id."""
    terrains: tuple[Terrain, ...] = ()
    """The types of terrain, keyed by id. `difficult` is the usual one."""
    lights: tuple[LightSource, ...] = ()
    """The light sources, keyed by id."""
    shelters: tuple[CoverSource, ...] = ()
    """Types of obstacles with their usual cover, keyed by id."""
    places: PositionFigures = PositionFigures()
    """Settings for relative positions."""
    grid: GridFigures = GridFigures()
    """Settings for maps and distances."""
    presentation: Presentation = Presentation()
    """The fields of stat blocks and forms."""
    options: tuple[rounds.TableRule, ...] = ()
    """The house rules, keyed by id."""
    expertise: Annotated[tuple[str, ...], FieldSpec(ids=("dice",))] = ()
    """The expertise die for one, two and more sources. Example: `["1d4", "1d6", "1d8"]`."""
    gear: tuple[str, ...] = ()
    """The gear that rules refer to. Example: `["shield", "heavy-armor"]`."""
    specialties: tuple[str, ...] = ()
    """Special training that rules refer to. Example: `["tumbling"]`."""
    marks: tuple[str, ...] = ()
    """Effects without rules, which other rules only look for. Example: `["attacks-made"]`."""
    checks: CheckFigures = CheckFigures()
    """Settings for checks, saves and attacks."""
    attack: AttackFigures = AttackFigures()
    """Settings for attacks."""
    resources: tuple[Resource, ...] = ()
    """The resources of a turn, keyed by id, such as actions and reactions."""
    actions: tuple[ActionOption, ...] = ()
    """The actions, keyed by id."""
    spells: tuple[Spell, ...] = ()
    """Spells that Turnwright can resolve, keyed by id."""
    groups: GroupFigures = GroupFigures()
    """Settings for groups that act as one."""
    dying: DyingFigures = DyingFigures()
    """Settings for 0 hit points."""
    health: HealthFigures = HealthFigures()
    """Settings for hit points and damage."""
    escapes: Annotated[tuple[tuple[str, tuple[str, ...]], ...], FieldSpec(ids=("condition", "check"))] = ()
    """The checks that end a condition, by condition. Example: `grappled = ["str:athletics", "dex:acrobatics"]`."""
    initiative: rounds.InitiativeFigures = rounds.InitiativeFigures()
    """Settings for initiative."""
    surprise: rounds.SurpriseFigures = rounds.SurpriseFigures()
    """Settings for surprise."""
    initiative_checks: tuple[rounds.InitiativeCheck, ...] = ()
    """The checks that may be used for initiative, keyed by id."""
    ladder: tuple[rounds.DifficultyStep, ...] = ()
    """The usual DCs of tasks by difficulty, keyed by id."""
    level_dcs: tuple[int, ...] = ()
    """The usual DCs of tasks by level, beginning with level 0. Example: `[14, 15, 16, 18]`."""
    round_lengths: tuple[rounds.RoundLength, ...] = ()
    """The lengths of rounds to choose from, keyed by id."""
    turns: rounds.TurnFigures = rounds.TurnFigures()
    """Settings for the phases of a turn."""
    budgets: tuple[preparation.BudgetFigures, ...] = ()
    """The budgets for encounters, keyed by id."""
    awards: preparation.RewardFigures = preparation.RewardFigures()
    """Settings for rewards."""
    scaling: preparation.ScalingFigures = preparation.ScalingFigures()
    """The benchmarks of creatures by rating."""
    companies: tuple[preparation.Company, ...] = ()
    """The creatures that are met together, keyed by id."""
    presets: PresetFigures = PresetFigures()
    """The usual numbers of characters by class and level."""
    suggest: SuggestFigures = SuggestFigures()
    """Settings for suggestions of encounters."""
    speeds: tuple[NamedId, ...] = ()
    """The modes of movement for which creatures have a speed, keyed by id."""
    movement: MovementFigures = MovementFigures()
    """Settings for movement."""
    reactions: ReactionFigures = ReactionFigures()
    """Settings for reactions."""
    countdown_faces: Annotated[NamedNumbers, FieldSpec(ids=("speed of a countdown",))] = ()
    """The lowest face that removes a die from a countdown, by speed. Example: `{ slow = 6, medium = 5, fast = 4 }`."""
    countdown_table: tuple[rounds.CountdownRow, ...] = ()
    """The number of rolls that a countdown usually lasts. If it is missing, Turnwright calculates it."""
    elsewhere: preparation.Translation = preparation.Translation()
    """The table for converting environments and creatures from another game."""
    engine_ids: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The ids that Turnwright itself uses, by kind. They are in `resources/engine_ids.toml`, and the same in every game."""
    environments: tuple[Environment, ...] = ()
    """The environments of the game. They are in `resources/environments/`, not in the system's folder."""
    spawns: tuple[Creature, ...] = ()
    """Stat blocks of creatures that environments spawn, keyed by id."""
    roles: tuple[tuple[str, str], ...] = ()
    """The condition or house rule that plays each role in Turnwright's code. Example: `prone = "prone"`."""
    cites: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("topic", "rule"))] = ()
    """The ledger rule for each topic in Turnwright's code. Example: `"hp.damage" = "a5e.hp.damage"`."""
    terms: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("term",))] = ()
    """The game's own words for Turnwright's terms. Example: `"hp.short" = "HP"`."""
    ledger: tuple[LedgerRule, ...] = ()
    """The rules of the game in plain words. They are in `ledger.toml`, which is read separately."""

    @property
    def adjustments(self) -> tuple[Condition, ...]:
        """The conditions that make a creature stronger or weaker than its stat block."""
        return tuple(condition for condition in self.conditions if condition.adjusts)

    def score_of(self, creature: Creature, ability: str) -> int:
        """Return a creature's ability score, or the default if the stat block has none."""
        return dict(creature.abilities).get(ability, self.ability_scale.default)

    def modifier_of(self, creature: Creature, ability: str) -> int:
        """Return a creature's ability modifier."""
        return self.ability_scale.modifier(self.score_of(creature, ability))
