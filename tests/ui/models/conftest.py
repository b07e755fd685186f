import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.storage.words import Words
from turnwright.ui.bridge import Bridge
from turnwright.workspace.document import untitled


@pytest.fixture
def bridge(qapp, tmp_path):
    """Return a bridge over an empty document."""
    document = untitled(RuleSystems(), tmp_path / "state", seed=1)
    yield Bridge(document, Words.load())
    document.close(discard=True)
