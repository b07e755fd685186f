"""What somebody may do on a turn: the resources that pay for it, what it needs, its roll and what it leaves."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.encounter.prepared import NamedNumbers
from turnwright.rules.system_data.conditions import DataRule


class Resource(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named resource of a turn: how many, when it is refilled, whether what is left carries over.

    `round_option` is the table rule under which it comes back as each round begins instead. `next_combatant` is how
    much of it there is as a fight begins; off one's turn `instead` pays in its stead. `own`: there is as much of it as
    the stat block says, and of that which says nothing none. `off_turn`: it serves at any time. What is left of one
    that `lapses` is lost as the turn ends; `withheld`: whoever can't use it as it would come back gets none;
    `ends_turn`: once all of it is spent, the turn is over unless somebody says otherwise.
    """

    id: str
    name: str
    amount: int = 1
    refill: Literal["turn-start", "round-start", "never"] = "turn-start"
    carry: bool = False
    off_turn: bool = False
    round_option: str = ""
    start: Literal["full", "half", "none"] = "full"
    instead: str = ""
    own: bool = False
    lapses: bool = False
    withheld: bool = False
    ends_turn: bool = False
    ledger: tuple[str, ...] = ()


class Requirement(msgspec.Struct, frozen=True, omit_defaults=True):
    """What must be so, or at least not known to be otherwise, for an action to be taken.

    `when` is as in a data rule, about the doer; `of` says who its other side is: nobody, each target, or the one the
    action is `subject_of`. `only`: asked of this choice alone. `os_error_text` is the word key of the refusal.
    """

    when: str
    reason: str
    of: Literal["", "target", "about"] = ""
    only: str = ""
    ledger: str = ""


class ActionCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """The roll that an action stands or falls with. Several `rolls`: the game master says which.

    It is held against `dc`, or against a figure of each opposed: `passive.perception`, `maneuver-dc`, or `hidden`, the
    totals that hiders left. `rules` change this roll alone. `waived` is when it succeeds without one; `lets`: whoever
    is opposed may let it succeed. Both name their rules in `ledgers`. `ties` is the table rule under which an equal
    total is not enough. `theirs` makes it a contest: rolls of which whoever is opposed makes one; an equal total is
    enough unless it `yields`. `holder` is the effect that it breaks: whoever that comes from is opposed. `reveals`:
    what the place keeps secret may come to light, by the rule of that name in `ledgers`.
    """

    rolls: tuple[str, ...]
    dc: int = 0
    against: str = ""
    tags: tuple[str, ...] = ()
    rules: tuple[DataRule, ...] = ()
    waived: str = ""
    lets: bool = False
    ties: str = ""
    theirs: tuple[str, ...] = ()
    holder: str = ""
    yields: bool = False
    reveals: bool = False
    ledger: str = ""
    ledgers: tuple[tuple[str, str], ...] = ()


class LeftEffect(msgspec.Struct, frozen=True, omit_defaults=True):
    """An effect that an action leaves: on the doer or each target, from or about whom, until a moment of the doer's.

    `keeps` says what stands in it: the trial's `total` as its value, or the `note` as what ends it. `only`: for this
    choice alone. Where the action has a trial it comes of success, or of the one `degree` named. `value` is what a
    condition then stands at.
    """

    effect: str
    on: Literal["self", "target"] = "self"
    by: Literal["", "self", "target", "about"] = ""
    ends: Literal["turn-start", "turn-end", "turn", "never"] = "turn-start"
    uses: int = 0
    keeps: Literal["", "total", "note", "choice"] = ""
    only: str = ""
    shown: bool = True
    degree: str = ""
    value: int = 0


class ActionChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way of doing an action. `outcome` is what most often comes of it, `value` what an effect then holds.

    Where it names an `ability`, the value is the doer's figure in that by `after_lair_actions`. `known_fields` are
    statements of which any one settles that it is done this way.
    """

    id: str
    name: str
    outcome: str = ""
    value: int = 0
    ability: str = ""
    over: int = 1
    known: tuple[str, ...] = ()


class ExertionFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """How long somebody keeps up what tires: so many turns as the modifier of `free` says, then a trial each turn.

    Each trial of the last `open_window` seconds adds `step` to the DC. A failure adds a level to the track `tires`,
    which goes, as free turns come back, after `open_window` seconds without. `ledgers` names the rules of each.
    """

    free: str
    step: int
    window: int
    tires: str
    ledgers: tuple[tuple[str, str], ...] = ()


class ActionOption(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something a combatant may do: what it costs, on whom, what has to be so, and what it leaves until when.

    `preview_move` is how many of its cost it takes, 0 where a person has to say: any number, or one of `prices`.
    `cost_choices` are the costs to choose from, where there are several: resources, `start_attack_action` (one of the
    Attack action's), `none`, or a name in `takes` (seconds; as a cost, an action of a turn at least that long). `group`
    says what kind of option it is: one that the game lists, a reaction, a free one, or another. `asks` names what a
    person is asked for when the command leaves it open (`movement_cost`, `choice`, which it may `remember`), or what
    has to be said in words (`note`); targets always are, unless a note says it in words. `subject_of` is the choice
    that is about somebody else too. `offers` are reactions that its target may answer it with; `gives` is the resource
    that the points spent become, `spends` what it takes of further pools, 0 of one where a person says. `done` names
    what else happens, in `play.actions.action_effects`. A piece of movement that it buys goes no farther than `feet`, 0
    for all one's Speed. `ledgers` pairs what else of it an engine cites with the rule of that.
    """

    id: str
    name: str
    cost: str = "action"
    price: int = 1
    effect: str = ""
    ends: Literal["turn-start", "turn-end", "turn"] = "turn-start"
    free: bool = False
    text: str = ""
    ledger: tuple[str, ...] = ()
    costs: tuple[str, ...] = ()
    takes: NamedNumbers = ()
    group: Literal["listed", "reaction", "free", "other"] = "listed"
    targets: Literal["", "one", "observers"] = ""
    about: str = ""
    asks: tuple[str, ...] = ()
    choices: tuple[ActionChoice, ...] = ()
    requires: tuple[Requirement, ...] = ()
    trial: ActionCheck | None = None
    leaves: tuple[LeftEffect, ...] = ()
    exertion: ExertionFigures | None = None
    offers: tuple[str, ...] = ()
    gives: str = ""
    spends: NamedNumbers = ()
    done: str = ""
    feet: int = 0
    prices: tuple[int, ...] = ()
    ledgers: tuple[tuple[str, str], ...] = ()

    @property
    def payable(self) -> tuple[str, ...]:
        """What it may be paid with, the usual first."""
        return self.costs or (self.cost,)

    def rule(self, topic: str = "") -> str:
        """Return the ledger id for a topic of its own, or the first; empty where there is none."""
        return dict(self.ledgers).get(topic) or (self.ledger[0] if self.ledger else "")


class Spell(msgspec.Struct, frozen=True, omit_defaults=True):
    """A spell as far as its source gives it, in the shape of a feature. `missing` names what the source leaves out.

    `cubes` is how many cubes of `cube` feet its area is made of, each touching another; `ignites`: flammable things
    that nobody holds or wears catch fire; `spares_plants`: its caster may leave plants out. `ledgers` names the rules
    of `set_inside_area` and `ignites`, and of what is `missing`.
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
    ledgers: tuple[tuple[str, str], ...] = ()

    def rule(self, topic: str = "") -> str:
        """Return the ledger id for a topic of its own, or the first; empty where there is none."""
        return dict(self.ledgers).get(topic) or (self.ledger[0] if self.ledger else "")
