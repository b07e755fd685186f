"""Bindings between forms and the encounter's records or their child structs. Each edit is one command.

Consecutive edits of a field are merged into one undo step until the user leaves the field.
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from turnwright.encounter.state import RECORD_TYPES, Record
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.services.document_model import DocumentModel


class Binding(Protocol):
    """A struct that a form shows and edits."""

    @property
    def identity(self) -> str:
        """An id for the struct that is unique in the encounter."""

    def value(self) -> Any:
        """Return the current struct, or None if it doesn't exist."""

    def write(self, value: Any, field: str) -> None:
        """Replace the struct with `value`, after the user has edited a field."""

    def commit(self) -> None:
        """End the current undo step. The next edit starts a new one."""


class RecordBinding:
    """A binding to a prepared record, looked up by table and id."""

    def __init__(self, document: DocumentModel, kind: type[Record], id: str = "") -> None:
        self._document = document
        self._kind = kind
        self._run = 0
        self.id = id

    @property
    def identity(self) -> str:
        """The table and id of the record."""
        return f"{self._kind.table}.{self.id}"

    def value(self) -> Any:
        """Return the record, or None if it doesn't exist."""
        return self._document.encounter.record((self._kind.table, self.id))

    def write(self, value: Any, field: str) -> None:
        """Write the edited record, unless it equals the current one."""
        if value == self.value():
            return
        kind = self._kind.table.removesuffix("s")
        merge = f"{kind}:{self.id}:{field}:{self._run}" if field else ""
        self._document.execute(Edit(value, merge=merge))

    def commit(self) -> None:
        """End the current undo step. The next edit starts a new one."""
        self._run += 1


class SceneBinding(RecordBinding):
    """A binding to the scene. A new encounter may not have one yet."""

    def __init__(self, document: DocumentModel) -> None:
        super().__init__(document, RECORD_TYPES["scene"], "scene")

    def value(self) -> Any:
        """Return the scene, or a default scene if there is none."""
        return super().value() or self._kind()  # type: ignore[call-arg]


class ChildBinding:
    """A binding to a struct in a tuple of another binding's struct, looked up by id."""

    def __init__(self, parent_binding: Binding, collection: str, id: str = "") -> None:
        self.parent = parent_binding
        self._collection = collection
        self.id = id

    @property
    def identity(self) -> str:
        """The identity of the parent, the collection and the id."""
        return f"{self.parent.identity}.{self._collection}.{self.id}"

    def value(self) -> Any:
        """Return the child, or None if it doesn't exist."""
        return next((part for part in children_of(self.parent, self._collection) if part.id == self.id), None)

    def write(self, value: Any, field: str) -> None:
        """Replace the child in its parent's collection."""
        parent = self.parent.value()
        if parent is None:
            return
        parts = tuple(value if part.id == self.id else part for part in getattr(parent, self._collection))
        edited = msgspec.structs.replace(parent, **{self._collection: parts})
        self.parent.write(edited, f"{self._collection}.{self.id}.{field}" if field else "")

    def commit(self) -> None:
        """End the current undo step. The next edit starts a new one."""
        self.parent.commit()


def children_of(binding: Binding, collection: str) -> tuple[Any, ...]:
    """Return the structs in a collection, or an empty tuple if the parent no longer exists."""
    value = binding.value()
    return () if value is None else getattr(value, collection)
