"""Changes to the floor of the map that is shown, as if it were a separate map."""

from turnwright.encounter.floors import with_map_of
from turnwright.encounter.prepared import Map
from turnwright.play.environment.map_changes import ArrangeFloors
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.ui.services.document_model import DocumentModel


def put_own_map(document: DocumentModel, own: Map, merge: str = "") -> bool:
    """Replace the floor that is shown, or add the first map. Edits with the same `merge` are one undo step."""
    whole = document.encounter.get(Map, Map.table)
    if whole is None or not whole.floors:
        return document.execute(Edit(own, merge) if whole is not None else Add((own,)))
    return document.execute(ArrangeFloors(with_map_of(whole, document.floor, own), merge))
