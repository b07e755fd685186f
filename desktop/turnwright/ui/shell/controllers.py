"""The controllers by name, the notation for their methods in tables, and the connections of signals.

Tables of actions and connections name a method as `view.scale_by -10`: a service, controller or panel, its method and an
optional argument. A condition such as `status.has_turn` or `layout.arrangement=run` names a property, and its values,
separated by `|`, if it isn't True. It can also name a method with its argument: `status.has effects`.
"""

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QObject

from turnwright.ui.docks.arrangements import DOCKS
from turnwright.ui.docks.dock import Dock
from turnwright.ui.look.window_data import window_data
from turnwright.ui.services.services import Controller, Services

CONTROLLERS = window_data("controllers", dict[str, str])
CONNECTIONS = window_data("connections", dict[str, dict[str, str]])


@cache
def controller_class(name: str) -> type[Controller]:
    """Return the class of a controller. Its module is imported on first use."""
    module, _, class_name = CONTROLLERS[name].rpartition(".")
    kind = getattr(import_module(f"turnwright.ui.{module}"), class_name)
    assert issubclass(kind, Controller)
    return kind


def part_of(services: Services, name: str) -> Any:
    """Return a controller by its name in `CONTROLLERS`, a panel, which is then shown, or a service."""
    if name in CONTROLLERS:
        return services.controller(controller_class(name))
    return services.docks.show(name) if name in DOCKS else getattr(services, name)


def call(services: Services, path: str, *arguments: object) -> None:
    """Call the method that a table names, with its own argument and then those given."""
    target, _, own = path.partition(" ")
    name, _, method = target.partition(".")
    attrgetter(method)(part_of(services, name))(*own_arguments(own), *arguments)


def own_arguments(text: str) -> tuple[object, ...]:
    """Return the argument after a method's name: a number, a word, or none."""
    if not text:
        return ()
    return (int(text),) if text.removeprefix("-").isdigit() else (text,)


def condition(path: str) -> Callable[[Services], bool]:
    """Return the function that checks a condition."""
    target, _, expected = path.partition("=")
    named, _, own = target.partition(" ")
    name, _, attribute = named.partition(".")

    def is_met(services: Services) -> bool:
        value = attrgetter(attribute)(part_of(services, name))
        value = value(own) if own else value
        return value in expected.split("|") if expected else bool(value)

    return is_met


def connect_dock(dock: Dock, services: Services) -> None:
    """Give a panel the services that it uses, and connect its signals."""
    dock.use_services(services)
    connect(dock.name, dock, services)


def connect(name: str, owner: QObject, services: Services) -> None:
    """Connect the signals of an object to the methods that the table names. Controllers are created on first use."""
    for signal, path in CONNECTIONS.get(name, {}).items():
        attrgetter(signal)(owner).connect(partial(call, services, path))
