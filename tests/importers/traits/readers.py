"""The readers of the shipped catalogues, made once: an index of their templates takes a tenth of a second."""

from __future__ import annotations

from functools import cache

from turnwright.importers.traits.understand import TraitReaders


@cache
def shipped_readers() -> TraitReaders:
    return TraitReaders()
