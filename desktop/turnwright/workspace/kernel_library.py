"""Loads the library of compiled kernels for the map and the forecast.

A wheel or package contains the library. In a checkout, another process compiles it with `packaging/kernels.py` into
`build/kernels`. Until there is a library that fits the source, the plain functions are used.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from ctypes import CDLL
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from time import sleep
from typing import Final
from zlib import crc32

from turnwright.battlemap.compiled import shared
from turnwright.storage.resources import resource_root

SOURCES: Final = (
    "battlemap/arrays.py", "battlemap/kernels/corners.py", "battlemap/kernels/paths.py", "battlemap/kernels/rays.py",
    "battlemap/kernels/segments.py", "forecast/kernel.py", "forecast/layout.py", "forecast/policy.py",
    "forecast/random_stream.py", "forecast/sheet.py",
)  # fmt: skip
CALLS: Final = 1  # increase it if the arguments of compiled kernels change, or how they are compiled
PROGRESS: Final = "progress"  # the file with the percentage that has been compiled
PAUSE: Final = 0.25  # seconds
HEADER: Final = 16  # bytes of an object before its own fields, in the builds of Python that the library is compiled for
PACKAGE: Final = Path(__file__).resolve().parents[1]


class KernelLibrary:
    """The library of compiled kernels in its folder. The program has a single instance, which threads may share.

    `script` compiles the library of a checkout.
    """

    def __init__(self, folder: Path, script: Path) -> None:
        self.folder, self._script = folder, script
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_loaded = False

    def load(self) -> bool:
        """Load the library, if there is one that fits. Return whether compiled kernels are in use."""
        with self._lock:
            path = None if self._is_loaded or object.__basicsize__ != HEADER else library_file(self.folder)
            if path is not None:
                with suppress(OSError, AttributeError, TypeError):  # it is for another system, or incomplete
                    self._use(CDLL(str(path)))
                    self._is_loaded = True
            return self._is_loaded

    def compile(self) -> Iterator[int]:
        """Load the library. In a checkout, compile it first if necessary, and yield the percentage of progress.

        The compiler is started only once. It continues if the caller stops waiting.
        """
        if self.load() or not self._start():
            return
        percent = 0
        while self._process is not None and self._process.poll() is None:
            with suppress(OSError, ValueError):
                percent = int((self.folder / PROGRESS).read_text("utf-8"))
            yield percent
            sleep(PAUSE)
        self.load()

    def _use(self, library: CDLL) -> None:
        from turnwright.forecast.compiled import fight_loop

        shared().use(library)
        fight_loop().use(library)

    def _start(self) -> bool:
        """Start compiling unless that was attempted before. Return False if it is impossible."""
        with self._lock:
            if self._process is None and self._script.is_file() and find_spec("numba") is not None:
                with suppress(OSError):
                    self._process = subprocess.Popen(  # noqa: S603 - this program's own script
                        [sys.executable, self._script, "--into", self.folder],
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                    )
            return self._process is not None


@lru_cache(maxsize=1)
def edition() -> str:
    """Return a checksum of the kernels' source, or `*` in a frozen program, which has no source."""
    try:
        texts = [(PACKAGE / name).read_bytes().replace(b"\r", b"") for name in SOURCES]
    except FileNotFoundError:
        return "*"
    return f"{crc32(b''.join(texts), CALLS):08x}"


def library_file(folder: Path) -> Path | None:
    """Return the library in a folder that was compiled from this source and is undamaged, or None."""
    for path in folder.glob(f"kernels-{edition()}-*.so"):
        with suppress(OSError):
            if path.name == library_name(path.read_bytes(), path.name.split("-")[1]):
                return path
    return None


def library_name(content: bytes, of_edition: str) -> str:
    """Return the file name of a library: it states the checksums of the source and of the library itself."""
    return f"kernels-{of_edition}-{crc32(content):08x}.so"


@lru_cache(maxsize=1)
def kernel_library() -> KernelLibrary:
    """Return the program's single `KernelLibrary`."""
    root = resource_root().parent
    folder = root / "_kernels" if resource_root().name == "_resources" else root / "build" / "kernels"
    return KernelLibrary(folder, root / "packaging" / "kernels.py")


def load_kernels() -> bool:
    """Use the compiled kernels if their library is there. Return whether they are in use."""
    return kernel_library().load()


def compiled_kernels() -> Iterator[int]:
    """Use the compiled kernels. Yield the percentage while a checkout compiles them."""
    yield from kernel_library().compile()


def await_kernels() -> bool:
    """Use the compiled kernels, after compiling them in a checkout. Return whether they are in use."""
    for _ in compiled_kernels():
        pass
    return load_kernels()
