"""The parts of the engine, collected from the packages in `play`: all commands, events and stage functions.

In each package, commands are looked up in the modules of its folder `commands`, tables named `STAGES` in its other
modules, and events in both that folder and `events`. The modules are found with `pkgutil`, which also works in a frozen
program. They are never imported by name, so the packaging tool must be configured to collect all of `turnwright.play`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import TypeVar

from turnwright import play
from turnwright.encounter.procedure_state import KINDS
from turnwright.encounter.procedure_state.kinds import Stage
from turnwright.play.effects import legendary_resistance
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.events import Event
from turnwright.play.kernel.scheduler import Interceptor, StageFunction, bind_stages
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.setup import party_counts
from turnwright.play.spawning import waves
from turnwright.play.turns import offer_end_turn, own_reminders
from turnwright.rules.system import RuleSystem

T = TypeVar("T")
AfterStep = Callable[[Transaction, RuleSystem], bool]

INTERCEPTORS: tuple[Interceptor, ...] = (
    Interceptor(ask=legendary_resistance.offer_success, apply=legendary_resistance.apply_success),
)

# These functions run after a command and all its consequences. Each returns whether it began a procedure.
AFTER_EACH_STEP: tuple[AfterStep, ...] = (
    party_counts.settle_party_counts,
    waves.arrive_on_trigger,
    own_reminders.begin_event_reminders,
    offer_end_turn.offer_end_turn,
)


@cache
def command_types() -> Mapping[str, type[Command]]:
    """Return all command classes by name."""
    kinds = (kind for name in _names() if ".commands." in name for kind in _kinds_in(import_module(name), Command))
    return MappingProxyType({kind.__name__: kind for kind in kinds})


@cache
def event_types() -> tuple[type[Event], ...]:
    """Return all event classes that a log may contain."""
    names = [name for name in _names() if ".commands." in name or name.endswith(".events")]
    return tuple(kind for name in names for kind in _kinds_in(import_module(name), Event))


@cache
def stages() -> Mapping[Stage, StageFunction]:
    """Return the functions of all procedure stages."""
    packages = {name.partition(".commands.")[0] for name in _names() if ".commands." in name}
    modules = [import_module(name) for name in _names() if name.rpartition(".")[0] in packages]
    return bind_stages(KINDS, *(module.STAGES for module in modules if hasattr(module, "STAGES")))


def _names() -> tuple[str, ...]:
    """Return the names of all modules in `play`."""
    return tuple(
        module.name for module in pkgutil.walk_packages(play.__path__, play.__name__ + ".") if not module.ispkg
    )


def _kinds_in(module: ModuleType, base: type[T]) -> Iterator[type[T]]:
    """Yield the subclasses of `base` defined in a module."""
    for value in vars(module).values():
        if isinstance(value, type) and base in value.__mro__[1:] and value.__module__ == module.__name__:
            yield value
