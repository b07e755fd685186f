"""Data for preparing encounters: budgets, benchmarks for scaling, and conversion of environments."""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import ConditionIds, FieldSpec, TableRuleId
from turnwright.encounter.prepared import CreatureRole, NamedNumbers
from turnwright.rules.system_data.dying import Condition
from turnwright.rules.system_data.numbers import RuleIds, SkillIds

Ratio = tuple[int, int]  # numerator and denominator


class GroupMultiplier(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step in the table of multipliers for the number of enemies."""

    enemies: int
    """The least number of enemies for this step."""
    step: int
    """The number of the step, which is an index of `factors`. The first step is 0."""


class BudgetFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for an encounter budget. If a game has several, a budget with an active house rule has precedence."""

    id: str = ""
    """The id. In a file, it is the key of its table."""
    name: str = ""
    """The name. Example: `Encounter rating`."""
    option: TableRuleId = ""
    """The house rule that selects this budget."""
    unit: str = "XP"
    """The unit of the sum. Example: `XP`."""
    worth: Literal["gap", "rating", "challenge"] = "gap"
    """The calculation of an enemy's worth: `gap` looks up its level relative to the party in `xp`, `rating` looks up
    its rating in `ratings` (unless its stat block has its own XP), and `challenge` uses the rating itself.
    """
    measure: Literal["size", "level", "levels"] = "size"
    """The calculation of the threats: by the `size` of the party (`threats` and `each`), by the `level` of each member
    (`levels` and `names`), or by the sum of all `levels` (`shares` and `names`).
    """
    bound: Literal["most", "least"] = "most"
    """Whether a threat ends at its amount (`most`) or starts with it (`least`)."""
    party: int = 0
    """The number of party members for which `threats` are written."""
    lowest: int = 0
    """The level difference of the first entry in `xp`, usually negative. Example: `-4`."""
    xp: tuple[int, ...] = ()
    """The worth of enemies by level difference to the party. Example: `[10, 15, 20, 30, 40]`."""
    ratings: NamedNumbers = ()
    """The worth of enemies by rating. Example: `{ "1/4" = 50, "1" = 200 }`."""
    threats: NamedNumbers = ()
    """The budget by threat. Example: `{ low = 60, moderate = 80 }`."""
    each: Annotated[NamedNumbers, FieldSpec(ids=("threat",))] = ()
    """The change of the budget for one more or one fewer party member, by threat."""
    names: tuple[str, ...] = ()
    """The names of the threats, weakest first. Example: `["easy", "medium", "hard", "deadly"]`."""
    levels: tuple[tuple[int, ...], ...] = ()
    """A list for each character level, with a number for each of `names`."""
    shares: tuple[Ratio, ...] = ()
    """The share of the party's levels for each of `names`, as numerator and denominator. Example: `[[1, 4], [1, 2]]`.
    """
    below: str = ""
    """The name for a fight below the lowest threat."""
    above: str = ""
    """The name for a fight above the highest threat."""
    adjusted: Annotated[NamedNumbers, FieldSpec(ids=("adjustment",))] = ()
    """The number of levels that an adjustment of a stat block adds. Example: `{ elite = 1, weak = -1 }`."""
    twice: tuple[str, ...] = ()
    """Words in a stat block with which it counts as two creatures. Example: `["elite"]`."""
    raised: tuple[str, ...] = ()
    """The ratings that count as the next higher rating against a weak party."""
    raised_to: int = 0
    """The highest average party level at which `raised` applies."""
    strongest: int = 0
    """The highest rating of an enemy, in hundredths of the party's average level. A stronger enemy makes the fight the
    highest threat. 0 means no limit.
    """
    crowds: tuple[GroupMultiplier, ...] = ()
    """The multipliers for the number of enemies. Example: `[{ enemies = 1, step = 1 }, { enemies = 2, step = 2 }]`."""
    factors: tuple[int, ...] = ()
    """The factor of each step in hundredths. Example: `[50, 100, 150, 200]`."""
    small: int = 0
    """The party size below which the step is one higher."""
    large: int = 0
    """The party size from which the step is one lower."""
    hazard: str = ""
    """The creature type or word of stat blocks that are hazards. Example: `hazard`."""
    complex: str = ""
    """The word of complex hazards, which count in full. Example: `complex`."""
    simple: Ratio = (1, 1)
    """The share for which other hazards count, as numerator and denominator."""
    places: bool = False
    """Whether an environment with a rating counts as a hazard."""
    phases: bool = False
    """Whether new hit points at 0 count as another creature."""
    external: bool = False
    """Whether the numbers come from the game's publisher, not from the rules' source documents."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""


class RewardFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for rewards at the end of an encounter."""

    xp: Literal["", "shared", "each"] = ""
    """The award of enemies' experience points: `shared` by the characters, or in full to `each`. Empty means no awards."""
    levels: tuple[int, ...] = ()
    """The experience points at which a character reaches levels 2, 3 and so on."""
    every: int = 0
    """The experience points for each level, if they start from 0 at every level."""


class Benchmark(msgspec.Struct, frozen=True, omit_defaults=True):
    """The usual numbers of a creature with this rating."""

    rating: str
    """The rating or level. Example: `1/4`."""
    hp: float
    """The hit points."""
    damage: float
    """The damage per round, attack or point, as the game counts it."""
    ac: int
    """The Armor Class."""
    attack: int
    """The attack bonus."""
    dc: int
    """The DC of its saves."""
    save: int
    """The bonus of its best saves."""
    skill: int
    """The bonus of its best skills."""
    proficiency: int = 0
    """The proficiency bonus. 0 if the game has none."""
    pools: Annotated[NamedNumbers, FieldSpec(ids=("resource",))] = ()
    """The maximums of resources, in games that have them. Example: `{ action = 6, reaction = 5 }`."""


class RoleFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The usual difference of creatures with a role from the benchmark of their rating."""

    id: CreatureRole
    """The role. In a file, it is the key of its table. Example: `brute`."""
    hp: float = 1.0
    """The factor for the hit points."""
    damage: float = 1.0
    """The factor for the damage."""
    ac: int = 0
    """The number that is added to the Armor Class."""


class ScalingFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The benchmarks for making a creature stronger or weaker. A game may have none."""

    by: Literal["rating", "level"] = "rating"
    """The number that ranks stat blocks."""
    rows: tuple[Benchmark, ...] = ()
    """The benchmarks, weakest first."""
    as_saves: SkillIds = ()
    """Skills that grow like saves. Example: `["perception"]`."""
    initiative: Literal["", "save", "skill"] = ""
    """Whether initiative grows like a save or like a skill. Empty means that it doesn't grow."""
    abilities: Literal["", "save", "skill"] = ""
    """Whether abilities above 0 grow like a save or like a skill, in games that add them to rolls as they are."""
    roles: tuple[RoleFigures, ...] = ()
    """The differences by role, keyed by id."""
    controlling: ConditionIds = ()
    """The conditions that make a creature a controller if it inflicts them. Example: `["paralyzed"]`."""

    def benchmark(self, rating: str) -> Benchmark | None:
        """Return the benchmark for a rating, or None if there is none."""
        return next((row for row in self.rows if row.rating == rating), None)


class Company(msgspec.Struct, frozen=True, omit_defaults=True):
    """Creatures that are met together."""

    id: str
    """The id. In a file, it is the key of its table. Example: `goblin-raid`."""
    name: str
    """The name. Example: `Goblin raiders`."""
    kinds: tuple[str, ...]
    """The ids of its creatures in the shipped library, leaders first. Example: `["hobgoblin", "goblin", "wolf"]`."""
    environments: Annotated[tuple[str, ...], FieldSpec(ids=("habitat",))] = ()
    """The places where they are met. Example: `["forest", "hills"]`."""
    words: tuple[str, ...] = ()
    """Words of themes that they suit. Example: `["goblin"]`."""


Pairs = tuple[tuple[str, str], ...]


class Translation(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table from another game's ids to this game's. Ids without an entry are kept, and asked about in play."""

    origin: Annotated[str, FieldSpec(ids=("game",))] = ""
    """The game whose environments it converts. It also converts creatures of all other games. Example: `a5e`."""
    feet: int = 1
    """The distance in the origin that equals `units` in this game. Converted distances are rounded, but never to 0."""
    units: int = 1
    """The distance in this game that equals `feet` in the origin."""
    saves: Annotated[Pairs, FieldSpec(ids=("foreign ability", "ability"))] = ()
    """The abilities of saves. Example: `{ str = "con" }`."""
    checks: Annotated[Pairs, FieldSpec(ids=("foreign check", "check"))] = ()
    """The checks. Example: `{ "dex:stealth" = "agi:stealth" }`."""
    skills: Annotated[Pairs, FieldSpec(ids=("foreign skill", "skill"))] = ()
    """The skills. Example: `{ history = "society" }`."""
    damage: Annotated[Pairs, FieldSpec(ids=("foreign damage type", "damage type"))] = ()
    """The damage types. Example: `{ thunder = "sonic" }`."""
    conditions: Annotated[Pairs, FieldSpec(ids=("foreign condition", "condition"))] = ()
    """The conditions. Example: `{ grappled = "grabbed" }`."""
    costs: Annotated[Pairs, FieldSpec(ids=("foreign resource", "resource"))] = ()
    """The resources. Example: `{ bonus = "action" }`."""
    creatures: Pairs = ()
    """The names of creatures in the base of this system, if they differ here. Example: `{ Goblin = "Goblin Warrior" }`."""
    words: Pairs = ()
    """Phrases in an entry's texts. Example: `{ "half cover" = "cover" }`."""
    marks: tuple[Condition, ...] = ()
    """Conditions that the environments need and the game doesn't have."""
