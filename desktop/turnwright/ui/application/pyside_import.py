"""Imports PySide6, but defers its modules that only describe the signatures of Qt's functions.

At each start PySide6 compiles its own Python modules from source, with large regular expressions. The modules in
`DESCRIPTIONS` generate signatures for help texts and for error messages about calls. They are now loaded on first use.
"""

from __future__ import annotations

import builtins
import importlib.machinery
import sys
from contextlib import suppress
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import Loader

_SIGNATURES = "shibokensupport.signature."
DESCRIPTIONS = frozenset(_SIGNATURES + name for name in ("layout", "parser", "lib.enum_sig", "lib.pyi_generator"))


class DeferredModule(ModuleType):
    """A module that is executed when one of its names is first used."""

    def __init__(self, name: str, loader: Loader) -> None:
        super().__init__(name)
        self.__dict__["_deferred"] = (name, loader)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "_deferred" not in self.__dict__:
            raise AttributeError(name)
        module_name, loader = self.__dict__.pop("_deferred")
        spec = self.__spec__
        assert spec is not None
        public_name, spec.name = spec.name, module_name  # PySide6 also publishes the module under another name
        loader.exec_module(self)
        spec.name = public_name
        return getattr(self, name)


class _DeferringLoader:
    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return DeferredModule(spec.name, self._loader)

    def exec_module(self, module: ModuleType) -> None:
        """Don't execute the module yet."""


class _DeferringSpec(ModuleSpec):
    def __init__(self, name: str, loader: Loader, **others: Any) -> None:
        used_loader: Any = _DeferringLoader(loader) if name in DESCRIPTIONS else loader
        super().__init__(name, used_loader, **others)


def import_pyside() -> None:
    """Import PySide6 unless it is already imported, and remove its import hook.

    The hook reads the source of every imported module to find uses of `__feature__`. Our modules don't use it.
    """
    if "shiboken6" not in sys.modules:
        used_by_pyside = vars(importlib.machinery)
        used_by_pyside["ModuleSpec"] = _DeferringSpec
        try:
            importlib.import_module("shiboken6")
        finally:
            used_by_pyside["ModuleSpec"] = ModuleSpec
    importlib.import_module("PySide6.QtCore")
    with suppress(KeyError):  # name of the hook in PySide6 6.10 and 6.11
        builtins.__import__ = vars(builtins)["__orig_import__"]
