"""Documents of a large folder: held within a budget, read again beyond it, and told where that fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from turnwright.importers.documents import ParsedDocument, read_document
from turnwright.importers.files import import_files
from turnwright.importers.files.import_files import DocumentStore, read_paths
from turnwright.importers.results import ImportedRecord, UnreadRecord


def creatures(folder: Path, count: int) -> list[Path]:
    paths = [folder / f"{number}.json" for number in range(count)]
    for number, path in enumerate(paths):
        path.write_text(json.dumps({"name": f"Wolf {number}", "ac": 12, "hp": 11, "stats": [12, 15, 12, 3, 12, 6]}))
    return paths


def stored(paths: list[Path]) -> DocumentStore:
    store = DocumentStore()
    for path in paths:
        document = read_document(path)
        assert isinstance(document, ParsedDocument)
        store.add(document)
    return store


def test_documents_beyond_the_budget_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_files, "MAX_HELD", 200)
    paths = creatures(tmp_path, 12)
    store = stored(paths)
    assert [one.data["name"] for one in store] == [f"Wolf {number}" for number in range(12)]
    found = [each for _, each in read_paths([tmp_path])]
    assert len([each for each in found if isinstance(each, ImportedRecord)]) == 12
    for path in paths[6:]:
        path.unlink()
    assert len(list(store)) == 6
    assert len(store.lost) == 6


def test_a_file_that_goes_away_meanwhile_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_files, "MAX_HELD", 0)
    (path,) = creatures(tmp_path, 1)
    unread = UnreadRecord(str(path), "", "cannot be read")
    reads = iter((read_document(path), read_document(path), unread))
    monkeypatch.setattr(import_files, "read_document", lambda _path: next(reads))
    (found,) = [each for _, each in read_paths([path]) if isinstance(each, ImportedRecord)]
    assert found.name == "Wolf 0"
    reads = iter((read_document(path), unread))
    (lost,) = [each for _, each in read_paths([path])]
    assert isinstance(lost, UnreadRecord)
    assert "a second time" in lost.why
