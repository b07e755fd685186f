"""A separate process that typesets the user's own templates. It is ended if it hangs or uses too much memory.

The program starts itself with `--typeset-pages FOLDER`. Requests and answers are lines of JSON; pages are files
in the folder. The process also enforces its limits itself, so it doesn't keep running if the window is killed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from turnwright.handouts.typst_compiler import TYPST_FAILED, TypstCompiler, TypstPanicError

if sys.platform == "linux":

    def _resident_bytes() -> int:
        """Return the memory used by this process, in bytes."""
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")

elif sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _process = ctypes.windll.kernel32.GetCurrentProcess
    _process.restype = wintypes.HANDLE
    _query = ctypes.windll.kernel32.K32GetProcessMemoryInfo
    _query.argtypes = (wintypes.HANDLE, ctypes.c_void_p, wintypes.DWORD)

    def _resident_bytes() -> int:
        """Return the memory used by this process, in bytes."""
        counters = (ctypes.c_size_t * 10)()  # two 32-bit numbers, then sizes; the second size is the working set
        counters[0] = ctypes.sizeof(counters)
        _query(_process(), counters, ctypes.sizeof(counters))
        return int(counters[2])

else:
    import resource

    def _resident_bytes() -> int:
        """Return the peak memory use of this process."""
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


OPTION: Final = "--typeset-pages"
MAX_SECONDS: Final = 30.0  # per document; the shipped templates take one or two
MAX_BYTES: Final = 1_500_000_000
_NOWHERE: Final = "http://127.0.0.1:0"  # a proxy that can't exist, so Typst can't fetch packages
_GRACE: Final = 10.0  # seconds for the process to end by itself
_TICK: Final = 0.05
_TOO_LONG, _TOO_LARGE = 3, 4  # exit codes


class TemplateLimitError(Exception):
    """Raised if typesetting takes too long or uses too much memory, or its process ends; the message has the reason."""


class _Answer(msgspec.Struct, frozen=True):
    """The number of pages, or a template error as reported by Typst: the full report, and one line."""

    pages: int = 0
    diagnostic: str = ""
    message: str = ""


class TemplateMistakeError(Exception):
    """Raised if a template has an error. `diagnostic` is Typst's report with the location, `message` is one line."""

    def __init__(self, answer: _Answer) -> None:
        super().__init__(answer.message)
        self.diagnostic = answer.diagnostic or answer.message
        self.message = answer.message


# In the program ------------------------------------------------------------------------------------------------------


class TemplateProcess:
    """Typesets a folder's main template in a process that starts on first use and keeps running."""

    def __init__(
        self, folder: Path, max_seconds: float = MAX_SECONDS, max_bytes: int = MAX_BYTES, fonts: Sequence[Path] = ()
    ) -> None:
        self.folder = folder
        self._fonts = [str(font) for font in fonts]
        self._limits = (str(max_seconds), str(max_bytes))
        self._patience = max_seconds + _GRACE
        self._process: subprocess.Popen[bytes] | None = None
        self._busy = threading.RLock()
        self._stops = 0

    def compile(self, main: str, options: dict[str, Any]) -> list[bytes]:
        """Return the pages, or one document. Raise TemplateMistakeError or TemplateLimitError on failure."""
        with self._busy:
            return self._compile(main, options)

    def _compile(self, main: str, options: dict[str, Any]) -> list[bytes]:
        stops = self._stops
        process = self._process = self._process or self._start()
        if self._stops != stops:  # the process was stopped while starting
            process.kill()
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Timer(self._patience, process.kill)
        late.start()
        try:
            process.stdin.write(msgspec.json.encode((main, options)) + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = b""
        finally:
            late.cancel()
        if not line.endswith(b"\n"):
            raise TemplateLimitError(self._why_ended(process))
        answer = msgspec.json.decode(line, type=_Answer)
        if answer.message:
            raise TemplateMistakeError(answer)
        return [_page(self.folder, number).read_bytes() for number in range(answer.pages)]

    @property
    def is_running(self) -> bool:
        """Whether the process has been started."""
        return self._process is not None

    def stop_if_busy(self) -> None:
        """End the process if it is typesetting."""
        if self._busy.acquire(blocking=False):
            self._busy.release()
        else:
            self.stop()

    def stop(self) -> None:
        """End the process, even if it is busy."""
        self._stops += 1
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            with self._busy:  # by now, the reading thread has noticed that the process ended
                for pipe in (process.stdin, process.stdout):
                    if pipe is not None:
                        with suppress(OSError):
                            pipe.close()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - this program itself
            [*this_program(), OPTION, str(self.folder), *self._limits, *self._fonts],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_without_network(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def _why_ended(self, process: subprocess.Popen[bytes]) -> str:
        code = process.wait()
        self._process = self._process or process
        self.stop()
        if code == _TOO_LARGE:
            return f"took more than {int(self._limits[1]) // 1_000_000:,} MB of memory and was ended"
        if code == _TOO_LONG:
            return f"took longer than {float(self._limits[0]):g} seconds and was ended"
        return "ended unexpectedly"


def this_program() -> list[str]:
    """Return the command that starts this program; on Windows, the version with a console."""
    if not hasattr(sys, "_MEIPASS"):
        return [sys.executable, "-m", "turnwright"]
    with_console = Path(sys.executable).with_name("turnwright.exe")
    return [str(with_console if with_console.exists() else sys.executable)]


def _without_network() -> dict[str, str]:
    """Return this program's environment variables, with proxies that block network access."""
    variables = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    return variables | {f"{scheme}_proxy": _NOWHERE for scheme in ("http", "https", "all")}


def _page(folder: Path, number: int) -> Path:
    return folder / f"page-{number}.out"


# In the process ------------------------------------------------------------------------------------------------------


def serve(folder: Path, max_seconds: float, max_bytes: int, *fonts: Path) -> int:
    """Answer typesetting requests until the input ends or a limit is exceeded."""
    began = [0.0]
    threading.Thread(target=_watch, args=(began, max_seconds, max_bytes), daemon=True).start()
    compiler = TypstCompiler(folder, fonts)
    for line in sys.stdin.buffer:
        main, options = msgspec.json.decode(line, type=tuple[str, dict[str, Any]])
        began[0] = time.monotonic()
        answer = _answer(partial(compiler.compile, folder / main, **options), folder)
        began[0] = 0.0
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.buffer.flush()
    return 0


def _answer(typeset: Callable[[], Any], folder: Path) -> _Answer:
    import typst

    try:
        result = typeset()
    except typst.TypstError as error:
        return _Answer(0, error.diagnostic or "", error.message or "a template can't be used")
    except TypstPanicError as panic:
        return _Answer(0, "", TYPST_FAILED.format(panic))
    pages = result if isinstance(result, list) else [result]
    for number, page in enumerate(pages):
        _page(folder, number).write_bytes(page)
    return _Answer(len(pages))


def _watch(began: list[float], max_seconds: float, max_bytes: int) -> None:
    """End the process if it typesets for too long or uses too much memory."""
    while True:
        time.sleep(_TICK)
        if began[0] and time.monotonic() - began[0] > max_seconds:
            os._exit(_TOO_LONG)
        if _resident_bytes() > max_bytes:
            os._exit(_TOO_LARGE)
