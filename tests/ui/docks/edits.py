"""Small changes to prepared records, for tests of a running fight."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.services.document_model import DocumentModel


def with_feature(document: DocumentModel, creature: str, feature: str, **fields: object) -> None:
    """Change fields of a creature's feature."""
    found = document.encounter.need(Creature, creature)
    features = tuple(msgspec.structs.replace(each, **fields) if each.id == feature else each for each in found.features)
    document.execute(Edit(msgspec.structs.replace(found, features=features)))


def with_creature(document: DocumentModel, creature: str, **fields: object) -> None:
    """Change fields of a creature."""
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Creature, creature), **fields)))


def with_roster(document: DocumentModel, entry: str, **fields: object) -> None:
    """Change fields of a roster entry."""
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(RosterEntry, entry), **fields)))
