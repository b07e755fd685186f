"""The parts of the engine, collected from the packages in `play`: all commands, events and stage functions.

A module of a package may define commands, events, and functions named after the stages of the procedure kinds that it
imports. The modules are found with `pkgutil`, which also works in a frozen program. They are never imported by name, so
the packaging tool must be configured to collect all of `turnwright.play`.
"""

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TypeVar

from turnwright import play
from turnwright.encounter.procedure_state import KINDS
from turnwright.encounter.procedure_state.kinds import Stage
from turnwright.play.effects import legendary_resistance
from turnwright.play.environment import map_changes
from turnwright.play.kernel.events import Event
from turnwright.play.kernel.scheduler import Interceptor, StageFunction, bind_stages, stages_in
from turnwright.play.kernel.transaction import Command, Transaction
from turnwright.play.setup import prepared_changes, roster
from turnwright.play.spawning import spawning
from turnwright.play.state import effect_records
from turnwright.play.turns import own_reminders, turns

T = TypeVar("T")
ABOVE = ("turnwright.play.fuzz", "turnwright.play.queries")
AfterStep = Callable[[Transaction], bool]

INTERCEPTORS: tuple[Interceptor, ...] = (
    Interceptor(legendary_resistance.apply_success, legendary_resistance.offer_success),
    Interceptor(effect_records.spend_uses),
)

# These functions run after a command and all its consequences. Each returns whether it began a procedure.
AFTER_EACH_STEP: tuple[AfterStep, ...] = (
    roster.settle_party_counts,
    prepared_changes.follow_prepared,
    spawning.arrive_on_trigger,
    map_changes.settle_areas,
    own_reminders.begin_event_reminders,
    turns.offer_end_turn,
)


@cache
def command_types() -> Mapping[str, type[Command]]:
    """Return all command classes by name, sorted by package and name."""
    kinds = sorted(_subclasses(Command), key=lambda kind: (kind.__module__.split(".")[2], kind.__name__))
    return {kind.__name__: kind for kind in kinds}


@cache
def event_types() -> tuple[type[Event], ...]:
    """Return all event classes that a log may contain."""
    return tuple(_subclasses(Event))


@cache
def stages() -> Mapping[Stage, StageFunction]:
    """Return the functions of all procedure stages."""
    return bind_stages(KINDS, *(stages_in(vars(module)) for module in _modules()))


def _modules() -> Iterator[ModuleType]:
    """Import and yield the modules in the packages of `play`, except those that use a whole session."""
    for package in pkgutil.iter_modules(play.__path__, f"{play.__name__}."):
        if package.ispkg and package.name not in ABOVE:
            path = import_module(package.name).__path__
            yield from (import_module(module.name) for module in pkgutil.iter_modules(path, f"{package.name}."))


def _subclasses(base: type[T]) -> Iterator[type[T]]:
    """Yield the subclasses of `base` that the modules define, except bases of others."""
    for module in list(_modules()):  # a base shows its subclasses once they are all imported
        for value in vars(module).values():
            is_own = isinstance(value, type) and value.__module__ == module.__name__
            if is_own and base in value.__mro__[1:] and not value.__subclasses__():
                yield value
