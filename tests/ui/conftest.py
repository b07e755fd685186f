"""Real windows over a small encounter or a sample, with folders of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.ui.app import Application
from turnwright.workspace.folders import Folders
