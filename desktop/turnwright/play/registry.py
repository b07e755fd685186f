"""What composes the engine, found in the packages of play: all commands, the function of each stage, what runs between.

A package of play that has a folder `commands` is searched: each module there for its command, each module of the
package for its table `STAGES`. They are found with `pkgutil`, which works in a frozen program too; nothing names them
in an import, so whatever freezes the program must be told to collect the submodules of `turnwright.play`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType

from turnwright import play
from turnwright.encounter.procedure_state import KINDS
from turnwright.encounter.procedure_state.kinds import Stage
from turnwright.play.effects import legendary_resistance
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.scheduler import Interceptor, StageFunction, bind_stages
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.spawning import waves
from turnwright.play.turns import offer_end_turn
from turnwright.rules.system import RuleSystem

AfterStep = Callable[[Transaction, RuleSystem], bool]

INTERCEPTORS: tuple[Interceptor, ...] = (
    Interceptor(ask=legendary_resistance.offer_success, apply=legendary_resistance.apply_success),
)

# Functions run once a command and all that follows from it is done; each returns whether it began a procedure.
AFTER_EACH_STEP: tuple[AfterStep, ...] = (waves.arrive_on_trigger, offer_end_turn.offer_end_turn)


@cache
def command_types() -> Mapping[str, type[Command]]:
    """Return all commands by the names of their classes."""
    modules = (module for folder in _command_folders() for module in _modules_in(folder))
    return MappingProxyType({kind.__name__: kind for module in modules for kind in _commands_of(module)})


@cache
def stages() -> Mapping[Stage, StageFunction]:
    """Return the function of each stage of every procedure."""
    packages = [import_module(folder.__name__.rpartition(".")[0]) for folder in _command_folders()]
    modules = (module for package in packages for module in _modules_in(package))
    return bind_stages(KINDS, *(module.STAGES for module in modules if hasattr(module, "STAGES")))


def _command_folders() -> Iterator[ModuleType]:
    """Yield the packages `commands` of play's packages."""
    for package in _modules_in(play, packages=True):
        yield from (one for one in _modules_in(package, packages=True) if one.__name__.endswith(".commands"))


def _modules_in(package: ModuleType, *, packages: bool = False) -> Iterator[ModuleType]:
    """Import and yield the modules that lie directly in a package, or else the packages there."""
    for found in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        if found.ispkg is packages:
            yield import_module(found.name)


def _commands_of(module: ModuleType) -> Iterator[type[Command]]:
    """Yield the commands that a module defines."""
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Command) and value.__module__ == module.__name__:
            yield value
