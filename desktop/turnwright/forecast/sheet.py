"""The fight sheet: an encounter as plain arrays, so that thousands of its fights can be played in a second.

Nothing here depends on a rule system: the results of dice are in tables, filled by asking the rules about each face.
The columns of each table are a class of `SheetRow`s. An index of -1 means none, and columns named `last` are one beyond
the last. `sheet_builder` fills the arrays, and `kernel` plays them. `Legend` names each row and lists everything left
out. A side's policy has six settings, which also apply to fights in the real engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


if TYPE_CHECKING:
    Ints: TypeAlias = NDArray[np.int32]
    Small: TypeAlias = NDArray[np.int16]
    Tiny: TypeAlias = NDArray[np.int8]
    Chances: TypeAlias = NDArray[np.int64]

MOST_AMOUNT: Final = 400  # the highest amount of one part of damage
MOST_ROUNDS: Final = 40  # a fight that lasts longer is undecided
MARGIN: Final = 80  # bonus minus AC or DC is clamped to -MARGIN to MARGIN


class SheetRow:
    """A row of a table, 0 in each column that isn't given. The class itself has the number of each column.

    Compiled code reads and changes rows where they are; the plain loop makes instances of them.
    """

    fields: ClassVar[tuple[str, ...]]
    width: ClassVar[int]
    bits: ClassVar[int]  # of each number

    def __init_subclass__(cls, bits: int = 32) -> None:
        cls.fields = tuple(name for name in vars(cls) if not name.startswith("_"))
        cls.width, cls.bits = len(cls.fields), bits

    def __init__(self, *values: int) -> None:
        vars(self).update(zip(self.fields, values or (0,) * self.width, strict=True))

    def __iter__(self) -> Iterator[int]:
        return iter(vars(self).values())


class FighterRow(SheetRow):
    """A combatant.

    - `hp` is below 0 only in games with negative hit points.
    - `slot` is its slot in the order, `wave` the wave in which it arrives. `party`: it is a player character.
    - `drop` is the row of `drops` for its next drop to 0 hit points, `state` its current row of `states` (-1: up).
    - `massive`: from this damage on, a drop to 0 calls for the save in `massive_cells`; 0: never. `instant`: damage that
      exceeds 0 by the maximum kills.
    - `regains`: hit points at the start of its turn, unless it took damage of a type in the mask `regain_stop` since the
      last one. `parry`: a reaction's bonus to AC against one hit, or until its next turn if `parry_lasts`. It costs
      `parry_price` reactions, and the amount `parry_takes` of the row `parry_supply` of `supplies`.
    - `reactions` and `legendary` are amounts per round, `amount` and `bonus` per turn.
    - `surprised`: whether it loses its turn in the first round. If it `NOTICES`, it does so if its total is below those of
      all that sneak. The total is its initiative if `surprise_die` is -1, else a bonus and a die; 0: only the bonus.
    - `uncritical`: critical hits deal normal damage to it. `resists`: the row of `supplies`, plus 1, of uses that turn a
      failed save into a success, or if it `rerolls`, into another roll; 0 if it has none. `dodges`: its reaction halves
      the damage of a hit. `melee`: it fights in melee, next to its targets.
    """

    hp, hp_max, temp_hp, side, slot, wave, drop, state, floor, instant, massive, amount, bonus, reactions = range(14)
    legendary, regains, regain_stop, parry, first_action, last_action, surprised, party, uncritical = range(14, 23)
    parry_supply, parry_takes, parry_lasts, parry_price, resists, rerolls, dodges, melee = range(23, 31)
    surprise_die, surprise_bonus, surprise_edge = range(31, 34)


UNSURPRISED, SURPRISED, SNEAKS, NOTICES = range(4)


class Action(SheetRow):
    """An action.

    - `pool` pays its `price`. It uses the amount `takes` of the row `supply` of `supplies`, and the same for a second
      supply (for example points as well as uses).
    - Its strikes are `routine[first:first + count]`. `targets`: the most targets it reaches at once; `to`: enemies, or
      itself or an ally, whom it heals or supports. `melee`: it needs an enemy in reach. `once`: the limit of uses per turn,
      0: unlimited. `holds`: it needs concentration. `together`: its attacks count for the next attack only when all have
      been made.
    - `gains` is an amount that it adds to the main pool, once that is spent.
    - `starts` is a condition, plus 1, of its owner that the action `later`, plus 1, `needs`. If it `waits`, it does nothing
      else; otherwise, the later action comes from the next turn on if it is free.
    - `spell` is its kind among the spells of a turn: 0 allows all others, 1 those of kinds 0 and 1, 2 only those of kind 0.
    - `on` are conditions, as bits, one of which its targets need, and `on_high` those from number `BITS` on. 0 and 0: none.
    """

    owner, pool, price, supply, takes, second_supply, second_takes = range(7)
    first, count, targets, to, melee, once, holds, together, spell, gains, starts, later, needs, waits = range(7, 21)
    on, on_high = range(21, 23)


BITS: Final = 31  # of a number in a table


MAIN_POOL, BONUS_POOL, REACTION_POOL, LEGENDARY_POOL, POOLS = range(5)
TO_ENEMIES, TO_SELF, TO_ALLY, FOR_SELF, FOR_ALLIES = range(5)  # TO_SELF and TO_ALLY heal, the last two support


class Supply(SheetRow):
    """A supply of uses, slots or points: the current number and the maximum.

    `recharge` is the lowest face of a d6 that recharges it at the start of its owner's turn (0: no recharge). A negative
    one is the number of sides of the die for the rounds until it can be used again. `refills` is when it is refilled.
    """

    left, most, recharge, refills, owner = range(5)


REFILLS_NEVER, REFILLS_AT_OWN_TURN, REFILLS_AT_ANY_TURN = range(3)


class Source(SheetRow):
    """A source of damage, conditions or healing.

    - Damage parts of a plain and a critical hit are rows of `parts`; those of support are temporary hit points. `table` is the first row of its outcomes in
      `outcomes`.
    - `tally`: it counts as an attack of the turn. `next` is the source that follows a hit on the same target. `ranged`:
      it doesn't need an enemy in reach.
    - `extra_…` are parts dealt at most once a turn, if `extra_when` is true, or with each hit that flanks the target.
      `near_edges`: edges, as bits, if an ally is next to the target. `flank_…`: the same, with a bonus and a die, if it
      flanks the target.
    """

    kind, parts, part_count, critical_parts, critical_count, table, tally, next = range(8)
    extra_parts, extra_count, extra_when, ranged, first_infliction, last_infliction = range(8, 14)
    near_edges, flank_edges, flank_adds, flank_die = range(14, 18)


ATTACK, SAVE, SURE, HEAL, SUPPORT = range(5)
ALWAYS, ALLY_NEAR, WITH_ADVANTAGE = range(3)  # the last two are bit masks: any one set bit is enough
NO_DISADVANTAGE: Final = 4  # an additional bit: never with disadvantage
FLANKING: Final = 8  # a bit on its own: each hit that flanks the target, more often than once a turn


class Cell(SheetRow):
    """A source's roll against a target.

    `margin` is bonus minus AC or DC (for a save, the target's bonus minus the source's DC); `edge` -1, 0, 1 (beyond that if
    edges stack: the number of extra dice, of which the best or worst counts); `die` the sides of an extra die (negative
    if it is subtracted, 0 without one; from `SEVERAL` on, a row of `parts` with the sum of several dice); `flat` the DC of a flat check on a d20 that comes first (0 without one); `certain`
    a certain result (`CERTAIN_CRITICAL`: every hit is critical; below 0: a hit with this face or a higher one, such as -19).
    """

    margin, edge, die, flat, certain = range(5)


SEVERAL: Final = 10_000  # more than the sides of any die
NOT_CERTAIN, CERTAIN_FAILURE, CERTAIN_CRITICAL, CERTAIN_SUCCESS = range(4)
MISS, HIT, CRITICAL = range(3)
CRITICAL_FAILURE, FAILURE, SUCCESS, CRITICAL_SUCCESS = range(4)


class Part(SheetRow):
    """A part of damage or healing.

    The first and the number of its columns in the alias tables, the lowest amount, the type (a column of `taken_rows`),
    and the multiplier in halves. The tables already include the effect of critical hits.
    """

    alias_first, alias_count, least, type, times = range(5)


class Fallen(SheetRow):
    """A state of a combatant that is down: dying, stable or dead.

    `bleed` is the damage at each of its turns, `up_hp` its hit points when it gets up, and `next_drop` its row of `drops`
    afterwards.
    """

    kind, bleed, up_hp, next_drop = range(4)


DEATH: Final = 0  # the first row of the states, for instant death
DYING, STABLE, DEAD, UP = range(4)


class ChangeRow(SheetRow):
    """A condition's change of a roll.

    It consists of edges (bit 1 advantage, bit 2 disadvantage), a bonus, a certain result, and an extra die and a flat check
    as in `Cell`. Unless `part_count` is 0, an attack of its holder deals these parts of damage, as in `Source`.
    """

    edges, adds, certain, die, flat, parts, part_count, critical_parts, critical_count = range(9)


class ConditionRow(SheetRow):
    """A condition's effect on a turn.

    - `turn_loss`: units of the main pool that are lost (99: all), or, if negative, added for one attack each. Moving and
      reactions may stop too.
    - `hurts_…`: damage parts at the end of each of its holder's turns.
    - `ended_for`: units of the main pool paid to end it at the start of a turn.
    - `on_waking`: the end (plus 1) of the condition if combatants have it after getting up, 0 if they don't.
    - `stops_focus`: it ends its holder's concentration.
    """

    turn_loss, stops_moving, stops_reactions, hurts_parts, hurts_count, ended_for, on_waking, stops_focus = range(8)


class Infliction(SheetRow):
    """A condition that a source inflicts.

    `on_results` are the degrees of the save or outcomes of the attack that inflict it (bits), `until` is its end, and
    `ending` the save that ends it, as a row of `ending_cells`. `margin`: the save must fail by at least this much. `held`: it
    ends with its creator's concentration.
    """

    inflicts, on_results, until, ending, margin, held = range(6)


UNTIL_NEVER, UNTIL_START, UNTIL_END, UNTIL_SAVED, UNTIL_WORLD, UNTIL_NEXT_END = range(6)  # the last skips a turn's end


class World(SheetRow):
    """A world action.

    `ready` at the start, the lowest d6 face that recharges it (0: never, 1: each round), its source, the `lesser` source for
    partly spared targets, whether it reaches all or one, and the row of the action that it `spends`, from 1 (0: none): if
    a pool's end triggers an action, the action itself is spent.
    """

    ready, recharge, source, lesser, reaches_each, spends = range(6)


SPARED, WHOLE, LESSER = range(3)


class Pool(SheetRow):
    """A countdown pool: dice, the lowest face that removes one, and the round in which it starts (0: not by itself).

    Its end triggers a pool, `sets_count` rows of `world` beginning with `sets_off` (and a wave after `called_after` of
    them), and the end of the fight.
    """

    dice, lowest, starts, running, starts_pool, calls_wave, called_after, sets_off, sets_count, ends_fight = range(10)


class WaveRow(SheetRow):
    """A wave: the round at whose start it comes, its other trigger, and its first and last combatant in `watched`."""

    round, when, first, last = range(4)


NO_TRIGGER, HALF, FIRST_DOWN, ALL_DOWN = range(4)


class SlotRow(SheetRow):
    """A slot of the order: the bonus to the die, edge, its count if it isn't rolled, and how ties are broken.

    Ties are broken by `rank`, higher first, then, if ties are rolled for, by the die and a bonus. `shared`: it shares the
    roll of the slot before it.
    """

    bonus, edge, count, rolled, rank, die, rolls_ties, tie_bonus, shared = range(9)


@dataclass(frozen=True, slots=True)
class Sheet:
    """An encounter as arrays; see the classes of this module for the columns of each.

    `combatants` includes those of waves. `cells` is [source, target], also for sources with saves. `outcomes` has 2
    × MARGIN + 1 rows for each table and a column for each face of the check die, 1 first: MISS, HIT or CRITICAL;
    `degrees` is one such table for saves. `shifts`: a falling combatant moves to just before the active slot.
    `halves_up`: half of an odd number is rounded up. Half of any damage is `least_damage` at least. `shares` is [source, target, degree]: the halves
    of the damage dealt.
    `tallies` is [source, earlier attacks in the turn]; the last column is for all further attacks. `alias` pairs a
    threshold in 2³² parts with another index, so that one random number draws an amount. `taken_rows` is
    [layer, combatant, type]: a row of `taken`, which has the damage taken for each amount (negative: heals). The first layer
    is without conditions; the others are those of each condition. `deaths` is
    [state, face, 1 first], `struck` [state, plain or critical], `drops` [row, plain or critical], `massive_cells` a
    cell for each combatant. `holder_changes` is [condition, source] for conditions of the attacker,
    `target_changes` for those of the target; the first condition is that of fallen combatants. `rounds_away` is
    [from, to]: the moves needed to reach another. `world_reach` is [world action, combatant]. `focus` is the source of the
    save to keep concentrating against a DC of 0, to which half of the damage is added, from `focus_least` to `focus_most`
    (0: no limit). Without it, the spell is sustained each turn for `sustain_price`.
    """

    die: int
    halves_up: int
    least_damage: int
    shifts: int
    enmity: Tiny
    combatants: Ints
    slots: Ints
    actions: Ints
    routine: Ints
    supplies: Ints
    sources: Ints
    cells: Small
    outcomes: Tiny
    degrees: Tiny
    shares: Tiny
    tallies: Small
    parts: Ints
    alias: Chances
    taken_rows: Ints
    taken: Small
    states: Ints
    deaths: Ints
    struck: Ints
    drops: Ints
    massive_cells: Small
    conditions: Small
    holder_changes: Small
    target_changes: Small
    immune: Tiny
    inflictions: Ints
    ending_cells: Small
    rounds_away: Tiny
    world: Ints
    world_reach: Tiny
    pools: Ints
    waves: Ints
    watched: Ints
    turn: int
    round: int
    focus: int = -1
    focus_least: int = 0
    focus_most: int = 0
    sustain_price: int = 0


class SheetNote(msgspec.Struct, frozen=True):
    """A note in one of a sheet's lists: the record and part concerned, and the reason as a message key.

    `list` is `used`, `never-chosen` (used, but not in any simulated fight), `assumed` or `left-out`. `subject` is the id of the creature, environment, countdown or wave, or
    empty for the whole fight; `item` is the id of its feature, entry or outcome. `reason` is a key of the message
    catalogue, with `params`.
    """

    list: Literal["used", "never-chosen", "assumed", "left-out"]
    table: str
    subject: str
    item: str
    reason: str
    params: tuple[tuple[str, str | int], ...] = ()


class Legend(msgspec.Struct, frozen=True):
    """The names of the sheet's rows, by index, and its notes.

    `combatants` are ids with `labels` and the ids of their `creatures`; `sources` and `actions` pair the id of the owner (a combatant or an
    environment) with the id of the feature or entry. `supplies` pairs a combatant with the name of its uses, slots or
    points. `conditions`, `pools`, `waves` and `sides` are ids; `world` pairs environment and entry.
    """

    combatants: tuple[str, ...]
    labels: tuple[str, ...]
    creatures: tuple[str, ...]
    sides: tuple[str, ...]
    actions: tuple[tuple[str, str], ...]
    sources: tuple[tuple[str, str], ...]
    supplies: tuple[tuple[str, str], ...]
    conditions: tuple[str, ...]
    pools: tuple[str, ...]
    waves: tuple[str, ...]
    world: tuple[tuple[str, str], ...]
    notes: tuple[SheetNote, ...]


WEAKEST, RANDOMLY, STRONGEST, SAME, NEAREST = range(5)
FREELY, FOR_TWO = range(2)


class PolicyFigures(SheetRow):
    """The settings of `Policy` as numbers."""

    target, finishes, spends, heals_at, flees_at, moves_up = range(6)


class Policy(msgspec.Struct, frozen=True):
    """How a side fights.

    `target`: how targets are chosen. `finishes`: it also attacks fallen enemies. `spends`: it spends limited uses
    freely, or saves those of area attacks until they can reach two targets. `heals_at`: it heals allies at or below
    this percentage of their hit points; 0: only fallen allies. `flees_at`: it has lost once this percentage of its
    members are down. `moves_up`: combatants without a target in reach move closer.
    """

    target: int = WEAKEST
    finishes: bool = False
    spends: int = FREELY
    heals_at: int = 34
    flees_at: int = 100
    moves_up: bool = True

    @property
    def figures(self) -> tuple[int, int, int, int, int, int]:
        """The policy's settings as numbers."""
        return (self.target, self.finishes, self.spends, self.heals_at, self.flees_at, self.moves_up)


DEFAULT_POLICY: Final = Policy()
HUNDRED: Final = 100
TARGET_WORDS: Final = ("weakest", "random", "strongest", "same", "nearest")
SPENDING_WORDS: Final = ("freely", "for-two")
YES_NO: Final = ("no", "yes")
WORDS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {  # setting and valid values of each word in the text
    "target": ("target", TARGET_WORDS),
    "finishes": ("finishes", YES_NO),
    "spends": ("spends", SPENDING_WORDS),
    "heals-at": ("heals_at", ()),
    "flees-at": ("flees_at", ()),
    "moves-up": ("moves_up", YES_NO),
}


def policy_text(policy: Policy) -> str:
    """Return a policy as text that lists only the non-default settings: `target=nearest,flees-at=50`."""
    parts = []
    for word, (field, choices) in WORDS.items():
        value = int(getattr(policy, field))
        if value != int(getattr(DEFAULT_POLICY, field)):
            parts.append(f"{word}={choices[value] if choices else value}")
    return ",".join(parts)


def policy_of_text(text: str) -> Policy:
    """Parse a policy. Raise ValueError, naming the valid words, if the text is malformed."""
    fields: dict[str, int | bool] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        word, _, value = (piece.strip() for piece in part.partition("="))
        if word not in WORDS:
            raise ValueError(f"unknown setting {word!r}; expected one of {', '.join(WORDS)}")
        field, choices = WORDS[word]
        if choices and value not in choices:
            raise ValueError(f"{word} must be one of {', '.join(choices)}")
        least = 1 if field == "flees_at" else 0
        if not choices and not (value.isdecimal() and least <= int(value) <= HUNDRED):
            raise ValueError(f"{word} must be a number from {least} to {HUNDRED}")
        number = choices.index(value) if choices else int(value)
        fields[field] = bool(number) if choices == YES_NO else number
    return msgspec.convert(fields, Policy)
