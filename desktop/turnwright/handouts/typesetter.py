"""Typesets documents with Typst. It reuses one compiler, so a changed document takes a fraction of the first time.

Unchanged parts are not laid out again if templates pass functions only what they need (see `style.typ`). Templates are
copied to the typesetter's own folder before use, the user's replacing the shipped ones, so no template can access a
file outside it. A typesetter is not thread-safe: each worker has its own. The page types of a large document are
typeset separately, each in a new process that can be ended at any time, since Typst keeps some megabytes for each page.
Only the layout of the last document is cached, because Typst's default takes gigabytes for a hundred pages.

The user's own templates are typeset in a separate process, which is ended if it hangs or uses too much memory. The
program starts itself with `--typeset-pages FOLDER`. Requests and answers are lines of JSON; pages are files in the
folder. The process also enforces its limits itself, so it doesn't keep running if the window is killed.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from turnwright.handouts.joined_pages import joined_pdf, page_count
from turnwright.handouts.page_input import PrintDocument, begins_on_front, is_panic, template_json

_EMPTY: Final = 5  # empty compilations after each document, so that two documents fill the ten


TYPST_FAILED: Final = "Typst failed on this page: {}"


class TypstPanicError(RuntimeError):
    """Raised with Typst's message if Typst itself fails on a document."""


class TypstCompiler:
    """Compiles documents in a folder, with additional font folders. Template errors raise `typst.TypstError`."""

    def __init__(self, root: Path, fonts: Sequence[Path]) -> None:
        import typst  # a heavy library, loaded for the first document

        self._compiler = typst.Compiler(root=root, font_paths=list(fonts))
        self._nothing = typst.Compiler(b"", ignore_system_fonts=True)

    def compile(self, main: Path, **options: Any) -> Any:
        """Return a document as bytes, or its pages as a list of bytes. Raise TypstPanicError if Typst itself fails."""
        try:
            return self._compiler.compile(main, **options)
        except BaseException as panic:
            if not is_panic(panic):
                raise
            raise TypstPanicError(str(panic)) from None
        finally:
            for _ in range(_EMPTY):
                self._nothing.compile(b"")


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


OutputFormat = Literal["pdf", "svg", "png"]
MAIN: Final = "main.typ"
DATA: Final = "data.json"  # a file, since Typst discards its whole cache when its inputs change
PICTURES: Final = "pictures"
FONTS: Final = "fonts"  # subfolder of each template folder
_SHOWABLE: Final = "a-2b"  # this PDF standard requires every character to be shown, so Typst reports missing ones
_LACKING = re.compile(r'the text `(".*?")` could not be displayed')
_PLACE = re.compile(r"┌─ (.+):(\d+):\d+$", re.MULTILINE)
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")
_INSTEAD: Final = "?"
_PACKAGE: Final = '"@'  # the start of a package name that Typst would fetch from the network
MAX_TEMPLATE: Final = 1_000_000  # bytes
LARGE: Final = 200_000  # characters of data: about sixty stat blocks; a sample with all pages has two thirds of that
LARGE_SECONDS, LARGE_BYTES = 900.0, 4_000_000_000  # limits for one kind of page in a large document


class TypesetError(Exception):
    """Raised if an error in the user's own template prevents typesetting. The text includes the location.

    `message` is the error in one line; `file` and `line` (from 1) are its location, empty and 0 if unknown.
    """

    def __init__(self, words: str, message: str = "", file: str = "", line: int = 0) -> None:
        super().__init__(words)
        self.message = message or words
        self.file = file
        self.line = line


class TemplateEndedError(TypesetError):
    """Raised if the user's own template was stopped because it took too long or too much memory."""


class TypesetResult(msgspec.Struct, frozen=True):
    """A typeset document: one PDF, or one image per page.

    Also lists the characters that no font contains, which are printed as `?`.
    """

    pages: tuple[bytes, ...]
    missing_characters: tuple[str, ...] = ()


class Typesetter(AbstractContextManager["Typesetter"]):
    """Typesets documents with templates from several folders; later folders take precedence.

    Close it, or use it in a `with` statement. The folder `own` contains the user's templates. If there are any,
    everything is typeset in a process with limits.
    """

    def __init__(self, templates: Sequence[Path], own: Path | None = None) -> None:
        self._templates = (*templates, *((own,) if own is not None else ()))
        self._own = own
        self._room = tempfile.TemporaryDirectory(prefix="turnwright-press-")
        self._root = Path(self._room.name)
        self._fonts = [folder / FONTS for folder in self._templates if (folder / FONTS).is_dir()]
        self.apart = TemplateProcess(self._root, fonts=self._fonts)
        self._for_large = TemplateProcess(self._root, LARGE_SECONDS, LARGE_BYTES, self._fonts)
        self._kind_of_large = ""
        self._stops = 0
        self._compiler: TypstCompiler | None = None
        self._laid_out: dict[str, tuple[str, int, int]] = {}
        self._pictures: dict[str, bytes] = {}

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the compiler and delete its folder."""
        self._compiler = None
        self.stop()
        self._room.cleanup()

    def stop(self) -> None:
        """Cancel typesetting of a large document or with the user's own templates; `typeset` then fails.

        Thread-safe.
        """
        self._stops += 1
        self.apart.stop()
        self._for_large.stop()

    def stop_large(self) -> None:
        """Cancel typesetting of a large document; `typeset` then fails. Thread-safe."""
        self._stops += 1
        self._for_large.stop_if_busy()

    def typeset(
        self, document: PrintDocument, output_format: OutputFormat = "pdf", ppi: float = 144.0
    ) -> TypesetResult:
        """Typeset a document. Raise TypesetError if a template can't be used. `ppi` is the resolution of images."""
        self._lay_out(document)
        data = template_json(document)
        if len(data) <= LARGE:
            try:
                return self._typeset(data, output_format, ppi)
            except TypesetError as error:
                self._blame(document, output_format, ppi, error)
                raise
        if len(document.sections) == 1:
            return self._typeset(data, output_format, ppi, document.sections[0].kind)
        return self._typeset_parts(document, output_format, ppi)

    def _blame(self, document: PrintDocument, output_format: OutputFormat, ppi: float, error: TypesetError) -> None:
        """Prefix an error with the kind of pages that causes it, unless it names a template."""
        sections = () if error.file or isinstance(error, TemplateEndedError) else document.sections
        for section in sections if len(sections) > 1 else ():
            try:
                self._typeset(template_json(msgspec.structs.replace(document, sections=(section,))), output_format, ppi)
            except TypesetError:
                error.message = f"{section.name}: {error.message}"
                return

    def _typeset_parts(self, document: PrintDocument, output_format: OutputFormat, ppi: float) -> TypesetResult:
        """Typeset each section of a large document separately, and join them."""
        blank: TypesetResult | None = None
        parts: list[bytes] = []
        missing: dict[str, None] = {}
        count, before, stops = 0, None, self._stops
        for section in document.sections:
            if self._stops != stops:
                raise TemplateEndedError("typesetting was stopped")
            if begins_on_front(section.form, before, document.sides) and count % 2:
                empty = template_json(msgspec.structs.replace(document, sections=()))
                blank = blank or self._typeset(empty, output_format, ppi)
                parts += blank.pages
                count += 1
            data = template_json(msgspec.structs.replace(document, sections=(section,)))
            result = self._typeset(data, output_format, ppi, section.kind)
            parts += result.pages
            missing |= dict.fromkeys(result.missing_characters)
            count += page_count(result.pages[0]) if output_format == "pdf" else len(result.pages)
            before = section.form
        return TypesetResult((joined_pdf(parts),) if output_format == "pdf" else tuple(parts), tuple(missing))

    def _typeset(self, data: str, output_format: OutputFormat, ppi: float, large: str = "") -> TypesetResult:
        """Typeset a document's data. `large`: it is one page type of a large document."""
        missing: tuple[str, ...] = ()
        if output_format == "pdf" or not data.isascii():
            try:
                output = self._compile(data, large, format="pdf", pdf_standards=[_SHOWABLE])
            except TemplateEndedError:
                raise
            except TypesetError as misprint:
                missing = _unshown(misprint)
            else:
                if output_format == "pdf":
                    return TypesetResult(_pages(output))
        for character in missing:
            data = data.replace(character, _INSTEAD)
        return TypesetResult(_pages(self._compile(data, large, format=output_format, ppi=ppi)), missing)

    def _compile(self, data: str, large: str, **options: Any) -> Any:
        (self._root / DATA).write_text(data, encoding="utf-8", newline="")
        own = [file for file, _, _ in self._laid_out.values() if self._own and Path(file).parent == self._own]
        if own:
            return self._compile_apart(self.apart, own, options)
        if large:
            if large != self._kind_of_large:
                self._for_large.stop()
            self._kind_of_large = large
            return self._compile_apart(self._for_large, own, options)
        import typst  # a heavy library, loaded for the first document

        if self._compiler is None:
            self._compiler = TypstCompiler(self._root, self._fonts)
        try:
            return self._compiler.compile(self._root / MAIN, **options)
        except typst.TypstError as error:
            raise self._misprint(error.diagnostic or error.message, error.message) from None
        except TypstPanicError as panic:
            raise TypesetError(TYPST_FAILED.format(panic)) from None

    def _compile_apart(self, process: TemplateProcess, own: list[str], options: dict[str, Any]) -> list[bytes]:
        try:
            return process.compile(MAIN, options)
        except TemplateMistakeError as error:
            raise self._misprint(error.diagnostic, error.message) from None
        except TemplateLimitError as error:
            if not own:
                raise TemplateEndedError(f"typesetting {error}") from None
            if len(own) == 1:
                raise TemplateEndedError(str(error), file=own[0]) from None
            names = ", ".join(Path(file).name for file in own)
            raise TemplateEndedError(f"one of the templates {names} {error}", file=str(self._own)) from None

    def _misprint(self, words: str, message: str) -> TypesetError:
        """Return a template error that names the user's file instead of the copy."""
        room = re.compile(rf"(┌─ |at )[^\n]*?{re.escape(self._root.name)}[/\\]([^\n:)]+)")

        def named(match: re.Match[str]) -> str:
            return match[1] + self._laid_out.get(match[2], (match[2],))[0]

        text = room.sub(named, words)
        place = _PLACE.search(text)
        return TypesetError(text, room.sub(named, message), place[1] if place else "", int(place[2]) if place else 0)

    def _lay_out(self, packet: PrintDocument) -> None:
        """Copy changed templates and the document's images to the compiler's folder."""
        templates: dict[str, Path] = {}
        for folder in self._templates:
            templates.update({path.name: path for path in sorted(folder.glob("*.typ")) if path.is_file()})
        for name, path in templates.items():
            status = path.stat()
            mark = (str(path), status.st_mtime_ns, status.st_size)
            if self._laid_out.get(name) != mark:
                _check_template(path)
                shutil.copyfile(path, self._root / name)
                self._laid_out[name] = mark
        for name in self._laid_out.keys() - templates.keys():
            (self._root / name).unlink(missing_ok=True)
            del self._laid_out[name]
        for picture in packet.pictures:
            if self._pictures.get(picture.name) != picture.content:
                (self._root / PICTURES).mkdir(exist_ok=True)
                (self._root / PICTURES / Path(picture.name).name).write_bytes(picture.content)
                self._pictures[picture.name] = picture.content


def _check_template(path: Path) -> None:
    """Raise TypesetError if a template is a link, is too large, or would fetch a package from the network."""
    if path.is_symlink():
        raise TypesetError("a template must not be a link to another file", file=str(path))
    if path.stat().st_size > MAX_TEMPLATE:
        raise TypesetError(f"the template is larger than {MAX_TEMPLATE:,} bytes", file=str(path))
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if _PACKAGE in line:
            raise TypesetError("templates can't import packages from the network", file=str(path), line=number)


def _unshown(misprint: TypesetError) -> tuple[str, ...]:
    """Return the distinct characters that no font contains."""
    characters = "".join(_missing_character(text) for text in _LACKING.findall(str(misprint)))
    return tuple(dict.fromkeys(character for character in characters if not character.isascii()))


def _pages(output: Any) -> tuple[bytes, ...]:
    return tuple(output) if isinstance(output, list) else (output,)


def _missing_character(quoted: str) -> str:
    """Return the character quoted in Typst's message."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), quoted[1:-1])
