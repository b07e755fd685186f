"""The licences of the program's components, as collected by `packaging/licences.py`."""

from __future__ import annotations

from pathlib import PurePosixPath

import msgspec
import rtoml

from turnwright.storage.resources import read_text


class Component(msgspec.Struct, frozen=True):
    """A component of the program.

    `licence` is its SPDX name. `texts` are the paths of its licence texts in the resources. `package` is the normalised
    name of a Python package, or an empty string for other components.
    """

    name: str
    licence: str
    version: str = ""
    site: str = ""
    copyright: str = ""
    package: str = ""
    texts: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The component's name and version."""
        return f"{self.name} {self.version}".rstrip()


def components() -> tuple[Component, ...]:
    """Return all components: first the program and its runtime, then the others, sorted by name."""
    return msgspec.convert(rtoml.loads(read_text("licences/index.toml"))["components"], tuple[Component, ...])


def licence_text(component: Component) -> str:
    """Return a component's licence, copyright and notices."""
    head = "\n".join(line for line in (component.title, component.licence, component.site) if line)
    texts = [read_text(path).strip("\n") for path in component.texts]
    shared = [PurePosixPath(path).stem if "/common/" in path else "" for path in component.texts]
    titled = [
        f"{name}\n{'=' * len(name)}\n\n{text}" if name else text for name, text in zip(shared, texts, strict=True)
    ]
    return "\n\n".join(part for part in (head, component.copyright.strip(), *titled) if part)
