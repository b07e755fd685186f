"""Fights of many combatants from creatures that ship, with all of their features or with an attack alone.

Nobody answers the cards that ask who is near.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Feature, Map, RosterEntry, Scene
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter
from turnwright.play.asking.answer import DismissPrompt
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.queries.queries import active_combatants
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndTurn
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path

GAMES = ("dnd5e", "a5e", "pf2e")
FEW, MANY, KINDS, TURNS, SIDE = 20, 200, 10, 8, 60
AXE = Feature("axe", "Axe", "action", attack=4, reach=5, damage="1d8+2 slashing")
STENCH = Feature("stench", "Stench", trigger="other-ends", within=10, save="con", dc=10, damage="1 poison")
GUARD = Feature("guard", "Guard", "reaction", trigger="attacked", within=5, rules=())
WATCH = Feature("watch", "Watch", "reaction", trigger="enemy-acts")
WAIT = 1  # of the kinds, with twenty combatants
WAITING = (STENCH, GUARD, WATCH)  # one for each moment at which all others are looked at
Make = Callable[[Session, Combatant, Combatant], Command]


def _step(session: Session, one: Combatant, other: Combatant) -> Command:
    column, row = one.position or (0, 0)
    return MovePath(one.id, ((column + 1 if column < SIDE - 5 else column - 1, row),))


COMMANDS: dict[str, Make] = {
    "EndTurn": lambda session, one, other: EndTurn(),
    "Attack": lambda session, one, other: Attack(one.id, other.id, "axe", purpose="free"),
    "ApplyDamage": lambda session, one, other: ApplyDamage((other.id,), "4 fire"),
    "MovePath": _step,
}


@cache
def shipped(game: str, most: int | None = KINDS) -> tuple[Creature, ...]:
    """The creatures of a game's library, those with the most features that do something by themselves first."""
    files = sorted(resource_path(f"library/{game}").rglob("*.toml"))
    found = [read_library_file(file)[0] for file in files if file.parent.name != "core"]  # whose dragons all have auras
    blocks = {one.id: one for one in found if isinstance(one, Creature)}.values()
    return tuple(sorted(blocks, key=lambda one: -sum(map(_acts, one.features)))[:most])


def _acts(feature: Feature) -> bool:
    return bool(feature.rules or feature.trigger or feature.does or feature.heals or feature.reduces)


def _features(one: Creature, number: int, features: bool) -> tuple[Feature, ...]:
    return (AXE, *one.features, *(WAITING if number < WAIT else ())) if features else (AXE,)


def crowd(game: str, count: int, *, features: bool, on_map: bool) -> Session:
    """A fight of so many in its first round."""
    blocks = [
        msgspec.structs.replace(
            one, id=f"kind-{number}", hp=5000, legendary=0, features=_features(one, number, features)
        )
        for number, one in enumerate(shipped(game))
    ]
    squares = itertools.count()
    entries = []
    for block in blocks:
        for side in ("enemies", "party"):
            spots = [((at % 14) * 4, (at // 14) * 4) for at in itertools.islice(squares, count // KINDS // 2)]
            positions = tuple(spots) if on_map else ()
            entries.append(
                RosterEntry(f"{block.id}-{side}", block.id, count=len(spots), side=side, positions=positions)
            )
    field = [Map(columns=SIDE, rows=SIDE)] if on_map else []
    session = Session(Encounter([Scene(system=game), *blocks, *entries, *field]), RuleSystems().get(game))
    for command in (SetDice("roll", seed=1), StartEncounter(), *[AdvanceSetup()] * 4):
        try:
            session.do(command)
        except Refused:
            break
        dismiss(session)
    return session


def dismiss(session: Session) -> None:
    while prompts := [*session.encounter.all(Prompt)]:
        session.do(DismissPrompt(prompts[0].id))


def costs(session: Session, make: Make, cost: Callable[[Callable[[], object]], float]) -> list[float]:
    """What a command costs by some measure, on so many turns."""
    spent = []
    for _ in range(TURNS):
        dismiss(session)
        one = active_combatants(session.encounter)[0]
        other = next(each for each in session.encounter.all(Combatant) if each.side != one.side)
        command = make(session, one, other)
        spent.append(cost(lambda command=command: session.do(command, override=True)))
        if not isinstance(command, EndTurn):
            dismiss(session)
            session.do(EndTurn(), override=True)
    return spent
