"""Automatic play: likely answers to whatever is asked, and one legal act after another drawn from a generator.

Both depend on nothing but the encounter, the history and the generator, so that whoever repeats them gets the same.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol, TypeVar

import msgspec

from turnwright.encounter.prepared import Creature, Environment, RosterEntry
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Combatant, CountdownPool, Dice, Duration
from turnwright.encounter.state import Encounter, clock_of
from turnwright.play.actions.action import TakeAction
from turnwright.play.asking.answer import Answer
from turnwright.play.autoplay import suggested_reply
from turnwright.play.damage.damage_roll import ApplyDamage, GrantTempHp
from turnwright.play.damage.manual_hit_points import Heal
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.environment.countdown_pools import AdjustPool
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.queries import queries
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.spawning.spawning import AddCombatants
from turnwright.play.table.game_master import AddNote, SetDice
from turnwright.play.turns.turns import EndTurn

T = TypeVar("T")
MOST_COMBATANTS = 40  # nobody else joins a table that is full
DAMAGE = ("7", "2d6+3 fire", "1d8+2 slashing", "6 slashing + 8 cold", "1d4 poison")


class Hands(Protocol):
    """What moves a session: the session itself, or a window over it."""

    @property
    def session(self) -> Session: ...

    def do(self, command: Command) -> bool: ...

    def undo(self) -> object: ...

    def redo(self) -> object: ...


class BareHands:
    """Moves a session without anything in between; insists on nothing but that a turn be over."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def do(self, command: Command) -> bool:
        try:
            return self.session.do(command, override=isinstance(command, EndTurn), strict=True) is not None
        except Refused:
            return False

    def undo(self) -> bool:
        return self.session.undo()

    def redo(self) -> bool:
        return self.session.redo()


def suggested_answer(prompt: Prompt) -> Answer:
    """The answer that a card suggests."""
    return Answer(prompt.id, tuple(suggested_reply(ask) for ask in queries.waiting_asks(prompt)), prompt.revision)


def next_likely(encounter: Encounter) -> Command:
    """The next command of a game master who does nothing but go on."""
    prompts = queries.open_prompts(encounter)
    if prompts:
        return suggested_answer(prompts[0])
    phase = clock_of(encounter).phase
    if phase == "rounds":
        return EndTurn()
    return AdvanceSetup() if phase == "set-up" else StartEncounter()


# Any legal act -----------------------------------------------------------------------------------------------------


def acts(hands: Hands, random: Random, *, least: int = 0) -> None:
    """Do one thing that comes to something. Undo leaves the first `least` steps alone."""
    before = hands.session.serial
    while hands.session.serial == before:
        encounter, history = hands.session.encounter, hands.session.history
        dice = encounter.get(Dice, "dice")
        draw = random.random()
        if dice is None or dice.mode != "roll":
            hands.do(SetDice("roll"))
        elif draw < 0.1 and history.depth > least:
            hands.undo()
        elif draw < 0.16 and history.next is not None:
            hands.redo()
        elif draw < 0.6 or not any(True for _ in encounter.all(Combatant)):
            hands.do(next_likely(encounter))
        else:
            hands.do(random.choice(COMMANDS)(encounter, random))


def _one(encounter: Encounter, random: Random) -> str:
    return random.choice([one.id for one in encounter.all(Combatant)])


def _some(encounter: Encounter, random: Random) -> tuple[str, ...]:
    everybody = [one.id for one in encounter.all(Combatant)]
    return tuple(random.sample(everybody, min(len(everybody), random.randint(1, 3))))


def _active(encounter: Encounter, random: Random) -> str:
    active = queries.active_combatants(encounter)
    return active[0].id if active else _one(encounter, random)


def _damage(encounter: Encounter, random: Random) -> Command:
    return ApplyDamage(_some(encounter, random), random.choice(DAMAGE), "the dark")


def _heal(encounter: Encounter, random: Random) -> Command:
    return Heal(_some(encounter, random), random.randint(1, 20))


def _temporary(encounter: Encounter, random: Random) -> Command:
    return GrantTempHp((_one(encounter, random),), random.randint(1, 9))


def _condition(encounter: Encounter, random: Random) -> Command:
    who = _one(encounter, random)
    return ApplyCondition((who,), random.choice(("prone", "poisoned", "restrained")), ends=Duration("turn-end", who))


def _action(encounter: Encounter, random: Random) -> Command:
    return TakeAction(_active(encounter, random), random.choice(("dash", "dodge", "help", "sing")))


def _move(encounter: Encounter, random: Random) -> Command:
    return MoveFeet(_active(encounter, random), random.randint(1, 30))


def _note(encounter: Encounter, random: Random) -> Command:
    return AddNote(f"So it goes, for the {random.randint(1, 999)}th time.")


def _pool(encounter: Encounter, random: Random) -> Command:
    pools = [pool.id for pool in encounter.all(CountdownPool)]
    return AdjustPool(random.choice(pools), random.choice((-1, 1, 2)), "a deed") if pools else _note(encounter, random)


def _row(encounter: Encounter, random: Random) -> Command:
    places = [place for place in encounter.all(Environment) if place.actions]
    if not places:
        return _note(encounter, random)
    place = random.choice(places)
    return UseEntry(place.id, random.choice(place.actions).id)


def _edit(encounter: Encounter, random: Random) -> Command:
    creature = random.choice(list(encounter.all(Creature)))
    return Edit(msgspec.structs.replace(creature, hp=random.randint(1, 90)), random.choice(("", "hp")))


def _join(encounter: Encounter, random: Random) -> Command:
    if len(list(encounter.all(Combatant))) > MOST_COMBATANTS:
        return _note(encounter, random)
    return AddCombatants(random.choice([entry.id for entry in encounter.all(RosterEntry)]), random.choice((None, 12)))


COMMANDS: tuple[Callable[[Encounter, Random], Command], ...] = (
    *(_damage, _damage, _heal, _temporary, _condition, _action, _move, _move, _note),
    *(_pool, _row, _edit, _edit, _join),
)
