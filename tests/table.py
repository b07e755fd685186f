"""A table to test at: an encounter made of a few words, played with commands and scripted dice.

Tests speak as a game master does: who is there, what they do, which faces the dice show, and what came of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeVar

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Countdown, Creature, Environment, EnvironmentEntry, RosterEntry, Scene
from turnwright.encounter.procedure_state.asks import Prompt, Reply
from turnwright.encounter.running import Clock, Combatant, CountdownPool, Effect, EntryState, Track, entry_state_id
from turnwright.encounter.state import Encounter, Record, active_slot, clock_of, effect_value, slots_in_order
from turnwright.play.asking.answer import Answer
from turnwright.play.kernel.events import Event
from turnwright.play.kernel.scheduler import Step
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.play.queries import queries
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.system import RuleSystem

E = TypeVar("E", bound=Event)


@cache
def a5e() -> RuleSystem:
    """The A5E rules over the shipped data."""
    return RuleSystems().get("a5e")


@cache
def dnd5e() -> RuleSystem:
    """The D&D 5e rules over the shipped data."""
    return RuleSystems().get("dnd5e")


@cache
def dnd5e_2024() -> RuleSystem:
    """The D&D 5e rules of 2024 over the shipped data."""
    return RuleSystems().get("dnd5e-2024")


@cache
def action_points() -> RuleSystem:
    """The action point rules over the shipped data."""
    return RuleSystems().get("action_points")


@cache
def pf2e() -> RuleSystem:
    """The rules of Pathfinder 2e's encounter mode over the shipped data."""
    return RuleSystems().get("pf2e")


def creature(id: str, **fields: Any) -> Creature:
    """A stat block with a name like its id and 20 hit points, unless fields say otherwise."""
    return Creature(**({"id": id, "name": id.capitalize(), "hp": 20} | fields))


def environment(id: str, **changes: Any) -> Environment:
    """A shipped environment, with some fields changed."""
    return msgspec.structs.replace(a5e().environments[id], **changes)


class Table:
    """An encounter at which each name is one combatant (id and creature alike), party unless `foes` says so.

    `dice(4, 17)` puts faces on the script; when they run out, prompts stay open.
    """

    def __init__(
        self,
        *people: str | Creature,
        foes: Iterable[str] = (),
        surroundings: Iterable[Environment] = (),
        countdowns: Iterable[Countdown] = (),
        roster: Iterable[RosterEntry] = (),
        scene: Scene | None = None,
        rules: RuleSystem | None = None,
    ) -> None:
        self.rules = rules or a5e()
        blocks = [creature(one) if isinstance(one, str) else one for one in people]
        given = {entry.creature for entry in roster}
        entries = [
            RosterEntry(block.id, block.id, side="enemies" if block.id in foes else "party")
            for block in blocks
            if block.id not in given
        ]
        records: list[Record] = [
            scene or Scene(strictness="enforce"),
            *blocks,
            *entries,
            *roster,
            *surroundings,
            *countdowns,
        ]
        self.session = Session(Encounter(records), self.rules)
        self.events: list[Event] = []
        self.dice()

    # Doing ---------------------------------------------------------------------------------------------------

    def does(self, command: Command, *, anyway: bool = False) -> Step | None:
        """Carry out a command and keep what happened."""
        step = self.session.do(command, override=anyway)
        self.events += step.events if step else ()
        return step

    def refuses(self, command: Command) -> Refused:
        """Return the refusal of a command that must be refused, with the encounter untouched."""
        before = self.encounter
        try:
            self.session.do(command)
        except Refused as refused:
            assert self.encounter is before
            return refused
        raise AssertionError(f"{command} was carried out")

    def dice(self, *faces: int) -> None:
        """Script the faces that fall next."""
        self.does(SetDice("script", script=faces))

    def start(self, **initiative: int) -> None:
        """Set up without surprise, enter initiative totals, and stand in round 1 with the first one's turn."""
        self.does(StartEncounter())
        while self.clock.setup_step != "initiative":
            self.does(AdvanceSetup())
        self.does(SetInitiative(tuple(initiative.items())))
        self.does(AdvanceSetup())

    def ends_turn(self, times: int = 1) -> None:
        """End the active turn, so many times."""
        for _ in range(times):
            self.does(EndTurn())

    def answers(self, **replies: Any) -> None:
        """Answer asks of the most urgent prompt by id (`__` stands for a dot, `_` for a dash where that is the id):
        text is typed, a tuple chosen, an int a number or, for a roll, typed; None skips."""
        prompt = self.prompt
        by_name = {ask.id.replace(".", "__").replace("-", "_"): ask for ask in queries.waiting_asks(prompt)}
        self.does(
            Answer(
                prompt.id,
                tuple(_reply(by_name[name].id, by_name[name].kind, said) for name, said in replies.items()),
                prompt.revision,
            )
        )

    def chooses(self, *chosen: str) -> None:
        """Answer the only ask of the most urgent prompt with these ids; nothing chosen chooses nobody."""
        prompt = self.prompt
        (ask,) = queries.waiting_asks(prompt)
        self.does(Answer(prompt.id, (Reply(ask.id, chosen=chosen),), prompt.revision))

    def skips(self) -> None:
        """Pass over everything the most urgent prompt asks."""
        prompt = self.prompt
        replies = tuple(Reply(ask.id, skip=True) for ask in queries.waiting_asks(prompt))
        self.does(Answer(prompt.id, replies, prompt.revision))

    # Looking -------------------------------------------------------------------------------------------------

    @property
    def encounter(self) -> Encounter:
        """The encounter as it stands."""
        return self.session.encounter

    @property
    def clock(self) -> Clock:
        """The clock."""
        return clock_of(self.encounter)

    @property
    def prompt(self) -> Prompt:
        """The most urgent open prompt."""
        return queries.open_prompts(self.encounter)[0]

    @property
    def prompts(self) -> list[Prompt]:
        """All open prompts, most urgent first."""
        return queries.open_prompts(self.encounter)

    @property
    def order(self) -> list[str]:
        """Who acts, first to last."""
        return [who for slot in slots_in_order(self.encounter) for who in slot.members]

    @property
    def active(self) -> str:
        """Whose turn it is, empty at the world's."""
        slot = active_slot(self.encounter)
        return slot.members[0] if slot else ""

    def one(self, who: str) -> Combatant:
        """A combatant."""
        return self.encounter.need(Combatant, who)

    def effects(self, who: str) -> set[str]:
        """The names of the effects on somebody."""
        return {effect.name for effect in self.encounter.all(Effect) if effect.target == who and effect.shown}

    def track(self, who: str, name: str) -> int:
        """The value of a track or a level of a condition, 0 where there is none."""
        track = self.encounter.get(Track, f"{who}.{name}")
        return track.value if track else effect_value(self.encounter, who, name)

    def pool(self, id: str) -> CountdownPool:
        """A countdown's pool."""
        return self.encounter.need(CountdownPool, id)

    def row(self, environment: str, entry: str) -> EntryState:
        """What running has made of an environment's row."""
        return self.encounter.need(EntryState, entry_state_id(environment, entry))

    def happened(self, kind: type[E]) -> list[E]:
        """Every event of a kind so far, in order."""
        return [event for event in self.events if isinstance(event, kind)]


def with_row(place: Environment, id: str, **changes: Any) -> Environment:
    """An environment with one of its rows changed."""

    def changed(rows: tuple[EnvironmentEntry, ...]) -> tuple[EnvironmentEntry, ...]:
        return tuple(msgspec.structs.replace(row, **changes) if row.id == id else row for row in rows)

    return msgspec.structs.replace(place, features=changed(place.features), actions=changed(place.actions))


def _reply(ask: str, kind: str, said: Any) -> Reply:
    if said is None:
        return Reply(ask, skip=True)
    if kind in ("choice", "targets"):
        return Reply(ask, chosen=(said,) if isinstance(said, str) else tuple(said))
    if kind == "number":
        return Reply(ask, number=int(said))
    return Reply(ask, roll=True) if said == "roll" else Reply(ask, typed=str(said))
