"""Typesets documents with Typst. It reuses one compiler, so a changed document takes a fraction of the first time.

Unchanged parts are not laid out again if templates pass functions only what they need (see `style.typ`).
Templates are copied to the typesetter's own folder before use, the user's replacing the shipped ones, so no
template can access a file outside it. A typesetter is not thread-safe: each worker has its own. The page types of a
large document are typeset separately, each in a new process that can be ended at any time, since Typst keeps some
megabytes for each page.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self

import msgspec

from turnwright.handouts.joined_pages import joined_pdf, page_count
from turnwright.handouts.print_document import PrintDocument, begins_on_front, template_json
from turnwright.handouts.template_process import TemplateLimitError, TemplateMistakeError, TemplateProcess
from turnwright.handouts.typst_compiler import TYPST_FAILED, TypstCompiler, TypstPanicError

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


class Typesetter:
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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
            return self._typeset(data, output_format, ppi)
        if len(document.sections) == 1:
            return self._typeset(data, output_format, ppi, document.sections[0].kind)
        return self._typeset_parts(document, output_format, ppi)

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
        pages = (joined_pdf(parts),) if output_format == "pdf" else tuple(parts)
        return TypesetResult(pages, tuple(missing))

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
        own = self._own_templates()
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

    def _own_templates(self) -> list[str]:
        """Return the user's own template files."""
        return [file for file, _, _ in self._laid_out.values() if self._own and Path(file).parent == self._own]

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
