"""Chooses the rule checks of an open encounter."""

from msgspec.structs import replace

from turnwright.encounter.prepared import Strictness
from turnwright.encounter.state import scene_of
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.services.document_model import DocumentModel


def check_rules(document: DocumentModel, strictness: Strictness = "enforce") -> None:
    """Set the rule checks of the encounter."""
    assert document.execute(Edit(replace(scene_of(document.encounter), strictness=strictness)))
