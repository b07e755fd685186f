"""Small changes to what was prepared, for tests of a running fight."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.play.setup.commands.edit import Edit
from turnwright.ui.document_model import DocumentModel


def with_feature(bridge: DocumentModel, creature: str, feature: str, **fields: object) -> None:
    """Give one feature of a creature other figures."""
    found = bridge.encounter.need(Creature, creature)
    features = tuple(msgspec.structs.replace(each, **fields) if each.id == feature else each for each in found.features)
    bridge.execute(Edit(msgspec.structs.replace(found, features=features)))


def with_creature(bridge: DocumentModel, creature: str, **fields: object) -> None:
    """Give a creature other figures."""
    bridge.execute(Edit(msgspec.structs.replace(bridge.encounter.need(Creature, creature), **fields)))


def with_roster(bridge: DocumentModel, entry: str, **fields: object) -> None:
    """Give a roster entry other figures."""
    bridge.execute(Edit(msgspec.structs.replace(bridge.encounter.need(RosterEntry, entry), **fields)))
