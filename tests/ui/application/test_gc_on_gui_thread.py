"""Garbage is collected on the GUI thread, at the thresholds, and never by a worker."""

import gc
import weakref

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject

from turnwright.ui.application.app import GarbageCollector


class Ring:
    """Refers to itself: nothing but a collection frees it."""

    def __init__(self):
        self.itself = self


@pytest.fixture
def collector(qapp):
    home = QObject()
    yield GarbageCollector(home)
    home.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.disable()  # as the tests of this folder want it


def test_what_is_garbage_waits_for_the_collector(collector):
    assert not gc.isenabled()
    gc.collect()
    ring = weakref.ref(Ring())
    rings = [Ring() for _ in range(gc.get_threshold()[0] * 2)]
    assert ring() is not None
    assert collector.collect() == 0
    assert ring() is None
    assert rings


def test_nothing_is_collected_before_there_is_enough(collector):
    gc.collect()
    assert collector.collect() == -1


def test_it_hands_collecting_back_when_it_goes(qapp):
    home = QObject()
    GarbageCollector(home)
    home.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert gc.isenabled()
    gc.disable()
