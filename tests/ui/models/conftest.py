import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.ui.services.document_model import DocumentModel
from turnwright.workspace.document import untitled_document


@pytest.fixture
def document(qapp, tmp_path):
    """Return a bridge over an empty document."""
    document = untitled_document(RuleSystems(), tmp_path / "state", seed=1)
    yield DocumentModel(document, WordCatalogue.load())
    document.close(discard=True)
