"""The data a rule system is made of, as records: what `resources/systems/<system>/*.toml` holds once it is read.

Entries carry the ids of the ledger rules they implement, so that the engines that read them name none.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.encounter.prepared import Affects, AfflictionEnds, Creature, Environment, Figures, Grade

RuleKind = Literal["compute", "track", "data", "narrator"]
DataRuleKind = Literal[
    "modifier",
    "advantage",
    "disadvantage",
    "resource",
    "speed",
    "deny",
    "damage",
    "duration",
    "grant",
    "note",
    "prompt",
    "expertise",
    "critical",
    "fail",
    "ask",
]


class LedgerRule(msgspec.Struct, frozen=True):
    """One rule of the ledger: our words, and the example that its test shows."""

    id: str
    title: str
    source: tuple[str, ...]
    kind: RuleKind
    statement: str
    check: str

    @property
    def chapter(self) -> str:
        """The id's second segment: what part of the game the rule belongs to."""
        return [*self.id.split("."), ""][1]

    @property
    def is_external(self) -> bool:
        """Whether the sources only name it: its figures are the field's usual ones, and suggestions."""
        return "external" in self.id.split(".")

    @property
    def documents(self) -> tuple[str, ...]:
        """The numbers of the source documents that have it, as the ledger names them."""
        return tuple(dict.fromkeys(source.partition(":")[0] for source in self.source))

    @property
    def is_variant(self) -> bool:
        """Whether it is a table rule, which an encounter has on or off."""
        return "variant" in self.id.split(".")


class DataRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that a condition or an action does to whoever has it.

    `what` names the figure or roll (`save.dex`, `attack`, `attack-against`, `check`, `speed`, `action`);
    `set` and `add` and `times` (with `over`, a fraction) are its figure, one of them; `when` holds facts joined by
    commas (`rules.parts.predicates`). `ledger` is the rule it stands for, where the condition has several.
    """

    kind: DataRuleKind
    what: str
    set: int | None = None
    add: int = 0
    times: int = 1
    over: int = 1
    when: str = ""
    text: str = ""
    ledger: str = ""


class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition with its effects. `external`: the sources only name it; the figures are the field's public ones."""

    id: str
    name: str
    text: str = ""
    icon: str = ""
    rules: tuple[DataRule, ...] = ()
    implies: tuple[str, ...] = ()
    external: bool = False
    ledger: tuple[str, ...] = ()


class RowChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a table rule plays one row of a shipped environment, or of a copy of it: what is empty stays as it is.

    `where` names the feature whose area counts instead of the row's own; `ends` is for its afflictions; `asks`: who
    suffers it is asked even where it would be plain.
    """

    environment: str
    entry: str
    damage: str = ""
    within: str = ""
    where: str = ""
    affects: Affects | None = None
    ends: AfflictionEnds | None = None
    asks: bool = False


class TableRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """A choice that a table makes for an encounter: how a rule is read. `usual`: on unless somebody says otherwise.

    `rows` are rows of environments that it changes; `spares_bystanders`: surroundings leave those alone who have no
    place in the order; `one_list`: what helps and what hinders stand in one list; `may_end` pairs a condition with
    another that getting free of it may end too, which is asked.
    """

    id: str
    name: str
    text: str = ""
    usual: bool = False
    ledger: tuple[str, ...] = ()
    rows: tuple[RowChange, ...] = ()
    spares_bystanders: bool = False
    one_list: bool = False
    may_end: tuple[tuple[str, str], ...] = ()


class Resource(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named resource of a turn: how many, when it is refilled, whether what is left carries over.

    `round_option` is the table rule under which it comes back as each round begins instead.
    """

    id: str
    name: str
    amount: int = 1
    refill: Literal["turn-start", "round-start", "never"] = "turn-start"
    carry: bool = False
    off_turn: bool = False
    round_option: str = ""
    ledger: tuple[str, ...] = ()


class Requirement(msgspec.Struct, frozen=True, omit_defaults=True):
    """What must be so, or at least not known to be otherwise, for an action to be taken.

    `when` is as in a data rule, about the doer; `of` says who its other side is: nobody, each target, or the one the
    action is `about`. `only`: asked of this choice alone. `reason` is the word key of the refusal.
    """

    when: str
    reason: str
    of: Literal["", "target", "about"] = ""
    only: str = ""
    ledger: str = ""


class Trial(msgspec.Struct, frozen=True, omit_defaults=True):
    """The roll that an action stands or falls with. Several `rolls`: the game master says which.

    It is held against `dc`, or against a figure of each opposed: `passive.perception`, `maneuver-dc`, or `hidden`, the
    totals that hiders left. `rules` change this roll alone. `waived` is when it succeeds without one; `lets`: whoever
    is opposed may let it succeed. Both name their rules in `ledgers`. `ties` is the table rule under which an equal
    total is not enough.
    """

    rolls: tuple[str, ...]
    dc: int = 0
    against: str = ""
    tags: tuple[str, ...] = ()
    rules: tuple[DataRule, ...] = ()
    waived: str = ""
    lets: bool = False
    ties: str = ""
    ledger: str = ""
    ledgers: tuple[tuple[str, str], ...] = ()


class Leaving(msgspec.Struct, frozen=True, omit_defaults=True):
    """An effect that an action leaves: on the doer or each target, from or about whom, until a moment of the doer's.

    `keeps` says what stands in it: the trial's `total` as its value, or the `note` as what ends it. `only`: for this
    choice alone. Where the action has a trial it comes of success.
    """

    effect: str
    on: Literal["self", "target"] = "self"
    by: Literal["", "self", "target", "about"] = ""
    ends: Literal["turn-start", "turn-end", "turn", "never"] = "turn-start"
    uses: int = 0
    keeps: Literal["", "total", "note", "choice"] = ""
    only: str = ""
    shown: bool = True


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way of doing an action. `outcome` is what most often comes of it, `value` what an effect then holds.

    `known` are statements of which any one settles that it is done this way.
    """

    id: str
    name: str
    outcome: str = ""
    value: int = 0
    known: tuple[str, ...] = ()


class Exertion(msgspec.Struct, frozen=True, omit_defaults=True):
    """How long somebody keeps up what tires: so many turns as the modifier of `free` says, then a trial each turn.

    Each trial of the last `window` seconds adds `step` to the DC. A failure adds a level to the track `tires`, which
    goes, as free turns come back, after `window` seconds without. `ledgers` names the rules of each.
    """

    free: str
    step: int
    window: int
    tires: str
    ledgers: tuple[tuple[str, str], ...] = ()


class ActionOption(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something a combatant may do: what it costs, on whom, what has to be so, and what it leaves until when.

    `costs` are the costs to choose from, where there are several: resources, `attack` (one of the Attack action's),
    `none`, or a name in `takes` (seconds; as a cost, an action of a turn at least that long). `group` says what kind of
    option it is: one that the game lists, a reaction, a free one, or another. `asks` names what a person is asked for
    when the command leaves it open (`cost`, `choice`, which it may `remember`); targets always are, unless a note says it
    in words. `about` is the choice that is about somebody else too. `offers` are reactions that its target may answer it with. `done` names what else happens, in `play.procedures.outcomes`.
    """

    id: str
    name: str
    cost: str = "action"
    effect: str = ""
    ends: Literal["turn-start", "turn-end", "turn"] = "turn-start"
    free: bool = False
    text: str = ""
    ledger: tuple[str, ...] = ()
    costs: tuple[str, ...] = ()
    takes: Figures = ()
    group: Literal["listed", "reaction", "free", "other"] = "listed"
    targets: Literal["", "one", "observers"] = ""
    about: str = ""
    asks: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    requires: tuple[Requirement, ...] = ()
    trial: Trial | None = None
    leaves: tuple[Leaving, ...] = ()
    exertion: Exertion | None = None
    offers: tuple[str, ...] = ()
    done: str = ""

    @property
    def payable(self) -> tuple[str, ...]:
        """What it may be paid with, the usual first."""
        return self.costs or (self.cost,)

    def rule(self, ending: str = "") -> str:
        """Return the ledger id that ends so, or the first; empty where there is none."""
        return next((id for id in self.ledger if ending and id.endswith(ending)), self.ledger[0] if self.ledger else "")


class Spell(msgspec.Struct, frozen=True, omit_defaults=True):
    """A spell as far as its source gives it, in the shape of a feature. `missing` names what the source leaves out.

    `cubes` is how many cubes of `cube` feet its area is made of, each touching another; `ignites`: flammable things
    that nobody holds or wears catch fire; `spares_plants`: its caster may leave plants out.
    """

    id: str
    name: str
    text: str = ""
    damage: str = ""
    kind: str = ""
    cubes: int = 0
    cube: int = 0
    ignites: bool = False
    spares_plants: bool = False
    missing: tuple[str, ...] = ()
    ledger: tuple[str, ...] = ()


class InitiativeCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of the table of checks that may stand for initiative."""

    id: str
    ability: str
    skill: str
    suits: str
    ledger: tuple[str, ...] = ()


class RoundLength(msgspec.Struct, frozen=True, omit_defaults=True):
    """A length of round on offer. `usual`: the one an encounter of that purpose starts with."""

    id: str
    name: str
    seconds: int
    usual: str = ""
    ledger: tuple[str, ...] = ()


class DamageType(msgspec.Struct, frozen=True, omit_defaults=True):
    """A damage type."""

    id: str
    name: str
    icon: str = ""


class Size(msgspec.Struct, frozen=True, omit_defaults=True):
    """A creature size: the side of its space in feet, and how many Medium creatures can stand around it.

    `or_more`: both figures are the least that a creature of this size has.
    """

    id: str
    name: str
    space: float = 5.0
    around: int = 8
    or_more: bool = False
    ledger: tuple[str, ...] = ()


class CoverGrade(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one grade of cover gives: a bonus on some rolls and figures.

    `on` names them: `ac`, rolls (`save.dex`), and tags of rolls (`hide`). `untargetable`: nothing can be aimed at whoever has it.
    """

    id: str
    name: str
    bonus: int = 0
    on: tuple[str, ...] = ()
    untargetable: bool = False
    ledger: tuple[str, ...] = ()


class Sense(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sense with a range. `beats` is what hides nobody from it: `blinded`, `invisible`, `obscured`, `dark`."""

    id: str
    name: str
    beats: tuple[str, ...] = ()
    ledger: tuple[str, ...] = ()


class Terrain(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sort of ground: `extra` is what each foot on it costs beside itself. `difficult` is what the others are kinds of."""

    id: str
    name: str
    extra: int = 1
    ledger: tuple[str, ...] = ()


class Shelter(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sort of obstacle with the cover it usually gives; `option` is the table rule under which it does."""

    id: str
    name: str
    cover: Grade = "half"
    option: str = ""
    ledger: tuple[str, ...] = ()


class PlaceFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Figures of how creatures stand to each other.

    `flankers`: how many of a side, all with one target under melee attack, flank it where there is no grid.
    `passing`: by how many sizes one must be larger to walk through a foe. `near`: feet that count as side by side.
    `rider_cover` is what a mount gives its rider; `creature_cover` what a creature in the way gives under
    `creature_option`. Under `beside_option` nothing shelters those on its near side; under `count_option` nobody counts
    who stands around one. `squeezing`: how many sizes smaller a gap may be fit for.
    """

    flankers: int = 3
    passing: int = 2
    near: int = 5
    rider_cover: Grade = "none"
    rider_cover_against: str = "melee"
    creature_cover: Grade = "none"
    creature_option: str = ""
    beside_option: str = ""
    count_option: str = ""
    squeezing: int = 1
    ledger: tuple[str, ...] = ()


class Skill(msgspec.Struct, frozen=True, omit_defaults=True):
    """A skill or tool with its usual ability."""

    id: str
    name: str
    ability: str


class Named(msgspec.Struct, frozen=True, omit_defaults=True):
    """An id with the name the table uses for it."""

    id: str
    name: str
    short: str = ""


class CountdownRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of the table of expected rolls: so many dice last about so many rolls at each speed."""

    dice: int
    slow: int
    medium: int
    fast: int
    ledger: tuple[str, ...] = ()


class GroupFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """What numbers count for where several act as one.

    `within` is how near (feet) each must be to another; `dc_base` joins the best attack bonus to the DC of the save
    (on `save`) that stands for an attack; `per_member` is added to DC and damage for each beyond the first, and
    `check_per_member` to checks with `check_ability`.
    """

    within: int = 0
    dc_base: int = 0
    save: str = ""
    per_member: int = 0
    check_ability: str = ""
    check_per_member: int = 0
    command_cost: str = ""


class AttackFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures of attacks.

    `natural_hit` and `natural_miss` are the faces of a d20 that hit and miss whatever the total, 0 for none;
    `critical_times` is what a critical hit multiplies damage by; `reach` in feet is that of who has no other;
    `off_hand` attacks come with the bonus action that pays for them, `off_hand_extra` with Extra Attack; `block_fatigue`
    is the levels that turning a critical hit into a regular one costs.
    """

    natural_hit: int = 0
    natural_miss: int = 0
    critical_times: int = 1
    reach: int = 0
    off_hand: int = 1
    off_hand_extra: int = 1
    block_fatigue: int = 0


class MovementFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """What movement costs and asks for, in feet unless a name says otherwise; `_over` names the divisor of a share.

    `extra` is how many feet each foot costs more, by reason; `on_base` are the modes that the walking speed serves at
    that surcharge, `in_air` those that leave the ground, and those who are `unprovoking` by an effect leave a reach
    freely. `usual_modes` pairs what everybody floats in with the mode that walking becomes there. A rider keeps its
    seat by a save; its mount obeys `free_orders` at no cost and `paid_orders` for `order_cost`. `thought_*` is the
    speed that comes of thinking; a fall does `fall_die` for each `fall_step`, so many at most.
    """

    extra: Figures = ()
    on_base: tuple[str, ...] = ()
    in_air: tuple[str, ...] = ()
    unprovoking: tuple[str, ...] = ()
    usual_modes: tuple[tuple[str, str], ...] = ()
    stand_over: int = 1
    mount_over: int = 1
    descend_over: int = 1
    mount_sizes: int = 0
    mount_within: int = 5
    seat_ability: str = ""
    seat_dc: int = 0
    thrown_within: int = 5
    free_orders: tuple[str, ...] = ()
    paid_orders: tuple[str, ...] = ()
    order_cost: str = ""
    drag_within: int = 5
    drag_cost: str = ""
    thought_base: int = 0
    thought_step: int = 0
    thought_ability: str = ""
    fall_die: str = ""
    fall_kind: str = ""
    fall_step: int = 10
    fall_most: int = 0
    chase_speed: int = 0
    forward_after: tuple[str, ...] = ()
    hastened_by: str = ""


class DeathSaves(msgspec.Struct, frozen=True, omit_defaults=True):
    """A death save: its DC, how many of either end it, and the two faces of the d20 (0: none) that do more."""

    dc: int = 0
    successes: int = 0
    failures: int = 0
    worst: int = 0
    worst_fatigue: int = 0
    worst_strife: int = 0
    best: int = 0
    best_hp: int = 0


class MassiveDamage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Damage so great that a failed save kills at once: from `base` and `per_level` each; what a save made costs."""

    base: int = 0
    per_level: int = 0
    ability: str = ""
    dc: int = 0
    fatigue: int = 0
    strife: int = 0


class Concentration(msgspec.Struct, frozen=True, omit_defaults=True):
    """The save to go on concentrating when hurt: the least DC, more where half of the damage is."""

    ability: str = ""
    least: int = 0


class RestFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a long rest recovers: so many levels of fatigue, outside a haven only of those who have no more than `anywhere`."""

    anywhere: int = 0
    recovers: int = 0


class DyingFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """What being at 0 hit points brings. All 0: nothing but lying there.

    `saves_tags` are tags of creatures that make death saves; the three `…_fatigue` are levels that falling
    unconscious in an encounter, a knock-out and a critical hit at 0 cost. `stable_hours` is a dice expression, after
    which one who is stable has `stable_hp`; `doomed_at` so many levels of fatigue, and `remedies` names what undoes it.
    """

    saves_tags: tuple[str, ...] = ()
    fall_fatigue: int = 0
    knock_out_fatigue: int = 0
    critical_fatigue: int = 0
    stable_hours: str = ""
    stable_hp: int = 0
    aid_check: str = ""
    aid_dc: int = 0
    doomed_at: int = 0
    remedies: tuple[str, ...] = ()
    save: DeathSaves = DeathSaves()
    massive: MassiveDamage = MassiveDamage()
    concentration: Concentration = Concentration()
    rest: RestFigures = RestFigures()


class Catalogue(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything a system ships as data. Lookups by id are functions below, so that this stays a plain record.

    `cites` pairs an engine's topic (`hp.damage`) with the ledger id that governs it in this system;
    `countdown_faces` pairs a speed with the lowest face that removes a die. `standing` holds what is so for everybody,
    in the shape of conditions (cover, flanking, size); `options` what a table may choose; `expertise` the extra die
    of one, two and more sources.
    """

    id: str
    name: str
    abilities: tuple[Named, ...] = ()
    skills: tuple[Skill, ...] = ()
    sizes: tuple[Size, ...] = ()
    damage_types: tuple[DamageType, ...] = ()
    conditions: tuple[Condition, ...] = ()
    standing: tuple[Condition, ...] = ()
    cover: tuple[CoverGrade, ...] = ()
    senses: tuple[Sense, ...] = ()
    terrains: tuple[Terrain, ...] = ()
    shelters: tuple[Shelter, ...] = ()
    places: PlaceFigures = PlaceFigures()
    options: tuple[TableRule, ...] = ()
    expertise: tuple[str, ...] = ()
    attack: AttackFigures = AttackFigures()
    resources: tuple[Resource, ...] = ()
    actions: tuple[ActionOption, ...] = ()
    spells: tuple[Spell, ...] = ()
    groups: GroupFigures = GroupFigures()
    dying: DyingFigures = DyingFigures()
    escapes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    initiative_checks: tuple[InitiativeCheck, ...] = ()
    round_lengths: tuple[RoundLength, ...] = ()
    speeds: tuple[Named, ...] = ()
    movement: MovementFigures = MovementFigures()
    countdown_faces: Figures = ()
    countdown_table: tuple[CountdownRow, ...] = ()
    environments: tuple[Environment, ...] = ()
    spawns: tuple[Creature, ...] = ()
    cites: tuple[tuple[str, str], ...] = ()
    terms: tuple[tuple[str, str], ...] = ()
    ledger: tuple[LedgerRule, ...] = ()
