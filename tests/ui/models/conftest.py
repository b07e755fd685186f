import pytest

from tests.ui.conftest import model_of
from turnwright.bootstrap import RuleSystems
from turnwright.workspace.document import untitled_document


@pytest.fixture
def document(qapp, tmp_path):
    """Return a bridge over an empty document."""
    document = untitled_document(RuleSystems(), tmp_path / "state", seed=1)
    yield model_of(document)
    document.close(discard=True)
