"""Adds the compiled kernels to a wheel if they were compiled, which makes it a wheel for this platform only."""

from __future__ import annotations

import platform
import re
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelHook(BuildHookInterface):
    """Called by hatchling for each wheel that it builds."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the library in `build/kernels` if it was compiled from this tree."""
        if version == "editable":
            return
        sys.path.insert(0, str(Path(self.root, "desktop")))
        from turnwright.workspace.kernel_library import library_file

        library = library_file(Path(self.root, "build", "kernels"))
        if library is not None:
            build_data["force_include"][str(library)] = f"turnwright/_kernels/{library.name}"
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform_tag()}"


def platform_tag() -> str:
    """Return the platform of the library. On Linux it needs no other library, so it runs on all."""
    if sys.platform == "linux":
        return f"manylinux_2_17_{platform.machine()}"
    return re.sub(r"[-.]", "_", sysconfig.get_platform())
